# SPDX-License-Identifier: Apache-2.0
"""Compares what a client sent with what the URL stands for.

The comparison covers the name or address connected to, the port, the Host field, and the target's path and
query. ../zoo/allowed.tsv lists the differences that do not count; fuzz/lab/zoo reads it too.
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

# Requested in addition to the URL; not counted as its request.
BESIDE = re.compile(rb"/(?:robots\.txt|favicon\.ico)\Z")


@lru_cache(maxsize=None)
def ways_of(client: str) -> tuple[rules.Difference, ...]:
    return tuple(row for row in rules.rows_in_force() if row.kind in WAYS and client in row.names())


# ---- Comparison --------------------------------------------------------------------------------------------------

@dataclass
class Compared:
    """The requests of one client for one URL."""
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
        """Returns the outcome as a word; for nothing and refused, the client sent no request."""
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
    """Adds what every request must have."""
    return Asked(asked.host.lower(), asked.port, asked.field, asked.path or "/", asked.query, asked.fragment, asked.form)


def requests_for(written: Asked, requests: Sequence[Request]) -> list[Request]:
    """Returns the requests for this URL, without the additional ones unless there are no others."""
    own = [r for r in requests if not BESIDE.search(r.target().split(b"?")[0]) or text(r.target()) == written.path]
    return own or list(requests)


def explained(part: str, written: Asked, fragment: str, sent: Asked, client: str) -> rules.Difference | None:
    """Returns the known deviation of the client that explains the difference in this component."""
    return next((row for row in ways_of(client) if part in row.parts and WAYS[row.kind](written, fragment, sent)), None)


def compared(client: str, blind: frozenset[str], url: bytes, written: Asked, fragment: str,
             fetched: Fetched) -> Compared:
    """Returns the comparison: every request sent for the URL must be the one that it stands for."""
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
