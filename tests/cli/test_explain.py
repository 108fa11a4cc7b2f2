# SPDX-License-Identifier: Apache-2.0
"""Tests explain, which shows everything about one URI."""

import re
import urllib.parse

from helper import BAD, GOOD, Case, core, run, run_on_terminal

SECRET = b"http://alice:hunter2@example.com/"
HOSTILE = [b"http://example.com/\x1b]0;owned\x07", b"http://exa\x1b[2Jmple.com/", b"http://example.com/\xc2\x9b31m", b"http://example.com/\xff\xfe",
           "http://example.com/\u202egpj".encode(), b"http://u:\x1b[2J@example.com/", b"\r\nhttp://example.com/", b"\x08\x08\x08http://h/\x7f"]
COLOUR = re.compile(rb"\x1b\[[0-9;]*m")


class Explain(Case):
    def test_status(self):
        """Exit status 0 or 1, by the verdict and the policy."""
        for words, code in (((GOOD,), 0), ((b"http://EXAMPLE.com",), 0), ((BAD,), 1), ((b"http://exa mple.com/",), 1), (("--policy=any", b"mailto:a@example.com"), 0),
                            (("--allow=userinfo-present", BAD), 0)):
            self.assertEqual(run("explain", *words).code, code, words)


class Secrets(Case):
    def test_masked(self):
        """A password in userinfo is masked, in colour too, and shown with --show-secrets."""
        for colour in ("never", "always"):
            result = run("explain", "--colour=" + colour, SECRET)
            self.assertEqual((result.code, b"hunter2" in COLOUR.sub(b"", result.out) + result.err), (1, False))
            self.assertIn(b"userinfo-present", result.out)
        self.assertIn(b"hunter2", run("explain", "--show-secrets", SECRET).out)

    def test_names(self):
        """The values of all secret names that the library knows are masked, and nothing else."""
        source = (core.ROOT / "src/core/rules/rules_query.c").read_text("ascii")
        names = re.findall(r' (?:SECRET|SHARED)\("([^"]+)"\)', source)
        self.assertGreater(len(names), 30)
        out = run("explain", *("https://example.com/?%s=hush&%sx=said" % (name, name) for name in names)).out.decode()
        self.assertNotIn("hush", out)
        self.assertIn("said", out)

    def test_masked_inside(self):
        """Secrets are masked in names that are decoded, in parameters of the path, in references and in URLs within URLs,
        raw or encoded up to four times; what is beside them is shown."""
        encoded = [b"https://u:hush@h/", b"https://h/?token=hush&said=x", b"//u:hush@h", b"https:u:hush@h", b"https://u:hush:hush@h/", b"//u:hush@hush@h"]
        for _ in range(4):
            encoded += [urllib.parse.quote(url, safe="").encode() for url in encoded[-6:]]
        for text in [b"http://h/said;jsessionid=hush/said", b"http://h/?pass%77ord=hush&said", b"http://h/?user[password]=hush&said", b"said/?user%5Bpassword%5D=hush",
                     b"user:hush@said", b"http://h/said?a=user:hush@h", b"http://h/said?a=user:hush:hush@h", b"//u:hush@said/", b"said?token=hush", b"/said;token=hush", b"http://h/?to%256ben=1&password=a;hush&said",
                     b"http://said/https://u:hush@h/", b"http://said/a%3Btoken=hush", b"http:u:hush@said", b"x:\\u:hush@said", b"\\\\u:hush@said", b"http:/\\u:hush@said", b"http://said/?r=%2Fb%3Ftoken%3Da%2526hush"] + [
                         b"http://said/?next=" + url for url in encoded]:
            with self.subTest(text):
                out = run("explain", text).out
                self.assertNotIn(b"hush", out)
                self.assertIn(b"said", out)
        self.assertIn(b"said", run("explain", "mailto:said@example.com").out)

    def test_masked_where_it_does_not_parse(self):
        """A secret is masked in an input that does not parse, too, and after blanks in front, which browsers remove, also without a scheme."""
        for uri in (b"http://alice:hunter2@exa mple.com/", b"http://alice:hunter2@b@example.com/", b"http://alice:hunter2@example.com/%zz",
                    b"http://alice:hunter2@[::1/", b"//alice:hunter2@example.com/\xff"):
            with self.subTest(uri):
                result = run("explain", uri)
                self.assertIn(b"userinfo-present", result.out)
                self.assertNotIn(b"hunter2", result.out + result.err)
        for blanks in (b" ", b"\t", b"\x01 "):
            for front in (b"//", b"http:", b"x:/"):
                result = run("explain", blanks + front + b"alice:hunter2@example.com/")
                self.assertNotIn(b"hunter2", result.out + result.err, (blanks, front))
        self.assertIn(b"hunter2", run("explain", b"a //alice:hunter2@example.com/").out)


class Colour(Case):
    def test_when(self):
        """Escape codes are there with --colour=always, and with --colour=auto, the default, on a terminal without NO_COLOR or TERM=dumb.
        Without them the output equals the plain one."""
        for words, env, file, terminal in (((), {}, False, True), (("--colour=auto",), {}, False, True), (("--colour=never",), {}, False, False), (("--colour=always",), {}, True, True),
                                           ((), {"NO_COLOR": "1"}, False, False), ((), {"NO_COLOR": ""}, False, True), ((), {"TERM": "dumb"}, False, False),
                                           (("--colour=always",), {"NO_COLOR": "1", "TERM": "dumb"}, True, True)):
            for result, coloured in ((run("explain", *words, BAD, env=env), file), (run_on_terminal("explain", *words, BAD, env=env), terminal)):
                with self.subTest(words=words, env=env, coloured=coloured):
                    self.assertIn(b"userinfo-present", result.out)
                    self.assertEqual(bool(COLOUR.search(result.out)), coloured)
        self.assertEqual(COLOUR.sub(b"", run("explain", "--colour=always", BAD).out), run("explain", "--colour=never", BAD).out)


class Hostile(Case):
    def test_never_raw(self):
        """Hostile octets are never printed raw; coloured output adds only colours, and no escape code of the input."""
        for uri in (*HOSTILE, b"http://example.com/\x1b[31mred", b"http://example.com/\x1b[97;45mred"):
            for options in ((), ("--show-secrets",), ("--colour=never",), ("--colour=always",)):
                with self.subTest(uri=uri, options=options):
                    result = run("explain", *options, "--", uri)
                    self.assertEqual(result.code, 1)
                    self.assertIn(b"^", result.out)
                    self.assertClean(COLOUR.sub(b"", result.out) if "--colour=always" in options else result.out)
                    self.assertClean(result.err)
                    self.assertNotIn(b"\x1b[97;45mred", result.out)
