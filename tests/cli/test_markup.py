# SPDX-License-Identifier: Apache-2.0
"""Tests scan --markup: links in Markdown, BBCode, the markup of Slack, and AsciiDoc."""

from helper import MIB, Case, finding_ids, instrumented, needs, run, run_measured, takes_long

MISMATCH = "--refuse=link-text-mismatch"


# Markup, text, and the finds: (line, column, kind, text).
FINDS = [
    # links, images, references, autolinks
    ("markdown", "[a](https://h/x)", [(1, 5, "uri", "https://h/x")]),
    ("markdown", "a\n\n[b](<https://h/x> 'title')", [(3, 6, "uri", "https://h/x")]),
    ("markdown", "![a](https://h/x)", [(1, 6, "image", "https://h/x")]),
    ("markdown", "![a [b](https://h/y)](https://h/x)", [(1, 23, "image", "https://h/x")]),
    ("markdown", "[![a](https://h/i)](https://h/x)", [(1, 7, "image", "https://h/i"), (1, 21, "uri", "https://h/x")]),
    ("markdown", "[a] [a][] [b][a]\n\n[a]: https://h/x", [(3, 6, "uri", "https://h/x")] * 3),
    ("markdown", "![a]\n\n[a]: https://h/x", [(3, 6, "image", "https://h/x")]),
    ("markdown", "[a]: https://h/x", []),
    ("markdown", "<https://h/x>", [(1, 2, "uri", "https://h/x")]),
    ("markdown", "| a |\n|---|\n| [b](https://h/x) https://h/y |",
     [(3, 7, "uri", "https://h/x"), (3, 20, "uri", "https://h/y")]),
    ("markdown", "> - [a](https://h/x)", [(1, 9, "uri", "https://h/x")]),
    ("markdown", "[a](https://h/?b=1&amp;c=2&d=3)", [(1, 5, "uri", "https://h/?b=1&c=2&d=3")]),
    ("markdown", "https://h/?a&amp;b=1 www.h.org/?&quot;", [(1, 1, "uri", "https://h/?a&amp;b=1"), (1, 22, "abbreviated", "www.h.org/?&quot")]),
    ("markdown", "[](/x)", [(1, 4, "uri", "/x")]),
    # URLs without markup, beside emphasis
    ("markdown", "**https://h/x** ~~https://h/y~~ _https://h/z_",
     [(1, 3, "uri", "https://h/x"), (1, 19, "uri", "https://h/y"), (1, 34, "uri", "https://h/z")]),
    ("markdown", "https://h/a*b*c_d_e www.h.org/x", [(1, 1, "uri", "https://h/a*b*c_d_e"), (1, 21, "abbreviated", "www.h.org/x")]),
    ("markdown", "[a](https://h/x)是[b](https://h/y)", [(1, 5, "uri", "https://h/x"), (1, 24, "uri", "https://h/y")]),
    ("markdown", "https://h/x<b>y</b>", [(1, 1, "uri", "https://h/x")]),
    ("markdown", "[a] (https://h/x) [b](https://h/y z)", [(1, 6, "uri", "https://h/x"), (1, 23, "uri", "https://h/y")]),
    # code has no links
    ("markdown", "`https://h/x` `[a](https://h/x)`\n\n    https://h/x\n\n```\nhttps://h/x\n```\n", []),
    ("markdown", "\\[a](b) \\`https://h/x\\`", [(1, 11, "uri", "https://h/x")]),
    # raw HTML
    ("markdown", "a <img src='https://h/x'> b", [(1, 13, "image", "https://h/x")]),
    ("markdown", "<div>\n<a href=https://h/x>a</a>\n</div>", [(2, 9, "uri", "https://h/x")]),
    ("markdown", "<!-- https://h/x <a href=https://h/x> -->", []),
    ("bbcode", "[url]https://h/x[/url] [URL=https://h/y]a[/URL] [url=\"https://h/z\"]a[/url]",
     [(1, 6, "uri", "https://h/x"), (1, 29, "uri", "https://h/y"), (1, 55, "uri", "https://h/z")]),
    ("bbcode", "[img]https://h/x[/img] [img=1x1]https://h/y[/img]", [(1, 6, "image", "https://h/x"), (1, 33, "image", "https://h/y")]),
    ("bbcode", "[b]https://h/x[/b] [url=https://h/y", [(1, 4, "uri", "https://h/x"), (1, 25, "uri", "https://h/y")]),
    ("bbcode", "[code][url]https://h/x[/url][/code] [urls]a[/urls]", []),
    ("slack", "a <https://h/x|b> <https://h/y>", [(1, 4, "uri", "https://h/x"), (1, 20, "uri", "https://h/y")]),
    ("slack", "<@U1> <#C1|https://h/x> <!here> https://h/y", [(1, 33, "uri", "https://h/y")]),
    ("slack", "<https://h/?a=1&amp;b=2|c>", [(1, 2, "uri", "https://h/?a=1&b=2")]),
    ("slack", "a < b\n<https://h/x <https://h/y>", [(2, 2, "uri", "https://h/x"), (2, 15, "uri", "https://h/y")]),
    ("asciidoc", "https://h/x[a] link:y.html[b] https://h/z.",
     [(1, 1, "uri", "https://h/x"), (1, 21, "uri", "y.html"), (1, 31, "uri", "https://h/z")]),
    ("asciidoc", "image::https://h/x[a]\nimage:https://h/y[]", [(1, 8, "image", "https://h/x"), (2, 7, "image", "https://h/y")]),
    ("asciidoc", "link:++https://h/[x]++[a] mailto:a@h.org[b]", [(1, 8, "uri", "https://h/[x]"), (1, 27, "uri", "mailto:a@h.org")]),
    ("asciidoc", "unlink:x[a] a[1] \\link:x[a] link:x link: x[a]", []),
]

# Markup, text, and whether the text of the link names another site.
TEXTS = [
    ("markdown", "[www.paypal.com](https://evil.example.net/)", True),
    ("markdown", "[**www.pay**pal.com](https://evil.example.net/)", True),
    ("markdown", "[`www.paypal.com`](https://evil.example.net/)", True),
    ("markdown", "[www&#46;paypal.com](https://evil.example.net/)", True),
    ("markdown", "[www.paypal.com][a]\n\n[a]: https://evil.example.net/", True),
    ("markdown", "<a href='https://evil.example.net/'>www.<b>paypal</b>.com</a>", True),
    ("markdown", "<a href='https://evil.example.net/'>www&#46;paypal.com</a>", True),
    ("markdown", "[www.example.net](https://evil.example.net/)", False),
    ("markdown", "[![www.paypal.com](https://evil.example.net/i)](https://evil.example.net/)", False),
    ("markdown", "[see www.paypal.com](https://evil.example.net/)", False),
    ("bbcode", "[url=https://evil.example.net/]www.paypal.com[/url]", True),
    ("bbcode", "[url=https://evil.example.net/]evil.example.net[/url]", False),
    ("slack", "<https://evil.example.net/|www.paypal.com>", True),
    ("slack", "<https://evil.example.net/|text>", False),
    ("asciidoc", "https://evil.example.net/[www.paypal.com]", True),
    ("asciidoc", "link:https://evil.example.net/[\"www.paypal.com\",window=_blank]", True),
    ("asciidoc", "https://evil.example.net/[www.paypal.com^]", True),
    ("asciidoc", "https://evil.example.net/[a]", False),
]

HOSTILE = {
    "markdown": ["[", "]", "![", "[a](", "*", "`", "> ", "- ", "<", "[a][", "[a]\n", "[a]: b\n[a]\n", "a|b\n-|-\n", "<a>",
                 "<a href=x>", "<div>", "&amp;", "\\", "http://a,", "![a](b)", "[a](b)", "\xff", "\0", "[![[", "<!--"],
    "bbcode": ["[", "[url]", "[url=", "[url=a]b", "[img]", "[/url]", "[url][/url]", "[code]", "\xff"],
    "slack": ["<", "<a|", "<a|b>", "<@", "|", "<http://a", "[", "\0"],
    "asciidoc": ["[", "http://", "http://a[", "link:", "]", "link:++", "image::", "http://a[b]", "mailto:a [", "\xff"],
}


class Markup(Case):
    def finds(self, markup, text, *options):
        objects = run("scan", "--markup=" + markup, "--format=json", *options, stdin=text.encode()).objects()
        return [(o["line"], o["column"], o["kind"], o["text"]) for o in objects]

    def test_finds(self):
        """HTML elsewhere in Markdown changes no find; a text without a link, or without anything, has none."""
        for markup, text, finds in FINDS:
            self.assertEqual(self.finds(markup, text), finds, text)
            if markup == "markdown":
                self.assertEqual(self.finds(markup, "<p>\n\n" + text + "\n\n<i>"), [(line + 2, *rest) for line, *rest in finds], text)
        for markup in HOSTILE:
            for text in ("", "\n", "a"):
                self.assertEqual(self.finds(markup, text), [])

    @needs("publicsuffix")
    def test_link_texts(self):
        for markup, text, misleads in TEXTS:
            with self.subTest(text):
                rows = run("scan", "--markup=" + markup, "--format=tsv", MISMATCH, stdin=text.encode()).rows()
                self.assertEqual(any("link-text-mismatch" in finding_ids(row[1]) for row in rows), misleads)

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
