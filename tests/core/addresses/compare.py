#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the verdicts of the policy `public` on addresses and names with an independent model.

    python3 tests/core/addresses/compare.py --urivet build/urivet --count 200000 --seed 1

The library's table has to be the model's, row by row.  Then verdict and findings of every border, every embedding
and COUNT random addresses have to agree, as IPv4 address or IPv6 literal; and once more where translators are at
work (RFC 6052).  Names are looked at by a table of their own, names that spell addresses by what the servers of such
domains answer, and URLs that other gates test by their expectations.
Exit status: 0 no difference, 1 differences.
"""
from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "model"))
from tlds import FINDING as UNKNOWN_TLD, known as known_tlds  # noqa: E402 pylint: disable=wrong-import-position
from model import IPV4_EXTRA, IPV4_REGISTRY, IPV6_EXTRA, IPV6_REGISTRY, NAME_NOTES, NAMES, YES, Address, judge, literal, table
from points import NAT64_PREFIXES, all_borders, near
from spelled import SERVERS, WORDS, accounted, answers, fronts, spelled

EXAMPLES = 10
ROOT = Path(__file__).resolve().parents[3]
REGISTRIES = IPV4_REGISTRY + IPV6_REGISTRY


def summary(differences: list[str], what: str, compared: int) -> int:
    for line in differences[:EXAMPLES]:
        print(f"    {line}")
    print(f"{what}: {compared} compared, {len(differences)} differences")
    return len(differences)


def compare_rows() -> int:
    """Compares the table with both registries: every row and every gap occurs once, and nothing else."""
    table = re.findall(r'^SPECIAL([46])\(([0-9a-fx, ]+), (\d+), (\w+), (\w+), ("(?:[^"\\]|\\.)+"), "(.+)"\)$',
                       (ROOT / "src/core/policy/special.def").read_text(encoding="ascii"), re.M)
    rows = {}
    for version, numbers, length, finding, reachable, name, reference in table:
        number = int.from_bytes(b"".join(int(one, 0).to_bytes(1 if version == "4" else 2, "big") for one in numbers.split(", ")), "big")
        prefix = f"{literal(Address(32 if version == '4' else 128, number)).strip('[]')}/{length}"
        name_of = finding.replace("NONE", "").replace("SIXTOFOUR", "6TO4").replace("_", "-").lower()
        rows[prefix] = (reachable == "YES", name_of, json.loads(name), reference)
    differences = [] if len(rows) == len(table) else ["a prefix stands twice"]
    model = {row.prefix: row for row in (*REGISTRIES, *IPV4_EXTRA, *IPV6_EXTRA)}
    differences += [f"one side only: {prefix}" for prefix in sorted(rows.keys() ^ model.keys())]
    for prefix in rows.keys() & model.keys():
        row, (reachable, finding, name, reference) = model[prefix], rows[prefix]
        if (row.reachable == YES) != reachable or row.finding != finding:
            differences.append(f"{prefix}: model {row.reachable} {row.finding}, urivet {reachable} {finding}")
        if row in REGISTRIES and (name != row.name or f"RFC {row.rfc}" not in reference):
            differences.append(f"{prefix}: model {row.name} RFC {row.rfc}, urivet {name} {reference}")
    return summary(differences, "rows", len(rows))


def compare_addresses(what: str, command: list[str], points: list[Address], nat64: tuple[str, ...] = ()) -> int:
    uris = [f"http://{literal(point)}/" for point in points]
    done = subprocess.run(command, input="\n".join(uris) + "\n", capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(uris):
        return summary([f"{len(uris)} addresses, {len(lines)} lines, {done.stderr}"], what, 0)
    differences = []
    for point, uri, line in zip(points, uris, lines):
        verdict, names = line.split("\t")[:2]
        found = set() if names == "-" else set(names.split(","))
        model = judge(point, nat64)
        if found != model.findings or (verdict == "accept") != model.accept:
            differences.append(f"{uri}: model {model.accept} {sorted(model.findings)}, urivet {verdict} {names}")
    accepted = sum(line.startswith("accept") for line in lines)
    return summary(differences, f"{what} ({accepted} accepted)", len(points))


def lacks_tld(name: str, tlds: set[str]) -> bool:
    return name.removesuffix(".").rpartition(".")[2].lower() not in tlds


def compare_names(urivet: str, tlds: set[str] | None = None) -> int:
    """Compares all findings of each name; with top-level domains, also that finding."""
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
        if (verdict == "accept") != (due <= NAME_NOTES) or due != set(found.split(",")) - {"-"}:
            differences.append(f"{name}: expected {expected or 'nothing'}, urivet {verdict} {found}")
    return summary(differences, "names" if tlds is None else "names, top-level domains asked for", len(NAMES))


def found_by(command: list[str], uris: list[str]) -> list[tuple[str, set[str]]]:
    """Returns verdict and findings of each URI."""
    done = subprocess.run(command, input="\n".join(uris) + "\n", capture_output=True, text=True, check=False)
    rows = [line.split("\t")[:2] for line in done.stdout.splitlines()]
    assert len(rows) == len(uris), done.stderr
    return [(verdict, set(found.split(",")) - {"-"}) for verdict, found in rows]


def compare_spelled(urivet: str, count: int, seed: str) -> int:
    """Checks that names are refused if a server answers with a non-public address, and accepted if the model
    accepts them; the refusing findings must be those of the model."""
    differences, taken, asked = [], 0, 0
    command = [urivet, "check", "--policy=public", "--format=tsv", "--input=/dev/stdin"]
    for domain in SERVERS:
        some = list(fronts(count, seed + domain))
        rows = found_by(command, [f"http://{front}.{domain}/" for front in some])
        words = WORDS.get(domain, "any")
        for front, (verdict, found) in zip(some, rows):
            name = f"{front}.{domain}"
            asked += 1
            taken += verdict == "accept"
            led = answers(domain, front)
            if verdict == "accept" and any(isinstance(to, str) or not judge(to).accept for to in led):
                differences.append(f"{name}: accepted, and leads to {led}")
            known = accounted(front, words)
            if words != "never" and ("addr-unclassified" in found or "host-known-loopback-name" in found) == known:
                differences.append(f"{name}: model {'known' if known else 'unknown'}, urivet {verdict} {sorted(found)}")
            if words != "never":
                due = set().union(*(judge(one).findings for one in spelled(front)[0])) if spelled(front)[0] else set()
                if {one for one in due if one.startswith("addr")} - found:
                    differences.append(f"{name}: model {sorted(due)}, urivet {sorted(found)}")
    return summary(differences, f"spelled addresses ({taken} accepted)", asked)


ROW = re.compile(r'(KNOWN\((HOST|TREE|BELOW), (\w+), |SPELLS\((?:ANY|KEYWORDS|NONE), )'
                 r'"([a-z0-9.-]+)", "([^"]+)", "([^"]+)"\)')


def compare_known(urivet: str) -> int:
    """Checks that each row of the table of names has a source and a date, and refuses its name or the names
    below it."""
    lines = (ROOT / "src/core/policy/known_names.def").read_text(encoding="ascii").splitlines()
    differences, uris, due = [], [], []
    for line in lines:
        if not line.startswith(("KNOWN(", "SPELLS(")):
            continue
        row = ROW.fullmatch(line)
        if row is None or not re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])|-", row[6]):
            differences.append(f"not a row with a source and a date: {line}")
            continue
        scope, finding = row[2] or "BELOW", (row[3] or "ADDR_UNCLASSIFIED").lower().replace("_", "-")
        below = scope != "HOST"
        for before, holds in (("", scope != "BELOW"), ("x.", below), ("a-b.xy.", below), ("x", False)):
            uris.append(f"https://{before}{row[4]}/")
            due.append((finding, holds))
    command = [urivet, "check", "--policy=public", "--format=tsv", "--input=/dev/stdin"]
    for uri, (finding, holds), (verdict, found) in zip(uris, due, found_by(command, uris)):
        if (finding in found) != holds or (holds and verdict == "accept"):
            differences.append(f"{uri}: {finding} {'' if holds else 'not '}due, urivet {verdict} {sorted(found)}")
    return summary(differences, "known names", len(uris))


def compare_libraries(urivet: str) -> int:
    """Checks that URLs which other gates refuse as private are refused, and those that they accept are
    accepted, except for the exceptions."""
    cases, differences = table("libraries.tsv"), []
    rows = found_by([urivet, "check", "--policy=public", "--format=tsv"], [uri for _, uri, *_ in cases])
    for (due, uri, source, otherwise), (verdict, found) in zip(cases, rows, strict=True):
        if (verdict == due) == bool(otherwise):
            differences.append(f"{uri}: {source}: {due} due, urivet {verdict} {sorted(found)}")
    return summary(differences, "cases of other gates", len(cases))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the policy public with a model of addresses.")
    parser.add_argument("--urivet", required=True, help="the command to test")
    parser.add_argument("--count", type=int, default=200000, help="random addresses")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    points = all_borders()
    random = list(near(args.count, args.seed))
    check = [args.urivet, "check", "--policy=public", "--format=tsv", "--input=/dev/stdin"]
    differences = compare_rows()
    differences += compare_names(args.urivet)
    differences += compare_names(args.urivet, known_tlds())
    differences += compare_known(args.urivet)
    differences += compare_libraries(args.urivet)
    differences += compare_spelled(args.urivet, max(500, args.count // 40), args.seed)
    differences += compare_addresses("borders", check, points)
    differences += compare_addresses("random", check, random)
    with tempfile.NamedTemporaryFile(suffix=".yaml") as policy:
        policy.write(f"base: public\naddresses: {json.dumps({'nat64': NAT64_PREFIXES})}\n".encode())
        policy.flush()
        check[2] = f"--policy-file={policy.name}"
        differences += compare_addresses("translators", check, points + random[:args.count // 4], NAT64_PREFIXES)
    print(f"addresses: {len(points)} borders and embeddings, {args.count} random ones, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
