#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the command knows every character whose compatibility form in Unicode holds what routes.

    python3 tests/core/model/compatibility.py --urivet build/urivet
    python3 tests/core/model/compatibility.py --table

Every code point that UTF-8 has goes as triplets into the path of a URL: under strict the finding escaped-compatibility
stands for those whose NFKC, by Python's unicodedata and a list of later additions, holds what routes, and for no others.
--table prints the rows of src/core/text/compatibility.c, how many code points there are, and the hash that
tests/core/unit/test_compatibility.c has of them.
Exit status: 0 all alike, 1 differences, 2 the command could not be run.
"""
from __future__ import annotations

import argparse
import subprocess
import sys
import unicodedata
from collections.abc import Iterator

from gate import is_routed_by_compatibility

SURROGATES = range(0xD800, 0xE000)
FINDING = "escaped-compatibility"
EXAMPLES = 20


def characters() -> Iterator[str]:
    return (chr(c) for c in range(0x110000) if c not in SURROGATES)


def ranges() -> list[range]:
    made: list[range] = []
    for code_point in map(ord, filter(is_routed_by_compatibility, characters())):
        if made and made[-1].stop == code_point:
            made[-1] = range(made[-1].start, code_point + 1)
        else:
            made.append(range(code_point, code_point + 1))
    return made


def print_table() -> None:
    found, value = ranges(), 0
    for block in found:
        print(f"{{0x{block[0]:04x}, 0x{block[-1]:04x}}},")
        for code_point in block:
            value = (value ^ code_point) * 16777619 % 2**32
    print(f"{sum(map(len, found))} code points in {len(found)} ranges, hash 0x{value:08x}")


def url(character: str) -> bytes:
    return b"http://ex.org/" + b"".join(b"%%%02X" % octet for octet in character.encode())


def told(urivet: str, beyond_ascii: list[str]) -> list[bool]:
    """Returns for each character whether the command reports it."""
    done = subprocess.run([urivet, "check", "-0", "--format=tsv"], input=b"\0".join(map(url, beyond_ascii)) + b"\0",
                          capture_output=True, check=False)
    columns = [line.split("\t", 2) for line in done.stdout.decode("ascii").splitlines()]
    if done.returncode > 1 or done.stderr or len(columns) != len(beyond_ascii):
        print(f"compatibility: {urivet} answers {len(columns)} of {len(beyond_ascii)} URLs, status {done.returncode}",
              file=sys.stderr)
        sys.exit(2)
    found = [FINDING in names.split(",") for _, names, _ in columns]
    for character, named, (verdict, *_) in zip(beyond_ascii, found, columns):
        if named and verdict != "reject":
            print(f"U+{ord(character):04X} is found, and not refused")
            sys.exit(1)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the command with Unicode's compatibility forms.")
    parser.add_argument("--urivet", default="build/urivet", help="the command to test")
    parser.add_argument("--table", action="store_true", help="print the rows of the C table instead")
    args = parser.parse_args()
    if args.table:
        print_table()
        return 0
    asked = [character for character in characters() if character >= "\x80"]
    due = [is_routed_by_compatibility(character) for character in asked]
    wrong = [(character, want) for character, want, found in zip(asked, due, told(args.urivet, asked)) if want != found]
    for character, want in wrong[:EXAMPLES]:
        print(f"U+{ord(character):04X}: {FINDING} is {'missing' if want else 'not due'}")
    print(f"compatibility: {len(asked)} code points, {sum(due)} become what routes, Unicode {unicodedata.unidata_version}, "
          f"{len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
