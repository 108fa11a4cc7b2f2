#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports what llvm-cov found uncovered in the core and no exception allows.

    python3 tests/gates/coverage.py COVERAGE.json COVERAGE.lcov EXCEPTIONS

A function of a header is compiled into many objects: what one of them reached is covered.  An exception has four
columns with tabs between them: function, what is missing (line, branch or condition), the text, the reason.  The text
is that of the clause around a line, of the expression that is a branch, of the decision that has conditions; it and
the function are found wherever they stand and however their lines are broken.  An exception that stands for nothing
that is missing is an error too, unless the reason begins with "processor:", as what is reached then depends on the
machine.

MC/DC counts conditions of decisions with two or more.  A table is looked up without one, and the languages here are
tables to a part: what is right there is for the suites of tests/gates/grammar and the mutants of tests/gates/mutate to say.
"""
from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "mutate"))
from mutants import File  # noqa: E402 pylint: disable=wrong-import-position

Places = dict[tuple[str, tuple[int, ...]], list[bool]]


def core(name: str) -> str:
    """Returns the path below the project root, if the file belongs to the core."""
    path = Path(name)
    parts = path.parts[path.parts.index("src"):] if "src" in path.parts else ()
    return "/".join(parts) if parts[1:2] == ("core",) and path.suffix in (".c", ".h") else ""


class Source:
    """A source file whose places are named as in tests/gates/mutate."""

    def __init__(self, name: str) -> None:
        self.text = Path(name).read_text(encoding="utf-8")
        self.file = File(name, self.text)
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column - 1

    def key(self, kind: str, at: tuple[int, ...]) -> tuple[str, str, str]:
        """Returns function, kind and text of a place, which is given by line and column, and for an
        expression also its end."""
        begin = self.offset(at[0], max(at[1], 1))
        while self.text[begin:begin + 1] in (" ", "\t"):
            begin += 1
        text = self.file.clause_at(begin)
        if len(at) == 4:
            text = " ".join(re.sub(r"/\*.*?\*/", "", self.text[begin:self.offset(at[2], at[3])], flags=re.S).split())
            text = text.replace("( ", "(")
        return self.file.function_at(begin), kind, text


def read_lines(path: str) -> Places:
    found: Places = {}
    name = ""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("SF:"):
            name = core(line[3:])
        elif line.startswith("DA:") and name:
            number, count = line[3:].split(",")[:2]
            place = found.setdefault((name, (int(number), 0)), [False])
            place[0] = place[0] or int(count) > 0
    return found


def read_conditions(path: str) -> tuple[Places, Places]:
    """Returns for each branch whether it was taken and whether it was not taken, and for each decision its
    conditions."""
    branches: Places = {}
    decisions: Places = {}
    for file in json.loads(Path(path).read_text(encoding="utf-8"))["data"][0]["files"]:
        name = core(file["filename"])
        if not name:
            continue
        for branch in file["branches"]:
            place = branches.setdefault((name, tuple(branch[:4])), [False, False])
            place[0] |= branch[4] > 0
            place[1] |= branch[5] > 0
        for record in file.get("mcdc_records", ()):
            place = decisions.setdefault((name, tuple(record[:4])), [False] * len(record[-1]))
            place[:] = [was or now for was, now in zip(place, record[-1])]
    return branches, decisions


def main() -> int:
    branches, decisions = read_conditions(sys.argv[1])
    kinds = {"line": read_lines(sys.argv[2]), "branch": branches, "condition": decisions}
    exceptions = {}
    for line in Path(sys.argv[3]).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            *key, reason = line.split("\t")
            if len(key) != 3 or not reason or reason.startswith("open"):
                print(f"coverage.exceptions: no four columns, or no reason: {line}")
                return 1
            exceptions[tuple(key)] = reason
    sources: dict[str, Source] = {}
    used, status, figures = set(), 0, []
    missing: dict[str, int] = defaultdict(int)
    for kind, places in kinds.items():
        covered = total = excepted = 0
        for (name, at), marks in sorted(places.items()):
            if name not in sources:
                sources[name] = Source(name)
            total += len(marks)
            covered += sum(marks)
            if all(marks):
                continue
            key = sources[name].key(kind, at)
            if key in exceptions:
                used.add(key)
                excepted += len(marks) - sum(marks)
                continue
            shown = "".join("+" if mark else "-" for mark in marks)
            print(f"{name}:{at[0]}:{at[1]}: {key[0]}: {kind} {shown if kind != 'line' else 'not reached'}: {key[2]}")
            missing[kind] += 1
        figures.append(f"{ {'line': 'lines', 'branch': 'branches', 'condition': 'conditions (MC/DC)'}[kind]} "
                       f"{covered + excepted} / {total}")
        status |= covered + excepted < total or total == 0
    for key in sorted(key for key in exceptions.keys() - used if not exceptions[key].startswith("processor:")):
        print("no longer needed in coverage.exceptions:", *key, sep="\t")
        status = 1
    print(f"coverage: {', '.join(figures)}, {len(exceptions)} exceptions")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
