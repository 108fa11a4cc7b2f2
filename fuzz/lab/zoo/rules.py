# SPDX-License-Identifier: Apache-2.0
"""Decides when two readings of one input disagree.

A URL is ambiguous if one reader in real use names another scheme, host or port than another, or reads
another path, query or fragment.  allowed.tsv alone lists the differences that do not count.  A reader that
refuses the input does not disagree.  A reader that finds another host does, even if no DNS query could
find that host, because code that compares the ends of names makes no query.
"""
from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
# If there are several differences, the one with the worst consequences names the class.
SEVERITY = ("host", "port", "userinfo", "scheme", "path", "query", "fragment")
ABSENT = "\\N"
Target = tuple[str, ...]        # one text for each component, in the order of COMPONENTS


@dataclass(frozen=True)
class Reader:
    """The properties of a reader that the comparison needs."""
    name: str
    blind: frozenset[str] = frozenset()


# ---- The table ---------------------------------------------------------------------------------------------------

KINDS = ("case", "default", "empty", "triplet", "hex")      # or the name of a reader's own deviation
SENT = "sent:"              # prefix of a client's deviation, seen on the wire


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
    """Counts these rows as differences from now on, to show what a row is for."""
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
    """Returns the octets that may be raw or triplets in the component."""
    return frozenset().union(*(row.octet_set() for row in _rows(component, "triplet")))


# ---- One spelling of each component ------------------------------------------------------------------------------

LEGAL = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/?-]")
UNIT = re.compile(r"%[0-9A-Fa-f]{2}|\\x[0-9A-F]{2}|[^A-Za-z0-9]")        # non-ASCII octets are \xHH


@lru_cache(maxsize=None)
def _respelling(component: str) -> dict[str, str]:
    """Maps each unit of the text that changes to its replacement."""
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
    """Returns the component in the spelling that represents all its allowed spellings."""
    if text == ABSENT and (component == "userinfo" or _rows(component, "empty")):
        text = ""               # no reader distinguishes an empty userinfo from none
    if component in ("path", "query", "fragment") and text != ABSENT:
        respelling = _respelling(component)
        text = UNIT.sub(lambda unit: respelling.get(unit[0], unit[0]), text)
    if text == "":
        text = next((row.octets for row in _rows(component, "empty")), text)
    return text.lower() if text != ABSENT and _rows(component, "case") else text


def target(line: str, hostless: bool = False) -> Target | None:
    """Returns the target of a reading; None if it refuses, or finds no scheme or host where one is
    required."""
    verdict, _, *columns, port = line.split("\t")
    if verdict != "accept" or not hostless and (ABSENT in (columns[0], columns[2]) or columns[2] == ""):
        return None
    if _rows("port", "default"):
        columns[3] = port       # the effective one
    return tuple(map(part, COMPONENTS, columns))


# ---- Other spellings of one URL ----------------------------------------------------------------------------------

PARTS = re.compile(rb"([^:]+://[^/?#]*)([^?#]*)((?:\?[^#]*)?)(.*)", re.S)
TRIPLET = re.compile(rb"%([0-9A-Fa-f]{2})")
# Rules that depend on the spelling: G8, G6 and G10 of an escaped octet, G9 of a raw one, and G12 of a
# colon.
OF_SPELLING = {"escape-mixed-iri", "escape-after-astral", "url-too-long", "ipv6-path-digit", "colon-port-in-tail"}


def escaped(text: bytes, octets: Container[int]) -> bytes:
    return b"".join(b"%%%02X" % octet if octet in octets else bytes([octet]) for octet in text)


def unescaped(text: bytes, octets: Container[int]) -> bytes:
    return TRIPLET.sub(lambda m: bytes([int(m[1], 16)]) if int(m[1], 16) in octets else m[0], text)


def spellings(url: bytes) -> list[bytes]:
    """Returns an accepted URL with its path or query in other spellings that the table allows.

    Spellings that readers may exchange must be judged alike: what is true of ; in a path is true of %3B.
    """
    head, path, query, fragment = PARTS.fullmatch(url).groups()
    legal = {name: {o for o in either_way(name) if LEGAL.fullmatch(chr(o))} for name in ("path", "query")}
    made = [head + way(path, legal["path"]) + query + fragment for way in (escaped, unescaped)]
    made += [head + path + query[:1] + way(query[1:], legal["query"]) + fragment for way in (escaped, unescaped)]
    return [other for other in made if other != url]


# ---- Deviations of single readers
# --------------------------------------------------------------------------------

NO_DOTTED_END = re.compile(r"/(?:.*[^A-Za-z0-9._-])?[A-Za-z0-9_-]*\Z", re.S)


def _first_colon(written: Target, read: Target) -> bool:
    """Returns true if the host is the written one and more, up to the first colon, and does not end in a
    dotted name."""
    host = written[COMPONENTS.index("host")]
    found = read[COMPONENTS.index("host")]
    return found.startswith(host) and NO_DOTTED_END.match(found, len(host)) is not None


def _first_question(written: Target, read: Target) -> bool:
    """Returns true if the first ? ends the path, even after the #."""
    *rest, path, query, fragment = written
    before, mark, after = fragment.partition("?")
    return mark != "" and query == "" and read == (*rest, part("path", f"{path}#{before}"), part("query", after), "")


def _unescaped_fragment(written: Target, read: Target) -> bool:
    """Returns true if a fragment shows octets raw that may be raw there."""
    *rest, fragment = written
    raw = unescaped(fragment.encode("ascii"), {octet for octet in range(256) if LEGAL.fullmatch(chr(octet))})
    return read == (*rest, part("fragment", raw.decode("ascii")))


WAYS: dict[str, Callable[[Target, Target], bool]] = {
    "first-colon": _first_colon, "first-question": _first_question, "unescaped-fragment": _unescaped_fragment}


@lru_cache(maxsize=None)
def _ways_of(reader: str) -> tuple[Difference, ...]:
    return tuple(row for row in rows_in_force() if row.kind in WAYS and reader in row.names())


def without_ways(targets: Mapping[Reader, Target], written: Target) -> tuple[dict[Reader, Target], list[Difference]]:
    """Returns the targets with known deviations replaced by what is written, and the rows that applied."""
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
    """Returns the targets of one input. Equal lines are parsed once, and readers without a target are left
    out.

    Most readers find no host in relative references and the like, so those are not compared.  For accepted
    URLs hostless readings are compared too: java.net.URI finds no host in http://a_b.org/.
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
    """Returns the components in which readers differ, the most severe first."""
    if len(set(targets.values())) <= 1:
        return []
    found = []
    for component in SEVERITY:
        at = COMPONENTS.index(component)
        if len({t[at] for reader, t in targets.items() if component not in reader.blind}) > 1:
            found.append(component)
    return found


def differ(one: Reader, other: Reader, targets: Mapping[Reader, Target]) -> bool:
    """Returns true if these two name different targets."""
    return bool(differing({one: targets[one], other: targets[other]}))


def _usual(targets: Mapping[Reader, Target], component: str) -> str:
    """Returns the most common reading of the readers that show the component."""
    at = COMPONENTS.index(component)
    shown = [read[at] for reader, read in targets.items() if component not in reader.blind]
    return Counter(shown).most_common(1)[0][0] if shown else ""


def grouped(targets: Mapping[Reader, Target], components: Sequence[str]) -> dict[tuple[str, ...], list[Reader]]:
    """Groups the readers by what they read in these components, the largest group first. Readers that do
    not show a component join the largest group."""
    usual = {component: _usual(targets, component) for component in components}
    groups: dict[tuple[str, ...], list[Reader]] = defaultdict(list)
    for reader, read in targets.items():
        shown = (usual[c] if c in reader.blind else read[COMPONENTS.index(c)] for c in components)
        groups[tuple(shown)].append(reader)
    return dict(sorted(groups.items(), key=lambda item: -len(item[1])))
