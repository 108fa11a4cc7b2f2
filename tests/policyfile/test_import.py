# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy import: lists of other programs, and what of them cannot be said."""
from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
from helper import Case, run  # noqa: E402

CSP = ("Content-Security-Policy: default-src 'self' https:; img-src *.example.com cdn.example.net https://img.example.org:8443/a/ "
       "*.github.io http://[2606:4700::1111]/; script-src 'nonce-abc' https://js.example.org/x.js www.example.com * data: a.example:*;\n"
       "frame-ancestors 'none'; connect-src 8.8.8.8 wss://ws.example.com/")
HOSTS = ("127.0.0.1 localhost\n# c\n0.0.0.0 ads.example.com track.example.net # x\n10.0.0.5 intranet.example.com\n::1 ip6-localhost\n"
         "myhost\n0.0.0.0 ads.example.com\n0.0.0.0 0.0.0.0\n")
SMOKESCREEN = """---
version: v1
services:
  - name: enforce-svc
    action: enforce
    allowed_domains:
      - example1.com
      - '*.example2.com'
default:
  action: report
  allowed_domains:
    - "default.example.com"
global_deny_list:
  - bad.example2.com
"""
# A list, lines of its policy, and URLs with their verdict by it.
LISTS = {
    "csp": (CSP, ["    - '*.example.com'", "    - {name: '*.github.io', shared: true}", "    - 'https://js.example.org/x.js$'",
                  "    - 'https://8.8.8.8/'", "# not translated: line 1, 'self': write the site's own origin instead",
                  "# not translated: line 1, *: it allows every host", "# not translated: line 1, script-src: what any directive allows is allowed here", "# not translated: line 1, a.example:*: a port cannot be any port",
                  "# not translated: line 2, frame-ancestors: it is no list of sources"],
            {"https://a.example.com/": "accept", "https://example.com/": "reject", "https://img.example.org:8443/a/b": "accept",
             "https://img.example.org:8443/b": "reject", "https://alice.github.io/": "accept", "https://js.example.org/x.js": "accept",
             "https://js.example.org/y.js": "reject", "https://8.8.8.8/": "accept", "https://9.9.9.9/": "reject", "https://example.net/": "reject"}),
    "hosts": (HOSTS, ["    - 'ads.example.com'", "    - 'track.example.net'",
                      "# not translated: line 4, intranet.example.com: it gives the name an address, and denies nothing",
                      "# not translated: line 6, myhost: it has neither an address before it nor a port"],
              {"https://ads.example.com/": "reject", "https://track.example.net/": "reject", "https://www.ads.example.com/": "accept"}),
    "smokescreen": (SMOKESCREEN, ["    - 'example1.com'", "    - 'bad.example2.com'"],
                    {"https://example1.com/": "accept", "https://www.example1.com/": "reject", "https://a.example2.com/": "accept",
                     "https://bad.example2.com/": "reject", "https://default.example.com/": "accept", "https://example.org/": "reject"}),
}


class Import(Case):
    def test_lists(self) -> None:
        for name, (content, lines, verdicts) in LISTS.items():
            with self.subTest(name):
                result = run("policy", "import", f"--from={name}", self.file(content.encode(), "list"))
                self.assertEqual((result.code, result.err), (0, b""))
                printed = result.out.decode().splitlines()
                for line in lines:
                    self.assertIn(line, printed)
                path = self.file(result.out, "policy.yaml")
                self.assertEqual(run("policy", "check", path).code, 0)
                rows = run("check", "--format=tsv", f"--policy-file={path}", *verdicts).rows()
                self.assertEqual(dict(zip(verdicts, (row[0] for row in rows), strict=True)), verdicts)

    def test_ports(self) -> None:
        """NAME:PORT, as lists of allowed endpoints have it, allows that port alone."""
        result = run("policy", "import", "--from=hosts", "-", stdin="registry.npmjs.org:443\nproxy.example.com:8443\n")
        path = self.file(result.out, "policy.yaml")
        urls = ["https://registry.npmjs.org/a", "https://registry.npmjs.org:8443/", "https://proxy.example.com:8443/", "https://example.com/"]
        rows = run("check", "--format=tsv", f"--policy-file={path}", *urls).rows()
        self.assertEqual([row[0] for row in rows], ["accept", "reject", "accept", "reject"])

    def test_covered(self) -> None:
        """What another entry covers is a comment with the reason."""
        result = run("policy", "import", "--from=csp", "-", stdin="img-src *.example.com www.example.com")
        self.assertIn(b'    # not needed, or not possible: line 1, www.example.com: allow "www.example.com" is covered', result.out)

    def test_more_faults_than_are_reported_at_once(self) -> None:
        names = "".join(f" *.a{i}.example www.a{i}.example" for i in range(250))
        result = run("policy", "import", "--from=csp", "-", stdin=f"img-src{names}")
        self.assertEqual((result.code, result.err, result.out.count(b"# not needed")), (0, b"", 250))

    def test_hostile(self) -> None:
        """A list cannot end a text or a comment of the policy."""
        result = run("policy", "import", "--from=csp", "-", stdin="img-src a.example x'y \x1b[31m 'a\rbase:any é.example")
        self.assertEqual(result.code, 0)
        self.assertNotIn(b"\r", result.out)
        self.assertNotIn(b"\x1b", result.out)
        self.assertIn(b"base: public\n", result.out)

    def test_nothing(self) -> None:
        """A list that allows nothing that can be said is an error: its policy would allow every host."""
        for name, content in (("csp", "default-src 'self'"), ("csp", "img-src *"), ("smokescreen", "allowed_domains:\n  - '*'\n"),
                              ("csp", "img-src a.example:*"), ("csp", "img-src javascript://a.example/x")):
            self.assertUsage(run("policy", "import", f"--from={name}", "-", stdin=content), "would allow every public host")
        self.assertUsage(run("policy", "import", "--from=hosts", "-"), "the list is empty")

    def test_usage(self) -> None:
        self.assertUsage(run("policy", "import", "-"), "say what the file is")
        self.assertUsage(run("policy", "import", "--from=hosts"), "FILE is missing")
        for name in ("xyz", "no-proxy", "modsecurity-crs"):
            self.assertUsage(run("policy", "import", f"--from={name}", "-"), f"--from takes csp, hosts or smokescreen, not '{name}'")
        self.assertUsage(run("policy", "show", "--from=csp", "any"), "--from is for policy import")
        self.assertUsage(run("policy", "import", "--from=csp", "/nowhere/x"), "cannot open '/nowhere/x'")
