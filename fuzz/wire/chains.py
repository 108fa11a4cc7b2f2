#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a target that urivet accepts get past a rule to what the rule protects?

    chains.py targets [OPTIONS]     targets through proxies with rules of their own to servers, through servers that a
                                    filter guards, and URLs through clients that a filter guards
    chains.py control [OPTIONS]     the bypasses of bypasses.tsv, where the rules that stop them are waived

Exit status of targets: 0 no accepted target reaches the secret, and refused ones do; 1 otherwise; 2 where nothing can be
judged. Of control: 0 every bypass comes back, 1 otherwise.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import stage
import tables
import targets
from stage import Chain

QUICK = {"proxies": ("nginx_", "apache_"), "servers": ("go", "busybox", "python", "node")}
SHOWN = 40              # of what an accepted target reached
GUARDED = "(filter)"    # what stands before a server that is alone
LISTENER = ("--scheme=http", "--port=80")


# ---- Verdicts ----------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Verdict:
    accepted: bool
    findings: str


@dataclass(frozen=True)
class Judge:
    """urivet check with a policy, of targets as of GET, and of whole URLs."""
    policy: str
    allow: str = ""

    def judged(self, records: Sequence[bytes], *options: str) -> list[Verdict]:
        command = [os.environ.get("URIVET", str(tables.ROOT / "build" / "urivet")), "check", "-0", "--format=tsv",
                   f"--policy={self.policy}", *([f"--allow={self.allow}"] if self.allow else []), *options]
        done = subprocess.run(command, input=b"".join(r + b"\0" for r in records), capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"urivet: {done.stderr.decode('utf-8', 'replace').strip() or done.returncode}")
        columns = [line.split("\t", 2) for line in done.stdout.decode("ascii").splitlines()]
        if len(columns) != len(records):
            raise RuntimeError(f"urivet: {len(records)} records, {len(columns)} verdicts")
        return [Verdict(verdict == "accept", findings) for verdict, findings, _ in columns]

    def targets(self, octets: Sequence[bytes]) -> list[Verdict]:
        return self.judged([b"GET %b %b" % (stage.HOST, target) for target in octets], "--target-records", *LISTENER)


# ---- What a filter reads -------------------------------------------------------------------------------------------

def refused_by_filter(target: bytes) -> bool:
    """The rule of the proxies, by whoever reads a target as it is written."""
    path = re.sub(rb"\A[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*", b"", target).partition(b"?")[0]
    return path.startswith(b"/admin") or path.endswith(b".inc")


# ---- What came of a run ------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Reached:
    """A target that got a secret out of a chain that refuses the plain attacks."""
    chain: str
    target: bytes
    verdict: Verdict

    def command(self) -> str:
        return "printf " + quoted(b"GET %b HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n"
                                  % (self.target, stage.HOST))


def quoted(octets: bytes) -> str:
    """A word of sh that printf makes these octets of."""
    def one(octet: int) -> str:
        known = {0x0A: "\\n", 0x0D: "\\r", 0x25: "%%", 0x5C: "\\\\"}
        return known.get(octet) or (chr(octet) if 0x20 <= octet < 0x7F and octet != 0x27 else f"\\{octet:03o}")

    return "'" + "".join(map(one, octets)) + "'"


def reached(chain: Chain, octets: Sequence[bytes], verdicts: Sequence[Verdict]) -> Iterator[Reached]:
    for target, verdict, answer in zip(octets, verdicts, chain.answers):
        if answer.shows == "secret" and (chain.proxy or not refused_by_filter(target)):
            yield Reached(chain.name if chain.proxy else f"{GUARDED} > {chain.server}", target, verdict)


@dataclass
class Tally:
    """What a run found."""
    found: list[Reached]
    chains: int
    left_out: list[Chain]

    @property
    def accepted(self) -> list[Reached]:
        return [r for r in self.found if r.verdict.accepted]

    @property
    def refused(self) -> list[Reached]:
        return [r for r in self.found if not r.verdict.accepted]


def tallied(chains: Iterable[Chain], octets: Sequence[bytes], verdicts: Sequence[Verdict]) -> Tally:
    tally = Tally([], 0, [])
    for chain in chains:
        if chain.lacks:
            tally.left_out.append(chain)
            continue
        tally.chains += 1
        tally.found += reached(chain, octets, verdicts)
    return tally


def print_left_out(left_out: Iterable[Chain]) -> None:
    """Once a reason: a proxy that does not work does not work before any server."""
    reasons: dict[tuple[str, str], list[str]] = defaultdict(list)
    for chain in left_out:
        reasons[chain.proxy or chain.server, chain.lacks].append(chain.server)
    for (name, reason), servers in sorted(reasons.items()):
        where = "" if servers == [name] else f" (before {', '.join(servers[:3])}{' ...' if len(servers) > 3 else ''})"
        print(f"left out: {name}{where}: {reason}")


def print_reached(found: Sequence[Reached], most: int = SHOWN) -> None:
    by_target: dict[bytes, list[Reached]] = defaultdict(list)
    for one in found:
        by_target[one.target].append(one)
    for some in list(by_target.values())[:most]:
        print(f"ACCEPTED, and reaches the secret through {', '.join(one.chain for one in some)}:")
        print(f"    {some[0].command()}")
        print(f"    findings: {some[0].verdict.findings}")
    if len(by_target) > most:
        print(f"... and {len(by_target) - most} more targets")


# ---- Commands ----------------------------------------------------------------------------------------------------

def there(kind: str, names: Sequence[str], quick: bool = False) -> list[tables.Exhibit]:
    """Those that can be run, of the quick ones or of all; the others are named."""
    wanted = list(names)
    if quick and not wanted:
        wanted = [row.name for row in tables.rows(kind) if row.name in QUICK[kind]
                  or kind == "proxies" and row.name.startswith(QUICK[kind])]
    exhibits = tables.visit(kind, wanted)
    tables.print_exhibits(kind, (e for e in exhibits if e.lacks))
    return [e for e in exhibits if not e.lacks]


def run_targets(args: argparse.Namespace) -> int:
    began = time.monotonic()
    some = targets.quick_targets() if args.quick else targets.all_targets()
    octets = [target.octets for target in some]
    verdicts = Judge(args.policy, args.allow).targets(octets)
    servers, proxies = there("servers", args.server, args.quick), there("proxies", args.proxy, args.quick)
    pairs = [("", s.name) for s in servers] + [(p.name, s.name) for p in proxies for s in servers]
    tally = tallied(stage.played(servers, proxies, pairs, octets), octets, verdicts)
    print_left_out(tally.left_out)
    print_reached(tally.accepted)
    print(f"{len(octets)} targets, {sum(v.accepted for v in verdicts)} accepted; {tally.chains} chains: "
          f"{len(servers)} servers, {len(proxies)} proxies")
    print(f"secrets: {len({r.target for r in tally.accepted})} of the accepted ({len(tally.accepted)} times); "
          f"{len({r.target for r in tally.refused})} of the refused would have reached one ({len(tally.refused)} times, "
          f"in {len({r.chain for r in tally.refused})} chains)")
    print(f"{time.monotonic() - began:.0f} seconds")
    if not tally.chains:
        return 2
    if not tally.refused:
        print("nothing that is refused would have reached a secret: the check has no teeth")
    return int(bool(tally.accepted) or not tally.refused)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run in (("targets", run_targets),):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--policy", default="gateway")
        command.add_argument("--allow", default="", metavar="IDS")
        command.add_argument("--proxy", action="append", default=[], metavar="NAME")
        command.add_argument("--server", action="append", default=[], metavar="NAME")
        command.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    try:
        return args.run(args)
    except (OSError, RuntimeError) as error:
        print(f"chains: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
