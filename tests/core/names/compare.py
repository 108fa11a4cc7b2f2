#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the reader `browser` makes of domains with ICU and libidn2.

    python3 tests/core/names/compare.py --count 100000 --seed 1 [--all]

Domains are generated (domains.py); --all adds `a<c>b.org` and `<c>.org` for every code point but surrogates.  ICU 72,
which is of Unicode 15.0, has to give the same ASCII form or refuse it too; libidn2, which refuses more, has to give the
same form where it gives one and ICU does.  Where both are of other versions of Unicode, or are missing,
nothing is compared and the line says so.  Domains that end in a number are left to tests/core/readers/browser.py.
Exit status: 0 no difference, 1 differences, 2 nothing could be compared.
"""
from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
import domains                                      # noqa: E402
import icu                                          # noqa: E402
import library                                      # noqa: E402
import ucd                                          # noqa: E402
import uts46                                        # noqa: E402

CHUNK = 20000
EXAMPLES = 20
UNICODE = "15.0"
NUMBER = re.compile(r"(?:^|\.)(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?$")
FORBIDDEN = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]")
CUTS = str.maketrans("", "", "/?#\\@:[]%\t\n\r\0")   # what would end the host or the record, or be decoded before

KINDS: domains.Kinds


def is_refused_since_revision_31(ascii_form: str) -> bool:
    """Returns true for a label that encodes only ASCII, or text that begins with "xn--" (UTS 46, 4 and 4.1)."""
    names = [domains.decoded(label) for label in ascii_form.split(".") if label.startswith("xn--")]
    return any(name.isascii() or name.startswith("xn--") for name in names)


def host_of(record: bytes) -> str:
    line = library.line_as("browser", b"http://" + record + b"/")
    return line if line == "-" else line.split("\t")[2]


def verdict(ours: str, theirs: str, idn2: str) -> str:
    if theirs != "-" and (FORBIDDEN.search(theirs) or theirs == ""):
        theirs = "-"
    if theirs != "-" and NUMBER.search(theirs):
        return "number"
    if ours != theirs:
        return "revision" if ours == "-" and is_refused_since_revision_31(theirs) else "icu"
    if ours == "-":
        return "refused"
    if idn2 not in ("-", ours):
        return "idn2"
    return "alike" if idn2 == "-" else "alike by three"


def compare(job: tuple[str, str, list[str] | int]) -> tuple[Counter[str], list[str]]:
    without, seed, work = job
    if isinstance(work, int):
        made = domains.Domains(seed, KINDS)
        names = [made.domain().translate(CUTS) for _ in range(work)]
    else:
        names = work
    names = [name for name in names if name.strip(" ") == name and name]
    records = [name.encode() for name in names]
    by_icu = icu.icu_without(without)
    kinds: Counter[str] = Counter()
    examples = []
    for name, *lines in zip(names, map(host_of, records), map(by_icu, records), map(icu.idn2, records)):
        what = verdict(*lines)
        kinds[what] += 1
        if what in ("icu", "idn2"):
            examples.append(f"{what}: {name.encode('unicode_escape').decode()}\n  " +
                            "\n  ".join(f"{who} {line[:200]}" for who, line in zip(("ours", "icu ", "idn2"), lines)))
    return kinds, examples


def every_code_point() -> list[str]:
    points = [chr(c) for c in range(uts46.MOST) if not 0xD800 <= c < 0xE000 and chr(c).translate(CUTS)]
    return [f"a{c}b.org" for c in points] + [f"{c}.org" for c in points]


def main() -> int:
    global KINDS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--all", action="store_true", help="every code point, too")
    parser.add_argument("--without", default="", choices=("bidi", "joiners", "nontransitional"),
                        help="a control: ICU leaves this out, so that differences have to be found")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    found = icu.ICU and icu.IDN2 and icu.version("u_getUnicodeVersion")
    if found != UNICODE:
        print(f"skipped: ICU is of Unicode {found}, not {UNICODE}" if found else "skipped: needs libicu-dev and libidn2-dev")
        return 0
    KINDS = domains.Kinds(uts46.Database())
    work: list[list[str] | int] = [min(CHUNK, options.count - first) for first in range(0, options.count, CHUNK)]
    if options.all:
        names = every_code_point()
        work += [names[first:first + 4 * CHUNK] for first in range(0, len(names), 4 * CHUNK)]
    jobs = [(options.without, f"{options.seed}/{k}", piece) for k, piece in enumerate(work)]
    total = domains.tally(compare, jobs, options.jobs, EXAMPLES)
    alike = total["alike"] + total["alike by three"]
    wrong = total["icu"] + total["idn2"]
    print(f"names: {sum(total.values())} domains compared with ICU of Unicode {UNICODE}: {alike} alike "
          f"({total['alike by three']} by libidn2 too), {total['refused']} refused by both, {total['revision']} refused "
          f"since UTS 46 revision 31, {total['number']} numbers, {wrong} differences")
    if alike == 0 or total["refused"] == 0:
        return 2
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ucd.Problem as problem:
        print(problem)
        sys.exit(2)
