# SPDX-License-Identifier: Apache-2.0
"""Whether what a client sent is what the URL says.

Compared are the name or address reached, the port, the Host field, and the target's path and query; what is no
difference is in ../zoo/allowed.tsv, which the zoo reads too.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import tables  # noqa: F401 (finds the zoo)
import rules

from asked import PARTS, Asked, of_request, one_spelling, text
from clients import Fetched
from recorder import Request
from ways import WAYS

# Asked for beside what a client was told to fetch; its paths are no answer to it.
BESIDE = re.compile(rb"/(?:robots\.txt|favicon\.ico)\Z")


@lru_cache(maxsize=None)
def ways_of(client: str) -> tuple[rules.Difference, ...]:
    return tuple(row for row in rules.rows_in_force() if row.kind in WAYS and client in row.names())


# ---- Comparison --------------------------------------------------------------------------------------------------

@dataclass
class Compared:
    """One URL by one client."""
    url: bytes
    written: Asked
    fetched: Fetched
    differing: list[str]                # parts
    known: list[rules.Difference]

    @property
    def silent(self) -> bool:
        return not self.fetched.requests

    @property
    def outcome(self) -> str:
        """In a word: nothing and refused are clients that sent nothing."""
        if self.silent:
            return "nothing" if self.fetched.trouble else "refused"
        if self.differing:
            return "changed"
        if self.known:
            return "open"
        return "same" if all(of_request(r).parts() == spelled(self.written).parts() for r in self.asked()) else "allowed"

    def asked(self) -> list[Request]:
        return requests_for(self.written, self.fetched.requests)


def spelled(asked: Asked) -> Asked:
    """What a request cannot be without."""
    return Asked(asked.host.lower(), asked.port, asked.field, asked.path or "/", asked.query, asked.fragment, asked.form)


def requests_for(written: Asked, requests: Sequence[Request]) -> list[Request]:
    """Those that are for this URL: without what is asked beside it, unless there is nothing else."""
    own = [r for r in requests if not BESIDE.search(r.target().split(b"?")[0]) or text(r.target()) == written.path]
    return own or list(requests)


def explained(part: str, written: Asked, fragment: str, sent: Asked, client: str) -> rules.Difference | None:
    """The way of the client that is what differs in this part."""
    return next((row for row in ways_of(client) if part in row.parts and WAYS[row.kind](written, fragment, sent)), None)


def compared(client: str, blind: frozenset[str], url: bytes, written: Asked, fragment: str,
             fetched: Fetched) -> Compared:
    """Every request that was sent for the URL asks for what the URL asks for."""
    expected, differing, known = one_spelling(written), Counter(), {}
    for request in requests_for(written, fetched.requests):
        sent = one_spelling(of_request(request))
        for part, one, other in zip(PARTS, expected.parts(), sent.parts()):
            if one == other or part in blind:
                continue
            row = explained(part, expected, fragment, sent, client)
            if row is None:
                differing[part] += 1
            else:
                known[row.name] = row
    return Compared(url, written, fetched, [p for p in PARTS if differing[p]], list(known.values()))
