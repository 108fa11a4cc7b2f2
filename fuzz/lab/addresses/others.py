#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the policy `public` with other software's definition of a global address, at every border.

    python3 fuzz/lab/addresses/others.py --urivet build/urivet --ipaddr-js build/npm/node_modules/ipaddr.js

The others are Python's ipaddress (is_global) and the package ipaddr.js of npm (range() is "unicast").  Each
difference has to be explained below; an explanation that a newer version needs no more is no failure.
Exit status: 0 all explained, 1 some are not.
"""
from __future__ import annotations

import argparse
import ipaddress
import platform
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests/core/addresses"))

from model import TABLES, Address, judge, literal, text  # noqa: E402
from points import all_borders  # noqa: E402

SCRIPT = Path(__file__).with_name("range.js")
PYTHON, JS = "Python", "ipaddr.js"


class Difference(NamedTuple):
    other: str
    urivet: str             # its verdict
    where: str              # the block, by its prefix, or the embedding, by its finding
    why: str                # why urivet is right


def both(urivet: str, where: str, why: str) -> tuple[Difference, ...]:
    return Difference(PYTHON, urivet, where, why), Difference(JS, urivet, where, why)


EXPLAINED = (
    # Refused by urivet only.
    *both("reject", "168.63.129.16", "Azure's control plane, in public space; no registry has it"),
    *both("reject", "192.80.8.124", "Equinix Metal metadata, in public space; no registry has it"),
    *both("reject", "100:0:0:1::/64", "RFC 9780: the dummy prefix; the registry has it since 2025"),
    *both("reject", "::/0", "RFC 4291, 2.4: only 2000::/3 is global unicast; the rest fails closed"),
    *both("reject", "::/96", "RFC 4291, 2.5.5.1: deprecated; holds an IPv4 address, and readers rewrite it"),
    *both("reject", "isatap-embedded-ipv4", "RFC 5214, 6.1: holds an IPv4 address that a router tunnels to"),
    Difference(PYTHON, "reject", "192.0.0.0/24", "RFC 6890: not reachable; old versions have /29 and /31"),
    Difference(PYTHON, "reject", "192.0.0.8/32", "RFC 7600: not reachable; old versions leave it out"),
    Difference(PYTHON, "reject", "192.88.99.0/24", "RFC 7526: the registry says N/A, which promises nothing"),
    Difference(PYTHON, "reject", "192.88.99.2/32", "RFC 6751: an anycast address of relays, not reachable"),
    Difference(PYTHON, "reject", "224.0.0.0/4", "RFC 5771: multicast, which is_global leaves to is_multicast"),
    Difference(PYTHON, "reject", "ff00::/8", "RFC 4291, 2.7: multicast, which is_global leaves to is_multicast"),
    Difference(PYTHON, "reject", "fec0::/10", "RFC 3879: site-local, which is_global leaves to is_site_local"),
    Difference(PYTHON, "reject", "3fff::/20", "RFC 9637: documentation; old versions do not know it"),
    Difference(PYTHON, "reject", "5f00::/16", "RFC 9602: segments inside a provider; old versions do not know it"),
    Difference(PYTHON, "reject", "2002::/16", "RFC 3056: the registry says N/A; old versions do not know it"),
    Difference(PYTHON, "reject", "64:ff9b:1::/48", "RFC 8215: local use; old versions do not know it"),
    Difference(PYTHON, "reject", "64:ff9b::/96", "RFC 6052: leads to the IPv4 address inside, here not global"),
    Difference(PYTHON, "reject", "::ffff:0:0/96",
               "RFC 4291, 2.5.5.2: not reachable by the registry; new versions judge what is inside alone"),
    Difference(PYTHON, "reject", "::ffff:0:0:0/96", "RFC 2765; RFC 7915: holds an IPv4 address, outside 2000::/3"),
    # Accepted by urivet only: the registry says that they are globally reachable.
    *both("accept", "2001:1::1/128", "RFC 7723: reachable, a longer prefix than 2001::/23; old versions stop there"),
    *both("accept", "2001:1::2/128", "RFC 8155: as above"),
    *both("accept", "2001:1::3/128", "RFC 9665: as above, registered in 2024"),
    *both("accept", "2001:3::/32", "RFC 7450: reachable"),
    *both("accept", "2001:4:112::/48", "RFC 7535: reachable"),
    *both("accept", "2001:20::/28", "RFC 7343: reachable"),
    *both("accept", "2001:30::/28", "RFC 9374: reachable"),
    *both("accept", "192.0.0.9/32", "RFC 7723: reachable, a longer prefix than 192.0.0.0/24"),
    *both("accept", "192.0.0.10/32", "RFC 8155: as above"),
    Difference(JS, "accept", "192.31.196.0/24", "RFC 7535: reachable; a name of its own is no unicast there"),
    Difference(JS, "accept", "192.52.193.0/24", "RFC 7450: as above"),
    Difference(JS, "accept", "192.175.48.0/24", "RFC 7534: as above"),
    Difference(JS, "accept", "2620:4f:8000::/48", "RFC 7534: as above"),
    Difference(JS, "accept", "64:ff9b::/96",
               "RFC 6052, 3.1: reachable, the IPv4 address inside is global, and networks with IPv6 only need it"),
)


def of_urivet(urivet: str, points: list[Address]) -> list[str]:
    uris = "".join(f"http://{literal(point)}/\n" for point in points)
    done = subprocess.run([urivet, "check", "--policy=public", "--format=tsv"], input=uris, capture_output=True,
                          text=True, check=False)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def of_python(points: list[Address]) -> list[bool]:
    return [ipaddress.ip_address(text(point)).is_global for point in points]


def of_js(package: str, points: list[Address]) -> list[bool]:
    told = "".join(text(point) + "\n" for point in points)
    done = subprocess.run(["node", str(SCRIPT), package], input=told, capture_output=True, text=True, check=True)
    return [line == "unicast" for line in done.stdout.splitlines()]


def explanation(other: str, verdict: str, point: Address) -> Difference | None:
    """Returns the explanation of the address or of its own block, not of an enclosing one; otherwise that of
    the embedding."""
    block, findings = TABLES[point.bits].row(point.number).prefix, judge(point).findings
    told = {d.where: d for d in EXPLAINED if (d.other, d.urivet) == (other, verdict)}
    here = [where for where in (text(point), block, *sorted(findings)) if where in told]
    return told[here[0]] if here else None


def compare(other: str, points: list[Address], ours: list[str], theirs: list[bool]) -> int:
    used: Counter[Difference] = Counter()
    unexplained = []
    for point, verdict, their in zip(points, ours, theirs, strict=True):
        if (verdict == "accept") == their:
            continue
        why = explanation(other, verdict, point)
        if why is None:
            unexplained.append(f"{text(point)}: urivet {verdict}, {other} {'global' if their else 'not global'}")
        else:
            used[why] += 1
    for difference, count in sorted(used.items()):
        print(f"    {count:5}  {difference.urivet}  {difference.where}: {difference.why}")
    for line in unexplained[:20]:
        print(f"    unexplained: {line}")
    print(f"{other}: {len(points)} compared, {used.total()} differences of {len(used)} kinds explained, "
          f"{len(unexplained)} not explained")
    return len(unexplained)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the policy public with other software.")
    parser.add_argument("--urivet", required=True, help="the command to test")
    parser.add_argument("--ipaddr-js", required=True, help="folder of the package")
    args = parser.parse_args()
    points = all_borders()
    ours = of_urivet(args.urivet, points)
    print(f"Python {platform.python_version()}")
    failures = compare(PYTHON, points, ours, of_python(points))
    told = "ipaddr.js"
    if shutil.which("node") and Path(args.ipaddr_js).is_dir():
        failures += compare(JS, points, ours, of_js(args.ipaddr_js, points))
    else:
        told = "without ipaddr.js (npm install --prefix build/npm ipaddr.js)"
    print(f"others: Python, {told}: {failures} differences not explained")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
