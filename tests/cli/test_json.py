# SPDX-License-Identifier: Apache-2.0
"""Tests the JSON output of check."""

import json
import os
import random
import re

from helper import BAD, COMPONENTS, FINDING_KEYS, GOOD, JSON_KEYS, Case, finding_ids, run, unescape

# Not UTF-8: lone and truncated sequences, overlong forms, surrogates, above U+10FFFF.
NOT_UTF8 = [b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x92", b"\xc3\xa9\xff", b"\xff\xc3\xa9", b"\xc0\x80", b"\xc1\xbf",
            b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xf0", b"\xe2", b"\xf0\x9f", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80"]


class Shape(Case):
    def test_one_line_each_in_order(self):
        """One object a line, one line per input, in order."""
        inputs = ["http://example.com/%d" % i for i in range(500)]
        made = run("check", "--format=json", stdin="\n".join(inputs) + "\n").objects()
        self.assertEqual([o["uri"] for o in made], inputs)

    def test_objects(self):
        """The keys are uri verdict policy components host port findings readings suggestion registrable reason, those of components and
        of host in order too. Components are as written, null if absent or if the input does not parse; address is canonical;
        port is effective; readings are there if requested; suggestion is the unambiguous spelling."""
        for uri, verdict, components, host, port, suggestion in (
                (GOOD, "accept", ["http", None, "example.com", None, "/", None, None], ["name", None], 80, GOOD.decode()),
                (BAD, "reject", ["http", "user", "example.com", None, "/", None, None], ["name", None], 80, None),
                (b"HtTp://u:p@EXAMPLE.com:080/%7e?", "reject", ["HtTp", "u:p", "EXAMPLE.com", "080", "/%7e", "", None], ["name", None], 80, None),
                (b"mailto:a@example.com", "reject", ["mailto", None, None, None, "a@example.com", None, None], ["none", None], None, None),
                (b"http://example.com:80/%41/../b", "reject", ["http", None, "example.com", "80", "/%41/../b", None, None], ["name", None], 80, "http://example.com/b"),
                (b"//h/a?b", "reject", [None, None, "h", None, "/a", "b", None], ["name", None], None, None),
                (b"", "reject", [None, None, None, None, "", None, None], ["none", None], None, None),
                (b"http://exa mple.com/", "reject", None, ["none", None], None, None), (b"http://a@b@c/", "reject", None, ["none", None], None, None),
                (b"http://example.com/\xff", "reject", None, ["none", None], None, None)):
            with self.subTest(uri):
                made = self.object(uri)
                self.assertEqual([key for key in made if key != "raw"], JSON_KEYS)
                self.assertEqual([made["verdict"], made["components"] and list(made["components"].items()), list(made["host"].items()), made["port"], made["readings"],
                                  made["suggestion"]],
                                 [verdict, components and list(zip(COMPONENTS, components)), list(zip(["kind", "address"], host)), port, None, suggestion])

    def test_host_kind_and_address(self):
        """kind is name, ipv4, ipv6, ipvfuture or none; address is the canonical text or null."""
        for host, kind, address in ((b"192.0.2.1", "ipv4", "192.0.2.1"), (b"[2001:db8::1]", "ipv6", "2001:db8::1"),
                                    (b"[2001:DB8:0:0:0:0:0:1]", "ipv6", "2001:db8::1"), (b"[2001:db8:0:1:0:0:0:1]", "ipv6", "2001:db8:0:1::1"),
                                    (b"[0:0:0:0:0:0:0:1]", "ipv6", "::1"), (b"[v1.a]", "ipvfuture", None)):
            self.assertEqual(self.object(b"http://" + host + b"/")["host"], {"kind": kind, "address": address})

    def test_port(self):
        """port is the effective port, a number, or null."""
        for uri, port in ((b"https://example.com/", 443), (b"wss://example.com/", 443), (b"http://example.com:08080/", 8080),
                          (b"ftp://example.com/", 21), (b"http://example.com:65535/", 65535), (b"http://example.com:65536/", None),
                          (b"gopher://example.com/", None)):
            self.assertEqual(self.object(uri)["port"], port, uri)


class Findings(Case):
    def test_as_in_the_catalogue(self):
        """A finding has id number class component offset length count reference text refuses, in this order; number, class
        and reference are those of the catalogue. Without findings the list is empty."""
        known = {row[0]: row for row in run("findings", "--format=tsv").rows()}
        made = self.object(b"HTTP://u@exa_mple.com:080/%41 \xc3\xa9?#")["findings"]
        self.assertGreater(len(made), 4)
        for finding in made:
            row = known[finding["id"]]
            self.assertEqual(list(finding), FINDING_KEYS)
            self.assertEqual((str(finding["number"]), finding["class"], finding["reference"].encode("utf-8")), (row[1], row[2], unescape(row[4])))
        self.assertEqual(self.object(GOOD)["findings"], [])

    def span(self, uri, name):
        made = [f for f in self.object(uri)["findings"] if f["id"] == name]
        self.assertEqual(len(made), 1, (uri, name))
        return made[0]["offset"], made[0]["length"], made[0]["count"]

    def test_spans(self):
        """offset and length are the octets at fault, or the component without its delimiters."""
        for uri, name, text in ((b"http://us:er@example.com/", "userinfo-present", b"us:er@"),
                                (b"http://example.com:081/", "port-leading-zero", b"081"),
                                (b"http://example.com:/", "port-empty", b":"),
                                (b"http://example.com/a/../b", "dot-segment", b".."),
                                (b"http://example.com/a   b", "raw-space", b"   "),
                                (b"http://example.com/a\t\tb", "raw-tab", b"\t\t"),
                                (b"http://example.com/a\\\\b", "backslash-path", b"\\\\"),
                                (b"http://example.com/a%41", "escaped-unreserved", b"%41"),
                                (b"http://EXAMPLE.com:81/", "port-nondefault", b"81")):
            self.assertEqual(self.span(uri, name), (uri.rindex(text), len(text), 1), uri)

    def test_octets_not_characters(self):
        """Offsets and lengths count octets, also after UTF-8."""
        uri = "http://example.com/\xe9\u20ac\U0001f4a9 x".encode()
        self.assertEqual(self.span(uri, "raw-space")[:2], (uri.index(b" "), 1))
        self.assertEqual(self.span(uri, "non-ascii")[0], uri.index(b"\xc3"))

    def test_first_and_count(self):
        """A finding has the span of its first occurrence and a count; length 0 means that something is absent."""
        for uri, name, span in ((b"http://example.com/a%2Fb%2Fc%2fd", "escaped-slash", (20, 3, 3)), (b"http://example.com/a/./b/../c", "dot-segment", (21, 1, 2)),
                                (b"http://example.com", "path-empty", (18, 0, 1))):
            self.assertEqual(self.span(uri, name), span)

    def test_as_in_tsv(self):
        """JSON and TSV have the same findings, verdict, components and port."""
        for uri in (GOOD, BAD, b"HTTP://EXAMPLE.com", b"http://a@b@c/", b"//h/a?b#c", b"http://u:p@[::1]:99999/%41?#", b"http://a b/\xff"):
            with self.subTest(uri):
                row, made = self.row(uri), self.object(uri)
                self.assertEqual(row[0], made["verdict"])
                self.assertEqual(sorted(finding_ids(row[1])), sorted(f["id"] for f in made["findings"]))
                parts = made["components"] or dict.fromkeys(COMPONENTS)
                for name, column in zip(COMPONENTS, row[2:9]):
                    if name != "host":
                        self.assertEqual(unescape(column), None if parts[name] is None else parts[name].encode("latin-1"))
                self.assertEqual(row[9], "\\N" if made["port"] is None else str(made["port"]))


class Strings(Case):
    def test_utf8(self):
        """If the input is valid UTF-8, its components are that text; Ascii tests its own strings."""
        made = self.object("http://example.com/caf\xe9?\u20ac#\U0001f4a9", "--allow=non-ascii")["components"]
        self.assertEqual((made["path"], made["query"], made["fragment"]), ("/caf\xe9", "\u20ac", "\U0001f4a9"))

    def test_not_utf8(self):
        """Otherwise the object has raw true, and each character is one octet, from 0x80 on written as an
        escape."""
        for octets, after in ((octets, after) for octets in NOT_UTF8 for after in (b"b", b"")):
            with self.subTest(octets):
                uri = b"http://example.com/a" + octets + after
                result = run("check", "--format=json", stdin=uri + b"\n\x82\xa9\n")
                made, other = result.objects()
                self.assertIs(other["raw"], True)
                self.assertIs(made["raw"], True)
                self.assertEqual(made["uri"].encode("latin-1"), uri)
                self.assertEqual([k for k in made if k != "raw"], JSON_KEYS)
                written = re.search(rb'"uri": ?"([^"]*)"', result.out)[1]
                self.assertEqual(re.sub(rb"\\u00([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), written), uri)

    def test_controls(self):
        """Quotes, backslashes and controls are escaped as JSON requires; a NUL inside a line is data."""
        uri = bytes(range(1, 0x80))
        self.assertEqual(self.object(uri)["uri"], uri.decode("ascii"))
        made = run("check", "--format=json", stdin=b"http://example.com/a\0b\n").objects()
        self.assertEqual([o["uri"] for o in made], ["http://example.com/a\0b"])

    def test_any_octets(self):
        """For any octets, the line is JSON that decodes to them."""
        dice = random.Random(3986)
        alphabet = [b"http", b"://", b"/", b"@", b":", b"?", b"#", b"[", b"]", b"%", b"\\", b'"', b".", b"example", b"\xc3\xa9", b"\xe2\x82"]
        inputs = [b"", b"http:", b"http://", b"http://:@:/?#", b"http://a@", b" ", b"http://example.com/%", b"http://[", b"?#", b":"]
        for _ in range(3000):
            parts = [dice.choice(alphabet) if dice.random() < 0.7 else bytes([dice.randrange(256)]) for _ in range(dice.randrange(24))]
            inputs.append(b"".join(parts).replace(b"\n", b""))
        result = run("check", "--format=json", stdin=b"".join(i + b"\n" for i in inputs))
        made = result.objects()
        self.assertEqual(len(made), len(inputs))
        for uri, item in zip(inputs, made):
            self.assertEqual([k for k in item if k != "raw"], JSON_KEYS)
            self.assertEqual(item["uri"].encode("latin-1" if item.get("raw") else "utf-8"), uri)
            for finding in item["findings"]:
                self.assertEqual(list(finding), FINDING_KEYS)
                self.assertTrue(finding["offset"] >= 0 and finding["length"] >= 0 and finding["count"] >= 1, finding)
                self.assertLessEqual(finding["offset"] + finding["length"], len(uri))


# Line ends by some reader, controls that terminals obey, and invisible characters.
LINE_ENDS = ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
C0 = [chr(code) for code in (*range(1, 0x20), 0x7F)]
C1 = [chr(code) for code in range(0x80, 0xA0)]
BIDI = [chr(code) for code in (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
INVISIBLE = ["\xad", "\u034f", "\u115f", "\u180e", "\u200b", "\u200c", "\u200d", "\u2060", "\ufe0f", "\ufeff", "\ufff9",
             "\U000e0041"]
ASTRAL = ["\U00010000", "\U0001f4a9", "\U000e0001", "\U000fffff", "\U0010ffff"]
SPECIAL = [*C0, *C1, *BIDI, *INVISIBLE, *ASTRAL, *LINE_ENDS, "\xa0", "\u3002", "\ufffd", "\ud7ff", "\ue000"]
PRINTABLE = re.compile(rb"(?:[\x20-\x7e]+\n)*\Z")

# Output is written in blocks: texts longer than a block, with characters of each length, cut at each place.
LONG = 40_000


class Ascii(Case):
    """JSON output is ASCII without controls: every reader sees one line for each object, and terminals obey
    nothing in it."""

    def assertAscii(self, result, objects):
        self.assertRegex(result.out, PRINTABLE)
        lines = result.out.decode("utf-8").splitlines()
        self.assertEqual(len(lines), objects)
        for end in LINE_ENDS[1:]:
            self.assertNotIn(end, result.out.decode("utf-8"))
        return [json.loads(line) for line in lines]

    def test_each(self):
        """Each control, separator, bidi and invisible character is an upper-case escape; those above U+FFFF
        are two."""
        texts = list(dict.fromkeys(text * n for n in (1, 3) for text in SPECIAL))
        result = run("check", "-0", "--format=json", stdin="".join("http://example.com/a%sb\0" % text for text in texts))
        for text, made, line in zip(texts, self.assertAscii(result, len(texts)), result.lines(), strict=True):
            with self.subTest(ascii(text)):
                self.assertEqual((made["uri"], "raw" in made), ("http://example.com/a%sb" % text, False))
                units = text.encode("utf-16-be")
                escaped = "".join("\\u%04X" % int.from_bytes(units[i:i + 2], "big") for i in range(0, len(units), 2))
                self.assertTrue(line.startswith(b'{"uri":"http://example.com/a%sb",' % escaped.encode()), line)
        uris = [b"\xff" + text.encode() for text in texts]
        made = self.assertAscii(run("check", "-0", "--format=json", stdin=b"".join(uri + b"\0" for uri in uris)), len(uris))
        self.assertEqual([item["uri"].encode("latin-1") for item in made], uris)

    def test_plain(self):
        """Below U+007F only controls, the quote and the backslash are escaped."""
        text = "".join(map(chr, range(0x20, 0x7F)))
        written = text.replace("\\", "\\\\").replace('"', '\\"')
        self.assertTrue(run("check", "--format=json", text).out.startswith(b'{"uri":"%s",' % written.encode()))

    def test_all_code_points(self):
        """Each of the 1,112,064 code points survives a round trip."""
        planes = ["".join(chr(code) for code in range(plane << 16, (plane + 1) << 16) if not 0xD800 <= code < 0xE000)
                  for plane in range(17)]
        planes[0] = planes[0].replace("\0", "")
        result = run("check", "-0", "--format=json", "--max-length=1000000",
                     stdin="".join(plane + "\0" for plane in planes))
        self.assertEqual([item["uri"] for item in self.assertAscii(result, 17)], planes)
        self.assertEqual(sum(map(len, planes)), 1_112_064 - 1)
        made, = self.assertAscii(run("check", "--format=json", stdin=b"a\0b"), 1)
        self.assertEqual(made["uri"], "a\0b")

    def test_long(self):
        """A long text is written in blocks, and no character is cut."""
        options = ("--format=json", "--max-length=1000000")
        for character in ("\xe9", "\u2028", "\U0001f4a9"):
            uris = ["a" * shift + character * (LONG // len(character.encode())) for shift in range(8)]
            uris += ["a" * (length - 2) + character for length in (5461, 2 * 5461, 32768, 65536)]
            for command in ("check", "suggest"):  # the library writes what check does
                made = self.assertAscii(run(command, *options, stdin="".join(uri + "\n" for uri in uris)), len(uris))
                self.assertEqual([item["uri"] for item in made], uris)
        uris = [b"a" * shift + b"\xff\x80\xf0\x9f\x92" * (LONG // 5) for shift in range(8)]
        made = self.assertAscii(run("check", *options, stdin=b"".join(uri + b"\n" for uri in uris)), len(uris))
        self.assertEqual([item["uri"].encode("latin-1") for item in made], uris)

    def test_components(self):
        """The strings of all components and all readers are ASCII."""
        uris = ["http://u%s:p@h%s.example:80/a%s?b%s#c%s" % ((text,) * 5) for text in SPECIAL]
        stdin = "".join(uri + "\0" for uri in uris)
        for args in (("check", "--readings"), ("check", "--allow=non-ascii"), ("parse",), ("parse", "--reader=regex"),
                     ("parse", "--reader=browser"), ("parse", "--reader=uri-1997"), ("suggest",), ("normalise",),
                     ("normalise", "--level=scheme"), ("check", "--target=h\u2028"),
                     ("check", "--policy=gateway", "--target"), ("check", "--target-records")):
            with self.subTest(args):
                made = self.assertAscii(run(*args, "-0", "--format=json", stdin=stdin), len(uris))
                self.assertEqual([item["uri"] for item in made], uris)

    def test_target_records(self):
        """So are a target and its Host field."""
        records = ["GET h%s /a%s" % (text, text) for text in SPECIAL] + ["G%sT h /" % text for text in SPECIAL]
        self.assertAscii(run("check", "-0", "--target-records", "--format=json",
                             stdin="".join(r + "\0" for r in records)), len(records))

    def test_scan(self):
        """So are names of files, and the findings of scan."""
        for name in ("\u2028", "\x85.txt", "\u202egnp.exe", b"\xff\xc2\x9b"):
            path = self.file("see http://example.com/\u202ea\U0001f4a9 and http://a\x9bb.example/x\n", os.fsdecode(name))
            with self.subTest(name):
                result = run("scan", "--format=json", os.fsencode(path))
                made = self.assertAscii(result, 2)
                for item in made:
                    self.assertEqual(item["file"].encode("latin-1" if "raw" in item else "utf-8"), os.fsencode(path))

    def test_base(self):
        """So are base URIs."""
        for text in SPECIAL[::8]:
            self.assertAscii(run("base", "--format=json", "--retrieved=http://example.com/" + text), 1)

    def test_policy(self):
        """So are the name of a policy, in text and in octet strings, and the policy itself."""
        name = "caf\xe9 \u2028 \u200b2J \U0001f4a9"
        written = "".join(c if c == " " or c.isalnum() else "\\U%08X" % ord(c) for c in name)
        path = self.file('name: "%s"\nrefuse: [host-case]' % written)
        shown, = self.assertAscii(run("policy", "show", "--format=json", path), 1)
        self.assertEqual(shown["name"], name)
        made = self.assertAscii(run("check", "--format=json", "--policy-file=" + path, GOOD,
                                    b"http://example.com/\xff"), 2)
        self.assertEqual(made[0]["policy"], name)
        self.assertEqual((made[1]["raw"], made[1]["policy"].encode("latin-1")), (True, name.encode()))

    def test_catalogue(self):
        """So is the catalogue."""
        self.assertRegex(run("findings", "--format=json").out, PRINTABLE)


class TooLong(Case):
    def test_over_long(self):
        """An over-long input has uri null and its length in octets beside it; url-too-long is its only finding, and it counts
        as not parsed. One as long as the limit has its uri."""
        for uri in (GOOD + b"a" * (8193 - len(GOOD)), BAD + b" " * 9000):
            made = run("check", "--format=json", uri).objects()[0]
            self.assertEqual((made["uri"], made["length"], made["verdict"], [f["id"] for f in made["findings"]]), (None, len(uri), "reject", ["url-too-long"]))
            self.assertEqual((made["components"], made["port"], made["suggestion"]), (None, None, None))
            self.assertEqual([k for k in made if k != "length"], JSON_KEYS)
            keys = list(made)
            self.assertEqual(abs(keys.index("length") - keys.index("uri")), 1)
        uri = GOOD + b"a" * (8192 - len(GOOD))
        self.assertEqual(list(self.object(uri)), JSON_KEYS)
        self.assertEqual(self.object(uri)["uri"], uri.decode())
