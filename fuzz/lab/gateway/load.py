#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads gateways, to measure the cost of the guard and to check that nothing passes unjudged during faults.

    python3 fuzz/lab/gateway/load.py [--requests=N] [--swaps=N] [--tsv=FILE]

Each server of src/gateway/examples runs with its guard and without, in turns, so that both sides of a ratio
are measured in the same minute. A fifth of the requests must be refused. The backend, another nginx, logs
each target that must not arrive; without a guard they do arrive. Needs wrk and the servers; missing ones are
named.
"""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3] / "tests/gateway"))

import gateway  # noqa: E402
import nginx    # noqa: E402
import servers  # noqa: E402

CONNECTIONS = 16
ROUNDS = 3          # minimum; each takes a second
KINDS = (servers.NginxModule, servers.NginxAsks, servers.Caddy, servers.Haproxy)
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")

BACKEND = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 1000000; keepalive_timeout 600s;
    {temporary}
    log_format target '$request_uri';
    map $request_uri $poison {{ default 0; "~*(%2f|%2e|%61|//)" 1; }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        merge_slashes off;
        access_log {folder}/arrived target if=$poison;
        location / {{ return 200 "the secret"; }}
    }}
}}
"""


class Backend:
    """A fast backend that logs the targets that must not arrive."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, gateway.free_port()
        path = folder / "backend.conf"
        path.write_text(BACKEND.format(folder=folder, port=self.port, temporary=nginx.temporary(folder)))
        self.program = gateway.Program(nginx.NGINX, "-p", folder, "-e", folder / "error.log", "-c", path, log=folder / "out.log")
        gateway.until("the backend listens", lambda: gateway.listens(self.port))

    def arrived(self) -> int:
        """Returns how many forbidden targets arrived since the last call."""
        path = self.folder / "arrived"
        count = path.read_bytes().count(b"\n") if path.exists() else 0
        if count:
            os.truncate(path, 0)
        return count


def requests(server: servers.Server) -> bytes:
    """Returns a thousand targets, every fifth of which must be refused; each request ends in NUL."""
    def target(number: int) -> str:
        bad = (f"/a%2Fb{number}", f"/x/%2e%2e/{number}", f"//evil.example/{number}", f"/%61dmin/{number}")
        return bad[number // 5 % len(bad)] if number % 5 == 0 else f"/shop/item-{number}/view.html?page={number}&sort=name"
    lines = "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n\0"
    return "".join(lines.format(server.target(target(number)), server.host()) for number in range(1000)).encode()


def wrk(server: servers.Server, seconds: int) -> dict[str, Any]:
    """Returns the arguments that run wrk against a server for this many seconds."""
    path = server.folder / "requests"
    path.write_bytes(requests(server))
    return {"args": ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "5s", "-s", str(Path(__file__).with_name("load.lua")),
                     f"http://127.0.0.1:{server.port}/"], "stdout": subprocess.PIPE, "text": True, "env": {**os.environ, "LOAD_REQUESTS": str(path)}}


def load(server: servers.Server) -> dict[str, int]:
    """Sends requests for a second; returns the figures that wrk prints."""
    done = subprocess.run(**wrk(server, 1), check=True, timeout=60)
    told: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return told


# ---- What processes use ---------------------------------------------------------------------------------------------------

def family(pid: int) -> list[int]:
    with contextlib.suppress(FileNotFoundError):
        return [pid, *(one for child in servers.children(pid) for one in family(child))]
    return []


def pids(server: servers.Server) -> list[int]:
    helper = family(server.helper.program.process.pid) if server.helper is not None else []
    return family(server.process.process.pid) + helper


def used(server: servers.Server) -> float:
    """Returns the CPU seconds of a server and its helper."""
    ticks = 0
    for pid in pids(server):
        with contextlib.suppress(FileNotFoundError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICK


def memory(server: servers.Server) -> int:
    """Returns the resident octets of the helper, or of the server if it has no helper."""
    pid = server.helper.program.process.pid if server.helper is not None else server.process.process.pid
    total = 0
    for one in family(pid):
        with contextlib.suppress(FileNotFoundError):
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * PAGE
    return total


# ---- What the guard costs ----------------------------------------------------------------------------------------------------

class Row:
    """A server, measured with or without its guard."""

    def __init__(self, kind: type[servers.Server], guarded: bool, backend: Backend) -> None:
        self.name = kind.name if guarded else f"{kind.program.rpartition('/')[2]} alone"
        self.guarded = guarded
        self.server = kind(backend.port, guarded, workers=1)
        self.rounds: list[dict[str, float]] = []
        self.memory = [0, 0]

    def run(self, backend: Backend) -> None:
        begin = used(self.server)
        told = load(self.server)
        spent = used(self.server) - begin
        answered = told["requests"]
        time.sleep(0.05)        # waits for the last lines of the backend
        self.rounds.append({"rate": answered / told["micros"] * 1e6, "p50": told["p50"], "p99": told["p99"], "cpu": spent / answered * 1e6,
                            "requests": answered, "refused": told["refused"], "lost": told["connect"] + told["read"] + told["timeout"],
                            "arrived": backend.arrived()})
        self.memory[1] = memory(self.server)
        if len(self.rounds) == 1:
            self.memory[0] = self.memory[1]

    def middle(self, what: str) -> float:
        return statistics.median(one[what] for one in self.rounds)

    def total(self, what: str) -> int:
        return int(sum(one[what] for one in self.rounds))


def wrong_of(row: Row) -> list[str]:
    """Returns the problems that a row shows."""
    if not row.guarded:
        return [] if row.total("arrived") else [f"{row.name}: nothing arrived that must not: the control is none"]
    wrong = [f"{row.name}: {row.total('arrived')} arrived that must not"] if row.total("arrived") else []
    share = row.total("refused") / max(1, row.total("requests"))
    if abs(share - 0.2) > 0.01:
        wrong.append(f"{row.name}: {share:.1%} were refused, not a fifth")
    if row.memory[1] > row.memory[0] * 1.1 + (1 << 20):
        wrong.append(f"{row.name}: memory grew from {row.memory[0]} to {row.memory[1]} octets")
    return wrong


def table(rows: list[Row]) -> str:
    first = rows[0]
    lines = ["gateway                  requests/s  of nginx  p50 us  p99 us  CPU us  memory MiB  requests  arrived"]
    for row in rows:
        ratio = statistics.median(mine["rate"] / other["rate"] for mine, other in zip(row.rounds, first.rounds))
        lines.append(f"{row.name:<24} {row.middle('rate'):>10.0f}  {ratio:>7.0%}  {row.middle('p50'):>6.0f}  {row.middle('p99'):>6.0f}  {row.middle('cpu'):>6.1f}"
                     f"  {row.memory[1] / 2**20:>10.1f}  {row.total('requests'):>8}  {row.total('arrived'):>7}")
    return "\n".join(lines)


def measure(kinds: list[type[servers.Server]], count: int, backend: Backend, tsv: str | None) -> list[str]:
    with contextlib.ExitStack() as stack:
        rows = []
        for kind in kinds:
            for guarded in (False, True):
                if not guarded and kind is servers.NginxAsks:
                    continue        # without its guard it is the first row
                rows.append(Row(kind, guarded, backend))
                stack.callback(rows[-1].server.close)
        done = 0
        while done < count or len(rows[0].rounds) < ROUNDS:
            for row in rows:
                row.run(backend)
            done = sum(row.total("requests") for row in rows)
            print(f"\r{done} of {count} requests", end="", file=sys.stderr)
        print(file=sys.stderr)
        print(table(rows))
        if tsv is not None:
            keys = list(rows[0].rounds[0])
            Path(tsv).write_text("\t".join(["gateway", *keys]) + "\n" + "".join(
                "\t".join([row.name, *(f"{one[key]:.1f}" for key in keys)]) + "\n" for row in rows for one in row.rounds))
        return [line for row in rows for line in wrong_of(row)]


# ---- Faults -----------------------------------------------------------------------------------------------------------------

class Load:
    """Requests that go on until the load is stopped."""

    def __init__(self, server: servers.Server) -> None:
        self.process = subprocess.Popen(**wrk(server, 300))
        time.sleep(0.2)

    def end(self) -> dict[str, int]:
        self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(timeout=60)
        told: dict[str, int] = json.loads(out.splitlines()[-1])
        return told


def killed(server: servers.Server) -> None:
    for _ in range(3):
        with contextlib.suppress(ValueError, ProcessLookupError):
            os.kill(server.answering(), signal.SIGKILL)
        time.sleep(0.3)


def hung(server: servers.Server) -> None:
    child = server.answering()
    os.kill(child, signal.SIGSTOP)
    time.sleep(1.5)
    os.kill(child, signal.SIGCONT)


def restarted(server: servers.Server) -> None:
    server.end_helper()
    time.sleep(0.5)
    server.bring_back()


def crowded(server: servers.Server) -> None:
    """Uses up all files that the helper may open, with clients that send nothing."""
    held = []
    with contextlib.suppress(OSError):
        for _ in range(1100):
            one = socket.socket(socket.AF_UNIX)
            held.append(one)
            one.settimeout(0.2)
            one.connect(f"{server.folder}/socket")
            one.send(b"GET / HT")
    time.sleep(1)
    for one in held:
        one.close()


def slow(server: servers.Server) -> None:
    """Runs clients that send a request octet by octet; forbidden targets must not pass here either."""
    request = f"GET {server.target('/x/%2e%2e/slow')} HTTP/1.1\r\nHost: {server.host()}\r\n\r\n".encode()
    connections = [gateway.connected(server.port) for _ in range(50)]
    for octet in request:
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.send(bytes([octet]))
        time.sleep(0.02)
    for connection in connections:
        connection.close()


def swapped(server: servers.Server, swaps: int) -> None:
    assert server.helper is not None
    for number in range(swaps):
        done = server.helper.said().count("was loaded again")
        server.helper.program.signal(signal.SIGHUP)
        gateway.until(f"swap {number}", lambda before=done: server.helper.said().count("was loaded again") > before)


def is_well(server: servers.Server) -> bool:
    with contextlib.suppress(OSError):
        good, bad = (gateway.statuses(gateway.get(server.port, server.target(path), host=server.host())) for path in ("/a", "/a%2Fb"))
        return good == [200] and bad[0] in (400, 403)
    return False


def try_faults(kind: type[servers.Server], backend: Backend, swaps: int) -> list[str]:
    """Causes one fault after the other during requests: no forbidden target arrives, and all works after each
    fault."""
    faults: dict[str, Callable[[servers.Server], None]] = {
        "killed": killed, "hung": hung, "restarted": restarted, "crowded": crowded, "slow clients": slow,
        f"swapped {swaps} times": lambda server: swapped(server, swaps)}
    wrong, arrived = [], {}
    server = kind(backend.port, workers=1)
    with contextlib.closing(server):
        requests_of_all = Load(server)
        for name, fault in faults.items():
            fault(server)
            try:
                gateway.until("all is well", lambda: is_well(server))
            except TimeoutError:
                wrong.append(f"{kind.name}, {name}: it did not get well again")
            arrived[name] = backend.arrived()
        told = requests_of_all.end()
    arrived["ended"] = backend.arrived()
    print(f"{kind.name:<24} {told['requests']:>8} requests, {told['refused']:>7} refused, {sum(arrived.values())} arrived that must not: {', '.join(arrived)}")
    return wrong + [f"{kind.name}, {name}: {count} arrived that must not" for name, count in arrived.items() if count]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=200000, help="at least, without those of the faults (200000)")
    parser.add_argument("--swaps", type=int, default=50, help="how often the policy is loaded anew under load (50)")
    parser.add_argument("--tsv", help="write the rounds there")
    options = parser.parse_args()
    missing = [program for program in ("/usr/bin/wrk", *(kind.program for kind in KINDS)) if not os.access(program, os.X_OK)]
    if missing:
        print(f"gateway-load: left out for want of {', '.join(missing)}")
    if "/usr/bin/wrk" in missing:
        return 0
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    kinds = [kind for kind in KINDS if kind.program not in missing]
    with gateway.folder() as folder:
        folder.chmod(0o777)
        backend = Backend(folder)
        try:
            wrong = measure(kinds, options.requests, backend, options.tsv)
            for kind in kinds:
                if kind.front:
                    wrong += try_faults(kind, backend, options.swaps)
        finally:
            backend.program.end()
    for line in wrong:
        print(line)
    print(f"gateway-load: {len(wrong)} things wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
