# SPDX-License-Identifier: Apache-2.0
"""The laboratory's own tests: recording, comparison, and misbehaving clients."""
from __future__ import annotations

import asyncio
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import cage
import classes
import judge
import tables
import ways
from asked import PARTS, cut, of_request, of_url, one_spelling, text
from clients import Fetched, fetch
from recorder import Names, Request, Recorder, body_length
from sent import compared

import rules

CAGED = subprocess.run(cage.entered(["true"]), capture_output=True, check=False).returncode == 0
URL = b"http://w.test/a;b?c=d,e#f"


def verdict(host="w.test", port="\\N", path="/", query="\\N", fragment="\\N"):
    return "\t".join(("accept", "-", "http", "\\N", host, port, path, query, fragment, "80" if port == "\\N" else port))


def request(line=b"GET / HTTP/1.1", field=b"w.test", reached="w.test", port=80):
    return Request(reached, port, line + (b"\r\nHost: " + field if field else b"") + b"\r\n\r\n")


class Recorded(unittest.TestCase):
    def test_request(self):
        one = request(b"GET /a b?c HTTP/1.1", b" w.test ")
        self.assertEqual((one.method(), one.target(), one.host_fields()), (b"GET", b"/a b?c", [b"w.test"]))
        self.assertEqual(Request("", 80, b"GET /a\r\n").target(), b"/a", "HTTP/0.9 has no version")
        self.assertEqual(Request("", 80, b"GET  HTTP/1.1\r\n").target(), b"")

    def test_names(self):
        """A query of type A gets the name's own address, another type an empty answer."""
        names = Names()
        question = b"\x12\x34\x01\x00" + struct.pack(">4H", 1, 0, 0, 0) + b"\x01W\x04tEst\x00"
        answer = names.answer(question + struct.pack(">HH", 1, 1))
        self.assertEqual(answer[:2], b"\x12\x34")
        self.assertEqual(names.reached(".".join(map(str, answer[-4:]))), "w.test")
        self.assertEqual(struct.unpack_from(">H", names.answer(question + struct.pack(">HH", 28, 1)), 6), (0,))
        self.assertNotEqual(names.address("a.test"), names.address("b.test"))
        self.assertEqual(names.reached("::ffff:127.3.4.5"), "127.3.4.5")

    def test_body(self):
        self.assertEqual(body_length(b"PROPFIND / HTTP/1.1\r\ncontent-Length: 12\r\n\r\n"), 12)
        self.assertEqual(body_length(b"GET / HTTP/1.1\r\n\r\n"), 0)

    def test_connection(self):
        """Consecutive requests are recorded, one with a body; a head without an end counts as one too."""
        async def run() -> list[bytes]:
            recorder = Recorder()
            server = await asyncio.start_server(recorder.connection, "127.0.0.1", 0)
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"POST /1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\n\r\nGET /3\r\n")
            await reader.read()
            writer.close()
            server.close()
            return [one.target() for one in recorder.log]

        self.assertEqual(asyncio.run(run()), [b"/1", b"/2", b"/3"])


class Compared(unittest.TestCase):
    def outcome(self, line, written=verdict(), client="curl", fragment="\\N", trouble="", **more):
        found = compared(client, frozenset(), URL, of_url(written), fragment,
                         Fetched((request(line, **more),) if line else (), "", trouble))
        return found.outcome, found.differing, [row.name for row in found.known]

    def test_same(self):
        written = verdict(path="/a;b", query="c=d,e")
        self.assertEqual(self.outcome(b"GET /a;b?c=d,e HTTP/1.1", written), ("same", [], []))
        self.assertEqual(self.outcome(b"GET / HTTP/1.1", verdict(path="")), ("same", [], []))
        self.assertEqual(self.outcome(b"GET /a%3bb?c=d%2Ce HTTP/1.1", written, field=b"W.test:80"), ("allowed", [], []))

    def test_changed(self):
        for part, line, more in (
                ("path", b"GET //a HTTP/1.1", {}), ("query", b"GET /a?b HTTP/1.1", {}), ("host", b"", {}),
                ("fragment", b"GET /a#b HTTP/1.1", {}), ("Host field", b"GET /a HTTP/1.1", {"field": b"v.test"}),
                ("host", b"GET /a HTTP/1.1", {"reached": "v.test"}), ("port", b"GET /a HTTP/1.1", {"port": 81}),
                ("form", b"GET http://w.test/a HTTP/1.1", {}), ("Host field", b"GET /a HTTP/1.1", {"field": b""})):
            if line:
                with self.subTest(part=part, line=line):
                    outcome, differing, _ = self.outcome(line, verdict(path="/a"), **more)
                    self.assertEqual(outcome, "changed")
                    self.assertIn(part, differing)

    def test_silent(self):
        self.assertEqual(self.outcome(b"")[0], "refused")
        self.assertEqual(self.outcome(b"", trouble="hung")[0], "nothing")

    def test_beside(self):
        """A request for robots.txt is ignored, unless it is the only one or was meant."""
        def differing(path, *targets):
            requests = tuple(request(b"GET " + target + b" HTTP/1.1") for target in targets)
            return compared("x", frozenset(), URL, of_url(verdict(path=path)), "\\N", Fetched(requests, "")).differing

        self.assertEqual(differing("/a", b"/robots.txt", b"/a"), [])
        self.assertEqual(differing("/robots.txt", b"/robots.txt"), [])
        self.assertEqual(differing("/a", b"/robots.txt"), ["path"])
        self.assertEqual(differing("/a", b"/a", b"/b"), ["path"], "every request counts")

    def test_blind(self):
        found = compared("git", frozenset({"path", "query"}), URL, of_url(verdict(path="/a")), "\\N",
                         Fetched((request(b"GET /a/info/refs?s=t HTTP/1.1"),), ""))
        self.assertEqual(found.differing, [])


class Ways(unittest.TestCase):
    """Each deviation of a client excuses what that client does, and nothing of another."""

    CASES = {      # the URL's columns, its fragment, what is sent; and a near miss
        "fragment-sent": ({"path": "/a"}, "b", b"GET /a#b HTTP/1.1", b"GET /a#c HTTP/1.1"),
        "ipv6-host-field": ({"host": "fd77::1"}, "\\N", b"fd77::1", b"fd77::2"),
        "cut-host-field": ({"host": "a" * 200}, "\\N", b"a" * 120 + b"\0x", b"a" * 120),
        "empty-target": ({"path": ""}, "\\N", b"GET  HTTP/1.1", b"GET a HTTP/1.1"),
        "plus-as-space": ({"query": "a+b"}, "\\N", b"GET /?a%20b HTTP/1.1", b"GET /?a%2Bb HTTP/1.1"),
        "escaped-more": ({"path": "/~a", "query": "a+b"}, "\\N", b"GET /%7Ea?a%2bb HTTP/1.1", b"GET /~a?a%20b HTTP/1.1"),
        "query-first-question": ({"query": "?a"}, "\\N", b"GET /?a HTTP/1.1", b"GET /?b HTTP/1.1"),
        "double-slash": ({"path": "/a//b"}, "\\N", b"GET /a/b HTTP/1.1", b"GET /b HTTP/1.1"),
        "compatibility-form": ({"path": "/e%CC%81"}, "\\N", b"GET /%C3%A9 HTTP/1.1", b"GET /%C3%A8 HTTP/1.1"),
        "fragment-escaped": ({"path": "/a"}, "b", b"GET /a%23b HTTP/1.1", b"GET /a%23c HTTP/1.1"),
        "decoded": ({"path": "/a%23b"}, "\\N", b"GET /a#b HTTP/1.1", b"GET /a#c HTTP/1.1"),
        "query-rewritten": ({"query": "b&a"}, "\\N", b"GET /?a&b HTTP/1.1", b"GET /b?a&b HTTP/1.1"),
        "fragment-fetched": ({"path": "/a"}, "b", b"GET /b HTTP/1.1 primary", b"GET /b HTTP/1.1"),
    }

    def differing(self, client, columns, fragment, sent):
        host = columns.get("host", "w.test")
        line, field = (sent, host.encode()) if sent.startswith(b"GET") else (b"GET / HTTP/1.1", sent)
        if line.endswith(b" primary"):
            line, field, host = line.removesuffix(b" primary"), b"primary", "primary"
        found = compared(client, frozenset(), URL, of_url(verdict(**columns)), fragment,
                         Fetched((request(line, field, host),), ""))
        return found.differing

    def test_each(self):
        rows = {row.name: row for row in rules.TABLE if row.kind.startswith(rules.SENT)}
        self.assertEqual(set(rows), set(self.CASES))
        for name, row in rows.items():
            columns, fragment, sent, other = self.CASES[name]
            for client in row.names():
                with self.subTest(name, client=client):
                    self.assertEqual(self.differing(client, columns, fragment, sent), [])
                    self.assertNotEqual(self.differing(client, columns, fragment, other), [])
            self.assertNotEqual(self.differing("nobody", columns, fragment, sent), [], name)

    def test_rows(self):
        """The named clients exist, and the named components can differ."""
        clients = {row.name for row in tables.rows("clients")}
        for row in rules.TABLE:
            if row.kind.startswith(rules.SENT):
                self.assertIn(row.kind, ways.WAYS)
                self.assertLessEqual(set(row.names()), clients, row.name)
                self.assertLessEqual(set(row.parts), set(PARTS), row.name)
        self.assertEqual({row.kind for row in rules.TABLE if row.kind.startswith(rules.SENT)}, set(ways.WAYS))


class Tables(unittest.TestCase):
    def test_rows(self):
        """Each row has one file, each file a row, and each name occurs once."""
        for kind in ("clients", "proxies", "servers"):
            names = [row.name for row in tables.rows(kind)]
            self.assertEqual(len(names), len(set(names)), kind)
            files = {path.stem for path in (tables.HERE / kind).iterdir()
                     if path.is_file() and path.stem.lower() != "adapter" and path.suffix != ".inc"}
            self.assertEqual(files - set(names), set(), f"files of {kind} without a row")
        self.assertGreaterEqual(len(tables.rows("clients")), 40)
        self.assertGreaterEqual(len(tables.rows("proxies")), 8)
        self.assertGreaterEqual(len(tables.rows("servers")), 9)

    def test_quick(self):
        for kind in tables.QUICK:
            self.assertGreaterEqual(len(tables.quick(kind)), 4, kind)

    def test_pace(self):
        for row in tables.rows("clients"):
            self.assertIn(row["pace"], ("stream", "each"), row.name)
            self.assertLessEqual(row.listed("blind"), set(PARTS), row.name)


class Classes(unittest.TestCase):
    def test_once(self):
        some = classes.classes()
        self.assertEqual(len({one.id for one in some}), len(some))
        self.assertEqual({one.group for one in some}, set(classes.GROUPS))

    def test_targets(self):
        """The target of a class is what its URL stands for."""
        for one in classes.classes():
            if one.target is not None:
                self.assertEqual((one.asked.path, one.asked.query), cut(text(one.target))[:2], one.id)
                self.assertTrue(one.url.endswith(one.target), one.id)

    def test_over_http(self):
        for url, other in ((b"https://h:443/a:443", b"http://h/a:443"), (b"https://h", b"http://h"),
                           (b"https://[::1]:443?a", b"http://[::1]?a"), (b"http://h:443/", b"http://h:443/")):
            self.assertEqual(judge.over_http(url), other)

    def test_spelling(self):
        asked = of_request(request(b"GET /a?b HTTP/1.1", b"[FD77::1]:80", "fd77::1"))
        self.assertEqual(one_spelling(asked), one_spelling(of_url(verdict("fd77::1", path="/a", query="b"))))


LOOP = """
import os, socket, sys, time
def get(url, host=b"w.test"):
    with socket.create_connection((host.decode(), 80)) as c:
        c.sendall(b"GET /" + url.rpartition(b"/")[2] + b" HTTP/1.0\\r\\nHost: " + host + b"\\r\\n\\r\\n")
        return c.recv(4096)
def urls():
    data = b""
    while piece := os.read(0, 4096):
        data += piece
        while b"\\0" in data:
            url, _, data = data.partition(b"\\0")
            yield url
"""


@unittest.skipUnless(CAGED, "namespaces cannot be made here")
class Misbehaving(unittest.TestCase):
    """Clients with typical errors; the run continues."""

    def fetch(self, program, urls=(b"http://w.test/1", b"http://w.test/bad", b"http://w.test/3"), pace="stream"):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "client.py"
            file.write_text(LOOP + program)
            row = tables.Row("client", {"pace": pace, "what": "", "limits": ""}, tables.Program(
                "client", (), "", f"{sys.executable} -B {file}", (file,)))
            return fetch(tables.Exhibit(row, "1"), urls, seconds=30)

    def targets(self, answers):
        return [[one.target() for one in answer.requests] for answer in answers]

    def test_plain(self):
        answers = self.fetch("for url in urls():\n  get(url)\n  print('200', flush=True)")
        self.assertEqual(self.targets(answers), [[b"/1"], [b"/bad"], [b"/3"]])
        self.assertEqual([answer.message for answer in answers], ["200"] * 3)

    def test_hangs(self):
        answers = self.fetch("for url in urls():\n  get(url)\n  url.endswith(b'bad') and time.sleep(99)\n"
                             "  print('200', flush=True)")
        self.assertEqual([answer.trouble for answer in answers], ["", "hung", ""])
        self.assertEqual(self.targets(answers), [[b"/1"], [b"/bad"], [b"/3"]])

    def test_dies(self):
        answers = self.fetch("for url in urls():\n  url.endswith(b'bad') and os.abort()\n  get(url)\n"
                             "  print('200', flush=True)")
        self.assertEqual([answer.trouble for answer in answers], ["", "died", ""])
        self.assertEqual(self.targets(answers), [[b"/1"], [], [b"/3"]])

    def test_chatters(self):
        """Lines that are not answers do not shift the answers."""
        answers = self.fetch("print('warning: locked', flush=True)\nfor url in urls():\n  print('fetching'); get(url)\n"
                             "  print('! no' if url.endswith(b'bad') else '200', flush=True)")
        self.assertEqual([answer.message for answer in answers], ["200", "! no", "200"])
        self.assertEqual(self.targets(answers), [[b"/1"], [b"/bad"], [b"/3"]])

    def test_retries(self):
        answers = self.fetch("for url in urls():\n  get(b'/robots.txt'); get(url); get(url)\n  print('200', flush=True)")
        self.assertEqual(self.targets(answers)[0], [b"/robots.txt", b"/1", b"/1"])

    def test_each(self):
        answers = self.fetch("url = os.fsencode(sys.argv[1])\nget(url)\nif url.endswith(b'bad'): time.sleep(99)\n"
                             "sys.exit('cannot')", pace="each")
        self.assertEqual(self.targets(answers), [[b"/1"], [b"/bad"], [b"/3"]])
        self.assertEqual([answer.trouble for answer in answers], ["", "hung", ""])
        self.assertEqual(answers[0].message, "cannot")

    def test_environment(self):
        """Clients see no proxy and no home folder, and names lead to the recorder."""
        answers = self.fetch("for url in urls():\n  get(url, b'other.test')\n  print('! ' + ' '.join(sorted(\n"
                             "    name for name in os.environ if 'proxy' in name.lower())) + os.environ['HOME'], flush=True)")
        self.assertEqual({answer.message for answer in answers}, {f"! {cage.SCRATCH}/home"})
        self.assertEqual({one.reached for answer in answers for one in answer.requests}, {"other.test"})

    def test_nothing_survives(self):
        """Background processes of a client end with its namespaces."""
        with tempfile.TemporaryDirectory() as folder:
            mark = Path(folder) / "mark"
            self.fetch(f"if not os.fork():\n  os.setsid(); time.sleep(2); open({str(mark)!r}, 'w'); os._exit(0)\n"
                       "for url in urls():\n  print('200', flush=True)", urls=(b"http://w.test/",))
            subprocess.run(["sleep", "2.5"], check=True)
            self.assertFalse(mark.exists())


if __name__ == "__main__":
    unittest.main()
