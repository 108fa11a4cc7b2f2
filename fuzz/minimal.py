# SPDX-License-Identifier: Apache-2.0
"""Minimises inputs: delta debugging over octets, then plain octets in place of others, while a property holds.

All inputs are minimised together.  A round collects the candidates of every input and checks them in one batch, so a
program is started once a round, however many inputs there are.
"""
from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence

Candidate = tuple[int, bytes]                       # the number of the input, and a variant of it
Holds = Callable[[Sequence[Candidate]], Sequence[bool]]
Search = Generator[list[bytes], list[bytes], bytes]     # yields candidates, is sent those that hold

PLAIN = b"a1/"              # octets that replace others, the plainest first
MOST_ROUNDS = 200           # a round shortens an input or ends its search, so few inputs need more than 30


def cut(record: bytes, stretches: Iterable[range]) -> bytes:
    """Returns the record without these stretches."""
    gone = {at for stretch in stretches for at in stretch}
    return bytes(octet for at, octet in enumerate(record) if at not in gone)


def stretches_of(start: int, end: int) -> list[range]:
    """Returns the whole, then the stretches of each power of two, the largest first; neighbours overlap by a half."""
    length = end - start
    made = [range(start, end)] if length else []
    for size in (1 << power for power in reversed(range(length.bit_length()))):
        made += [range(at, at + size) for at in range(start, end - size + 1, max(size // 2, 1))]
    return made


def disjoint(stretches: Sequence[range]) -> list[range]:
    """Returns stretches that do not overlap, the longest first."""
    kept: list[range] = []
    taken: set[int] = set()
    for stretch in sorted(stretches, key=len, reverse=True):
        if taken.isdisjoint(stretch):
            kept.append(stretch)
            taken.update(stretch)
    return kept


def shares(parts: Sequence[object]) -> list[Sequence[object]]:
    """Returns the whole, the halves, quarters, eighths and sixteenths of a list."""
    sizes = dict.fromkeys(max(len(parts) // share, 1) for share in (1, 2, 4, 8, 16))
    return [parts[at:at + size] for size in sizes for at in range(0, len(parts), size)]


def shorter(record: bytes, start: int) -> Search:
    """Removes stretches until none can go: each alone first, then those that can go together."""
    while True:
        alone = {cut(record, [stretch]): stretch for stretch in stretches_of(start, len(record))}
        fit = yield list(alone)
        if not fit:
            return record
        together = [cut(record, part) for part in shares(disjoint([alone[one] for one in fit]))]
        record = min([*fit, *(yield list(dict.fromkeys(together)))], key=lambda one: (len(one), one))


def plainer(record: bytes, start: int) -> Search:
    """Replaces octets by the plainest that does: each alone first, then all that can be replaced together."""
    alone = {record[:at] + bytes([plain]) + record[at + 1:]: (at, plain) for at in range(start, len(record))
             for plain in PLAIN if PLAIN.find(record[at]) == -1 or PLAIN.index(plain) < PLAIN.index(record[at])}
    found: dict[int, int] = {}
    fit = yield list(alone)
    for at, plain in sorted((alone[one] for one in fit), key=lambda place: (place[0], PLAIN.index(place[1]))):
        found.setdefault(at, plain)
    made = []
    for part in shares(sorted(found)):
        octets = bytearray(record)
        for at in part:
            octets[at] = found[at]
        made.append(bytes(octets))
    together = yield made
    # the largest share comes first, and of shares of one size the first
    return next((one for one in made if one in together), record)


def search(record: bytes, start: Callable[[bytes], int], first: Sequence[bytes]) -> Search:
    """Takes the first of the caller's own steps that holds, then shortens and simplifies until neither changes anything."""
    if first:
        held = yield list(first)
        record = next((one for one in first if one in held), record)
    before = None
    while record != before:
        before = record
        record = yield from shorter(record, start(record))
        record = yield from plainer(record, start(record))
    return record


def minimised(records: Sequence[bytes], holds: Holds, start: Callable[[bytes], int] = lambda record: 0,
              first: Callable[[bytes], Sequence[bytes]] = lambda record: ()) -> list[bytes]:
    """Returns each record as short and plain as it gets while holds() is true of it.

    `start` returns the number of octets at the start of a record that stay, `first` variants to try before all others.  No stretch of one or two octets can be removed
    from a result, unless MOST_ROUNDS ended the search.
    """
    best = list(records)
    searches = {number: search(record, start, first(record)) for number, record in enumerate(records)}
    tries = {number: next(one) for number, one in searches.items()}
    for _ in range(MOST_ROUNDS):
        if not tries:
            break
        batch = [(number, record) for number, candidates in tries.items() for record in candidates]
        fits: dict[int, list[bytes]] = {number: [] for number in tries}
        for (number, record), fit in zip(batch, holds(batch) if batch else (), strict=True):
            if fit:
                fits[number].append(record)
        tries = {}
        for number, fit in fits.items():
            best[number] = min([best[number], *fit], key=len)
            try:
                tries[number] = searches[number].send(fit)
            except StopIteration as end:
                best[number] = end.value
    return best
