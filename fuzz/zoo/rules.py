# SPDX-License-Identifier: Apache-2.0
"""When two readings of one input disagree.

A URL is ambiguous if one reader in real use names another scheme, host or port than another, or sees another path,
query or fragment.  What is no difference stands in allowed.tsv, and nowhere else.  A reader that refuses the input does
not disagree.  A reader that finds another host does, even one that nobody can look up: who compares the ends of names
looks nothing up.
"""
from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
# Which difference names a class of inputs if there are several: the one that leads farthest astray.
SEVERITY = ("host", "port", "userinfo", "scheme", "path", "query", "fragment")
ABSENT = "\\N"
Target = tuple[str, ...]        # one text a component, in the order of COMPONENTS


@dataclass(frozen=True)
class Reader:
    """What the comparison has to know of a reader."""
    name: str
    blind: frozenset[str] = frozenset()


# ---- The table ---------------------------------------------------------------------------------------------------

KINDS = ("case", "default", "empty", "triplet", "hex")      # else the name of a reader's own way
SENT = "sent:"              # or, after this, of a client's: those are seen on the wire


@dataclass(frozen=True)
class Difference:
    """A row of allowed.tsv."""
    name: str
    state: str
    parts: tuple[str, ...]
    kind: str
    octets: str
    who: str
    why: str

    def names(self) -> list[str]:
        return self.who.split(", ")

    def octet_set(self) -> frozenset[int]:
        found: set[int] = set()
        for item in self.octets.split():
            first, dash, last = item.partition("-") if len(item) > 1 else (item, "", "")
            found.update(range(int(first, 16), int(last, 16) + 1) if dash else [ord(item)])
        return frozenset(found)


def table() -> list[Difference]:
    lines = Path(__file__).with_name("allowed.tsv").read_text(encoding="ascii").splitlines()
    cells = (line.split("\t") for line in lines if not line.startswith("#"))
    return [Difference(name, state, tuple(parts.split(",")), kind, octets if octets != "-" else "", who, why)
            for name, state, parts, kind, octets, who, why in cells]


TABLE = table()
_left_out: frozenset[str] = frozenset()


def leave_out(names: Iterable[str]) -> None:
    """From now on these rows count as differences: shows what a row is for."""
    global _left_out
    _left_out = frozenset(names)
    if unknown := _left_out - {row.name for row in TABLE}:
        raise RuntimeError(f"allowed.tsv has no row {', '.join(sorted(unknown))}")
    for cached in (_rows, _respelling, _ways_of, part):
        cached.cache_clear()


def rows_in_force() -> list[Difference]:
    return [row for row in TABLE if row.name not in _left_out]


@lru_cache(maxsize=None)
def _rows(component: str, kind: str) -> tuple[Difference, ...]:
    return tuple(row for row in rows_in_force() if component in row.parts and row.kind == kind)


def either_way(component: str) -> frozenset[int]:
    """The octets that may stand raw or as their own triplets there."""
    return frozenset().union(*(row.octet_set() for row in _rows(component, "triplet")))


# ---- One spelling of each component ------------------------------------------------------------------------------

LEGAL = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/?-]")
UNIT = re.compile(r"%[0-9A-Fa-f]{2}|\\x[0-9A-F]{2}|[^A-Za-z0-9]")        # readings show octets beyond ASCII as \xHH


@lru_cache(maxsize=None)
def _respelling(component: str) -> dict[str, str]:
    """What a unit of the text becomes, for those that are not left as they are."""
    made = {}
    for octet in range(256):
        high, low = f"{octet:02X}"
        triplets = {f"%{h}{l}" for h in (high, high.lower()) for l in (low, low.lower())}
        shown = chr(octet) if 0x20 < octet < 0x7F and octet != 0x5C else f"\\x{high}{low}"
        if octet in either_way(component):
            one = shown if LEGAL.fullmatch(shown) else f"%{high}{low}"
            made.update(dict.fromkeys((shown, *triplets), one))
        elif _rows(component, "hex"):
            made.update(dict.fromkeys(triplets, f"%{high}{low}"))
    return made


@lru_cache(maxsize=1 << 17)
def part(component: str, text: str) -> str:
    """A component in the one spelling that all spellings allowed for it share."""
    if text == ABSENT and (component == "userinfo" or _rows(component, "empty")):
        text = ""               # no reader shows an empty userinfo as something else than none
    if component in ("path", "query", "fragment") and text != ABSENT:
        respelling = _respelling(component)
        text = UNIT.sub(lambda unit: respelling.get(unit[0], unit[0]), text)
    if text == "":
        text = next((row.octets for row in _rows(component, "empty")), text)
    return text.lower() if text != ABSENT and _rows(component, "case") else text


def target(line: str, hostless: bool = False) -> Target | None:
    """What a reading names; None if it refuses, or finds no scheme or host where that is no reading either."""
    verdict, _, *columns, port = line.split("\t")
    if verdict != "accept" or not hostless and (ABSENT in (columns[0], columns[2]) or columns[2] == ""):
        return None
    if _rows("port", "default"):
        columns[3] = port       # the effective one
    return tuple(map(part, COMPONENTS, columns))


# ---- Other spellings of one URL ----------------------------------------------------------------------------------

PARTS = re.compile(rb"([^:]+://[^/?#]*)([^?#]*)((?:\?[^#]*)?)(.*)", re.S)
TRIPLET = re.compile(rb"%([0-9A-Fa-f]{2})")
# Rules that the spelling decides: G8, G6 and G10 of an escaped octet, G9 of a raw one, and of a colon G12.
OF_SPELLING = {"escape-mixed-iri", "escape-after-astral", "url-too-long", "ipv6-path-digit", "colon-port-in-tail"}


def escaped(text: bytes, octets: Container[int]) -> bytes:
    return b"".join(b"%%%02X" % octet if octet in octets else bytes([octet]) for octet in text)


def unescaped(text: bytes, octets: Container[int]) -> bytes:
    return TRIPLET.sub(lambda m: bytes([int(m[1], 16)]) if int(m[1], 16) in octets else m[0], text)


def spellings(url: bytes) -> list[bytes]:
    """An accepted URL with its path or its query in another spelling that the table allows.

    What readers may show for one another has to be judged alike: what is true of ; in a path is true of %3B.
    """
    head, path, query, fragment = PARTS.fullmatch(url).groups()
    legal = {name: {o for o in either_way(name) if LEGAL.fullmatch(chr(o))} for name in ("path", "query")}
    made = [head + way(path, legal["path"]) + query + fragment for way in (escaped, unescaped)]
    made += [head + path + query[:1] + way(query[1:], legal["query"]) + fragment for way in (escaped, unescaped)]
    return [other for other in made if other != url]


# ---- Ways of single readers --------------------------------------------------------------------------------------
# What one reader is known to make of what strict accepts: exactly that, of the URL as it is written; anything else
# that this reader shows counts.

NO_DOTTED_END = re.compile(r"/(?:.*[^A-Za-z0-9._-])?[A-Za-z0-9_-]*\Z", re.S)


def _first_colon(written: Target, read: Target) -> bool:
    """Its host is the written one and more, up to the first colon, and ends in no dotted name."""
    host = written[COMPONENTS.index("host")]
    found = read[COMPONENTS.index("host")]
    return found.startswith(host) and NO_DOTTED_END.match(found, len(host)) is not None


def _first_question(written: Target, read: Target) -> bool:
    """The first ? ends its path, even after the #."""
    *rest, path, query, fragment = written
    before, mark, after = fragment.partition("?")
    return mark != "" and query == "" and read == (*rest, part("path", f"{path}#{before}"), part("query", after), "")


def _unescaped_fragment(written: Target, read: Target) -> bool:
    """It shows raw what may stand raw in a fragment."""
    *rest, fragment = written
    raw = unescaped(fragment.encode("ascii"), {octet for octet in range(256) if LEGAL.fullmatch(chr(octet))})
    return read == (*rest, part("fragment", raw.decode("ascii")))


WAYS: dict[str, Callable[[Target, Target], bool]] = {
    "first-colon": _first_colon, "first-question": _first_question, "unescaped-fragment": _unescaped_fragment}


@lru_cache(maxsize=None)
def _ways_of(reader: str) -> tuple[Difference, ...]:
    return tuple(row for row in rows_in_force() if row.kind in WAYS and reader in row.names())


def without_ways(targets: Mapping[Reader, Target], written: Target) -> tuple[dict[Reader, Target], list[Difference]]:
    """The targets with a reader's known way taken for what is written, and the rows of those that were met."""
    made, met = dict(targets), []
    for reader, read in targets.items():
        if read == written:
            continue
        for row in _ways_of(reader.name):
            if WAYS[row.kind](written, read):
                made[reader] = written
                met.append(row)
                break
    return made, met


# ---- Comparison --------------------------------------------------------------------------------------------------

def readings(lines: Mapping[Reader, str], hostless: bool = False) -> dict[Reader, Target]:
    """The targets of one input; equal lines are read once, and readers that name no target are left out.

    Of relative references and the like most readers find no host, and that is not compared.  Where a URL is accepted
    hostless readings are compared too: java.net.URI finds none in http://a_b.org/.
    """
    seen: dict[str, Target | None] = {}
    made = {}
    for reader, line in lines.items():
        if line not in seen:
            seen[line] = target(line, hostless)
        if (found := seen[line]) is not None:
            made[reader] = found
    return made


def differing(targets: Mapping[Reader, Target]) -> list[str]:
    """The components in which readers differ, the gravest first."""
    if len(set(targets.values())) <= 1:
        return []
    found = []
    for component in SEVERITY:
        at = COMPONENTS.index(component)
        if len({t[at] for reader, t in targets.items() if component not in reader.blind}) > 1:
            found.append(component)
    return found


def differ(one: Reader, other: Reader, targets: Mapping[Reader, Target]) -> bool:
    """Whether these two name different targets."""
    return bool(differing({one: targets[one], other: targets[other]}))


def _usual(targets: Mapping[Reader, Target], component: str) -> str:
    """What most readers read there that show it."""
    at = COMPONENTS.index(component)
    shown = [read[at] for reader, read in targets.items() if component not in reader.blind]
    return Counter(shown).most_common(1)[0][0] if shown else ""


def grouped(targets: Mapping[Reader, Target], components: Sequence[str]) -> dict[tuple[str, ...], list[Reader]]:
    """The readers by what they read in these components, the largest group first; the blind go with the many."""
    usual = {component: _usual(targets, component) for component in components}
    groups: dict[tuple[str, ...], list[Reader]] = defaultdict(list)
    for reader, read in targets.items():
        shown = (usual[c] if c in reader.blind else read[COMPONENTS.index(c)] for c in components)
        groups[tuple(shown)].append(reader)
    return dict(sorted(groups.items(), key=lambda item: -len(item[1])))
