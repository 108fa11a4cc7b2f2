# SPDX-License-Identifier: Apache-2.0
"""When two readings of one input disagree: the rules, each with its reason.

A URL is ambiguous if one reader in real use would connect to another host or port than another, or would see
another path, query or fragment.  So what is compared is where a reader would connect to and what it would ask for
there, not how it spells that.
"""
from __future__ import annotations

import ipaddress
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

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


# ---- Hosts -------------------------------------------------------------------------------------------------------

LABELS = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?\Z")
# A C library that asks the DNS for anything (musl) is answered by the wildcard of whoever owns the last two labels.
BELOW_A_NAME = re.compile(r".*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.?\Z", re.S)


def _a_labels(text: str) -> str:
    """Labels of Unicode as the A-labels that would be looked up; only the encoding, no mapping."""
    if "\\x" not in text:
        return text
    try:
        octets = re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("ascii"))
        labels = octets.decode("utf-8").split(".")
        return ".".join(x if x.isascii() else "xn--" + x.encode("punycode").decode("ascii") for x in labels)
    except UnicodeError:
        return text


@lru_cache(maxsize=1 << 16)
def host(text: str) -> str | None:
    """The host in one spelling, None if nobody can look it up.

    Letter case, the spelling of an address and a U-label for its A-label are no difference.  A name that is no name leads nowhere, and so to
    no other place.  An odd IPv4 address (0x7f.1) stays the name it is for the readers that leave it alone: whether
    it becomes an address is just what readers disagree on.
    """
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        pass
    text = _a_labels(text)
    if len(text) > 254 or not (LABELS.match(text) or BELOW_A_NAME.match(text)):
        return None
    return text.lower()


# ---- Path, query and fragment ------------------------------------------------------------------------------------

TRIPLET_OR_NOT_RAW = re.compile(r"%[0-9A-Fa-f]{2}|\\x[0-9A-F]{2}|[^A-Za-z0-9._~!$&()*+,;=:@/?\\-]")


def _spelling(match: re.Match[str]) -> str:
    text = match[0]
    if text.startswith("%") and len(text) == 3:
        return text.upper()
    octet = text[2:] if text.startswith("\\x") else f"{ord(text):02X}"
    return "%" + octet


@lru_cache(maxsize=1 << 16)
def tail(text: str) -> str:
    """A path, query or fragment in one spelling.

    No difference are the case of the digits of a triplet, an octet against its triplet where RFC 3986 does not allow
    the octet (most readers repair it, and servers decode it), and ' against %27, which browsers encode in a query.
    An octet that may stand there and its triplet are two things: %2F is no slash.
    """
    return TRIPLET_OR_NOT_RAW.sub(_spelling, text)


def target(line: str) -> Target | None:
    """What a reading leads to, None if it leads nowhere: refused, no host, or no port to connect to.

    Absent and empty are the same for userinfo, query and fragment (many readers cannot tell), an empty path and /
    too (a request line cannot be without), and of the port only the effective one counts.
    """
    verdict, _, scheme, userinfo, name, _, path, query, fragment, port = line.split("\t")
    if verdict != "accept" or ABSENT in (scheme, name, port) or name == "" or port == "0":
        return None
    looked_up = host(name)
    if looked_up is None:
        return None
    rest = ("" if text == ABSENT else tail(text) for text in (path, query, fragment))
    path, query, fragment = rest
    return scheme.lower(), "" if userinfo == ABSENT else userinfo, looked_up, port, path or "/", query, fragment


# ---- Quirks ------------------------------------------------------------------------------------------------------
# What one reader is known to make of what strict accepts.  A quirk is narrow: it says exactly what the reader shows
# for a URL as it is written, and anything else that this reader shows still counts.  Two kinds:
#   documented  the reader's own normalisation, after which it asks for the same resource
#   open        a true disagreement that the gate lets through; counted, reported, and waiting for a rule

@dataclass(frozen=True)
class Quirk:
    name: str
    reader: str
    open: bool
    why: str
    shows: Callable[[Target], Target | None]     # what the reader makes of the target as written


def changed(written: Target, **parts: str) -> Target:
    return tuple(parts.get(component, text) for component, text in zip(COMPONENTS, written))


def _decoding(octets: str) -> Callable[[str], str]:
    triplets = re.compile("|".join(f"%{ord(c):02X}" for c in octets))
    return lambda text: tail(triplets.sub(lambda m: chr(int(m[0][1:], 16)), text))


_yarl_path, _yarl_query, _yarl_fragment = _decoding("!$'()*,&=@:"), _decoding("!$'()*,?/:@"), _decoding("!$&'()*+,;=?/:@")


def _yarl(written: Target) -> Target:
    *rest, path, query, fragment = written
    return *rest, _yarl_path(path), _yarl_query(query), _yarl_fragment(fragment)


def _yarl_parameter(written: Target) -> Target | None:
    path = written[COMPONENTS.index("path")]
    return _yarl(changed(written, path=path.replace("%3B", ";"))) if "%3B" in path else None


def _openssl(written: Target) -> Target | None:
    """The first ? ends the path, even after the #."""
    *rest, path, query, fragment = written
    before, mark, after = fragment.partition("?")
    return (*rest, tail(f"{path}#{before}"), after, "") if mark and not query else None


QUIRKS = (
    Quirk("yarl-requotes", "yarl", False,
          "It decodes triplets of sub-delimiters, : and @ where they delimit nothing, as its documentation says; "
          "a server that decodes once sees the same.", _yarl),
    Quirk("yarl-parameter", "yarl", True,
          "yarl decodes %3B in the path, where ; begins parameters that servlet containers strip: it asks for /..;/x "
          "where http://ex.org/..%3B/x is written.", _yarl_parameter),
    Quirk("openssl-question-in-fragment", "openssl", True,
          "For OpenSSL the first ? ends the path even after the #: the path of http://ex.org/a#b?c is /a#b, "
          "its query c.", _openssl),
)
_QUIRKS_OF: dict[str, list[Quirk]] = defaultdict(list)
for _quirk in QUIRKS:
    _QUIRKS_OF[_quirk.reader].append(_quirk)


def without_quirks(targets: Mapping[Reader, Target], written: Target) -> tuple[dict[Reader, Target], list[Quirk]]:
    """The targets with what is a known quirk taken for what is written, and the quirks that were met."""
    made, met = dict(targets), []
    for reader, read in targets.items():
        if read == written or reader.name not in _QUIRKS_OF:
            continue
        for quirk in _QUIRKS_OF[reader.name]:
            if quirk.shows(written) == read:
                made[reader] = written
                met.append(quirk)
                break
    return made, met


# ---- Comparison --------------------------------------------------------------------------------------------------

def readings(lines: Mapping[Reader, str]) -> dict[Reader, Target]:
    """The targets of one input; equal lines are read once, and readers that name no target are left out."""
    seen: dict[str, Target | None] = {}
    made = {}
    for reader, line in lines.items():
        if line not in seen:
            seen[line] = target(line)
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
