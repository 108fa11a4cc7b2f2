#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the command accepts what people and browsers send, and refuses what passes gateways.

    acceptance.py [--urivet build/urivet] [--node node]

Rates, each with a bound that fails the test: Debian's homepages under `strict`; as request targets under `gateway` the
paths and queries of these and of international URLs, both as Node's URL class writes them; URLs with titles in six
languages, and their punctuation, under both. Every URL that is refused is
printed with the findings that refuse it. Then rows, one by one and as records: attacks.tsv is refused, by the findings
named there; ordinary.tsv is accepted. Negative controls must give the opposite result.
"""
from __future__ import annotations

import argparse
import itertools
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Iterator, NamedTuple

HERE = Path(__file__).resolve().parent
INTERNATIONAL, SEED = 2000, 2026
STRICT_BOUND, GATEWAY_BOUND = 99.9, 99.5  # per cent
TITLES_BOUND, ROUTED_TITLES_BOUND = 99.0, 98.9
FEWEST_ROWS = 60  # minimum for each table
FEWEST_HOMEPAGES = 20000  # Debian has more; fewer mean that apt has no lists
GATEWAY = ("--policy=gateway", "--target=www.example.com", "--method=GET")
STRICT = ("--policy=strict", *GATEWAY[1:])
REFUSES = re.compile(r"^<stdin>:(\d+):.*? refused: [a-z]+: ([a-z0-9-]+)(?: .*)?$", re.M)


class Judged(NamedTuple):
    input: bytes
    accepted: bool
    refusing: list[str]  # the findings that refuse it
    findings: list[str]  # all, notes too


class Row(NamedTuple):
    place: str  # file and line
    method: str
    host: bytes
    target: bytes
    listener: str  # scheme:port, or -
    findings: list[str]
    complete: bool  # true if the findings must be all that refuse


class Urivet:
    def __init__(self, command: str) -> None:
        self.command = command

    def output(self, inputs: list[bytes], *options: str | bytes) -> str:
        done = subprocess.run([self.command, "check", "--null", *options], input=b"".join(i + b"\0" for i in inputs),
                              capture_output=True, check=False)
        if done.returncode > 1 or done.stderr:
            sys.exit(f"{self.command} check {options!r}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode("ascii")

    def check(self, inputs: list[bytes], *options: str | bytes) -> list[Judged]:
        columns = [line.split("\t")[:2] for line in self.output(inputs, "--format=tsv", *options).splitlines()]
        if len(columns) != len(inputs):
            sys.exit(f"{len(inputs)} inputs, {len(columns)} verdicts")
        # only the human format names the refusing findings; it is run for refused inputs
        refused = [i for i, (verdict, _) in zip(inputs, columns) if verdict != "accept"]
        refusing: dict[int, list[str]] = defaultdict(list)
        for number, finding in REFUSES.findall(self.output(refused, "--format=human", *options)) if refused else ():
            refusing[int(number)].append(finding)
        numbers = itertools.count(1)
        return [Judged(i, verdict == "accept", [] if verdict == "accept" else refusing[next(numbers)],
                       [] if ids == "-" else ids.split(",")) for i, (verdict, ids) in zip(inputs, columns)]


# ---- rates ---------------------------------------------------------------------------------------------------------


def homepages() -> list[bytes]:
    """Returns the homepages of all packages that apt knows, each once."""
    apt = shutil.which("apt-cache")
    if apt is None:
        return []
    dump = subprocess.run([apt, "dumpavail"], stdout=subprocess.PIPE, check=True).stdout
    return sorted(set(re.findall(rb"^Homepage: (.*)$", dump, re.M)))


def targets(node: str, *arguments: str, stdin: bytes = b"") -> list[bytes]:
    done = subprocess.run([node, str(HERE / "targets.js"), *arguments], input=stdin, stdout=subprocess.PIPE, check=True)
    return done.stdout.split(b"\n")[:-1]


def enough(judged: list[Judged], bound: float) -> bool:
    return bool(judged) and 100 * sum(j.accepted for j in judged) >= bound * len(judged)


def shown(octets: bytes) -> str:
    return "".join(chr(o) if 0x20 < o < 0x7F and o != 0x5C else f"\\x{o:02X}" for o in octets)


def report(name: str, judged: list[Judged], bound: float) -> bool:
    """Prints the refused URLs and the rate; returns true if the rate is high enough."""
    refused = [j for j in judged if not j.accepted]
    counts: Counter[str] = Counter()
    print(f"\n{name}:")
    for one in refused:
        counts.update(one.refusing)
        print(f"  refused  {shown(one.input)}  {','.join(one.refusing)}")
    for finding, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:6d}  {finding}")
    good = enough(judged, bound)
    rate = 100 * (1 - len(refused) / max(1, len(judged)))
    print(f"  {len(judged) - len(refused)} of {len(judged)} accepted: {rate:.3f} %, "
          f"{'at least' if good else 'LESS THAN'} {bound} %")
    return good


def rates(urivet: Urivet, node: str) -> Iterator[str]:
    """Returns the problems of the rates, and of their controls."""
    urls = homepages()
    titles, international = (targets(node, mode, str(INTERNATIONAL), str(SEED), str(HERE / "words.tsv"))
                             for mode in ("titles", "international"))
    if not report("URLs with titles, strict", urivet.check(titles, "--policy=strict"), TITLES_BOUND):
        yield "too many URLs with titles are refused by strict"
    routed = [url.removeprefix(b"https://www.example.com") for url in titles]
    if not report("targets with titles, gateway", urivet.check(routed, *GATEWAY), ROUTED_TITLES_BOUND):
        yield "too many targets with titles are refused by gateway"
    judged = urivet.check(international, *GATEWAY)
    if not report("international targets, gateway", judged, GATEWAY_BOUND):
        yield "too many international targets are refused by gateway"
    if min(len(set(international)), len(set(titles))) < 0.9 * INTERNATIONAL:
        yield "the international targets or titles repeat one another"
    if enough(urivet.check(international, *STRICT), GATEWAY_BOUND):
        yield "control: strict should refuse more of the international targets than gateway may"
    if all(j.accepted for j in judged) or enough(judged, 100):
        yield "control: with a bound of 100 % the international targets should fail"
    if shutil.which("apt-cache") is None:
        print("\nhomepages: skipped, this is no Debian: there is no apt-cache")
        return
    if len(urls) < FEWEST_HOMEPAGES:
        yield f"apt knows {len(urls)} homepages only: run apt-get update"
        return
    judged = urivet.check(urls, "--policy=strict")
    if not report("homepages, strict", judged, STRICT_BOUND):
        yield "too many homepages are refused by strict"
    if enough(judged, 100):
        yield "control: with a bound of 100 % the homepages should fail: some are ftp"
    judged = urivet.check(targets(node, "real", stdin=b"\n".join(urls)), *GATEWAY)
    if not report("targets of homepages, gateway", judged, GATEWAY_BOUND):
        yield "too many targets of homepages are refused by gateway"


# ---- rows ----------------------------------------------------------------------------------------------------------


def octets(text: str) -> bytes:
    return re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes.fromhex(m[1].decode()), text.encode("ascii"))


def rows(name: str) -> list[Row]:
    found = []
    for number, line in enumerate((HERE / name).read_text("ascii").splitlines(), 1):
        if line.startswith("#"):
            continue
        method, host, target, listener, findings = line.split("\t")[:5]
        ids = [] if findings == "-" else findings.split(",")
        found.append(Row(f"{name}:{number}", method, octets(host), octets(target), listener,
                         [i for i in ids if i != "..."], "..." not in ids))
    return found


def judge_each(urivet: Urivet, found: list[Row]) -> Iterator[tuple[Row, Judged]]:
    """Judges each row with the options for its request."""
    for row in found:
        yield row, urivet.check([row.target], "--policy=gateway", f"--method={row.method}", b"--target=" + row.host,
                                *listener(row))[0]


def judge_records(urivet: Urivet, found: list[Row], policy: str = "gateway") -> Iterator[tuple[Row, Judged]]:
    """Judges each row as a record, those of one listener together."""
    for options, group in itertools.groupby(sorted(found, key=listener), listener):
        some = list(group)
        records = [b" ".join((row.method.encode(), row.host, row.target)) for row in some]
        yield from zip(some, urivet.check(records, f"--policy={policy}", "--target-records", *options))


def listener(row: Row) -> list[str]:
    return [] if row.listener == "-" else [f"--{o}={v}" for o, v in zip(("scheme", "port"), row.listener.split(":"))]


def wrong_with(row: Row, judged: Judged, accepted: bool) -> list[str]:
    """Returns the differences between a row and the command."""
    said = f"{row.place}: {row.method} {shown(row.host)} {shown(row.target)}: {','.join(judged.findings) or 'no finding'}"
    wrong = [] if judged.accepted == accepted else [f"{said}: {'refused' if accepted else 'ACCEPTED'}"]
    missing = [f for f in row.findings if f not in (judged.findings if accepted else judged.refusing)]
    wrong += [f"{said}: lacks {','.join(missing)}"] if missing else []
    more = [f for f in judged.refusing if f not in row.findings]
    return wrong + ([f"{said}: refused by {','.join(more)} too"] if row.complete and more and not accepted else [])


def rows_wrong(urivet: Urivet) -> Iterator[str]:
    """Returns the problems of the rows, and of their controls."""
    attacks, ordinary = rows("attacks.tsv"), rows("ordinary.tsv")
    if len(attacks) < FEWEST_ROWS or len(ordinary) < FEWEST_ROWS:
        yield "rows are missing"
    for judge in (judge_each, judge_records):
        for row, judged in judge(urivet, attacks):
            yield from wrong_with(row, judged, False)
            if not wrong_with(row._replace(findings=[]), judged, True):
                yield f"control: {row.place} should not pass for ordinary"
        for row, judged in judge(urivet, ordinary):
            yield from wrong_with(row, judged, True)
            if not wrong_with(row._replace(findings=[]), judged, False):
                yield f"control: {row.place} should not pass for an attack"
            if not wrong_with(row._replace(findings=["dot-segment"]), judged, True):
                yield f"control: {row.place} should not pass with a finding that it has not"
    # strict differs in both directions
    passed = sum(judged.accepted for _, judged in judge_records(urivet, attacks, "strict"))
    stopped = sum(not judged.accepted for _, judged in judge_records(urivet, ordinary, "strict"))
    if passed < 10 or stopped < 10:
        yield "control: strict should accept attacks that are about servers, and refuse queries that browsers write"
    print(f"\n{len(attacks)} attacks, {passed} of them accepted by strict; "
          f"{len(ordinary)} ordinary targets, {stopped} of them refused by strict")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urivet", default="build/urivet")
    parser.add_argument("--node", default="node")
    options = parser.parse_args()
    node = shutil.which(options.node)
    if node is None:
        sys.exit("acceptance: node is missing (Debian: nodejs)")
    urivet = Urivet(options.urivet)
    wrong = [*rates(urivet, node), *rows_wrong(urivet)]
    for sentence in wrong:
        print(sentence)
    print(f"acceptance: {len(wrong)} things wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
