# SPDX-License-Identifier: Apache-2.0
"""Inputs for the readers: URLs like those in use, with valid and invalid mutations.

The same seed gives the same records everywhere; no record contains a NUL.
"""
from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT / "corpus"
sys.path[:0] = [str(ROOT / "tests/core/model"), str(ROOT / "tests")]

import core  # noqa: E402
import gate  # noqa: E402,F401 (for the tests)
from generate import TOKENS, generate  # noqa: E402

REAL = tuple(line.encode() for line in """
http://example.com
http://example.com/
https://example.com/index.html
https://www.example.com/a/b/c.html?page=2#top
https://www.example.com:443/search?q=a+b&lang=en&safe=1
http://www.example.com:80/cgi-bin/query.pl?x=1;y=2
https://api.example.org/v1/users/42/posts?limit=10&offset=20&sort=-date
https://api.example.org/v2/items?filter[name]=x&fields=a,b,c
https://shop.example.co.uk/p/shoes-42/?utm_source=mail&utm_medium=cpc&utm_campaign=spring_sale
https://cdn.example.net/@scope/pkg@1.2.3/dist/main.min.js
https://registry.example.net/@babel%2fcore
https://github.example/user/repo/blob/main/src/file.c#L10-L20
https://news.example/2026/11/21/some-long-title-of-an-article-with-words?ref=home
https://en.wiki.example/wiki/Main_Page
https://en.wiki.example/wiki/C%2B%2B
https://de.wiki.example/wiki/%C3%9Cbersicht
https://ja.wiki.example/wiki/%E3%83%A1%E3%82%A4%E3%83%B3
https://xn--bcher-kva.example/suche?q=b%C3%BCcher
https://xn--p1ai.example/%D0%BF%D1%83%D1%82%D1%8C
https://xn--ls8h.example/
https://maps.example/maps/@52.52,13.405,12z/data=!3m1!4b1
https://video.example/watch?v=dQw4w9WgXcQ&t=42s&list=PL0123_-
https://login.example/oauth2/authorize?client_id=abc&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&scope=openid%20email
https://web.archive.example/web/2026/http://www.example.com/
https://proxy.example/?url=https://www.example.org/a?b=c
https://app.example/#/route/sub?tab=1
https://app.example/#!/hashbang
https://docs.example/page#:~:text=some%20words
https://files.example/download/report%20(final).pdf
https://files.example/a;type=i
https://cal.example/event?start=2026-11-21T10:00:00Z&end=2026-11-21T11:30:00+01:00
https://img.example/resize/100x100/https://www.example.com/x.png
https://img.example/~user/pic_1.jpg
https://s3.example/bucket/key?X-Signature=abcdef0123456789&X-Expires=3600
https://mail.example/?q=is:unread&to=a@b.example
https://git.example/group/sub/-/merge_requests/1.diff
https://paste.example/?a&b=&=c&d
https://feed.example/rss.xml?
https://empty.example/#
https://a.b.c.d.e.f.example/
https://x/
http://localhost/
http://intranet/wiki
http://127.0.0.1/
http://192.0.2.1:80/status
https://203.0.113.255/a
http://[2001:db8::1]/
https://[2001:db8:0:1::a]:443/x?y#z
http://[::1]/admin
HTTP://EXAMPLE.COM/
Https://Example.Org/Path
http://example.com//a//b/
http://example.com/a:80/b:443
http://example.com/.well-known/acme-challenge/abc
http://example.com/a..b/...c/d.
http://example.com/*'();:@&=+$,/?x=*'();:@&=+$,/?
https://example.com/%20%22%3C%3E%5B%5D
https://example.com/100%25/x
http://example.com?query
http://example.com#fragment
http://good.example?,ev.example
http://ev.example#x.good.example/
https://app.example/#!/route/../x
https://apex.example/f?p=107:1
https://doi.example/10.1000/x:80
https://ex.example/a/x.good:80/b
https://git.example/api/v4/projects/group%2Fname/
https://servlet.example/a;jsessionid=1/b%3Bx
https://browser.example/wiki/L%27%C3%89tranger_(film)?q=a%2Cb!c
""".split())

# Texts that strict accepts in some component, so that mutants often stay valid.
LEGAL = tuple(token.encode() for token in (
    "/", "/", "//", "?", "?", "#", "#", "@", "@", ":", ":", ":80", ":80/", ":443", ":81", ";", "&", "=", "+", ",", "!", "$", "'",
    "(", ")", "*", "~", "-", "_", ".", "..", "...", "%20", "%2F", "%2f", "%5C", "%3A", "%40", "%3F", "%23", "%25",
    "%3B", "%26", "%C3%A9", "%F0%9F%98%80", "%EF%BC%8E", "%EF%BC%8E%EF%BC%8E/", "?a=b", "&c=d", "#x", "/x",
    "a", "0", "www.", ".example", "xn--", "://", "http://", "https://", "@ev.org", "?@ev.org/", "#@ev.org/", "/@ev.org", ":80@ev.org", "//ev.org/", "/.ev.org",
    "x.ev.org", "1.2.3.4", "[", "]", "0x7f", "-1", "a@b:c", ";x=1", "::", "=?", "?#", "#?", "??", "&&"))
# Mutations have most effect next to a delimiter.
DELIMITER = re.compile(rb"[:/?#@.;&=%\[\]]")


class Mutator:
    """Makes URLs like those in use, slightly changed."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(f"zoo {seed}")

    def place(self, data: bytes) -> int:
        marks = [match.start() for match in DELIMITER.finditer(data, 7)]
        if marks and self.random.random() < 0.6:
            return self.random.choice(marks) + self.random.randrange(2)
        return self.random.randint(min(7, len(data)), len(data))

    def token(self) -> bytes:
        return self.random.choice(LEGAL if self.random.random() < 0.9 else TOKENS)

    def mutated(self, data: bytes) -> bytes:
        at, kind = self.place(data), self.random.random()
        if kind < 0.5:
            return data[:at] + self.token() + data[at:]
        if kind < 0.7:
            return data[:at] + self.token() + data[at + self.random.randint(1, 3):]
        if kind < 0.8:
            return data[:at] + data[at + self.random.randint(1, 4):]
        other = self.random.choice(REAL)        # its tail is valid where tails are
        cut = other.find(b"/", 8)
        return data[:at] + (other[cut:] if cut >= 0 else self.token())

    def record(self) -> bytes:
        data = self.random.choice(REAL)
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            data = self.mutated(data)
        return data.replace(b"\0", b"\1")


class Shapes:
    """Makes URLs from texts that readers and clients are known to fail on, most of them valid except for
    one."""

    SCHEMES = ("http", "http", "http", "http", "https", "HTTP", "Http", "hTTps", "HTTPS")
    HOSTS = ("ex.org", "EX.org", "a", "xn--bcher-kva.example", "127.0.0.1", "[2001:db8::1]", "[::1]", "ex.org.",
             "1.2.3.4.org", "a_b.org", "a..b", "-a.org", "a.1b", "0x7f.1", "[::ffff:1.2.3.4]", "ex.org,ev.org",
             "u@ex.org", "ex.org%2Fev.org", "xn--paypal-hk68a.com", "xn--plC")
    PORTS = ("", "", "", "", "", ":80", ":443", ":", ":080", ":81", ":0", ":65616")
    STARTS = ("/", "/", "/", "/", "?", "#", "/?", "/#", "/?a#", "?,", "#,", "?@", "#@", "")
    # dots, commas and @ that make the text after the authority look like a host; colons that make it look
    # like a port
    TAIL = ("x.good", ",ev.org", "@ev.org", "ev.org", ".", "..", ",", "@", "x", "x", "a=b", "&c=d", "/", "/", "?", "#",
            ":80", "x:80", "x.good:80", "x_y:80/", "x.y-z.:80", ":80/", "a.b%2Fc:80", ".%20x:80", ":8a", "+", "!", "~",
            ";", "%3B", "%3b", ";x=1", "%2F", "%2f", "%5C", "%21", "%27", "'", "(", "%28", "%2C", "%40", "%3A", "%3D",
            "%26", "%2B", "%3F", "%23", "%25", "%C3%A9", "%F0%9F%92%A9", "%5B", "%20", "/../", "/..", "..;", "..%3B",
            ".;/", "%2E", "%2e%2e", "/%EF%BC%8E%EF%BC%8E/", "%E2%80%A5", "%EF%BC%8F", "%EF%BD%81")
    FRAGMENTS = ("!", "%21", "!x", "/../x", "..", "./", "a/..?x", "?..", "a%2F..", "%5C..", "..;x", ".%3B",
                 ":~:text=a,b", "a?b", "/route", "x.good:80", "@ev.org", ",ev.org", "%2F..%3F")
    ENDS = ("", "", "", "", "", ";", "%3B", "%3b", "/", "%2F", "/;", ".", "?", "#", ":80", "%27")

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(f"shapes {seed}")

    def record(self) -> bytes:
        pick, chance = self.random.choice, self.random.random
        tail = "".join(pick(self.TAIL) for _ in range(pick((0, 1, 1, 2, 2, 3, 4))))
        fragment = "#" + pick(self.FRAGMENTS) + pick(("", "", pick(self.TAIL))) if chance() < 0.25 else ""
        authority = (pick(self.HOSTS) if chance() < 0.4 else "ex.org") + (pick(self.PORTS) if chance() < 0.3 else "")
        scheme = pick(self.SCHEMES) if chance() < 0.3 else "http"
        return f"{scheme}://{authority}{pick(self.STARTS)}{tail}{pick(self.ENDS)}{fragment}".encode("ascii")


def records(count: int, seed: int | str, policy: str = "strict") -> Iterator[bytes]:
    """Yields in turn an output of the model's generator, a mutant of a URL in use, and one of the shapes."""
    generated, mutator, shapes = generate(count, f"zoo {seed}", policy), Mutator(seed), Shapes(seed)
    for number, record in enumerate(islice(generated, count)):
        yield record if number % 3 == 0 else mutator.record() if number % 3 == 1 else shapes.record()


# ---- The corpus of the report ------------------------------------------------------------------------------------

ROW = re.compile(r'^FINDING(?:_AS)?\((?P<head>.*?)\n(?P<inputs>\t".*?)\n\t"', re.M | re.S)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(r'\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))', re.S)
NAMED = {"n": 10, "t": 9, "r": 13, "v": 11, "f": 12, "a": 7, "b": 8}


def c_string(text: str) -> bytes:
    """Returns the octets of a string of the catalogue."""
    def octet(match: re.Match[str]) -> str:
        digits, octal, other = match.groups()
        return chr(int(digits, 16) if digits else int(octal, 8) if octal else NAMED.get(other, ord(other)))

    return ESCAPE.sub(octet, text).encode("latin-1")


def catalogue() -> Iterator[bytes]:
    """Yields the firing input and the near miss of each finding."""
    text = (ROOT / "include" / "urivet" / "findings.def").read_text(encoding="ascii")
    for row in ROW.finditer(text):
        if row["head"].startswith(("target", "reference", "origin", "link", "text")):      # not a URL
            continue
        for piece in re.split(r",\s*(?=\")", row["inputs"]):
            yield core.expand(b"".join(c_string(literal) for literal in LITERAL.findall(piece)))


# Files that are not inputs: descriptions, and tables of results.
ABOUT = (".md", ".tsv", ".csv", ".json", ".html")
# Folders of the corpus for other harnesses, which contain no URLs.
OTHERS = ("pair", "text", "markup", "policy", "compiled", "command", "question", "address", "request", "table")
OTHER_CASES = (".target", ".record", ".readings", ".reference", ".peer", ".sized")


def is_input(path: Path) -> bool:
    """Returns true if a file, or a folder of files, contains URLs to read."""
    found = path.resolve()
    inside = found.relative_to(CORPUS).parts if found.is_relative_to(CORPUS) else ()
    return not (found.suffix in ABOUT or inside and inside[0] in OTHERS
                or inside[:1] == ("findings",) and found.suffix in OTHER_CASES)


def lines(path: Path) -> Iterator[bytes]:
    yield from path.read_bytes().split(b"\n")


def files_of(folder: Path) -> Iterator[bytes]:
    """Yields the inputs of a folder: one for each file, or one for each line of files that end in .txt."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and is_input(path) and not hidden:
            yield from lines(path) if path.suffix == ".txt" else [path.read_bytes()]


def given(names: Sequence[str]) -> list[bytes]:
    """Returns the inputs in files (one a line) and in folders, each once. A file without inputs is
    reported and skipped."""
    found: list[bytes] = []
    for path in map(Path, names):
        if not is_input(path):
            print(f"zoo: {path} holds no inputs: left out", file=sys.stderr)
        else:
            found += files_of(path) if path.is_dir() else lines(path)
    return [record for record in dict.fromkeys(found) if record and b"\0" not in record]


def corpus_files() -> Iterator[bytes]:
    """Yields the URIs of the corpus, without descriptions and files for other harnesses."""
    yield from lines(CORPUS / "sample.txt")
    for folder in ("uri", "regress", "cover"):
        yield from files_of(CORPUS / folder)


def corpus(seed: int | str = 1) -> list[bytes]:
    """Returns a few thousand different inputs: the catalogue, the corpus, URLs in use, generated ones and
    mutants."""
    name = f"report {seed}"
    found = [*catalogue(), *corpus_files(), *REAL, *generate(2000, name), *generate(500, name, "any"),
             *islice(iter(Mutator(name).record, None), 1500), *islice(iter(Shapes(name).record, None), 500)]
    return list(dict.fromkeys(r for r in found if r and b"\0" not in r and len(r) <= 2000))
