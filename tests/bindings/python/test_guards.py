# SPDX-License-Identifier: Apache-2.0
"""Ways around the guard that a library itself offers: adapters, transports, connectors, pools, handlers, proxies,
prepared requests, pickling."""
from __future__ import annotations

import asyncio
import copy
import importlib
import pickle
import socket
import tempfile
import threading
import unittest
from pathlib import Path

import servers
import urivet
from servers import KINDS
from urivet._guard import Guard
from urivet._refused import kinds_of
from test_fetching import FRONT, SECRET, Case, here


def unix_server(test: unittest.TestCase) -> str:
    """Returns the file of a socket where a server has the secret."""
    path = str(Path(test.enterContext(tempfile.TemporaryDirectory())) / "socket")
    servers.started(test, path, servers._Secret)
    return path


class Peers(unittest.TestCase):
    def test_rows(self) -> None:
        """What of getaddrinfo()'s rows may be connected to."""
        policy = urivet.Policy.from_yaml("base: public\naddresses: {allow: ['::1', 'fe80::/10']}\n")
        guard = Guard(policy, KINDS)

        def row(family, *sockaddr):  # noqa: ANN001, ANN202
            return family, socket.SOCK_STREAM, 6, "", sockaddr

        four, six = socket.AF_INET, socket.AF_INET6
        self.assertEqual([peer.sockaddr for peer in guard.peers([
            row(socket.AF_UNIX, "/run/x"), row(six, "::1", 80, 0, 0), row(six, "fe80::1", 80, 0, 2), row(four, "127.0.0.1", 80), row(four, "93.184.216.34", 80),
            row(six, "::1", 22, 0, 0), row(six, "fe80::1%lo", 80)])],
            [("::1", 80, 0, 0), ("93.184.216.34", 80)])
        for rows in ([], [row(six, "fe80::1", 80, 0, 2)], [row(four, "127.0.0.1", 80)], [row(socket.AF_UNIX, "/run/x")]):
            self.assertRaises(urivet.Refused, guard.peers, rows)


    def test_texts(self) -> None:
        """What each check raises and logs, and its near misses."""
        kinds = kinds_of(__name__, LookupError, OSError, EOFError, TimeoutError)
        self.assertEqual([(one.__name__, one.__module__, one.__bases__) for one in kinds], [("RefusedURL", __name__, (urivet.Refused, LookupError)), ("RefusedAddress", __name__, (urivet.Refused, OSError)),
                         ("ResponseTooLarge", __name__, (urivet.LimitExceeded, EOFError)), ("TotalTimeout", __name__, (urivet.LimitExceeded, TimeoutError))])
        guard, base, inside = Guard("public", kinds), "http://www.example.com/a", "addr-not-global,addr-private"
        four = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 80))
        for call, given, text, reason in (
                (guard.url, ["http://10.0.0.1/"], f"a URL: {inside}", "not-allowed"), (guard.url, ["HTTP://a.example.com/%7e"], "a URL: scheme-case,escaped-unreserved", "unclear"),
                (guard.location, [["/a", "/b"], base], "a redirect with 2 Location fields", "not-allowed"), (guard.location, [[], base], "a redirect with 0 Location fields", "not-allowed"),
                (guard.location, [[b"//10.0.0.1/"], base], f"a redirect: {inside}", "not-allowed"), (guard.peers, [[]], "every address of a name", "not-allowed"), (guard.peers, [[four]], f"every address of a name: {inside}", "not-allowed"),
                *((guard.fields, [base, [("a", "b"), (name, value)]], "a Host field of another origin", "not-allowed") for name, value in (
                    ("Host", "a.example.com"), ("Host ", "a.example.com"), (b"\thost", b"a.example.com"), (b"HOST", b"www.example.com:81"), ("host", ""), ("host", "www.example.com/x"), ("host", "www.example.com?"), ("host", "a@www.example.com"), ("host", "www.example.com#"), ("host", "\\")))):
            with self.assertLogs("urivet", "WARNING") as logs, self.assertRaises(urivet.Refused) as caught:
                call(*given)
            error = caught.exception
            self.assertEqual((str(error), error.public_reason, logs.output, error.report is None), (f"urivet refused {text}", reason, [f"WARNING:urivet:refused {text}"], ": " not in text))
            self.assertIs(type(error), kinds.address if call == guard.peers else kinds.url)
        for name, value in (("Host", "www.example.com"), (b"host", b"WWW.example.com"), ("hosts", "a"), ("Host", "www.example.com:80")):
            guard.fields(base, [(name, value), ("a", "b")])
        self.assertEqual([guard.location([one], base) for one in ("b", b"//a.example.com/?x")], ["http://www.example.com/b", "http://a.example.com/?x"])
        self.assertEqual([guard.crosses(base, one) for one in ("/b", "https://www.example.com/", "http://www.example.com:80/", "//a.example.com/", "//10.0.0.1/", "/a b")], [False, True, False, True, True, True])
        repairing = Guard("public", kinds, repair=True)
        with self.assertLogs("urivet", "INFO") as logs:
            self.assertEqual([repairing.spelled(one) for one in (base, "HTTP://a.example.com/%7e")], [base, "http://a.example.com/~"])
        self.assertEqual(logs.output, ["INFO:urivet:repaired a URL: scheme-case,escaped-unreserved"])
        for one, url in ((guard, "HTTP://a.example.com/"), (repairing, "http://10.0.0.1/%7e")):
            self.assertRaises(kinds.url, one.spelled, url)
        for options, text in (({"max_response_size": 0}, "0"), ({"total_timeout": -1}, "-1"), ({"max_response_size": 1.5}, "1.5"), ({"total_timeout": float("inf")}, "inf"), ({"total_timeout": True}, "True")):
            with self.assertRaises(ValueError) as caught:
                Guard("public", kinds, **options)
            self.assertEqual(str(caught.exception), f"max_response_size and total_timeout are numbers above 0, not {text}")
        self.assertEqual(Guard(None, kinds, 1, 0.5).limits, (1, 0.5))
        self.assertEqual([guard.given, Guard(None, kinds).given, Guard(None, kinds).policy], [True, False, urivet.PUBLIC])
        for wrong, error, text in ((urivet.Policy.from_yaml("mode: observe\nbase: public\n"), ValueError, "a policy that only observes guards nothing: take `mode: observe` out of it"),
                                   (7, TypeError, "a urivet.Policy or the name of a built-in one is needed, not <class 'int'>"), ("pubic", ValueError, "no built-in policy is called 'pubic'; did you mean 'public'?"), ("x", ValueError, "no built-in policy is called 'x'")):
            with self.assertRaises(error) as caught:
                Guard(wrong, kinds)
            self.assertEqual(str(caught.exception), text)
        self.assertRaises(TypeError, Guard, None, kinds, repair=1)


class OnePolicy(unittest.TestCase):
    """A part of a session judges by the session's policy, or is not taken."""

    ROW = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80))

    def setUp(self) -> None:
        self.no = urivet.Policy.from_yaml("base: public\naddresses: {deny: [93.184.216.34]}\n")
        self.same = urivet.Policy.compiled(self.no.compile())

    def inherits(self, part, join) -> None:  # noqa: ANN001
        """`part` makes one by a policy or none, `join` puts it into a session of self.no and returns it."""
        self.assertEqual(len(part().guard.peers([self.ROW])), 1)  # the control: alone it judges by PUBLIC
        for one in (part(), part(self.same), part(self.no)):
            self.assertIs(join(one).guard.policy, self.no)
            self.assertRaises(urivet.Refused, one.guard.peers, [self.ROW])
        used = part()
        used.guard.url("http://example.com/")
        for one in (part("strict"), part(urivet.PUBLIC), part(urivet.Policy.from_yaml("base: public\n")), used):  # which has the name of self.no
            self.assertRaisesRegex(ValueError, "give both the same", join, one)

    @unittest.skipUnless(here("requests"), "needs python3-requests")
    def test_requests(self) -> None:
        import urivet.requests as ours
        session = self.enterContext(ours.Session(self.no))

        def mount(adapter):  # noqa: ANN001, ANN202
            session.mount("http://", adapter)
            self.assertIs(adapter.poolmanager.policy, self.no)
            return adapter

        def later(adapter):  # noqa: ANN001, ANN202
            session.adapters["http://"] = adapter  # past mount()
            return session.get_adapter("http://example.com/")

        self.inherits(ours.HTTPAdapter, mount)
        self.inherits(ours.HTTPAdapter, later)

    @unittest.skipUnless(here("httpx"), "needs python3-httpx")
    def test_httpx(self) -> None:
        import urivet.httpx as ours
        for client, transport in ((ours.Client, ours.HTTPTransport), (ours.AsyncClient, ours.AsyncHTTPTransport)):
            self.inherits(transport, lambda one, client=client: client(self.no, transport=one)._transport)
            self.inherits(transport, lambda one, client=client: [client(self.no, mounts={"all://": one}), one][1])

    @unittest.skipUnless(here("aiohttp"), "needs python3-aiohttp")
    def test_aiohttp(self) -> None:
        import urivet.aiohttp as ours

        async def steps() -> None:
            def join(connector):  # noqa: ANN001, ANN202
                self.addCleanup(connector._close)
                ours.ClientSession(self.no, connector=connector).detach()
                return connector

            self.inherits(ours.TCPConnector, join)

        asyncio.run(steps())

    def test_names(self) -> None:
        for name, policy in (("strict", urivet.STRICT), ("public", urivet.PUBLIC), ("any", urivet.ANY)):
            self.assertIs(Guard(name, KINDS).policy, policy)
        self.assertRaisesRegex(ValueError, "did you mean 'public'", Guard, "pubic", KINDS)
        for wrong in (7, b"public", urivet.Policy, object()):
            self.assertRaises(TypeError, Guard, wrong, KINDS)


class Proxy(Case):
    """The front plays the proxy: it answers to whatever it is asked for."""

    module = ""

    def setUp(self) -> None:
        super().setUp()
        self.library, self.ours = (importlib.import_module(prefix + self.module) for prefix in ("", "urivet."))

    async def assertRefused(self, asked, error: type = urivet.Refused) -> None:  # noqa: ANN001
        with self.assertRaises(error):
            await asked

    def asks_the_proxy(self, fetch) -> None:  # noqa: ANN001
        self.servers.front.asked.clear()
        self.assertEqual(fetch("http://example.com/x"), FRONT)
        self.assertEqual(self.servers.front.asked, ["http://example.com/x"])
        self.assertRaises(urivet.Refused, fetch, self.secret)
        self.assertEqual(len(self.servers.front.asked), 1)
        self.unasked()


@unittest.skipUnless(here("requests"), "needs python3-requests")
class Requests(Proxy):
    module = "requests"

    def setUp(self) -> None:
        super().setUp()
        self.session = self.enterContext(self.ours.Session(self.policy))

    def test_mount(self) -> None:
        plain = self.library.Session()
        self.assertEqual(plain.get(self.secret).text, SECRET)
        plain.close()
        self.session.adapters = {"http://127": self.library.adapters.HTTPAdapter(), **self.session.adapters}  # past mount()
        self.assertRaises(self.ours.RefusedURL, self.session.get, self.secret)
        self.assertRaises(self.ours.RefusedURL, self.session.get, self.front)
        self.assertRaises(self.ours.RefusedURL, self.session.get_adapter, self.front)
        del self.session.adapters["http://127"]
        self.session.mount("http://127.0.0.1", self.ours.HTTPAdapter(self.policy, max_retries=2))
        self.assertEqual(self.session.get(self.front).text, FRONT)

    def test_pool_managers(self) -> None:
        """Adapters that bring a pool manager of their own, as many do for the sake of TLS or a source address."""
        class Brings(self.library.adapters.HTTPAdapter):
            def init_poolmanager(self, connections, maxsize, block=False, **more):  # noqa: ANN001, ANN003, ANN202
                self.poolmanager = urllib3.PoolManager(connections, maxsize=maxsize, block=block, **more)

        class Mixed(Brings, self.ours.HTTPAdapter):
            pass

        import urllib3
        url = f"http://inside.good.test:{self.servers.secret.server_port}/"
        with servers.names(inside=["127.0.0.2"]):
            with self.library.Session() as plain:
                plain.mount("http://", Brings())
                self.reached(plain.get(url).text)
            self.session.mount("http://", Mixed(self.policy))
            self.assertRaises(self.ours.RefusedURL, self.session.get, url)
        self.unasked()

    @unittest.skipUnless(here("responses"), "needs python3-responses")
    def test_mock(self) -> None:
        """A test answers in place of the network; URLs and redirects are judged."""
        import responses
        with responses.RequestsMock() as mock:
            mock.add("GET", "https://example.com/", body="made up")
            mock.add("GET", "https://example.com/inside", status=302, headers={"Location": "http://10.0.0.1/"})
            mock.add("GET", "http://10.0.0.1/", body=SECRET)
            self.assertEqual(self.library.get("https://example.com/inside").text, SECRET)  # the control
            for name in ("fetch_requests", "fetch_httpx") if here("httpx") else ():
                self.assertRaises(urivet.Refused, servers.program(name))
            with self.ours.Session() as session:
                self.assertEqual(session.get("https://example.com/").text, "made up")
                for url in ("http://10.0.0.1/", "https://example.com/inside", "https://example.com/%zz"):
                    self.assertRaises(urivet.Refused, session.get, url)

    def test_prepared(self) -> None:
        prepared = self.library.Request("GET", self.secret).prepare()
        with self.library.Session() as plain:
            self.reached(plain.send(prepared).text)
        for send in (self.session.send, self.session.get_adapter("http://").send):
            self.assertRaises(self.ours.RefusedURL, send, prepared)
        good = self.session.prepare_request(self.library.Request("GET", self.front))
        self.assertEqual(self.session.send(good).text, FRONT)
        good.url = self.secret
        self.assertRaises(self.ours.RefusedURL, self.session.send, good)
        self.unasked()

    def test_chunked(self) -> None:
        """The way of requests that asks a pool for a bare connection."""
        port = self.servers.secret.server_port
        with servers.names(inside=["127.0.0.2"]), self.assertRaises(urivet.Refused):
            self.session.post(f"http://inside.good.test:{port}/", data=iter([b"x"]))
        self.unasked()

    def test_without_redirects(self) -> None:
        response = self.session.get(servers.redirect(self.servers, self.secret), allow_redirects=False)
        self.assertEqual((response.status_code, response.text, response.next), (302, FRONT, None))
        response = self.session.get(servers.redirect(self.servers, self.front), allow_redirects=False)
        self.assertEqual(response.next.url, self.front)

    def test_environment(self) -> None:
        for proxies in ({"http": self.secret}, {"all": self.secret}):
            self.assertRaises(self.ours.RefusedURL, self.session.get, self.front, proxies=proxies)
        self.session.proxies["http"] = self.secret
        self.assertRaises(self.ours.RefusedURL, self.session.get, self.front)
        self.unasked()

    def test_proxy(self) -> None:
        with self.ours.Session(urivet.PUBLIC, proxy=self.front) as session:
            self.asks_the_proxy(lambda url: session.get(url).text)
            self.assertRaises(self.ours.RefusedURL, session.get, "http://example.com/", proxies={"http": self.secret})
            again = self.enterContext(pickle.loads(pickle.dumps(session)))
            self.asks_the_proxy(lambda url: again.get(url).text)

    def test_copies(self) -> None:
        for again in (pickle.loads(pickle.dumps(self.session)), copy.copy(self.session),
                      copy.deepcopy(self.session)):
            self.assertEqual(again.get(self.front).text, FRONT)
            self.assertRaises(self.ours.RefusedURL, again.get, self.secret)
            with servers.names(inside=["127.0.0.2"]), self.assertRaises(self.ours.RefusedAddress):
                again.get(f"http://inside.good.test:{self.servers.secret.server_port}/")
            again.close()
        self.unasked()

    def test_threads(self) -> None:
        texts = []
        ours = [threading.Thread(target=lambda: texts.append(self.session.get(self.front).text)) for _ in range(8)]
        for thread in ours:
            thread.start()
        for thread in ours:
            thread.join(10)
        self.assertEqual(texts, [FRONT] * 8)


@unittest.skipUnless(here("urllib3"), "needs python3-urllib3")
class Urllib3(Proxy):
    module = "urllib3"

    def setUp(self) -> None:
        super().setUp()
        self.pools = self.enterContext(self.ours.PoolManager(self.policy))

    def test_pools(self) -> None:
        """Pools that are asked directly, for other hosts too, are those of the guard."""
        pool = self.pools.connection_from_url(self.front)
        self.assertEqual(pool.request("GET", "/").data.decode(), FRONT)
        for url in (self.secret, "//127.0.0.2/", "/%zz"):
            self.assertRaises(self.ours.RefusedURL, pool.urlopen, "GET", url, assert_same_host=False)
        self.assertRaises(self.ours.RefusedURL, pool.urlopen, "GET", servers.redirect(self.servers, self.secret).partition(self.servers.front_at)[2])
        port = self.servers.secret.server_port
        with self.library.PoolManager() as plain:
            self.reached(plain.connection_from_host("127.0.0.2", port).request("GET", "/").data.decode())
        with self.assertRaises(self.ours.RefusedURL):
            self.pools.connection_from_host("127.0.0.2", port).request("GET", "/")
        with servers.names(inside=["127.0.0.2"]), self.assertRaises(self.ours.RefusedAddress):
            self.pools.connection_from_host("inside.good.test", port).request("GET", "/")
        self.unasked()

    def test_another_host(self) -> None:
        """A pool that is asked for a URL of another host asks its own for it."""
        with servers.names(other=["127.0.0.1"]):
            policy = urivet.Policy.from_yaml("base: public\naddresses: {allow: [127.0.0.1]}\nhosts: {deny: [other.good.test]}\n"
                                             f"ports: {{http: [{self.servers.front.server_port}]}}\n")
            other = {"host": "other.good.test", "port": self.servers.front.server_port}
            with self.library.PoolManager() as plain:
                asked = plain.connection_from_host(**other).urlopen("GET", self.front, assert_same_host=False)
                self.assertEqual(asked.data.decode(), FRONT)
            self.servers.front.asked.clear()
            with self.ours.PoolManager(policy) as pools, self.assertRaises(self.ours.RefusedURL):
                pools.connection_from_host(**other).urlopen("GET", self.front, assert_same_host=False)
        self.assertEqual(self.servers.front.asked, [])

    def test_redirect_in_a_pool(self) -> None:
        pool = self.pools.connection_from_url(self.front)
        self.assertEqual(pool.request("GET", "/?to=/a").data.decode(), FRONT)
        self.assertRaises(self.library.exceptions.MaxRetryError, pool.request, "GET", "/?to=/a", retries=self.library.Retry(0))

    def test_redirect_of_a_body(self) -> None:
        """After 303 a GET without the body and its fields follows, after 307 and 308 the same request (RFC 9110, 15.4)."""
        for status, body in (("303", b""), ("307", b"a=b"), ("308", b"a=b")):
            for asked in (self.pools, self.pools.connection_from_url(self.front)):
                asked.request("POST", f"{self.front}?to=/a&status={status}", body=b"a=b", headers={"Content-Length": "3", "Content-Type": "a/b"}, timeout=5)
                self.assertEqual(self.servers.front.bodies[-2:], [b"a=b", body], status)
                self.assertEqual("content-type" in self.servers.front.fields[-1], body != b"", status)

    def test_classes(self) -> None:
        self.pools.pool_classes_by_scheme = {"http": self.library.HTTPConnectionPool}
        self.assertRaises(self.ours.RefusedURL, self.pools.request, "GET", self.front)

    def test_without_a_guard(self) -> None:
        with self.assertRaises(self.ours.RefusedURL):
            self.ours._HTTPPool("127.0.0.1", self.servers.front.server_port).request("GET", "/")
        with self.assertRaises(self.ours.RefusedAddress):
            self.ours._HTTPConnection("127.0.0.1", self.servers.front.server_port).request("GET", "/")

    def test_proxy(self) -> None:
        with self.ours.ProxyManager(urivet.PUBLIC, self.front) as pools:
            self.asks_the_proxy(lambda url: pools.request("GET", url).data.decode())

    def test_pickle(self) -> None:
        self.assertRaises(TypeError, pickle.dumps, self.pools)


class Urllib(Case):
    def setUp(self) -> None:
        super().setUp()
        import urllib.error
        import urllib.request
        import urivet.urllib
        self.library, self.ours, self.error = urllib.request, urivet.urllib, urllib.error.URLError

    def test_handlers(self) -> None:
        opener = self.ours.opener(self.policy, self.library.HTTPCookieProcessor)
        for handler in (self.library.FileHandler(), self.library.FTPHandler(), self.library.DataHandler(),
                        self.library.HTTPHandler(), self.library.HTTPRedirectHandler(),
                        self.library.ProxyHandler({"http": self.secret})):
            self.assertRaises(self.ours.RefusedURL, opener.add_handler, handler)
        with opener.open(self.front) as response:
            self.assertEqual(response.read().decode(), FRONT)

    def test_requests(self) -> None:
        """A request that is changed after it was made, and one that names a proxy."""
        opener = self.ours.opener(self.policy)
        proxied = self.library.Request(self.front)
        proxied.set_proxy(self.servers.secret_at, "http")
        with self.library.build_opener().open(proxied) as response:
            self.reached(response.read().decode())
        changed = self.library.Request(self.front)
        changed.host = self.servers.secret_at
        foreign, once = self.library.Request(self.front, headers={"Host": "evil.test"}), self.library.Request(self.front)
        once.add_unredirected_header("Host", "evil.test")
        for request in (proxied, changed, foreign, once, self.library.Request(self.secret)):
            self.assertRaises(self.ours.RefusedURL, opener.open, request)
        self.unasked()

    def test_any(self) -> None:
        """No handler for other schemes, whatever the policy accepts."""
        for url in ("ftp://example.com/x", "mailto:a@example.com"):
            self.assertTrue(urivet.ANY.ok(url))
            with self.assertRaises(self.error):
                self.ours.opener(urivet.ANY).open(url)


@unittest.skipUnless(here("httpx"), "needs python3-httpx")
class Httpx(Proxy):
    module = "httpx"

    def test_transports(self) -> None:
        with self.library.Client(transport=self.library.HTTPTransport()) as plain:
            self.reached(plain.get(self.secret).text)
        with self.ours.Client(self.policy) as client:
            self.assertFalse(client.trust_env)
        with self.ours.Client(self.policy) as client:
            client._mounts = {self.library._utils.URLPattern("all://"): self.library.HTTPTransport()}
            self.assertRaises(TypeError, client.get, self.front)
        with self.assertRaises(ValueError):
            self.ours.Client(self.policy, transport=self.ours.HTTPTransport(self.policy),
                             mounts={"all://": self.ours.HTTPTransport(urivet.PUBLIC)})
        self.unasked()

    def test_mock(self) -> None:
        """A test answers in place of the network; what would be refused there is refused here."""
        asked = []

        def answer(request):  # noqa: ANN001, ANN202
            asked.append(str(request.url))
            location = {"Location": "http://10.0.0.1/"} if request.url.path == "/inside" else {}
            return self.library.Response(302 if location else 200, headers=location, text="made up")

        async def steps() -> None:
            async with self.ours.AsyncClient("public", transport=self.ours.MockTransport(answer)) as client:
                self.assertEqual((await client.get("https://example.com/")).text, "made up")
                await self.assertRefused(client.get("http://127.0.0.1/"))

        asyncio.run(steps())
        with self.ours.Client(transport=self.ours.MockTransport(answer), follow_redirects=True) as client:
            self.assertEqual(client.get("https://example.com/a").text, "made up")
            for url in ("http://127.0.0.1/", "https://example.com/inside", "https://example.com/%zz"):
                self.assertRaises(urivet.Refused, client.get, url)
        self.assertEqual(asked, ["https://example.com/", "https://example.com/a", "https://example.com/inside"])
        self.assertRaises(TypeError, self.ours.Client, transport=self.library.MockTransport(answer))

    def test_unix_sockets(self) -> None:
        path = unix_server(self)
        with self.library.Client(transport=self.library.HTTPTransport(uds=path)) as plain:
            self.assertEqual(plain.get("http://example.com/").text, SECRET)
        self.assertRaises(TypeError, self.ours.HTTPTransport, self.policy, uds=path)
        with self.assertRaises(urivet.Refused):
            self.ours._Backend(Guard(self.policy, KINDS)).connect_unix_socket(path)

    def test_sent(self) -> None:
        request = self.library.Request("GET", self.secret)
        with self.ours.Client(self.policy) as client:
            self.assertRaises(urivet.Refused, client.send, request)
            request = client.build_request("GET", self.front)
            request.url = self.library.URL(self.secret)
            self.assertRaises(urivet.Refused, client.send, request)
        self.unasked()

    def test_without_redirects(self) -> None:
        with self.ours.Client(self.policy) as client:
            response = client.get(servers.redirect(self.servers, self.secret))
            self.assertEqual((response.status_code, response.text, response.next_request), (302, FRONT, None))
            response = client.get(servers.redirect(self.servers, self.front))
            self.assertEqual(str(response.next_request.url), self.front)
            self.assertRaises(urivet.Refused, client.get, servers.redirect(self.servers, self.secret), follow_redirects=True)
        self.unasked()

    def test_hooks(self) -> None:
        """A hook may change a request: the transport judges what is sent."""
        def turn(request) -> None:  # noqa: ANN001
            request.url = self.library.URL(self.secret)

        with self.library.Client(event_hooks={"request": [turn]}) as plain:
            self.reached(plain.get(self.front).text)
        with self.ours.Client(self.policy, event_hooks={"request": [turn]}) as client, \
                self.assertRaises(urivet.Refused):
            client.get(self.front)
        self.unasked()
        spelled = f"{self.front}a%2Fb"  # whose address is accepted

        def respell(request) -> None:  # noqa: ANN001
            request.url = self.library.URL(spelled)

        async def respell_async(request) -> None:  # noqa: ANN001
            respell(request)

        async def steps() -> None:
            async with self.ours.AsyncClient(self.policy, event_hooks={"request": [respell_async]}) as client:
                await self.assertRefused(client.get(self.front))

        with self.ours.Client(self.policy, event_hooks={"request": [respell]}) as client, \
                self.assertRaises(urivet.Refused):
            client.get(self.front)
        asyncio.run(steps())

    def test_base_url(self) -> None:
        with self.ours.Client(self.policy, base_url=self.front) as client:
            self.assertEqual(client.get("/a").text, FRONT)
            self.assertEqual(client.get("a?b").text, FRONT)
            self.assertEqual(client.get(f"//{self.servers.secret_at}/").text, FRONT)  # as httpx merges them
            self.assertRaises(urivet.Refused, client.get, self.secret)
        self.unasked()

    def test_proxy(self) -> None:
        with self.ours.Client(urivet.PUBLIC, proxy=self.front) as client:
            self.asks_the_proxy(lambda url: client.get(url).text)

    def test_pickle(self) -> None:
        for one in (self.ours.Client(self.policy), self.ours.HTTPTransport(self.policy)):
            self.assertRaises(TypeError, pickle.dumps, one)
            self.assertRaises(TypeError, copy.copy, one)
            one.close()

    def test_async(self) -> None:
        async def steps() -> None:
            async with self.ours.AsyncClient(self.policy) as client:
                await self.assertRefused(client.send(self.library.Request("GET", self.secret)))
            async with self.ours.AsyncClient(urivet.PUBLIC, proxy=self.front) as client:
                self.assertEqual((await client.get("http://example.com/x")).text, FRONT)
                await self.assertRefused(client.get(self.secret))

        asyncio.run(steps())
        self.unasked()


@unittest.skipUnless(here("aiohttp"), "needs python3-aiohttp")
class Aiohttp(Proxy, unittest.IsolatedAsyncioTestCase):
    module = "aiohttp"

    async def test_connectors(self) -> None:
        path = unix_server(self)
        async with self.library.ClientSession(connector=self.library.UnixConnector(path)) as plain:
            async with plain.get("http://example.com/") as response:
                self.assertEqual(await response.text(), SECRET)
        unix, tcp = self.library.UnixConnector(path), self.library.TCPConnector()
        for connector in (unix, tcp):
            self.assertRaises(TypeError, self.ours.ClientSession, self.policy, connector=connector)
        self.assertRaises(ValueError, self.ours.ClientSession, self.policy, trust_env=True)
        async with self.ours.ClientSession(self.policy) as session:
            await session.connector.close()
            session._connector = tcp
            await self.assertRefused(session.get(self.front), TypeError)
        await unix.close()
        await tcp.close()

    async def test_guarded_connector(self) -> None:
        """The connector guards a session of aiohttp itself, addresses in URLs too, which no resolver is asked for."""
        async with self.library.ClientSession() as plain, plain.get(self.secret) as response:
            self.reached(await response.text())
        connector = self.ours.TCPConnector(self.policy, resolver=self)
        async with self.library.ClientSession(connector=connector) as session:
            async with session.get(self.front) as response:
                self.assertEqual(await response.text(), FRONT)
            for url in (self.secret, servers.redirect(self.servers, self.secret),
                        f"http://inside.good.test:{self.servers.secret.server_port}/"):
                await self.assertRefused(session.get(url))
            await self.assertRefused(session.get(f"{self.front}a%2Fb"))
            await self.assertRefused(session.get("http://www.good.test/", proxy=self.front))
        self.unasked()

    async def resolve(self, host, port, family=0):  # noqa: ANN001, ANN201
        """A resolver that answers with a name: nothing is looked up after it."""
        return [{"hostname": host, "host": "localhost", "port": port, "family": 0, "proto": 0, "flags": 0}]

    async def close(self) -> None:
        pass

    async def test_proxy(self) -> None:
        self.servers.front.asked.clear()
        async with self.ours.ClientSession(urivet.PUBLIC, proxy=self.front) as session:
            async with session.get("http://example.com/x") as response:
                self.assertEqual(await response.text(), FRONT)
            await self.assertRefused(session.get(self.secret))
        self.assertEqual(len(self.servers.front.asked), 1)
        async with self.ours.ClientSession(self.policy) as session:
            await self.assertRefused(session.get(self.front, proxy=self.secret))
        self.unasked()

    async def test_loopback(self) -> None:
        """The function of src/bindings/python/README.md for tests with a server on loopback."""
        loopback = servers.program("loopback")

        async with self.ours.ClientSession(loopback(self.servers.front.server_port)) as session:
            async with session.get(self.front) as response:
                self.assertEqual(await response.text(), FRONT)
            for url in (self.secret, servers.redirect(self.servers, self.secret)):
                await self.assertRefused(session.get(url))
        async with self.ours.ClientSession() as session:  # the control: PUBLIC does not allow it
            await self.assertRefused(session.get(self.front))
        self.unasked()

    def test_cookies(self) -> None:
        """Cookies of the session without a domain stay on the origin of the request, whatever else is requested meanwhile."""
        other = servers.started(self, "127.0.0.1")
        front, elsewhere = self.servers.front, f"http://127.0.0.1:{other.server_port}/"
        policy = servers.allowing(front.server_port, other.server_port)
        away, back = servers.redirect(self.servers, elsewhere), servers.redirect(self.servers, self.front)
        there_and_back = servers.redirect(self.servers, f"{elsewhere}?to={self.front}")

        async def sent(session, *urls: str) -> list:  # noqa: ANN001
            """The Cookie fields that both servers received, those of the front first."""
            front.fields.clear()
            other.fields.clear()
            for response in await asyncio.gather(*(session.get(url) for url in urls)):
                await response.text()
            return [[fields.get("cookie") for fields in server.fields] for server in (front, other)]

        async def nested(session, context, _) -> None:  # noqa: ANN001
            """Sends another request before the first redirect of a request is followed."""
            if context.trace_request_ctx != "nested":
                async with session.get(elsewhere, trace_request_ctx="nested"):
                    pass

        async def steps() -> None:
            async with self.library.ClientSession(cookies={"c": "d"}) as plain:  # the control
                self.assertEqual(await sent(plain, away), [["c=d"], ["c=d"]])
            async with self.ours.ClientSession(policy, cookies={"c": "d"}) as session:
                self.assertEqual(await sent(session, away), [["c=d"], [None]])
                self.assertEqual(await sent(session, back), [["c=d"] * 2, []])
                self.assertEqual(await sent(session, there_and_back), [["c=d"] * 2, [None]])
                self.assertEqual(await sent(session, elsewhere), [[], ["c=d"]])
                fields = await sent(session, *[away] * 5, *[elsewhere] * 3, *[back] * 2)
                self.assertEqual([(each.count("c=d"), each.count(None)) for each in fields], [(9, 0), (3, 5)])
                await self.assertRefused(session.get(servers.redirect(self.servers, self.secret)))
                self.assertEqual(await sent(session, elsewhere), [[], ["c=d"]])
            trace = self.library.TraceConfig()
            trace.on_request_redirect.append(nested)
            async with self.ours.ClientSession(policy, cookies={"c": "d"}, trace_configs=[trace]) as session:
                self.assertEqual(await sent(session, away), [["c=d"], ["c=d", None]])
            jar = self.library.CookieJar(unsafe=True)
            jar.update_cookies({"e": "f"}, self.library.client.URL(self.front))  # has the domain 127.0.0.1
            async with self.ours.ClientSession(policy, cookies={"c": "d"}, cookie_jar=jar) as session:
                self.assertIs(session.cookie_jar, jar)
                fields = await sent(session, away)
                self.assertEqual([set(each[0].split("; ")) for each in fields], [{"c=d", "e=f"}, {"e=f"}])

        asyncio.run(steps())
        self.unasked()

    async def test_websocket_and_pickle(self) -> None:
        async with self.ours.ClientSession(self.policy) as session:
            for url in (self.secret, self.secret.replace("http", "ws")):
                await self.assertRefused(session.ws_connect(url))
            self.unasked()
            for one in (session, session.connector):
                self.assertRaises(TypeError, pickle.dumps, one)
