#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation tests: checks that a test fails for each small mistake in the core.

    python3 tests/gates/mutate/run.py [--jobs N] [--sample N] [--files FILE...] [--prune]

Each mutant of mutants.py is compiled by tcc in milliseconds, of a header the sources that see it, and put before the
sound core of build/mutate/killer by LD_PRELOAD.  The tests that reach its function are run until one fails: the one
that killed it in the last run, those that killed its neighbours, the quick ones, and those that take long, of a source
with gcc's code.  What is left meets the languages' conformance suites, if no rule of survivors.txt names it.  What
compiles to the same code under gcc -O2 is no mutant at all; what else is left counts against the score.

Of those that rules of survivors.txt name, which need not be killed, one in four is tried: not many may be killed.

What was judged stays judged in build/mutate/judged.tsv: while the core is the same, a mutant meets again only suites of
tests that have changed, if it survived or one of them killed it.  So a run goes on where another was interrupted.

What the killers expect comes from standards, models and other programs, never from the sound core.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Iterable, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import core  # noqa: E402
import survivors
from mutants import Mutant, mutants_of
from survivors import FILES

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build/mutate"
# its _Generic does not know the type of a literal: the spelling for provers, which do not either
TCC = ["tcc", "-std=c11", "-w", "-D__FRAMAC__", "-shared"]
GCC = ["gcc", "-std=c11", "-w", "-O2", "-g0", "-fno-ident", "-fPIC", "-c"]
LINK = [*GCC[:-1], "-shared"]
WITHOUT_VECTORS = [*LINK, "-DURIVET_VECTORS=0"]
# tcc has no vectors: these are compiled by gcc, for AVX2 and SSE2 and for SSE2 alone; and what of the sources of BOTH
# survives without vectors meets all tests with them
VECTORED = {"src/core/plain/vector.c": ["src/core/plain/vector.c"], "src/core/plain/vector_sse2.c": ["src/core/plain/vector_sse2.c"],
            "src/core/plain/vector_avx2.c": ["src/core/plain/vector_avx2.c"], "src/core/plain/masks.h": ["src/core/plain/vector_sse2.c", "src/core/plain/vector_avx2.c"],
            "src/core/plain/escapes.h": ["src/core/plain/vector_sse2.c", "src/core/plain/vector_avx2.c"]}
BOTH = ("src/core/check/check.c", "src/core/plain/parts.c", "src/core/plain/plain.h")
# Name, grammar, extra states, length: the editions, the smallest grammar first, and the gate.
LANGUAGES = (*((row.name, row.grammar, "0", "3") for row in sorted(
    core.editions(), key=lambda row: (ROOT / f"tests/gates/grammar/{row.grammar}.abnf").stat().st_size)),
             ("gate", "gate", "0", "2"))
# Where the suites of the languages are tried, and which; that of the gate takes long.
ALL = tuple(language for language, *_ in LANGUAGES)
GRAMMATICAL = {"chars": ALL, "text": ALL, "uri": ALL, "parse": ("rfc3986",), "ip": ALL[:-1],
               "reader": ALL[:-1], "edition": ALL[:-1], "host": ALL[:-1], "rules_port": ("gate",),
               "plain": ("gate",), "rules_literal": ("gate",)}
# Tests that take long are run for the files they are about: those of their suite's name, if nothing is said here.
LONG = 0.12             # seconds with the sound core
ABOUT = {"linear": (), "vector": ("vector", "vector_sse2", "vector_avx2", "masks", "escapes", "plain", "check"),
         "host": ("host", "utf8", "punycode"), "compatibility": ("compatibility", "utf8"), "scan": ("scan", "text_end"), "report": ("plain", "check"),
         "compare": ("compare", "agree"), "normal": ("normal", "compose", "edition"),
         "resolve": ("resolve", "compose", "edition"), "readers": ("read_as", "reader", "edition"),
         "lists": ("lists", "index"), "compiled": ("compiled", "compiled_open"), "urls": ("url_rules",),
         "browser": ("browser", "browser_host", "browser_text"), "model": ("*",)}
FLOOR = 98.0            # of those without a reason: room for what a change of the source moves
CPU = 0.2               # seconds a test may take beside so many times what it takes: tcc does not optimise
TIMES = 40
BY_TIME = " by time"
DEAD = ("invalid", "killed", "same")
ENOUGH = 300            # mutants that rules are about and that were tried, to say whether these are too wide
TRIED = 4               # one in so many of those that rules name is tried, to say whether the rules are too wide
TIME_LIMIT = 300        # seconds of the clock for one mutant, whatever happens


@dataclass
class Tests:
    """The tests, fastest first, and those that reach each function."""
    order: list[str]
    reach: dict[str, set[str]]
    state: dict[str, str]       # digests: of the core and what runs the tests, of each suite
    languages: set[str]         # functions that the conformance suites reach
    seconds: dict[str, float]

    def run(self, names: list[str], library: Path, **more: object) -> subprocess.CompletedProcess[str]:
        """Runs tests until one fails or takes too long; `library` comes before the sound core."""
        limits = [word for name in names for word in (name, f"{CPU + TIMES * self.seconds[name]:.2f}")]
        return call([str(BUILD / "killer"), "run", *limits], env=environment(library), **more)

    def of(self, mutant: Mutant) -> list[str]:
        reached = self.reach.get(mutant.function)   # without vectors: what only these use has no tests in it
        return [test for test in self.order if (
            (not reached or test in reached) if self.seconds[test] < LONG else
            {stem(mutant.file), "*"} & set(ABOUT.get(suite_of(test), (suite_of(test),))))]


def stem(name: str) -> str:
    return Path(name).stem


def suite_of(test: str) -> str:
    return test.split("/")[0]


def call(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **more)  # type: ignore


def environment(library: Path | None) -> dict[str, str]:
    extra = {} if library is None else {"LD_PRELOAD": str(library)}
    return {**os.environ, "EXPECTED": str(BUILD), **extra}


@cache
def including(header: str) -> list[str]:
    """Returns the sources that see a header."""
    rules = call(["gcc", "-MM", "-Iinclude", "-Isrc/core", *core.sources()], cwd=ROOT).stdout.replace("\\\n", " ")
    return [words[1] for words in map(str.split, rules.splitlines()) if header in words]


@cache
def sound_code(source: str) -> bytes:
    return code_of(source, ROOT)


def code_of(source: str, folder: Path) -> bytes:
    """Returns the machine code that gcc generates of a source below the folder."""
    with tempfile.NamedTemporaryFile(dir=BUILD) as target:
        call([*GCC, "-Iinclude", "-Isrc/core", "-o", target.name, source], cwd=folder)
        return Path(target.name).read_bytes()


class Worker:
    """A copy of the sources, in which one file is replaced by the mutant under test."""
    count = 0
    lock = threading.Lock()

    def __init__(self) -> None:
        with Worker.lock:
            Worker.count += 1
            self.folder = BUILD / f"worker{Worker.count}"
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in core.files(".c", ".h", ".def"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        shutil.copytree(ROOT / "include", self.folder / "include")
        self.library = self.folder / "mutant.so"

    @staticmethod
    def sources(name: str) -> list[str]:
        if name in VECTORED:
            return VECTORED[name]
        return [name] if name.endswith(".c") else including(name)

    def compile(self, name: str, compiler: list[str]) -> bool:
        compiler = LINK if name in VECTORED else compiler
        done = call([*compiler, "-Iinclude", "-Isrc/core", "-o", str(self.library), *self.sources(name)], cwd=self.folder)
        return done.returncode == 0

    def compile_sse2(self, name: str) -> bool:
        """Compiles the whole core with SSE2 only."""
        sources = self.sources(name)
        others = [str(path) for path in sorted((BUILD / "sse2").glob("*.o")) if path.stem not in map(stem, sources)]
        done = call([*LINK, "-DURIVET_VECTORS=1", "-Iinclude", "-Isrc/core", "-o", str(self.library), *sources, *others],
                    cwd=self.folder)
        return done.returncode == 0

    def same(self, name: str) -> bool:
        """Whether gcc generates the machine code of the sound core."""
        return all(code_of(source, self.folder) == sound_code(source) for source in self.sources(name))


@dataclass
class Verdict:
    mutant: Mutant
    kind: str           # invalid, killed, same, alive; if a rule names it, no code is compared: named (alive), untried
    killer: str = ""


class Before(NamedTuple):
    """What is known of a mutant of this core, nothing for an empty kind; the test that killed it, be it of another core;
    what has changed since."""
    kind: str = ""
    killer: str = ""
    changed: frozenset[str] = frozenset()


class Run:
    def __init__(self, tests: Tests, rules: survivors.Rules) -> None:
        self.tests = tests
        self.rules = rules
        self.sound = {name: (ROOT / name).read_text(encoding="utf-8") for name in FILES}
        self.killers: dict[str, Counter[str]] = defaultdict(Counter)
        self.local = threading.local()
        self.lock = threading.Lock()
        self.journal = BUILD / "judged.tsv"
        self.before: dict[tuple, Before] = defaultdict(Before)
        self.read_journal()

    def read_journal(self) -> None:
        """Reads lines with digests, each followed by the verdicts of a run; the last of a mutant counts."""
        changed = frozenset(self.tests.state)
        for line in self.journal.read_text(encoding="utf-8").splitlines() if self.journal.exists() else ():
            if line.startswith("{"):
                changed = frozenset(dict(self.tests.state.items() - json.loads(line).items()))
            elif len(row := line.split("\t")) == 7:     # it may have been cut short
                kept = not changed or "core" not in changed and (
                    row[5] != "killed" or suite_of(row[6]) in self.tests.state.keys() - changed)
                self.before[(*row[:4], int(row[4]))] = Before(row[5] if kept else "", row[6], changed)
        if changed:
            self.write(json.dumps(self.tests.state))

    def write(self, line: str) -> None:
        with self.lock, open(self.journal, "a", encoding="utf-8") as file:
            print(line, file=file)

    def known(self, mutant: Mutant) -> Verdict | None:
        """Returns the verdict, if nothing has changed that it depends on."""
        before = self.before[mutant.key]
        if not before.kind or before.kind not in DEAD and before.changed or (
                before.kind == "named" and self.rules.rule_for(mutant) is None):
            return None
        return Verdict(mutant, before.kind, before.killer)

    def worker(self) -> Worker:
        if not hasattr(self.local, "worker"):
            self.local.worker = Worker()
        return self.local.worker

    def ordered(self, mutant: Mutant) -> list[str]:
        before = self.before[mutant.key]
        tests = [test for test in self.tests.of(mutant) if not before.kind or suite_of(test) in before.changed]
        with self.lock:
            often = {**(self.killers[mutant.file] + self.killers[mutant.function]), before.killer.removesuffix(BY_TIME): math.inf}
        return sorted(tests, key=lambda test: self.tests.seconds[test] / (1 + often.get(test, 0)))

    def is_tried(self, mutant: Mutant) -> bool:
        """Draws one in TRIED of the mutants that rules name, others for each state of the core."""
        return int(digest_of([self.tests.state["core"].encode(), repr(mutant.key).encode()]), 16) % TRIED == 0

    def killed_by(self, worker: Worker, mutant: Mutant, least: float = 0, most: float = math.inf) -> str:
        """Returns the test that fails, of those that take at least and less than so many seconds with the sound core."""
        tests = [test for test in self.ordered(mutant) if least <= self.tests.seconds[test] < most]
        if tests:
            try:
                done = self.tests.run(tests, worker.library, timeout=TIME_LIMIT)
            except subprocess.TimeoutExpired:
                return "by the clock"
            if done.returncode > 1:
                raise SystemExit(f"mutate: killer: {done.stdout}{done.stderr}")
            if done.returncode != 0:
                return done.stdout.strip().split("\n")[-1] if done.returncode == 1 else f"signal {-done.returncode}"
        return ""

    def refused_by_language(self, worker: Worker, mutant: Mutant) -> str:
        """Returns the language whose ABNF automata find a difference."""
        if mutant.function not in self.tests.languages and mutant.function in self.tests.reach:
            return ""
        env = environment(worker.library)
        for language, grammar, extra, length in LANGUAGES:
            if language not in GRAMMATICAL.get(Path(mutant.file).stem, ()):
                continue
            command = [str(BUILD / "conform"), language, f"build/grammar/{grammar}.dfa", extra, length]
            try:
                done = call(command, env=env, cwd=ROOT, timeout=60)
            except subprocess.TimeoutExpired:
                return f"grammar {language} by the clock"
            if done.returncode != 0:
                return f"grammar {language}"
        return ""

    def judge(self, mutant: Mutant) -> Verdict:
        verdict = self.judged(mutant)
        if verdict.kind != "untried":       # which is drawn anew: a mutant that loses its rule has met no test
            self.write("\t".join(map(str, (*mutant.key, verdict.kind, verdict.killer))))
        return verdict

    def judged(self, mutant: Mutant) -> Verdict:
        named = self.rules.rule_for(mutant) is not None
        if named and not self.is_tried(mutant):
            return Verdict(mutant, "untried")
        worker = self.worker()
        path = worker.folder / mutant.file
        try:
            path.write_text(mutant.apply(self.sound[mutant.file]), encoding="utf-8")
            is_header = not mutant.file.endswith(".c") and mutant.file not in BOTH  # that many sources see
            # what is likely to survive meets all tests, which takes less time in gcc's code, if one source is compiled
            optimised = named and not is_header
            if not worker.compile(mutant.file, WITHOUT_VECTORS if optimised else TCC):
                return Verdict(mutant, "invalid")
            killer = self.killed_by(worker, mutant, most=LONG)
            compared = named or self.before[mutant.key].kind == "alive"
            if not killer and not compared and worker.same(mutant.file):
                return Verdict(mutant, "same")
            if not killer and (is_header or optimised and mutant.file not in BOTH or worker.compile(mutant.file, LINK)):
                killer = self.killed_by(worker, mutant, least=0 if mutant.file in BOTH else LONG)
            if not killer and mutant.file in VECTORED and worker.compile_sse2(mutant.file):
                killer = self.killed_by(worker, mutant)
            if not killer and not compared:
                killer = self.refused_by_language(worker, mutant)
            if killer:
                with self.lock:
                    self.killers[mutant.file][killer.removesuffix(BY_TIME)] += 1
                    self.killers[mutant.function][killer.removesuffix(BY_TIME)] += 10
                return Verdict(mutant, "killed", killer)
            return Verdict(mutant, "named" if named else "alive")
        finally:
            path.write_text(self.sound[mutant.file], encoding="utf-8")


def prepare() -> Tests:
    """Builds, measures and traces; the original core, compiled like the mutants, must pass."""
    make = os.environ.get("MAKE", "make")
    for command in ([make, "-s", "-j2", "VARIANT=mutate", "build/mutate/killer", "build/mutate/conform"],
                    [make, "-s", "-j2", "VARIANT=trace", "build/trace/libcore.so"],
                    [make, "-s", "tables"],
                    [sys.executable, "-B", "tests/gates/mutate/expected.py", "build/mutate"]):
        done = call(command, cwd=ROOT)
        if done.returncode != 0:
            raise SystemExit(f"mutate: {' '.join(command)}: {done.stdout}{done.stderr}")
    sound = BUILD / "sound.so"
    sources = core.sources()
    done = call([*TCC, "-Iinclude", "-Isrc/core", "-o", str(sound), *sources], cwd=ROOT)
    if done.returncode != 0:
        raise SystemExit(f"mutate: tcc: {done.stderr}")
    shutil.rmtree(BUILD / "sse2", ignore_errors=True)
    (BUILD / "sse2").mkdir()
    for source in sources:
        call([*GCC, "-DURIVET_VECTORS=1", "-Iinclude", "-Isrc/core", "-o", f"build/mutate/sse2/{stem(source)}.o", source],
             cwd=ROOT)
    state = state_of()
    kept = BUILD / f"prepared-{digest_of(map(str.encode, sorted(state.values())))}.json"
    if not kept.exists():
        for old in BUILD.glob("prepared-*.json"):
            old.unlink()
        seconds = measured()
        kept.write_text(json.dumps([seconds, *traced([name for name, took in seconds.items() if took < LONG])]))
    seconds, reach, languages = json.loads(kept.read_text())
    tests = Tests(sorted(seconds, key=lambda name: seconds[name]), {name: set(found) for name, found in reach.items()},
                  state, set(languages), seconds)
    if unknown := {suite_of(name) for name in seconds} - state.keys():
        raise SystemExit(f"mutate: no file of tests/core/unit has tests of {', '.join(sorted(unknown))}")
    done = tests.run([name for name in tests.order if seconds[name] < LONG], sound)
    if done.returncode != 0:
        raise SystemExit(f"mutate: a test fails with the sound core of tcc: {done.stdout}{done.stderr}")
    return tests


def digest_of(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def state_of() -> dict[str, str]:
    """Returns the digests of the core with what runs the tests, and of each suite."""
    frame = [*map(ROOT.joinpath, core.files(".c", ".h", ".def")), *ROOT.glob("include/**/*.*"), *ROOT.glob("tests/*.h"),
             *ROOT.glob("tests/core/unit/support.*"), *ROOT.glob("tests/core/standalone/**/*.[ch]"),
             *ROOT.glob("tests/gates/mutate/[km]*.[cp]*")]
    suites: dict[str, list[bytes]] = defaultdict(list)
    suites["model"] = [(BUILD / name).read_bytes() for name in ("inputs.tsv", "rows.tsv")]
    for path in sorted(ROOT.glob("tests/core/unit/test_*.c")):
        text = path.read_bytes()
        for suite in set(re.findall(rb"^Test\((\w+),", text, re.M)):
            suites[suite.decode()].append(text)
    how = repr((TCC, GCC, VECTORED, BOTH, LANGUAGES, GRAMMATICAL, CPU, TIMES)).encode()
    return {"core": digest_of((how, *(path.read_bytes() for path in sorted(frame)))),
            **{suite: digest_of((repr(ABOUT.get(suite)).encode(), *texts)) for suite, texts in sorted(suites.items())}}


def measured() -> dict[str, float]:
    lines = call([str(BUILD / "killer"), "measure"], env=environment(None)).stdout.splitlines()
    seconds = {}
    for line in lines:
        name, took, failed = line.rsplit(" ", 2)
        if failed != "0":
            raise SystemExit(f"mutate: {name} fails with the sound core")
        seconds[name] = float(took)
    return seconds


def traced(names_of_tests: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Returns the tests that reach each function, and the functions that the conformance suites may reach."""
    library = ROOT / "build/trace/libcore.so"
    names = defaultdict(set)
    for line in call(["nm", str(library)]).stdout.splitlines():
        address, *_, name = line.split() if line[0] != " " else ("", "")
        if address:
            names[int(address, 16)].add(name)
    reach: dict[str, set[str]] = {name: set() for found in names.values() for name in found}
    for line in call([str(BUILD / "killer"), "trace", *names_of_tests], env=environment(library)).stdout.splitlines():
        test, *offsets = line.split()
        for offset in offsets:
            for name in names[int(offset, 16)]:
                reach[name].add(test)
    if len(reach.get("urivet_check_sized", ())) < 20:
        raise SystemExit("mutate: the trace shows nothing")
    # what is no function is reached by whatever it is used by, which is not known
    defined = {line.split()[-1] for line in call(["nm", str(library)]).stdout.splitlines() if " t " in line.lower()}
    # the suites of tests/gates/grammar call two functions of the library: what these may reach, by file
    languages = {name for name in defined if reach[name] & {"model/any", "readers/drafts", "model/strict"}}
    languages |= {name for name in defined if any(test.startswith("readers/") for test in reach[name])}
    return {name: sorted(tests) for name, tests in reach.items() if name in defined}, sorted(languages)


def sampled(mutants: list[Mutant], count: int) -> list[Mutant]:
    """Returns the same sample everywhere, as long as the source is the same."""
    def rank(mutant: Mutant) -> bytes:
        return hashlib.sha256("\t".join(map(str, mutant.key)).encode()).digest()
    return sorted(mutants, key=rank)[:count] if count else mutants


def stale(rules: survivors.Rules, everything: list[Mutant], verdicts: list[Verdict]) -> list[tuple[survivors.Rule, str]]:
    """Returns the parts of rules that match no mutant, and functions of which all mutants were tried and
    killed."""
    dead = {verdict.mutant.key for verdict in verdicts if verdict.kind in DEAD}
    about: dict[tuple[int, str], list[Mutant]] = defaultdict(list)
    for mutant in everything:
        rule = rules.rule_for(mutant)
        if rule:
            about[rule.number, mutant.function].append(mutant)
    found = rules.stale()
    for rule in rules.rules:
        for name in rule.functions:
            mutants = about.get((rule.number, name), [])
            if mutants and all(mutant.key in dead for mutant in mutants):
                found.append((rule, name))
    return found


def beyond(rules: survivors.Rules, verdicts: list[Verdict]) -> str:
    """Returns a complaint if the rules match too many mutants that tests kill, or an empty string."""
    named = [verdict for verdict in verdicts if verdict.kind not in ("invalid", "untried") and rules.rule_for(verdict.mutant)]
    killed: Counter[int] = Counter(rules.rule_for(verdict.mutant).number for verdict in named if verdict.kind == "killed")
    for number, count in killed.most_common(10):
        print(f"survivors.txt:{number}: {count} of its mutants are killed")
    if len(named) >= ENOUGH and sum(killed.values()) > survivors.BEYOND * len(named):
        return f"the rules of survivors.txt are about {sum(killed.values())} of {len(named)} mutants that tests kill: narrow them"
    return ""


def allowed(count: int, floor: float) -> int:
    """Returns how many of so many mutants may survive: of those of all mutants that score the floor, fewer than one in a thousand
    samples of this size have more."""
    missed, k, below = 1 - floor / 100, 0, 0.0
    while (below := below + math.comb(count, k) * missed ** k * (1 - missed) ** (count - k)) < 0.999:
        k += 1
    return k


def report(verdicts: list[Verdict], rules: survivors.Rules, left_out: list[str], floor: float, sampled_only: bool) -> int:
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict in verdicts:
        kind = verdict.kind
        if kind not in DEAD and rules.rule_for(verdict.mutant):
            kind = "equivalent"
        rows[verdict.mutant.file][kind] += 1
        if verdict.killer.endswith((BY_TIME, "by the clock")):
            rows[verdict.mutant.file]["time"] += 1
    total: Counter[str] = Counter()
    print(f"{'file':24} mutants  killed  (time)  equivalent   alive")
    for name in sorted(rows):
        row = rows[name]
        total.update(row)
        mutants = row["killed"] + row["equivalent"] + row["alive"]
        print(f"{name:24} {mutants:7} {row['killed']:7} {row['time']:7} {row['equivalent']:11} {row['alive']:7}")
    if too_wide := beyond(rules, verdicts):
        left_out = [*left_out, too_wide]
    print(*left_out, sep="\n", end="\n" if left_out else "")
    mutants = total["killed"] + total["equivalent"] + total["alive"]
    score = 100 * total["killed"] / max(1, mutants - total["equivalent"])
    print(f"{total['invalid']} more do not compile, {total['same']} more are the same code to gcc -O2")
    print(f"mutate: {mutants} mutants, {total['killed']} killed, {total['equivalent']} known to be equivalent or out of "
          f"reach, {total['alive']} survive: {score:.2f} %")
    survivors_now = [v for v in verdicts if v.kind not in DEAD and not rules.rule_for(v.mutant)]
    if sampled_only:
        print(*("survives:\t" + "\t".join(map(str, v.mutant.key)) for v in survivors_now), sep="\n")
        good = len(survivors_now) <= allowed(mutants - total["equivalent"], floor)
    else:
        good = score >= floor
    return 0 if good and mutants > 0 and not left_out else 1


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation tests of the core.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, default=0, help="that many of the mutants, 0: all")
    parser.add_argument("--files", nargs="*", default=FILES, help="src/core/uri/ip.c, uri/ip.c or ip.c; all if none")
    parser.add_argument("--prune", action="store_true", help="take what is no longer needed out of survivors.txt")
    args = parser.parse_args()
    args.files = core.chosen(args.files, FILES, "mutate", "tests/gates/mutate/files.txt")
    for tool, package in (("tcc", "tcc"), ("gcc", "gcc"), ("nm", "binutils")):
        if shutil.which(tool) is None:
            print(f"mutate: {tool} is missing, of the package {package}")
            return 2
    rules = survivors.Rules()
    begin = time.monotonic()
    tests = prepare()
    print(f"{len(tests.order)} tests, {sum(tests.seconds.values()):.1f} s; ready after {time.monotonic() - begin:.0f} s")
    run = Run(tests, rules)
    mutants = sampled([mutant for name in args.files for mutant in mutants_of(name, run.sound[name])], args.sample)
    verdicts = [verdict for verdict in map(run.known, mutants) if verdict is not None]
    known = {verdict.mutant.key for verdict in verdicts}
    if known:
        print(f"goes on: {len(known)} of {len(mutants)} mutants were judged before", flush=True)
    with ThreadPoolExecutor(max_workers=args.jobs) as pool:
        left = [mutant for mutant in mutants if mutant.key not in known]
        for verdict in pool.map(run.judge, sorted(left, key=lambda mutant: rules.rule_for(mutant) is not None)):
            verdicts.append(verdict)
            if len(verdicts) % 1000 == 0:
                print(f"{len(verdicts)} of {len(mutants)} mutants are judged", flush=True)
    alive = [(*v.mutant.key, v.kind, v.killer) for v in verdicts if v.kind not in DEAD and not rules.rule_for(v.mutant)]
    (BUILD / "alive.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in alive), encoding="utf-8")
    whole = survivors.everything()
    left_out = stale(rules, whole, verdicts)
    if args.prune:
        rules.write({(rule.number, part) for rule, part in left_out})
        left_out = []
    functions = {mutant.function for mutant in whole}
    sentences = [survivors.sentence(rule, part, functions) for rule, part in left_out]
    print(f"{time.monotonic() - begin:.0f} s, survivors in {BUILD}/alive.tsv")
    return report(verdicts, rules, sentences, FLOOR, args.sample > 0)


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
