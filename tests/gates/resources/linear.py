#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time linear in the length, by counting instructions: no clock, no other load on the machine.

    linear.py WORK FOLDER [--table]

WORK is tests/gates/resources/work.c, run under callgrind; dumps go to FOLDER. For every operation and
every shape of shapes.tsv: the instructions an octet may not grow by more than 5 % from 1,000 to
10,000 to 100,000 octets, for the three dearest shapes of an operation to 1,000,000. The control is
work that is quadratic: it must be seen to grow.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
OPERATIONS = ["check", "ok", "parse", "normalise", "resolve", "compare", "scan", "browser", "resolver",
              "suggest", "parameters"]
# The last for the dearest shapes only. urivet_ok reads nothing longer than strict allows.
LENGTHS = [1000, 10_000, 100_000, 1_000_000]
LENGTHS_OK = [1000, 2000, 4000, 8000]
GROWTH = 1.05
# What a call costs whatever the length; at 1,000 octets it weighs.
FIXED = 2000


def lengths(operation):
    return LENGTHS_OK if operation == "ok" else LENGTHS


def shapes():
    rows = [line.split("\t") for line in (HERE / "shapes.tsv").read_text().splitlines()
            if line and not line.startswith("#")]
    return {name: (head, unit, tail) for name, head, unit, tail in rows}


def count(work, folder, jobs):
    """For each (operation, shape, length): the instructions and the octets, by one run of callgrind."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    known = shapes()
    lines = "".join("\t".join([operation, *known[shape], str(length)]) + "\n"
                    for operation, shape, length in jobs)
    subprocess.run(["valgrind", "-q", "--tool=callgrind", "--combine-dumps=no",
                    f"--callgrind-out-file={folder}/out", str(work)],
                   input=lines.encode(), check=True, stdout=subprocess.DEVNULL)
    counted = {}
    for number, job in enumerate(jobs, 1):
        text = (folder / f"out.{number}").read_text()
        octets = re.search(r"^desc: Trigger: Client Request: (\d+)", text, re.M)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
        counted[job] = (int(total[1]), int(octets[1]))
    return counted


def count_all(work, folder, jobs):
    parts = min(os.cpu_count(), 2)
    with concurrent.futures.ThreadPoolExecutor(parts) as pool:
        counted = {}
        for part in pool.map(lambda k: count(work, folder / str(k), jobs[k::parts]), range(parts)):
            counted.update(part)
    return counted


def per_octet(counted, job):
    instructions, octets = counted[job]
    return instructions / octets


def growth(counted, operation, shape):
    """The most that instructions an octet grow by, from a length to a longer one."""
    known = sorted((job[2], *value) for job, value in counted.items() if job[:2] == (operation, shape))
    return max((b[1] / b[2]) / ((a[1] + FIXED) / a[2]) for a, b in zip(known, known[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("linear needs the Debian package valgrind", file=sys.stderr)
        return 2
    names = list(shapes())
    counted = count_all(options.work, options.folder,
                        [(operation, shape, length) for operation in OPERATIONS for shape in names
                         for length in lengths(operation)[:-1]] +
                        [("quadratic", "path", length) for length in LENGTHS[:2]])
    dearest = {}
    for operation in OPERATIONS:
        length = lengths(operation)[-2]
        dearest[operation] = sorted(names, key=lambda shape, o=operation, n=length: per_octet(counted, (o, shape, n)))[-3:]
    counted.update(count_all(options.work, options.folder,
                             [(operation, shape, lengths(operation)[-1]) for operation in OPERATIONS
                              for shape in dearest[operation]]))
    control = growth(counted, "quadratic", "path")
    grown = {(operation, shape): growth(counted, operation, shape) for operation in OPERATIONS for shape in names}
    bad = [(ratio, pair) for pair, ratio in grown.items() if ratio > GROWTH]
    for ratio, (operation, shape) in sorted(bad, reverse=True):
        shown = [f"{length}: {per_octet(counted, (operation, shape, length)):.1f}"
                 for length in lengths(operation) if (operation, shape, length) in counted]
        print(f"{operation} of {shape}: grows by {ratio:.3f}: " + ", ".join(shown))
    if options.table:
        for operation in OPERATIONS:
            for shape in reversed(dearest[operation]):
                print(f"{operation:10} {shape:16} " + " ".join(
                    f"{per_octet(counted, (operation, shape, length)):8.1f}" for length in lengths(operation)))
    worst, (operation, shape) = max((per_octet(counted, (o, s, lengths(o)[-1])), (o, s)) for o in OPERATIONS
                                    for s in dearest[o])
    if control <= GROWTH:
        print(f"control: quadratic work grows by {control:.3f}")
    print(f"linear: {len(OPERATIONS)} operations x {len(names)} shapes, to {LENGTHS[-1]} octets: "
          f"{max(grown.values()):.3f} times the instructions an octet at most, {worst:.0f} an octet at most "
          f"({operation}, {shape}), {len(bad)} above {GROWTH}; control {control:.1f}")
    return bool(bad or control <= GROWTH)


if __name__ == "__main__":
    sys.exit(main())
