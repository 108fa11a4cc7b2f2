# SPDX-License-Identifier: Apache-2.0
"""Tests `urivet scan --params` on an access log that nginx wrote: ten attacks in parameters, each in a
request that is otherwise harmless, and twenty requests and lines without an attack."""
from __future__ import annotations

import subprocess
import unittest
from pathlib import Path

import gateway
import nginx
from servers import URIVET

# Internal and external targets: encoded, relative, encoded twice, and as browsers read them.
ATTACKS = (
    "/go?url=http%3A%2F%2F10.0.0.1%2Fadmin", "/login?next=//evil.example/", "/login?next=%2F%2Fevil.example",
    "/login?next=%2F%5Cevil.example", "/fetch?u=https%3A%2F%2F169.254.169.254%2Flatest%2F", "/go?to=http:%2F%2F127.0.0.1:6379%2F",
    "/go?a=1&to=javascript:alert(1)", "/go?to=http%253A%252F%252F10.0.0.1%252F", "/go?to=%252F%252Fevil.example%252F",
    "/go?to=%20%09//evil.example",
)
HONEST = (
    "/", "/login?next=/account", "/login?next=%2Faccount%3Ftab%3D2", "/go?url=https%3A%2F%2Fwww.python.org%2F", "/form?q=a+b&lang=en",
    "/go?time=12%3A30", "/s?q=1%2F2", "/feed", "/~u/a.css?v=3", "/a?ids[]=1&q=a|b", "/a?q=%22quoted%22", "/a?q=http", "/a?q=caf%C3%A9",
    "/a?next=", "/a?next", "/a?x=y&next=/b%23top", "/a?mail=a%40example.org", "/a?q=1//2",
)
# Lines that are no request: nginx logs them as they came.
NO_REQUESTS = (b"\x16\x03\x01\x02\r\n\r\n", b"GET\r\n\r\n")


@unittest.skipUnless(Path(nginx.NGINX).exists(), "needs nginx")
class Log(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = self.enterContext(gateway.folder())
        self.log = self.folder / "combined.log"
        one = nginx.Nginx(self.folder, 9, f"access_log {self.log} combined; location / {{ return 204; }}")
        one.configure(one.server, module=False)
        one.start()
        self.addCleanup(one.end)
        self.port = one.port

    def scan(self, *options: str) -> list[list[str]]:
        done = subprocess.run([URIVET, "scan", "--format=tsv", "--policy=gateway", "--params=*", *options, str(self.log)],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def logged(self, lines: int) -> None:
        gateway.until("the requests are logged", lambda: self.log.read_text().count("\n") == lines)

    def test_attacks(self) -> None:
        """All are found, each in its line; the Referer field beside them is found too."""
        for target in ATTACKS:
            gateway.get(self.port, target, "Referer: https://app.example.com/?next=/a", "User-Agent: Mozilla/5.0 (+https://bot.example.org/)")
        self.logged(len(ATTACKS))
        rows = self.scan("--params-decode=2")
        targets = [row for row in rows if row[14] == "target"]
        self.assertEqual([(row[11], row[13]) for row in targets], [(str(k), target) for k, target in enumerate(ATTACKS, 1)])
        self.assertEqual([row[0] for row in targets if "param-refused" in row[1]], ["reject"] * len(ATTACKS))
        self.assertEqual([row[0] for row in rows if row[13].startswith("https://app")], ["accept"] * len(ATTACKS))
        # decoded once, the two double-encoded ones are missed: the option exists for them
        once = [row for row in self.scan() if row[14] == "target" and "param-refused" in row[1]]
        self.assertEqual([row[13] for row in once], [target for target in ATTACKS if "%25" not in target])
        # nginx writes a backslash as an escape, which itself begins with a backslash
        gateway.get(self.port, "/login?next=/\\evil.example")
        self.logged(len(ATTACKS) + 1)
        self.assertIn(r"next=/\x5Cevil.example", self.log.read_text())
        self.assertEqual([(row[0], "param-refused" in row[1]) for row in self.scan()][-1], ("reject", True))

    def test_near_misses(self) -> None:
        """Twenty lines in which nothing is refused."""
        for target in HONEST:
            gateway.get(self.port, target)
        for octets in NO_REQUESTS:
            gateway.ask(self.port, octets)
        self.logged(len(HONEST) + len(NO_REQUESTS))
        rows = [row for row in self.scan("--params-decode=2") if row[14] == "target"]
        self.assertEqual([(row[0], row[13]) for row in rows], [("accept", target) for target in HONEST])
