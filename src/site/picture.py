#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes README's picture, from the record of the zoo: one URL, and where each parser takes it.

    src/site/picture.py > src/site/picture.svg
"""
from __future__ import annotations

import html
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "fuzz" / "lab" / "page"))

import pages  # noqa: E402

FINDING = "backslash-authority"
NAMES = {"libcurl": "curl", "apr": "Apache", "openssl": "OpenSSL", "glib": "GLib", "perl-uri": "Perl", "java-url": "Java URL", "java-uri": "Java URI", "urllib": "Python", "go": "Go", "node-url": "Node, browsers",
         "node-legacy": "Node url.parse", "boost": "Boost", "neon": "neon", "glibc": "glibc"}
WIDTH, LEFT, ROW = 880, 300, 46


def rows() -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for line in (HERE / "zoo.tsv").read_text(encoding="ascii").splitlines():
        if line.startswith(FINDING + "\t"):
            _, readers, reads = line.split("\t")
            host = "refuse it" if reads == "refuse" else re.sub(r"^http://([^/]*)/.*", r"\1", reads).replace(r"\x5c", "\\")
            found.setdefault(host, []).extend(NAMES.get(reader, reader) for reader in readers.split(","))
    return sorted(found.items(), key=lambda row: (row[0] == "refuse it", -len(row[1])))


def main() -> None:
    table = pages.colours()[0]
    groups = rows()
    height = 118 + ROW * len(groups)
    names = ("card", "ink", "soft", "line", "accept", "reject", "ambiguous", "dangerous", "policy")
    light, dark = ("".join(f".{name}{{fill:{table[name][k]}}}" for name in names) for k in (0, 1))
    tones = ["reject", "accept", "ambiguous", "dangerous"]
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="One URL, and the host that each of 21 parsers finds in it">'
          "<!-- SPDX-License-Identifier: Apache-2.0; src/site/picture.py writes this file -->"
          f"<style>text{{font:15px system-ui,'Liberation Sans',sans-serif}}.m{{font-family:ui-monospace,'DejaVu Sans Mono',monospace}}.b{{font-weight:700}}{light}@media(prefers-color-scheme:dark){{{dark}}}</style>"
          f'<rect class="card" width="{WIDTH}" height="{height}" rx="12"/>')
    print('<text class="m ink" x="28" y="46" font-size="24" style="font-size:24px">http://<tspan class="m accept b" style="font-size:24px">example.com</tspan>\\@<tspan class="m reject b" style="font-size:24px">example.net</tspan>/</text>')
    print('<text class="soft" x="28" y="82">One URL. The host that parsers find in it:</text>')
    for k, (host, readers) in enumerate(groups):
        y = 96 + ROW * k
        tone = "soft" if host == "refuse it" else tones[min(k, 3)]
        shown = ", ".join(readers)
        if len(shown) > 72:
            cut = shown.rfind(", ", 0, 72) + 1
            lines = [shown[:cut], shown[cut:].strip()]
        else:
            lines = [shown]
        print(f'<rect class="line" x="28" y="{y}" width="{WIDTH - 56}" height="1"/>'
              f'<text class="m b {tone}" x="28" y="{y + 28}">{html.escape(host)}</text>'
              + "".join(f'<text class="ink" x="{LEFT}" y="{y + (28 if len(lines) == 1 else 20 + 18 * n)}">{html.escape(line)}</text>' for n, line in enumerate(lines)))
    print("</svg>")


if __name__ == "__main__":
    main()
