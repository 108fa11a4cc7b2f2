# SPDX-License-Identifier: Apache-2.0
"""Tests policy files: their syntax, the errors and their places, and how they judge."""

import os
import random
import re
import resource
import subprocess
import time
import unittest
from pathlib import Path

from helper import GOOD, URIVET, HomeCase, core, environment, instrumented, lacks, needs, octets, run, run_measured, spelled, takes_long, write_file


@needs("libyaml-dev")
class FileCase(HomeCase):
    """A test of policy files."""

    def problems(self, content, name="proxy.yaml"):
        """Returns the problems of a file: its lines on standard error without 'urivet: '."""
        self.write(content, name)
        result = self.urivet("policy", "check", name)
        self.assertEqual((result.code, result.out), (2, b""), (content, result))
        lines = result.err.decode("ascii").splitlines()
        self.assertTrue(all(line.startswith("urivet: ") for line in lines), result)
        return [line[len("urivet: "):] for line in lines]

    def assertGood(self, content):
        self.write(content)
        result = self.urivet("policy", "check", "proxy.yaml")
        self.assertEqual((result.code, result.err), (0, b""), (content, result))

    def verdict(self, content, uri, *options):
        """Returns the verdict and the findings of a URI by a policy."""
        self.write(content)
        result = self.urivet("check", "--format=tsv", "--policy-file=proxy.yaml", *options, "--", uri)
        self.assertIn(result.code, (0, 1), (content, result))
        row = result.rows()[0]
        return row[0], [] if row[1] == "-" else row[1].split(",")


# Faulty files, and each problem with its place; none of a file that is good.
PROBLEMS = [(spelled(content), problems) for content, *problems in core.rows(Path(__file__).with_name("problems.tsv"))]
PROBLEMS += [(octets(content), problems) for content, problems in (
    ("{a: " * 100000, ['1:2: unknown key "a"', "1:69: lists and groups are nested more than 16 deep"]),
    ("a:\n" + "".join("\n%s- b:" % (" " * 3 * i) for i in range(1, 40)), ['1:1: unknown key "a"', "11:28: lists and groups are nested more than 16 deep"]),
    ("".join("a%d: 1\n" % i for i in range(21000)), ['%d:1: unknown key "a%d"' % (i + 1, i) for i in range(100)] + ["and 19901 more problems"]),
    ("paths:\n" + "- {prefix: /%d, allow: [escaped-slash]}\n" * 4099 % tuple(range(4099)), ["4098:12: more than 4096 rules for paths: write a prefix that several of them have in common"]),
)]


class Problems(FileCase):
    def test_problems(self):
        """Each fault is reported with its place, and nothing else is reported."""
        for content, expected in PROBLEMS:
            with self.subTest(content=content[:80]):
                if not expected:
                    self.assertGood(content)
                    continue
                lines = self.problems(content)
                self.assertEqual(lines, ["proxy.yaml:" * problem[0].isdigit() + problem for problem in expected])
                if b"\n" in content and b"\0" not in content and len(content) < 1000 and "ends here" not in lines[0]:
                    self.assertEqual(self.problems(content + b"\n# \xc3\xa9"), lines)  # places are found otherwise if not all is ASCII

    # A list; two good items, one with a fault, and one that those before it make superfluous, or that repeats one of them.
    PLACES = [("schemes", "http", "https", "htp:", "https"), ("ports.http", "8080", "8090-8099", "65536", "8095"), ("ports.wss", "8080", "8081-8090", "0", "8085"),
              ("hosts.allow", "{name: .github.io, shared: true}", ".b.example", ".com", "x.b.example"),
              ("hosts.deny", "{name: .a.example, except: [x.a.example]}", "'*.b.example'", "{name: .d.example, except: [d.example]}", "x.b.example"),
              ("hosts.allow", "a.example", ".b.example", "c_.*", "+.b.example"), ("hosts.deny", "a.example", "'*.b.example'", "'*'", "a.example."),
              ("urls.allow", "https://a.example/x", "https://b.example/", "https://c.example/x/../y", "https://a.example/x/y"),
              ("urls.forbid_parameters", "a", "b", "''", "b"),
              ("addresses.allow", "10.0.0.0/8", "192.0.2.1", "10.0.0.1/8", "10.1.0.0/16"), ("addresses.deny", "2001:db8::/32", "127.0.0.1", "127.1", "2001:db8:1::/48"),
              ("addresses.nat64", "2001:db8:1::/96", "2001:db8:2::/96", "2001:db8::/95", "2001:db8:1:0::/96"),
              ("allow", "userinfo-present", "dot-segment", "control-char", "dot-segment"), ("refuse", "host-case", "path-empty", "no-such", "host-case"),
              ("protect", "a.example", "b.example", "b..example", "A.example."), ("strip_prefix", "/a", "/b", "c", "/a"),
              ("paths", "{prefix: /a, allow: [escaped-slash]}", "{prefix: /b, methods: [GET], allow: [escaped-slash]}", "{prefix: /c, allow: []}", "{prefix: /a, allow: [escaped-crlf]}")]

    def test_every_place(self):
        """A fault is reported at its own line wherever it stands in a list, in a policy file and in those that it includes:
        alone, first, between, last, twice. Nothing else is, whatever stands in other lists."""
        for key, first, second, bad, superfluous in self.PLACES:
            others = {"urls.forbid_parameters": "urls: {allow: [https://z.example/]}", "ports.wss": "ports: {ftp: [60000], http: [60001-60009]}"}.get(key, "limits: {length: 100}")
            names = key.split(".")
            for items in ([bad], [bad, first, second], [first, bad, second], [first, second, bad], [bad, first, bad], [first, second, superfluous]):
                lines = ["  " * depth + name + ":" for depth, name in enumerate(names)]
                lines += ["  " * len(names) + "- " + item for item in items]
                wrong = [2 + len(names) + k for k, item in enumerate(items) if item == bad or k == 2 and bad not in items]
                for file in ("proxy.yaml", "1.yaml", "2.yaml"):
                    for name, start, end in (("proxy.yaml", "include: [1.yaml]", "base: any"), ("1.yaml", "include: [2.yaml]", ""), ("2.yaml", "# the last", "")):
                        beside = others if name == ("proxy.yaml" if file == "2.yaml" else "2.yaml") else ""
                        self.write("\n".join([start, *(lines if name == file else []), end, beside]), name)
                    found = self.urivet("policy", "check", "proxy.yaml").err.decode("ascii")
                    self.assertEqual(list(dict.fromkeys(re.findall(r"(?m)^urivet: (\S+?:\d+):", found))), ["%s:%d" % (file, line) for line in wrong], (items, found))

    # What pages and headers say of a number that is the most, and a policy with so many of something.
    LIMITS = [("%d rules for paths", 4096, lambda n: "paths:\n" + "".join("- {prefix: /%d, allow: [escaped-slash]}\n" % k for k in range(n))),
              ("%d for parameters", 100, lambda n: "parameters:\n" + "".join("  p%d: {policy: any}\n" % k for k in range(n))),
              ("%d keys a file", 20000, lambda n: "name: x\n" * (n % 2) + "hosts:\n  deny:\n" + "".join("  - {name: .h%d.example, except: [x.h%d.example]}\n" % (k, k) for k in range(n // 2 - 1))),
              ("%d values", 1048576, lambda n: "a: [" + "x," * (n - 2) + "]"), ("nested %d deep", 16, lambda n: "a: " + "[" * n + "]" * n),
              ("texts of %d octets", 4094, lambda n: "name: '" + "x" * n + "'"), ("%d octets of white space in a row", 4096, lambda n: "name: x" + "\n" * n),
              ("of a name, 1 to %d", 253, "limits: {host: %d}".__mod__), ("of a label of a name, 1 to %d", 63, "limits: {label: %d}".__mod__), ("of a URI, 1 to %d;", 1 << 30, "limits: {length: %d}".__mod__),
              ("URIVET_PATH_RULE_MOST %d", 1024, lambda n: "strip_prefix: [/" + "x" * (n - 1) + "]"),
              ("URIVET_PARAMETER_VALUES_MOST %d", 65535, lambda n: "parameters: {a: {values: [" + "".join("%04x, " % k for k in range(n // 5 - 1)) + "x" * (n % 5 + 4) + "]}}"),
              ("URIVET_FORBIDDEN_PARAMETERS %d", 128, lambda n: "urls: {also: ['a:/'], forbid_parameters: [" + "x" * (n - 2) + "]}"), ("URIVET_SCHEME_NAMES %d", 256, lambda n: "schemes: [" + "x" * (n - 2) + "]")]

    def test_limits(self):
        """So much is good, and one more is not."""
        texts = [(core.ROOT / name).read_text("utf-8") for name in ("src/cli/manual/urivet-policy.5", "include/urivet.h", "include/urivet/rules.h")]
        pages = " ".join("".join(texts).replace("\n.Pq", "").split())
        for words, most, make in self.LIMITS:
            with self.subTest(words):
                self.assertIn(words % most, pages)
                self.write(make(most))
                few = self.urivet("policy", "check", "proxy.yaml").err.count(b"\n")
                self.write(make(most + 1))
                self.assertEqual(self.urivet("policy", "check", "proxy.yaml").err.count(b"\n"), few + 1)

    def test_missing(self):
        self.assertUsage(self.urivet("policy", "check", "none.yaml"), "cannot open 'none.yaml': No such file")
        self.assertUsage(self.urivet("check", "--policy-file=none.yaml", GOOD), "cannot open 'none.yaml'")
        self.assertUsage(self.urivet("policy", "check", "."), "cannot read '.': Is a directory")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable(self):
        self.write('base: "any"')
        os.chmod(os.path.join(self.home, "proxy.yaml"), 0)
        self.assertUsage(self.urivet("policy", "check", "proxy.yaml"), "cannot open 'proxy.yaml': Permission denied")

    def test_too_large(self):
        """A file of more than 64 MiB is refused before it is read completely."""
        self.write("")
        os.truncate(os.path.join(self.home, "proxy.yaml"), 1 << 30)
        self.assertUsage(self.urivet("policy", "check", "proxy.yaml"), "'proxy.yaml' is longer than 67108864 octets")
        self.assertUsage(self.urivet("policy", "check", "/dev/zero"), "'/dev/zero' is longer than 67108864 octets")

    def test_no_hint_at_the_command_line(self):
        """A faulty file gives no hint about the command line."""
        self.write("bse: 1")
        self.assertNotIn(b"urivet help", self.urivet("check", "--policy-file=proxy.yaml", GOOD).err)

    def test_many(self):
        """A hundred problems are reported, and the number of the others."""
        lines = self.problems("hosts: {allow: [" + ",\n".join('"a b"' for _ in range(150)) + "]}")
        self.assertEqual(len(lines), 101)
        self.assertEqual([int(line.split(":")[1]) for line in lines[:100]], list(range(1, 101)))
        self.assertEqual(lines[100], "and 50 more problems")

    def test_any_octets(self):
        """Any file gives an exit status of at most 2."""
        source = random.Random(1)
        pieces = [c for c, _ in PROBLEMS if len(c) < 1000]
        for _ in range(60):
            content = bytearray(source.choice(pieces) + b"\n" + source.choice(pieces))
            for _ in range(source.randrange(4)):
                content[source.randrange(len(content))] = source.choice(b'"\\(){}[]=;,@/*#\n\0\xff0a')
            self.write(bytes(content))
            result = self.urivet("policy", "check", "proxy.yaml")
            self.assertIn(result.code, (0, 2), (content, result))
            self.assertClean(result.err)


class Columns(FileCase):
    """The column of a problem counts octets from 1."""

    def assertColumn(self, content, place, text):
        lines = self.problems(content)
        self.assertEqual(lines[0].split(": ")[0], "proxy.yaml:" + place, lines)
        self.assertIn(text, lines[0])

    def test_columns(self):
        for content, place, text in [
                ("hosts: {deny: [a.example, b c]}", "1:27", '"b c" is no host name'),
                ("hosts:\n  deny:\n    - a.example\n    -  b c\n", "4:8", '"b c" is no host name'),
                ("base: any\r\nhosts:\r\n  deny:\r\n    - b c\r\n", "4:7", '"b c" is no host name'),
                ("  bse: any", "1:3", "unknown key"),
                ("hosts: {deny: [a.example], alow: [b.example]}", "1:28", "unknown key"),
                ("limits:\n  host: 0", "2:9", '"limits.host" takes a number'),
                ("limits: {host: 20,  label: }", "1:21", '"limits.label" has no value'),
                ("base: any\nbase: any", "2:1", "for the second time"),
                ("hosts: {deny: []}", "1:9", "is empty"),
                ("hosts: {deny: [.b.example, a.b.example]}", "1:28", "is covered by"),
                ("base: any\nname: @x", "2:7", "cannot begin a text"),
                ('base: any\nname:  "x', "2:8", "does not end"),
                (b"base: any\nname: x\0", "2:8", "a NUL"),
                (b"base: any\nname: \xff", "2:7", "no UTF-8")]:
            with self.subTest(content=content):
                self.assertColumn(content, place, text)

    def test_end_and_octets(self):
        """What is missing at the end of a file is missing there, not in a line that the file does not have. Columns do not count
        characters, as libyaml does."""
        for content, place, problem in [
                ("parameters:\n  a: {rooted", "2:13", -1), ("parameters:\n  a: {rooted\n", "3:1", -1), ("parameters:\n  \u00fc: {rooted", "2:14", -1),
                ("hosts:\n  deny:\n    - a.example\n    -", "4:6", -1), ("name: \u00fc\u20ac\U0001f4a9\nhosts: {deny: [b c]}", "2:16", 0),
                ("{name: \u00fc\u20ac\U0001f4a9, base: x}", "1:25", 0),
                ("# \u00fc\n{name: \u00fc, hosts: {deny: [a.example, # \u00fc\u00fc\n b c]}}", "3:2", 0), ("{name: \u00fc, mode: @}", "1:18", 0),
                ('{name: \u00fc, mode: [a, "b}', "1:22", 0), ("name: x # \u00fc\u00fc\r\nbase: x", "2:7", 0), ("name: \u00fc\u2028", "1:9", 0)]:
            self.assertEqual(self.problems(content)[problem].split(": ")[0], "proxy.yaml:" + place, content)


class Includes(FileCase):
    def test_lists(self):
        """The lists of included files are added, whatever includes them, in the order of the files."""
        os.mkdir(os.path.join(self.home, "d"))
        os.mkdir(os.path.join(self.home, "d", "e"))
        self.write("include: [e/hosts.yaml]\nhosts: {allow: [example.org]}\nschemes: [https]", "d/proxy.yaml")
        self.write("include: [more.yaml]\nhosts:\n  allow:\n    - example.com\n    - .example.net # two\n", "d/e/hosts.yaml")
        self.write("hosts: {allow: [a.example]}\nschemes: [http]\nlimits: {host: 20}", "d/e/more.yaml")
        shown = self.urivet("policy", "show", "--format=json", "d/proxy.yaml").objects()[0]
        self.assertEqual(shown["hosts"]["allow"], ["example.org", "example.com", ".example.net", "a.example"])
        self.assertEqual((shown["schemes"], shown["limits"]["host"]), (["http", "https"], 20))

    def test_absolute(self):
        self.write("hosts: {deny: [a.example]}", "hosts.yaml")
        self.write('include: ["%s/hosts.yaml"]' % self.home)
        os.mkdir(os.path.join(self.home, "elsewhere"))
        shown = run("policy", "show", "--format=json", "../proxy.yaml", cwd=os.path.join(self.home, "elsewhere"))
        self.assertEqual(shown.objects()[0]["hosts"]["deny"], ["a.example"])

    def test_standard_input(self):
        """A file that standard input includes is searched in the current folder."""
        self.write("hosts: {deny: [a.example]}", "hosts.yaml")
        result = self.urivet("policy", "check", "-", stdin=b"include: [hosts.yaml]")
        self.assertEqual(result.out, b"<stdin>: ok (1 host rule, 0 address rules, 0 port rules)\n")

    def test_places(self):
        """Problems are reported with their own file, line and column, those of the policy file first."""
        self.write("hosts:\n  allow:\n    - bad host\n    - a.example\n\n    - a.example\n", "hosts.yaml")
        lines = self.problems("include: [hosts.yaml]\nhosts: {allow: [\n a.example,\n b c\n ]}\nx: 1")
        self.assertEqual([line.split(": ")[0] for line in lines],
                         ["proxy.yaml:4:2", "proxy.yaml:6:1", "hosts.yaml:3:7", "hosts.yaml:4:7", "hosts.yaml:6:7"])
        self.write("hosts:\n  allow:\n    - a.example\n\n    - a.example\n", "hosts.yaml")
        lines = self.problems("include: [hosts.yaml]\nhosts: {allow: [\n a.example\n ]}")
        self.assertEqual([line.split(": ")[0] for line in lines], ["hosts.yaml:3:7", "hosts.yaml:5:7"])
        self.assertIn("in proxy.yaml:3 already", lines[0])

    def test_once(self):
        """Text, number and boolean settings may be in one of the files only, and some only in the policy file."""
        for key, value in (("base", "any"), ("name", "x"), ("mode", "observe")):
            self.write("%s: %s\n" % (key, value), "b.yaml")
            self.assertEqual(self.problems("include: [b.yaml]"),
                             ['b.yaml:1:1: "%s" is set in the policy file alone, not in one that it includes' % key])
        self.write("schemes: [https]\nlimits: {host: 20}\nopaque_query: true", "b.yaml")
        self.assertGood("include: [b.yaml]\nlimits: {label: 20}")
        self.assertEqual(self.problems("include: [b.yaml]\nopaque_query: true\nlimits: {host: 20}"),
                         ['b.yaml:2:10: "limits.host" is there for the second time: it stands in proxy.yaml:3 already',
                          'b.yaml:3:1: "opaque_query" is there for the second time: it stands in proxy.yaml:2 already'])
        self.write("hosts: {deny: [a.example]}", "c.yaml")
        self.assertEqual(self.problems("include: [c.yaml, c.yaml]"),
                         ['c.yaml:1:16: deny "a.example" stands in c.yaml:1 already'])
        self.write("refuse: [host-case]", "c.yaml")
        self.assertEqual(self.problems("include: [c.yaml]\nallow: [host-case]"),
                         ['c.yaml:1:10: finding "host-case" is both allowed and refused'])

    def test_faults(self):
        """Syntax errors are reported in included files, too; a file that cannot be included is reported at its place, with the
        other problems."""
        for included, content, places in (("hosts: {deny: [a.example]}\nhosts: [", "include: [b.yaml]", ["b.yaml:2:1", "b.yaml:2:9"]),
                                          ("- a.example\n", "include: [b.yaml]", ["b.yaml:1:1: a list: a policy file has keys with values, such as base: public"]),
                                          ("", "\ninclude: [none.yaml]", ["proxy.yaml:2:11: cannot open 'none.yaml': No such file or directory"]),
                                          ("", 'include: ["."]', ["proxy.yaml:1:11: cannot read '.': Is a directory"]),
                                          ("", "bse: x\ninclude: [none.yaml]\nname: [x]", ["proxy.yaml:1:1", "proxy.yaml:2:11", "proxy.yaml:3:7"]),
                                          ("", "include: [proxy.yaml]", ["proxy.yaml:1:11: 'proxy.yaml' includes itself"]),
                                          ("include: [./proxy.yaml]", "\ninclude: [b.yaml]", ["b.yaml:1:11: './proxy.yaml' includes itself"])):
            with self.subTest(included=included, content=content):
                self.write(included, "b.yaml")
                problems = self.problems(content)
                self.assertEqual([problem[:len(place)] for problem, place in zip(problems, places, strict=True)], places)
        os.symlink("proxy.yaml", os.path.join(self.home, "c.yaml"))
        self.assertEqual(self.problems("include: [c.yaml]"), ["proxy.yaml:1:11: 'c.yaml' includes itself"])

    def test_special_files(self):
        """A pipe or a device is neither read nor waited for."""
        os.mkfifo(os.path.join(self.home, "pipe.yaml"))
        self.assertEqual(self.problems("include: [pipe.yaml]"), ["proxy.yaml:1:11: 'pipe.yaml' is no regular file"])
        for device in ("/dev/zero", "/dev/null", "/dev/stdin"):
            self.assertEqual(self.problems("include: [%s]" % device), ["proxy.yaml:1:11: '%s' is no regular file" % device])
        self.assertUsage(self.urivet("policy", "check", "pipe.yaml"), "'pipe.yaml' is a pipe that nobody writes to")

    def test_deep(self):
        for i in range(20):
            self.write("include: [%d.yaml]" % (i + 1), "%d.yaml" % i)
        self.write("hosts: {deny: [a.example]}", "20.yaml")
        self.assertEqual(self.problems("include: [0.yaml]"), ["9.yaml:1:11: files include each other more than 10 deep"])
        self.assertGood("include: [12.yaml]")

    def test_many(self):
        self.write("include: []", "b.yaml")
        self.assertEqual(self.problems("include:\n" + "- b.yaml\n" * 1000)[-1], "and 900 more problems")
        for i in range(999):
            self.write("hosts: {deny: [h%d.example]}" % i, "%d.yaml" % i)
        self.assertGood("include: [%s]" % ", ".join("%d.yaml" % i for i in range(999)))
        self.assertEqual(self.problems("include: [%s, b.yaml]" % ",\n ".join("%d.yaml" % i for i in range(999))),
                         ["proxy.yaml:999:12: more than 999 files are included"])

    def test_too_large(self):
        """The size limit is for all files together."""
        self.write("hosts: {deny: [a.example]} " + "#" * 1000 + "\n", "b.yaml")
        self.write((b"#" * 1023 + b"\n") * 65535, "c.yaml")
        self.assertEqual(self.problems("include: [b.yaml,\n c.yaml]"),
                         ["proxy.yaml:2:2: with 'c.yaml' the policy has more than 67108864 octets"])
        for name in ("a.yaml", "c.yaml"):
            self.write("base: any\n" + ("#" * 4000 + "\n") * 8700, name)
        self.assertEqual(self.problems("parameters:\n  u: {policy: ./a.yaml}\n  v: {policy: ./c.yaml}"), ["proxy.yaml:3:15: with './c.yaml' the policy has more than 67108864 octets"])


class PublicSuffixes(FileCase):
    def test_wide_rules(self):
        """A rule that allows a suffix below which many can register is a fault."""
        for rule in (".com", "*.com", "+.com", "+.co.uk", "*.co.uk", ".CO.UK", ".github.io", ".ck"):
            with self.subTest(rule=rule):
                name = rule.lstrip("*+.")
                if lacks("publicsuffix") and "." in name:
                    continue
                self.assertEqual(self.problems('hosts: {allow: ["%s"]}' % rule),
                                 ['proxy.yaml:1:17: allow "%s" is wider than anybody\'s own domain: "%s" is a public suffix; if that is on '
                                  'purpose, write {name: "%s", shared: true}' % (rule, name, rule)])
                self.assertGood('hosts: {allow: [{name: "%s", shared: true}]}' % rule)
                self.assertEqual(len(self.problems('hosts: {allow: [{name: "%s", shared: false}]}' % rule)), 1)

    def test_others(self):
        self.assertGood('hosts: {deny: [".com", "*.co.uk"]}')
        self.assertGood('hosts: {allow: ["com", "co.uk", ".example.com", "*.example.co.uk"]}')
        if not lacks("publicsuffix"):
            self.assertGood('hosts: {allow: [".internal", "*.lan"]}')


class Judging(FileCase):
    def test_keys(self):
        """What each key changes: a policy, a URI, options, the verdict, and findings (all of them, if the list is complete). Without
        a base, the policy begins with strict; the base may come after the settings that change it."""
        schemes, named = 'base: "public"\nschemes: ["https", "other"]', 'base: "any"\nschemes: [https, mailto, tel, "x-a+b.c"]'
        nat64 = 'base: "public"\naddresses: {nat64: ["2600:64::/96"]}'
        findings = 'allow: ["host-trailing-dot"]\nrefuse: ["scheme-plaintext", "port-default"]'
        limits, on_top = "limits: {length: 40, host: 20, label: 10}", 'refuse: ["port-default"]\nlimits: {length: 100}'
        for policy, uri, options, verdict, found in (
                ('name: "x"', "http://10.0.0.1/", (), "accept", []), ('name: "x"', "ftp://example.com/", (), "reject", None),
                ('base: "public"', "http://10.0.0.1/", (), "reject", ["addr-not-global", "addr-private"]), ('base: "any"', "ftp://example.com/", (), "accept", None),
                ('allow: ["host-single-label"]\nbase: "public"', "http://printer/", (), "accept", None),
                (schemes, "https://example.com/", (), "accept", None), (schemes, "http://example.com/", (), "reject", ["scheme-not-allowed"]),
                (schemes, "mailto:a@example.com", (), "accept", None), (schemes, "javascript:alert(1)", (), "reject", None),
                *((named, uri, (), "accept", None) for uri in ("https://example.com/", "mailto:a@example.com", "MAILTO:a@example.com", "tel:+123", "x-a+b.c:1")),
                *((named, uri, (), "reject", {"scheme-not-allowed"}) for uri in ("x-a+b:1", "http://example.com/", "jdbc:mysql://h/?a=true", "teamviewer10:x")),
                ('schemes: ["ws", "wss", "ftp"]', "wss://example.com/", (), "accept", None),
                ('base: "public"\nhosts: {allow: ["localhost"]}', "http://localhost/", (), "accept", None),
                (nat64, "http://[2600:64::808:808]/", (), "accept", None), ('base: "public"', "http://[2600:64::a00:1]/", (), "accept", None),
                (nat64, "http://[2600:64::a00:1]/", (), "reject", ["nat64-embedded-ipv4", "addr-not-global", "addr-private"]),
                (findings, "https://example.com./", (), "accept", ["host-trailing-dot"]), (findings, "http://example.com/", (), "reject", ["scheme-plaintext"]),
                (findings, "https://example.com:443/", (), "reject", ["port-default"]),
                (limits, "http://example.com/", (), "accept", []), (limits, "http://example.com/" + 22 * "a", (), "reject", ["url-too-long"]),
                (limits, "http://a.b.c.d.e.f.g.h.i.j.k/", (), "reject", ["host-too-long"]), (limits, "http://abcdefghijk.com/", (), "reject", ["host-label-too-long"]),
                # options override the file
                (on_top, "https://example.com:443/", (), "reject", None), (on_top, "https://example.com:443/", ("--allow=port-default",), "accept", None),
                (on_top, "https://example.com:443/", ("--max-length=10",), "reject", ["url-too-long"]),
                (on_top, "https://example.com/?", ("--refuse=query-empty",), "reject", None)):
            with self.subTest(policy=policy, uri=uri, options=options):
                got = self.verdict(policy, uri, *options)
                self.assertEqual(got[0], verdict)
                if isinstance(found, set):
                    self.assertLessEqual(found, set(got[1]))
                elif found is not None:
                    self.assertEqual(got[1], found)

    def test_not_with_policy(self):
        self.write('base: "any"')
        for order in (["--policy=any", "--policy-file=proxy.yaml"], ["--policy-file=proxy.yaml", "--policy=any"]):
            self.assertUsage(self.urivet("check", *order, GOOD), "--policy and --policy-file exclude each other")


class Urls(FileCase):
    def test_counted(self):
        self.write("hosts: {allow: [www.example.com]}\nurls: {allow: ['https://app.example.com:8443/cb', 'com.example.app:/cb', 'http://127.0.0.1:*/cb$']}")
        self.assertEqual(self.urivet("policy", "check", "proxy.yaml").out,
                         b"proxy.yaml: ok (1 host rule, 0 address rules, 0 port rules, 3 URL rules)\n")

    def test_shown(self):
        """The deciding rule is reported, and the rules are shown."""
        self.write("urls:\n  allow:\n    - https://app.example.com/cb\n")
        self.assertIn(b'URL decided by: allow "https://app.example.com/cb" (proxy.yaml:3)\n',
                      self.urivet("explain", "--policy-file=proxy.yaml", "https://app.example.com/cb").out)
        self.assertIn(b'decided by: "urls.allow", which has no rule for it (proxy.yaml:2)\n',
                      self.urivet("explain", "--policy-file=proxy.yaml", "https://app.example.com/").out)
        self.assertEqual(self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]["urls"],
                         {"allow": ["https://app.example.com/cb"]})


class Parameters(FileCase):
    """Rules for parameters, judged by every command."""

    POLICY = """
parameters:
  next: {rooted: true}
  url: {policy: values/public.yaml}
  body: {allow: [escaped-crlf]}
"""
    # URLs, and the findings by which they are refused.
    URLS = [("https://a.example.com/?next=/x", "-"), ("https://a.example.com/?next=x", "param-refused"),
            ("https://a.example.com/?url=https://github.com/", "-"), ("https://a.example.com/?url=https://evil.com/", "param-refused"),
            ("https://a.example.com/?body=%0A", "-"), ("https://a.example.com/?bodx=%0A", "escaped-crlf")]

    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.home, "values"))
        self.write("base: public\ninclude: [deny.yaml]", "values/public.yaml")
        self.write("hosts: {deny: [evil.com]}", "values/deny.yaml")
        self.write(self.POLICY)
        self.lines = "".join(url + "\n" for url, _ in self.URLS).encode()
        self.accepted = "".join(url + "\n" for url, found in self.URLS if found == "-").encode()

    def refusals(self, *args, stdin):
        """Returns the findings that refuse of each row."""
        rows = self.urivet(*args, stdin=stdin).rows()
        return [",".join(f for f in row[1].split(",") if f in ("param-refused", "escaped-crlf")) or "-" for row in rows]

    def test_commands(self):
        """check, filter, scan and resolve judge the parameters, by the file and by its compiled form."""
        want = [found for _, found in self.URLS]
        self.assertEqual(self.urivet("policy", "compile", "proxy.yaml", "-o", "proxy.compiled").code, 0)
        os.remove(os.path.join(self.home, "values", "deny.yaml"))
        for name in ("proxy.yaml", "proxy.compiled"):
            if name == "proxy.compiled":
                self.assertEqual(self.refusals("check", "--policy-file=" + name, stdin=self.lines), want)
            else:
                self.assertUsage(self.urivet("policy", "check", name), "values/public.yaml:2:11: cannot open 'values/deny.yaml'")
                self.write("hosts: {deny: [evil.com]}", "values/deny.yaml")
            option = "--policy-file=" + name
            self.assertEqual(self.refusals("check", option, stdin=self.lines), want)
            self.assertEqual(self.urivet("filter", option, stdin=self.lines).out, self.accepted)
            self.assertEqual(self.urivet("filter", option, "--rejects=-", stdin=self.lines).out, self.accepted)
            self.assertEqual(self.refusals("scan", option, stdin=self.lines), want)
            targets = self.lines.replace(b"https://a.example.com", b"GET a.example.com ")
            self.assertEqual(self.refusals("check", "--target-records", option, stdin=targets), want)
            self.assertEqual(self.refusals("check", "--target=a.example.com", option, stdin=self.lines.replace(b"https://a.example.com", b"")), want)
            for url, found in self.URLS:
                with self.subTest(url=url):
                    code = self.urivet("resolve", option, "https://a.example.com/", url[len("https://a.example.com"):]).code
                    self.assertEqual(code, 0 if found == "-" else 1)

    def test_named_with_params(self):
        """--params-policy and --allow on the command line."""
        self.assertUsage(self.urivet("check", "--params=u", "--params-policy=proxy.yaml", GOOD),
                         "--params-policy: 'proxy.yaml' has \"parameters\"")
        self.assertEqual(self.urivet("check", "-q", "--policy-file=proxy.yaml", "--allow=param-refused", self.URLS[1][0]).code, 0)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=proxy.yaml", "--params=url", self.URLS[2][0]).code, 0)

    def test_merged(self):
        """Rules of included files are added, each parameter once."""
        self.write("parameters: {x: {rooted: true}}", "b.yaml")
        self.assertGood("include: [b.yaml]\nparameters: {y: {rooted: true}}")
        self.assertEqual(self.urivet("policy", "check", "proxy.yaml").out,
                         b"proxy.yaml: ok (0 host rules, 0 address rules, 0 port rules, 2 parameter rules)\n")
        self.assertEqual(self.problems("include: [b.yaml]\nparameters: {x: {rooted: true}}"), ["b.yaml:1:14: parameter \"x\" stands in proxy.yaml:2 already"])

    def test_policy_of_values(self):
        """Faults of the policy of values are reported at their own places, those of the file where it is named."""
        self.assertEqual(self.problems("parameters: {url: {policy: ./proxy.yaml}}")[0].split(", ")[0],
                         './proxy.yaml:1:1: "parameters" has no effect in a policy for values of parameters')
        self.write("bse: any\nhosts: {deny: [a b]}", "values/deny.yaml")
        self.assertEqual([line.split(": ")[0] for line in self.problems(self.POLICY)], ["values/deny.yaml:1:1", "values/deny.yaml:2:16"])
        self.write("mode: observe", "values/public.yaml")
        self.assertEqual(self.problems(self.POLICY), ["proxy.yaml:4:17: 'values/public.yaml' sets \"mode: observe\", which is for the policy file alone"])
        self.write("parameters: {x: {policy: any}}", "c.yaml")
        self.write("", "values/public.yaml")
        self.assertEqual(self.urivet("policy", "compile", "c.yaml", "-o", "values/public.yaml").code, 0)
        self.assertEqual(self.problems(self.POLICY), ["proxy.yaml:4:17: 'values/public.yaml' has \"parameters\", which a policy for values cannot have"])

    def test_read_once(self):
        """A file that several rules name is read once, and twenty rules compile to one copy of it."""
        self.write("hosts: {deny: [%s]}" % ", ".join("h%d.example" % i for i in range(2000)), "values/deny.yaml")
        sizes = []
        for count in (1, 20):
            self.write("parameters:\n" + "".join("  p%d: {policy: values/public.yaml}\n" % i for i in range(count)))
            self.assertEqual(self.urivet("policy", "compile", "proxy.yaml", "-o", "proxy.compiled").code, 0)
            sizes.append(os.path.getsize(os.path.join(self.home, "proxy.compiled")))
        self.assertLess(sizes[1] - sizes[0], 5000)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=proxy.compiled", "https://a.example.com/?p19=http://h7.example/").code, 1)

    def test_shown(self):
        shown = self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]["parameters"]
        self.assertEqual(shown, {"next": {"policy": "public", "rooted": True}, "url": {"policy": "values/public.yaml"}, "body": {"allow": ["escaped-crlf"]}})
        self.write(self.urivet("policy", "show", "proxy.yaml").out, "again.yaml")
        self.assertEqual(self.urivet("policy", "diff", "proxy.yaml", "again.yaml").out, b"")
        self.write("base: public\nhosts: {deny: [evil.org]}", "other.yaml")
        self.write("parameters:\n  next: {rooted: true, decode: 2}\n  url: {policy: values/public.yaml}\n  body: {allow: [double-escape]}\n", "b.yaml")
        self.assertEqual(self.urivet("policy", "diff", "proxy.yaml", "b.yaml").out.decode(),
                         "+ parameters: body allow double-escape (b.yaml:4)\n- parameters: body allow escaped-crlf (proxy.yaml:5)\n"
                         "+ parameters: next decode 2 (b.yaml:2)\n")
        # the policy of values may have changed since it was compiled
        self.assertEqual(self.urivet("policy", "compile", "proxy.yaml", "-o", "proxy.compiled").code, 0)
        self.write("hosts: {deny: [evil.com, evil.org]}", "values/deny.yaml")
        self.assertEqual(self.urivet("policy", "diff", "proxy.compiled", "proxy.yaml").out,
                         b"+ parameters: url public.yaml hosts.deny: evil.org (proxy.yaml:4)\n")


class Observing(FileCase):
    """mode: observe keeps the verdicts, and enforces nothing."""

    URIS = b"http://a.example/\nhttp://b.example/\n" + b"http://a.example/" + b"x" * 100 + b"\nhttp://b.example/"

    def setUp(self):
        super().setUp()
        self.write("mode: observe\nhosts: {allow: [a.example]}\nlimits: {length: 40}")
        self.write("mode: enforce\nhosts: {allow: [a.example]}\nlimits: {length: 40}", "enforce.yaml")

    def test_status(self):
        for args, status in ((["check", "-q", "http://b.example/"], 0), (["check", "-q", "http://a.example/"], 0), (["explain", "http://b.example/"], 0),
                             (["resolve", "http://b.example/", "c"], 0), (["resolve", "mailto:a", "c"], 1), (["check", "--input=none", "-q"], 2),
                             (["suggest", "http://b.example:80/"], 0)):
            self.assertEqual(self.urivet(args[0], "--policy-file=proxy.yaml", *args[1:]).code, status, args)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=enforce.yaml", "http://b.example/").code, 1)
        self.assertEqual(self.urivet("scan", "-q", "--policy-file=proxy.yaml", stdin=b"see http://b.example/").code, 0)

    def test_verdicts(self):
        same = [self.urivet("check", "--policy-file=" + name, stdin=self.URIS) for name in ("proxy.yaml", "enforce.yaml")]
        self.assertEqual([result.code for result in same], [0, 1])
        self.assertEqual(same[0].out, same[1].out)

    def test_json(self):
        """The last key of each object is enforced: false; otherwise the key is absent."""
        made = self.urivet("check", "--format=json", "--policy-file=proxy.yaml", "http://a.example/", "http://b.example/").objects()
        self.assertEqual([(item["verdict"], list(item)[-1], item["enforced"]) for item in made],
                         [("accept", "enforced", False), ("reject", "enforced", False)])
        self.assertNotIn("enforced", self.urivet("check", "--format=json", "--policy-file=enforce.yaml", GOOD).objects()[0])
        made = self.urivet("scan", "--format=json", "--policy-file=proxy.yaml", stdin=b"see http://b.example/").objects()[0]
        self.assertEqual(list(made)[-1], "enforced")

    def test_filter(self):
        """Each record is copied, also over-long ones, and refused ones are written to the rejects as well."""
        for ending in (b"\n", b"\r\n", b"\0"):
            options = ["--null"] if ending == b"\0" else ["--crlf"] if ending == b"\r\n" else []
            for last in (b"", ending):
                with self.subTest(ending=ending, last=last):
                    uris = self.URIS.replace(b"\n", ending) + last
                    result = self.urivet("filter", "--policy-file=proxy.yaml", "--rejects=-", *options, stdin=uris)
                    self.assertEqual((result.code, result.out), (0, uris))
                    self.assertEqual([line.split(b"\t")[-2:] for line in result.err.splitlines()],
                                     [[b"2", b"http://b.example/"], [b"3", b"http://a.example/" + b"x" * 100], [b"4", b"http://b.example/"]])
        self.assertEqual(self.urivet("filter", "--policy-file=enforce.yaml", stdin=self.URIS).out, b"http://a.example/\n")
        self.assertEqual(self.urivet("filter", "-q", "--policy-file=proxy.yaml", stdin=self.URIS).out, b"")

    def test_filter_long(self):
        """A record longer than a block is copied completely."""
        uris = b"http://a.example/\n" + b"y" * (3 << 20) + b"\r\nhttp://b.example/\r\n"
        for jobs in ("1", "4"):
            result = self.urivet("filter", "--policy-file=proxy.yaml", "--crlf", "--jobs=" + jobs, stdin=uris)
            self.assertEqual((result.code, result.out), (0, uris))

    def test_shown(self):
        self.assertIn(b"\nmode: observe\n", self.urivet("policy", "show", "proxy.yaml").out)
        self.assertNotIn(b"mode", self.urivet("policy", "show", "enforce.yaml").out)


class Commands(FileCase):
    POLICY = 'name: "tests"\nbase: "public"\nhosts: {allow: [".example.com"], deny: ["admin.example.com"]}'

    def setUp(self):
        super().setUp()
        self.write(self.POLICY)

    def test_commands(self):
        """Commands judge by the policy; threads share one."""
        option, urls = "--policy-file=proxy.yaml", ["http://a.example.com/", "http://admin.example.com/", "http://example.net/", "http://b.example.com/"]
        result = self.urivet("filter", option, "--rejects=-", stdin="\n".join(urls))
        self.assertEqual((result.code, result.out), (1, b"http://a.example.com/\nhttp://b.example.com/"))
        self.assertEqual([line.split(b"\t")[1] for line in result.err.splitlines()], [b"host-denied,host-not-allowed", b"host-not-allowed"])
        result = self.urivet("scan", option, stdin="see %s and %s there" % (urls[0], urls[2]))
        self.assertEqual((result.code, [row[0] for row in result.rows()]), (1, ["accept", "reject"]))
        self.assertEqual(self.urivet("suggest", option, "HTTP://A.example.com:80").out, b"http://a.example.com/\n")
        self.assertEqual(self.urivet("suggest", option, "HTTP://example.net:80").code, 1)
        self.assertEqual(self.urivet("resolve", option, urls[0] + "b", "c").code, 0)
        result = self.urivet("resolve", option, urls[0] + "b", "//admin.example.com/")
        self.assertEqual((result.code, b'decided by: deny "admin.example.com" (proxy.yaml:3)' in result.err), (1, True), result)
        row = self.urivet("check", "--format=tsv", "--target=admin.example.com", option, "/a").rows()[0]
        self.assertEqual(row[:2], ["reject", "host-denied,host-not-allowed"])
        one, many = (self.urivet("check", option, f"--jobs={jobs}", stdin="".join(f"http://h{i}.example.com/\nhttp://h{i}.example.net/\n" for i in range(20000))) for jobs in (1, 4))
        self.assertEqual((one.out, one.out.count(b"accept\t")), (many.out, 20000))

    def test_names(self):
        """A policy is called by its name; without a name, by the path of its file."""
        self.assertEqual(self.urivet("check", "--format=json", "--policy-file=proxy.yaml", GOOD).objects()[0]["policy"], "tests")
        self.write('base: "any"', "plain.yaml")
        self.assertEqual(self.urivet("check", "--format=json", "--policy-file=./plain.yaml", GOOD).objects()[0]["policy"], "./plain.yaml")
        self.assertIn(b"\naccepted by ./plain.yaml\n", self.urivet("explain", "--policy-file=./plain.yaml", GOOD).out)

    def test_strange_names(self):
        """JSON stays valid UTF-8, and human output has no control characters."""
        name = b"a\xff\n.yaml"
        write_file(os.path.join(octets(self.home), name), b'base: "any"')
        self.assertEqual(self.urivet("check", "--format=json", b"--policy-file=" + name, GOOD).objects()[0]["policy"], "a\\xFF\\x0A.yaml")
        self.assertClean(self.urivet("explain", b"--policy-file=" + name, GOOD).out)
        self.write('name: "\u00fcber"')
        self.assertEqual(self.urivet("check", "--format=json", "--policy-file=proxy.yaml", GOOD).objects()[0]["policy"], "\u00fcber")
        self.assertClean(self.urivet("explain", "--policy-file=proxy.yaml", GOOD).out)

    def test_standard_input(self):
        """- is standard input, which must not be the input as well."""
        policy = b'hosts: {allow: ["example.com"]}'
        self.assertEqual(self.urivet("check", "-q", "--policy-file=-", GOOD, stdin=policy).code, 0)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=-", "http://h/", stdin=policy).code, 1)
        self.assertEqual(self.urivet("policy", "check", "-", stdin=policy).out, b"<stdin>: ok (1 host rule, 0 address rules, 0 port rules)\n")
        self.assertUsage(self.urivet("policy", "check", "-", stdin=b"x: 1"), "<stdin>:1:1: unknown key")
        for args in (["check"], ["filter"], ["scan"], ["scan", "-"], ["check", "--input=-"]):
            self.assertUsage(self.urivet(*args, "--policy-file=-", stdin=policy), "standard input cannot be policy and input at once")

    def test_pipe(self):
        """A policy may be read from a pipe."""
        done = subprocess.run(["bash", "-c", '"$0" check -q --policy-file=<(echo "base: any") ftp://example.com/', URIVET],
                              env=environment(), check=False)
        self.assertEqual(done.returncode, 0)


class Size(FileCase):
    def big(self, count):
        hosts = ",\n".join('"%sh%d.d%d.example"' % (("", ".", "*.")[i % 3], i, i % 977) for i in range(count))
        networks = ",\n".join('"10.%d.%d.%d"' % (i >> 16, i >> 8 & 255, i & 255) for i in range(count))
        return 'hosts: {\nallow: [\n%s]}\naddresses: {deny: [\n%s]}\n' % (hosts, networks)

    def test_big(self):
        """100,000 hosts and 100,000 networks are read, checked and applied within seconds."""
        self.write(self.big(100000))
        lines = b"http://h6.d6.example/\nhttp://x.h7.d7.example/\nhttp://h8.d8.example/\nhttp://10.0.0.7/\n" * 5000
        start = time.monotonic()
        result = self.urivet("policy", "check", "proxy.yaml")
        self.assertEqual(result.out, b"proxy.yaml: ok (100000 host rules, 100000 address rules, 0 port rules)\n")
        rows = self.urivet("check", "--policy-file=proxy.yaml", stdin=lines).rows()
        self.assertEqual([row[0] for row in rows[:4]], ["accept", "accept", "reject", "reject"])
        self.assertEqual(rows[3][1], "host-not-allowed,addr-denied")
        self.assertLess(time.monotonic() - start, 120)

    def test_all_wrong(self):
        """The same number of faults takes no longer."""
        self.write('hosts: {allow: [' + ",\n".join('".a.example"' for _ in range(100000)) + "]}")
        start = time.monotonic()
        result = self.urivet("policy", "check", "proxy.yaml")
        self.assertEqual(result.err.splitlines()[-1], b"urivet: and 99899 more problems")
        self.assertLess(time.monotonic() - start, 120)

    def test_nested(self):
        """Names and networks are nested to the greatest depth."""
        names = ['"%sexample"' % ("a." * i) for i in range(120)]
        networks = ['"::/%d"' % i for i in range(1, 129)]
        lines = self.problems("hosts: {deny: [" + ",".join(n[0] + "." + n[1:] for n in names) +
                              "]}\naddresses: {deny: [" + ",".join(networks) + "]}")
        self.assertEqual(lines[0], 'proxy.yaml:1:27: deny ".a.example" is covered by ".example" in line 1')
        self.assertEqual(lines[-1], "and 146 more problems")
        self.assertGood("hosts: {deny: [" + ",".join(names) + "]}")

    def shapes(self, size):
        """Returns files of this size for which a YAML parser may need quadratic time, or much memory."""
        for text in (b"a: " + b"[" * size, b"{a: " * (size // 4), b"- " * (size // 2), b"? " * (size // 2), b"? a\n" * (size // 4),
                     b"{" + b"a: b, " * (size // 6) + b"}", b"protect: [" + b"a," * (size // 2) + b"]", b"protect:\n" + b"- a\n" * (size // 4),
                     b"name: " + b"a" * size, b'name: "' + b"a" * size, b"name: " + b"a\n " * (size // 3), b"a:" * (size // 2),
                     # folded white space: libyaml clears as much for each run as the longest one had
                     b"name: a" + b" " * 4000 + b"b c" * (size // 3), b'name: "a' + b"\n" * 4000 + b"b\nc" * (size // 3),
                     b"name: a" + b" " * (size // 2) + b"b c" * (size // 6), b'name: "a' + b"\n" * (size // 2) + b"b\nc" * (size // 6),
                     b"%TAG !a! b\n" * (size // 11), b"".join(b"%%TAG !a%d! b\n" % i for i in range(size // 16)),
                     b"name: !" + b"a" * size, b"name: &" + b"a" * size, b"name: *" + b"a" * size, b"name: !<" + b"%41" * (size // 3),
                     b"name: |\n" + b" a\n" * (size // 3), b"name: >\n" + (b"\n" * 3000 + b" a\n") * (size // 3003), b"---\n" * (size // 4),
                     b"#\n" * (size // 2), b"/*" * (size // 2), b"//\n" * (size // 3), b"allow:\n" + b"- dot-segmnt\n" * (size // 13),
                     b"".join(b"a%030d: b\n" % i for i in range(size // 36)),
                     "{name: \u00e9, protect: [\u00e9".encode() + ",\u00e9".encode() * (size // 3) + b"]}",
                     b"urls:\n  allow:\n" + b"".join(b"  - http://a.example/" + b"a/" * i + b"b\n" for i in range(1, 2000))):
            yield text

    @takes_long
    def test_shapes(self):
        """A file of any shape is read in linear time: the CPU limit of a minute suffices for hundreds of
        files, and not for one read in quadratic time."""
        limits = {resource.RLIMIT_CPU: 60}
        for text in self.shapes((1 if instrumented() else 12) << 20):
            with self.subTest(text=text[:30]):
                self.write(text)
                done = subprocess.run([URIVET, "policy", "check", os.path.join(self.home, "proxy.yaml")], check=False,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(),
                                      preexec_fn=lambda: [resource.setrlimit(k, (v, v)) for k, v in limits.items()])
                self.assertIn(done.returncode, (0, 2), done.stderr[:200])

    @unittest.skipIf(instrumented(), "a sanitizer has its own memory")
    def test_unread(self):
        """A file that is too long is not read: no part of its gigabyte is in memory."""
        self.write("")
        os.truncate(os.path.join(self.home, "proxy.yaml"), 1 << 30)
        result, peak = run_measured("policy", "check", os.path.join(self.home, "proxy.yaml"))
        self.assertIn(b"longer than 67108864 octets", result.err)
        self.assertLess(peak, 32 << 20)

    @unittest.skipIf(instrumented(), "a sanitizer has its own memory")
    def test_memory(self):
        """Memory is bounded for any file."""
        self.write("a: [" + '"",' * 3000000 + '""]')
        result, peak = run_measured("policy", "check", os.path.join(self.home, "proxy.yaml"))
        self.assertEqual(result.code, 2)
        self.assertIn(b"more than 1048576 values", result.err)
        self.assertLess(peak, 200 << 20)
