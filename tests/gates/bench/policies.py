#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what a large policy costs: loading it, as YAML and compiled, and judging by it. No test asks for a time.

    make bench-policies
    policies.py --compile FILE HOMEPAGES    for `make bench`, whose names lie below the hosts of these URLs

Half of the rules are about names, half about networks.
"""
from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

RULES = 200000
HOST = re.compile(r"https?://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+)[/\0]")
BUILD = Path(__file__).resolve().parents[3] / "build"
URLS = ("https://h6.d6.example.com/", "https://x.h7.d7.example.com/", "https://www.example.org/", "https://10.0.0.7/",
        "https://192.0.2.1/")


def policy(rules: int, hosts: list[str]) -> str:
    half = rules // 2
    scopes = ("{}", ".{}", "'*.{}'")
    names = "".join("    - " + scopes[i % 3].format(f"h{i}.{hosts[i % len(hosts)]}") + "\n" for i in range(half))
    networks = "".join(f"    - 10.{i >> 16}.{i >> 8 & 255}.{i & 255}\n" for i in range(half))
    return f"hosts:\n  deny:\n{names}addresses:\n  deny:\n{networks}"


def compiled_from(text: str, source: Path, compiled: Path) -> None:
    source.write_text(text, encoding="ascii")
    subprocess.run([BUILD / "urivet", "policy", "compile", source, "-o", compiled], check=True)


def for_bench(compiled: Path, homepages: Path) -> None:
    hosts = HOST.findall(homepages.read_text(encoding="utf-8"))
    compiled_from(policy(RULES, hosts), compiled.with_suffix(".yaml"), compiled)


def main() -> None:
    if sys.argv[1:2] == ["--compile"]:
        for_bench(Path(sys.argv[2]), Path(sys.argv[3]))
        return
    rules = int(sys.argv[1]) if len(sys.argv) > 1 else RULES
    with tempfile.TemporaryDirectory() as folder:
        text, compiled = Path(folder) / "policy.yaml", Path(folder) / "policy.compiled"
        compiled_from(policy(rules, [f"d{i}.example.com" for i in range(977)]), text, compiled)
        print(f"{rules} rules: {text.stat().st_size} octets of YAML, {compiled.stat().st_size} compiled", flush=True)
        for path in (text, compiled):
            subprocess.run([BUILD / "policy_speed", path, *URLS], check=True)


main()
