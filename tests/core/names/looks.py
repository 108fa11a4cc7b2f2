#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes src/core/names/looks_table.c, what characters look like and which scripts they are of, and compares it with what is there.

    looks.py                is the table what the Unicode Character Database and the lists here make of it?
    looks.py --write        writes it anew
    looks.py --icu          does ICU say what icu_looks.tsv says? With --write, writes that
    looks.py --letters      prints the letters of the table, for eyes

Of scripts from Scripts.txt and ScriptExtensions.txt; of the profile of UTS 39 and the skeletons from icu_looks.tsv,
which --icu writes, as the data files of UTS 39 are in no package of Debian's; of letters that are read as others from
lookalikes.tsv. Exit status: 0 all as it should be, 1 something differs, 2 the database or ICU is not here.
"""
from __future__ import annotations

import argparse
import functools
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
import icu  # noqa: E402
import tables
import ucd
from core import rows

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
TABLE, HEADER = TOP / "src/core/names/looks_table.c", TOP / "src/core/names/looks_table.h"
ICU, BY_EYE = HERE / "icu_looks.tsv", HERE / "lookalikes.tsv"

# UAX 31, table 5: the scripts that are recommended for identifiers; the others are of no use today, or of a few
RECOMMENDED = ("Latn Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Mlym "
               "Mymr Orya Sinh Taml Telu Thaa Thai Tibt").split()
FLAGS = {"whole": "LOOKS_LATIN", "digit": "LOOKS_DIGIT", "stroke": "LOOKS_STROKE", "slash": "LOOKS_SLASH"}
LAST_LETTER = 0xFFFF        # what is beyond looks like nothing here


# ---- Scripts ------------------------------------------------------------------------------------------------------

@functools.cache
def short_names() -> dict[str, str]:
    """Returns short names of scripts, such as Latn for Latin."""
    return {row[2]: row[1] for row in ucd.fields("PropertyValueAliases.txt") if row[0] == "sc"}


@functools.cache
def allowed() -> frozenset[int]:
    """Returns the identifier profile of UTS 39, as far as IDNA 2008 allows it in names, and ASCII."""
    found = set(range(0x80))
    for kind, first, last in rows(ICU):
        if kind == "allowed":
            found.update(range(int(first, 16), int(last, 16) + 1))
    return frozenset(c for c in found if c < 0x80 or ucd.derived_property(c) != "DISALLOWED")


def scripts(c: int) -> str:
    """Returns the possible scripts of the character, as a C expression."""
    if c not in allowed():
        return "0"
    if 0x61 <= c | 0x20 <= 0x7A and c < 0x80:
        return "SCRIPT_LATN | SCRIPT_ASCII"
    extended = ucd.valued("ScriptExtensions.txt").get(c)
    names = extended.split() if extended else [short_names()[ucd.valued("Scripts.txt").get(c, "Unknown")]]
    if names[0] in ("Zyyy", "Zinh"):
        return "ANY_SCRIPT"
    return " | ".join(f"SCRIPT_{name.upper()}" for name in sorted(names) if name in RECOMMENDED) or "0"


# ---- Letters ------------------------------------------------------------------------------------------------------

@functools.cache
def listed() -> dict[int, str]:
    """Returns what the character looks like by ICU and by the manual list, without its marks."""
    found = {int(c, 16): text for kind, text, c in rows(ICU) if kind == "looks" and text.isalnum() and len(text) <= 2}
    for kind, text, letters in rows(BY_EYE):
        if kind == "looks":
            found.update((ord(letter), text) for letter in letters.split(" "))
    return {c: {"rn": "m", "vv": "w"}.get(text, text) for c, text in found.items()}


@functools.cache
def flagged() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for kind, _, letters in rows(BY_EYE):
        if kind in FLAGS:
            for letter in letters.split(" "):
                found.setdefault(ord(letter), []).append(FLAGS[kind])
    return found


def is_mark(c: int) -> bool:
    """Returns true if the character stands above, below or across a letter of any script."""
    return ucd.category(c) == "Mn" and ucd.valued("Scripts.txt").get(c) == "Inherited"


def letters(c: int) -> str:
    """Returns what the character looks like without its marks: one or two ASCII letters, or nothing."""
    if c < 0x80:
        return chr(c).lower() if chr(c).isalnum() or c == 0x2D else ""
    if c > LAST_LETTER:
        return ""
    parts = ucd.decompositions(False).get(c)
    if c in listed() or parts is None or any(not is_mark(x) for x in parts[1:]):
        return listed().get(c, "")
    return letters(parts[0])


def row(c: int) -> tuple[str, ...]:
    text = letters(c)
    flags = flagged().get(c, []) + (["LOOKS_NOTHING"] if is_mark(c) else [])
    octets = [f"'{x}'" for x in text] + ["0", "0"]
    return scripts(c), octets[0], octets[1], " | ".join(flags) or "0"


# ---- The table ----------------------------------------------------------------------------------------------------

def tables_of_looks():
    every = [row(c) for c in range(ucd.LAST + 1)]
    names = sorted(set(every), key=every.index)
    index = {name: k for k, name in enumerate(names)}
    return names, *tables.split([index[name] for name in every])


def source(names, top, groups, blocks):
    total = len(top) + 2 * 32 * len(groups) + 2 * 16 * len(blocks) + 8 * len(names)
    yield f"""/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every code point looks like and which scripts it may be of, by Unicode {ucd.VERSION}: three
 * stages, of which the last names one of {len(names)} rows; {total:,} octets in all.
 *
 * tests/core/names/looks.py writes this file from the Unicode Character Database (Debian:
 * unicode-data; Copyright (C) 1991-2022 Unicode, Inc., https://www.unicode.org/license.txt), from
 * what ICU says of UTS 39 (icu_looks.tsv beside it) and from a list of letters (lookalikes.tsv).
 */
#include "names/looks_table.h"

/* clang-format off */
const uint8_t urivet_look_groups[LOOK_TOP] = {{"""
    yield from tables.numbers(top)
    yield "};\n\nconst uint16_t urivet_look_blocks[LOOK_GROUPS * LOOK_GROUP] = {"
    yield from tables.numbers([x for group in groups for x in group])
    yield "};\n\nconst uint16_t urivet_look_rows[LOOK_BLOCKS * LOOK_BLOCK] = {"
    yield from tables.numbers([x for block in blocks for x in block])
    yield "};\n\n/* scripts, letters, flags */\nconst struct look urivet_looks[LOOK_ROWS] = {"
    for scripts_of, first, second, flags in names:
        yield f"    {{{scripts_of}, {{{first}, {second}}}, {flags}}},"
    yield "};\n/* clang-format on */"


def print_letters() -> None:
    by_look: dict[str, list[str]] = {}
    for c in range(0x80, LAST_LETTER + 1):
        if letters(c) and tables.kind(c) in ("AGREED", "RECENT", "VOWEL", "CONTEXT", "DEVIATION"):
            by_look.setdefault(letters(c), []).append(chr(c))
    for text, found in sorted(by_look.items()):
        print(f"{text}\t{' '.join(found)}")


# ---- ICU ----------------------------------------------------------------------------------------------------------

def compare_icu(write: bool) -> int:
    if icu.ICU is None:
        print("looks: ICU is not here: install libicu-dev", file=sys.stderr)
        return 2
    version = icu.version("u_getVersion")
    lines = [f"allowed\t{first:04X}\t{last:04X}" for first, last in icu.allowed()] + [f"looks\t{look}\t{c:04X}" for look, c in icu.looks()]
    text = ("# SPDX-License-Identifier: Apache-2.0\n"
            f"# What ICU {version}, of Unicode {icu.version('u_getUnicodeVersion')}, knows of UTS 39 (Copyright (C) 2016 and later: Unicode,\n"
            "# Inc., https://www.unicode.org/license.txt); printed by looks.py.\n" + "\n".join(lines) + "\n")
    if write:
        ICU.write_text(text, encoding="utf-8")
    elif not version.startswith("72."):
        print(f"skipped: this is ICU {version}, not 72")
    elif ICU.read_text(encoding="utf-8") != text:
        print(f"{ICU} is not what ICU says: looks.py --icu --write")
        return 1
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("write", "icu", "letters"):
        parser.add_argument(f"--{option}", action="store_true")
    options = parser.parse_args()
    if options.icu:
        return compare_icu(options.write)
    try:
        ucd.check_version()
    except ucd.Problem as problem:
        print(f"looks: {problem}", file=sys.stderr)
        return 2
    if options.letters:
        print_letters()
        return 0
    names, top, groups, blocks = tables_of_looks()
    sizes = {"LOOK_TOP": top, "LOOK_GROUPS": groups, "LOOK_BLOCKS": blocks, "LOOK_ROWS": names}
    want = {TABLE: "\n".join(source(names, top, groups, blocks)) + "\n",
            HEADER: tables.with_numbers(HEADER.read_text(encoding="ascii"), sizes)}
    if not tables.compare(want, options.write, "the data makes of it: looks.py --write"):
        return 1
    print(f"looks: {len(names)} rows, {len(blocks)} blocks, as the data has them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
