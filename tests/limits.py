#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the tests still test the limits of the core. tests/limits.tsv lists the value for which each
test was written.

A changed limit would leave its tests far from the new value, and a new limit has no tests. Prints a sentence
for each of these.
"""
from __future__ import annotations

import re
import sys
from typing import Iterator, NamedTuple

import core

TABLE = core.ROOT / "tests/limits.tsv"
# Matches a macro of the core or of a public header that stands for a decimal number from 9 on. These are no limits:
DEFINED = re.compile(r"^#define (\w+) +\(?(\d+)u?\)?(?: *$| */\*)", re.M)
LEAST = 9
NO_LIMITS = {"AT_END", "URIVET_FINDING_LIMIT", "MAX_PIECES"}
# sizes of tables, which a script writes together with the tables
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
    """Returns the values of a macro, or of a member in each policy."""
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
    headers = sorted(str(path.relative_to(core.ROOT)) for path in (core.ROOT / "include/urivet").glob("*.h")
                     if path.name != "policy.h")
    for file in ("include/urivet.h", *headers, *core.files(".c", ".h")):
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
