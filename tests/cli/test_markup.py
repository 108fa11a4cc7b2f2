# SPDX-License-Identifier: Apache-2.0
"""Tests scan --markup: links in Markdown, BBCode, the markup of Slack, and AsciiDoc."""

import json
from pathlib import Path

import core
from helper import MIB, Case, finding_ids, instrumented, needs, run, run_measured, takes_long

MISMATCH = "--refuse=link-text-mismatch"
TABLE = [(markup, json.loads(text), meant) for markup, text, meant in core.rows(Path(__file__).with_name("markup.tsv"))]
LINKS = {"misleads": True, "honest": False}

HOSTILE = {
    "markdown": ["[", "]", "![", "[a](", "*", "`", "> ", "- ", "<", "[a][", "[a]\n", "[a]: b\n[a]\n", "a|b\n-|-\n", "<a>",
                 "<a href=x>", "<div>", "&amp;", "\\", "http://a,", "![a](b)", "[a](b)", "\xff", "\0", "[![[", "<!--"],
    "bbcode": ["[", "[url]", "[url=", "[url=a]b", "[img]", "[/url]", "[url][/url]", "[code]", "\xff"],
    "slack": ["<", "<a|", "<a|b>", "<@", "|", "<http://a", "[", "\0"],
    "asciidoc": ["[", "http://", "http://a[", "link:", "]", "link:++", "image::", "http://a[b]", "mailto:a [", "\xff"],
}


class Markup(Case):
    def finds(self, markup, text, above=0):
        objects = run("scan", "--markup=" + markup, "--format=json", stdin=text.encode()).objects()
        return " | ".join("%d:%d %s %s" % (o["line"] - above, o["column"], o["kind"], o["text"]) for o in objects) or "-"

    def test_finds(self):
        """HTML elsewhere in Markdown changes no find; a text without a link, or without anything, has none."""
        for markup, text, finds in TABLE:
            if finds not in LINKS:
                self.assertEqual(self.finds(markup, text), finds, text)
                if markup == "markdown":
                    self.assertEqual(self.finds(markup, "<p>\n\n" + text + "\n\n<i>", 2), finds, text)
        for markup in HOSTILE:
            for text in ("", "\n", "a"):
                self.assertEqual(self.finds(markup, text), "-")

    @needs("publicsuffix")
    def test_link_texts(self):
        for markup, text, meant in TABLE:
            if meant in LINKS:
                rows = run("scan", "--markup=" + markup, "--format=tsv", MISMATCH, stdin=text.encode()).rows()
                self.assertEqual(any("link-text-mismatch" in finding_ids(row[1]) for row in rows), LINKS[meant], text)

    def test_base(self):
        """Relative references are resolved against --base; without one they are refused."""
        made = run("scan", "--markup=markdown", "--base=https://h/a/b", "--format=json", stdin=b"[x](c)").objects()
        self.assertEqual([(o["uri"], o["text"]) for o in made], [("https://h/a/c", "c")])
        self.assertEqual(run("scan", "--markup=markdown", stdin=b"[x](c)").code, 1)

    def test_auto(self):
        """The name of a file decides: another name is text, and so is standard input."""
        codes = {"`http://h/x`": ("md", "MD", "markdown", "mdown", "mkd", "mdx"), "http://h/x": ("html", "htm", "XHTML", "svg"), "[code]http://h/x[/code]": ("bbcode", "bb"),
                 "<!http://h/x>": ("slack", "mrkdwn"), "image:http://h/x[]": ("adoc", "asciidoc")}
        for text, endings in codes.items():
            for name, markup in [*(("a." + ending + more, True) for ending in endings for more in ("", ".gz", ".zst")), *((ending, False) for ending in endings),
                                 ("." + endings[0], False), ("a.txt", False), ("a.gz", False), ("a" + endings[0], False), (endings[0] + ".txt", False)]:
                result = run("scan", "--markup=auto", "--format=tsv", self.file(text, name))
                self.assertEqual([row[14] for row in result.rows()], (["image"] if "image" in text else []) if markup else ["uri"], name)
        self.assertEqual(len(run("scan", "--markup=auto", "--format=tsv", stdin=b"`http://h/x`").rows()), 1)

    def test_options(self):
        self.assertUsage(run("scan", "--markup=html", "--html"), "exclude each other")
        self.assertUsage(run("scan", "--markup=markdown", "--mail"), "exclude each other")
        self.assertUsage(run("scan", "--markup=troff"), "--markup knows no")
        self.assertEqual(run("scan", "--markup=html", stdin=b"<a href=http://h/>").code, 0)

    def hostile(self, size):
        for markup, patterns in HOSTILE.items():
            for pattern in patterns:
                octets = pattern.encode("latin-1")
                with self.subTest(markup=markup, pattern=pattern):
                    result, memory = run_measured("scan", "--markup=" + markup, "-q",
                                                  feed=[octets * (size // len(octets))])
                    self.assertIn(result.code, (0, 1, 2), result.err)
                    self.assertEqual(result.code == 2, b"too much time" in result.err, result.err)
                    if not instrumented():
                        self.assertLess(memory, 64 * MIB + 200 * size)

    def test_hostile(self):
        self.hostile(20000)

    @takes_long
    def test_hostile_and_long(self):
        """Ten mebioctets of "[" are read; others are refused after a limited time."""
        for markup in HOSTILE:
            self.assertEqual(run("scan", "--markup=" + markup, "-q", stdin=b"[" * 10 * MIB).code, 0, markup)
        self.assertEqual(run("scan", "--markup=markdown", "-q", stdin=b"[a]\n" * MIB).code, 2)

    def test_too_long(self):
        """A document has a maximum length."""
        result, _ = run_measured("scan", "--markup=markdown", "-q", feed=([b"[" * MIB] * 65))
        self.assertEqual(result.code, 2)
        self.assertIn(b"longer than", result.err)
