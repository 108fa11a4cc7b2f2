#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares how real readers of URLs read the same octets.

    zoo.py report [--seed=S] [FILE...]      build/zoo/report.html and readings.tsv, over the corpus, or lines of files
    zoo.py judge --count=N --seed=S         fails if two readers disagree on what urivet accepts
    zoo.py read URL...                      shows each reader's reading of these URLs
    zoo.py readers                          lists installed readers, and what the others need

rules.py decides when two readings disagree, allowed.tsv lists differences that do not count, readers.tsv
the readers. Exit status of judge: 0 no disagreement, and equivalent spellings get the same verdict; 1
otherwise; 2 fewer than five readers (or urivet failed).
"""
from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))

import rules  # noqa: E402
from inputs import ROOT, corpus, given, records
from programs import TIME_LIMIT, Program, Workshop  # noqa: E402

ZOO = Path(__file__).resolve().parent
OUT = ROOT / "build" / "zoo"
FEWEST = 5              # third-party readers that a comparison needs
CHUNK = 50000           # records for one run of a reader
SHOWN = 5               # printed disagreements
WRITTEN = "urivet-rfc3986"      # the reader that shows the components as written
REFUSED = "\t".join(["reject", "-", *["\\N"] * 8])


# ---- Readers -----------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Row:
    """A row of readers.tsv."""
    name: str
    packages: tuple[str, ...]
    blind: frozenset[str]
    build: str
    run: str
    what: str
    limits: str

    @property
    def ours(self) -> bool:
        return self.name.startswith("urivet-")

    @property
    def program(self) -> Program:
        """Returns the program. Its sources are the files that the build names, and the adapters' common
        code."""
        named = [ZOO / word.removeprefix("$ZOO/") for word in self.build.split() if word.startswith("$ZOO/")]
        shared = (ZOO / name for name in ("adapter.h", "reading.h", "run.h"))
        return Program(self.name, self.packages, self.build, self.run, (*named, *shared))


@dataclass
class Animal:
    """A reader that is installed, or the reason why it is not."""
    row: Row
    version: str = ""
    lacks: str = ""
    deaths: int = 0

    @property
    def key(self) -> rules.Reader:
        return rules.Reader(self.row.name, self.row.blind)


def rows() -> list[Row]:
    lines = (ZOO / "readers.tsv").read_text(encoding="ascii").splitlines()
    made = []
    for line in lines:
        if line.startswith("#"):
            continue
        name, packages, blind, build, run, what, limits = (part if part != "-" else "" for part in line.split("\t"))
        made.append(Row(name, tuple(packages.split()), frozenset(filter(None, blind.split(","))), build, run, what, limits))
    return made


def row_of(name: str) -> Row:
    known = {row.name: row for row in rows()}
    if name not in known:
        raise RuntimeError(f"no reader {name!r}: there are {', '.join(known)}")
    return known[name]


def environment() -> dict[str, str]:
    settings = {"CC": "cc", "CXX": "c++", "PYTHON": "/usr/bin/python3", "URIVET": str(ROOT / "build" / "urivet")}
    given = dict(os.environ)
    if "URIVET" in given:       # readers run in the project's folder
        given["URIVET"] = str(Path(given["URIVET"]).resolve())
    return {**settings, **given, "ZOO": str(ZOO), "OUT": str(OUT), "NODE_PATH": str(OUT / "node_modules"),
            "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


def workshop() -> Workshop:
    OUT.mkdir(parents=True, exist_ok=True)
    return Workshop(ROOT, OUT, environment())


def shell(command: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return workshop().shell(command, data)


def visit(row: Row) -> Animal:
    """Builds one reader and reads its version."""
    there = workshop().visit(row.program)
    return Animal(row, version=there.version, lacks=there.lacks)


def visit_all() -> list[Animal]:
    return [visit(row) for row in rows()]


def enough(animals: Sequence[Animal]) -> bool:
    """Returns true if there are enough third-party readers; otherwise prints what to install."""
    there = sum(not animal.lacks and not animal.row.ours for animal in animals)
    if there >= FEWEST:
        return True
    print(f"zoo: {there} readers are here, {FEWEST} are needed; sh fuzz/lab/zoo/install.sh installs them:", file=sys.stderr)
    for animal in animals:
        if animal.lacks:
            print(f"    {animal.row.name}: {animal.lacks}", file=sys.stderr)
    return False


# ---- Runs --------------------------------------------------------------------------------------------------------

def framed(batch: Sequence[bytes]) -> bytes:
    return b"".join(record + b"\0" for record in batch)


def ask(animal: Animal, batch: Sequence[bytes]) -> list[str]:
    """Returns one line for each record.  A reader that crashes is run again on each half; the crashing
    record counts as refused."""
    if not batch:
        return []
    try:
        done = shell(animal.row.run, framed(batch))
        lines = done.stdout.decode("ascii").split("\n")
        if done.returncode == 0 and len(lines) == len(batch) + 1 and lines.pop() == "":
            return lines
    except (subprocess.TimeoutExpired, UnicodeDecodeError):
        pass
    if len(batch) == 1:
        animal.deaths += 1
        return [REFUSED]
    half = len(batch) // 2
    return ask(animal, batch[:half]) + ask(animal, batch[half:])


def check(batch: Sequence[bytes], options: Sequence[str]) -> list[str]:
    """Returns the lines of urivet check."""
    done = subprocess.run([environment()["URIVET"], "check", "-0", "--format=tsv", *options], input=framed(batch),
                          capture_output=True, timeout=TIME_LIMIT, check=False)
    lines = done.stdout.decode("ascii").split("\n")[:-1]
    if done.returncode not in (0, 1) or len(lines) != len(batch):
        raise RuntimeError(f"urivet check: status {done.returncode}, {len(lines)} lines for {len(batch)} records: "
                           f"{done.stderr[-300:]!r}")
    return lines


def options_of(args: argparse.Namespace) -> list[str]:
    return [f"--policy={args.policy}", *([f"--allow={args.allow}"] if args.allow else [])]


@dataclass
class Reading:
    """One input: urivet's verdict, and the line of each installed reader."""
    record: bytes
    verdict: str
    lines: dict[rules.Reader, str]
    targets: dict[rules.Reader, rules.Target]
    known: list[rules.Difference]
    differing: list[str]

    @property
    def accepted(self) -> bool:
        return self.verdict.startswith("accept\t")

    @property
    def findings(self) -> list[str]:
        names = self.verdict.split("\t")[1]
        return [] if names == "-" else names.split(",")


def compared(record: bytes, verdict: str, lines: dict[rules.Reader, str]) -> Reading:
    """Applies known deviations to accepted input only; for refused input they are the differences to show."""
    written = rules.target(verdict)
    accepted = verdict.startswith("accept\t") and written is not None
    targets, known = rules.readings(lines, hostless=accepted), []
    if accepted:
        targets, known = rules.without_ways(targets, written)
    return Reading(record, verdict, lines, targets, known, rules.differing(targets))


def read(animals: Sequence[Animal], batch: Sequence[bytes], verdicts: Sequence[str]) -> Iterator[Reading]:
    answers = {animal.key: ask(animal, batch) for animal in animals if not animal.lacks}
    for number, (record, verdict) in enumerate(zip(batch, verdicts)):
        yield compared(record, verdict, {reader: lines[number] for reader, lines in answers.items()})


# ---- Shown as text -----------------------------------------------------------------------------------------------

def escaped(record: bytes) -> str:
    return "".join(chr(b) if 0x21 <= b <= 0x7E and b != 0x5C else f"\\x{b:02X}" for b in record)


def quoted(record: bytes) -> str:
    """Returns a shell word: printf for octets that cannot be literal."""
    if all(0x21 <= b <= 0x7E for b in record):
        return shlex.quote(record.decode("ascii"))
    return '"$(printf ' + shlex.quote("".join(f"\\{b:03o}" for b in record)) + ')"'


def describe(reading: Reading, versions: dict[str, str]) -> Iterator[str]:
    """Yields the input, and the readers grouped by their readings of the differing components."""
    verdict, findings = reading.verdict.split("\t")[:2]
    yield f"{escaped(reading.record)}"
    yield f"    urivet: {verdict}, {findings}; different: {', '.join(reading.differing) or 'nothing'}"
    shown = reading.differing or ["host", "port", "path", "query", "fragment"]
    for values, readers in rules.grouped(reading.targets, shown).items():
        told = "  ".join(f"{component}={value or '(empty)'}" for component, value in zip(shown, values))
        names = readers if len(readers) > 6 else [f"{r.name} ({versions[r.name]})" for r in readers]
        yield f"    {told}: {', '.join(n if isinstance(n, str) else n.name for n in names)}"
    silent = [reader.name for reader in reading.lines if reader not in reading.targets]
    if silent:
        yield f"    refuse it or find no host: {', '.join(silent)}"
    for row in reading.known:
        yield f"    {row.state}: {row.name}"
    yield f"    again: {os.path.relpath(ZOO / 'zoo.py', ROOT)} read {quoted(reading.record)}"


# ---- The judge ---------------------------------------------------------------------------------------------------

def shorter(record: bytes) -> list[bytes]:
    """Returns the record without each stretch of one to eight octets, the largest first."""
    return list(dict.fromkeys(record[:at] + record[at + size:] for size in (8, 4, 2, 1)
                              for at in range(len(record) - size + 1)))


def opponents(reading: Reading, animals: Sequence[Animal]) -> list[Animal]:
    """Returns one reader of each reading, so that the difference shows."""
    firsts = {readers[0] for readers in rules.grouped(reading.targets, reading.differing[:1]).values()}
    return [animal for animal in animals if animal.key in firsts]


def reduced(reading: Reading, animals: Sequence[Animal], options: Sequence[str]) -> Reading:
    """Returns a shorter accepted input on which readers still differ in the same component."""
    few = opponents(reading, animals)
    for _ in range(40):
        candidates = shorter(reading.record)
        verdicts = check(candidates, options)
        taken = [(r, v) for r, v in zip(candidates, verdicts) if judged(v)]
        if not taken:
            break
        found = next((x for x in read(few, *zip(*taken)) if reading.differing[0] in x.differing), None)
        if found is None:
            break
        reading = found
    return next(read(animals, [reading.record], [reading.verdict]))


def one_of_each(wrong: Sequence[Reading]) -> list[Reading]:
    """Returns the first input for each way in which the readers divide."""
    kinds: dict[object, Reading] = {}
    for reading in wrong:
        groups = rules.grouped(reading.targets, reading.differing[:1])
        kinds.setdefault((reading.differing[0], *map(frozenset, list(groups.values())[1:])), reading)
    return list(kinds.values())


def judged(verdict: str) -> bool:
    """Returns true if urivet accepts the input and its scheme is one that the gate covers."""
    columns = verdict.split("\t", 3)
    return columns[0] == "accept" and columns[2].lower() in ("http", "https")


def batches(args: argparse.Namespace) -> Iterator[list[bytes]]:
    source = records(args.count, args.seed, args.policy)
    while batch := list(islice(source, CHUNK)):
        yield batch


def judged_apart(taken: Sequence[bytes], options: Sequence[str]) -> list[str]:
    """Returns the equivalent spellings of accepted URLs that are refused."""
    pairs = [(url, other) for url in taken for other in rules.spellings(url)]
    found = []
    for (url, other), verdict in zip(pairs, check([other for _, other in pairs], options)):
        outcome, findings, _ = verdict.split("\t", 2)
        if outcome != "accept" and rules.OF_SPELLING.isdisjoint(findings.split(",")):
            found.append(f"{escaped(url)} is accepted, {escaped(other)} is not: {findings}")
    return found


def invited(name: str | None) -> list[Animal] | None:
    """Returns all readers if there are enough; or one, which is compared with the URL as written."""
    if name is None:
        animals = visit_all()
        return animals if enough(animals) else None
    OUT.mkdir(parents=True, exist_ok=True)
    animal = visit(row_of(name))
    if animal.lacks:
        print(f"zoo: {name}: {animal.lacks}", file=sys.stderr)
        return None
    return [animal, Animal(row_of(WRITTEN), version="what is written")]


def judge(args: argparse.Namespace) -> int:
    rules.leave_out(filter(None, args.without.split(",")))
    animals = invited(args.reader)
    if animals is None:
        return 2
    there = [animal for animal in animals if not animal.lacks]
    versions = {animal.row.name: animal.version for animal in there}
    start, inputs, accepted, known, wrong, apart = time.monotonic(), 0, 0, Counter(), [], []
    for batch in batches(args):
        taken = [(r, v) for r, v in zip(batch, check(batch, options_of(args))) if judged(v)]
        inputs, accepted = inputs + len(batch), accepted + len(taken)
        apart += judged_apart([record for record, _ in taken], options_of(args))
        for reading in read(there, *zip(*taken)) if taken else ():
            known.update(reading.known)
            if reading.differing:
                wrong.append(reading)
    for reading in one_of_each(wrong)[:SHOWN]:
        print("DISAGREE", *describe(reduced(reading, there, options_of(args)), versions), sep="\n  ")
    for told in apart[:SHOWN]:
        print("SPELLING", told)
    summarise(there, inputs, accepted, known, wrong, time.monotonic() - start)
    return 1 if wrong or apart else 0 if accepted else 2


def summarise(there: Sequence[Animal], inputs: int, accepted: int, known: Counter[rules.Difference],
              wrong: Sequence[Reading], seconds: float) -> None:
    for animal in there:
        if animal.deaths:
            print(f"zoo: {animal.row.name} ({animal.version}) died of {animal.deaths} inputs, counted as refused")
    for row, count in known.most_common():
        print(f"zoo: {count} times {row.name}, {row.state}: {row.why}")
    if wrong:
        kinds = Counter(reading.differing[0] for reading in wrong)
        print("zoo: by component:", ", ".join(f"{component} {count}" for component, count in kinds.most_common()))
    share = 100 * accepted / max(inputs, 1)
    print(f"zoo: {len(there)} readers, {inputs} inputs, {accepted} accepted ({share:.0f} %), {len(wrong)} differences "
          f"beside {sum(known.values())} excused or open, {seconds:.0f} s")


# ---- Other commands ----------------------------------------------------------------------------------------------

def show(args: argparse.Namespace) -> int:
    animals = [animal for animal in visit_all() if not animal.lacks]
    batch = [os.fsencode(url) for url in args.urls]
    width = max(len(animal.row.name) for animal in animals)
    for reading in read(animals, batch, check(batch, options_of(args))):
        for reader, line in reading.lines.items():
            print(f"{reader.name:{width}}  {line}")
        print(*describe(reading, {animal.row.name: animal.version for animal in animals}), sep="\n")
    return 0


def report(args: argparse.Namespace) -> int:
    from page import write_page, write_readings
    animals = visit_all()
    if not enough(animals):
        return 2
    batch = given(args.files) if args.files else corpus(args.seed)
    if not batch:
        raise RuntimeError("no inputs in " + " ".join(args.files))
    readings = list(read(animals, batch, check(batch, options_of(args))))
    write_readings(OUT / "readings.tsv", readings)
    write_page(OUT / "report.html", animals, readings)
    print_readers(animals)
    print(f"zoo: {len(readings)} inputs, {sum(bool(r.differing) for r in readings)} on which readers differ, "
          f"{sum(bool(r.differing) and r.accepted for r in readings)} of them accepted; build/zoo/report.html")
    return 0


def print_readers(animals: Sequence[Animal]) -> None:
    for animal in animals:
        print(f"{animal.row.name:15}  {animal.version or 'SKIPPED, ' + animal.lacks}")


def readers(args: argparse.Namespace) -> int:
    animals = visit_all()
    print_readers(animals)
    return 0 if enough(animals) else 2


def outcome(name: str, args: argparse.Namespace) -> int:
    """Returns the exit status of a command; 2 after printing a missing requirement."""
    try:
        return args.run(args)
    except (OSError, RuntimeError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run in (("report", report), ("judge", judge), ("read", show), ("readers", readers)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--policy", choices=("strict", "public", "any"), default="strict")
        command.add_argument("--allow", metavar="IDS", help="findings that urivet waives: shows what a rule is for")
        command.add_argument("--seed", default="1", help="names the inputs; the same seed gives the same ones")
        if name == "judge":
            command.add_argument("--reader", metavar="NAME", help="this one alone, against what is written")
            command.add_argument("--count", type=int, default=20000, help="inputs to generate")
            command.add_argument("--without", metavar="NAMES", default="",
                                 help="rows of allowed.tsv that count as differences: shows what they are for")
        if name == "read":
            command.add_argument("urls", nargs="+", metavar="URL")
        if name == "report":
            command.add_argument("files", nargs="*", metavar="FILE", help="inputs, one a line; or folders, a file each")
    return outcome("zoo", parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
