#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The model of the policy `gateway` and of request targets against a table of its sentences.

    python3 tests/core/model/gateway_self_test.py
"""
from __future__ import annotations

import unittest
from collections import Counter

from gate import judge
from gateway import OPEN, POLICIES, form_of, judge_record, judge_url
from generate import generate, generate_requests

# An absolute URL under `gateway`: what it has to be refused with; None: accepted.
URLS = {
    b"http://ex.org/a/b?c=d": None, b"http://ex.org": None, b"https://EX.org:443/": None, b"http://1.2.3.4/": None,
    # the path
    b"http://ex.org/a;b": {"path-semicolon"}, b"http://ex.org/a%3Bb": {"path-semicolon"},
    b"http://ex.org/a%3b": {"path-semicolon"}, b"http://ex.org/?a;b": None, b"http://ex.org/?a%3Bb;": None,
    b"http://ex.org/a//b": {"path-double-slash"}, b"http://ex.org/a//": {"path-double-slash"},
    b"http://ex.org//a": {"path-leading-double-slash"}, b"http://ex.org/?a//b": None,
    b"http://ex.org/a%5Cb": {"path-backslash-escaped"}, b"http://ex.org/%5c": {"path-backslash-escaped"},
    b"http://ex.org/?a%5Cb": None, b"http://ex.org/100%25": {"escaped-percent"}, b"http://ex.org/?100%25": None,
    b"http://ex.org/config.php%3Fx": {"path-delimiter-escaped"}, b"http://ex.org/a%3f": {"path-delimiter-escaped"},
    b"http://ex.org/%23": {"path-delimiter-escaped"}, b"http://ex.org/?%23%3F": None,
    b"http://ex.org/a%2Fb": {"escaped-slash"}, b"http://ex.org/?a%2Fb": None,
    b"http://ex.org/a/../b": {"dot-segment"}, b"http://ex.org/.": {"dot-segment"}, b"http://ex.org/...": None,
    b"http://ex.org/..%2f": {"escaped-slash-dot"}, b"http://ex.org/..;/a": {"path-param-dot-segment"},
    b"http://ex.org/pub/..%3B/admin/f": {"path-param-dot-segment"},
    b"http://ex.org/%2e%2e/": {"escaped-unreserved"}, b"http://ex.org/%41": {"escaped-unreserved"},
    b"http://ex.org/%E9": {"invalid-utf8-escape"}, b"http://ex.org/%E2%80%AE": {"escaped-bidi"},
    b"http://ex.org/a%0d%0ab": {"escaped-crlf"}, b"http://ex.org/%00": {"escaped-nul"},
    b"http://ex.org/%1F": {"escaped-control"}, b"http://ex.org/%252e": {"double-escape", "escaped-percent"},
    b"http://ex.org/a[b]": {"forbidden-char"}, b"http://ex.org/a|b": {"forbidden-char"},
    b"http://ex.org/a^b": {"forbidden-char"}, b"http://ex.org/a\\b": {"backslash-path"},
    b"http://ex.org/caf\xc3\xa9": {"non-ascii"}, b"http://ex.org/%zz": {"bad-escape"},
    b"http://ex.org/wiki/Apple_Inc.": None, b"http://ex.org/wiki/L%27%C3%89tranger": None,
    b"http://ex.org/%28%C3%A9%29%21%2A%3A%40%24%26%2B%2C%3D": None, b"http://ex.org/!$&'()*+,=:@": None,
    b"http://ex.org/%EF%BC%8E%EF%BC%8E/a": None,
    b"http://ex.org/%F0%9F%92%A9%20x": None, b"http://[2001:db8::1]/99": None, b"http://ex.org/x.good:80": None,
    # the query
    b"http://ex.org/?ids[]=1": None, b"http://ex.org/?q=a|b": None, b"http://ex.org/?n=%E9": None,
    b"http://ex.org/?q=l%27%C3%A9t%C3%A9": None, b"http://ex.org/?next=%252Fa": None, b"http://ex.org/?{}^\\`": None,
    b"http://ex.org/?%41%2e/../..;": None, b"http://ex.org/?%E2%80%AE%c0%ae": None, b"http://ex.org/?x.ev.org:80": None,
    b"http://ex.org/?%F0%9F%92%A9%2F": None, b"http://ex.org/?u=http://ev.org/&v=//x": None,
    b"http://ex.org/?[1-9]": None,
    b"http://ex.org/?100%": None, b"http://ex.org/?": None, b"http://ex.org/??": None, b"http://ex.org/?@": None,
    b"http://ex.org/?%00": {"escaped-nul"}, b"http://ex.org/?%0a": {"escaped-crlf"},
    b"http://ex.org/?%7F": {"escaped-control"},
    b"http://ex.org/?a b": {"raw-space"}, b"http://ex.org/?\t": {"raw-tab"}, b"http://ex.org/?\r": {"raw-crlf"},
    b"http://ex.org/?\x00": {"control-char"}, b"http://ex.org/?\x7f": {"control-char"},
    b"http://ex.org/?\xe9": {"non-ascii"},
    b"http://ex.org/?\xc3\xa9": {"non-ascii"}, b'http://ex.org/?"': {"forbidden-char"},
    b"http://ex.org/?<": {"forbidden-char"},
    b"http://ex.org/?>": {"forbidden-char"},
    # the rest
    b"http://ex.org/#": {"fragment-present"}, b"http://ex.org/?a#b": {"fragment-present"},
    b"http://ex.org?a": {"query-after-empty-path"}, b"HTTP://ex.org/": {"scheme-case"},
    b"http://ex.org:8080/": {"port-nondefault"},
    b"https://ex.org:80/": {"port-nondefault"}, b"http://ex.org./": {"host-trailing-dot"},
    b"http://u@ex.org/": {"userinfo-present"},
    b"http://1.2.3.4.org/": {"host-ipv4-prefix"}, b"http://[::2]/": {"ipv4-compatible-ipv6"},
    b"http://a_b/": {"host-underscore"},
    b"http://xn--0z4.a/": {"idn-invalid-alabel"}, b"ftp://ex.org/": {"scheme-not-allowed"}, b"/a": {"not-absolute"},
    b"http://ex.org/".ljust(8193, b"a"): {"url-too-long"}, b"http://ex.org/".ljust(8192, b"a"): None,
}

# A request to a listener (scheme, port): what it has to be refused with under every policy; None: accepted.
NOWHERE, HTTP, HTTPS, ODD, ODD_HTTPS = (None, None), (b"http", None), (b"https", None), (None, 8443), (b"https", 8443)
REQUESTS = (
    # forms by method
    (b"GET ex.org /", NOWHERE, None), (b"POST ex.org /a?b=c", NOWHERE, None), (b"OPTIONS ex.org /a", NOWHERE, None),
    (b"x ex.org /", NOWHERE, None), (b"GET ex.org http://ex.org/a", NOWHERE, None),
    (b"GET ex.org http://ex.org", NOWHERE, None),
    (b"OPTIONS ex.org *", NOWHERE, None), (b"GET ex.org *", NOWHERE, {"target-form"}),
    (b"options ex.org *", NOWHERE, {"target-form"}),
    (b"CONNECT ex.org *", NOWHERE, {"target-form"}), (b"CONNECT ex.org /", NOWHERE, {"target-form"}),
    (b"CONNECT ex.org:443 http://ex.org:443/", NOWHERE, {"target-form"}),
    (b"CONNECT ex.org:443 ex.org:443", NOWHERE, None),
    (b"CONNECT ex.org:80 ex.org:80", NOWHERE, None),
    (b"CONNECT [2606:4700::1111]:443 [2606:4700::1111]:443", NOWHERE, None),
    (b"connect ex.org:443 ex.org:443", NOWHERE, {"target-form"}),
    (b"GET ex.org:443 ex.org:443", NOWHERE, {"target-form"}),
    (b"OPTIONS ex.org:443 ex.org:443", NOWHERE, {"target-form"}), (b"CONNECT ex.org ex.org", NOWHERE, set()),
    (b"CONNECT ex.org ex.org:", NOWHERE, set()), (b"CONNECT ex.org:443 ex.org:0443", NOWHERE, set()),
    (b"CONNECT ex.org:443 u@ex.org:443", NOWHERE, set()), (b"CONNECT ex.org:443 ex.org:443/", NOWHERE, set()),
    (b"CONNECT ex.org:8443 ex.org:8443", NOWHERE, {"port-nondefault"}),
    (b"CONNECT ex.org:8443 ex.org:8443", ODD, {"port-nondefault"}),
    (b"CONNECT ex.org:443 ex.org:443", (b"http", 3128), None),
    (b"CONNECT ev.org:443 ex.org:443", NOWHERE, {"host-header-mismatch"}),
    (b"CONNECT ex.org:80 ex.org:443", NOWHERE, {"host-header-mismatch"}),
    # the Host field
    (b"GET  /a", NOWHERE, {"host-missing", "host-empty"}), (b"GET  http://ex.org/", NOWHERE, {"host-missing"}),
    (b"OPTIONS  *", NOWHERE, {"host-missing"}), (b"CONNECT  ex.org:443", NOWHERE, {"host-missing"}),
    (b"GET :80 /", NOWHERE, {"host-empty"}), (b"GET ex.org. /", NOWHERE, {"host-trailing-dot"}),
    (b"GET u@ex.org /", NOWHERE, {"userinfo-present"}),
    (b"GET ex.org: /", NOWHERE, {"port-empty"}), (b"GET ex.org:080 /", NOWHERE, {"port-leading-zero"}),
    (b"GET a_b /", NOWHERE, {"host-underscore"}),
    (b"GET ex.org/ /", NOWHERE, set()), (b"GET 1.2.3.4.org /", NOWHERE, {"host-ipv4-prefix"}),
    (b"GET ex.org,ev.org /", NOWHERE, {"host-subdelim"}),
    (b"GET ex.org:80 /", NOWHERE, None), (b"GET ex.org:443 /", NOWHERE, None),
    (b"GET ex.org:443 /", HTTP, {"port-nondefault"}),
    (b"GET ex.org:443 /", HTTPS, None), (b"GET ex.org:8443 /", NOWHERE, {"port-nondefault"}),
    (b"GET ex.org:8443 /", ODD, None),
    (b"GET ex.org:8443 /", ODD_HTTPS, None), (b"GET ex.org:443 /", ODD_HTTPS, None),
    (b"GET ex.org:80 /", ODD_HTTPS, {"port-nondefault"}),
    (b"GET ex.org /", ODD_HTTPS, None), (b"GET ex.org:8444 /", ODD_HTTPS, {"port-nondefault"}),
    # absolute-form: scheme, host and effective port are the listener's and the Host field's
    (b"GET ex.org http://ev.org/", NOWHERE, {"host-header-mismatch"}), (b"GET EX.org http://ex.org/", NOWHERE, None),
    (b"GET ex.org https://ex.org/", HTTP, {"host-header-mismatch"}),
    (b"GET ex.org http://ex.org/", HTTPS, {"host-header-mismatch"}),
    (b"GET ex.org https://ex.org/", NOWHERE, None),
    (b"GET ex.org:443 http://ex.org/", NOWHERE, {"host-header-mismatch"}),
    (b"GET ex.org:80 http://ex.org/", NOWHERE, None), (b"GET ex.org http://ex.org:80/", NOWHERE, None),
    (b"GET ex.org:443 https://ex.org/", HTTPS, None), (b"GET ex.org https://ex.org/", ODD, {"host-header-mismatch"}),
    (b"GET ex.org:8443 https://ex.org:8443/", ODD_HTTPS, None),
    (b"GET ex.org https://ex.org:8443/", ODD_HTTPS, {"host-header-mismatch"}),
    (b"GET ex.org:8443 https://ex.org/", ODD_HTTPS, {"host-header-mismatch"}),
    (b"GET ex.org:8443 http://ex.org:8443/", ODD_HTTPS, {"host-header-mismatch"}),
    (b"GET ex.org:8443 https://ex.org:8443/", HTTPS, {"port-nondefault"}),
    (b"GET [2606:4700::1111] http://[2606:4700::1111]/", NOWHERE, None),
    (b"GET ex.org ftp://ex.org/", NOWHERE, {"scheme-not-allowed"}),
    (b"GET ex.org HTTP://ex.org/", NOWHERE, {"scheme-case"}),
    # no fragment, and nothing that is none of the forms
    (b"GET ex.org /a#b", NOWHERE, {"fragment-in-target"}), (b"GET ex.org /#", NOWHERE, {"fragment-in-target"}),
    (b"GET ex.org http://ex.org/#", NOWHERE, {"fragment-in-target"}),
    (b"GET ex.org //ev.org/", NOWHERE, {"path-leading-double-slash"}),
    (b"GET ex.org a/b", NOWHERE, set()), (b"GET ex.org ", NOWHERE, set()), (b"GET ex.org ?a", NOWHERE, set()),
    (b"GET ex.org **", NOWHERE, set()),
    (b"GET ex.org /a b", NOWHERE, {"raw-space"}), (b"GET ex.org /" + b"a" * 8192, NOWHERE, {"url-too-long"}),
    # records
    (b"GET /a", NOWHERE, {"field-unreadable"}), (b" ex.org /a", NOWHERE, {"field-unreadable"}),
    (b"", NOWHERE, {"field-unreadable"}),
    (b"  ", NOWHERE, {"field-unreadable"}), (b"G(T ex.org /", NOWHERE, set()), (b"G\tT ex.org /", NOWHERE, set()),
)

# Origin-form: what strict refuses it with, and gateway.
TAILS = {
    b"/a;b": (None, {"path-semicolon"}), b"/a//b": (None, {"path-double-slash"}),
    b"/100%25": (None, {"escaped-percent"}),
    b"/a;": ({"path-final-semicolon"}, {"path-semicolon"}), b"/x.good:80": ({"colon-port-in-tail"}, None),
    b"/%27%C3%A9": (None, None), b"/a./b": (None, {"encoded-path-rewrite"}), b"/a.": (None, None),
    b"/%C2%85": ({"escaped-control"}, {"escaped-control"}), b"/%F0%9F%92%A9%20": ({"escape-after-astral"}, None),
    b"/?a[]": ({"forbidden-char"}, None), b"/?%252F": ({"double-escape"}, None),
    b"/?%E9": ({"invalid-utf8-escape"}, None),
    b"/?a\\b": ({"backslash-path"}, None), b"/?%0a": ({"escaped-crlf"}, {"escaped-crlf"}),
    b"/a%2fb": ({"escaped-slash"},) * 2, b"/%EF%BC%88": ({"escaped-compatibility"}, None),
    b"/..%3B/": ({"path-param-dot-segment"},) * 2, b"/%2e": ({"escaped-unreserved"},) * 2,
}


class Gateway(unittest.TestCase):
    def test_urls(self) -> None:
        for data, ids in URLS.items():
            with self.subTest(data):
                judgement = judge_url(data)
                self.assertEqual(judgement.accept, ids is None, judgement)
                self.assertLessEqual(ids or set(), judgement.refusing)

    def test_requests(self) -> None:
        for policy in POLICIES:
            for record, listener, ids in REQUESTS:
                with self.subTest((policy, record, listener)):
                    judgement = judge_record(record, *listener, policy)
                    self.assertTrue(judgement.decided or policy == "public", judgement)
                    self.assertEqual(judgement.accept, ids is None, judgement)
                    self.assertLessEqual(ids or set(), judgement.refusing)

    def test_tails(self) -> None:
        for target, both in TAILS.items():
            for policy, ids in zip(("strict", "gateway"), both):
                with self.subTest((policy, target)):
                    judgement = judge_record(b"GET ex.org " + target, None, None, policy)
                    self.assertEqual(judgement.accept, ids is None, judgement)
                    self.assertLessEqual(ids or set(), judgement.refusing)

    def test_public(self) -> None:
        for record, accept in ((b"GET ex.org /", True), (b"GET localhost /", False),
        (b"CONNECT 10.0.0.1:443 10.0.0.1:443", False),
                               (b"GET 8.8.8.8 http://8.8.8.8/", True), (b"GET [::1] /", False)):
            judgement = judge_record(record, None, None, "public")
            self.assertEqual((judgement.accept, judgement.decided), (accept, True), record)
        self.assertFalse(judge_record(b"GET who.knows /", None, None, "public").decided)

    def test_components(self) -> None:
        parts = judge_record(b"GET ex.org:80 /a?b[]", None, None, "gateway").components
        self.assertEqual((parts.scheme, parts.host, parts.port, parts.path, parts.query), (None, b"ex.org", b"80",
        b"/a", b"b[]"))
        self.assertIsNone(judge_record(b"GET ex.org /a?b[]", None, None, "strict").components)
        self.assertEqual(judge_url(b"http://ex.org/?a|#b").components.query, b"a|")

    def test_open_sentences(self) -> None:
        for record, policy in ((b"CONNECT ex.org ex.org:443", "strict"), (b"GET who.knows /", "public"),
                               (b"GET ex.org /" + b"a" * 8185, "gateway")):
            judgement = judge_record(record, None, None, policy)
            self.assertFalse(judgement.decided, judgement)
            self.assertTrue(len(record) > 8192 or set(judgement.rules) <= set(OPEN), judgement)

    def test_stricter_in_the_path(self) -> None:
        """What gateway accepts without a query, strict accepts too, except for the rules about clients."""
        about_clients = {"G6", "G8", "G9", "G12", "G17"}
        taken = 0
        for data in generate(30000, "stricter", "gateway"):
            if b"?" not in data and judge_url(data).accept:
                taken += 1
                self.assertLessEqual(set(judge(data).rules), about_clients, data)
        self.assertGreater(taken, 3000)

    def test_shares(self) -> None:
        """A fair share of each form is accepted, and every rule is exercised."""
        for policy in POLICIES:
            forms, rules = Counter(), set()
            for listener in (NOWHERE, HTTP, ODD_HTTPS):
                scheme = listener[0].decode() if listener[0] else None
                for record in generate_requests(5000, "shares", policy, scheme, listener[1]):
                    judgement = judge_record(record, *listener, policy)
                    self.assertNotIn(0, record)
                    rules.update(judgement.rules)
                    if judgement.accept:
                        forms[form_of(record.split(b" ", 2)[2], record.startswith(b"CONNECT"))] += 1
            self.assertTrue(all(forms[form] > 60 for form in ("origin", "absolute", "authority", "asterisk")), forms)
            self.assertLessEqual({"mismatch", "form", "D1", "Host D1", "Host", "record", "method", "fragment",
            "authority-form"}, rules)
        records = list(generate_requests(100, 1, "gateway", None, None))
        self.assertEqual(records, list(generate_requests(100, 1, "gateway", None, None)))


if __name__ == "__main__":
    unittest.main()
