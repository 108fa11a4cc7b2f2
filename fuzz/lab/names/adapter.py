# SPDX-License-Identifier: Apache-2.0
"""What the Python readers of names share: NUL-terminated hosts in, a line each out."""
from __future__ import annotations

import sys
from collections.abc import Callable


def escaped(text: str) -> str:
    octets = text.encode("utf-8", "surrogatepass")
    return "".join(chr(b) if 0x21 < b <= 0x7E and b != 0x5C else f"\\x{b:02X}" for b in octets)


def told(translate: Callable[[str], str], host: str) -> str:
    """Whatever a reader raises is a refusal."""
    try:
        return escaped(translate(host))
    except Exception:
        return "!"


def serve(version: str, translate: Callable[[str], str]) -> None:
    if sys.argv[-1] == "--version":
        print(version)
        return
    hosts = sys.stdin.buffer.read().decode("utf-8", "surrogatepass").split("\0")[:-1]
    sys.stdout.write("".join(f"{told(translate, host)}\n" for host in hosts))
