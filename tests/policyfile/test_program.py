# SPDX-License-Identifier: Apache-2.0
"""The program of src/policyfile/README.md, built from the page: what it connects to, and what it does not."""
from __future__ import annotations

import os
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "cli")]
from helper import URIVET, instrumented  # noqa: E402

PAGE = ROOT / "src/policyfile" / "README.md"
BUILD = pathlib.Path(URIVET).parent


class Server:
    """Answers on a loopback port, and records the requests."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(10)
                request = b""
                while not request.endswith(b"\r\n\r\n") and (block := connection.recv(4096)):
                    request += block
                self.asked.append(request)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(10)


@unittest.skipIf(instrumented(), "the libraries are built with a sanitizer")
class Program(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.program = os.path.join(cls.folder.name, "program")
        source = re.findall(r"^```c\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)[0]
        cls.lines = [line for line in source.splitlines() if line and not line.startswith("#")]
        flags = ["-pthread"]
        for name in ("yaml-0.1",):
            done = subprocess.run(["pkg-config", "--libs", name], stdout=subprocess.PIPE, text=True, check=False)
            flags += shlex.split(done.stdout)
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", "-o", cls.program,
                        "-xc", "-", "-xnone",
                        str(BUILD / "liburivet-policy.a"), str(BUILD / "liburivet.a"), *flags],
                       input=source.encode(), check=True)

    def run_with(self, policy: str, url: str) -> tuple[int, str, str]:
        path = pathlib.Path(self.folder.name, "p.yaml")
        path.write_text(policy, encoding="utf-8")
        done = subprocess.run([self.program, path, url], capture_output=True, text=True, timeout=30, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_length(self) -> None:
        self.assertLessEqual(len(self.lines), 43)

    def test_connects(self) -> None:
        """The program requests the target without fragment from the judged host and port."""
        server = Server()
        self.addCleanup(server.close)
        policy = f"hosts: {{allow: [localhost]}}\nports: {{http: [{server.port}]}}\n"
        self.assertEqual(self.run_with(policy, f"http://localhost:{server.port}/a?b=1#c"), (0, "connected\n", ""))
        server.thread.join(0.2)
        self.assertEqual(server.asked, [f"GET /a?b=1 HTTP/1.0\r\nHost: localhost:{server.port}\r\n\r\n".encode()])

    def test_peers(self) -> None:
        """A name that the policy accepts and that resolves to an internal address: the program does not
        connect."""
        server = Server()
        self.addCleanup(server.close)
        inside = f"base: public\nhosts: {{allow: [localhost]}}\nports: {{http: [{server.port}]}}\n"
        url = f"http://localhost:{server.port}/"
        self.assertEqual(self.run_with(inside, url), (1, "not connected\n", ""))
        self.assertEqual(self.run_with(inside + "addresses: {allow: [127.0.0.1]}\n", url)[1], "connected\n")
        server.thread.join(0.2)
        self.assertEqual(len(server.asked), 1)

    def test_rules_about_urls(self) -> None:
        """A port that only a rule about URLs allows."""
        server = Server()
        self.addCleanup(server.close)
        policy = "urls: {allow: ['http://127.0.0.1:*/cb']}\n"
        self.assertEqual(self.run_with(policy, f"http://127.0.0.1:{server.port}/cb")[1], "connected\n")
        self.assertEqual(self.run_with(policy, f"http://127.0.0.1:{server.port}/x")[1],
                         "refused: url-not-allowed,port-nondefault\nnot connected\n")

    def test_refuses(self) -> None:
        self.assertEqual(self.run_with("base: public\n", "http://127.0.0.1/"),
                         (1, "refused: addr-not-global,addr-loopback\nnot connected\n", ""))
        code, out, err = self.run_with("base: publik\n", "http://127.0.0.1/")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"p\.yaml:1:7: no such policy")
