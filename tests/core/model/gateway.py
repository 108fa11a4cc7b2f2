# SPDX-License-Identifier: Apache-2.0
"""An executable model of the policy `gateway` and of request targets with their context.

Like gate.py it shares nothing with the core but the specification, and with gate.py it shares what is the
same sentence there: the grammar of hosts, ports and paths, and the rules that hold for a gateway as well.

    judge_url(data)                                   an absolute URL under the policy `gateway`
    judge_target(target, request, policy)             a request target with what is known of the request
    judge_record(record, scheme, port, policy)        METHOD SP HOST SP TARGET, as the command reads it

Policies of targets are `strict`, `public` and `gateway`.  `public` is strict, and of its hosts this model knows
a few by heart; of the others it says nothing (`decided` is false), tests/core/addresses does.  Where a sentence of the
specification leaves the verdict open, `decided` is false too, and OPEN has the sentence.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gate import (DEFAULT_PORTS, FRAGMENT, GATE_HOST, GATE_PORT, GATE_RULES, MAX_LENGTH, NON_ASCII, QUERY, RAW_OCTETS,
                  SEGMENT, Broken, Components, Judgement, Pieces, Rules, abnf_host, abnf_octets, abnf_port, abnf_trip,
                  abnf_userinfo, broken, broken_if, compiled, cut, d2_control, d3_double_escape, d4_hidden_dots,
                  d5_trailing_dot, effective_port, g10_too_long, g1_ipv4_prefix, g2_alabel, g3_embedded_ipv4,
                  g4_dot_segment, g5_utf8, g7_bidi, host_within_gate, notes, parse, port_within_gate, scheme_rule,
                  within_abnf)

POLICIES = ("strict", "public", "gateway")

# Sentences that leave a verdict open.  None of them is counted as a difference.
OPEN = {
    "CONNECT with a Host field without port": "names the same host, and has no port to compare",
    "a record longer than a target may be": "whether METHOD and HOST count for the limit",
    "not known to be public": "tests/core/addresses compares hosts of the policy public",
}


@dataclass(frozen=True)
class Request:
    """What is known beside a target; None is not known, but a host of None is a Host field of unknown content."""
    method: bytes | None = None
    host: bytes | None = None
    scheme: bytes | None = None     # of the listener
    port: int | None = None


class Faults:
    """Collects what is broken, and what may be."""

    def __init__(self) -> None:
        self.found: list[tuple[str, Broken]] = []
        self.doubts: list[str] = []
        self.notes: frozenset[str] | None = None
        self.differs: frozenset[tuple[str, bytes]] = frozenset()

    def add(self, name: str, fault: Broken | None) -> None:
        if fault is not None:
            self.found.append((name, fault))

    def run(self, rules: Rules, p: Pieces) -> None:
        for name, rule in rules:
            self.add(name, rule(p))

    def judgement(self, components: Components | None, port: int | None, shown: bool = True) -> Judgement:
        must = frozenset().union(*(fault.must for _, fault in self.found))
        choices = tuple({fault.one_of for _, fault in self.found if fault.one_of and not fault.one_of & must})
        names = tuple(name for name, _ in self.found)
        return Judgement(not self.found, must, choices, components, port, names or tuple(self.doubts),
                         bool(self.found) or not self.doubts, shown, None if self.found else self.notes, self.differs)

    def mismatch(self, p: Pieces, parts: dict[str, bool], field: bytes | None) -> None:
        """`parts` says which parts of the target differ; with a broken Host field other parts may, too."""
        if not any(parts.values()):
            return
        self.add("mismatch", broken("host-header-mismatch"))
        if sound_field(field):
            texts = {"scheme": p.scheme or b"", "host": p.host or p.literal or b"", "port": p.port or b""}
            self.differs = frozenset((name, texts[name]) for name, differs in parts.items() if differs)


# ---------------------------------------------------------------------------------------------------------
# The query: no server routes by it

LETS_PASS = compiled(r"[\[\]{}|^\\`]|%(?![0-9A-Fa-f]{2})")
FORBIDDEN_IN_QUERY = compiled(r'["<>]')


def masked(p: Pieces) -> Pieces:
    """The same text with nothing to say of in the query."""
    if p.query is None:
        return p
    plain = b"x" * len(p.query)
    before = len(p.data) - len(p.query) - (0 if p.fragment is None else 1 + len(p.fragment))
    return replace(p, data=p.data[:before] + plain + p.data[before + len(plain):], query=plain)


def opaque_query(p: Pieces) -> Broken | None:
    """Whatever a gateway hands on unread has to be safe in a header line, and end where it seems to end."""
    if p.query is None:
        return None
    ids = {name for pattern, name in RAW_OCTETS if pattern.search(p.query)}
    if NON_ASCII.search(p.query):
        ids.add("non-ascii")
    if FORBIDDEN_IN_QUERY.search(p.query):
        ids.add("forbidden-char")
    only = Pieces(p.query, None, None, None, None, None, None, None, b"", p.query, None)
    controls = d2_control(only)
    return broken_if(ids | (controls.must if controls else frozenset()))


def readable_query(query: bytes | None) -> bytes | None:
    """For the grammar: what passes raw is a letter."""
    return None if query is None else LETS_PASS.sub(b"x", query)


LONE_PERCENT = compiled(r"%(?![0-9A-Fa-f]{2})")


# ---------------------------------------------------------------------------------------------------------
# The path

SEMICOLON = compiled(r";|%3[Bb]")
ESCAPED_BACKSLASH = compiled(r"%5[Cc]")
SEPARATOR = compiled(r"/|%2[Ff]|%5[Cc]")
ESCAPED_PERCENT = compiled(r"%25")
ESCAPED_DELIMITER = compiled(r"%3[Ff]|%23")
# ASP.NET takes these segments out, with the tokens of sessions and the like in them; ColdFusion drops the dots.
LPAREN, RPAREN = r"(?:\(|%28)", r"(?:\)|%29)"
REMOVED_SEGMENT = compiled(rf"{LPAREN}(?:[A-Z]{LPAREN}[A-Za-z0-9\-_]+{RPAREN})+{RPAREN}")
DOTS_BEFORE_NAME = compiled(r"\.\.[A-Za-z0-9_]")
LATER_TILDE = compiled(r"(?<!/)%7[Ee]")


def routed_path(p: Pieces) -> Broken | None:
    """Proxies and servers drop parameters, merge slashes, turn backslashes, decode twice, cut, or climb by what ends in dots."""
    ids = set()
    if SEMICOLON.search(p.path):
        ids.add("path-semicolon")
    if any(piece.endswith(b".") and piece not in (b".", b"..") for piece in SEPARATOR.split(p.path)[:-1]):
        ids.add("encoded-path-rewrite")
    if b"//" in p.path.lstrip(b"/"):
        ids.add("path-double-slash")
    if ESCAPED_BACKSLASH.search(p.path):
        ids.add("path-backslash-escaped")
    if ESCAPED_PERCENT.search(p.path):
        ids.add("escaped-percent")
    if ESCAPED_DELIMITER.search(p.path):
        ids.add("path-delimiter-escaped")
    segments = p.path.split(b"/")
    if any(map(REMOVED_SEGMENT.match, segments)):
        ids.add("path-removed-segment")
    if any(map(DOTS_BEFORE_NAME.match, segments)):
        ids.add("path-dots-before-name")
    return broken_if(ids)


def without_tildes(p: Pieces) -> Pieces:
    """Returns the same without escaped tildes behind the first octet of a segment: no server routes by those."""
    return replace(p, path=LATER_TILDE.sub(b"", p.path))


def routed_trip(p: Pieces) -> Broken | None:
    return abnf_trip(without_tildes(p))


# Findings of strict that still report what a gateway accepts: the rules about clients, and the query.
STILL_REPORTED = frozenset({
    "escape-after-astral", "escape-mixed-iri", "ipv6-path-digit", "colon-port-in-tail", "escaped-compatibility",
    "escaped-unreserved", "invalid-utf8-escape", "overlong-utf8", "escaped-bidi", "double-escape",
    "double-escape-crlf"})
CLIENT_RULES = ("trip", "G5", "G6", "G7", "G8", "G9", "G12", "G17", "D3")


def still_reported(p: Pieces) -> frozenset[str]:
    faults = (rule(p) for name, rule in {**dict(GATE_RULES), "trip": routed_trip}.items() if name in CLIENT_RULES)
    tilde = frozenset(("escaped-tilde",) if LATER_TILDE.search(p.path) else ())
    return notes(p) | tilde | frozenset().union(*(fault.must for fault in faults if fault is not None)) & STILL_REPORTED


def first_slashes(p: Pieces) -> Broken | None:
    """A path that starts with two slashes names another host when it stands alone; so in any policy."""
    return broken("path-leading-double-slash") if p.path.startswith(b"//") else None


def gate_rule(name: str):
    return dict(GATE_RULES)[name]


HOST_RULES: Rules = (("host", abnf_host), ("port", abnf_port), ("userinfo", abnf_userinfo), ("G1", g1_ipv4_prefix),
                     ("G2", g2_alabel), ("G3", g3_embedded_ipv4), ("D5", d5_trailing_dot), ("D2", d2_control))
ROUTED_RULES: Rules = (("path", first_slashes), ("trip", routed_trip), ("G4", g4_dot_segment), ("G5", g5_utf8),
                       ("G7", g7_bidi), ("G13", gate_rule("G13")), ("D2", d2_control), ("D3", d3_double_escape),
                       ("D4", d4_hidden_dots), ("routed path", routed_path))
STRICT_TAIL_RULES: Rules = (("path", first_slashes), *((name, rule) for name, rule in GATE_RULES if name in (
    "trip", "backslash", "G4", "G5", "G6", "G7", "G8", "G9", "G12", "G13", "G14", "G17", "D2", "D3", "D4")))
URL_RULES: Rules = tuple((name, rule) for name, rule in GATE_RULES if name in (
    "octets", "slashes", "userinfo", "backslash", "host", "port", "G1", "G2", "G3", "D5", "G11", "G16"))


def fragment_present(p: Pieces) -> Broken | None:
    return None if p.fragment is None else broken("fragment-present")


def fragment_in_target(p: Pieces) -> Broken | None:
    return None if p.fragment is None else broken("fragment-in-target")


# ---------------------------------------------------------------------------------------------------------
# Absolute URLs

def opaque_components(p: Pieces) -> tuple[Components | None, bool]:
    """Returns the RFC 3986 components with the query's other octets allowed, and whether they are certain."""
    sure = p.query is None or LONE_PERCENT.search(p.query) is None
    components = parse(b"".join((p.data[:len(p.data) - len(p.tail)], p.path, b"" if p.query is None else
                                 b"?" + readable_query(p.query), b"" if p.fragment is None else b"#" + p.fragment)))
    return (components and replace(components, query=p.query)), sure


def add_url(faults: Faults, p: Pieces) -> None:
    """Adds the rules for a URL before it is routed, except D1 and the fragment."""
    hidden = masked(p)
    of_scheme, rules = scheme_rule(hidden, "strict")
    faults.add("scheme", of_scheme)
    if rules is not GATE_RULES:
        faults.run(rules, hidden)
        return
    faults.run(URL_RULES, hidden)
    faults.run(ROUTED_RULES, hidden)
    faults.add("query", opaque_query(p))
    if not within_abnf(without_tildes(hidden), "strict"):
        faults.add("ABNF", broken())


def judge_url(data: bytes) -> Judgement:
    if g10_too_long(data):
        return Judgement(False, frozenset({"url-too-long"}), (), None, None, ("G10",))
    p = cut(data)
    faults = Faults()
    add_url(faults, p)
    if p.kind in (b"http", b"https"):
        faults.add("D1", gate_rule("D1")(p))
    faults.add("fragment", fragment_present(p))
    faults.notes = still_reported(p)
    components, sure = opaque_components(p)
    if components is None and not faults.found:
        faults.add("RFC 3986", broken())
    return faults.judgement(components, effective_port(components), sure)


# ---------------------------------------------------------------------------------------------------------
# The Host field

FIELD = compiled(rf"{GATE_HOST}(?::{GATE_PORT})?")
ENDS_AUTHORITY = compiled(r"[/?#\\]")


def field_pieces(host: bytes) -> Pieces:
    return cut(b"http://" + host)


def sound_field(host: bytes | None) -> bool:
    if not host or not FIELD.fullmatch(host):
        return False
    p = field_pieces(host)
    return host_within_gate(p) and port_within_gate(p)


def port_allowed(port: int, request: Request) -> bool:
    """Returns true for a default port or the listener's own. With CONNECT the field repeats the target, which
    has no scheme."""
    either = request.scheme is None or request.method == b"CONNECT"
    return port in ((80, 443) if either else (DEFAULT_PORTS[request.scheme],)) or port == request.port


def add_host_field(faults: Faults, request: Request, form: str) -> None:
    host = request.host
    if host is None:
        return
    if host == b"":
        faults.add("Host", broken("host-missing", "host-empty"))
        return
    if ENDS_AUTHORITY.search(host):
        faults.add("Host", broken())
        return
    faults.add("Host octets", broken_if({name for pattern, name in RAW_OCTETS if pattern.search(host)}))
    p = field_pieces(host)
    faults.run(tuple((f"Host {name}", rule) for name, rule in HOST_RULES), p)
    if not sound_field(host):
        faults.add("Host ABNF", broken())
    elif p.port is not None and not port_allowed(int(p.port), request):
        # with an invalid form it is open which scheme the port belongs to
        faults.add("Host D1", broken("port-nondefault") if form in ("origin", "absolute") else broken())


def same_host(a: Pieces, b: Pieces) -> bool:
    return a.hostport is not None and (a.host or a.literal or b"").lower() == (b.host or b.literal or b"").lower()


# ---------------------------------------------------------------------------------------------------------
# Targets

TOKEN = compiled(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
ABSOLUTE = compiled(r"[A-Za-z][A-Za-z0-9+\-.]*://")
AUTHORITY_FORM = compiled(rf"{GATE_HOST}:{GATE_PORT}")
TARGET_TAIL = compiled(rf"((?:/{SEGMENT})+)(?:\?({QUERY}))?(?:#({FRAGMENT}))?")
TAIL_CUT = compiled(r"([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def target_pieces(target: bytes, request: Request) -> Pieces:
    """Splits an origin-form into path, query and fragment, with the authority of the Host field."""
    path, query, fragment = TAIL_CUT.fullmatch(target).groups()
    p = field_pieces(request.host if sound_field(request.host) else b"h")
    return replace(p, data=target, scheme=None, path=path, query=query, fragment=fragment)


def add_origin(faults: Faults, target: bytes, request: Request, policy: str) -> None:
    p = target_pieces(target, request)
    if policy == "gateway":
        hidden = masked(p)
        faults.add("octets", abnf_octets(hidden))
        faults.run(ROUTED_RULES, hidden)
        faults.add("query", opaque_query(p))
        readable = replace(p, query=readable_query(p.query))
    else:
        faults.add("octets", abnf_octets(p))
        by_host = () if sound_field(request.host) else ("G9", "G12")       # these rules need port and IPv6
        faults.run(tuple((name, rule) for name, rule in STRICT_TAIL_RULES if name not in by_host), p)
        readable = p
    faults.add("fragment", fragment_in_target(p))
    faults.notes = still_reported(p) if policy == "gateway" else notes(p)
    if not TARGET_TAIL.fullmatch(readable.tail):
        faults.add("RFC 3986", broken())


def add_absolute(faults: Faults, target: bytes, request: Request, policy: str) -> None:
    p = cut(target)
    if policy == "gateway":
        add_url(faults, p)
    else:
        of_scheme, rules = scheme_rule(p, "strict")
        faults.add("scheme", of_scheme)
        faults.run(tuple((name, rule) for name, rule in rules if name not in ("D1", "G15")), p)
        if rules is GATE_RULES and not within_abnf(p, "strict"):
            faults.add("ABNF", broken())
        if parse(target) is None:
            faults.add("RFC 3986", broken())
    faults.add("fragment", fragment_in_target(p))
    faults.notes = still_reported(p) if policy == "gateway" else notes(p)
    if p.kind not in (b"http", b"https") or not sound_field((p.hostport or b"")):
        return
    number = int(p.port) if p.port is not None else DEFAULT_PORTS[p.kind]
    if number not in (DEFAULT_PORTS[p.kind], request.port):
        faults.add("D1", broken("port-nondefault"))
    add_mismatch(faults, p, number, request)


def add_mismatch(faults: Faults, p: Pieces, number: int, request: Request) -> None:
    """Compares scheme, host and effective port with those of the listener and the Host field, as far as known."""
    parts = {"scheme": request.scheme is not None and p.kind != request.scheme, "host": False,
             "port": request.port is not None and number != request.port}
    if sound_field(request.host):
        field = field_pieces(request.host)
        stated = int(field.port) if field.port is not None else DEFAULT_PORTS[request.scheme or p.kind]
        parts["host"] = not same_host(p, field)
        parts["port"] |= stated != number
    faults.mismatch(p, parts, request.host)


def add_authority(faults: Faults, target: bytes, request: Request) -> None:
    """CONNECT: exactly host and port."""
    if not AUTHORITY_FORM.fullmatch(target) or not sound_field(target):
        faults.add("authority-form", broken())
        return
    p = field_pieces(target)
    faults.run(tuple((name, rule) for name, rule in HOST_RULES if name != "userinfo"), p)
    if int(p.port) not in (80, 443):
        faults.add("D1", broken("port-nondefault"))
    if not sound_field(request.host):
        return
    field = field_pieces(request.host)
    parts = {"host": not same_host(p, field), "port": field.port is not None and field.port != p.port}
    faults.mismatch(p, parts, request.host)
    if field.port is None:
        faults.doubts.append("CONNECT with a Host field without port")


def form_of(target: bytes, connect: bool) -> str:
    if target == b"*":
        return "asterisk"
    if target.startswith(b"/"):
        return "origin"
    if ABSOLUTE.match(target):
        return "absolute"
    return "authority" if connect or AUTHORITY_FORM.fullmatch(target) and sound_field(target) else "none"


def add_target(faults: Faults, target: bytes, request: Request, policy: str, form: str) -> None:
    connect, options = request.method == b"CONNECT", request.method == b"OPTIONS"
    if form == "asterisk" and not options or form != "asterisk" and connect != (form == "authority") and form != "none":
        faults.add("form", broken("target-form"))
    if form == "origin":
        add_origin(faults, target, request, policy)
    elif form == "absolute":
        add_absolute(faults, target, request, policy)
    elif form == "authority" and connect:
        add_authority(faults, target, request)
    elif form == "none":
        faults.add("form", broken())


def origin_components(target: bytes, request: Request, policy: str) -> tuple[Components | None, bool]:
    """Returns path and query of the target, host and port of the Host field, and whether the model is certain
    of them."""
    p = target_pieces(target, request)
    sure = policy != "gateway" or p.query is None or LONE_PERCENT.search(p.query) is None
    readable = readable_query(p.query) if policy == "gateway" else p.query
    if request.host and parse(b"http://" + request.host) is None or ENDS_AUTHORITY.search(request.host or b""):
        return None, False
    if not TARGET_TAIL.fullmatch(replace(p, query=readable).tail):
        return None, sure
    if request.host is None:
        return Components(None, None, None, None, p.path, p.query, p.fragment), sure
    field = parse(b"http://" + request.host)
    return Components(None, field.userinfo, field.host, field.port, p.path, p.query, p.fragment), sure


# ---------------------------------------------------------------------------------------------------------
# Hosts that the policy public takes or refuses for certain

PUBLIC = (b"ex.org", b"www.ex.org", b"ev.org", b"a.ev.org", b"www.debian.org", b"8.8.8.8", b"1.1.1.1",
          b"2606:4700::1111")
INTERNAL = (b"localhost", b"a.localhost", b"intranet", b"x.local", b"x.internal", b"10.0.0.1", b"127.0.0.1",
            b"192.168.1.1", b"169.254.169.254", b"::1", b"fe80::1", b"fd00::1", b"2001:db8::1")


def add_public(faults: Faults, text: bytes) -> None:
    p = field_pieces(text)
    host = (p.host or p.literal or b"").lower()
    if host in INTERNAL:
        faults.add("public", broken())
    elif host not in PUBLIC:
        faults.doubts.append("not known to be public")


# ---------------------------------------------------------------------------------------------------------

def judge_target(target: bytes, request: Request, policy: str) -> Judgement:
    if policy not in POLICIES:
        raise ValueError(f"no model of the policy {policy!r}")
    if len(target) > MAX_LENGTH:
        return Judgement(False, frozenset({"url-too-long"}), (), None, None, ("G10",))
    faults = Faults()
    form = form_of(target, request.method == b"CONNECT")
    add_host_field(faults, request, form)
    add_target(faults, target, request, policy, form)
    components, shown = None, False
    if form == "asterisk":
        components, shown = origin_components(b"/", request, policy)
        components = components and replace(components, path=b"*")
    elif form == "authority" and AUTHORITY_FORM.fullmatch(target) and sound_field(target):
        p = field_pieces(target)
        components, shown = Components(None, None, p.host or p.literal, p.port, b"", None, None), True
    elif form == "origin":
        components, shown = origin_components(target, request, policy)
    elif form == "absolute" and policy == "gateway":
        components, shown = opaque_components(cut(target))
    elif form == "absolute":
        components, shown = parse(target), True
    if request.host and (ENDS_AUTHORITY.search(request.host) or parse(b"http://" + request.host) is None):
        shown = False               # invalid Host field: the components shown are open
    if policy == "public":
        of_target = {"absolute": cut(target).hostport, "authority": target}.get(form)
        for text in filter(sound_field, (request.host, of_target)):
            add_public(faults, text)
    port = effective_port(components) if form == "absolute" else None
    if form != "absolute" and components is not None and components.port:
        port = effective_port(replace(components, scheme=b"http"))
    return faults.judgement(components, port, shown)


def judge_record(record: bytes, scheme: bytes | None, port: int | None, policy: str) -> Judgement:
    """Judges METHOD SP HOST SP TARGET: the target is everything after the second space."""
    faults = Faults()
    fields = record.split(b" ", 2)
    if len(fields) < 3 or fields[0] == b"":
        either = {"field-unreadable", "url-too-long"} if len(record) > MAX_LENGTH else {"field-unreadable"}
        faults.add("record", broken(one_of=either))
        return faults.judgement(None, None, False)
    method, host, target = fields
    if not TOKEN.fullmatch(method):
        faults.add("method", broken(one_of={"field-unreadable", "policy-invalid"}))
        return faults.judgement(None, None, False)
    judgement = judge_target(target, Request(method, host, scheme, port), policy)
    if len(record) > MAX_LENGTH >= len(target):
        return replace(judgement, decided=False, shown=False, refusing=frozenset(), one_of=())
    return judgement
