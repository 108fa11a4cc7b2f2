# SPDX-License-Identifier: Apache-2.0
"""Tests urivet scan: URIs in text and in HTML."""

import itertools
import json
import os
import re
import subprocess
import unittest

from helper import JSON_KEYS, MIB, URIVET, Case, content, escape, finding_ids, instrumented, lacks, run, run_measured, takes_long, unescape, write_file

# draft-fielding-uri-syntax-01, appendix E
JIM = b"""      Yes, Jim, I found it under "http://www.w3.org/Addressing/",
      but you can probably pick it up from <ftp://ds.internic.
      net/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/
      ietf/uri/historical.html#WARNING>.
"""

# The same draft, appendix D
DOCUMENT = b"""<!doctype html public "-//IETF//DTD HTML//EN">
<HTML><HEAD>
<TITLE>An example HTML document</TITLE>
<BASE href="http://www.ics.uci.edu/Test/a/b/c">
</HEAD><BODY>
... <A href="../x">a hypertext anchor</A> ...
</BODY></HTML>
"""

MISMATCH = "--refuse=link-text-mismatch"
PLACE_KEYS = ["file", "line", "column", "text", "kind"]


class Text(Case):
    def scan(self, text, *options):
        return run("scan", "--format=tsv", *options, stdin=text).rows()

    def test_draft_example(self):
        """TSV has the ten columns, then file, line, column, the text found, and the kind."""
        result = run("scan", "--policy=any", stdin=JIM)
        self.assertEqual(result.code, 0, result)
        self.assertEqual([row[:1] + row[2:10] for row in result.rows()], [
            ["accept", "http", "\\N", "www.w3.org", "\\N", "/Addressing/", "\\N", "\\N", "80"],
            ["accept", "ftp", "\\N", "ds.internic.net", "\\N", "/rfc/", "\\N", "\\N", "21"],
            ["accept", "http", "\\N", "www.ics.uci.edu", "\\N", "/pub/ietf/uri/historical.html", "\\N", "WARNING", "80"]])
        self.assertEqual([row[10:13] + row[14:] for row in result.rows()],
                         [["-", "1", "35", "uri"], ["-", "2", "45", "uri"], ["-", "3", "40", "uri"]])
        lines = JIM.split(b"\n")
        for row in result.rows():
            found = unescape(row[13])
            self.assertTrue(b"\n".join(lines[int(row[11]) - 1:])[int(row[12]) - 1:].startswith(found), row)

    def test_abbreviated(self):
        """An abbreviated reference is a guess, and every format says so."""
        text = b"look at www.w3.org/Addressing/, or ftp.example.com"
        rows = self.scan(text)
        self.assertEqual([row[13:] for row in rows], [["www.w3.org/Addressing/", "abbreviated"], ["ftp.example.com", "abbreviated"]])
        self.assertEqual([row[0] for row in rows], ["accept", "reject"])
        self.assertEqual([row[2:5] for row in rows], [["http", "\\N", "www.w3.org"], ["ftp", "\\N", "ftp.example.com"]])
        objects = run("scan", "--format=json", stdin=text).objects()
        self.assertEqual([(o["uri"], o["text"], o["kind"]) for o in objects],
                         [("http://www.w3.org/Addressing/", "www.w3.org/Addressing/", "abbreviated"),
                          ("ftp://ftp.example.com", "ftp.example.com", "abbreviated")])
        human = run("scan", "--format=human", stdin=text).out
        self.assertEqual(human.count(b"abbreviated: the scheme is a guess"), 2)

    def test_formats(self):
        """Each format says the same of each find, and where it stands."""
        mail = b"Subject: http://h/1\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=http://u@h/2>\n--b\n\nhttp://h/3\n\n<http://h/4-\n5>\n"
        for words, text in (((), JIM), ((), "www.example.com/a\n <http://h/a-\n b>\n<http://h/a\n b> <http://h/a-b> http://H/ \n\u200b\u200b http://h/x\n \u202ehttp://u@h/\n".encode()),
                            ((), b"http://h/" + b"a" * 9000), (("--params=u",), b'"GET /a?u=//10.0.0.1 HTTP/1.1" http://h/'), (("--html", MISMATCH), b"\n<a href=http://h.example/>www.paypal.com</a><img src=x>"),
                            (("--markup=markdown",), "[a](http://h/) \u202e http://h/-\n".encode()), (("--mail",), mail), (("--mail",), b"From a\n" + mail + b"\nFrom b\n\nx:y\n")):
            rows, objects, lines = (run("scan", "--format=" + form, *words, stdin=text) for form in ("tsv", "json", "human"))
            heads = [part.split("\n") for part in re.split(r"^(?=-:\d)", lines.out.decode(), flags=re.M)[1:]]
            for row, o, head in zip(rows.rows(), objects.objects(), heads, strict=True):
                spaced, hidden, place = re.search(r"\s", o["text"]), o.get("hidden", {}), [o[key] for key in PLACE_KEYS] + [o[key] for key in ("message", "part", "field") if "message" in o]
                self.assertEqual(row[10:], ["\\N" if value is None else escape(str(value).encode()) for value in place])
                self.assertEqual([key for key in o if key not in ("parameters", "length")], JSON_KEYS + PLACE_KEYS +
                                 ["shown"] * (o["uri"] == "http://h.example/") + ["hidden"] * bool(hidden) + ["hyphen_at_break"] * bool(re.search(r"-\n", o["text"])) + ["message", "part", "field"] * ("message" in o))
                self.assertIn(o["uri"], (None, "http://" * (o["kind"] == "abbreviated") + re.sub(r"\s", "", o["text"])))
                wanted = ["-:%d:%d: %s  %s" % (o["line"], o["column"], o["verdict"], escape((o["uri"] or o["text"]).encode()) + "..." * ("length" in o))]
                wanted += ["    message %d%s%s" % (o["message"], ", part " + o["part"] if o["part"] else "", ", field " + o["field"] if o["field"] else "")] if "message" in o else []
                wanted += [head[len(wanted)]] * (o["verdict"] == "reject") + ["    abbreviated: the scheme is a guess, the text has none [RFC 3986, 4.5]"] * (o["kind"] == "abbreviated")
                wanted += ["    white space inside was left out [RFC 3986, C]"] * bool(spaced) + ["    the hyphen at the line break may not belong to it [RFC 3986, C]"] * ("hyphen_at_break" in o)
                wanted += ["    invisible characters at {line}:{column}".format(**hidden) for _ in hidden][:1] + ["    the link reads: " + o.get("shown", "")] * ("shown" in o)
                self.assertEqual(head[:len(wanted)], wanted)
                self.assertRegex(head[len(wanted)], r"^(\d+: (refused|note): .*|    (parameter|canonical).*|)$")

    def test_json_raw(self):
        """Invalid UTF-8 in the text or in the file's name."""
        made = run("scan", "--format=json", stdin=b"http://h/\xff ").objects()[0]
        self.assertEqual((made["raw"], made["uri"], made["text"]), (True, "http://h/\u00ff", "http://h/\u00ff"))
        path = os.fsencode(self.file(b"http://h/")) + b"\xff"
        write_file(path, b"http://h/")
        made = run("scan", "--format=json", path).objects()[0]
        self.assertTrue(made["raw"] and made["file"].endswith("\u00ff"))

    def test_human(self):
        """Human output has the place, the verdict and the findings."""
        path = self.file(b"see\n <http://example.com/a-\nb> http://user@example.com/")
        result = run("scan", path)
        self.assertEqual(result.code, 1)
        self.assertIn(os.fsencode(path) + b":2:3: accept  http://example.com/a-b\n", result.out)
        self.assertIn(b"white space inside was left out", result.out)
        self.assertIn(b"the hyphen at the line break may not belong to it", result.out)
        self.assertIn(os.fsencode(path) + b":3:4: reject  http://user@example.com/\nrefused by strict: userinfo-present. ", result.out)
        self.assertIn(b"\n8: refused: ambiguous: userinfo-present\n", result.out)
        self.assertClean(result.out)

    def test_policy(self):
        """Finds are judged by the policy, like the inputs of check."""
        text = b"http://user@example.com/ http://EXAMPLE.com/ http://example.com/" + b"a" * 100
        for options in ((), ("--policy=any",), ("--allow=userinfo-present",), ("--refuse=host-case",), ("--max-length=50",)):
            with self.subTest(options):
                result = run("scan", *options, stdin=text)
                check = run("check", *options, stdin=text.replace(b" ", b"\n"))
                self.assertEqual([row[:10] for row in result.rows()], check.rows())
                self.assertEqual(result.code, check.code)

    def test_exit_status(self):
        self.assertEqual(run("scan", stdin=b"nothing here").code, 0)
        self.assertEqual(run("scan", stdin=b"").code, 0)
        self.assertEqual(run("scan", stdin=b"http://example.com/").code, 0)
        self.assertEqual(run("scan", stdin=b"http://u@example.com/").code, 1)
        self.assertEqual(run("scan", "-q", stdin=b"http://u@example.com/").out, b"")

    def test_files(self):
        """Files are scanned in order; an unreadable one gives exit status 2, and the others are scanned all
        the same."""
        one, other = self.file(b"\nhttp://h/1"), self.file(b"\n\nhttp://h/2")
        result = run("scan", "--format=tsv", one, "-", other, stdin=b"http://h/0")
        self.assertEqual([row[10:13] for row in result.rows()], [[one, "2", "1"], ["-", "1", "1"], [other, "3", "1"]])
        self.assertEqual(result.code, 0)
        result = run("scan", "--format=tsv", one, one + ".missing", self.folder(), other)
        self.assertEqual(len(result.rows()), 2)
        self.assertUsage(result, one + ".missing", "directory")

    def test_output_is_input(self):
        path = self.file(b"http://example.com/\n")
        with open(path, "ab") as out:
            result = run("scan", path, stdout=out)
        self.assertUsage(result, "both input and output")

    def test_usage(self):
        self.assertUsage(run("scan", "--input=x"), "--input")
        self.assertUsage(run("scan", "--html=x"), "--html")
        self.assertUsage(run("scan", "--base=relative", stdin=b""), "relative")
        self.assertUsage(run("scan", "--base=mailto:joe@example.com", stdin=b""), "mailto")

    def test_octets(self):
        """NULs and invalid UTF-8 are separators or data; no find is lost."""
        rows = self.scan(b"\0http://h/a\0b\xff\xfehttp://h/\xff\0 \x01<http://h/c\x02>\xc3")
        self.assertEqual([(row[6], row[13]) for row in rows],
                         [("/a", "http://h/a"), ("\\N", "http://h/\\xFF"), ("/c", "http://h/c")])


class Windows(Case):
    """Text is read in windows, and no find depends on where they end."""

    def places(self, text):
        return [(row[0], int(row[11]), int(row[12]), row[13]) for row in run("scan", stdin=text).rows()]

    @takes_long
    def test_repeated(self):
        """A block repeated n times has n times its finds."""
        block = JIM + b"www.w3.org/x (http://h/a_(b)). \"http://h/b\n c\" <b> URL: foo:bar\n<URL:\n http://h/" + b"d" * 300 + b">\n"
        once = self.places(block)
        lines = block.count(b"\n")
        for padding in (0, 1, 7, 61, 100000):
            with self.subTest(padding):
                times = 6000
                wanted = [(v, line + lines * k + 1, column, t) for k in range(times) for v, line, column, t in once]
                self.assertEqual(self.places(b"." * padding + b"\n" + block * times), wanted)

    @takes_long
    def test_around_the_end_of_a_window(self):
        """A find may lie anywhere near the end of a window."""
        find = b"<http://example.com/a\n b>"
        for around in (MIB, MIB + 3 * 32768, MIB + 4 * 32768):
            for shift in (*range(-40, 3), -16384, -16383, 16384):
                for filler in (b".", b" "):
                    text = filler * (around + shift) + find + b" http://example.com/"
                    self.assertEqual([t for _, _, _, t in self.places(text)],
                                     ["http://example.com/a\\x0A\\x20b", "http://example.com/"], (around, shift, filler))

    def test_long_finds(self):
        """A find above the limit is url-too-long, and later text is still scanned."""
        for length in (8192, 8193, 30000, 200000, MIB, MIB + 4 * 32768, MIB + 4 * 32768 + 1, 3 * MIB, 5 * MIB):
            text = b"x\nhttp://example.com/" + b"a" * (length - 19) + b"\n<http://example.com/b>"
            for options in ((), ("--max-length=1073741824",)):
                with self.subTest(length=length, options=options):
                    rows = run("scan", *options, stdin=text).rows()
                    limit = MIB if options else 8192
                    self.assertEqual([row[1] for row in rows], ["-" if length <= limit else "url-too-long", "-"])
                    self.assertEqual([row[11:13] for row in rows], [["2", "1"], ["3", "2"]])
                    self.assertTrue(text[2:].startswith(rows[0][13].encode()))

    @takes_long
    @unittest.skipIf(instrumented(), "a sanitizer's memory hides that of the command")
    def test_memory(self):
        """200 MiB of text, with and without lines, are scanned in little memory."""
        for block in (JIM * 1000, b"x" * 65536, b"http://example.com/", b"<" * 65536):
            with self.subTest(block[:20]):
                size = 100 * MIB
                block = (block * (65536 // len(block) + 1))
                result, peak = run_measured("scan", "-q", feed=itertools.repeat(block, size // len(block)))
                self.assertIn(result.code, (0, 1), result)
                self.assertLess(peak, 24 * MIB)


class Hidden(Case):
    def hidden(self, text, *options):
        """Returns where invisible characters stand, for each find."""
        made = run("scan", "--format=json", *options, stdin=text.encode()).objects()
        for item in made:
            self.assertEqual("hidden" in item, any(f["id"] == "text-hidden" for f in item["findings"]))
        return [tuple(item["hidden"].values()) if "hidden" in item else None for item in made]

    def test_hidden(self):
        """Tag characters, runs of invisible characters and controls that turn text around, near a URL in its line."""
        url = "http://h/x"
        for text, where in ((url + " \U000e0041", (1, 12)), ("\u200b\u200b " + url, (1, 1)), ("\na\u2060\ufeff" + url, (2, 2)),
                            (url + "\u202e", (1, 11)), ("\u202d" + url, (1, 1)), ("\u2067" + url + "\u2069", (1, 1)),
                            (url + " \U000e0100\U000e0101", (1, 12)), ("\u202e" + "a" * 126 + " " + url, None), ("a" * 99 + "\u202e " + url, (1, 100)),
                            (url + " " + "a" * 125 + "\u202e", None), (url + " " + "a" * 124 + "\u202e", (1, 136)),
                            (url + "\n\u202e", None), ("\u202e\n" + url, None),
                            # joiners, marks, isolates, emoji and flags of everyday texts
                            ("\u0645\u06cc\u200c\u062e " + url, None), ("\u200f" + url + "\u200e", None), ("\u2068" + url + "\u2069", None),
                            ("\u2764\ufe0f\u200d\U0001f525 " + url, None), ("\ufeff" + url, None),
                            ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f " + url, None),
                            ("\U0001f3f4\U000e0067\U000e0062 " + url, (1, 5)), ("\U0001f3f4" + "\U000e0067" * 7 + "\U000e007f " + url, (1, 5)),
                            *(("\U0001f3f4" + "\U000e0067" * tags + "\U000e007f " + url, None) for tags in range(7))):
            with self.subTest(text):
                self.assertEqual(self.hidden(text), [where])
                if not text.startswith("\ufeff") and not lacks("libgumbo-dev") and not lacks("libmd4c-dev"):
                    self.assertEqual(self.hidden(text, "--markup=markdown"), [where])

    def test_refused(self):
        """It is a note, which a policy can raise."""
        text = "http://h/x \u202e".encode()
        self.assertEqual(run("scan", stdin=text).code, 0)
        self.assertEqual(run("scan", "--refuse=text-hidden", stdin=text).code, 1)
        self.assertIn(b"invisible characters at 1:12", run("scan", "--format=human", stdin=text).out)
        self.assertEqual(run("check", "--refuse=text-hidden", "http://h/x").code, 0)

    def test_long_text(self):
        """The place is right after the window of the scan has moved."""
        text = "a" * 3000000 + " \u202e http://h/x"
        self.assertEqual(self.hidden(text), [(1, 3000002)])
        for before in (1179648 - 15, 1179648 - 130, 1179648 - 270, 1179648):  # SCAN_WINDOW
            text = "a" * before + " http://h/x" + " b" * 50 + " \u202e" + " c" * 200000
            self.assertEqual(self.hidden(text), [(1, before + 113)], before)


class Sarif(Case):
    def log(self, text, *options):
        """Returns the run of a log, whose structure is that of SARIF 2.1.0."""
        made = json.loads(run("scan", "--format=sarif", *options, stdin=text).out)
        self.assertEqual((set(made), made["version"]), ({"$schema", "version", "runs"}, "2.1.0"))
        (made,) = made["runs"]
        self.assertEqual((set(made), set(made["tool"]), made["columnKind"]), ({"tool", "results", "columnKind"}, {"driver"}, "unicodeCodePoints"))
        rules = [rule["id"] for rule in made["tool"]["driver"]["rules"]]
        self.assertEqual((len(set(rules)), set(rules)), (len(rules), {result["ruleId"] for result in made["results"]}))
        for result in made["results"]:
            self.assertEqual(set(result) - {"fixes"}, {"ruleId", "level", "message", "locations"})
            self.assertIn(result["level"], ("error", "note"))
            self.assertEqual([list(place) for place in result["locations"]], [["physicalLocation"]])
        return made

    @staticmethod
    def places(made):
        return [(r["ruleId"], *r["locations"][0]["physicalLocation"]["region"].values()) for r in made["results"]]

    def test_results(self):
        """One result for each finding that refuses, and for text-hidden; accepted URLs have none."""
        self.assertEqual(self.log(b"http://example.com")["results"], [])
        made = self.log(b"a\n http://u@h:0/ http://h/x")
        self.assertEqual(self.places(made), [("userinfo-present", 2, 2, 15), ("port-zero", 2, 2, 15)])
        self.assertEqual(made["results"][0]["message"]["text"][:15], "http://u@h:0/: ")
        made = self.log("http://h/x \u202e".encode())
        self.assertEqual([(r["ruleId"], r["level"]) for r in made["results"]], [("text-hidden", "note")])
        self.assertEqual(run("scan", "-q", "--format=sarif", stdin=b"http://u@h/").out, b"")
        self.assertUsage(run("check", "--format=sarif", "http://h/"), "for scan alone")

    def test_columns(self):
        """Columns count characters: the text at a place is the URL, also after a long line and a moved window."""
        for text in ("\u00e9 HTTP://a/\u65e5 <HTTP://b.example/> \U0001f600\n\u65e5 HTTP://c.example/", "\u65e5" * 700000 + " HTTP://d.example/"):
            for _, line, first, last in self.places(self.log(text.encode(), "--refuse=scheme-case")):
                self.assertRegex(text.split("\n")[line - 1][first - 1:last - 1], r"\AHTTP://(a/\u65e5|[bcd]\.example/)\Z")

    def test_fix(self):
        """The suggestion replaces the octets of the URL, if they stand in the file."""
        fix = self.log(b"x HTTP://h/a.", "--refuse=scheme-case")["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"]
        self.assertEqual(fix, [{"deletedRegion": {"startLine": 1, "startColumn": 3, "endColumn": 13}, "insertedContent": {"text": "http://h/a"}}])
        for text in (b"http://u@h/", b"<HTTP://h/\na>"):
            self.assertNotIn("fixes", self.log(text, "--refuse=scheme-case")["results"][0])
        if not lacks("libgumbo-dev"):
            for text, fixed in ((b"<a href=HTTP://h/>", True), (b"<a href=HTTP://h/?a&#61;>", False)):
                self.assertEqual("fixes" in self.log(text, "--html", "--refuse=scheme-case")["results"][0], fixed)

    def test_files(self):
        """File names are URIs, and one log has the results of all files."""
        made = self.log(b"", *(self.file("http://u@h/ ", name) for name in ("a b%.txt", "\u00e9")))
        names = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in made["results"]]
        self.assertEqual([name.rsplit("/", 1)[1] for name in names], ["a%20b%25.txt", "%C3%A9"])
        self.assertTrue(all(name.startswith("file:///") for name in names))


class Html(Case):
    def scan(self, html, *options):
        return run("scan", "--html", "--format=tsv", *options, stdin=html).rows()

    def found(self, html, *options):
        """Returns the text and the URI of each find."""
        made = run("scan", "--html", "--format=json", *options, stdin=html).objects()
        return [(o["text"], o["uri"]) for o in made]

    def test_draft_example(self):
        """draft-fielding-uri-syntax-01, appendix D: "../x" is <http://www.ics.uci.edu/Test/a/x>."""
        self.assertEqual(self.found(DOCUMENT), [("http://www.ics.uci.edu/Test/a/b/c",) * 2, ("../x", "http://www.ics.uci.edu/Test/a/x")])
        self.assertEqual([row[10:13] + row[14:] for row in self.scan(DOCUMENT)], [["-", "4", "13", "uri"], ["-", "6", "14", "uri"]])

    def test_attributes(self):
        """Every attribute that holds a URL, in any letter case, raw or quoted; of the kind image is what is fetched without a click."""
        url, anywhere = "http://example.com/x", {name: "uri" for name in ("href", "src", "action", "formaction", "cite", "longdesc", "codebase", "ping", "xlink:href")}
        anywhere.update({name: "image" for name in ("poster", "background", "lowsrc", "dynsrc", "srcset", "imagesrcset", "style")})
        some = {("html", "manifest"): "uri", ("object", "data"): "uri", ("head", "profile"): "uri", ("img", "src"): "image", ("input", "src"): "image",
                ("svg><image", "href"): "image", ("svg><image", "xlink:href"): "image"}
        for tag in ("a", "p", "img", "input", "object", "html", "head", "body", "svg><image", "svg><a", "template><a", "table><a", "area", "script", "link", "video"):
            names = [*anywhere, "manifest", "data", "profile", "content", "title", "name", "value", "alt", "id", "class", "hrefs"]
            kinds = {name: some.get((tag, name), None if name == "xlink:href" and "svg" not in tag else anywhere.get(name)) for name in names}
            for form in (" %s=%s", " %s='\n %s\t'"):
                html = "<" + tag + "".join((form if name != "style" else " %s='a:url(%s)'") % (name.upper() if tag == "img" else name, url + name) for name in names) + ">"
                self.assertEqual([(row[13], row[14]) for row in self.scan(html.encode())], [(url + name, kinds[name]) for name in names if kinds[name]], html)
        for html in (b"<img srcset='%s 2x'>", b"<meta http-equiv=Refresh content='0; URL=%s'>", b"<meta http-equiv=refresh content='5;%s'>",
                     b"<meta http-equiv=refresh content=\"5,url = '%s' x\">"):
            self.assertEqual(self.found(html % url.encode()), [(url, url)], html)

    def test_style(self):
        """URLs in style sheets, with their escapes; not those in comments and strings."""
        for css, found in ((b"a{b:url(http://h/x)}", ["http://h/x"]), (b"a{b:URL( 'http://h/x' )}", ["http://h/x"]),
                           (b"@import 'http://h/x'; @import url(http://h/y);", ["http://h/x", "http://h/y"]),
                           (b"a{b:url(\\68ttp://h/\\x)}", ["http://h/x"]), (b"a{b:url(\\000068 ttp://h/)}", ["http://h/"]),
                           *((b"a{b:url(http://h/\\%s1)}" % (b"61".rjust(count, b"0") + end), ["http://h/a1"]) for count in range(2, 7) for end in (b" ", b"\n", b"")[:2 + count // 6]),
                           (b"/* url(http://h/) */ a{b:'url(http://h/)'}", []), (b"a{b:url()} @import x url(", []),
                           (b"a{b:url(http://h/", ["http://h/"]), (b"/* url(http://h/", []), (b"/*/ url(http://h/)", []),
                           (b"/*/ url(http://h/1) */ url(http://h/2) /**/ url(http://h/3) /***/ url(http://h/4)", ["http://h/2", "http://h/3", "http://h/4"])):
            with self.subTest(css):
                self.assertEqual([text for text, _ in self.found(b"<style>%s</style>" % css)], found)
                self.assertEqual([text for text, _ in self.found(b'<p style="%s">' % css)], found)
        rows = self.scan(b"<style>\na{b:url(http://h/)}</style>\n<p style='b:url(http://h/)'>")
        self.assertEqual([row[11:13] + row[14:] for row in rows], [["2", "9", "image"], ["3", "17", "image"]])

    def test_style_places(self):
        """Places of URLs in style sheets are those in the document, whatever was decoded before them; the place is the
        start of the style sheet after a character that was replaced."""
        for css, place in ((b"a\r\n\r\nb{c:url(http://h/)}", (3, 9)), (b"a\r\rb{c:url(http://h/)}", (1, 19)),
                           (b"\xff" * 300 + b"url(http://h/)", (1, 8)), (b"\0" * 300 + b"\nurl(http://h/)", (1, 8)),
                           (b"\r\n\xff\r\nurl(http://h/)", (1, 8))):
            with self.subTest(css):
                for start, end, moved in ((b"<style>", b"</style>", 0), (b'<i style="', b'">', 3), (b"<style>", b"", 0)):
                    row, = self.scan(start + css + end)
                    line, column = place[0], place[1] + moved * (place[0] == 1)
                    self.assertEqual((row[11:13], row[13]), ([str(line), str(column)], "http://h/"))

    def test_srcdoc(self):
        """The links of a document in an attribute have its place, and the base of the document around it."""
        rows = self.scan(b"\n<iframe srcdoc='<a href=x></a><base href=/y/><img src=z>'>", "--base=http://h/")
        self.assertEqual([row[6:7] + row[11:] for row in rows], [["/y/x", "2", "17", "x", "uri"], ["/y/", "2", "17", "/y/", "uri"],
                                                                 ["/y/z", "2", "17", "z", "image"]])
        inner = b"<a href=http://h/>"
        for depth in range(5):
            self.assertEqual(len(self.scan(inner)), 1, depth)
            inner = b"<iframe srcdoc='%s'>" % inner.replace(b"&", b"&amp;").replace(b"'", b"&#39;")
        result = run("scan", "--html", stdin=inner)
        self.assertEqual((result.code, result.out), (2, b""))
        self.assertIn(b"more than 4 documents", result.err)

    def test_no_urls(self):
        """Attributes without URLs, text, comments and scripts have no finds."""
        self.assertEqual(self.found(b"<p data=x content=y title=http://a/><meta name=refresh content='0;url=http://b/'>http://c/"
                                    b"<!-- <a href=http://d/> --><script>'<a href=http://e/>'</script><meta http-equiv=refresh content=5>"), [])

    def test_lists(self):
        """Several URLs in one attribute."""
        base = "http://h/"
        self.assertEqual(self.found(b"<a ping=' a\n b  c '>", "--base=" + base), [(c, base + c) for c in "abc"])
        self.assertEqual(self.found(b"<img srcset=' a 1x, b,(c 2x (,) ,d, e 3w'>", "--base=" + base),
                         [(c, base + c) for c in ("a", "b,(c", "d", "e")])

    def test_base(self):
        """The document's base comes first, resolved against --base; without a base, a relative reference is
        refused."""
        link = b"<a href=x>"
        self.assertEqual(self.found(link, "--base=http://h/a/b#f"), [("x", "http://h/a/x")])
        self.assertEqual(self.found(b"<base href=http://i/>" + link, "--base=http://h/a/b")[1], ("x", "http://i/x"))
        self.assertEqual(self.found(b"<base href=c/d>" + link, "--base=http://h/a/b"), [("c/d", "http://h/a/c/d"), ("x", "http://h/a/c/x")])
        self.assertEqual(self.found(b"<base><base href=/1/><base href=/2/>" + link, "--base=http://h/")[2], ("x", "http://h/1/x"))
        for html in (link, b"<base href='http://a b/'>" + link):
            rows = self.scan(html)
            self.assertEqual(rows[-1][0], "reject")
            self.assertIn("not-absolute", finding_ids(rows[-1][1]))

    def test_empty_action(self):
        """An empty reference that causes a request is the base URI."""
        self.assertEqual(self.found(b"<form action=''><input formaction>", "--base=http://h/a?b#c"), [("", "http://h/a?b")] * 2)

    def test_as_written(self):
        """A reference with a scheme is judged as written, not repaired by resolution."""
        rows = self.scan(b"<a href='http://h/a/../b'><a href='javascript:x'><a href='http://u@h/'><a href='/\\evil'>", "--base=http://h/")
        self.assertEqual([row[0] for row in rows], ["reject"] * 4)
        self.assertIn("dot-segment", rows[0][1])
        self.assertIn("scheme-script", rows[1][1])

    def test_entities(self):
        self.assertEqual(self.found(b"<a href='http://h/?a&amp;b&#x41;'>"), [("http://h/?a&bA",) * 2])

    def test_copies(self):
        """Elements that the parser duplicates to repair the nesting are found once."""
        self.assertEqual(len(self.found(b"<b><a href=http://h/><p>x</b>y<p>z</a><table><a href=http://i/>q")), 2)

    def test_broken(self):
        """In broken HTML, with NULs or invalid UTF-8, places are right and no find is lost."""
        rows = self.scan(b"\0\xff<a\n \t\xc3\xa9='' href=\"http://h/\xff\"<b <a href=http://i/><p></a></p></p><a href=http://j/")
        self.assertEqual(rows[0][11:13], ["2", "15"])
        self.assertIn("non-ascii", rows[0][1])

    def test_deep(self):
        """A deep tree does not overflow the stack."""
        for tag in (b"<svg>", b"<font>", b"<template>"):
            html = tag * 20000 + b"<a href=http://h/>"
            self.assertEqual(len(self.found(html)), 1)

    @takes_long
    def test_quadratic_inside(self):
        """Documents within a document share its time."""
        html = b"<a href=http://h/>" + (b"<iframe srcdoc='" + b"<div>" * 20000 + b"'></iframe>") * 40
        began = os.times().children_user
        result = run("scan", "--html", stdin=html)
        self.assertEqual(result.code, 2)
        self.assertIn(b"too much time", result.err)
        self.assertLess(os.times().children_user - began, 20)

    @takes_long
    def test_quadratic(self):
        """A tree so deep that the parser would need a minute: the parser is stopped, and no part of the file
        is judged."""
        html = b"<a href=http://h/>" + b"<div>" * 400000
        for command in (("scan", "--html"), ("base", "--content=-")):
            result = run(*command, stdin=html)
            self.assertEqual((result.code, result.out), (2, b""))
            self.assertIn(b"too much time", result.err)

    def test_files(self):
        path = self.file(DOCUMENT)
        self.assertEqual(len(run("scan", "--html", "--format=tsv", path, path).rows()), 4)
        self.assertUsage(run("scan", "--html", path + ".missing"), ".missing")


class RealText(Case):
    def test_documentation(self):
        """In the installed documentation something is found, and each find lies at its stated place."""
        paths = []
        for folder, _, names in os.walk("/usr/share/doc"):
            paths += [os.path.join(folder, name) for name in names if name in ("copyright", "README", "README.Debian")]
        paths = sorted(paths)[:200]
        if not paths:
            self.skipTest("no documentation is installed")
        done = subprocess.run([URIVET, "scan", "--format=tsv", *paths], stdout=subprocess.PIPE, check=False)
        self.assertIn(done.returncode, (0, 1))
        texts = {}
        for line in done.stdout.splitlines():
            row = line.decode("ascii").split("\t")
            self.assertEqual(len(row), 15)
            name = os.fsdecode(unescape(row[10]))
            if name not in texts:
                texts[name] = content(name).split(b"\n")
            rest = b"\n".join(texts[name][int(row[11]) - 1:int(row[11]) + 20])
            self.assertTrue(rest[int(row[12]) - 1:].startswith(unescape(row[13])), row)
