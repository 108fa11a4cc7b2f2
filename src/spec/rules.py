# SPDX-License-Identifier: Apache-2.0
"""The rules of the text: their table, and the octets of an example as tables write them."""
from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Rule:
    name: str
    said: str           # yes: an expression can say it; no: code has to
    ids: tuple[str, ...]
    text: str
    example: str
    who: str
    shown: str          # zoo:READER, wire:CLIENT or -


def rows(name: str, columns: int) -> list[list[str]]:
    """Returns the rows of a table beside this file; a row with other columns is an error."""
    found = []
    for number, line in enumerate((HERE / name).read_text(encoding="ascii").splitlines(), 1):
        if line and not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) != columns:
                sys.exit(f"{name}:{number}: {len(cells)} columns, expected {columns}")
            found.append(cells)
    return found


def rules() -> list[Rule]:
    return [Rule(name, said, tuple(ids.split(",")), text, example, who, shown) for name, said, ids, text, example, who, shown in rows("rules.tsv", 7)]


def octets(text: str) -> bytes:
    r"""Reads \xHH and {text*n}, which stands for n times the text."""
    text = re.sub(r"\{([^{}*]+)\*(\d+)\}", lambda m: m[1] * int(m[2]), text)
    return re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("ascii"))
