#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the command accept what people and browsers send, and refuse what gets past gateways?

    acceptance.py [--urivet build/urivet] [--node node]

Rates, each with a bound that fails the test: Debian's homepages under `strict`; as request targets under `gateway` the
paths and queries of these and of international URLs, both as Node's URL class writes them. Every URL that is refused is
printed with its findings. Then rows: attacks.tsv is refused, by the findings named there; ordinary.tsv is accepted. And
controls: what must come out otherwise where the test can tell right from wrong.
"""
from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Iterator, NamedTuple

HERE = Path(__file__).resolve().parent
INTERNATIONAL, SEED = 2000, 2026
STRICT_BOUND, GATEWAY_BOUND = 99.9, 99.5  # per cent
FEWEST_HOMEPAGES = 20000  # Debian has more; fewer mean that apt has no lists
HOST = b"www.example.com"
GATEWAY = ("--policy=gateway", f"--target={HOST.decode()}", "--method=GET")
STRICT = ("--policy=strict", f"--target={HOST.decode()}", "--method=GET")


class Judged(NamedTuple):
    input: bytes
    accepted: bool
    findings: list[str]


class Row(NamedTuple):
    place: str  # file and line
    method: str
    host: bytes
    target: bytes
    listener: str  # scheme:port, or -
    findings: list[str]
    complete: bool  # the findings are all that refuse


class Urivet:
    def __init__(self, command: str) -> None:
        self.command = command
        rows = self.output("findings", "--format=tsv").decode().splitlines()
        self.classes = {row.split("\t")[0]: row.split("\t")[2] for row in rows}

    def output(self, *arguments: str | bytes, stdin: bytes = b"") -> bytes:
        done = subprocess.run([self.command, *arguments], input=stdin, capture_output=True, check=False)
        if done.returncode > 1 or done.stderr:
            sys.exit(f"{self.command} {arguments!r}: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def check(self, inputs: list[bytes], *options: str | bytes) -> list[Judged]:
        tsv = self.output("check", "--format=tsv", "--null", *options, stdin=b"".join(i + b"\0" for i in inputs))
        columns = [line.split("\t")[:2] for line in tsv.decode("ascii").splitlines()]
        if len(columns) != len(inputs):
            sys.exit(f"{len(inputs)} inputs, {len(columns)} verdicts")
        return [Judged(i, verdict == "accept", [] if ids == "-" else ids.split(","))
                for i, (verdict, ids) in zip(inputs, columns)]

    def check_row(self, row: Row, *options: str) -> Judged:
        context = [f"--method={row.method}", b"--target=" + row.host]
        if row.listener != "-":
            scheme, port = row.listener.split(":")
            context += [f"--scheme={scheme}", f"--port={port}"]
        return self.check([row.target], "--policy=gateway", *context, *options)[0]

    def waivable(self, finding: str) -> bool:
        return self.classes[finding] != "malformed" or finding in ("forbidden-char", "non-ascii", "bad-escape")


# ---- rates ---------------------------------------------------------------------------------------------------------


def homepages() -> list[bytes]:
    """The homepages of all packages that apt knows, each once."""
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


def report(urivet: Urivet, name: str, judged: list[Judged], bound: float) -> bool:
    """Prints what is refused, and the rate; true if it is high enough."""
    refused = [j for j in judged if not j.accepted]
    counts: Counter[str] = Counter()
    print(f"\n{name}:")
    for one in refused:
        counts.update(f for f in one.findings if urivet.classes[f] != "note")
        print(f"  refused  {shown(one.input)}  {','.join(one.findings)}")
    for finding, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:6d}  {finding}")
    good = enough(judged, bound)
    rate = 100 * (1 - len(refused) / max(1, len(judged)))
    print(f"  {len(judged) - len(refused)} of {len(judged)} accepted: {rate:.3f} %, "
          f"{'at least' if good else 'LESS THAN'} {bound} %")
    return good


def rates(urivet: Urivet, node: str) -> Iterator[str]:
    """What is wrong with the rates, and with their controls."""
    urls = homepages()
    international = targets(node, "international", str(INTERNATIONAL), str(SEED), str(HERE / "words.tsv"))
    judged = urivet.check(international, *GATEWAY)
    if not report(urivet, "international targets, gateway", judged, GATEWAY_BOUND):
        yield "too many international targets are refused by gateway"
    if len(set(international)) < 0.9 * INTERNATIONAL:
        yield "the international targets repeat one another"
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
    if not report(urivet, "homepages, strict", judged, STRICT_BOUND):
        yield "too many homepages are refused by strict"
    if enough(judged, 100):
        yield "control: with a bound of 100 % the homepages should fail: some are ftp"
    judged = urivet.check(targets(node, "real", stdin=b"\n".join(urls)), *GATEWAY)
    if not report(urivet, "targets of homepages, gateway", judged, GATEWAY_BOUND):
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


def wrong_with(row: Row, judged: Judged, accepted: bool) -> list[str]:
    """What a row says otherwise than the command."""
    said = f"{row.place}: {row.method} {shown(row.host)} {shown(row.target)}: {','.join(judged.findings) or 'no finding'}"
    wrong = [] if judged.accepted == accepted else [f"{said}: {'refused' if accepted else 'ACCEPTED'}"]
    missing = [f for f in row.findings if f not in judged.findings]
    return wrong + ([f"{said}: lacks {','.join(missing)}"] if missing else [])


def rows_wrong(urivet: Urivet) -> Iterator[str]:
    attacks, ordinary = rows("attacks.tsv"), rows("ordinary.tsv")
    waived = 0
    for row in attacks:
        judged = urivet.check_row(row)
        yield from wrong_with(row, judged, False)
        if not wrong_with(row._replace(findings=[]), judged, True):
            yield f"control: {row.place} should not pass for ordinary"
        # nothing but the findings that are named refuses it
        if row.complete and all(map(urivet.waivable, row.findings)):
            waived += 1
            if not urivet.check_row(row, "--allow=" + ",".join(row.findings)).accepted:
                yield f"{row.place}: refused with {','.join(row.findings)} waived: what else refuses it?"
    for row in ordinary:
        judged = urivet.check_row(row)
        yield from wrong_with(row, judged, True)
        if not wrong_with(row, judged, False) or not wrong_with(row._replace(findings=["dot-segment"]), judged, True):
            yield f"control: {row.place} should not pass for an attack, nor with a finding that it has not"
    print(f"\n{len(attacks)} attacks refused by the findings named, {waived} of them by nothing else; "
          f"{len(ordinary)} ordinary targets accepted")


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
