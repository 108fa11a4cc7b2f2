# SPDX-License-Identifier: Apache-2.0
"""Tests the examples of src/examples/policies: each rule accepts something and refuses something, and everyday links
pass."""
from __future__ import annotations

import pathlib
import re
import sys
from collections import defaultdict
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
import yaml  # noqa: E402
from helper import Case, run  # noqa: E402

EXAMPLES = ROOT / "src/examples/policies"
CASES = EXAMPLES / "tests"
# Keys that do not affect verdicts.
NO_RULES = {"name"}


def repeated(text: str) -> str:
    """Expands {a*9} to nine times a."""
    return re.sub(r"\{([^*{}]+)\*([0-9]+)\}", lambda m: m[1] * int(m[2]), text)


def table(name: str, columns: int) -> list[list[str]]:
    """Returns the rows of a table; the last column may contain tabs."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t", columns - 1) for line in lines if line and not line.startswith("#")]


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
        result = run("check", "-0", "--format=tsv", f"--policy-file={EXAMPLES / policy}.yaml",
                     stdin=b"".join(text.encode() + b"\0" for text in texts))
        self.assertIn(result.code, (0, 1), result)
        return [(row[0], [] if row[1] == "-" else row[1].split(",")) for row in result.rows()]

    def test_each_rule(self) -> None:
        """urivet policy test finds each case as expected, and each rule has a case that it accepts and one that it
        refuses."""
        names = {path.stem for path in EXAMPLES.glob("*.yaml")}
        self.assertEqual({path.stem for path in CASES.glob("*.yaml")}, names)
        for name in sorted(names):
            with self.subTest(name):
                result = run("policy", "test", str(CASES / f"{name}.yaml"))
                self.assertEqual((result.code, result.err), (0, b""), result.out)
                self.assertNotIn(b"not tested", result.out)
                effects: dict[str, set[str]] = defaultdict(set)
                for group in yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))["cases"]:
                    effects[group["name"]].update({"accept", "refuse"} & set(group))
                groups = {"everyday links", "attacks"} if name == "user-links" else set()
                self.assertEqual(set(effects) - groups, rules(name))
                self.assertEqual([rule for rule in rules(name) if len(effects[rule]) < 2], [])

    def test_applications(self) -> None:
        """The policies for applications accept what their documentation shows, and no rule of them is idle."""
        paths = sorted((EXAMPLES / "applications").glob("*.yaml"))
        self.assertGreaterEqual(len(paths), 8)
        for path in paths:
            with self.subTest(path.name):
                self.assertEqual(path.read_text(encoding="utf-8").splitlines()[0],
                                 "# yaml-language-server: $schema=../policy.schema.json")
                result = run("policy", "test", str(path.parent / "tests" / path.name))
                self.assertEqual((result.code, result.err), (0, b""), result.out)
                self.assertNotIn(b"not tested", result.out)
                for rule in yaml.safe_load(path.read_text(encoding="utf-8"))["paths"]:  # each finding is needed
                    for name in rule["allow"]:
                        self.assertTrue(self.needs(path, rule["prefix"], name), (rule["prefix"], name))

    def needs(self, path: pathlib.Path, prefix: str, name: str) -> bool:
        """Returns true if a case fails without the finding below the prefix."""
        policy = yaml.safe_load(path.read_text(encoding="utf-8"))
        for rule in policy["paths"]:
            if rule["prefix"] == prefix:
                rule["allow"].remove(name)
        policy["paths"] = [rule for rule in policy["paths"] if rule["allow"]]
        if not policy["paths"]:
            del policy["paths"]
        cases = yaml.safe_load((path.parent / "tests" / path.name).read_text(encoding="utf-8"))
        cases["policy"] = self.file(yaml.safe_dump(policy).encode(), "policy.yaml")
        return run("policy", "test", self.file(yaml.safe_dump(cases).encode(), "cases.yaml")).code == 1

    def test_links(self) -> None:
        """Links that people write, but that are no good URLs, are repaired."""
        links = table("links.tsv", 2)
        option = f"--policy-file={EXAMPLES / 'user-links.yaml'}"
        texts = [repeated(text) for _, text in links]
        judged = self.judged("user-links", texts)
        for (expected, _), text, (verdict, findings) in zip(links, texts, judged, strict=True):
            kind, _, detail = expected.partition(" ")
            with self.subTest(text):
                self.assertEqual(verdict, "reject", findings)
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
