# SPDX-License-Identifier: Apache-2.0
"""Readers with bugs that parsers have had, and one without: the report must name the bugs, and nothing
else.

    planted.py [BUG...]     as a program
"""
from __future__ import annotations

import ipaddress
import re
import sys
from urllib.parse import unquote

EXPRESSION = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.S)
QUERY_FIRST = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?]*)(?:\?([^#]*))?(?:#(.*))?", re.S)
LEGAL = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#\[\]-]|%[0-9A-Fa-f]{2})*")
NAME = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=-])*")
DEFAULT_PORTS = {"http": "80", "ws": "80", "https": "443", "wss": "443", "ftp": "21"}

# A bug: the findings of which one must name it. For accepted input: the feature and the component that
# must name it.
NAMED = {
    "last-at": ("@ in the path",),
    "first-at": ("userinfo-multiple-at",),
    "backslash-is-slash": ("backslash-authority", "raw-backslash"),
    "port-wraps": ("port-overflow",),
    "octal": ("ipv4-octal",),
    "tabs-removed": ("raw-tab",),
    "case-not-folded": ("scheme-case",),
    "query-first": ("? in the fragment",),
    "host-decoded": ("host-percent-encoded",),
    "plus-is-space": ("+ in the query",),
    "colon-first": ("an IPv6 address", ": in the path"),
    "no-port": ("port-nondefault",),
    "no-ipv6": ("an IPv6 address",),
    "semicolon-cuts": ("; in the path",),
    "zone-dropped": ("ipv6-zone",),
}


def host_and_port(rest: str, bug: str) -> tuple[str, str | None]:
    if "colon-first" in bug:
        host, colon, port = rest.partition(":")
        return host, port if colon else None
    found = re.fullmatch(r"(\[[^\[\]]*\]|[^:]*)(?::([0-9]*))?", rest)
    if found is None:
        raise ValueError("no host and port")
    return found[1], found[2]


def checked_host(host: str, bug: str) -> str:
    if host.startswith("[") and "colon-first" not in bug:
        if "no-ipv6" in bug:
            raise ValueError("not IPv4")
        address, percent, zone = host[1:-1].partition("%")
        ipaddress.IPv6Address(address)
        return address if "zone-dropped" in bug else address + percent + zone
    if "host-decoded" in bug:
        return unquote(host)
    if "octal" in bug and re.fullmatch(r"[0-9]+(\.[0-9]+){3}", host):
        return ".".join(str(int(part, 8 if part.startswith("0") and part != "0" else 10)) for part in host.split("."))
    if not NAME.fullmatch(host) and not {"first-at", "colon-first"} & set(bug.split(",")):
        raise ValueError("no name")
    return host


def read(url: str, bug: str = "") -> tuple[str | None, ...]:
    """Returns scheme, userinfo, host, port, path, query, fragment. Raises ValueError for what RFC 3986
    does not allow."""
    if "tabs-removed" in bug:
        url = re.sub(r"[\t\r\n]", "", url)
    if "backslash-is-slash" in bug:
        url = url.replace("\\", "/")
    if not LEGAL.fullmatch(url):
        raise ValueError("octets")
    scheme, authority, path, query, fragment = (
        QUERY_FIRST if "query-first" in bug and "?" in url else EXPRESSION).fullmatch(url).groups()
    if not scheme or authority is None:
        raise ValueError("no authority")
    if "last-at" in bug and "@" in path:
        authority, slash, path = path.rpartition("@")[2].partition("/")
        path = slash + path
    userinfo, at, rest = authority.partition("@") if "first-at" in bug and "@" in authority else authority.rpartition("@")
    host, port = host_and_port(rest, bug)
    if "@" in userinfo:
        raise ValueError("userinfo")
    if port and int(port) > 65535:
        if "port-wraps" not in bug:
            raise ValueError("port")
        port = str(int(port) % 65536)
    if "plus-is-space" in bug:
        query = query.replace("+", "%20") if query else query
    if "rare-octet" in bug:
        path = path.partition("%F7")[0]
    if "semicolon-cuts" in bug:
        path = path.partition(";")[0]
    return (scheme, userinfo if at else None, checked_host(host, bug), None if "no-port" in bug else port, path, query,
            fragment)


def column(text: str | None) -> str:
    if text is None:
        return "\\N"
    octets = text.encode("utf-8", "surrogateescape")
    return "".join(chr(o) if 0x21 <= o <= 0x7E and o != 0x5C else f"\\x{o:02X}" for o in octets)


def answer(record: bytes, bug: str = "") -> str:
    """Returns the line of such a reader; any exception is a refusal."""
    try:
        scheme, userinfo, host, port, path, query, fragment = read(record.decode("utf-8", "surrogateescape"), bug)
    except ValueError:
        return "reject\t-" + "\t\\N" * 8
    known = scheme if "case-not-folded" in bug else scheme.lower()
    effective = str(int(port)) if port and port.isdigit() and len(port) < 6 else DEFAULT_PORTS.get(known, "\\N") if not port else "\\N"
    return "\t".join(["accept", "-", *map(column, (scheme, userinfo, host, port, path, query, fragment)), effective])


if __name__ == "__main__":
    for record in sys.stdin.buffer.read().removesuffix(b"\0").split(b"\0"):
        print(answer(record, ",".join(sys.argv[1:])), flush=True)
