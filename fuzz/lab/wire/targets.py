# SPDX-License-Identifier: Apache-2.0
"""Request targets that try to bypass a rule against /admin and .inc: techniques, each combined with
spellings.

In the tables %XX is literal, \\xXX is an octet.
"""
from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tables import ROOT

HOST = "www.example.com"
ROWS = ("attacks.tsv", "ordinary.tsv")      # of tests/core/acceptance


@dataclass(frozen=True)
class Target:
    technique: str
    octets: bytes


@dataclass(frozen=True)
class Technique:
    """Shapes in which {} is replaced by each spelling."""
    name: str
    shapes: str
    spellings: str

    def texts(self) -> Iterator[str]:
        for shape, spelling in itertools.product(self.shapes.split(), self.spellings.split()):
            yield shape.replace("{}", spelling)


TECHNIQUES = (
    Technique("dot segments", "/pub/{}/admin/f /{}/admin/f /pub/f/../{}/admin/f",
              ".. %2e%2e %2E. .%2e %252e%252e %25%32%65. .%252e ..; ..;x=1 ..%3B ..%3b ..%3Ba=b %2e%2e; %2e%2e%3B "
              "..;%2F ..%00 "
              "..%20 ..%09 ..%0d ..%C2%A0 ... ..\\x5C ..%5C ..%2F ..%252F %c0%ae%c0%ae %e0%80%ae%e0%80%ae %u002e%u002e "
              "%EF%BC%8E%EF%BC%8E ..? ..%3F ..# ..%23"),
    Technique("a dot", "/{}/admin/f",
              ". %2e %252e .; .;x=1 .%3B %2e; .%3Bx .%20 .%00 .\\x5C .%5C .//. ./. .%2F. .# .?"),
    Technique("a prefix to strip", "/api{}/admin/f /api{}",
              ". .. ... %2e .; .%2F . %20. .x .x/.. /. /./ /.. // ; %2F"),
    Technique("slashes", "/{}admin/f /pub{}..{}admin/f /pub/..{}admin/f /pub/x{}..{}..{}admin/f",
              "/ // %2F %2f %252F %25%32%46 \\x5C %5C %5c %255C %c0%af %e0%80%af %u002f %u2215 %EF%BC%8F %2F%2F "
              "/%2F %2F/ "
              "/%5C /.%2F"),
    Technique("slashes that begin", "{}admin/f", "%2F \\x5C %5C //x/../ /// %2F%2F /%2F/ /%252F/ //%2F .%2F ./ .. ../"),
    Technique("parameters", "/{}/admin/f /{}admin/f /config.inc{} /config{}.inc /admin{}/f /pub{}/../admin/f "
              "/pub/..{}/admin/f /pub/f{}/../../admin/f",
              "; ;x ;x=1 %3B %3Bx %3bx=1 ;; %253B %253Bx ;%2F ;.txt ;/"),
    Technique("suffixes", "/config.inc{}",
              "%00 %00.txt %00x %2500 %20 %2520 %09 %0a %0d %0A%0D . %2e .. / // /. /.. /x /x.txt /x/.. %2F %2f "
              "%2Fx %252F %5C "
              "\\x5C %3F %3Fx %3fx %253F %253Fx %23 %23x %2523 ? ?x ?x.txt ?/../x # #x #.txt #/../x ::$DATA "
              "%3A%3A$DATA ~ .bak "
              "%7E %C2%A0 %E2%80%8B %EF%BB%BF & &x ,x =x :80 %c0%80 %e0%80%80 \\x09 \\x0B \\x0C \\x1F \\x7F \\xA0"),
    Technique("suffixes of admin", "/admin{}/f /%61dmin{}/f", "%20 %00 %09 . %2e %2F %3F %23 ? # / %5C \\x5C %252F"),
    Technique("letters", "/{}",
              "%61dmin/f a%64min/f %2561dmin/f %25%36%31dmin/f %u0061dmin/f %c1%a1dmin/f ADMIN/f Admin/f %41DMIN/f "
              "%61%64%6D%69%6E%2F%66 admin%2Ff config%2Einc config%2einc config.%69nc config.%49NC config.%2569nc "
              "config%252Einc "
              "config.INC Config.inc config%c0%aeinc config%u002einc conf%69g.in%63 config.inc%2f. "
              "config.%E2%84%AAnc \\xEF\\xBD\\x81dmin/f "
              "%EF%BD%81dmin/f adm%C4%B1n/f adm%C4%B0n/f config%EF%BC%8Einc"),
    Technique("queries", "{}",
              "?admin/f ?/admin/f /?admin/f /?/admin/f /?/../admin/f /??/../admin/f /pub?/../admin/f "
              "/pub/f?/../../admin/f "
              "/pub/f?x=/../../admin/f /pub/f?%2F..%2F..%2Fadmin/f /pub/f?;/../../admin/f /pub/f&/../../admin/f "
              "/pub/f?x=1%23/../../admin/f /pub/f?\\x5C..\\x5C..\\x5Cadmin/f ?config.inc /?config.inc "
              "/pub/?../config.inc "
              "/pub/f?../../config.inc /pub/f%3F/../../admin/f /x%3F/../admin/f /x%3f/../config.inc "
              "/x%253F/../admin/f /pub/f?%00 "
              "/?url=/admin/f /?url=http://www.example.com/admin/f /pub/f?%3F/../../admin/f /x?/../config.inc "
              "/pub/f?x=%0d%0a%0d%0aGET%20/admin/f"),
    Technique("fragments", "{}",
              "#/admin/f #admin/f /#/admin/f /#/../admin/f /#/../config.inc /pub/x#/../../admin/f "
              "/pub/f#/../../config.inc "
              "/pub/#/../../admin/f /x#/../admin/f /x%23/../admin/f /x%23/../config.inc /x%2523/../admin/f "
              "/pub/f#?/../../admin/f "
              "/pub/f?#/../../admin/f /#?/../admin/f /pub/f#%2F..%2F..%2Fadmin%2Ff "
              "/pub/x#\\x5C..\\x5C..\\x5Cadmin\\x5Cf /;#/../admin/f"),
    Technique("absolute form", "{}/admin/f",
              "http://www.example.com HTTP://www.example.com Http://www.example.com https://www.example.com "
              "HTTPS://www.example.com "
              "ftp://www.example.com ws://www.example.com x://www.example.com http://www.example.com:80 "
              "http://www.example.com:8080 "
              "http://www.example.com:080 http://www.example.com: http://www.example.com. http://WWW.EXAMPLE.COM "
              "http://www.example.net "
              "http://u@www.example.com http://u:p@www.example.com http://www.example.net@www.example.com "
              "http://@www.example.com "
              "http:// http: http:/ http:/// //www.example.com / https: x: http://[::1] http://127.0.0.1 "
              "http://127.1 http://localhost "
              "www.example.com www.example.com:80 http://www.example.com/ http://www.example.com// "
              "http://www.example.com/. "
              "http://www.example.com/pub/.. http://www.example.com/%2e http://www.example.com;x "
              "http://www.example.com%2F "
              "http://www.example.com/; http://www.example.com/%3B http:\\x5C\\x5Cwww.example.com "
              "http://www.example.com\\x5C "
              "http://www.example.com? http://www.example.com# http://www.example.com?x=http:/ http://a%2Fb "
              "http://www.example.com%00 "
              "/http://www.example.com /http:/www.example.com/../.. http://www.example.com/http:/.."),
    Technique("no form", "{}",
              "* admin/f pub/../admin/f config.inc .admin/f *.inc */admin/f */../admin/f :/admin/f @/admin/f"),
    Technique("dots of names",
              "/config.inc{}/x /config.inc{}/ /pub{}/admin/f /{}admin/f /pub/{}admin/f /admin{}/f /pub/{}/f",
              ". .. ... .... .%20 %20. ~ ..~ ..x ..%21 .%2C. %20 x.. x. ..- ..%C2%A0"),
    # a proxy that forwards the decoded target ends it there
    Technique("spaces that end", "/config.inc{}",
              "%20x %20/x %20%20x %20HTTP/1.0 %20HTTP/1.1 %20HTTP/1.0%20x %20x?y %09x %0Bx %0Cx %C2%85x %1Cx"),
    Technique("white space", "{}admin/f /pub/f{}/admin/f /{}admin/f",
              "\\x20 \\x09 \\x0B \\x0C \\x20\\x20/ \\x20/ /\\x20/ \\x09/ %20 %09 %20/ \\xA0 %C2%A0"),
    Technique("requests in requests", "/pub/f{}GET{}/admin/f /pub/f{}GET{}/admin/f{}HTTP/1.1 /x{}{}GET{}/admin/f",
              "%20 %0a %0d%0a %0d %250d%250a %25%30%61 %E5%98%8A %c0%8a %u000a \\x0A \\x0D\\x0A \\x0D"),
    Technique("whole requests in requests", "/pub/f{}",
              "%20HTTP/1.1%0d%0aHost:%20www.example.com%0d%0a%0d%0aGET%20/admin/f%20HTTP/1.0%0d%0aX:%20x "
              "%20HTTP/1.1%0aHost:%20www.example.com%0a%0aGET%20/admin/f%20HTTP/1.0%0aX:%20x "
              "%20HTTP/1.0%0d%0a%0d%0aGET%20/admin/f%20HTTP/1.0%0d%0aX:%20x "
              "%20HTTP/1.1%0d%0aConnection:%20keep-alive%0d%0a%0d%0aGET%20/config.inc%20HTTP/1.1%0d%0aX:%20x "
              "%2520HTTP/1.1%250d%250aHost:%2520a%250d%250a%250d%250aGET%2520/admin/f%2520HTTP/1.0%250d%250aX:%2520x "
              "?%20HTTP/1.1%0d%0aHost:%20www.example.com%0d%0a%0d%0aGET%20/admin/f%20HTTP/1.0%0d%0aX:%20x "
              "\\x20HTTP/1.1\\x0D\\x0AHost:\\x20www.example.com\\x0D\\x0A\\x0D\\x0AGET\\x20/admin/f "
              "\\x20HTTP/1.1\\x0AHost:\\x20www.example.com\\x0A\\x0AGET\\x20/admin/f "
              "?x\\x20HTTP/1.1\\x0D\\x0AHost:\\x20www.example.com\\x0D\\x0A\\x0D\\x0AGET\\x20/admin/f "
              "\\x20HTTP/1.1\\x0D\\x0AX-Original-URL:\\x20/admin/f\\x0D\\x0AX:\\x20x "
              "%20HTTP/1.1%0d%0aX-Original-URL:%20/admin/f%0d%0aX:%20x"),
    # the octets that gateway accepts besides letters and digits, raw and as triplets if both are accepted
    Technique("octets", "/{}/admin/f /config.inc{}",
              "! $ & ' ( ) * + , - : = @ _ ~ %20 %21 %22 %24 %26 %27 %28 %29 %2A %2B %2C %3A %3C %3D %3E %40 %5B "
              "%5D %5E %60 %7B "
              "%7C %7D %C2%A0 %C3%A9 %E3%80%82 %EF%BC%8F %F0%9F%8E%89"),
    Technique("octets and dots", "/pub{}/../admin/f /pub/..{}/admin/f /pub/{}../admin/f /pub/.{}./admin/f",
              "! $ & ' ( ) * + , : = @ %20 %21 %2A %3A %5B %7C %C2%AD %E2%80%8B %EF%BB%BF"),
)
# A sample for short runs: every nth target of a technique.
QUICK = 5


def octets(text: str) -> bytes:
    return re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes.fromhex(m[1].decode()), text.encode("ascii"))


def made() -> Iterator[Target]:
    for technique in TECHNIQUES:
        for text in technique.texts():
            yield Target(technique.name, octets(text))


def rows() -> Iterator[Target]:
    """Returns the GET targets of the acceptance test, for the host of these requests."""
    for name in ROWS:
        for line in (ROOT / "tests/core/acceptance" / name).read_text("ascii").splitlines():
            if line.startswith("#"):
                continue
            method, host, target, *_ = line.split("\t")
            if method == "GET" and host == HOST and target:
                yield Target(name, octets(target))
                if target.endswith("admin"):
                    yield Target(name, octets(target + "/f"))


def once(targets: Iterable[Target]) -> list[Target]:
    """Returns each target once, with the first technique that makes it."""
    found: dict[bytes, Target] = {}
    for target in targets:
        found.setdefault(target.octets, target)
    return list(found.values())


def all_targets() -> list[Target]:
    return once(itertools.chain(made(), rows()))


def quick_targets() -> list[Target]:
    """Returns a sample of each technique, and every row of the tables."""
    return once(itertools.chain(itertools.islice(made(), 0, None, QUICK), rows()))


def urls(targets: Iterable[Target], origin: str = f"http://{HOST}") -> list[bytes]:
    """Returns whole URLs for clients. Targets in absolute form are left to servers and proxies."""
    return [origin.encode() + target.octets for target in targets if not re.match(rb"[a-zA-Z]+:", target.octets)]
