#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets clients fetch URLs, one after the other, and returns what each sent.

As a program it runs inside the cage: an order as JSON on standard input, a line of JSON for each URL out.
"""
from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import cage
from recorder import Recorder, Request
from tables import ROOT, Exhibit, environment

PATIENCE = 6.0          # seconds for one URL
START = 30.0            # seconds for the first answer of a client
MOST_REQUESTS = 20      # kept for one URL
MOST_HANGS = 10         # after which a client gets no more URLs
MESSAGE = 300           # characters
ANSWER = re.compile(rb"\d{3}\b|! ")      # an answer; other lines of a client are ignored


@dataclass(frozen=True)
class Fetched:
    """The result of one URL."""
    requests: tuple[Request, ...]
    message: str                # the client's own message
    trouble: str = ""           # hung, died


# ---- Inside the cage ---------------------------------------------------------------------------------------------

def ended(process: asyncio.subprocess.Process) -> None:
    """Ends a client and its child processes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


async def started(order: dict, url: bytes | None) -> asyncio.subprocess.Process:
    command = ["sh", "-c", f"exec {order['run']}" + (' "$@"' if url is not None else ""), "client"]
    return await asyncio.create_subprocess_exec(
        *command, *([url] if url is not None else []), start_new_session=True,
        stdin=asyncio.subprocess.PIPE if url is None else asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE if url is None else asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL if url is None else asyncio.subprocess.PIPE)


class Stream:
    """A client process that reads one URL after the other."""

    def __init__(self, order: dict) -> None:
        self.order = order
        self.process: asyncio.subprocess.Process | None = None

    async def answer(self) -> bytes:
        """The next line that is one; nothing at the end."""
        while (line := await self.process.stdout.readline()) and not ANSWER.match(line):
            pass
        return line

    async def fetch(self, url: bytes) -> tuple[str, str]:
        patience = PATIENCE
        if self.process is None:
            self.process, patience = await started(self.order, None), START
        try:
            self.process.stdin.write(url + b"\0")
            await self.process.stdin.drain()
            line = await asyncio.wait_for(self.answer(), patience)
        except (asyncio.TimeoutError, ValueError):
            line, trouble = b"", "hung"
        except OSError:
            line, trouble = b"", "died"
        else:
            trouble = "" if line else "died"
        if trouble:
            self.close()
        return line.decode("utf-8", "replace").strip()[:MESSAGE], trouble

    def close(self) -> None:
        if self.process is not None:
            ended(self.process)
        self.process = None


class Each:
    """A client that is started for each URL."""

    def __init__(self, order: dict) -> None:
        self.order = order

    async def fetch(self, url: bytes) -> tuple[str, str]:
        process = await started(self.order, url)
        try:
            _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
            trouble = "died" if process.returncode < 0 else ""
        except asyncio.TimeoutError:
            errors, trouble = b"", "hung"
        ended(process)
        if trouble == "hung":
            await process.wait()
        lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
        return (lines[-1].strip()[:MESSAGE] if lines else f"status {process.returncode}"), trouble

    def close(self) -> None:
        pass


async def inside(order: dict, tell: Callable[[dict], None]) -> None:
    recorder = Recorder()
    await recorder.listen(order["ports"])
    client = Stream(order) if order["pace"] == "stream" else Each(order)
    stop, hangs = time.monotonic() + order["seconds"], 0
    for url in order["urls"]:
        if time.monotonic() > stop or hangs >= MOST_HANGS:
            break
        first = len(recorder.log)
        message, trouble = await client.fetch(url.encode("latin-1"))
        hangs += trouble == "hung"
        await asyncio.sleep(0)      # lets pending requests arrive
        requests = recorder.log[first:][:MOST_REQUESTS]
        tell({"requests": [[r.reached, r.port, r.head.decode("latin-1")] for r in requests],
              "message": message, "trouble": trouble})
    client.close()


def main() -> None:
    asyncio.run(inside(json.load(sys.stdin), lambda told: print(json.dumps(told), flush=True)))


# ---- Outside -----------------------------------------------------------------------------------------------------

def fetched(line: str) -> Fetched:
    told = json.loads(line)
    requests = (Request(reached, port, head.encode("latin-1")) for reached, port, head in told["requests"])
    return Fetched(tuple(requests), told["message"], told["trouble"])


def fetch(client: Exhibit, urls: Sequence[bytes], ports: Sequence[int] = (80,), seconds: float = 600) -> list[Fetched]:
    """Returns what the client sends for each URL, or for the first ones if time runs out."""
    program = client.row.program
    order = {"run": program.run, "pace": client.row["pace"], "ports": sorted({80, *ports}), "seconds": seconds,
             "urls": [url.decode("latin-1") for url in urls]}
    done = subprocess.run(cage.entered([sys.executable, "-B", __file__]), input=json.dumps(order), text=True,
                          capture_output=True, cwd=ROOT, env={**environment(), **program.settings}, check=False,
                          timeout=seconds + START + 2 * PATIENCE)
    if done.returncode != 0:
        raise RuntimeError(f"{client.name}: {done.stderr.strip()[-400:] or done.returncode}")
    return [fetched(line) for line in done.stdout.splitlines()]


def fetch_all(clients: Sequence[Exhibit], urls: Sequence[bytes], ports: Sequence[int] = (80,),
              seconds: float = 600) -> Iterator[tuple[Exhibit, list[Fetched]]]:
    """Runs several clients, as many at a time as there are processors, and prints their errors."""
    def one(client: Exhibit) -> tuple[Exhibit, list[Fetched]]:
        try:
            return client, fetch(client, urls, ports, seconds)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"wire: {error}", file=sys.stderr)
            return client, []

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(one, clients)


if __name__ == "__main__":
    main()
