# SPDX-License-Identifier: Apache-2.0
"""Tests urivet policy explain: which rules are about a URL, and what to add for the other verdict."""
from __future__ import annotations

import json
import pathlib
import random
import re
import sys
from typing import Any

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
from helper import Case, Result, run  # noqa: E402

POLICY = """# of ours
base: public
ports: {https: [8443]}   # a partner
hosts:
  allow:
    - .example.org
    - a.example.net
  deny:
    - admin.example.org   # closed
    - bad.example.org
urls:
  allow:
    - https://app.example.net:9443/cb
refuse: [query-empty, host-is-address]
limits: {length: 100}
"""
# A URL, and what to add so that it is accepted, or what is said instead.
ADDITIONS: list[tuple[str, dict[str, Any] | str]] = [
    ("https://admin.example.org/", "host-denied still refuses.\nChange the rule that decided.\n"),
    ("https://www.example.org/", {"hosts": {"deny": ["www.example.org"]}}),
    ("https://b.example.net/", {"urls": {"allow": ["https://b.example.net/$"]}}),
    ("https://b.example.net/a?x=1", {"urls": {"allow": ["https://b.example.net/a"]}}),
    ("https://b.example.net", "host-not-allowed still refuses.\nWrite it otherwise: "),
    ("https://b.example.net/it's", {"urls": {"allow": ["https://b.example.net/it's$"]}}),
    ("https://www.example.org/?", "query-empty still refuses.\nWrite it otherwise: "),
    ("https://www.example.org/a/../b", "dot-segment still refuses.\nWrite instead: https://www.example.org/b\n"),
    ("https://10.0.0.1/", "host-is-address still refuses.\nWrite it otherwise: "),
    ("https://www.example.org/a b", "raw-space still refuses.\nWrite instead: https://www.example.org/a%20b\n"),
    ("https://www.example.org/%00", "escaped-nul still refuses.\nWrite it otherwise: "),
]
# Policies, and URLs that each refuses.
TABLE = [
    (POLICY, "https://www.example.org:8444/ https://b.example.net/?x https://b.example.net/x/../y https://b.example.net/a?x=1 ftp://www.example.org/"),
    ("urls: {allow: ['https://app.example.com/cb$']}", "https://app.example.com/cb?x=1 https://app.example.com/cb#f https://app.example.com/cb/ https://app.example.com/@types%2fnode"
     " /cb https://evil.example/x https://app.example.com:8443/cb http://app.example.com/cb https://app.example.com ftp://app.example.com/cb"),
    ("hosts: {allow: [a.example]}\nurls: {allow: ['https://app.example.com/cb$']}", "https://b.example/a%2Fb https://b.example/a/b?c https://app.example.com/cb#f https://a.example:22/ /a"),
    ("hosts: {allow: [a.example]}", "https://u@b.example:8443/ https://b.example/x https://sub.a.example/x/y https://[2001:db8::1]/x https://[2606:4700::1]:8443/x/y?z javascript:x"),
    ("hosts: {allow: [.example.com]}\nurls: {also: ['com.example.app:/cb']}", "com.example.app:/x com.example.app:/cb/../x other.app:/cb https://example.net/a/b;c http://example.com:8080/a"),
    ("hosts: {allow: [a.example]}\nallow: [port-nondefault]", "https://b.example:8443/x"), ("ports: {https: [8443]}", "https://a.example:22/ https://a.example:22/x http://a.example:8443/x/y?z=1"),
    ("base: public", "http://169.254.169.254/latest javascript:x http://user@10.0.0.1:6000/ https://a.example:8443/x http://localhost/x http://[::1]:80/x https://127.0.0.1/a/b?c"),
    ("base: public\nschemes: [https]", "http://a.example/x ftp://a.example/x/y mailto:a@example.com"),
    ("base: gateway", "/api/x/a%2Fb;c https://a.example/x/?text=%0A /@types%2fnode /api/v4/a%2Fb /x//y https://a.example/wiki/a;b https://a.example/job/a%252Fb /a/%00 /a/b%5Cc /fetch/http://10.0.0.1/ /a/b;c/d%2Fe"),
    ("base: gateway\npaths: [{prefix: /a/, allow: [escaped-slash]}]", "/a/b%2Fc;d /a/b/c;d /b/c%2Fd"),
    ("base: gateway\nhosts: {allow: [a.example]}", "https://b.example/a/b;c https://a.example/a/b;c"),
    ("parameters: {next: {rooted: true}}", "https://a.example/?next=x"),
    ("base: gateway\nopaque_query: false", "/a/b?x=%E9 /search?q=%E9 /?q=%E9 /a/b?x=%0A"),
    ("base: any\nhosts: {allow: [a.example]}", "gopher://b.example/x https://b.example/x?y https://B.example/x https://b.example/%61"),
]


def foreign(rng: random.Random, url: str) -> list[str]:
    """Makes 10,000 URLs from the parts of one, and from others in their place."""
    scheme, _, rest = url.partition("://") if "://" in url and url[0] != "/" else ("https", "", "a.example" + url)
    split = (rest + "/").index("/")
    host, path = rest[:split].rpartition("@")[2], rest[split:].partition("?")[0].partition("#")[0] or "/"
    name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
    parts = path.split("/")
    schemes = [scheme] * 6 + ["http", "https", "ftp", "ws", "com.example.app", scheme.upper(), "javascript"]
    names = [name] * 6 + ["evil.example", "x." + name, name.partition(".")[2], name.upper(), name + ".", name + ".evil.example", "a.example", "b.example", "10.0.0.2",
                          "169.254.169.254", "[::2]", "user@" + name, name + "@evil.example", "app.example.com", "www.example.com"]
    ports = ["", "", ":" + port, ":22", ":80", ":443", ":8443", ":0" + port, ":"]
    paths = [path] * 3 + ["/".join(parts[:k]) or "/" for k in range(1, len(parts))] + [path + "x", path + "/x", path + "/../x", path + "/%2e%2e/x", path + "//", path + ";x", "/x" + path, "/",
        path.upper(), "/%61" + path[1:], "/" + path, "/x/" + parts[-1], path.replace("/", "%2F"), path + "%2Fx", path + "%00", path + "%5Cx", "/x;y", "/x//y", "/a%2Fb", "/x%252Fy"]
    hosts = [f"{rng.choice(schemes)}://{rng.choice(names)}{rng.choice(ports)}" for _ in range(2000)] + [f"{each}:" for each in schemes] + 99 * [""]
    return [rng.choice(hosts) + rng.choice(paths) + rng.choice(["", "", "?x=1", "?next=x", "?q=%E9", "#f", "?x=%0A", "?"]) for _ in range(10_000)]


def is_kin(url: str, added: Any) -> bool:
    """Returns true if the URL begins with a rule that was added, at the end of a segment, or is one that ends in $."""
    def normal(text: str) -> str:  # the host in lower case, without the port of the scheme
        return re.sub("^([a-z]+://)[^/]*", lambda found: re.sub(":443$" if found[1] == "https://" else ":80$", "", found[0].lower()), text)

    path = re.sub(r"^[a-z.]+:(//[^/]*)?", "", url)
    texts = [(normal(url), normal(text)) for texts in added.get("urls", {}).values() for text in texts] + [(path, rule["prefix"]) for rule in added.get("paths", [])]
    return any(whole == text[:-1] if text.endswith("$") else whole.startswith(text) and (text.endswith("/") or whole[len(text):len(text) + 1] in ("", "/", "?", "#"))
               for whole, text in texts)


def merged(policy: Any, added: Any) -> Any:
    """Returns the policy with the keys and values that are added."""
    if isinstance(added, list):
        return (policy or []) + added
    if isinstance(added, dict):
        return {**(policy or {}), **{key: merged((policy or {}).get(key), value) for key, value in added.items()}}
    return added


class Explain(Case):
    def explain(self, policy: str, url: str, **files: str) -> tuple[Result, str]:
        """Returns the output for a policy p.yaml, and the folder."""
        folder = str(self.folder())
        for name, text in {"p": policy, **files}.items():
            pathlib.Path(folder, f"{name}.yaml").write_bytes(text.encode("utf-8"))
        result = run("policy", "explain", "p.yaml", url, cwd=folder)
        rules = [line.lower() for line in run("policy", "diff", "any", "p.yaml", cwd=folder).out.decode().splitlines()]
        for key, text, place in re.findall(r"^  [* ] (\S+: )(.*)( \(\S+\))$", result.out.decode("utf-8"), re.M):    # each is one of the policy's
            self.assertTrue([line for line in rules if line.startswith(f"+ {key}{text}".lower()) and line.endswith(place)], (key, text, place, rules))
        return result, folder

    def added(self, result: Result) -> Any:
        """Returns what to add; None if there is no such thing."""
        _, found, text = result.out.decode("utf-8").partition("accept it, " if result.code == 1 else "refuse it, ")
        lines = text.split("\n")[1:]
        return yaml.safe_load("\n".join(line for line in lines if line.startswith("  "))) if found else None

    def assertAdded(self, result: Result, folder: str, url: str) -> Any:
        """Checks that the policy with what is added has the other verdict. Returns what is added."""
        added = self.added(result)
        self.assertIsNotNone(added, result.out)
        policy = yaml.safe_load(pathlib.Path(folder, "p.yaml").read_text(encoding="utf-8"))
        pathlib.Path(folder, "with.yaml").write_text(json.dumps(merged(policy, added)), encoding="utf-8")
        after = run("policy", "explain", "with.yaml", url, cwd=folder)
        self.assertEqual((after.code, after.err), (1 - result.code, b""), result.out)
        return added

    def test_exceptions(self) -> None:
        policy = "hosts: {deny: [{name: .bad.example, except: [.ok.bad.example, no.bad.example]}]}\n"
        for host, expected in (("a.ok.bad.example", "(* decided):\n    hosts.deny: .bad.example (p.yaml:1)\n    hosts.deny.except: .ok.bad.example (p.yaml:1)\n"),
                               ("x.bad.example", "(* decided):\n  * hosts.deny: .bad.example (p.yaml:1)\n"), ("ok.bad.example.net", "No rule of the policy names it.\n")):
            self.assertIn(expected, self.explain(policy, f"https://{host}/")[0].out.decode())

    def test_additions(self) -> None:
        for url, expected in ADDITIONS:
            with self.subTest(url):
                result, folder = self.explain(POLICY, url)
                if isinstance(expected, str):
                    self.assertIsNone(self.added(result))
                    self.assertIn("\nNo narrow addition to the policy accepts it: " + expected, result.out.decode())
                else:
                    self.assertEqual(self.assertAdded(result, folder, url), expected)

    def test_nothing_else_is_opened(self) -> None:
        """Each addition accepts the URL that was asked about, and of 10,000 others only those that its rules begin."""
        dangerous = {row["id"] for row in map(json.loads, run("findings", "--format=json").lines()) if row["class"] in ("dangerous", "policy")}
        tried = 0
        for policy, urls in TABLE:
            for url in urls.split():
                with self.subTest(url, policy=policy):
                    result, folder = self.explain(policy + "\n", url)
                    added = self.added(result)
                    self.assertEqual(result.code, 1, result.out)
                    if added is None:
                        self.assertIn(b"\nNo narrow addition to the policy accepts it: ", result.out)
                        continue
                    tried += 1
                    self.assertAdded(result, folder, url)
                    judged = run("check", "--format=json", "--policy-file=p.yaml", *["--target"] * (url[0] == "/"), "--", url, cwd=folder).objects()[0]["findings"]
                    self.assertEqual(re.findall("^This opens what is dangerous: (.*)$", result.out.decode(), re.M), [one["text"] for one in judged if one["class"] == "dangerous" and one["refuses"]])
                    self.assertLessEqual(set(added), {"urls", "paths"})
                    self.assertFalse([text for texts in added.get("urls", {}).values() for text in texts if re.fullmatch("[^:]+:(//[^/]*)?/?", text)])     # no whole host
                    self.assertFalse(dangerous & {name for rule in added.get("paths", []) for name in rule["allow"]})
                    others = sorted({*foreign(random.Random(7), url), url})
                    before, after = ({other for form in ((), ("--target",)) if (asked := [other for other in others if (other[0] == "/") == bool(form)])
                                      for other, row in zip(asked, run("check", "--format=tsv", f"--policy-file={name}.yaml", *form, cwd=folder,
                                                                       stdin="".join(f"{one}\n" for one in asked)).rows(), strict=True) if row[0] == "accept"} for name in ("p", "with"))
                    self.assertGreater(len(others), 3000)
                    self.assertEqual([other for other in after - before if not is_kin(other, added)], [])
        self.assertGreater(tried, 25)

    def test_dangerous(self) -> None:
        """A rule for a URL says what it opens."""
        result, folder = self.explain("base: public\n", "https://a.example:8443/x")
        self.assertEqual(self.assertAdded(result, folder, "https://a.example:8443/x"), {"urls": {"also": ["https://a.example:8443/x$"]}})
        self.assertIn(b"\nThis opens what is dangerous: A port other than the scheme's own", result.out)

    def test_rules(self) -> None:
        """Rules that would have decided are listed beside the one that did."""
        result, _ = self.explain(POLICY, "https://admin.example.org/")
        self.assertEqual(result.code, 1)
        self.assertIn(b"  * hosts.deny: admin.example.org (p.yaml:9)\n    hosts.allow: .example.org (p.yaml:6)\n", result.out)
        result, _ = self.explain("base: public\naddresses: {allow: [10.0.0.0/8], deny: [10.1.0.0/16]}\n", "http://10.1.2.3/")
        self.assertIn(b"  * addresses.deny: 10.1.0.0/16 (p.yaml:2)\n", result.out)
        self.assertIn(b"    addresses.allow: 10.0.0.0/8 (p.yaml:2)\n", result.out)
        result, _ = self.explain("urls: {also: ['https://a.example:8443/x']}\n", "https://a.example:8443/x")
        self.assertIn(b"\n  * urls.also: https://a.example:8443/x (p.yaml:1)\n", result.out)
        result, _ = self.explain("base: strict\n", "http://a.example/")
        self.assertIn(b"No rule of the policy names it.\n", result.out)

    def test_built_in(self) -> None:
        result = run("policy", "explain", "gateway", "https://a.example/v/a%2Fb;x")
        self.assertTrue(result.out.endswith(b"\nTo accept it, write a policy file:\n  base: gateway\n  paths:\n    # opens every path below the prefix with such a finding\n"
                                            b"    - {prefix: '/v/', allow: [escaped-slash, path-semicolon]}\n"), result.out)
        result = run("policy", "explain", "gateway", "https://a.example/@types%2fnode")
        self.assertTrue(result.out.endswith(b"\nNo narrow addition to the policy accepts it: escaped-slash still refuses.\n"
                                            b"A rule for the whole server: paths: [{prefix: /, allow: [escaped-slash]}]\n"), result.out)
        result = run("policy", "explain", "public", "mailto:a@example.com")
        self.assertIn(b"\nNo narrow addition to the policy accepts it: scheme-not-allowed still refuses.\n", result.out)

    def test_paths(self) -> None:
        result, _ = self.explain("base: gateway\npaths:\n  - {prefix: /api/, allow: [escaped-slash]}\n", "https://a.example/api/a%2Fb")
        self.assertIn(b'  path decided by: paths "/api/" (p.yaml:3)\n', result.out)
        self.assertIn(b"  * paths: /api/ (p.yaml:3)\n", result.out)

    def test_parameters(self) -> None:
        """Rules for parameters are listed; a finding is allowed in its parameter."""
        policy = "base: gateway\nparameters:\n  next: {rooted: true}\n  url:\n    policy: public\n  body: {allow: [escaped-crlf]}\n"
        result, folder = self.explain(policy, "https://a.example/?body=%0A")
        self.assertEqual((result.code, self.assertAdded(result, folder, "https://a.example/?body=%0A")), (0, {"hosts": {"deny": ["a.example"]}}))
        for url in ("https://a.example/?next=x&url=/", "https://a.example/?url=http://10.0.0.1/"):
            result, _ = self.explain(policy, url)
            self.assertIn(b"param-refused still refuses.\nChange the rule that decided.\n", result.out)
        result, _ = self.explain(policy, "https://a.example/?next=x&url=/")
        self.assertIn(b"  * parameters: next (p.yaml:3)\n    parameters: url (p.yaml:4)\n", result.out)
        self.assertIn(b'decided by: parameters "next" (p.yaml:3)\n', result.out)
        for options, listed in (("policy: public", False), ("semicolons: true", False), ("any_case: true", False), ("any_case: true, semicolons: true", True)):
            result, _ = self.explain(f"parameters: {{url: {{{options}}}}}\n", "https://a.example/?x=1;URL=/")
            self.assertEqual(b"  parameters: url (p.yaml:1)\n" in result.out, listed, result.out)

    def test_targets(self) -> None:
        """A path is judged as the target of a request."""
        result, folder = self.explain("base: gateway\nhosts: {allow: [www.example.com]}\n", "/shop/a;b?token=0123456789abcdef")
        self.assertEqual(result.code, 1)
        self.assertNotIn(b"0123456789abcdef", result.out)
        self.assertEqual(self.added(result), {"paths": [{"prefix": "/shop/", "allow": ["path-semicolon"]}]})
        result, _ = self.explain("base: gateway\n", "/shop/a")
        self.assertEqual((result.code, result.err), (0, b""))
        self.assertIn(b"No addition to the policy refuses it.\n", result.out)

    def test_compiled(self) -> None:
        """To a compiled policy nothing can be added."""
        folder = str(self.folder())
        path = pathlib.Path(folder, "p.yaml")
        path.write_text("hosts: {deny: [a.example]}\n", encoding="utf-8")
        self.assertEqual(run("policy", "compile", "p.yaml", "-o", "p.bin", cwd=folder).code, 0)
        path.write_text(" " * 30 + "- x\n", encoding="utf-8")
        result = run("policy", "explain", "p.bin", "http://a.example/", cwd=folder)
        self.assertEqual((result.code, result.err), (1, b""))
        self.assertIn(b'decided by: deny "a.example" (p.yaml:1)', result.out)
        self.assertIn(b"Nothing can be added to a compiled policy: explain the file that it was made from.\n", result.out)

    def test_usage(self) -> None:
        self.assertUsage(run("policy", "explain", "strict"), "policy explain: URL is missing")
        self.assertUsage(run("policy", "explain", "-", "http://a.example/"), "has to be a file")
        self.assertUsage(run("policy", "explain", "--format=json", "strict", "http://a.example/"), "--format")
