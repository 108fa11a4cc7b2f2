#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the mutator: the same time with it and without it, in several trials.

    measure.py [--seconds N] [--trials N] [--edges HARNESS,...] [--bugs BUG,...]

Edges: how many edges of a harness are reached in that time. Bugs: the seconds until a planted bug
(fuzz/bugs.py) is found, at most the given time. Every trial begins with an empty corpus and its own seed;
both sides get the same seeds, the same dictionary and one core. The output is minimum, median and maximum.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import bugs

HERE = pathlib.Path(__file__).resolve().parent.parent


def link_without(tree, harness, *more):
    """Links the objects of the harness below tree without the mutator."""
    binary = tree / f"without_mutator_{harness}"
    subprocess.run(["clang-19", "-fsanitize=fuzzer,address,undefined", "-o", binary,
                    tree / f"fuzz/fuzz_{harness}.o", tree / "libcommand.a", tree / "liburivet.a", *more],
                   check=True)
    return binary


def run(binary, seconds, seed, bug):
    """Returns the edges reached, and the seconds until a failure or the end of the time."""
    with tempfile.TemporaryDirectory() as corpus:
        start = time.monotonic()
        log = subprocess.run(
            [binary, f"-max_total_time={seconds}", f"-seed={seed}", "-max_len=600",
             "-use_counters=0", "-dict=" + str(HERE / "fuzz/uri.dict"), corpus],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=corpus, check=False,
            env={**os.environ, "URIVET_BUG": str(bug), "ASAN_OPTIONS": "detect_leaks=0"})
        took = time.monotonic() - start
    found = re.findall(rb" cov: (\d+)", log.stdout)
    return int(found[-1]) if found else 0, min(took, seconds)


def spread(values):
    return f"{min(values):8.4g} {statistics.median(values):8.4g} {max(values):8.4g}"


def compare(name, tree, harness, options, which, bug=-1, more=()):
    plain = link_without(tree, harness, *more)
    seeds = range(1, options.trials + 1)
    without = [run(plain, options.seconds, seed, bug)[which] for seed in seeds]
    with_it = [run(tree / f"fuzz_{harness}", options.seconds, seed, bug)[which] for seed in seeds]
    print(f"{name:28} {spread(without)}   {spread(with_it)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--trials", type=int, default=7)
    parser.add_argument("--edges", default="check,resolve")
    parser.add_argument("--bugs", default="base-without-path,closing-bracket-in-a-find,"
                        "short-ipv4-accepted,suggestion-not-judged")
    options = parser.parse_args()
    subprocess.run(["make", "-s", "VARIANT=fuzz", "harnesses"], cwd=HERE, check=True)
    print(f"{'':28} without: least middle most      with: least middle most")
    for harness in filter(None, options.edges.split(",")):
        compare("edges of " + harness, HERE / "build/fuzz", harness, options, 0)
    bugs.plant()
    bugs.build()
    for bug in bugs.BUGS:
        if bug.name in options.bugs.split(","):
            compare("seconds, " + bug.name, bugs.TREE / "build/fuzz", bug.harnesses[0], options, 1, bug.number,
                    ["-Wl,--wrap=LLVMFuzzerTestOneInput", bugs.TREE / "planted.o"])
    print(f"{options.trials} trials of at most {options.seconds} s each, from an empty corpus")


if __name__ == "__main__":
    sys.exit(main())
