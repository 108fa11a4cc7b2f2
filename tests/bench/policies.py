#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what a large policy costs: loading it, as YAML and compiled, and judging by it. No test asks for a time.

    make bench-policies

Half of the rules are about names, half about networks.
"""
from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build"
URLS = ("https://h6.d6.example.com/", "https://x.h7.d7.example.com/", "https://www.example.org/", "https://10.0.0.7/",
        "https://192.0.2.1/")


def policy(rules: int) -> str:
    half = rules // 2
    scopes = ("{}", ".{}", "'*.{}'")
    hosts = "".join("    - " + scopes[i % 3].format(f"h{i}.d{i % 977}.example.com") + "\n" for i in range(half))
    networks = "".join(f"    - 10.{i >> 16}.{i >> 8 & 255}.{i & 255}\n" for i in range(half))
    return f"hosts:\n  deny:\n{hosts}addresses:\n  deny:\n{networks}"


def main() -> None:
    rules = int(sys.argv[1]) if len(sys.argv) > 1 else 200000
    with tempfile.TemporaryDirectory() as folder:
        text, compiled = Path(folder) / "policy.yaml", Path(folder) / "policy.compiled"
        text.write_text(policy(rules), encoding="ascii")
        subprocess.run([BUILD / "urivet", "policy", "compile", text, "-o", compiled], check=True)
        print(f"{rules} rules: {text.stat().st_size} octets of YAML, {compiled.stat().st_size} compiled", flush=True)
        for path in (text, compiled):
            subprocess.run([BUILD / "policy_speed", path, *URLS], check=True)


main()
