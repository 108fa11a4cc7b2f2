# SPDX-License-Identifier: Apache-2.0
"""Groups URLs that parsers read differently, by the findings that explain the difference.

A witness is a record that two readers lead to another scheme, host or port. Its name is the set of
findings for which strict refuses it, except those about a policy. A cluster is a minimal name: no subset
of it is the name of another witness.
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

CUT = "urivet-regex"                 # the reader that splits any text, as appendix B of RFC 3986 does
PLACES = ("host", "port", "scheme")     # the most severe first
MOST_MINIMISED = 20000
NOBODY = frozenset[str]()


@dataclass
class Cluster:
    """Witnesses, the best example first. An empty set of findings means that no finding explains them."""
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
    readings: list[zoo.Reading]         # read differently
    clusters: list[Cluster]
    holes: list[zoo.Reading]            # accepted
    unnamed: list[zoo.Reading]          # of web schemes
    texts: dict[str, dict[str, str]]    # rows of the catalogue
    versions: dict[str, str]            # of readers
    incidents: list[parsers.Incident] = field(default_factory=list)     # of readers in other languages


def name_of(reading: zoo.Reading, texts: dict[str, dict[str, str]]) -> frozenset[str]:
    return frozenset(name for name in reading.findings if texts[name]["class"] not in ("note", "policy"))


def is_web(record: bytes) -> bool:
    """Returns true if the scheme, as written, is a web scheme. Most readers strip what comes before it."""
    return record.lstrip(bytes(range(0x21))).lower().startswith((b"http:", b"https:"))


def beside_known_ways(reading: zoo.Reading) -> list[str]:
    """Returns the components that differ after applying the known deviations of single readers. The
    written text is split as in appendix B, because a refused input need not be a URI."""
    cut = next((line for reader, line in reading.lines.items() if reader.name == CUT), zoo.REFUSED)
    written = rules.target(cut)
    return rules.differing(rules.without_ways(reading.targets, written)[0]) if written else reading.differing


def apart(reading: zoo.Reading) -> bool:
    """Returns true if readers are led to different places; for accepted input, if anything differs beyond
    known deviations."""
    if reading.accepted or not reading.differing:
        return bool(reading.differing)
    return any(place in PLACES for place in beside_known_ways(reading))


def smallest(names: set[frozenset[str]]) -> list[frozenset[str]]:
    """Returns the sets that have no other set as a subset. The empty set is not counted as a subset."""
    kept: list[frozenset[str]] = []
    for name in sorted(names - {NOBODY}, key=lambda n: (len(n), sorted(n))):
        if not any(other <= name for other in kept):
            kept.append(name)
    return kept


def telling(reading: zoo.Reading, texts: dict[str, dict[str, str]]) -> tuple:
    """Sort key for examples: web schemes first, then fewer findings, then fewer octets."""
    return len(name_of(reading, texts)), not is_web(reading.record), len(reading.record), reading.record


def clustered(readings: Sequence[zoo.Reading], texts: dict[str, dict[str, str]]) -> list[Cluster]:
    """Puts each witness into the first cluster whose findings are a subset of its own."""
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
    """All readers of a campaign: the parsers in this process, and those in other languages."""

    def __init__(self, crew: parsers.Crew, animals: Sequence[zoo.Animal]) -> None:
        self.crew, self.guests = crew, [parsers.Guest(animal) for animal in animals]
        self.keys = {name: rules.Reader(name) for name in crew.names}
        self.texts = catalogue(zoo.environment()["URIVET"])

    def read(self, batch: Sequence[bytes], only: Sequence[str] | None = None) -> list[zoo.Reading]:
        """Returns all readings of each record, or those of the named guests and the parsers."""
        guests = [guest for guest in self.guests if only is None or guest.animal.row.name in only]
        answers = {guest.animal.key: list(guest.ask_all(batch)) for guest in guests}
        made = []
        for number, (record, verdict, lines) in enumerate(zip(batch, zoo.check(batch, []), self.crew.read(batch))):
            told = {self.keys[name]: line for name, line in lines.items()}
            told.update({key: found[number] for key, found in answers.items()})
            made.append(zoo.compared(record, verdict, told))
        return made

    def same(self, wanted: zoo.Reading, found: zoo.Reading) -> bool:
        """Returns true if `found` may replace `wanted`: the same places differ, and it has no new finding."""
        if not apart(found) or found.accepted != wanted.accepted or is_web(found.record) != is_web(wanted.record):
            return False
        return ([place for place in PLACES if place in found.differing] == [place for place in PLACES if place in wanted.differing]
                and name_of(found, self.texts) <= name_of(wanted, self.texts))

    def minimised(self, readings: Sequence[zoo.Reading]) -> list[zoo.Reading]:
        """Returns the minimal witness of each reading, as all readers read it.  Only a few readers check
        candidates; if the others do not agree with the result, all readers check the candidates again."""
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
    """Minimises the found records in this process, runs all readers on them, and minimises the shown ones
    for all readers."""
    shortest = sorted(records, key=lambda record: (len(record), record))
    small = crew.minimised(shortest[:MOST_MINIMISED])
    readers = Readers(crew, animals)
    batch = list(dict.fromkeys([*small, *(shortest if animals else [])]))
    readings = [reading for reading in readers.read(batch) if apart(reading)]
    done: set[bytes] = set()
    # A minimal witness may have another name; then its old cluster begins with another witness.
    while best := [cluster.first for cluster in clustered(readings, readers.texts) if cluster.first.record not in done]:
        smaller = dict(zip((reading.record for reading in best), readers.minimised(best)))
        done.update(found.record for found in smaller.values())
        readings = list({found.record: found for found in (smaller.get(r.record, r) for r in readings)}.values())
    versions = {**crew.versions, **{animal.row.name: animal.version for animal in animals}}
    return result_of(readings, readers.texts, versions, [incident for guest in readers.guests for incident in guest.incidents])


# ---- The table -------------------------------------------------------------------------------------------------------

def groups_of(reading: zoo.Reading) -> list[str]:
    """Returns "host=a port=80: neon, glib" for each group of equal readings, the largest group first."""
    shown = [place for place in PLACES if place in reading.differing]
    made = []
    for values, readers in rules.grouped(reading.targets, shown).items():
        told = " ".join(f"{place}={value or '(empty)'}" for place, value in zip(shown, values))
        made.append(f"{told}: {', '.join(reader.name for reader in readers)}")
    return made


def disagreeing(reading: zoo.Reading) -> list[str]:
    """Returns the readers that show the difference: one of the most common reading, and all with another
    reading."""
    shown = [place for place in PLACES if place in reading.differing] or reading.differing
    first, *others = rules.grouped(reading.targets, shown).values()
    return [reader.name for reader in [first[0], *(reader for group in others for reader in group)]]


def replay_line(record: bytes, readers: Sequence[str]) -> str:
    return f"python3 fuzz/lab/differential/differential.py replay --readers={','.join(readers)} {zoo.quoted(record)}"


def references(cluster: Cluster, result: Result) -> str:
    return "; ".join(dict.fromkeys(result.texts[name]["reference"] for name in sorted(cluster.findings)))


def write_table(path: Path, result: Result) -> None:
    """Writes a line for each cluster: findings, places, number of witnesses, smallest witness, readings,
    reference, command to replay."""
    with path.open("w", encoding="utf-8") as out:
        print("#findings\tplaces\twitnesses\twitness\treadings\treference\treplay", file=out)
        for cluster in result.clusters:
            print(cluster.title, ",".join(cluster.places), len(cluster.witnesses), zoo.escaped(cluster.first.record),
                  " | ".join(groups_of(cluster.first)), references(cluster, result) or "-",
                  replay_line(cluster.first.record, disagreeing(cluster.first)), sep="\t", file=out)
