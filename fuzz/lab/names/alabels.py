# SPDX-License-Identifier: Apache-2.0
"""Generates the contents of A-labels: code points of each class, and labels that break a rule."""
from __future__ import annotations

import random
from collections.abc import Iterator

import consensus

ALEF, BET = 0x5D0, 0x5D1


def within(point: int) -> list[int]:
    """Returns the code point between two letters of its direction."""
    if consensus.bidi(point) in ("R", "AL", "AN"):
        return [ALEF, point, BET]
    return [0x61, point, 0x62]


def name_of(points: list[int]) -> str:
    return f"xn--{consensus.punycode(points)}.org"


def of_code_point(point: int) -> Iterator[list[int]]:
    """Yields labels whose only fault may be this code point; labels not in NFC are another class."""
    label = within(point)
    if consensus.code_point_class(point) != "agreed" or consensus.is_normal(label) is None:
        yield label
    if not consensus.is_mark(point) and consensus.bidi(point) not in ("EN", "AN", "ON", "BN", "NSM"):
        yield [point]


def band(point: int) -> str:
    """Returns the class of a code point, with the years for those added after 3.2."""
    told = consensus.code_point_class(point)
    if not told.startswith("recent"):
        return told
    age = consensus.age(point)
    for last, name in (((5, 2), "4.0-5.2"), ((6, 0), "6.0"), ((11, 0), "6.1-11")):
        if age <= last:
            return f"{told} {name}"
    return f"{told} 12-15"


def sampled(points: list[int], most: int, rng: random.Random) -> list[int]:
    return points if len(points) <= most else sorted(rng.sample(points, most))


def limit(name: str, most: int) -> int:
    """Returns the sample size of a class: large uniform classes are sampled."""
    return min(most, 12000) if name in ("unassigned", "private-use") else most


def by_class(most: int, seed: str) -> dict[str, list[int]]:
    """Returns at most this many code points of each class; without ASCII, which Punycode cannot encode."""
    rng = random.Random(seed)
    made: dict[str, list[int]] = {}
    for point in range(0x80, consensus.LAST + 1):
        made.setdefault(band(point), []).append(point)
    return {name: sampled(points, limit(name, most), rng) for name, points in sorted(made.items())}


def points(text: str) -> list[int]:
    return [ord(letter) for letter in text]


# Labels of one kind each, by the rule that they break; every code point is of the set unless the name says so.
BROKEN: dict[str, list[str]] = {
    "mark first": ["\u0301a", "\u093f\u0915", "\u064e\u0628", "\u0e31\u0e01", "\u0301"],
    "not NFC: composes": ["a\u0308b", "mu\u0308ller", "e\u0301te", "\u0438\u0306", "\u304b\u3099"],
    "not NFC: order of marks": ["a\u0302\u0323b", "x\u0301\u0323y"],
    "mark behind a composed letter": ["\u00ea\u030c", "\u00fc\u034c", "\uac01\u0301", "\u0439\u0301"],
    "mark composes over a mark": ["\u0c95\u0cbf\u034c\u0cd5", "a\u0334\u0301", "e\u0327\u0328\u0301"],
    "two-part vowel": ["\u0995\u09cb", "\u0b95\u0bca", "\u0d15\u0d4b", "\u0d9a\u0ddd\u0d9a"],
    "bidi: both directions": ["a\u05d0", "\u05d0a", "abc\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05dc\u05d5\u05ddabc"],
    "bidi: digit first": ["1\u05d0", "2\u0628"],
    "bidi: digit last (RFC 3454 only)": ["\u05d01", "\u06282", "\u05e9\u05dc\u05d5\u05dd5"],
    "bidi: mark last (RFC 3454 only)": ["\u05d0\u05b0", "\u078b\u07a8"],
    "bidi: digits of two kinds": ["\u06281\u0661\u0628"],
    "hyphen first": ["-\u00e9", "-\u00f1andu"],
    "hyphen last": ["\u00e9-", "\u00f1andu-"],
    "hyphens at 3 and 4": ["ab--\u00e9", "a\u00e9--b", "\u00e91--2"],
    "hyphens at 3 and 4, as an A-label": ["xn--\u00e9", "xn--\u00fc-kva"],
    "underscore": ["_\u00e9", "a_\u00e9"],
    "sharp s": ["stra\u00dfe", "fu\u00dfball"],
    "final sigma": ["\u03b2\u03cc\u03bb\u03bf\u03c2"],
    "joiner where RFC 5892 allows it": ["\u0646\u0627\u0645\u0647\u200c\u0627\u06cc", "\u0915\u094d\u200c\u0937"],
    "joiner where it does not": ["a\u200cb", "\u0646\u200d", "\u0915\u200d\u0937"],
    "CONTEXTO where it is allowed": ["l\u00b7l", "\u30ab\u30fb\u30ab", "\u05d0\u05f3", "\u0375\u03b1",
                                     "\u0628\u0661\u0628"],
    "CONTEXTO where it is not": ["a\u00b7b", "a\u30fbb", "\u05f3\u05d0", "a\u0375b", "\u0628\u0661\u06f1\u0628"],
    "emoji": ["\U0001f600", "\u2764", "i\u2764ny", "\u2603"],
    "emoji with a selector or joiner": ["\u2764\ufe0f", "\U0001f469\u200d\U0001f680"],
    "upper case": ["\u00c9", "\u00dc", "\u041f\u0420\u0418\u0412\u0415\u0422", "\u03a3", "\u0130", "\u1e9e"],
    "63 octets": ["\u00e9" * 55, "\u044f" * 54],
}

# A-labels that no encoder writes, given literally.
WRITTEN: dict[str, list[str]] = {
    "ASCII in Punycode": ["xn--abc-", "xn--a-", "xn--example-", "xn--abc-def-"],
    "A-label in Punycode": ["xn--xn--mller-kva-"],
    "xn-- and nothing": ["xn--", "xn---", "xn----"],
    "upper case in the prefix": ["XN--mller-kva", "Xn--Mller-kva", "xN--mller-kva"],
    "upper case in the digits": ["xn--mller-KVA", "xn--mller-Kva"],
    "number that ends early": ["xn--abc-9", "xn--9", "xn--zz99"],
    "beyond U+10FFFF": ["xn--99999999", "xn--a-99999999", "xn--zzzzzzzz"],
    "beyond U+10FFFF, a letter in 16 bits": ["xn--ab-my24y", "xn--ab-6e052c", "xn--ab-el1022b"],  # U+1100E9, 2000E9, 10000E9
    "beyond 32 bits": ["xn--99999999999", "xn--a-9999999999999b"],
    "over 63 octets": ["xn--" + "a" * 60, "xn--" + "a" * 56 + "-9ca"],
    "delimiter first": ["xn---mller-kva", "xn----9ca"],
}


def broken() -> dict[str, list[str]]:
    """Returns hosts of each kind: Punycode of labels outside the rule."""
    made = {kind: [name_of(points(text)) for text in texts] for kind, texts in BROKEN.items()}
    made.update({kind: [f"{text}.org" for text in texts] for kind, texts in WRITTEN.items()})
    made["surrogates, as a pair"] = [name_of([0xD83D, 0xDE00]), name_of([0xD842, 0xDFB7])]
    return made


def code_point_hosts(most: int, seed: str) -> dict[str, list[str]]:
    return {name: [name_of(label) for point in found for label in of_code_point(point)]
            for name, found in by_class(most, seed).items()}
