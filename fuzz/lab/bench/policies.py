#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a policy of 200,000 rules for `make bench`: policies.py FILE HOMEPAGES.

Half of the rules are about names below the hosts of these URLs, half about networks.
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

RULES = 200000
HOST = re.compile(r"https?://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+)[/\0]")
BUILD = Path(__file__).resolve().parents[3] / "build"


def policy(rules: int, hosts: list[str]) -> str:
    half = rules // 2
    scopes = ("{}", ".{}", "'*.{}'")
    names = "".join("    - " + scopes[i % 3].format(f"h{i}.{hosts[i % len(hosts)]}") + "\n" for i in range(half))
    networks = "".join(f"    - 10.{i >> 16}.{i >> 8 & 255}.{i & 255}\n" for i in range(half))
    return f"hosts:\n  deny:\n{names}addresses:\n  deny:\n{networks}"


def main() -> None:
    compiled, homepages = Path(sys.argv[1]), Path(sys.argv[2])
    source = compiled.with_suffix(".yaml")
    source.write_text(policy(RULES, HOST.findall(homepages.read_text(encoding="utf-8"))), encoding="ascii")
    subprocess.run([BUILD / "urivet", "policy", "compile", source, "-o", compiled], check=True)


main()
