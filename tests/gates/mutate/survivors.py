#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules of survivors.txt: which mutants have a reason not to be killed.

    python3 tests/gates/mutate/survivors.py              is every part of every rule about something? Runs nothing
    python3 tests/gates/mutate/survivors.py --rules      and how many mutants each rule is about
    python3 tests/gates/mutate/survivors.py --mend       follows functions that were renamed or moved since survivors.txt was
                                                   committed (in tests/gates/coverage.exceptions too), and takes
                                                   out what is about nothing
    python3 tests/gates/mutate/survivors.py --rename OLD=NEW...

A rule that is about no mutant is stale, and so is one of its functions or clauses.  That a mutant is named here says
nothing where a test kills it: it counts as killed.
"""
from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import core  # noqa: E402 pylint: disable=wrong-import-position
from mutants import File, Mutant, mutants_of  # noqa: E402 pylint: disable=wrong-import-position

ROOT = Path(__file__).resolve().parents[3]
SURVIVORS = Path(__file__).with_name("survivors.txt")
EXCEPTIONS = ROOT / "tests/gates/coverage.exceptions"
LINES = [name for line in Path(__file__).with_name("files.txt").read_text().splitlines()
         if (name := line.split("#")[0].strip())]
FILES = [name for name in LINES if ":" not in name]
TABLES = [name.removeprefix("table:").strip() for name in LINES if name.startswith("table:")]  # written by scripts
ELSEWHERE = [name.removeprefix("neon:").strip() for name in LINES if name.startswith("neon:")]  # not compiled here
MOST = 0.055            # of all mutants that rules are about
BEYOND = 0.10           # of what a rule is about, not more may be killed all the same
ALIKE = 0.6             # of the text of a function that was renamed
CLASSES = ("equivalent: ", "over-read: ", "unseen: ")


def matcher(pattern: str) -> re.Pattern[str]:
    """Returns the pattern of a clause, in which ** stands for any text."""
    return re.compile(".*".join(map(re.escape, pattern.split("**"))))


@dataclass
class Rule:
    number: int                 # of the line
    functions: list[str]
    clauses: list[str]
    changes: list[str]
    numbers: list[str]
    reason: str
    met: set[str] = field(default_factory=set)      # functions and clauses that some mutant has

    @cached_property
    def patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(clause, matcher(clause)) for clause in self.clauses]

    def matches(self, mutant: Mutant) -> bool:
        """Returns true if the rule matches the mutant, and notes which of its parts do."""
        if mutant.function not in self.functions or not (
                self.numbers == ["*"] or str(mutant.nth) in self.numbers) or not (
                self.changes == ["**"] or mutant.change in self.changes):
            return False
        clauses = [clause for clause, pattern in self.patterns if pattern.fullmatch(mutant.clause)]
        self.met.update(clauses)
        if clauses:
            self.met.add(mutant.function)
        return bool(clauses)

    def without(self, parts: set[str]) -> "Rule | None":
        functions = [name for name in self.functions if name not in parts]
        clauses = [clause for clause in self.clauses if clause not in parts]
        return Rule(self.number, functions, clauses, self.changes, self.numbers, self.reason) if (
            functions and clauses) else None

    def __str__(self) -> str:
        return "\t".join(("|".join(self.functions), " // ".join(self.clauses), " // ".join(self.changes),
                          ",".join(self.numbers), self.reason))


class Rules:
    def __init__(self, path: Path = SURVIVORS) -> None:
        self.path = path
        self.head, self.rules = [], []
        self.of_function: dict[str, list[Rule]] = defaultdict(list)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line or line.startswith("#"):
                self.head.append(line)
                continue
            columns = line.split("\t")
            if len(columns) != 5 or not columns[4].startswith(CLASSES):
                raise SystemExit(f"{path.name}:{number}: five columns are due: functions, clauses, changes, numbers, "
                                 f"and one of {', '.join(CLASSES)}with a reason")
            rule = Rule(number, columns[0].split("|"), columns[1].split(" // "), columns[2].split(" // "),
                        columns[3].split(","), columns[4])
            self.rules.append(rule)
            for name in rule.functions:
                self.of_function[name].append(rule)

    def rule_for(self, mutant: Mutant) -> Rule | None:
        """Returns the first rule that matches the mutant."""
        found = [rule for rule in self.of_function.get(mutant.function, ()) if rule.matches(mutant)]
        return found[0] if found else None

    def reason(self, mutant: Mutant) -> str:
        rule = self.rule_for(mutant)
        return rule.reason if rule else ""

    def stale(self) -> list[tuple[Rule, str]]:
        """Returns the parts that no mutant matched; all parts of a rule that matches none."""
        return [(rule, part) for rule in self.rules for part in (*rule.functions, *rule.clauses) if part not in rule.met]

    def write(self, drop: set[tuple[int, str]] = frozenset()) -> None:  # type: ignore[assignment]
        """Writes the rules without those parts, which are given by the number of the rule's line."""
        left = [rule.without({part for number, part in drop if number == rule.number}) for rule in self.rules]
        self.path.write_text("\n".join([*self.head, *(str(rule) for rule in left if rule is not None)]) + "\n",
                             encoding="utf-8")


def everything() -> list[Mutant]:
    return [mutant for name in (*FILES, *ELSEWHERE) for mutant in mutants_of(name)]


def sentence(rule: Rule, part: str, functions: set[str]) -> str:
    if part in rule.functions:
        what = "has no such mutant that survives" if part in functions else "is no function of the core any more"
        return f"survivors.txt:{rule.number}: {part} {what}: --mend, or take it out"
    return f"survivors.txt:{rule.number}: no clause of these functions is \"{part}\": write it anew, or take it out"


# ---- renamed functions

Place = tuple[str, str]     # name of the file without folders, function


def texts_of(sources: dict[str, str]) -> dict[Place, str]:
    """Returns the normalised text of each function."""
    texts: dict[Place, list[str]] = defaultdict(list)
    for name, source in sources.items():
        file = File(name, source)
        for at, clause in file.clauses:
            texts[Path(name).name, file.function_at(at)].append(clause)
    return {place: "\n".join(clauses) for place, clauses in texts.items()}


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def sources_before(revision: str) -> dict[str, str]:
    """Returns the sources of a revision, or of the commit of survivors.txt."""
    revision = revision or git("log", "-1", "--format=%H", "--", str(SURVIVORS.relative_to(ROOT))).strip()
    names = git("ls-tree", "-r", "--name-only", revision, "src", "include").split()
    return {name: git("show", f"{revision}:{name}") for name in names
            if name.endswith((".c", ".h")) and "/cli/" not in name}


def renamed(named: set[str], revision: str) -> dict[str, set[str]]:
    """Returns the new names of functions that rules name and that are no longer at their place."""
    before = texts_of(sources_before(revision))
    now = texts_of({name: (ROOT / name).read_text(encoding="utf-8") for name in (*FILES, *ELSEWHERE)})
    still = {function for _, function in now}
    found: dict[str, set[str]] = defaultdict(set)
    for (file, function), text in sorted(before.items()):
        if function not in named or (file, function) in now:
            continue
        likely = {place: difflib.SequenceMatcher(None, text, other, False).ratio()
                  for place, other in now.items() if place not in before}
        best = max(likely, key=lambda place: likely[place], default=("", ""))
        if likely.get(best, 0) >= ALIKE and best[1] != function:
            found[function].add(best[1])
    for function in found.keys() & still:
        found[function].add(function)       # another function of that name is still there
    return found


def renamed_in(path: Path, names: dict[str, set[str]]) -> None:
    """Renames in the first column, and in texts that call the function."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        functions, tab, rest = line.partition("\t")
        if tab and not line.startswith("#"):
            functions = "|".join(sorted({new for name in functions.split("|") for new in names.get(name, {name})}))
            for old, new in names.items():
                if old not in new:
                    rest = re.sub(rf"\b{re.escape(old)}\(", f"{min(new)}(", rest)
        lines.append(functions + tab + rest)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def rename(names: dict[str, set[str]]) -> None:
    renamed_in(SURVIVORS, names)
    # an exception is for one function: if two have the name, the right one is unknown
    renamed_in(EXCEPTIONS, {old: new for old, new in names.items() if len(new) == 1})
    for old, new in sorted(names.items()):
        print(f"{old} is {' and '.join(sorted(new))} now")


def examine(mutants: list[Mutant]) -> tuple[Rules, dict[int, int], set[str]]:
    rules, counts = Rules(), defaultdict(int)
    for mutant in mutants:
        rule = rules.rule_for(mutant)
        if rule:
            counts[rule.number] += 1
    return rules, counts, {mutant.function for mutant in mutants}


def main() -> int:
    parser = argparse.ArgumentParser(description="The rules of survivors.txt.")
    parser.add_argument("--rules", action="store_true", help="how many mutants each is about")
    parser.add_argument("--mend", action="store_true", help="follow what was renamed, take out what is stale")
    parser.add_argument("--rename", nargs="+", metavar="OLD=NEW", default=[])
    parser.add_argument("--since", default="", metavar="REVISION", help="of --mend: when the names were those of survivors.txt")
    args = parser.parse_args()
    if args.rename:
        rename({old: {new} for old, new in (pair.split("=", 1) for pair in args.rename)})
    mutants = everything()
    rules, counts, functions = examine(mutants)
    if args.mend:
        rename(renamed({name for rule in rules.rules for name in rule.functions}, args.since))
        rules, counts, functions = examine(mutants)
        for rule, part in rules.stale():
            print(f"taken out: {sentence(rule, part, functions)}")
        rules.write({(rule.number, part) for rule, part in rules.stale()})
        rules, counts, functions = examine(mutants)
    if args.rules:
        for rule in rules.rules:
            print(f"{counts[rule.number]:4} {rule}")
    wrong = [sentence(rule, part, functions) for rule, part in rules.stale()]
    wrong += [f"{name} is in no line of tests/gates/mutate/files.txt, so it has no mutants: add it"
              for name in core.sources() if name not in (*FILES, *TABLES, *ELSEWHERE)]
    about = sum(counts.values())
    if about > MOST * len(mutants):
        wrong.append(f"the rules are about {about} of {len(mutants)} mutants, above {MOST:.0%}: write tests instead")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"survivors: {len(rules.rules)} rules about {about} of {len(mutants)} mutants, {len(wrong)} things wrong")
    return bool(wrong)


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
