#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A reader for urivet to compare with others: make versus MINE=mine.py

Change read() so that it calls your parser; the rest reads records and writes answers.
"""
import sys
from urllib.parse import urlsplit


def read(url):
    """Returns scheme, userinfo, host, port, path, query, fragment: text, or None if absent. Any exception
    is a refusal."""
    parts = urlsplit(url)
    userinfo, at, _ = parts.netloc.rpartition("@")
    return (parts.scheme or None, userinfo if at else None, parts.hostname, parts.port, parts.path,
            parts.query or None, parts.fragment or None)


# ---- change nothing below

DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443, "ftp": 21}


def column(part):
    """Returns printable octets unchanged, others as \\xHH."""
    octets = b"\\N" if part is None else str(part).encode("utf-8", "surrogateescape")
    if part is None:
        return "\\N"
    return "".join(chr(o) if 0x21 <= o <= 0x7E and o != 0x5C else f"\\x{o:02X}" for o in octets)


def effective(scheme, port):
    if port is None or str(port) == "":
        return DEFAULT_PORTS.get((scheme or "").lower(), "\\N")
    return int(port) if str(port).isascii() and str(port).isdigit() and len(str(port)) < 20 and int(port) < 65536 else "\\N"


def answer(record):
    try:
        scheme, userinfo, host, port, path, query, fragment = read(record.decode("utf-8", "surrogateescape"))
    except Exception:
        return "reject\t-" + "\t\\N" * 8
    if host and host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    return "\t".join(["accept", "-", *map(column, (scheme, userinfo, host, port, path, query, fragment)),
                      str(effective(scheme, port))])


for record in sys.stdin.buffer.read().removesuffix(b"\0").split(b"\0"):
    print(answer(record), flush=True)
