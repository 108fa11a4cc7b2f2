# SPDX-License-Identifier: Apache-2.0
"""Models the verdicts of the policy `public` on addresses, from the RFCs and the IANA registries alone.

It shares nothing with the library: the tables were transcribed anew, an address is a number, a table becomes a
row of disjoint intervals, and each embedding of an IPv4 address is taken apart by its own RFC.

    judge(Address)         the findings due, and whether the address is accepted
    literal(Address)       its text in a URI, by RFC 5952
"""
from __future__ import annotations

import socket
import sys
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1] / "model"))
sys.path.append(str(Path(__file__).resolve().parents[2]))
import core  # noqa: E402
from gate import ipv6_text

YES = "yes"             # of the column "Globally Reachable"


class Row(NamedTuple):
    prefix: str
    name: str
    rfc: str
    reachable: str
    finding: str = ""


def table(name: str) -> list[list[str]]:
    """Returns the rows of a table beside this file."""
    return [["" if column == "-" else column for column in row] for row in core.rows(Path(__file__).with_name(name))]


BLOCKS = table("registries.tsv")
IPV4_REGISTRY, IPV6_REGISTRY, IPV4_EXTRA, IPV6_EXTRA = (
    tuple(Row(*row) for of, *row in BLOCKS if of == source and (":" in row[0]) == colon)
    for source in ("iana", "extra") for colon in (False, True))
# Names, and the findings that are due; a name that has only notes is accepted.
NAMES = table("names.tsv")
NAME_NOTES = {"host-embeds-ip", "host-case", "escape-case"}
# Services that issue credentials or control the machine, whatever block contains their address.
METADATA = (
    "169.254.169.254", "169.254.0.23", "169.254.169.253", "169.254.169.123", "169.254.170.2", "169.254.170.23",
    "169.254.42.42", "168.63.129.16", "100.100.100.200", "192.0.0.192", "192.80.8.124",
    "fd00:ec2::254", "fd00:ec2::253", "fd00:ec2::123", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42",
)
# Embeddings that all readers know: the embedded address decides. The others are always refused.
NOTES = {"nat64-embedded-ipv4", "6to4-embedded-ipv4", "teredo-embedded-ipv4"}


class Address(NamedTuple):
    bits: int               # 32 or 128
    number: int


def parse(text: str) -> Address:
    if ":" in text:
        return Address(128, int.from_bytes(socket.inet_pton(socket.AF_INET6, text), "big"))
    return Address(32, int.from_bytes(socket.inet_pton(socket.AF_INET, text), "big"))


def block(prefix: str) -> tuple[int, int]:
    """Returns the first and last address."""
    text, length = prefix.split("/")
    address = parse(text)
    size = 1 << (address.bits - int(length))
    assert address.number % size == 0, prefix
    return address.number, address.number + size - 1


class Intervals:
    """The rows of a table as disjoint, ordered intervals: longer prefixes override shorter ones."""

    def __init__(self, *tables: tuple[Row, ...]) -> None:
        self.starts: list[int] = []
        self.rows: list[Row] = []
        for row in sorted((row for table in tables for row in table), key=lambda row: int(row.prefix.split("/")[1])):
            self.paint(row, *block(row.prefix))

    def paint(self, row: Row, first: int, last: int) -> None:
        if not self.starts:
            self.starts, self.rows = [first], [row]
            self.end = last
            return
        after = self.rows[bisect_right(self.starts, last + 1) - 1]
        low, high = bisect_right(self.starts, first - 1), bisect_right(self.starts, last + 1)
        starts, rows = [first], [row]
        if last < self.end:
            starts, rows = [first, last + 1], [row, after]
        self.starts[low:high], self.rows[low:high] = starts, rows

    def row(self, number: int) -> Row:
        return self.rows[bisect_right(self.starts, number) - 1]


TABLES = {32: Intervals(IPV4_EXTRA, IPV4_REGISTRY), 128: Intervals(IPV6_EXTRA, IPV6_REGISTRY)}
METADATA_SET = {parse(text) for text in METADATA}


# ---- embeddings: each returns the embedded IPv4 address, or None -----------------------------------------

def group(number: int, index: int) -> int:
    """Returns one of the 16-bit groups of RFC 4291, 2.2, counted from the left."""
    return number >> (112 - 16 * index) & 0xFFFF


def low32(number: int) -> int:
    return number & 0xFFFFFFFF


def mapped(n: int) -> int | None:                   # RFC 4291, 2.5.5.2
    return low32(n) if n >> 32 == 0xFFFF else None


def compatible(n: int) -> int | None:               # RFC 4291, 2.5.5.1; :: and ::1 are something else
    return low32(n) if n >> 32 == 0 and n > 1 else None


def translated(n: int) -> int | None:               # RFC 2765, 2.1; RFC 7915
    return low32(n) if n >> 32 == 0xFFFF0000 else None


def well_known(n: int) -> int | None:               # RFC 6052, 2.1
    return low32(n) if n >> 32 == 0x0064FF9B << 64 else None


def local_use(n: int) -> bool:                      # RFC 8215: the network chooses the layout
    return n >> 80 == 0x0064FF9B0001


def sixtofour(n: int) -> int | None:                # RFC 3056, 2
    return group(n, 1) << 16 | group(n, 2) if group(n, 0) == 0x2002 else None


def teredo(n: int) -> int | None:                   # RFC 4380, 4: the client's, each bit inverted
    return low32(n) ^ 0xFFFFFFFF if n >> 96 == 0x20010000 else None


def isatap(n: int) -> int | None:                   # RFC 5214, 6.1: 00-00-5E-FE, universal bit or not
    return low32(n) if group(n, 4) in (0x0000, 0x0200) and group(n, 5) == 0x5EFE else None


FORMS = (
    ("ipv4-mapped-ipv6", mapped), ("ipv4-compatible-ipv6", compatible), ("ipv4-translated-ipv6", translated),
    ("nat64-embedded-ipv4", well_known), ("6to4-embedded-ipv4", sixtofour), ("teredo-embedded-ipv4", teredo),
    ("isatap-embedded-ipv4", isatap),
)

# RFC 6052, 2.2: for a prefix of that length, the bits of the IPv4 address, counted from the left.
NAT64_LAYOUT = {
    32: ((32, 64),), 40: ((40, 64), (72, 80)), 48: ((48, 64), (72, 88)), 56: ((56, 64), (72, 96)), 64: ((72, 104),),
    96: ((96, 128),),
}


def nat64_inside(number: int, length: int) -> int | None:
    """Returns the IPv4 address after a prefix of that length, or None if bits 64 to 71 are not zero."""
    if number >> 56 & 0xFF:
        return None
    ipv4 = 0
    for first, end in NAT64_LAYOUT[length]:
        ipv4 = ipv4 << (end - first) | number >> (128 - end) & ((1 << (end - first)) - 1)
    return ipv4


def nat64_around(prefix: str, ipv4: int) -> int:
    """Returns the IPv6 address that embeds an IPv4 address after a prefix."""
    number, length = block(prefix)[0], int(prefix.split("/")[1])
    left = 32
    for first, end in NAT64_LAYOUT[length]:
        left -= end - first
        number |= (ipv4 >> left & ((1 << (end - first)) - 1)) << (128 - end)
    return number


def local_inside(number: int) -> list[int]:
    """What 64:ff9b:1::/48 holds by each layout that the network may have chosen.  Octets after the IPv4 address are
    zero, or ignored (RFC 6052, 2.2): then nothing in 0.0.0.0/8 is meant.  96: where nothing else is, not 0.0.0.0."""
    found = []
    for length in (48, 56, 64):
        ipv4, after = nat64_inside(number, length), 128 - NAT64_LAYOUT[length][-1][1]
        if ipv4 is not None and (ipv4 >> 24 or number & ((1 << after) - 1) == 0):
            found.append(ipv4)
    if low32(number) or number >> 56 & 0xFF:
        found.append(low32(number))
    return found


# ---- judgement ----------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Judgement:
    accept: bool
    findings: frozenset[str]


def of_block(address: Address) -> set[str]:
    row = TABLES[address.bits].row(address.number)
    found = set() if row.reachable == YES else {"addr-not-global", row.finding}
    return found | ({"addr-metadata"} if address in METADATA_SET else set())


def judge(address: Address, nat64: tuple[str, ...] = ()) -> Judgement:
    """Judges an address. nat64: prefixes of active translators; the embedded address is judged instead of the
    block, unless the address fits no layout."""
    found, known = set(), True
    after = [prefix for prefix in nat64 if address.bits == 128 and inside(address.number, prefix)]
    for prefix in after:
        ipv4 = nat64_inside(address.number, int(prefix.split("/")[1]))
        found.add("nat64-embedded-ipv4")
        found |= {"addr-unclassified"} if ipv4 is None else of_block(Address(32, ipv4))
        known = known and ipv4 is not None
    if not after or not known:
        found |= of_block(address)
    if address.bits == 128:
        if local_use(address.number):
            found.add("nat64-embedded-ipv4")
            for ipv4 in () if after else local_inside(address.number):
                found |= of_block(Address(32, ipv4))
        for finding, take in FORMS:
            ipv4 = take(address.number)
            if ipv4 is not None:
                found |= {finding} | of_block(Address(32, ipv4))
    return Judgement(not found - NOTES, frozenset(found))


def inside(number: int, prefix: str) -> bool:
    first, last = block(prefix)
    return first <= number <= last


# ---- text -----------------------------------------------------------------------------------------------------

def text(address: Address) -> str:
    """Returns dotted decimal, or RFC 5952, 4 with hexadecimal groups only."""
    if address.bits == 32:
        return ".".join(str(address.number >> shift & 255) for shift in (24, 16, 8, 0))
    return ipv6_text([group(address.number, k) for k in range(8)]).decode()


def literal(address: Address) -> str:
    return text(address) if address.bits == 32 else f"[{text(address)}]"
