# SPDX-License-Identifier: Apache-2.0
"""Checks that clients send the request that an accepted URL stands for."""
from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from asked import of_url, text
from classes import classes
from clients import Fetched, fetch, fetch_all
from sent import Compared, compared
from tables import Exhibit, progress

import rules
import zoo
from inputs import records

FEWEST = 5              # fewer clients are not enough to judge
SHOWN = 8               # printed differences, each of another kind
ROUNDS = 20             # of shortening a difference
SECONDS = 25.0          # for a client that starts a process for each URL


# ---- Inputs
# ------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Accepted:
    """A URL with the columns of urivet check."""
    url: bytes
    verdict: str

    @property
    def fragment(self) -> str:
        return self.verdict.split("\t")[8]

    @property
    def port(self) -> int:
        return int(self.verdict.split("\t")[9])


HTTPS = re.compile(rb"https://([^/?#]*?)(?::443)?([/?#].*|)\Z", re.S)


def over_http(url: bytes) -> bytes:
    """Replaces https by http: the recorder speaks no TLS, and the request is the same."""
    found = HTTPS.fullmatch(url)
    return b"http://" + found[1] + found[2] if found else url


def accepted(urls: Sequence[bytes], options: Sequence[str]) -> list[Accepted]:
    """Returns the URLs that urivet accepts, as http URLs, each once."""
    urls = list(dict.fromkeys(map(over_http, urls)))
    return [Accepted(url, verdict) for url, verdict in zip(urls, zoo.check(urls, options))
            if zoo.judged(verdict) and url.startswith(b"http:")]


def special() -> list[bytes]:
    """Returns one URL of each class, those about the whole URL first, for clients that are too slow for
    all."""
    return [c.url for c in sorted(classes(), key=lambda c: c.group != "forms")]


# ---- Runs --------------------------------------------------------------------------------------------------------

@dataclass
class Run:
    """The requests that one client sent for its URLs."""
    client: Exhibit
    compared: list[Compared] = field(default_factory=list)

    @property
    def silent(self) -> int:
        return sum(c.silent for c in self.compared)

    def trouble(self, kind: str) -> int:
        return sum(c.fetched.trouble == kind for c in self.compared)

    @property
    def wrong(self) -> list[Compared]:
        return [c for c in self.compared if c.differing]


def blind(client: Exhibit) -> frozenset[str]:
    return client.row.listed("blind")


def compare(client: Exhibit, taken: Sequence[Accepted], answers: Sequence[Fetched]) -> Run:
    return Run(client, [compared(client.name, blind(client), a.url, of_url(a.verdict), a.fragment, fetched)
                        for a, fetched in zip(taken, answers)])


def runs(clients: Sequence[Exhibit], taken: Sequence[Accepted], seconds: float) -> Iterator[Run]:
    urls, ports = [a.url for a in taken], sorted({a.port for a in taken})
    for client, answers in fetch_all(clients, urls, ports, seconds):
        yield compare(client, taken, answers)


# ---- Shown as text -----------------------------------------------------------------------------------------------

def told(fetched: Fetched) -> list[str]:
    """Returns the requests sent, a line each, or else the client's message."""
    made = [f"{text(r.line())}  Host: {text(b', '.join(r.host_fields())) or '(none)'}  to {r.reached}:{r.port}"
            for r in fetched.requests]
    return made or [f"nothing; {fetched.trouble or 'it says'}: {fetched.message or '(no word)'}"]


def reduced(client: Exhibit, wrong: Compared, options: Sequence[str]) -> Compared:
    """Returns a shorter accepted URL for which the client differs in the same component."""
    for _ in range(ROUNDS):
        taken = accepted(zoo.shorter(wrong.url), options)[:200]
        if not taken:
            break
        answers = fetch(client, [a.url for a in taken], sorted({a.port for a in taken}), SECONDS)
        shorter = next((c for c in compare(client, taken, answers).wrong if wrong.differing[0] in c.differing), None)
        if shorter is None:
            break
        wrong = shorter
    return wrong


def describe(client: Exhibit, wrong: Compared) -> Iterator[str]:
    yield f"{text(wrong.url)}"
    yield f"    {client.name} ({client.version}); different: {', '.join(wrong.differing)}"
    yield from (f"    {line}" for line in told(wrong.fetched))
    yield f"    again: fuzz/lab/wire/wire.py send --client={client.name} {zoo.quoted(wrong.url)}"


def counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))


def print_trouble(done: Sequence[Run], given: int) -> None:
    for run in done:
        for kind in ("hung", "died"):
            if count := run.trouble(kind):
                print(f"wire: {run.client.name} {kind} {count} times; those URLs are not compared")
        if run.silent * 2 > len(run.compared):
            said = Counter(c.fetched.message for c in run.compared if c.silent).most_common(1)[0][0]
            print(f"wire: {run.client.name} sent nothing for {run.silent} of {len(run.compared)} URLs: {said}")
    if short := {run.client.name: len(run.compared) for run in done if len(run.compared) < given}:
        print(f"wire: of the {given} URLs these came in time to: {counted(short)}")


def print_known(done: Sequence[Run]) -> int:
    """Prints the known open differences with their clients. Returns their number."""
    known: dict[rules.Difference, Counter[str]] = defaultdict(Counter)
    for run in done:
        for one in run.compared:
            for row in one.known:
                known[row][run.client.name] += 1
    for row, clients in known.items():
        print(f"wire: {clients.total()} times {row.name}, {row.state}: {counted(clients)}")
    return sum(clients.total() for clients in known.values())


def summarise(done: Sequence[Run], given: int, seconds: float) -> None:
    print_trouble(done, given)
    known = print_known(done)
    requests = sum(not c.silent for run in done for c in run.compared)
    wrong = sum(len(run.wrong) for run in done)
    print(f"wire: {len(done)} clients, {given} accepted URLs, {requests} compared, {wrong} differences beside "
          f"{known} open, {seconds:.0f} s")


def judge(args: argparse.Namespace, clients: Sequence[Exhibit]) -> int:
    """Returns the exit status: 0 no difference, 1 differences, 2 too few clients."""
    rules.leave_out(filter(None, args.without.split(",")))
    start, options = time.monotonic(), zoo.options_of(args)
    taken = accepted([*special(), *records(args.count, args.seed, args.policy)], options)
    working = [client for client in clients if not client.lacks]
    if len(working) < FEWEST and not args.client:
        print(f"wire: {len(working)} clients are here, {FEWEST} are needed; make wire-deps installs them")
        return 2
    done = []
    for run in runs(working, taken, args.seconds):
        progress(f"{run.client.name}: {len(run.compared)} URLs, {len(run.wrong)} differences")
        done.append(run)
    kinds = {(run.client.name, tuple(c.differing)): (run.client, c) for run in done for c in reversed(run.wrong)}
    for client, wrong in list(kinds.values())[:SHOWN]:
        print("DIFFERENT", *describe(client, reduced(client, wrong, options)), sep="\n  ")
    summarise(done, len(taken), time.monotonic() - start)
    return 1 if kinds else 0 if taken else 2
