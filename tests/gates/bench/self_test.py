#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what measures: sets of URLs, aims, plots. No test asks for a time."""
from __future__ import annotations

import random
import re
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import plot
import record
import urls

HERE = record.HERE
SVG = "{http://www.w3.org/2000/svg}"


def fixed() -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for line in (HERE / "classes.tsv").read_bytes().splitlines():
        name, url = line.split(b"\t")
        found.setdefault(name.decode(), []).append(url)
    return found


def row(floor: str, per_octet: str = "1") -> dict[str, str]:
    return {"floor_ns": floor, "ns_per_octet": per_octet}


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


class Aims(unittest.TestCase):
    TABLE = {"urivet ok": row("10", "2.5"), "floor: scan": row("4"), "ada::can_parse, a": row("30"),
             "ada::can_parse, b": row("20")}

    def cells(self, relation: str, other: str, bound: str) -> list[str]:
        return record.Aim("mixed", "urivet ok", relation, other, bound, "").cells(self.TABLE)[3:5]

    def test_bounds(self) -> None:
        self.assertEqual(self.cells("<=", "floor: scan", "2.5"), ["2.5 x", "yes"])
        self.assertEqual(self.cells("<=", "floor: scan", "2.4"), ["2.5 x", "**no**"])
        self.assertEqual(self.cells(">=", "ada::can_parse*", "2"), ["2 x", "yes"])
        self.assertEqual(self.cells(">=", "ada::can_parse*", "2.1"), ["2 x", "**no**"])
        self.assertEqual(self.cells("<=", "octet", "2.5"), ["2.5 ns", "yes"])
        self.assertEqual(self.cells("<=", "octet", "2.4"), ["2.5 ns", "**no**"])

    def test_what_is_missing(self) -> None:
        self.assertEqual(self.cells("<=", "uriparser HEAD", "1"), ["not measured", ""])
        with self.assertRaises(SystemExit):
            self.cells("<=", "floor: scam", "1")
        with self.assertRaises(SystemExit):
            record.Aim("mixed", "urivet OK", "<=", "octet", "1", "").cells(self.TABLE)
        self.assertEqual(record.Aim("mixed", "urivet ok", "<=", "octet", "1", "").cells({})[3], "not measured")

    def test_each_aim_is_on_the_page(self) -> None:
        page = (HERE / "README.md").read_text(encoding="utf-8")
        block = re.search(r"<!-- aims -->\n(.*?)<!-- end -->", page, re.S)[1]
        shown = [tuple(line.strip("| ").split(" | ")[:3]) for line in block.splitlines()[4:]]
        self.assertEqual(shown, [(aim.set, aim.row, aim.text()) for aim in record.aims()])
        for aim in record.aims():
            self.assertIn(aim.relation, ("<=", ">="))
            self.assertGreater(float(aim.bound), 0)


class Tables(unittest.TestCase):
    def test_columns_that_the_page_keeps(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lines.md"
            path.write_text("10 lines, 40 octets\n\n| command    | clock s | ns/line | MB/s |\n|---|--:|--:|--:|\n"
                            "| wc -l | 0.5 | 4.2 | 9 |\n", encoding="utf-8")
            self.assertEqual(record.printed(path, ("ns/line", "clock s")), ("10 lines, 40 octets", {"wc -l": ["4.2", "0.5"]}))
            with self.assertRaises(ValueError):
                record.printed(path, ("peak KiB",))


class Plot(unittest.TestCase):
    def test_bars_and_legend(self) -> None:
        rows = [("uriparser", 100.0), ("urivet <ok>", 8.0), ("VECTORS=no: ok", 32.0), ("floor: call", 0.5)]
        root = xml.fromstring(plot.svg("title", rows))
        texts = [text.text for text in root.iter(SVG + "text")]
        for label in (*plot.KINDS.values(), *(name for name, _ in rows)):
            self.assertIn(label, texts)
        bars = [bar for bar in root.iter(SVG + "rect") if bar.get("height") == "14"]
        self.assertEqual([bar.get("class") for bar in bars], ["floor", "ours", "ours", "peer"])
        widths = [float(bar.get("width")) for bar in bars]
        self.assertEqual(widths[0], 1)
        self.assertAlmostEqual(widths[2] / widths[1], 5 / 3, places=2)  # log2 32 over log2 8

    def test_both_schemes_have_each_colour(self) -> None:
        light, dark = plot.STYLE.split("@media (prefers-color-scheme: dark)")
        for name in (".back", ".line", ".scale", "text", *("." + kind for kind in plot.KINDS)):
            colour = re.compile(re.escape(name) + r" \{ (?:fill|stroke): (#[0-9a-f]{6})")
            colours = [colour.search(part)[1] for part in (light, dark)]
            self.assertNotEqual(*colours, name)


if __name__ == "__main__":
    unittest.main()
