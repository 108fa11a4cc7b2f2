#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the rules about whole URLs with a model of them, over random pairs of a rule and a URL.

    python3 tests/core/model/urls.py [--library build/liburivet.a] [--count 60000] [--seed 1]

The model splits rules and URLs at characters, compares names label by label from the right and paths segment
by segment, and asks gate.py, the model of the grammar, whether every reader reads the URL alike.  It shares
nothing with the core.  Exit status: 0 no difference, 1 differences, 2 nothing could be compared.
"""
from __future__ import annotations

import argparse
import ipaddress
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gate import DEFAULT_PORTS, judge

ROOT = Path(__file__).resolve().parents[3]
DANGEROUS = {"javascript", "file", "data", "jar", "intent", "gopher", "ms-settings", "ldap", "blob"}
KNOWN = {scheme.decode(): port for scheme, port in DEFAULT_PORTS.items()}
LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
PATH = re.compile(r"(/(?:[A-Za-z0-9._~!$&'()+,;=:@-]|%[0-9A-Fa-f]{2})*)*")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Rule:
    scheme: str
    host: tuple[str, ...] | Address | None      # labels from the right, an address, or no authority
    scope: str                                  # "tree", "below", "host"
    port: int | str | None
    path: str
    exact: bool


def address_of(text: str) -> Address | None:
    """Parses an address in a rule or a URL: dotted decimal, or an IPv6 address in brackets."""
    try:
        if text.startswith("[") and text.endswith("]") and "%" not in text:
            return ipaddress.IPv6Address(text[1:-1])
        return ipaddress.IPv4Address(text)
    except ValueError:
        return None


def labels_of(text: str) -> tuple[str, ...] | None:
    labels = text.split(".")
    if len(text) > 253 or not all(LABEL.fullmatch(label) for label in labels) or NUMBER.fullmatch(labels[-1]):
        return None
    return tuple(label.lower() for label in reversed(labels))


def port_of(text: str) -> int | None:
    if not text.isascii() or not text.isdigit() or text.startswith("0") or len(text) > 5 or int(text) > 65535:
        return None
    return int(text)


def read_path(text: str) -> tuple[str, bool] | None:
    """Returns the path of a rule, and whether the rule covers only that path."""
    exact = text.endswith("$")
    path = text[:-1] if exact else text
    segments = path.split("/")[1:]
    if not PATH.fullmatch(path) or "" in segments[:-1]:
        return None
    if any(re.sub("(?i)%2e", ".", segment) in (".", "..") for segment in segments):
        return None
    return path, exact


def split_host(authority: str) -> tuple[str, str | None]:
    """Splits an authority into the host and the text after its colon."""
    bracket = authority.rfind("]") if authority.startswith("[") else 0
    colon = authority.find(":", bracket)
    return (authority, None) if colon < 0 else (authority[:colon], authority[colon + 1:])


def read_authority(scheme: str, authority: str, path: tuple[str, bool]) -> Rule | None:
    host, after = split_host(authority)
    scope, name = "host", host
    if host.startswith("*."):
        scope, name = "below", host[2:]
    elif host.startswith("."):
        scope, name = "tree", host[1:]
    what: tuple[str, ...] | Address | None = address_of(host) or labels_of(name)
    if what is None:
        return None
    port: int | str | None = KNOWN.get(scheme)
    if after == "*":
        own = what.is_loopback if not isinstance(what, tuple) else (what == ("localhost",) and scope == "host")
        port = "any" if own else None
        if not own:
            return None
    elif after is not None:
        port = port_of(after)
        if port is None:
            return None
    return Rule(scheme, what, scope, port, *path)


def read_rule(text: str) -> Rule | None:
    scheme, colon, rest = text.partition(":")
    if not colon or not re.fullmatch(r"[a-z][a-z0-9+.-]*", scheme) or scheme in DANGEROUS:
        return None
    if not rest.startswith("//"):
        path = read_path(rest)
        if scheme in KNOWN or not rest.startswith("/") or path is None:
            return None
        return Rule(scheme, None, "host", None, *path)
    authority, slash, tail = rest[2:].partition("/")
    path = read_path(slash + tail)
    if "." in scheme or path is None:
        return None
    return read_authority(scheme, authority, path)


@dataclass(frozen=True)
class Url:
    scheme: str
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def read_url(text: str) -> Url | None:
    """Splits by RFC 3986, appendix B."""
    match = re.fullmatch(r"([^:/?#]+):(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", text, re.DOTALL)
    return Url(*match.groups()) if match else None


def reads_alike(url: Url, host: str | None) -> bool:
    """Returns true if the model of the grammar accepts scheme and path. Another scheme replaces one that the
    model does not know, whose dot is handled here, and a sample host replaces the host, which covers_host()
    checks."""
    scheme = url.scheme if url.scheme in KNOWN else "x-foo"
    if "." in url.scheme and url.authority is not None and url.scheme not in KNOWN:
        return False
    other = "[2001:db8::1]" if host is not None and host.startswith("[") else "h.example"
    text = scheme + ":" + ("" if host is None else "//" + other) + url.path
    return judge(text.encode("latin-1"), "any").accept


def covers_host(rule: Rule, host: str) -> bool:
    address = address_of(host)
    if address is not None:
        return rule.host == address and str(address).lower() == host.strip("[]").lower()
    if not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", host):
        return False
    labels = tuple(label.lower() for label in reversed(host.split(".")))
    if not isinstance(rule.host, tuple) or labels[:len(rule.host)] != rule.host:
        return False
    below = len(labels) > len(rule.host)
    return rule.scope == "tree" or (rule.scope == "below") == below


def covers_port(rule: Rule, after: str | None, default: int | None) -> bool:
    port = default if after is None else port_of(after)
    if port is None and after is not None:
        return False
    return port is not None if rule.port == "any" else rule.port == port


def covers_path(rule: Rule, url: Url) -> bool:
    if rule.exact:
        return url.path == rule.path and url.query is None and url.fragment is None
    if rule.path in ("", "/"):
        return url.authority is not None or url.path.startswith("/")
    mine, others = rule.path.split("/"), url.path.split("/")
    if mine[-1] == "":
        return others[:len(mine) - 1] == mine[:-1] and len(others) >= len(mine)
    return others[:len(mine)] == mine


def covers(rule: Rule, text: str) -> bool:
    url = read_url(text)
    if url is None or url.scheme != rule.scheme:
        return False
    if url.authority is None:
        return rule.host is None and reads_alike(url, None) and url.path.startswith("/") and covers_path(rule, url)
    host, after = split_host(url.authority)
    tail = url.query is not None or url.fragment is not None
    if rule.host is None or "@" in url.authority or (tail and url.path == ""):
        return False
    return (reads_alike(url, host) and covers_host(rule, host) and covers_path(rule, url)
            and covers_port(rule, after, KNOWN.get(url.scheme)))


# ---- Pairs ----

SCHEMES = ["https"] * 6 + ["http"] * 4 + ["ws", "ftp", "myapp", "com.example.app", "file", "HTTPS", "javascript", ""]
NAMES = ["example.com", "a.example.com", "tenants.example.net", "localhost", "x_y.example.org", "Example.COM", "b"]
HOSTS = ["127.0.0.1", "127.1.2.3", "10.0.0.1", "[::1]", "[2001:db8::1]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]",
         "127.1", "0x7f.0.0.1", "[::2]", "a..b", "b.", "u@example.com", "ex%61mple.com", "", "-a.example.com", "1.2"]
PORTS = [""] * 8 + [":443", ":80", ":8443", ":6379", ":0", ":65535", ":65536", ":08443", ":", ":x", ":1"]
PIECES = ["cb", "oauth", "a", "x1", "cb", "%41", "%2F", ".", "..", "%2e%2E", "..;", "a;b", "", "$", "a$", "b*", "a b",
          "a%", "c\\d", ":", "@", "~", "CB", "...", "%2e."]
TAILS = [""] * 6 + ["?x=1", "?", "#f", "#", "?a=/../b", "?a#b"]


def random_path(dice: random.Random, most: int) -> str:
    if dice.random() < 0.15:
        return ""
    few = PIECES[:6] if dice.random() < 0.9 else PIECES
    path = "".join("/" + dice.choice(few) for _ in range(dice.randint(0, most)))
    return path + "/" if path == "" or dice.random() < 0.3 else path


def random_rule(dice: random.Random) -> str:
    scheme = dice.choice(SCHEMES)
    path = random_path(dice, 2) + ("$" if dice.random() < 0.15 else "")
    if scheme in ("com.example.app", "myapp") and dice.random() < 0.6:
        return scheme + ":" + path
    host = dice.choice(NAMES) if dice.random() < 0.8 else dice.choice(HOSTS)
    if dice.random() < 0.4 and host not in HOSTS:
        host = dice.choice(["*.", ".", "*", ".."] if dice.random() < 0.1 else ["*.", "."]) + host
    own = host == "localhost" or host in HOSTS[:7]
    port = ":*" if dice.random() < (0.4 if own else 0.03) else dice.choice(PORTS if dice.random() < 0.5 else PORTS[:12])
    return scheme + "://" + host + port + path


def random_url(dice: random.Random, rule: str) -> str:
    """Returns a URL, usually similar to the rule, with some components changed."""
    scheme, _, rest = rule.partition(":")
    authority, slash, tail = rest[2:].partition("/") if rest.startswith("//") else ("", "", "")
    path = slash + tail if rest.startswith("//") else rest
    host, after = split_host(authority)
    name = host.removeprefix("*").removeprefix(".")
    if dice.random() < 0.6:
        name = dice.choice(["x.", "x.", "x.y.", "x", "X.", "x-."]) + name       # x.NAME and xNAME, else NAME
    if dice.random() < 0.1:
        name = dice.choice(HOSTS + NAMES)
    elif dice.random() < 0.5 and address_of(host) is not None:
        name = host
    if after == "*":
        after = str(dice.choice([1, 80, 3000, 6000, 65535, 65536, 0])) if dice.random() < 0.8 else None
    elif dice.random() < 0.15:
        after = dice.choice(PORTS)[1:]
    path = path.removesuffix("$")
    change = dice.random()
    if change < 0.3:
        path += dice.choice(["/", "x", "/x", "/..", ";", "/a/b", "%2e", "?", "/%2e%2e/", "/."])
    elif change < 0.4:
        path = random_path(dice, 3)
    scheme = dice.choice(SCHEMES) if dice.random() < 0.06 else scheme
    if not rest.startswith("//") and dice.random() < 0.9:
        return scheme + ":" + path + dice.choice(TAILS)
    port = "" if after is None else ":" + after
    return scheme + ":" + ("//" if dice.random() < 0.97 else "/") + name + port + path + dice.choice(TAILS)


def told(library: str, pairs: list[tuple[str, str]]) -> list[str]:
    """Returns the library's answer for each pair."""
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/tell_urls"
        subprocess.run(["cc", "-O1", "-std=c11", f"-I{ROOT}/include", str(Path(__file__).with_name("tell_urls.c")),
                        library, "-o", program], check=True)
        lines = "".join(f"{rule}\t{url}\n" for rule, url in pairs)
        done = subprocess.run([program], input=lines, stdout=subprocess.PIPE, encoding="latin-1", check=True)
    return done.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default=str(ROOT / "build/liburivet.a"))
    parser.add_argument("--count", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    rules = [random_rule(dice) for _ in range(options.count)]
    pairs = [(rule, random_url(dice, rule)) for rule in rules]
    answers = told(options.library, pairs)
    counts = {"none": 0, "covered": 0, "not": 0}
    differences = 0
    for (text, url), answer in zip(pairs, answers, strict=True):
        rule = read_rule(text)
        expected = "none" if rule is None else "covered" if covers(rule, url) else "not"
        counts[expected] += 1
        if answer.split(" ")[0] != expected or answer == "not accept":
            differences += 1
            if differences <= 20:
                print(f"{text}  {url}: the model says {expected}, the library {answer}")
    print(f"urls: {options.count} pairs: {counts['covered']} covered, {counts['not']} not, {counts['none']} no rules; "
          f"{differences} differences")
    if min(counts.values()) < options.count // 10:
        return 2
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
