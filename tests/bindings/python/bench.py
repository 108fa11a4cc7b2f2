# SPDX-License-Identifier: Apache-2.0
"""Nanoseconds of a call on 1,000 distinct URLs, beside the parser of the language: the least of nine runs, over that
of a function that does nothing."""
from __future__ import annotations

import gc
import time
import urllib.parse

import urivet

URLS = [f"https://www{k % 97}.example.com/{'segment/' * (k % 5)}item-{k}.html" + (f"?id={k}&page=2" if k % 3 else "")
        for k in range(1000)]
LINES = "\n".join(URLS).encode()


def nothing(_: object) -> None:
    pass


def least(call, rows: int) -> float:  # noqa: ANN001
    """Nanoseconds a row."""
    times = []
    for _ in range(9):
        start = time.perf_counter_ns()
        for _ in range(20):
            call()
        times.append((time.perf_counter_ns() - start) / 20 / rows)
    return min(times)


def each(function):  # noqa: ANN001, ANN201
    def call() -> None:
        for url in URLS:
            function(url)

    return call


def main() -> None:
    gc.disable()
    empty = least(each(len), len(URLS))  # built in, as ours are
    rows = [("an empty call", empty, False)]
    for name, function in (("urivet.ok", urivet.ok), ("PUBLIC.ok", urivet.PUBLIC.ok), ("urivet.check", urivet.check),
                           ("PUBLIC.check", urivet.PUBLIC.check), ("urllib.parse.urlsplit", urllib.parse.urlsplit)):
        urllib.parse.clear_cache()
        if function is urllib.parse.urlsplit:
            def function(url: str) -> None:
                urllib.parse.clear_cache()
                urllib.parse.urlsplit(url)
        rows.append((name, least(each(function), len(URLS)), True))
    for name, call in (("check_many, a list", lambda: urivet.check_many(URLS)),
                       ("check_many, lines", lambda: urivet.check_many(LINES)),
                       ("PUBLIC.check_many, lines", lambda: urivet.PUBLIC.check_many(LINES))):
        rows.append((name, least(call, len(URLS)), False))
    for name, time_, over in rows:
        print(f"{name:<26}{time_:7.0f} ns{f', {time_ - empty:.0f} over an empty call' if over else ''}")


if __name__ == "__main__":
    main()
