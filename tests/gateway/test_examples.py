# SPDX-License-Identifier: Apache-2.0
"""Tests each example, changed only in ports and paths, before a server with a secret: what passes, what must
not arrive, the same without the guard, and with a helper that hangs or is gone."""
from __future__ import annotations

import contextlib
import os
import signal
import unittest
from typing import Any

import gateway
import servers

# None of these may arrive at the server.
TARGETS = ("/a%2Fb", "/a%2fb", "//evil.example/", "/a/../b", "/%2e%2e/b", "/a;/../b", "/a%00b", "/a%0d%0aX:1", "/a%", "/a%zz", "/a%5cb",
           "/a\\b", "/a|b", "/a\"b", "/caf\xe9", "http://evil.example/a", "/a?x=%0d%0aX:1", "/a?x=%00", "/%61dmin", "/a//b", "/./a", "/" + "a" * 9000)
HOSTS = ("a@b", "localhost@evil.example", "127.1", "0x7f.1", "evil_.example:80:80", "[::1", "a b", "localhost:1", "%6cocalhost")
ACCEPTED = ("/", "/a", "/a?b=c", "/a/b.html?x=1&y=2", "/a%20b", "/caf%C3%A9")


def before(where: str, text: str) -> tuple[str, str]:
    return where, f"{text}\n{where}"


def caddy_with(text: str) -> servers.Changes:
    return ("\timport urivet\n", f"\timport urivet\n\t{text}\n\t\treverse_proxy 127.0.0.1:BACKEND\n\t}}\n"),


def as_octets(text: str) -> bytes:
    return text.encode("latin-1")


class Examples:
    """Tests that every example must pass."""
    kind: type[servers.Server]
    asked_without = "/c"        # target that must not arrive while there is no helper
    tunnels = False             # true if it opens tunnels by itself
    waits = False               # true if it waits for a hanging helper as long as its clients do
    rewritten: dict[str, str] = {}      # targets that it rewrites before it checks them
    # what must not stand before, inside or after the guard: how it is closed, and opened; options of arrives()
    ways: dict[str, tuple[servers.Changes, servers.Changes, str, dict]] = {}

    def setUp(self) -> None:
        if not os.access(self.kind.program, os.X_OK):
            self.skipTest(f"{self.kind.program} is not installed")

    def begin(self, guarded: bool = True, words: tuple[str, ...] = (), **more: Any) -> None:
        self.backend = gateway.Backend()
        self.addCleanup(self.backend.close)
        self.server = self.kind(self.backend.port, guarded, words, **more)
        self.addCleanup(self.server.close)

    def arrives(self, *targets: str, changes: servers.Changes = (), helper: bool = True, **how: Any) -> bool:
        """Returns true if the last of the targets arrives, perhaps rewritten, where the configuration has these changes."""
        self.begin(changes=changes)
        if not helper:
            self.server.end_helper()
        return bool([self.get(target, *how.get("fields", ()), host=how.get("host"))[1] for target in targets][-1])

    def ask(self, request: bytes) -> tuple[list[int], list[str]]:
        return self.came(gateway.ask(self.server.port, request))

    def came(self, answer: bytes) -> tuple[list[int], list[str]]:
        """Returns the statuses that came back, and the targets that arrived."""
        arrived = [target.decode("latin-1") for target in self.backend.targets()]
        self.assertTrue(arrived or gateway.SECRET not in answer, answer)
        return gateway.statuses(answer), arrived

    def get(self, target: str, *fields: str, method: str = "GET", host: str | None = None) -> tuple[list[int], list[str]]:
        return self.came(gateway.get(self.server.port, self.server.target(target), *fields, host=self.server.host() if host is None else host, method=method))

    def refused(self, what: object, answer: tuple[list[int], list[str]]) -> None:
        """Checks that nothing arrived and that any answer is an error."""
        statuses, arrived = answer
        self.assertEqual(arrived, [], what)
        self.assertTrue(all(status >= 400 for status in statuses), (what, statuses))

    def test_what_is_read_alike_passes(self) -> None:
        self.begin()
        for target in ACCEPTED:
            self.assertEqual(self.get(target), ([200], [target]), self.server.said())
        for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            self.assertEqual(self.get("/a", "Content-Length: 0", method=method), ([200], ["/a"]), method)

    def test_what_is_refused_does_not_arrive(self) -> None:
        self.begin()
        for target in TARGETS:
            if target in self.rewritten:
                self.assertEqual(self.get(target), ([200], [self.rewritten[target]]))
            else:
                self.refused(target, self.get(target))
        self.assertEqual(self.get("/a"), ([200], ["/a"]))
        self.assertEqual(self.arrives_of_tunnels(), [])

    def test_hosts(self) -> None:
        self.begin()
        for host in HOSTS:
            self.refused(host, self.get("/a", host=host))
        for fields in ("Host: localhost\r\nHost: evil.example", "Host: localhost\r\n evil.example", "Host:", "X: y"):
            self.refused(fields, self.ask(as_octets(f"GET /a HTTP/1.1\r\n{fields}\r\nConnection: close\r\n\r\n")))
            self.refused(fields, self.ask(as_octets(f"GET /a HTTP/1.0\r\n{fields}\r\n\r\n")))

    def test_what_clients_say_of_themselves_is_not_believed(self) -> None:
        self.begin()
        said = ("X-Original-URI: /a", "X-Forwarded-Uri: /a", "X-Forwarded-Host: localhost", "X-Original-Method: GET", "X-Forwarded-Proto: http",
                "X-Original-Host: localhost", "X-Forwarded-Method: GET", "X-Original-Scheme: http", "X-Urivet-Verdict: accept")
        self.refused(said, self.get("/a%2Fb", *said))
        bad = tuple(field.replace("/a", "/a%2Fb") for field in said)
        self.assertEqual(self.get("/a", *bad), ([200], ["/a"]))

    def test_one_connection(self) -> None:
        """A refused request cannot hide behind an accepted one."""
        self.begin()
        host, good, bad = self.server.host(), self.server.target("/good"), self.server.target("/a%2Fb")
        second = f"GET {bad} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        _, arrived = self.ask(as_octets(f"GET {good} HTTP/1.1\r\nHost: {host}\r\n\r\n{second}"))
        self.assertLessEqual(arrived, ["/good"])
        body = f"POST {good} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(second)}\r\nConnection: close\r\n\r\n{second}"
        self.assertEqual(self.ask(as_octets(body))[1], ["/good"])
        body = body.replace("Content-Length: ", "Transfer-Encoding: chunked\r\nContent-Length: ")
        self.assertLessEqual(set(self.ask(as_octets(body))[1]), {"/good"})

    def arrives_of_tunnels(self) -> list[str]:
        """Returns the targets that arrive with a request for a tunnel; inside a tunnel nothing would be checked any more."""
        host, target = self.server.host(), self.server.target("/a")
        arrived = []
        for head in (f"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443", f"CONNECT {host} HTTP/1.1\r\nHost: {host}",
                     f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: other",
                     f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c",
                     f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"):
            with gateway.connected(self.server.port) as connection:
                connection.settimeout(0.5)
                connection.sendall(as_octets(head + "\r\n\r\n"))
                with contextlib.suppress(OSError):
                    connection.recv(65536)
        for request in self.backend.requests:
            text = request.decode("latin-1").lower()
            if text.startswith("connect ") or "\r\nupgrade:" in text:
                arrived.append(text)
        self.backend.targets()
        return arrived

    def test_without_the_guard(self) -> None:
        """Negative control: without the guard, many of the targets arrive."""
        self.begin(guarded=False)
        arrived = [target for target in TARGETS if self.get(target)[1]]
        self.assertGreater(len([target for target in arrived if target not in self.rewritten]), 3, arrived)
        self.assertEqual(bool(self.arrives_of_tunnels()), self.tunnels)

    def test_ways_round_the_guard(self) -> None:
        for name, (closed, opened, target, how) in self.ways.items():
            with self.subTest(name):
                self.assertFalse(self.arrives(target, changes=closed, **how))
                self.assertTrue(self.arrives(target, changes=opened, **how))

    def test_observing(self) -> None:
        self.begin(words=("--observe",))
        self.assertEqual(self.get("/a%20b")[0], [200])
        self.assertEqual(len(self.get("/%61dmin")[1]), 1)

    def test_nothing_passes_where_the_helper_does_not_answer(self) -> None:
        self.begin()
        self.assertEqual(self.get("/a")[0], [200])
        child = self.server.answering()
        os.kill(child, signal.SIGSTOP)
        try:
            if self.waits:
                self.assert_waits()
            else:
                self.refused("hung", self.get("/hung"))
        finally:
            os.kill(child, signal.SIGCONT)
        gateway.until("it goes on", lambda: self.get("/b")[0] == [200])
        self.server.end_helper()
        statuses, arrived = self.get(self.asked_without)
        # the waiting request was answered at last, and may come late
        self.refused("gone", (statuses, [target for target in arrived if target != "/hung"]))
        self.server.bring_back()
        gateway.until("it is there again", lambda: gateway.listens(self.server.port) and self.get("/d")[0] == [200])

    def test_a_helper_on_the_network(self) -> None:
        """It is asked over TLS; nothing passes if it hangs, is killed, has another certificate, or speaks no TLS."""
        if not self.kind.network or not gateway.is_caged():
            self.skipTest("asks no helper on the network, or there is no namespace")
        self.begin(public=True)
        for target in TARGETS:
            if target not in self.rewritten:
                self.refused(target, self.get(target))
        helper = self.server.helper
        self.assertEqual(self.get("/a"), ([200], ["/a"]), self.server.said())
        for number in (signal.SIGSTOP, signal.SIGKILL)[self.kind is servers.Haproxy:]:      # it refuses after 15 s
            for process in (helper.program.process.pid, *helper.children()):
                os.kill(process, number)
            self.refused(number, self.get("/c"))
        helper.program.end()
        self.backend.targets()
        servers.make_certificate(self.server.folder, "next")
        right = helper.command
        for helper.command in [word.replace("own.", "next.") for word in right], [word for word in right if "--tls" not in word]:
            helper.start()
            self.refused(helper.command, self.get("/d"))
            self.assertEqual(helper.end(), 0)
        helper.command = right
        helper.start()
        gateway.until("it is there again", lambda: self.get("/e")[0] == [200])

    def assert_waits(self) -> None:
        with gateway.connected(self.server.port) as connection:
            connection.settimeout(1)
            connection.sendall(as_octets(f"GET {self.server.target('/hung')} HTTP/1.1\r\nHost: {self.server.host()}\r\n\r\n"))
            self.assertRaises(TimeoutError, connection.recv, 1)
        self.assertEqual(self.backend.targets(), [])


class NginxModule(Examples, unittest.TestCase):
    kind = servers.NginxModule

    def test_nothing_passes_where_the_helper_does_not_answer(self) -> None:
        """The module has no helper that could hang; checks the counts instead."""
        self.begin()
        self.get("/a")
        self.refused("refused", self.get("/a%2Fb"))
        page = gateway.body(gateway.get(self.server.port, "/urivet"))
        self.assertIn('urivet_findings_total{finding="escaped-slash"} 1\n', page)

    def test_parameters_and_fields(self) -> None:
        self.begin()
        inside = "http://127.0.0.1/"
        for fields in ([f"/a?url={inside}"], [f"/a?next=/b&next={inside}"], ["/a", f"X-Callback-Url: {inside}"]):
            self.refused(fields, self.get(*fields))


class NginxAsks(Examples, unittest.TestCase):
    kind = servers.NginxAsks

    pages, page = (("proxy_intercept_errors off;", ""), ("error_page 418 /never;", "")), "=200 /page; location = /page { return 200; }"
    caught, gone = before("location / {\n", "proxy_intercept_errors on; error_page 403 404 " + page), before("location / {\n", "error_page 502 504 " + page)
    cache = before("upstream app", "proxy_cache_path FOLDER/cache keys_zone=z:1m; proxy_cache z; proxy_cache_valid any 1m; proxy_ignore_headers Cache-Control;")
    password = before("upstream app", "satisfy any; auth_basic x; auth_basic_user_file FOLDER/users;")
    ways = {
        "pages of errors": ((caught,), (caught, *pages), "/b%2Fc", {}),
        "a page for a helper that is gone": ((gone,), (gone, *pages[1:]), "/b%2Fc", {"helper": False}),
        "other locations": ((before("location / {\n", "location /static/ { proxy_pass http://app; }"),),
                            (before("location / {\n", "location /static/ { auth_request off; proxy_pass http://app; }"),), "/static/..;/admin", {}),
        "one of several checks": ((password,), (password, ("satisfy all;", "")), "/a", {}),
        "a login beside it": (
            (before("location / {\n", "location /in/ { proxy_pass http://unix:FOLDER/inner; }"), before("upstream app", "server { listen unix:FOLDER/inner; location = /sso { "
             "return 200; } location / { auth_request /sso; proxy_pass http://app; } }")),
            (before("location / {\n", "location = /sso { return 200; } location /in/ { auth_request /sso; proxy_pass http://app; }"),), "/in/..;/admin", {}),
    }

    def test_a_cache(self) -> None:
        self.assertFalse(self.arrives("/a", "/b%2Fc", changes=(self.cache,)))
        self.assertTrue(self.arrives("/a", "/b%2Fc", changes=(self.cache, ("proxy_cache off;", ""))))

    def test_a_redirect_before_it(self) -> None:
        for variable, split in (("$request_uri", False), ("$uri", True)):
            self.begin(changes=(before("location / {\n", f"location /old/ {{ return 301 http://localhost{variable}; }}"),))
            answer = gateway.get(self.server.port, "/old/%0d%0aX-Admin:%20yes")
            self.assertEqual(b"\r\nX-Admin: yes" in answer, split, answer)


class Caddy(Examples, unittest.TestCase):
    """In these tests clients are trusted proxies: even then their fields about the host are not believed."""
    kind = servers.Caddy
    tunnels = True
    # the host of the last is evil.example for the server too: Caddy rewrites the Host field
    rewritten = {"/a|b": "/a%7Cb", '/a"b': "/a%22b", "http://evil.example/a": "/a"}

    ways = {
        "a page of errors": (caddy_with("handle_errors {\n\t\timport urivet"), caddy_with("handle_errors {"), "/a%2Fb", {"helper": False}),
        "a rewrite after it": (caddy_with("handle /x {\n\t\timport urivet\n\t\trewrite * {query.p}"), caddy_with("handle /x {\n\t\trewrite * {query.p}"), "/x?p=/%252e%252e/b", {}),
        # a refused Host field is checked, even if a trusted client sends another one
        "forwarded fields": ((), (("\t\theader_up X-Forwarded-Host {hostport}\n", ""), ("\t\theader_up X-Forwarded-Proto {scheme}\n", "")), "/a",
                             {"fields": ("X-Forwarded-Host: localhost", "X-Forwarded-Proto: http"), "host": "a_b.example:99:1"}),
    }


class Haproxy(Examples, unittest.TestCase):
    kind = servers.Haproxy
    tunnels = True
    asks, allows = "    http-request lua.urivet\n", "    http-request allow if { path_beg /a }\n"
    sets = "    http-request set-path %[url_param(p)] if { path /p }\n"
    backend_rule = "    http-request deny deny_status 400 unless { var(txn.urivet) -m str accept }\n    server"
    ways = {
        "allowed before it": ((before(asks, allows[:-1]),), (before(asks, allows[:-1]), (backend_rule, "    server")), "/a%2Fb", {}),
        "a path set after it": ((before(asks, sets[:-1]),), (before("    default_backend", sets),), "/p?p=/..;/admin", {}),
    }


class Squid(Examples, unittest.TestCase):
    """Squid ignores the Host field and rewrites it. It opens tunnels, to accepted names."""
    kind = servers.Squid
    waits = True
    asked_without = "/c%2Fd"    # it restarts the helper itself, at once
    rewritten = {"/a%5cb": "/a%5cb", "/a//b": "/a//b"}      # only notes of its policy
    allows, second = ("http_access deny manager", "http_access allow clients"), ("adapted_http_access allow judged", "adapted_http_access allow all")
    ways = {"allowed before it": ((allows,), (allows, second), "/a%0d%0aX:1", {})}

    def test_hosts(self) -> None:
        self.begin()
        for host in HOSTS:
            gateway.get(self.server.port, self.server.target("/a"), host=host)
        fields = {field for request in self.backend.requests for field in request.split(b"\r\n") if field.startswith(b"Host:")}
        self.assertEqual(fields, {b"Host: www.example.com"})
        self.backend.targets()
        for host in HOSTS:
            if "@" in host:     # it removes userinfo, and checks the URL that it is about to fetch
                self.get(f"http://{host}/a")
            else:
                self.refused(host, self.get(f"http://{host}/a"))

    def test_names_that_lead_inside(self) -> None:
        """It does not connect to internal addresses, whatever an accepted name resolves to; without these lines it does."""
        for target in ("http://rebind.example.com/a", "http://rebind6.example.com/a"):
            self.assertFalse(self.arrives(target, host=target.split("/")[2]))
            self.assertTrue(self.arrives(target, host=target.split("/")[2], changes=((" !inside", ""), ("adapted_http_access deny inside", ""))))

    def test_its_own_pages_are_not_shown(self) -> None:
        self.begin()
        for target in (f"http://localhost:{self.server.port}/squid-internal-mgr/info", "/squid-internal-mgr/info", "http://www.example.com/squid-internal-mgr/info"):
            self.assertNotIn(b"Squid Object Cache", gateway.get(self.server.port, target), target)

    def test_names_of_tunnels(self) -> None:
        self.begin()
        for target in ("www.example.com:22", "127.1:443", "a@www.example.com:443", "evil_.example:443:443"):
            self.refused(target, self.came(gateway.get(self.server.port, target, host=target, method="CONNECT")))


class Apache(Examples, unittest.TestCase):
    kind = servers.Apache
    waits = tunnels = True

    # the control forbids by the rules alone, as the example did before it had the Location
    rules = ("Require env urivet", "Require all granted"), ("[E=urivet:accept]", "[E=urivet:accept]\nRewriteCond %{ENV:urivet} !accept\nRewriteRule ^ - [F]")
    acme = before("    RewriteMap", '<Location "/.well-known/acme-challenge/">\nRewriteEngine off\n</Location>')
    passes = before("    RewriteMap", "RewriteRule ^/p(/.*) http://127.0.0.1:BACKEND$1 [P,L]")
    other = before("<VirtualHost", "<VirtualHost 127.0.0.1:PORT>\nServerName other.example\nProxyPass / http://127.0.0.1:BACKEND/ nocanon\n"
                   "AllowEncodedSlashes NoDecode\n</VirtualHost>")
    outside = '    <Location "/">\n        Require env urivet\n    </Location>\n'
    ways = {
        "rules are off": ((acme,), (acme, *rules), "/.well-known/acme-challenge/..%2f..%2fadmin", {}),
        "a rule passes before it": ((passes,), (passes, *rules), "/p/a%5cb", {}),
        "another host": ((other, (outside, ""), before("User www-data", outside)), (other,), "/a%2Fb", {"host": "other.example"}),
    }

    def test_the_control_is_guarded(self) -> None:
        self.assertFalse(self.arrives("/a%2Fb", changes=self.rules))
