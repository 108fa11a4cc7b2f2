#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares your own parser with all others.

    versus.py './prog --option'      NUL-terminated records in, a line of ten columns each out
    versus.py mine.py                or a file in C, Python, Go or JavaScript, made from one of templates/
    versus.py --reader=neon          or a reader of fuzz/lab/zoo

The inputs are the corpus and the examples of each finding, then each octet in each component, then
generated URLs, then mutants of those that showed something new.  The report lists, the worst first, how
the reader differs from others, by the finding of urivet that names the difference, each with its smallest
input. It also lists crashes, hangs and unreadable answers.

Exit status: 0 no consequences; 1 differences, false refusals or failures; 2 the reader could not be run.
"""
from __future__ import annotations

import argparse
import os
import random
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import telling
from candidate import Candidate, Trouble, unreadable
from cutting import Groups, broken
from judging import Judge, Judged, rules, zoo

sys.path.append(str(Path(__file__).resolve().parents[1] / "zoo"))

import inputs  # noqa: E402
from page import catalogue  # noqa: E402

HERE = Path(__file__).resolve().parent
OUT = zoo.ROOT / "build" / "versus"
PLAIN = (b"http://example.com/a?b#c", b"https://www.example.org/index.html", b"http://192.0.2.1:8080/")
CONTROLS = (*PLAIN, b"http://example.com/\xff \\|", b"", b"x y", b"http://[")
LONGEST = 2000          # octets of an input
BATCH = 2000            # inputs judged at once
POOL = 3000             # inputs that mutants are made from


# ---- The program -------------------------------------------------------------------------------------------------

# By file extension: how to build it, how to run it, and the package that does so.
LANGUAGES = {
    ".c": ("cc -std=gnu11 -O1 -g -I{fuzz}/lab/zoo -I{fuzz}/lab/yours {file} -o {out}", "{out}", "gcc libc6-dev"),
    ".py": ("", "python3 {file}", "python3"),
    ".js": ("", "node {file}", "nodejs"),
    ".go": ("GO111MODULE=off go build -o {out} {file}", "{out}", "golang-go"),
}


def command_of(mine: str, folder: Path) -> str:
    """Returns the command that runs it: itself, or the interpreter or build of a known language."""
    path = folder / mine
    if path.suffix not in LANGUAGES and path.is_file() and not path.stat().st_mode & 0o111:
        raise RuntimeError(f"{mine} is no program: name the command that runs it, as in MINE='perl {mine}' "
                           f"({', '.join(LANGUAGES)} are run by themselves)")
    if path.suffix not in LANGUAGES or not path.is_file() or path.stat().st_mode & 0o100:
        return mine
    build, run, package = LANGUAGES[path.suffix]
    places = {"fuzz": shlex.quote(str(HERE.parents[1])), "file": shlex.quote(str(path)),
              "out": shlex.quote(str(OUT / path.stem))}
    done = zoo.shell(build.format(**places)) if build else None
    if done and done.returncode != 0:
        raise RuntimeError(f"{mine} does not compile (it takes the Debian package {package}): "
                           f"{done.stderr.decode('utf-8', 'replace')[-1500:]}")
    return run.format(**places)


def candidate_of(args: argparse.Namespace) -> tuple[Candidate, set[str]]:
    """Returns the reader under test, and the components that it does not show."""
    blind = set(filter(None, args.blind.split(",")))
    if unknown := blind - set(rules.COMPONENTS):
        raise RuntimeError(f"no component {', '.join(sorted(unknown))}: there are {', '.join(rules.COMPONENTS)}")
    if not args.reader:
        return Candidate(command_of(args.mine, Path.cwd()), Path.cwd(), args.limit), blind
    row = zoo.row_of(args.reader)
    animal = zoo.visit(row)
    if animal.lacks:
        raise RuntimeError(f"{row.name}: {animal.lacks}")
    settings = "; ".join(f"export {name}={shlex.quote(zoo.environment()[name])}"
                         for name in ("ZOO", "OUT", "NODE_PATH", "PYTHON", "URIVET", "LC_ALL"))
    return Candidate(f"{settings}; {row.run}", zoo.ROOT, args.limit), blind | row.blind


def introduced(mine: Candidate) -> None:
    """Tries plain URLs first: a reader that cannot answer these is shown the format and not judged. It may
    start slowly."""
    patient = mine.patient()
    answers = [(record, patient.run([record])) for record in PLAIN]
    reads = [record for record, run in answers if not run.trouble and not unreadable(run.lines[0])]
    if not reads:
        record, run = answers[0]
        how = f"{run.trouble.kind}, {run.trouble.how}" if run.trouble else unreadable(run.lines[0])
        said = f"\n    it printed: {telling.escaped(run.lines[0])[:200]}" if run.lines else ""
        raise RuntimeError(f"{mine.command} cannot be judged: of {telling.escaped(record)} it says nothing readable: {how}{said}\n"
                           "    Each record ends in NUL, not in LF. A record asks for one line, ended by LF, of ten columns parted by\n"
                           "    tabs: accept or reject, -, scheme, userinfo, host, port, path, query, fragment, effective port; \\N for\n"
                           "    what is absent. fuzz/lab/yours/templates has programs that do.")
    mine.take_pace([*CONTROLS, *(PLAIN * 10)])
    mine.runs.clear()


def partners(names: str, mine: str) -> list[zoo.Animal]:
    """Returns the readers to compare with: urivet's own, and those of fuzz/lab/zoo. Missing ones are listed
    with the reason."""
    zoo.OUT.mkdir(parents=True, exist_ok=True)
    wanted = set(filter(None, names.split(",")))
    known = {row.name for row in zoo.rows()}
    if unknown := wanted - known:
        raise RuntimeError(f"the zoo has no reader {', '.join(sorted(unknown))}: there are {', '.join(sorted(known))}")
    asked = [row for row in zoo.rows() if row.name != mine and (not wanted or row.name in wanted or row.ours)]
    animals = []
    for row in asked:
        if sys.stderr.isatty():
            print(f"\r\033[Kversus: {row.name} is looked for, and built if it is here", end="", file=sys.stderr, flush=True)
        animals.append(zoo.visit(row))
    return animals


# ---- The phases --------------------------------------------------------------------------------------------------

def usable(records: Iterator[bytes] | Sequence[bytes]) -> list[bytes]:
    return [record for record in dict.fromkeys(records) if b"\0" not in record and len(record) <= LONGEST]


def table() -> list[bytes]:
    """Returns the inputs of corpus/verdicts.tsv, of the catalogue and of the corpus, and URLs in use."""
    rows = (inputs.CORPUS / "verdicts.tsv").read_text(encoding="ascii").splitlines()[1:]
    told = [inputs.c_string(row.split("\t")[0]) for row in rows]
    return usable([*told, *inputs.catalogue(), *inputs.corpus_files(), *inputs.REAL])


# Places where each octet is tried, raw and as a triplet in both letter cases: octets that crash a reader
# are rare elsewhere.
PLACES = ("h%stp://ex.org/", "http://u%s@ex.org/", "http://a%sb.org/", "http://ex.org:8%s0/", "http://ex.org/a%sb",
          "http://ex.org/?a%sb", "http://ex.org/#a%sb", "http://ex.org/%s")


def octets() -> list[bytes]:
    """Returns inputs with each octet in each component."""
    texts = [text for octet in range(1, 256) for text in (chr(octet), f"%{octet:02X}", f"%{octet:02x}")]
    return usable((place % text).encode("latin-1") for place in PLACES for text in texts)


def generated(count: int, seed: str) -> Iterator[bytes]:
    """Yields URLs, half by the grammar of strict, half by that of the policy any."""
    yield from inputs.records(count // 2, seed)
    yield from inputs.records(count - count // 2, seed, "any")


@dataclass(frozen=True)
class Progress:
    """Progress lines on standard error, if that is a terminal."""
    start: float
    shown: bool

    def say(self, phase: str, done: str, groups: Groups) -> None:
        if self.shown:
            worst = next((group.witness.component for group in groups.ranked()), "") or "none"
            print(f"\r\033[Kversus: {phase}: {done}; {len(groups.groups)} kinds so far, the gravest about: {worst}; "
                  f"{time.monotonic() - self.start:.0f} s", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Contest:
    """The comparison of a reader, phase after phase."""

    def __init__(self, judge: Judge, progress: Progress) -> None:
        self.judge, self.progress, self.start = judge, progress, progress.start
        self.groups = Groups(judge)
        self.phases: list[tuple[str, int, float]] = []
        self.pool: list[bytes] = []
        self.shapes: set[object] = set()

    def keep(self, cases: Sequence[Judged]) -> None:
        """Keeps an input of each new sort for mutation."""
        for case in cases:
            shape = self.groups.sort_of(case)
            if shape not in self.shapes and len(self.pool) < POOL:
                self.shapes.add(shape)
                self.pool.append(case.record)

    def run(self, phase: str, records: Sequence[bytes]) -> None:
        begun, cases = time.monotonic(), []
        for at in range(0, len(records), BATCH):
            cases += self.judge.judge(records[at:at + BATCH], counted=True)
            self.progress.say(phase, f"{min(at + BATCH, len(records)):,} of {len(records):,} inputs", self.groups)
        self.keep(cases)
        self.groups.add(cases, phase, self.start)
        self.phases.append((phase, len(records), time.monotonic() - begun))

    def fuzz(self, seconds: float, seed: str) -> None:
        """Judges mutants of interesting inputs and of URLs in use until the time is over."""
        begun, count, chance = time.monotonic(), 0, random.Random(f"versus {seed}")
        mutator, cases = inputs.Mutator(f"versus {seed}"), []
        while time.monotonic() - begun < seconds:
            pool = self.pool + list(inputs.REAL)
            batch = usable(self.mutant(mutator, chance.choice(pool), chance) for _ in range(BATCH))
            found = self.judge.judge(batch, counted=True)
            count += len(batch)
            self.keep(found)
            cases += found
            self.progress.say("fuzzed", f"{count:,} mutants", self.groups)
        self.groups.add(cases, "fuzzed", self.start)
        self.phases.append(("fuzzed", count, time.monotonic() - begun))

    @staticmethod
    def mutant(mutator: inputs.Mutator, record: bytes, chance: random.Random) -> bytes:
        for _ in range(chance.choice((1, 1, 2, 3))):
            record = mutator.mutated(record)
        return record.replace(b"\0", b"\1")

    def confirm(self) -> None:
        """Runs each witness alone in a new process, which detects answers to another record."""
        for group in self.groups.ranked()[:200]:
            run = self.judge.mine.run([group.witness.record])
            if run.trouble is None and run.lines[0].decode("ascii", "replace") != group.witness.line:
                self.judge.mine.blame(group.witness.record, Trouble("unsteady", "answered otherwise when asked alone"))


def contest(args: argparse.Namespace, mine: Candidate, blind: set[str], animals: list[zoo.Animal]) -> Contest:
    judge = Judge(mine, animals, blind, catalogue(zoo.environment()["URIVET"]))
    held = Contest(judge, Progress(time.monotonic(), sys.stderr.isatty()))
    first = usable(inputs.given(args.files)) if args.files else table()
    held.run("given" if args.files else "table", first)
    lines = mine.ask(sample := first[:500])
    mine.unsteady(sample, lines)
    if not args.files:
        held.run("octets", octets())
    if args.count:
        held.run("generated", usable(generated(args.count, args.seed)))
    if args.time:
        held.fuzz(args.time, args.seed)
    held.confirm()
    return held


# ---- The command -------------------------------------------------------------------------------------------------

def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="versus.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mine", nargs="?", metavar="COMMAND", help="for sh; or a file in C, Python, Go or JavaScript")
    parser.add_argument("--reader", metavar="NAME", help="a reader of the zoo instead")
    parser.add_argument("--against", default="", metavar="NAMES", help="compare with these of the zoo and urivet's own; default: all here")
    parser.add_argument("--blind", default="", metavar="PARTS", help="components that it does not show, parted by commas")
    parser.add_argument("--count", type=int, default=20000, help="inputs to generate (default 20000; 0 for none)")
    parser.add_argument("--time", type=float, default=20, help="seconds of fuzzing (default 20; 0 for none)")
    parser.add_argument("--seed", default="1", help="names the inputs; the same seed gives the same ones")
    parser.add_argument("--limit", type=float, default=3, help="seconds in which it has to answer something (default 3)")
    parser.add_argument("--files", nargs="+", metavar="FILE", help="inputs instead of the corpus: one a line, or folders")
    parser.add_argument("--with-most", action="store_true", help="what others read apart is no difference where most of them read as it does")
    parser.add_argument("-o", "--output", metavar="FILE", help="the report as a page, .html, or as a table, .tsv; more than once",
                        action="append", default=[])
    parser.add_argument("--colour", "--color", choices=("auto", "always", "never"), default="auto")
    args = parser.parse_args()
    if bool(args.mine) == bool(args.reader):
        parser.error("name a command, or a reader of the zoo with --reader")
    if args.limit <= 0 or args.count < 0 or args.time < 0:
        parser.error("--limit is above 0, --count and --time are not below")
    if odd := [name for name in args.output if not name.endswith((".html", ".tsv"))]:
        parser.error(f"-o {odd[0]}: a name ends in .html or .tsv")
    return args


def main() -> int:
    args = arguments()
    OUT.mkdir(parents=True, exist_ok=True)
    try:
        mine, blind = candidate_of(args)
        introduced(mine)
        others = partners(args.against, args.reader or "")
        held = contest(args, mine, blind, [animal for animal in others if not animal.lacks])
        held.progress.end()
        facts = telling.facts_of(args, held, broken(mine), [animal for animal in others if animal.lacks])
        for name in args.output:
            telling.write(Path(name), facts)
        telling.show(facts, args.colour)
        sys.stdout.flush()
        return facts["status"]
    except KeyboardInterrupt:
        print("\nversus: interrupted", file=sys.stderr)
        return 2
    except BrokenPipeError:     # the reader of the output has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except (OSError, RuntimeError) as error:
        print(f"versus: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
