# SPDX-License-Identifier: Apache-2.0
"""Generates test addresses: every border of every table, every embedding of every IPv4 border, and random
ones near them."""
from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from model import (IPV4_EXTRA, IPV4_REGISTRY, IPV6_EXTRA, IPV6_REGISTRY, METADATA, Address, Row, block, nat64_around,
                   parse)

ALL = {32: (1 << 32) - 1, 128: (1 << 128) - 1}
TABLES = {32: IPV4_EXTRA + IPV4_REGISTRY, 128: IPV6_EXTRA + IPV6_REGISTRY}
# One of each length, with the same first octets, so that borders meet; also those for a translator of RFC
# 6052, 3.3 and one of RFC 8215.
NAT64_PREFIXES = ("2600:1::/32", "2600:1:100::/40", "2600:1:122::/48", "2600:1:122:300::/56", "2600:1:122:344::/64",
                  "2600:1:122:344::/96", "64:ff9b:1::/48", "2001:db8::/32")
ISATAP_PREFIXES = ("fe80::", "2600:1:2:3::", "2001:db8::", "::", "4000::", "64:ff9b:1:2::", "ff02::",
                   "2002:808:808:1::")
ISATAP_WORDS = (0x00005EFE, 0x02005EFE, 0x01005EFE, 0x03005EFE, 0x00005EFF, 0x00005EFD, 0x00015EFE, 0x02015EFE)


def around(first: int, last: int, bits: int) -> Iterator[Address]:
    for number in (first, last, first - 1, last + 1, first + 1, last - 1, (first + last) // 2):
        if 0 <= number <= ALL[bits]:
            yield Address(bits, number)


def borders(bits: int) -> Iterator[Address]:
    rows: Iterable[Row] = TABLES[bits]
    for row in rows:
        yield from around(*block(row.prefix), bits)
    for text in METADATA:
        address = parse(text)
        if address.bits == bits:
            yield from around(address.number, address.number, bits)


def ordinary(bits: int) -> Iterator[Address]:
    """Yields addresses in use."""
    texts = {32: ("1.1.1.1", "8.8.8.8", "93.184.216.34", "151.101.1.69", "223.5.5.5", "100.0.0.1"),
             128: ("2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001:81b::200e", "2400:cb00:2048:1::1")}
    yield from map(parse, texts[bits])


def embeddings(ipv4: int) -> Iterator[int]:
    """Yields all embeddings of one IPv4 address, and each with other octets beside it."""
    yield ipv4
    for high in (0xFFFF, 0xFFFF0000, 0x0064FF9B << 64, 0x0064FF9B0001 << 48, 0xFFFE, 0xFFFF0001, 1):
        yield high << 32 | ipv4
    for tail in (0, 1, 0x5EFE << 32 | 0x08080808, (1 << 80) - 1):
        yield 0x2002 << 112 | ipv4 << 80 | tail
    for middle in (0, 0x08080808 << 32, 0x7F000001 << 32 | 0x8000FFFF, 0x0102030400005EFE):
        yield 0x20010000 << 96 | middle << 32 | (ipv4 ^ 0xFFFFFFFF)
        yield 0x20010000 << 96 | middle << 32 | ipv4
    for prefix in ISATAP_PREFIXES:
        for word in ISATAP_WORDS:
            yield parse(prefix).number | word << 32 | ipv4


def translated(ipv4: int) -> Iterator[int]:
    """Yields the address after each configured prefix: correct, with a suffix, and with bits 64 to 71 not
    zero."""
    for prefix in NAT64_PREFIXES:
        number = nat64_around(prefix, ipv4)
        length = int(prefix.split("/")[1])
        yield number
        yield number | 1 << 56
        yield number | 0x80 << 56
        if length < 96:
            yield number | 1


def embedded() -> Iterator[Address]:
    """Yields embedded addresses, with the borders of each embedding: from 0.0.0.0 to 255.255.255.255."""
    inside = {a.number for a in borders(32)} | {a.number for a in ordinary(32)} | {0, ALL[32]}
    for ipv4 in sorted(inside):
        for number in (*embeddings(ipv4), *translated(ipv4)):
            yield Address(128, number)
    for prefix in NAT64_PREFIXES:
        yield from around(*block(prefix), 128)


def all_borders() -> list[Address]:
    """Returns all borders, each once."""
    points = [*borders(32), *borders(128), *ordinary(32), *ordinary(128), *embedded()]
    return list(dict.fromkeys(points))


def near(count: int, seed: str) -> Iterator[Address]:
    """Yields random addresses: a border with some bits changed, an embedding of such an address, or any
    address."""
    dice = random.Random(seed)
    fixed = {bits: [*borders(bits), *ordinary(bits)] for bits in (32, 128)}

    def changed(bits: int) -> int:
        number = dice.choice(fixed[bits]).number
        match dice.randrange(4):
            case 0:
                return number ^ 1 << dice.randrange(bits)
            case 1:                                         # the same prefix, the rest at random
                keep = dice.randrange(bits + 1)
                return number >> keep << keep | dice.getrandbits(keep) if keep else number
            case 2:
                return (number + dice.randrange(-3, 4)) & ALL[bits]
            case _:
                return number ^ dice.getrandbits(bits) & dice.getrandbits(bits) & dice.getrandbits(bits)

    for _ in range(count):
        match dice.randrange(8):
            case 0 | 1:
                yield Address(32, changed(32))
            case 2 | 3 | 4:
                yield Address(128, changed(128))
            case 5:
                yield Address(128, dice.choice((*embeddings(changed(32)),)))
            case 6:
                number = dice.choice((*translated(changed(32)), *embeddings(changed(32))))
                yield Address(128, number ^ 1 << dice.randrange(128))
            case _:
                bits = dice.choice((32, 128))
                yield Address(bits, dice.getrandbits(bits))
