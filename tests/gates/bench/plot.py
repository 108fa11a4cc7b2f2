#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what bench measured: one bar a contestant, time on a logarithmic scale, the quickest on top."""
from __future__ import annotations

import math
from html import escape

LEFT, WIDTH, ROW, TOP = 260, 860, 20, 64
KINDS = {"ours": "urivet", "peer": "other libraries", "floor": "floors: they judge nothing"}
# a background of its own in either scheme: the page's need not be what the reader's system prefers
STYLE = """
svg { font: 12px sans-serif; }
.back { fill: #ffffff; } text { fill: #1f2328; } .line { stroke: #d1d9e0; } .scale { fill: #59636e; }
.ours { fill: #0969da; } .peer { fill: #c2570c; } .floor { fill: #818b98; }
@media (prefers-color-scheme: dark) {
  .back { fill: #0d1117; } text { fill: #e6edf3; } .line { stroke: #3d444d; } .scale { fill: #9198a1; }
  .ours { fill: #58a6ff; } .peer { fill: #f0883e; } .floor { fill: #7d8590; }
}
"""


def kind(name: str) -> str:
    if name.startswith("floor"):
        return "floor"
    return "ours" if name.startswith(("urivet", "VECTORS")) else "peer"


def svg(title: str, rows: list[tuple[str, float]]) -> str:
    rows = sorted(rows, key=lambda row: row[1])
    most = max(12.0, *(math.log2(max(ns, 1)) for _, ns in rows))

    def across(ns: float) -> float:
        return LEFT + math.log2(max(ns, 1)) * (WIDTH - LEFT - 60) / most

    bottom = TOP + ROW * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 30}" role="img">',
           f"<title>{escape(title)}</title><style>{STYLE}</style>",
           '<rect class="back" width="100%" height="100%"/>',
           f'<text x="{LEFT}" y="20">{escape(title)}</text>']
    for place, (name, label) in enumerate(KINDS.items()):
        x = LEFT + 150 * place
        out.append(f'<rect class="{name}" x="{x}" y="31" width="12" height="12"/>'
                   f'<text x="{x + 18}" y="41">{label}</text>')
    for power in range(0, int(most) + 1, 2):
        x = across(2 ** power)
        out.append(f'<path class="line" d="M{x:.1f} {TOP - 8}V{bottom + 4}"/>'
                   f'<text class="scale" x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{2 ** power}</text>')
    for place, (name, ns) in enumerate(rows):
        y, end = TOP + ROW * place, max(across(ns), LEFT + 1)
        out.append(f'<text x="{LEFT - 8}" y="{y + 11}" text-anchor="end">{escape(name)}</text>'
                   f'<rect class="{kind(name)}" x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="14"/>'
                   f'<text x="{end + 5:.1f}" y="{y + 11}">{ns:.1f}</text>')
    return "\n".join([*out, "</svg>", ""])
