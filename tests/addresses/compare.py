#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the policy `public` says of addresses and names with an independent model.

    python3 tests/addresses/compare.py --urivet build/urivet --judge build/judge --count 200000 --seed 1

The library's table has to be the model's, row by row.  Then verdict and findings of every border, every embedding
and COUNT random addresses have to agree, as IPv4 address or IPv6 literal; and once more where translators are at
work (RFC 6052).  Names are looked at by a table of their own.
Exit status: 0 no difference, 1 differences.
"""
from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "model"))
from tlds import FINDING as UNKNOWN_TLD, known as known_tlds  # noqa: E402 pylint: disable=wrong-import-position
from model import IPV4_EXTRA, IPV4_REGISTRY, IPV6_EXTRA, IPV6_REGISTRY, YES, Address, judge, literal
from names import NAMES, NOTES
from points import NAT64_PREFIXES, all_borders, near

EXAMPLES = 10
REGISTRIES = IPV4_REGISTRY + IPV6_REGISTRY


def told(differences: list[str], what: str, compared: int) -> int:
    for line in differences[:EXAMPLES]:
        print(f"    {line}")
    print(f"{what}: {compared} compared, {len(differences)} differences")
    return len(differences)


def compare_rows(program: str) -> int:
    """Every row of both registries, and what fills their gaps, once and nothing else."""
    lines = subprocess.run([program, "rows"], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = {line.split("\t")[0]: line.split("\t") for line in lines}
    differences = [] if len(rows) == len(lines) else ["a prefix stands twice"]
    model = {row.prefix: row for row in (*REGISTRIES, *IPV4_EXTRA, *IPV6_EXTRA)}
    differences += [f"one side only: {prefix}" for prefix in sorted(rows.keys() ^ model.keys())]
    for prefix in rows.keys() & model.keys():
        row, (_, reachable, finding, name, reference) = model[prefix], rows[prefix]
        if (row.reachable == YES) != (reachable == "yes") or row.finding != finding:
            differences.append(f"{prefix}: model {row.reachable} {row.finding}, urivet {reachable} {finding}")
        if row in REGISTRIES and (name != row.name or f"RFC {row.rfc}" not in reference):
            differences.append(f"{prefix}: model {row.name} RFC {row.rfc}, urivet {name} {reference}")
    return told(differences, "rows", len(rows))


def compare_addresses(what: str, command: list[str], points: list[Address], nat64: tuple[str, ...] = ()) -> int:
    uris = [f"http://{literal(point)}/" for point in points]
    done = subprocess.run(command, input="\n".join(uris) + "\n", capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(uris):
        return told([f"{len(uris)} addresses, {len(lines)} lines, {done.stderr}"], what, 0)
    differences = []
    for point, uri, line in zip(points, uris, lines):
        verdict, names = line.split("\t")[:2]
        found = set() if names == "-" else set(names.split(","))
        model = judge(point, nat64)
        if found != model.findings or (verdict == "accept") != model.accept:
            differences.append(f"{uri}: model {model.accept} {sorted(model.findings)}, urivet {verdict} {names}")
    accepted = sum(line.startswith("accept") for line in lines)
    return told(differences, f"{what} ({accepted} accepted)", len(points))


def lacks_tld(name: str, tlds: set[str]) -> bool:
    return name.removesuffix(".").rpartition(".")[2].lower() not in tlds


def compare_names(urivet: str, tlds: set[str] | None = None) -> int:
    """All findings of each; with top-level domains, what is due where one is asked for, too."""
    uris = [f"http://{name}/" for name, _ in NAMES]
    command = [urivet, "check", "--policy=public", "--format=tsv"]
    command += [] if tlds is None else [f"--refuse={UNKNOWN_TLD}"]
    done = subprocess.run(command, input="\n".join(uris) + "\n", capture_output=True, text=True, check=False)
    differences = []
    for (name, expected), line in zip(NAMES, done.stdout.splitlines(), strict=True):
        verdict, found = line.split("\t")[:2]
        due = set(expected.split())
        if tlds is not None and not any(item.startswith("ipv4-") for item in due) and lacks_tld(name, tlds):
            due.add(UNKNOWN_TLD)
        if (verdict == "accept") != (due <= NOTES) or due != set(found.split(",")) - {"-"}:
            differences.append(f"{name}: expected {expected or 'nothing'}, urivet {verdict} {found}")
    return told(differences, "names" if tlds is None else "names, top-level domains asked for", len(NAMES))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the policy public with a model of addresses.")
    parser.add_argument("--urivet", required=True, help="the command to test")
    parser.add_argument("--judge", required=True, help="the program built of judge.c")
    parser.add_argument("--count", type=int, default=200000, help="random addresses")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    points = all_borders()
    random = list(near(args.count, args.seed))
    check = [args.urivet, "check", "--policy=public", "--format=tsv", "--input=/dev/stdin"]
    at_work = [args.judge, "check", *NAT64_PREFIXES]
    differences = compare_rows(args.judge)
    differences += compare_names(args.urivet)
    differences += compare_names(args.urivet, known_tlds())
    differences += compare_addresses("borders", check, points)
    differences += compare_addresses("random", check, random)
    differences += compare_addresses("translators", at_work, points + random[:args.count // 4], NAT64_PREFIXES)
    print(f"addresses: {len(points)} borders and embeddings, {args.count} random ones, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
