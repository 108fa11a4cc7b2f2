# SPDX-License-Identifier: Apache-2.0
"""Tests `urivet serve`: what it reads from each gateway, and what happens when policies change and processes
die. test_examples.py tests servers that query it."""
from __future__ import annotations

import calendar
import contextlib
import fcntl
import json
import os
import re
import resource
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import unittest
import unittest.mock
from pathlib import Path
from random import Random

import gateway
from servers import URIVET, Helper

sys.path.append(str(gateway.ROOT / "tests/cli"))
import test_answers  # noqa: E402 pylint: disable=wrong-import-position
from helper import core, spelled  # noqa: E402 pylint: disable=wrong-import-position


def run(*words: str | Path, text: str = "") -> tuple[int, str, str]:
    """Returns status, output and messages of the helper, which ends by itself."""
    done = subprocess.run([URIVET, "serve", *words], input=text.encode(), capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Case(unittest.TestCase):
    def begin(self, *words: str, tells: bool = True, **more: str) -> Helper:
        helper = Helper(self.enterContext(gateway.folder()), *["--tell-findings"] * tells, *words, **more)
        self.addCleanup(self.end, helper)
        helper.start()
        self.helper = helper
        return helper

    def end(self, helper: Helper) -> None:
        self.assertEqual(helper.end(), 0, helper.said())
        self.assertNotRegex(helper.said(), r"Sanitizer|runtime error|ended by itself")

    def file(self, text: str, name: str = "own.yaml") -> Path:
        path = self.enterContext(gateway.folder()) / name
        path.write_text(text)
        return path

    def ask(self, *fields: str, target: str = "/", method: str = "GET", host: str | None = "asked") -> tuple[int, str, str]:
        """Returns status (0: no answer), findings and body of the answer to a question."""
        lines = [f"{method} {target} HTTP/1.1", *([f"Host: {host}"] if host is not None else []), *fields, "Connection: close", "", ""]
        answer = gateway.ask(self.helper.port, "\r\n".join(lines).encode("latin-1"))
        status = gateway.statuses(answer)
        findings = re.search(rb"X-Urivet-Findings: ([^\r]*)", answer)
        return status[0] if status else 0, findings[1].decode() if findings else "", gateway.body(answer).strip()

    def sent(self, *pieces: bytes, port: int = 0) -> bytes:
        """Returns what comes back for octets that arrive in these pieces, after which the client ends its side; without the time."""
        with gateway.connected(port or self.helper.port) as connection, contextlib.suppress(OSError):     # it may be closed before all is sent
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(0.002 * (len(pieces) > 1))
            connection.shutdown(socket.SHUT_WR)
            return re.sub(rb"Date: [MTWFS]\w\w, \d\d [JFMASOND]\w\w 20\d\d \d\d:\d\d:\d\d GMT\r\n", b"", gateway.read_all(connection))
        return b""

    def nginx(self, target: str, *more: str, **said: str) -> tuple[int, str, str]:
        """Returns the answer to nginx for this target."""
        known = {"Method": "GET", "Scheme": "http", "Server": "www.example.com", "Host": "www.example.com", "URI": target, **said}
        return self.ask(*(f"X-Original-{name}: {value}" for name, value in known.items() if value is not None), *more)


class UsageTest(unittest.TestCase):
    def test_a_taken_address(self) -> None:
        with contextlib.suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6) as taken:
            self.assertIn(": Address already in use", run("--from=nginx", f"--listen=[::1]:{taken.getsockname()[1]}")[2])


class CheckTest(Case):
    """The output of --check for a URL equals the helper's answer to the question that it shows."""

    def test_the_question_is_answered_so(self) -> None:
        for front in ("nginx", "haproxy", "traefik", "caddy", "envoy", "path"):
            helper = self.begin("--jobs=1", "--origin=http://shop.example", front=front)
            for url, answer in (("http://shop.example/a?b", 200), ("http://Shop.example/a%2Fb", 403), ("http://shop.example", 200), ("http://shop.example:81/", 403)):
                status, shown, _ = run("--check", f"--from={front}", "--origin=http://shop.example", url)
                question, told = shown.split("\n\n")
                self.assertEqual((status, told[:3]), (int(answer == 403), str(answer)), (front, url, shown))
                lines = question.split("\n") + ["Connection: close"] + ["Host: asked"] * ("\nHost:" not in question)
                self.assertEqual(gateway.statuses(gateway.ask(helper.port, "\r\n".join([*lines, "", ""]).encode())), [answer], shown)

    def test_the_answer_says_why(self) -> None:
        self.assertRegex(run("--check", "--from=nginx", "http://shop.example/a%2Fb")[1], r'403 escaped-slash; in the path "%2F"; accepted where its policy says "allow: \[escaped-slash\]", which opens')
        self.assertRegex(run("--check", "--from=nginx", "http://shop.example:8080/")[1], r"403 .*port-nondefault.* --origin")
        self.assertRegex(run("--check", "--from=nginx", "http://shop.example/a%2F/b")[1], r'"allow: \[escaped-slash, path-double-slash\]"')
        self.assertRegex(run("--check", "--from=nginx", "http://shop.example:65616/")[1], r'"allow: \[port-nondefault, port-blocked, port-overflow\]"')
        self.assertEqual(run("--check", "--from=nginx", "--origin=http://localhost:8080", "http://shop.example:8080/")[0], 0)
        self.assertRegex(run("--check", "--from=caddy", "--observe", "http://shop.example/a%2Fb")[1], r"200 \(observed\) escaped-slash")
        self.assertRegex(run("--check", "--from=nginx", "--params=url", "http://shop.example/?url=http://127.0.0.1/")[1], r'in the parameter "url"')
        self.assertNotIn("\x1b", run("--check", "--from=envoy", "http://a\x1b[31m/")[1])

    def test_options_that_judge_nothing(self) -> None:
        """They are errors; a policy that refuses less than it seems to is a warning."""
        observes = self.file("base: gateway\nmode: observe\n")
        for words, said, ends in ((["--params=url next"], "judges nothing", 2), (["--params=a,$arg_url"], "judges nothing", 2), (["--same-origin"], "need --params", 2),
                                  (["--params-policy=public"], "need --params", 2), (["--params-decode=2"], "need --params", 2),
                                  (["--policy=strict"], "not stricter", 0), (["--policy=any"], "not stricter", 0), (["--policy=gateway"], "", 0),
                                  ([f"--policy-file={observes}"], "refuses nothing", 0), (["--observe", f"--policy-file={observes}"], "", 0),
                                  (["--params=url", f"--params-policy={observes}"], "refuses nothing", 0), (["--params=$filter,url", "--same-origin"], "", 0)):
            status, _, told = run("--check", "--from=nginx", *words, "http://shop.example/")
            self.assertEqual((status, told == ""), (ends, said == ""), (words, told))
            self.assertIn(said, told, words)


class ConfigTest(Case):
    GOOD = "from: nginx\nlisten: %s\njobs: 1\nobserve: false\ntell-findings: true\n"

    def test_options_of_a_file(self) -> None:
        helper = Helper(self.enterContext(gateway.folder()))
        file = self.file(self.GOOD % helper.where + "# where refusals go\nlog: '%s/log'\n" % helper.folder)
        helper.command = [URIVET, "serve", f"--config={file}"]
        self.addCleanup(self.end, helper)
        helper.start()
        self.helper = helper
        self.assertEqual(self.nginx("/a%2Fb")[:2], (403, "escaped-slash"))
        self.assertEqual((helper.child() > 0, helper.logged()[0]["target"]), (True, "/a%2Fb"))
        self.assertRegex(run("--check", f"--config={file}", "http://shop.example/a%2Fb")[1], "\n403 escaped-slash")

    def test_faults_are_found(self) -> None:
        """The unchanged file fails only where it listens."""
        good = self.GOOD % "192.0.2.1:1"
        for old, new, words, said in (
                ("", "", (), "serve: 192.0.2.1:1: no socket"), ("listen", "lsten", (), ':2:1: unknown key "lsten"; did you mean "listen"?'),
                ("jobs: 1", "from: nginx", (), ':3:1: "from" is there for the second time: it stands in line 1'), ("jobs: 1", "jobs: 0", (), ':3:7: "jobs" cannot be "0"'),
                ("jobs: 1", "jobs: [1]", (), ':3:7: "jobs" takes a text'), ("jobs: 1", "jobs:", (), ':3:6: "jobs" has no value'), ("false", "0", (), ':4:10: "observe" takes true or false, not "0"'),
                ("false", "no", (), "write false, not no"), ("jobs: 1", "help: true", (), ':3:1: unknown key "help"'), ("jobs: 1", "config: x", (), "is given as --config already"),
                ("", "", ("--listen=127.0.0.1:1",), ':2:9: "listen" is given as --listen already'), ("", "", ("--observe",), ':4:10: "observe" is given as --observe already'),
                ("jobs: 1", "policy: public\npolicy-file: x", (), "--policy and --policy-file exclude each other"), ("", "", ("--config=x",), "--config is given twice"),
                ("nginx", "ngnx", (), "did you mean 'nginx'?"), (good, "[]", (), "a list"), (good, "#", (), "nothing is set here")):
            file = self.file(good.replace(old, new, 1))
            status, output, told = run(f"--config={file}", *words)
            self.assertEqual((status, output, said in told), (2, "", True), (new, words, told))
        for path, said in (("/none", "cannot open"), ("-", "no regular file"), ("/", "Is a directory")):
            self.assertIn(said, run(f"--config={path}", text=good)[2])


class ReadingTest(Case):
    def test_options(self) -> None:
        """What the helper answers with these options: a target, fields of the question, and None or a pattern of the findings that refuse."""
        inside = self.file("base: public\nhosts: {deny: [evil.com]}\n")
        values = self.file(f"base: gateway\nparameters:\n  url: {{policy: {inside}}}\n  body: {{allow: [escaped-crlf]}}\n")
        paths = self.file("base: gateway\npaths:\n  - {prefix: /api/, allow: [escaped-slash]}\n"
                          "  - {prefix: /dav/, methods: [PROPFIND], allow: [path-semicolon]}\n")
        same, twice = ("--same-origin", "--params-policy=strict"), "/a?next=%252F%252Fexample.org"
        at = {"Host": "www.example.com:8443", "Scheme": "https"}
        for words, *rows in (
                ((), ("/a?b=c", {}, None), ("/a%2Fb", {}, "escaped-slash"), ("http://evil.example/", {"Server": "evil.example"}, "field-unreadable"),
                 ("/a", {"Host": "WWW.example.com"}, None), ("/" + "a" * 9000, {}, "url-too-long"),
                 *(("www.example.com:443", {"Method": method, "Host": "www.example.com:443"}, "field-unreadable") for method in ("CONNECT", "connect", "Connect")),
                 *(("/a", said, ".*") for said in ({"Server": "evil.example"}, {"Server": "www.example.co"}, {"Scheme": "ftp"}, {"Scheme": ""}, {"Method": ""},
                                                   {"Method": "G T"}, {"Host": ""}, {"Host": "www.example.com, evil.example"}))),
                (("--params=url,next", *same), ("/a?url=/b&other=https://example.org/", {}, None), ("/a?next=%2F%2Fexample.org", {}, ".*param-refused")),
                (("--params=*", *same), (twice, {}, None)), (("--params=*", *same, "--params-decode=2"), (twice, {}, ".*param-refused")),
                (("--origin=https://www.example.com:8443",), ("/a", at, None), ("/a", {**at, "Host": "www.example.com:8444"}, ".*port-nondefault.*")),
                ((f"--policy-file={paths}",), ("/api/a%2Fb", {}, None), ("/api/..%2Fb", {}, ".*"), ("/a%2Fb", {}, "escaped-slash"),
                 ("/dav/a;b", {"Method": "PROPFIND"}, None), ("/dav/a;b", {}, "path-semicolon")),
                ((f"--policy-file={values}",), ("/a?url=https://example.org/&body=%0A", {}, None), ("/a?url=https://evil.com/", {}, "param-refused"),
                 ("/a?x=%0A&body=%0A", {}, "escaped-crlf"))):
            self.begin(*words)
            for target, said, refused in rows:
                answer = self.nginx(target, **said)
                if refused is None:
                    self.assertEqual(answer, (200, "", ""), (words, target, said))
                else:
                    self.assertEqual((answer[0], re.fullmatch(refused, answer[1]) is not None), (403, True), (words, target, said, answer))
        status, _, told = run("--check", "--from=nginx", "--params=x", f"--params-policy={values}", "http://shop.example/")
        self.assertEqual((status, 'of --params-policy has "parameters"' in told), (2, True), told)

    def test_findings_are_told_where_asked_for(self) -> None:
        """Findings reveal internals and gateways forward them: the field is sent only with --tell-findings.  """
        for tells in (True, False):
            self.begin(tells=tells)
            self.assertEqual(self.nginx("/a%2Fb"), (403, "escaped-slash" * tells, "unclear"))

    def test_another_front(self) -> None:
        """A question in the form of another gateway is refused and logged once, not judged."""
        caddy = ("X-Forwarded-Method: GET", "X-Forwarded-Proto: http", "X-Forwarded-Host: asked", "X-Forwarded-Uri: /a")
        nginx = ("X-Original-Method: GET", "X-Original-Scheme: http", "X-Original-Host: asked", "X-Original-Server: asked", "X-Original-URI: /a")
        for status, front, fields in ((403, "path", nginx), (403, "path", caddy), (403, "envoy", (*nginx, "X-Forwarded-Proto: http")), (403, "envoy", caddy),
                                      (403, "haproxy", nginx),
                                      (403, "nginx", (*nginx, *caddy)), (403, "haproxy", (*nginx, *caddy)),    # sent by a client behind Caddy
                                      (200, "nginx", nginx), (200, "caddy", caddy), (200, "envoy", caddy[1:2]), (200, "path", ())):
            with self.subTest(front, fields=fields):
                helper = self.begin("--jobs=1", "--origin=http://asked", front=front)
                self.assertEqual([self.ask(*fields)[0] for _ in range(3)], [status] * 3)
                self.assertEqual(helper.said().count(f"which --from={front} does not send"), int(status == 403), helper.said())

    def test_each_field_has_to_stand_there_once(self) -> None:
        self.begin()
        for name in ("Method", "Scheme", "Server", "Host", "URI"):
            self.assertEqual(self.nginx("/a", **{name: None})[:2], (403, "field-unreadable"), name)
            self.assertEqual(self.nginx("/a", f"X-Original-{name}: /b")[:2], (403, "field-unreadable"), name)
            self.assertEqual(self.nginx("/a", f"x_original-{name.lower()}: /b")[:2], (403, "field-unreadable"), name)
        self.nginx("www.example.com:443", Method="CONNECT")
        self.assertEqual([row["unreadable"] for row in (*self.helper.logged()[:2], self.helper.logged()[-1])],
                         ["X-Original-Method is missing", "X-Original-Method stands twice", "CONNECT: what goes through a tunnel is not judged"])

    def test_what_readers_read_otherwise(self) -> None:
        """Fields that are none to others, and those that are too many, are refused; what readers mend is not read at all."""
        self.begin("--timeout=1")       # for a body that does not come
        for target, fields, status in (*(("/a", [field], 403) for field in ("X-Original-URI : /z", ": z", "X Y: z", "Transfer-Encoding: x", "Transfer-Encoding: chunked")),
                                       ("/a", ["X-Y!: z"], 200), ("/a", [f"X-{i}: a" for i in range(93)], 200), ("/a", [f"X-{i}: a" for i in range(94)], 403),
                                       *((target, [], 0) for target in ("/a\0", "/a\r\n b", "/a\r\n\tb")),
                                       *(("/a", [field], 0) for field in ("X-Other: a\r\n b", "X-Other: a\0b", " X-Other: a"))):
            self.assertEqual(self.nginx(target, *fields)[0], status, (target, fields))
            self.assertIn(b"\r\nCache-Control: no-store\r\n", gateway.get(self.helper.port, "/"))

    def test_each_gateway_has_its_own_fields(self) -> None:
        forwarded = ("X-Forwarded-Method: GET", "X-Forwarded-Proto: https", "X-Forwarded-Host: www.example.com")
        original = ("X-Original-Method: GET", "X-Original-Scheme: https", "X-Original-Host: www.example.com",
                    "X-Original-Server: www.example.com")
        for front in ("traefik", "caddy"):
            self.begin(front=front)
            self.assertEqual(self.ask(*forwarded, "X-Forwarded-Uri: /a", *original, "X-Original-URI: /%2e%2e/")[0], 200, front)
            self.assertEqual(self.ask(*forwarded, "X-Forwarded-Uri: /%2e%2e/", *original, "X-Original-URI: /a")[0], 403, front)
        self.begin(front="envoy")
        for said, target in (("/%2e%2e/", "/a"), ("/a", "/%2e%2e/")):
            self.assertEqual(self.ask(forwarded[1], f"X-Forwarded-Uri: {said}", target=target)[0], 403)
        self.begin(front="path")
        self.assertEqual(self.ask(target="/a", host=None)[0], 403)
        self.assertEqual(self.ask("Host: www.example.com", target="/a", host="www.example.com")[0], 403)

    def test_methods(self) -> None:
        """Registered methods pass, or any token."""
        known = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "ACL", "QUERY", "PROPFIND", "UPDATEREDIRECTREF", "VERSION-CONTROL")
        for words, passes, refused in (((), known, ("PURGE", "propfind", "VERSION", "PROPFIND-", "PRI")), (("--methods=any",), (*known, "PURGE", "propfind"), ())):
            self.begin(*words, front="path")
            for method in (*passes, *refused, "CONNECT", "connect", "PROP(", "P\1", "P" * 33, "GET\1"):
                self.assertEqual(self.ask(target="/a", host="www.example.com", method=method)[0] == 200, method in passes, method)
                self.assertNotEqual(self.ask(target="/a%2Fb", host="www.example.com", method=method)[0], 200, method)
        self.assertEqual(self.ask(target="http://www.example.com/a", host="www.example.com", method="PROPFIND")[0], 200)
        self.assertEqual(self.ask(target="/PROPFIND\1/a", host="www.example.com")[0], 403)
        self.assertEqual([self.ask(target="/a%2Fb", host="www.example.com", method=method)[2] for method in ("HEAD", "head", "Head")], ["", "unclear", "unclear"])

    def test_many_on_one_connection(self) -> None:
        """Wherever they are cut, questions are answered as each on a connection of its own, up to the one that ends the connection."""
        self.begin("--jobs=1", front="path")
        simple, end, random = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n\r\n", Random(1)
        long = simple.replace(end, b"\r\nX: %s\r\n\r\n" % (b"a" * 200))
        for old, new, status, ends in (
                (b"", b"", 200, False), (b"/a", b"/a%2Fb", 403, False), (b"GET", b"HEAD", 200, False), (b"GET", b"REPORT", 200, False), (b"/1.1", b"/1.0", 200, True), (b"x", b"", 403, False),
                *((end, b"\r\n%s\r\n\r\n" % field, status, ends) for field, status, ends in (
                    (b"Connection: close", 200, True), (b"CONNECTION: Close", 200, True), (b"Connection: keep-alive", 200, False), (b"Connection: TE, close", 200, True), (b"Content-Length: 0", 200, False), (b"Content-Length: 1", 403, True),
                    (b"Transfer-Encoding: x", 403, True), (b"X : a", 403, True), (b"\r\n".join([b"X: a"] * 100), 403, False)))):
            one = simple.replace(old, new, 1)
            alone = self.sent(one)
            self.assertEqual((gateway.statuses(alone), b"\r\nConnection: close\r\n" in alone), ([status], ends), one)
            for at in random.sample(range(1, len(long + one)), 12):
                whole = long + one + simple
                self.assertEqual(self.sent(whole[:at], whole[at:]), self.sent(long) + alone + self.sent(simple) * (not ends), (one, at))

    def test_a_waiver_is_told_only_if_it_is_enough(self) -> None:
        """Why a parameter is refused is known only of those that options name."""
        own = [f"--policy-file={self.file('base: gateway%sparameters: {url: {policy: public}}' % chr(10))}"]
        named = ["--policy=gateway", "--params=url", "--params-policy=public"]
        enough, more = r'accepted where its policy says "allow: \[escaped-slash\]"', r'"allow: \[escaped-slash\]" would not be enough'
        for words, value, said in ((own, "http://127.0.0.1/", more), (own, "http://example.com/", enough), (named, "%zz", more),
                                   (named, "http://example.com/%252F", enough)):
            with self.subTest(words=words, value=value):
                self.assertRegex(run("--check", "--from=nginx", *words, f"http://shop.example/a%2Fb?url={value}")[1], f"403 escaped-slash.*{said}")

    def test_the_log(self) -> None:
        """It is ASCII, and masks secrets before it cuts: the end of one, which shows that it is one, may be beyond what is logged."""
        self.begin()
        self.nginx("/a%2Fb?token=abc&x=\xe9\"")
        self.nginx("/a%2Fb?next=//u:SECRET" + "x" * 600 + "@h/")
        row, cut = self.helper.logged()
        self.assertLess(abs(calendar.timegm(time.strptime(row["time"], "%Y-%m-%dT%H:%M:%SZ")) - time.time()), 600)
        self.assertEqual((row["verdict"], row["host"], row["findings"]), ("reject", "www.example.com", ["non-ascii", "forbidden-char", "escaped-slash"]))
        self.assertRegex(row["explained"], r"^in the path .*(accepted where its policy says|no policy allows)")
        self.assertEqual(("abc" in row["target"], "SECRET" in cut["target"]), (False, False))
        self.assertTrue((self.helper.folder / "log").read_bytes().isascii())
        os.umask(mask := os.umask(0))
        self.assertEqual((stat.S_IMODE((self.helper.folder / "log").stat().st_mode), self.helper.end()), (0o640 & ~mask, 0))
        self.helper.start()     # which adds to the log
        self.assertEqual(len(self.helper.logged()), 2)
        self.begin("--observe")
        self.assertEqual(self.nginx("/a%2Fb"), (200, "escaped-slash", ""))
        self.assertEqual(self.nginx("/a", URI=None)[0], 403)    # the rest of the target is unknown
        self.assertEqual(self.helper.logged()[0]["verdict"], "observed")

    def test_the_log_joins_with_that_of_the_gateway(self) -> None:
        """Client and id are those that the gateway says, once, in its own fields."""
        number = "4e1243bd22c66e76c2ba9eddc1f91394"       # as of nginx
        original, other = ("X-Original-Client: 192.0.2.1", f"X-Original-Request-ID: {number}"), ("X-Forwarded-For: 192.0.2.1", f"X-Request-Id: {number}")
        for front, own, foreign in (("nginx", original, other), ("haproxy", original, other), ("caddy", original, other), ("envoy", other, original), ("traefik", other, original),
                                    ("path", other, ("X-Original-Client: 192.0.2.1", "X-Y: z"))):
            helper = self.begin(front=front)
            for fields, logged in ((own, ("192.0.2.1", number)), (foreign, (None, None)), (own * 2, (None, None))):
                self.ask(*fields, target="/a%2Fb")
                row = helper.logged()[-1]
                self.assertEqual((row["client"], row["id"]), logged, (front, fields))

    def test_a_stalled_log_does_not_stop_answers(self) -> None:
        """The log is a pipe whose reader does not read: lines are lost, and counted; after one that is cut the next is whole."""
        for words in ((), ("sh", "-c", 'exec "$0" "$@" --log=- >"$LOG"')):
            port = gateway.free_port()
            helper = self.helper = Helper(self.enterContext(gateway.folder()), "--tell-findings", "--jobs=1", f"--metrics=127.0.0.1:{port}")
            helper.command = [word.replace("$LOG", f"{helper.folder}/log") for word in words] + helper.command
            os.mkfifo(helper.folder / "log")
            reader = os.open(helper.folder / "log", os.O_RDONLY | os.O_NONBLOCK)
            self.addCleanup(os.close, reader)
            self.addCleanup(self.end, helper)
            helper.start()
            for _ in range(300):
                self.assertEqual(self.nginx("/a%2Fb" + "\xe9" * 600, Host="www.example.com" + "\xe9" * 600)[0], 403)
            self.assertEqual(helper.said().count("a line of the log was lost"), 1)
            self.assertRegex(gateway.body(gateway.get(port, "/metrics")), r"urivet_log_lines_lost_total 29\d\n")
            os.read(reader, 1 << 20)
            self.assertEqual(self.nginx("/a%2Fb")[0], 403)
            self.assertEqual(json.loads(os.read(reader, 1 << 20).splitlines()[-1])["target"], "/a%2Fb")


class TableTest(Case):
    expect = test_answers.Answers.expect

    def test_rows(self) -> None:
        """Runs the rows of serve.tsv, which says what they mean."""
        folder = self.enterContext(gateway.folder())
        for kind, text, *columns in core.rows(Path(__file__).with_name("serve.tsv")):
            with self.subTest(kind, text=text, columns=columns):
                if kind == "file":
                    (folder / text).write_bytes(spelled(columns[0]))
                elif kind == "serve":
                    port, seen = gateway.free_port(), 0
                    words = [spelled(word).decode() for word in shlex.split(columns[0].replace("FOLDER", str(folder)))]
                    self.begin("--jobs=1", f"--metrics=127.0.0.1:{port}", *words, tells=False, front=text)
                    gateway.until("counts are served", lambda port=port: gateway.listens(port))
                elif kind == "says":
                    self.expect(self.helper.said().encode(), text, columns)
                else:
                    answer = self.sent(spelled(text), port=port * (kind == "count"))
                    logged = (self.helper.folder / "log").read_bytes()
                    new, seen = re.sub(rb'"time":"20[-\d]{8}T[:\d]{8}Z"', b'"time":0', logged[seen:]), len(logged)
                    self.expect(answer, columns[0], text)
                    self.expect(new, (*columns, "-")[1], text)


class RawTest(Case):
    """Octets that are nearly a question: if it passes, each field occurs once."""
    QUESTION = (b"GET /ask HTTP/1.1\r\nHost: asked\r\nX-Original-Method: GET\r\nX-Original-Scheme: http\r\nX-Original-Server: www.example.com\r\n"
                b"X-Original-Host: www.example.com\r\nX-Original-URI: /a/b?c=d\r\nConnection: close\r\n\r\n")
    PIECES = (b"\0", b"\r", b"\n", b"\r\n", b"\r\n ", b"\r\n\t", b" ", b"\t", b":", b"/", b"%2F", b"%", b"?", b"#", b",", b";", b"\x7f", b"\x80", b"\xff", b"X-Original-URI:",
              b"X-Original-URI: /%2e%2e/", b"\r\nX-Original-URI: /x", b"\r\nx_original-uri: /x", b"X-Original-Host: evil.example", b"\r\nContent-Length: 1", b"Content-Length: 0",
              b"\r\nTransfer-Encoding: chunked", b"chunked", b"HTTP/1.0", b"HTTP/2.0", b"POST", b"http://evil.example/", b"@", b"..", b"\r\n\r\n", b"GET / HTTP/1.1\r\n")

    def mutated(self, random: Random) -> bytes:
        octets = bytearray(self.QUESTION)
        for _ in range(random.choice((1, 1, 2, 3))):
            at, way = random.randrange(len(octets) + 1), random.randrange(4)
            if way == 0:
                octets[at:at] = random.choice(self.PIECES)
            elif way == 1:
                octets[at:at + random.randrange(1, 4)] = random.choice(self.PIECES)
            elif way == 2:
                del octets[at:at + random.randrange(1, 20)]
            else:       # repeats a line at a random place
                lines = bytes(octets).split(b"\r\n")
                lines.insert(random.randrange(len(lines)), random.choice(lines))
                octets = bytearray(b"\r\n".join(lines))
        return bytes(octets)

    def said(self, octets: bytes) -> list[tuple[str, str]]:
        """Returns the fields of the first head, accepting any line end."""
        fields = []
        for line in octets.replace(b"\r\n", b"\n").split(b"\n")[1:]:
            name, colon, value = line.decode("latin-1").partition(":")
            if line in (b"", b"\r"):
                break
            if colon:
                fields.append((name.lower().replace("_", "-"), value.strip(" \t\r")))
        return fields

    def answer(self, octets: bytes) -> int:
        return (*gateway.statuses(self.sent(octets)), 0)[0]

    def test_mutants(self) -> None:
        self.begin("--jobs=1", "--timeout=2")
        random = Random(1)
        self.assertEqual(self.answer(self.QUESTION), 200)
        passed = 0
        for _ in range(5000):
            octets = self.mutated(random)
            if self.answer(octets) != 200:
                continue
            passed += 1
            fields = self.said(octets)
            known = {name: [value for other, value in fields if other == f"x-original-{name.lower()}"] for name in ("Method", "Scheme", "Server", "Host", "URI")}
            self.assertEqual({len(values) for values in known.values()}, {1}, octets)
            self.assertEqual(self.nginx(**{name if name != "URI" else "target": values[0] for name, values in known.items()})[0], 200, octets)
            self.assertNotRegex(octets.partition(b"\r\n\r\n")[0], rb"\0|\n[ \t]|[^\r]\n|\r[^\n]")  # the rest is not read
        self.assertGreater(passed, 200)
        self.assertLess(passed, 4000)


class ProcessTest(Case):
    def test_a_file_for_owner_and_group(self) -> None:
        folder = self.enterContext(gateway.folder())
        path = folder / "socket"
        helper = self.begin(where=f"unix:{path}")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o660)
        second = subprocess.run(helper.command, capture_output=True, text=True, check=False, timeout=10)
        self.assertEqual((second.returncode, "in use" in second.stderr), (2, True))
        self.assertTrue(path.is_socket())
        self.assertEqual(helper.end(), 0)
        self.assertFalse(path.exists())
        with socket.socket(socket.AF_UNIX) as stale:        # left by a killed process
            stale.bind(str(path))
        helper.start()

    def test_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            path = self.enterContext(gateway.folder()) / "socket"
            helper = self.begin(where=f"unix:{path}")
            os.kill(helper.program.process.pid, number)
            self.assertEqual(helper.program.process.wait(20), 0)
            self.assertFalse(path.exists())

    def test_an_idle_connection(self) -> None:
        """Ends after the ten seconds that the manual page says."""
        helper, began = self.begin("--from=nginx", "--jobs=1"), time.monotonic()
        with gateway.connected(helper.port) as idle:
            idle.settimeout(40)
            self.assertEqual(idle.recv(1), b"")
        self.assertGreater(time.monotonic() - began, 9)
        self.assertLess(time.monotonic() - began, 20)

    def test_one_connection_more_waits(self) -> None:
        """--connections=N answers N at once; another one is answered when one of them ends."""
        request = b"GET / HTTP/1.1\r\nHost: x\r\nX-Original-URI: /a\r\n\r\n"
        for most in (1, 3):
            helper = self.begin("--from=nginx", "--jobs=1", f"--connections={most}")
            held = [self.enterContext(gateway.connected(helper.port)) for _ in range(most + 1)]
            for connection in held:
                connection.sendall(request)
                connection.settimeout(40)
            self.assertEqual([len(connection.recv(9)) for connection in held[:most]], [9] * most)
            held[most].settimeout(0.3)
            self.assertRaises(TimeoutError, held[most].recv, 9)
            held[0].close()
            held[most].settimeout(40)
            self.assertEqual(held[most].recv(9), b"HTTP/1.1 ")

    def test_no_descriptors_left(self) -> None:
        """Connections wait while there is no file for them, and are answered afterwards."""
        for most, files in ((1, 0), (10, 8), (10, 9), (1024, 9)):  # connections; how many of them have a file
            helper = self.begin("--from=nginx", "--jobs=1", f"--connections={most}")
            self.assertEqual(self.nginx("/")[0], 200)
            worker = helper.child()
            limit = len(os.listdir(f"/proc/{worker}/fd")) + files
            resource.prlimit(worker, resource.RLIMIT_NOFILE, (limit, limit + 100))
            with contextlib.ExitStack() as held:
                for _ in range(12):
                    held.enter_context(gateway.connected(helper.port))
                gateway.until("all its files are open", lambda: len(os.listdir(f"/proc/{worker}/fd")) >= limit)
            resource.prlimit(worker, resource.RLIMIT_NOFILE, (limit + (most == 1), limit + 100))
            gateway.until("it answers again", lambda: self.nginx("/")[0] == 200)

    def passed(self, *sockets: socket.socket, process: str = "", words: tuple[str, ...] = ("--listen=systemd",)) -> subprocess.Popen:
        """Starts the helper as the service manager does, with these sockets from descriptor 3 on (sd_listen_fds(3))."""
        passes = (f"import os, sys; [os.dup2(one, 3 + n) for n, one in enumerate({[one.fileno() for one in sockets]})]; "
                  f"os.environ.update(LISTEN_PID='{process}' or str(os.getpid()), LISTEN_FDS='{len(sockets)}'); os.execv(sys.argv[1], sys.argv[1:])")
        return subprocess.Popen([sys.executable, "-c", passes, URIVET, "serve", "--from=nginx", *words],
                                pass_fds=[one.fileno() for one in sockets], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def listener(self, where: str | tuple[str, int], family: int = socket.AF_INET, listens: bool = True) -> socket.socket:
        one = self.enterContext(socket.socket(family))
        one.bind(where)
        if listens:
            one.listen()
        # not one of the descriptors that sockets are passed as
        return self.enterContext(socket.socket(fileno=fcntl.fcntl(one.fileno(), fcntl.F_DUPFD_CLOEXEC, 20)))

    def test_the_socket_of_the_service_manager(self) -> None:
        path = self.enterContext(gateway.folder()) / "socket"
        for one in (self.listener(("127.0.0.1", 0)), self.listener(str(path), socket.AF_UNIX)):
            with self.passed(one) as helper, socket.socket(one.family) as client:
                client.connect(one.getsockname())
                client.settimeout(20)
                client.sendall(b"GET / HTTP/1.1\r\nHost: asked\r\nX-Original-Method: GET\r\nX-Original-Scheme: http\r\n"
                               b"X-Original-Host: a.example\r\nX-Original-Server: a.example\r\nX-Original-URI: /a\r\n\r\n")
                self.assertEqual(client.recv(1 << 16)[:12], b"HTTP/1.1 200")
                helper.terminate()
                self.assertEqual((helper.wait(20), helper.stderr.read()), (0, ""))
        self.assertTrue(path.is_socket())               # the file is the service manager's

    def test_sockets_that_are_not_taken(self) -> None:
        here = self.listener(("127.0.0.1", 0))
        refused = {"needs one socket": (self.passed(), self.passed(here, here), self.passed(here, process="1")),
                   "only this machine": (self.passed(self.listener(("0.0.0.0", 0))), self.passed(self.listener(("127.0.0.1", 0), listens=False))),
                   "for --listen": (self.passed(here, words=("--listen=systemd", "--metrics=systemd")),)}
        for why, helpers in refused.items():
            for helper in helpers:
                with helper:
                    self.assertEqual(helper.wait(20), 2)
                    self.assertIn(why, helper.stderr.read())

    def test_policies_are_exchanged_or_stay(self) -> None:
        policy = self.file("base: gateway\n")
        port = gateway.free_port()
        helper = self.begin(f"--policy-file={policy}", "--jobs=2", f"--metrics=127.0.0.1:{port}")
        self.assertEqual(self.nginx("/a%2Fb")[0], 403)
        policy.write_text("base: gatewy\n")
        helper.program.signal(signal.SIGHUP)
        gateway.until("what is wrong", lambda: f"{policy}:1:7: " in helper.said() and "stays in force" in helper.said())
        self.assertEqual(self.nginx("/a%2Fb")[0], 403)
        gateway.until("it is not ready", lambda: gateway.statuses(gateway.get(port, "/readyz")) == [503])
        self.assertIn(b"urivet_stale 1\n", gateway.get(port, "/metrics") + gateway.get(port, "/healthz"))
        policy.write_text("base: gateway\nallow: [escaped-slash]\n")
        helper.program.signal(signal.SIGHUP)
        gateway.until("the new policy", lambda: self.nginx("/a%2Fb")[0] == 200 and gateway.statuses(gateway.get(port, "/readyz")) == [200])
        policy.unlink()
        helper.program.signal(signal.SIGHUP)
        gateway.until("that it is gone", lambda: helper.said().count("stays in force") == 2)
        gateway.until("the old processes are gone", lambda: len(helper.children()) == 3)
        self.assertEqual((self.nginx("/a%2Fb")[0], gateway.statuses(gateway.get(port, "/healthz"))), (200, [200]))

    def test_the_service_manager_is_told(self) -> None:
        for place in (str(self.enterContext(gateway.folder()) / "notify"), f"\0urivet-test-{os.getpid()}"):
            manager = self.enterContext(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            manager.bind(place)
            manager.settimeout(20)
            with unittest.mock.patch.dict(os.environ, NOTIFY_SOCKET=place.replace("\0", "@")):
                helper = self.begin("--jobs=1")
            self.assertEqual(manager.recv(99), b"READY=1")
            helper.program.signal(signal.SIGHUP)
            self.assertEqual([manager.recv(99), manager.recv(99), helper.end(), manager.recv(99)], [b"RELOADING=1", b"READY=1", 0, b"STOPPING=1"])
            self.assertEqual(helper.said(), "urivet: serve: the policy was loaded again\n")

    def test_exchanges_while_questions_come(self) -> None:
        helper = self.begin("--jobs=2")
        for _ in range(20):
            helper.program.signal(signal.SIGHUP)
            for _ in range(20):
                self.assertEqual((self.nginx("/a%2Fb")[0], self.nginx("/a")[0]), (403, 200))

    def test_a_process_that_dies_is_replaced(self) -> None:
        helper = self.begin("--jobs=4")
        gateway.until("four answer", lambda: len(helper.children()) == 4)
        for child in (killed := helper.children()):
            os.kill(child, signal.SIGKILL)
        gateway.until("others", lambda: len(set(helper.children()) - set(killed)) == 4)
        self.assertEqual(self.nginx("/a")[0], 200)
        self.assertIn("ended by itself", helper.said())
        (helper.folder / "err").write_text("")

    @unittest.skipUnless(os.geteuid() == 0, "needs another user, whose processes are limited")
    def test_a_process_that_cannot_be_started_is_tried_again(self) -> None:
        folder = self.enterContext(gateway.folder())
        binary = folder / "urivet"
        shutil.copy(URIVET, binary)
        folder.chmod(0o777)
        helper = Helper(folder, "--jobs=1")
        nobody = ["setpriv", "--reuid=65533", "--clear-groups"]
        helper.command = [*nobody, str(binary), *helper.command[1:]]
        helper.start()
        self.addCleanup(helper.end)
        self.helper = helper
        child = helper.child()
        parent = helper.program.process.pid
        subprocess.run([*nobody, "prlimit", f"--pid={parent}", "--nproc=0:100"], check=True)
        os.kill(child, signal.SIGKILL)
        gateway.until("that none can be started", lambda: helper.said().count("no process can be started") >= 2)
        subprocess.run([*nobody, "prlimit", f"--pid={parent}", "--nproc=100:100"], check=True)
        gateway.until("another", lambda: helper.children() not in ([], [child]))
        self.assertEqual(self.nginx("/a")[0], 200)

    def test_children_end_with_their_parent(self) -> None:
        helper = Helper(self.enterContext(gateway.folder()), "--jobs=2")
        helper.start()
        helper.program.process.kill()
        helper.program.process.wait()
        gateway.until("the port is closed", lambda: not gateway.listens(helper.port))

    def test_slow_and_many_connections(self) -> None:
        self.begin("--jobs=1", "--connections=8", "--timeout=1")
        slow = [gateway.connected(self.helper.port) for _ in range(20)]
        for connection in slow:
            connection.sendall(b"GET / HT")
        self.assertEqual(self.nginx("/a%2Fb")[0], 403)
        for connection in slow:
            self.assertNotIn(b"200", gateway.read_all(connection))
            connection.close()
        self.assertEqual(self.nginx("/a")[0], 200)


class MetricsTest(Case):
    def test_counts_and_health_have_a_socket_of_their_own(self) -> None:
        port = gateway.free_port()
        self.begin(f"--metrics=127.0.0.1:{port}", "--jobs=2")
        gateway.until("counts are served", lambda: gateway.listens(port))
        for _ in range(3):
            self.nginx("/a")
            self.nginx("/a%2Fb")
        page = gateway.body(gateway.get(port, "/metrics"))
        self.assertIn('urivet_requests_total{verdict="reject"} 3\n', page)
        for line in page.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) urivet_\w+ .*|urivet_\w+(\{\w+="[^"\\]*"\})? [0-9.]+)$')
        self.assertEqual(self.ask(target="/metrics")[0], 403)
        for target in ("/a", *("/" + "a;/../%2F" * n for n in (1, 9, 99, 800)), "/%2525" * 700):
            before, _, after = self.durations(port), self.nginx(target), self.durations(port)
            took = round((after.pop("sum") - before.pop("sum")) * 1e9) / 1e9
            self.assertEqual([after[bound] - before[bound] for bound in before], [float(took <= float(bound)) for bound in before], (target, took))

    def durations(self, port: int) -> dict[str, float]:
        """Returns the sum of the durations, and how many there are up to each bound."""
        page = gateway.body(gateway.get(port, "/metrics"))
        return {bound: float(value) for bound, value in re.findall(r'judging_seconds_(?:bucket{le=")?([^"_\s]+)(?:"})? ([\d.]+)', page) if bound != "count"}


class LinesTest(unittest.TestCase):
    def answers(self, text: str, *words: str | Path) -> str:
        status, output, told = run(*words, text=text)
        self.assertEqual((status, told), (0, ""))
        return output

    def test_each_line_is_answered(self) -> None:
        unreadable = "ERR log=field-unreadable message=unclear"
        for words, lines in (
                # decoded once
                (("--squid",), {"1 GET http://example.com/a": "1 OK", "2 CONNECT example.com:443": "2 OK",
                                "8 GET http://example.com/a -": "8 OK", "9 GET http://example.com/a data": f"9 {unreadable}",
                                "10 http://127.1/ -": "10 ERR log=ipv4-short message=unclear", "11 GET -": "11 ERR log=target-malformed message=unclear",
                                "http://example.com/": "OK",
                                "3 GET http%3A//example.com/%2541": "3 ERR log=escaped-unreserved message=unclear",
                                "4 GET http://example.com/%252e%252e/": "4 ERR log=escaped-unreserved,escaped-dot-segment,dot-segment-above-root message=unclear",
                                "5 GET http://example.com/%zz": f"5 {unreadable}",
                                "6 GET http://example.com/ more": f"6 {unreadable}", "": unreadable,
                                "7 CONNECT example.com:22": "7 ERR log=port-nondefault,port-blocked message=not-allowed"}),
                (("--squid", "--policy=public"), {"GET http://127.0.0.1/": "ERR log=addr-not-global,addr-loopback message=not-allowed", "GET http://example.com/": "OK"}),
                (("--squid", "--observe"), {"1 http://127.1/": "1 OK log=ipv4-short message=unclear", "http://example.com/%zz": unreadable}), (("--apache",), {"http www.example.com GET /a?b HTTP/1.1": "OK", "https www.example.com:443 POST / HTTP/2.0": "OK",
                                 "http www.example.com GET http://WWW.example.com/a HTTP/1.1": "OK",
                                 "http www.example.com OPTIONS * HTTP/1.1": "OK",
                                 "http www.example.com GET /a%2Fb HTTP/1.1": "ERR log=escaped-slash message=unclear",
                                 "http www.example.com GET http://evil.example/ HTTP/1.1": "ERR log=host-header-mismatch message=unclear",
                                 "http  GET / HTTP/1.0": "ERR log=host-empty,host-missing message=unclear",
                                 "1 http www.example.com GET / HTTP/1.1": unreadable, "http www.example.com GET /": unreadable,
                                 "HTTP www.example.com GET / HTTP/1.1": unreadable, "http www.example.com GET / HTTQ/1.1": unreadable,
                                 "http www.example.com:443 CONNECT www.example.com:443 HTTP/1.1": unreadable, "": unreadable})):
            self.assertEqual(self.answers("".join(f"{line}\n" for line in lines), *words), "".join(f"{answer}\n" for answer in lines.values()))

    def test_a_line_without_end_and_those_at_the_limit(self) -> None:
        refused, policy = "ERR log=field-unreadable message=unclear\n", self.enterContext(gateway.folder()) / "long.yaml"
        policy.write_text("limits: {length: 65535}\n")
        self.assertEqual(self.answers("1 GET http://example.com/", "--squid"), "1 OK\n")
        self.assertEqual(self.answers("1 GET http://example.com/" + "a" * 300000 + "\n2 GET http://example.com/\n", "--squid"), f"1 {refused}2 OK\n")
        for name, kept in ("17", "17 "), ("9" * 20, "9" * 20 + " "), ("9" * 21, ""):
            for length, said in (32768, f"{kept}OK\n" if kept else refused), (32769, kept + refused):      # however it arrives
                self.assertEqual(self.answers(f"{name} GET http://example.com/".ljust(length, "a") + "\n", "--squid", f"--policy-file={policy}"), said)

    def test_each_line_is_answered_as_it_comes(self) -> None:
        with subprocess.Popen([URIVET, "serve", "--squid"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
            for number in range(3):
                program.stdin.write(b"%d GET http://example.com/\n" % number)
                program.stdin.flush()
                self.assertEqual(program.stdout.readline(), b"%d OK\n" % number)
            program.stdin.close()
