# SPDX-License-Identifier: Apache-2.0
"""Groups of inputs that show one thing about a reader, each with its smallest witness.

Inputs are sorted by the findings of urivet check; of each sort the plainest is cut down octet by octet while it still
shows the same.  What is left tells which findings matter, and sorts that come to the same are one group.
"""
from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from candidate import Candidate, Trouble
from judging import ALONE, APART, CUT_DOWN, Judge, Judged, hinges, in_words, zoo

MOST_SORTS = 120        # cut down in a phase
AT_ONCE = 24            # of them
MOST_SECONDS = 60       # after which no more sorts of a phase are begun
MOST_ROUNDS = 20
JURY = 3                # readers who see while an input is cut down whether it still shows the same
COARSE = (64, 32, 16, 8, 4)
KEPT = re.compile(rb"[Hh][Tt][Tt][Pp][Ss]?://")     # a web URL stays one: others tell less

PLAIN_START = re.compile(rb"\Ahttps?://[^/?#]*([/?#]|\Z)")
OTHER_SCHEME = re.compile(rb"\A[^/?#]*://")
WORD = re.compile(rb"(?:%[0-9A-Fa-f]{2})+|[A-Za-z0-9._~-]{2,}")

Sort = tuple[str, str, frozenset[str]]      # kind, component, and the findings that refuse, or what it hinges on
Key = tuple[str, str, str]                  # kind, component, name


@dataclass
class Group:
    """What the reader does on inputs of one kind."""
    witness: Judged
    name: str               # the finding that names it, or what the input hinges on
    findings: frozenset[str]
    count: int = 0
    phase: str = ""
    seconds: float = 0.0


def without(record: bytes, places: Sequence[int]) -> bytes:
    gone = frozenset(places)
    return bytes(octet for at, octet in enumerate(record) if at not in gone)


def first_place(record: bytes) -> int:
    kept = KEPT.match(record)
    return kept.end() if kept else 0


def coarse(record: bytes) -> list[bytes]:
    """The record without each of its larger stretches, without each word or run of triplets; and with a plain host."""
    start, plain = first_place(record), PLAIN_START.sub(rb"http://h\1", record)
    made = [record[:at] + record[at + size:] for size in COARSE for at in range(start, len(record) - size + 1, size // 2)]
    made += [record[:word.start()] + record[word.end():] for word in WORD.finditer(record, start)]
    made += [] if start else [OTHER_SCHEME.sub(b"http://", record)]
    made += [other for other in (plain, PLAIN_START.sub(rb"http://h/", record)) if len(other) < len(record)]
    return [other for other in dict.fromkeys(made) if other != record]


def fine(record: bytes) -> dict[bytes, tuple[int, ...]]:
    """The record without each octet, and each two that stand side by side: and which they are."""
    return {without(record, places): places for size in (2, 1) for at in range(first_place(record), len(record) - size + 1)
            if (places := tuple(range(at, at + size)))}


def together(record: bytes, places: Sequence[int]) -> list[bytes]:
    """Without all of these octets, each of which can be spared, or a half, a quarter, an eighth of them."""
    order = sorted(set(places))
    parts = [order[at:at + size] for size in {len(order) // share for share in (1, 2, 4, 8)} if size
             for at in range(0, len(order), size)]
    return list(dict.fromkeys(without(record, part) for part in parts))


@dataclass
class Cut:
    """An input on its way to its smallest."""
    case: Judged
    spare: list[int] | None = None      # octets known to be spared, to be tried together
    small: bool = False                 # no larger stretch can go
    done: bool = False

    def candidates(self) -> list[bytes]:
        record = self.case.record
        if not self.small:
            return coarse(record)
        return together(record, self.spare) if self.spare else list(fine(record))

    def take(self, fits: Sequence[Judged]) -> None:
        best = min(fits, key=lambda fit: (fit.kind != APART, not is_web(fit.record), len(fit.record), fit.record), default=None)
        if not self.small:
            self.small = best is None
        elif self.spare is None and best is not None:
            places = fine(self.case.record)
            self.spare = [place for fit in fits if len(places[fit.record]) == 1 for place in places[fit.record]]
            if self.spare and best.kind == self.case.kind:
                return
            self.spare = None
        else:
            self.done = self.spare is None
            self.spare = None
        self.case = best or self.case


def is_web(record: bytes) -> bool:
    return KEPT.match(record) is not None


def plainness(case: Judged) -> tuple[bool, int, int, bytes]:
    return not is_web(case.record), len(case.ids), len(case.record), case.record


def same(case: Judged, other: Judged) -> bool:
    """Whether it shows the same, or shows it of what is accepted, which is worse."""
    return (other.kind, other.component) == (case.kind, case.component) or shows_worse(case, other)


def shows_worse(case: Judged, other: Judged) -> bool:
    return case.kind == ALONE and other.kind == APART and other.component == case.component


def things_of(judge: Judge, case: Judged) -> frozenset[str]:
    """The findings that refuse it; of what is accepted, what it hinges on."""
    return hinges(case.record) if case.accepted else judge.refusing(case)


class Cutter:
    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def jury(self, cases: Sequence[Judged]) -> list[zoo.Animal]:
        names = {reader.name for case in cases if case.kind == ALONE for reader in self.judge.majority(case)[:JURY]}
        return [animal for animal in self.judge.others if animal.row.name in names]

    def fits(self, case: Judged, other: Judged) -> bool:
        """Whether it may stand for the case: with a thing that the case had not, it would be named by another bug."""
        return same(case, other) and (shows_worse(case, other) or things_of(self.judge, other) <= things_of(self.judge, case))

    def cut(self, cases: Sequence[Judged]) -> list[Judged]:
        """The smallest that each of these comes to, all of them cut together: a program is started once a round."""
        cut, jury = [Cut(case) for case in cases], self.jury(cases)
        for _ in range(MOST_ROUNDS):
            tries = {number: one.candidates() for number, one in enumerate(cut) if not one.done}
            if not tries:
                break
            batch = dict.fromkeys(record for records in tries.values() for record in records)
            judged = {case.record: case for case in self.judge.judge(list(batch), jury)}
            for number, records in tries.items():
                cut[number].take([judged[record] for record in records
                                  if record in judged and self.fits(cut[number].case, judged[record])])
        return self.seen_by_all(cases, [one.case for one in cut])

    def seen_by_all(self, cases: Sequence[Judged], small: Sequence[Judged]) -> list[Judged]:
        """The jury was small: what not all readers see so stays as it was found."""
        judged = {case.record: case for case in self.judge.judge(list(dict.fromkeys(case.record for case in small)))}
        return [judged[one.record] if one.record in judged and self.fits(case, judged[one.record]) else case
                for case, one in zip(cases, small)]


class Groups:
    """All that was found, from phase to phase."""

    def __init__(self, judge: Judge) -> None:
        self.judge, self.cutter = judge, Cutter(judge)
        self.groups: dict[Key, Group] = {}
        self.known: dict[Sort, Key] = {}        # of sorts that were cut down: the group that they came to
        self.uncut = 0

    def sort_of(self, case: Judged) -> Sort:
        return case.kind, case.component, things_of(self.judge, case)

    def home(self, sort: Sort) -> Key | None:
        """The group that an input of this sort belongs to: the sort's own, or one that fewer of its findings make."""
        if sort in self.known:
            return self.known[sort]
        kind, component, findings = sort
        inside = [key for key, group in self.groups.items()
                  if key[:2] == (kind, component) and group.findings <= findings]
        return min(inside, key=lambda key: (len(self.groups[key].findings), key), default=None)

    def add(self, cases: Sequence[Judged], phase: str, start: float) -> None:
        """Sorts, cuts down and counts them; plain sorts first, so that many of the others find their home in them."""
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
        """New sorts: the plainest of each is cut down, if there is more to say of it than its name."""
        chosen = [sort for sort in plainest if sort[0] in CUT_DOWN]
        small = dict(zip(chosen, self.cutter.cut([plainest[sort] for sort in chosen]))) if chosen else plainest
        for sort, case in sorted(small.items(), key=lambda item: (len(things_of(self.judge, item[1])), plainness(item[1]))):
            self.known[sort] = self.place(case, phase, time.monotonic() - start)

    def place(self, case: Judged, phase: str, seconds: float) -> Key:
        """The group of a witness: one that shows as much with fewer things, one of its name, or a new one."""
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
        """Groups that need all that this one needs, and more, show nothing else."""
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


# ---- Troubles ----------------------------------------------------------------------------------------------------

@dataclass
class Breakage:
    """A way in which the reader broke, and the smallest input that shows it."""
    trouble: Trouble
    record: bytes
    count: int


def broken(candidate: Candidate, most: int = 6) -> list[Breakage]:
    """The ways in which it broke, each once, and cut down where that takes few runs."""
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
    """A shorter record that it breaks on in the same way, one process for each try: few tries where each waits."""
    left = 8 if kind in ("hang", "endless") else 120
    probe = replace(candidate, blamed=[], runs=type(candidate.runs)(), notes=type(candidate.notes)())
    again = True
    while again and left > 0:
        again = False
        for shorter in [*coarse(record), *fine(record)]:
            left -= 1
            probe.blamed.clear()
            probe.ask_some([shorter])
            if any(trouble.kind == kind for _, trouble in probe.blamed):
                record, again = shorter, True
                break
            if left <= 0:
                break
    return record
