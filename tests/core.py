# SPDX-License-Identifier: Apache-2.0
"""What the project lists in one place, for tests: the files of the core (the Makefile's FLOORS,
lowest first, say in which folders they lie), the readers (include/urivet/readers.def), and how the
catalogue writes long inputs.

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
    """A row of readers.def; the last three are of editions only."""
    constant: str
    number: int
    name: str
    follows: str
    grammar: str = ""
    extra: int = 0
    length: int = 0


def expand(pattern: bytes) -> bytes:
    """{text*n} in an input of the catalogue stands for n times the text; expand() of tests/unit does the same."""
    return re.sub(rb"\{([^}]+)\*([0-9]+)\}", lambda match: match[1] * int(match[2]), pattern)


def floors() -> list[str]:
    """Folders below src, each including from those before it only."""
    found = re.search(r"^FLOORS *:= (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    if not found:
        raise SystemExit("core.py: the Makefile names no FLOORS")
    return found[1].split()


def files(*suffixes: str) -> list[str]:
    """Paths below the project, by floor and name."""
    return [f"src/{floor}/{path.name}" for floor in floors()
            for path in sorted((ROOT / "src" / floor).iterdir()) if path.suffix in suffixes]


def sources() -> list[str]:
    return files(".c")


def headers() -> list[str]:
    return files(".h")


def chosen(names: list[str], known: list[str], who: str, where: str) -> list[str]:
    """Those of the known paths that the names mean: src/uri/ip.c, uri/ip.c, ip.c. One that means none ends the program."""
    found = []
    for name in names:
        meant = [path for path in known if ("/" + path).endswith("/" + name.removeprefix("./"))]
        if not meant:
            raise SystemExit(f"{who}: {name} is none of the files of {where}")
        if len(meant) > 1:
            raise SystemExit(f"{who}: {name} may be {' or '.join(meant)}")
        found += meant
    return found


def readers() -> list[Reader]:
    """All, by number."""
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
