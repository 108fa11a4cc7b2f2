# SPDX-License-Identifier: Apache-2.0
"""Facts and a page: what each client sends, each proxy forwards and each server routes, for each class of
octets."""
from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

import routing
from asked import cut, text
from classes import Class, classes
from clients import Fetched, fetch_all
from page import write_page
from sent import Compared, compared
from tables import OUT, Exhibit, progress

import rules
import zoo

SECONDS = 40.0          # for a client that starts a process for each URL
MOST_LINES = 6          # of shown requests
PORTS = (80, 81)

Facts = dict[str, dict[str, dict[str, object]]]


# ---- What clients send -------------------------------------------------------------------------------------------

def lines(fetched: Fetched) -> list[str]:
    """Returns the request lines and Host fields."""
    made = []
    for request in fetched.requests:
        made += [text(request.line()), *(f"Host: {text(field)}" for field in request.host_fields())]
    return made[:MOST_LINES]


def note(one: Compared, blind: frozenset[str]) -> str:
    if one.silent:
        return one.fetched.message or one.fetched.trouble
    apart = [f"not compared: {' and '.join(sorted(blind))}"] if blind else []
    return ", ".join([*one.differing, *(row.name for row in one.known), *apart])


def sent_fact(one: Compared, blind: frozenset[str]) -> dict[str, object]:
    reached = [request.reached for request in one.fetched.requests]
    return {"outcome": one.outcome, "lines": lines(one.fetched), "reached": ", ".join(dict.fromkeys(reached)),
            "note": note(one, blind)}


def fragment(of: Class) -> str:
    return cut(text(of.url))[2]


def sent(clients: Sequence[Exhibit], some: Sequence[Class]) -> tuple[Facts, dict[str, dict[str, int]]]:
    """Returns the facts, and for each client the number of its URLs and of each outcome."""
    facts, counts = {}, {}
    for client, answers in fetch_all(clients, [one.url for one in some], PORTS, SECONDS):
        progress(f"{client.name}: {len(answers)} of {len(some)} URLs")
        blind = client.row.listed("blind")
        done = [compared(client.name, blind, one.url, one.asked, fragment(one), fetched)
                for one, fetched in zip(some, answers)]
        facts[client.name] = {one.id: sent_fact(c, blind) for one, c in zip(some, done)}
        counts[client.name] = {"tried": len(done), **{kind: sum(c.fetched.trouble == kind for c in done)
                                                      for kind in ("hung", "died")}}
    return facts, counts


# ---- The whole report
# --------------------------------------------------------------------------------------------

def class_facts(some: Sequence[Class]) -> list[dict[str, object]]:
    """Returns the classes with the verdict of strict."""
    made = []
    for one, verdict in zip(some, zoo.check([one.url for one in some], ["--policy=strict"])):
        outcome, findings, _ = verdict.split("\t", 2)
        target = one.asked.path + ("" if one.asked.query == rules.ABSENT else "?" + one.asked.query)
        made.append({**one.facts(), "verdict": outcome, "findings": [] if findings == "-" else findings.split(","),
                     "target": target or "/", "host": one.asked.field})
    return made


def known() -> list[dict[str, object]]:
    return [{"name": row.name, "state": row.state, "parts": ", ".join(row.parts), "octets": row.octets,
             "who": row.who, "why": row.why, "count": None} for row in rules.TABLE]


def targets() -> object:
    """Returns the results of the last targets run, if there was one."""
    kept = OUT / "targets.json"
    return json.loads(kept.read_text()) if kept.exists() else None


def named(exhibits: Sequence[Exhibit], left_out: Sequence[object] = (), counts: dict[str, dict[str, int]] = {}) -> list:
    """Returns the programs, with the reason why one was left out."""
    lacks = {name: chain.lacks for chain in left_out for name in (chain.proxy or chain.server,)}
    made = []
    for exhibit in exhibits:
        facts = exhibit.facts()
        facts["lacks"] = facts["lacks"] or lacks.get(exhibit.name, "")
        made.append({**facts, **({"pace": exhibit.row["pace"]} if "pace" in exhibit.row.cells else {}),
                     **counts.get(exhibit.name, {})})
    return made


def there(exhibits: Sequence[Exhibit]) -> list[Exhibit]:
    return [exhibit for exhibit in exhibits if not exhibit.lacks]


def write(clients: Sequence[Exhibit], proxies: Sequence[Exhibit], servers: Sequence[Exhibit], version: str) -> Path:
    some = classes()
    progress("what proxies pass on, and servers route")
    passed, no_proxy = routing.passed_on(there(proxies))
    routed, no_server = routing.routed(there(servers))
    facts, counts = sent(there(clients), some)
    every = {
        "made": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"), "urivet": version,
        "classes": class_facts(some), "clients": named(clients, (), counts), "proxies": named(proxies, no_proxy),
        "servers": named(servers, no_server), "sent": facts, "passed": passed, "routed": routed, "known": known(),
        "targets": targets()}
    (OUT / "facts.json").write_text(json.dumps(every, indent=1) + "\n", encoding="ascii")
    write_page(OUT / "report.html", every)
    return OUT / "report.html"
