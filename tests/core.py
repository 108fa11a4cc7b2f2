# SPDX-License-Identifier: Apache-2.0
"""The files of the core: the Makefile's FLOORS, lowest first, say in which folders they lie."""
from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


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
