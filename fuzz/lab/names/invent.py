# SPDX-License-Identifier: Apache-2.0
"""Makes random hosts: within the rule, and outside it by one clause alone."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

import consensus

MOST_TRIES = 400
LETTERS = [0x2D, *range(0x30, 0x3A), *range(0x61, 0x7B)]
Label = list[int]


@cache
def the_set() -> tuple[int, ...]:
    return tuple(point for point in range(0x80, 0x10000) if consensus.code_point_class(point) == "agreed")


@cache
def of_class(name: str) -> tuple[int, ...]:
    return tuple(point for point in range(0x80, consensus.LAST + 1) if consensus.code_point_class(point) == name)


@cache
def pages() -> tuple[tuple[int, ...], ...]:
    """Returns the set in pages of 128 code points, about one script each; each page is drawn equally often."""
    made: dict[int, list[int]] = {}
    for point in the_set():
        made.setdefault(point >> 7, []).append(point)
    return tuple(map(tuple, made.values()))


@cache
def marks() -> tuple[int, ...]:
    return tuple(filter(consensus.is_mark, the_set()))


@cache
def pairs() -> tuple[tuple[int, int], ...]:
    """Returns pairs that compose, both in the set or ASCII."""
    known = {*the_set(), *LETTERS}
    return tuple(sorted(pair for pair in consensus.pairs() if known.issuperset(pair)))


@cache
def composed_letters() -> tuple[int, ...]:
    return tuple(filter(consensus.has_canonical_parts, the_set()))


def point_of(rng: random.Random, page: tuple[int, ...]) -> int:
    draw = rng.random()
    if draw < 0.15:
        return rng.choice(LETTERS)
    if draw < 0.25:
        return rng.choice(marks())
    return rng.choice(page if draw < 0.85 else rng.choice(pages()))


def any_label(rng: random.Random) -> Label:
    page = rng.choice(pages())
    return [point_of(rng, page) for _ in range(rng.choice((1, 2, 3, 3, 4, 5, 6, 8, 12)))]


def drawn(rng: random.Random, make: Callable[[random.Random], Label], good: Callable[[Label], bool]) -> Label:
    """Returns the first good result of `make`, normalised or as it is."""
    for _ in range(MOST_TRIES):
        made = make(rng)
        for label in (consensus.composed(made), made):
            if good(label):
                return label
    raise RuntimeError("nothing of this kind was found")


def is_international(label: Label) -> bool:
    return any(point > 0x7F for point in label)


def label_within(rng: random.Random) -> Label:
    return drawn(rng, any_label, lambda label: is_international(label) and consensus.label(label) is None)


def text_of(labels: list[Label]) -> str:
    return ".".join("".join(map(chr, label)) for label in labels)


def host_within(rng: random.Random) -> str:
    while True:
        count = rng.choice((1, 1, 1, 2, 3))
        host = text_of([label_within(rng) for _ in range(count)] + [[*b"org"]])
        if consensus.host(host) is None:
            return host


# ---- Outside by one clause ---------------------------------------------------------------------------------------

def with_point(points: tuple[int, ...]) -> Callable[[random.Random], Label]:
    """Returns a maker of labels of the set that contain one of these code points."""
    def make(rng: random.Random) -> Label:
        label = any_label(rng) if rng.random() < 0.5 else rng.choices(LETTERS[1:], k=3)
        label.insert(rng.randrange(len(label) + 1), rng.choice(points))
        return label
    return make


def with_pair(rng: random.Random) -> Label:
    first, second = rng.choice(pairs())
    before = any_label(rng)[:rng.randrange(4)]
    return [*before, first, second]


def with_blocked_pair(rng: random.Random) -> Label:
    first, second = rng.choice(pairs())
    return [*any_label(rng)[:rng.randrange(3)], first, *rng.choices(marks(), k=rng.choice((1, 1, 2))), second]


def with_mark_on_composed(rng: random.Random) -> Label:
    return [*any_label(rng)[:rng.randrange(3)], rng.choice(composed_letters()), rng.choice(marks())]


def with_mark_first(rng: random.Random) -> Label:
    return [rng.choice(marks()), *any_label(rng)]


def with_hyphens(rng: random.Random) -> Label:
    label = any_label(rng)
    kind = rng.randrange(3)
    return [[0x2D, *label], [*label, 0x2D], [*label[:2], 0x2D, 0x2D, *label[2:]]][kind]


def two_directions(rng: random.Random) -> Label:
    return [*any_label(rng), *any_label(rng), *rng.choices(LETTERS[1:], k=rng.randrange(2))]


def too_long(rng: random.Random) -> Label:
    return [point for _ in range(12) for point in label_within(rng)]


MAKERS: dict[str, Callable[[random.Random], Label]] = {
    "normal": with_pair, "blocked-pair": with_blocked_pair, "mark-on-composed": with_mark_on_composed,
    "mark-first": with_mark_first, "hyphens": with_hyphens, "bidi": two_directions, "length": too_long,
}
CLASSES = ("vowel", "cherokee", "recent", "supplementary", "recent-supplementary", "deviation", "contextj", "contexto",
           "upper", "compat", "ignored", "symbol", "old-jamo", "unassigned", "dot")
CLAUSES = (*MAKERS, "host-bidi", *CLASSES)
NOT_NORMAL = frozenset(("compat", "upper", "dot", "old-jamo", "ignored"))       # NFKC maps some or all of them


def raw(rng: random.Random, clause: str) -> Label:
    """Returns a label that breaks this clause and no other."""
    make = MAKERS.get(clause) or with_point(of_class(clause))
    without = frozenset((clause, "normal")) if clause in NOT_NORMAL else frozenset((clause,))
    for _ in range(40 * MOST_TRIES):
        label = make(rng)
        if (is_international(label) and consensus.label(label, without) is None
                and consensus.label(label) is not None):
            return label
    raise RuntimeError(f"nothing was found that breaks {clause} alone")


def mixed_host(rng: random.Random) -> str:
    """Returns a right-to-left label beside one that begins with a digit, or has an invalid end."""
    while True:
        other = [rng.choice(range(0x30, 0x3A)), *rng.choices(LETTERS[1:], k=2)]
        label = label_within(rng)
        host = text_of([other, label, [*b"org"]])
        if consensus.is_rtl(label) and consensus.host(host, frozenset(("host-bidi",))) is None:
            return host


def host_outside(rng: random.Random, clause: str) -> str:
    if clause == "host-bidi":
        return mixed_host(rng)
    return text_of([raw(rng, clause), [*b"org"]])


def within(count: int, seed: str) -> Iterator[str]:
    rng = random.Random(f"within {seed}")
    return (host_within(rng) for _ in range(count))


def outside(clause: str, count: int, seed: str) -> Iterator[str]:
    rng = random.Random(f"{clause} {seed}")
    return (host_outside(rng, clause) for _ in range(count))
