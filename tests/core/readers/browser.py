#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the reader `browser` with the URL of Node over generated records.

    python3 tests/core/readers/browser.py --count 200000 --seed 1

Both have to refuse a record or find the same components.  Node's URL is of a newer Unicode and does less of UTS 46: what
follows from that is known by the reasons of NEWER and explained(), and counted; tests/core/names/compare.py has an oracle
without them.  The same seed gives the same records everywhere.
Exit status: 0 no difference (or no Node: the line says so), 1 differences, 2 nothing could be compared.
"""
from __future__ import annotations

import argparse
import multiprocessing
import random
import shutil
import subprocess
import sys
import unicodedata
import urllib.parse
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "names"), str(Path(__file__).parents[1])]
import domains                                      # noqa: E402
import library                                      # noqa: E402
import ucd                                          # noqa: E402
import uts46                                        # noqa: E402

CHUNK = 20000           # records given to one run of either program
EXAMPLES = 20
TIME_LIMIT = 300        # seconds for one chunk
SCRIPT = Path(__file__).with_name("browser.js")

# ---- records: a grammar of parts, each of them ordinary, odd or random ----------------------------------------

SCHEMES = (b"http", b"https", b"ws", b"wss", b"ftp", b"HTTP", b"hTtPs", b"Ws", b"WSS", b"Ftp")
ODD_SCHEMES = (b"", b"file", b"httpss", b"htt", b"h\ttp", b"ht\ntps", b"\rws", b"w\t\r\ns", b"http\t", b"1http",
               b"wsss", b"ftps", b"javascript", b"mailto", b"data", b"x", b"ht%74p", b"http+x",
               b"\xef\xbb\xbfhttp")
SLASHES = (b"", b"/", b"//", b"///", b"\\", b"\\\\", b"/\\", b"\\/", b"//\\", b"/\t/", b"\t//", b"//\n", b"/////",
           b"\r\\\n/\t")
PLAIN_NAMES = (b"h", b"a.b", b"Example.ORG", b"localhost", b"ex.org.", b"127.0.0.1", b"[::1]")
ODD_NAMES = (b"a..b", b".a", b".", b"..", b"a_b", b"-a-", b"a~b", b"ex%2eorg", b"%61", b"ex%41mple", b"a%2fb",
             b"a%40b", b"a%3ab", b"a%00b", b"a%20b", b"a%25b", b"a%b", b"a%", b"%zz", b"a%7fb", b"a%5bb",
             b"%5b::1%5d", b"a%3cb", b"a%3eb", b"a<b", b"a>b", b"a^b", b"a|b", b"a`b", b"a{b}", b"a\"b", b"a'b",
             b"a!b", b"a$b", b"a&b", b"a*b", b"a(b)", b"a+b", b"a,b", b"a;b", b"a=b", b"a b", b"a\x7fb", b"a\x01b",
             b"a\tb", b"a\n.\rb", b"%0\t9", b"%\n61", b"%6\r1", b"a%09b", b"a%0ab", b"[a]", b"a[b", b"a]b",
             b"x.0x", b"0xg", b"0x.a", b"a.0x4", b"foo.09", b"09.foo", b"1a", b"a1", b"a.1", b"1.a", b"1..",
             b"..1", b"1..2", b"1e1")
IDNA_NAMES = (b"xn--a", b"a.xn--b", b"XN--a.b", b"axn--b", b"xn-", b"xn--", b"x%6e--a", b"xn\t--a", b"\xc3\xa4.b",
              b"%C3%A4", b"%c3\xa4", b"\xc3%a4", b"\xff", b"%ff", b"a\xe3\x80\x82b", b"\xef\xbc\x91",
              b"a<\xcc\xb8b", b"a>\xcc\xb8", b"a=\xcc\xb8b", b"\xc2\xad", b"a\xc2\xad", b"\xef\xbf\xbd", b"%e2%82",
              b"\xe2\x82\tx", b"\xc3\xa4 ", b"\xc3\xa4%2f", b"\xc3\xa4%25", b"\xc3\xa4^", b"xn--a.1", b"xn--a<",
              b"xn--fa-hia", b"%ef%bb%bfa", b"xn--bcher-kva.ch", b"\xef\xbd\x81.b", b"\xe2\x84\xaa",
              b"\xf0\x9f\x92\xa9.la")
NUMBERS = (b"0", b"1", b"7", b"8", b"08", b"09", b"010", b"0x", b"0x7f", b"0X1F", b"0xg", b"255", b"256", b"257",
           b"0377", b"0400", b"0xff", b"0x100", b"65535", b"65536", b"0xffff", b"16777215", b"16777216",
           b"0xffffff", b"4294967295", b"4294967296", b"0xffffffff", b"0x100000000", b"037777777777",
           b"040000000000", b"00", b"000001", b"127", b"99999999999999999999999", b"0x00000000000000000001", b"",
           b"a", b"+1", b"-1", b"1_0", b"%30", b"%31x", b"0o7")
GROUPS = (b"0", b"0", b"0", b"1", b"f", b"db8", b"2001", b"FFFF", b"aBcD", b"0000", b"0001", b"00000", b"g", b"",
          b"12345")
USERS = (b"", b"u", b"user", b"a:b", b":", b":p", b"u:", b"u:p:q", b"a@b", b"@", b"@@", b"u@:p", b"::", b"a%40b",
         b"a;b=c", b"a b", b"a\"b", b"a<b>", b"a`b", b"a{b}", b"a|b", b"a^b", b"a[b]", b"a]b",
         b"a&b+c,d$e!f*(g)'h'~", b"\t", b"u\t:\n", b"\xc3\xa4:\xff", b"%zz", b"a%", b"a\x7f", b"\x00",
         b"\x1f:\xe2\x82", b"http:")
GOOD_PORTS = (b":80", b":443", b":21", b":8080", b":0", b":00080", b":1", b":65535", b":")
PORTS = (b":", b":80", b":443", b":21", b":0", b":00", b":080", b":0000080", b":1", b":8080", b":65535", b":65536",
         b":99999999999999999999", b":8\t0", b":\n80", b":80\r", b":a", b":8a", b":-1", b":+80", b":80:80",
         b"::80", b": 80", b":80 ", b":%38", b":0x50", b":\xd9\xa1", b":4294967376", b":\t")
SEGMENTS = (b"", b"", b".", b"..", b"%2e", b"%2E", b".%2e", b"%2e.", b"%2E%2e", b"...", b".%2", b"%2", b"a", b"b",
            b"C", b".a", b"..a", b"a..", b".\t.", b"%\n2e", b"%2\re", b"\t", b"a b", b"a;b=1", b"c:", b"C|", b"@",
            b"a%2fb", b"%5c", b"~", b"\"<>^`{|}", b"'", b"!$&()*+,", b"[]", b"\x7f", b"\x00", b"\x1f", b"\xc3\xa4",
            b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"%", b"%%", b"%zz", b"%e4", b"..\xc3", b"\xef\xbb\xbf")
TAILS = (b"", b"x", b"a=b&c=d", b"'", b"\"<>", b"`", b"{|}^~", b"\\", b"/", b"?", b"a b", b"\t", b"\x00\x7f",
         b"\xc3\xa4", b"\xff", b"%zz%41", b"[]", b"a\nb", b"!$&()*+,;=:@", b"../.")
BROKEN = (b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc2", b"\xe0\x80\x80", b"\xe0\xa0", b"\xe2\x82",
          b"\xed\xa0\x80", b"\xed\x9f\xbf", b"\xee\x80", b"\xf0\x80\x80\x80", b"\xf0\x90\x80", b"\xf0\x9f\x98",
          b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5", b"\xfe\xff", b"\xf1\x80\x80\xe1\x80\xc2",
          b"\xc3\t\xa4", b"\xe2\x82\n\xac", b"\xf0\x9f%98\x80")
PADDING = (b"", b"", b"", b"", b" ", b"\t", b"\n\r", b"\x00", b"\x1f ", b" \x0b\x0c", b"\xc2\xa0", b"\x7f",
           b" \t ")
TELLING = b"/\\?#@:[]%.\t\n\r 0x1aA<>^|`{}\"'\x00\x7f\x80\xc3\xa4\xe2\xff-_~!$&()*+,;="


class Generator:
    """Records from one seed, without end."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.domains = domains.Domains(seed, KINDS)

    def international(self) -> bytes:
        rng = self.rng
        octets = self.domains.domain().encode()
        if rng.random() < 0.2:
            octets = b"".join(b"%%%02x" % octet if octet > 0x7F and rng.random() < 0.99 else bytes((octet,))
                              for octet in octets)
        return octets

    def some(self, usual: tuple[bytes, ...], odd: tuple[bytes, ...], chance: float) -> bytes:
        return self.rng.choice(odd if self.rng.random() < chance else usual)

    def junk(self) -> bytes:
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            return rng.choice(BROKEN)
        if kind < 0.4:
            return chr(rng.choice((rng.randrange(0x80, 0xD800), rng.randrange(0xE000, 0x110000)))).encode()
        if kind < 0.5:
            return b"%%%02x" % rng.randrange(256)
        if kind < 0.8:
            return bytes((rng.choice(TELLING),))
        return bytes((rng.randrange(256),))

    def number_host(self) -> bytes:
        rng = self.rng
        parts = [rng.choice(NUMBERS) if rng.random() < 0.4 else b"%d" % rng.randrange(300)
                 for _ in range(rng.choice((1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 5)))]
        return b".".join(parts) + (b"." if rng.random() < 0.1 else b"")

    def literal(self) -> bytes:
        rng = self.rng
        if rng.random() < 0.1:
            return b"[" + rng.choice(ODD_NAMES) + b"]"
        groups = [rng.choice(GROUPS) if rng.random() < 0.3 else b"%x" % rng.choice((0, 0, 1, rng.randrange(65536)))
                  for _ in range(8 if rng.random() < 0.5 else rng.randrange(10))]
        if groups and rng.random() < 0.25:
            groups[-2:] = [self.number_host() if rng.random() < 0.3 else
                           b".".join(b"%d" % rng.randrange(260) for _ in range(4))]
        if groups and rng.random() < 0.6:
            first = rng.randrange(len(groups))
            groups[first:first + rng.randrange(4)] = [b""]
            if groups[0] == b"":
                groups.insert(0, b"")
            if groups[-1] == b"":
                groups.append(b"")
        return (b"[" if rng.random() < 0.97 else b"") + b":".join(groups) + (b"]" if rng.random() < 0.97 else b"")

    def host(self) -> bytes:
        kind = self.rng.random()
        if kind < 0.3:
            return self.international()
        if kind < 0.45:
            return self.rng.choice(PLAIN_NAMES)
        if kind < 0.55:
            return self.number_host()
        if kind < 0.7:
            return self.literal()
        if kind < 0.75:
            return self.rng.choice(IDNA_NAMES)
        if kind < 0.8:
            return self.rng.choice(ODD_NAMES) + b"." + self.rng.choice(ODD_NAMES)
        return self.rng.choice(ODD_NAMES)

    def path(self) -> bytes:
        rng = self.rng
        separators = (b"/",) if rng.random() < 0.7 else (b"/", b"\\", b"//", b"/\t", b"\n/")
        return b"".join(rng.choice(separators) + (self.junk() if rng.random() < 0.1 else rng.choice(SEGMENTS))
                        for _ in range(rng.choice((0, 1, 1, 2, 3, 4, 6, 9))))

    def tail(self, delimiter: bytes) -> bytes:
        rng = self.rng
        if rng.random() < 0.6:
            return b""
        return delimiter + b"".join(self.junk() if rng.random() < 0.2 else rng.choice(TAILS)
                                    for _ in range(rng.randrange(4)))

    def written(self) -> bytes:
        rng = self.rng
        user = rng.choice(USERS) + b"@" if rng.random() < 0.25 else b""
        port = self.some(GOOD_PORTS, PORTS, 0.4) if rng.random() < 0.3 else b""
        slashes = self.some((b"//",), SLASHES, 0.3)
        colon = b":" if rng.random() < 0.98 else b""
        return (rng.choice(PADDING) + self.some(SCHEMES, ODD_SCHEMES, 0.04) + colon + slashes + user + self.host() +
                port + self.path() + self.tail(b"?") + self.tail(b"#") + rng.choice(PADDING))

    def damaged(self, record: bytes) -> bytes:
        rng, octets = self.rng, bytearray(record)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
            at = rng.randint(rng.choice((0, len(octets) // 2)), len(octets))
            what = rng.random()
            if what < 0.5:
                octets[at:at] = self.junk()
            elif what < 0.7:
                octets[at:at + 1] = self.junk()
            elif what < 0.85:
                del octets[at:at + rng.choice((1, 1, 2, 4))]
            else:
                first = rng.randrange(len(octets) + 1)
                octets[at:at] = octets[first:first + rng.randrange(1, 6)]
        return bytes(octets)

    def record(self) -> bytes:
        kind = self.rng.random()
        if kind < 0.45:
            return self.written()
        if kind < 0.95:
            return self.damaged(self.written())
        scheme = self.rng.choice(SCHEMES) + b":" if kind < 0.99 else b""
        return scheme + b"".join(self.junk() for _ in range(self.rng.randrange(24)))


# ---- comparison --------------------------------------------------------------------------------------------------

HOST = 2

KINDS: domains.Kinds
OLD: set[int]           # code points of Unicode 13.0: of some that came later Ada does not know what they are
# What UTS 46 makes of these code points is another thing since 15.0.
NEWER = {
    0x1E9E: "capital sharp s is mapped to small sharp s since 15.1, not to ss",
}


def text_of(record: bytes) -> str:
    """The record as it is decoded, percent-encoding too."""
    for removed in (b"\t", b"\n", b"\r"):
        record = record.replace(removed, b"")
    return urllib.parse.unquote(record.decode("utf-8", "replace"))


def explained(record: bytes, ours: str, theirs: str) -> str | None:
    """Why Node may see another host, or one where there is none."""
    hosts = [line.split("\t")[HOST] for line in (ours, theirs) if line != "-"]
    labels = [label for host in hosts for label in host.split(".") if label.startswith("xn--")]
    names = [domains.decoded(label) for label in labels]
    everything = text_of(record) + "".join(names)
    if any(ord(c) > 0x7F and (ord(c) not in OLD or ord(c) in NEWER) for c in everything):
        return "code points newer than 13.0, or with another mapping now"
    if any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in everything):
        return "the Bidi Rule, which Ada checks in part and otherwise"
    if ours != "-":
        return None
    if any(name.isascii() or name.startswith("xn--") for name in names):
        return "UTS 46 before revision 31"
    if any(len(label) > 900 for label in labels):
        return "Ada takes labels that ICU finds too long"
    if "\u200c" in "".join(names):
        return "Ada looks for what a ZWNJ joins beyond what it does not join"
    if any(label.startswith("xn---") for label in labels):
        return "Ada takes Punycode that begins with a delimiter"
    return None


def difference(ours: str, theirs: str) -> str | None:
    """What is wrong, or None."""
    return None if ours == theirs else "refused by one" if "-" in (ours, theirs) else "components"


def compare(job: tuple[str, str, int]) -> tuple[Counter[str], list[str]]:
    node, seed, count = job
    generator = Generator(seed)
    records = [generator.record() for _ in range(count)]
    counted = b"".join(len(r).to_bytes(4, "big") + r for r in records)
    done = subprocess.run([node, str(SCRIPT)], input=counted, stdout=subprocess.PIPE, timeout=TIME_LIMIT, check=True)
    theirs = done.stdout.decode("ascii").split("\n")[:-1]
    kinds: Counter[str] = Counter()
    examples = []
    for record, other in zip(records, theirs, strict=True):
        one = library.line_as("browser", record)
        wrong = difference(one, other)
        reason = None if wrong is None else explained(record, one, other)
        if reason is not None:
            kinds[reason] += 1
            continue
        kinds["refused" if one == "-" else "xn--" if "xn--" in one.split("\t")[HOST] else "read"] += 1
        if wrong is not None:
            kinds["different"] += 1
            examples.append(f"{wrong}: {record!r}\n  ours   {one!r}\n  theirs {other!r}")
    return kinds, examples


def main() -> int:
    global KINDS, OLD
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node", default="node")
    parser.add_argument("--count", type=int, default=200000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    node = shutil.which(options.node)
    if node is None:
        print("skipped: node not found")
        return 0
    version = subprocess.run([node, "-p", "`${process.version}, ada ${process.versions.ada}`"], stdout=subprocess.PIPE,
                             check=True, text=True).stdout.strip()
    KINDS = domains.Kinds(uts46.Database())
    OLD = {c for fields in ucd.fields("DerivedAge.txt") if float(fields[1]) <= 13 for c in ucd.span(fields[0])}
    jobs = [(node, f"{options.seed}/{first}", min(CHUNK, options.count - first))
            for first in range(0, options.count, CHUNK)]
    total = domains.tally(compare, jobs, options.jobs, EXAMPLES)
    compared = total["read"] + total["xn--"] + total["refused"]
    for reason in sorted(set(total) - {"read", "xn--", "refused", "different"}):
        print(f"  {total[reason]} not compared: {reason}")
    print(f"browser: {compared} records compared with Node {version}: {total['read']} read, {total['xn--']} with xn--, "
          f"{total['refused']} refused, {total['different']} differences")
    if compared == 0 or total["read"] == 0 or total["xn--"] == 0:
        return 2
    return 1 if total["different"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ucd.Problem as problem:
        print(problem)
        sys.exit(2)
