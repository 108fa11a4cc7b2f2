# SPDX-License-Identifier: Apache-2.0
"""An executable model of the strict URI grammar, second edition, written to be compared with the C core.

It shares nothing with the core but the specification.  `judge()` answers one input:

    accept          whether the policy takes it
    refusing        ids of findings that have to be reported (a lower bound: an id whose definition
                    leaves room for two readings is left out)
    one_of          sets of ids of which at least one has to be reported
    components      the parts by RFC 3986, None where the input is no URI-reference
    effective_port  the port a client would use, None where there is none
    rules           names of the rules broken, for a reader of a difference
    decided         false where the specification leaves the verdict open, or the model does not know
    notes           of an input that is accepted, the ids of NOTES that have to be reported, and no other of NOTES;
                    None where the model says nothing of them
    differs         of a request target, the parts in which it differs from listener and Host field, with their text

How it is built: an input is accepted when it is an RFC 3986 URI-reference, matches the gate's ABNF as one
regular expression, and breaks none of the rules G1-G17 and D1-D5.  A rule is a function from the pieces of
the input to None (kept) or Broken (ids).  The abnf_* functions only name what the one expression refuses;
the self-test checks that the two agree.
"""
from __future__ import annotations

import importlib
import re
import socket
import struct
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

MAX_LENGTH = 8192
DEFAULT_PORTS = {b"http": 80, b"ws": 80, b"https": 443, b"wss": 443, b"ftp": 21}
POLICY_SCHEMES = {"strict": (b"http", b"https"), "any": (b"http", b"https", b"ws", b"wss", b"ftp")}

# Schemes refused by every policy, with the ids of which one at least is due (jar is in two families).
SCHEME_FAMILIES = {
    b"javascript": {"scheme-script"}, b"vbscript": {"scheme-script"}, b"data": {"scheme-data"},
    b"file": {"scheme-file"}, b"gopher": {"scheme-text-protocol"}, b"dict": {"scheme-text-protocol"},
    b"ldap": {"scheme-ldap-jndi"}, b"rmi": {"scheme-ldap-jndi"}, b"phar": {"scheme-archive-wrapper"},
    b"php": {"scheme-archive-wrapper"}, b"jar": {"scheme-archive-wrapper", "scheme-prefix-wrapper"},
    b"view-source": {"scheme-prefix-wrapper"}, b"blob": {"scheme-prefix-wrapper"},
    b"url": {"scheme-prefix-wrapper"}, b"intent": {"scheme-app-handler"}, b"smb": {"scheme-app-handler"}, b"smbs": {"scheme-app-handler"},
    b"afp": {"scheme-app-handler"},
}
# Schemes known to be in no family.  Any other is undecided under the policy `any`, should all else be well.
NEUTRAL_SCHEMES = (b"x-foo", b"urn", b"mailto", b"ssh", b"git", b"did", b"arn", b"tag", b"concat")


@dataclass(frozen=True)
class Components:
    scheme: bytes | None
    userinfo: bytes | None
    host: bytes | None
    port: bytes | None
    path: bytes
    query: bytes | None
    fragment: bytes | None


@dataclass(frozen=True)
class Judgement:
    accept: bool
    refusing: frozenset[str]
    one_of: tuple[frozenset[str], ...]
    components: Components | None
    effective_port: int | None
    rules: tuple[str, ...]
    decided: bool = True
    shown: bool = True          # false: whether and how the components are shown is open
    notes: frozenset[str] | None = None
    differs: frozenset[tuple[str, bytes]] = frozenset()


@dataclass(frozen=True)
class Broken:
    must: frozenset[str]
    one_of: frozenset[str] = frozenset()


def broken(*must: str, one_of: set[str] | frozenset[str] = frozenset()) -> Broken:
    """Returns a Broken; an id that is the only choice is required."""
    if len(one_of) == 1:
        must, one_of = (*must, *one_of), frozenset()
    return Broken(frozenset(must), frozenset(one_of))


def broken_naming(name: str, settled: bool) -> Broken:
    """Returns a Broken that is certain; the id is required only if it is settled."""
    return broken(name) if settled else broken()


def broken_if(ids: set[str]) -> Broken | None:
    return Broken(frozenset(ids)) if ids else None


# ---------------------------------------------------------------------------------------------------------
# RFC 3986, Appendix A.  No character can both continue a part and end it, so nothing is tried twice.

PCT = r"%[0-9A-Fa-f]{2}"
UNRESERVED = r"A-Za-z0-9\-._~"
SUB_DELIMS = r"!$&'()*+,;="
PCHAR = UNRESERVED + SUB_DELIMS + ":@"


def octets(chars: str, least: int = 0) -> str:
    return rf"(?:[{chars}]|{PCT}){'+' if least else '*'}"


SCHEME = r"[A-Za-z][A-Za-z0-9+\-.]*"
SEGMENT, SEGMENT_NZ = octets(PCHAR), octets(PCHAR, 1)
SEGMENT_NZ_NC = octets(PCHAR.replace(":", ""), 1)
QUERY = FRAGMENT = octets(PCHAR + "/?")
DEC_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])"
IPV4 = rf"(?:{DEC_OCTET}\.){{3}}{DEC_OCTET}"
H16 = r"[0-9A-Fa-f]{1,4}"
LS32 = rf"(?:{H16}:{H16}|{IPV4})"
IPV6 = "(?:" + "|".join((
    rf"(?:{H16}:){{6}}{LS32}",
    rf"::(?:{H16}:){{5}}{LS32}",
    rf"(?:{H16})?::(?:{H16}:){{4}}{LS32}",
    rf"(?:(?:{H16}:){{0,1}}{H16})?::(?:{H16}:){{3}}{LS32}",
    rf"(?:(?:{H16}:){{0,2}}{H16})?::(?:{H16}:){{2}}{LS32}",
    rf"(?:(?:{H16}:){{0,3}}{H16})?::{H16}:{LS32}",
    rf"(?:(?:{H16}:){{0,4}}{H16})?::{LS32}",
    rf"(?:(?:{H16}:){{0,5}}{H16})?::{H16}",
    rf"(?:(?:{H16}:){{0,6}}{H16})?::",
)) + ")"
IPVFUTURE = rf"[vV][0-9A-Fa-f]+\.[{UNRESERVED}{SUB_DELIMS}:]+"
REG_NAME = octets(UNRESERVED + SUB_DELIMS)          # an IPv4address is a reg-name, too, as far as text goes
HOST = rf"(?P<host>\[(?:{IPV6}|{IPVFUTURE})\]|{REG_NAME})"
AUTHORITY = rf"(?:(?P<userinfo>{octets(UNRESERVED + SUB_DELIMS + ':')})@)?{HOST}(?::(?P<port>[0-9]*))?"
TAIL = rf"(?:\?(?P<query>{QUERY}))?(?:#(?P<fragment>{FRAGMENT}))?"


def hierarchical(first_segment: str) -> str:
    return (rf"(?://{AUTHORITY}(?P<path_abempty>(?:/{SEGMENT})*)"
            rf"|(?P<path_plain>/(?:{SEGMENT_NZ}(?:/{SEGMENT})*)?|{first_segment}(?:/{SEGMENT})*|))")


def compiled(pattern: str, flags: int = 0) -> re.Pattern[bytes]:
    return re.compile(pattern.encode("ascii"), flags)


RFC_URI = compiled(rf"(?P<scheme>{SCHEME}):{hierarchical(SEGMENT_NZ)}{TAIL}")
RFC_RELATIVE = compiled(hierarchical(SEGMENT_NZ_NC) + TAIL)
RFC_SCHEME = compiled(SCHEME)
RFC_IPV6 = compiled(IPV6)
RFC_IPVFUTURE = compiled(IPVFUTURE)


def parse(data: bytes) -> Components | None:
    """URI-reference = URI / relative-ref"""
    match = RFC_URI.fullmatch(data) or RFC_RELATIVE.fullmatch(data)
    if match is None:
        return None
    part = match.groupdict()
    host = part["host"]
    if host is not None and host.startswith(b"["):
        host = host[1:-1]
    path = part["path_plain"] if part["path_abempty"] is None else part["path_abempty"]
    return Components(part.get("scheme"), part["userinfo"], host, part["port"], path, part["query"], part["fragment"])


# ---------------------------------------------------------------------------------------------------------
# The pieces: any octets at all, cut as Appendix B of RFC 3986 cuts them.

APPENDIX_B = compiled(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
BRACKETED = compiled(r"\[([^\[\]]*)\](?::([^:]*))?", re.DOTALL)


@dataclass(frozen=True)
class Pieces:
    data: bytes
    scheme: bytes | None
    authority: bytes | None
    userinfo: bytes | None      # up to the last @
    hostport: bytes | None
    literal: bytes | None       # what stands between brackets, if these make the whole host
    host: bytes | None          # None with brackets, sound or not
    port: bytes | None          # after the last : outside brackets
    path: bytes
    query: bytes | None
    fragment: bytes | None
    kind: bytes = b""           # the scheme in lower case

    @property
    def tail_parts(self) -> list[bytes]:
        return [part for part in (self.path, self.query, self.fragment) if part is not None]

    @property
    def tail(self) -> bytes:
        return (self.path + (b"" if self.query is None else b"?" + self.query)
                + (b"" if self.fragment is None else b"#" + self.fragment))

    @property
    def bracketed(self) -> bool:
        return self.hostport is not None and (b"[" in self.hostport or b"]" in self.hostport)


def cut(data: bytes) -> Pieces:
    scheme, authority, path, query, fragment = APPENDIX_B.fullmatch(data).groups()
    userinfo = hostport = literal = host = port = None
    if authority is not None:
        hostport = authority
        if b"@" in authority:
            userinfo, _, hostport = authority.rpartition(b"@")
        inside = BRACKETED.fullmatch(hostport)
        if inside:
            literal, port = inside.groups()
        elif b"[" not in hostport and b"]" not in hostport:
            host, colon, port = hostport.rpartition(b":")
            if not colon:
                host, port = hostport, None
    return Pieces(data, scheme, authority, userinfo, hostport, literal, host, port, path, query, fragment,
                  (scheme or b"").lower())


# ---------------------------------------------------------------------------------------------------------
# The gate's ABNF, as one expression.

LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?"
TOP = r"[A-Za-z](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?"
NAME = rf"(?:{LABEL}\.)*{TOP}\.?"
NAME_OR_4 = rf"(?:{IPV4}|{NAME})"
GATE_PORT = r"[1-9][0-9]{0,4}"
GATE_PATH = rf"/(?:{SEGMENT_NZ}(?:/{SEGMENT})*)?"
GATE_TAIL = rf"(?:\?{QUERY})?(?:#{FRAGMENT})?"
GATE_HOST = rf"(?:\[{IPV6}\]|{NAME_OR_4})"


def gate_expression(schemes: tuple[bytes, ...]) -> re.Pattern[bytes]:
    scheme = "|".join(s.decode() for s in schemes)
    return compiled(rf"(?:{scheme})://{GATE_HOST}(?::{GATE_PORT})?(?:{GATE_PATH}{GATE_TAIL})?")


GATE_URL = {policy: gate_expression(schemes) for policy, schemes in POLICY_SCHEMES.items()}
RE_NAME, RE_IPV4, RE_NAME_OR_4, RE_PORT = (compiled(p) for p in (NAME, IPV4, NAME_OR_4, GATE_PORT))
TRIPLET = compiled(PCT)
ESCAPED_UNRESERVED = compiled(r"%(?:4[1-9A-Fa-f]|5[0-9Aa]|6[1-9A-Fa-f]|7[0-9Aa]|3[0-9]|2[DdEe]|5[Ff]|7[Ee])")


def host_within_gate(p: Pieces) -> bool:
    """Returns true if the host is a name of at most 253 octets, a dotted quad, or canonical IPv6 in brackets."""
    if p.literal is not None:
        return canonical_ipv6(p.literal)
    return p.host is not None and RE_NAME_OR_4.fullmatch(p.host) is not None and len(p.host.removesuffix(b".")) <= 253


def port_within_gate(p: Pieces) -> bool:
    """Returns true if the port is 1 to 65535 in its shortest spelling, or absent."""
    return p.port is None or (RE_PORT.fullmatch(p.port) is not None and int(p.port) <= 65535)


def within_abnf(p: Pieces, policy: str) -> bool:
    return (GATE_URL[policy].fullmatch(p.data) is not None and host_within_gate(p) and port_within_gate(p)
            and ESCAPED_UNRESERVED.search(p.tail) is None)


# ---------------------------------------------------------------------------------------------------------
# IPv6

def ipv6_groups(text: bytes) -> list[int] | None:
    """Returns the eight groups of an RFC 3986 IPv6address."""
    return list(struct.unpack("!8H", socket.inet_pton(socket.AF_INET6, text.decode()))) if RFC_IPV6.fullmatch(text) else None


def ipv6_text(groups: list[int]) -> bytes:
    """RFC 5952: no leading zeros (4.1), the first longest run of two or more zeros cut (4.2), lower case (4.3)."""
    start, length = 0, 1
    for i in range(8):
        run = next((n for n in range(8 - i) if groups[i + n]), 8 - i)
        if run > length:
            start, length = i, run
    words = [b"%x" % g for g in groups]
    if length < 2:
        return b":".join(words)
    return b":".join(words[:start]) + b"::" + b":".join(words[start + length:])


def canonical_ipv6(text: bytes) -> bool:
    groups = ipv6_groups(text)
    return groups is not None and ipv6_text(groups) == text.lower()


# ---------------------------------------------------------------------------------------------------------
# Punycode, RFC 3492, by Python's codec, which takes a delimiter in front

def punycode_decode(text: bytes) -> list[int] | None:
    try:
        return None if text.rfind(b"-") == 0 else list(map(ord, text.decode("punycode")))
    except UnicodeError:
        return None


def punycode_encode(points: list[int]) -> bytes:
    return "".join(map(chr, points)).encode("punycode")


def idn_point_allowed(point: int) -> bool:
    return not (0x80 <= point <= 0x9F or 0xD800 <= point <= 0xDFFF or 0xFDD0 <= point <= 0xFDEF
                or point & 0xFFFE == 0xFFFE or point > 0x10FFFF or point in (0x3002, 0xFF0E, 0xFF61)
                # Qt 5 cuts to 16 bits and writes the label anew, unless that is for private use or too high
                or point > 0xFFFF and (point & 0xFFFF < 0xE000 or 0xF8FF < point & 0xFFFF <= 0xFE46))


def sound_alabel(label: bytes) -> bool:
    text = label[4:].lower()
    points = punycode_decode(text)
    return (points is not None and any(p > 127 for p in points) and all(map(idn_point_allowed, points))
            and punycode_encode(points) == text)


# ---------------------------------------------------------------------------------------------------------
# What A-labels decode to, by the Unicode Character Database (tests/core/names/consensus.py, which needs the Punycode above).

@cache
def unicode_rules() -> ModuleType:
    sys.path.append(str(Path(__file__).resolve().parents[1] / "names"))
    return importlib.import_module("consensus")


# Classes of characters that no label holds, and those that some reader writes otherwise when it encodes them again.
NO_LABEL = frozenset(("control", "unassigned", "private-use", "noncharacter", "surrogate", "dot", "format"))
REWRITTEN = frozenset(("upper", "compat", "ignored", "contextj", "cherokee"))
# IDNA 2003 ignores the first; NFKC_Casefold the fillers of Hangul, and what may become ignorable.
IGNORED = frozenset((0x1806, 0x115F, 0x1160, 0x2065, *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000)))
LEFT, RIGHT = frozenset(("L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM")), frozenset(("R", "AL", "AN"))


def class_of(point: int) -> str:
    return "ignored" if point in IGNORED else unicode_rules().code_point_class(point)


def directions(points: list[int]) -> tuple[list[str], str]:
    """Returns the RFC 5893 classes of the characters, and the class of the last one that is no mark."""
    kinds = [unicode_rules().bidi(point) for point in points]
    return kinds, next((kind for kind in reversed(kinds) if kind != "NSM"), "")


def keeps_bidi_rule(points: list[int], beside: bool) -> bool:
    """Returns true if a right-to-left label, or a label beside one, follows RFC 5893, 2."""
    kinds, last = directions(points)
    if RIGHT.intersection(kinds):
        return (kinds[0] in ("R", "AL") and last in RIGHT | {"EN"} and "L" not in kinds and not {"EN", "AN"} <= set(kinds)
                and set(kinds) <= RIGHT | LEFT)
    return not beside or (kinds[0] == "L" and last in ("L", "EN") and set(kinds) <= LEFT)


def refused_for(points: list[int]) -> str | None:
    """Returns the finding that refuses a label which decodes to these characters."""
    rules, classes = unicode_rules(), {class_of(point) for point in points}
    if classes & NO_LABEL:
        return "idn-invalid-alabel"
    if classes & REWRITTEN or rules.blocked_pair(points):
        return "idn-readers-disagree"
    if rules.is_mark(points[0]):
        return "idn-mark-first"
    return "idn-not-nfc" if list(rules.composed(points)) != points else None


# ---------------------------------------------------------------------------------------------------------
# What the ABNF leaves out, by name.  Only what a definition settles is named.

RAW_OCTETS = ((rb"\t", "raw-tab"), (rb"[\r\n]", "raw-crlf"), (rb" ", "raw-space"),
              (rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", "control-char"))
RAW_OCTETS = tuple((re.compile(pattern), name) for pattern, name in RAW_OCTETS)
NON_ASCII = re.compile(rb"[\x80-\xff]")
FORBIDDEN_IN_TAIL = compiled(r'["<>\[\]^`{|}#]')
INVISIBLE = (b"\xef\xbb\xbf", b"\xe2\x80\x8b", b"\xc2\xa0", b"\xe2\x81\xa0")
SECOND_URL = compiled(r"://.*[ \n][A-Za-z][A-Za-z0-9+\-.]*://", re.DOTALL)
GLOB_RANGE = compiled(r"\[[0-9]+-[0-9]+\]")
BAD_ESCAPE = compiled(r"%(?![0-9A-Fa-f]{2})")


def outside_brackets(p: Pieces) -> list[bytes]:
    """Returns everything after the scheme except a host with brackets."""
    around = [p.userinfo or b""] if p.bracketed else [p.authority or b""]
    return around + p.tail_parts


def abnf_octets(p: Pieces) -> Broken | None:
    """Octets that are no URI characters are stripped, rewritten, cut at or kept, each by some reader."""
    ids = {name for pattern, name in RAW_OCTETS if pattern.search(p.data)}
    tail = p.tail_parts
    if any(NON_ASCII.search(part) for part in (*tail, p.userinfo or b"")):
        ids.add("non-ascii")
    if any(FORBIDDEN_IN_TAIL.search(part) for part in tail):
        ids.add("forbidden-char")
    if any(BAD_ESCAPE.search(part) for part in outside_brackets(p)):
        ids.add("bad-escape")
    if p.data and (p.data[0] <= 0x20 or p.data[-1] <= 0x20):
        ids.add("leading-trailing-space")
    if p.data.startswith(INVISIBLE):
        ids.add("bom-or-invisible-prefix")
    if SECOND_URL.search(p.data):
        ids.add("multiple-urls")
    if p.data[:1] in (b"<", b'"', b"'", b"[", b"(") or p.kind in (b"hxxp", b"hxxps"):
        ids.add("quoting-wrapper")
    if b"{" in p.data or b"}" in p.data or any(GLOB_RANGE.search(part) for part in tail):
        ids.add("template-or-glob")
    return broken_if(ids)


def abnf_slashes(p: Pieces) -> Broken | None:
    """Readers count the slashes after the colon differently, and a backslash may be one of them."""
    rest = p.data[len(p.scheme or b"") + 1:]
    if p.authority is None:
        if rest[:2] in (b"\\\\", b"\\/", b"/\\"):
            return broken("backslash-authority")
        return broken() if rest[:1] == b"\\" else broken("scheme-slash-missing")
    return broken("scheme-slash-excess") if rest[:3] == b"///" else None


USERINFO_NAME = re.compile(rb"[0-9A-Za-z_\x80-\xff-][0-9A-Za-z_.\x80-\xff-]*")     # the first that is decoded
TRIPLET_OF_NAMES = compiled(r"%([0-9A-Fa-f]{2})")
USERINFO_ESCAPES = compiled(r"%(?:40|2[Ff]|23|3[Aa]|00|01)")
BACKSLASH_THEN_AT = compiled(r"[^/?#\\]*\\[^/]*@", re.DOTALL)


def at_beyond_authority(p: Pieces) -> set[str]:
    """Returns the ids required if ? or # ends the authority and an @ follows before the next slash (settled
    for the gate only)."""
    if p.kind not in DEFAULT_PORTS or p.tail[:1] not in (b"?", b"#") or b"@" not in p.tail.partition(b"/")[0]:
        return set()
    return {"userinfo-delimiter"} if b"\\" in p.authority else {"userinfo-delimiter", "fragment-authority-confusion"}


def abnf_userinfo(p: Pieces) -> Broken | None:
    """The part before an @ is taken for the host by some, and by people."""
    if p.authority is None:
        return None
    ids = set()
    if p.userinfo is not None:
        ids.add("userinfo-present")
        name = USERINFO_NAME.search(TRIPLET_OF_NAMES.sub(lambda m: bytes([int(m[1], 16)]), p.userinfo))
        if name and b"." in name[0].rstrip(b"."):
            ids.add("userinfo-misleading")
        if p.authority.count(b"@") > 1:
            ids.add("userinfo-multiple-at")
        if b";" in p.userinfo or b"[" in p.userinfo:
            ids.add("userinfo-delimiter")
        if USERINFO_ESCAPES.search(p.userinfo):
            ids.add("userinfo-encoded-delimiter")
        if b":@" in p.authority:
            ids.add("authority-empty-port-at")
    if p.kind in DEFAULT_PORTS and BACKSLASH_THEN_AT.match(p.authority + p.tail):
        ids.add("userinfo-delimiter")
    if p.userinfo is None and b"\\" not in p.authority:
        return None                     # an @ after a ? or # right after the authority is left to G11
    return broken_if(ids | at_beyond_authority(p))


def abnf_backslash(p: Pieces) -> Broken | None:
    """A backslash is a slash in browsers, .NET and OkHttp, a plain octet elsewhere."""
    ids = set()
    if p.authority is not None:
        if b"\\" in p.authority:
            ids.add("backslash-authority")
        if any(b"\\" in part for part in p.tail_parts):
            ids.add("backslash-path")
    return broken_if(ids)


NUMBER = compiled(r"[0-9]+|0[xX][0-9A-Fa-f]*")
DECIMAL = compiled(r"[0-9]+")
SIGNED_QUAD = compiled(r"(?=.*[+\-])[+\-]?[0-9]+(?:\.[+\-]?[0-9]+){3}")
OTHER_PREFIX = compiled(r"0[oO][0-7]+|[oq][0-7]+|[0-9]+_[0-9]+|[0-9]+[eE][0-9]+")
LDH_HOST = compiled(r"[A-Za-z0-9\-_.]+")
LDH_LABEL = compiled(r"[A-Za-z0-9\-]{1,63}")
ALT_POINTS = {**{0xFF10 + d: 48 + d for d in range(10)}, **{0x0660 + d: 48 + d for d in range(10)},
              **{0x06F0 + d: 48 + d for d in range(10)}, **{0x245F + d: 48 + d for d in range(1, 10)},
              0x24EA: 48, 0x3002: 46, 0xFF0E: 46, 0xFF61: 46}


def unescape(text: bytes) -> bytes:
    """Returns the text with every triplet decoded once."""
    return TRIPLET.sub(lambda m: bytes((int(m[0][1:], 16),)), text)


def number_base(part: bytes) -> int:
    if part[:2].lower() == b"0x":
        return 16
    return 8 if len(part) > 1 and part[:1] == b"0" else 10


def number_value(part: bytes) -> int | None:
    """Returns the value, or None for an octal number that contains an 8 or 9."""
    base = number_base(part)
    digits = (part[2:] if base == 16 else part).lstrip(b"0") or b"0"
    if base == 8 and (b"8" in digits or b"9" in digits):
        return None
    return int(digits[:40], base)       # forty digits are too many for an address already


def odd_ipv4_ids(host: bytes) -> set[str]:
    """Returns the ids of hosts that inet_aton(3) and browsers convert to an address, or nearly."""
    ids: set[str] = set()
    parts = host.split(b".")
    if RE_IPV4.fullmatch(host):
        return ids
    if RE_IPV4.fullmatch(host.removesuffix(b".")):
        return {"ipv4-trailing-dot"}
    filled = [part for part in parts if part]
    if len(filled) >= 2 and b"" in parts[:-1] and all(DECIMAL.fullmatch(part) for part in filled):
        ids.add("ipv4-empty-part")
    if SIGNED_QUAD.fullmatch(host):
        ids.add("ipv4-signed")
    if len(parts) == 4 and DECIMAL.fullmatch(parts[3]) and any(OTHER_PREFIX.fullmatch(part) for part in parts) \
            and all(OTHER_PREFIX.fullmatch(part) or DECIMAL.fullmatch(part) for part in parts):
        ids.add("ipv4-other-prefix")
    plain = unescape(host).decode("utf-8", "replace")
    if RE_IPV4.fullmatch(plain.translate(ALT_POINTS).encode()) and not plain.isascii():
        ids.add("ipv4-alt-digits")
    if len(parts) >= 5 and LDH_HOST.fullmatch(host) and b"" not in parts \
            and all(DECIMAL.fullmatch(part) for part in parts[-4:]):
        ids.add("ipv4-too-many-parts")
    if len(parts) <= 4 and all(NUMBER.fullmatch(part) for part in parts):
        ids |= number_host_ids(parts)
    return ids


def number_host_ids(parts: list[bytes]) -> set[str]:
    """Returns the ids of one to four numbers that are no canonical dotted quad."""
    ids = set()
    bases = [number_base(part) for part in parts]
    values = [number_value(part) for part in parts]
    if 8 in bases:
        ids.add("ipv4-octal")
    if 16 in bases:
        ids.add("ipv4-hex")
    if len(parts) == 1 and bases == [10]:
        ids.add("ipv4-decimal")
    if 2 <= len(parts) <= 3:
        ids.add("ipv4-short")
    # A small number with a prefix (07, 0x1) may or may not count as one of 0-7: two clear ones are needed.
    if len({base for base, value in zip(bases, values) if value is None or value > 7}) > 1:
        ids.add("ipv4-mixed")
    if None not in values:
        *front, last = values
        if any(value > 255 for value in front) or last >= 256 ** (4 - len(front)):
            ids.add("ipv4-overflow")
    return ids


def name_ids(host: bytes) -> set[str]:
    """Returns the ids that keep a host without brackets from being a name. Of one that is refused as too long, triplets and
    labels beyond 253 octets need not be reported."""
    ids: set[str] = set()
    judged = host[:253]
    labels = host.removesuffix(b".").split(b".") if judged == host else judged.split(b".")[:-1]
    for char_set, name in ((rb"_", "host-underscore"), (rb"~", "host-nonldh"), (rb"[!$&'()*+,;=]", "host-subdelim"),
                           (rb"%[0-9A-Fa-f]{2}", "host-percent-encoded"),
                           (rb"%(?:2[Ff]|3[Ff]|23|40|3[Aa]|5[Cc]|25|00)", "host-encoded-delimiter"),
                           (rb"[\x80-\xff]", "host-unicode"), (rb'["<>\\^`{|} ]', "host-forbidden-char")):
        if re.search(char_set, judged if b"%" in char_set else host):
            ids.add(name)
    if b".." in judged or host[:1] == b".":
        ids.add("host-empty-label")
    if any(label[:1] == b"-" or label[-1:] == b"-" for label in labels):
        ids.add("host-bad-hyphen")
    if not LDH_HOST.fullmatch(host):
        return ids
    if any(len(label) > 63 for label in labels):
        ids.add("host-label-too-long")
    if len(host.removesuffix(b".")) > 253:
        ids.add("host-too-long")
    parts = host.split(b".")
    if b"" not in parts:
        if NUMBER.fullmatch(parts[-1]):
            if len(parts) > 4 or not all(NUMBER.fullmatch(part) for part in parts):
                ids.add("host-numeric-tld")
        elif parts[-1][:1].isdigit() and parts[-1][:2].lower() != b"0x":
            ids.add("host-tld-digit")
    return ids


ZONE = compiled(rf"{IPV6}%.+", re.DOTALL)
IPV6_LOOK = compiled(r"[0-9A-Fa-f:.]+")
GARBAGE = compiled(rf"([^\[\]:]*)\[{IPV6}\]([^\[\]]*)", re.DOTALL)
TWO_PORTS = compiled(rf"{GATE_HOST}:[0-9]+:[0-9]+")


def literal_ids(text: bytes) -> set[str]:
    """Returns the ids that keep a bracketed host from being canonical IPv6."""
    if RFC_IPV6.fullmatch(text):
        return set() if canonical_ipv6(text) else {"ipv6-noncanonical"}
    if ZONE.fullmatch(text):
        return {"ipv6-zone"}
    if RFC_IPVFUTURE.fullmatch(text):
        return {"ipvfuture"}
    if RE_NAME_OR_4.fullmatch(text) and b"." in text and text[:1] not in b"vV":     # a v may begin an IPvFuture
        return {"bracket-not-ipv6"}
    if IPV6_LOOK.fullmatch(text) and text.count(b":") >= 2:
        return {"ipv6-malformed"}
    return set()


def unbracketed_colons(p: Pieces) -> bool:
    return p.host is not None and b":" in p.host


def abnf_host(p: Pieces) -> Broken | None:
    """Only a plain DNS name, a dotted quad and canonical IPv6 are the same host to every reader."""
    if p.authority is None or host_within_gate(p):
        return None
    if p.literal is not None:
        return broken(*literal_ids(p.literal))
    if p.host is None:
        if TWO_PORTS.fullmatch(p.hostport):         # garbage after the bracket, or one port too many
            return broken(one_of={"port-invalid", "bracket-garbage"})
        around = GARBAGE.fullmatch(p.hostport)
        return broken_naming("bracket-garbage", bool(around and (around[1] or not around[2].startswith(b":"))))
    if unbracketed_colons(p):
        if RFC_IPV6.fullmatch(p.hostport):
            return broken("ipv6-unbracketed")
        if not TWO_PORTS.fullmatch(p.hostport):
            return broken()
        return broken(one_of={"port-invalid"} | ({"ipv6-unbracketed"} if IPV6_LOOK.fullmatch(p.hostport) else set()))
    if p.host == b"":
        return broken("host-empty")
    if b"\\" in p.host:
        return broken("host-forbidden-char")
    return broken(*name_ids(p.host), *odd_ipv4_ids(p.host))


def abnf_port(p: Pieces) -> Broken | None:
    """Empty, padded, zero and oversized ports are kept, dropped or wrapped."""
    if p.port is None or unbracketed_colons(p) or port_within_gate(p):
        return None
    if p.port == b"":
        return broken("port-empty")
    if not DECIMAL.fullmatch(p.port):
        return broken("port-invalid")
    ids = set()
    if p.port[:1] == b"0" and len(p.port) > 1:
        ids.add("port-leading-zero")
    if not p.port.strip(b"0"):
        ids.add("port-zero")
    if len(p.port.lstrip(b"0")) > 5 or int(p.port) > 65535:
        ids.add("port-overflow")
    return Broken(frozenset(ids))


def abnf_path(p: Pieces) -> Broken | None:
    """A path that starts with two slashes is a network-path reference when it stands alone."""
    if p.authority is not None and p.path.startswith(b"//"):
        return broken("path-leading-double-slash")
    return None


def abnf_trip(p: Pieces) -> Broken | None:
    """Some readers decode escapes of unreserved characters, others keep them."""
    if any(ESCAPED_UNRESERVED.search(part) for part in p.tail_parts):
        return broken("escaped-unreserved")
    return None


# ---------------------------------------------------------------------------------------------------------
# Rules beside the ABNF

def sound_name(p: Pieces) -> bool:
    return p.host is not None and RE_NAME.fullmatch(p.host) is not None


def sound_host(p: Pieces) -> bool:
    return p.literal is None and p.host is not None and RE_NAME_OR_4.fullmatch(p.host) is not None


def g1_ipv4_prefix(p: Pieces) -> Broken | None:
    """Boost.URL once ended the host after a leading dotted quad."""
    if sound_name(p) and RE_IPV4.match(p.host):
        return broken("host-ipv4-prefix")
    return None


def g2_alabel(p: Pieces) -> Broken | None:
    """A label that is no faithful Punycode is repaired, or split at a dot it decodes to; what it decodes to is mapped."""
    decoded = []
    for label in (p.host or b"").split(b"."):
        if label[:4].lower() != b"xn--" or not LDH_LABEL.fullmatch(label):
            decoded.append(list(label.lower()))
            continue
        points = punycode_decode(label[4:].lower())
        why = refused_for(points) if points is not None and sound_alabel(label) else "idn-invalid-alabel"
        if why is not None:
            return broken(why)
        decoded.append(points)
    beside = any(RIGHT.intersection(directions(points)[0]) for points in decoded)
    if beside and not all(keeps_bidi_rule(points, beside) for points in decoded if points):
        return broken("idn-bidi-rule")
    return None


def g3_embedded_ipv4(p: Pieces) -> Broken | None:
    """Some readers rewrite these addresses with a dotted quad, or as a plain IPv4 address."""
    groups = ipv6_groups(p.literal) if p.literal is not None else None
    if groups is None:
        return None
    ids = set()
    low = groups[6] << 16 | groups[7]
    if groups[:6] == [0] * 6 and low >= 2:
        ids.add("ipv4-compatible-ipv6")
    if groups[:6] == [0, 0, 0, 0, 0, 0xFFFF]:
        ids.add("ipv4-mapped-ipv6")
    if groups[:6] == [0, 0, 0, 0, 0xFFFF, 0]:
        ids.add("ipv4-translated-ipv6")
    if groups[4] in (0, 0x200) and groups[5] == 0x5EFE:
        ids.add("isatap-embedded-ipv4")
    return broken_if(ids)


DOTS = (b".", b"..")
DOTS_WITH_PARAMETER = compiled(r"\.\.?(?:;|%3[Bb])")
ESCAPED_DOTS = compiled(r"(?:\.|%2[Ee]){1,2}")


def g4_dot_segment(p: Pieces) -> Broken | None:
    """Browsers and others remove dot segments before sending, the rest do not."""
    ids = set()
    for segment in p.path.split(b"/"):
        if segment in DOTS:
            ids.add("dot-segment")
        elif ESCAPED_DOTS.fullmatch(segment):
            ids.add("escaped-dot-segment")
    return broken_if(ids)


HIGH_RUN = compiled(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
OVERLONG = re.compile(rb"[\xc0\xc1][\x80-\xbf]|\xe0[\x80-\x9f][\x80-\xbf]|\xf0[\x80-\x8f][\x80-\xbf]{2}")
PERHAPS_OVERLONG = re.compile(rb"[\xc0\xc1]|\xe0[\x80-\x9f]|\xf0[\x80-\x8f]")


def is_utf8(octets_: bytes) -> bool:
    try:
        octets_.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def g5_utf8(p: Pieces) -> Broken | None:
    """After a broken sequence uri-js decodes what follows; replacement differs among the rest."""
    must, choice, seen = set(), set(), False
    for part in p.tail_parts:
        for run in HIGH_RUN.finditer(part):
            raw = bytes.fromhex(run[0].replace(b"%", b"").decode())
            if is_utf8(raw):
                continue
            seen = True
            overlong = OVERLONG.search(raw)
            if overlong and is_utf8(raw[:overlong.start()]):
                must.add("overlong-utf8")
            elif not PERHAPS_OVERLONG.search(raw):
                must.add("invalid-utf8-escape")
            else:
                choice = {"invalid-utf8-escape", "overlong-utf8"}
    return Broken(frozenset(must), frozenset(choice)) if seen else None


# What is read otherwise once its escape is lost: in path, query and fragment.
LOST_ESCAPES = tuple(compiled(rf"%(?:{octets})") for octets in (
    "25|2[Ff]", "2[56Bb]|3[BbDd]", "2[1456789A-Ca-cFf]|3[ABDFabdf]|40"))


def g6_astral(p: Pieces) -> Broken | None:
    """uri-js loses the escape that stands right after a run with a four-octet sequence in it."""
    result = None
    for part, lost in zip((p.path, p.query or b"", p.fragment or b""), LOST_ESCAPES):
        for run in HIGH_RUN.finditer(part):
            raw = bytes.fromhex(run[0].replace(b"%", b"").decode())
            if max(raw) >= 0xF0 and lost.match(part, run.end()):
                if is_utf8(raw):
                    return broken("escape-after-astral")
                result = broken()
    return result


BIDI = compiled(r"%[Ee]2%(?:80%(?:8[EeFf]|[Aa][A-Ea-e])|81%[Aa][6-9])")


def g7_bidi(p: Pieces) -> Broken | None:
    """.NET on Mono deletes direction marks and embeddings; the isolates turn what people read."""
    if any(BIDI.search(part) for part in p.tail_parts):
        return broken("escaped-bidi")
    return None


MIXED = compiled(r"%(?:21|27|28|29|2[Aa]|3[Aa])")


def g8_mixed_iri(p: Pieces) -> Broken | None:
    """With a non-ASCII escape in the URL .NET on Mono decodes these reserved characters; in path and query that is allowed."""
    if p.fragment is not None and MIXED.search(p.fragment) and HIGH_RUN.search(p.tail):
        return broken("escape-mixed-iri")
    return None


PATH_PORT = compiled(r"/[0-9+\-]")


def g9_ipv6_path(p: Pieces) -> Broken | None:
    """neon reads digits after the slash as the port of an IPv6 host that has none."""
    if p.literal is not None and p.port is None and RFC_IPV6.fullmatch(p.literal) and PATH_PORT.match(p.path):
        return broken("ipv6-path-digit")
    return None


def g10_too_long(data: bytes) -> bool:
    """A limit of policy: what is cut short after the check is another URL."""
    return len(data) > MAX_LENGTH


def g11_bare(p: Pieces) -> Broken | None:
    """Without a slash readers run on into query and fragment, and connect to what they find there."""
    if p.authority is None or p.path or (p.query is None and p.fragment is None):
        return None
    name = "fragment-after-empty-path" if p.query is None else "query-after-empty-path"
    return broken(name, *at_beyond_authority(p))


FIRST_COLON_PORT = compiled(r"([^:]*):[0-9]+(?=[/?#]|\Z)")
RUN_BEFORE = compiled(r"[A-Za-z0-9\-_.]*\Z")


def g12_colon_port(p: Pieces) -> Broken | None:
    """OpenSSL 3.0 ends the host at the first colon, wherever that is; with a dot it could be a domain."""
    if p.authority is None or p.port is not None or p.literal is not None:
        return None
    found = FIRST_COLON_PORT.match(p.tail)
    if found and b"." in RUN_BEFORE.search(found[1])[0]:
        return broken_naming("colon-port-in-tail", sound_host(p))
    return None


ESCAPED_SLASH = compiled(r"%2[Ff]")


def g13_escaped_slash(p: Pieces) -> Broken | None:
    """wget2 and dirmngr send the slash itself."""
    return broken("escaped-slash") if ESCAPED_SLASH.search(p.path) else None


FINAL_SEMICOLON = compiled(r"(?:;|%3[Bb])\Z")


def g14_final_semicolon(p: Pieces) -> Broken | None:
    """Twisted and what is built on it drop a semicolon at the end of the path."""
    return broken("path-final-semicolon") if FINAL_SEMICOLON.search(p.path) else None


HASHBANG = compiled(r"!|%21")
FRAGMENT_CUT = compiled(r"/|\?|%2[Ff]|%3[Ff]|%5[Cc]")


def g15_fragment(p: Pieces) -> Broken | None:
    """Some clients send the fragment as part of the target, or make a query of what follows a hashbang."""
    if p.fragment is None:
        return None
    must, doubtful = set(), False
    if HASHBANG.match(p.fragment):
        must.add("fragment-hashbang")
    for piece in FRAGMENT_CUT.split(p.fragment):
        if piece in DOTS or DOTS_WITH_PARAMETER.match(piece):
            must.add("fragment-dot-segment")
        elif ESCAPED_DOTS.fullmatch(piece):
            doubtful = True     # refused as escaped-unreserved whatever else it is called
    return Broken(frozenset(must)) if must or doubtful else None


def g16_scheme_case(p: Pieces) -> Broken | None:
    """Two clients connect to a host named http for HTTP://."""
    return broken("scheme-case") if p.scheme is not None and p.scheme != p.kind else None


# Later than the Unicode of the oldest Python that runs this, which is 14.
COMPATIBLE_LATER = "\ua7f1" + "".join(map(chr, range(0x1CCD6, 0x1CCFA)))


@cache
def is_routed_by_compatibility(character: str) -> bool:
    """Returns true if the compatibility form of a non-ASCII character holds what routes; dots in a row of three are no segment."""
    return character in COMPATIBLE_LATER or not character.isascii() and character != "\u2026" and any(
        c.isascii() and (c.isalnum() or c in ";/\\%.") for c in unicodedata.normalize("NFKC", character))


def g17_compatibility(p: Pieces) -> Broken | None:
    """http.rb of Ruby sends the compatibility form of the path, and removes dot segments after that."""
    runs = [bytes.fromhex(run[0].replace(b"%", b"").decode()) for run in HIGH_RUN.finditer(p.path)]
    if any(map(is_routed_by_compatibility, "".join(raw.decode("utf-8") for raw in runs if is_utf8(raw)))):
        return broken("escaped-compatibility")
    return None


# ---------------------------------------------------------------------------------------------------------
# Danger rules

def d1_port(p: Pieces) -> Broken | None:
    """Another port is another service than the scheme promises."""
    if p.port and RE_PORT.fullmatch(p.port) and not unbracketed_colons(p) \
            and int(p.port) <= 65535 and int(p.port) != DEFAULT_PORTS[p.kind]:
        return broken("port-nondefault")
    return None


C1_CONTROL = compiled(r"%[Cc]2%[89][0-9A-Fa-f]")


LINES_OF_MAIL = re.compile(rb"(?i)(?<![^&])body=[^&]*")     # RFC 6068, 5


def d2_control(p: Pieces) -> Broken | None:
    """Controls become effective once a program decodes them: header lines, truncated strings, terminals."""
    ids = set()
    for part in outside_brackets(p):
        if p.scheme is not None and p.scheme.lower() == b"mailto" and part is p.query:
            part = LINES_OF_MAIL.sub(lambda field: re.sub(rb"(?i)%0D%0A", b"", field[0]), part)
        for triplet in TRIPLET.findall(part):
            octet = int(triplet[1:], 16)
            if octet == 0:
                ids.add("escaped-nul")
            elif octet in (10, 13):
                ids.add("escaped-crlf")
            elif octet < 0x20 or octet == 0x7F:
                ids.add("escaped-control")
    if any(C1_CONTROL.search(part) for part in p.tail_parts):
        ids.add("escaped-control")
    return broken_if(ids)


def d3_double_escape(p: Pieces) -> Broken | None:
    """A second decoder sees another URL than the one that was checked."""
    ids = set()
    for part in p.tail_parts:
        if b"%" not in part:
            continue
        for again in TRIPLET.findall(unescape(part)):
            ids.add("double-escape")
            if int(again[1:], 16) in (10, 13):
                ids.add("double-escape-crlf")
    return broken_if(ids)


PATH_CUT = compiled(r"(/|%2[Ff]|%5[Cc])")


def d4_hidden_dots(p: Pieces) -> Broken | None:
    """Servers that decode slashes or drop parameters first make dot segments of these."""
    ids = set()
    pieces = PATH_CUT.split(p.path)                    # segments at even places, delimiters at odd ones
    for i in range(0, len(pieces), 2):
        piece, beside = pieces[i], pieces[max(i - 1, 0):i] + pieces[i + 1:i + 2]
        if piece in DOTS and any(mark != b"/" for mark in beside):
            ids.add("escaped-slash-dot")
        if DOTS_WITH_PARAMETER.match(piece):
            ids.add("path-param-dot-segment")
    return broken_if(ids)


def d5_trailing_dot(p: Pieces) -> Broken | None:
    """The same host for the DNS, another for allow-lists, cookies and certificates."""
    if p.host is not None and p.host.endswith(b".") and b"\\" not in p.host and not unbracketed_colons(p):
        return broken("host-trailing-dot")
    return None


# ---------------------------------------------------------------------------------------------------------
# Schemes other than those the gate knows

# A URN and its like name what they hold.
NAMING_SCHEMES = (b"urn", b"did", b"arn", b"tag")
INNER_SCHEME = compiled(rf"({SCHEME}):")


def is_wrapper(p: Pieces) -> bool:
    """Returns true for transports, as in git::https://x, and for schemes around what is a URL or refused."""
    rest = p.data[len(p.scheme) + 1:]
    if rest.startswith(b":"):
        return True
    outer = p.kind
    while outer not in NAMING_SCHEMES and (inner := INNER_SCHEME.match(rest)):
        outer, rest = inner[1].lower(), rest[inner.end():]
        if rest.startswith((b":", b"//")) or outer in SCHEME_FAMILIES:
            return True
    return False


def scheme_dot(p: Pieces) -> Broken | None:
    """example.com://x could be a host and a port that lost its number."""
    return broken("scheme-dot") if p.authority is not None and b"." in p.kind else None


def other_host(p: Pieces) -> Broken | None:
    """An authority may lack a host outside http; otherwise the host is as in the gate."""
    return None if p.authority is not None and p.host == b"" else abnf_host(p)


def only_rooted(rule: Callable[[Pieces], Broken | None]) -> Callable[[Pieces], Broken | None]:
    """Applies a rule to rooted paths only: dots have no meaning in others."""
    return lambda p: rule(p) if p.path.startswith(b"/") else None


Rules = tuple[tuple[str, Callable[[Pieces], Broken | None]], ...]
ABNF_RULES: Rules = (
    ("octets", abnf_octets), ("slashes", abnf_slashes), ("userinfo", abnf_userinfo), ("backslash", abnf_backslash),
    ("host", abnf_host), ("port", abnf_port), ("path", abnf_path), ("trip", abnf_trip))
HOST_RULES: Rules = (("G1", g1_ipv4_prefix), ("G2", g2_alabel), ("G3", g3_embedded_ipv4), ("D5", d5_trailing_dot))
GATE_RULES: Rules = ABNF_RULES + HOST_RULES + (
    ("G4", g4_dot_segment), ("G5", g5_utf8), ("G6", g6_astral), ("G7", g7_bidi), ("G8", g8_mixed_iri),
    ("G9", g9_ipv6_path), ("G11", g11_bare), ("G12", g12_colon_port), ("G13", g13_escaped_slash),
    ("G14", g14_final_semicolon), ("G15", g15_fragment), ("G16", g16_scheme_case),
    ("G17", g17_compatibility),
    ("D1", d1_port), ("D2", d2_control), ("D3", d3_double_escape), ("D4", d4_hidden_dots))
OTHER_RULES: Rules = (
    ("octets", abnf_octets), ("userinfo", abnf_userinfo), ("backslash", abnf_backslash), ("host", other_host),
    ("port", abnf_port), ("trip", abnf_trip), ("scheme-dot", scheme_dot)) + HOST_RULES + (
    ("G4", only_rooted(g4_dot_segment)), ("G5", g5_utf8), ("G7", g7_bidi), ("D2", d2_control),
    ("D3", d3_double_escape), ("D4", only_rooted(d4_hidden_dots)))
OCTET_RULES: Rules = (("octets", abnf_octets),)


def scheme_rule(p: Pieces, policy: str) -> tuple[Broken | None, Rules]:
    """Returns what the scheme alone breaks, and the rules for the rest."""
    if p.scheme is None:
        return broken_naming("not-absolute", not p.data.startswith(b":")), OCTET_RULES
    if not RFC_SCHEME.fullmatch(p.scheme):
        wrapped = p.data[0] <= 0x20 or p.data[0] in b"<\"'[(" or p.data.startswith(INVISIBLE)
        return broken_naming("scheme-malformed", p.authority is not None and not wrapped), OCTET_RULES
    if p.kind in POLICY_SCHEMES[policy]:
        return None, GATE_RULES
    family = SCHEME_FAMILIES.get(p.kind)
    wraps = {"scheme-prefix-wrapper"} if p.kind not in DEFAULT_PORTS and is_wrapper(p) else set()
    if policy == "strict":
        return broken("scheme-not-allowed", *wraps, one_of=family or set()), OCTET_RULES
    return (broken(*wraps, one_of=family or set()) if family or wraps else None), OTHER_RULES


NOTES = frozenset({
    "host-case", "escape-case", "path-empty", "tail-apostrophe", "fragment-question", "query-empty", "fragment-empty",
    "path-backslash-escaped", "path-double-slash", "path-semicolon", "escaped-percent", "path-delimiter-escaped",
    "escaped-invisible", "escaped-tilde"})
# Of Unicode's default ignorable and format characters those that belong to no word and no emoji, and the separators.
INVISIBLE_POINTS = (0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x180E, 0x200B, 0x2028, 0x2029, *range(0x2060, 0x2065), *range(0x206A, 0x2070),
                    0x3164, 0xFEFF, 0xFFA0, *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0))
INVISIBLE_ESCAPED = re.compile("|".join("".join(f"%{octet:02X}" for octet in chr(c).encode()) for c in INVISIBLE_POINTS).encode(), re.I)
PATH_NOTES = tuple((compiled(pattern), name) for pattern, name in (
    (r"%5[Cc]", "path-backslash-escaped"), (r"//", "path-double-slash"), (r";|%3[Bb]", "path-semicolon"),
    (r"%25", "escaped-percent"), (r"%3[Ff]|%23", "path-delimiter-escaped")))
LOWER_HEX = compiled(r"%(?:[a-f].|.[a-f])")


def notes(p: Pieces) -> frozenset[str]:
    """Returns the notes for an accepted input."""
    ids = {name for pattern, name in PATH_NOTES if pattern.search(p.path)}
    told = {"host-case": p.hostport is not None and p.hostport != p.hostport.lower(),
            "escape-case": any(LOWER_HEX.match(triplet) for triplet in TRIPLET.findall(p.tail)),
            "escaped-invisible": any(INVISIBLE_ESCAPED.search(part) for part in p.tail_parts if b"%" in part),
            "escape-mixed-iri": any(MIXED.search(part) for part in (p.path, p.query or b"")) and HIGH_RUN.search(p.tail) is not None,
            "path-empty": p.path == b"", "tail-apostrophe": b"'" in p.tail,
            "query-empty": p.query == b"", "fragment-empty": p.fragment == b"",
            "fragment-question": p.fragment is not None and b"?" in p.fragment}
    return frozenset(ids | {name for name, due in told.items() if due})


def effective_port(parts: Components | None) -> int | None:
    """Returns the port as a number, or the scheme's default; None above 65535."""
    if parts is None:
        return None
    if not parts.port:
        return DEFAULT_PORTS.get((parts.scheme or b"").lower())
    digits = parts.port.lstrip(b"0") or b"0"
    return int(digits) if len(digits) <= 5 and int(digits) <= 65535 else None


def judge(data: bytes, policy: str = "strict") -> Judgement:
    if policy not in POLICY_SCHEMES:
        raise ValueError(f"no model of the policy {policy!r}")
    if g10_too_long(data):
        return Judgement(False, frozenset({"url-too-long"}), (), None, None, ("G10",))
    components = parse(data)
    pieces = cut(data)
    of_scheme, rules = scheme_rule(pieces, policy)
    faults = [("scheme", of_scheme)] if of_scheme else []
    faults += [(name, fault) for name, rule in rules if (fault := rule(pieces)) is not None]
    if components is None:
        faults.append(("RFC 3986", broken()))
    if rules is GATE_RULES and not within_abnf(pieces, policy):
        faults.append(("ABNF", broken()))
    must = frozenset().union(*(fault.must for _, fault in faults))
    choices = tuple({fault.one_of for _, fault in faults if fault.one_of and not fault.one_of & must})
    decided = bool(faults) or pieces.kind in POLICY_SCHEMES[policy] or pieces.kind in NEUTRAL_SCHEMES
    told = notes(pieces) if not faults and rules is GATE_RULES else None
    return Judgement(not faults, must, choices, components, effective_port(components),
                     tuple(name for name, _ in faults), decided, notes=told)
