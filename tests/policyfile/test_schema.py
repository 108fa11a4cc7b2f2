# SPDX-License-Identifier: Apache-2.0
"""Compares the JSON Schema of policy files with the reader of policies, using other programs' validator and
language server."""
from __future__ import annotations

import copy
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
import schema  # noqa: E402
import writer  # noqa: E402
from helper import URIVET, Case, run  # noqa: E402

SCHEMA = ROOT / "src/examples/policies" / "policy.schema.json"
PACKAGES = ROOT / "build" / "schema"
WANTED = {"ajv": "8.17.1", "yaml": "2.6.1", "yaml-language-server": "1.25.0"}
SERVER = PACKAGES / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"
# How the reader says that a value has not the shape of its key: what the schema has to say as well.
OF_SHAPE = re.compile(r'unknown key|"[a-z_.0-9]+" takes (?!UTF-8|text without|names)|is empty|'
                      r'has no value|a value of "|'
                      r"no such (policy to begin with|mode|scheme|finding)|no scheme|is listed already|"
                      r"cannot be allowed|"
                      r": -?[0-9]+ is no port|nothing is set here|is no range of ports: write|leave the quotes off")
# Spellings of YAML for numbers and flags are lost before a schema sees the value, and so is which file a key stands in. A
# slip in "https" is the name of another scheme to a schema, which has no limit of octets in all either.
OF_SPELLING = re.compile(r"no such scheme|too many schemes|no number of decimal digits|write (true|false), not|there are no files here|runs backwards|"
                         r"for the second time")


def modules() -> pathlib.Path | None:
    """Returns the folder of npm packages, which are installed if npm is available; otherwise None."""
    def missing() -> list[str]:
        return [name for name in WANTED if not (PACKAGES / "node_modules" / name / "package.json").exists()]

    if missing() and shutil.which("npm"):
        PACKAGES.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(PACKAGES), "--no-save", "--no-audit", "--no-fund",
                        "--loglevel=error", *(f"{name}@{version}" for name, version in WANTED.items())],
                       stdout=subprocess.DEVNULL, check=False)
    return None if missing() or shutil.which("node") is None else PACKAGES


class SchemaCase(Case):
    packages: pathlib.Path | None = None

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.packages = modules()

    def setUp(self) -> None:
        if self.packages is None:
            wanted = ", ".join(f"{name}@{version}" for name, version in WANTED.items())
            self.skipTest(f"needs node, and {wanted} of npm")

    def node(self, script: str, *arguments: str, data: Any) -> Any:
        done = subprocess.run(["node", str(HERE / script), *arguments], input=json.dumps(data),
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def by_schema(self, texts: list[str]) -> list[str | None]:
        """Returns the validator's message for each text; None: valid."""
        made: list[str | None] = self.node("validate.mjs", str(SCHEMA), str(self.packages), data=texts)
        self.assertEqual(len(made), len(texts))
        return made

    def by_reader(self, texts: list[str]) -> list[str | None]:
        made: list[str | None] = []
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.yaml"
            for text in texts:
                path.write_bytes(text.encode("utf-8"))
                result = run("policy", "check", "p.yaml", cwd=folder)
                self.assertIn(result.code, (0, 2), text)
                made.append(result.err.decode("ascii") if result.code else None)
        return made

    def assertAlike(self, texts: list[str]) -> int:
        """Checks that the reader refuses what the schema refuses, and that the schema refuses faults of shape."""
        refused = 0
        for text, schema_says, reader_says in zip(texts, self.by_schema(texts), self.by_reader(texts), strict=True):
            with self.subTest(text):
                if schema_says is not None:
                    self.assertIsNotNone(reader_says, schema_says)
                if reader_says is not None and OF_SHAPE.search(reader_says) and not OF_SPELLING.search(reader_says):
                    refused += 1
                    self.assertIsNotNone(schema_says, reader_says)
        return refused


class Schema(SchemaCase):
    def test_fresh(self) -> None:
        """Its findings are those of the catalogue."""
        text = SCHEMA.read_text(encoding="ascii")
        self.assertEqual(text, schema.renewed(text, URIVET), "run tests/policyfile/schema.py --write build/urivet")

    def test_findings(self) -> None:
        """The reader takes those findings in `allow` and `refuse` that the schema takes, one by one."""
        ids = [row["id"] for row in schema.catalogue(URIVET)]
        texts = [f"{key}: [{name}]\n" for key in ("allow", "refuse") for name in ids]
        for text, by_schema, by_reader in zip(texts, self.by_schema(texts), self.by_reader(texts), strict=True):
            with self.subTest(text):
                self.assertEqual(by_schema is None, by_reader is None or "publicsuffix" in by_reader or "no effect" in by_reader or "instead" in by_reader, (by_schema, by_reader))

    def test_good(self) -> None:
        """The examples, and the policies of the tests of the command that it takes."""
        texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/examples/policies").glob("*.yaml"))]
        rng = random.Random(17)
        for _ in range(150):
            texts.extend(writer.files(rng, writer.policy(rng, with_urls=True), includes=False).values())
        self.assertEqual([pair for pair in zip(texts, self.by_schema(texts)) if pair[1]], [])
        self.assertEqual([pair for pair in zip(texts, self.by_reader(texts)) if pair[1]], [])

    def test_problems(self) -> None:
        """The faults that the tests of the command have, one by one."""
        import test_policy_file  # pylint: disable=import-outside-toplevel
        texts = [content.decode("utf-8", "replace") for content, problems in test_policy_file.PROBLEMS if problems]
        texts = [text for text in texts if len(text) < 10000 and "\ufffd" not in text and text.replace("\n", "").isprintable()]
        self.assertGreater(self.assertAlike(texts), 30)

    def test_shapes(self) -> None:
        """A value of another shape in each place of a policy, and unknown keys."""
        rng = random.Random(5)
        texts: list[str] = []
        whole: dict[str, Any] = {
            "base": "public", "name": "all", "mode": "observe", "schemes": ["http", "https", "other"],
            "ports": {"http": [8080], "https": ["9000-9099"]}, 
            "hosts": {"allow": ["a.example.com", {"name": "*.c.example.com", "shared": True}], "deny": ["*.b.example.com"]},
            "urls": {"allow": ["https://c.example.com:8443/x"], "forbid_parameters": ["code"]},
            "addresses": {"allow": ["10.0.0.0/8"], "deny": ["10.1.0.0/16"], "nat64": ["2001:db8:64::/96"]},
            "allow": ["host-case"], "refuse": ["fragment-present"], "limits": {"length": 100, "host": 50, "label": 30},
            "opaque_query": True, "protect": ["example.com"],
            "paths": [{"prefix": "/a/", "methods": ["GET"], "allow": ["escaped-slash"]}], "strip_prefix": ["/b"],
            "parameters": {"next": {"same_origin": True, "rooted": True}, "body": {"allow": ["escaped-crlf"]}}}
        rule = {"policy": "public", "same_origin": True, "absolute": True, "any_case": True, "semicolons": True,
                "decode": 2, "allow": ["escaped-crlf"]}
        others: tuple[Any, ...] = ({}, [], {"x": 1}, [[]], [{"a": "b"}], None, 0, -1, 70000, True, "x", "", [None],
                                   ["", ""], "observe", 5, 1 << 31, ["http", "http"], ["xyzzy"])
        for key, value in whole.items():
            places = [(key,)] + [(key, inner) for inner in (value if isinstance(value, dict) else ())]
            for place in places:
                for other in others:
                    tree = copy.deepcopy(whole)
                    target = tree[key] if len(place) == 2 else tree
                    target[place[-1]] = other
                    small = {"base": "strict", key: tree[key]} if key != "base" else {key: other}
                    texts.append(writer.written(rng, small))
                tree = copy.deepcopy(whole)
                target = tree[key] if len(place) == 2 else tree
                target[place[-1] + "x"] = target.pop(place[-1])
                texts.append(writer.written(rng, tree))
        for option in rule:
            texts += [writer.written(rng, {"parameters": {"x": {**rule, option: other}}}) for other in others]
            texts.append(writer.written(rng, {"parameters": {"x": {**rule, option + "x": rule[option]}}}))
        self.assertGreater(self.assertAlike(texts), len(texts) // 2)

    def test_range(self) -> None:
        """Numbers at the limits of their ranges."""
        texts = [f"limits: {{{key}: {number}}}\n" for key, most in (("length", 1 << 30), ("host", 253), ("label", 63))
                 for number in (0, 1, most, most + 1)]
        texts += [f"ports: {{http: [{number}]}}\n" for number in (0, 1, 65535, 65536)]
        for text, by_schema, by_reader in zip(texts, self.by_schema(texts), self.by_reader(texts), strict=True):
            self.assertEqual(by_schema is None, by_reader is None, (text, by_schema, by_reader))

    def test_keys(self) -> None:
        """Every key has a description."""
        content = json.loads(SCHEMA.read_text(encoding="ascii"))
        groups = [content, content["properties"]["parameters"]["additionalProperties"], *(value for value in content["properties"].values() if "properties" in value)]
        self.assertGreater(len(groups), 4)
        for group in groups:
            self.assertFalse(group["additionalProperties"])
            for key, value in group["properties"].items():
                self.assertGreater(len(value.get("description", "")), 8, key)
        for values in (content["properties"]["base"], content["properties"]["mode"], *content["definitions"].values()):
            self.assertEqual(len(values.get("enum", ())), len(values.get("enumDescriptions", values.get("enum", ()))))


class Editor(SchemaCase):
    TEXT = "base: pub\nrefuse:\n  - host-is\nhosts:\n  al\n"

    def asked(self, text: str, *at: tuple[int, int]) -> Any:
        return self.node("editor.mjs", str(SERVER), str(SCHEMA), data={"text": text, "at": at})

    def test_completion(self) -> None:
        """The language server of editors offers bases, findings and keys, with what they mean."""
        answer = self.asked(self.TEXT, (0, 9), (2, 11), (4, 4))
        bases, findings, keys = (dict(offered) for offered in answer["completions"])
        self.assertEqual(set(bases), {"strict", "public", "any", "gateway"})
        self.assertIn("globally reachable", bases["public"])
        self.assertIn("host-is-address", findings)
        self.assertTrue(findings["host-is-address"])
        self.assertEqual(set(keys), {"allow", "deny"})
        self.assertIn("refused", keys["deny"])

    def test_problems(self) -> None:
        """It reports faults during editing, and nothing about valid text."""
        answer = self.asked("base: publik\nlimits: {length: 0}\nhosst: {}\n", (0, 1))
        self.assertEqual(len(answer["problems"]), 3, answer["problems"])
        self.assertIn("begin with", answer["hovers"][0])
        good = (ROOT / "src/examples/policies/oauth-redirects.yaml").read_text(encoding="utf-8").partition("\n")[2]
        self.assertEqual(self.asked(good)["problems"], [])
