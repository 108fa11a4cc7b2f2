#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no target that urivet accepts gets past a rule to what the rule protects.

    chains.py targets [OPTIONS]     targets through proxies with rules of their own to servers, through servers that a
                                    filter guards, and URLs through clients that a filter guards
                                    (build/wire/targets.json: the same as facts for the page)
    chains.py ask [OPTIONS] TARGET  what a server shows for a target, and behind a proxy; without a server, what the proxy
                                    hands on
    chains.py control [OPTIONS]     the bypasses of bypasses.tsv, with the rules that stop them waived

Exit status of targets: 0 no accepted target reaches the secret except those that open.tsv names, and
refused ones do; 1 otherwise; 2 if nothing can be judged. Of control: 0 every bypass whose programs are
installed returns, 1 otherwise.
"""
from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

import by_clients
import bypasses
import stage
import tables
import targets
import zoo
from reached import Judge, Reached, Tally, print_left_out, print_open, print_reached


def there(kind: str, names: Sequence[str], quick: bool = False) -> list[tables.Exhibit]:
    """Returns the programs that can be run, of the quick ones or of all, and prints the others."""
    wanted = list(names)
    if quick:
        wanted = [name for name in tables.quick(kind) if not names or name in names]
        if not wanted:
            return []
    exhibits = tables.visit(kind, wanted)
    tables.print_exhibits(kind, (e for e in exhibits if e.lacks))
    return [e for e in exhibits if not e.lacks]


def through_clients(judge: Judge, some: Sequence[targets.Target], servers: Sequence[tables.Exhibit],
                    clients: Sequence[tables.Exhibit], tally: Tally) -> None:
    sent = list(by_clients.sent_by(clients, some))
    octets = by_clients.distinct(sent)
    shown = {chain.server: dict(zip(octets, (a.shows for a in chain.answers)))
             for chain in stage.played(servers, [], [("", s.name) for s in servers], octets) if not chain.lacks}
    chains, useless = by_clients.counted(sent, shown)
    tally.by_clients += chains
    tally.found += by_clients.reached_by(sent, by_clients.judged(judge, sent), shown)
    print(f"{len(clients)} clients sent {len(octets)} targets for {len({one.url for one in sent})} URLs"
          + (f"; these fetch nothing: {', '.join(useless)}" if useless else ""))


def summary(tally: Tally, asked: int, accepted: int, began: float) -> str:
    def counted(found: Sequence[Reached]) -> str:
        return f"{len({r.octets for r in found})}, {len(found)} times, through {len({r.chain for r in found})} chains"

    return "\n".join((f"targets: {asked}, {accepted} of them accepted, {asked - accepted} refused",
                      f"chains: {tally.chains}, {tally.by_clients} of them with clients",
                      f"accepted that reach a secret: {counted(tally.accepted)}",
                      f"accepted that do so, and open: {counted(tally.open)}",
                      f"refused that would have reached one: {counted(tally.refused)}",
                      f"accepted without an answer: {tally.silent} times",
                      f"seconds: {time.monotonic() - began:.0f}"))


def run_targets(args: argparse.Namespace) -> int:
    began, judge, tally = time.monotonic(), Judge(args.policy, args.allow), Tally()
    some = targets.quick_targets() if args.quick else targets.all_targets()
    octets = [target.octets for target in some]
    verdicts = judge.targets(octets)
    servers, proxies = there("servers", args.server, args.quick), there("proxies", args.proxy, args.quick)
    pairs = [("", s.name) for s in servers] + [(p.name, s.name) for p in proxies for s in servers]
    tally.add(stage.played(servers, proxies, pairs, octets), octets, verdicts)
    if not args.proxy:
        through_clients(judge, some, servers, there("clients", args.client, args.quick), tally)
    print_left_out(tally.left_out)
    print_open(tally.open)
    print_reached(tally.accepted)
    said = summary(tally, len(octets), sum(v.accepted for v in verdicts), began)
    print(said)
    (tables.OUT / "targets.json").write_text(json.dumps(tally.facts(said)))
    if not tally.chains:
        return 2
    if not tally.refused:
        print("nothing that is refused would have reached a secret: the check has no teeth")
    return int(bool(tally.accepted) or not tally.refused)


def run_control(args: argparse.Namespace) -> int:
    return bypasses.control(args.policy, lambda kind, names: there(kind, names, args.quick))


def run_ask(args: argparse.Namespace) -> int:
    octets = [targets.octets(target) for target in args.targets]
    proxies, servers = (there(kind, names) if names else [] for kind, names in (("proxies", args.proxy), ("servers", args.server)))
    pairs = [(p.name, s) for p in proxies for s in [s.name for s in servers] or [stage.RECORDER]] + [("", s.name) for s in servers]
    for chain in stage.played(servers, proxies, pairs, octets):
        for target, answer in zip(octets, chain.answers):
            said = " and ".join(map(zoo.escaped, (line.encode("latin-1") for line in answer.passed))) or f"{answer.status} {answer.shows}"
            print(f"{chain.name}  {zoo.escaped(target)}  {said}")
        if chain.lacks:
            print(f"{chain.name}: {chain.lacks}")
    return 0 if pairs else 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run in (("targets", run_targets), ("control", run_control), ("ask", run_ask)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        if name == "ask":
            command.add_argument("targets", nargs="+", metavar="TARGET")
        else:
            command.add_argument("--policy", default="gateway")
            command.add_argument("--quick", action="store_true", help="programs alone that install quickly")
        if name == "targets":
            command.add_argument("--allow", default="", metavar="IDS")
        if name != "control":
            for kind in ("proxy", "server", *(("client",) if name == "targets" else ())):
                command.add_argument(f"--{kind}", action="append", default=[], metavar="NAME")
    return zoo.outcome("chains", parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
