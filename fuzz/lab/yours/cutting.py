# SPDX-License-Identifier: Apache-2.0
"""Groups inputs that show the same about a reader, each group with its smallest witness.

Inputs are sorted by the findings of urivet check; the simplest of each sort is minimised while it still
shows the same.  The remaining findings are the relevant ones, and sorts with equal results form one group.
"""
from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from candidate import Candidate, Trouble
from judging import ALONE, APART, CUT_DOWN, Judge, Judged, hinges, in_words, minimal, zoo

MOST_SORTS = 120        # minimised in a phase
AT_ONCE = 24            # of them
MOST_SECONDS = 60       # after which a phase starts no more sorts
JURY = 3                # readers that check candidates during minimisation
KEPT = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://")     # a web URL stays one: others are less informative

PLAIN_START = re.compile(rb"\Ahttps?://[^/?#]*([/?#]|\Z)")
OTHER_SCHEME = re.compile(rb"\A[^/?#]*://")

Sort = tuple[str, str, frozenset[str]]      # kind, component, and the findings that refuse, or what it hinges on
Key = tuple[str, str, str]                  # kind, component, name


@dataclass
class Group:
    """What the reader does on inputs of one kind."""
    witness: Judged
    name: str               # the finding that names it, or the feature that the input depends on
    findings: frozenset[str]
    count: int = 0
    phase: str = ""
    seconds: float = 0.0


def first_place(record: bytes) -> int:
    kept = KEPT.match(record)
    return kept.end() if kept else 0


def web_variants(record: bytes) -> list[bytes]:
    """Returns variants with a plain host, or with http:// instead of another scheme: web URLs that are
    shorter or more informative."""
    made = [PLAIN_START.sub(rb"http://a/", record), PLAIN_START.sub(rb"http://a\1", record)]
    made = [other for other in made if len(other) < len(record)]
    made += [] if is_web(record) else [OTHER_SCHEME.sub(b"http://", record)]
    return [other for other in dict.fromkeys(made) if other != record]


def is_web(record: bytes) -> bool:
    return KEPT.match(record) is not None


def plainness(case: Judged) -> tuple[bool, int, int, bytes]:
    return not is_web(case.record), len(case.ids), len(case.record), case.record


def same(case: Judged, other: Judged) -> bool:
    """Returns true if it shows the same difference, or shows it on accepted input, which is worse."""
    return (other.kind, other.component) == (case.kind, case.component) or shows_worse(case, other)


def shows_worse(case: Judged, other: Judged) -> bool:
    return case.kind == ALONE and other.kind == APART and other.component == case.component


def things_of(judge: Judge, case: Judged) -> frozenset[str]:
    """Returns the findings that refuse the input; for accepted input, the features that it depends on."""
    return hinges(case.record) if case.accepted else judge.refusing(case)


class Cutter:
    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def jury(self, cases: Sequence[Judged]) -> list[zoo.Animal]:
        names = {reader.name for case in cases if case.kind == ALONE for reader in self.judge.majority(case)[:JURY]}
        return [animal for animal in self.judge.others if animal.row.name in names]

    def fits(self, case: Judged, other: Judged) -> bool:
        """Returns true if `other` may replace the case: a new finding or feature would name another bug."""
        return same(case, other) and (shows_worse(case, other) or things_of(self.judge, other) <= things_of(self.judge, case))

    def cut(self, cases: Sequence[Judged]) -> list[Judged]:
        """Returns the minimal witness of each case.  The jury checks candidates; if the others do not
        agree with the result, all readers check them."""
        small = self.minimised(cases, self.jury(cases))
        wrong = [number for number, case in enumerate(small) if case is None]
        for number, case in zip(wrong, self.minimised([cases[number] for number in wrong], self.judge.others)):
            small[number] = case
        return [one or case for case, one in zip(cases, small)]

    def minimised(self, cases: Sequence[Judged], jury: Sequence[zoo.Animal]) -> list[Judged | None]:
        """Returns the result of all readers on each minimal witness; None if it shows something else to
        them."""
        wanted = list(cases)

        def holds(batch: Sequence[minimal.Candidate]) -> list[bool]:
            judged = {case.record: case for case in self.judge.judge(list(dict.fromkeys(record for _, record in batch)), jury)}
            for number, record in batch:
                if record in judged and shows_worse(wanted[number], judged[record]):
                    wanted[number] = judged[record]
            return [record in judged and self.fits(wanted[number], judged[record]) for number, record in batch]

        found = minimal.minimised([case.record for case in cases], holds, first_place, web_variants)
        judged = {case.record: case for case in self.judge.judge(list(dict.fromkeys(found)))}
        return [judged[record] if record in judged and self.fits(case, judged[record]) else None
                for record, case in zip(found, wanted)]


class Groups:
    """All groups, across phases."""

    def __init__(self, judge: Judge) -> None:
        self.judge, self.cutter = judge, Cutter(judge)
        self.groups: dict[Key, Group] = {}
        self.known: dict[Sort, Key] = {}        # maps each minimised sort to its group
        self.uncut = 0

    def sort_of(self, case: Judged) -> Sort:
        return case.kind, case.component, things_of(self.judge, case)

    def home(self, sort: Sort) -> Key | None:
        """Returns the group of a sort: its own, or one that fewer of its findings define."""
        if sort in self.known:
            return self.known[sort]
        kind, component, findings = sort
        inside = [key for key, group in self.groups.items()
                  if key[:2] == (kind, component) and group.findings <= findings]
        return min(inside, key=lambda key: (len(self.groups[key].findings), key), default=None)

    def add(self, cases: Sequence[Judged], phase: str, start: float) -> None:
        """Sorts, minimises and counts the cases. Simple sorts come first, so that many others fall into
        their groups."""
        sorts: dict[Sort, list[Judged]] = defaultdict(list)
        for case in cases:
            sorts[self.sort_of(case)].append(case)
        left = sorted(sorts, key=lambda sort: (len(sort[2]), sorts[sort][0].rank, -len(sorts[sort]), sorted(sort[2])))
        cut, begun = 0, time.monotonic()
        while left := [sort for sort in left if self.home(sort) is None]:
            if cut >= MOST_SORTS or time.monotonic() - begun > MOST_SECONDS:
                self.uncut += len(left)
                break
            chosen = [sort for sort in left if sort[0] in CUT_DOWN][:AT_ONCE] or left
            self.settle({sort: min(sorts[sort], key=plainness) for sort in chosen}, phase, start)
            cut += len(chosen) if chosen is not left else 0
        for sort, members in sorts.items():
            home = self.home(sort)
            if home is not None:
                self.groups[home].count += len(members)

    def settle(self, plainest: dict[Sort, Judged], phase: str, start: float) -> None:
        """Minimises the simplest case of each new sort, unless its name already says everything."""
        chosen = [sort for sort in plainest if sort[0] in CUT_DOWN]
        small = dict(zip(chosen, self.cutter.cut([plainest[sort] for sort in chosen]))) if chosen else plainest
        for sort, case in sorted(small.items(), key=lambda item: (len(things_of(self.judge, item[1])), plainness(item[1]))):
            self.known[sort] = self.place(case, phase, time.monotonic() - start)

    def place(self, case: Judged, phase: str, seconds: float) -> Key:
        """Returns the group of a witness: one that needs fewer findings, one of the same name, or a new
        one."""
        findings = things_of(self.judge, case)
        home = self.home(self.sort_of(case)) if case.kind in CUT_DOWN else None
        if home is not None and self.groups[home].findings < findings:
            return home
        found = self.named(case, findings, phase, seconds)
        key = home or (case.kind, case.component, found.name)
        if key not in self.groups:
            self.groups[key] = found
            self.absorb(key)
        elif plainness(case) < plainness(self.groups[key].witness):
            self.groups[key].witness, self.groups[key].findings = case, findings
        return key

    def absorb(self, key: Key) -> None:
        """Removes groups that need all findings of this group and more."""
        into = self.groups[key]
        wider = [other for other, group in self.groups.items()
                 if key[0] in CUT_DOWN and other[:2] == key[:2] and group.findings > into.findings]
        for other in wider:
            into.count += self.groups.pop(other).count
        self.known = {sort: key if home in wider else home for sort, home in self.known.items()}

    def named(self, case: Judged, findings: frozenset[str], phase: str, seconds: float) -> Group:
        name = in_words(findings) if case.accepted else self.judge.name_of(findings)
        return Group(case, name, findings, phase=phase, seconds=seconds)

    def ranked(self) -> list[Group]:
        return sorted(self.groups.values(), key=lambda group: (group.witness.rank, -group.count, group.name))


# ---- Errors of the reader
# ----------------------------------------------------------------------------------------

@dataclass
class Breakage:
    """A kind of failure, and the smallest input that shows it."""
    trouble: Trouble
    record: bytes
    count: int


def broken(candidate: Candidate, most: int = 6) -> list[Breakage]:
    """Returns each kind of failure once, minimised if that takes few runs."""
    ways: dict[Trouble, list[bytes]] = defaultdict(list)
    for record, trouble in candidate.blamed:
        ways[trouble].append(record)
    made = []
    for trouble, records in ways.items():
        smallest = min(records, key=lambda record: (len(record), record))
        if len(made) < most and trouble.kind != "unsteady":
            smallest = cut_alone(candidate, smallest, trouble.kind)
        made.append(Breakage(trouble, smallest, len(records)))
    return made


def cut_alone(candidate: Candidate, record: bytes, kind: str) -> bytes:
    """Returns the minimal record that fails in the same way. Few candidates are tried if each costs a
    timeout."""
    left = 8 if kind in ("hang", "endless") else 1000
    probe = replace(candidate, blamed=[], runs=type(candidate.runs)(), notes=type(candidate.notes)())

    def holds(batch: Sequence[minimal.Candidate]) -> list[bool]:
        nonlocal left
        probe.blamed.clear()
        probe.ask([tried for _, tried in batch[:left]])
        left = max(left - len(batch), 0)
        broke = {tried for tried, trouble in probe.blamed if trouble.kind == kind}
        return [tried in broke for _, tried in batch]

    return minimal.minimised([record], holds, first_place)[0]
