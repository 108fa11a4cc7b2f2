# SPDX-License-Identifier: Apache-2.0
"""Tests that a terminal shows the command's output as text and obeys nothing in it."""

import os

from helper import BAD, GOOD, Case, needs, run, takes_long, write_file

try:
    import pyte
except ImportError:
    pyte = None

COLUMNS, LINES = 1000, 80

# Sequences that a terminal obeys, in 7 and in 8 bits and as UTF-8; line separators; text direction and
# invisible characters.
HOSTILE = [b"\x1b[31m", b"\x1b[2J", b"\x1b]0;owned\x07", b"\x1b]2;owned\x1b\\", b"\x1b[5;5Howned", b"\x1bc", b"\x9b31m",
           b"\xc2\x9b31m", b"\xc2\x9b2J", b"\xc2\x9d0;owned\xc2\x9c", b"\x90", b"\xc2\x90", b"\xc2\x85owned",
           b"\rowned", b"\x08\x08\x08owned", b"\x07", b"\x0bowned", b"\x0cowned", b"\x0eowned", b"\x7f",
           b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"\xf0\x9f\x92\xa9",
           b"\xff", b"\xc3"]


class Terminal(Case):
    def shown(self, data):
        """Returns the lines of an empty screen after this output, and the other effects on the terminal."""
        screen = pyte.Screen(COLUMNS, LINES)
        pyte.ByteStream(screen).feed(data.replace(b"\n", b"\r\n"))
        cells = [list(map(screen.buffer[y].__getitem__, range(max(screen.buffer[y], default=-1) + 1)))
                 for y in range(LINES)]
        styles = {(c.fg, c.bg, c.bold, c.italics, c.underscore, c.strikethrough, c.reverse) for row in cells
                  for c in row}
        return ["".join(c.data for c in row).rstrip() for row in cells], screen.title, screen.icon_name, styles

    def assertShown(self, result):
        """Checks that both streams are shown line by line, as lines of the terminal, without any other effect."""
        plain = {("default", "default", False, False, False, False, False)}
        for data in (result.out, result.err):
            self.assertClean(data)
            if pyte is None:
                continue
            lines = [line.expandtabs(8) for line in data.decode("utf-8", "surrogateescape").split("\n")[:-1]]
            wrapped = [line[at:at + COLUMNS].rstrip() for line in lines for at in range(0, len(line) or 1, COLUMNS)]
            self.assertLess(len(wrapped), LINES, "the test needs a larger screen")
            display, title, icon, styles = self.shown(data)
            self.assertEqual(display, wrapped + [""] * (LINES - len(wrapped)))
            self.assertEqual((title, icon), ("", ""))
            self.assertLessEqual(styles, plain)

    @needs("python3-pyte")
    def test_the_emulator_obeys(self):
        """Negative control: printed raw, each sequence has an effect."""
        for text in (b"\x1b[31mx", b"\x1b]0;owned\x07", b"\xc2\x9b31mx", b"\xc2\x9d0;owned\xc2\x9c"):
            _, title, _, styles = self.shown(text)
            self.assertTrue(title == "owned" or any(style[0] == "red" for style in styles), text)

    def test_check(self):
        """check with arguments, in each format."""
        for form in ("human", "tsv", "json"):
            for text in HOSTILE:
                with self.subTest(form=form, text=text):
                    self.assertShown(run("check", "--format=" + form, b"http://example.com/" + text + b"x", text))

    def test_records(self):
        """check with records, and filter with refused records."""
        for text in HOSTILE:
            with self.subTest(text):
                self.assertShown(run("check", "--format=json", stdin=b"http://a" + text + b"b.example/\n"))
                self.assertShown(run("filter", "-0", "--rejects=-", stdin=text + b"\0"))

    @takes_long
    def test_other_commands(self):
        """The other commands that print the input or a name."""
        path = os.fsencode(self.folder())
        for text in HOSTILE:
            name = os.path.join(path, b"a" + text.replace(b"/", b"") + b".txt")
            write_file(name, b"http://example.com/" + text + b"\n")
            uri = b"http://u:p@example.com/" + text
            for args in (("explain", uri), ("parse", uri), ("parse", "--format=json", uri), ("suggest", uri),
                         ("normalise", "--format=json", uri),
                         ("resolve", uri, text), ("resolve", "--policy=strict", GOOD, text), ("compare", uri, text),
                         ("base", "--format=json", b"--retrieved=" + uri),
                         ("check", b"--target=" + text, b"/" + text), ("check", b"--input=" + name), ("scan", name),
                         ("scan", "--format=tsv", name),
                         ("scan", "--format=json", name), ("scan", name + b"x"), ("policy", "check", name),
                         ("policy", "show", name), (text,), ("check", b"--" + text),
                         ("check", b"--policy-file=" + name, GOOD), ("findings", text), ("help", text),
                         ("completion", text)):
                with self.subTest(args):
                    self.assertShown(run(*args))

    @takes_long
    def test_policy_files(self):
        """Names, rules and faults of a policy file."""
        for text in HOSTILE[::3]:
            quoted = "".join("\\x%02X" % octet for octet in text)
            for content in (b'name: "a%sb"' % text, b'name: "a%sb"' % quoted.encode(),
                            b'hosts: {deny: ["a%sb"]}' % text,
                            b'base: "%s"' % text, b'allow: ["%s"]' % text, b'%s: 1' % text, b'"%s": 1' % quoted.encode(),
                            b'hosts: {deny: ["a%sb"]}' % quoted.encode(), b'base: "%s"' % quoted.encode(),
                            b'# %s\nrefuse: ["host-case"]' % text,
                            b'hosts: {deny: ["b.example"]}\ninclude: ["%s", "%s"]' % (text, quoted.encode())):
                path = os.fsencode(self.file(content, "p" + os.fsdecode(text.replace(b"/", b""))))
                for args in (("policy", "check", path), ("policy", "show", path),
                             ("policy", "show", "--format=json", path),
                             ("explain", b"--policy-file=" + path, BAD),
                             ("check", b"--policy-file=" + path, b"http://b.example/")):
                    with self.subTest(content=content, args=args[:2]):
                        self.assertShown(run(*args))

    def test_policy_shown_is_a_policy(self):
        """A name outside ASCII that policy show writes is read back as the same name."""
        path = self.file('name: "caf\xe9 \\u2028\u202e \U0001f4a9 \\" \\\\"')
        shown = run("policy", "show", path)
        self.assertClean(shown.out)
        again = self.file(shown.out, "again")
        self.assertEqual(run("policy", "show", again).out, shown.out)
        self.assertEqual(run("policy", "show", "--format=json", again).objects()[0]["name"],
                         "caf\xe9 \u2028\u202e \U0001f4a9 \" \\")
