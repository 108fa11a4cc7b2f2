# SPDX-License-Identifier: Apache-2.0
"""A misbehaving reader, on records that contain { or from the start: bad_reader.py WAY [buffered]"""
from __future__ import annotations

import os
import signal
import sys
import time

from planted import answer

MARK = b"{"


def odd(way: str, line: str) -> str:
    """Returns what it prints for a record that triggers it."""
    if way == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "status":
        sys.exit(3)
    if way == "raise":
        raise LookupError("what a parser throws and nobody catches")
    if way == "hang":
        time.sleep(3600)
    if way == "close":
        os.close(1)
        time.sleep(3600)
    if way == "quit":
        sys.stdout.flush()
        os._exit(0)
    return {"silent": "", "twice": f"{line}\n{line}\n", "garbage": "accept\t-\thttp\t\\N\tex org\t\\N\t/\t\\N\t\\N\t80\n",
            "columns": "accept http ex.org\n", "prose": "DEBUG: parsing\n"}[way]


def main() -> None:
    way, buffered = sys.argv[1], sys.argv[2:] == ["buffered"]
    before = "reject\t-" + "\t\\N" * 8
    if way == "endless":
        while True:
            print("y" * 4000)
    for record in sys.stdin.buffer.read().removesuffix(b"\0").split(b"\0"):
        line = answer(record)
        if way == "late":           # answers the previous record
            line, before = before, line
        sys.stdout.write(odd(way, line) if MARK in record and way != "late" else f"{line}\n")
        if not buffered:
            sys.stdout.flush()


main()
