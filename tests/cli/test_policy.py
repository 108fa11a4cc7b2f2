# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy, the policy public, public suffixes, and the rule that decided."""

import os

from helper import GOOD, Case, content, needs, run
from test_policy_file import FileCase

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "src/examples/policies")
BUILT_IN = ("strict", "public", "any", "gateway")

WITH_EVERYTHING = """
base: "public"
name: "every \\"key\\" \\\\ of it"
schemes: ["wss", "https", "http", "other"]
ports: {https: [8443, "9000-9100", 9042], http: ["8000-8099"]}
hosts: {allow: ["z.example", ".Example.org", "*.example.net"], deny: ["admin.example.org"]}
addresses: {allow: ["10.1.0.0/16", "2001:DB8::/32", "192.0.2.7"], deny: ["10.1.2.0/24"], nat64: ["2001:db8:64::/96"]}
allow: ["host-trailing-dot", "host-single-label"]
refuse: ["scheme-plaintext", "query-empty"]
limits: {length: 2048, host: 100, label: 30}
opaque_query: true
mode: observe
urls: {allow: [https://app.example.com:8443/cb, "com.example.app:/cb"]}
protect: [example.org, a.example, bank.example.]
"""

URIS = [b"http://example.com/", b"https://z.example:8443/", b"https://a.example.net:9042/", b"wss://10.1.3.4/", b"https://10.1.2.4/",
        b"https://[2001:db8:64::a00:1]/", b"https://printer./?", b"ftp://example.org/", b"mailto:a@example.org",
        b"https://admin.example.org/", b"https://example.org:443/a?", b"http://192.0.2.7:8010/", b"http://example.com/a;b/100%25",
        b"http://example.com/?a[]=b|c&d=%E9", b"http://example.com/a?b=%0A", b"http://example.com//a#b"]


class Usage(Case):
    def test_subcommands(self):
        self.assertUsage(run("policy"), "say check FILE, show FILE|NAME, compile FILE|NAME -o OUT, diff A B, test FILE, explain FILE|NAME URL, learn --input=FILE, or import --from=LIST FILE")
        self.assertUsage(run("policy", "chek", "x"), "no such subcommand: 'chek'; did you mean 'check'?")
        self.assertUsage(run("policy", "list"), "no such subcommand: 'list'")
        self.assertUsage(run("policy", "check"), "policy check: FILE is missing")
        self.assertUsage(run("policy", "show"), "policy show: FILE|NAME is missing")
        self.assertUsage(run("policy", "show", "strict", "any"), "one argument too many: 'any'")
        self.assertUsage(run("policy", "show", "publik"), "no such policy or file: 'publik'; did you mean 'public'?")
        self.assertUsage(run("policy", "show", "--format=tsv", "strict"), "--format=human or --format=json")
        self.assertUsage(run("policy", "--policy=strict", "show", "strict"), "takes no option")
        self.assertUsage(run("check", "--policy=publik", GOOD), "'publik'; did you mean 'public'?")

    def test_options(self):
        """An option that another subcommand takes is an error, which names those."""
        taken = {"--input=x": "diff learn", "--null": "diff learn", "--crlf": "diff learn", "--jobs=2": "diff learn", "--decompress": "diff learn", "--progress": "diff learn",
                 "--no-progress": "diff learn", "--from=csp": "import", "--part=x": "import", "--base=any": "learn", "--min-clients=1": "learn", "--min-share=1": "learn",
                 "--csv --column=1": "learn", "--json-field=x": "learn", "--output=x": "compile", "--format=json": "show diff test", "--format=tsv": "diff test show"}
        for name in "check strict", "show strict", "compile strict", "diff strict any", "test x", "explain strict " + GOOD.decode(), "learn --input=x", "import x":
            for option, subcommands in taken.items():
                if name.split()[0] not in subcommands.split():
                    result = run("policy", *name.split(), *option.split())
                    self.assertUsage(result, f"policy {name.split()[0]}: ", *subcommands.split())

    def test_help(self):
        result = run("policy", "--help")
        self.assertEqual((result.code, result.err), (0, b""))
        self.assertIn(b"urivet-policy(5)", result.out)
        self.assertIn(b"--policy-file=FILE", run("check", "--help").out)
        self.assertIn(b"public", run("check", "--help").out)
        self.assertIn(b"policy ", run("help").out)

    def test_built_in_needs_no_library(self):
        for name in BUILT_IN:
            result = run("policy", "show", name)
            self.assertEqual((result.code, result.err), (0, b""))
            self.assertIn(b'base: %s\n' % name.encode(), result.out)
        self.assertEqual(run("policy", "show", "-q", "any").out, b"")


class Show(FileCase):
    def shown(self, name, *options):
        result = self.urivet("policy", "show", *options, name)
        self.assertEqual((result.code, result.err), (0, b""), result)
        return result.out

    def test_built_in(self):
        """The output for a built-in policy is a policy file with the same effect."""
        for name in BUILT_IN:
            with self.subTest(name=name):
                self.write(self.shown(name))
                self.assertEqual(self.shown("proxy.yaml"), self.shown(name))
                self.assertEqual(self.urivet("check", "--format=json", "--policy-file=proxy.yaml", "--", *URIS).out,
                                 self.urivet("check", "--format=json", "--policy=" + name, "--", *URIS).out)

    def test_everything(self):
        """The same holds for a file that uses every key, and for the output for that file."""
        self.write(WITH_EVERYTHING)
        self.write(self.shown("proxy.yaml"), "again.yaml")
        self.assertEqual(self.shown("again.yaml"), self.shown("proxy.yaml"))
        for uri in URIS:
            self.assertEqual(self.urivet("check", "--format=json", "--policy-file=again.yaml", "--", uri).out,
                             self.urivet("check", "--format=json", "--policy-file=proxy.yaml", "--", uri).out)

    def test_final_dots(self):
        """A rule is shown without its final dot, as it is matched."""
        self.write('hosts: {allow: ["Example.com.", ".example.net.", "*.example.org."], deny: ["a.example.net."]}')
        self.assertEqual(self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]["hosts"],
                         {"allow": ["Example.com", ".example.net", "*.example.org"], "deny": ["a.example.net"]})
        shown = self.shown("proxy.yaml")
        for rule in (b'"Example.com"', b'".example.net"', b'"*.example.org"', b'"a.example.net"'):
            self.assertIn(rule, shown)
        self.write(shown, "again.yaml")
        self.assertEqual(self.shown("again.yaml"), shown)

    def test_json(self):
        self.write(WITH_EVERYTHING)
        made = self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()
        self.assertEqual(made, [{
            "base": "public", "name": 'every "key" \\ of it', "mode": "observe", "schemes": ["http", "https", "wss", "other"],
            "ports": {"http": ["8000-8099"], "https": [8443, "9000-9100", 9042]},
            "hosts": {"allow": ["z.example", ".Example.org", "*.example.net"], "deny": ["admin.example.org"]},
            "urls": {"allow": ["https://app.example.com:8443/cb", "com.example.app:/cb"]},
            "addresses": {"allow": ["10.1.0.0/16", "2001:db8::/32", "192.0.2.7"], "deny": ["10.1.2.0/24"], "nat64": ["2001:db8:64::/96"]},
            "allow": ["host-trailing-dot", "host-single-label"], "refuse": ["scheme-plaintext", "query-empty"],
            "limits": {"length": 2048, "host": 100, "label": 30}, "opaque_query": True, "protect": ["example.org", "a.example", "bank.example"],
            "paths": [], "strip_prefix": [], "parameters": {}}])
        self.assertEqual(list(made[0]), ["base", "name", "mode", "schemes", "ports", "hosts", "urls", "addresses", "allow", "refuse", "limits", "opaque_query", "protect", "paths", "strip_prefix", "parameters"])
        self.assertEqual(self.urivet("policy", "show", "--format=json", "any").objects()[0]["hosts"], {})

    def test_beyond_the_base(self):
        """Settings that the base already has are not repeated."""
        self.write('base: "public"\nallow: ["addr-loopback"]')
        made = self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]
        self.assertEqual((made["allow"], made["refuse"]), (["addr-loopback"], []))
        text = self.shown("proxy.yaml").decode()
        self.assertIn("host-single-label", text)
        self.assertNotIn("addr-loopback,", text)

    def test_gateway(self):
        """Findings that the base raises and waives are shown as a comment, and its opaque query as a setting."""
        text = self.shown("gateway")
        for line in (b'base: gateway', b"# The base has these rules:", b"# The base lets these findings stand:", b"opaque_query: true"):
            self.assertIn(b"\n" + line + b"\n", text)
        self.assertIn(b" path-semicolon", text)
        self.assertNotIn(b'"path-semicolon"', text)
        made = self.urivet("policy", "show", "--format=json", "gateway").objects()[0]
        self.assertEqual((made["allow"], made["refuse"], made["opaque_query"]), ([], [], True))

    def test_opaque_query(self):
        """opaque_query is shown if the policy or its base sets it, and in JSON always."""
        for base, flag, shown in (("strict", "", None), ("strict", "true", "true"), ("strict", "false", None),
                                  ("gateway", "", "true"), ("gateway", "true", "true"), ("gateway", "false", "false")):
            with self.subTest((base, flag)):
                self.write('base: "%s"\nname: "x"' % base + ("\nopaque_query: %s" % flag if flag else ""))
                text = self.shown("proxy.yaml")
                self.assertEqual([line for line in text.decode().splitlines() if "opaque_query" in line],
                                 ["opaque_query: %s" % shown] if shown else [])
                made = self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]
                self.assertIs(made["opaque_query"], shown == "true")
                self.write(text)
                self.assertEqual(self.shown("proxy.yaml"), text)

    def test_beyond_gateway(self):
        """Findings that the base waives can be refused again, and those that it raises can be allowed."""
        self.write('base: "gateway"\nallow: ["path-semicolon"]\nrefuse: ["escape-after-astral", "path-empty"]')
        made = self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]
        self.assertEqual((sorted(made["allow"]), sorted(made["refuse"])), (["path-semicolon"], ["escape-after-astral", "path-empty"]))
        for uri, verdict in ((b"http://example.com/a;b", "accept"), (b"http://example.com/x.example:80", "accept"),
                             (b"http://example.com/%F0%9F%92%A9%2Fx", "reject"), (b"http://example.com", "reject"), (b"http://example.com/a//", "reject")):
            self.assertEqual(self.urivet("check", "--format=tsv", "--policy-file=proxy.yaml", uri).rows()[0][0], verdict, uri)

    def test_quiet(self):
        self.write('base: "any"')
        self.assertEqual(self.urivet("policy", "check", "-q", "proxy.yaml").out, b"")
        self.assertEqual(self.urivet("policy", "show", "-q", "proxy.yaml").out, b"")

    def test_full_disk(self):
        self.write('base: "any"')
        with open("/dev/full", "wb") as full:
            for given in (["policy", "show", "proxy.yaml"], ["policy", "check", "proxy.yaml"], ["serve", "--squid"], ["serve", "--apache"]):
                self.assertUsage(self.urivet(*given, stdin=b"x\n", stdout=full), "cannot write standard output")


class Public(Case):
    """The policy public accepts names and addresses that are publicly reachable; tests/core/addresses has a model of them."""

    def test_search_lists(self):
        """Names that resolv.conf's search list maps to internal hosts: refused if host-unknown-tld is raised,
        and only then."""
        option = "--refuse=host-unknown-tld"
        for host, label in (("kubernetes.default", "default"), ("api.kube-system", "kube-system"), ("db.prod", "prod"),
                            ("DB.PROD", "PROD"), ("a.b.c.staging", "staging"), ("localhost.localstack", "localstack")):
            for policy in ("public", "strict", "any"):
                with self.subTest((host, policy)):
                    made = self.object("http://%s/" % host, "--policy=" + policy, option)
                    found = [f for f in made["findings"] if f["id"] == "host-unknown-tld"]
                    self.assertEqual((made["verdict"], len(found), found[0]["class"], found[0]["component"]), ("reject", 1, "policy", "host"))
                    self.assertEqual((found[0]["offset"], found[0]["length"]), (8 + len(host) - len(label) - 1, len(label)))
                    self.assertAccepts("http://%s/" % host, "--policy=" + policy)
        for host in ("kubernetes.default.com", "api.io", "db.pro", "DB.PRO", "prod.com", "xn--j6w193g.xn--j6w193g", "8.8.8.8", "[2600::1]"):
            self.assertAccepts("http://%s/" % host, "--policy=public", option)
        self.assertAccepts("http://db.pro./", "--policy=public", "--allow=host-trailing-dot", option)
        self.assertRefuses("http://db.prod./", "--policy=public", "--allow=host-trailing-dot", option)

    def test_strict_takes_them(self):
        """The grammar is the same: strict accepts all of them."""
        for host in ("localhost", "printer", "10.0.0.1", "[::1]", "[fe80::1]", "127-0-0-1.nip.io"):
            self.assertAccepts("http://%s/" % host)

    def test_waived(self):
        self.assertAccepts("http://127.0.0.1/", "--policy=public", "--allow=addr-loopback")
        self.assertRefuses("http://10.0.0.1/", "--policy=public", "--allow=addr-loopback")

    def test_block(self):
        """The address block that contains the address is named."""
        out = run("check", "--policy=public", "http://10.0.0.1/").out
        self.assertIn(b"    decided by: 10.0.0.0/8 Private-Use (RFC 1918), not globally reachable\n", out)
        self.assertIn(b"  address decided by: ", run("explain", "--policy=public", "http://192.0.0.9/").out)


class Decisions(FileCase):
    POLICY = """base: "public"
ports: {http: [8080,
  "6000-7000"]}
hosts: {allow: [
    ".example.org"
],
  deny: [
    "admin.example.org"]}
addresses: {allow: ["10.1.0.0/16"],
  deny: ["10.1.2.0/24", "2600:1::/32"]}
"""

    def explained(self, uri, *options):
        self.write(self.POLICY)
        return self.urivet("explain", "--policy-file=proxy.yaml", *options, uri).out.decode("ascii")

    def test_rules(self):
        for uri, line in [
                ("http://admin.example.org/", '    decided by: deny "admin.example.org" (proxy.yaml:8)'),
                ("http://a.example.org/", '  host decided by: allow ".example.org" (proxy.yaml:5)'),
                ("http://example.net/", '    decided by: "hosts.allow", which has no rule for it (proxy.yaml:4)'),
                ("http://10.1.2.3/", '    decided by: deny "10.1.2.0/24" (proxy.yaml:10)'),
                ("http://[2600:1::5]/", '    decided by: deny "2600:1::/32" (proxy.yaml:10)'),
                ("http://10.1.3.3/", '  address decided by: allow "10.1.0.0/16" (proxy.yaml:9)'),
                ("http://10.2.3.3/", "    decided by: 10.0.0.0/8 Private-Use (RFC 1918), not globally reachable"),
                ("http://a.example.org:8080/", '  port decided by: allow "8080" (proxy.yaml:2)'),
                ("http://a.example.org:6001/", '  port decided by: allow "6000-7000" (proxy.yaml:3)'),
                ("http://a.example.org:6379/", '    decided by: allow "6000-7000" (proxy.yaml:3), a range, which covers no blocked port')]:
            self.assertIn(line, self.explained(uri).split("\n"), uri)

    def test_included(self):
        self.write("hosts:\n  deny:\n    - admin.example.org", "hosts.yaml")
        self.write("include: [hosts.yaml]", "p.yaml")
        self.assertIn(b'decided by: deny "admin.example.org" (hosts.yaml:3)',
                      self.urivet("check", "--policy-file=p.yaml", "http://admin.example.org/").out)


@needs("publicsuffix")
class PublicSuffix(FileCase):
    def test_names(self):
        for host, suffix in [("co.uk", True), ("CO.uk", True), ("com", True), ("github.io", True), ("ck", True), ("x.ck", True),
                             ("xn--55qx5d.cn", True), ("example.co.uk", False), ("example.com", False), ("www.ck", False),
                             ("localhost", False), ("printer", False), ("x.unknown", False), ("internal", False)]:
            with self.subTest(host=host):
                row = self.row("http://%s/" % host, "--refuse=host-public-suffix")
                self.assertEqual("host-public-suffix" in row[1].split(","), suffix)
                self.assertEqual(row[0], "reject" if suffix else "accept")

    def test_final_dot(self):
        row = self.row("http://co.uk./", "--refuse=host-public-suffix")
        self.assertEqual(row[1], "host-public-suffix,host-trailing-dot")

    def test_other_spellings(self):
        """The suffix is found in spellings that a policy waives, and in parts that readers cut off."""
        waived = "--allow=host-percent-encoded,escaped-unreserved,host-empty-label,host-trailing-dot,host-subdelim"
        for host, suffix in [("co%2Euk", True), ("c%6f.uk", True), (".co.uk", True), ("co..uk", True), ("co.uk..", True),
                             ("co.uk!x", True), ("x%2Eco.uk", False), ("%65xample.com", False), ("a..co.uk", False)]:
            with self.subTest(host=host):
                row = self.row("http://%s/" % host, "--refuse=host-public-suffix", waived)
                self.assertEqual(row[0], "reject" if suffix else "accept", row)

    def test_off(self):
        """The rule is off where it is not raised, and a waiver leaves a note."""
        for options, row in (((), ["accept", "-"]), (("--policy=public",), ["accept", "-"]), (("--allow=host-public-suffix",), ["accept", "host-public-suffix"])):
            self.assertEqual(self.row("http://co.uk/", *options)[:2], row)

    def test_file(self):
        """The rule works in a policy file too; a name that a rule allows does not have the finding."""
        self.write('refuse: ["host-public-suffix"]\nhosts: {allow: ["github.io", ".example.com"]}')
        rows = self.urivet("check", "--format=tsv", "--policy-file=proxy.yaml", "http://github.io/", "http://co.uk/", "http://a.example.com/").rows()
        self.assertEqual([row[:2] for row in rows], [["accept", "-"], ["reject", "host-not-allowed,host-public-suffix"], ["accept", "-"]])

    def test_commands(self):
        """Every command that judges reports it, in every format and every thread."""
        option = "--refuse=host-public-suffix"
        lines = b"http://co.uk/\nhttp://a.co.uk/\n" * 20000
        self.assertEqual(run("filter", option, "--jobs=3", stdin=lines).out, b"http://a.co.uk/\n" * 20000)
        self.assertEqual(run("check", "-q", option, "http://co.uk/").code, 1)
        made = self.object("http://co.uk/", option)
        self.assertEqual([(f["id"], f["number"], f["offset"], f["length"]) for f in made["findings"]], [("host-public-suffix", 304, 7, 5)])
        self.assertEqual((made["verdict"], made["suggestion"]), ("reject", None))
        self.assertIn(b"host-public-suffix", run("explain", option, "http://co.uk/").out)
        self.assertEqual(run("suggest", option, "HTTP://co.uk", "HTTP://a.co.uk").out, b"http://a.co.uk/\n")
        self.assertEqual([r[0] for r in run("scan", option, stdin=b"http://co.uk/ http://a.co.uk/").rows()], ["reject", "accept"])
        self.assertEqual(run("resolve", option, "http://a.co.uk/", "//co.uk/").code, 1)
        self.assertEqual(run("resolve", option, "--reader=url-1996", "http://a.co.uk/", "//co.uk/").code, 1)
        self.assertEqual(run("resolve", option, "http://co.uk/", "//a.co.uk/").code, 0)
        row = run("check", "--format=tsv", option, "--target=co.uk", "/a").rows()[0]
        self.assertEqual(row[:2], ["reject", "host-public-suffix"])
        self.assertIn(b"host-public-suffix", run("check", "--format=human", option, "--readings", "http://co.uk/").out)


class Examples(FileCase):
    """The policies that come with the command; tests/policyfile checks them rule by rule."""

    def test_readme(self):
        """The policy shown on their page is valid."""
        page = content(os.path.join(EXAMPLES, "README.md")).decode()
        policy = page.split("\n## Policies of your own\n")[1].split("```yaml\n")[1].split("```\n")[0]
        self.assertGood(policy)
        self.assertEqual(self.verdict(policy, "https://a.example.org:9001/")[0], "accept")
        self.assertEqual(self.verdict(policy, "https://admin.example.org/")[0], "reject")

    def test_in_the_manual(self):
        """The manual lists each of them."""
        text = content(os.path.join(ROOT, "src", "cli", "manual", "urivet-policy-examples.5")).decode().splitlines()
        for name in sorted(set(os.listdir(EXAMPLES)) - {"README.md", "policy.schema.json", "tests", "applications"}):
            self.assertIn('.\\" EXAMPLE src/examples/policies/' + name, text)
