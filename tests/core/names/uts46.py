#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/core/readers/uts46_tables.c from the Unicode Character Database, or checks what is there.

    python3 tests/core/names/uts46.py            writes the file, and prints the size of its tables
    python3 tests/core/names/uts46.py --check    makes it anew and compares octets

The data is that of the Debian packages unicode-data and unicode-idna (Unicode 15.0.0, Unicode License v3), which
lies below /usr/share/unicode.  Exit status: 0 as it should be, 1 another file is in git, 2 the data is missing or is
of another version.
"""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ucd

TARGET = Path(__file__).parents[3] / "src/core/readers/uts46_tables.c"

MOST = 0x110000
HANGUL = range(0xAC00, 0xD7A4)
STATUS = {"valid": "VALID", "deviation": "VALID", "disallowed_STD3_valid": "VALID", "ignored": "IGNORED",
          "mapped": "MAPPED", "disallowed_STD3_mapped": "MAPPED", "disallowed": "DISALLOWED"}
BIDI = ("L", "R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM")     # RFC 5893 names these
JOINING = ("L", "R", "D", "T")                                              # RFC 5892, A.1 names these
# Code points of plane 1 that compose are written in 16 bits as private ones of plane 0, which never do.
FOLDED, FOLDED_AS = range(0x11000, 0x12000), 0xE000


class Database:
    """What UTS 46, UAX 15, RFC 5892 and RFC 5893 ask of a code point."""

    def __init__(self) -> None:
        ucd.check_version()
        self.status = {c: STATUS[row[0]] for c, row in ucd.idna_mapping().items()}
        self.mapping = {c: row[1] for c, row in ucd.idna_mapping().items() if self.status[c] == "MAPPED"}
        self.pair = ucd.decompositions(False)
        self.ccc = {c: ucd.combining_class(c) for c in ucd.characters() if ucd.combining_class(c)}
        self.marks = {c for c in ucd.characters() if ucd.category(c) in ("Mn", "Mc", "Me")}
        self.bidi, self.joining = (ucd.valued(f"extracted/Derived{name}.txt") for name in ("BidiClass", "JoiningType"))

    def decomposed(self, c: int) -> tuple[int, ...]:
        """The full canonical decomposition; Hangul syllables are left to arithmetic."""
        if c not in self.pair:
            return (c,)
        return tuple(part for inner in self.pair[c] for part in self.decomposed(inner))

    def expansion(self, c: int) -> tuple[int, ...]:
        """What c is mapped to, decomposed."""
        return tuple(part for inner in self.mapping.get(c, (c,)) for part in self.decomposed(inner))

    def row(self, c: int) -> tuple[str, int, str, str, int]:
        status = self.status[c]
        if status != "VALID":
            return (status, 0, "OTHER", "NONE", 0)
        bidi = self.bidi.get(c, "L")
        joining = self.joining.get(c, "U")
        return (status, self.ccc.get(c, 0), bidi if bidi in BIDI else "OTHER",
                joining if joining in JOINING else "NONE", int(c in self.marks))

    def composites(self) -> list[tuple[int, int, int]]:
        return sorted((*pair, c) for pair, c in ucd.compositions().items())


# ---- making the tables ---------------------------------------------------------------------------------------

def units(text: tuple[int, ...]) -> list[int]:
    """UTF-16."""
    octets = "".join(map(chr, text)).encode("utf-16-be")
    return [octets[k] << 8 | octets[k + 1] for k in range(0, len(octets), 2)]


def folded(c: int) -> int:
    if c in FOLDED:
        return c - FOLDED.start + FOLDED_AS
    if c > 0xFFFF or FOLDED_AS <= c < 0xF900:
        raise ucd.Problem(f"U+{c:04X} composes, and does not fit in 16 bits")
    return c


def check(data: Database) -> None:
    """What the reader takes for granted: what is decomposed to is valid, and there is room for it (ulabel.h)."""
    for c in range(0x80, MOST):
        if data.status[c] not in ("VALID", "MAPPED"):
            continue
        whole = data.expansion(c)
        for part in whole:
            if data.status[part] != "VALID":
                raise ucd.Problem(f"U+{c:04X} is decomposed to U+{part:04X}, which is not valid")
        if 0x20 not in whole and len(whole) > 2 * len(chr(c).encode()):
            raise ucd.Problem(f"U+{c:04X} becomes {len(whole)} code points, more than there is room for")


class Tables:
    """Two stages, whose values are rows of classes, or places in the pool."""

    def __init__(self, data: Database) -> None:
        self.classes = sorted({data.row(c) for c in range(MOST)})
        self.pool: list[int] = []
        places: dict[tuple[int, ...], int] = {}
        number = {row: k for k, row in enumerate(self.classes)}
        if [row[0] for row in self.classes][:3] != ["DISALLOWED", "IGNORED", "MAPPED"]:
            raise ucd.Problem("the first classes are not those of uts46_tables.h")
        values = []
        for c in range(MOST):
            whole = data.expansion(c)
            if whole == (c,):
                values.append(number[data.row(c)])
                continue
            text = units(whole)
            entry = (number[data.row(c)] << 5 | len(text), *text)
            if entry not in places:
                places[entry] = len(self.pool)
                self.pool.extend(entry)
            values.append(len(self.classes) + places[entry])
        if max(values) > 0xFFFF:
            raise ucd.Problem("the pool is too long")
        self.split_tail(data, values)
        self.stages(values)
        self.composites = [tuple(map(folded, row)) for row in data.composites()]

    def split_tail(self, data: Database, values: list[int]) -> None:
        """Far up only variation selectors are not disallowed: they need no table."""
        disallowed = self.classes.index(data.row(0xFFFF))
        selectors = [c for c in range(0xE0000, MOST) if values[c] != disallowed]
        self.selectors = range(selectors[0], selectors[-1] + 1)
        if len(selectors) != len(self.selectors) or {values[c] for c in selectors} != {values[0xAD]}:
            raise ucd.Problem("other code points than variation selectors are ignored far up")
        self.end = max(c for c in range(0xE0000) if values[c] != disallowed) + 1

    def stages(self, values: list[int]) -> None:
        best = None
        for bits in range(3, 8):
            size = 1 << bits
            blocks: dict[tuple[int, ...], int] = {}
            first = []
            for c in range(0, self.end, size):
                first.append(blocks.setdefault(tuple(values[c:c + size]), len(blocks)))
            octets = len(first) * 2 + len(blocks) * size * 2
            if best is None or octets < best[0]:
                best = (octets, bits, first, [value for block in blocks for value in block])
        _, self.bits, self.first, self.second = best
        self.end = len(self.first) << self.bits

    def size(self) -> int:
        return (2 * (len(self.first) + len(self.second) + len(self.pool)) + 5 * len(self.classes) +
                6 * len(self.composites))


# ---- writing -------------------------------------------------------------------------------------------------

def numbers(values: list[int]) -> str:
    lines, line = [], "\t"
    for value in values:
        text = f"{value},"
        if len(line) + len(text) > 90:
            lines.append(line)
            line = "\t"
        line += text
    return "\n".join(lines + [line])


def source(tables: Tables) -> str:
    classes = "\n".join(f"\t{{UTS46_{status}, {ccc}, BC_{bidi}, JT_{joining}, {mark}}},"
                        for status, ccc, bidi, joining, mark in tables.classes)
    pairs = "\n".join(f"\t{{0x{first:04x}, 0x{second:04x}, 0x{whole:04x}}}," for first, second, whole in tables.composites)
    return f"""\
/* SPDX-License-Identifier: Apache-2.0 AND Unicode-3.0 */
/*
 * What uts46_tables.h declares, made by tests/core/names/uts46.py from the Unicode Character
 * Database {ucd.VERSION} and its IdnaMappingTable.txt (Copyright 1991-2022 Unicode, Inc.,
 * Unicode License v3, https://www.unicode.org/license.txt): {tables.size()} octets.
 */
#include "readers/uts46_tables.h"

/* clang-format off */
const struct uts46_class urivet_uts46_classes[UTS46_CLASSES] = {{
{classes}
}};

const uint16_t urivet_uts46_first[UTS46_END >> UTS46_BITS] = {{
{numbers(tables.first)}
}};

const uint16_t urivet_uts46_second[UTS46_SECOND] = {{
{numbers(tables.second)}
}};

const uint16_t urivet_uts46_pool[UTS46_POOL] = {{
{numbers(tables.pool)}
}};

const struct composite urivet_composites[COMPOSITES] = {{
{pairs}
}};
/* clang-format on */
"""


def constants(tables: Tables) -> str:
    """The lines of the header that follow from the data."""
    return "\n".join((
        f"#define UTS46_CLASSES 0x{len(tables.classes):x}u",
        f"#define UTS46_BITS    {tables.bits}",
        f"#define UTS46_END     0x{tables.end:x}u",
        f"#define UTS46_SELECTORS      0x{tables.selectors.start:x}u",
        f"#define UTS46_SELECTORS_LAST 0x{tables.selectors.stop - 1:x}u",
        f"#define UTS46_SECOND  0x{len(tables.second):x}u",
        f"#define UTS46_POOL    0x{len(tables.pool):x}u",
        f"#define COMPOSITES    0x{len(tables.composites):x}u"))


def expected() -> tuple[Tables, dict[Path, str]]:
    data = Database()
    check(data)
    tables = Tables(data)
    header = TARGET.with_suffix(".h")
    before, begin, rest = header.read_text().partition("/* made: */\n")
    _, end, after = rest.partition("/* :made */\n")
    if not begin or not end:
        raise ucd.Problem(f"{header} has no place for what is made")
    return tables, {TARGET: source(tables), header: before + begin + constants(tables) + "\n" + end + after}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args()
    try:
        tables, files = expected()
    except ucd.Problem as problem:
        print(f"uts46: {problem}", file=sys.stderr)
        return 2
    for path, text in files.items():
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"uts46: {path} is not what the database says: python3 tests/core/names/uts46.py writes it")
            return 1
    print(f"uts46: Unicode {ucd.VERSION}, {tables.size()} octets: {len(tables.first)} blocks of {1 << tables.bits} code points, "
          f"{len(tables.second)} values, {len(tables.pool)} units, {len(tables.classes)} classes, "
          f"{len(tables.composites)} composites")
    return 0


if __name__ == "__main__":
    sys.exit(main())
