# SPDX-License-Identifier: Apache-2.0
"""Writes the text: text.py OUT, from consensus-url.md, its tables and those of the laboratories, as Markdown, HTML and plain text.

A block in braces on a line of its own is filled in. Proved first, for all lengths: the ABNF of the text with its rules is gate.abnf.
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from expressions import prove, read
from rules import HERE, ROOT, Rule, rows, rules

WIDTH = 72
DATE = "29 November 2026"


def code(text: str) -> str:
    return f"``{text}``" if "`" in text else f"`{text}`"


def command(rule: Rule) -> str:
    """Returns the command that shows the evidence for a rule, by programs of a laboratory."""
    example = f"'{rule.example}'"
    if "{" in rule.example:
        front, octet, times = re.fullmatch(r"(.*)\{(.)\*(\d+)\}", rule.example).groups()
        example = f"\"{front}$(printf %{times}s | tr ' ' {octet})\""
    kind, _, names = rule.shown.partition(":")
    words = ["python3", {"zoo": "fuzz/lab/zoo/zoo.py read", "wire": "fuzz/lab/wire/wire.py send", "chain": "fuzz/lab/wire/chains.py ask"}[kind]]
    if kind == "wire":
        words += [f"--client={name}" for name in names.split(",")]
    if kind == "chain":
        *proxy, servers = names.split(">")
        words += [f"--proxy={name}" for name in proxy] + [f"--server={name}" for name in servers.split(",")]
        example = f"'/{rule.example.split('/', 3)[3]}'"
    lines = [words[0]]
    for word in (*words[1:], example):
        if len(lines[-1] + word) < WIDTH - 7:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return " \\\n    ".join(lines)


def rule_text(rule: Rule) -> str:
    shown = f"`{rule.shown[4:]}` is one of those that this runs:\n\n" if rule.shown.startswith("zoo:") else ""
    example = re.sub(r"\{(.)\*(\d+)\}", r"\1\1\1...", rule.example)
    return f"### {rule.name}\n\n{rule.text}\n\nCounterexample: {code(example)}: {rule.who}.\n\n{shown}```sh\n{command(rule)}\n```\n"


def differences(state: str) -> str:
    """Returns a list of the differences that the judges of the laboratories know."""
    table = [line.split("\t") for line in (ROOT / "fuzz/lab/zoo/allowed.tsv").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    found = []
    for name, of, parts, _, octets, who, why in table:
        if of == state:
            among = f" ({code(octets)})" if octets != "-" else ""
            found.append(f"- *{name}*, of {parts.replace(',', ', ')}{among}: {why}. Who: {who.replace(', ', ',').replace(',', ', ')}.")
    return "\n".join(found)


def readers() -> tuple[str, int]:
    """Returns a table of the parsers of the last record, and their number."""
    page = (ROOT / "fuzz/lab/zoo/README.md").read_text(encoding="utf-8")
    found = [(name, version if re.search(r"[ /o][0-9]", version) else f"{version}, of Debian 12", what) for name, what, version in re.findall(r"^\| ([\w-]+) \| ([^|]*) \| ([^|]*) \| [^|]*\|$", page, re.M)
             if name != "reader" and not name.startswith("urivet") and (ROOT / "fuzz/lab/zoo/readers.tsv").read_text().find(f"\n{name}\t") >= 0]
    lines = ["| reader | version | what it is |", f"|{'-' * 14}|{'-' * 22}|{'-' * 34}|"]
    return "\n".join(lines + [f"| {name} | {version} | {what} |" for name, version, what in found]), len(found)


def filled(source: str) -> str:
    table, parsers = readers()
    clients = sum(1 for line in (ROOT / "fuzz/lab/wire/clients.tsv").read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
    blocks = {
        "rules G": "\n".join(rule_text(rule) for rule in rules() if rule.name.startswith("G")),
        "rules D": "\n".join(rule_text(rule) for rule in rules() if rule.name.startswith("D")),
        "unsaid": "\n".join(f"- {rule.name}: {rule.text}" for rule in rules() if rule.said == "no"),
        "left out": "\n".join(f"- {what}: {code(example)}: {who}" for what, example, who in rows("left_out.tsv", 3)),
        "readers": table, "parsers": str(parsers), "clients": str(clients), "date": DATE,
        **{f"differences {state}": differences(state) for state in ("allowed", "excused", "open")},
    }
    return re.sub(r"\{(" + "|".join(blocks) + r")\}", lambda m: blocks[m[1]], source)


def main() -> None:
    out, source = Path(sys.argv[1]), (HERE / "consensus-url.md").read_text(encoding="ascii")
    gate = ROOT / "tests/gates/grammar/gate.abnf"
    block = re.search(r"```abnf\n(.*?)```", source, re.S)[1]
    used = "\n".join(path.read_text(encoding="ascii") for path in (gate, HERE / "expressions.abnf"))
    prove(gate, read(used + block), "the text")
    text = filled(source)
    if left := re.findall(r"^\{.*\}$", text, re.M):
        sys.exit(f"text: unknown blocks: {left}")
    (out / "consensus-url.md").write_text(text, encoding="utf-8")
    title = re.match(r"# (.*)", text)[1]
    plain = re.sub(r"^\| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", r"- \1, \2: \3", re.sub(r"^\| reader .*\n\|-.*\n", "", text, flags=re.M), flags=re.M)
    for name, given, options in (("consensus-url.html", text, ("-t", "html5", "--standalone", "--toc", "--toc-depth=2", "--no-highlight", f"--metadata=pagetitle:{title}")),
                                 ("consensus-url.txt", plain, ("-t", "plain", f"--columns={WIDTH}", f"--lua-filter={HERE / 'quote.lua'}"))):
        subprocess.run(["pandoc", "-f", "gfm", *options, "-o", str(out / name)], input=given, encoding="utf-8", check=True)
    wide = [line for line in (out / "consensus-url.txt").read_text(encoding="utf-8").splitlines() if len(line) > WIDTH]
    if wide:
        sys.exit(f"text: wider than {WIDTH} columns: {wide}")
    print(f"text: {len(text.split())} words, {len(rules()) - 1} rules")


if __name__ == "__main__":
    main()
