#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the sets of URLs that `make bench` judges: urls.py FOLDER, or urls.py --classes.

A set is a file of texts, a NUL after each; the same on every run over the same data:

    homepages   the homepages of all packages that apt knows, sorted
    mixed       real URLs in the proportions of SHARES, shuffled; class-NAME: its classes one by one
    hostile     the attacks of corpus/, an octet or two of each changed
    ipv4, ipv6  addresses as hosts, before the paths of real URLs
    long-*      1 to 8 KiB of one kind, made of the words of real paths

Real URLs are what apt's package data (Homepage, Vcs-* and texts) and the copyright and changelog files
of installed packages hold. Where there are too few of a class, derive() makes more; classes.csv says how
many of each class there are, and how many of them are real. With --classes the 20 URLs of each class are
printed that bench-guard counts: classes.tsv keeps them, for other machines have other packages.
"""
from __future__ import annotations

import gzip
import ipaddress
import random
import re
import subprocess
import sys
from pathlib import Path

SEED = 3986
SIZE = 30000
# per cent of 59,439 links that people shared; the rest, 2.17, is of the class `other`
SHARES = {"plain": 71.2, "plain-64": 7.6, "tilde": 7.0, "digit-in-host": 4.1, "query": 3.8, "pairs": 1.7,
          "empty-path": 1.1, "forbidden": 0.60, "percent": 0.58, "ipv4": 0.15}
REST = "other"
ROOT = Path(__file__).resolve().parents[3]
URL = re.compile(rb"https?://[^\s<>\"]+")
PARTS = re.compile(rb"(https?://)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.S)
FORBIDDEN = re.compile(rb"[^A-Za-z0-9._~:/?#@!$&'()*+,;=%\[\]-]|[/?#].*[\[\]]", re.S)
OCTETS = (b" ", b'"', b"<", b">", b"\\", b"^", b"`", b"{", b"|", b"}", "\u00e9".encode())


def class_of(url: bytes) -> str:
    """Returns the class that decides about the cost of a URL."""
    parts = PARTS.fullmatch(url)
    if parts is None:
        return REST
    _, host, path, query, fragment = parts.groups()
    if FORBIDDEN.search(url[8:]):
        return "forbidden"
    if b"%" in url:
        return "percent"
    if re.fullmatch(rb"\d+(\.\d+){3}(:\d+)?", host):
        return "ipv4"
    if query and b"=" in query:
        return "pairs" if b"&" in query else "query"
    if b"~" in url:
        return "tilde"
    if not re.fullmatch(rb"([a-z0-9-]+\.)+[a-z][a-z0-9-]*", host) or query is not None or fragment is not None:
        return REST
    if not path:
        return "empty-path"
    if re.search(rb"\d", host):
        return "digit-in-host"
    return "plain-64" if len(url) >= 64 else "plain"


def real() -> tuple[list[bytes], dict[str, list[bytes]]]:
    """Returns the homepages, and all URLs by class."""
    try:
        packages = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True).stdout
    except FileNotFoundError:
        sys.exit("this needs Debian and its apt-cache")
    homepages = sorted(set(re.findall(rb"(?m)^Homepage: (.*)$", packages)))
    if not homepages:
        sys.exit("apt knows no homepages: run apt-get update")
    found = set(homepages) | set(URL.findall(packages))
    for path in sorted(Path("/usr/share/doc").glob("*/c[oh][ap][yn]*")):
        if path.is_file() and path.name.startswith(("copyright", "changelog")):
            text = path.read_bytes()
            found |= set(URL.findall(gzip.decompress(text) if path.suffix == ".gz" else text))
    classes: dict[str, list[bytes]] = {name: [] for name in (*SHARES, REST)}
    for url in sorted({url.rstrip(b".,);:'*`]}|\\") for url in found}):
        classes[class_of(url)].append(url)
    return homepages, classes


def address(chance: random.Random) -> bytes:
    return b"%d.%d.%d.%d" % (chance.randrange(1, 224), *(chance.randrange(256) for _ in range(3)))


def derive(name: str, classes: dict[str, list[bytes]], chance: random.Random) -> bytes:
    """Derives another URL of a class from two real ones, a plain one and one of the class, from which the
    characteristic host or tail is taken. For `ipv4` the host is random; for `forbidden` an octet of the plain
    path is replaced by a forbidden one; pairs are two or three real ones."""
    while True:
        plain = PARTS.fullmatch(chance.choice(classes["plain"]))
        scheme, host, path = plain[1], plain[2], plain[3]
        if name == "ipv4":
            url = scheme + address(chance) + path
        elif name == "forbidden":
            at = chance.randrange(len(path)) + 1
            url = scheme + host + path[:at] + chance.choice(OCTETS) + path[at + 1:]
        elif name == "pairs":
            asked = (PARTS.fullmatch(url) for url in chance.sample(classes["query"], chance.randrange(2, 4)))
            url = scheme + host + path + b"?" + b"&".join(each[4][1:] for each in asked)
        else:
            parts = PARTS.fullmatch(chance.choice(classes[name]))
            url = scheme + (parts[2] + path if name == "digit-in-host" else host + url_tail(parts))
        if class_of(url) == name:
            return url


def url_tail(parts: re.Match[bytes]) -> bytes:
    return parts[3] + (parts[4] or b"") + (parts[5] or b"")


def take(name: str, count: int, classes: dict[str, list[bytes]], chance: random.Random) -> list[bytes]:
    """Returns this many URLs of a class: real ones in random order, then derived ones."""
    urls = chance.sample(classes[name], min(count, len(classes[name])))
    return urls + [derive(name, classes, chance) for _ in range(count - len(urls))]


def mixed(classes: dict[str, list[bytes]], chance: random.Random) -> dict[str, list[bytes]]:
    wanted = {name: round(SIZE * share / 100) for name, share in SHARES.items()}
    wanted[REST] = SIZE - sum(wanted.values())
    return {name: take(name, count, classes, chance) for name, count in wanted.items()}


def hostile(chance: random.Random) -> list[bytes]:
    paths = [path for path in sorted((ROOT / "corpus").glob("*/*")) if path.parent.name in ("uri", "regress")]
    paths += [path for path in sorted((ROOT / "corpus" / "findings").glob("*/fires*"))
              if path.suffix in ("", ".any", ".raised")]
    attacks = [text for text in (path.read_bytes() for path in paths) if text and len(text) < 400 and b"\0" not in text]
    texts = []
    for _ in range(SIZE // 2):
        text = bytearray(chance.choice(attacks))
        for _ in range(chance.randrange(1, 3)):
            text[chance.randrange(len(text))] = chance.choice(b"/\\@:%?#.a1[]- ")
        texts.append(bytes(text))
    return texts


def with_addresses(six: bool, classes: dict[str, list[bytes]], chance: random.Random) -> list[bytes]:
    urls = []
    for plain in chance.choices(classes["plain"], k=SIZE // 2):
        parts = PARTS.fullmatch(plain)
        host = address(chance)
        if six:
            value = 1 << 125 | chance.getrandbits(125)
            for _ in range(chance.randrange(8)):  # groups of zeros, as they are given out
                value &= ~(0xffff << 16 * chance.randrange(7))
            host = ipaddress.IPv6Address(value).compressed.encode()
            if chance.randrange(20) == 0:  # which strict refuses
                host = ipaddress.IPv6Address(value).exploded.encode()
            host = b"[" + host + b"]"
        urls.append(parts[1] + host + parts[3])
    return urls


def long(classes: dict[str, list[bytes]], chance: random.Random) -> dict[str, list[bytes]]:
    words = sorted({word for url in classes["plain"] for word in re.findall(rb"[A-Za-z0-9_-]{1,12}", url[8:])})
    letters = [char for first, last in ((0xe0, 0xff), (0x430, 0x44f), (0x4e00, 0x4eff)) for char in range(first, last)]

    def word() -> bytes:
        return chance.choice(words)

    def escaped() -> bytes:
        return b"%%%02X" % chance.choice(b" \"<>[]{}|,;()")

    def letter() -> bytes:
        return "".join(f"%{octet:02X}" for octet in chr(chance.choice(letters)).encode()).encode()

    kinds = {
        "query": (b"?", lambda: word() + b"=" + word(), b"&"),
        "escapes": (b"", lambda: word()[:3] + escaped(), b""),
        "utf8": (b"", lambda: b"".join(letter() for _ in range(chance.randrange(1, 9))), b"/"),
        "mixed": (b"", lambda: chance.choice((word, word, word, letter, lambda: word() + escaped() + word()))(), b"/"),
        "percent": (b"", lambda: word()[:3] + b"%%%02X" % chance.choice(b" \"<>[]{|}"), b""),  # no finding
        "pairs": (b"?", lambda: word() + b"=" + b"+".join(chance.choice((word, word, letter, escaped))()
                                                          for _ in range(chance.randrange(1, 4))), b"&"),
    }
    sets: dict[str, list[bytes]] = {}
    for kind, (mark, piece, between) in kinds.items():
        for _ in range(64):
            length, text = chance.randrange(1024, 8001), b"https://www.example.org/" + word() + mark
            while len(text) < length:
                if kind == "mixed" and b"?" not in text and len(text) > length // 2:
                    text += b"?"
                text += piece() + between
            sets.setdefault("long-" + kind, []).append(text[:len(text) - len(between)])
    return sets


def main() -> None:
    homepages, classes = real()
    chance = random.Random(SEED)
    by_class = mixed(classes, chance)
    if sys.argv[1:] == ["--classes"]:
        for name, urls in by_class.items():
            there = len(classes[name])  # real ones come first, if there are enough
            for url in chance.sample(urls[:there] if there >= 20 else urls, 20):
                sys.stdout.buffer.write(name.encode() + b"\t" + url + b"\n")
        return
    sets = {"class-" + name: urls for name, urls in by_class.items()}
    sets |= {"homepages": homepages, "mixed": [url for urls in by_class.values() for url in urls]}
    chance.shuffle(sets["mixed"])
    sets |= {"hostile": hostile(chance), "ipv4": with_addresses(False, classes, chance),
             "ipv6": with_addresses(True, classes, chance), **long(classes, chance)}
    folder = Path(sys.argv[1])
    for name, urls in sets.items():
        (folder / name).write_bytes(b"".join(url + b"\0" for url in urls))
    counts = [(name, len(urls), min(len(urls), len(classes[name]))) for name, urls in by_class.items()]
    (folder / "classes.csv").write_text("class,count,real\n" + "".join("%s,%d,%d\n" % row for row in counts), "ascii")


if __name__ == "__main__":
    main()
