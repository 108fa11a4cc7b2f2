# SPDX-License-Identifier: Apache-2.0
"""Tests the examples of src/examples/policies: each rule accepts something and refuses something, and everyday links
pass."""
from __future__ import annotations

import pathlib
import re
import sys
import unittest
from collections import defaultdict
from typing import Any, NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
import yaml  # noqa: E402
from helper import Case, run  # noqa: E402

EXAMPLES = ROOT / "src/examples/policies"
OF_REQUESTS = {"gateway"}
# Keys that do not affect verdicts.
NO_RULES = {"name"}


class Row(NamedTuple):
    policy: str
    rule: str
    verdict: str
    finding: str
    text: str


def repeated(text: str) -> str:
    """Expands {a*9} to nine times a."""
    return re.sub(r"\{([^*{}]+)\*([0-9]+)\}", lambda m: m[1] * int(m[2]), text)


def table(name: str, columns: int) -> list[list[str]]:
    """Returns the rows of a table; the last column may contain tabs."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t", columns - 1) for line in lines if line and not line.startswith("#")]


def rows() -> list[Row]:
    made = [Row(*row) for row in table("examples.tsv", 5)]
    return [row._replace(text=repeated(row.text)) for row in made]


def rules(name: str) -> set[str]:
    """Returns the settings and rules of an example as KEY=VALUE, with the groups of the key."""
    found: set[str] = set()

    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                walk(item, f"{path}.{key}" if path else key)
        elif isinstance(value, list):
            for item in value:
                walk(item, path)
        elif path not in NO_RULES:
            found.add(f"{path}={value}")

    walk(yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")), "")
    return found


class Examples(Case):
    def judged(self, policy: str, texts: list[str]) -> list[tuple[str, list[str]]]:
        options = ["--target-records"] if policy in OF_REQUESTS else []
        result = run("check", "-0", "--format=tsv", f"--policy-file={EXAMPLES / policy}.yaml", *options,
                     stdin=b"".join(text.encode() + b"\0" for text in texts))
        self.assertIn(result.code, (0, 1), result)
        return [(row[0], [] if row[1] == "-" else row[1].split(",")) for row in result.rows()]

    def test_good(self) -> None:
        for path in sorted(EXAMPLES.glob("*.yaml")):
            with self.subTest(path.name):
                result = run("policy", "check", str(path))
                self.assertEqual((result.code, result.err), (0, b""))

    def test_each_rule(self) -> None:
        """Each case is judged as in the table, and each rule has a case that it accepts and one that it
        refuses."""
        names = {path.stem for path in EXAMPLES.glob("*.yaml")}
        self.assertEqual({row.policy for row in rows()}, names)
        for name in sorted(names):
            those = [row for row in rows() if row.policy == name]
            for row, (verdict, findings) in zip(those, self.judged(name, [row.text for row in those]), strict=True):
                with self.subTest(row):
                    self.assertEqual(verdict, row.verdict, findings)
                    if row.verdict == "reject":
                        self.assertIn(row.finding, findings)
            told: dict[str, set[str]] = defaultdict(set)
            for row in those:
                told[row.rule].add(row.verdict)
            with self.subTest(name):
                self.assertEqual(set(told), rules(name))
                self.assertEqual([rule for rule, verdicts in told.items() if len(verdicts) < 2], [])

    def test_links(self) -> None:
        """Everyday links are accepted or repaired; attacks are refused with the right finding."""
        links = table("links.tsv", 2)
        kinds = [expected.partition(" ")[0] for expected, _ in links]
        self.assertGreaterEqual(len(links) - kinds.count("attack") - kinds.count("none"), 25)
        self.assertGreaterEqual(kinds.count("attack"), 15)
        option = f"--policy-file={EXAMPLES / 'user-links.yaml'}"
        texts = [repeated(text) for _, text in links]
        judged = self.judged("user-links", texts)
        for (expected, _), text, (verdict, findings) in zip(links, texts, judged, strict=True):
            kind, _, detail = expected.partition(" ")
            with self.subTest(text):
                self.assertEqual(verdict, "accept" if kind == "accept" else "reject", findings)
                if kind == "attack":
                    self.assertIn(detail, findings)
                if kind in ("suggest", "scan", "none"):
                    self.assertEqual(run("suggest", option, "--", text).out.decode(),
                                     detail + "\n" if kind == "suggest" else "")
                if kind == "scan":
                    found = [row for row in run("scan", option, stdin=text + "\n").rows() if row[0] == "accept"]
                    self.assertEqual([row[13] for row in found], [detail])

    def test_editors(self) -> None:
        """Each example names the schema that lies beside it."""
        for path in sorted(EXAMPLES.glob("*.yaml")):
            first = path.read_text(encoding="utf-8").splitlines()[0]
            self.assertEqual(first, "# yaml-language-server: $schema=policy.schema.json", path.name)
        self.assertTrue((EXAMPLES / "policy.schema.json").exists())


if __name__ == "__main__":
    unittest.main()
