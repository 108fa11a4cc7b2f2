# SPDX-License-Identifier: Apache-2.0
"""Pages of the laboratories: a template, looks and widgets they share, and facts, written as one file."""
from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
READINGS = ("readings.css", "readings.js")     # of pages that show what readers make of an input


def in_script(facts: object) -> str:
    """As JSON that ends no script: without a < there is neither </script> nor <!--."""
    return json.dumps(facts, separators=(",", ":")).replace("<", "\\u003c")


def write(path: Path, template: Path, facts: object) -> None:
    """The facts go in last, so that nothing in them is taken for a place of the template."""
    page = template.read_text(encoding="utf-8")
    files = ["page.css", "page.js", *(name for name in READINGS if f"/*{name.upper()}*/" in page)]
    for place, text in [*((f"/*{name.upper()}*/", (HERE / name).read_text(encoding="utf-8")) for name in files),
                        ("/*DATA*/null", in_script(facts))]:
        head, found, tail = page.partition(place)
        if not found:
            raise RuntimeError(f"{template}: no place for {place}")
        page = head + text + tail
    path.write_text(page, encoding="utf-8")
