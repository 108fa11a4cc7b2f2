#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of queries, decoded, and origins of references, compared with other software.

    compare.py [--node=COMMAND] [--queries=N] [--references=N] [--seed=N]

Where every escape is whole and decodes to UTF-8 without NUL, a name or value must be what Python's parse_qsl() and
Node's URLSearchParams have, and a whole query what unquote() and decodeURIComponent() have; elsewhere it must be an
error. What is accepted as of the same origin must be so for Node, and the same URL octet for octet;
with all waived that can be, only the former. The reader `browser` has to find that origin, too.
"""
from __future__ import annotations

import argparse
import ctypes
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from urllib.parse import parse_qsl, unquote, unquote_to_bytes

sys.path.insert(0, str(Path(__file__).parents[1]))
from library import ANY, CAPACITY_PARAMETERS, REPORT, STRICT, Span, Text, accepts, built_in, function, lenient, line_as, size_of, text_of  # noqa: E402

SCRIPT = Path(__file__).resolve().with_name("parameters.js")
TIME_LIMIT = 120
EXAMPLES = 10

CHARACTERS = ["a", "b", "Z", "0", "_", "~", "é", "ÿ", "\u0800", "\ufeff", "\uffff", "\U0001f600", "\U0010ffff", "\x7f",
              " ", "\t", "\n", "\r", "\x01", "\u2028", "\u00a0"]
ESCAPES = ["%41", "%7e", "%2B", "%26", "%3D", "%3b", "%25", "%20", "%0A", "%C3%A9", "%e2%82%ac", "%F0%9F%98%80",
           "%EF%BB%BF", "%F4%8F%BF%BF", "%ED%9F%BF", "%E0%A0%80", "%C2%80", "%2541", "%2F", "%5c", "%7F"]
BROKEN = ["%", "%%", "%4", "%zz", "%u0041", "%00", "\x00", "%C0%AF", "%C3", "%A9", "%C3%41", "%E2%82", "%ED%A0%80",
          "%F4%90%80%80", "%F5%80%80%80", "%FF", "%E0%80%AF", "%F0%80%80%AF", "%C3%A9%80", "é%80", "%C3é", "%+1", "%-1",
          "% 1", "%0x41", "\udcc3", "\udcc3%A9", "%C3\udca9", "\udcff", "\udced\udca0\udc80"]


def octets(text: str) -> bytes:
    """Returns the octets of the record; octets outside UTF-8 were written as lone surrogates."""
    return text.encode("utf-8", "surrogateescape")


def piece(rng: random.Random, broken: float) -> str:
    kind = rng.random()
    if kind < broken:
        return rng.choice(BROKEN)
    if kind < 0.35:
        return rng.choice(ESCAPES)
    if kind < 0.4:
        return f"%{rng.randrange(256):02{rng.choice('xX')}}"
    if kind < 0.6:
        return rng.choice(("+", ";", "?", "=", "/", ":", "@", "[", "]", "#", ",", "&amp;", "'", '"'))
    return rng.choice(CHARACTERS)


def query(rng: random.Random) -> str:
    broken = rng.choice((0, 0, 0.05, 0.3))
    parts: list[str] = []
    for _ in range(rng.choice((0, 1, 1, 2, 3, 5))):
        parts.append("".join(piece(rng, broken) for _ in range(rng.randrange(4))))
        parts.append(rng.choice(("=", "=", "=", "==", "")))
        parts.append("".join(piece(rng, broken) for _ in range(rng.randrange(6))))
        parts.append(rng.choice(("&", "&", "&", "&&", ";")))
    return "".join(parts[:len(parts) - rng.randrange(2)])


def decodable(text: str, form: bool) -> bool:
    """Returns true if all escapes are complete, and decode to UTF-8 without NUL."""
    if re.search(r"%(?![0-9A-Fa-f]{2})", text) or re.search("[\0\udc80-\udcff]", text) or "%00" in text:
        return False
    del form    # "+" makes no difference
    for run in re.findall(r"(?:%[0-9A-Fa-f]{2})+", text):
        try:
            unquote_to_bytes(run).decode("utf-8", "strict")
        except UnicodeDecodeError:
            return False
    return True


def run(command: list[str], records: list[bytes]) -> list[str]:
    data = b"".join(len(record).to_bytes(4, "big") + record for record in records)
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, timeout=TIME_LIMIT, check=True)
    return done.stdout.decode("utf-8").split("\n")[:-1]


class Wrong:
    """Counts differences, and shows the first ones."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, what: str, *values: object) -> None:
        self.count += 1
        if self.count <= EXAMPLES:
            print(what, *(ascii(value) for value in values), sep="\n  ")


def want(text: str, form: bool, *others: str | None) -> bytes | str | None:
    """Returns what decoded() has to, or None if the others differ."""
    if not decodable(text, form):
        return "!"
    if any(other != others[0] for other in others):
        return None
    return octets(others[0] or "")


class Scan(ctypes.Structure):
    _fields_ = [("data", c_char_p), ("length", c_size_t), ("position", c_size_t), ("semicolons", c_bool)]


class Parameter(ctypes.Structure):
    _fields_ = [("name", Span), ("value", Span), ("has_value", c_bool)]


FORM, PERCENT = range(2)
DECODED = 1
decode = function("decode", c_size_t, c_char_p, c_size_t, Text, c_int, POINTER(c_int), POINTER(c_size_t))
parameter_next = function("parameter_next", c_bool, POINTER(Scan), POINTER(Parameter))


def decoded(text: bytes, coding: int) -> bytes | str:
    """Returns the decoded text, or "!" for an error, which has a position."""
    how, fault, room = c_int(), c_size_t(len(text)), ctypes.create_string_buffer(len(text) + 1)
    length = decode(room, len(room), text_of(text), coding, how, fault)
    assert length <= len(text) and room[length] == b"\0" and (how.value == DECODED) == (fault.value == len(text)), text
    return room[:length] if how.value == DECODED else "!"


def pairs_of(text: bytes) -> list[tuple[bytes | str, ...]]:
    scan, found, pairs = Scan(text, len(text)), Parameter(), []
    while parameter_next(scan, found):
        pairs.append(tuple(decoded(text[at.offset:at.offset + at.length], FORM) for at in (found.name, found.value)))
    return pairs


def compare_pairs(node: str, rng: random.Random, count: int, wrong: Wrong) -> str:
    queries = [query(rng) for _ in range(count)]
    records = [octets(text) for text in queries]
    equal = errors = 0
    for text, record, theirs in zip(queries, records, run([node, str(SCRIPT)], records), strict=True):
        whole, *pairs = json.loads(theirs)
        python = parse_qsl(text, keep_blank_values=True)
        pieces = [part.partition("=") for part in text.split("&") if part]
        got = [(decoded(record, PERCENT),), *pairs_of(record)]
        if not len(pairs) == len(python) == len(pieces) == len(got) - 1:
            wrong.add("another number of pairs", text, got, theirs, python)
            continue
        expected = [(want(text, False, unquote(text), whole),)]
        for (name, _, value), one, other in zip(pieces, python, pairs):
            expected.append((want(name, True, one[0], other[0]), want(value, True, one[1], other[1])))
        if expected != got:
            wrong.add("decoded otherwise", text, got, theirs, expected)
        undecoded = sum(pair.count("!") for pair in got)
        errors += undecoded
        equal += 2 * len(pieces) + 1 - undecoded
    return f"{count} queries: {equal} texts equal, {errors} errors"


# ---- origins -----------------------------------------------------------------------------------------------------

BASES = ["http://example.com/", "https://example.com/a/b", "http://example.com:8080/a//b/c", "http://[2001:db8::1]/x",
         "http://192.0.2.1/x/", "https://www.example.com/a/b/c/d.html"]
AUTHORITIES = ["example.com", "www.example.com", "evil.example", "example.com:80", "example.com:443", "EXAMPLE.com",
               "example.com:8080", "example.com.", "example.com@evil.example", "evil.example:80", "user@example.com",
               "[2001:db8::1]", "[2001:DB8:0::1]", "192.0.2.1", "0xc0000201", "192.0.513", "", "%65xample.com",
               "example.com%2eevil.example", "example.com:", "example.com:080", "example.com:65616", "eｘample.com",
               "example.com\\.evil.example", "example。com", "xn--example", "example.com evil", "..", "."]
SCHEMES = ["http:", "https:", "HTTP:", "ht\ttp:", " http:", "h%74tp:", "ftp:", "javascript:", "data:", "file:", "ws:",
           "http", ":", "blob:http:", "view-source:http:", "\x00http:", "http\n:", "\ufeffhttp:"]
SLASHES = ["", "/", "//", "///", "////", "\\", "\\\\", "/\\", "\\/", "/\t/", "/\r/", "\n//", " //", "/ /", "/./", "/.//",
           "/..//", "./", "../", "..//", "//\\", "/%2f", "/%5c", "%2f%2f", "/\x00/", "/\x0b/", "／／", "//\t", "/;/", ".//"]
TAILS = ["", "a", "a/b", "../x", "./x", "a:b", "a?b=c", "?x", "#f", "?u=//evil.example", "a'b?c'd#e'f", "%2e%2e/x", "a/..",
         "a b", "a\tb", "é", "%C3%A9", "a;b", "a|b", "^", "a//b", "@evil.example", ":80", ".evil.example", "~", "{x}", "%zz",
         "x/../..//evil.example", "..;/x", "%00", " ", "\r\n", "a#b?c", "$&+,;=", "%7E"]


def reference(rng: random.Random) -> str:
    kind = rng.random()
    text = rng.choice(SLASHES) + rng.choice(TAILS)
    if kind < 0.45:
        text = rng.choice(SLASHES) + rng.choice(AUTHORITIES) + rng.choice(("", "/", "\\", "?")) + rng.choice(TAILS)
    if kind < 0.3:
        text = rng.choice(SCHEMES) + text
    if rng.random() < 0.15:
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(("\t", "\n", " ", "\\", "/", ".", "@", ":", "%", "#", "?", "\x00", "é")) + text[at:]
    if rng.random() < 0.1:
        text = rng.choice((" ", "\t", "\n", "\x00", "\x1f", "\xa0")) + text
    return text


def same_url(target: str, href: str) -> bool:
    """Octet for octet, but that browsers escape the apostrophe in a query (SECURITY.md, allowed differences), and write
    host and scheme in lower case and no default port."""
    head, mark, tail = target.partition("#")
    path, question, rest = head.partition("?")
    match = re.match(r"(https?)(://[^/]*?)(?::0*(80|443|8080)?)?(/.*)?$", path, re.I | re.S)
    if not match:
        return False
    scheme, host, port, rest_path = match[1].lower(), match[2].lower(), match[3], match[4] or "/"
    if port and port != {"http": "80", "https": "443"}[scheme]:
        host += ":" + port
    return scheme + host + rest_path + question + rest.replace("'", "%27") + mark + tail == href


class Rules(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("names", POINTER(Text)), ("count", c_uint32), ("times", c_uint32), ("same_origin", c_bool),
                ("absolute", c_bool), ("any_case", c_bool), ("semicolons", c_bool), ("policy", c_void_p)]


class Input(ctypes.Structure):
    _fields_ = [("text", Text), ("request", c_void_p), ("buffer", c_void_p), ("capacity", c_size_t)]


SAME_ORIGIN, RFC3986 = 1, 0
check_reference = function("check_reference_sized", c_int, c_void_p, c_size_t, c_char_p, c_size_t, Text, Text, c_uint32, c_void_p)
check_parameters = function("check_parameters_sized", c_int, c_void_p, c_void_p, c_size_t, POINTER(Input), POINTER(Rules), c_void_p)
rules_init = function("parameter_rules_init", c_bool, POINTER(Rules), c_size_t)
resolve = function("resolve", c_size_t, c_char_p, c_size_t, c_int, Text, Text, c_bool, POINTER(c_int))
BY_STRICT, BY_ANY, WAIVED, OUTER = built_in(STRICT), built_in(ANY), lenient(ANY, "cross-origin"), lenient(ANY, "param-refused")
SPARE = ctypes.create_string_buffer(len(REPORT))


def keeps_origin(base: bytes, text: bytes, policy: ctypes.Array) -> bool:
    """Returns true if the reference is accepted; then the reader `browser` must find scheme, host and port of the base."""
    out = ctypes.create_string_buffer(len(base) + len(text) + 10)
    if check_reference(REPORT, len(REPORT), out, len(out), text_of(base), text_of(text), SAME_ORIGIN, policy) == 0:
        return False
    ours, target = (line_as("browser", url).split("\t")[:4] for url in (base, out.value))
    del ours[1:2], target[1:2]  # the userinfo
    assert len(ours) == 3 and ours == target, (base, text)
    return True


def is_accepted_parameter(base: bytes, text: bytes, policy: ctypes.Array | None) -> bool:
    """Judges the reference as the value of a parameter of the base."""
    outer = base + b"?next=" + b"".join(b"%%%02X" % octet for octet in text)
    rules, room = Rules(), ctypes.create_string_buffer(size_of(CAPACITY_PARAMETERS, len(outer)))
    assert rules_init(rules, ctypes.sizeof(rules)) and accepts(OUTER, outer), outer
    rules.names, rules.count, rules.same_origin = ctypes.pointer(text_of(b"next")), 1, True
    rules.policy = ctypes.addressof(policy) if policy is not None else None
    given = Input(text_of(outer), None, ctypes.addressof(room), len(room))
    return check_parameters(REPORT, SPARE, len(SPARE), given, rules, OUTER) == 1


def compare_origins(node: str, rng: random.Random, count: int, wrong: Wrong) -> str:
    cases = [(rng.choice(BASES), reference(rng)) for _ in range(count)]
    records = [base.encode() + b"\0" + text.encode() for base, text in cases]
    accepted = left = 0
    for record, theirs in zip(records, run([node, str(SCRIPT), "origins"], records), strict=True):
        case = record.split(b"\0", 1)
        ways = [keeps_origin(*case, BY_STRICT), keeps_origin(*case, BY_ANY), is_accepted_parameter(*case, None)]
        ways += [keeps_origin(*case, WAIVED), is_accepted_parameter(*case, WAIVED)]
        base, origin, href = json.loads(theirs)
        left += origin != base
        if not any(ways):
            continue
        room = ctypes.create_string_buffer(len(record) + 9)
        target = room[:resolve(room, len(room), RFC3986, *map(text_of, case), False, c_int())].decode()
        accepted += 1
        if origin != base:
            wrong.add("accepted, and of another origin for Node", case, ways, theirs)
        elif any(ways[:3]) and not same_url(target or origin + case[1].decode(), href):  # no RFC 3986
            wrong.add("another URL for Node", case, target, theirs)
    if accepted < count // 50 or left < count // 50:
        wrong.add("references that test nothing", accepted, left)
    return f"{count} references: {accepted} accepted, {left} of another origin for Node"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node", default="node")
    parser.add_argument("--queries", type=int, default=100000)
    parser.add_argument("--references", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    node = shutil.which(options.node)
    if node is None:
        print("skipped: node not found")
        return 0
    rng, wrong = random.Random(options.seed), Wrong()
    said = [compare_pairs(node, rng, options.queries, wrong),
            compare_origins(node, rng, options.references, wrong)]
    print(f"parameters: {'; '.join(said)}; {wrong.count} differences")
    return 1 if wrong.count else 0


if __name__ == "__main__":
    sys.exit(main())
