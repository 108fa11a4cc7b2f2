# SPDX-License-Identifier: Apache-2.0
"""Domains made to try IDNA, from one seed, without end: each kind of code point, and what the standards say of it.

The properties are read from the same files as uts46.py reads; what is expected of a domain is for others to say.
"""
from __future__ import annotations

import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import uts46                                        # noqa: E402

PLAIN = ("a", "b", "example", "x1", "org", "a-b", "-", "--", "ab--c", "1a", "a1", "xn", "xn-", "xn--", "A", "EXAMPLE")
JOINERS = ("\u200c", "\u200d")
DOTS = (".", ".", ".", ".", "\u3002", "\uff0e", "\uff61", "..")
ODD = ("<\u0338", ">\u0338", "=\u0338", "<\u0338\u0338", "<\u0323\u0338", "<", ">", "^", "|", "$", "_", "*", "\x7f", " ")
LIMITS = (62, 63, 64, 65, 500, 995, 996, 997, 998, 999, 1000, 1001, 1002, 1999, 2000, 2001)


def chars(points: list[int]) -> list[str]:
    return [chr(c) for c in points]


class Kinds:
    """Code points grouped by the requirements of IDNA."""

    def __init__(self, data: uts46.Database) -> None:
        known = [c for c in range(0x80, uts46.MOST) if data.status[c] != "DISALLOWED"]
        valid = [c for c in known if data.status[c] == "VALID"]
        self.any = chars([c for c in range(0x80, uts46.MOST) if not 0xD800 <= c < 0xE000])
        self.known = chars(known)
        self.ignored = chars([c for c in known if data.status[c] == "IGNORED"])
        self.mapped = chars([c for c in known if data.status[c] == "MAPPED"])
        self.long = chars([c for c in known if len(data.expansion(c)) > 2])
        self.valid = chars(valid)
        self.small = chars([c for c in valid if c < 0x800])
        self.marks = chars([c for c in valid if c in data.ccc])
        self.spacing = chars([c for c in valid if c in data.marks and c not in data.ccc])
        self.pairs = [chr(first) + chr(second) for first, second, _ in data.composites()]
        self.decomposed = chars([c for c in known if c in data.pair])
        self.hangul = chars([*range(0x1100, 0x1113), *range(0x1161, 0x1176), *range(0x11A7, 0x11C3),
                             *(uts46.HANGUL[k] for k in range(0, len(uts46.HANGUL), 7)), 0xAC00, 0xAC1C])
        self.viramas = chars([c for c in valid if data.ccc.get(c) == 9])
        self.bidi = [chars([c for c in valid if data.bidi.get(c, "L") == kind]) for kind in uts46.BIDI]
        self.joining = [chars([c for c in valid if data.joining.get(c, "U") == kind]) for kind in uts46.JOINING]


class Domains:
    """Random domains from a seed, the same everywhere."""

    def __init__(self, seed: str, kinds: Kinds) -> None:
        self.rng = random.Random(seed)
        self.kinds = kinds

    def some(self, lists: list[list[str]], most: int) -> str:
        rng = self.rng
        return "".join(rng.choice(rng.choice(lists)) for _ in range(rng.randint(1, most)))

    def base(self) -> str:
        return self.rng.choice(self.rng.choice((("a", "o", "e", "b"), self.kinds.small, self.kinds.valid)))

    def composing(self) -> str:
        rng, kinds = self.rng, self.kinds
        text = rng.choice((rng.choice(kinds.pairs), rng.choice(kinds.decomposed), self.base()))
        for _ in range(rng.choice((0, 1, 2, 2, 3, 4, 9))):
            text += rng.choice(rng.choice(kinds.pairs)) if rng.random() < 0.4 else rng.choice(kinds.marks)
        return text

    def bidi(self) -> str:
        rng, kinds = self.rng, self.kinds
        rows = [kinds.bidi[k] or ["a"] for k in rng.choice(((1, 2), (1, 2, 10), (2, 3, 10), (1, 4), (1, 2, 3, 4, 10),
                                                            (0, 4, 10), (0, 8, 4), tuple(range(11))))]
        return self.some(rows, 6)

    def joined(self) -> str:
        rng, kinds = self.rng, self.kinds
        around = [*kinds.joining, kinds.viramas, kinds.valid]
        return (self.some(around, 3) if rng.random() < 0.95 else "") + rng.choice(JOINERS) + \
            (self.some(around, 3) if rng.random() < 0.9 else "")

    def text(self) -> str:
        """Returns a label, or part of one."""
        rng, kinds = self.rng, self.kinds
        kind = rng.randrange(13)
        if kind == 0:
            return self.composing()
        if kind == 1:
            return self.bidi()
        if kind == 2:
            return self.joined()
        if kind == 3:
            return self.some([kinds.hangul], 5)
        if kind == 4:
            return rng.choice(PLAIN)
        if kind == 5:
            return rng.choice(ODD)
        if kind == 6:
            return self.some([kinds.mapped, kinds.long, kinds.ignored], 3)
        if kind == 7:
            return self.base() + rng.choice(kinds.spacing if rng.random() < 0.5 else kinds.marks)
        if kind == 8:
            return rng.choice(kinds.any)
        return self.some([kinds.small] if kind == 9 else [kinds.valid] if kind == 10 else [kinds.known], 5)

    def encoded(self) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.1:
            text = "".join(rng.choice("abcz019-") for _ in range(rng.randrange(9)))
        else:
            text = (self.text() + self.text()).encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
            if kind < 0.6:
                text = text.lower()
            text = text.replace(".", "").encode("punycode").decode()
            if kind > 0.9:
                at = rng.randrange(len(text) + 1)
                text = text[:at] + rng.choice(("", "a", "-", "9", "\u00ad", "A")) + text[at + rng.randrange(2):]
        return rng.choice(("xn--", "xn--", "xn--", "XN--", "Xn--", "\uff38n--", "xn\u00ad--")) + text

    def label(self) -> str:
        kind = self.rng.random()
        if kind < 0.2:
            return self.encoded()
        if kind < 0.3:
            return self.rng.choice(PLAIN)
        return "".join(self.text() for _ in range(self.rng.choice((1, 1, 2, 3))))

    def long(self) -> str:
        """Returns a label with a length near a limit."""
        rng, size = self.rng, self.rng.choice(LIMITS)
        if rng.random() < 0.2:
            alphabet = rng.sample(self.kinds.long, rng.choice((1, 3, 40)))
            return "".join(rng.choice(alphabet) for _ in range(size // rng.choice((3, 6, 7))))
        alphabet = rng.choice((["a"], [rng.choice(self.kinds.small)], self.kinds.small, self.kinds.marks,
                               ["a", "\U0001f4a9"], list("abc\u00e4\u00f6"), self.kinds.valid))
        text = "a" + "".join(rng.choice(alphabet) for _ in range(size - 2)) + "\u00e4"
        if rng.random() < 0.6:
            return text
        encoded = text.encode("punycode").decode()
        return "xn--" + encoded[:size] if rng.random() < 0.5 else "xn--" + "a" * (size - 2) + "-4" + "a" * rng.randrange(3)

    def domain(self) -> str:
        rng = self.rng
        if rng.random() < 0.003:
            return self.long() + rng.choice(("", ".org"))
        return "".join(self.label() + rng.choice(DOTS) for _ in range(rng.choice((0, 0, 1, 1, 2)))) + \
            (self.label() if rng.random() < 0.95 else "")


def decoded(label: str) -> str:
    """Returns what an A-label encodes, or "?"."""
    try:
        return label[4:].encode().decode("punycode")
    except ValueError:
        return "?"


def tally(compare: Callable[[Any], tuple[Counter[str], list[str]]], jobs: list[Any], processes: int,
          most: int) -> Counter[str]:
    """Compares in several processes and counts by kind; the first `most` examples are printed."""
    total: Counter[str] = Counter()
    with multiprocessing.Pool(processes) as pool:
        for kinds, examples in pool.imap(compare, jobs):
            total += kinds
            for example in examples[:most]:
                print(example)
            most -= min(most, len(examples))
    return total
