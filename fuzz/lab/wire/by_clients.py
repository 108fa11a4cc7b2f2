# SPDX-License-Identifier: Apache-2.0
"""Chains that begin with a client: a filter reads the URL, the client fetches it from the server.

Each client's request for each URL is recorded once, and then sent to every server. Redirects are not
followed: a filter can check the new URL.
"""
from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import stage
from clients import fetch_all
from reached import Judge, Reached, Verdict, refused_before_client
from tables import Exhibit
from targets import Target, urls

MOST = {"stream": 500, "each": 40}          # URLs given to one client, by its pace
SECONDS = {"stream": 45.0, "each": 20.0}    # for one client
# The techniques that are most informative.
FIRST = ("fragments", "queries", "dot segments", "attacks.tsv", "parameters", "letters", "slashes", "suffixes")
PUBLIC_URL, = urls([Target("", stage.PUBLIC_TARGET)])
Shown = dict[str, dict[bytes, str]]     # the answer of each server to each target


@dataclass(frozen=True)
class Sent:
    """The request that a client sent for a URL."""
    client: str
    url: bytes
    targets: tuple[bytes, ...]


def given(some: Sequence[Target], pace: str) -> list[bytes]:
    """Returns the URLs for a client of this pace, the most informative first: time may not suffice for
    all."""
    most = [urls([target for target in some if target.technique == name]) for name in FIRST]
    first = [url for turn in itertools.zip_longest(*most) for url in turn if url is not None]
    return list(dict.fromkeys([PUBLIC_URL, *first, *urls(some)]))[:MOST[pace]]


def fetched(clients: Sequence[Exhibit], octets: Sequence[bytes], pace: str = "stream") -> Iterator[Sent]:
    """Yields the clients' requests for URLs. A client that does not finish in time is reported."""
    for client, answers in fetch_all(clients, octets, seconds=SECONDS[pace]):
        if len(answers) < len(octets):
            print(f"{client.name}: {len(answers)} of {len(octets)} URLs")
        for url, answer in zip(octets, answers):
            yield Sent(client.name, url, tuple(request.target() for request in answer.requests))


def sent_by(clients: Sequence[Exhibit], some: Sequence[Target]) -> Iterator[Sent]:
    for pace in ("stream", "each"):
        yield from fetched([client for client in clients if client.row["pace"] == pace], given(some, pace), pace)


def distinct(sent: Sequence[Sent]) -> list[bytes]:
    return list(dict.fromkeys(target for one in sent for target in one.targets))


def reached_by(sent: Sequence[Sent], verdicts: dict[bytes, Verdict], shown: Shown) -> Iterator[Reached]:
    """Yields the secrets that clients fetched past the filter."""
    for one in sent:
        if refused_before_client(one.url):
            continue
        for server, shows in shown.items():
            if any(shows.get(target) == "secret" for target in one.targets):
                yield Reached(f"{one.client} > {server}", one.url, verdicts[one.url], one.client)


def counted(sent: Sequence[Sent], shown: Shown) -> tuple[int, list[str]]:
    """Returns the number of chains that serve the public page, and the clients that cannot get it from any
    server."""
    public = {one.client: one.targets for one in sent if one.url == PUBLIC_URL}
    works = {client: sum(any(shows.get(target) == "public" for target in sent_for) for shows in shown.values())
             for client, sent_for in public.items()}
    return sum(works.values()), sorted(client for client, chains in works.items() if not chains)


def judged(judge: Judge, sent: Sequence[Sent]) -> dict[bytes, Verdict]:
    octets = list(dict.fromkeys(one.url for one in sent))
    return dict(zip(octets, judge.urls(octets)))
