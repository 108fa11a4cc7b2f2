# SPDX-License-Identifier: Apache-2.0
"""The parsers that run in one process: built from the adapters of fuzz/lab/zoo, run in batches, with their
errors recorded."""
from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import zoo
from programs import Program, Workshop

HERE = Path(__file__).resolve().parent
BUILD = zoo.ROOT / "build"
OUT = BUILD / "differential" / "readers"
READINGS = BUILD / "readings"
STOPPED = 77            # exit status of a process that a parser ended
MODELS = ("urivet-rfc3986", "urivet-regex")
MOST_INCIDENTS = 3      # a reader in another language is not used after this many
LONGEST = 256           # octets of an input
BATCH = 2000            # records that a reader in another language is given at once
PATIENCE = 60           # seconds for a batch


# ---- The table -------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Row:
    """A row of readers.tsv."""
    name: str
    library: str
    standard: str
    says: str
    call: str


def table() -> dict[str, Row]:
    lines = (HERE / "readers.tsv").read_text(encoding="ascii").splitlines()
    cells = (line.split("\t") for line in lines if not line.startswith("#"))
    return {row[0]: Row(*("" if part == "-" else part for part in row)) for row in cells}


@dataclass
class Parser:
    """A parser that can be loaded, or the reason why it cannot."""
    row: Row
    version: str = ""
    lacks: str = ""

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def path(self) -> Path:
        return OUT / f"{self.name}.so"


def environment() -> dict[str, str]:
    return {**zoo.environment(), "OUT": str(OUT), "HERE": str(HERE), "READINGS": str(READINGS),
            "ADA": os.environ.get("ADA", "")}


def program(row: zoo.Row) -> Program:
    """Compiles the adapter of fuzz/lab/zoo as a shared object."""
    build = row.build.replace(f"-o $OUT/{row.name}", f"-shared -fPIC -DREADER={row.name} -o $OUT/{row.name}.so")
    return Program(row.name, row.packages, build, f"DIFFERENTIAL_READERS=$OUT/{row.name}.so $READINGS",
                   (*row.program.sources, HERE / "reader.h"))


ADA = Program("ada", (), "$CXX -std=c++20 -O2 -shared -fPIC -DREADER=ada -I$ADA $HERE/ada.cpp $ADA/ada.cpp -o $OUT/ada.so",
              "DIFFERENTIAL_READERS=$OUT/ada.so $READINGS", (HERE / "ada.cpp", HERE / "reader.h"))
ADA_ROW = Row("ada", "ada, ada::parse()", "", "", "ada::parse(INPUT)")


def make(*words: str) -> None:
    done = subprocess.run([os.environ.get("MAKE", "make"), "-s", *words], cwd=zoo.ROOT, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"make {' '.join(words)}: {done.stderr.strip()[-500:]}")


def visit_all() -> list[Parser]:
    """Builds each parser and reads its version. ada is available if ADA= names the folder of its ada.cpp
    and ada.h."""
    OUT.mkdir(parents=True, exist_ok=True)
    make(os.path.relpath(READINGS, zoo.ROOT))
    rows, workshop = {row.name: row for row in zoo.rows()}, Workshop(zoo.ROOT, OUT, environment())
    programs = [(row, program(rows[row.name])) for row in table().values()]
    if os.environ.get("ADA"):
        programs.append((ADA_ROW, ADA))
    found = []
    for row, built in programs:
        there = workshop.visit(built)
        found.append(Parser(row, there.version.partition("\t")[2].partition(":")[0], there.lacks))
    return found


def enough(found: Sequence[Parser]) -> bool:
    there = sum(not parser.lacks for parser in found)
    if there >= zoo.FEWEST:
        return True
    print(f"differential: {there} parsers are here, {zoo.FEWEST} are needed; sh fuzz/lab/differential/install.sh installs them:",
          file=sys.stderr)
    for parser in found:
        if parser.lacks:
            print(f"    {parser.name}: {parser.lacks}", file=sys.stderr)
    return False


def other_rows() -> list[zoo.Row]:
    """Returns the readers that are not in C or C++, and urivet's own models of RFC 3986."""
    return [row for row in zoo.rows() if row.name not in table() and not row.name.startswith("qt")
            and (not row.ours or row.name in MODELS)]


# ---- Incidents -------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Incident:
    """A serious error of a reader, with the shortest record that caused it."""
    kind: str
    reader: str
    place: str
    record: bytes


def incidents_of(path: Path) -> list[Incident]:
    """Returns each incident once: the shortest record of each kind, reader and place."""
    shortest: dict[tuple[str, str, str], Incident] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        kind, reader, place, digits = line.split("\t")
        incident = Incident(kind, reader, place, bytes.fromhex(digits))
        known = shortest.setdefault((kind, reader, place), incident)
        if (len(incident.record), incident.record) < (len(known.record), known.record):
            shortest[kind, reader, place] = incident
    return sorted(shortest.values(), key=lambda i: (i.reader, i.kind, i.place))


def settings(paths: Sequence[Path], out: Path) -> dict[str, str]:
    """Returns the environment of a process that loads these parsers."""
    return {**environment(), "DIFFERENTIAL_READERS": " ".join(map(str, paths)), "DIFFERENTIAL_OUT": str(out)}


# ---- In batches, in one process --------------------------------------------------------------------------------------

class Crew:
    """All parsers in one process, without a fuzzer. A record that ends the process is skipped, and the
    rest is read."""

    def __init__(self, here: Sequence[Parser], out: Path | None = None) -> None:
        self.names = [parser.name for parser in here]
        self.versions = {parser.name: parser.version for parser in here}
        self.paths = [parser.path for parser in here]
        self.out = out or OUT / "replay"
        self.out.mkdir(parents=True, exist_ok=True)
        if out is None:
            (self.out / "incidents.tsv").unlink(missing_ok=True)

    def incidents(self) -> list[Incident]:
        return incidents_of(self.out / "incidents.tsv")

    def incidents_at(self, record: bytes) -> list[Incident]:
        """Returns the incidents of one record alone."""
        (self.out / "incidents.tsv").unlink(missing_ok=True)
        self.read([record])
        return self.incidents()

    def _answers(self, command: str, batch: Sequence[bytes], end: bytes, each: int) -> list[list[bytes] | None]:
        """Returns `each` answers for each record, every one terminated by `end`; None if the record ended
        the process."""
        made: list[list[bytes] | None] = []
        while len(made) < len(batch):
            done = subprocess.run([READINGS, command], input=zoo.framed(batch[len(made):]), capture_output=True,
                                  env=settings(self.paths, self.out), check=False)
            pieces = done.stdout.split(end)[:-1]
            whole = len(pieces) // each
            made += [pieces[i * each:(i + 1) * each] for i in range(whole)]
            if done.returncode == 0 and len(made) == len(batch):
                break
            if done.returncode not in (STOPPED, -9) or len(made) == len(batch):
                raise RuntimeError(f"readings {command}: status {done.returncode}: {done.stderr[-300:]!r}")
            made.append(None)
        return made

    def read(self, batch: Sequence[bytes]) -> list[dict[str, str]]:
        """Returns each parser's columns for each record. A parser that was stopped or ended the process
        counts as refusing."""
        if not self.names:
            return [{} for _ in batch]
        return [dict(zip(self.names, (piece.decode("ascii") for piece in pieces) if pieces is not None
                         else [zoo.REFUSED] * len(self.names)))
                for pieces in self._answers("read", batch, b"\n", len(self.names))]

    def minimised(self, batch: Sequence[bytes]) -> list[bytes]:
        """Returns each record as short and plain as possible; a record that ended the process is
        unchanged."""
        answers = self._answers("minimise", batch, b"\0", 1)
        return list(dict.fromkeys(pieces[0] if pieces is not None else record for record, pieces in zip(batch, answers)))


# ---- In batches, in other languages ----------------------------------------------------------------------------------

@dataclass
class Guest:
    """A reader of fuzz/lab/zoo that is run in batches. Records with known answers are inserted between the
    others, so that misaligned answers are detected."""
    animal: zoo.Animal
    incidents: list[Incident] = field(default_factory=list)
    _marks: dict[bytes, str] = field(default_factory=dict)

    MARKS = (b"http://first.example/", b"http://second.example:81/b", b"http://third.example/c?d")

    def _lines(self, batch: Sequence[bytes]) -> list[str] | str:
        """Returns a line for each record, or a message about what is wrong with the answer."""
        try:
            done = subprocess.run(["sh", "-c", self.animal.row.run], input=zoo.framed(batch), capture_output=True,
                                  cwd=zoo.ROOT, env=zoo.environment(), timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return "hang"
        try:
            lines = done.stdout.decode("ascii").split("\n")
        except UnicodeDecodeError:
            return "garbage"
        if done.returncode != 0:
            return "crash"
        if lines.pop() != "" or len(lines) != len(batch):
            return "out of step"
        return lines if all(map(well_formed, lines)) else "garbage"

    def _in_step(self, batch: Sequence[bytes]) -> list[str] | str:
        first, middle, last = self.MARKS
        half = len(batch) // 2
        lines = self._lines([first, *batch[:half], middle, *batch[half:], last])
        if isinstance(lines, str):
            return lines
        marks = (lines[0], lines[half + 1], lines[-1])
        if not self._marks:
            self._marks = {mark: line[0] for mark in self.MARKS if not isinstance(line := self._lines([mark]), str)}
        if marks != tuple(self._marks.get(mark) for mark in self.MARKS):
            return "out of step"
        return [*lines[1:half + 1], *lines[half + 2:-1]]

    def ask(self, batch: Sequence[bytes]) -> list[str]:
        """Returns a line for each record. A batch that fails is split into halves, down to the record that
        causes it."""
        if len(self.incidents) >= MOST_INCIDENTS or not batch:
            return [zoo.REFUSED] * len(batch)
        lines = self._in_step(batch)
        if not isinstance(lines, str):
            return lines
        if len(batch) == 1:
            self.incidents.append(Incident(lines, self.animal.row.name, "-", batch[0]))
            return [zoo.REFUSED]
        half = len(batch) // 2
        return self.ask(batch[:half]) + self.ask(batch[half:])

    def ask_all(self, records: Sequence[bytes]) -> Iterator[str]:
        for at in range(0, len(records), BATCH):
            yield from self.ask(records[at:at + BATCH])


def well_formed(line: str) -> bool:
    columns = line.split("\t")
    return len(columns) == 10 and columns[0] in ("accept", "reject")
