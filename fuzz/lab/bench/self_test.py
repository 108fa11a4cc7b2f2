#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the sets of URLs that `make bench` judges. No test asks for a time."""
from __future__ import annotations

import random
import re
import unittest
from pathlib import Path

import urls

ROOT = Path(__file__).resolve().parents[3]


def fixed() -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for line in (ROOT / "tests/gates/bench/classes.tsv").read_bytes().splitlines():
        name, url = line.split(b"\t")
        found.setdefault(name.decode(), []).append(url)
    return found


class Urls(unittest.TestCase):
    def test_classes_by_hand(self) -> None:
        for url, name in (("https://www.example.org/a/b.html", "plain"),
                          ("https://www.example.org/" + "a" * 40, "plain-64"),
                          ("https://www.example.org/" + "a" * 39, "plain"), ("http://example.org/~user/", "tilde"),
                          ("http://h2.example.org/", "digit-in-host"), ("http://example.org/?a=b", "query"),
                          ("http://example.org/?a=b&c", "pairs"), ("http://example.org/?a", "other"),
                          ("http://example.org", "empty-path"), ("http://example.org/a b", "forbidden"),
                          ("http://example.org/a[1]", "forbidden"), ("http://[::1]/", "other"),
                          ("http://example.org/?a=%41", "percent"), ("http://192.0.2.1:80/", "ipv4"),
                          ("http://user@example.org/", "other"), ("http://Example.org/", "other"),
                          ("ftp://example.org/", "other")):
            with self.subTest(url):
                self.assertEqual(urls.class_of(url.encode()), name)

    def test_fixed_urls_are_of_their_classes(self) -> None:
        self.assertEqual(set(fixed()), {*urls.SHARES, urls.REST})
        for name, texts in fixed().items():
            self.assertEqual(len(texts), 20)
            self.assertEqual({urls.class_of(text) for text in texts}, {name})

    def test_proportions_hold_and_nothing_is_left_to_chance(self) -> None:
        first, again = (urls.mixed(fixed(), random.Random(urls.SEED)) for _ in range(2))
        self.assertEqual(first, again)
        self.assertEqual(sum(len(texts) for texts in first.values()), urls.SIZE)
        for name, texts in first.items():
            share = 100 * len(texts) / urls.SIZE
            self.assertAlmostEqual(share, urls.SHARES.get(name, 2.17), places=2)
            if name != urls.REST:
                self.assertEqual({urls.class_of(text) for text in texts}, {name})

    def test_long_urls_and_addresses(self) -> None:
        chance = random.Random(urls.SEED)
        for name, texts in urls.long(fixed(), chance).items():
            self.assertEqual(len(texts), 64, name)
            self.assertTrue(all(1024 <= len(text) <= 8192 for text in texts), name)
            self.assertTrue(all(urls.URL.fullmatch(text) for text in texts), name)
        for six in (False, True):
            hosts = re.compile(rb"https?://\[[0-9a-f:]+\]/.*" if six else rb"https?://[0-9.]+/.*")
            self.assertTrue(all(hosts.fullmatch(text) for text in urls.with_addresses(six, fixed(), chance)))


if __name__ == "__main__":
    unittest.main()
