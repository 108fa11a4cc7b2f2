#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the findings in src/examples/policies/policy.schema.json equal to the catalogue.

    schema.py --write build/urivet     rewrites them
    schema.py --check build/urivet     fails if they are stale
"""
from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "src/examples/policies/policy.schema.json"
# Malformed findings that can be waived (urivet-policy(5), `allow`).
WAIVABLE = {"forbidden-char", "non-ascii", "query-nested-brackets", "bad-escape"}
NEVER = {"url-too-long", "policy-invalid"}


def catalogue(urivet: str) -> list[dict[str, Any]]:
    output = subprocess.run([urivet, "findings", "--format=json"], stdout=subprocess.PIPE, check=True).stdout
    return sorted((json.loads(line) for line in output.splitlines()), key=lambda row: str(row["id"]))


def allowed_in(urivet: str, ids: list[str], key: str) -> set[str]:
    """Returns the findings that the reader allows in a list of the key, which stands for %s."""
    made: set[str] = set()
    for start in range(0, len(ids), 50):    # fewer problems than it reports at most
        some = ids[start:start + 50]
        text = key % ", ".join(some)
        output = subprocess.run([urivet, "policy", "check", "-"], input=text.encode(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False).stderr.decode()
        made.update(name for name in some if f'finding "{name}" cannot be allowed' not in output)
    return made


def renewed(text: str, urivet: str) -> str:
    """Returns the schema with the findings of the catalogue."""
    schema = json.loads(text)
    rows = catalogue(urivet)
    may = [row for row in rows if row["id"] not in NEVER and (row["class"] != "malformed" or row["id"] in WAIVABLE)]
    ids = [row["id"] for row in rows]
    scoped = allowed_in(urivet, ids, "paths: [{prefix: /x, allow: [%s]}]\n")
    valued = allowed_in(urivet, ids, "parameters: {x: {policy: any, allow: [%s]}}\n")
    for name, those in (("waivable", may), ("scoped", [row for row in rows if row["id"] in scoped]),
                        ("valued", [row for row in rows if row["id"] in valued]), ("finding", rows)):
        schema["definitions"][name]["enum"] = [row["id"] for row in those]
        schema["definitions"][name]["enumDescriptions"] = [row["text"] for row in those]
    return json.dumps(schema, indent=2) + "\n"


def main() -> None:
    mode, urivet = sys.argv[1:]
    text = SCHEMA.read_text(encoding="ascii")
    fresh = renewed(text, urivet)
    if mode == "--write":
        SCHEMA.write_text(fresh, encoding="ascii")
    elif fresh != text:
        sys.exit("policy.schema.json is stale: python3 -B tests/policyfile/schema.py --write build/urivet")
    print(f"schema: {len(json.loads(fresh)['definitions']['finding']['enum'])} findings are those of the catalogue")


if __name__ == "__main__":
    main()
