# SPDX-License-Identifier: Apache-2.0
"""Tests findings, which prints the catalogue."""
import re

from helper import Case, run, unescape, wrapped

CLASSES = {"malformed", "ambiguous", "dangerous", "policy", "note"}
KEYS = ["id", "number", "class", "component", "reference", "text", "next"]


class Catalogue(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.result = run("findings", "--format=tsv")
        cls.rows = cls.result.rows()
        cls.objects = run("findings", "--format=json").objects()
        if not cls.rows or cls.result.code:
            raise AssertionError("the catalogue is empty: %r" % cls.result)

    def test_columns(self):
        """TSV has id, number, class, component, reference, text, next, as the help says; no column is empty, and each class occurs."""
        self.assertEqual({row[2] for row in self.rows}, CLASSES)
        self.assertIn(", ".join(KEYS), " ".join(run("findings", "--help").out.decode().split()))
        for row in self.rows:
            with self.subTest(row[0]):
                self.assertEqual(len(row), 7)
                self.assertTrue(all(row))

    def test_human(self):
        """human lists the findings of each class by number, with the same words."""
        lines = []
        for name in ("malformed", "ambiguous", "dangerous", "policy", "note"):
            lines.append("%s: " % name)
            for f in self.objects:
                if f["class"] == name:
                    lines.append("  %-30s%d  %s  [%s]" % (f["id"] + " " * (len(f["id"]) >= 30), f["number"], f["component"], f["reference"]))
                    lines += wrapped(f["text"], 6) + (wrapped(f["next"], 6) if f["next"] not in f["text"] else [])
        result = run("findings")
        self.assertClean(result.out + self.result.out)
        self.assertEqual([re.match(r"\w+: |.*", line)[0] for line in result.out.decode().split("\n") if line], lines)

    def test_json(self):
        """JSON: one object a line with the same seven values, with the findings in the same order."""
        for item, row in zip(self.objects, self.rows, strict=True):
            with self.subTest(row[0]):
                self.assertEqual(list(item), KEYS)
                self.assertIs(type(item["number"]), int)
                self.assertEqual([str(item[k]).encode("utf-8") for k in KEYS], [unescape(column) for column in row])

    def test_one(self):
        """findings ID prints only that finding, in each format."""
        for row, made in zip(self.rows[::20], self.objects[::20]):
            with self.subTest(row[0]):
                result = run("findings", "--format=tsv", row[0])
                self.assertEqual((result.code, result.rows()), (0, [row]))
                self.assertEqual(run("findings", "--format=json", row[0]).objects(), [made])
                head, text, fields = run("findings", row[0]).out.decode().split("\n\n")
                self.assertEqual((head, " ".join(text.split())), ("%s (number %s)" % (row[0], row[1]), made["text"]))
                known = {"class": made["class"], "component": made["component"], "reference": made["reference"], "next step": made["next"]}
                self.assertLessEqual(known.items(), {line[:14].strip(): line[14:] for line in fields.split("\n")}.items())

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
            result = run("findings", name)
            self.assertUsage(result, name)
            self.assertEqual(result.out, b"")
