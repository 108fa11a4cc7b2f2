# SPDX-License-Identifier: Apache-2.0
"""A fuzzer without feedback: random_inputs.py TARGET DICTIONARY OUT SEED RUNS LONGEST. Inputs are words of the dictionary and octets."""
import pathlib
import random
import subprocess
import sys

target, dictionary, out, seed, runs, longest = sys.argv[1:]
dice = random.Random(int(seed))
lines = pathlib.Path(dictionary).read_text().splitlines()
words = [line.split('"')[1].encode().decode("unicode_escape").encode("latin-1") for line in lines if line.count('"') > 1]
for begin in range(0, int(runs), 500):
    folder = pathlib.Path(out) / str(begin)
    folder.mkdir()
    for number in range(begin, min(begin + 500, int(runs))):
        parts = [dice.choice(words) if dice.random() < 0.5 else bytes([dice.randrange(33, 127)]) for _ in range(dice.randrange(1, 24))]
        (folder / f"{number:09}").write_bytes(b"".join(parts)[:int(longest)])
    if (status := subprocess.run([target, "-runs=0", "-detect_leaks=0", f"-seed={seed}", str(folder)], check=False).returncode) != 0:
        sys.exit(status)
