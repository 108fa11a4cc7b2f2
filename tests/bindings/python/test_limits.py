# SPDX-License-Identifier: Apache-2.0
"""The limits of size and time of each client, each exact at its border, with the same client without it as control."""
from __future__ import annotations

import asyncio
import gzip
import math
import pickle
import socket
import sys
import time
import unittest
import unittest.mock
import urllib.parse
import zlib

import servers
import urivet
from test_fetching import PLAIN, Case, cases_of, here
from urivet._guard import Guard, Peer
from urivet._limits import Body, Exchange

CODINGS = {"": lambda data: data, "gzip": gzip.compress, "deflate": zlib.compress,
           "gzip, gzip": lambda data: gzip.compress(gzip.compress(data))}


class Counts(unittest.TestCase):
    def test_borders(self) -> None:
        """A body of each coding, as it comes and decoded, at its limits and one octet beyond."""
        large, slow = "the response has more than max_response_size=64000 octets", "the exchange takes more than total_timeout=-1 seconds"
        for codings, step, most in (("", sys.maxsize, 64000), ("identity", sys.maxsize, 64000), (" , Identity", sys.maxsize, 64000), ("GZip", 1024, 66024), ("x-gzip", 1024, 66024),
                                    ("deflate, identity", 1024, 66024), ("br", 16, 66024)):
            body = Body(Exchange(None, servers.KINDS, 64000, 60), codings)
            self.assertEqual(body.decode(lambda piece: self.assertLessEqual(len(piece), step) or piece, b"a" * 40000), b"a" * 40000, codings)
            body.count(24000)
            body.received(most - 1000)
            body.received(1000)
            for call in (lambda: body.count(1), lambda: body.decode(bytes, b"a"), lambda: body.received(1)):
                with self.assertLogs("urivet", "WARNING") as logs, self.assertRaises(servers.KINDS.size) as caught:
                    call()
                self.assertEqual((str(caught.exception), logs.output, body.exchange.error), (large, [f"WARNING:urivet:ended an exchange: {large}"], caught.exception))
        self.assertRaises(servers.KINDS.size, Body, Exchange(None, servers.KINDS, 1, 60), "gzip, br")
        self.assertEqual(Body(Exchange(None, servers.KINDS, sys.maxsize, 60), "gzip, br").decode(bytes, b""), b"")
        self.assertRaisesRegex(servers.KINDS.time, slow, Exchange(None, servers.KINDS, 1, -1).part().__enter__)
        left, endless = Exchange(None, servers.KINDS, 1, 60), Exchange(None, servers.KINDS, 1, math.inf)
        self.assertEqual([left.timeout(5), endless.timeout(), endless.timeout(7)], [5, None, 7])
        self.assertTrue(59 < left.timeout(99) <= 60 and 59 < left.timeout() <= 60)
        self.assertRaises(TimeoutError, endless.timeout, 0)
        guards = [Guard("strict", servers.KINDS, most) for most in (20, 10, None)]  # one within another, and one without limits
        with guards[0].exchange() as outer, guards[1].exchange() as inner, guards[1].exchange() as same, guards[2].exchange() as under:
            self.assertEqual([one.owner for one in (outer, inner, same, under)], [*guards[:2], guards[1], guards[1]])
            self.assertIs(same, inner)


    @unittest.skipUnless(here("aiohttp"), "needs python3-aiohttp")
    def test_aiohttp(self) -> None:
        import aiohttp
        import urivet.aiohttp as ours

        async def steps() -> None:
            protocol = unittest.mock.Mock()
            content = aiohttp.StreamReader(protocol, 1 << 16, loop=asyncio.get_running_loop())
            content.__class__, content.body = ours._Content, Body(Exchange(None, ours.KINDS, 10, 60), "")
            content.body.count(4)
            content.feed_data(b"a" * 6)
            self.assertFalse(content.exception() or protocol.transport.close.called)
            content.feed_data(b"a"), content.feed_data(b"a")
            self.assertIsInstance(content.exception(), ours.ResponseTooLarge)
            protocol.transport.close.assert_called_once_with()
            content.set_exception(OSError("the connection is closed"))  # the first error is what happened
            self.assertIsInstance(content.exception(), ours.ResponseTooLarge)
        asyncio.run(steps())

    @unittest.skipUnless(here("urllib3"), "needs python3-urllib3")
    def test_urllib3(self) -> None:
        """A body is decoded if that is asked for."""
        import urivet.urllib3 as ours
        server = servers.started(self, "127.0.0.1", Sends)
        for options in ({}, {"max_response_size": 300}):
            for decodes, made in ((None, bytes), (True, bytes), (False, gzip.decompress)):
                for read in (lambda response, decodes: b"".join(response.stream(64, decodes)), lambda response, decodes: response.read(decode_content=decodes)):
                    with ours.PoolManager(servers.allowing(server.server_port), **options) as pools:
                        response = pools.request("GET", f"http://127.0.0.1:{server.server_port}/?size=300&coding=gzip", preload_content=False)
                        self.assertEqual(made(read(response, decodes)), b"a" * 300)

    @unittest.skipUnless(here("httpx"), "needs python3-httpx")
    def test_httpx(self) -> None:
        import anyio
        import httpcore
        import urivet.httpx as ours
        decoder = unittest.mock.Mock(decode=lambda data: data * 2, flush=lambda: b"b" * 10)
        stream = ours._Stream([b"a" * 1044, b""], decoder, Body(Exchange(None, ours.KINDS, 20, 60), "gzip"))
        self.assertEqual((list(stream), stream._counted(None), stream.decode(b"aa"), stream.flush()), ([b"a" * 1044, b""], None, b"aaaa", b"b" * 10))
        for call in (stream.flush, lambda: stream._counted(b"a"), lambda: stream.decode(b"a" * 4)):
            self.assertRaises(ours.ResponseTooLarge, call)
        tried: list[str] = []  # the families take turns

        async def connect_tcp(address: str, *_: object) -> None:
            tried.append(address)
            raise httpcore.ConnectError(address)
        backend = ours._AsyncBackend(Guard("strict", ours.KINDS))
        backend.inner = unittest.mock.Mock(connect_tcp=connect_tcp)
        four, six = socket.AF_INET, socket.AF_INET6
        with self.assertRaisesRegex(httpcore.ConnectError, "^e$"):
            anyio.run(backend._raced, [Peer(kind, name, 80) for kind, name in ((six, "a"), (six, "b"), (four, "c"), (six, "d"), (six, "e"), (four, "f"))], None)
        self.assertEqual("".join(tried), "acbfde")


class Sends(servers._Handler):
    """Sends what its URL says: `size` octets in a `coding`, by `length`, in chunks or until it closes, an octet each
    `drip` seconds, in the header too if `header`."""

    def do_GET(self) -> None:
        query = dict(urllib.parse.parse_qsl(self.path.partition("?")[2]))
        body, by, drip = CODINGS[query.get("coding", "")](b"a" * int(query.get("size", 10))), query.get("by"), float(query.get("drip", 0))
        fields = {"Content-Encoding": query.get("coding"), "Location": query.get("to"), "Retry-After": query.get("after"),
                  "Content-Length": None if by else len(body), "Transfer-Encoding": "chunked" if by == "chunks" else None}
        head = f"HTTP/1.1 {query.get('status', 200)} x\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items() if v is not None) + "\r\n"
        self.close_connection = by == "close"
        pieces = [body[k:k + 5000] for k in range(0, len(body), 5000)]
        if by == "chunks":
            pieces = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces] + [b"0\r\n\r\n"]
        for part, is_slow in ((head.encode(), "header" in query), (b"".join(pieces), "header" not in query)):
            for k in range(0, len(part), 1 if drip and is_slow else len(part)):
                self.wfile.write(part[k:k + 1] if drip and is_slow else part)
                time.sleep(drip)


class Limits:
    """Each test is run for each library."""

    def setUp(self) -> None:
        super().setUp()
        self.server = servers.started(self, "127.0.0.1", Sends)
        self.policy = servers.allowing(self.server.server_port)
        self.codings = ["", "gzip", "deflate"][:1 if self.fetches.module == "urllib" else 3]  # which decodes none

    def url(self, **query: object) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/?{urllib.parse.urlencode(query)}"

    def ends(self, kind: str, *urls: str, **options) -> None:
        with self.assertRaises(urivet.LimitExceeded) as caught:
            self.fetches.fetch(self.policy, *urls, **options)
        error, ours = caught.exception, self.fetches.ours
        self.assertIs(type(error), getattr(ours, kind), error)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), str(again)), (type(error), str(error)))

    def test_size(self) -> None:
        for coding in self.codings:
            for by, size in (("", 70_000), ("chunks", 70_000), ("close", 70_000), ("", 1)):
                url = self.url(size=size, coding=coding, by=by)
                for read in (None, 1000):
                    with self.subTest(coding=coding, by=by, size=size, read=read):
                        found = self.fetches.fetch(self.policy, url, url, read=read, max_response_size=size)
                        self.assertEqual(found, "a" * size)
                        if size > 1:
                            self.ends("ResponseTooLarge", url, read=read, max_response_size=size - 1)
        redirect = self.url(size=70_000, status=302, to="/?size=1")
        self.assertEqual(self.fetches.fetch(self.policy, redirect, max_response_size=70_000), "a")
        if self.fetches.module != "aiohttp":  # which reads no body of a redirect
            self.ends("ResponseTooLarge", redirect, max_response_size=69_999)

    def test_bomb(self) -> None:
        size = 30_000_000
        for coding in self.codings[:2]:
            url = self.url(size=size, coding=coding)
            self.assertEqual(len(self.fetches.fetch(PLAIN, url)), size)
            for read in (None, 100):
                self.ends("ResponseTooLarge", url, read=read, max_response_size=1_000_000)
        if self.fetches.module in ("requests", "urllib3", "httpx"):
            self.ends("ResponseTooLarge", self.url(size=10, coding="gzip, gzip"), max_response_size=1000)

    def test_time(self) -> None:
        """A server that sends an octet from time to time, which no timeout of one operation ends."""
        slow = [self.url(drip=0.1, size=40), self.url(drip=0.1, header=1), self.url(drip=0.1, by="chunks", size=40),
                self.url(drip=0.1, header=1, status=302, to="/?size=1")]
        for url in slow:
            for read in (None, 1):
                start = time.monotonic()
                self.ends("TotalTimeout", url, read=read, total_timeout=0.4)
                self.assertTrue(0.35 < time.monotonic() - start < 3.5, (url, read, time.monotonic() - start))
        for policy, options in ((PLAIN, {}), (self.policy, {"total_timeout": 30})):  # the control, and the near miss
            self.assertEqual(len(self.fetches.fetch(policy, self.url(drip=0.05, size=20), timeout=0.8, **options)), 20)

    def test_wait(self) -> None:
        """A server does not choose how long to wait for it, nor does a resolver."""
        start = time.monotonic()
        try:
            self.fetches.fetch(self.policy, self.url(status=503, after=5), total_timeout=0.4)
        except self.fetches.ours.TotalTimeout:
            pass
        except OSError:
            self.assertEqual(self.fetches.module, "urllib")  # HTTPError
        with servers.lookup(lambda *_: time.sleep(2) or []):
            self.ends("TotalTimeout", f"http://www.example.com:{self.server.server_port}/", total_timeout=0.4)
        self.assertLess(time.monotonic() - start, 1.8)

    def test_options(self) -> None:
        for wrong in ({"max_response_size": 0}, {"max_response_size": 1.5}, {"max_response_size": True}, {"total_timeout": -1},
                      {"total_timeout": "5"}, {"total_timeout": float("inf")}, {"total_timeout": float("nan")}):
            with self.assertRaises(ValueError, msg=wrong):
                self.fetches.fetch(self.policy, self.url(), **wrong)
        self.assertRaises(TypeError, self.fetches.fetch, self.policy, self.url(), max_respons_size=5)


globals().update(cases_of(Limits, Case))
