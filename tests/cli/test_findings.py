# SPDX-License-Identifier: Apache-2.0
"""Tests findings, which prints the catalogue."""

import unittest

from helper import Case, run, unescape

CLASSES = {"malformed", "ambiguous", "dangerous", "policy", "note"}
KEYS = ["id", "number", "class", "component", "reference", "text"]

# The ids of the strict grammar's findings, of its danger rules and of its notes.
GATE = """
userinfo-present userinfo-misleading userinfo-multiple-at userinfo-delimiter userinfo-encoded-delimiter authority-empty-port-at
port-empty port-leading-zero port-zero port-overflow port-invalid
ipv4-octal ipv4-hex ipv4-decimal ipv4-short ipv4-mixed ipv4-overflow ipv4-too-many-parts ipv4-empty-part ipv4-trailing-dot ipv4-signed
ipv4-other-prefix ipv4-alt-digits host-numeric-tld host-tld-digit
host-underscore host-nonldh host-subdelim host-percent-encoded host-encoded-delimiter host-unicode host-forbidden-char host-bad-hyphen
host-empty-label host-label-too-long host-too-long host-empty
ipv6-malformed ipv6-noncanonical ipv6-zone ipvfuture ipv6-unbracketed bracket-not-ipv6 bracket-garbage
backslash-authority backslash-path raw-space raw-tab raw-crlf control-char non-ascii forbidden-char bad-escape escaped-unreserved
path-leading-double-slash scheme-slash-missing scheme-slash-excess scheme-malformed not-absolute scheme-not-allowed
host-ipv4-prefix idn-invalid-alabel ipv4-mapped-ipv6 ipv4-compatible-ipv6 ipv4-translated-ipv6 isatap-embedded-ipv4
dot-segment escaped-dot-segment invalid-utf8-escape overlong-utf8 escape-after-astral escaped-bidi escape-mixed-iri ipv6-path-digit
escaped-compatibility
url-too-long query-after-empty-path fragment-after-empty-path colon-port-in-tail port-nondefault
escaped-crlf escaped-nul escaped-control double-escape double-escape-crlf escaped-slash-dot path-param-dot-segment host-trailing-dot
scheme-case host-case escape-case port-default path-empty tail-apostrophe fragment-question tail-colon-digits escaped-slash
path-backslash-escaped path-double-slash query-empty fragment-empty url-in-path query-nested-url
fragment-authority-confusion leading-trailing-space bom-or-invisible-prefix multiple-urls quoting-wrapper template-or-glob
query-nested-brackets scheme-script scheme-data scheme-file scheme-text-protocol scheme-ldap-jndi scheme-archive-wrapper
scheme-app-handler scheme-prefix-wrapper
""".split()


class Catalogue(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.result = run("findings", "--format=tsv")
        cls.rows = cls.result.rows()
        if not cls.rows:
            raise AssertionError("the catalogue is empty: %r" % cls.result)

    def test_status(self):
        """findings exits 0."""
        self.assertEqual(self.result.code, 0)
        self.assertEqual(run("findings").code, 0)

    def test_columns(self):
        """TSV has id, number, class, component, reference, text; no column is empty."""
        for row in self.rows:
            with self.subTest(row[0]):
                self.assertEqual(len(row), 6)
                self.assertTrue(all(row))

    def test_many(self):
        """There are at least ninety findings."""
        self.assertGreaterEqual(len(self.rows), 90)

    def test_unique(self):
        """Ids and numbers are unique."""
        self.assertEqual(len({row[0] for row in self.rows}), len(self.rows))
        self.assertEqual(len({row[1] for row in self.rows}), len(self.rows))

    def test_numbers(self):
        """A number is a number."""
        for row in self.rows:
            with self.subTest(row[0]):
                self.assertRegex(row[1], r"\A(0|[1-9][0-9]*)\Z")

    def test_kebab_case(self):
        """An id is in kebab-case."""
        for row in self.rows:
            with self.subTest(row[0]):
                self.assertRegex(row[0], r"\A[a-z0-9]+(-[a-z0-9]+)*\Z")

    def test_classes(self):
        """A class is malformed, ambiguous, dangerous, policy or note, and each of them occurs."""
        self.assertEqual({row[2] for row in self.rows}, CLASSES)

    def test_gate(self):
        """The ids of the strict grammar are there."""
        self.assertLessEqual(set(GATE), {row[0] for row in self.rows})

    def test_some_classes(self):
        """url-too-long and scheme-not-allowed are policy, port-nondefault and escaped-bidi dangerous, not-absolute malformed."""
        classes = {row[0]: row[2] for row in self.rows}
        for name, expected in (("url-too-long", "policy"), ("scheme-not-allowed", "policy"), ("port-nondefault", "dangerous"),
                               ("escaped-bidi", "dangerous"), ("not-absolute", "malformed"), ("scheme-case", "ambiguous"), ("host-case", "note"),
                               ("userinfo-present", "ambiguous"), ("raw-space", "malformed"), ("escaped-slash", "ambiguous"),
                               ("double-escape", "dangerous"), ("dot-segment", "ambiguous")):
            with self.subTest(name):
                self.assertEqual(classes[name], expected)

    def test_address_classes(self):
        """All addr-* are policy."""
        self.assertLessEqual({row[2] for row in self.rows if row[0].startswith("addr-")}, {"policy"})

    def test_clean(self):
        """The catalogue is printable ASCII in tsv and human."""
        self.assertClean(self.result.out)
        self.assertClean(run("findings", "--format=human").out)

    def test_human(self):
        """human has every id."""
        out = run("findings", "--format=human").out
        for row in self.rows:
            self.assertIn(row[0].encode(), out)

    def test_json(self):
        """JSON: one object a line with the same six values, with the findings in the same order."""
        result = run("findings", "--format=json")
        self.assertEqual(result.code, 0)
        made = result.objects()
        self.assertEqual(len(made), len(self.rows))
        for item, row in zip(made, self.rows):
            with self.subTest(row[0]):
                self.assertEqual(set(item), set(KEYS))
                self.assertIs(type(item["number"]), int)
                self.assertEqual([str(item[k]).encode("utf-8") for k in KEYS], [unescape(column) for column in row])

    def test_one(self):
        """findings ID prints only that finding."""
        for row in self.rows[::20]:
            with self.subTest(row[0]):
                result = run("findings", "--format=tsv", row[0])
                self.assertEqual((result.code, result.rows()), (0, [row]))

    def test_one_json(self):
        """findings ID in JSON is one object."""
        made = run("findings", "--format=json", "port-zero").objects()
        self.assertEqual([o["id"] for o in made], ["port-zero"])

    def test_one_human(self):
        """findings ID prints the finding in human format too."""
        result = run("findings", "port-zero")
        self.assertEqual(result.code, 0)
        self.assertIn(b"port-zero", result.out)
        self.assertNotIn(b"userinfo-multiple-at", result.out)

    def test_unknown(self):
        """An unknown ID is exit status 2, and standard error names it."""
        for name in ("no-such-finding", "port-", "PORT-ZERO"):
            with self.subTest(name):
                result = run("findings", name)
                self.assertUsage(result, name)
                self.assertEqual(result.out, b"")


if __name__ == "__main__":
    unittest.main()
