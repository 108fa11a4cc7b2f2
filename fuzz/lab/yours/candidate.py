# SPDX-License-Identifier: Apache-2.0
"""Runs a user's reader on batches of records. The reader may die, hang, or print unreadable output.

It answers a line for each record, as the readers of fuzz/lab/zoo do.  Each error is traced to the record that
causes it, by running new processes, and the other records are still answered.
"""
from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

COLUMNS = ("verdict", "-", "scheme", "userinfo", "host", "port", "path", "query", "fragment", "effective port")
CELL = re.compile(rb"\\N|(?:[!-\[\]-~]|\\x[0-9A-F]{2})*")
NUMBER = re.compile(rb"\\N|[0-9]{1,5}")
MOST_LINE = 1000            # octets of a line beside four for each octet of the record
MOST_ERRORS = 1 << 20       # octets on standard error
# Runs of each kind of error, after which the rest of a batch is skipped: each hang costs its timeout.
PATIENCE = {"hang": 16}
USUAL_PATIENCE = 300
SLOW_START = 10             # the timeout is this many times longer until the first answer
ALIGNED = ("crash", "hang")     # what it printed before that answers the first records


@dataclass(frozen=True)
class Trouble:
    """An error of the reader: a kind, and a description."""
    kind: str               # crash, hang, endless, early, extra, unreadable, unsteady
    how: str


@dataclass(frozen=True)
class Run:
    """One process: its complete lines, and its error."""
    lines: list[bytes]
    trouble: Trouble | None
    note: str = ""          # its message at the end, though all was answered


def told_by(errors: bytes) -> str:
    """Returns the most informative line of standard error."""
    lines = [line.strip() for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if re.match(r"SUMMARY: |==\d+==ERROR|panic: |\w*(Error|Exception)\b", line)]
    line = (telling or lines or [""])[-1]
    return re.sub(r"0x[0-9a-f]{6,}|==\d+==", "", "".join(c if c.isprintable() else "?" for c in line))[:200]


def ending(status: int) -> str:
    """Describes an exit status; a signal is given directly or as sh reports it."""
    number = -status if status < 0 else status - 128
    try:
        return signal.Signals(number).name if status < 0 or status > 128 else f"exit status {status}"
    except ValueError:
        return f"exit status {status}"


def unreadable(line: bytes) -> str:
    """Returns what is wrong with a line, or "" if it is an answer."""
    cells = line.split(b"\t")
    if line.endswith(b"\r"):
        return "the line ends in CR LF"
    if len(cells) != len(COLUMNS):
        return f"{len(cells)} columns parted by tabs, not {len(COLUMNS)}"
    if cells[0] not in (b"accept", b"reject"):
        return "the first column is neither accept nor reject"
    for name, cell in zip(COLUMNS[2:], cells[2:]):
        if not CELL.fullmatch(cell):
            return f"the column {name} holds an octet that is not written \\xHH, with capitals"
    if not NUMBER.fullmatch(cells[-1]) or cells[-1] != b"\\N" and int(cells[-1]) > 65535:
        return "the effective port is no number up to 65535"
    return ""


class Conversation:
    """A process that is written to and read from at once, until it makes no progress."""

    def __init__(self, command: str, folder: Path, limit: float) -> None:
        self.limit = limit
        self.out, self.errors = bytearray(), bytearray()
        self.process = subprocess.Popen(["sh", "-c", f"ulimit -c 0; {command}"], stdin=subprocess.PIPE, bufsize=0,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                                        start_new_session=True)

    def hold(self, data: bytes, most: int) -> str:
        """Writes the data and reads the output. Returns how that ended: closed, hang or endless."""
        pipes = self.process
        with selectors.DefaultSelector() as selector:
            for pipe, event in ((pipes.stdin, selectors.EVENT_WRITE), (pipes.stdout, selectors.EVENT_READ),
                                (pipes.stderr, selectors.EVENT_READ)):
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, event)
            left, deadline = memoryview(data), time.monotonic() + 30 * self.limit
            while pipes.stdout in selector.get_map():
                ready = selector.select(self.limit)
                if not ready or time.monotonic() > deadline:
                    return "hang"
                for key, _ in ready:
                    if key.fileobj is pipes.stdin:
                        left = self.write(selector, left)
                    else:
                        self.read(selector, key.fileobj)
                if len(self.out) > most or len(self.errors) > MOST_ERRORS:
                    return "endless"
        return "closed"

    def write(self, selector: selectors.BaseSelector, left: memoryview) -> memoryview:
        try:
            left = left[os.write(self.process.stdin.fileno(), left[:1 << 16]):]
        except BlockingIOError:
            return left
        except BrokenPipeError:
            left = left[len(left):]
        if not left:
            selector.unregister(self.process.stdin)
            self.process.stdin.close()
        return left

    def read(self, selector: selectors.BaseSelector, pipe: object) -> None:
        piece = os.read(pipe.fileno(), 1 << 16)
        (self.out if pipe is self.process.stdout else self.errors).extend(piece)
        if not piece:
            selector.unregister(pipe)

    def status(self, ended: str) -> int | None:
        """Returns the exit status if the process ends by itself. Kills whatever is left in its session."""
        try:
            status = self.process.wait(self.limit if ended == "closed" else 0.01)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        return status


def trouble_of(records: int, lines: int, rest: bytes, ended: str, status: int | None, said: str) -> Trouble | None:
    told = f"{lines} {'line' if lines == 1 else 'lines'} for {records} {'record' if records == 1 else 'records'}"
    said = f": {said}" if said else ""
    if ended == "endless":
        return Trouble("endless", "printed without end")
    if lines > records or lines == records and rest:
        return Trouble("extra", told + (" and the beginning of another" if rest else ""))
    if lines == records:
        return None
    if ended == "hang" or status is None:
        return Trouble("hang", "nothing moved within the limit" if ended == "hang" else "closed its output and did not end")
    if status != 0:
        return Trouble("crash", ending(status) + said)
    return Trouble("early", told + (", the last line without its end" if rest else "") + said)


@dataclass
class Candidate:
    """The reader under test."""
    command: str
    folder: Path
    limit: float = 3.0      # timeout in seconds without progress
    size: int = 1000        # records given to one process
    blamed: list[tuple[bytes, Trouble]] = field(default_factory=list)
    runs: Counter[str] = field(default_factory=Counter)     # of each kind of error
    notes: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    unasked: int = 0

    def run(self, batch: Sequence[bytes]) -> Run:
        data = b"".join(record + b"\0" for record in batch)
        talk = Conversation(self.command, self.folder, self.limit)
        try:
            ended = talk.hold(data, 4 * len(data) + MOST_LINE * (len(batch) + 1))
        except BaseException:       # leave no process behind on interrupts
            talk.status("interrupted")
            raise
        status = talk.status(ended)
        *lines, rest = bytes(talk.out).split(b"\n")
        said = told_by(bytes(talk.errors))
        trouble = trouble_of(len(batch), len(lines), rest, ended, status, said)
        if trouble:
            self.runs[trouble.kind] += 1
        return Run(lines, trouble, f"{ending(status)} {said}".strip() if status and not trouble else "")

    def blame(self, record: bytes, trouble: Trouble) -> None:
        self.blamed.append((record, trouble))

    def answers(self, batch: Sequence[bytes], lines: Sequence[bytes]) -> list[str | None]:
        """Returns the lines as text, and records those that are not answers as errors."""
        made: list[str | None] = []
        for record, line in zip(batch, lines):
            wrong = unreadable(line)
            if wrong:
                self.blame(record, Trouble("unreadable", wrong))
            made.append(None if wrong else line.decode("ascii"))
        return made

    def weary(self, trouble: Trouble) -> bool:
        return self.runs[trouble.kind] > PATIENCE.get(trouble.kind, USUAL_PATIENCE)

    def ask_some(self, batch: Sequence[bytes]) -> list[str | None]:
        """Returns the answers to a batch for one process; None where there is none."""
        if not batch:
            return []
        run, before = self.run(batch), len(self.blamed)
        if run.trouble is None:
            if run.note:
                self.notes[run.note] += 1
            return self.answers(batch, run.lines)
        if len(batch) == 1:
            self.blame(batch[0], run.trouble)
            return [None]
        done = len(run.lines) if run.trouble.kind in ALIGNED else 0
        if self.weary(run.trouble):
            self.unasked += len(batch) - done
            return self.answers(batch[:done], run.lines) + [None] * (len(batch) - done)
        made = self.answers(batch[:done], run.lines[:done]) + self.tracked(batch[done:])
        if len(self.blamed) == before and not self.weary(run.trouble):
            self.blame(batch[done], Trouble("unsteady", f"{run.trouble.kind} in company, none alone"))
        return made

    def tracked(self, batch: Sequence[bytes]) -> list[str | None]:
        """Finds the record that causes an error: the first unanswered one if output is unbuffered, else in
        one of the halves."""
        first, rest = self.ask_some(batch[:1]), batch[1:]
        if first == [None]:
            return first + self.ask_some(rest)
        half = (len(rest) + 1) // 2
        return first + self.ask_some(rest[:half]) + self.ask_some(rest[half:])

    def ask(self, batch: Sequence[bytes]) -> list[str | None]:
        self.asked += len(batch)
        return [line for at in range(0, len(batch), self.size) for line in self.ask_some(batch[at:at + self.size])]

    def patient(self) -> Candidate:
        """Returns a copy that may be slow to start and whose errors are not counted."""
        return replace(self, limit=SLOW_START * self.limit, blamed=[], runs=Counter())

    def take_pace(self, records: Sequence[bytes]) -> None:
        """Sets the batch size so that a batch takes a second or two. Slow readers get as much time as fast
        ones, and a slow start is not a hang."""
        start = time.monotonic()
        self.patient().run(records[:1])
        alone = time.monotonic() - start
        self.limit = max(self.limit, 3 * alone)
        start = time.monotonic()
        if self.run(records).trouble:
            self.size = 250         # small batches find the failing record sooner
            return
        each = max((time.monotonic() - start - alone) / len(records), 1e-6)
        self.size = max(8, min(2000, int(self.limit / 3 / each)))

    def unsteady(self, batch: Sequence[bytes], lines: Sequence[str | None]) -> int:
        """Runs the batch once more in reverse order: an answer must depend on its record only."""
        again = self.ask(batch[::-1])[::-1]
        turned = [record for record, one, other in zip(batch, lines, again)
                  if one is not None and other is not None and one != other]
        for record in turned:
            self.blame(record, Trouble("unsteady", "answered otherwise in another order"))
        return len(turned)
