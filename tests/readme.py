#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the blocks of README.md that programs write.

    readme.py --write README.md build/urivet     writes them anew
    readme.py --check README.md build/urivet     fails if one is stale

A block stands between '<!-- NAME ARGUMENTS -->' and '<!-- end -->':
    output COMMAND [| N]   what 'urivet COMMAND' prints, or its first N lines
    catalogue              the table of findings
"""
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"(<!-- (output|catalogue) ?(.*?) -->\n).*?(<!-- end -->)", re.S)


def run(urivet, arguments):
    result = subprocess.run([urivet, *arguments], capture_output=True, text=True, check=False)
    if result.returncode > 1 or result.stderr:
        sys.exit(f"urivet {arguments}: {result.stderr}")
    return result.stdout


def output(urivet, arguments):
    arguments, _, most = arguments.partition(" | ")
    lines = run(urivet, shlex.split(arguments)).splitlines(keepends=True)
    return "```\n" + "".join(lines[:int(most or len(lines))]).rstrip("\n") + "\n```\n"


def cell(text):
    text = text.replace("\\x5C", "\\").replace("\\x20", " ")
    return re.sub(r"([\\|<>*_`~&])", r"\\\1", text)


def catalogue(urivet, _):
    rows = [line.split("\t") for line in run(urivet, ["findings", "--format=tsv"]).splitlines()]
    lines = ["| finding | no. | class | component | what it says | by |", "|---|--:|---|---|---|---|"]
    for name, number, kind, component, reference, text in rows:
        lines.append(f"| `{name}` | {number} | {kind} | {component} | {cell(text)} | {cell(reference)} |")
    return "\n".join(lines) + "\n"


def main():
    mode, path, urivet = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        old = file.read()
    makers = {"output": output, "catalogue": catalogue}
    new = BLOCK.sub(lambda m: m[1] + makers[m[2]](urivet, m[3]) + m[4], old)
    if mode == "--write":
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    elif new != old:
        sys.exit(f"{path}: a block is stale; run 'make readme'")
    print(f"readme: {len(BLOCK.findall(old))} blocks are fresh")


main()
