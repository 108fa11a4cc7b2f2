# SPDX-License-Identifier: Apache-2.0
"""Attacks on what fetches, each with its control: the same library without the guard reaches the secret."""
from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import pickle
import pydoc
import socket
import ssl
import subprocess
import tempfile
import unittest
from unittest import mock

import servers
import urivet

SECRET, FRONT = servers.SECRET, servers.FRONT
PLAIN = object()


def here(*modules: str) -> bool:
    with contextlib.suppress(ImportError):
        for module in modules:
            importlib.import_module(module)
        return True
    return False


class Fetches:
    """One library. fetch() gets URLs one after the other by one client, and returns the text of the last. The client is
    the library's own if `policy` is PLAIN. `read` reads a streamed body in pieces of that many octets."""

    module = package = ""
    retrying: dict = {}  # options that let it retry

    def fetch(self, policy, *urls, timeout=5, fields=None, certificate=None, read=None, **options) -> str:
        raise NotImplementedError

    def guarded(self, policy: urivet.Policy | str | None, *urls: str, **more) -> str:
        return self.fetch(policy, *urls, **more)

    def plain(self, *urls: str) -> str:
        return self.fetch(PLAIN, *urls)

    def client(self, name: str, policy, *arguments, **options):
        """A client of the library, or the guarded one."""
        kind = getattr(importlib.import_module(self.module if policy is PLAIN else f"urivet.{self.module}"), name)
        return kind(*arguments, **options) if policy is PLAIN else kind(policy, *arguments, **options)

    @property
    def ours(self):
        return importlib.import_module(f"urivet.{self.module}")

    @property
    def refused(self) -> tuple:
        return self.ours.RefusedURL, self.ours.RefusedAddress


class Requests(Fetches):
    module, package = "requests", "python3-requests"

    def fetch(self, policy, *urls, timeout=5, fields=None, certificate=None, read=None, **options):
        more = {"timeout": timeout, "verify": certificate or True}
        if fields:  # requests drops the field Cookie itself
            more |= {"headers": {**fields, "Cookie": None}, "cookies": dict([fields["Cookie"].split("=")])}
        with self.client("Session", policy, **options) as session:
            answers = [session.get(url, **more) for url in (urls[:-1] if read else urls)]
            if not read:
                return answers[-1].content.decode()
            return b"".join(session.get(urls[-1], stream=True, **more).iter_content(read)).decode()


class Urllib3(Fetches):
    module, package, retrying = "urllib3", "python3-urllib3", {"retries": 3}

    def fetch(self, policy, *urls, timeout=5, fields=None, certificate=None, read=None, **options):
        if certificate:
            options |= {"cert_reqs": "CERT_REQUIRED", "ca_certs": certificate, "retries": False}
        with self.client("PoolManager", policy, **options) as pool:
            for k, url in enumerate(urls, 1):
                answer = pool.request("GET", url, headers=fields and dict(fields), timeout=timeout, preload_content=not read or k < len(urls))
            return (b"".join(answer.stream(read, decode_content=True)) if read else answer.data).decode()


class Urllib(Fetches):
    module = "urllib"

    def fetch(self, policy, *urls, timeout=5, fields=None, certificate=None, read=None, **options):
        import urllib.request
        context = ssl.create_default_context(cafile=certificate) if certificate else None
        plain = policy is PLAIN
        opener = urllib.request.build_opener() if plain else self.ours.opener(policy, context=context, **options)
        for url in urls:
            with opener.open(urllib.request.Request(url, headers=fields) if fields else url, timeout=timeout) as response:
                body = b"".join(iter(lambda: response.read(read), b"")) if read else response.read()  # noqa: B023
        return body.decode()


class Httpx(Fetches):
    module, package, retrying = "httpx", "python3-httpx", {"retries": 3}
    name, transport = "Client", "HTTPTransport"

    def made(self, policy, timeout, certificate, options):
        if "retries" in options:
            options = {"transport": getattr(self.ours, self.transport)(**options)}
        if certificate:
            options = {**options, "verify": ssl.create_default_context(cafile=certificate)}
        return self.client(self.name, policy, follow_redirects=True, timeout=timeout, **options)

    def fetch(self, policy, *urls, timeout=5, fields=None, certificate=None, read=None, **options):
        if fields:
            options["cookies"] = {"c": "d"}
        with self.made(policy, timeout, certificate, options) as client:
            for url in urls[:-1] if read else urls:
                text = client.get(url, headers=fields).text
            if not read:
                return text
            with client.stream("GET", urls[-1], headers=fields) as response:
                return b"".join(response.iter_bytes(read)).decode()


class AsyncHttpx(Httpx):
    name, transport = "AsyncClient", "AsyncHTTPTransport"

    def fetch(self, policy, *urls, timeout=5, fields=None, certificate=None, read=None, **options):
        async def steps():
            async with self.made(policy, timeout, certificate, options) as client:
                for url in urls[:-1] if read else urls:
                    text = (await client.get(url, headers=fields)).text
                if not read:
                    return text
                async with client.stream("GET", urls[-1], headers=fields) as response:
                    return b"".join([piece async for piece in response.aiter_bytes(read)]).decode()

        return run(steps())


class Aiohttp(Fetches):
    module, package = "aiohttp", "python3-aiohttp"

    def fetch(self, policy, *urls, timeout=5, fields=None, certificate=None, read=None, **options):
        import aiohttp
        context = {"ssl": ssl.create_default_context(cafile=certificate)} if certificate else {}

        async def steps():
            limit = aiohttp.ClientTimeout(connect=timeout, sock_read=timeout)
            async with self.client("ClientSession", policy, timeout=limit, **options) as session:
                for url in urls:
                    async with session.get(url, headers=fields, **context) as response:
                        pieces = [piece async for piece in response.content.iter_chunked(read)] if read else []
                        body = b"".join(pieces) if read else await response.read()
                return body.decode()

        return run(steps())


def run(steps):
    """asyncio.run(), which would wait for a look-up whose result is not needed."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(steps)
    finally:
        loop.run_until_complete(asyncio.sleep(0.02))  # what was closed or cancelled ends
        loop.close()


# The exceptions of the libraries that ours are of: for URLs, addresses, sizes and times.
EXCEPTIONS = {
    "requests": [f"requests.exceptions.{name}" for name in ("InvalidURL", "ConnectionError", "RequestException", "Timeout")],
    "urllib3": [f"urllib3.exceptions.{name}" for name in ("LocationValueError", "HTTPError", "HTTPError", "TimeoutError")],
    "urllib": ["urllib.error.URLError"] * 4, "httpx": [f"httpx.{name}" for name in ("HTTPError", "ConnectError", "RequestError", "TimeoutException")],
    "aiohttp": [f"aiohttp.{name}" for name in ("InvalidURL", "ClientConnectionError", "ClientPayloadError", "ServerTimeoutError")]}
CLIENTS = [Requests, Urllib3, Urllib, Httpx, AsyncHttpx, Aiohttp]


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.servers = servers.Servers()
        cls.addClassCleanup(cls.servers.close)
        logging.getLogger("urivet").setLevel(logging.CRITICAL)
        cls.addClassCleanup(logging.getLogger("urivet").setLevel, logging.NOTSET)

    def setUp(self) -> None:
        self.policy = self.servers.policy
        self.front, self.secret = f"http://{self.servers.front_at}/", f"http://{self.servers.secret_at}/"
        self.servers.secret.asked.clear()

    def unasked(self) -> None:
        self.assertEqual(self.servers.secret.asked, [], "something was sent to the secret's server")

    def reached(self, text: str) -> None:
        """The control: without the guard the secret is answered."""
        self.assertEqual(text, SECRET)
        self.servers.secret.asked.clear()


class Attacks:
    """Each test is run for each library."""

    fetches: Fetches

    def refuses(self, *urls: str) -> None:
        with self.assertRaises(self.fetches.refused) as caught:
            self.fetches.guarded(self.policy, *urls)
        self.assertIsInstance(caught.exception, urivet.Refused)
        self.assertIn(caught.exception.public_reason, ("unclear", "not-allowed"))
        self.unasked()

    def reaches(self, *urls: str) -> None:
        self.reached(self.fetches.plain(*urls))

    def test_exceptions(self) -> None:
        """They are those of the library as well, and no request is sent or retried after them."""
        url, address, *limits = EXCEPTIONS[self.fetches.module]
        with servers.names(inside=["127.0.0.2"]) as names:
            for kind, family in (("secret", url), ("name", address)):
                asked = self.secret if kind == "secret" else f"http://inside.good.test:{self.servers.secret.server_port}/"
                with self.assertRaises(pydoc.locate(family)) as caught:
                    self.fetches.fetch(self.policy, asked, **self.fetches.retrying)
                self.assertIn("addr-loopback", str(caught.exception))
                self.assertIn("addr-loopback", caught.exception.report.ids)
                self.assertEqual(caught.exception.public_reason, "not-allowed")
        self.assertEqual(len(names), 1)
        self.unasked()
        for name, family in zip(("ResponseTooLarge", "TotalTimeout"), limits):
            self.assertTrue(issubclass(getattr(self.fetches.ours, name), pydoc.locate(family)))

    def test_front(self) -> None:
        self.assertEqual(self.fetches.guarded(self.policy, self.front, self.front), FRONT)
        self.assertEqual(self.fetches.guarded(self.policy, servers.redirect(self.servers, self.front)), FRONT)
        self.assertEqual(self.fetches.guarded(self.policy, servers.redirect(self.servers, "/a?b")), FRONT)
        port = self.servers.front.server_port
        wide = urivet.Policy.build(base="public", addresses={"allow": ["127.0.0.0/24"]}, hosts={"allow": [".good.test"]}, ports={"http": [port]})
        for policy, addresses in ((self.policy, []), (wide, ["127.0.0.3", "127.0.0.4", "127.0.0.5"])):  # where nothing listens
            with servers.lookup(lambda host, port, _, these=(*addresses, "127.0.0.1"): [servers.row(one, port) for one in these] if host == "www.good.test" else None):
                self.assertEqual(self.fetches.guarded(policy, f"http://www.good.test:{port}/"), FRONT)

    def test_ways_to_the_secret(self) -> None:
        name, again = f"http://inside.good.test:{self.servers.secret.server_port}/", servers.redirect(self.servers, self.secret)
        with servers.names(inside=["127.0.0.2"]):
            for url in (self.secret, name, again, servers.redirect(self.servers, name), servers.redirect(self.servers, again)):
                with self.subTest(url):
                    self.reaches(url)
                    self.refuses(url)

    def test_redirect_of_another_scheme(self) -> None:
        for url in ("file:///etc/passwd", "ftp://127.0.0.2/", "data:,x", "gopher://127.0.0.2/"):
            self.refuses(servers.redirect(self.servers, url))

    def test_redirect_that_is_rewritten(self) -> None:
        """A backslash, an escape that is none, octets beyond ASCII, a space: judged before anybody repairs them."""
        for location in (f"http://{self.servers.front_at}\\@{self.servers.secret_at}/", "/%zz", "/é", "//x y/", "http:x", "http:/x"):
            self.refuses(servers.redirect(self.servers, location))

    def test_finding_of_a_redirect(self) -> None:
        """What is wrong with a Location is reported, not that there is no URL."""
        for location, finding in (("http://example.com/\xc3\xa9", "non-ascii"), ("http://example.com/a b", "raw-space"),
                                  ("http://example.com/[]", "forbidden-char"), ("/\xc3\xa9", "non-ascii"), ("/a b", "raw-space"),
                                  ("//exa mple.com/", "host-forbidden-char"), ("x[", "forbidden-char")):
            with self.assertRaises(self.fetches.refused) as caught:
                self.fetches.guarded(self.policy, servers.redirect(self.servers, location))
            self.assertIn(finding, caught.exception.report.ids, location)
            self.assertNotIn("not-absolute", caught.exception.report.ids, location)
            report = self.policy.check_redirect(location.encode("latin-1"), servers.redirect(self.servers, location))
            self.assertEqual(report.ids, caught.exception.report.ids)

    def test_credentials(self) -> None:
        """They stay on their origin; other fields are sent on, as every one of these libraries does."""
        other = servers.started(self, "127.0.0.1")
        policy = servers.allowing(self.servers.front.server_port, other.server_port)
        sent = {"Authorization": "x", "Cookie": "a=b", "Proxy-Authorization": "y", "X-Api-Key": "z"}
        self.fetches.fetch(policy, servers.redirect(self.servers, f"http://127.0.0.1:{other.server_port}/"), fields=sent)
        self.assertLessEqual({"authorization", "cookie", "x-api-key"}, set(self.servers.front.fields[-1]))
        self.assertEqual({name.lower() for name in sent} & set(other.fields[-1]), {"x-api-key"})
        self.fetches.fetch(policy, servers.redirect(self.servers, self.front), fields=sent)
        self.assertLessEqual({"authorization", "x-api-key"}, set(self.servers.front.fields[-1]))
        if self.fetches.module == "urllib":  # the control: it sends all of them anywhere
            import urllib.request
            url = servers.redirect(self.servers, self.secret)
            urllib.request.build_opener().open(urllib.request.Request(url, headers=sent), timeout=5).close()
            self.assertLessEqual({name.lower() for name in sent}, set(self.servers.secret.fields[-1]))

    def test_several_locations(self) -> None:
        self.refuses(servers.redirect(self.servers, self.front, self.secret))
        self.refuses(servers.redirect(self.servers, self.secret, self.front))
        for status in (301, 302, 303, 307, 308):
            self.refuses(servers.redirect(self.servers, self.front, self.front) + f"&status={status}")

    def test_rebinding(self) -> None:
        """The name leads to the front when it is looked up to check, and to the secret when it is connected to."""
        port = self.servers.secret.server_port
        url = f"http://flip.good.test:{port}/"
        with servers.names(flip=["127.0.0.1", "127.0.0.2"]):
            self.assertTrue(self.policy.check_address(socket.getaddrinfo("flip.good.test", port)[0][4][0], port))
            self.reaches(url)
        # nothing is looked up again, not even an address
        with servers.turning("127.0.0.1", "127.0.0.2") as asked, self.assertRaises(Exception):
            self.fetches.guarded(self.policy, url)
        self.assertGreater(len(asked), 0)
        self.unasked()
        # ours looks up once, whatever that says: nothing listens on that port of the front
        with servers.names(flip=["127.0.0.1", "127.0.0.2"]) as asked:
            self.assertRaises(Exception, self.fetches.guarded, self.policy, url)
            self.assertGreater(len(asked), 0)
        with servers.names(flip=["127.0.0.2"]):
            self.refuses(url)
        self.unasked()

    def test_reuse(self) -> None:
        """A client that reached the front by a name connects anew: the name is looked up, and judged, again."""
        port = self.servers.secret.server_port
        good = f"http://{self.servers.front_at}/?close"
        url = f"http://turn.good.test:{port}/"
        with servers.names(turn=["127.0.0.2"]):
            self.reaches(good, url)
            self.refuses(good, url)

    def test_mapped_and_scoped(self) -> None:
        for address in ("::ffff:127.0.0.2%1", "fe80::1%lo", "::1%1"):
            with servers.names(scoped=[address]):
                self.refuses(f"http://scoped.good.test:{self.servers.secret.server_port}/")
        for url in ("http://[fe80::1%25lo]/", "http://[::1]/", "http://[::ffff:127.0.0.2]/"):
            self.refuses(url)

    def test_spellings(self) -> None:
        port = self.servers.secret.server_port
        for host in ("127.2", "2130706434", "0x7f.0.0.2", "0177.0.0.2", "127.0.0.2."):
            self.refuses(f"http://{host}:{port}/")
        for url in (f"http://{self.servers.front_at}@{self.servers.secret_at}/", f"{self.front}%zz", f" {self.front}",
                    f"{self.front}\udc80", f"HTTP://{self.servers.secret_at}/", "file:///etc/passwd", "data:,x", ""):
            self.refuses(url)

    def test_ipv6(self) -> None:
        try:
            server = servers.started(self, "::1")
        except OSError:
            self.skipTest("there is no IPv6 here")
        url = f"http://[::1]:{server.server_port}/"
        policy = urivet.Policy.from_yaml(f"base: public\naddresses: {{allow: ['::1']}}\nports: {{http: [{server.server_port}]}}\n")
        self.assertEqual(self.fetches.guarded(policy, url, url), FRONT)
        self.refuses(url)

    def test_tls(self) -> None:
        """Names are those of certificates, whatever they lead to; trust is the library's, given by the environment or
        not at all: only that the connection gets so far is asked here."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=x",
                               "-addext", "subjectAltName=DNS:tls.good.test", "-keyout", f"{folder}/key", "-out", f"{folder}/crt"],
                              capture_output=True, check=False)
        if made.returncode:
            self.skipTest("needs openssl")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/crt", f"{folder}/key")
        server = servers.started(self, "127.0.0.1", context=context)
        policy = urivet.Policy.from_yaml("base: public\nschemes: [https]\naddresses: {allow: [127.0.0.1]}\n"
                                         f"hosts: {{allow: [.good.test]}}\nports: {{https: [{server.server_port}]}}\n")
        with servers.names(tls=["127.0.0.1"], other=["127.0.0.1"], inside=["127.0.0.2"]):
            self.assertEqual(self.fetches.fetch(policy, f"https://tls.good.test:{server.server_port}/", certificate=f"{folder}/crt"), FRONT)
            for name in ("other", "inside"):
                with self.assertRaises(Exception) as caught:
                    self.fetches.fetch(policy, f"https://{name}.good.test:{server.server_port}/", certificate=f"{folder}/crt")
                self.assertEqual(isinstance(caught.exception, urivet.Refused), name == "inside")
            with self.assertRaises(Exception) as caught:  # no authority vouches for it
                self.fetches.guarded(policy, f"https://tls.good.test:{server.server_port}/")
            self.assertNotIsInstance(caught.exception, urivet.Refused)

    def test_environment(self) -> None:
        url = f"http://www.good.test:{self.servers.front.server_port}/"
        with mock.patch.dict(os.environ, http_proxy=self.secret, HTTP_PROXY=self.secret, all_proxy=self.secret, no_proxy=""), \
                servers.names(www=["127.0.0.1"]):
            if self.fetches.module not in ("urllib3", "aiohttp"):  # which do not ask the environment
                self.reaches(url)
            self.assertEqual(self.fetches.guarded(self.policy, url), FRONT)
            self.unasked()

    def test_pickle(self) -> None:
        """A refusal in another process arrives as it was."""
        with servers.names(inside=["127.0.0.2"]):
            for url in (self.secret, f"{self.front}%zz", servers.redirect(self.servers, self.secret), servers.redirect(self.servers, "/a", "/b"),
                        f"http://inside.good.test:{self.servers.secret.server_port}/"):
                with self.assertRaises(self.fetches.refused) as caught:
                    self.fetches.guarded(self.policy, url)
                for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                    again = pickle.loads(pickle.dumps(caught.exception, protocol))
                    self.assertIs(type(again), type(caught.exception))
                    self.assertEqual((str(again), again.public_reason), (str(caught.exception), caught.exception.public_reason))
                    self.assertEqual(getattr(again.report, "findings", None),
                                     getattr(caught.exception.report, "findings", None))

    def test_repair(self) -> None:
        """Only what the program gives is spelled anew, not a redirect, and never what stays refused."""
        at = self.servers.front_at
        for url, asked in ((f"http://{at}?x=1", "/?x=1"), (f"http://{at}/?ids[]=1", "/?ids%5B%5D=1"), (f"http://{at}/\u00e9", "/%C3%A9")):
            self.refuses(url)
            with self.assertLogs("urivet", logging.INFO) as logs:
                self.assertEqual(self.fetches.fetch(self.policy, url, repair=True), FRONT)
            self.assertEqual((self.servers.front.asked[-1], len(logs.output)), (asked, 1))
            self.assertNotIn(at, logs.output[0])
            self.assertRaises(self.fetches.refused, self.fetches.fetch, self.policy, servers.redirect(self.servers, url), repair=True)
        for url in (self.secret, f"http://{self.servers.secret_at}?x", f"http://{at}\\@evil.example/", f"http://u@{at}/"):
            self.assertRaises(self.fetches.refused, self.fetches.fetch, self.policy, url, repair=True)
        self.assertRaises(TypeError, self.fetches.fetch, self.policy, self.front, repair="no")

    def test_host_field(self) -> None:
        sent, policy = {"Authorization": "x", "Cookie": "a=b"}, self.policy
        for host in (self.servers.secret_at, "www.good.test", f"{self.servers.front_at}/x", "u@" + self.servers.front_at, ""):
            with self.assertRaises(self.fetches.refused, msg=host):
                self.fetches.fetch(self.policy, self.front, fields={**sent, "Host": host})
        for base in (policy, urivet.Policy.from_yaml(policy.to_yaml() + f"urls: {{allow: ['{self.front}a/']}}\n")):
            self.assertEqual(self.fetches.fetch(base, f"{self.front}a/", fields={**sent, "Host": self.servers.front_at}), FRONT)

    def test_secrets(self) -> None:
        """No part of a URL but its findings is in what is logged or shown."""
        with self.assertLogs("urivet", logging.DEBUG) as logs:
            for url in ("http://u:hunter2@10.0.0.1/?hunter2", servers.redirect(self.servers, "http://10.0.0.1/hunter2?hunter2")):
                with self.assertRaises(self.fetches.refused) as caught:
                    self.fetches.guarded(self.policy, url)
                self.assertNotIn("hunter2", f"{caught.exception} {caught.exception!r} {caught.exception.report!r} {logs.output}")

    def test_policies(self) -> None:
        for name, error in (("public", self.fetches.refused), ("pubic", ValueError), (7, TypeError)):
            self.assertRaises(error, self.fetches.guarded, name, self.front)
        self.assertRaises(ValueError, self.fetches.guarded, urivet.Policy.from_yaml("base: public\nmode: observe\n"), self.front)
        with self.assertRaises(self.fetches.refused):
            self.fetches.guarded(None, self.front)  # PUBLIC


def cases_of(*bases: type) -> dict[str, type]:
    """The tests of the bases for each client, which are skipped if it is not here."""
    made = {}
    for kind in CLIENTS:
        case = type(f"{kind.__name__}{bases[0].__name__}", bases, {"fetches": kind()})
        is_here = not kind.package or here(kind.module)
        made[case.__name__] = case if is_here else unittest.skip(f"needs {kind.package}")(case)
    return made


globals().update(cases_of(Attacks, Case))
