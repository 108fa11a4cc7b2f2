# SPDX-License-Identifier: Apache-2.0
"""Compares the model with gate.abnf, and its parts with each other and with Python's library.

    python3 -B tests/unittests.py tests/core/model self_test

What it says of single inputs is compared with the library by differ.py, over the files of the corpus too.
"""
from __future__ import annotations

import re
import sys
import unittest
from pathlib import Path

from gate import Components, cut, judge, parse
from generate import generate

GRAMMAR = Path(__file__).resolve().parents[2] / "gates/grammar"
sys.path.insert(0, str(GRAMMAR))
from abnf import read_file  # noqa: E402 pylint: disable=wrong-import-position
from automata import dfa_of, run  # noqa: E402 pylint: disable=wrong-import-position

# Rules that gate.abnf leaves out, as limits.
BESIDE = {"G2", "G5", "G6", "G7", "G8", "G17", "D1", "D2", "D3", "D4", "D5"}


def is_long(data: bytes) -> bool:
    """Returns true if the input, its host or a label exceeds its limit."""
    host = cut(data).host or b""
    return len(data) > 8192 or len(host) > 253 or any(len(label) > 63 for label in host.split(b"."))


class Gate(unittest.TestCase):
    def test_gate_abnf(self) -> None:
        """The automaton of gate.abnf accepts the inputs that only other rules refuse."""
        dfa = dfa_of(read_file(GRAMMAR / "gate.abnf"), "url")
        accepted = 0
        for data in generate(20000, "abnf"):
            if not is_long(data):
                taken = run(dfa, data)
                accepted += taken
                self.assertEqual(taken, set(judge(data).rules) <= BESIDE, data)
        self.assertGreater(accepted, 8000)

    def test_rules_and_expression_agree(self) -> None:
        """The single ABNF expression and the rules that name its faults refuse the same inputs."""
        named = {"octets", "slashes", "userinfo", "backslash", "host", "port", "path", "trip", "G11", "G16",
                 "RFC 3986"}
        for policy in ("strict", "any"):
            for data in generate(20000, "agree", policy):
                rules = set(judge(data, policy).rules)
                if "ABNF" in rules:
                    self.assertTrue(rules & named - {"RFC 3986"}, (data, rules))
                elif re.match(rb"(?i)https?:", data):
                    self.assertFalse(rules & named, (data, rules))

    def test_unknown_policy(self) -> None:
        self.assertRaises(ValueError, judge, b"http://ex.org/", "public")


class Parts(unittest.TestCase):
    def test_pieces_are_components(self) -> None:
        """For valid URIs, the rough split finds the same components."""
        for data in generate(20000, "pieces"):
            components = parse(data)
            if components is None:
                continue
            p = cut(data)
            host = p.host if p.literal is None else p.literal
            rough = (p.scheme, p.userinfo, host, p.port, p.path, p.query, p.fragment)
            self.assertEqual(Components(*rough), components, data)


class Generator(unittest.TestCase):
    def test_share_and_determinism(self) -> None:
        for policy in ("strict", "any"):
            records = list(generate(5000, "share", policy))
            self.assertEqual(records, list(generate(5000, "share", policy)))
            self.assertNotIn(0, b"".join(records))
            share = sum(judge(data, policy).accept for data in records) / len(records)
            self.assertTrue(0.3 < share < 0.6, share)

    def test_every_octet_and_rule(self) -> None:
        seen, rules = set(), set()
        for data in generate(60000, "cover"):
            seen.update(data)
            rules.update(judge(data).rules)
        self.assertEqual(seen, set(range(1, 256)))
        self.assertLessEqual({f"G{n}" for n in range(1, 17)} | {f"D{n}" for n in range(1, 6)}, rules)
