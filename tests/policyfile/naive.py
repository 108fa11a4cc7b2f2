# SPDX-License-Identifier: Apache-2.0
"""What the naive models of rules in a policy file have in common: the command, and the loop over random policies."""
from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path


class Command:
    """The command, with a folder for policy files, as judge of the targets of requests to h.example."""

    def __init__(self, urivet: Path, folder: Path):
        self.urivet, self.folder = urivet, folder

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, targets: list[str], *options: str) -> list[bytes]:
        done = subprocess.run([str(self.urivet), "check", "--target=h.example", "--method=GET", *options],
                              input="".join(f"{target}\n" for target in targets).encode("utf-8"), capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{options}: {done.stderr.decode()}")
        return done.stdout.splitlines()

    def accepts(self, policy: Path, targets: list[str], *options: str) -> list[bool]:
        return [line.startswith(b"accept") for line in self.run(targets, "--format=tsv", f"--policy-file={policy}", *options)]

    def compiled(self, policy: Path) -> Path:
        made = self.folder / "policy.compiled"
        subprocess.run([str(self.urivet), "policy", "compile", str(policy), "-o", str(made)], check=True)
        return made


def compare(about: str | None, one: Callable[[Command, random.Random, int], tuple[list[str], tuple[int, ...]]], least: dict[str, int]) -> int:
    """Calls `one` for each of --policies, with a generator of its own and the number of targets. It returns what is
    wrong, and how many targets had each of the effects; so many of a thousand, and one at all, must have had it at `least`."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urivet", type=Path, default=Path("build/urivet"))
    parser.add_argument("--policies", type=int, default=250)
    parser.add_argument("--targets", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    name = Path(sys.argv[0]).stem
    sums = [0] * len(least)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        command = Command(arguments.urivet.resolve(), Path(folder))
        for number in range(arguments.policies):
            wrong, effects = one(command, random.Random(f"{arguments.seed} {number}"), arguments.targets)
            if wrong:
                print("\n".join(wrong[:5]), f"policy {number} of seed {arguments.seed}, {len(wrong)} in all", sep="\n")
                return 1
            sums = [total + more for total, more in zip(sums, effects, strict=True)]
    judgements = arguments.policies * arguments.targets
    summary = ", ".join(f"{total} {effect}" for total, effect in zip(sums, least, strict=True))
    if any(total == 0 or total * 1000 < judgements * share for total, share in zip(sums, least.values(), strict=True)):
        print(f"{name}: of {judgements} targets only {summary}")
        return 1
    print(f"{name}: {arguments.policies} policies, as YAML and compiled, {judgements} targets as the model has them, "
          f"{summary}, {time.monotonic() - start:.0f} s")
    return 0
