# SPDX-License-Identifier: Apache-2.0
"""Tables of the laboratory: its clients, proxies and servers, and the command for each file extension."""
from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OUT = ROOT / "build" / "wire"
sys.path += [str(HERE.parents[1]), str(HERE.parent / "zoo")]      # appended last: fuzz/lab/zoo has a page.py as well

from programs import Program, Visited, Workshop  # noqa: E402


@dataclass(frozen=True)
class Row:
    """A row of clients.tsv, proxies.tsv or servers.tsv, with its program."""
    name: str
    cells: dict[str, str]
    program: Program

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def listed(self, column: str) -> frozenset[str]:
        return frozenset(filter(None, self.cells.get(column, "").split(",")))


@dataclass(frozen=True)
class Exhibit:
    """A program of the laboratory, or the reason why it is missing."""
    row: Row
    version: str = ""
    lacks: str = ""

    @property
    def name(self) -> str:
        return self.row.name

    def facts(self) -> dict[str, object]:
        return {"name": self.name, "version": self.version, "lacks": self.lacks, "what": self.row["what"],
                "limits": self.row["limits"]}


def environment() -> dict[str, str]:
    """Returns the environment of a program: without the caller's variables, proxies and configuration."""
    settings = {"CC": "cc", "CXX": "c++", "PYTHON": "/usr/bin/python3"}
    given = {name: os.environ[name] for name in settings if os.environ.get(name)}
    return {**settings, **given, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "NODE_PATH": str(OUT / "node_modules"), "HOME": str(OUT), "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


def workshop() -> Workshop:
    OUT.mkdir(parents=True, exist_ok=True)
    return Workshop(ROOT, OUT, environment())


COLUMNS = {
    "clients": ("name", "packages", "pace", "uses", "blind", "what", "limits"),
    "proxies": ("name", "packages", "what", "limits"),
    "servers": ("name", "packages", "kind", "what", "limits"),
    "runners": ("extension", "build", "run"),
}


def lines(kind: str) -> Iterable[dict[str, str]]:
    """Returns the rows of a table as written; a cell - becomes empty."""
    columns = COLUMNS[kind]
    for number, line in enumerate((HERE / f"{kind}.tsv").read_text(encoding="ascii").splitlines(), 1):
        if line.startswith("#"):
            continue
        cells = ["" if cell == "-" else cell for cell in line.split("\t")]
        if len(cells) != len(columns):
            raise RuntimeError(f"{kind}.tsv:{number}: {len(cells)} columns, not {len(columns)}")
        yield dict(zip(columns, cells))


def program_of(kind: str, cells: dict[str, str], runners: dict[str, dict[str, str]]) -> Program:
    """Returns the file that the row names, with the build and run commands of its extension."""
    name = cells["name"]
    files = sorted((HERE / kind).glob(f"{name}.*"))
    if len(files) != 1 or files[0].suffix[1:] not in runners:
        raise RuntimeError(f"{kind}.tsv: {name} needs one file {kind}/{name}.EXT, EXT one of {', '.join(runners)}; "
                           f"there is {', '.join(path.name for path in files) or 'none'}")
    runner = runners[files[0].suffix[1:]]
    settings = {"FILE": str(files[0]), "HERE": str(HERE / kind), "BIN": str(OUT / f"{kind}-{name}"),
                "USES": cells.get("uses", "")}
    return Program(f"{kind}-{name}", tuple(cells["packages"].split()), runner["build"], runner["run"],
                   (files[0], *sorted((HERE / kind).glob("adapter.*")), *sorted((HERE / kind).glob("Adapter.*"))),
                   settings)


def rows(kind: str) -> list[Row]:
    runners = {cells["extension"]: cells for cells in lines("runners")}
    return [Row(cells["name"], cells, program_of(kind, cells, runners)) for cells in lines(kind)]


# Programs that install quickly: names or prefixes.
QUICK = {"proxies": ("nginx_", "apache_"), "servers": ("go", "busybox", "python", "node"),
         "clients": ("curl", "wget", "busybox-wget", "py-urllib", "py-urllib3", "py-httpclient", "node-http", "node-legacy",
                     "fetch", "perl-tiny", "perl-lwp", "go-http")}


def quick(kind: str) -> list[str]:
    begins = tuple(name for name in QUICK[kind] if name.endswith("_"))
    return [row.name for row in rows(kind) if row.name in QUICK[kind] or row.name.startswith(begins)]


def visit(kind: str, names: Iterable[str] = ()) -> list[Exhibit]:
    """Builds all programs of a table, or those named, and reads their versions."""
    wanted, shop = list(names), workshop()
    found = [row for row in rows(kind) if not wanted or row.name in wanted]
    if unknown := set(wanted) - {row.name for row in found}:
        raise RuntimeError(f"{kind}.tsv has no row {', '.join(sorted(unknown))}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        visits: Iterable[Visited] = pool.map(lambda row: shop.visit(row.program), found)
        return [Exhibit(row, there.version, there.lacks) for row, there in zip(found, visits)]


def progress(text: str) -> None:
    """Prints a progress line if standard error is a terminal."""
    if sys.stderr.isatty():
        print(f"wire: {text}", file=sys.stderr, flush=True)


def print_exhibits(kind: str, exhibits: Iterable[Exhibit]) -> None:
    for exhibit in exhibits:
        print(f"{kind[:-1] if kind != 'proxies' else 'proxy'}  {exhibit.name:20}  "
              f"{exhibit.version or 'SKIPPED, ' + exhibit.lacks}")
