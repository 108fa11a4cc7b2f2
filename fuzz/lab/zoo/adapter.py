# SPDX-License-Identifier: Apache-2.0
"""Common code of the Python readers: reads records, writes one line of columns for each."""
from __future__ import annotations

import sys
from collections.abc import Callable

REFUSED = "\t".join(["reject", "-", *["\\N"] * 8])
DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443, "ftp": 21}
# scheme, userinfo, host, port, path, query, fragment: None if absent
Reading = tuple[str | None, ...]


def escaped(text: str | None) -> str:
    if text is None:
        return "\\N"
    if text.isascii() and text.isprintable() and " " not in text and "\\" not in text:
        return text
    try:
        octets = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:      # a surrogate from the reader
        octets = text.encode("utf-8", "surrogatepass")
    return "".join(chr(b) if 0x21 <= b <= 0x7E and b != 0x5C else f"\\x{b:02X}" for b in octets)


def effective_port(scheme: str | None, port: str | None) -> str:
    if not port:
        return str(DEFAULT_PORTS.get((scheme or "").lower(), "\\N"))
    return str(int(port)) if port.isascii() and port.isdigit() and len(port) < 20 and int(port) <= 65535 else "\\N"


def line(reading: Reading) -> str:
    scheme, userinfo, host, port, *tail = reading
    if host and host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    columns = (scheme, userinfo, host, port, *tail)
    return "\t".join(["accept", "-", *map(escaped, columns), effective_port(scheme, port)])


def serve(version: str, read: Callable[[str], Reading]) -> None:
    """Answers each record; any exception of a reader is a refusal."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    records = sys.stdin.buffer.read().split(b"\0")
    if records[-1] == b"":
        records.pop()
    lines = []
    for record in records:
        try:
            lines.append(line(read(record.decode("utf-8", "surrogateescape"))))
        except Exception:
            lines.append(REFUSED)
    sys.stdout.write("".join(f"{text}\n" for text in lines))
