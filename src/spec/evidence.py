# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of the text that show the evidence for its rules, and gives the vectors to the zoo: evidence.py OUT.

A parser of the zoo that is installed has to read the counterexample otherwise than RFC 3986; a client that is installed has to send
something else than the path of the URL to its host, or than another client; of two chains one has to give the secret away. Only the
rule refuses its counterexample. All parsers of the zoo that are installed have to agree on the valid vectors, and the file of
vectors has to match its schema, if python3-jsonschema is there.
"""
from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rules import ROOT, Rule, octets, rules
from text import command


def output(text: str) -> tuple[int, str]:
    done = subprocess.run(["sh", "-c", text], cwd=ROOT, capture_output=True, text=True, errors="replace", check=False, timeout=120)
    return done.returncode, done.stdout


def reading(row: str) -> tuple[str, ...]:
    """Returns host, path, query, fragment and port to connect to."""
    columns = [column.replace("\\N", "") for column in row.split("\t")]
    return columns[4], columns[6] or "/", *columns[7:10]


def vectors_wrong(out: Path) -> list[str]:
    """Returns what is wrong with the vectors: of their form, and where parsers of the zoo differ on valid ones."""
    file, wrong = json.loads((out / "vectors.json").read_text(encoding="ascii")), []
    valid = [test["input"] for group in file["testGroups"] for test in group["tests"] if test["result"] == "valid" and len(test["input"]) < 1000]
    _, said = output(f"python3 fuzz/lab/zoo/zoo.py read {shlex.join(valid)}")
    agreed = re.findall(r"^    urivet: (\w+)[^;]*; different: (.*)$", said, re.M)
    wrong += [f"the zoo: {valid[k]}: {verdict}, {what}" for k, (verdict, what) in enumerate(agreed) if (verdict, what) != ("accept", "nothing")]
    if len(agreed) != len(valid):
        wrong.append(f"the zoo: {len(agreed)} of {len(valid)} vectors read")
    readers = len(set(re.findall(r"^(\S+) +accept\t", said, re.M)))
    print(f"vectors: {len(valid)} valid ones read alike by {readers} parsers of the zoo")
    try:
        import jsonschema
    except ImportError:
        print("skipped: the schema needs python3-jsonschema")
        return wrong
    try:
        jsonschema.validate(file, json.loads((out / file["schema"]).read_text(encoding="ascii")))
    except jsonschema.ValidationError as error:
        wrong.append(f"the schema: {error.message}")
    return wrong


def guards_wrong() -> list[str]:
    """Runs the table of guards without those of npm: urivet refuses each spelling and redirect, and accepts the controls. Every
    guard accepts a public name, and refuses 127.0.0.1 and a redirect to it: its adapter works."""
    status, said = output("command -v node >/dev/null && node src/spec/guards.mjs build/no-guards build/urivet")
    answers = [(what, found.split()) for what, found in re.findall(r"^(\S.{55})((?: +[Ap.-])+)$", said, re.M)]
    ours = any((found[0] == "A") != what.startswith("control ") for what, found in answers)
    theirs = any(set(found) != set("A" if what[0] == "c" else "-") for what, found in (answers[0], answers[3], answers[43])) if len(answers) == 50 else True
    return [f"guards: {said}"] if answers and (status != 0 or ours or theirs or "does not run" in said) else []


def counterexamples_wrong() -> list[str]:
    """Returns the rules that urivet does not refuse their counterexample by, or not by them alone."""
    def refuses(rule: Rule, *options: str) -> bool:
        return subprocess.run(["build/urivet", "check", "-q", *options, octets(rule.example).decode()], cwd=ROOT, capture_output=True, check=False).returncode == 1
    return [f"{rule.name}: urivet accepts its counterexample, or refuses it without the rule" for rule in rules()[1:]
            if not refuses(rule) or refuses(rule, f"--allow={','.join(rule.ids)}", "--max-length=100000")]


def by_programs(rule: Rule) -> tuple[bool, str]:
    """Runs the command of a rule about clients, proxies or servers. Returns true if its programs are here, and what is wrong."""
    status, said = output(command(rule))
    kind, _, names = rule.shown.partition(":")
    if kind == "chain":
        gave = [line.endswith(" secret") for line in re.findall(r"^\S.*  /\S+  .*$", said, re.M)]
        return len(gave) == 2, f"no secret, or one from both: {said}" if len(gave) == 2 and sum(gave) != 1 else ""
    told = dict(re.findall(r"^(\S+) +http.*\n +(.*)", said, re.M | re.I))
    if status != 0:
        return False, f"status {status}: {said}"
    if len(told) < len(names.split(",")) or any("No such file or directory" in line for line in told.values()):
        return False, ""
    if len(told) == 2:
        return True, "" if len(set(told.values())) == 2 else f"both send the same: {said}"
    sent = re.search(r"GET (\S+) .*Host: (\S+)", said)
    asked = octets(rule.example).decode().split("#")[0]
    return sent is not None, f"sent as written: {said}" if sent and f"http://{sent[2]}{sent[1]}" == asked else ""


def main() -> int:
    page, missing = (Path(sys.argv[1]) / "consensus-url.md").read_text(encoding="utf-8"), []
    wrong = vectors_wrong(Path(sys.argv[1])) + guards_wrong() + counterexamples_wrong()
    parsed = [rule for rule in rules() if rule.shown.startswith("zoo:") and rule.name != "ABNF"]
    # one process for all of them, which builds its readers once
    _, said = output(command(parsed[0]) + "".join(f" '{rule.example}'" for rule in parsed[1:]))
    blocks, lines = {}, []
    for line in said.splitlines():      # a line for each reader, then the URL
        lines.append(line)
        if line in (rule.example for rule in parsed):
            blocks[line], lines = lines, []
    for rule in rules()[1:]:
        if f"```sh\n{command(rule)}\n```" not in page:
            wrong.append(f"{rule.name}: its command is not in the text")
        kind, _, name = rule.shown.partition(":")
        if kind == "zoo":
            rows = {line.split()[0]: reading(line) for line in blocks.get(rule.example, []) if "\t" in line}
            shown, fault = name in rows, f"{name} reads {rule.example} as RFC 3986 does" if name in rows and rows[name] == rows.get("urivet-rfc3986") else ""
        else:
            shown, fault = by_programs(rule)
        missing += [] if shown else [f"{rule.name} ({rule.shown})"]
        wrong += [f"{rule.name}: {fault}"] if fault else []
    print(f"evidence: {len(rules()) - 1} commands, {len(wrong)} wrong; not shown, since a program is missing: {', '.join(missing) or 'none'}", *wrong, sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
