# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy compile: same verdicts as by the text, and output that is complete or absent."""
from __future__ import annotations

import os
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
from helper import GOOD, HomeCase, Result, content, run  # noqa: E402

EXAMPLES = ROOT / "src/examples/policies"
WHOLE = """base: public
name: every "key" of it \u00fc
mode: observe
schemes: [wss, https, http, other]
ports: {https: [8443, 9000-9100], http: [8000-8099]}
hosts: {allow: [z.example, .Example.org, '*.example.net', {name: '*.googleapis.com', shared: true}], deny: [admin.example.org]}
urls: {allow: ['https://app.example.com:8443/cb', 'http://127.0.0.1:*/cb', 'com.example.app:/cb$'], forbid_parameters: [code, state]}
addresses: {allow: [10.1.0.0/16, '2001:DB8::/32'], deny: [10.1.2.0/24], nat64: ['2001:db8:64::/96']}
allow: [host-trailing-dot, host-single-label]
refuse: [scheme-plaintext, query-empty]
limits: {length: 2048, host: 100, label: 30}
opaque_query: true
protect: [example.org, a.example, example.com]
paths: [{prefix: /a, methods: [GET, HEAD], allow: [double-escape]}, {prefix: /b/$, allow: [escaped-slash]}]
strip_prefix: [/app]
"""
URIS = ["http://example.com/", "https://z.example:8443/", "https://a.example.net:9042/", "wss://10.1.3.4/",
        "https://10.1.2.4/",
        "https://[2001:db8:64::a00:1]/", "https://printer./?", "ftp://example.org/", "mailto:a@example.org",
        "https://admin.example.org/", "https://example.org:443/a?", "http://192.0.2.7:8010/",
        "https://app.example.com:8443/cb/x",
        "http://127.0.0.1:51004/cb", "com.example.app:/cb", "com.example.app:/x", "https://other.example/"]


class Compile(HomeCase):
    def setUp(self) -> None:
        super().setUp()
        self.write(WHOLE, "whole.yaml")

    def read(self, name: str) -> bytes:
        return content(os.path.join(self.home, name))

    def policy(self, *arguments: str, **keywords: object) -> Result:
        return run("policy", *arguments, cwd=self.home, **keywords)

    def compiled(self, name: str, made: str = "made") -> str:
        result = self.policy("compile", name, "-o", made)
        self.assertEqual((result.code, result.out, result.err), (0, b"", b""))
        return made

    def assertSame(self, text: str, made: str, *inputs: str) -> None:
        """Checks that every line of output is the same, including those about the deciding rule."""
        for arguments in (["--format=human", "--"], ["--format=json", "--"]):
            self.assertEqual(run("check", f"--policy-file={made}", *arguments, *inputs, cwd=self.home).out,
                             run("check", f"--policy-file={text}", *arguments, *inputs, cwd=self.home).out)
        for each in inputs[:4]:
            self.assertEqual(run("explain", f"--policy-file={made}", "--", each, cwd=self.home).out,
                             run("explain", f"--policy-file={text}", "--", each, cwd=self.home).out)

    def test_same(self) -> None:
        made = self.compiled("whole.yaml")
        self.assertSame("whole.yaml", made, *URIS)
        for arguments in (["show"], ["show", "--format=json"]):
            self.assertEqual(self.policy(*arguments, made).out, self.policy(*arguments, "whole.yaml").out)
        same = self.policy("diff", made, "whole.yaml")
        self.assertEqual((same.code, same.out), (0, b""))
        shown = run("check", f"--policy-file={made}", "https://admin.example.org/", cwd=self.home).out
        self.assertIn(b"(whole.yaml:6)", shown)
        self.assertIn(b"whole.yaml:6", self.policy("diff", made, "public").out)

    def test_examples(self) -> None:
        for path in sorted(EXAMPLES.glob("*.yaml")):
            cases = (EXAMPLES / "tests" / path.name).read_text(encoding="utf-8")
            with self.subTest(path.name):
                made = self.compiled(str(path))
                self.write(cases.replace(f"policy: ../{path.name}", f"policy: {made}"), "cases.yaml")
                self.assertEqual(self.policy("test", "cases.yaml").code, 0)
                self.assertEqual(self.policy("show", made).out, self.policy("show", str(path)).out)

    def test_built_in(self) -> None:
        for name in ("strict", "public", "any", "gateway"):
            made = self.compiled(name)
            self.assertEqual(self.policy("diff", made, name).code, 0)
            self.assertEqual(run("check", "--format=json", f"--policy-file={made}", GOOD, cwd=self.home).out,
                             run("check", "--format=json", f"--policy={name}", GOOD).out)

    def test_every_place(self) -> None:
        """The place of each rule is where its text stands, in the policy file, in one that it includes, and compiled, without
        these files; a setting has none."""
        text = WHOLE.replace("deny: [admin.example.org", "deny: [admin.example.org, {name: .b.example.org, except: [ok.b.example.org]}")
        text += "parameters: {next: {rooted: true, values: [a]}, body: {allow: [escaped-crlf]}}\n"
        own, key, rest = text.partition("schemes: ")
        texts = {"whole.yaml": text, "first.yaml": own + "include: [more.yaml]\n", "more.yaml": key + rest}
        for name, each in texts.items():
            self.write(each, name)
        for name in ("whole.yaml", "first.yaml", self.compiled("first.yaml")):
            if name == "made":
                os.unlink(os.path.join(self.home, "more.yaml"))
            rows = [row for row in self.policy("diff", "--format=json", "public", name).objects() if row["only"] == "b"]
            for row in rows:
                if row["key"] in ("base", "name", "mode", "schemes", "urls.forbid_parameters", "allow", "refuse", "opaque_query") or row["key"].startswith("limits"):
                    self.assertIsNone(row["line"], row)
                    continue
                at = texts[row["file"]].splitlines()[row["line"] - 1].encode()[row["column"] - 1:].decode()
                self.assertIn(re.match("""["']?((?:[^"',\\]}:]|:(?! ))+)""", at)[1].lower(), row["value"].lower().split(" "), row)
            self.assertEqual(len({(row["line"], row["column"]) for row in rows}), 26)

    def test_again(self) -> None:
        """The octets are the same each time, also from a compiled policy and to standard output."""
        first = self.read(self.compiled("whole.yaml", "one"))
        self.assertEqual(self.read(self.compiled("one", "two")), first)
        self.assertEqual(self.policy("compile", "-o", "-", "whole.yaml").out, first)
        self.assertEqual(self.policy("compile", "--output=-", "-", stdin=first).out, first)
        self.assertEqual(run("check", "-q", "--policy-file=-", "https://z.example/", stdin=first).code, 0)

    def test_replaces(self) -> None:
        """The file is replaced as a whole and keeps its permissions; if it is a link, its target is replaced."""
        old = os.path.join(self.home, self.write("", "made"))
        os.chmod(old, 0o640)
        os.symlink("made", os.path.join(self.home, "link"))
        number = os.stat(old).st_ino
        self.compiled("whole.yaml", "link")
        self.assertTrue(os.path.islink(os.path.join(self.home, "link")))
        self.assertNotEqual(os.stat(old).st_ino, number)
        self.assertEqual(os.stat(old).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.home)), ["link", "made", "whole.yaml"])
        self.assertEqual(run("check", "-q", "--policy-file=made", "https://z.example/", cwd=self.home).code, 0)
        mask = os.umask(0o027)
        self.addCleanup(os.umask, mask)
        self.compiled("whole.yaml", "fresh")
        self.assertEqual(os.stat(os.path.join(self.home, "fresh")).st_mode & 0o777, 0o640)

    def test_nothing(self) -> None:
        """A faulty policy leaves the old file unchanged, and no other file."""
        self.write("old", "made")
        self.write("base: publik\n", "bad.yaml")
        self.assertUsage(self.policy("compile", "bad.yaml", "-o", "made"), "bad.yaml:1")
        self.assertUsage(self.policy("compile", "whole.yaml", "-o", "none/made"),
                         "none/made: No such file or directory")
        self.assertUsage(self.policy("compile", "whole.yaml", "-o", "."), ".: ")
        self.assertUsage(self.policy("compile", "whole.yaml", "-o", "/dev/full"), "/dev/full: No space left on device")
        self.assertUsage(self.policy("compile", "whole.yaml"), "say where to write: -o FILE")
        self.assertUsage(self.policy("compile", "whole.yaml", "-o"), "needs a value")
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.policy("compile", "whole.yaml", "-o", "-", stdout=full).code, 2)
        self.assertEqual(self.read("made"), b"old")
        self.assertEqual(sorted(os.listdir(self.home)), ["bad.yaml", "made", "whole.yaml"])

    def test_broken(self) -> None:
        """A truncated, longer or changed file is refused with its name and a reason, and exit status 2."""
        good = self.read(self.compiled("whole.yaml"))
        rng = random.Random(4)
        broken = [good[:length] for length in range(8, len(good), 97)] + [good + b"\0", good + bytes(8)]
        for _ in range(60):
            at = rng.randrange(8, len(good))
            broken.append(good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1:])
        for content in broken:
            self.write(content, "made")
            result = run("check", "--policy-file=made", GOOD, cwd=self.home)
            self.assertUsage(result, "urivet: made: ")
            self.assertEqual(result.out, b"")
            self.assertRegex(result.err, rb"(?s)\Aurivet: made: [^\n]{10,}\n\Z")

    def test_long(self) -> None:
        """A compiled policy may be larger than the limit for policy files, up to its own limit."""
        self.write("urls: {allow: [" + ", ".join(f"'a:/{k}'" for k in range(850_000)) + "]}\n", "long.yaml")
        made = self.compiled("long.yaml")
        self.assertGreater(os.path.getsize(os.path.join(self.home, made)), 64 << 20)
        self.assertEqual(run("check", "-q", f"--policy-file={made}", "a:/849999", cwd=self.home).code, 0)
        self.assertEqual(run("check", "-q", f"--policy-file={made}", "a:/850000", cwd=self.home).code, 1)
        with open(os.path.join(self.home, made), "rb") as stream:
            self.assertEqual(run("check", "-q", "--policy-file=/dev/stdin", "a:/849999", stdin=stream).code, 0)
        self.write(f"parameters: {{u: {{policy: ./{made}}}}}", "values.yaml")
        self.assertEqual(self.policy("check", "-q", "values.yaml").code, 0)
        os.truncate(os.path.join(self.home, made), 1 << 30)
        self.assertUsage(run("policy", "check", made, cwd=self.home), "'made' is longer than 268435456 octets")

    def test_included_itself(self) -> None:
        """A compiled policy cannot be included."""
        self.compiled("whole.yaml")
        self.write("base: public\ninclude: [made]\n", "first.yaml")
        self.assertUsage(self.policy("check", "first.yaml"), "first.yaml:2:11: 'made' is a compiled policy")

    def test_other_versions(self) -> None:
        """The message names another byte order, version or layout."""
        good = self.read(self.compiled("strict"))
        for at, content, word in ((8, good[8:12][::-1], b"order"), (12, b"\x7f\0\0\0", b"version")):
            self.write(good[:at] + content + good[at + len(content):], "made")
            self.assertIn(word, run("policy", "check", "made", cwd=self.home).err)
