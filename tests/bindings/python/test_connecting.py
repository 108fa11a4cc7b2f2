# SPDX-License-Identifier: Apache-2.0
"""Connecting takes no longer than by the same client without the guard: one deadline for the look-up and all addresses,
and addresses where nothing answers do not delay those that do."""
from __future__ import annotations

import concurrent.futures
import contextlib
import socket
import time
import unittest

import servers
import urivet
from servers import KINDS
from test_fetching import PLAIN, Fetches, cases_of
from urivet._guard import Guard

LIMIT = 0.6
SLACK = 0.8  # to make a client on a busy machine


class Silent:
    """A port of loopback where connections are neither made nor refused: no process accepts, and the queue is full."""

    def __init__(self, address: str, port: int = 0) -> None:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.listener = socket.socket(family)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind((address, port))
        self.listener.listen(0)
        self.port = self.listener.getsockname()[1]
        self.fillers = []
        for _ in range(4):
            filler = socket.socket(family)
            filler.setblocking(False)
            filler.connect_ex(self.listener.getsockname())
            self.fillers.append(filler)
        time.sleep(0.1)

    def close(self) -> None:
        for sock in (self.listener, *self.fillers):
            sock.close()


def leading_to(*addresses: str, after: float = 0) -> contextlib.AbstractContextManager[list[str]]:
    """Lets a.good.test lead to these addresses."""
    def answer(host: str, port: int, _: int) -> list | None:
        time.sleep(after if host == "a.good.test" else 0)
        return [servers.row(address, port) for address in addresses] if host == "a.good.test" else None

    return servers.lookup(answer)


def timed(call) -> tuple[object, float]:  # noqa: ANN001
    start = time.monotonic()
    try:
        answer = call()
    except Exception as error:
        answer = error
    return answer, time.monotonic() - start


class Connecting(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.silent = Silent("127.0.0.3")
        cls.addClassCleanup(cls.silent.close)
        port = cls.silent.port
        server = servers.start("127.0.0.1", port=port)
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.dead = ["127.0.0.3"]
        with contextlib.suppress(OSError):
            other = Silent("::1", port)
            cls.addClassCleanup(other.close)
            cls.dead.append("::1")
        cls.url = f"http://a.good.test:{port}/"
        cls.policy = urivet.Policy.from_yaml(
            "base: public\naddresses: {allow: [127.0.0.0/24, '::1']}\nhosts: {allow: [.good.test]}\n"
            f"ports: {{http: [{port}]}}\n")

    def fetched(self, policy: object) -> str:
        retries = {"retries": False} if self.fetches.module == "urllib3" else {}
        return self.fetches.fetch(policy, self.url, timeout=LIMIT, **retries)

    def compared(self, *addresses: str, after: float = 0) -> object:
        """What the guarded client answers; it takes at most 1.2 times as long as the plain one does at best."""
        with leading_to(*addresses, after=after), concurrent.futures.ThreadPoolExecutor(2) as pool:
            plain = pool.submit(timed, lambda: self.fetched(PLAIN))
            answer, took = timed(lambda: self.fetched(self.policy))
            _, control = plain.result()
        self.assertLess(took, 1.2 * control + SLACK, (answer, addresses))
        self.assertLess(took, 1.2 * LIMIT + SLACK, (answer, addresses))
        return answer

    def test_rows(self) -> None:
        """The families take turns."""
        guard = Guard(self.policy, KINDS)
        with leading_to("127.0.0.3", *self.dead[1:], "127.0.0.1"):
            start = time.monotonic()
            sock = guard.connect("a.good.test", self.silent.port, 5)
            self.assertEqual((sock.getpeername()[0], sock.gettimeout()), ("127.0.0.1", 5))
            sock.close()
        with leading_to("127.0.0.4"), self.assertRaises(ConnectionRefusedError):
            guard.connect("a.good.test", self.silent.port, 5)
        with leading_to(*["127.0.0.4"] * 8, "127.0.0.1"):      # which fail at once
            sock = guard.connect("a.good.test", self.silent.port, None)
            self.assertIsNone(sock.gettimeout())
            sock.close()
        self.assertLess(time.monotonic() - start, 1.5)
        with leading_to("127.0.0.1"), self.assertRaises(OSError):
            guard.connect("a.good.test", self.silent.port, 5, ("192.0.2.1", 0))
        with leading_to("127.0.0.3"), self.assertRaises(TimeoutError):
            guard.connect("a.good.test", self.silent.port, 0.1)


class Delays(Connecting):
    """Each test is run for each library."""

    fetches: Fetches
    test_rows = None

    def test_dead_before(self) -> None:
        for dead in self.dead:
            self.assertEqual(self.compared(dead, "127.0.0.1"), servers.FRONT)

    def test_dead_after(self) -> None:
        self.assertEqual(self.compared("127.0.0.1", *self.dead), servers.FRONT)

    def test_all_dead(self) -> None:
        self.assertIsInstance(self.compared(*self.dead * 2), Exception)

    def test_dead_resolver(self) -> None:
        answer = self.compared("127.0.0.1", after=2)
        self.assertIsInstance(answer, Exception)
        self.assertNotIsInstance(answer, urivet.Refused)


globals().update(cases_of(Delays))
del Delays
