# SPDX-License-Identifier: Apache-2.0
"""Tests the nginx module before a server with a secret: forbidden requests do not arrive, by any way that
nginx has to reach a location, and harmless ones arrive unchanged."""
from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import unittest
from collections.abc import Iterable
from pathlib import Path
from random import Random

import gateway
import nginx
from servers import make_certificate

sys.path.append(str(gateway.ROOT / "tests/cli"))
import test_answers  # noqa: E402 pylint: disable=wrong-import-position
from helper import core, spelled  # noqa: E402 pylint: disable=wrong-import-position

HARMLESS = ("/", "/a", "/a/b.html?x=1&y=%C3%A9", "/~u/a,b?q;r", "/a?url=https://example.org/x%20y")
# refused targets, each with a finding that is the reason
REFUSED = {
    "/a/%2e%2e/secret": "escaped-dot-segment", "/a/../secret": "dot-segment", "/a%2fb": "escaped-slash",
    "/a#b": "fragment-in-target", "/a\\b": "backslash-path", "//evil.example/a": "path-leading-double-slash",
    "http://evil.example/a": "host-header-mismatch", "/a;b": "path-semicolon", "/a%250a": "escaped-percent", "/a%0d%0ab": "escaped-crlf",
}
INSIDE = "http://127.0.0.1/"
NDK, LUA = (Path(os.environ.get("URIVET_NGINX_MODULES", "/usr/lib/nginx/modules")) / f"{name}_module.so" for name in ("ndk_http", "ngx_http_lua"))


class Case(unittest.TestCase):
    """A test that runs nginx with its own configuration."""

    def begin(self, server: str, start: bool = True, **more: object) -> nginx.Nginx:
        self.backend = gateway.Backend()
        self.addCleanup(self.backend.close)
        folder = self.enterContext(gateway.folder())
        one = nginx.Nginx(folder, self.backend.port, server, **more)
        self.port = one.port
        self.addCleanup(self.end, one)
        if start:
            one.start()
        return one

    def end(self, one: nginx.Nginx) -> None:
        self.assertEqual(one.end(), 0, one.errors())
        for line in one.errors().splitlines():
            if not (one.expected and re.search(one.expected, line)):
                self.assertNotRegex(line, r"\[alert\]|\[crit\]|\[emerg\]|exited on signal|Sanitizer|runtime error")

    def get(self, target: str, *fields: str, **more: str) -> tuple[int, str, list[str]]:
        """Returns status, body, and the targets that arrived."""
        answer = gateway.get(self.port, target, *fields, **more)
        return gateway.statuses(answer)[0], gateway.body(answer), [t.decode() for t in self.backend.targets()]

    def assert_refused(self, target: str, *fields: str, **more: str) -> str:
        status, body, arrived = self.get(target, *fields, **more)
        self.assertEqual((status, arrived), (400, []), (target, body))
        return body

    def assert_passes(self, target: str, *fields: str, **more: str) -> None:
        status, body, arrived = self.get(target, *fields, **more)
        self.assertEqual((status, arrived, body), (200, [target], gateway.SECRET.decode()), target)

    def check(self, directives: str, passing: Iterable[str | tuple[str, ...]], refused: Iterable[str | tuple[str, ...]], **more: str) -> None:
        """Checks which requests arrive and which are refused in a server with these directives; fields may follow a target."""
        with self.subTest(directives):
            self.begin("urivet enforce;" + directives + PROXY)
            for rows, holds in ((passing, self.assert_passes), (refused, self.assert_refused)):
                for row in rows:
                    holds(*([row] if isinstance(row, str) else row), **more)

    def answers(self, server: str, rows: dict[str, str | int | tuple[int, str]], **more: object) -> None:
        """Checks what targets get: 200 with the target that arrives or the text of nginx, a status with such a text, or a status while nothing arrives."""
        with self.subTest(server):
            self.begin(server, **more)
            self.backend.answers.update(ACCELERATED)
            for target, expected in rows.items():
                status, body, arrived = self.get(target)
                text = " ".join(arrived) if body == gateway.SECRET.decode() else body
                if isinstance(expected, int):
                    self.assertEqual((status, arrived), (expected, []), target)
                else:
                    self.assertEqual((status, text), (200, expected) if isinstance(expected, str) else expected, target)

    def file(self, text: str) -> Path:
        path = self.enterContext(gateway.folder()) / "own.yaml"
        path.write_text(text)
        return path


PROXY = "location / { proxy_pass http://secret; proxy_set_header Host $http_host; }"
ACCELERATED = {path: b"X-Accel-Redirect: %s\r\n" % to for path, to in (
    (b"/fine", b"/in?url=https://example.org/"), (b"/evil", b"/in?url=http://127.0.0.1/"), (b"/accel", b"/p/..;/admin/x"))}
TELLS = "error_page 400 /output; location = /output { internal; return 400 '$urivet_verdict $urivet_findings $urivet_reason'; }"


def compiled_from(policy: Path) -> Path:
    """Compiles a policy, beside its file."""
    subprocess.run([os.environ.get("URIVET", str(gateway.BUILD / "urivet")), "policy", "compile", policy, "-o", policy.with_suffix(".bin")], check=True)
    return policy.with_suffix(".bin")


class TableTest(Case):
    expect = test_answers.Answers.expect

    def test_rows(self) -> None:
        """Runs the rows of nginx.tsv, which says what they mean."""
        one, servers, seen = self.begin("", start=False), "", [0, 0]
        one.expected, logs = "emerg", [one.folder / "error.log", one.folder / "access.log"]
        for kind, text, *columns in core.rows(Path(__file__).with_name("nginx.tsv")):
            with self.subTest(kind, text=text, columns=columns):
                if kind == "file":
                    (one.folder / text).write_bytes(spelled(columns[0]))
                elif kind == "test":
                    one.configure(spelled(text).decode())
                    status, output = one.test()
                    self.assertEqual(status, int(columns[0]), output)
                    self.expect(output.replace(f"{one.folder}/", "").replace("nginx: ", "").encode(), columns[1], text)
                elif kind == "server":
                    servers += f"server {{ listen unix:{one.folder}/{text}; {spelled(columns[0]).decode()} }}\n"
                else:
                    if servers:
                        one.configure("", http=servers)
                        servers = ""
                        one.start()
                        seen = [len(log.read_bytes()) for log in logs]
                    answer = self.ask(one.folder / text, columns[0]) + b"arrived: " + b" ".join(self.backend.targets())
                    errors, lines = (log.read_bytes()[begin:] for log, begin in zip(logs, seen))
                    seen = [seen[0] + len(errors), seen[1] + len(lines)]
                    refusals = [line for line in errors.splitlines() if b" urivet " in line] + [b""]
                    for said, column in zip((answer, lines, b"\n".join(refusals) + b"lines: %d" % (len(refusals) - 1)), (*columns[1:], *["*", "lines: 0"][len(columns) - 2:])):
                        self.expect(said, column, text)

    def ask(self, place: Path, request: str) -> bytes:
        first, *fields = spelled(request).split(b" | ")
        host = [] if any(field.startswith(b"Host:") for field in fields) else [b"Host: a.example"]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(gateway.PATIENCE)
            connection.connect(str(place))
            connection.sendall(b"\r\n".join((b"GET " * (first[:1] in b"/h*") + first + b" HTTP/1.1", *host, *fields, b"Connection: close", b"", b"")))
            return gateway.read_all(connection)


class TargetTest(Case):
    def test_each_refused_target_is_named_and_does_not_arrive(self) -> None:
        self.begin("urivet enforce;" + PROXY + TELLS)
        for target, finding in REFUSED.items():
            verdict, findings, reason = self.assert_refused(target).split(" ")
            self.assertEqual(verdict, "reject", target)
            self.assertIn(reason, ("unclear", "not-allowed"), target)
            self.assertIn(finding, findings.split(","), target)

    def test_without_the_guard_they_arrive(self) -> None:
        self.answers("urivet off;" + PROXY, {"/a%2fb": "/a%2fb", "//evil.example/a": "//evil.example/a", "/a#b": "/a#b"})

    def test_absolute_form_is_judged_whole(self) -> None:
        self.begin("urivet enforce;" + PROXY)
        self.assertEqual(self.get(f"http://localhost:{self.port}/a")[0], 200)
        for target in ("http://evil.example/a", f"https://localhost:{self.port}/a", f"http://u@localhost:{self.port}/a", "http://localhost/a",
                       f"HTTP://localhost:{self.port}/%2e"):
            self.assert_refused(target)

    def test_host(self) -> None:
        self.begin("urivet enforce;" + PROXY)
        self.assert_passes("/a", host=f"example.org:{self.port}")
        for host in ("example.org:1", "a b", "a@b", "a,b", "-", "0x7f.1", "127.1", "a..b", "[::1%25lo]"):
            self.assert_refused("/a", host=host)
        for request in (b"GET /a HTTP/1.0\r\n\r\n", b"GET /a HTTP/1.1\r\nConnection: close\r\n\r\n", b"GET /a\r\n",
                        b"GET /a HTTP/1.1\r\nHost: localhost:%d\r\nHost: localhost:%d\r\n\r\n" % (self.port, self.port)):
            answer = gateway.ask(self.port, request)
            self.assertIn(b"400 Bad Request", answer, request)
            self.assertEqual(self.backend.targets(), [], request)

    def test_pipelined_requests_are_judged_each(self) -> None:
        self.begin("urivet enforce;" + PROXY)
        head = f"Host: localhost:{self.port}\r\n"
        requests = f"GET /a HTTP/1.1\r\n{head}\r\nGET /b HTTP/1.1\r\n{head}\r\nGET /c%2fd HTTP/1.1\r\n{head}\r\n"
        self.assertEqual(gateway.statuses(gateway.ask(self.port, requests.encode())), [200, 200, 400])
        self.assertEqual(self.backend.targets(), [b"/a", b"/b"])

    def test_every_method(self) -> None:
        self.check("", HARMLESS, ())        # as they were sent
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND", "X-ODD"):
            self.assertEqual(self.get("/a", method=method)[0], 200, method)
            self.assert_refused("/a%2fb", method=method)

    def test_origin_of_a_server_after_a_proxy(self) -> None:
        self.begin("urivet enforce; urivet_origin https://shop.example:8443;" + PROXY)
        self.assert_passes("/a", host="shop.example:8443")
        self.assertEqual(self.get("https://shop.example:8443/a", host="shop.example:8443")[0], 200)
        self.assert_refused("/a", host=f"shop.example:{self.port}")
        self.assert_refused("http://shop.example:8443/a", host="shop.example:8443")
        # what clients say of it is not believed
        self.check("", (), [("/a", "X-Forwarded-Host: shop.example", "X-Forwarded-Proto: https", "X-Forwarded-Port: 443")], host="shop.example:443")

    @unittest.skipUnless(shutil.which("curl") and shutil.which("openssl"), "needs curl and openssl")
    def test_http2_and_tls(self) -> None:
        at, ports = self.enterContext(gateway.folder()), self.file("base: strict\nports: {http: [1024-65535], https: [1024-65535]}\n")
        make_certificate(at, "own")
        for scheme, other, listen in ("http", "https", "http2"), ("https", "http", f"ssl http2; ssl_certificate {at}/own.pem; ssl_certificate_key {at}/own.key"):
            self.begin(f"urivet enforce; urivet_param url; urivet_param next same_origin policy={ports};" + PROXY, listen=listen)
            here = f"localhost:{self.port}"
            for target, status in (("/a", "200"), ("/a%2fb", "400"), (f"/a?url={INSIDE}", "400"), ("/a?url=/b", "200"), (f"/a?next={scheme}://{here}/", "200"), (f"/a?next={other}://{here}/", "400")):
                output = subprocess.run(["curl", "-sk", "--path-as-is", "--http2-prior-knowledge", "-o", "/dev/null", "-w", "%{http_code}",
                                         f"{scheme}://{here}{target}"], capture_output=True, text=True, check=False)
                self.assertEqual(output.stdout, status, (scheme, target))
            self.assertEqual(self.backend.targets(), [b"/a", b"/a?url=/b", f"/a?next={scheme}://{here}/".encode()])


class WaysTest(Case):
    """The ways to a location: the guard must check each, and no refusal page may be judged again."""

    def test_each_way_is_guarded(self) -> None:
        """Configuration, a target that gets the secret, and targets that are refused."""
        for server, good, *bad in (
                ("urivet enforce; location / { return 200 secret; }", "/a", "/a%2fb"),
                ("urivet enforce; urivet_param url; if ($arg_url) { return 200 secret; } return 200 open;", "/a?url=/b", "/a%2fb", f"/a?url={INSIDE}"),
                ("location / { urivet enforce; urivet_param url; if ($request_method = GET) { return 200 secret; } }", "/a?url=/b", "/a%2fb", f"/a?url={INSIDE}"),
                ("location /open { return 200 secret; } location /shut { urivet enforce; return 200 secret; }", "/open/a%2fb", "/shut/a%2fb", "/open/%2e%2e/shut"),
                ("urivet enforce; urivet_param next same_origin policy=strict; location / { return 200 secret; }", "/a?next=/b",
                 *("/a?next=" + value for value in ("https://example.org/", "//example.org/", "http://localhost/x", "%5C%5Cexample.org"))),
                ("urivet enforce; urivet_param *; location / { return 200 secret; }", "/a?x=1&y=text", f"/a?x={INSIDE}")):
            self.answers(server, {good: "secret", **dict.fromkeys(bad, 400)})

    def test_what_is_written_on_the_way_is_judged(self) -> None:
        """Parameters of rewritten queries, of locations that are reached within, of redirects of the application, and of servers."""
        within = ("urivet enforce; location = /in { internal; urivet_param url; return 200 secret; }"
                  "location /try { try_files /none /in; } location /error { error_page 404 = /in; return 404; }"
                  "location /named { try_files /none @in; } location @in { urivet_param url; return 200 secret; }"
                  "location /rewrite { rewrite ^ /in last; }")
        evil, ways = f"?url={INSIDE}", ("/try", "/error", "/named", "/rewrite")
        query = (f"urivet enforce; urivet_param url; {PROXY}"
                 f"location /last {{ rewrite ^ /x{evil} last; }} location /break {{ rewrite ^ /x{evil} break; proxy_pass http://secret; }}"
                 f"location /set {{ set $args 'url=http://127.0.0.1/'; proxy_pass http://secret; }}"
                 f"location /try {{ try_files /none /x{evil}; }} location /bad {{ rewrite ^ /x?a%2%zz%00 last; }}"
                 f"location /good {{ rewrite ^ /x?url=https://example.org/ last; }}")
        for server, rows in (
                ("urivet enforce; urivet_param url; location / { rewrite ^ /x?$arg_q? break; proxy_pass http://secret; }",
                 {"/a?q=url=/b": "/x?url=/b", "/a?q=url=http%3A//127.0.0.1/": 400}),
                ("urivet enforce; location /loop { rewrite ^ /loop?a last; }", {"/loop": 500}),
                ("urivet enforce; urivet_param url; location /in { internal; return 200 inside; }" + PROXY + TELLS,
                 {"/fine": "inside", "/evil": (400, "reject addr-not-global,addr-loopback,param-refused not-allowed")}),
                (within, {way + "?url=https://example.org/": "secret" for way in ways} | {way + evil: 400 for way in ways}),
                (query, {"/last": 400, "/break": 400, "/set": 400, "/try": 400, "/bad": 400, "/good": "/x?url=https://example.org/"}),
                ("urivet enforce; urivet_param url; rewrite ^/a /b?url=http://127.0.0.1/ break; location / { urivet_param other; proxy_pass http://secret; }",
                 {"/a": 400, "/c?other=/x": "/c?other=/x"}),
                ("urivet enforce; error_page 400 /e1; location /e1 { internal; urivet_param url; error_page 403 /e2; return 403; }"
                 "location /e2 { internal; return 200 twice; } recursive_error_pages on;", {"/a%2fb": (403, "twice")})):
            self.answers(server, rows)
        self.answers(PROXY, {"/a%2fb": 400, "/a" + evil: 400, "/a?url=/b": "/a?url=/b"}, http="urivet enforce; urivet_policy gateway; urivet_param url;")

    def test_rewritten_paths_are_judged(self) -> None:
        """The path that reaches the application is judged, even if nginx rewrote it; without the guard each arrives."""
        ways = ("location /arg { rewrite ^ /x/$arg_p? break; proxy_pass http://secret; }"
                "location /old/ { rewrite ^/old/(.*)$ /new/$1 break; proxy_pass http://secret; }"
                "location /last { rewrite ^ /new/$arg_p? last; } location /try { try_files /none /new/$arg_p; }")
        evil = ("/arg?p=..;/admin", "/last?p=a//b", "/try?p=..;/admin", "/arg?p=%252e%252e", "/accel")
        for guard in ("off", "enforce"):
            with self.subTest(guard):
                self.begin(f"urivet {guard};" + ways + PROXY)
                self.backend.answers.update(ACCELERATED)
                for target in evil:
                    self.assertEqual(self.get(target)[0], 200 if guard == "off" else 400, target)
                for target, arrived in (("/arg?p=a", "/x/a"), ("/old/a%20b", "/new/a%20b"), ("/old/%C3%A9", "/new/%C3%A9"),
                                        ("/last?p=a/b", "/new/a/b"), ("/try?p=a", "/new/a")):
                    status, _, targets = self.get(target)
                    self.assertEqual((status, targets[-1:]), (200, [arrived]), target)

    def test_subrequests(self) -> None:
        self.begin("urivet enforce; location / { auth_request /auth; proxy_pass http://secret; }"
                   "location = /auth { internal; urivet_param url; proxy_pass http://secret; }"
                   "location /mirror { mirror /copy; proxy_pass http://secret; }"
                   "location = /copy { internal; urivet_param url; proxy_pass http://secret; } location /in { internal; urivet_param url; return 200 inside; }")
        self.assertEqual(self.get("/a")[0], 200)
        status, _, arrived = self.get(f"/a?url={INSIDE}")
        self.assertEqual((status >= 400, arrived), (True, []))
        # a refused copy is not made, and the original is still judged
        self.assertEqual(self.get(f"/mirror?url={INSIDE}")[0::2], (200, [f"/mirror?url={INSIDE}"]))
        self.assert_refused("/mirror%2f")
        # nor does it open what follows
        self.backend.answers[b"/mirror"] = b"X-Accel-Redirect: /in\r\n"
        self.assertEqual(self.get("/mirror")[1], "inside")
        self.backend.answers[b"/mirror"] = f"X-Accel-Redirect: /in?url={INSIDE}\r\n".encode()
        self.assertEqual(self.get(f"/mirror?url={INSIDE}")[0], 400)

    def test_what_is_refused_stays_refused_by_the_way_of_its_error_page(self) -> None:
        """A named location, a page that includes the target, and another page; with `off` in the named location all arrive."""
        for off, status in (("", 400), ("urivet off;", 200)):
            for server in (f"urivet enforce; error_page 400 403 404 = @app; location @app {{ {off} proxy_pass http://secret; }}" + PROXY,
                           f"location / {{ urivet enforce; error_page 400 = @app; }} location @app {{ {off} proxy_pass http://secret; }}"):
                self.begin(server)
                for target in REFUSED:
                    got, _, arrived = self.get(target)
                    self.assertEqual((got, bool(arrived)), (status, status == 200), (target, server))
        one = self.begin("urivet enforce; urivet_param url; error_page 400 /e.html; location = /e.html { ssi on; ssi_types *; root %s; }" + PROXY, start=False)
        one.configure(one.server % one.folder)
        (one.folder / "e.html").write_text('page <!--#include virtual="$request_uri" -->')
        one.start()
        for target in (*REFUSED, "/a?url=" + INSIDE):
            status, body, arrived = self.get(target)
            self.assertEqual((status, "page" in body), (400, True), target)
            self.assertLessEqual(set(arrived), {"/a", "/a/b"}, target)

    @unittest.skipUnless(LUA.exists(), "needs libnginx-mod-http-lua")
    def test_a_script_that_changes_the_target(self) -> None:
        script = "access_by_lua_block { ngx.req.set_uri(ngx.var.arg_p) }"
        for guard in ("off", "enforce"):
            one = self.begin(f"urivet {guard}; location / {{ {script} proxy_pass http://secret; }}", start=False,
                             main=f"load_module {NDK}; load_module {LUA};")
            one.start()
            self.assertEqual(self.get("/a?p=/b")[0::2], (200, ["/b?p=/b"]))
            for path in ("/x/..;/admin", "/a//b", "/a%2500"):
                self.assertEqual(self.get(f"/a?p={path}")[0], 200 if guard == "off" else 400, path)

    def test_what_nginx_itself_refuses_does_not_come_in_by_an_error_page(self) -> None:
        self.answers("urivet observe;" + PROXY, dict.fromkeys(("/%2e%2e/secret", "/a%00", "/a%zz", "/../a"), 400))
        self.begin("urivet enforce; error_page 400 414 405 = /in;" + PROXY)
        for request in (b"GET /a HTTP/1.1\r\n\r\n", b"\x00\r\n\r\n", b"GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                        b"GET /%s HTTP/1.1\r\nHost: a\r\n\r\n" % (b"a" * 40000), b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"):
            gateway.ask(self.port, request)
            self.assertEqual(self.backend.targets(), [], request)


class ParameterTest(Case):
    def test_every_occurrence_in_every_spelling(self) -> None:
        self.begin("urivet enforce; urivet_param url next;" + PROXY + TELLS)
        for query in (f"url={INSIDE}", f"url=https://example.org/&url={INSIDE}", f"url={INSIDE}&url=https://example.org/",
                      "url=http%3A%2F%2F127.0.0.1%2F", "url=http://127.1/", "u%72l=http://10.0.0.1/", "next=//127.0.0.1/x",
                      "url=%2F%5C127.0.0.1/", "url=javascript:alert(1)", "url=%zz", "url=http://localhost/", "url=http://[::1]/",
                      "url=%00", "a&&next=file:///etc/passwd", "url=http://good.example@127.0.0.1/",
                      "URL=" + INSIDE, "Url=" + INSIDE, "a=b&u%52L=" + INSIDE):
            body = self.assert_refused(f"/a?{query}")
            self.assertTrue(body.startswith("reject "), query)
        self.assertEqual(self.assert_refused(f"/a?url={INSIDE}"), "reject addr-not-global,addr-loopback,param-refused not-allowed")
        for host in ("127.1", "example.org:1"):
            self.assertTrue(self.assert_refused("/a", host=host).startswith("reject "), host)
        for query in ("url=https://example.org/", "url=/b", "next=", "urls=" + INSIDE, "ur=" + INSIDE, "other=" + INSIDE, "url"):
            self.assertEqual(self.get(f"/a?{query}")[0], 200, query)

    def test_policies_for_parameters(self) -> None:
        hooks = self.file("base: public\nurls:\n  allow: ['https://hooks.example/']\n")
        self.answers("urivet enforce; urivet_param next same_origin policy=strict; location / { return 200 secret; }", {"/a?next=": "secret", "/a?next=b": "secret"})
        self.answers(f"urivet enforce; urivet_param hook policy={hooks}; location / {{ return 200 secret; }}",
                     {"/a?hook=https://hooks.example/x": "secret", "/a?hook=https://example.org/x": 400})


@unittest.skipUnless("asan" in str(nginx.MODULE), "needs a build with AddressSanitizer")
class ExactBuffers(Case):
    def test_overread(self) -> None:
        """A target is judged in a block of its size: the control reads one octet beyond it, which is noticed."""
        one = nginx.Nginx(self.enterContext(gateway.folder()), 9, "urivet enforce; return 200 taken;", main="env URIVET_OVERREAD=nginx;")
        self.addCleanup(one.end)
        one.start()
        with contextlib.suppress(OSError):
            gateway.get(one.port, "/a")
        gateway.until("the read is noticed", lambda: "heap-buffer-overflow" in one.errors())


class RulesTest(Case):
    """A policy with one rule, for each rule that policy files have."""

    def ask(self, place: Path, url: str, *fields: str) -> bool:
        origin, path = url.removeprefix("http://").split("/", 1)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(gateway.PATIENCE)
            connection.connect(str(place))
            connection.sendall("\r\n".join((f"GET /{path} HTTP/1.1", f"Host: {origin}", *fields, "Connection: close", "", "")).encode())
            return gateway.statuses(connection.makefile("rb").read()) == [200]

    def test_each_rule_is_judged(self) -> None:
        folder = self.enterContext(gateway.folder())
        # URLs of https, and rules about whole URLs, have no target that is taken
        rules = [row for row in json.loads((gateway.ROOT / "tests/policyfile/rules.json").read_text()) if "https:" not in row["refused"] + row["taken"]]
        servers = ""
        for number, row in enumerate(rules):
            (folder / f"{number}.yaml").write_text(row["policy"] + "\n")
            servers += f"server {{ listen unix:{folder}/{number}; urivet enforce; urivet_policy {folder}/{number}.yaml; location / {{ return 200 taken; }} }}\n"
        self.begin(PROXY, http=servers)
        for number, row in enumerate(rules):
            self.assertEqual([self.ask(folder / str(number), row[url]) for url in ("refused", "taken")], [False, True], row)

    def test_nested_levels(self) -> None:
        """A location takes what its server would take alone, and a server that says itself what the location says or inherits."""
        waives, at, lot, servers = self.file("base: gateway\nallow: [escaped-slash]\n"), self.enterContext(gateway.folder()), Random(1), ""
        said = (("", "urivet observe;", "urivet off;"), ("", f"urivet_policy {waives};"), ("", "urivet_origin https://a.example;", "urivet_origin http://b.example;"),
                ("", "urivet_param next same_origin policy=strict;", "urivet_param url;"), ("", "urivet_header Destination same_origin policy=strict;", "urivet_header X-U;"))
        for number in range(24):
            outer, inner = ["urivet enforce;", *(lot.choice(values[len(values) > 2:]) for values in said[1:])], [lot.choice(("", *values)) for values in said]
            for kind, own, location in ("nested", outer, inner), ("outer", outer, ()), ("flat", [b or a for a, b in zip(outer, inner)], ()):
                servers += f"server {{ listen unix:{at}/{kind}{number}; {''.join(own)} location / {{ {''.join(location)} return 200 taken; }} }}\n"
        self.begin(PROXY, http=servers)
        for number, host, value in [(n, h, v) for n in range(24) for h in ("a.example", "b.example") for v in ("https://a.example/x", "http://b.example/x", INSIDE)]:
            for request in ("/a%2Fb",), (f"/a?next={value}",), (f"/a?url={value}",), ("/a", f"Destination: {value}"), ("/a", f"X-U: {value}"):
                nested, *alone = (self.ask(at / f"{kind}{number}", f"http://{host}{request[0]}", *request[1:]) for kind in ("nested", "outer", "flat"))
                self.assertEqual(nested, all(alone), (host, request, re.findall(f".*/[a-z]+{number};.*", servers)))


class PathsTest(Case):
    """What a rule for paths waives arrives as it was sent; attacks on its prefix do not arrive."""

    POLICY = """base: gateway
paths:
  - prefix: /api/
    allow: [escaped-slash, path-semicolon, path-double-slash, double-escape, escaped-percent, path-backslash-escaped]
  - {prefix: /healthz$, methods: [GET], allow: [host-missing]}
"""

    def test_below_a_prefix(self) -> None:
        starts = ("/a%2Fb", "/a;b", "/apix/a;b", "/API/a;b", "/api;x/a", "/;/api/a;b", "//api/a;b", "/./api/a;b", "/x/../api/a;b",
                      "/%61pi/a;b", "/api%2Fa;b", "/%2Fapi/a;b", "/api%5Ca;b", "/api\\a;b", "/x%2F..%2Fapi/a;b")
        rests = ("../secret", "..;/secret", "..%2Fsecret", "%2e%2e/secret", "%2e%2e%2fsecret", "..%5csecret", "a%2F..%2F..%2Fsecret",
                 "%252e%252e/secret", "%252e%252e%252fsecret", "..%252fsecret", "%25252e%25252e%25252fsecret", "..%255csecret",
                 "a;/../../secret", "a;/..;/..;/secret", "..%3bx/secret", "..%253bx%252fsecret", "a//..//..//secret", "%25%32%65%25%32%65/secret",
                 "..%00/secret", "..%0d%0a/secret", "%c0%ae%c0%ae/secret")
        self.check(f"urivet_policy {self.file(self.POLICY)};", ("/api/a%2Fb", "/api/a;b=1", "/api/a//b", "/api/a%252Fb", "/api/a%5Cb?c=%2F"), (*starts, *("/api/" + rest for rest in rests)))

    def test_a_health_check_without_host(self) -> None:
        self.begin(f"urivet enforce; urivet_policy {self.file(self.POLICY)}; location / {{ return 200 secret; }}")
        for question, status in (("GET /healthz HTTP/1.0", 200), ("GET /healthz?a HTTP/1.0", 400), ("GET /healthz/ HTTP/1.0", 400),
                                 ("GET / HTTP/1.0", 400), ("POST /healthz HTTP/1.0", 400), ("GET /api/a%2Fb HTTP/1.0", 400)):
            answer = gateway.ask(self.port, f"{question}\r\n\r\n".encode())
            self.assertEqual(gateway.statuses(answer)[0], status, question)


class PolicyParametersTest(Case):
    """Rules of the policy file for parameters, by the file and by its compiled form."""

    POLICY = """base: gateway
parameters:
  next: {same_origin: true, rooted: true, any_case: true}
  url: {policy: public}
  body: {allow: [escaped-crlf]}
"""

    def begin_with(self, server: str, compiled: bool = False) -> None:
        path = compiled_from(self.file(self.POLICY)) if compiled else self.file(self.POLICY)
        self.one = self.begin(f"urivet enforce; urivet_policy {path};" + server)

    def test_values(self) -> None:
        for compiled in (False, True):
            self.begin_with(PROXY + TELLS, compiled)
            self.assert_refused("/a?next=")
            for query in ("next=/account", "url=https://example.org/", "url=/x", "body=a%0D%0Ab", "body=%0A&next=/x", "x=" + INSIDE):
                self.assert_passes("/a?" + query)
            for query in ("next=account", "next=@evil.example", "next=.evil.example", "next=//evil.example", "next=/%5Cevil.example", "NEXT=//evil.example",
                          "next=https://evil.example/", "n%65xt=//evil.example", "next=/x&next=//evil.example", "url=" + INSIDE, "url=http%3A%2F%2F10.0.0.1%2F"):
                self.assertRegex(self.assert_refused("/a?" + query), r"^reject (\S*,)?param-refused", query)
            for query in ("bodx=%0A", "body=%0A&x=%0A", "Body=%0A", "b%6Fdy=%0A", "body=%0A;x=1", "body=%00", "body;x=%0A", "x&amp;body=%0A", "body%3D=%0A", "=body=%0A",
                          "body[]=%0A", "%00body=%0A", "+body=%0A", "?body=%0A"):
                self.assert_refused("/a?" + query)
            for path in ("/a%0A?body=%0A", "/body=%0A", "/a;body=%0A", "/../a?body=%0A"):
                self.assert_refused(path)

    def test_a_location_and_a_rewritten_query(self) -> None:
        self.answers(f"urivet enforce; urivet_policy {self.file(self.POLICY)}; location / {{ rewrite ^/go/(.*)$ /in?next=$1 last; return 200 secret; }}"
                     "location /in { return 200 secret; }", {"/go/account": 400, "/a": "secret", "/a?next=account": 400})

    def test_the_log_names_the_parameter(self) -> None:
        self.begin_with(PROXY)
        self.assert_refused("/a?x=1&url=" + INSIDE)
        self.assertIn('; in the parameter "url"', self.one.errors())
        self.assertNotIn("127.0.0.1/", self.one.errors().split("param-refused")[1].split(", client")[0])


class HeaderTest(Case):
    def test_fields(self) -> None:
        """Every occurrence of a field is judged; by options also paths, and each item of a list."""
        for directives, passing, refused in (
                ("urivet_header X-Callback Destination;", ((), ("X-Callback: https://example.org/",)),
                 ((f"X-Callback: {INSIDE}",), ("X-Callback: https://example.org/", f"x-callback: {INSIDE}"), (f"DESTINATION: {INSIDE}",), ("X-Callback:",),
                  ("X-Callback: https://example.org/, http://127.0.0.1/",), ("X-Callback: https%3A%2F%2Fexample.org%2F",), ("X-Callback: /relative",))),
                ("urivet_header X-Next paths;", [("X-Next: " + value,) for value in ("/b", "https://example.org/b", "https://example.org/".ljust(6000, "b"))],
                 [("X-Next: " + value,) for value in (INSIDE, "//127.0.0.1/", "javascript:a", INSIDE.ljust(6000, "b"))]),
                ("urivet_header X-Urls list;", [("X-Urls: " + value,) for value in (
                    "https://example.org/", "https://example.org/,https://example.com/", "https://example.org/ ,\thttps://example.com/")],
                 [("X-Urls: " + value,) for value in (
                     f"https://example.org/, {INSIDE}", f"{INSIDE},https://example.org/", "https://example.org/,,https://example.com/", ",", "/b")]),
                ("urivet_header X-Many list paths;", (("X-Many: " + ",".join(["/a"] * 256),),), (("X-Many: " + ",".join(["/a"] * 257),),)),
                # the same name to CGI
                ("underscores_in_headers on; urivet_header X-Callback;", (), ((f"X_Callback: {INSIDE}",),))):
            self.check(directives, [("/a", *fields) for fields in passing], [("/a", *fields) for fields in refused])

    def test_a_destination_stays_on_the_origin(self) -> None:
        """WebDAV's Destination (RFC 4918, 10.3) is a URL of the same server, or a path of it."""
        passing, refused = ("/b/c", "http://localhost/b", "/b%20c"), ("https://example.org/b", "//example.org/b", "/b/../c", "/b%2e%2e/%2e%2e/c", "\\\\example.org", "", "http://localhost:1/b")
        self.check("urivet_origin http://localhost; urivet_header Destination same_origin policy=strict;",
                   *([("/a", f"Destination: {value}") for value in values] for values in (passing, refused)), method="MOVE", host="localhost")

    def test_semicolons(self) -> None:
        """Parameters after semicolons are judged where the option says so; otherwise they belong to the value."""
        for option, passing, refused in (
                ("url semicolons", ("a=1;url=https://example.org/", "a=1;b=" + INSIDE.replace(":", "%3A")),
                 ("a=1;url=" + INSIDE, "url=https://example.org/;url=" + INSIDE, ";URL=" + INSIDE)),
                ("* semicolons", ("a=1;b=https://example.org/",), ("a=1;b=" + INSIDE,)), ("url", ("a=1;url=" + INSIDE,), ())):
            self.check(f"urivet_param {option};", ["/a?" + query for query in passing], ["/a?" + query for query in refused])

    def test_a_folded_line_hides_nothing(self) -> None:
        self.begin("urivet enforce; urivet_header X-Callback;" + PROXY)
        for folded in ("X-Callback: https://example.org/\r\n http://127.0.0.1/", f"X-Callback:\r\n {INSIDE}"):
            status, _, _ = self.get("/a", folded)
            for request in self.backend.requests:
                self.assertNotIn(b"127.0.0.1/", request.lower().split(b"x-callback", 1)[1])
            self.assertIn(status, (200, 400))


class OperatorTest(Case):
    """What operators of the gateway see, and what clients get beside status 400."""

    def line(self, one: nginx.Nginx) -> str:
        gateway.until("a line in the log", lambda: "the request:" in one.errors())
        # the master may report that a worker started after the worker wrote its first line
        return [line for line in one.errors().splitlines() if "the request:" in line][-1]

    def test_a_refusal_says_where_and_which_waiver_accepts_it(self) -> None:
        """The policy that the log line suggests accepts the request: the line named every finding."""
        for target in ("/a%2Fb", "/a%2Fb//c", "/a;b%2Fc", "/a%41b%2F", "/a%25b", "/%E9"):
            one = self.begin("urivet enforce;" + PROXY)
            self.assert_refused(target)
            line = self.line(one)
            place, waiver, opens = re.search(r'in the (path .*?); accepted where its policy says "allow: \[(.*)\]", which opens: (\S+): \w', line).groups()
            self.assertIn(opens, waiver.split(", "))
            self.check("urivet_policy %s;" % self.file(f"base: gateway\nallow: [{waiver}]\n"), [target], ())
            for left_out in waiver.split(", "):
                less = [w for w in waiver.split(", ") if w != left_out]
                self.check("urivet_policy %s;" % self.file("base: gateway\n" + f"allow: [{', '.join(less)}]\n" * (less != [])), (), [target])

    def test_a_refusal_names_parameter_and_field_but_no_value(self) -> None:
        one = self.begin("urivet enforce; urivet_param url; urivet_header X-Callback;" + PROXY)
        self.assert_refused("/a?b=1&url=http%3A%2F%2F10.0.0.1%2Fsesame")
        self.assertRegex(self.line(one), r'param-refused.*; in the parameter "url"; ')
        self.assert_refused("/a", "X-Callback: http://10.0.0.1/sesame")
        self.assertRegex(self.line(one), r'; in the field "X-Callback"; ')
        self.get('/a"\\\x1b[31m')       # octets of a place are shown as text
        for line in one.errors().splitlines():
            self.assertNotRegex(line.split(", client:")[0], "sesame|\x1b")

    def test_an_audit_line_for_each_refusal(self) -> None:
        """The log format of the page: valid JSON whatever clients send, and no line for accepted requests."""
        folder = self.enterContext(gateway.folder())
        self.begin(f"access_log {folder}/audit.json urivet if=$urivet_refused; urivet enforce;" + PROXY,
                   http=re.search(r"(?s)```nginx\n(map .*?)access_log", (gateway.ROOT / "src/gateway/README.md").read_text())[1])
        self.assert_passes("/a")
        self.assert_refused('/a%2F"b')
        octets = [octet for octet in range(1, 256) if octet not in b"\n\r "]
        for octet in octets:
            self.get("/a%2Fb" + chr(octet))
        gateway.until("a line each", lambda: (folder / "audit.json").exists() and (folder / "audit.json").read_bytes().count(b"\n") > len(octets) - 35)
        for line in (folder / "audit.json").read_text("utf-8").splitlines():
            row = json.loads(line)
            self.assertEqual((row["verdict"], row["status"]), ("reject", 400))
            self.assertIn("escaped-slash", row["findings"].split(","))

    def test_the_spelling_that_is_accepted_is_answered(self) -> None:
        self.begin("urivet redirect; urivet_param url;" + PROXY)
        for target, other in (("/a%41b", "/aAb"), ("/a/./b/../c?d=%41", "/a/c?d=A"), ("/%e9/%41", None), ("/a%2Fb", None), ("/a//../b", None)):
            for method in ("GET", "HEAD"):
                answer = gateway.get(self.port, target, method=method)
                location = re.search(rb"(?im)^location: (.*?)\r$", answer)
                self.assertEqual(self.backend.targets(), [], target)
                if other is None:
                    self.assertEqual((gateway.statuses(answer)[0], location), (400, None), target)
                    continue
                self.assertEqual(gateway.statuses(answer)[0], 308, target)
                self.assertEqual(re.sub(rb"^http://[^/]*", b"", location[1]).decode(), other)
        self.assert_passes("/a~b")


class ConfigurationTest(Case):
    def begin_by_a_file(self, what: str, **more: object) -> tuple[nginx.Nginx, Path]:
        one = self.begin(f"urivet enforce; urivet_policy own.yaml; location / {{ return 200 {what}; }}", start=False, **more)
        one.expected, policy = r"own\.yaml", one.folder / "own.yaml"
        policy.write_text("base: gateway\n")
        one.start()
        return one, policy

    def test_reloads_keep_the_old_policy_where_the_new_one_is_faulty(self) -> None:
        one, policy = self.begin_by_a_file("$pid")
        worker = self.get("/")[1]
        self.assert_refused("/a%2fb")
        policy.write_text("base: gatewy\n")
        one.reload()
        gateway.until("the refusal of the policy", lambda: "own.yaml:1:7" in one.errors())
        self.assertEqual(self.get("/")[1], worker)
        self.assert_refused("/a%2fb")
        policy.write_text("base: gateway\nallow: [escaped-slash]\n")
        one.reload()
        gateway.until("the new policy", lambda: self.get("/a%2Fb")[0] == 200)

    def test_reloads_while_requests_come(self) -> None:
        one, policy = self.begin_by_a_file("secret", workers=2)
        for text in ("base: gateway\nmax-length: 4096\n", "base: gatewy\n", "base: gateway\n") * 4:
            policy.write_text(text)
            one.reload()
            for _ in range(100):
                self.assertNotIn(b"secret", gateway.get(self.port, "/a%2fb"))


class StatusTest(Case):
    def test_counts_over_workers_and_reloads(self) -> None:
        one = self.begin("urivet enforce; location / { return 200 a; } location = /observed { urivet observe; return 200 a; }"
                         "location = /status { urivet off; urivet_status; } } server { server_name ~^(\"b\\\\|c)$; listen 127.0.0.1:%d; urivet enforce;" % gateway.free_port(), workers=2)
        for _ in range(5):
            self.get("/a")
            self.get("/a%2fb")
        one.reload()
        gateway.until("a page", lambda: "escaped-slash" in self.get("/status")[1])
        page = self.get("/status")[1]
        self.assertIn('urivet_requests_total{verdict="reject",server="localhost"} 5\n', page)
        self.assertIn('{verdict="reject",server="~^(_b_|c)$"} 0\n', page)
        self.assertIn('urivet_findings_total{finding="escaped-slash"} 5\n', page)
        self.assertRegex(page, r'urivet_build_info\{version="\d+\.\d+\.\d+"\} 1\n')
        for line in page.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) urivet_\w+ .*|urivet_\w+\{\w+="[^"\\]*"(,server="[^"\\]+")?\} \d+)$')
        self.assertEqual(self.get("/status", method="POST")[0], 405)


class SymbolTest(unittest.TestCase):
    def test_the_module_exports_what_nginx_asks_for_alone(self) -> None:
        output = subprocess.run(["nm", "-D", "--defined-only", "-P", str(nginx.MODULE)], capture_output=True, text=True, check=True)
        self.assertEqual({line.split()[0] for line in output.stdout.splitlines()}, {"ngx_modules", "ngx_module_names", "ngx_module_order"})
