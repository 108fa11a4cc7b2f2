# SPDX-License-Identifier: Apache-2.0
"""Tests `urivet serve --public`: TLS, limits of each client, health and readiness, and how it ends."""
from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
import unittest
from pathlib import Path

import gateway
from servers import URIVET, make_certificate
from test_serve import Case, run

QUESTION = (b"GET /ask HTTP/1.1\r\nHost: asked\r\nX-Original-Method: GET\r\nX-Original-Scheme: http\r\nX-Original-Server: a.example\r\n"
            b"X-Original-Host: a.example\r\nX-Original-URI: %s\r\n\r\n")
GOOD, BAD = QUESTION % b"/a", QUESTION % b"/a%2Fb"
LAST = GOOD.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")


def answered(connection: socket.socket, *questions: bytes) -> list[int]:
    """Returns the status of each answer, each of which comes in one piece."""
    found = []
    for question in questions:
        with contextlib.suppress(ConnectionError):
            connection.sendall(question)
            found += gateway.statuses(connection.recv(65536))
    return found


class NetworkCase(Case):
    def begin_network(self, *words: str, **more: str) -> None:
        self.watched = gateway.free_port()
        self.begin("--public", "--jobs=1", f"--metrics=0.0.0.0:{self.watched}", *words, **more)
        gateway.until("the client that waited until it listens came", lambda: gateway.listens(self.watched) and self.counted("connections_total") > 0)

    def page(self, path: str) -> tuple[int, str]:
        answer = gateway.get(self.watched, path)
        return gateway.statuses(answer)[0], gateway.body(answer)

    def counted(self, name: str) -> int:
        (line,) = [line for line in self.page("/metrics")[1].splitlines() if line.startswith(f"urivet_{name} ")]
        return int(line.split()[-1])

    def closed(self, why: str) -> int:
        return self.counted(f'connections_closed_total{{why="{why}"}}')

    def client(self, address: str = "127.0.0.1") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.helper.port), timeout=20, source_address=(address, 0))
        self.addCleanup(connection.close)
        return connection


class LimitsTest(NetworkCase):
    def test_connections_of_a_client(self) -> None:
        for words, most in ((["--client-connections=3"], 3), ([], 4)):
            self.begin_network("--connections=7", "--timeout=3600", *words)
            self.ask()          # the client that waited is gone
            own = [self.client() for _ in range(most)]
            self.assertEqual([answered(connection, GOOD, BAD) for connection in own], [[200, 403]] * most)
            self.assertEqual(self.client().recv(1), b"")
            self.assertEqual((answered(self.client("127.0.0.2"), GOOD), self.closed("limit")), ([200], 1))
            own[0].close()
            gateway.until("its place is free", lambda: self.ask()[0] == 403)
        probes = [socket.create_connection(("127.0.0.1", self.watched), source_address=("127.0.0.2", 0)) for _ in range(65)]
        self.assertEqual((self.page("/healthz")[0], probes[-1].recv(1)), (200, b""))
        for probe in probes:
            probe.close()

    @unittest.skipUnless(gateway.is_caged(), "needs a namespace")
    def test_addresses_of_one_network_are_one_client(self) -> None:
        """Any address is listened to, of both families, and for the counts, too."""
        self.begin_network("--client-connections=2", where="[::]:PORT")
        socket.create_connection(("192.0.2.1", self.watched), timeout=20).close()
        for address, answers in (("2001:db8::1", [200]), ("2001:db8::2", [200]), ("2001:db8::3", []), ("2001:db8:0:1::1", [200]), ("::1", [200]),
                                 *[("::ffff:127.0.0.1", [200])] * 2, ("::ffff:127.0.0.2", [200])):
            connection = self.enterContext(socket.socket(socket.AF_INET6))
            connection.setsockopt(socket.SOL_IP, 15, 1)     # IP_FREEBIND
            connection.bind((address, 0))
            connection.connect(("::ffff:127.0.0.1" if "." in address else "2001:db8::1", self.helper.port))
            self.assertEqual(answered(connection, GOOD), answers, address)

    def test_questions_a_second(self) -> None:
        self.begin_network("--client-rate=5", "--observe")
        found = answered(self.client(), *[GOOD] * 9)
        self.assertEqual((found[:5], found[-1]), ([200] * 5, 429))
        self.assertEqual(self.counted("requests_limited_total"), found.count(429))
        self.assertEqual(answered(self.client(), GOOD), [429])          # another connection is the same client
        self.assertEqual(answered(self.client("127.0.0.2"), GOOD), [200])
        time.sleep(1.1)
        self.assertEqual(answered(self.client(), *[GOOD] * 5), [200] * 5)

    def test_slow_clients(self) -> None:
        """A question has to be complete, and its answer read, in time, however often an octet comes; a connection that is idle is not slow."""
        self.begin_network("--timeout=1")
        slow, idle, begin = self.client(), self.client(), time.monotonic()
        self.assertEqual(answered(idle, GOOD), [200])
        with contextlib.suppress(OSError):
            for octet in GOOD:
                slow.sendall(bytes([octet]))
                time.sleep(0.05)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual((idle.recv(1), self.closed("slow")), (b"", 1))
        deaf = self.client()
        deaf.settimeout(0.5)
        self.assertRaises(OSError, lambda: [deaf.sendall(BAD * 1000) for _ in range(1000)])
        gateway.until("it is closed, too", lambda: self.closed("slow") == 2)

    def test_the_time_begins_with_each_question(self) -> None:
        self.begin_network("--timeout=3")
        late = self.client()
        time.sleep(2)
        late.sendall(GOOD[:40])
        time.sleep(2)
        self.assertEqual((answered(late, GOOD[40:]), self.closed("slow")), ([200], 0))

    def test_a_client_that_ended_its_side(self) -> None:
        """It gets all answers, though they do not fit into buffers at once."""
        self.begin_network("--timeout=60")
        connection = self.enterContext(socket.socket())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", self.helper.port))
        sender = threading.Thread(target=lambda: (connection.sendall(GOOD * 40000), connection.shutdown(socket.SHUT_WR)))
        sender.start()
        time.sleep(1)
        self.assertEqual(gateway.statuses(gateway.read_all(connection)), [200] * 40000)
        sender.join()

    def test_what_is_no_question(self) -> None:
        self.begin_network()
        for number, octets in enumerate((b"\x16\x03\x01\x02\x00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n",
                                         b"GET  HTTP/1.1\r\n\r\n", b"GET / HTTP/3.1\r\n\r\n", b"GET / HTTP/1.1\r\nX: a\rb\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"a" * 70000, b"GET / HTTP")):
            self.assertEqual((self.sent(octets), self.closed("malformed")), (b"", number + 1), octets[:30])


class EndTest(NetworkCase):
    def test_open_connections_are_answered(self) -> None:
        self.begin_network("--drain=30")
        asking, idle = self.client(), self.client()
        self.assertEqual(answered(idle, GOOD), [200])
        asking.sendall(BAD[:40])
        self.assertEqual(self.page("/readyz"), (200, "ok\n"))
        self.helper.program.signal(signal.SIGTERM)
        gateway.until("it accepts no more", lambda: not gateway.listens(self.helper.port))
        self.assertEqual((self.page("/readyz"), self.page("/healthz")[0]), ((503, "it ends\n"), 200))
        for connection, rest, status in ((asking, BAD[40:], 403), (idle, GOOD, 200)):
            self.assertIsNone(self.helper.program.process.poll())
            connection.sendall(rest)
            answer = gateway.read_all(connection)
            self.assertEqual((gateway.statuses(answer), b"\r\nConnection: close\r\n" in answer), ([status], True))
        self.assertEqual(self.helper.program.process.wait(5), 0)

    def test_a_reload_leaves_less_time(self) -> None:
        self.begin_network("--drain=60", "--timeout=60")
        idle = self.client()
        self.assertEqual(answered(idle, GOOD), [200])
        self.helper.program.signal(signal.SIGHUP)
        self.assertEqual((idle.recv(1), answered(self.client(), GOOD)), (b"", [200]))

    def test_the_time_is_limited(self) -> None:
        self.begin_network("--drain=1")
        self.assertEqual(answered(self.client(), GOOD), [200])
        begin = time.monotonic()
        self.assertEqual(self.helper.end(), 0)
        self.assertTrue(0.9 < time.monotonic() - begin < 4)


def openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True)


@unittest.skipUnless(shutil.which("openssl"), "needs openssl")
class TlsTest(NetworkCase):
    @classmethod
    def setUpClass(cls) -> None:
        at = cls.folder = cls.enterClassContext(gateway.folder())
        new = ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        for name in ("own", "next"):
            make_certificate(at, name)
        for name, by, days in (("client", "own", "1"), ("expired", "own", "-1"), ("foreign", "next", "1")):
            openssl(*new, "-subj", f"/CN={name}", "-keyout", at / f"{name}.key", "-out", at / "request")
            openssl("x509", "-req", "-in", at / "request", "-CA", at / f"{by}.pem", "-CAkey", at / f"{by}.key", "-days", days, "-out", at / f"{name}.pem")

    def begin_tls(self, *words: str) -> None:
        self.files = self.enterContext(gateway.folder())
        self.install("own", "own")
        self.begin_network(f"--tls-cert={self.files}/tls.pem", f"--tls-key={self.files}/tls.key", *words)
        gateway.until("the client that waited until it listens is gone", lambda: self.closed("tls") == 1)

    def install(self, certificate: str, key: str) -> None:
        shutil.copy(self.folder / f"{certificate}.pem", self.files / "tls.pem")
        shutil.copy(self.folder / f"{key}.key", self.files / "tls.key")

    def asked(self, *questions: bytes, client: str = "", trusted: str = "own", protocols: tuple[str, ...] = (), most: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> list[int]:
        """Returns the statuses of the answers; empty if there is no agreement on TLS."""
        context = ssl.create_default_context(cafile=self.folder / f"{trusted}.pem")
        context.maximum_version = most
        if client:
            context.load_cert_chain(self.folder / f"{client}.pem", self.folder / f"{client}.key")
        if protocols:
            context.set_alpn_protocols(protocols)
        with contextlib.suppress(ssl.SSLError, ConnectionError), context.wrap_socket(self.client(), server_hostname="127.0.0.1") as connection:
            self.assertIn(connection.selected_alpn_protocol(), (None, "http/1.1"))
            connection.sendall(b"".join(questions or (GOOD, BAD)) + LAST)
            return gateway.statuses(gateway.read_all(connection))[:-1]
        return []

    def test_questions(self) -> None:
        self.begin_tls()
        for how in ({}, {"protocols": ("h2", "http/1.1")}, {"most": ssl.TLSVersion.TLSv1_2}):
            self.assertEqual(self.asked(**how), [200, 403], how)
        self.assertEqual(self.asked(*(GOOD, BAD) * 2000), [200, 403] * 2000)     # in order, though all were sent before

    def test_no_agreement(self) -> None:
        """Nothing is answered without TLS, with an old version, or to a client that speaks HTTP/2 alone."""
        self.begin_tls("--timeout=1")
        self.assertEqual((gateway.statuses(gateway.ask(self.helper.port, GOOD)), self.asked(protocols=("h2",)), self.asked(trusted="next")), ([], [], []))
        hello = self.client()
        hello.sendall(b"\x16\x03\x01\x02\x00\x01")
        self.assertEqual(gateway.read_all(hello), b"")
        done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{self.helper.port}", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], input="",
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertIn("alert protocol version", done.stderr)
        gateway.until("each is counted", lambda: self.closed("tls") + self.closed("slow") >= 6)
        self.assertEqual((self.closed("tls"), self.closed("slow"), self.asked()), (5, 1, [200, 403]))

    def test_clients_with_a_certificate(self) -> None:
        self.begin_tls(f"--tls-client-ca={self.folder}/own.pem")
        self.assertEqual([self.asked(client=name) for name in ("client", "", "foreign", "expired")], [[200, 403], [], [], []])
        gateway.until("each is counted", lambda: self.closed("tls") >= 4)
        self.assertEqual(self.closed("tls"), 4)

    def test_a_key_with_a_passphrase(self) -> None:
        """It is not asked for: a helper that is reloaded would wait."""
        openssl("pkey", "-in", self.folder / "own.key", "-aes128", "-passout", "pass:secret", "-out", self.folder / "locked.key")
        status, _, told = run("--from=nginx", f"--listen=127.0.0.1:{gateway.free_port()}", f"--tls-cert={self.folder}/own.pem", f"--tls-key={self.folder}/locked.key", text="secret\n")
        self.assertEqual((status, "with a passphrase" in told, "--tls-key: " in told), (2, True, True), told)

    def test_certificates_are_exchanged_or_stay(self) -> None:
        self.begin_tls()
        for certificate, key, trusted, ready in (("next", "next", "next", 200), ("own", "next", "next", 503), ("own", "own", "own", 200)):
            self.install(certificate, key)
            self.helper.program.signal(signal.SIGHUP)
            gateway.until(key, lambda trusted=trusted, ready=ready: self.page("/readyz")[0] == ready and self.asked(trusted=trusted) == [200, 403])
        self.assertIn("--tls-key: ", self.helper.said())
