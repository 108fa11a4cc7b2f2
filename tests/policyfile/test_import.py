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
HOSTS = ("127.0.0.1 localhost 127.ads.example\n# c\n0.0.0.0 ads.example.com track.example.net # x\n10.0.0.5 intranet.example.com\n::1 ip6-localhost\n"
         "myhost\n0.0.0.0 ads.example.com\n0.0.0.0 0.0.0.0\n")
SMOKESCREEN = """---
version: v1
services:
  - name: enforce-svc
    action: enforce
    allowed_domains:
      - example1.com
      - '*.example2.com'
    project: project.example.com
default:
  action: report
  allowed_domains:
    - "default.example.com"
global_deny_list:
  - bad.example2.com
global_allow_list: [g.example.org]
"""
# A format, the part that is chosen, a list, lines of its policy, and URLs with their verdict by it: a URL that the source is about, and a
# near miss. What the sources mean is from CSP Level 3 (6.7.2), acl.go of smokescreen, dnsmasq(8), AdGuard's syntax, and noproxy.c of curl.
LISTS = [
    ("csp", "img-src", CSP, ['    - "*.example.com"', '    - {name: "*.github.io", shared: true} # line 1, *.github.io: a public suffix: anybody can register names below it', '    - "http://[2606:4700::1111]/"', '    - "https://[2606:4700::1111]/"'],
     {"https://a.example.com/": "accept", "https://example.com/": "reject", "http://a.example.com/": "reject", "https://img.example.org:8443/a/b": "accept", "https://img.example.org:8443/b": "reject", "https://alice.github.io/": "accept", "https://js.example.org/x.js": "reject", "https://9.9.9.9/": "reject", "https://example.net/": "reject"}),
    ("csp", "Script-Src", CSP, ['    - "https://js.example.org/x.js$" # line 1, https://js.example.org/x.js$: without a query', "# not translated: line 1, *: it allows every host", "# not translated: line 1, a.example:*: a port cannot be any port"],
     {"https://js.example.org/x.js": "accept", "https://js.example.org/y.js": "reject", "https://cdn.example.net/": "reject"}),
    ("csp", "connect-src", CSP, ['    - "wss://ws.example.com/"', '    - "https://8.8.8.8/"'], {"https://8.8.8.8/": "accept", "wss://ws.example.com/": "accept", "https://ws.example.com/": "accept", "http://ws.example.com/": "reject"}),
    ("hosts", None, HOSTS, ['    - "127.ads.example"', '    - "ads.example.com"', "# not translated: line 4, intranet.example.com: it gives the name an address, and denies nothing", "# not translated: line 6, myhost: it has no address before it"], {"https://ads.example.com/": "reject", "https://127.ads.example/": "reject", "https://track.example.net/": "reject", "https://www.ads.example.com/": "accept"}),
    ("adblock", None, "[Adblock Plus 2.0]\n! c\n# c\n||example.com^\r\n||9.9.9.9^\n@@||ok.example.com^\n||x.example.net^$third-party\n##.ad\n/ads/*\n", ['    - ".example.com"', '    - "9.9.9.9"', "# not translated: line 6, @@||ok.example.com^: an exception: what denies the name refuses it here",
      "# not translated: line 7, ||x.example.net^$third-party: it is limited by what follows ^", "# not translated: line 8, ##.ad: it is not about a whole domain"], {"https://example.com/": "reject", "https://a.example.com/": "reject", "https://notexample.com/": "accept", "https://x.example.net/": "accept", "https://9.9.9.9/": "reject"}),
    ("dnsmasq", None, "# c\naddress=/a.example.com/b.example.com/0.0.0.0\nserver=/c.example.com/\nlocal=/.d.example.com/\naddress=/e.example.com/#\n" "server=/ok.a.example.com/8.8.8.8\naddress=/f.example.com/192.0.2.7\naddress=/#/\nport=53\nserver=/g.example.com/#\n",
     ['    - ".a.example.com"', "# not translated: line 6, ok.a.example.com: it is answered; what denies a name above refuses it here", "# not translated: line 8, #: it is no name, address or network", "# not translated: line 9, port=53: it denies no name"],
     {f"https://{name}.example.com/": verdict for name, verdict in (("a", "reject"), ("x.b", "reject"), ("c", "reject"), ("d", "reject"), ("e", "reject"), ("f", "accept"), ("g", "accept"), ("xa", "accept"))}),
    ("no-proxy", None, 'export NO_PROXY="example.com,.example.net,*.example.org,*,10.0.0.0/8,[2606:4700::1111],h.example.edu:8443, 9.9.9.9,9.9.9.8:80" # c\n', ['    - ".example.com"', '    - ".example.net" # line 1, .example.net: programs differ about the name itself', '    - ".h.example.edu" # line 1, .h.example.edu: with any port',
      '    - "9.9.9.8" # line 1, 9.9.9.8: with any port', "# not translated: line 1, *: it is no name, address or network"], {"https://example.com/": "reject", "https://www.example.com/": "reject", "https://9.9.9.8/": "reject", "https://notexample.com/": "accept", "https://a.example.net/": "reject", "https://a.example.org/": "reject",
      "https://example.org/": "accept", "https://9.9.9.9/": "reject", "https://[2606:4700::1111]/": "reject", "https://h.example.edu/": "reject"}),
    ("deny-list", None, "\ufeffexample.com # c\n*.example.net\n.example.org\n9.9.9.0/24\n",  ['    - "9.9.9.0/24"'], {"https://example.com/": "reject", "https://www.example.com/": "accept", "https://example.net/": "accept", "https://a.example.net/": "reject", "https://a.example.org/": "reject",
      "https://9.9.9.7/": "reject", "https://9.9.8.7/": "accept"}),
    ("allow-list", None, "example.com # c\n9.9.9.9\n10.1.0.0/16\nregistry.npmjs.org:443\nproxy.example.com:8443\n\"x\\\n9.9.9.7/32\n", ['# not translated: line 6, ?x?: it is no name, address or network'], {"https://example.com/": "accept", "http://9.9.9.9/": "accept", "https://9.9.9.8/": "reject", "https://9.9.9.7/": "accept", "https://10.1.2.3/": "accept", "https://10.2.2.3/": "reject",
      "https://registry.npmjs.org/a": "accept", "https://registry.npmjs.org:8443/": "reject", "https://proxy.example.com:8443/": "accept", "https://example.org/": "reject"}),
    ("smokescreen", "enforce-svc", SMOKESCREEN, ['    - "example1.com"', '    - "bad.example2.com" # line 15, bad.example2.com: a service\'s own list wins in smokescreen'], {"https://example1.com/": "accept", "https://www.example1.com/": "reject", "https://a.example2.com/": "accept",
      "https://bad.example2.com/": "reject", "https://project.example.com/": "reject", "https://default.example.com/": "reject", "https://g.example.org/": "accept", "https://other.example.org/": "reject"}),
    ("smokescreen", None, "global_deny_list:\n- a.example.com\n- 9.9.9.0/24\n", [f'    - "{text}" # line {line}, {text}: a service\'s own list wins in smokescreen' for line, text in ((2, "a.example.com"), (3, "9.9.9.0/24"))], {"https://a.example.com/": "reject", "https://b.example.com/": "accept"}),
    ("smokescreen", "default", SMOKESCREEN, ['    - "bad.example2.com" # line 15, bad.example2.com: a service\'s own list wins in smokescreen'], {"https://bad.example2.com/": "reject", "https://default.example.com/": "accept", "https://other.example.org/": "accept"}),
]


class Import(Case):
    def test_lists(self) -> None:
        for name, part, content, lines, verdicts in LISTS:
            with self.subTest(f"{name} {part}"):
                result = run("policy", "import", f"--from={name}", *[f"--part={part}"] * (part is not None), self.file(content.encode(), "list"))
                self.assertEqual((result.code, result.err), (0, b""))
                printed = result.out.decode().splitlines()
                self.assertRegex(printed[0], f"^# Imported by urivet policy import --from={name}{f' --part={part}' * (part is not None)}\\. What it (does not list|lists) is refused\\.$")
                for line in lines:
                    self.assertIn(line, printed)
                path = self.file(result.out, "policy.yaml")
                self.assertEqual(run("policy", "check", path).code, 0)
                rows = run("check", "--format=tsv", f"--policy-file={path}", *verdicts).rows()
                self.assertEqual(dict(zip(verdicts, (row[0] for row in rows), strict=True)), verdicts)

    def test_parts(self) -> None:
        """One directive or service is imported: an error lists them."""
        for name, content, part, sentence in (
                ("csp", CSP, None, "--part=NAME has to name one directive: the file has default-src, img-src, script-src, frame-ancestors, connect-src"), ("csp", CSP, "font-src", "name one directive: the file has default-src, img-src"), ("smokescreen", SMOKESCREEN, None, "name one service: the file has enforce-svc, default"),
                ("csp", "img-src a.example; img-src b.example", "img-src", "name one directive: the file has img-src, img-src"), ("csp", "", "img-src", "the file has none"), ("csp", "Content-Security-Policy: img-src a.example\nContent-Security-Policy: font-src a.example", "img-src", "line 2 begins another policy"),
                ("csp", "img-src a.example, font-src b.example", None, "line 1 begins another policy"), ("hosts", HOSTS, "x", "--part is for csp and smokescreen")):
            self.assertUsage(run("policy", "import", f"--from={name}", *[f"--part={part}"] * (part is not None), "-", stdin=content), sentence)

    def test_no_text(self) -> None:
        self.assertUsage(run("policy", "import", "--from=hosts", "-", stdin=b"0.0.0.0 a.example\n0.0\0"), "-:2:4: an octet 0: the file is no text")
        self.assertUsage(run("policy", "import", "--from=hosts", "-", stdin=b"x" * ((64 << 20) + 1)), "'-' is longer than 67108864 octets")
        long = run("policy", "import", "--from=hosts", "-", stdin=b"0.0.0.0 " + b"a" * 1000000 + b" a.example\n")
        self.assertEqual((long.code, len(long.out) < 1000, b'"a.example"' in long.out), (0, True, True))

    def test_covered(self) -> None:
        """What another entry covers is a comment with the reason."""
        result = run("policy", "import", "--from=csp", "-", stdin="img-src *.example.com www.example.com")
        self.assertIn(b'    # not needed, or not possible: line 1, www.example.com: allow "www.example.com" is covered by "*.example.com" in line 7\n', result.out)

    def test_more_faults_than_are_reported_at_once(self) -> None:
        names = "".join(f" *.a{i}.example www.a{i}.example" for i in range(10001))
        result = run("policy", "import", "--from=csp", "-", stdin=f"img-src{names}")
        self.assertEqual((result.code, result.err, result.out.count(b"# not needed")), (0, b"", 10001))

    def test_hostile(self) -> None:
        """A list cannot end a text or a comment of the policy."""
        result = run("policy", "import", "--from=csp", "-", stdin="img-src a.example x'y \x1b[31m 'a\rbase:any é.example")
        self.assertEqual(result.code, 0)
        self.assertNotIn(b"\r", result.out)
        self.assertNotIn(b"\x1b", result.out)
        self.assertIn(b"base: public\n", result.out)

    def test_nothing(self) -> None:
        """Nothing that can be said is status 1, with a reason: a policy without what is allowed would allow every host."""
        for name, content, sentence in (
                ("csp", "default-src 'self'", "line 1, 'self': write the site's own origin instead"), ("csp", "img-src *", "line 1, *: it allows every host"), ("smokescreen", "global_allow_list:\n  - '*'\n", "line 2, *: it is no name"), ("csp", "img-src a.example:*", "a port cannot be any port"),
                ("csp", "img-src javascript://a.example/x", "it has a scheme that is not of the web"), ("smokescreen", "services:\n  - name: a\n    action: enforce\nglobal_deny_list: [b.example]\n", "line 4, b.example: a service's own list wins"), ("hosts", "", "the list is empty, or not one of hosts"), ("csp", "img-src 'none'", "the list is empty"),
                ("allow-list", "10.0.0.0/8", "an allowed network needs an allowed name beside it"), ("allow-list", "*.a.*", "line 1, *.a.*: it is no name"), ("adblock", "SecRule x", "line 1, SecRule?x: it is not about")):
            result = run("policy", "import", f"--from={name}", "-", stdin=content)
            self.assertEqual((result.code, result.out), (1, b""), content)
            self.assertIn(sentence, result.err.decode())

    def test_usage(self) -> None:
        self.assertUsage(run("policy", "import", "-"), "say what the file is")
        self.assertUsage(run("policy", "import", "--from=hosts"), "FILE is missing")
        self.assertUsage(run("policy", "import", "--from=foo", "-"), "--from takes adblock, allow-list, csp, deny-list, dnsmasq, hosts, no-proxy or smokescreen, not 'foo'")
        self.assertUsage(run("policy", "import", "--from=csp", "/nowhere/x"), "cannot open '/nowhere/x'")
