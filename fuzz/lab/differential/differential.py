#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Third-party parsers, fuzzed against one another in one process. Each difference is named by a finding.

    differential.py run --time=60 [--jobs=2] [--engine=libfuzzer|afl]
                                    writes clusters.tsv, report.html and reports/ into build/differential/found
    differential.py replay [--readers=NAMES] URL...
                                    shows how each parser reads the URLs, and its errors
    differential.py report PARSER URL
                                    writes a bug report for the maintainers of the parser
    differential.py readers         lists the parsers installed here, and what the others need

Exit status of run: 0 if all read alike what strict accepts, and a finding names every other difference; 1
otherwise; 2 if there are fewer than five parsers, or something that a run needs is missing.
"""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "zoo"), str(HERE.parents[1])]

import clusters  # noqa: E402
import engines
import parsers
import reports
import zoo
from progress import Progress


def run(args: argparse.Namespace) -> int:
    found = parsers.visit_all()
    if not parsers.enough(found):
        return 2
    here = [parser for parser in found if not parser.lacks]
    campaign = engines.Campaign(here, args.engine, args.time, args.jobs, args.out.resolve(), args.runs)
    def told() -> str:
        numbers = campaign.numbers()
        return f"{numbers['executions']:,} executions, {numbers['apart']:,} read apart, {numbers['kept']:,} partitions"

    with Progress("differential", told) as progress:
        progress.phase = f"building, then fuzzing for {args.time} s"
        campaign.run()
        progress.phase = "looking for readers in other languages"
        crew = parsers.Crew(here, campaign.out)
        animals = [zoo.visit(row) for row in parsers.other_rows() if not args.alone or row.ours]
        progress.phase = "minimising, and asking every reader"
        result = clusters.of_records(campaign.records(), crew, [animal for animal in animals if not animal.lacks])
    incidents = crew.incidents() + result.incidents
    clusters.write_table(campaign.out / "clusters.tsv", result)
    reports.write_all(campaign.out / "reports", result, incidents)
    from page_of_clusters import write_page
    write_page(campaign.out / "report.html", found, animals, result, incidents, campaign)
    return tell(campaign, result, incidents)


def tell(campaign: engines.Campaign, result: clusters.Result, incidents: Sequence[parsers.Incident]) -> int:
    for incident in incidents:
        print(f"INCIDENT {incident.reader} ({incident.kind}): {zoo.escaped(incident.record)}  {incident.place}")
    for reader in campaign.left_out:
        print(f"LEFT OUT {reader}: it stopped the run {engines.MOST_STOPS} times")
    for title, wrong in (("ACCEPTED AND READ APART", result.holes), ("NO FINDING NAMES", result.unnamed)):
        for reading in wrong[:zoo.SHOWN]:
            print(title, *zoo.describe(reading, result.versions), sep="\n  ")
    print(f"differential: {campaign.engine}, {campaign.counts()}")
    print(f"differential: {len(result.readings)} witnesses in {len(result.clusters)} clusters, {len(incidents)} incidents; "
          f"accepted and read apart {len(result.holes)}, without a finding {len(result.unnamed)} of web schemes; "
          f"{os.path.relpath(campaign.out, zoo.ROOT)}/report.html")
    return 1 if result.holes or result.unnamed else 0


def replay(args: argparse.Namespace) -> int:
    """Prints a line for each reader, then the groups of readings that differ."""
    names = args.readers.split(",") if args.readers else None
    known = [*parsers.table(), *([] if names is None else [row.name for row in parsers.other_rows()])]
    found = [parser for parser in parsers.visit_all() if names is None or parser.name in names]
    if unknown := sorted(set(names or ()) - {parser.name for parser in found} - set(known)):
        raise RuntimeError(f"no reader {', '.join(unknown)}: there are {', '.join(known)}")
    animals = [zoo.visit(row) for row in parsers.other_rows() if names and row.name in names]
    for missing in [one for one in (*found, *animals) if one.lacks and names]:
        print(f"{missing.row.name:15}  not here: {missing.lacks}")
    crew = parsers.Crew([parser for parser in found if not parser.lacks])
    readers = clusters.Readers(crew, [animal for animal in animals if not animal.lacks])
    for reading in readers.read(list(map(os.fsencode, args.urls))):
        for reader, line in reading.lines.items():
            print(f"{reader.name:15}  {line}")
        for group in clusters.groups_of(reading) if reading.differing else ():
            print(f"read apart: {group}")
    for incident in [*crew.incidents(), *(incident for guest in readers.guests for incident in guest.incidents)]:
        print(f"{incident.reader}: {incident.kind} in {incident.place}")
    return 0


def report(args: argparse.Namespace) -> int:
    rows, record = parsers.table(), os.fsencode(args.url)
    if args.reader not in rows:
        raise RuntimeError(f"no parser {args.reader}: there are {', '.join(rows)}")
    crew = parsers.Crew([parser for parser in parsers.visit_all() if not parser.lacks])
    animals = [zoo.visit(row) for row in parsers.other_rows()]
    made = reports.of_record(args.reader, record, crew, [animal for animal in animals if not animal.lacks])
    print(reports.text_of(made, rows[args.reader]), end="")
    return 0


def readers(_: argparse.Namespace) -> int:
    found = parsers.visit_all()
    for parser in found:
        print(f"{parser.name:15}  {parser.version or 'SKIPPED, ' + parser.lacks}")
    return 0 if parsers.enough(found) else 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in (("run", run), ("replay", replay), ("report", report), ("readers", readers)):
        commands.add_parser(name).set_defaults(run=command)
    options = commands.choices["run"]
    options.add_argument("--time", type=int, default=60, help="seconds of fuzzing")
    options.add_argument("--runs", type=int, default=0, help="executions of each process, if they are fewer than time allows")
    options.add_argument("--jobs", type=int, default=1, help="processes that fuzz")
    options.add_argument("--engine", choices=("libfuzzer", "afl"), default="libfuzzer")
    options.add_argument("--out", type=Path, default=engines.OUT, help="the folder that is written anew")
    options.add_argument("--alone", action="store_true", help="without the zoo's readers in other languages")
    commands.choices["replay"].add_argument("--readers", default="", metavar="NAMES",
                                            help="ask these, of any language; default: the parsers of the process")
    commands.choices["replay"].add_argument("urls", nargs="+", metavar="URL")
    commands.choices["report"].add_argument("reader", metavar="PARSER")
    commands.choices["report"].add_argument("url", metavar="URL")
    return zoo.outcome("differential", parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
