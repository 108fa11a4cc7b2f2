#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that all installed readers translate a name into the same ASCII host.

    agree.py --code-points [--most=N]       every assigned code point alone and between letters; N a class
    agree.py --random=N [--seed=S]          N hosts within the rule
    agree.py --random=N --without=CLAUSE    ... that lacks a clause: has to fail
    agree.py --controls=N [--seed=S]        N hosts outside by each clause alone: what is it for?
    agree.py --alabels [--most=N]           A-labels: who keeps, refuses or rewrites them?
    agree.py --sets                         the data sets: legitimate.tsv, spoofs.tsv, and URLs of pasted.tsv
    agree.py --quick                        some of each, in less than a minute
    agree.py --full                         all of it
    agree.py --readers                      which are there, and what the others lack

--rule=model asks consensus.py what is within the rule, --rule=command build/urivet. Readers are rows of readers.tsv;
sh fuzz/install.sh build/names fuzz/lab/names/readers.tsv installs them.
Exit status: 0 if no two readers make two names of a host that the rule takes, nor is any A-label rewritten that the
model says is not, and every control finds what it is for; 1 otherwise; 2 too few readers, or the command failed.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests/core/names"))

import alabels      # noqa: E402
import consensus    # noqa: E402
import datasets     # noqa: E402
import invent       # noqa: E402
import readers      # noqa: E402
import zoo          # noqa: E402 - readers.py has the path

FEWEST = 6          # families of readers below which nothing is judged
DRAWN = 200         # A-labels by each clause
SHOWN, NAMED = 6, 3 # differences printed, and readers named in each
FEW_CONTROLS, MANY_CONTROLS = 50, 1000      # hosts of a clause below which a control may find nothing
# Clauses for which there are two names: of some few, which a sample may miss; of the others it is that readers refuse.
SELDOM = frozenset(("mark-on-composed", "mark-first"))
# Who alone makes another name of what breaks a clause.
ALONE = {"mark-on-composed": "ruby-addressable", "mark-first": "ruby-addressable", "vowel": "erlang", "supplementary": "qt5"}
HELD = frozenset(("normal", "blocked-pair", "vowel", "cherokee", "supplementary", "deviation", "contextj", "upper",
                  "compat", "ignored", "dot"))


# ---- The rule ----------------------------------------------------------------------------------------------------

def model_spellings(hosts: Sequence[str], without: frozenset[str] = frozenset()) -> list[str | None]:
    """Returns the ASCII host of each name that is within the rule."""
    return [consensus.host_to_ascii(host) if consensus.host(host, without) is None else None for host in hosts]


def asked(hosts: Sequence[str], *command: str) -> list[list[str]]:
    """Returns the rows that the command prints for https://HOST/."""
    data = b"".join(f"https://{host}/".encode("utf-8", "surrogatepass") + b"\0" for host in hosts)
    urivet = os.environ.get("URIVET", str(ROOT / "build" / "urivet"))
    done = subprocess.run([urivet, *command, "-0", "--format=tsv"], input=data, capture_output=True, check=False)
    rows = [line.split("\t") for line in done.stdout.decode("utf-8").split("\n")[:-1]]
    if len(rows) != len(hosts) or any(len(row) < 2 for row in rows):
        sys.stderr.write(f"agree: urivet {' '.join(command)}: status {done.returncode}, {len(rows)} rows for "
                         f"{len(hosts)} hosts: {done.stderr[-200:]!r}\n")
        sys.exit(2)
    return rows


def command_spellings(hosts: Sequence[str]) -> list[str | None]:
    """Returns what `urivet suggest --iri` offers, or would offer if the name looked like no other."""
    made = [row[2].removeprefix("https://").rstrip("/") if row[1] in ("offered", "ascii") else None
            for row in asked(hosts, "suggest", "--iri")]
    kept_back = {host: spelling for host, offer, spelling in zip(hosts, made, model_spellings(hosts), strict=True)
                 if offer is None and spelling is not None}
    if kept_back:
        for host, row in zip(kept_back, asked(list(kept_back.values()), "check", "--policy=public"), strict=True):
            if consensus.LOOK_ALIKE.isdisjoint(row[1].split(",")):
                kept_back[host] = None
    return [kept_back.get(host, offer) for host, offer in zip(hosts, made, strict=True)]


Rule = Callable[[Sequence[str]], list[str | None]]
RULES: dict[str, Rule] = {"model": model_spellings, "command": command_spellings}


# An A-label is `agreed`, `note`, `shown` or `refused`, as consensus.Verdict.
SEEN = consensus.SEVERITY


def model_verdicts(hosts: Sequence[str]) -> list[str]:
    """Returns the worst verdict of the labels of each host; some readers refuse a label beside a
    right-to-left one."""
    made = []
    for host in hosts:
        kinds = [consensus.alabel(piece).kind for piece in host.split(".") if consensus.is_alabel(piece)]
        beside = "note" if consensus.host_bidi(consensus.labels_of(host)) is not None else "agreed"
        made.append(max((*kinds, beside), key=SEEN.index))
    return made


def command_verdicts(hosts: Sequence[str]) -> list[str]:
    """Returns the verdict of `urivet check`: refused, accepted with a note about names, or accepted."""
    noted = re.compile("idn-|host-case")
    return ["refused" if row[0] != "accept" else "note" if noted.search(row[1]) else "agreed"
            for row in asked(hosts, "check", "--policy=any")]


VERDICTS = {"model": model_verdicts, "command": command_verdicts}


# ---- What readers make of hosts ------------------------------------------------------------------------------------

@dataclass
class Told:
    """One host: the names that readers translate it to (and the expected one, if any), and the readers that
    refuse it."""
    host: str
    names: dict[str, list[str]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        return len(self.names) > 1

    def line(self) -> str:
        made = "; ".join(f"{name or '(empty)'} {shortened(who)}" for name, who in self.names.items())
        return f"{ascii(self.host)}: {made}"

    def counted(self) -> str:
        """Returns the host, and each name with the number of its readers, or its only reader."""
        made = "; ".join(f"{name or '(empty)'} {len(who) if len(who) > 1 else who[0]}" for name, who in self.names.items())
        return f"{ascii(self.host)}: {made}"


def shortened(who: Sequence[str]) -> str:
    return ", ".join(who[:NAMED]) + (f" and {len(who) - NAMED} more" if len(who) > NAMED else "")


def told_by(found: Sequence[readers.Reader], hosts: Sequence[str], expected: Sequence[str | None]) -> list[Told]:
    answers = readers.ask_all(found, hosts)
    made = []
    for number, host in enumerate(hosts):
        told = Told(host)
        if expected[number] is not None:
            told.names[expected[number]] = ["the rule"]
        for name, lines in answers.items():
            if lines[number] == readers.REFUSED:
                told.refused.append(name)
            else:
                told.names.setdefault(lines[number].lower(), []).append(name)
        made.append(told)
    return made


def batches(told: Iterable[tuple[str, str]], size: int = 20000) -> Iterator[list[tuple[str, str]]]:
    """Groups hosts into batches, because readers are programs that take many hosts in one run."""
    rest = iter(told)
    while batch := list(islice(rest, size)):
        yield batch


def told_of(found: Sequence[readers.Reader], groups: Mapping[str, Iterable[str]],
            rule: Rule | None = None) -> Iterator[tuple[str, Told, str | None]]:
    """The group of each host, what readers make of it, and the spelling of the rule."""
    for batch in batches((name, host) for name, hosts in groups.items() for host in hosts):
        hosts = [host for _, host in batch]
        expected = rule(hosts) if rule else [None] * len(hosts)
        for (name, _), told, spelling in zip(batch, told_by(found, hosts, expected), expected):
            yield name, told, spelling


# ---- Tables ------------------------------------------------------------------------------------------------------

@dataclass
class Table:
    title: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    failed: bool = False

    def add(self, *cells: object) -> None:
        self.rows.append(tuple(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells))

    def text(self) -> str:
        widths = [max(len(row[i]) for row in (self.heads, *self.rows)) for i in range(len(self.heads))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                 for row in (self.heads, *self.rows)]
        return "\n".join([self.title, *lines, *self.remarks]) + "\n"


def note_differences(table: Table, differing: Sequence[Told]) -> None:
    """Notes the differences; within the rule there may be no difference."""
    for told in differing[:SHOWN]:
        table.remarks.append(f"two names: {told.line()}")
    table.failed = table.failed or bool(differing)


# ---- Within the rule ---------------------------------------------------------------------------------------------

def drawn_hosts(found: Sequence[readers.Reader], title: str, hosts: Iterable[str], rule: Rule) -> Table:
    """Checks hosts within the rule: each may have only one name, and the rule must accept all of them."""
    table = Table(title, ("hosts", "two names", "all accept", "some refuse", "who refuses most"))
    refusals, differing, offered, drawn, all_accept = Counter[str](), [], 0, 0, 0
    for _, told, spelling in told_of(found, {"": hosts}, rule):
        drawn += 1
        if spelling is None:
            continue
        offered += 1
        all_accept += not told.refused
        refusals.update(told.refused)
        if told.differs:
            differing.append(told)
    most = ", ".join(f"{name} {number}" for name, number in refusals.most_common(3)) or "-"
    table.add(offered, len(differing), all_accept, offered - all_accept, most)
    if offered < drawn:
        table.remarks.append(f"{drawn - offered} of {drawn} hosts that the model takes are not offered")
        table.failed = True
    note_differences(table, differing)
    return table


def without_clause(found: Sequence[readers.Reader], clause: str, count: int, seed: str) -> Table:
    """Checks that a rule without this clause fails."""
    without = frozenset((clause, *(("normal",) if clause in invent.NOT_NORMAL else ())))
    return drawn_hosts(found, f"Hosts within the rule without {clause}", invent.outside(clause, count, seed),
                       lambda hosts: model_spellings(hosts, without))


@dataclass
class Row:
    """The results for the hosts of a class or clause."""
    hosts: int = 0
    offered: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    example: str = ""

    def add(self, told: Told, spelling: str | None) -> None:
        self.hosts += 1
        self.offered += spelling is not None
        self.kinds["two" if told.differs else "some" if told.refused else "all"] += 1
        if told.differs and not self.example:
            self.example = told.counted()


def code_point_hosts(most: int, seed: str) -> dict[str, list[str]]:
    """Returns every code point within a label and alone, by class; each as a U-label."""
    return {name: ["".join(map(chr, label)) + ".org" for point in points for label in alabels.of_code_point(point)]
            for name, points in alabels.by_class(most, seed).items() if name != "surrogate"}


def code_points(found: Sequence[readers.Reader], rule: str, most: int, seed: str) -> Table:
    heads = ("class", "hosts", "two names", "all accept alike", "acceptors agree, some refuse", "example")
    table = Table("U-labels by code point", heads)
    wrong: list[Told] = []
    rows: dict[str, Row] = {}
    for name, told, spelling in told_of(found, code_point_hosts(most, seed), RULES[rule]):
        rows.setdefault(name, Row()).add(told, spelling)
        if spelling is not None and told.differs:
            wrong.append(told)
    for name, row in rows.items():
        table.add(name, row.hosts, row.kinds["two"], row.kinds["all"], row.kinds["some"], row.example)
    note_differences(table, wrong)
    return table


# ---- Outside by one clause ---------------------------------------------------------------------------------------

def controls(found: Sequence[readers.Reader], rule: str, count: int, seed: str) -> Table:
    """Checks that without a clause there are hosts with two names, if the clause exists for those."""
    heads = ("clause", "hosts", "two names", "acceptors agree, some refuse", "all accept alike")
    table = Table("Outside by one clause alone", heads)
    groups = {clause: list(dict.fromkeys(invent.outside(clause, count, seed))) for clause in invent.CLAUSES}
    rows: dict[str, Row] = {}
    for name, told, spelling in told_of(found, groups, RULES[rule]):
        rows.setdefault(name, Row()).add(told, spelling)
    for name, row in rows.items():
        table.add(name, row.hosts, row.kinds["two"], row.kinds["some"], row.kinds["all"])
        if row.offered:
            table.remarks.append(f"{row.offered} hosts are offered that break this clause: {name}")
        held = name in HELD and count >= FEW_CONTROLS or name in SELDOM and count >= MANY_CONTROLS
        asked = any(reader.name.startswith(ALONE.get(name, "")) for reader in found)
        if held and asked and not row.kinds["two"]:
            table.remarks.append(f"the control found nothing: {name}")
    table.failed = bool(table.remarks)
    return table


# ---- A-labels ----------------------------------------------------------------------------------------------------

def outcome(told: Told, shown: frozenset[str]) -> str:
    """Returns the worst treatment of an A-label by any reader."""
    same = told.host.lower()
    rewriters = [who for name, whose in told.names.items() if name != same for who in whose]
    if any(who not in shown for who in rewriters):
        return "refused"
    return "shown" if rewriters else "note" if told.refused else "agreed"


@dataclass
class Class:
    """The results for the A-labels of a class."""
    hosts: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    refuse: Counter[str] = field(default_factory=Counter)
    rewrite: dict[str, str] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)

    def add(self, told: Told, verdict: str, shown: frozenset[str]) -> None:
        self.hosts += 1
        self.verdicts[verdict] += 1
        self.outcomes[outcome(told, shown)] += 1
        self.refuse.update(told.refused)
        for name, who in told.names.items():
            if name != told.host.lower():
                for reader in who:
                    self.times[reader] += 1
                    self.rewrite.setdefault(reader, f"{told.host} to {name or '(empty)'}")

    def rewriters(self, names: Iterable[str]) -> str:
        """Returns the readers that rewrite, how often, and an example of the first one."""
        who = [name for name in names if name in self.rewrite]
        listed = ", ".join(name if self.times[name] == self.hosts else f"{name} {self.times[name]}" for name in who)
        return f"{listed}: {self.rewrite[who[0]]}" if who else ""


def is_known(told: Told) -> bool:
    """Sharp s and final sigma are names of their own to IDNA 2008, and to all readers but PHP, which by default shows
    them and then reads another name."""
    rewriters = {who for name, whose in told.names.items() if name != told.host.lower() for who in whose}
    points = {point for label in consensus.labels_of(told.host) for point in label}
    return rewriters == {"php-shown"} and bool(points & consensus.DEVIATIONS)


def in_ascii(hosts: Iterable[str]) -> list[str]:
    """Returns the hosts with all non-ASCII labels as A-labels, without those that would be too long."""
    made = (consensus.host_to_ascii(host) for host in hosts)
    return list(dict.fromkeys(host for host in made if max(map(len, host.split("."))) <= 63))


def drawn_groups(drawn: int, seed: str) -> dict[str, list[str]]:
    """Returns A-labels drawn within the rule and outside by one clause."""
    made = {"drawn within the rule": in_ascii(invent.within(10 * drawn, seed))}
    for clause in invent.CLAUSES:
        made[f"drawn outside: {clause}"] = in_ascii(invent.outside(clause, drawn, seed))
    return made


def alabel_table(found: Sequence[readers.Reader], rule: str, title: str, groups: Mapping[str, Sequence[str]]) -> Table:
    heads = ("what is written", "hosts", "all keep", "readers that refuse some/all", "rewritten", "once shown", f"{rule} says")
    table = Table(title, heads)
    shown = frozenset(reader.name for reader in found if reader.shown)
    direct = [reader.name for reader in found if not reader.shown]
    worse: list[str] = []
    rows: dict[str, Class] = {}
    verdicts = iter(VERDICTS[rule]([host for hosts in groups.values() for host in hosts]))
    for name, told, _ in told_of(found, groups):
        verdict = next(verdicts)
        rows.setdefault(name, Class()).add(told, verdict, shown)
        if SEEN.index(outcome(told, shown)) > SEEN.index(verdict) and not (verdict == "note" and is_known(told)):
            worse.append(f"the {rule} says {verdict}: {told.line()}; refused by {shortened(told.refused)}")
    for name, row in rows.items():
        all_refuse = sum(times == row.hosts for who, times in row.refuse.items() if who not in shown)
        table.add(name, row.hosts, row.outcomes["agreed"], f"{sum(who not in shown for who in row.refuse)}/{all_refuse}",
                  row.rewriters(direct), row.rewriters(sorted(shown)),
                  ", ".join(kind if times == row.hosts else f"{kind} {times}" for kind, times in row.verdicts.most_common()))
    table.remarks += worse[:SHOWN] + ([f"{len(worse)} A-labels are worse than the {rule} says"] if worse else [])
    table.failed = bool(worse)
    return table


# ---- Data sets ---------------------------------------------------------------------------------------------------

def set_table(found: Sequence[readers.Reader], rule: str) -> Table:
    table = Table("Data sets", ("set", "hosts", "offered", "of them two names", "others", "of them two names "))
    for path in (datasets.LEGITIMATE, datasets.SPOOFS):
        hosts = [row[0] for row in datasets.rows(path) if not row[0].isascii()]
        expected = RULES[rule](hosts)
        told = told_by(found, hosts, expected)
        offered = [one for one, name in zip(told, expected) if name is not None]
        others = [one for one, name in zip(told, expected) if name is None]
        wrong = [one for one in offered if one.differs]
        table.add(path.name, len(hosts), len(offered), len(wrong), len(others), sum(one.differs for one in others))
        note_differences(table, wrong)
    return table


# Readers of the zoo that write the octets of paths and queries as escapes.
WRITERS = ("node-url", "whatwg-url", "rust-url", "yarl", "httpx", "urllib3", "qt5", "qt6")
VOICES = 3
QUICK_VOICES = 2        # of what make deps installs, Node and urllib3


def with_path(line: str) -> str:
    """Adds the root path to a URL with an empty path."""
    columns = line.split("\t")
    return "\t".join((*columns[:6], columns[6] or "/", *columns[7:]))


def pasted_table(least: int) -> Table:
    """Checks that each reader, and at least this many, reads a pasted URL as the URL that is offered for it."""
    table = Table("Pasted URLs", ("offered", f"alike for {least} readers or more", "read otherwise"))
    rows = [row for row in datasets.rows(datasets.PASTED) if row[1] == "offered"]
    voices, otherwise = Counter[int](), 0
    for row in zoo.rows():
        animal = zoo.visit(row) if row.name in WRITERS else None
        if animal is None or animal.lacks:
            continue
        before = zoo.ask(animal, [told[0].encode() for told in rows])
        after = zoo.ask(animal, [told[2].encode() for told in rows])
        for number, (one, other) in enumerate(zip(map(with_path, before), map(with_path, after))):
            voices[number] += one == other and one != zoo.REFUSED
            if one != other and one != zoo.REFUSED:
                otherwise += 1
                table.remarks = (table.remarks + [f"{row.name}: {ascii(rows[number][0])}: {one} and {other}"])[:SHOWN]
    alike = sum(voices[number] >= least for number in range(len(rows)))
    table.add(len(rows), alike, otherwise)
    table.failed = alike < len(rows) or otherwise > 0
    return table


# ---- Runs --------------------------------------------------------------------------------------------------------

def enough(visited: Sequence[readers.Reader]) -> bool:
    families = {reader.family for reader in visited if not reader.lacks}
    if len(families) >= FEWEST:
        return True
    print(f"agree: readers of {len(families)} projects are here, {FEWEST} are needed:", file=sys.stderr)
    for reader in visited:
        if reader.lacks:
            print(f"    {reader.name}: {reader.lacks}", file=sys.stderr)
    return False


def reader_table(visited: Sequence[readers.Reader]) -> Table:
    table = Table("Readers", ("reader", "version", "what"))
    for reader in visited:
        table.add(reader.name, reader.version or f"not here: {reader.lacks}", reader.what)
    return table


def tables_of(args: argparse.Namespace, found: Sequence[readers.Reader]) -> Iterable[Table]:
    if args.without:
        yield without_clause(found, args.without, args.random, args.seed)
        return
    if args.random:
        yield drawn_hosts(found, "Hosts within the rule", invent.within(args.random, args.seed), RULES[args.rule])
    if args.code_points:
        yield code_points(found, args.rule, args.most, args.seed)
    if args.sets:
        yield set_table(found, args.rule)
        yield pasted_table(QUICK_VOICES if args.quick else VOICES)
    if args.controls:
        yield controls(found, args.rule, args.controls, args.seed)
    if args.alabels:
        for title, groups in (("A-labels", alabels.code_point_hosts(args.most, args.seed)), ("A-labels with a fault", alabels.broken()),
                              ("A-labels of random names", drawn_groups(args.controls or DRAWN, args.seed))):
            yield alabel_table(found, args.rule, title, {name: hosts for name, hosts in groups.items() if hosts})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--code-points", action="store_true")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--without", choices=invent.CLAUSES, metavar="CLAUSE")
    parser.add_argument("--controls", type=int, default=0, metavar="N")
    parser.add_argument("--alabels", action="store_true")
    parser.add_argument("--sets", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--readers", action="store_true")
    parser.add_argument("--only", default="", metavar="NAMES", help="readers whose names begin so, parted by commas")
    parser.add_argument("--most", type=int, default=1 << 30, metavar="N", help="code points of a class")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--rule", choices=tuple(RULES), default="model")
    args = parser.parse_args()
    if args.quick:
        args.random, args.controls, args.most = args.random or 2000, args.controls or 50, min(args.most, 40)
        args.code_points = args.alabels = args.sets = True
    if args.full:
        args.random, args.controls = args.random or 60000, args.controls or 1000
        args.code_points = args.alabels = args.sets = True
    return args


def main() -> int:
    args = arguments()
    visited = readers.visit_all(lambda name: name.startswith(tuple(args.only.split(","))))
    if args.readers:
        print(reader_table(visited).text(), end="")
        return 0
    if not args.only and not enough(visited):
        return 2
    found = [reader for reader in visited if not reader.lacks]
    print(f"{len(found)} readers; not here: {', '.join(r.name for r in visited if r.lacks) or 'none'}", file=sys.stderr)
    tables = []
    for table in tables_of(args, found):
        print(table.text(), flush=True)
        tables.append(table)
    failed = [table.title for table in tables if table.failed]
    print(f"agree: {'differences: ' + ', '.join(failed) if failed else 'no differences'}", file=sys.stderr)
    return 1 if failed or not tables else 0


if __name__ == "__main__":
    sys.exit(main())
