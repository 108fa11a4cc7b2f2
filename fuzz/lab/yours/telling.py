# SPDX-License-Identifier: Apache-2.0
"""Writes the report about a reader for its author: on a terminal, as a page and as a table."""
from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cutting import Breakage, Group
from judging import ALONE, APART, CUT_DOWN, DIVIDED, KINDS, KINDS_THAT_COUNT, LENIENT, REFUSED, hinges, rules, zoo
from page import pages

escaped = zoo.escaped
SHOWN = 25              # groups reported in detail
SHOWN_BRIEF = 8         # of groups without consequences
BREAKAGES = {"crash": "dies", "hang": "hangs", "endless": "prints without end", "early": "leaves records unanswered",
             "extra": "answers more than it was asked", "unreadable": "answers what nobody can read",
             "unsteady": "answers by what it was asked before"}
STATUS = {1: "differences, false refusals or breakages", 2: "no input could be judged"}
CONSEQUENCES = {"scheme": "speaks another protocol", "userinfo": "sees other credentials", "host": "connects to another host",
                "port": "connects to another port", "path": "asks for another path", "query": "asks with another query",
                "fragment": "sees another fragment"}


def replay(record: bytes, command: str) -> str:
    """Returns a shell command that runs the reader again."""
    if all(0x21 <= octet <= 0x7E for octet in record):
        return f"printf '%s\\0' {shlex.quote(record.decode('ascii'))} | {command}"
    octets = "".join(chr(b) if 0x21 <= b <= 0x7E and chr(b) not in "%\\'" else f"\\{b:03o}" for b in record)
    return f"printf '{octets}\\0' | {command}"


def told(line: str) -> dict[str, str | None]:
    """Returns a reading by component, as it is compared; None for an absent component, an empty text for
    an empty one.

    The comparison takes some empty components for absent ones, so the line itself says which of the two it
    is.
    """
    read = rules.target(line, hostless=True)
    if read is None:
        return {}
    columns = line.split("\t")[2:]
    return {component: text if text not in ("", rules.ABSENT) else None if column == rules.ABSENT else ""
            for component, text, column in zip(rules.COMPONENTS, read, columns)}


def others_of(group: Group) -> list[dict[str, Any]]:
    """Returns the readings of the others, the most common first; for accepted URLs, the URL as written."""
    case = group.witness
    if case.accepted:
        return [{"read": told(case.verdict), "readers": ["everybody"]}]
    targets = rules.readings(case.others)
    shown = [case.component] if case.component else list(rules.COMPONENTS)
    return [{"read": told(case.others[readers[0]]), "readers": [reader.name for reader in readers]}
            for _, readers in rules.grouped(targets, shown).items()]


def explained(group: Group, catalogue: dict[str, dict[str, str]]) -> str:
    if group.witness.kind == REFUSED:
        return "Strict accepts it and every reader in wide use reads it alike; this one refuses it. It hinges on: " + group.name + "."
    if group.witness.accepted:
        return "Strict accepts it: every reader in wide use reads it alike, this one does not. It hinges on: " + group.name + "."
    entry = catalogue[group.name]
    return f"{entry['text']} ({entry['reference']})"


def told_group(group: Group, catalogue: dict[str, dict[str, str]], command: str) -> dict[str, Any]:
    case = group.witness
    return {"kind": case.kind, "component": case.component, "name": group.name, "findings": sorted(group.findings),
            "text": explained(group, catalogue), "count": group.count, "phase": group.phase,
            "seconds": round(group.seconds, 1), "input": escaped(case.record), "verdict": case.verdict.split("\t")[0],
            "mine": told(case.line), "others": others_of(group),
            "refuse": [reader.name for reader, line in case.others.items() if rules.target(line) is None],
            "consequence": CONSEQUENCES.get(case.component, ""), "replay": replay(case.record, command)}


def causes_of(groups: list[Group]) -> list[str]:
    """Returns the cause of each group: its own finding or pair of findings, or that of a group with fewer.

    Features of accepted URLs come first and count for refused ones too: a minimal witness has no @ in its
    path unless it needs one.
    """
    founders: list[tuple[frozenset[str], str]] = []
    made = {}
    for number in sorted(range(len(groups)), key=lambda n: (not groups[n].witness.accepted, len(groups[n].findings), n)):
        group = groups[number]
        things = group.findings | hinges(group.witness.record)
        cause = next((name for findings, name in founders if findings <= things), None)
        if cause is None:
            cause = group.name if group.witness.accepted or len(group.findings) > 2 else " and ".join(sorted(group.findings))
            if group.findings and group.witness.kind in CUT_DOWN:
                founders.append((group.findings, cause))
        made[number] = cause
    return [made[number] for number in range(len(groups))]


def told_breakage(one: Breakage, command: str) -> dict[str, Any]:
    return {"kind": one.trouble.kind, "how": one.trouble.how, "count": one.count, "input": escaped(one.record),
            "replay": replay(one.record, command)}


def verdict_of(groups: list[dict[str, Any]], breakages: list[dict[str, Any]]) -> str:
    """Returns one line about the worst consequence."""
    apart = [group for group in groups if group["kind"] in (APART, ALONE)]
    parts = []
    if apart:
        order = sorted(apart, key=lambda group: (rules.SEVERITY.index(group["component"]), group["kind"] != APART))
        worst = order[0]
        alike = [group for group in apart if group["component"] == worst["component"]]
        parts.append(f"it {worst['consequence']} than others, in {plural(len(alike), 'way')}"
                     + (f"; {plural(len(apart) - len(alike), 'lesser difference')}" if len(apart) > len(alike) else ""))
    kinds = Counter(one["kind"] for one in breakages)
    parts += [f"it {BREAKAGES[kind]}" for kind in BREAKAGES if kinds[kind]]
    refused = sum(group["kind"] == REFUSED for group in groups)
    if refused:
        parts.append(f"it refuses {plural(refused, 'kind')} of good URLs")
    divided = [group for group in groups if group["kind"] == DIVIDED]
    if divided and not apart:
        parts.append(f"it takes {plural(len(divided), 'kind')} of URLs that others read apart, about the {divided[0]['component']} first of all")
    return "; ".join(parts) or "no difference of consequence was found"


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def facts_of(args: Any, held: Any, breakages: list[Breakage], missing: Sequence[zoo.Animal]) -> dict[str, Any]:
    judge = held.judge
    command = judge.mine.command if not args.reader else f"python3 fuzz/lab/yours/versus.py --reader={args.reader}"
    ranked = held.groups.ranked()
    groups = [{**told_group(group, judge.catalogue, shown_command(args, command)), "cause": cause}
              for group, cause in zip(ranked, causes_of(ranked))]
    told_breakages = [told_breakage(one, shown_command(args, command)) for one in breakages]
    counted = [group for group in groups if group["kind"] in KINDS_THAT_COUNT and not (args.with_most and group["kind"] == DIVIDED)]
    urivet = zoo.environment()["URIVET"]
    return {"mine": args.reader or args.mine, "verdict": verdict_of(groups, told_breakages),
            "status": 1 if counted or told_breakages else 0 if judge.inputs else 2,
            "urivet": subprocess.run([urivet, "--version"], capture_output=True, text=True, check=True).stdout.strip(),
            "made": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
            "seconds": round(time.monotonic() - held.start, 1),
            "inputs": judge.inputs, "taken": judge.taken, "unasked": judge.mine.unasked, "uncut": held.groups.uncut,
            "phases": [{"name": name, "inputs": count, "seconds": round(seconds, 1)} for name, count, seconds in held.phases],
            "readers": [{"name": animal.row.name, "version": animal.version} for animal in judge.others],
            "missing": [{"name": animal.row.name, "lacks": animal.lacks} for animal in missing],
            "notes": [f"{note} ({count} times)" for note, count in judge.mine.notes.items()],
            "kinds": KINDS, "components": rules.COMPONENTS, "groups": groups, "breakages": told_breakages}


def shown_command(args: Any, command: str) -> str:
    """Returns the command for a replay; a reader of fuzz/lab/zoo is run by zoo.py."""
    row = zoo.row_of(args.reader) if args.reader else None
    return f"ZOO=fuzz/lab/zoo OUT=build/zoo PYTHON=python3 URIVET=build/urivet sh -c {shlex.quote(row.run)}" if row else command


# ---- On a terminal -----------------------------------------------------------------------------------------------

class Ink:
    def __init__(self, colour: str) -> None:
        self.on = colour == "always" or (colour == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR"))

    def __call__(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.on else text


HEADS = {APART: "31;1", ALONE: "31", REFUSED: "33", DIVIDED: "36", LENIENT: "36"}


def columns_shown(group: dict[str, Any]) -> list[str]:
    """Returns the components with different readings, and always the host."""
    reads = [group["mine"], *(other["read"] for other in group["others"])]
    return [c for c in rules.COMPONENTS if c == "host" or len({read.get(c, "") for read in reads if read}) > 1]


def shown(text: str | None) -> str:
    return "(absent)" if text is None else text or "(empty)"


def in_line(read: dict[str, str | None], columns: list[str]) -> str:
    return "  ".join(f"{c}={shown(read[c])}" for c in columns) if read else "(refused)"


def lines_of(number: int, group: dict[str, Any], ink: Ink) -> Iterator[str]:
    columns = columns_shown(group)
    head = f"{group['component'] or 'refused'}: {group['cause']}"
    yield f"{number:3}. {ink(HEADS[group['kind']], head)}  {plural(group['count'], 'input')}, {group['phase']}, after {group['seconds']} s"
    yield f"     It {KINDS[group['kind']]}."
    yield f"     {group['text']}"
    yield f"     input   {ink('1', group['input'])}"
    yield f"     yours   {in_line(group['mine'], columns)}"
    for other in group["others"]:
        names = other["readers"]
        yield f"     others  {in_line(other['read'], columns)}: {', '.join(names[:8])}" + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    yield f"     again   {group['replay']}"


def brief(group: dict[str, Any]) -> str:
    about = f" ({group['component']})" if group["component"] else ""
    return f"     {group['name']}{about}: {plural(group['count'], 'input')}, as {group['input'][:90]}"


def by_cause(groups: list[dict[str, Any]], ink: Ink) -> Iterator[str]:
    """Yields each cause with its most severe kind in detail, and a line for each other kind that it
    explains."""
    causes = list(dict.fromkeys(group["cause"] for group in groups))
    for number, cause in enumerate(causes[:SHOWN], 1):
        first, *others = [group for group in groups if group["cause"] == cause]
        yield ""
        yield from lines_of(number, first, ink)
        if others:
            yield f"     with it {plural(len(others), 'other kind')} of the same cause, {cause}:"
            yield from map(brief, others[:SHOWN_BRIEF])
        if len(others) > SHOWN_BRIEF:
            yield f"     and {len(others) - SHOWN_BRIEF} more: -o report.html, -o report.tsv"
    if len(causes) > SHOWN:
        yield f"\n  and {len(causes) - SHOWN} more causes: -o report.html, -o report.tsv"


def report_lines(facts: dict[str, Any], ink: Ink) -> Iterator[str]:
    groups = facts["groups"]
    yield f"{ink('1', facts['mine'])}: {ink('32' if facts['status'] == 0 else '31;1', facts['verdict'])}"
    yield (f"  {plural(facts['inputs'], 'input')}, {facts['taken']:,} of them taken; compared with {plural(len(facts['readers']), 'reader')}; "
           + ", ".join(f"{phase['name']} {phase['inputs']:,} in {phase['seconds']} s" for phase in facts["phases"]))
    for one in facts["breakages"]:
        yield f"\n  {ink('31;1', 'IT ' + BREAKAGES[one['kind']].upper())}: {one['how']}; {plural(one['count'], 'input')}"
        yield f"     input   {ink('1', one['input'][:300] or '(empty)')}"
        yield f"     again   {one['replay'][:400]}"
    yield from by_cause([group for group in groups if group["kind"] in CUT_DOWN], ink)
    for kind in KINDS:
        found = [group for group in groups if group["kind"] == kind]
        if found and kind == DIVIDED:
            yield f"\n  It {KINDS[kind]}: {plural(len(found), 'kind')}, listed in -o report.html and report.tsv"
        elif found and kind not in CUT_DOWN:
            yield f"\n  {ink('1', 'It ' + KINDS[kind])}: {plural(len(found), 'kind')}"
            yield from map(brief, found[:SHOWN_BRIEF])
            if len(found) > SHOWN_BRIEF:
                yield f"     and {len(found) - SHOWN_BRIEF} more: -o report.html, -o report.tsv"
    yield from closing(facts)


def closing(facts: dict[str, Any]) -> Iterator[str]:
    if facts["missing"]:
        yield (f"\n  {plural(len(facts['missing']), 'reader')} of the zoo not compared with: "
               + "; ".join(f"{one['name']} {one['lacks']}" for one in facts["missing"][:SHOWN_BRIEF])
               + ("; and others, see -o report.html" if len(facts["missing"]) > SHOWN_BRIEF else ""))
    if facts["unasked"]:
        yield f"\n  {plural(facts['unasked'], 'input')} left unasked, since it broke so often"
    if facts["uncut"]:
        yield f"\n  {plural(facts['uncut'], 'sort')} of inputs not cut down: mend what is shown, and run again"
    for note in facts["notes"]:
        yield f"\n  it answered everything and ended with {note}"
    if facts["status"]:
        yield f"\n  exit status {facts['status']}: {STATUS[facts['status']]} (make itself exits with 2 for either)"


def show(facts: dict[str, Any], colour: str) -> None:
    print(*report_lines(facts, Ink(colour)), sep="\n")


# ---- As files ----------------------------------------------------------------------------------------------------

TABLE = ("kind", "component", "cause", "name", "findings", "inputs", "phase", "seconds", "input", "yours", "others", "readers", "again")


def cells(group: dict[str, Any]) -> list[str]:
    columns = columns_shown(group)
    most = group["others"][0] if group["others"] else {"read": {}, "readers": []}
    return [group["kind"], group["component"] or "-", group["cause"], group["name"], ",".join(group["findings"]) or "-", str(group["count"]),
            group["phase"], str(group["seconds"]), group["input"], in_line(group["mine"], columns),
            in_line(most["read"], columns) if most["read"] else "-", ",".join(most["readers"]) or "-", group["replay"]]


def write(path: Path, facts: dict[str, Any]) -> None:
    """Writes a page, or a table with a row for each group or failure."""
    if path.suffix == ".html":
        pages.write(path, Path(__file__).with_name("page.html"), facts)
        return
    broken = [[one["kind"], "-", "-", one["how"], "-", str(one["count"]), "-", "-", one["input"], "-", "-", "-", one["replay"]]
              for one in facts["breakages"]]
    rows = [list(TABLE), *broken, *map(cells, facts["groups"])]
    path.write_text("".join("\t".join(re.sub(r"[\t\n]", " ", cell) for cell in row) + "\n" for row in rows), encoding="utf-8")
