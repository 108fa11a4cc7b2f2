# SPDX-License-Identifier: Apache-2.0
"""Negative control: with the rules that stop them waived, the known bypasses return."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import by_clients
import stage
import tables
from reached import FILTER, Judge, refused_before_client, refused_by_filter
from targets import HOST, octets

import zoo

Fetch = Callable[[str, Sequence[str]], list[tables.Exhibit]]
COLUMNS = 5


@dataclass(frozen=True)
class Bypass:
    first: str              # a proxy, a client, or FILTER
    server: str
    target: bytes
    waived: str
    what: str

    @property
    def url(self) -> bytes:
        return b"http://%b%b" % (HOST.encode(), self.target)

    def told(self) -> str:
        return f"{self.first} > {self.server}  {zoo.escaped(self.target)}"


def rows() -> list[Bypass]:
    found = []
    for number, line in enumerate((tables.HERE / "bypasses.tsv").read_text("ascii").splitlines(), 1):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != COLUMNS:
            raise RuntimeError(f"bypasses.tsv:{number}: {len(cells)} columns, not {COLUMNS}")
        first, server, target, waived, what = cells
        found.append(Bypass(first, server, octets(target), waived, what))
    return found


def through_proxies(some: Sequence[Bypass], servers: Sequence[tables.Exhibit],
                    proxies: Sequence[tables.Exhibit]) -> Iterator[Bypass]:
    """Returns the bypasses that reach the secret."""
    asked = list(dict.fromkeys(bypass.target for bypass in some))
    pairs = dict.fromkeys(("" if bypass.first == FILTER else bypass.first, bypass.server) for bypass in some)
    for chain in stage.played(servers, proxies, list(pairs), asked):
        if chain.lacks:
            print(f"left out: {chain.name}: {chain.lacks}")
        shows = dict(zip(asked, (a.shows for a in chain.answers)))
        yield from (b for b in some if (b.first, b.server) == (chain.proxy or FILTER, chain.server)
                    and shows.get(b.target) == "secret" and (chain.proxy or not refused_by_filter(b.target)))


def through_clients(some: Sequence[Bypass], servers: Sequence[tables.Exhibit],
                    clients: Sequence[tables.Exhibit]) -> Iterator[Bypass]:
    sent = {(one.client, one.url): one.targets for client in clients
            for one in by_clients.fetched([client], [b.url for b in some if b.first == client.name])}
    asked = list(dict.fromkeys(target for targets in sent.values() for target in targets))
    if not asked:
        return
    for chain in stage.played(servers, [], [("", s) for s in dict.fromkeys(b.server for b in some)], asked):
        shows = dict(zip(asked, (a.shows for a in chain.answers)))
        yield from (b for b in some if b.server == chain.server and not refused_before_client(b.url)
                    and any(shows.get(target) == "secret" for target in sent.get((b.first, b.url), ())))


def stopped(policy: str, bypass: Bypass, by_client: bool) -> tuple[bool, bool]:
    """Returns whether the bypass is refused, and whether only the waived rules refuse it."""
    strict, waiving = (Judge(policy, allow) for allow in ("", bypass.waived))
    before, after = (judge.urls([bypass.url]) if by_client else judge.targets([bypass.target])
                     for judge in (strict, waiving))
    return not before[0].accepted, after[0].accepted


def control(policy: str, there: Fetch) -> int:
    """Prints each bypass and whether it returned. Returns 1 if one did not."""
    some = rows()
    known = {kind: {row.name for row in tables.rows(kind)} for kind in ("proxies", "clients", "servers")}
    for bypass in some:
        if bypass.first not in known["proxies"] | known["clients"] | {FILTER} or bypass.server not in known["servers"]:
            raise RuntimeError(f"bypasses.tsv: no such chain: {bypass.told()}")
    by_client = [b for b in some if b.first in known["clients"] - known["proxies"]]
    by_proxy = [b for b in some if b not in by_client]
    servers = there("servers", sorted({b.server for b in some}))
    proxies = there("proxies", sorted({b.first for b in by_proxy} - {FILTER}))
    clients = there("clients", sorted({b.first for b in by_client})) if by_client else []
    names = {e.name for e in (*servers, *proxies, *clients)} | {FILTER}
    missing = [b for b in some if not {b.first, b.server} <= names]
    can = [b for b in some if b not in missing]
    back = {*through_proxies([b for b in by_proxy if b in can], servers, proxies),
            *through_clients([b for b in by_client if b in can], servers, clients)}
    wrong = 0
    for bypass in some:
        refused, waived = stopped(policy, bypass, bypass in by_client)
        trouble = ["is accepted"] * (not refused) + ["is refused for more than that"] * (not waived)
        trouble += ["does not reach the secret"] * (bypass in can and bypass not in back)
        wrong += bool(trouble)
        said = f"WRONG: {', '.join(trouble)}" if trouble else "skipped" if bypass in missing else "comes back"
        print(f"{said}: {bypass.told()}  waived: {bypass.waived}")
    print(f"{len(some)} bypasses, {len(back)} come back, {wrong} wrong, {len(missing)} skipped for want of a program")
    return int(bool(wrong) or not back)
