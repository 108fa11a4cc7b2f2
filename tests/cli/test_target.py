# SPDX-License-Identifier: Apache-2.0
"""check --target: the inputs are HTTP request targets."""

import unittest

from helper import Case, finding_ids, run


class Target(Case):
    def test_origin_form(self):
        """origin-form is a path and perhaps a query."""
        for target in (b"/", b"/a?b", b"/a/b/c", b"/?q=1", b"/a%2Fb", b"/?"):
            with self.subTest(target):
                self.assertAccepts(target, "--target")

    def test_origin_form_with_host(self):
        """--target=HOST says whom the request is for."""
        self.assertAccepts(b"/a?b", "--target=example.com")

    def test_not_a_uri(self):
        """Without --target an origin-form is refused, since it is no URI."""
        self.assertRefuses(b"/a?b")

    def test_absolute_form(self):
        """absolute-form is a URI, judged as one."""
        self.assertAccepts(b"http://example.com/a?b", "--target")
        for target in (b"http://user@example.com/", b"http://example.com/../a", b"http://exa mple.com/", b"http://example.com:0/"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")

    def test_asterisk_form(self):
        """* is a request target."""
        self.assertAccepts(b"*", "--target")
        self.assertRefuses(b"*")

    def test_asterisk_alone(self):
        """The asterisk stands alone."""
        for target in (b"**", b"*/", b"*?a"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")

    def test_authority_form(self):
        """authority-form is host and port."""
        self.assertAccepts(b"example.com:443", "--target")

    def test_authority_form_refused(self):
        """An authority has no userinfo and a port that is one."""
        for target in (b"user@example.com:443", b"example.com:0", b"example.com:65536", b"example.com:4x3", b"0x7f.1:443"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")

    def test_fragment(self):
        """A request target has no fragment, in whatever form."""
        for target in (b"/a#b", b"/#", b"/a?b#c", b"http://example.com/a#b"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")
                self.assertIn("fragment-in-target", finding_ids(self.row(target, "--target")[1]))

    def test_strict(self):
        """An origin-form is held to the rules of path and query."""
        for target in (b"/a/../b", b"//example.com/", b"/a b", b"/a\tb", b"/%zz", b"/%00", b"/..%2fa", b"/%252e", b"/a\\b", b"/caf\xc3\xa9", b"/%41"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")

    def test_no_form(self):
        """What has none of the four forms is refused."""
        for target in (b"", b"a/b", b"?q", b"example.com", b" /a"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")

    def test_lines(self):
        """Lines of input may be request targets: one row of ten columns each."""
        result = run("check", "--target", stdin=b"/a?b\n*\nexample.com:443\nhttp://example.com/\n/a#b\n")
        self.assertEqual(result.code, 1)
        rows = result.rows()
        self.assertEqual([r[0] for r in rows], ["accept"] * 4 + ["reject"])
        self.assertEqual({len(r) for r in rows}, {10})

    def test_line_hidden_in_a_target(self):
        """A request line cannot be split by a target."""
        for target in (b"/a HTTP/1.1\r\nHost: evil.example", b"/\r\n", b"/\n", b"/a\rb"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")


if __name__ == "__main__":
    unittest.main()
