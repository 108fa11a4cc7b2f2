#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the oracles: plants the bugs of bug_table.py, all in one copy of the sources, and searches for
each.

    bugs.py [--runs N] [--seed N] [--only NAME,...] [--jobs N]     replay, then fuzzing from the corpus
    bugs.py --suite                                                 by the tests without the fuzzers
    bugs.py --places                                                checks that the places fit the sources

One program for each harness has all bugs; URIVET_BUG=NUMBER in its environment switches one on
(fuzz/oracles/planted.h). Each has three canaries: reached; triggered, which means that right and wrong differed;
detected, by an oracle or a sanitizer. A row whose harness is "unit" is tried with the unit tests instead. --suite
runs steps of tests/steps.ini with programs that have all bugs, up to the step that fails: first as `make test`
runs them, then as `make check` does. The first form exits 1 if a bug is not found, except those in the table's
list OPEN.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from bug_table import OPEN, ROWS

HERE = pathlib.Path(__file__).resolve().parent.parent
WORK = HERE / "build/fuzz/planted"
TREE = WORK / "tree"
# Steps of tests/steps.ini that need only programs of the planted tree, those that fail soonest first. The
# first tier is what `make test` runs.
STEPS = {"test": ("loader", "corpus", "conformance", "model-strict", "model-any", "model-gateway", "policy-model", "readers", "unit", "serve", "cli"),
         "check": ("names-rule", "compatibility", "tlds", "browser", "parameters", "endpoint", "addresses", "acceptance")}
PROGRAMS = ("urivet", "unit", "loader", "cases", "read_as", "invariant", "judge", "peers", "endpoints", "parameters")
MOST = 256  # PLANTED_MOST of fuzz/oracles/planted.h
LONGEST = {"policy": 4096, "compiled": 4096, "reports": 9000}
MARK = re.compile(r"@\{(.*?)@@(.*?)\}@", re.DOTALL)


class Bug:
    """A row of the table, and its number."""

    def __init__(self, number, row):
        self.number = number
        self.name, _, self.origin, self.file, self.place, harnesses = row
        self.harnesses = harnesses.split()
        mark = MARK.search(self.place)
        self.right, self.wrong = mark.group(1), mark.group(2)

    def before(self):
        return MARK.sub(lambda m: "" if m.group(1).startswith("+0") else m.group(1), self.place)

    def after(self):
        if self.right.startswith("+0"):
            return MARK.sub(lambda m: f" + BUG({self.number}, 0u, {m.group(2)})", self.place)
        return MARK.sub(lambda m: f"BUG({self.number}, ({m.group(1)}), ({m.group(2)}))", self.place)


BUGS = [Bug(number, row) for number, row in enumerate(ROWS)]


# ---- planting


def planted(texts):
    """Returns the sources with all bugs, and messages about places that do not fit. A place must occur
    exactly once."""
    lost = []
    for bug in BUGS:
        text = texts.setdefault(bug.file, (HERE / bug.file).read_text())
        times = text.count(bug.before())
        if times != 1:
            lost.append(f"bug {bug.name}: its place in {bug.file} stands there {times} times: {bug.before()!r}")
        texts[bug.file] = text.replace(bug.before(), bug.after())
    return texts, lost


def put(path, data):
    """Writes a file if its content has changed, so that make rebuilds nothing else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != data:
        path.write_bytes(data)


def plant(folders):
    texts, lost = planted({})
    if lost:
        raise SystemExit("\n".join(lost))
    wanted = [p for folder in folders for p in (HERE / folder).rglob("*") if p.is_file()]
    wanted += [p for p in HERE.glob("*") if p.is_file()]
    wanted += [HERE / "corpus/verdicts.tsv", *HERE.glob("tests/**/*.mk"), *HERE.glob("tests/*.h")]
    for path in TREE.rglob("*.[ch]"):
        if not (HERE / path.relative_to(TREE)).exists() and "build" not in path.relative_to(TREE).parts:
            path.unlink()  # of an earlier version
    for path in wanted:
        name = str(path.relative_to(HERE))
        if "__pycache__" not in name:
            put(TREE / name, texts[name].encode() if name in texts else path.read_bytes())


# The arguments of make for the planted sources.
FLAGS = {"LDLIBS": str(TREE / "planted.o"), "CFLAGS": "-Wno-gnu-auto-type -include fuzz/oracles/planted.h"}
HARNESSES = ["VARIANT=fuzz", "harnesses"]
UNIT = ["build/standalone"]
TESTED = ["all", *(f"build/{name}" for name in PROGRAMS)]


def build(wanted):
    runtime = TREE / "planted.o"
    log = WORK / "build.log"
    with open(log, "wb") as out:
        for command in (
                ["clang-19", "-O2", "-std=c11", "-D_DEFAULT_SOURCE", "-c", "-o", str(runtime), "fuzz/oracles/planted.c"],
                ["make", "-s", f"-j{os.cpu_count()}", *wanted]):
            if subprocess.run(command, cwd=TREE, stdout=out, stderr=out, env={**os.environ, **FLAGS}, check=False).returncode != 0:
                raise SystemExit(f"the planted sources do not build, see {log}")


# ---- hunting


class Found:
    """The result of a run of a harness."""

    def __init__(self, harness, how, reached, triggered):
        self.harness, self.how, self.reached, self.triggered = harness, how, reached, triggered


def seeds_of(harness):
    return [HERE / "corpus/policy", HERE / "src/examples/policies"] if harness == "policy" else [HERE / "corpus"]


def longest(harness):
    return LONGEST.get(harness, 600)


def dictionary(harness):
    return HERE / "fuzz" / ("policy.dict" if harness == "policy" else "uri.dict")


def run(harness, bug, runs, seed):
    """Runs the harness over its seeds and `runs` mutants, or the unit tests. Returns what it found."""
    if harness == "unit":
        environment = {**os.environ, "URIVET_BUG": str(bug), "URIVET_SAMPLE": "10", "STANDALONE_SLOW": "20"}
        result = subprocess.run([str(TREE / "build/standalone")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=TREE,
                                env=environment, check=False)
        return Found(harness, "a test fails" if result.returncode != 0 else None, 0, 0)
    with tempfile.TemporaryDirectory(dir=WORK) as kept:
        canaries = pathlib.Path(kept) / "canaries"
        inputs = pathlib.Path(kept) / "inputs"
        inputs.mkdir()
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "URIVET_CANARIES": str(canaries),
                       "URIVET_BUG": str(bug)}
        result = subprocess.run(
            [str(TREE / f"build/fuzz/fuzz_{harness}"), f"-runs={runs}", f"-seed={seed}", f"-max_len={longest(harness)}",
             "-timeout=20", "-use_counters=0", f"-dict={dictionary(harness)}", f"-artifact_prefix={kept}/", str(inputs),
             *map(str, seeds_of(harness))], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=kept, env=environment, check=False)
        seen = canaries.read_bytes() if canaries.is_file() else bytes(2 * MOST)
    how = None
    if result.returncode != 0:
        match = re.search(r"oracle broken: (.*)|ERROR: AddressSanitizer: (\S+)|runtime error: (.*)|libFuzzer: (timeout)",
                          result.stdout.decode(errors="replace"))
        how = next(filter(None, match.groups())) if match else f"status {result.returncode}"
    return Found(harness, how, seen[2 * bug], seen[2 * bug + 1])


def first_found(bug, runs, seed):
    """Returns the result of the first harness that detects the bug; otherwise, whether it was reached and
    triggered by any."""
    best = Found("", None, 0, 0)
    for harness in bug.harnesses:
        found = run(harness, bug.number, runs, seed)
        if found.how:
            return found
        best.reached |= found.reached
        best.triggered |= found.triggered
    return best


# ---- Commands


def hunt(chosen, options):
    missed = 0

    def one(bug):
        found = first_found(bug, 0, 1)
        return ("replay", found) if found.how else ("fuzzing", first_found(bug, options.runs, options.seed))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for bug, (way, found) in zip(chosen, pool.map(one, chosen)):
            missed += not found.how and bug.name not in OPEN
            print(f"{bug.name:32} {way + ' of ' + found.harness if found.how else '':24} {found.how or canary(found)}", flush=True)
    print(f"{len(chosen)} bugs planted, {missed} not found and not known for it")
    return 1 if missed else 0


def canary(found):
    return "NOT FOUND: " + ("triggered, seen by no oracle" if found.triggered else "reached, not triggered" if found.reached else "not reached")


def failing_step(bug):
    """Returns the tier and the name of the first step that fails, or None. Bugs of the command are tested
    by its own tests only."""
    by_folder = {"src/cli": ("cli",), "src/gateway": ("serve",)}
    own = next((steps for folder, steps in by_folder.items() if bug and bug.file.startswith(folder)), None)
    for tier in STEPS:
        for name in own or STEPS["test"] + (STEPS["check"] if tier == "check" else ()):
            with tempfile.TemporaryDirectory(dir=WORK) as log:
                result = subprocess.run([sys.executable, "tests/run.py", tier, f"--steps={name}", f"--log={log}"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, cwd=TREE, check=False,
                                        env={**os.environ, **FLAGS, "URIVET_BUG": str(bug.number if bug else -1), "FIRST": "1"})
            if result.returncode != 0:
                return tier, name
    return None


def suite(chosen, options):
    if broken := failing_step(None):
        raise SystemExit(f"{broken[1]} fails while nothing is planted: cd {TREE}; python3 tests/run.py {broken[0]} --steps={broken[1]}")
    detected = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for bug, found in zip(chosen, pool.map(failing_step, chosen)):
            detected[found and found[0]] += 1
            print(f"{bug.name:32} {' '.join(found) if found else 'NOT FOUND'}", flush=True)
    print(f"of {len(chosen)} bugs {detected['test']} are detected by `make test`, {detected['check']} more by `make check` "
          "without the fuzzers")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    for form in ("suite", "places"):
        parser.add_argument("--" + form, action="store_true")
    options = parser.parse_args()
    if lost := planted({})[1]:
        print("\n".join(lost), file=sys.stderr)
        return 2
    if options.places:
        print(f"{len(BUGS)} bugs fit the source")
        return 0
    if shutil.which("clang-19") is None:
        print("nothing was fuzzed: clang-19 is in the Debian packages clang-19 libclang-rt-19-dev", file=sys.stderr)
        return 2
    plant(["src", "include", "fuzz", "tests", "corpus"])
    build(TESTED if options.suite else HARNESSES)
    if not options.suite:
        build(UNIT)
        if run("unit", -1, 0, 1).how:
            raise SystemExit(f"the unit tests fail while nothing is planted: cd {TREE}; build/standalone")
    chosen = [b for b in BUGS if not options.only or b.name in options.only.split(",")]
    return suite(chosen, options) if options.suite else hunt(chosen, options)


if __name__ == "__main__":
    sys.exit(main())
