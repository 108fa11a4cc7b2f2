#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of queries, decoded, and origins of references, compared with other software.

    compare.py [--driver=FILE] [--node=COMMAND] [--queries=N] [--references=N] [--seed=N]

Where every escape is whole and decodes to UTF-8 without NUL, a name or value must be what Python's parse_qsl() and
Node's URLSearchParams have, and a whole query what unquote() and decodeURIComponent() have; elsewhere it must be an
error. What is accepted as of the same origin must be so for Node, and the same URL octet for octet;
with all waived that can be, only the former.
"""
from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qsl, unquote, unquote_to_bytes

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
    lines = done.stdout.decode("ascii" if "node" not in command[0] else "utf-8").split("\n")[:-1]
    if len(lines) != len(records):
        raise RuntimeError(f"{len(records)} records, {len(lines)} lines of {command[0]}")
    return lines


class Wrong:
    """Counts differences, and shows the first ones."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, what: str, *values: object) -> None:
        self.count += 1
        if self.count <= EXAMPLES:
            print(what, *(ascii(value) for value in values), sep="\n  ")


def want(text: str, form: bool, *others: str | None) -> str | None:
    """Returns the expected output of the driver, or None if the others differ."""
    if not decodable(text, form):
        return "!"
    if any(other != others[0] for other in others):
        return None
    return octets(others[0] or "").hex()


def compare_pairs(driver: str, node: str, rng: random.Random, count: int, wrong: Wrong) -> str:
    queries = [query(rng) for _ in range(count)]
    records = [octets(text) for text in queries]
    equal = errors = 0
    for text, ours, theirs in zip(queries, run([driver, "pairs"], records), run([node, str(SCRIPT)], records)):
        whole, *pairs = json.loads(theirs)
        python = parse_qsl(text, keep_blank_values=True)
        pieces = [part.partition("=") for part in text.split("&") if part]
        got = ours.split(" ")
        if not len(pairs) == len(python) == len(pieces) == len(got) - 1:
            wrong.add("another number of pairs", text, ours, theirs, python)
            continue
        expected = [want(text, False, unquote(text), whole)]
        for (name, _, value), one, other in zip(pieces, python, pairs):
            sides = want(name, True, one[0], other[0]), want(value, True, one[1], other[1])
            expected.append(None if None in sides else f"{sides[0]}={sides[1]}")
        if expected != got:
            wrong.add("decoded otherwise", text, ours, theirs, expected)
        errors += ours.count("!")
        equal += 2 * len(pieces) + 1 - ours.count("!")
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


def compare_origins(driver: str, node: str, rng: random.Random, count: int, wrong: Wrong) -> str:
    cases = [(rng.choice(BASES), reference(rng)) for _ in range(count)]
    records = [base.encode() + b"\0" + text.encode() for base, text in cases]
    accepted = left = 0
    for case, ours, theirs in zip(cases, run([driver, "origins"], records), run([node, str(SCRIPT), "origins"], records)):
        *ways, target = ours.split(" ")
        base, origin, href = json.loads(theirs)
        left += origin != base
        if set(ways) == {"-"}:
            continue
        accepted += 1
        if origin != base:
            wrong.add("accepted, and of another origin for Node", case, ours, theirs)
        elif set(ways[:3]) != {"-"} and not same_url(bytes.fromhex(target).decode() or origin + case[1], href):  # no RFC 3986
            wrong.add("another URL for Node", case, bytes.fromhex(target), theirs)
    if accepted < count // 50 or left < count // 50:
        wrong.add("references that test nothing", accepted, left)
    return f"{count} references: {accepted} accepted, {left} of another origin for Node"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", default="build/parameters")
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
    said = [compare_pairs(options.driver, node, rng, options.queries, wrong),
            compare_origins(options.driver, node, rng, options.references, wrong)]
    print(f"parameters: {'; '.join(said)}; {wrong.count} differences")
    return 1 if wrong.count else 0


if __name__ == "__main__":
    sys.exit(main())
