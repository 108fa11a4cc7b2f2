# SPDX-License-Identifier: Apache-2.0
"""Tests findings, which prints the catalogue."""
import re

from helper import Case, run, unescape

CLASSES = {"malformed", "ambiguous", "dangerous", "policy", "note"}
KEYS = ["id", "number", "class", "component", "reference", "text", "next"]


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
        """TSV has id, number, class, component, reference, text, next, as the help says; no column is empty."""
        self.assertIn(", ".join(KEYS), " ".join(run("findings", "--help").out.decode().split()))
        for row in self.rows:
            with self.subTest(row[0]):
                self.assertEqual(len(row), 7)
                self.assertTrue(all(row))

    def test_classes(self):
        """A class is malformed, ambiguous, dangerous, policy or note, and each of them occurs."""
        self.assertEqual({row[2] for row in self.rows}, CLASSES)

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
        """JSON: one object a line with the same seven values, with the findings in the same order."""
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

    def test_refuses(self):
        """What the command says of --allow and --refuse is so: a finding that always refuses cannot be allowed, and a note has to be named."""
        for row in self.rows:
            says = re.search(r"^ *refuses +(.*)$", run("findings", row[0]).out.decode(), re.M)[1]
            allowed = run("check", "--allow=" + row[0], "http://a.example/")
            with self.subTest(row[0], says=says):
                self.assertEqual(says == "always", allowed.code == 2)
                self.assertEqual(row[2] == "note", row[2] != "policy" and "where --refuse names it" in says)

    def test_unknown(self):
        """An unknown ID is exit status 2, and standard error names it."""
        for name in ("no-such-finding", "port-", "PORT-ZERO"):
            with self.subTest(name):
                result = run("findings", name)
                self.assertUsage(result, name)
                self.assertEqual(result.out, b"")
