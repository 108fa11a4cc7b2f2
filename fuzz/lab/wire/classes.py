# SPDX-License-Identifier: Apache-2.0
"""The classes of octets on the pages: a URL for each, and the request that it stands for by RFC 3986."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from asked import Asked, cut, text


HOST = "w.test"
GROUPS = ("path triplets", "path octets", "query triplets", "query octets", "forms")

NAMES = {0x00: "NUL", 0x09: "tab", 0x0A: "line feed", 0x0D: "carriage return", 0x20: "space", 0x7F: "DEL",
         0x80: "an octet that is no UTF-8"}
SPECIAL = b" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
ESCAPED = bytes((0x00, 0x09, 0x0A, 0x0D)) + SPECIAL + b"0Aa\x7f\x80"
LETTER = "é".encode(), "😀".encode()       # two octets, four octets


@dataclass(frozen=True)
class Class:
    """A URL that stands for a class."""
    id: str
    group: str
    octets: str
    what: str
    url: bytes
    asked: Asked
    target: bytes | None        # as in a request, if the class is about paths and queries

    def facts(self) -> dict[str, str]:
        return {"id": self.id, "group": self.group, "octets": self.octets, "what": self.what, "url": text(self.url)}


def name(octet: int) -> str:
    return NAMES.get(octet) or f"{chr(octet)}"


def triplets(octets: bytes) -> bytes:
    return b"".join(b"%%%02X" % octet for octet in octets)


def of_target(id: str, group: str, octets: bytes, what: str, target: bytes) -> Class:
    path, query, _ = cut(text(target))
    return Class(id, group, text(octets), what, b"http://" + HOST.encode() + target,
                 Asked(HOST, "80", HOST, path, query), target)


def in_path(spelled: bytes) -> bytes:
    return b"/a" + spelled + b"b"


def in_query(spelled: bytes) -> bytes:
    return b"/a?b" + spelled + b"c"


def octet_classes() -> Iterator[Class]:
    """Yields each octet of interest, raw and as its triplet, in a path and in a query."""
    for part, place, delimiters in (("path", in_path, b"/?#%"), ("query", in_query, b"#%")):
        for octet in (*(bytes([o]) for o in ESCAPED), *LETTER):
            what = f"{name(octet[0]) if len(octet) == 1 else octet.decode()} escaped, in the {part}"
            yield of_target(f"{part} {triplets(octet).decode()}", f"{part} triplets", triplets(octet), what,
                            place(triplets(octet)))
        for octet in (*(bytes([o]) for o in SPECIAL if o not in delimiters), *LETTER, b"\x80"):
            what = f"{name(octet[0]) if len(octet) == 1 else octet.decode()} raw, in the {part}"
            yield of_target(f"{part} {text(octet) if octet != b' ' else 'space'}", f"{part} octets", octet, what,
                            place(octet))


# Classes about more than one octet of a path or query.
TARGETS = {
    "dot segment": ("/a/../b", "a dot segment"),
    "single dot segment": ("/a/./b", "a single dot"),
    "%2e%2e": ("/a/%2e%2e/b", "a dot segment, its dots escaped"),
    ".%2E": ("/a/.%2E/b", "a dot segment, one dot escaped"),
    "..;": ("/a/..;/b", "two dots with a parameter"),
    "..%3B": ("/a/..%3B/b", "two dots with a parameter, its ; escaped"),
    "..%2F": ("/a/..%2Fb", "two dots before an escaped slash"),
    "..%5C": ("/a/..%5Cb", "two dots before an escaped backslash"),
    "//": ("/a//b", "two slashes"),
    "leading //": ("//a/b", "a path that begins with two slashes"),
    ";x=1": ("/a;x=1/b", "a parameter of a segment"),
    "final ;": ("/a;", "a path that ends in ;"),
    "final %3B": ("/a%3B", "a path that ends in %3B"),
    "final .": ("/a.", "a path that ends in a dot"),
    "%252F": ("/a%252Fb", "a slash escaped twice"),
    "%c3%a9": ("/%c3%a9", "a triplet in lower case"),
    "%zz": ("/a%zz", "a % and no digits"),
    "lone %": ("/a%", "a % at the end"),
    "%u002F": ("/a%u002Fb", "a slash as some servers escape it"),
    "%C0%AF": ("/a%C0%AFb", "a slash in overlong UTF-8"),
    "%0D%0A": ("/a%0D%0AX:b", "an escaped line end"),
    "empty query": ("/a?", "an empty query"),
    "? in query": ("/a?b?c", "a second ?"),
    "same key": ("/a?c=1&b=2&c=3", "a key twice"),
    "URL in path": ("/http://v.test/b", "a URL in the path"),
    "URL in query": ("/a?u=http://v.test/b", "a URL in the query"),
    "colon and digits": ("/a:81/b", "what looks like a port"),
}
# Classes about the whole URL. The second column is the expected request, host first, where it is not
# obvious.
URLS = {
    "empty path": ("http://w.test", "w.test/", "nothing after the host"),
    "? after host": ("http://w.test?a", "w.test/?a", "a query without a path"),
    "# after host": ("http://w.test#a", "w.test/", "a fragment without a path"),
    "?, host": ("http://w.test?,v.test", "w.test/?,v.test", "what looks like another host"),
    "#, host": ("http://w.test#,v.test", "w.test/", "what looks like another host"),
    "#@host": ("http://w.test#@v.test/", "w.test/", "what looks like another host"),
    "fragment": ("http://w.test/a#b", "w.test/a", "a fragment"),
    "? in fragment": ("http://w.test/a#b?c", "w.test/a", "a ? in the fragment"),
    "#!": ("http://w.test/a#!b", "w.test/a", "a fragment that crawlers rewrite"),
    "dots in fragment": ("http://w.test/a#/../b", "w.test/a", "dot segments in the fragment"),
    "empty fragment": ("http://w.test/a#", "w.test/a", "an empty fragment"),
    "HTTP:": ("HTTP://w.test/a", "w.test/a", "the scheme in upper case"),
    "upper-case host": ("http://W.Test/a", "w.test/a", "letters of the host in upper case"),
    "final dot of host": ("http://w.test./a", "w.test./a", "a host that ends in a dot"),
    "default port": ("http://w.test:80/a", "w.test:80/a", "the default port, spelled"),
    "empty port": ("http://w.test:/a", "w.test/a", "a colon and no port"),
    "leading zero": ("http://w.test:080/a", "w.test/a", "a port with a zero before it"),
    "port 81": ("http://w.test:81/a", "w.test:81/a", "another port"),
    "IPv4": ("http://127.3.4.5/a", "127.3.4.5/a", "an address"),
    "IPv4 octal": ("http://0177.1/a", "127.0.0.1/a", "an address in octal, short"),
    "IPv4 hex": ("http://0x7f.0.0.1/a", "127.0.0.1/a", "an address in hexadecimal"),
    "IPv4 number": ("http://2130706433/a", "127.0.0.1/a", "an address as one number"),
    "IPv6": ("http://[fd77::1]/a", "[fd77::1]/a", "an IPv6 address"),
    "IPv6 port": ("http://[fd77::1]:80/a", "[fd77::1]:80/a", "an IPv6 address and a port"),
    "IPv6 zone": ("http://[fe80::1%25lo]/a", "[fe80::1]/a", "an IPv6 address with a zone"),
    "IPv4 in IPv6": ("http://[::ffff:127.3.4.5]/a", "[::ffff:127.3.4.5]/a", "an IPv4 address in an IPv6 one"),
    "A-label": ("http://xn--bcher-kva.test/a", "xn--bcher-kva.test/a", "an international name as the DNS has it"),
    "U-label": ("http://bücher.test/a", "xn--bcher-kva.test/a", "an international name as people write it"),
    "%77 in host": ("http://%77.test/a", "w.test/a", "a letter of the host escaped"),
    "_ in host": ("http://w_.test/a", "w_.test/a", "a low line in the host"),
    "userinfo": ("http://u@w.test/a", "w.test/a", "a name before the host"),
    "userinfo with :": ("http://u:p@w.test/a", "w.test/a", "a name and a password"),
    "two @": ("http://u@v.test@w.test/a", "w.test/a", "two @"),
    "\\@": ("http://w.test\\@v.test/a", "w.test\\@v.test/a", "a backslash before an @"),
    "one slash": ("http:/w.test/a", "w.test/a", "a slash too few"),
    "no slash": ("http:w.test/a", "w.test/a", "both slashes missing"),
    "three slashes": ("http:///w.test/a", "w.test/a", "a slash too many"),
    "leading space": (" http://w.test/a", "w.test/a", "a space before it"),
    "tab inside": ("http://w.te\tst/a", "w.test/a", "a tab in the host"),
}
AFTER_HOST = re.compile(r"(\[.*?\]|[^/?#:\\]*)(:\d*)?(.*)", re.S)


def url_class(id: str, url: str, asks: str, what: str) -> Class:
    host, port, target = AFTER_HOST.fullmatch(asks).groups()
    path, query, _ = cut(target)
    written = Asked(host.strip("[]"), (port or ":80")[1:], host + (port or ""), path, query)
    return Class(id, "forms", id, what, url.encode(), written, None)


def classes() -> list[Class]:
    forms = [of_target(id, "forms", id.encode(), what, target.encode()) for id, (target, what) in TARGETS.items()]
    return [*octet_classes(), *forms, *(url_class(id, *row) for id, row in URLS.items())]
