# SPDX-License-Identifier: Apache-2.0
"""What is read apart, in clusters by the findings that name it.

A record that two readers lead to another scheme, host or port is a witness. Its name are the findings for which strict
refuses it, all but those about a policy. A cluster is a name of which no part is a name: a set of findings that is the
smallest for its witnesses.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import minimal
import parsers
import rules
import zoo
from page import catalogue

CUT = "urivet-regex"                 # the reader that cuts any text, as appendix B of RFC 3986 does
PLACES = ("host", "port", "scheme")     # the gravest first
MOST_MINIMISED = 20000
NOBODY = frozenset[str]()


@dataclass
class Cluster:
    """Witnesses, the most telling first; no findings: none names it."""
    findings: frozenset[str]
    witnesses: list[zoo.Reading]

    @property
    def title(self) -> str:
        return ",".join(sorted(self.findings)) or "-"

    @property
    def first(self) -> zoo.Reading:
        return self.witnesses[0]

    @property
    def places(self) -> list[str]:
        return [place for place in PLACES if any(place in reading.differing for reading in self.witnesses)]


@dataclass
class Result:
    readings: list[zoo.Reading]         # that are read apart
    clusters: list[Cluster]
    holes: list[zoo.Reading]            # accepted
    unnamed: list[zoo.Reading]          # of web schemes
    texts: dict[str, dict[str, str]]    # rows of the catalogue
    versions: dict[str, str]            # of readers
    incidents: list[parsers.Incident] = field(default_factory=list)     # of readers in other languages


def name_of(reading: zoo.Reading, texts: dict[str, dict[str, str]]) -> frozenset[str]:
    return frozenset(name for name in reading.findings if texts[name]["class"] not in ("note", "policy"))


def is_web(record: bytes) -> bool:
    """By its scheme, as it is written; what stands before it most readers strip."""
    return record.lstrip(bytes(range(0x21))).lower().startswith((b"http:", b"https:"))


def beside_known_ways(reading: zoo.Reading) -> list[str]:
    """The components in which readers differ, even if each reader whose way is known had read what is written there:
    the text as appendix B cuts it, since what is refused need not be a URI."""
    cut = next((line for reader, line in reading.lines.items() if reader.name == CUT), zoo.REFUSED)
    written = rules.target(cut)
    return rules.differing(rules.without_ways(reading.targets, written)[0]) if written else reading.differing


def apart(reading: zoo.Reading) -> bool:
    """Whether it leads elsewhere; of what is accepted, whether anything is read apart but for known ways."""
    if reading.accepted or not reading.differing:
        return bool(reading.differing)
    return any(place in PLACES for place in beside_known_ways(reading))


def smallest(names: set[frozenset[str]]) -> list[frozenset[str]]:
    """Those of which no other is a part; the empty one is no part of any."""
    kept: list[frozenset[str]] = []
    for name in sorted(names - {NOBODY}, key=lambda n: (len(n), sorted(n))):
        if not any(other <= name for other in kept):
            kept.append(name)
    return kept


def telling(reading: zoo.Reading, texts: dict[str, dict[str, str]]) -> tuple:
    """The fewer findings and octets the better, and of a web scheme better than of another."""
    return len(name_of(reading, texts)), not is_web(reading.record), len(reading.record), reading.record


def clustered(readings: Sequence[zoo.Reading], texts: dict[str, dict[str, str]]) -> list[Cluster]:
    """Each witness stands in the first cluster whose findings are all its own."""
    named = [(reading, name_of(reading, texts)) for reading in readings if not reading.accepted]
    kept = smallest({name for _, name in named})
    members: dict[frozenset[str], list[zoo.Reading]] = defaultdict(list)
    for reading, name in named:
        members[next((small for small in kept if small <= name), NOBODY)].append(reading)
    made = [Cluster(name, sorted(found, key=lambda r: telling(r, texts))) for name, found in members.items()]
    return sorted(made, key=lambda c: (len(c.findings) != 0, PLACES.index(c.places[0]), -len(c.witnesses), c.title))


def result_of(readings: list[zoo.Reading], texts: dict[str, dict[str, str]], versions: dict[str, str],
              incidents: Sequence[parsers.Incident] = ()) -> Result:
    unnamed = [r for r in readings if not r.accepted and not name_of(r, texts) and is_web(r.record)]
    return Result(readings, clustered(readings, texts), [r for r in readings if r.accepted], unnamed, texts, versions,
                  list(incidents))


class Readers:
    """All readers of a campaign: the parsers in the process, and those in other languages."""

    def __init__(self, crew: parsers.Crew, animals: Sequence[zoo.Animal]) -> None:
        self.crew, self.guests = crew, [parsers.Guest(animal) for animal in animals]
        self.keys = {name: rules.Reader(name) for name in crew.names}
        self.texts = catalogue(zoo.environment()["URIVET"])

    def read(self, batch: Sequence[bytes], only: Sequence[str] | None = None) -> list[zoo.Reading]:
        """Returns what everybody reads of each record, or the guests of these names and the parsers."""
        guests = [guest for guest in self.guests if only is None or guest.animal.row.name in only]
        answers = {guest.animal.key: list(guest.ask_all(batch)) for guest in guests}
        made = []
        for number, (record, verdict, lines) in enumerate(zip(batch, zoo.check(batch, []), self.crew.read(batch))):
            told = {self.keys[name]: line for name, line in lines.items()}
            told.update({key: found[number] for key, found in answers.items()})
            made.append(zoo.compared(record, verdict, told))
        return made

    def same(self, wanted: zoo.Reading, found: zoo.Reading) -> bool:
        """Whether it may stand for the other: read apart in the same places, and with no finding that the other lacks."""
        if not apart(found) or found.accepted != wanted.accepted or is_web(found.record) != is_web(wanted.record):
            return False
        return ([place for place in PLACES if place in found.differing] == [place for place in PLACES if place in wanted.differing]
                and name_of(found, self.texts) <= name_of(wanted, self.texts))

    def minimised(self, readings: Sequence[zoo.Reading]) -> list[zoo.Reading]:
        """Returns the minimal witness of each reading, as everybody reads it.  Few readers check candidates; where
        everybody does not agree with them in the end, everybody checks them."""
        few = dict.fromkeys([CUT, *(name for reading in readings for name in disagreeing(reading))])
        small = self.minimised_for(readings, list(few))
        wrong = [number for number, reading in enumerate(small) if reading is None]
        for number, reading in zip(wrong, self.minimised_for([readings[number] for number in wrong], None)):
            small[number] = reading
        return [found or reading for reading, found in zip(readings, small)]

    def minimised_for(self, readings: Sequence[zoo.Reading], only: Sequence[str] | None) -> list[zoo.Reading | None]:
        if not readings:
            return []

        def holds(batch: Sequence[minimal.Candidate]) -> list[bool]:
            records = list(dict.fromkeys(record for _, record in batch if len(record) <= parsers.LONGEST))
            found = {reading.record: reading for reading in self.read(records, only)}
            return [record in found and self.same(readings[number], found[record]) for number, record in batch]

        small = minimal.minimised([reading.record for reading in readings], holds)
        return [found if self.same(reading, found) else None for reading, found in zip(readings, self.read(small))]


def of_records(records: Sequence[bytes], crew: parsers.Crew, animals: Sequence[zoo.Animal]) -> Result:
    """Minimises in the process what was found, has everybody read it, and minimises what will be shown for everybody."""
    shortest = sorted(records, key=lambda record: (len(record), record))
    small = crew.minimised(shortest[:MOST_MINIMISED])
    readers = Readers(crew, animals)
    batch = list(dict.fromkeys([*small, *(shortest if animals else [])]))
    readings = [reading for reading in readers.read(batch) if apart(reading)]
    done: set[bytes] = set()
    # a minimal witness may have another name, so that its old cluster begins with another witness
    while best := [cluster.first for cluster in clustered(readings, readers.texts) if cluster.first.record not in done]:
        smaller = dict(zip((reading.record for reading in best), readers.minimised(best)))
        done.update(found.record for found in smaller.values())
        readings = list({found.record: found for found in (smaller.get(r.record, r) for r in readings)}.values())
    versions = {**crew.versions, **{animal.row.name: animal.version for animal in animals}}
    return result_of(readings, readers.texts, versions, [incident for guest in readers.guests for incident in guest.incidents])


# ---- The table -------------------------------------------------------------------------------------------------------

def groups_of(reading: zoo.Reading) -> list[str]:
    """"host=a port=80: neon, glib" for each of the readings, the most usual first."""
    shown = [place for place in PLACES if place in reading.differing]
    made = []
    for values, readers in rules.grouped(reading.targets, shown).items():
        told = " ".join(f"{place}={value or '(empty)'}" for place, value in zip(shown, values))
        made.append(f"{told}: {', '.join(reader.name for reader in readers)}")
    return made


def disagreeing(reading: zoo.Reading) -> list[str]:
    """Returns the readers to ask for the disagreement: one of the most usual reading, and all that read another one."""
    shown = [place for place in PLACES if place in reading.differing] or reading.differing
    first, *others = rules.grouped(reading.targets, shown).values()
    return [reader.name for reader in [first[0], *(reader for group in others for reader in group)]]


def replay_line(record: bytes, readers: Sequence[str]) -> str:
    return f"python3 fuzz/differential/differential.py replay --readers={','.join(readers)} {zoo.quoted(record)}"


def references(cluster: Cluster, result: Result) -> str:
    return "; ".join(dict.fromkeys(result.texts[name]["reference"] for name in sorted(cluster.findings)))


def write_table(path: Path, result: Result) -> None:
    """A line a cluster: findings, places, witnesses, the smallest witness, who reads what, reference, replay line."""
    with path.open("w", encoding="utf-8") as out:
        print("#findings\tplaces\twitnesses\twitness\treadings\treference\treplay", file=out)
        for cluster in result.clusters:
            print(cluster.title, ",".join(cluster.places), len(cluster.witnesses), zoo.escaped(cluster.first.record),
                  " | ".join(groups_of(cluster.first)), references(cluster, result) or "-",
                  replay_line(cluster.first.record, disagreeing(cluster.first)), sep="\t", file=out)
