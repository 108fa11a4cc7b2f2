#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the vectors of 64-bit ARM, of which no other machine runs a line: does a test of the suite "vector" fail
for each?

    python3 tests/gates/mutate/neon.py [--jobs N] [--sample N]

Each is compiled by aarch64-linux-gnu-gcc and linked with the unit tests, which run under qemu-aarch64: seconds each,
not milliseconds as in run.py, so this is no part of `make mutate`. What survives and compiles to the same code is no
mutant; the rest needs a rule of survivors.txt.
"""
from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import run
import survivors
from mutants import Mutant, mutants_of

BUILD = run.ROOT / "build/aarch64"
COMPILER = ["aarch64-linux-gnu-gcc", "-std=c11", "-w", "-O2", "-g0", "-fno-ident", "-Iinclude", "-Isrc/core"]
QEMU = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
SUITE = "vector"
SECONDS = 600           # of the clock, for a mutant that makes a test hang


def killed(folder: Path, code: Path) -> bool:
    program = folder / "standalone"
    others = [str(path) for path in (BUILD / "src").glob("*/*/*.o")
              if path.parent.name in run.core.floors() and path.stem != code.stem]
    linked = run.call([*COMPILER, "-o", str(program), *map(str, (BUILD / "alone").glob("*.o")), str(code), *others])
    if linked.returncode != 0:
        raise SystemExit(f"mutate-neon: {linked.stderr}")
    done = run.call(["timeout", str(SECONDS), *QEMU, str(program), SUITE], env={**os.environ, "STANDALONE_SLOW": "20"})
    return done.returncode != 0


def judged(mutant: Mutant | None, name: str, sound: bytes = b"") -> tuple[str, bytes]:
    """Returns the verdict on the mutant, and its code; without a mutant, those of the original source."""
    with tempfile.TemporaryDirectory(dir=BUILD) as place:
        folder = Path(place)
        text = (run.ROOT / name).read_text(encoding="utf-8")
        source, code = folder / Path(name).name, folder / (Path(name).stem + ".o")
        source.write_text(mutant.apply(text) if mutant else text, encoding="utf-8")
        if run.call([*COMPILER, "-c", "-o", code.name, f"-I{run.ROOT}/include", f"-I{run.ROOT}/src", source.name],
                    cwd=folder).returncode != 0:
            return "invalid", b""
        made = code.read_bytes()
        if mutant and made == sound:
            return "same", made
        return "killed" if killed(folder, code) else "alive", made


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation tests of the vectors of 64-bit ARM.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, default=0, help="that many of the mutants, 0: all")
    args = parser.parse_args()
    for tool, package in ((COMPILER[0], "gcc-aarch64-linux-gnu"), (QEMU[0], "qemu-user")):
        if shutil.which(tool) is None:
            print(f"mutate-neon: {tool} is missing, of the package {package}")
            return 2
    built = run.call([os.environ.get("MAKE", "make"), "-s", "VARIANT=aarch64", "PKG_CONFIG=false",
                      "build/aarch64/standalone"])
    if built.returncode != 0:
        raise SystemExit(f"mutate-neon: {built.stdout}{built.stderr}")
    rules = survivors.Rules()
    counts: Counter[str] = Counter()
    for name in survivors.ELSEWHERE:
        kind, sound = judged(None, name)
        if kind != "alive":
            raise SystemExit(f"mutate-neon: the sound {name} is {kind}")
        chosen = run.sampled(mutants_of(name), args.sample, 0)
        with ThreadPoolExecutor(max_workers=args.jobs) as pool:
            kinds = list(pool.map(lambda mutant: judged(mutant, name, sound)[0], chosen))  # pylint: disable=cell-var-from-loop
        for mutant, kind in zip(chosen, kinds):
            if kind == "alive" and rules.rule_for(mutant):
                kind = "equivalent"
            if kind == "alive":
                print(*mutant.key, sep="\t")
            counts[kind] += 1
    judged_ones = counts["killed"] + counts["alive"]
    score = 100 * counts["killed"] / max(1, judged_ones)
    print(f"mutate-neon: {judged_ones + counts['equivalent']} mutants, {counts['killed']} killed, {counts['equivalent']} "
          f"known to be equivalent, {counts['alive']} survive: {score:.2f} %; {counts['same']} more are the same code, "
          f"{counts['invalid']} do not compile")
    return 0 if judged_ones and score >= run.FLOOR else 1


if __name__ == "__main__":
    os.chdir(run.ROOT)
    sys.exit(main())
