#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tests stand at the borders that the core has? tests/limits.tsv says for which value they were written.

A limit that is changed would leave its tests far from the border, where nothing is tested; one that is new has none.
Each such thing is a sentence.
"""
from __future__ import annotations

import re
import sys
from typing import Iterator, NamedTuple

import core

TABLE = core.ROOT / "tests/limits.tsv"
# A number in decimal from 9 on that a macro of the core or of urivet.h stands for; these are no limits:
DEFINED = re.compile(r"^#define (\w+) +\(?(\d+)u?\)?(?: *$| */\*)", re.M)
LEAST = 9
NO_LIMITS = {"AT_END", "URIVET_FINDING_LIMIT", "MAX_PIECES"}
# sizes of tables that a script writes with them
NO_LIMITS |= {"CHARACTER_BLOCK", "CHARACTER_GROUP", "CHARACTER_TOP", "CHARACTER_GROUPS", "CHARACTER_BLOCKS",
              "CHARACTER_ROWS", "COMPOSITIONS", "LOOK_BLOCK", "LOOK_GROUP", "LOOK_TOP", "LOOK_GROUPS", "LOOK_BLOCKS",
              "LOOK_ROWS"}


class Limit(NamedTuple):
    file: str
    constant: str
    value: int
    test: str


def rows() -> Iterator[Limit]:
    for line in TABLE.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            file, constant, value, test = line.split("\t")
            yield Limit(file, constant, int(value), test)


def values(text: str, constant: str) -> list[int]:
    """Of a macro, or of a member of each policy."""
    found = re.findall(rf"^(?:#define {constant} +|\s+\.{constant} = )(\d+)u?\b", text, re.M)
    return sorted({int(value) for value in found})


def wrong_of(limit: Limit) -> Iterator[str]:
    there = values((core.ROOT / limit.file).read_text(encoding="utf-8"), limit.constant)
    if not there:
        yield f"{limit.constant} is no number of {limit.file} any more: take its row out of tests/limits.tsv, or name its file"
    elif there != [limit.value]:
        yield (f"{limit.constant} of {limit.file} is {' and '.join(map(str, there))}, but {limit.test} is written for "
               f"{limit.value}: let its inputs stand at the new border, and note that in tests/limits.tsv")
    test = core.ROOT / limit.test
    near = "|".join(str(limit.value + k) for k in range(-2, 3))
    if not test.exists() or not re.search(rf"\b(?:{limit.constant}|{near})\b", test.read_text(encoding="utf-8")):
        yield f"{limit.test} names neither {limit.constant} nor {limit.value}: which test stands at that border?"


def unknown(known: set[str]) -> Iterator[str]:
    for file in ("include/urivet.h", *core.files(".c", ".h")):
        for name, value in DEFINED.findall((core.ROOT / file).read_text(encoding="utf-8")):
            if int(value) >= LEAST and name not in known | NO_LIMITS and "VERSION" not in name:
                yield f"{name} of {file} has no test at its border: add one, and a row to tests/limits.tsv"


def main() -> int:
    table = list(rows())
    wrong = [sentence for limit in table for sentence in wrong_of(limit)]
    wrong += unknown({limit.constant for limit in table})
    if not list(wrong_of(table[-1]._replace(value=table[-1].value + 1))):
        wrong.append("a limit that has another value is not seen")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"limits: {len(table)} with a test at their border, {len(wrong)} things wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
