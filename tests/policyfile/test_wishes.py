# SPDX-License-Identifier: Apache-2.0
"""Tests that policies can say what operators, developers and authors of bug reports wanted to say and could not."""
from __future__ import annotations

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli")]
from helper import Case, run  # noqa: E402

HOST = "www.example.com"
# A wish; the policy; what it accepts, and near misses that it refuses: URLs, or targets of GET with METHOD and HOST before
# them if these are others.
WISHES = [
    # gateways
    ("%2F only below /api/v4/projects/", "base: gateway\npaths: [{prefix: /api/v4/projects/, allow: [escaped-slash]}]",
     ["/api/v4/projects/group%2Fproject/issues"], ["/a%2Fb", "/api/v4/users/a%2Fb", "/api/v4/projects/..%2Fusers", "/x/../api/v4/projects/a%2Fb"]),
    ("; of Angular below its prefix", "base: gateway\npaths: [{prefix: /app/, allow: [path-semicolon, path-final-semicolon]}]",
     ["/app/list;page=2", "/app/x;jsessionid=1/y"], ["/list;page=2", "/app;x/list", "/app/..;/admin"]),
    ("// of an archive", "base: gateway\npaths: [{prefix: /web/, allow: [path-double-slash]}]", ["/web/2026/http://example.org/"], ["//web/", "/x//y"]),
    ("%25 of Jenkins", "base: gateway\npaths: [{prefix: /job/, allow: [escaped-percent, double-escape]}]", ["/job/a%252Fb/1/"], ["/a%252Fb", "/job/%252e%252e/x"]),
    ("%23 and %3F in paths of Matrix and wikis", "base: gateway\npaths: [{prefix: /_matrix/, allow: [path-delimiter-escaped]}, {prefix: /wiki/, allow: [path-delimiter-escaped]}]",
     ["/_matrix/client/v3/directory/room/%23a:example.org", "/wiki/Why%3F"], ["/_matrix/..%23/x", "/a%23b/../c"]),
    ("raw octets of Prometheus and Elasticsearch", "base: gateway\npaths: [{prefix: /api/v1/, allow: [forbidden-char, query-nested-brackets]}]",
     ['/api/v1/query?query=up{a="b"}[5m]', "/api/v1/a|b"], ['/query?query=up{a="b"}', "/a|b", '/api/v1/a\\b']),
    ("%7E and %E9 of old clients", "base: gateway\npaths: [{prefix: /old/, allow: [escaped-unreserved, latin1-escape, invalid-utf8-escape]}]",
     ["/old/%7Euser/caf%E9"], ["/%7Euser", "/caf%E9", "/old/%2E%2E/x"]),
    ("a host with an underscore", "base: gateway\nhosts: {allow: [my_app, www.example.com]}\nallow: [host-underscore]", ["GET my_app /", "/"], ["GET your_app /", "GET my-app /"]),
    ("health checks of HTTP/1.0 without a Host field", "base: gateway\npaths: [{prefix: /healthz$, methods: [GET, HEAD], allow: [host-missing]}]",
     ["GET  /healthz", "HEAD  /healthz", "/"], ["GET  /", "POST  /healthz", "GET  /healthz/x"]),
    ("a waiver for a method", "base: gateway\npaths: [{prefix: /dav/, methods: [PROPFIND], allow: [path-semicolon]}]", [f"PROPFIND {HOST} /dav/a;b"], ["/dav/a;b"]),
    ("an exclusion by parameter", "base: gateway\nparameters: {comment: {allow: [escaped-crlf]}}", ["/post?comment=a%0D%0Ab"], ["/post?title=a%0D%0Ab", "/a%0D%0Ab?comment=x"]),
    ("what a server sees after it stripped a prefix", "base: gateway\nstrip_prefix: [/api]", ["/api/users"], ["/api//evil.example", "/api.."]),
    # applications
    ("443 for any public host, 8443 for one partner", "base: public\nurls: {also: ['https://partner.example.com:8443/']}",
     ["https://www.python.org/", "https://partner.example.com:8443/hook"], ["https://www.python.org:8443/", "https://partner.example.com:8444/", "https://10.0.0.1/"]),
    ("names that contain a protected one", "protect: [paypal.com]\nrefuse: [brand-as-label]", ["https://www.paypal.com/", "https://example.com/"],
     ["https://paypal.com.evil.net/", "https://paypal.com-login.net/", "https://paypa1.com/"]),
    ("one tenant below a name, no deeper", "urls: {allow: ['https://+.apps.example.com/cb']}", ["https://a.apps.example.com/cb"], ["https://a.b.apps.example.com/cb", "https://apps.example.com/cb"]),
    ("names one label below", "hosts: {allow: ['+.example.com']}", ["https://a.example.com/"], ["https://a.b.example.com/", "https://example.com/"]),
    ("a script with any version", "urls: {allow: ['https://cdn.example.com/app.js?*$']}", ["https://cdn.example.com/app.js", "https://cdn.example.com/app.js?v=2"],
     ["https://cdn.example.com/app.js/x", "https://cdn.example.com/app.jsx", "https://cdn.example.com/app.js?v=2#x"]),
    ("a redirect URI with its query", "urls: {allow: ['https://app.example.com/cb?tenant=1$']}", ["https://app.example.com/cb?tenant=1"],
     ["https://app.example.com/cb", "https://app.example.com/cb?tenant=2", "https://app.example.com/cb?tenant=1&code=x", "https://app.example.com/cb/?tenant=1"]),
    ("an origin of CORS", "urls: {allow: ['https://app.example.com$', 'http://localhost:3000$']}", ["https://app.example.com", "https://app.example.com/", "http://localhost:3000"],
     ["https://app.example.com/x", "https://app.example.com/?x", "https://app.example.com:8443", "http://app.example.com"]),
    ("any port of one host, a range of another", "urls: {allow: ['http://build.example.com:*/', 'http://ci.example.com:8000-8099/']}",
     ["http://build.example.com/", "http://build.example.com:49152/", "http://ci.example.com:8080/"], ["http://build.example.com:6379/", "http://x.build.example.com:49152/", "http://ci.example.com:8100/", "http://ci.example.com/"]),
    ("an exception from a denial", "hosts: {deny: [{name: .example.com, except: [ok.example.com]}]}", ["https://ok.example.com/", "https://www.python.org/"],
     ["https://example.com/", "https://no.example.com/", "https://x.ok.example.com/"]),
    ("a private scheme with a host", "urls: {allow: ['com.example.app://tenant.example.com/ios/cb$']}", ["com.example.app://tenant.example.com/ios/cb"],
     ["com.example.app://evil.example/ios/cb", "com.example.evil://tenant.example.com/ios/cb", "com.example.app:/ios/cb"]),
    ("a parameter that is there, and its values", "urls: {allow: ['https://app.example.com/v']}\nparameters: {mode: {values: [view, edit], required: true}}",
     ["https://app.example.com/v?mode=view", "https://app.example.com/v?x=1&mode=edit"], ["https://app.example.com/v", "https://app.example.com/v?mode=admin", "https://app.example.com/v?mode=view&mode=admin"]),
    # reports
    ("a line break in the text of a share link", "parameters: {text: {allow: [escaped-crlf]}}", ["https://wa.me/?text=a%0Ab"], ["https://wa.me/?phone=a%0Ab", "https://wa.me/a%0Ab?text=x"]),
    ("a line break in the body of a mailto link", "base: any", ["mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index"],
     ["mailto:infobot@example.com?subject=a%0D%0Ab", "mailto:a%0D%0Ab@example.com"]),
    ("schemes by name", "base: any\nschemes: [https, mailto, tel]", ["https://example.com/", "mailto:a@example.com", "tel:+1"],
     ["teamviewer10:", "jdbc:mysql://h/x", "unix:///var/run/docker.sock", "http://example.com/"]),
    ("an invitation, and no key", "refuse: [query-secret]", ["https://us02web.zoom.us/j/1234567890?pwd=bm90LWEtc2VjcmV0LWF0LWFsbA"], ["https://example.com/?access_token=0123456789abcdef0123456789abcdef"]),
    ("a public suffix on purpose", "base: public\nhosts: {allow: [{name: '*.googleapis.com', shared: true}]}", ["https://storage.googleapis.com/"], ["https://googleapis.com/", "https://www.python.org/"]),
    ("parameters that a redirect URI must not have", "urls: {allow: ['https://app.example.com/cb'], forbid_parameters: [code, state, iss, error]}",
     ["https://app.example.com/cb?x=1"], ["https://app.example.com/cb?code=1", "https://app.example.com/cb?x=1&st%61te=2"]),
    ("next that is a path from the root", "parameters: {next: {same_origin: true, rooted: true}}", ["https://example.com/?next=/account?tab=1"],
     [f"https://example.com/?next={value}" for value in ("@evil.example", ".evil.example", "//evil.example", "account", "https://example.com/x", "/%5Cevil.example")]),
    ("next that a browser resolves to the same page", "parameters: {next: {same_origin: true}}", ["https://example.com/a?next=?page=2", "https://example.com/a?next=https://example.com/b"],
     ["https://example.com/a?next=//evil.example", "https://example.com/a?next=https://evil.example/"]),
    ("url that is fetched, by a policy of its own", "parameters: {url: {policy: public, absolute: true}}", ["http://127.0.0.1/?url=https://www.python.org/"],
     ["http://127.0.0.1/?url=http://10.0.0.1/", "http://127.0.0.1/?url=10.0.0.1", "http://127.0.0.1/?url=/etc/passwd"]),
]


# Policies with a rule that changes nothing; a piece of the message; a near miss that is a policy.
VAIN = [
    ("base: gateway\nurls: {allow: ['https://a.example/']}", '2:8: "urls.allow" refuses every request', "base: gateway\nhosts: {allow: [a.example]}"), ("urls: {allow: ['http://172.17.0.0/16:5978']}", "networks go into", "urls: {allow: ['http://172.17.0.1/16:5978']}"),
    ("urls: {allow: ['http://10.0.0.0/8']}", "networks go into", "urls: {allow: ['http://10.0.0.0/80']}"), ("urls: {allow: ['https://[2600::]/32/x']}", "networks go into", "urls: {allow: ['https://[2600::]/a/32']}"), ("addresses: {allow: [10.0.0.0/8]}", '"10.0.0.0/8" has no effect', "hosts: {allow: [a.example]}\naddresses: {allow: [10.0.0.0/8]}"),
    ("base: public\naddresses: {allow: [9.9.9.9]}", 'add "hosts.allow"', "base: public\naddresses: {allow: [10.0.0.1]}"), ("base: gateway\naddresses: {allow: ['2600::1']}", 'add "hosts.allow"', "base: gateway\nrefuse: [host-is-address]\naddresses: {allow: ['2600::1']}"),
    ("base: any\naddresses: {allow: [127.0.0.1]}", "nothing refuses it", "base: any\nrefuse: [addr-loopback]\naddresses: {allow: [127.0.0.1]}"), ("refuse: [userinfo-present]", '"strict" refuses it anyway', "refuse: [port-default]"), ("base: public\nrefuse: [addr-private]", '"public" refuses it anyway', "refuse: [addr-private]"),
    ("base: gateway\nrefuse: [path-semicolon]", '"gateway" refuses', "refuse: [path-semicolon]"), ("refuse: [dot-segment]", "refuses it anyway", "base: gateway\nrefuse: [ipv6-path-digit]"), ("allow: [port-default]", '"strict" refuses nothing by it', "allow: [host-trailing-dot]"),
    ("allow: [addr-private]", "refuses nothing by it", "base: public\nallow: [addr-private]"), ("allow: [path-double-slash]", "refuses nothing by it", "base: gateway\nallow: [path-double-slash]"), ("base: gateway\nallow: [colon-port-in-tail]", '"gateway" refuses nothing', "allow: [colon-port-in-tail]"),
    ("base: any\nallow: [scheme-plaintext]", '"any" refuses nothing', "base: public\nallow: [scheme-not-allowed]"), ("hosts: {allow: [a.example]}\nallow: [host-not-allowed]", 'host-not-allowed switches "hosts.allow" off', "hosts: {allow: [a.example]}\nallow: [host-underscore]"),
    ("urls: {allow: ['https://a.example/']}\nallow: [url-not-allowed]", 'url-not-allowed switches "urls.allow" off', "urls: {allow: ['https://a.example/']}"), ("hosts: {deny: [a.example]}\nallow: [host-denied]", "refuses nothing by it", "hosts: {deny: [a.example]}"),
    ("addresses: {deny: [9.9.9.9]}\nallow: [addr-denied]", "refuses nothing by it", "addresses: {deny: [9.9.9.9]}"), ("parameters: {u: {policy: public}}\nallow: [param-refused]", "refuses nothing by it", "parameters: {u: {policy: public}}"),
    ("protect: [a.example]\nallow: [idn-brand-confusable]", "refuses nothing by it", "protect: [a.example]\nallow: [host-underscore]"), ("schemes: [https]\nports: {http: [8080]}", "which the policy does not allow", "schemes: [https]\nurls: {allow: ['http://a.example/']}"),
    ("ports: {https: [443]}", "is the port of https anyway", "ports: {https: [80]}"), ("allow: [double-escape]\npaths: [{prefix: /a/, allow: [double-escape]}]", "everywhere", "paths: [{prefix: /a/, allow: [double-escape]}]"),
    ("urls: {forbid_parameters: [a]}", "which are not there", "urls: {allow: ['https://a.example/'], forbid_parameters: [a]}"), ("allow: [escaped-crlf]\nparameters: {a: {allow: [escaped-crlf]}}", "everywhere", "parameters: {a: {allow: [escaped-crlf]}}"),
    ("paths: [{prefix: /a/, allow: [double-escape]}, {prefix: /a/, allow: [escaped-crlf]}]", "write all its findings there", "paths: [{prefix: /a/, allow: [double-escape]}, {prefix: /a, allow: [escaped-crlf]}]"),
    ("urls: {allow: ['https://a.example/'], also: ['https://b.example/']}", "write its rules there", "urls: {also: ['https://b.example:8443/']}"),
]
# Targets for what urivet-policy-rules(5) says that ordinary software sends.
SENT = {
    "a%2Fb": ["/x/a%2Fb"], "/%2F/": ["/x/%2F/y"], "// , http:// No in a path": ["/x//y", "/x/http://example.org/", "/x/https%3A//example.org"],
    "a;b , a;": ["/x/a;b", "/x/a;"], "%252F , %25": ["/x/a%252Fb", "/x/100%25"], "%23 , %3F": ["/x/%23a", "/x/why%3F"], "%5C": ["/x/a%5Cb"],
    "\\(dq < > , { } | No in a path": ['/x?q="a"', "/x/{{a}}", "/x/a|b"], "%7E": ["/x/%7Eu"], "caf%E9": ["/x/caf%E9"], "%0D%0A": ["/x?t=a%0D%0Ab"],
}


class Wishes(Case):
    def verdicts(self, folder: str, inputs: list[str]) -> list[str]:
        records = [text if " " in text else f"GET {HOST} {text}" for text in inputs]
        of_targets = inputs[0].startswith("/") or " " in inputs[0]
        result = run("check", "--format=tsv", "--policy-file=p.yaml", *["--target-records"] * of_targets,
                     stdin="\n".join(records if of_targets else inputs).encode(), cwd=folder)
        self.assertEqual(result.err, b"")
        return [row[0] for row in result.rows()]

    def test_wishes(self) -> None:
        for wish, policy, accepted, refused in WISHES:
            folder = str(self.folder())
            pathlib.Path(folder, "p.yaml").write_text(policy + "\n", encoding="utf-8")
            with self.subTest(wish):
                self.assertEqual(list(zip(accepted, self.verdicts(folder, accepted))), [(text, "accept") for text in accepted])
                self.assertEqual(list(zip(refused, self.verdicts(folder, refused))), [(text, "reject") for text in refused])

    def test_without_effect(self) -> None:
        for policy, sentence, near in VAIN:
            with self.subTest(policy):
                self.assertUsage(run("policy", "check", "-", stdin=policy), sentence)
                self.assertEqual(run("policy", "check", "-", stdin=near).code, 0, near)

    def test_page(self) -> None:
        """The findings that urivet-policy-rules(5) lists allow what stands beside them, and are needed for it."""
        page = (HERE.parents[1] / "src/cli/manual/urivet-policy-rules.5").read_text(encoding="ascii")
        rows = re.findall(r"^\.It Li (.*)\n\.Sy (.*)$", page.split("What ordinary software sends")[1].split(".El")[0], re.M)
        self.assertEqual([label for label, _ in rows], list(SENT))
        for label, names in rows:
            folder = str(self.folder())
            names = names.replace(" ,", ",").replace("\\-", "-")
            with self.subTest(label):
                for text, verdict in ((f"base: gateway\npaths: [{{prefix: /, allow: [{names}]}}]\n", "accept"), ("base: gateway\n", "reject")):
                    pathlib.Path(folder, "p.yaml").write_text(text, encoding="utf-8")
                    got = self.verdicts(folder, SENT[label])
                    self.assertEqual(set(got), {verdict}, (label, got))
