# SPDX-License-Identifier: Apache-2.0
"""Writes the report: the readings, as a table of columns and as a page (template: page.html)."""
from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import combinations
from pathlib import Path

import rules

sys.path.append(str(Path(__file__).resolve().parents[1] / "page"))

import pages  # noqa: E402

MOST_EXAMPLES = 3           # of a class


def write_readings(path: Path, readings: Sequence) -> None:
    """Writes a line for each input and reader: the input, the reader, and its ten columns. urivet's
    verdict counts as a reader."""
    from zoo import escaped
    with path.open("w", encoding="ascii") as out:
        for reading in readings:
            told = escaped(reading.record)
            print(told, "urivet-check", reading.verdict, sep="\t", file=out)
            for reader, line in reading.lines.items():
                print(told, reader.name, line, sep="\t", file=out)


# ---- The matrix --------------------------------------------------------------------------------------------------

@dataclass
class Matrix:
    """For each pair of readers: inputs that both read, inputs on which they differ, and one of those."""
    names: list[str]
    both: Counter[tuple[str, str]] = field(default_factory=Counter)
    differ: Counter[tuple[str, str]] = field(default_factory=Counter)
    example: dict[tuple[str, str], int] = field(default_factory=dict)

    def share(self, one: str, other: str) -> float:
        pair = (one, other) if (one, other) in self.both else (other, one)
        return self.differ[pair] / self.both[pair] if self.both[pair] else 0.0


def matrix_of(readings: Sequence) -> Matrix:
    readers = list(readings[0].lines)
    matrix = Matrix([reader.name for reader in readers])
    for number, reading in enumerate(readings):
        present = [reader for reader in readers if reader in reading.targets]
        for one, other in combinations(present, 2):
            pair = (one.name, other.name)
            matrix.both[pair] += 1
            if reading.differing and rules.differ(one, other, reading.targets):
                matrix.differ[pair] += 1
                kept = matrix.example.setdefault(pair, number)
                if telling(reading) < telling(readings[kept]):
                    matrix.example[pair] = number
    return matrix


def neighbours(matrix: Matrix) -> list[str]:
    """Orders the readers so that each is next to those it mostly agrees with."""
    clusters = [[name] for name in matrix.names]
    while len(clusters) > 1:
        one, other = min(combinations(clusters, 2), key=lambda pair: distance(matrix, *pair))
        clusters.remove(one)
        clusters.remove(other)
        clusters.append(one + other if len(one) >= len(other) else other + one)
    return clusters[0]


def distance(matrix: Matrix, one: list[str], other: list[str]) -> float:
    return sum(matrix.share(a, b) for a in one for b in other) / (len(one) * len(other))


# ---- Classes of disagreement -------------------------------------------------------------------------------------

def telling(reading) -> tuple[int, int]:
    """Sort key: an example with fewer findings and octets is better."""
    return len(reading.findings), len(reading.record)


def catalogue(urivet: str) -> dict[str, dict[str, str]]:
    done = subprocess.run([urivet, "findings", "--format=json"], capture_output=True, check=True)
    rows = map(json.loads, done.stdout.splitlines())
    return {row["id"]: row for row in rows}


def classes_of(readings: Sequence, known: dict[str, dict[str, str]]) -> list[dict]:
    """Groups inputs on which readers differ, by finding and by the most severe component that differs."""
    members: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, reading in enumerate(readings):
        if not reading.differing:
            continue
        refusing = [name for name in reading.findings if known[name]["class"] != "note"]
        for name in refusing or ["(accepted)"]:
            members[name, reading.differing[0]].append(number)
    made = []
    for (name, component), numbers in members.items():
        best = sorted(numbers, key=lambda n: telling(readings[n]))[:MOST_EXAMPLES]
        entry = known.get(name, {"class": "accepted", "text": "Accepted, and read apart: a hole in the gate."})
        made.append({"id": name, "class": entry["class"], "text": entry["text"], "component": component,
                     "count": len(numbers), "examples": best})
    order = {component: rank for rank, component in enumerate(rules.SEVERITY)}
    return sorted(made, key=lambda c: (c["id"] != "(accepted)", order[c["component"]], -c["count"]))


def example(reading) -> dict:
    """Returns one input with its readings, each group of readers once."""
    from zoo import escaped
    groups = [{"target": list(values), "readers": [reader.name for reader in readers]}
              for values, readers in rules.grouped(reading.targets, rules.COMPONENTS).items()]
    return {"input": escaped(reading.record), "verdict": reading.verdict.split("\t")[0], "findings": reading.findings,
            "differing": reading.differing, "groups": groups,
            "silent": [reader.name for reader in reading.lines if reader not in reading.targets]}


# ---- Readers -----------------------------------------------------------------------------------------------------

def readers_of(animals: Sequence, readings: Sequence, matrix: Matrix) -> list[dict]:
    reads = Counter(reader.name for reading in readings for reader in reading.targets)
    alone = Counter(name for reading in readings if reading.differing for name in loners(reading))
    made = []
    for animal in animals:
        row = animal.row
        others = [matrix.share(row.name, name) for name in matrix.names if name != row.name]
        made.append({"name": row.name, "version": animal.version, "lacks": animal.lacks, "what": row.what,
                     "limits": row.limits, "blind": sorted(row.blind), "packages": " ".join(row.packages),
                     "reads": reads[row.name], "alone": alone[row.name], "deaths": animal.deaths,
                     "apart": 0 if animal.lacks or not others else sum(others) / len(others)})
    return made


def loners(reading) -> Iterable[str]:
    """Yields readers that agree with no other reader."""
    groups = rules.grouped(reading.targets, rules.COMPONENTS)
    return (readers[0].name for readers in groups.values() if len(readers) == 1)


# ---- The page ----------------------------------------------------------------------------------------------------

def data_of(animals: Sequence, readings: Sequence) -> dict:
    from zoo import environment
    urivet = environment()["URIVET"]
    matrix = matrix_of(readings)
    classes = classes_of(readings, catalogue(urivet))
    wanted = sorted({number for c in classes for number in c["examples"]} | set(matrix.example.values()))
    place = {number: index for index, number in enumerate(wanted)}
    for entry in classes:
        entry["examples"] = [place[number] for number in entry["examples"]]
    pairs = [[*pair, matrix.both[pair], matrix.differ[pair], place.get(matrix.example.get(pair), -1)]
             for pair in matrix.both]
    met = Counter(row for reading in readings for row in reading.known)
    return {
        "made": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "urivet": subprocess.run([urivet, "--version"], capture_output=True, text=True, check=True).stdout.strip(),
        "inputs": len(readings),
        "accepted": sum(reading.accepted for reading in readings),
        "differ": sum(bool(reading.differing) for reading in readings),
        "holes": sum(bool(reading.differing) and reading.accepted for reading in readings),
        "open": sum(bool(reading.known) for reading in readings),
        "components": rules.COMPONENTS,
        "order": neighbours(matrix),
        "readers": readers_of(animals, readings, matrix),
        "pairs": pairs,
        "classes": classes,
        "examples": [example(readings[number]) for number in wanted],
        "known": [{"name": row.name, "state": row.state, "parts": ", ".join(row.parts), "octets": row.octets,
                   "who": row.who, "why": row.why, "count": met[row] if row.kind in rules.WAYS else None}
                  for row in rules.TABLE],
    }


def write_page(path: Path, animals: Sequence, readings: Sequence) -> None:
    pages.write(path, Path(__file__).with_name("page.html"), data_of(animals, readings))
