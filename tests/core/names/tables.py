#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of src/core/names from the Unicode Character Database, or compares them with it.

    python3 tests/core/names/tables.py          are they what the database makes?
    python3 tests/core/names/tables.py --write  writes them

The database is that of Debian's packages unicode-data and unicode-idna. Exit status: 0 alike, 1 not, 2 the database
could not be read.
"""
import argparse
import re
import sys
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import ucd

TABLE = Path(__file__).resolve().parents[3] / "src/core/names/characters_table.c"
HEADER = TABLE.with_suffix(".h")

# Code points of age 3.2 are what IDNA 2003 knows (RFC 3454, appendix A), in every later version.
IDNA_2003 = (3, 2)
# Erlang's idna 6.1.1 makes another name of them.
VOWELS = frozenset((0x09CB, 0x09CC, 0x0B48, 0x0B4B, 0x0B4C, 0x0BCA, 0x0BCB, 0x0BCC, 0x0C48, 0x0CC0, 0x0CC7, 0x0CC8,
                    0x0CCA, 0x0CCB, 0x0D4A, 0x0D4B, 0x0D4C, 0x0DDA, 0x0DDC, 0x0DDD, 0x0DDE))
# GLib, Perl's URI and others fold them, to capitals or from them.
CHEROKEE = frozenset((*range(0x13A0, 0x1400), *range(0xAB70, 0xABC0)))
DEVIATIONS = frozenset((0xDF, 0x3C2))
JOINERS = frozenset((0x200C, 0x200D))
# RFC 3454, B.1, maps it to nothing; UTS 46 leaves it.
ONCE_IGNORED = frozenset((0x1806,))
DOTS = frozenset((0x3002, 0xFF0E, 0xFF61))

# Classes that RFC 5893 names; what it does not is one more.
BIDI = ("OTHER", "L", "R", "AL", "AN", "EN", "ES", "ET", "CS", "NSM", "BN", "ON")


def valid_kind(c, extra):
    """Returns the kind of a character that UTS 46 keeps unchanged."""
    derived = ucd.derived_property(c)
    if c in CHEROKEE:
        return "FOLDED"
    if c in VOWELS:
        return "VOWEL"
    if derived.startswith("CONTEXT"):
        return "CONTEXT"
    if derived != "PVALID" or extra:
        return "SYMBOL"
    if c > 0xFFFF:
        return "BEYOND"
    return "AGREED" if ucd.age(c) <= IDNA_2003 else "RECENT"


def kind(c):
    """Returns how readers treat the character in a host."""
    status, _, extra = ucd.idna_mapping().get(c, ("disallowed", (), ""))
    if 0x20 <= c < 0x7F and status != "valid" and not chr(c).isupper():
        return "SYMBOL"  # not of STD3: other rules judge ASCII
    if c in DEVIATIONS:
        return "DEVIATION"
    if c in JOINERS:
        return "JOINER"
    if c in DOTS:
        return "DOT"
    folded = ucd.nfkc_casefold().get(c, (c,))
    if folded == () or c in ONCE_IGNORED:
        return "IGNORED"
    if folded != (c,) and status != "valid":  # also where UTS 46 disallows what it could map
        return "UPPERCASE" if ucd.normal((c,), True) == (c,) else "COMPATIBLE"
    if status == "valid":
        return valid_kind(c, extra)
    return "SYMBOL" if ucd.category(c)[0] in "SP" else "DISALLOWED"


def firsts():
    """What begins a canonical composition, and what ends one."""
    return ({a for a, _ in ucd.compositions()} | set(range(0x1100, 0x1113)) | set(range(0xAC00, 0xD7A4, 28)),
            {b for _, b in ucd.compositions()} | set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3)))


def pairs():
    """Returns the pairs that compose, and those that do once the first is decomposed: the mark below of U+00E9 U+0323 comes before
    its accent. Of what mapping changes anyway, the first alone."""
    marks = [m for m in sorted({b for _, b in ucd.compositions()}) if ucd.category(m).startswith("M")]
    whole = [c for c in range(0x80, ucd.LAST + 1) if not 0xAC00 <= c < 0xD7A4 and c not in ucd.nfkc_casefold() and ucd.normal((c,)) == (c,) != ucd.decompose(c)]
    return sorted({*ucd.compositions(), *((c, m) for c in whole for m in marks if ucd.normal((c, m)) != (c, m))})


def is_invisible(c):
    """Controls, what is not assigned or private, and what shows nothing or turns what stands beside it."""
    return (ucd.default_ignorable(c) or c in ucd.having("PropList.txt", "Bidi_Control") or
            ucd.category(c) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"))


def row(c, first, second):
    """What the core knows of a character, as initialisers."""
    bidi = ucd.bidi_class(c)
    flags = [name for name, is_so in (
        ("MARK", ucd.category(c).startswith("M")), ("COMPOSES_FIRST", c in first), ("COMPOSES_SECOND", c in second),
        ("DECOMPOSES", ucd.decompose(c) != (c,)), ("NEVER_NFC", ucd.normal((c,)) != (c,)),
        ("INVISIBLE", is_invisible(c))) if is_so]
    return (f"CHARACTER_{kind(c)}", f"BIDI_{bidi if bidi in BIDI else 'OTHER'}", str(ucd.combining_class(c)),
            " | ".join(flags) or "0")


def stages(values, size):
    """Two stages: the block of every `size` code points, and the blocks, each once."""
    blocks, where = [], []
    for begin in range(0, len(values), size):
        block = tuple(values[begin:begin + size])
        if block not in blocks:
            blocks.append(block)
        where.append(blocks.index(block))
    return where, blocks


def split(values, low=16, high=32):
    """Three stages: groups of `high` blocks of `low` code points; what is smallest was tried."""
    middle, blocks = stages(values, low)
    return *stages(middle, high), blocks


def numbers(values):
    """Lines of numbers, as long as lines may be."""
    line = "    "
    for value in values:
        if len(line) + len(str(value)) + 2 > 98:
            yield line.rstrip()
            line = "    "
        line += f"{value}, "
    yield line.rstrip()


class Tables(NamedTuple):
    """What the files hold."""
    names: list    # the rows, each once
    top: list      # the group of every 512 code points
    groups: list   # of 32 blocks
    blocks: list   # of 16 code points
    pairs: list    # what composes
    agreed: int    # code points beyond ASCII


def tables():
    first, second = firsts()
    rows = [row(c, first, second) for c in range(ucd.LAST + 1)]
    names = sorted(set(rows), key=rows.index)
    index = {name: k for k, name in enumerate(names)}
    agreed = sum(r[0] == "CHARACTER_AGREED" for r in rows[0x80:])
    return Tables(names, *split([index[r] for r in rows]), pairs(), agreed)


def with_numbers(header, sizes):
    """The header, naming how long each table is."""
    for name, value in sizes.items():
        header = re.sub(rf"(#define {name} +)\d+u", rf"\g<1>{len(value)}u", header)
    return header


def with_sizes(header, t):
    return with_numbers(header, {"CHARACTER_TOP": t.top, "CHARACTER_GROUPS": t.groups, "CHARACTER_BLOCKS": t.blocks,
                                 "CHARACTER_ROWS": t.names, "COMPOSITIONS": t.pairs})


def source(t):
    """The lines of the tables in C."""
    total = len(t.top) + 2 * 32 * len(t.groups) + 16 * len(t.blocks) + 4 * len(t.names) + 8 * len(t.pairs)
    yield f"""/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of every code point, by Unicode {ucd.VERSION}: three stages, of which the last names one
 * of {len(t.names)} rows; and the {len(t.pairs)} pairs that the normal form C changes. {total:,} octets in all.
 * {t.agreed:,} code points beyond ASCII are CHARACTER_AGREED.
 *
 * tests/core/names/tables.py writes this file from the Unicode Character Database (Debian:
 * unicode-data, unicode-idna; Copyright (C) 1991-2022 Unicode, Inc.,
 * https://www.unicode.org/license.txt).
 */
#include "names/characters_table.h"

/* clang-format off */"""
    yield "const uint8_t urivet_character_groups[CHARACTER_TOP] = {"
    yield from numbers(t.top)
    yield "};\n\nconst uint16_t urivet_character_blocks[CHARACTER_GROUPS * 32] = {"
    yield from numbers([x for group in t.groups for x in group])
    yield "};\n\nconst uint8_t urivet_character_rows[CHARACTER_BLOCKS * 16] = {"
    yield from numbers([x for block in t.blocks for x in block])
    yield "};\n\n/* kind, class of RFC 5893, canonical combining class, flags */"
    yield "const struct traits urivet_characters[CHARACTER_ROWS] = {"
    for name in t.names:
        yield f"    {{{', '.join(name)}}},"
    yield "};\n\nconst struct composition urivet_compositions[COMPOSITIONS] = {"
    for _, group in groupby(t.pairs, key=lambda pair: pair[0]):
        yield from numbers([f"{{0x{a:04x}, 0x{b:04x}}}" for a, b in group])
    yield "};\n/* clang-format on */"


def compare(want, write, hint):
    """Are the files what is wanted? If not, writes them or says so: false then."""
    wrong = [path for path, text in want.items() if not path.exists() or path.read_text(encoding="ascii") != text]
    for path in wrong:
        if write:
            path.write_text(want[path], encoding="ascii")
        else:
            print(f"{path} is not what {hint}")
    return write or not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the file")
    options = parser.parse_args()
    try:
        ucd.check_version()
    except ucd.Problem as problem:
        print(f"tables: {problem}", file=sys.stderr)
        return 2
    made = tables()
    want = {TABLE: "\n".join(source(made)) + "\n", HEADER: with_sizes(HEADER.read_text(encoding="ascii"), made)}
    if not compare(want, options.write, "the Unicode Character Database makes of it: tables.py --write"):
        return 1
    print(f"tables: {made.agreed} code points agreed on, {len(made.names)} rows, as the database has them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
