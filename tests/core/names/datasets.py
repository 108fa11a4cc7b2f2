#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the data sets of names.

    datasets.py [--urivet=COMMAND]      do the model, and the command, say of them what their columns say?

legitimate.tsv: top-level domains, labels of the Public Suffix List (MPL 2.0) and everyday words. spoofs.tsv: imitations of
well-known names, by kind. pasted.tsv: URLs as people paste them. Exit status: 0 all right, 1 something differs, 2 the
Unicode Character Database is not here.
"""
from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
import core  # noqa: E402
import consensus
import iri

HERE = Path(__file__).resolve().parent
PASTED, LEGITIMATE, SPOOFS = HERE / "pasted.tsv", HERE / "legitimate.tsv", HERE / "spoofs.tsv"


def read(text: str) -> str:
    return re.sub(r"\\u\{([0-9A-F]+)\}", lambda found: chr(int(found[1], 16)), text)


def rows(path: Path) -> list[list[str]]:
    return [[read(column) for column in row] for row in core.rows(path)]


def rule_of(host: str) -> str:
    found = consensus.host(host)
    return "agreed" if found is None else found[1].reason


def command_differs(urivet: str) -> list[str]:
    """Returns the rows for which the command differs from pasted.tsv."""
    urls = rows(PASTED)
    data = b"".join(row[0].encode() + b"\0" for row in urls)
    done = subprocess.run([urivet, "suggest", "--iri", "--format=tsv", "-0"], input=data, capture_output=True, check=False)
    answered = [line.split("\t") for line in done.stdout.decode("ascii").split("\n")[:-1]]
    wrong = [] if len(answered) == len(urls) else [f"{urivet} answered {len(answered)} of {len(urls)}"]
    for row, (_, said, spelling) in zip(urls, answered):
        kind, _, at = said.partition(":")
        wanted = row[2] if row[1] in ("offered", "ascii") else row[3]
        if kind != row[1] or wanted not in ("-", at, spelling):
            wrong.append(f"{ascii(row[0])}: {said} {spelling}, not {row[1]} {wanted}")
    return wrong


# ---- Checks ------------------------------------------------------------------------------------------------------

def model_differs() -> Iterator[str]:
    """Yields the rows of which the model says something else."""
    for path in (LEGITIMATE, SPOOFS):
        for row in rows(path):
            if consensus.host_to_ascii(row[0]) != row[1] or path == LEGITIMATE and rule_of(row[0]) != row[3]:
                yield f"{path.name}: {ascii(row[0])} is {consensus.host_to_ascii(row[0])}, {rule_of(row[0])}"
    for row in rows(PASTED):
        found = iri.outcome(row[0])
        if [found.kind, read(found.told), read(found.where or "-")] != row[1:4]:
            yield f"{PASTED.name}: {ascii(row[0])} is {found}"


def faults() -> Iterator[str]:
    honest, made = rows(LEGITIMATE), rows(SPOOFS)
    both = {row[0] for row in honest} & {row[0] for row in made}
    if both:
        yield f"honest and a spoof: {', '.join(sorted(both))}"
    for path in (PASTED, LEGITIMATE, SPOOFS):
        twice = [text for text, times in Counter(row[0] for row in rows(path)).items() if times > 1]
        if twice:
            yield f"{path.name} has these more than once: {', '.join(map(ascii, twice))}"
    for row in honest:
        if row[2] == "top-level domain" and row[3] != "agreed":
            yield f"{row[0]} is outside the rule"


def figures() -> str:
    honest, made, urls = rows(LEGITIMATE), rows(SPOOFS), rows(PASTED)
    within = sum(row[3] == "agreed" for row in honest)
    obey = [row for row in made if not row[0].isascii() and consensus.host(row[0]) is None]
    outcomes = Counter(row[1] for row in urls)
    return (f"legitimate: {len(honest)}, {within} within the rule\n"
            f"spoofs: {len(made)}, {len(obey)} of {sum(not row[0].isascii() for row in made)} international ones within it\n"
            f"pasted: {len(urls)}, " + ", ".join(f"{kind} {times}" for kind, times in outcomes.most_common()) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urivet", default="", metavar="COMMAND")
    args = parser.parse_args()
    if not (consensus.UCD / "UnicodeData.txt").exists():
        print("datasets: needs the Debian package unicode-data", file=sys.stderr)
        return 2
    wrong = [*model_differs(), *faults(), *(command_differs(args.urivet) if args.urivet else [])]
    print(figures() + "".join(f"datasets: {fault}\n" for fault in wrong), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
