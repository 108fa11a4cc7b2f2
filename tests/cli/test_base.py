# SPDX-License-Identifier: Apache-2.0
"""Tests urivet base: the base URI and the reason for it."""


from helper import Case, run
from test_scan import DOCUMENT

# The example of "Uniform Resource Locators (URL)", November 1996, section 8.1
TEST = "http://www.ics.uci.edu/Test/a/b/c"


class Base(Case):
    def base(self, *options):
        """Returns the base and the reason."""
        result = run("base", "--format=json", *options)
        made = result.objects()
        self.assertEqual(len(made), 1, result)
        self.assertEqual(list(made[0]), ["base", "reason"])
        self.assertEqual(result.code, 0 if made[0]["base"] is not None else 1, result)
        return made[0]["base"], made[0]["reason"]

    def test_precedence(self):
        """Content, enclosing entity, retrieval, default: each overrides those after it, in any order of the
        options."""
        layers = [("--header=Content-Base: http://cb/", "http://cb/", "content: Content-Base"),
                  ("--header=Content-Location: http://cl/", "http://cl/", "content: Content-Location"),
                  ("--enclosing=http://e/", "http://e/", "enclosing entity"),
                  ("--retrieved=http://r/", "http://r/", "retrieved"),
                  ("--default=http://d/", "http://d/", "default")]
        for first in range(len(layers)):
            for chosen in (layers[first:], layers[first:][::-1]):
                self.assertEqual(self.base(*(layer[0] for layer in chosen)), layers[first][1:])

    def test_redirects(self):
        """The URI of the last request counts."""
        self.assertEqual(self.base("--retrieved=http://a/", "--retrieved=http://b/")[0], "http://b/")

    def test_white_space_in_headers(self):
        """White space in a field, and folding, is ignored; field names match in any letter case."""
        for field in ("Content-Base: " + TEST, "CONTENT-BASE:" + TEST, "content-base : \r\n\t" + TEST,
                      "Content-Base: http://www.ics.uci.edu/\r\n Test/a/\n\tb/ c \t", "Content-Location: http://www.ics.uci.\n edu/Test/a/b/c"):
            self.assertEqual(self.base("--header=" + field)[0], TEST, field)
        self.assertEqual(self.base("--header=Subject: http://a/", "--default=http://d/")[0], "http://d/")

    def test_relative_layers(self):
        """A relative Content-Location is resolved against the layer below it."""
        self.assertEqual(self.base("--header=Content-Location: ../x", "--retrieved=" + TEST),
                         ("http://www.ics.uci.edu/Test/a/x", "content: Content-Location, relative to retrieved"))
        self.assertEqual(self.base("--header=Content-Location: //h/x", "--default=https://d/")[0], "https://h/x")
        self.assertIsNone(self.base("--header=Content-Location: ../x")[0])

    def test_refused(self):
        """If a layer is no base URI there is no base, and outer layers do not replace it; an absolute inner
        layer does."""
        for uri in ("relative", "", "//h/x", "http://a b/", "mailto:joe@example.com", "http://h/%zz"):
            for option in ("--retrieved=", "--enclosing=", "--header=Content-Base: "):
                if option.startswith("--header") and " " in uri:
                    continue
                with self.subTest(uri=uri, option=option):
                    base, reason = self.base(option + uri, "--default=http://d/")
                    self.assertIsNone(base)
                    self.assertIn("cannot be read as a base URI", reason)
        self.assertEqual(self.base("--retrieved=relative", "--enclosing=http://e/")[0], "http://e/")

    def test_none(self):
        self.assertEqual(self.base(), (None, "no layer has one"))

    def test_fragment(self):
        """A base URI loses its fragment and keeps its query."""
        self.assertEqual(self.base("--retrieved=http://h/a?b#c")[0], "http://h/a?b")
        self.assertEqual(self.base("--retrieved=http://h/#")[0], "http://h/")

    def test_formats(self):
        """Human output is the default: the URI, then the reason."""
        self.assertEqual(run("base", "--retrieved=http://h/").out, b"http://h/\nretrieved [RFC 3986, 5.1.3]\n")
        self.assertEqual(run("base", "--retrieved=http://h/", "--format=tsv").out, b"http://h/\tretrieved\n")
        self.assertEqual(run("base", "--format=tsv").out, b"\\N\tno layer has one\n")
        self.assertEqual(run("base").out, b"no layer has one\n")
        self.assertEqual(run("base", "-q", "--retrieved=http://h/").out, b"")

    def test_usage(self):
        self.assertUsage(run("base", "http://h/"), "http://h/")
        self.assertUsage(run("base", "--header=nonsense"), "nonsense")
        self.assertUsage(run("base", "--header=: x"), "--header")
        self.assertUsage(run("base", "--header=Content-Base: http://a/", "--header=content-base: http://b/"), "twice")
        self.assertUsage(run("base", "--retrieved"), "--retrieved")
        self.assertUsage(run("base", "--content=/no/such/file"))


class Html(Base):
    def content(self, html, *options):
        return self.base("--content=" + self.file(html), *options)

    def test_draft_example(self):
        """draft-fielding-uri-syntax-01, appendix D: regardless of the context in which the document was obtained."""
        self.assertEqual(self.content(DOCUMENT, "--header=Content-Base: http://cb/", "--retrieved=http://r/"), (TEST, "content: base href"))

    def test_html_layers(self):
        self.assertEqual(self.content(b"<base href=' ../x '>", "--header=Content-Location: c/d", "--retrieved=http://r/a/b"),
                         ("http://r/a/x", "content: base href, relative to content: Content-Location, relative to retrieved"))
        self.assertEqual(self.content(b"<base target=x><p>", "--retrieved=http://r/")[0], "http://r/")
        self.assertEqual(self.content(b"<base target=x><base href=http://1/><base href=http://2/>")[0], "http://1/")
        self.assertIsNone(self.content(b"<base href='http://a b/'>", "--retrieved=http://r/")[0])
        self.assertIsNone(self.content(b"<base href=x>")[0])
        self.assertIsNone(self.content(b"")[0])
        self.assertEqual(run("base", "--content=-", stdin=DOCUMENT).code, 0)
