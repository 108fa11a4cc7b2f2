# SPDX-License-Identifier: Apache-2.0
"""Tests the human output of check, and that hostile octets are never printed raw."""

import random
import re
import urllib.parse

from helper import BAD, GOOD, Case, core, escape, run, wrapped

CATALOGUE = {row["id"]: row for row in run("findings", "--format=json").objects()}
CLASSES = ["malformed", "dangerous", "ambiguous", "policy", "note"]
RANKS = core.ranks()
PARTS = [[b"http://", b"HTTP://", b"https://", b"x://", b"//"], [b"", b"", b"u@", b"u:p@"],
         [b"example.com", b"EXA_mple.com.", b"0x7f.1", b"10.0.0.1", b"[::1]", b"\xc3\xa9.example", b"", b"a b", b"h\\x"], [b"", b":80", b":081", b":", b":99999"],
         [b"", b"/", b"/a/../b/./..", b"//a//b", b"/%41%7e%2F%zz", b"/\xff\x1b|", b"/%EF%BC%A1\xe2\x80\xae%E2%80%AE"],
         [b"", b"?", b"?a[]=b&c[]", b"?x=%00%25"], [b"", b"#", b"#!a", b"#a#b"]]
HOSTILE = [b"\x1b[2J", b"\x1b]0;owned\x07", b"\xc2\x9b31m", b"\x9b31m", b"\xff", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\r", b"\n", b"\x08\x08", b"\x7f",
           b"\x0b\x0c", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\xad"]


class Human(Case):
    def test_reason_first(self):
        """The first two lines say what matters most, and what to write or do instead."""
        for uri, reason in ((b"https://example.com?utm=1", b"query-after-empty-path; write https://example.com/?utm=1"),
                            (b"http://127.0.0.1\nSLAVEOF x", b"raw-crlf. Remove the line break"), (b"https://a_b.example/", b"host-underscore. Rename"),
                            (b"http://h:1,h:2/", b"port-invalid. "), (b"http://example.com/a\x1bb", b"control-char. Remove"), (b"https://${imp_tracker_1}/", b"host-forbidden-char. "), (b"https://40.2\"n/", b"host-forbidden-char. ")):
            for command in ("check", "explain"):
                lines = run(command, uri).lines()
                self.assertRegex(lines[0], rb"^reject  http")
                self.assertEqual(lines[1][:len(reason) + 19], b"refused by strict: " + reason)

    @staticmethod
    def shown(number, uri, made, allowed):
        """Returns the lines for one of several arguments, from the object that check writes for it in JSON."""
        text, spelling = escape(uri), made["suggestion"]
        findings = sorted(made["findings"], key=lambda f: (not f["refuses"], CLASSES.index(f["class"]), RANKS[f["id"]]))
        lines = ["%s  %s" % (made["verdict"], text)]
        if made["verdict"] == "reject":
            lines.append("refused by %s: %s%s" % (made["policy"], findings[0]["id"], "; write " + spelling if spelling else ". " + CATALOGUE[findings[0]["id"]]["next"]))
        for place, f in enumerate(findings):
            row, fault = CATALOGUE[f["id"]], uri[f["offset"]:f["offset"] + f["length"]]
            what = "refused: " + f["class"] if f["refuses"] else "allowed: " + f["class"] if f["id"] in allowed else "note"
            lines.append("%d:%d: %s: %s%s" % (number, f["offset"] + 1, what, f["id"], " (%d times)" % f["count"] if f["count"] > 1 else ""))
            lines += ["    " + text, "    " + " " * len(escape(uri[:f["offset"]])) + "^".ljust(len(escape(fault)), "~"), *wrapped(row["text"], 4), "    [%s]" % row["reference"]]
            point = urllib.parse.unquote_to_bytes(fault).decode("utf-8", "replace")[:1] if re.match(rb"%[89A-Fa-f]|[\x80-\xff]", fault) else ""
            lines += ["    the character is U+%04X" % ord(point)] if point not in ("", "\ufffd") else []
            lines += wrapped(row["next"], 4) if f["refuses"] and place and not spelling and row["next"] not in row["text"] else []
        if spelling and spelling.encode() != uri:
            lines.append("    %s: %s" % ("canonical" if made["verdict"] == "accept" else "write instead", spelling))
        return lines

    def test_as_json(self):
        """What a person is shown, line by line, with carets under the octets at fault: of what refuses before notes, then malformed,
        dangerous, ambiguous, policy, then the more telling; the first of them is the reason."""
        chance = random.Random(7)
        uris = [b"", b"example.com", b"mailto:a@b", b"http://127.0.0.1\nSLAVEOF x", GOOD, BAD, *(b"".join(map(chance.choice, PARTS)) for _ in range(600))]
        allowed = ("userinfo-present", "scheme-case", "host-case", "port-nondefault")
        for options in (("--policy=strict",), ("--policy=strict", "--allow=" + ",".join(allowed)), ("--policy=public", "--refuse=host-case"), ("--policy=gateway",)):
            objects = run("check", "--format=json", *options, "--", *uris).objects()
            lines = run("check", "--format=human", *options, "--", *uris).out.decode().split("\n")[:-1]
            wanted = [self.shown(number, uri, made, allowed if "allow" in options[-1] else ()) for number, (uri, made) in enumerate(zip(uris, objects), 1)]
            self.assertEqual([made["reason"] for made in objects], [re.match(r"refused by \w+: ([a-z0-9-]+)", one[1])[1] if one[0][:6] == "reject" else None for one in wanted])
            lines = [re.sub(r"^([0-9:]+) allowed: \w+", r"\1 note", line) if "gateway" in options[0] else line for line in lines]
            self.assertEqual([line for line in lines if not re.match("    (decided by|write): ", line)], [line for one in wanted for line in one], options)

    def test_carets_in_long_inputs(self):
        """Carets stand under the octets at fault if the text is cut at its left, at its right, or at both."""
        for before, after in ((300, 0), (0, 300), (300, 300), (61, 300), (300, 61)):
            with self.subTest((before, after)):
                lines = run("check", "--colour=never", b"http://example.com/" + b"a" * before + b"%7E" + b"b" * after).out.split(b"\n")
                shown, marked = next((line, under) for line, under in zip(lines, lines[1:]) if under.lstrip(b" ").startswith(b"^"))
                self.assertIn(b"...", shown)
                self.assertEqual([match.span() for match in re.finditer(rb"\^~*", marked)], [match.span() for match in re.finditer(b"%7E", shown)])

    def test_guess(self):
        """A host without a scheme gets the URL that may be meant; other references get no guess."""
        for uri, guess in ((b"webhookserver:5001/", b"webhookserver:5001/"), (b"example.com", b"example.com/"), (b"example.com?a=/", b"example.com/?a=/"),
                           (b"localhost:3000", b"localhost:3000/"), (b"10.0.0.1:80/x", b"10.0.0.1:80/x")):
            self.assertIn(b"    write: https://" + guess + b" (or http://)\n", run("check", "--", uri).out)
        for uri in (b"//example.com/", b"/example.com", b"jdbc:x", b"http:example.com", b"example.com/" + b"a" * 200):
            self.assertNotIn(b"write: ", run("check", "--", uri).out)

    def test_never_raw(self):
        """A hostile octet is never printed raw."""
        for octets in HOSTILE:
            for uri in (b"http://example.com/" + octets, b"http://exa" + octets + b"mple.com/", octets + b"http://example.com/", octets):
                with self.subTest(uri):
                    result = run("check", "--", uri)
                    self.assertEqual(result.code, 1)
                    self.assertIn(b"^", result.out)
                    self.assertClean(result.out)
                    self.assertClean(result.err)

    def test_too_long(self):
        """An over-long input is named as such and not printed in full."""
        result = run("check", "--format=human", stdin=GOOD + b"a" * 100000 + b"\n")
        self.assertEqual(result.code, 1)
        self.assertIn(b"url-too-long", result.out)
        self.assertNotIn(b"a" * 8193, result.out)


class Messages(Case):
    """Standard error is as clean as standard output."""

    def test_arguments(self):
        """Hostile commands, options, values, and names of files, readers and findings are not printed raw."""
        for octet in (b"\x1b", b"\xff", b"\x07"):
            self.hostile(lambda _, octet=octet: run("check", b"-" + octet, GOOD))
        for option in (b"--option", b"--policy=", b"--format=", b"--allow=", b"--refuse=", b"--max-length=", b"--colour=", b"--jobs="):
            self.hostile(lambda text, option=option: run("check", option + text, GOOD))
        self.hostile(lambda text: run(b"check" + text))
        self.hostile(lambda text: run("check", b"--input=/no-such-folder/" + text))
        self.hostile(lambda text: run("filter", b"--rejects=/no-such-folder/" + text, stdin=BAD + b"\n"))
        self.hostile(lambda text: run("parse", b"--reader=" + text, GOOD))
        self.hostile(lambda text: run("findings", b"x" + text))

    def hostile(self, start):
        for text in (b"\x1b[31m", b"\xc2\x9b", b"\xff\r", b"\x07\x08", b"\xe2\x80\xae"):
            with self.subTest(text):
                result = start(text)
                self.assertEqual(result.code, 2, result)
                self.assertTrue(result.err)
                self.assertClean(result.err)
                self.assertClean(result.out)
