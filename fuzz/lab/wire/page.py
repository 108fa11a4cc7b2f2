# SPDX-License-Identifier: Apache-2.0
"""The page of the wire laboratory: one file, made from facts and the template page.html."""
from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "page"))

import pages  # noqa: E402


def write_page(path: Path, facts: dict[str, object]) -> None:
    pages.write(path, HERE / "page.html", facts)
