# SPDX-License-Identifier: Apache-2.0
"""Checks what the model of `gateway` and of request targets leaves open, and what its generator covers.

    python3 -B tests/unittests.py tests/core/model gateway_self_test
"""
from __future__ import annotations

import re
import unittest
from collections import Counter

from gate import judge
from gateway import OPEN, POLICIES, form_of, judge_record, judge_url
from generate import generate, generate_requests

NOWHERE, HTTP, ODD_HTTPS = (None, None), (b"http", None), (b"https", 8443)


class Gateway(unittest.TestCase):
    def test_open_sentences(self) -> None:
        for record, policy in ((b"CONNECT ex.org ex.org:443", "strict"), (b"GET who.knows /", "public"),
                               (b"GET ex.org /" + b"a" * 8185, "gateway")):
            judgement = judge_record(record, None, None, policy)
            self.assertFalse(judgement.decided, judgement)
            self.assertTrue(len(record) > 8192 or set(judgement.rules) <= set(OPEN), judgement)

    def test_stricter_in_the_path(self) -> None:
        """What gateway accepts without a query, strict accepts too, except for the rules about clients, and escaped tildes."""
        about_clients = {"G6", "G8", "G9", "G12", "G17"}
        taken = 0
        for data in generate(30000, "stricter", "gateway"):
            if b"?" not in data and judge_url(data).accept:
                taken += 1
                self.assertLessEqual(set(judge(re.sub(b"%7[Ee]", b"~", data)).rules), about_clients, data)
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
