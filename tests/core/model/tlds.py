#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the command knows every top-level domain, and takes nothing else for one.

    python3 tests/core/model/tlds.py --urivet build/urivet
    python3 tests/core/model/tlds.py --table >src/core/policy/tlds.def

The list is that of the npm package named below, which copies IANA's of the root zone. It has to be that of
src/core/policy/tlds.def and, but for the names that came or went in between, that of the Public Suffix List (Debian:
publicsuffix). Then the command is asked for each of them, and for every name that differs by an octet that is left
out, added or changed: the finding host-unknown-tld stands for what is on no list.
--table prints tlds.def; what tests/core/unit/test_tlds.c knows of it is printed with the result. To renew the list, name
the package's newest version and its day (npm view tlds time), and correct GONE and NEW.
Exit status: 0 all alike, 1 differences, 2 the lists or the command could not be asked.
"""
from __future__ import annotations

import argparse
import json
import shutil
import string
import subprocess
import sys
from itertools import groupby
from pathlib import Path

from gate import punycode_encode

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "src/core/policy/tlds.def"
UNIT = ROOT / "tests/core/unit/test_tlds.c"
VERSION, DAY = "1.261.0", "2025-10-24"
PACKAGE = ROOT / "build/tlds/node_modules/tlds"
SUFFIXES = Path("/usr/share/publicsuffix/public_suffix_list.dat")
FINDING = "host-unknown-tld"
EXAMPLES = 20

# The Public Suffix List of 2023-02-09 has these; the root zone does not, or not any more. `onion` and the variants of
# names of countries were never in it.
GONE = frozenset((
    "abarth alfaromeo avianca bananarepublic bentley cbs cityeats comcast cookingchannel dabur dunlop etisalat fiat "
    "foodnetwork frontdoor guardian hgtv hoteles kerrylogistics kinder lancaster lancia linde lipsy macys maserati "
    "mutual natura northwesternmutual oldnavy onion passagens pramerica redstone rocher sca shaw showtime tiffany "
    "travelchannel volkswagen vuelos xfinity xn--mgb2ddes xn--mgba3a4fra xn--mgbaakc7dvf xn--mgbai9a5eva00b "
    "xn--mgberp4a5d4a87g xn--mgbqly7c0a67fbc xn--mgbqly7cvafr xn--mgbtf8fl xn--mix082f xn--nnx388a").split())
# The Public Suffix List lacks this one.
NEW = frozenset(("wed",))
# Left out though the root zone has it: delegated to Google in 2014, which sells no names in it (it is not among the
# open ones of its registry), while `db.prod` is a service of many a network. A public name below it would be refused.
WITHHELD = frozenset(("prod",))

HEAD = f"""\
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The top-level domains of {DAY}, %d, internationalised ones as A-labels. A row has those of
 * one length, in order:
 *
 *   LABELS(length, labels)
 *
 * tests/core/model/tlds.py writes this file from the npm package tlds {VERSION}, which copies IANA's list
 * of the root zone, and compares it with that package and the Public Suffix List. Left out, though
 * it is delegated: {", ".join(sorted(WITHHELD))}, in which nobody can register, and which many a network has for itself.
 */
"""


def by_length(names: set[str]) -> list[str]:
    return sorted(names, key=lambda name: (len(name), name))


def alabel(name: str) -> str:
    if name.isascii():
        return name
    return "xn--" + punycode_encode([ord(character) for character in name]).decode("ascii")


def of_package(folder: Path) -> set[str]:
    return {alabel(name) for name in json.loads((folder / "index.json").read_text(encoding="utf-8"))}


def installed(folder: Path) -> bool:
    """Returns true if the package is there in this version; installs it if npm is available."""
    told = folder / "package.json"
    if not told.exists() and folder == PACKAGE and shutil.which("npm"):
        prefix = folder.parents[1]
        prefix.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(prefix), "--no-save", "--no-audit", "--no-fund",
                        "--loglevel=error", f"tlds@{VERSION}"], stdout=subprocess.DEVNULL, check=False)
    return told.exists() and json.loads(told.read_text(encoding="utf-8"))["version"] == VERSION


def of_suffixes() -> set[str]:
    """Returns the last labels of the suffixes in the IANA section, without those that companies add."""
    text = SUFFIXES.read_text(encoding="utf-8")
    text = text.partition("===BEGIN ICANN DOMAINS===")[2].partition("===END ICANN DOMAINS===")[0]
    rows = (line.split()[0] for line in text.splitlines() if line.strip() and not line.startswith("//"))
    return {row.rpartition(".")[2].encode("idna").decode("ascii") for row in rows}


def of_table() -> set[str]:
    """Returns the quoted names of the table."""
    return set(TABLE.read_text(encoding="ascii").partition("*/\n/*")[2].split('"')[1::2])


def rows(names: set[str]) -> str:
    made = [HEAD % len(names)]
    for length, group in groupby(by_length(names), key=len):
        line = f"LABELS({length},"
        for quoted in (f'"{name}"' for name in group):
            if len(line.expandtabs(8)) + len(quoted) + 2 > 100:
                made.append(line + "\n")
                line = "\t" + quoted
            else:
                line += " " + quoted
        made.append(line + ")\n")
    return "".join(made)


def fingerprint(names: set[str]) -> str:
    """Returns count and hash of the names of two and three letters, and of all names, as in
    tests/core/unit/test_tlds.c."""
    value, told = 0, []
    ordered = by_length(names)
    for most in (3, 63):
        value = 0
        for name in (name for name in ordered if len(name) <= most):
            for octet in name.encode("ascii"):
                value = (value ^ octet) * 16777619 % 2**32
            value = (value ^ ord(".")) * 16777619 % 2**32
        told.append(f"{{{sum(len(name) <= most for name in ordered)}, 0x{value:08x}}}")
    return ", ".join(told)


def beside(name: str) -> set[str]:
    """Returns the labels that differ from the name in one octet."""
    near = {name[1:], name[:-1], name[:2] + name[3:]} | {end + name for end in "ax1"} | {name + end for end in "az9"}
    near |= {name[:k] + other + name[k + 1:] for k in {0, len(name) // 2, len(name) - 1} for other in "az-"}
    near |= {name[:k] + chr(ord(name[k]) + step) + name[k + 1:] for k in range(len(name)) for step in (-1, 1)}
    letters = string.ascii_lowercase + string.digits + "-"
    return {label for label in near if label and label[0] in string.ascii_lowercase and label[-1] != "-"
            and set(label) <= set(letters)}


def told(urivet: str, names: list[str]) -> list[bool]:
    """Returns for each name whether the command reports it as unknown: one URL each, in turn with and without
    final dot or capital letters."""
    urls = [(f"http://www.{name}/", f"http://a.b.{name.upper()}:80/x?y", f"http://w.{name}./")[k % 3]
            for k, name in enumerate(names)]
    done = subprocess.run([urivet, "check", "--format=tsv", "--allow=host-trailing-dot", f"--refuse={FINDING}"],
                          input="\n".join(urls) + "\n", capture_output=True, text=True, check=False)
    columns = [line.split("\t", 2) for line in done.stdout.splitlines()]
    if done.returncode > 1 or done.stderr or len(columns) != len(urls):
        print(f"tlds: {urivet} answers {len(columns)} of {len(urls)} URLs, status {done.returncode}", file=sys.stderr)
        sys.exit(2)
    found = [FINDING in ids.split(",") for _, ids, _ in columns]
    for url, named, (verdict, *_) in zip(urls, found, columns):
        if named and verdict != "reject":
            print(f"{url} has the finding, and is not refused")
            sys.exit(1)
    return found


def differences(due: set[str], have_package: bool) -> list[str]:
    """Returns the differences between the lists."""
    found, table = [], of_table()
    found += [f"{name}: in one of tlds.def and {'the package' if have_package else 'the suffixes'} only"
              for name in sorted(table ^ due)]
    if TABLE.read_text(encoding="ascii") != rows(table):
        found.append("tlds.def is not as --table writes it")
    if fingerprint(table) not in UNIT.read_text(encoding="ascii"):
        found.append(f"tests/core/unit/test_tlds.c does not have {fingerprint(table)}")
    if SUFFIXES.exists():
        suffixes = of_suffixes()
        found += [f"{name}: a public suffix, and not in tlds.def"
                  for name in sorted(suffixes - table - GONE - WITHHELD)]
        found += [f"{name}: in tlds.def, and no public suffix" for name in sorted(table - suffixes - NEW)]
        found += [f"{name}: in tlds.def, and said not to be" for name in sorted(table & (GONE | WITHHELD))]
    return found


def known(package: Path = PACKAGE) -> set[str] | None:
    """Returns the names that the command must know, from the package or else from the suffixes."""
    if installed(package):
        return of_package(package) - WITHHELD
    return (of_suffixes() - GONE | NEW) - WITHHELD if SUFFIXES.exists() else None


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the table of top-level domains with other lists.")
    parser.add_argument("--urivet", default="build/urivet", help="the command to test")
    parser.add_argument("--package", type=Path, default=PACKAGE,
                        help="folder of the npm package; it is installed there if it is missing")
    parser.add_argument("--table", action="store_true", help="print tlds.def instead")
    args = parser.parse_args()
    have_package, due = installed(args.package), known(args.package)
    if due is None or (args.table and not have_package):
        print(f"tlds: needs tlds@{VERSION} of npm in {args.package}", file=sys.stderr)
        return 2
    if args.table:
        print(rows(due), end="")
        return 0
    wrong = differences(due, have_package)
    asked = sorted(due | WITHHELD | {label for name in due for label in beside(name)})
    wrong += [f"{name}: {FINDING} is {'not due' if found else 'missing'}"
              for name, found in zip(asked, told(args.urivet, asked)) if found == (name in due)]
    for line in wrong[:EXAMPLES]:
        print(line)
    against = f"the package {VERSION}" if have_package else "no package"
    print(f"tlds: {len(due)} of {DAY}, {fingerprint(due)}, against {against} and "
          f"{'the public suffixes' if SUFFIXES.exists() else 'no public suffixes'}; {len(asked)} names asked, "
          f"{len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
