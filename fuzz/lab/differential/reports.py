# SPDX-License-Identifier: Apache-2.0
"""Bug reports for maintainers of a parser: what it does, what its standard requires, what others do.
Nothing is sent.

A report is a page with a block of facts, which can be read again to check whether it is still true.
"""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import clusters
import parsers
import rules
import zoo

STANDARD = "urivet-rfc3986"         # the reader whose reading is that of RFC 3986
KINDS = {"over-read": "reads beyond the end of its input", "abort": "calls abort()", "crash": "crashes",
         "hang": "does not come back", "write": "writes into its input", "garbage": "answers in no known form",
         "out of step": "answers out of step"}


def c_string(record: bytes) -> str:
    """Returns a C string literal. Octal escapes have three digits, so they need no terminator, and ??
    forms no trigraph."""
    text = "".join(chr(b) if 0x20 <= b <= 0x7E and b not in b'"\\' else f"\\{b:03o}" for b in record)
    return '"' + text.replace("??", "?\\077") + '"'


def from_c_string(text: str) -> bytes:
    return re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), text[1:-1].encode("ascii"))


@dataclass(frozen=True)
class Report:
    """The facts of a report, and its text."""
    reader: str
    version: str
    record: bytes
    outcome: str            # the columns of its reading, or the kind and place of an incident
    title: str
    said: tuple[str, ...]   # paragraphs

    @property
    def file_name(self) -> str:
        slug = re.sub(r"[^a-z0-9]+", "-", self.title.split(": ", 1)[1].lower()).strip("-")
        return f"{self.reader}-{slug}"[:80] + ".md"


def text_of(report: Report, row: parsers.Row) -> str:
    facts = [("reader", report.reader), ("library", row.library), ("version", report.version),
             ("adapter", f"fuzz/lab/zoo/{Path(adapter_of(report.reader)).name}"),
             ("standard", f"{row.standard} ({row.says})" if row.standard else "-"), ("input", c_string(report.record)),
             ("call", row.call.replace("INPUT", c_string(report.record))), ("outcome", report.outcome)]
    block = "".join(f"{name:9} {value}\n" for name, value in facts)
    return "\n".join([f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n# {report.title}\n", "```", block + "```\n",
                      *(f"{paragraph}\n" for paragraph in report.said),
                      f"Again, with `urivet`'s sources:\n\n```sh\n{clusters.replay_line(report.record, [report.reader])}\n```\n"])


def adapter_of(reader: str) -> str:
    """Returns the file that calls the library."""
    build = next(row.build for row in zoo.rows() if row.name == reader)
    return next(word for word in build.split() if word.startswith("$ZOO/"))


def facts_of(path: Path) -> dict[str, str]:
    """Returns the block of facts of a report."""
    block = re.search(r"^```\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S)
    lines = block[1].splitlines() if block else []
    return {line[:9].rstrip(): line[10:] for line in lines}


# ---- What is reported ------------------------------------------------------------------------------------------------

def columns(line: str) -> str:
    """Describes the present columns of a reading in words."""
    verdict, note, *values, port = line.split("\t")
    if verdict != "accept":
        return f"refused{'' if note == '-' else ', ' + note}"
    named = [f"{name}={value}" for name, value in zip(rules.COMPONENTS, values) if value != rules.ABSENT]
    return " ".join([*named, f"effective-port={port}"] if port != rules.ABSENT else named)


def told(incident: parsers.Incident) -> str:
    """Describes the incident without the offset, which differs between builds of the same version."""
    library, _, function = incident.place.partition(" ")
    return f"{incident.kind} in {function or 'a function'} of {library.partition('+')[0]}"


def of_incident(incident: parsers.Incident, versions: dict[str, str]) -> Report:
    said = [f"Given this input the function {KINDS[incident.kind]}; the innermost frame of the library is `{incident.place}`."]
    if incident.kind == "over-read":
        said.append("The input was a copy of its exact size, whose NUL is the last octet before a page that may not be read. Where "
                    "other memory follows, what lies there can become part of the result. AddressSanitizer can show "
                    "the same with a copy on the heap.")
    if incident.kind == "abort":
        said.append("A failed assertion does that. A program compiled with `NDEBUG` goes on with what was asserted not to be.")
    return Report(incident.reader, versions[incident.reader], incident.record, told(incident),
                  f"{incident.reader}: {KINDS[incident.kind]}", tuple(said))


def contradicts(reading: zoo.Reading, reader: rules.Reader, standard: rules.Reader) -> bool:
    """Returns true if the reader accepts what the standard refuses, or reads it differently."""
    if reader not in reading.targets:
        return False
    wanted = rules.target(reading.lines[standard], hostless=True)
    at = [rules.COMPONENTS.index(place) for place in clusters.PLACES]
    return wanted is None or any(reading.targets[reader][i] != wanted[i] for i in at)


def brief(version: str) -> str:
    """Returns the version up to the number."""
    return re.match(r".*?[ /]\d\S*|.*", version)[0].rstrip(",:")


def of_reading(reading: zoo.Reading, name: str, cluster: clusters.Cluster, result: clusters.Result,
               row: parsers.Row) -> Report:
    standard = next(line for reader, line in reading.lines.items() if reader.name == STANDARD)
    mine = next(line for reader, line in reading.lines.items() if reader.name == name)
    valid = standard.startswith("accept")
    said = [f"By {row.standard} it is {columns(standard)}." if valid else
            f"By {row.standard} it is no URI reference: its grammar has no such text.",
            "Who reads what:", "\n".join(f"- `{group}`" for group in clusters.groups_of(reading)),
            *(f"{result.texts[found]['text']} ({result.texts[found]['reference']})" for found in sorted(cluster.findings))]
    silent = [reader.name for reader in reading.lines if reader not in reading.targets]
    if silent:
        said.insert(3, "Refused, or without a host, by: " + ", ".join(silent) + ".")
    said.append("Versions: " + ", ".join(brief(result.versions[reader.name]) for reader in reading.lines) + ".")
    what = "reads otherwise than the standard" if valid else "reads what is no URI"
    return Report(name, result.versions[name], reading.record, columns(mine), f"{name}: {what}: {cluster.title}", tuple(said))


def of_result(result: clusters.Result, rows: dict[str, parsers.Row]) -> Iterator[Report]:
    """Yields a report for each cluster and each library that contradicts the standard that it claims to
    follow. It uses the best witness of a web scheme on which every rule applies and no further finding
    could be the cause; valid input is preferred."""
    for cluster in result.clusters:
        for row in rows.values():
            if not row.standard or row.name not in result.versions:
                continue
            reader, standard = rules.Reader(row.name), rules.Reader(STANDARD)
            found = [r for r in cluster.witnesses if clusters.name_of(r, result.texts) == cluster.findings
                     and clusters.is_web(r.record) and standard in r.lines and contradicts(r, reader, standard)]
            if found:
                best = min(found, key=lambda r: not r.lines[standard].startswith("accept"))
                yield of_reading(best, row.name, cluster, result, row)


def of_record(name: str, record: bytes, crew: parsers.Crew, animals: Sequence[zoo.Animal]) -> Report:
    """Returns a report on one parser and a record chosen by the user."""
    result = clusters.of_records([], crew, animals)
    told_of = [incident for incident in crew.incidents_at(record) if incident.reader == name]
    if told_of:
        return of_incident(told_of[0], crew.versions)
    lines = {rules.Reader(reader): line for reader, line in crew.read([record])[0].items()}
    lines.update({animal.key: zoo.ask(animal, [record])[0] for animal in animals})
    reading = zoo.compared(record, zoo.check([record], [])[0], lines)
    if not contradicts(reading, rules.Reader(name), rules.Reader(STANDARD)):
        raise RuntimeError(f"{name} reads {zoo.escaped(record)} as RFC 3986 does, or not at all")
    cluster = clusters.Cluster(clusters.name_of(reading, result.texts), [reading])
    versions = {**crew.versions, **{animal.row.name: animal.version for animal in animals}}
    return of_reading(reading, name, cluster, dataclasses.replace(result, versions=versions), parsers.table()[name])


def write_all(folder: Path, result: clusters.Result, incidents: Sequence[parsers.Incident]) -> None:
    rows = parsers.table()
    made = [of_incident(i, result.versions) for i in incidents if i.reader in rows] + list(of_result(result, rows))
    folder.mkdir(parents=True, exist_ok=True)
    for report in made:
        (folder / report.file_name).write_text(text_of(report, rows[report.reader]), encoding="utf-8")
