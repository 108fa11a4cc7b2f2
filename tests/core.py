# SPDX-License-Identifier: Apache-2.0
"""Reads, for tests, what the project lists in one place: the files of the core (in the folders of the
Makefile's FLOORS, lowest first), the readers (include/urivet/readers.def), and the catalogue's notation for
long inputs.

    python3 tests/core.py readers|editions     their names
    python3 tests/core.py languages            of editions: name, grammar, extra states, length
"""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
STRING = r'"(?:[^"\\]|\\.)*"'
ROW = re.compile(rf"^(EDITION|READER)\((\w+), (\d+), ({STRING}), ({STRING})(?:,\s+({STRING}), (\d+), (\d+), [^\n]*)?\)$",
                 re.M)


class Reader(NamedTuple):
    """A row of readers.def; only editions have the last three fields."""
    constant: str
    number: int
    name: str
    follows: str
    grammar: str = ""
    extra: int = 0
    length: int = 0


def expand(pattern: bytes) -> bytes:
    """Expands {text*n} in an input of the catalogue to n copies of the text, like expand() of tests/core/unit."""
    return re.sub(rb"\{([^}]+)\*([0-9]+)\}", lambda match: match[1] * int(match[2]), pattern)


def rows(path: Path) -> list[list[str]]:
    """Returns the rows of a table whose comments begin with #, with tabs between columns."""
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def floors() -> list[str]:
    """Returns the folders below src/core, lowest first; a folder includes from itself and lower ones only."""
    found = re.search(r"^FLOORS *:= (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    if not found:
        raise SystemExit("core.py: the Makefile names no FLOORS")
    return found[1].split()


def files(*suffixes: str) -> list[str]:
    """Returns the paths of the core's files below the project root, by floor and name."""
    return [f"src/core/{floor}/{path.name}" for floor in floors()
            for path in sorted((ROOT / "src" / "core" / floor).iterdir()) if path.suffix in suffixes]


def sources() -> list[str]:
    return files(".c")


def headers() -> list[str]:
    return files(".h")


def chosen(names: list[str], known: list[str], who: str, where: str) -> list[str]:
    """Returns the known paths that the names mean: src/core/uri/ip.c, uri/ip.c or ip.c. Ends the program if a name
    matches no path."""
    found = []
    for name in names:
        meant = [path for path in known if ("/" + path).endswith("/" + name.removeprefix("./"))]
        if not meant:
            raise SystemExit(f"{who}: {name} is none of the files of {where}")
        if len(meant) > 1:
            raise SystemExit(f"{who}: {name} may be {' or '.join(meant)}")
        found += meant
    return found


def ranks() -> dict[str, int]:
    """Returns the rank of each finding in include/urivet/findings.def."""
    text = (ROOT / "include/urivet/findings.def").read_text(encoding="ascii")
    return {name: int(rank) for name, rank in re.findall(r'^FINDING(?:_AS)?\([^"]*"([^"]+)".*?^\t([0-3]), "', text, re.M | re.S)}


def readers() -> list[Reader]:
    """Returns all readers, by number."""
    text = (ROOT / "include/urivet/readers.def").read_text(encoding="utf-8")
    rows = [Reader(match[2], int(match[3]), match[4][1:-1], match[5][1:-1], (match[6] or '""')[1:-1],
                   int(match[7] or 0), int(match[8] or 0)) for match in ROW.finditer(text)]
    begun = len(re.findall(r"^(?:EDITION|READER)\(", text, re.M))
    if len(rows) != begun or not rows:
        raise SystemExit(f"readers.def: {begun} rows begin, {len(rows)} are READER(constant, number, name, follows) "
                         "or EDITION(constant, number, name, follows, grammar, extra, length, heads...)")
    return rows


def editions() -> list[Reader]:
    return [row for row in readers() if row.grammar]


if __name__ == "__main__":
    if sys.argv[1:] == ["languages"]:
        for reader in editions():
            print(reader.name, reader.grammar, reader.extra, reader.length)
    else:
        print(*(row.name for row in {"readers": readers, "editions": editions}[sys.argv[1]]()))
