#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of the nginx module: user instructions a request, counted by callgrind, with one worker
and a static file.

    python3 tests/gateway/cost.py

Each row is the difference of two runs, which cancels start and end; the ratio is to nginx without the module.
Requests use one keep-alive connection.
"""
from __future__ import annotations

import re
import signal
import sys
import time

import gateway
import nginx

FEW, MANY = 200, 1200
GUARDED = "urivet enforce; urivet_param url next; urivet_header X-Callback;"
HOSTILE = "/" + "a%2F;" * 1500
# what is measured: the server's directives, the target, further fields, the highest cost allowed (None: no
# limit)
ROWS = {
    "without the module": ("", "/f.html", "", None),
    "loaded, off": ("urivet off;", "/f.html", "", 1.01),
    "target and Host": ("urivet enforce;", "/f.html", "", 1.05),
    "refused": ("urivet enforce;", "/f%2Fhtml", "", None),
    "two parameters and a header": (GUARDED, "/f.html?url=https://example.org/a&next=/b", "X-Callback: https://example.org/hook\r\n", 1.25),
    "the same, off": ("urivet off;", "/f.html?url=https://example.org/a&next=/b", "X-Callback: https://example.org/hook\r\n", None),
    "8 kB, refused": ("urivet enforce;", HOSTILE, "", None),
    "8 kB, off": ("urivet off;", HOSTILE, "", None),
    "a parameter refused": (GUARDED, "/f.html?url=http://127.0.0.1/&next=/b", "", None),
}


def instructions(server: str, target: str, fields: str, count: int, module: bool) -> int:
    """Returns the instructions that nginx needs for this many requests."""
    with gateway.folder() as folder:
        (folder / "www").mkdir()
        (folder / "www" / "f.html").write_text("a static file\n" * 20)
        one = nginx.Nginx(folder, 1, f"{server} root {folder}/www; keepalive_requests 100000; access_log off; error_log /dev/null emerg;",
                          main="master_process off;")
        if not module:
            one.configure(one.server, main="master_process off;", module=False)
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *one.command()]
        program = gateway.Program(*command, log=folder / "valgrind.log")
        try:
            gateway.until("nginx listens", lambda: gateway.listens(one.port), 60)
            request = f"GET {target} HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: cost\r\nAccept: */*\r\n{fields}\r\n".encode()
            with gateway.connected(one.port) as connection:
                connection.settimeout(60)
                for _ in range(count):
                    answer = exchange(connection, request)
                    if answer is None:      # nginx closes after a refusal
                        connection.close()
                        connection = gateway.connected(one.port)
        finally:
            program.signal(signal.SIGTERM)
            time.sleep(0.3)
            gateway.listens(one.port)       # nginx may have gone to sleep just before the signal came
            program.end()
        told = (folder / "valgrind.log").read_text(errors="replace")
        found = re.search(r"Collected : (\d+)", told)
        if found is None:
            sys.exit(f"callgrind counted nothing:\n{told[-2000:]}{one.errors()}{program.process.returncode}")
        return int(found[1])


def exchange(connection, request: bytes) -> bytes | None:
    connection.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        some = connection.recv(65536)
        if not some:
            return None
        answer += some
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"Content-Length: (\d+)", head)[1])
    while len(body) < length:
        body += connection.recv(65536)
    return None if b"Connection: close" in head else body


def main() -> None:
    base: dict[str, float] = {}
    failed = False
    for name, (server, target, fields, limit) in ROWS.items():
        few, many = (instructions(server, target, fields, count, bool(server)) for count in (FEW, MANY))
        base[name] = (many - few) / (MANY - FEW)
    for name, (*_, limit) in ROWS.items():
        to = "the same, off" if "parameter" in name else "8 kB, off" if "8 kB" in name else "without the module"
        ratio = base[name] / base[to]
        bad = limit is not None and ratio > limit
        failed |= bad
        print(f"{name:30} {base[name]:9.0f} instructions a request  {ratio:5.3f} of {to}{'  TOO MUCH' if bad else ''}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
