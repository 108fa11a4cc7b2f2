# SPDX-License-Identifier: Apache-2.0
"""The page of a campaign (template: page.html). The parser comparison's code shows the readings."""
from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

import clusters
import engines
import parsers
import rules
import zoo
from page import example, matrix_of, neighbours

sys.path.append(str(Path(__file__).resolve().parents[1] / "page"))

import pages  # noqa: E402

MOST_WITNESSES = 4          # of each cluster
MOST_COMPARED = 3000        # the simplest witnesses, from which the matrix is made


def ways(cluster: clusters.Cluster) -> list[zoo.Reading]:
    """Returns the best witness of each way in which readers differ, up to the limit."""
    seen: dict[object, zoo.Reading] = {}
    for reading in cluster.witnesses:
        shown = [place for place in clusters.PLACES if place in reading.differing]
        way = tuple(shown), frozenset(map(frozenset, rules.grouped(reading.targets, shown).values()))
        seen.setdefault(way, reading)
        if len(seen) == MOST_WITNESSES:
            break
    return list(seen.values())


def readers_of(found: Sequence[parsers.Parser], animals: Sequence[zoo.Animal], matrix) -> list[dict]:
    def apart(name: str) -> float:
        others = [matrix.share(name, other) for other in matrix.names if other != name] if matrix else []
        return sum(others) / len(others) if others else 0.0

    return [*({"name": p.name, "what": p.row.library, "version": p.version, "lacks": p.lacks, "standard": p.row.standard,
               "apart": 0 if p.lacks else apart(p.name)} for p in found),
            *({"name": a.row.name, "what": a.row.what, "version": a.version, "lacks": a.lacks, "standard": "",
               "apart": 0 if a.lacks else apart(a.row.name)} for a in animals)]


def data_of(found: Sequence[parsers.Parser], animals: Sequence[zoo.Animal], result: clusters.Result,
            incidents: Sequence[parsers.Incident], campaign: engines.Campaign) -> dict:
    compared = sorted(result.readings, key=lambda reading: clusters.telling(reading, result.texts))[:MOST_COMPARED]
    matrix = matrix_of(compared) if compared else None
    place: dict[bytes, int] = {}
    examples: list[dict] = []

    def shown(reading: zoo.Reading) -> int:
        if reading.record not in place:
            place[reading.record] = len(examples)
            examples.append({**example(reading), "replay": clusters.replay_line(reading.record, clusters.disagreeing(reading))})
        return place[reading.record]

    made = [{"findings": sorted(cluster.findings), "places": cluster.places, "count": len(cluster.witnesses),
             "texts": [result.texts[name]["text"] for name in sorted(cluster.findings)],
             "references": clusters.references(cluster, result),
             "witnesses": [shown(reading) for reading in ways(cluster)]} for cluster in result.clusters]
    pairs = [[*pair, matrix.both[pair], matrix.differ[pair],
              shown(compared[matrix.example[pair]]) if pair in matrix.example else -1]
             for pair in (matrix.both if matrix else ())]
    return {
        "made": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "urivet": subprocess.run([zoo.environment()["URIVET"], "--version"], capture_output=True, text=True,
                                 check=True).stdout.strip(),
        "counts": f"{campaign.engine}, {campaign.counts()}", "count": len(result.readings), "compared": len(compared),
        "holes": len(result.holes), "unnamed": len(result.unnamed),
        "components": rules.COMPONENTS, "order": neighbours(matrix) if matrix else [],
        "readers": readers_of(found, animals, matrix), "pairs": pairs, "clusters": made, "examples": examples,
        "incidents": [{"kind": i.kind, "reader": i.reader, "place": i.place, "input": zoo.escaped(i.record),
                       "replay": clusters.replay_line(i.record, [i.reader])} for i in incidents],
    }


def write_page(path: Path, found: Sequence[parsers.Parser], animals: Sequence[zoo.Animal], result: clusters.Result,
               incidents: Sequence[parsers.Incident], campaign: engines.Campaign) -> None:
    pages.write(path, parsers.HERE / "page.html", data_of(found, animals, result, incidents, campaign))
