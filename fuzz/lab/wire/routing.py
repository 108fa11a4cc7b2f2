# SPDX-License-Identifier: Apache-2.0
"""Records what proxies forward, and which file servers serve, for each class of octets.

Both return {program: {class: {"outcome", "sent", "got", "status"}}}.  For passed_on() "got" is the target
that the upstream received and the outcome one of
  same     octet for octet
  allowed  another spelling that ../zoo/allowed.tsv permits
  changed  another target
  refused  not forwarded: the proxy answered with the status
  nothing  not forwarded, and not answered
For routed() "got" is the path of the file that was served, or the Location, and the outcome one of
  served     the file whose name is the path, each triplet decoded once
  elsewhere  another file, or a redirect
  missing    404
  refused    another status
  nothing    no answer
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import unquote_to_bytes

import stage
from classes import Class, classes
from recorder import Request
from asked import of_request, one_spelling, text
from stage import Answer, Chain
from tables import Exhibit

Fact = dict[str, object]
Facts = dict[str, dict[str, Fact]]


def fact(outcome: str, sent: bytes, got: str, status: int) -> Fact:
    return {"outcome": outcome, "sent": text(sent), "got": got, "status": status or None}


def of_targets(some: Iterable[Class]) -> list[Class]:
    return [one for one in some if one.target is not None]


# ---- What proxies pass on ----------------------------------------------------------------------------------------

def passed(one: Class, answer: Answer) -> Fact:
    """Returns the outcome from the first request that the upstream received."""
    assert one.target is not None
    if not answer.passed:
        return fact("refused" if answer.status else "nothing", one.target, "", answer.status)
    seen = Request("", 80, answer.passed[0].encode("latin-1") + b"\r\n")
    spelled, found = (one_spelling(of_request(Request("", 80, b"GET %b HTTP/1.1\r\n" % target)))
                      for target in (one.target, seen.target()))
    outcome = "same" if seen.target() == one.target else "allowed" if spelled == found else "changed"
    more = f" and {len(answer.passed) - 1} more" if len(answer.passed) > 1 else ""
    return fact(outcome, one.target, text(seen.target()) + more, answer.status)


def passed_on(proxies: Sequence[Exhibit]) -> tuple[Facts, list[Chain]]:
    """Returns the facts, and the proxies that could not be tested."""
    some = of_targets(classes())
    chains = list(stage.played([], proxies, [(p.name, stage.RECORDER) for p in proxies],
                               [one.target for one in some if one.target is not None]))
    return {chain.proxy: {one.id: passed(one, answer) for one, answer in zip(some, chain.answers)}
            for chain in chains if not chain.lacks}, [chain for chain in chains if chain.lacks]


# ---- Which file servers serve ------------------------------------------------------------------------------------

def asked(one: Class) -> bytes:
    """Returns the target of the class; a directory is replaced by a file in it."""
    assert one.target is not None
    path, mark, query = one.target.partition(b"?")
    return (b"/b" + path[2:] if path.startswith(b"/a") and b"b" not in path else path) + mark + query


def files(some: Iterable[Class]) -> list[bytes]:
    """Returns the files that a target may be mapped to. Each contains its path."""
    names = {b"a/b", b"b"}
    for one in some:
        path = re.sub(rb"//+", b"/", asked(one).partition(b"?")[0]).strip(b"/")
        names |= {path, unquote_to_bytes(path), unquote_to_bytes(unquote_to_bytes(path))}
    folders = {name.rpartition(b"/")[0] for name in names}
    return sorted(name for name in names - folders
                  if b"\0" not in name and not {b"", b".", b".."} & set(name.split(b"/")))


def routed_to(one: Class, answer: Answer) -> Fact:
    target = asked(one)
    wanted = text(unquote_to_bytes(target.partition(b"?")[0]))
    if answer.shows.startswith("file "):
        got = text(b"/" + answer.shows.removeprefix("file ").encode("latin-1"))
        return fact("served" if got == wanted else "elsewhere", target, got, answer.status)
    if 300 <= answer.status < 400:
        return fact("elsewhere", target, answer.location, answer.status)
    outcome = "missing" if answer.status == 404 else "refused" if answer.status else "nothing"
    return fact(outcome, target, "", answer.status)


def routed(servers: Sequence[Exhibit]) -> tuple[Facts, list[Chain]]:
    """Returns the facts, and the servers that could not be tested."""
    some = of_targets(classes())
    chains = list(stage.played(servers, [], [("", s.name) for s in servers], [asked(one) for one in some], files(some)))
    return {chain.server: {one.id: routed_to(one, answer) for one, answer in zip(some, chain.answers)}
            for chain in chains if not chain.lacks}, [chain for chain in chains if chain.lacks]
