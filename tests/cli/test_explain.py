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
        """Exit status 0 or 1, by the verdict."""
        self.assertEqual(run("explain", GOOD).code, 0)
        self.assertEqual(run("explain", b"http://EXAMPLE.com").code, 0)
        self.assertEqual(run("explain", BAD).code, 1)
        self.assertEqual(run("explain", b"http://exa mple.com/").code, 1)

    def test_findings(self):
        """The findings are there with their ids."""
        out = run("explain", b"HTTP://example.com:081/%41").out
        for name in (b"scheme-case", b"port-leading-zero", b"escaped-unreserved"):
            self.assertIn(name, out)

    def test_components(self):
        """The components are there."""
        out = run("explain", b"https://www.example.com:443/some/path?query=1#fragment").out
        for text in (b"https", b"www.example.com", b"443", b"/some/path", b"query=1", b"fragment"):
            self.assertIn(text, out)

    def test_carets(self):
        """The findings are shown under carets."""
        self.assertIn(b"^", run("explain", b"http://example.com:081/").out)

    def test_policy(self):
        """The policy decides the verdict here too."""
        self.assertEqual(run("explain", "--policy=any", b"mailto:a@example.com").code, 0)
        self.assertEqual(run("explain", "--allow=userinfo-present", BAD).code, 0)


class Secrets(Case):
    def test_masked(self):
        """A password in userinfo is masked."""
        result = run("explain", SECRET)
        self.assertEqual(result.code, 1)
        self.assertIn(b"userinfo-present", result.out)
        self.assertNotIn(b"hunter2", result.out + result.err)

    def test_shown(self):
        """--show-secrets shows the password."""
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
                     b"http://said/https://u:hush@h/", b"http://said/a%3Btoken=hush", b"http:u:hush@said", b"http://said/?r=%2Fb%3Ftoken%3Da%2526hush"] + [
                         b"http://said/?next=" + url for url in encoded]:
            with self.subTest(text):
                out = run("explain", text).out
                self.assertNotIn(b"hush", out)
                self.assertIn(b"said", out)
        self.assertIn(b"said", run("explain", "mailto:said@example.com").out)

    def test_masked_where_it_does_not_parse(self):
        """A secret is masked in an input that does not parse, too."""
        for uri in (b"http://alice:hunter2@exa mple.com/", b"http://alice:hunter2@b@example.com/", b"http://alice:hunter2@example.com/%zz",
                    b"http://alice:hunter2@[::1/", b"//alice:hunter2@example.com/\xff"):
            with self.subTest(uri):
                result = run("explain", uri)
                self.assertIn(b"userinfo-present", result.out)
                self.assertNotIn(b"hunter2", result.out + result.err)

    def test_masked_after_blanks(self):
        """Browsers remove blanks in front: a password after them is masked, also without a scheme."""
        for blanks in (b" ", b"\t", b"\x01 "):
            for front in (b"//", b"http:", b"x:/"):
                result = run("explain", blanks + front + b"alice:hunter2@example.com/")
                self.assertNotIn(b"hunter2", result.out + result.err, (blanks, front))
        self.assertIn(b"hunter2", run("explain", b"a //alice:hunter2@example.com/").out)

    def test_masked_in_colour(self):
        """A secret is masked in colour, too."""
        result = run("explain", "--colour=always", SECRET)
        self.assertTrue(result.out)
        self.assertNotIn(b"hunter2", COLOUR.sub(b"", result.out) + result.err)


class Colour(Case):
    def assertPlain(self, result):
        self.assertIn(b"userinfo-present", result.out)
        self.assertNotIn(b"\x1b", result.out)

    def test_never(self):
        """--colour=never: no escape codes."""
        self.assertPlain(run("explain", "--colour=never", BAD))
        self.assertPlain(run_on_terminal("explain", "--colour=never", BAD))

    def test_always(self):
        """--colour=always: escape codes, also where standard output is no terminal."""
        self.assertRegex(run("explain", "--colour=always", BAD).out, COLOUR)

    def test_auto(self):
        """--colour=auto, the default: no escape codes if standard output is no terminal."""
        self.assertPlain(run("explain", "--colour=auto", BAD))
        self.assertPlain(run("explain", BAD))

    def test_auto_on_a_terminal(self):
        """--colour=auto, the default: escape codes on a terminal."""
        self.assertRegex(run_on_terminal("explain", BAD).out, COLOUR)

    def test_no_color(self):
        """NO_COLOR: no escape codes on a terminal either."""
        self.assertPlain(run_on_terminal("explain", BAD, env={"NO_COLOR": "1"}))
        self.assertPlain(run("explain", BAD, env={"NO_COLOR": "1"}))

    def test_nothing_but_colours(self):
        """With its colours removed, the coloured output equals the plain output."""
        self.assertEqual(COLOUR.sub(b"", run("explain", "--colour=always", BAD).out), run("explain", "--colour=never", BAD).out)


class Hostile(Case):
    def test_never_raw(self):
        """Hostile octets are never printed raw."""
        for uri in HOSTILE:
            for options in ((), ("--show-secrets",), ("--colour=never",)):
                with self.subTest(uri=uri, options=options):
                    result = run("explain", *options, "--", uri)
                    self.assertEqual(result.code, 1)
                    self.assertIn(b"^", result.out)
                    self.assertClean(result.out)
                    self.assertClean(result.err)

    def test_never_raw_in_colour(self):
        """Coloured output adds only colours to the plain output."""
        for uri in HOSTILE:
            with self.subTest(uri):
                self.assertClean(COLOUR.sub(b"", run("explain", "--colour=always", "--", uri).out))

    def test_colours_of_the_input(self):
        """An escape code in the input does not reach the output."""
        self.assertNotIn(b"\x1b", run("explain", "--colour=never", b"http://example.com/\x1b[31mred").out)
        self.assertNotIn(b"\x1b[97;45mred", run("explain", "--colour=always", b"http://example.com/\x1b[97;45mred").out)
