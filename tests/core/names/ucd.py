# SPDX-License-Identifier: Apache-2.0
"""The Unicode Character Database of Debian's packages unicode-data and unicode-idna, and what
RFC 5892 derives from it. Python's own unicodedata is of another version."""

import functools
import pathlib

FOLDER = pathlib.Path("/usr/share/unicode")
VERSION = "15.0.0"
LAST = 0x10FFFF

# RFC 5892, 2.6: PVALID, CONTEXTO and DISALLOWED, whatever the other rules say
EXCEPTIONS = {
    **dict.fromkeys([0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007], "PVALID"),
    **dict.fromkeys([0x00B7, 0x0375, 0x05F3, 0x05F4, 0x30FB, *range(0x660, 0x66A), *range(0x6F0, 0x6FA)], "CONTEXTO"),
    **dict.fromkeys([0x0640, 0x07FA, 0x302E, 0x302F, *range(0x3031, 0x3036), 0x303B], "DISALLOWED"),
}
IGNORABLE_BLOCKS = ("Combining Diacritical Marks for Symbols", "Musical Symbols", "Ancient Greek Musical Notation")


class Problem(Exception):
    """The data is missing or has another version."""


def check_version():
    """Raises Problem if a file is missing, or of another version."""
    for name, line in (("idna/IdnaMappingTable.txt", f"# Version: {VERSION}"), ("DerivedAge.txt", f"DerivedAge-{VERSION}"),
                       ("DerivedNormalizationProps.txt", f"DerivedNormalizationProps-{VERSION}"),
                       ("extracted/DerivedBidiClass.txt", f"DerivedBidiClass-{VERSION}")):
        path = FOLDER / name
        if not path.exists() or line not in path.read_text(encoding="utf-8")[:2000]:
            raise Problem(f"{path} is missing, or not of Unicode {VERSION}: install unicode-data and unicode-idna")


def fields(name):
    """Returns the rows of a file, without comments, as lists of fields."""
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def span(field):
    """Returns the code points of a first field: 0041 or 0041..005A."""
    first, _, last = field.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


@functools.cache
def characters():
    """UnicodeData: code point to its fields, ranges written out."""
    found, first = {}, 0
    for row in fields("UnicodeData.txt"):
        code_point = int(row[0], 16)
        if row[1].endswith(", First>"):
            first = code_point
        elif row[1].endswith(", Last>"):
            found.update((c, row) for c in range(first, code_point + 1))
        else:
            found[code_point] = row
    return found


def category(c):
    """The general category; Cn of what is not assigned."""
    return characters()[c][2] if c in characters() else "Cn"


def combining_class(c):
    return int(characters()[c][3]) if c in characters() else 0


@functools.cache
def valued(name):
    """A file of ranges and values: code point to value."""
    return {c: row[1] for row in fields(name) for c in span(row[0])}


@functools.cache
def having(name, value):
    """Returns the code points to which a file of properties gives the value."""
    return frozenset(c for row in fields(name) if row[1] == value for c in span(row[0]))


def default_ignorable(c):
    return c in having("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")


def noncharacter(c):
    return c & 0xFFFE == 0xFFFE or 0xFDD0 <= c <= 0xFDEF


def age(c):
    """The version that assigned it, as a pair of numbers; none if it is not assigned."""
    value = valued("DerivedAge.txt").get(c)
    return tuple(map(int, value.split("."))) if value else None


def bidi_class(c):
    return valued("extracted/DerivedBidiClass.txt").get(c, "L")


@functools.cache
def idna_mapping():
    """UTS 46, 5: code point to status, mapping, and NV8, XV8 or nothing."""
    found = {}
    for row in fields("idna/IdnaMappingTable.txt"):
        mapping = tuple(int(c, 16) for c in row[2].split()) if len(row) > 2 else ()
        found.update((c, (row[1], mapping, row[3] if len(row) > 3 else "")) for c in span(row[0]))
    return found


# ---- Normal forms (UAX 15) ------------------------------------------------------------------

S, L, V, T, COUNT = 0xAC00, 0x1100, 0x1161, 0x11A7, 28  # Hangul


@functools.cache
def decompositions(compatible):
    found = {}
    for c, row in characters().items():
        if row[5] and (compatible or not row[5].startswith("<")):
            found[c] = tuple(int(x, 16) for x in row[5].split() if not x.startswith("<"))
    return found


@functools.cache
def decompose(c, compatible=False):
    """Returns the full decomposition of a code point, not yet in canonical order."""
    if S <= c < S + 11172:
        index = c - S
        tail = (T + index % COUNT,) if index % COUNT else ()
        return (L + index // (21 * COUNT), V + index % (21 * COUNT) // COUNT, *tail)
    parts = decompositions(compatible).get(c)
    return tuple(x for part in parts for x in decompose(part, compatible)) if parts else (c,)


@functools.cache
def compositions():
    """Returns the pairs that NFC composes, without Hangul."""
    excluded = having("DerivedNormalizationProps.txt", "Full_Composition_Exclusion")
    return {parts: c for c, parts in decompositions(False).items() if c not in excluded}


def compose(first, second):
    """Returns the composition of the pair, or None."""
    if L <= first < L + 19 and V <= second < V + 21:
        return S + ((first - L) * 21 + second - V) * COUNT
    if S <= first < S + 11172 and (first - S) % COUNT == 0 and T < second < T + COUNT:
        return first + second - T
    return compositions().get((first, second))


def ordered(points):
    """Canonical order: marks by their class, stable."""
    points, begin = list(points), 0
    for at in range(len(points) + 1):
        if at == len(points) or combining_class(points[at]) == 0:
            points[begin:at] = sorted(points[begin:at], key=combining_class)
            begin = at + 1
    return points


def normal(points, compatible=False):
    """NFC, or NFKC, of a sequence of code points."""
    if len(points) == 1 and decompose(points[0], compatible) == points:
        return points
    made, starter, last = [], None, -1
    for c in ordered(x for point in points for x in decompose(point, compatible)):
        order = combining_class(c)
        one = compose(made[starter], c) if starter is not None and last < order else None
        if one is not None:
            made[starter] = one
            continue
        made.append(c)
        last = order
        if order == 0:
            starter, last = len(made) - 1, -1
    return tuple(made)


@functools.cache
def foldings():
    return {int(row[0], 16): tuple(int(c, 16) for c in row[2].split())
            for row in fields("CaseFolding.txt") if row[1] in "CF"}


@functools.cache
def nfkc_casefold():
    """NFKC_Casefold of what it changes; of what it removes, nothing."""
    return {c: tuple(int(x, 16) for x in row[2].split()) for row in fields("DerivedNormalizationProps.txt")
            if row[1] == "NFKC_CF" for c in span(row[0])}


def fold(points):
    return tuple(x for c in points for x in foldings().get(c, (c,)))


# ---- RFC 5892 ---------------------------------------------------------------------------------


def unstable(c):
    return normal(fold(normal((c,), True)), True) != (c,)


def derived_property(c):
    """PVALID, CONTEXTJ, CONTEXTO, DISALLOWED or UNASSIGNED: RFC 5892, 3."""
    kind = category(c)
    if c in EXCEPTIONS:
        return EXCEPTIONS[c]
    if kind == "Cn" and not noncharacter(c):
        return "UNASSIGNED"
    if c == 0x2D or 0x30 <= c <= 0x39 or 0x61 <= c <= 0x7A:
        return "PVALID"
    if c in having("PropList.txt", "Join_Control"):
        return "CONTEXTJ"
    old_hangul = valued("HangulSyllableType.txt").get(c) in ("L", "V", "T")
    ignorable = default_ignorable(c) or noncharacter(c) or c in having("PropList.txt", "White_Space")
    if ignorable or old_hangul or valued("Blocks.txt").get(c) in IGNORABLE_BLOCKS or unstable(c):
        return "DISALLOWED"
    return "PVALID" if kind in ("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc") else "DISALLOWED"
