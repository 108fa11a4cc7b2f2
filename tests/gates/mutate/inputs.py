#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs that may tell a mutant from the sound core, for tell.c: the same ones everywhere.

    python3 tests/gates/mutate/inputs.py FILE COUNT

The corpus, the literals of the unit tests and of the catalogue, all short strings over one octet of each class in
some places, runs of lengths around each limit, and mutations of these. FILE has the length in two octets, low first,
and the octets of each, the shortest first, so that the first input that tells is a short one.
"""
from __future__ import annotations

import itertools
import random
import re
import struct
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
import core  # noqa: E402 pylint: disable=wrong-import-position

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ESCAPED = re.compile(rb"\\x([0-9A-F]{2})")
CLASSES = [b"a", b"A", b"1", b"0", b".", b":", b"/", b"?", b"#", b"[", b"]", b"@", b"%", b";", b"=", b"&", b"-", b"_",
           b"~", b" ", b"\\", b"\xc3\xa9", b"|", b"\n", b"\xff"]
OCTETS = [bytes([c]) for c in b"aAhx019.:/?#[]@!%;=&+-_~ \\|<>\"{}^`\n\t\r\0\x7f\xc3\xa9\xff,$*'()"]
GROUPS = [b"0", b"1", b"ff", b"::", b":", b".", b"%25", b"v1"]
REPEATED = [b"a", b".", b"a.", b"/", b"a/", b"../", b"%41", b":", b"@", b"1", b"0", b"\xc3\xa9", b"xn--a-", b"&a=", b";"]
LENGTHS = (5, 6, 12, 13, 31, 32, 33, 39, 40, 41, 62, 63, 64, 65, 99, 100, 101, 127, 128, 129, 252, 253, 254, 255, 256)
LONG = (1024, 1025, 8191, 8192, 8193)
LONGEST = 400


def unescaped(text: bytes) -> bytes:
    """Returns the octets that a row of the corpus stands for."""
    return ESCAPED.sub(lambda match: bytes.fromhex(match[1].decode()), text)


def literals(path: Path) -> Iterator[bytes]:
    for match in LITERAL.finditer(path.read_text(encoding="utf-8", errors="replace")):
        try:
            yield core.expand(match[1].encode().decode("unicode_escape").encode("latin-1"))
        except (UnicodeDecodeError, UnicodeEncodeError):
            pass    # not a C string


def collected() -> list[bytes]:
    found = set()
    for path in sorted((ROOT / "corpus").rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        found.add(data)
        if path.parent.name != "policy":
            found.update(unescaped(line.split(b"\t")[0]) for line in data.splitlines())
    for path in (*sorted((ROOT / "tests/core/unit").glob("*.c")), *sorted((ROOT / "include").rglob("findings.def"))):
        found.update(literals(path))
    return sorted(text for text in found if 0 < len(text) < LONGEST)


def systematic(random_: random.Random) -> Iterator[bytes]:
    for before, after in ((b"", b""), (b"http://", b""), (b"http://h", b"/"), (b"http://h/", b""), (b"http://h/?", b"")):
        for n in (1, 2, 3):
            for text in itertools.product(CLASSES, repeat=n):
                if n < 3 or random_.random() < 0.15:
                    yield before + b"".join(text) + after
    for groups in itertools.product(GROUPS, repeat=4):
        if random_.random() < 0.4:
            yield b"http://[" + b"".join(groups) + b"]/"
    for frame in (b"http://www.example.org/path.html", b"https://a-b.example.org/a/path_of/many%20letters/and-more?and=one#x"):
        for at in (7, 12, 20, 25, 30, len(frame) - 3):
            yield from (frame[:at] + bytes([octet]) + frame[at:] for octet in range(256))
    for text in REPEATED:
        for n in LENGTHS + (LONG if text in (b"a", b"%41") else ()):
            for before in (b"", b"http://", b"http://h/", b"http://h?", b"http://a.", b"<http://h/"):
                yield before + (text * n)[:n]


def mutated(seed: bytes, seeds: list[bytes], words: list[bytes], random_: random.Random) -> bytes:
    text = bytearray(seed)
    for _ in range(random_.choice((1, 1, 1, 2, 2, 3))):
        at, kind = random_.randrange(len(text) + 1), random_.randrange(8)
        other = random_.choice(seeds)
        start, many = random_.randrange(len(other)), random_.randrange(1, 16)
        if kind == 0:
            text[at:at] = random_.choice(OCTETS)
        elif kind == 1:
            text[at:at] = random_.choice(words)
        elif kind == 2:
            del text[at:at + 1 + many % 3]
        elif kind == 3:
            text[at:at + 1] = random_.choice(OCTETS)
        elif kind == 4:
            text[at:at] = text[max(0, at - many):at]
        elif kind == 5:
            text[at:at] = other[start:start + many]
        elif kind == 6 and at < len(text):
            text[at] = (text[at] + random_.choice((1, -1, 32, -32, 128))) & 255
        elif at < len(text):
            text[at:at + 1] = b"%%%02X" % text[at]
    return bytes(text)


def inputs(count: int) -> list[bytes]:
    random_ = random.Random(7)
    seeds = collected()
    words = list(literals(ROOT / "fuzz/uri.dict"))
    found = {b"", *seeds, *systematic(random_)}
    while len(found) < count:
        text = mutated(random_.choice(seeds), seeds, words, random_)
        if len(text) < LONGEST:
            found.add(text)
    return sorted(found, key=lambda text: (len(text), text))


def read(path: Path) -> list[bytes]:
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        length = data[at] | data[at + 1] << 8
        found.append(data[at + 2:at + 2 + length])
        at += 2 + length
    return found


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(b"".join(struct.pack("<H", len(text)) + text for text in inputs(int(sys.argv[2]))))
