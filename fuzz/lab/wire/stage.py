#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs servers, proxies before them, and a connection for each request target.

As a program it runs inside the cage: an order as JSON on standard input, a line of JSON out for each
server that fails to start and for each chain.  Each program runs in a pid namespace of its own and ends
with it.
"""
from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import cage
from recorder import Recorder
from tables import ROOT, Exhibit, environment

HOST = b"www.example.com"       # the host of every request, on a listener that counts as port 80
PAGES = {"pub/f": "PUBLIC\n", "admin/f": "SECRET\n", "config.inc": "SECRET\n"}
PUBLIC, SECRET = b"PUBLIC\n", b"SECRET\n"      # error pages contain PUBLIC in their document type
FILE = re.compile(rb"FILE ([0-9a-f]+)\n")         # content of a test file: its path
PUBLIC_TARGET, PLAIN_ATTACKS = b"/pub/f", (b"/admin/f", b"/config.inc")
SERVER_START, PROXY_START = 40.0, 20.0      # seconds
PATIENCE = 2.0          # seconds for the whole response
CHAIN_PATIENCE = 240.0  # seconds for all targets through one chain
QUIET = 0.4             # seconds of silence that end a response if the connection stays open
AT_ONCE = 12            # connections to one chain
CHAINS_AT_ONCE = 4
MOST_OCTETS = 1 << 18   # of an answer
RECORDER = "recorder"   # a server's name in an order: records what a proxy forwards
RECORDER_PORT = 8000


@dataclass(frozen=True)
class Answer:
    """The response to one target, and the requests that a recorder after a proxy received."""
    status: int             # of the first response; 0 if there is none
    shows: str              # secret, public, file and its path, or ""
    location: str = ""
    responses: int = 1
    passed: tuple[str, ...] = ()    # request lines


def answer(octets: bytes, passed: Sequence[str] = ()) -> Answer:
    status = re.match(rb"HTTP/1\.[01] (\d{3})", octets)
    location = re.search(rb"\r?\n[Ll]ocation:[ \t]*([^\r\n]*)", octets)
    file = FILE.search(octets)
    return Answer(int(status[1]) if status else 0,
                  "secret" if SECRET in octets else "public" if PUBLIC in octets else
                  f"file {bytes.fromhex(file[1].decode()).decode('latin-1')}" if file else "",
                  location[1].decode("latin-1") if location else "",
                  len(re.findall(rb"HTTP/1\.[01] \d{3}", octets)), tuple(passed))


# ---- Inside the cage ---------------------------------------------------------------------------------------------

async def ask(port: int, target: bytes) -> bytes:
    """Everything that comes back for a target until the connection is closed, or nothing more comes."""
    got = b""
    with suppress(OSError, asyncio.TimeoutError):
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(b"GET %b HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n" % (target, HOST))
                while len(got) < MOST_OCTETS:
                    piece = await asyncio.wait_for(reader.read(1 << 16), QUIET if got else None)
                    if not piece:
                        break
                    got += piece
            finally:
                writer.close()
    return got


class Failed(Exception):
    """A program that fails, described in a line."""


async def ask_all(port: int, targets: Sequence[bytes]) -> list[Answer]:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(target: bytes) -> Answer:
        async with places:
            return answer(await ask(port, target))

    try:
        async with asyncio.timeout(CHAIN_PATIENCE):
            return list(await asyncio.gather(*map(one, targets)))
    except asyncio.TimeoutError:
        raise Failed(f"not done after {CHAIN_PATIENCE:.0f} seconds") from None


@dataclass
class Running:
    name: str
    port: int
    process: asyncio.subprocess.Process
    log: Path

    def last_line(self) -> str:
        with suppress(OSError):
            lines = [line.strip() for line in self.log.read_text("utf-8", "replace").splitlines() if line.strip()]
            return lines[-1][:300] if lines else "it says nothing"
        return "it has no log"

    async def serves(self, seconds: float) -> None:
        """Waits until it serves the public page."""
        loop = asyncio.get_running_loop()
        stop, got = loop.time() + seconds, b""
        while loop.time() < stop and self.process.returncode is None:
            if PUBLIC in (got := await ask(self.port, PUBLIC_TARGET)):
                return
            await asyncio.sleep(0.1)
        ended = self.process.returncode is not None
        raise Failed(f"{'ended' if ended else 'does not serve the public page'}"
                     f"{f' (status {answer(got).status})' if got else ''}: {self.last_line()}")


class Stage:
    """Starts programs, each with a port and a folder of its own."""

    def __init__(self, scratch: Path, files: Iterable[str] = ()) -> None:
        self.scratch = scratch
        self.ports = itertools.count(RECORDER_PORT + 1)
        self.root = scratch / "root"
        named = {name: f"FILE {name.encode('latin-1').hex()}\n" for name in files}
        for name, text in {**PAGES, **named}.items():
            file = Path(os.fsdecode(os.fsencode(self.root) + b"/" + name.encode("latin-1")))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    @asynccontextmanager
    async def running(self, program: dict, **settings: str) -> AsyncIterator[Running]:
        port = next(self.ports)
        folder, log = self.scratch / f"{program['name']}-{port}", self.scratch / f"{program['name']}-{port}.log"
        folder.mkdir()
        folder.chmod(0o777)
        variables = {**program["settings"], "PORT": str(port), "ROOT": str(self.root), "DIR": str(folder), **settings}
        with log.open("wb") as output:
            # a shell is process 1, because some daemons cannot be
            process = await asyncio.create_subprocess_exec(
                "unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", f"{program['run']}; exit $?",
                stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, cwd=ROOT,
                env={**os.environ, **variables})
        try:
            yield Running(program["name"], port, process, log)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            subprocess.run(["rm", "-rf", str(folder)], check=False)


async def ask_recorded(port: int, targets: Sequence[bytes], recorder: Recorder) -> list[Answer]:
    """One after the other, so that what is recorded in between is what was passed on."""
    answers = []
    for target in targets:
        first = len(recorder.log)
        got = await ask(port, target)
        answers.append(answer(got, [request.line().decode("latin-1") for request in recorder.log[first:]]))
    return answers


class Chains:
    """The chains of an order: each proxy before each of its servers."""

    def __init__(self, stage: Stage, order: dict, tell: Callable[[dict], None]) -> None:
        self.stage, self.order, self.tell = stage, order, tell
        self.targets = [target.encode("latin-1") for target in order["targets"]]
        self.up: dict[str, int] = {}
        self.recorder = Recorder()
        self.places = asyncio.Semaphore(CHAINS_AT_ONCE)

    def told(self, proxy: str, server: str, answers: Sequence[Answer], lacks: str = "") -> None:
        self.tell({"proxy": proxy, "server": server, "lacks": lacks,
                   "answers": [[a.status, a.shows, a.location, a.responses, a.passed] for a in answers]})

    async def server(self, program: dict, ready: asyncio.Semaphore, done: asyncio.Event) -> None:
        """Keeps a server running until all is done."""
        async with self.stage.running(program) as server:
            try:
                await server.serves(SERVER_START)
                self.up[server.name] = server.port
            except Failed as failure:
                self.told("", server.name, [], str(failure))
            ready.release()
            await done.wait()

    async def alone(self, server: str) -> None:
        """A server with nothing before it: it denies nothing, or else it shows nothing."""
        async with self.places:
            port = self.up[server]
            try:
                if all(a.shows != "secret" for a in await ask_all(port, PLAIN_ATTACKS)):
                    raise Failed("does not serve the secrets")
                self.told("", server, await ask_all(port, self.targets))
            except Failed as failure:
                self.told("", server, [], str(failure))

    async def through(self, program: dict, server: str) -> None:
        port = self.up[server]
        async with self.places, self.stage.running(program, UPSTREAM=f"127.0.0.1:{port}",
                                                   UPSTREAM_PORT=str(port)) as proxy:
            try:
                if server == RECORDER:
                    await self.passes(proxy)
                    return self.told(proxy.name, server, await ask_recorded(proxy.port, self.targets, self.recorder))
                await proxy.serves(PROXY_START)
                for target, got in zip(PLAIN_ATTACKS, await ask_all(proxy.port, PLAIN_ATTACKS)):
                    if got.shows == "secret" or not 400 <= got.status < 500:
                        raise Failed(f"does not refuse {target.decode()} (status {got.status})")
                self.told(proxy.name, server, await ask_all(proxy.port, self.targets))
            except Failed as failure:
                self.told(proxy.name, server, [], str(failure))

    async def passes(self, proxy: Running) -> None:
        """Waits until the recorder sees what the proxy is asked."""
        stop = asyncio.get_running_loop().time() + PROXY_START
        while asyncio.get_running_loop().time() < stop and proxy.process.returncode is None:
            first = len(self.recorder.log)
            await ask(proxy.port, PUBLIC_TARGET)
            if len(self.recorder.log) > first:
                return
            await asyncio.sleep(0.1)
        raise Failed(f"passes nothing on: {proxy.last_line()}")

    async def run(self) -> None:
        programs, wanted = self.order["servers"], self.order["chains"]
        ready, done = asyncio.Semaphore(0), asyncio.Event()
        servers = [asyncio.create_task(self.server(program, ready, done)) for program in programs]
        await self.recorder.listen([RECORDER_PORT])
        self.up[RECORDER] = RECORDER_PORT
        for _ in servers:
            await ready.acquire()
        proxies = {program["name"]: program for program in self.order["proxies"]}
        there = [(proxy, server) for proxy, server in wanted if server in self.up]
        # a recorder has one log, so run one proxy at a time
        for at_once in ([c for c in there if c[1] != RECORDER], *([c] for c in there if c[1] == RECORDER)):
            await asyncio.gather(*(self.through(proxies[proxy], server) if proxy else self.alone(server)
                                   for proxy, server in at_once))
        done.set()
        await asyncio.gather(*servers)


def main() -> None:
    order = json.load(sys.stdin)
    stage = Stage(Path(os.environ["TMPDIR"]) / "stage", order["files"])
    asyncio.run(Chains(stage, order, lambda told: print(json.dumps(told), flush=True)).run())


# ---- Outside -----------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Chain:
    """A server, with or without a proxy, and its answer to each target; or the reason why it failed."""
    proxy: str
    server: str
    answers: tuple[Answer, ...]
    lacks: str = ""

    @property
    def name(self) -> str:
        return f"{self.proxy} > {self.server}" if self.proxy else self.server


def program(exhibit: Exhibit) -> dict:
    return {"name": exhibit.name, "run": exhibit.row.program.run, "settings": dict(exhibit.row.program.settings)}


def played(servers: Sequence[Exhibit], proxies: Sequence[Exhibit], chains: Sequence[tuple[str, str]],
           targets: Sequence[bytes], files: Iterable[bytes] = ()) -> Iterator[Chain]:
    """Returns the answers, one chain after the other. A server that fails to start is reported as a chain
    without proxy."""
    order = {"servers": [program(s) for s in servers], "proxies": [program(p) for p in proxies],
             "chains": list(chains), "targets": [target.decode("latin-1") for target in targets],
             "files": [name.decode("latin-1") for name in files]}
    with subprocess.Popen(cage.entered([sys.executable, "-B", __file__]), stdin=subprocess.PIPE, text=True, cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as run:
        assert run.stdin and run.stdout and run.stderr
        try:
            run.stdin.write(json.dumps(order))
            run.stdin.close()
            for line in run.stdout:
                told = json.loads(line)
                yield Chain(told["proxy"], told["server"],
                            tuple(Answer(s, w, l, r, tuple(p)) for s, w, l, r, p in told["answers"]), told["lacks"])
            errors = run.stderr.read().strip()
            if run.wait() != 0:
                raise RuntimeError(f"the stage fell: {errors[-400:] or run.returncode}")
        finally:
            run.kill()


if __name__ == "__main__":
    main()
