#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the example `fetch` never connects to anything that the policy does not allow.

    python3 tests/core/connect/connect.py --fetch build/fetch --unguarded build/fetch_unguarded

Names that were harmless when they were judged lead to this machine when they are connected to (--resolve stands for
the DNS).  "Inside" is a listener on 127.0.0.1 and ::1, "outside" one on 127.0.0.2, which the policy allows
and which may redirect.  What counts is whether inside saw so much as a connection.  The same program built without
the guard (the callback, and that there is no proxy) shows where it would: there the guard alone stands in the way.
Exit status: 0 as expected, 1 not, 77 nothing could be tested.
"""
from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

TIME_LIMIT = 60


class Listener:
    """Counts connections and answers each request with a fixed text."""

    def __init__(self, address: str, port: int = 0) -> None:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        self.socket.bind((address, port))
        self.socket.listen(64)
        self.address, self.port = address, self.socket.getsockname()[1]
        self.answer = b""
        self.heads: list[bytes] = []
        self.connections = 0
        self.seen = threading.Semaphore(0)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            connection, _ = self.socket.accept()
            with connection:
                connection.settimeout(TIME_LIMIT)
                head = b""
                while b"\r\n\r\n" not in head and (more := connection.recv(65536)):
                    head += more
                if head == b"sentinel\r\n\r\n":
                    self.seen.release()
                    continue
                self.connections += 1
                self.heads.append(head)
                connection.sendall(self.answer)

    def count(self) -> int:
        """Returns the number of connections so far; its own connection comes last, after all that are queued."""
        with socket.create_connection((self.address, self.port), TIME_LIMIT) as own:
            own.sendall(b"sentinel\r\n\r\n")
            if not self.seen.acquire(timeout=TIME_LIMIT):
                raise TimeoutError("the listener does not answer")
        return self.connections


def answer(status: str, *fields: str, body: str = "ok") -> bytes:
    lines = [f"HTTP/1.1 {status}", *fields, f"Content-Length: {len(body)}", "Connection: close", "", body]
    return "\r\n".join(lines).encode("latin-1")


@dataclass
class Case:
    name: str
    url: str
    word: str                           # on standard output
    inside: int = 0                     # connections to "inside" that are allowed
    outside: int = 0
    without: int = 0                    # connections to "inside" without the guard
    resolve: tuple[str, ...] = ()
    location: tuple[str, ...] = ()      # targets of redirects by "outside"
    environment: dict[str, str] = field(default_factory=dict)
    says: str = ""                      # on standard error


def cases(port: int, other: int, ipv6: bool) -> list[Case]:
    """Returns the cases. `port` is that of both listeners, and allowed; `other` is a port of "inside" that is
    not allowed."""
    outside = f"out.example.com:{port}:127.0.0.2"
    to_inside, to_outside = f"http://in.example.com:{port}/", f"http://out.example.com:{port}/"
    rebound = f"in.example.com:{port}:127.0.0.1"
    found = [
        Case("an allowed address", to_outside, "accepted", outside=1, resolve=(outside,)),
        Case("a name rebound to loopback", to_inside, "not-allowed", without=1, resolve=(rebound,),
             says="addr-loopback"),
        Case("a private address first, then an allowed one", to_inside, "accepted", outside=1, without=1,
             resolve=(f"in.example.com:{port}:127.0.0.1,127.0.0.2",), says="addr-loopback"),
        Case("an allowed address where no server listens, then a private one", to_inside, "not-allowed", without=1,
             resolve=(f"in.example.com:{port}:127.0.0.3,127.0.0.1",), says="addr-loopback"),
        Case("the unspecified address", to_inside, "not-allowed", without=1,
             resolve=(f"in.example.com:{port}:0.0.0.0",), says="addr-this-network"),
        Case("a port that is not allowed", f"http://in.example.com:{other}/", "not-allowed",
             resolve=(f"in.example.com:{other}:127.0.0.1",), says="port-nondefault"),
        Case("a name that a search list leads inside", f"http://kubernetes.default:{port}/", "not-allowed",
             resolve=(f"kubernetes.default:{port}:127.0.0.1",), says="host-unknown-tld"),
        Case("one that ends like a public name", f"http://api.dev:{port}/", "not-allowed", without=1,
             resolve=(f"api.dev:{port}:127.0.0.1",), says="addr-loopback"),
        Case("a name of loopback", f"http://localhost:{port}/", "not-allowed", says="host-localhost-name"),
        Case("an address of loopback", f"http://127.0.0.1:{port}/", "not-allowed", says="addr-loopback"),
        Case("an odd spelling of it", f"http://0x7f.1:{port}/", "unclear", says="ipv4-hex"),
        Case("a proxy in the environment", to_outside, "accepted", outside=1, without=1, resolve=(outside,),
             environment={name: f"http://127.0.0.1:{other}" for name in ("http_proxy", "all_proxy", "ALL_PROXY")}),
    ]
    refused = {
        "a name that a search list leads inside": f"http://kubernetes.default:{port}/",
        "a private address": f"http://127.0.0.1:{port}/",
        "a metadata service": "http://169.254.169.254/latest/meta-data/",
        "a name of this machine": f"http://localhost:{port}/",
        "another scheme": "file:///etc/passwd",
        "a text protocol": f"gopher://127.0.0.1:{port}/_",
        "another port": f"http://out.example.com:{other}/",
        "an address, by network-path reference": f"//127.0.0.1:{port}/",
        "userinfo": f"http://out.example.com@127.0.0.1:{port}/",
        "a backslash": f"/\\127.0.0.1:{port}/",
        "a short address": f"http://127.1:{port}/",
        "a broken URL": "http://[::1/",
    }
    for name, location in refused.items():
        found.append(Case(f"redirected to {name}", to_outside, "not-allowed", outside=1, resolve=(outside,),
                          location=(location,), says="redirect: refused"))
    found += [
        Case("redirected to a name that leads inside", to_outside, "not-allowed", outside=1, without=1,
             resolve=(outside, rebound), location=(to_inside,), says="addr-loopback"),
        Case("redirected with two locations", to_outside, "not-allowed", outside=1, resolve=(outside,),
             location=("/a", to_inside)),
        Case("redirected for ever", to_outside, "not-allowed", outside=6, resolve=(outside,), location=("/again",)),
    ]
    if ipv6:
        found += [
            Case("a name rebound to ::1", to_inside, "not-allowed", without=1,
                 resolve=(f"in.example.com:{port}:[::1]",), says="addr6-loopback"),
            Case("a mapped address", to_inside, "not-allowed", without=1,
                 resolve=(f"in.example.com:{port}:[::ffff:127.0.0.1]",), says="addr-loopback"),
            Case("::1 beside an allowed address", to_inside, "accepted", outside=1, without=1,
                 resolve=(f"in.example.com:{port}:[::1],127.0.0.2",), says="addr6-loopback"),
        ]
    return found


class Stage:
    def __init__(self) -> None:
        self.outside = Listener("127.0.0.2")
        self.port = self.outside.port
        self.inside = [Listener("127.0.0.1", self.port), Listener("127.0.0.1")]
        self.other = self.inside[1].port
        try:
            self.inside.append(Listener("::1", self.port))
            self.ipv6 = True
        except OSError:
            self.ipv6 = False
        self.home = tempfile.TemporaryDirectory(prefix="urivet-connect-")
        Path(self.home.name, ".netrc").write_text("machine out.example.com login a password b\n", encoding="ascii")
        for listener in self.inside:
            listener.answer = answer("200 OK")

    def play(self, program: str, case: Case) -> tuple[str, int, int, str]:
        """Returns standard output, the connections inside and outside, and standard error."""
        fields = [f"Location: {location}" for location in case.location]
        self.outside.answer = answer("302 Found" if fields else "200 OK", *fields)
        before = sum(listener.count() for listener in self.inside), self.outside.count()
        command = [program, "--allow=127.0.0.2/31", f"--port={self.port}",
                   *(f"--resolve={entry}" for entry in case.resolve), case.url]
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False,
                              env=environment | {"HOME": self.home.name} | case.environment)
        inside = sum(listener.count() for listener in self.inside) - before[0]
        return done.stdout.strip(), inside, self.outside.count() - before[1], done.stderr


def make_stage() -> Stage | None:
    try:
        return Stage()
    except OSError:         # the port is taken on one of them
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Test that fetch connects to nothing that is not allowed.")
    parser.add_argument("--fetch", required=True)
    parser.add_argument("--unguarded", required=True, help="the same, built without the callback")
    args = parser.parse_args()
    stage = next(filter(None, (make_stage() for _ in range(5))), None)
    if stage is None:
        print("connect: skipped, nothing can listen on one port of 127.0.0.1 and 127.0.0.2")
        return 77
    failures = guarded = leaks = 0
    played = cases(stage.port, stage.other, stage.ipv6)
    print(f"{'inside saw: guarded':20}{'unguarded':11}case")
    for case in played:
        word, inside, outside, log = stage.play(args.fetch, case)
        _, without, _, _ = stage.play(args.unguarded, case)
        good = (word, inside, outside, without) == (case.word, case.inside, case.outside, case.without)
        good = good and case.says in log and bool(log)
        print(f"{inside:19} {without:10} {case.name}: {word}{'' if good else '   NOT AS EXPECTED'}")
        if not good:
            print(f"    expected {case}\n    {(word, inside, outside, without)} {log}")
        failures += not good
        guarded += inside
        leaks += without
    heads = [head.lower() for listener in (*stage.inside, stage.outside) for head in listener.heads]
    if any(b"\r\nauthorization:" in head or b"\r\ncookie:" in head for head in heads):
        print("credentials were sent")
        failures += 1
    print(f"connect: {len(played)} cases, {guarded} connections inside, without the guard {leaks}; "
          f"{'' if stage.ipv6 else 'no IPv6 here; '}{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
