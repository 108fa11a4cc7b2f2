# SPDX-License-Identifier: Apache-2.0
"""Tests `urivet serve --public`: TLS, limits of each client, health and readiness, and how it ends."""
from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import unittest
from pathlib import Path

import gateway
from servers import URIVET
from test_serve import Case, run

QUESTION = (b"GET /ask HTTP/1.1\r\nHost: asked\r\nX-Original-Method: GET\r\nX-Original-Scheme: http\r\nX-Original-Server: a.example\r\n"
            b"X-Original-Host: a.example\r\nX-Original-URI: %s\r\n\r\n")
GOOD, BAD = QUESTION % b"/a", QUESTION % b"/a%2Fb"
CAGE = gateway.ROOT / "fuzz" / "lab" / "wire" / "cage.py"


def answered(connection: socket.socket, *questions: bytes) -> list[int]:
    """Returns the status of the answer to each question, up to the first without one."""
    found = []
    for question in questions:
        connection.sendall(question)
        answer = b""
        while b"\r\n\r\n" not in answer or not answer.endswith(b"\n"):
            some = connection.recv(65536)
            if not some:
                return found
            answer += some
        found += gateway.statuses(answer)
    return found


class NetworkCase(Case):
    def begin_network(self, *words: str) -> None:
        self.watched = gateway.free_port()
        self.begin("--public", "--jobs=1", f"--metrics=127.0.0.1:{self.watched}", *words)
        gateway.until("counts are served", lambda: gateway.listens(self.watched))

    def page(self, path: str) -> tuple[int, str]:
        answer = gateway.get(self.watched, path)
        return gateway.statuses(answer)[0], gateway.body(answer)

    def counted(self, name: str) -> int:
        (line,) = [line for line in self.page("/metrics")[1].splitlines() if line.startswith(f"urivet_{name} ")]
        return int(line.split()[-1])

    def no_client(self) -> None:
        """Waits until the clients until now are gone: one that comes after them was answered."""
        gateway.until("a client came", lambda: self.counted("connections_total") > 0)
        self.ask()

    def closed(self, why: str) -> int:
        return self.counted(f'connections_closed_total{{why="{why}"}}')

    def client(self, address: str = "127.0.0.1") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.helper.port), timeout=20, source_address=(address, 0))
        self.addCleanup(connection.close)
        return connection


class AddressTest(NetworkCase):
    @unittest.skipUnless(shutil.which("curl"), "needs curl")
    @unittest.skipIf(subprocess.run([sys.executable, "-B", CAGE, "true"], capture_output=True, check=False).returncode, "needs a namespace")
    def test_any_address_is_listened_to_where_it_is_asked_for(self) -> None:
        path = self.enterContext(gateway.folder())
        for where, asked in (("0.0.0.0:8099", "192.0.2.1:8099"), ("[::]:8099", "[2001:db8::1]:8099"), ("192.0.2.1:8099", "192.0.2.1:8099")):
            script = (f"{URIVET} serve --from=path --public --listen={where} --metrics={where.replace('8099', '9145')} & "
                      f"for i in 1 2 3 4 5 6 7 8 9; do curl -sf http://{asked.replace('8099', '9145')}/readyz && break; sleep 0.1; done; "
                      f"for p in /a /a%2Fb; do curl -s -o {path}/out -w '%{{http_code}} ' -H 'Host: a.example' http://{asked}$p; done; kill $!; wait $!")
            done = subprocess.run([sys.executable, "-B", CAGE, "sh", "-c", script], capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual((done.stdout, done.returncode), ("ok\n200 403 ", 0), (where, done.stderr))

    def test_what_does_not_fit(self) -> None:
        here = "--listen=127.0.0.1:1"
        for words, said in ((["--listen=0.0.0.0:1"], "with --public any address"), (["--listen=host:1", "--public"], "as a number"),
                            (["--listen=unix:/none/socket", "--public"], "not for a socket file"), ([here, "--tls-cert=c"], "need each other"),
                            ([here, "--tls-key=k"], "need each other"), ([here, "--tls-client-ca=c"], "needs --tls-cert"), ([here, "--client-rate=1"], "need --public"),
                            ([here, "--client-connections=1"], "need --public"), (["--check", "--public", "http://a/"], "for --listen"),
                            (["--check", "--drain=1", "http://a/"], "for --listen"), ([here, "--tls-cert=/none", "--tls-key=/none"], "--tls-cert: /none: "),
                            ([here, "--metrics=192.0.2.1:1"], "with --public any address")):
            status, output, told = run("--from=nginx", *words)
            self.assertEqual((status, output), (2, ""), words)
            self.assertIn(said, told, words)
        status, _, told = run("--squid", "--public")
        self.assertEqual((status, "for --listen" in told), (2, True), told)


class LimitsTest(NetworkCase):
    def test_connections_of_a_client(self) -> None:
        self.begin_network("--connections=8", "--client-connections=3", "--timeout=3600")
        self.no_client()
        own = [self.client() for _ in range(3)]
        for connection in own:
            self.assertEqual(answered(connection, GOOD, BAD), [200, 403])
        self.assertEqual(self.client().recv(1), b"")
        self.assertEqual(answered(self.client("127.0.0.2"), GOOD), [200])
        self.assertEqual(self.closed("limit"), 1)
        own[0].close()
        gateway.until("its place is free", lambda: self.ask("X: y")[0] == 403)
        self.assertEqual(answered(own[1], GOOD), [200])

    def test_half_of_all_by_itself(self) -> None:
        self.begin_network("--connections=8")
        self.no_client()
        own = [self.client() for _ in range(5)]
        self.assertEqual([answered(connection, GOOD) for connection in own], [[200]] * 4 + [[]])

    def test_questions_a_second(self) -> None:
        self.begin_network("--client-rate=5", "--observe")
        found = answered(self.client(), *[GOOD] * 9)
        self.assertEqual((found[:5], found[-1]), ([200] * 5, 429))
        self.assertEqual(self.counted("requests_limited_total"), found.count(429))
        self.assertEqual(answered(self.client(), GOOD), [429])          # another connection is the same client
        self.assertEqual(answered(self.client("127.0.0.2"), GOOD), [200])
        time.sleep(1.1)
        self.assertEqual(answered(self.client(), *[GOOD] * 5), [200] * 5)

    def test_no_limit_where_none_is_asked_for(self) -> None:
        self.begin_network()
        self.assertEqual(answered(self.client(), *[GOOD] * 300), [200] * 300)

    def test_slow_clients(self) -> None:
        """A question has to be complete in time, however often an octet of it comes; one that is idle is not slow."""
        self.begin_network("--timeout=1")
        slow, idle = self.client(), self.client()
        self.assertEqual(answered(idle, GOOD), [200])
        begin = time.monotonic()
        with contextlib.suppress(OSError):
            for octet in GOOD:
                slow.sendall(bytes([octet]))
                time.sleep(0.05)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(idle.recv(1), b"")
        self.assertEqual(self.closed("slow"), 1)
        self.assertEqual(answered(self.client(), GOOD), [200])

    def test_what_is_no_question(self) -> None:
        self.begin_network()
        for number, octets in enumerate((b"\x16\x03\x01\x02\x00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n",
                                         b"GET  HTTP/1.1\r\n\r\n", b"GET / HTTP/3.1\r\n\r\n", b"GET / HTTP/1.1\r\nX: a\rb\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"a" * 70000)):
            connection = self.client()
            with contextlib.suppress(OSError):      # it may be closed before all is sent
                connection.sendall(octets)
            self.assertEqual(gateway.read_all(connection), b"", octets[:30])
            self.assertEqual(self.closed("malformed"), number + 1, octets[:30])

    def test_a_body_without_end(self) -> None:
        self.begin_network()
        sent, connection = 0, self.client()
        with contextlib.suppress(OSError):
            connection.sendall(GOOD.replace(b"\r\n\r\n", b"\r\nContent-Length: 1000000000\r\n\r\n"))
            for _ in range(1000):
                sent += connection.send(b"a" * 1000000)
        self.assertLess(sent, 100_000_000)
        self.assertEqual(self.counted('requests_total{verdict="accept"}'), 0)
        self.assertEqual(answered(self.client(), GOOD), [200])

    def test_questions_that_come_together(self) -> None:
        """Answers come in order, also if the client reads none until it has sent all."""
        self.begin_network()
        connection = self.client()
        connection.sendall((GOOD + BAD) * 2000 + GOOD.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + GOOD)
        self.assertEqual(gateway.statuses(gateway.read_all(connection)), [200, 403] * 2000 + [200])


class EndTest(NetworkCase):
    def test_open_connections_are_answered(self) -> None:
        self.begin_network("--drain=30")
        asking, idle = self.client(), self.client()
        self.assertEqual(answered(idle, GOOD), [200])
        asking.sendall(BAD[:40])
        time.sleep(0.1)
        self.assertEqual(self.page("/readyz"), (200, "ok\n"))
        self.helper.program.signal(signal.SIGTERM)
        gateway.until("it accepts no more", lambda: not gateway.listens(self.helper.port))
        self.assertEqual((self.page("/readyz"), self.page("/healthz")[0]), ((503, "it ends\n"), 200))
        asking.sendall(BAD[40:])
        answer = gateway.read_all(asking)
        self.assertEqual((gateway.statuses(answer), b"\r\nConnection: close\r\n" in answer), ([403], True))
        self.assertIsNone(self.helper.program.process.poll())
        idle.sendall(GOOD)
        self.assertEqual(gateway.statuses(gateway.read_all(idle)), [200])
        self.assertEqual(self.helper.program.process.wait(5), 0)

    def test_the_time_is_limited(self) -> None:
        self.begin_network("--drain=1")
        self.assertEqual(answered(self.client(), GOOD), [200])
        begin = time.monotonic()
        self.assertEqual(self.helper.end(), 0)
        self.assertTrue(0.9 < time.monotonic() - begin < 4)

    def test_a_faulty_policy(self) -> None:
        """The one before stays in force, and readiness says so until one can be loaded."""
        policy = self.file("base: gateway\nallow: [escaped-slash]\n")
        self.begin_network(f"--policy-file={policy}")
        for text, ready in (("base: gatewy\n", 503), ("base: gateway\n", 200)):
            policy.write_text(text)
            self.helper.program.signal(signal.SIGHUP)
            gateway.until(text, lambda ready=ready: self.page("/readyz")[0] == ready)
            self.assertEqual((self.page("/healthz")[0], self.counted("stale")), (200, int(ready == 503)))
            self.assertEqual(answered(self.client(), BAD), [200 if ready == 503 else 403])
        self.assertEqual(self.page("/none")[0], 404)
        self.assertEqual(gateway.statuses(gateway.get(self.watched, "/metrics", method="POST")), [405])


def openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True)


@unittest.skipUnless(shutil.which("openssl"), "needs openssl")
class TlsTest(NetworkCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = cls.enterClassContext(gateway.folder())
        new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        for name in ("own", "next"):
            openssl("req", *new, "-keyout", cls.folder / f"{name}.key", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-x509",
                    "-out", cls.folder / f"{name}.pem")
        for name, by, days in (("client", "own", "1"), ("expired", "own", "-1"), ("foreign", "next", "1")):
            openssl("req", *new, "-keyout", cls.folder / f"{name}.key", "-subj", f"/CN={name}", "-out", cls.folder / "request")
            openssl("x509", "-req", "-in", cls.folder / "request", "-CA", cls.folder / f"{by}.pem", "-CAkey", cls.folder / f"{by}.key", "-CAcreateserial",
                    "-days", days, "-out", cls.folder / f"{name}.pem")

    def begin_tls(self, *words: str) -> None:
        self.files = self.enterContext(gateway.folder())
        self.install("own")
        self.begin_network(f"--tls-cert={self.files}/tls.pem", f"--tls-key={self.files}/tls.key", *words)
        gateway.until("the client that waited until it listens is gone", lambda: self.closed("tls") == 1)

    def install(self, name: str, key: str = "") -> None:
        shutil.copy(self.folder / f"{name}.pem", self.files / "tls.pem")
        shutil.copy(self.folder / f"{key or name}.key", self.files / "tls.key")

    def secured(self, client: str = "", trusted: str = "own", **more: object) -> ssl.SSLSocket:
        context = ssl.create_default_context(cafile=self.folder / f"{trusted}.pem")
        if client:
            context.load_cert_chain(self.folder / f"{client}.pem", self.folder / f"{client}.key")
        for name, value in more.items():
            if name == "protocols":
                context.set_alpn_protocols(value)
            else:
                setattr(context, name, value)
        connection = context.wrap_socket(self.client(), server_hostname="127.0.0.1")
        self.addCleanup(connection.close)
        return connection

    def asked(self, **how: object) -> list[int]:
        """Returns the statuses of two questions; empty if there is no agreement on TLS."""
        try:
            return answered(self.secured(**how), GOOD, BAD)
        except (ssl.SSLError, ConnectionError):
            return []

    def test_questions(self) -> None:
        self.begin_tls()
        self.assertEqual(self.asked(), [200, 403])
        self.assertEqual(self.secured(protocols=["h2", "http/1.1"]).selected_alpn_protocol(), "http/1.1")
        self.assertEqual(self.asked(maximum_version=ssl.TLSVersion.TLSv1_2), [200, 403])
        connection = self.secured()
        connection.sendall((GOOD + BAD) * 500 + GOOD.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        self.assertEqual(gateway.statuses(gateway.read_all(connection)), [200, 403] * 500 + [200])
        self.assertEqual(self.closed("tls"), 1)

    def test_no_agreement(self) -> None:
        """Nothing is answered without TLS, with an old version, or to a client that speaks HTTP/2 alone."""
        self.begin_tls("--timeout=1")
        self.assertEqual(gateway.statuses(gateway.ask(self.helper.port, GOOD)), [])
        self.assertEqual(self.asked(protocols=["h2"]), [])
        self.assertEqual(self.asked(trusted="next"), [])
        hello = self.client()
        hello.sendall(b"\x16\x03\x01\x02\x00\x01")
        self.assertEqual(gateway.read_all(hello), b"")
        done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{self.helper.port}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], input="",
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertIn("alert protocol version", done.stderr)
        self.assertEqual((self.closed("tls"), self.closed("slow")), (5, 1))
        self.assertEqual(self.asked(), [200, 403])

    def test_clients_with_a_certificate(self) -> None:
        self.begin_tls(f"--tls-client-ca={self.folder}/own.pem")
        self.assertEqual([self.asked(client=name) for name in ("client", "", "foreign", "expired")], [[200, 403], [], [], []])
        self.assertEqual(self.closed("tls"), 4)

    def test_certificates_are_exchanged_or_stay(self) -> None:
        self.begin_tls()
        before = self.secured()
        for name, key, trusted, ready in (("next", "", "next", 200), ("own", "next", "next", 503), ("own", "", "own", 200)):
            self.install(name, key)
            self.helper.program.signal(signal.SIGHUP)
            gateway.until(name, lambda trusted=trusted, ready=ready: self.page("/readyz")[0] == ready and self.asked(trusted=trusted) == [200, 403])
        self.assertIn("--tls-key: ", self.helper.said())
        self.assertNotIn(403, answered(before, GOOD))       # of the process before, which may have ended

