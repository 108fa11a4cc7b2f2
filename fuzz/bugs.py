#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the oracles, and fuzzers: plants the bugs of lab/bugs/bugs.jsonl, all in one copy of the sources, and searches for each.

    bugs.py [--runs N] [--seed N] [--only NAME,...] [--jobs N]     replay, then fuzzing from the corpus
    bugs.py --suite                                                 by the tests without the fuzzers
    bugs.py --places                                                checks that the places fit the sources
    bugs.py --bench, --inputs                                       see lab/bugs/README.md

A row whose harness is "unit" is tried with the unit tests. --suite runs steps of tests/steps.ini with programs that have
all bugs, up to the step that fails: first as `make test` runs them, then as `make check` does. The first form exits 1
if a bug is not found.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lab/bugs"))

import benchmark  # noqa: E402
from planting import BUGS, FLAGS, NO_BUG, TABLE, TREE, WORK, Unusable, build, plant, search, sources, unit_tests  # noqa: E402

# Steps of tests/steps.ini that need only programs of the planted tree, those that fail soonest first. The
# first tier is what `make test` runs.
STEPS = {"test": ("loader", "corpus", "conformance", "model-strict", "model-any", "model-gateway", "policy-model", "readers", "unit", "serve", "cli"),
         "check": ("names-rule", "compatibility", "tlds", "browser", "parameters", "endpoint", "addresses", "acceptance")}
PROGRAMS = ("urivet", "unit", "loader", "cases")


# ---- Commands


def hunt(chosen, options):
    if unit_tests(NO_BUG):
        raise Unusable(f"the unit tests fail while nothing is planted: cd {TREE}; build/standalone")
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for bug, found in zip(chosen, pool.map(lambda bug: search(bug, options.runs, options.seed), chosen)):
            missed += not found.how
            print(f"{bug.name:32} {found.way + ' of ' + found.harness if found.how else '':24} {found}", flush=True)
    print(f"{len(chosen)} bugs planted, {missed} not found")
    return 1 if missed else 0


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
        raise Unusable(f"{broken[1]} fails while nothing is planted: cd {TREE}; python3 tests/run.py {broken[0]} --steps={broken[1]}")
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
    form = parser.add_mutually_exclusive_group()
    for name in ("suite", "places", "inputs", "bench"):
        form.add_argument("--" + name, action="store_true")
    benchmark.add_options(parser)
    options = parser.parse_args()
    if not options.bench and (options.smoke or options.fuzzer or options.mode):
        parser.error("--smoke, --fuzzer and --mode are for --bench")
    names = options.only.split(",") if options.only else benchmark.SMOKE if options.smoke else [bug.name for bug in BUGS]
    chosen = [bug for bug in BUGS if bug.name in names]
    if unknown := set(names) - {bug.name for bug in chosen}:
        parser.error(f"no bug {', '.join(sorted(unknown))} in {TABLE}")
    if lost := sources()[1] + (benchmark.stale(BUGS) if options.places else []):
        print("\n".join(lost), file=sys.stderr)
        return 2
    if options.places:
        print(f"{len(BUGS)} bugs fit the source")
        return 0
    if shutil.which("clang-19") is None:
        print("nothing was fuzzed: clang-19 is in the Debian packages clang-19 libclang-rt-19-dev", file=sys.stderr)
        return 2
    if options.bench:
        return benchmark.main(chosen, options)
    lock = plant()  # noqa: F841
    if options.suite:
        build(["all", *(f"build/{name}" for name in PROGRAMS)])
        return suite(chosen, options)
    build(["harnesses"], "fuzz")
    build(["build/standalone"])
    return benchmark.write_inputs(chosen, options) if options.inputs else hunt(chosen, options)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unusable as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
