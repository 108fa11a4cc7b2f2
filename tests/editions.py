#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every reader of include/urivet/readers.def has all that a reader needs; prints a sentence for
each thing that is missing.

    python3 tests/editions.py [ROOT]
"""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator

import core

# Where each row has to appear: file, pattern ({name}, {constant}), what to do. The first list is for every
# reader.
EVERY = (
    ("tests/core/unit/test_readers.c", r"URIVET_READER_{constant}\b", "add rows of what it reads"),
    ("src/cli/manual/urivet-readers.7", r"^\.It Sy {name}$", "describe it under \"Editions\""),
    ("src/core/readers/README.md", r"^\| `{name}` \|", "add its row to the table of readers"),
    ("corpus/verdicts.tsv", r"\A[^\n]*\t{name}\b", "run `make corpus`, which writes its column"),
)
EDITION = (
    ("src/core/readers/edition.c", r"^    \[URIVET_READER_{constant}\] =$", "add its row of classes and flags"),
    ("tests/core/unit/test_resolve.c", r"URIVET_READER_{constant}\b", "add its examples of resolution"),
    ("tests/cli/test_resolve.py", r"^    \"{name}\": {{", "add its examples to EXPECTED"),
)
OTHER = (("src/core/readers/read_as.c", r"\bcase URIVET_READER_{constant}:", "add the case that reads by it"),)


def text_of(root: Path, name: str) -> str:
    path = root / name
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def of_grammar(root: Path, row: core.Reader) -> Iterator[str]:
    grammar = f"tests/gates/grammar/{row.grammar}.abnf"
    if not (root / grammar).exists():
        yield f"{row.name} has no grammar: write {grammar}, or name another in its row of readers.def"
    elif f'("{row.grammar}", ' not in text_of(root, "tests/gates/grammar/inclusion.py"):
        yield f"{row.name} has no claim in tests/gates/grammar/inclusion.py: say what lies inside {row.grammar}"
    if row.extra < 2 or row.length < 5:
        yield f"{row.name} is compared by too little in readers.def: two extra states and five octets at least"


def missing(root: Path, row: core.Reader) -> Iterator[str]:
    for name, pattern, what in EVERY + (EDITION if row.grammar else OTHER):
        filled = pattern.format(name=re.escape(row.name), constant=row.constant)
        if not re.search(filled, text_of(root, name), re.M):
            yield f"{row.name} is not in {name}: {what}"
    if row.grammar:
        yield from of_grammar(root, row)


def all_of(root: Path, rows: list[core.Reader]) -> list[str]:
    wrong = [f"{row.name} has number {row.number}, but is row {k} of readers.def: add rows at the end, with the next number"
             for k, row in enumerate(rows) if row.number != k]
    return wrong + [sentence for row in rows for sentence in missing(root, row)]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else core.ROOT
    rows = core.readers()
    wrong = all_of(root, rows)
    # negative control: for an unknown row everything is reported as missing
    new = core.Reader("URI_2005", len(rows), "uri-2005", "nothing", "uri-2005", 2, 6)
    unknown = list(missing(root, new)) + list(missing(root, new._replace(grammar="")))
    if len(unknown) != 2 * len(EVERY) + len(EDITION) + len(OTHER) + 1:
        wrong.append(f"a row that is nowhere should be missed everywhere, not only: {unknown}")
    for sentence in wrong:
        print(sentence)
    print(f"editions: {len(rows)} readers, {sum(bool(row.grammar) for row in rows)} of them editions, "
          f"{len(wrong)} things missing")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
