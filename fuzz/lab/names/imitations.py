#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how many imitations `public` refuses with the list of what they imitate, and how many honest names.

    imitations.py --urivet build/urivet            the data sets of tests/core/names, within their bounds
    imitations.py --urivet build/urivet --mixed N  and N labels of several scripts, compared with ICU's restriction level

Of spoofs.tsv at least 90 % have to be refused with `--protect`, of legitimate.tsv at most 1 % beyond what `strict` refuses.
Without the list fewer imitations must be found, or the list would be for nothing. ICU has to say of a label that it is not
highly restrictive where the command finds idn-mixed-script, but for what looks.py leaves out of the profile and for letters
beyond ASCII beside another script, which are counted. Exit status: 0 all so, 1 something is not, 2 ICU is not here.
"""
from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "tests/core/names"))

import consensus    # noqa: E402
import datasets     # noqa: E402
import looks        # noqa: E402
import ucd          # noqa: E402

HERE = Path(__file__).resolve().parent
CAUGHT, REFUSED = 0.90, 0.01
SHOWN = 10


def judge(urivet: str, hosts: list[str], *options: str) -> list[tuple[bool, list[str]]]:
    """Returns for each host whether it is refused, and by which findings."""
    records = "".join(f"https://{host}/\n" for host in hosts)
    done = subprocess.run([urivet, "check", "--format=tsv", *options], input=records, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    return [(line[0] == "reject", line[1].split(",")) for line in lines]


def share(part: int, whole: int) -> str:
    return f"{part} of {whole}, {100 * part / whole:.1f} %"


def by_kind(kinds: list[str], told: list[tuple[bool, list[str]]]) -> None:
    every, refused = Counter(kinds), Counter(kind for kind, (wrong, _) in zip(kinds, told) if wrong)
    for kind in every:
        print(f"    {kind:24} {share(refused[kind], every[kind])}")


def sets(urivet: str) -> bool:
    spoofs, honest = datasets.rows(datasets.SPOOFS), datasets.rows(datasets.LEGITIMATE)
    hosts, kinds = [row[1] for row in spoofs], [row[3] for row in spoofs]
    # a name alone is that of a machine here
    names = [row[1] if "." in row[1] else f"example.{row[1]}" for row in honest]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{name}\n" for name in sorted({row[2] for row in spoofs if "." in row[2]})))
        file.flush()
        options = ("--policy=public", f"--protect={file.name}")
        found, taken = judge(urivet, hosts, *options), judge(urivet, names, *options)
    without = judge(urivet, hosts, "--policy=public")
    strict = judge(urivet, names)
    caught, alone = sum(wrong for wrong, _ in found), sum(wrong for wrong, _ in without)
    lost = [row[0] for row, (wrong, _), (before, _) in zip(honest, taken, strict) if wrong and not before]
    print(f"imitations refused with the list: {share(caught, len(hosts))}; without it: {share(alone, len(hosts))}")
    by_kind(kinds, found)
    print(f"honest names refused: {share(len(lost), len(honest))} {' '.join(lost)}")
    return caught >= CAUGHT * len(hosts) and alone < caught and len(lost) <= REFUSED * len(honest)


# ---- Mixed scripts, as ICU sees them --------------------------------------------------------------------------------

def letters_by_script() -> dict[str, list[int]]:
    """Returns letters that an A-label may contain, by script, in the profile and outside it."""
    found: dict[str, list[int]] = {}
    names = looks.short_names()
    for c in range(0x80, 0x10000):
        if consensus.code_point_class(c) in ("agreed", "recent 4.0-5.2", "vowel") and not consensus.is_mark(c):
            found.setdefault(names[ucd.valued("Scripts.txt").get(c, "Unknown")], []).append(c)
    found["Latn"] += [*range(0x61, 0x7B)] * 20
    found["Zyyy"] = [*range(0x30, 0x3A), 0x2D]
    return found


def mixed_labels(count: int, seed: int) -> list[str]:
    rng, scripts = random.Random(seed), letters_by_script()
    usual = [name for name in looks.RECOMMENDED if name in scripts]
    made = []
    while len(made) < count:
        some = rng.choices([*usual, *["Latn", "Hani", "Hira", "Kana", "Hang", "Bopo"] * 3, rng.choice(sorted(scripts))],
                           k=rng.randint(1, 3)) + ["Zyyy"]
        points = [rng.choice(scripts[rng.choice(some)]) for _ in range(rng.randint(2, 8))]
        label = "".join(map(chr, points))
        if not label.isascii() and consensus.host(f"{label}.example") is None:
            made.append(label)
    return made


def by_icu(labels: list[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("pkg-config") is None:
            return []
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "icu-i18n", "icu-uc"], capture_output=True, text=True, check=False)
        if flags.returncode != 0:
            return []
        subprocess.run(["cc", "-O1", "-o", f"{folder}/level", HERE / "icu_level.c", *flags.stdout.split()], check=True)
        done = subprocess.run([f"{folder}/level"], input="\n".join(labels) + "\n", capture_output=True, text=True, check=True)
        return done.stdout.splitlines()


def stricter(label: str) -> str | None:
    """Returns why a label that is highly restrictive for ICU is stricter here, or None."""
    points = list(map(ord, label))
    if any(c >= 0x80 and looks.scripts(c) == "0" for c in points):
        return "not in the profile here"
    latin = [c for c in points if looks.scripts(c) == "SCRIPT_LATN"]
    return "Latin beyond ASCII beside another script" if latin else None


def mixed(urivet: str, count: int, seed: int) -> bool:
    labels = mixed_labels(count, seed)
    levels = by_icu(labels)
    if not levels:
        print("imitations: ICU is not here: install libicu-dev", file=sys.stderr)
        raise SystemExit(2)
    told = judge(urivet, [f"{consensus.host_to_ascii(label)}.example" for label in labels], "--refuse=idn-mixed-script")
    kinds, wrong = Counter[str](), []
    for label, level, (_, ids) in zip(labels, levels, told):
        ours, theirs = "idn-mixed-script" in ids, level == "mixed"
        reason = stricter(label) if ours and not theirs else None
        kinds["both" if ours and theirs else "neither" if not ours and not theirs else reason or "different"] += 1
        if ours != theirs and reason is None:
            wrong.append(f"{label}: ours {ours}, ICU {theirs}")
    print(f"mixed scripts: {len(labels)} labels, " + ", ".join(f"{times} {kind}" for kind, times in sorted(kinds.items())))
    print("\n".join(wrong[:SHOWN]), end="\n" if wrong else "")
    return not wrong and kinds["both"] > 0 and kinds["neither"] > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--urivet", default="build/urivet")
    parser.add_argument("--mixed", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    good = sets(options.urivet)
    if options.mixed and not mixed(options.urivet, options.mixed, options.seed):
        good = False
    print(f"imitations: {'as it should be' if good else 'something is not as it should be'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
