# SPDX-License-Identifier: Apache-2.0
"""The readers of names: readers.tsv, each built once and queried for many hosts at a time."""
from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
OUT = ROOT / "build" / "names"
sys.path += [str(ROOT / "fuzz"), str(ROOT / "fuzz/lab/zoo")]

import zoo  # noqa: E402
from programs import Program, Workshop  # noqa: E402

CHUNK = 50000
REFUSED = "!"
HOST = 4                # the column of the zoo's lines
Ask = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True)
class Reader:
    """A reader that is installed, or the reason why it is not."""
    name: str
    what: str
    version: str
    lacks: str
    ask: Ask

    @property
    def shown(self) -> bool:
        """Returns true if it displays the host first, and reads the displayed text."""
        return self.name.endswith("shown")

    @property
    def family(self) -> str:
        """Returns its family: readers of one family count once."""
        return self.name.split("-")[0]


def workshop() -> Workshop:
    given = {**zoo.environment(), "NAMES": str(HERE), "OUT": str(OUT)}
    return Workshop(ROOT, OUT, given)


def halved(once: Callable[[Sequence[str]], list[str] | None], hosts: Sequence[str]) -> list[str]:
    """Runs a reader that dies again for each half; the host that kills it counts as refused."""
    if not hosts:
        return []
    answers = once(hosts)
    if answers is not None:
        return answers
    if len(hosts) == 1:
        return [REFUSED]
    half = len(hosts) // 2
    return halved(once, hosts[:half]) + halved(once, hosts[half:])


def in_chunks(once: Callable[[Sequence[str]], list[str] | None]) -> Ask:
    def ask(hosts: Sequence[str]) -> list[str]:
        made: list[str] = []
        for at in range(0, len(hosts), CHUNK):
            made += halved(once, hosts[at:at + CHUNK])
        return made
    return ask


def asker(program: Program) -> Ask:
    """Returns a function that queries a program of this folder."""
    shop = workshop()

    def once(hosts: Sequence[str]) -> list[str] | None:
        data = b"".join(host.encode("utf-8", "surrogatepass") + b"\0" for host in hosts)
        try:
            done = shop.shell(program.run, data)
        except subprocess.TimeoutExpired:
            return None
        lines = done.stdout.decode("ascii").split("\n")
        return lines[:-1] if done.returncode == 0 and len(lines) == len(hosts) + 1 else None
    return in_chunks(once)


def zoo_asker(animal: zoo.Animal) -> Ask:
    """Returns a function that queries a reader of URLs for the host that it shows."""
    def once(hosts: Sequence[str]) -> list[str] | None:
        records = [b"https://" + host.encode("utf-8", "surrogatepass") + b"/" for host in hosts]
        lines = [line.split("\t") for line in zoo.ask(animal, records)]
        return [columns[HOST] if columns[0] == "accept" else REFUSED for columns in lines]
    return in_chunks(once)


def visit(columns: Sequence[str]) -> Reader:
    name, packages, build, run, what = columns
    if run == "zoo":
        row = next(row for row in zoo.rows() if row.name == name)
        animal = zoo.visit(row)
        return Reader(name, what, animal.version, animal.lacks, zoo_asker(animal))
    named = [HERE / word.removeprefix("$NAMES/") for word in (build + " " + run).split() if word.startswith("$NAMES/")]
    program = Program(name, tuple(packages.split()), "" if build == "-" else build, run, (*named, HERE / "adapter.h"))
    there = workshop().visit(program)
    return Reader(name, what, there.version, there.lacks, asker(program))


def rows() -> list[list[str]]:
    lines = (HERE / "readers.tsv").read_text(encoding="ascii").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def visit_all(wanted: Callable[[str], bool] = lambda name: True) -> list[Reader]:
    OUT.mkdir(parents=True, exist_ok=True)
    zoo.OUT.mkdir(parents=True, exist_ok=True)
    return [visit(row) for row in rows() if wanted(row[0])]


def ask_all(readers: Sequence[Reader], hosts: Sequence[str]) -> dict[str, list[str]]:
    """Returns the answers of each reader, two readers at a time."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        answers = list(pool.map(lambda reader: reader.ask(hosts), readers))
    return {reader.name: answer for reader, answer in zip(readers, answers)}
