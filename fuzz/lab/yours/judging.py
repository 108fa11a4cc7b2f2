# SPDX-License-Identifier: Apache-2.0
"""Judges a reader's answer to one input: whether it leads elsewhere than others, and in which component.

All widely used readers agree on what urivet's policy strict accepts, so for accepted input the URL itself
is the expected reading.  For refused input the other readers decide: those of fuzz/lab/zoo that are installed,
and urivet's own models.
"""
from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ZOO = Path(__file__).resolve().parents[1] / "zoo"
sys.path += [str(ZOO), str(ZOO.parents[1])]

import minimal  # noqa: E402, F401  (cutting imports it from here)
import rules  # noqa: E402
import zoo  # noqa: E402
from candidate import Candidate  # noqa: E402

# Kinds, the worst first.  Those of KINDS_THAT_COUNT make the exit status 1; DIVIDED does not with
# --with-most.
APART, ALONE, REFUSED, DIVIDED, LENIENT = "apart", "alone", "refused", "divided", "lenient"
KINDS = {APART: "reads what strict accepts otherwise than everybody",
         ALONE: "takes what strict refuses, and reads it otherwise than most others",
         REFUSED: "refuses what strict accepts and everybody reads alike",
         DIVIDED: "takes what others read apart, as most of them do",
         LENIENT: "takes what every other reader refuses"}
KINDS_THAT_COUNT = (APART, ALONE, REFUSED, DIVIDED)
CUT_DOWN = (APART, ALONE, REFUSED)       # minimised and reported in detail
WEIGHT = {component: rank for rank, component in enumerate(rules.SEVERITY)}
# Of several findings, one of the first of these classes names the input.
TELLING = ("ambiguous", "dangerous", "malformed", "policy")


@dataclass(frozen=True)
class Judged:
    """One input with a result to report about the reader."""
    record: bytes
    verdict: str                    # the line of urivet check
    line: str                       # the reader's
    kind: str
    component: str = ""             # the most severe that differs; empty for a refusal
    others: Mapping[rules.Reader, str] = field(default_factory=dict, hash=False, compare=False)    # their lines

    @property
    def accepted(self) -> bool:
        return self.verdict.startswith("accept\t")

    @property
    def ids(self) -> tuple[str, ...]:
        names = self.verdict.split("\t")[1]
        return () if names == "-" else tuple(names.split(","))

    @property
    def rank(self) -> tuple[int, int]:
        return list(KINDS).index(self.kind), WEIGHT.get(self.component, len(WEIGHT))


class Judge:
    """The reader, the readers it is compared with, and their results."""

    def __init__(self, mine: Candidate, others: Sequence[zoo.Animal], blind: Iterable[str],
                 catalogue: Mapping[str, Mapping[str, str]]) -> None:
        self.mine, self.others, self.catalogue = mine, others, catalogue
        self.key = rules.Reader("mine", frozenset(blind))
        self.inputs = self.taken = 0
        self.met: Counter[str] = Counter()      # counts of findings, in all inputs of the phases

    def refusing(self, case: Judged) -> frozenset[str]:
        return frozenset(name for name in case.ids if self.catalogue[name]["class"] != "note")

    def name_of(self, names: Iterable[str]) -> str:
        """Returns the most informative finding: by class, then the rarest in its class."""
        return min(names, key=lambda name: (TELLING.index(self.catalogue[name]["class"]), self.met[name], name))

    def accepted(self, record: bytes, verdict: str, line: str) -> Judged | None:
        if line.startswith("reject\t"):
            return Judged(record, verdict, line, REFUSED)
        written, read = rules.target(verdict), rules.target(line, hostless=True)
        differing = rules.differing({rules.Reader("written"): written, self.key: read})
        return Judged(record, verdict, line, APART, differing[0]) if differing else None

    def against(self, record: bytes, verdict: str, line: str, others: Mapping[rules.Reader, str]) -> Judged | None:
        """Judges a refused input by the first component in which most others read something else."""
        read, targets = rules.target(line), rules.readings(others)
        if read is None:
            return None
        if not targets:
            return Judged(record, verdict, line, LENIENT, others=others)
        divided = ""
        for component in rules.SEVERITY:
            found = self.votes(targets, component)
            if component in self.key.blind or not found:
                continue
            mine = read[rules.COMPONENTS.index(component)]
            if max((count for value, count in found.items() if value != mine), default=0) > found[mine]:
                return Judged(record, verdict, line, ALONE, component, others)
            if len(found) > 1:
                divided = divided or component
        return Judged(record, verdict, line, DIVIDED, divided, others) if divided else None

    @staticmethod
    def votes(targets: Mapping[rules.Reader, rules.Target], component: str) -> Counter[str]:
        """Counts the readings. The resolver model splits as the expression model does, so both share one
        vote."""
        at = rules.COMPONENTS.index(component)
        found = Counter(read[at] for reader, read in targets.items() if component not in reader.blind)
        read = {reader.name: target[at] for reader, target in targets.items()}
        if "urivet-regex" in read and read["urivet-regex"] == read.get("urivet-resolver"):
            found[read["urivet-regex"]] -= 1
        return found

    def judge(self, batch: Sequence[bytes], others: Sequence[zoo.Animal] | None = None, counted: bool = False) -> list[Judged]:
        """Returns results for these inputs. Other readers run only on input that strict refuses and the
        reader accepts."""
        if not batch:
            return []
        verdicts, lines = zoo.check(batch, ["--policy=strict"]), self.mine.ask(batch)
        found, open_cases = [], []
        if counted:
            self.met.update(name for verdict in verdicts for name in verdict.split("\t")[1].split(","))
        for case in zip(batch, verdicts, lines):
            if case[2] is None:
                continue
            self.inputs += counted
            self.taken += counted and case[2].startswith("accept\t")
            if zoo.judged(case[1]):
                found.append(self.accepted(*case))
            elif not case[1].startswith("accept\t") and case[2].startswith("accept\t"):
                open_cases.append(case)
        return [case for case in (*found, *self.compared(open_cases, others)) if case]

    def compared(self, cases: Sequence[tuple[bytes, str, str]], others: Sequence[zoo.Animal] | None) -> list[Judged | None]:
        asked = self.others if others is None else others
        records = [record for record, _, _ in cases]
        answers = {animal.key: zoo.ask(animal, records) for animal in asked}
        return [self.against(*case, {reader: lines[number] for reader, lines in answers.items()})
                for number, case in enumerate(cases)]

    def majority(self, case: Judged) -> list[rules.Reader]:
        """Returns readers that agree on what the reader misses, urivet's models first: they are the
        fastest."""
        targets = rules.readings(case.others)
        found = self.votes(targets, case.component)
        mine = (rules.target(case.line) or ("",) * len(rules.COMPONENTS))[rules.COMPONENTS.index(case.component)]
        most = max((value for value in found if value != mine), key=lambda value: found[value])
        agreeing = [reader for reader, read in targets.items()
                    if component_of(read, case.component) == most and case.component not in reader.blind]
        return sorted(agreeing, key=lambda reader: not reader.name.startswith("urivet-"))


def component_of(read: rules.Target, component: str) -> str:
    return read[rules.COMPONENTS.index(component)]


# ---- Features that an accepted input depends on
# ------------------------------------------------------------------

PIECES = re.compile(rb"(?P<scheme>[^:]+)://(?P<authority>[^/?#]*)(?P<slash>/?)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?"
                    rb"(?:#(?P<fragment>.*))?", re.S)
MARK = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9]")
BEYOND = re.compile(r"%[89A-Fa-f]")
SPECIAL_HOSTS = ((re.compile(rb"\[.*"), "an IPv6 address"), (re.compile(rb"[0-9.]+(:.*)?"), "an IPv4 address"),
                 (re.compile(rb".*[A-Z].*", re.S), "capitals in the host"))


def hinges(record: bytes) -> frozenset[str]:
    """Returns the features of an accepted URL besides scheme and name, because no finding names what a
    reader fails on."""
    pieces = PIECES.fullmatch(record)
    if pieces is None:
        return frozenset(["the whole"])
    found = set() if pieces["scheme"] == b"http" else {f"the scheme {pieces['scheme'].decode('ascii', 'replace')}"}
    host, colon, _ = pieces["authority"].rpartition(b":") if not pieces["authority"].endswith(b"]") else (b"", b"", b"")
    host = host if colon else pieces["authority"]
    found |= {"a port"} if colon else set()
    found |= {told for shape, told in SPECIAL_HOSTS if shape.fullmatch(host)}
    found |= set() if host.startswith(b"[") else marks(host, "host")
    for name in ("path", "query", "fragment"):
        if pieces[name] is not None and (pieces[name] or name != "path"):
            found |= {f"a {name}", *marks(pieces[name], name)}
    return frozenset(found or ([] if pieces["slash"] else ["a bare host"]))


def marks(text: bytes, where: str) -> set[str]:
    """Returns triplets and octets that are neither letters nor digits; all triplets beyond ASCII count as
    one."""
    found = MARK.findall(text.decode("latin-1"))
    return {f"{'triplets beyond ASCII' if BEYOND.match(mark) else mark} in the {where}" for mark in found}


def in_words(found: Iterable[str]) -> str:
    """Returns the features that no other feature includes."""
    said = [one for one in sorted(found) if not (one.startswith("a ") and any(
        other.endswith(f" in the {one[2:]}") for other in found))]
    return ", ".join(said) or "any URL"
