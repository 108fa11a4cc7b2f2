# SPDX-License-Identifier: Apache-2.0
"""Writes the test vectors: vectors.py URIVET OUT, to OUT/vectors.json, its schema and OUT/vectors.h.

Verdicts come from vectors.tsv and the catalogue, both written by hand, and for files of corpus/gate from the model of
tests/core/model, which shares no code with the library. Model and library have to agree on each, else nothing is written.
"""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from rules import ROOT, octets, rows, rules

sys.path.append(str(ROOT / "tests/core/model"))
from gate import effective_port, judge, parse  # noqa: E402

VERSION = 1
DANGERS = tuple(finding for rule in rules() if rule.name.startswith("D") for finding in rule.ids)
FLAGS = {
    "Fires": "The rule of the group refuses this input.",
    "NearMiss": "Accepted, and close to an input that the rule of the group refuses.",
    "Dangerous": "Refused although parsers agree: the gate accepts it.",
    "NotRegular": "No regular expression of the text says this rule.",
    "Corpus": "From the corpus of urivet.",
    "Catalogue": "From the catalogue of findings of urivet.",
}


def by_gate(data: bytes) -> bool:
    """Returns true if the model finds no rule broken but those of danger."""
    return all(rule.startswith("D") for rule in judge(data).rules)


def given() -> list[tuple[str, bool, bool, bytes, str, str]]:
    """Returns rule, verdicts of strict and of the gate, input, comment and source, each input once."""
    found = [(rule, verdict == "accept", verdict == "accept" or rule.startswith("D"), octets(text), comment, "") for rule, verdict, text, comment in rows("vectors.tsv", 4)]
    for rule in rules():
        for finding in rule.ids:
            for name in ("fires", "misses"):
                path = ROOT / "corpus/findings" / finding / name
                data = path.read_bytes() if path.is_file() else b""
                if data and (judge(data).accept if name == "misses" else rule.name in (*judge(data).rules, "ABNF")):
                    found.append((rule.name, name == "misses", by_gate(data), data, f"{'near ' * (name == 'misses')}{finding.replace('-', ' ')}", "Catalogue"))
    for path in sorted((ROOT / "corpus/gate").iterdir()):
        data = path.read_bytes()
        said = judge(data)
        named = [name for name in said.rules if name[0] in "GD" and name[1:].isdigit()]
        found.append((named[0] if len(named) == 1 else "ABNF", said.accept, by_gate(data), data, path.name.replace("-", " "), "Corpus"))
    once: dict[bytes, tuple] = {}
    for row in found:
        once.setdefault(row[3], row)
    return list(once.values())


def library(urivet: str, inputs: list[bytes], *options: str) -> list[list[str]]:
    """Returns the ten columns of the command for each input."""
    done = subprocess.run([urivet, "check", "--null", "--format=tsv", *options], input=b"".join(data + b"\0" for data in inputs), capture_output=True, check=False)
    return [line.split("\t") for line in done.stdout.decode("ascii").splitlines()]


def components(data: bytes) -> dict:
    """Returns the components as written: by the expression of the model and, independently, by Python."""
    parts = parse(data)
    read = {name: getattr(parts, name) for name in ("scheme", "host", "path", "query", "fragment")}
    shown = {name: None if value is None else value.decode("ascii") for name, value in read.items()}
    split = urlsplit(data.decode("ascii"))
    if (split.scheme, split.hostname, split.path, split.query, split.fragment) != (shown["scheme"], shown["host"].lower(), shown["path"], shown["query"] or "", shown["fragment"] or ""):
        sys.exit(f"vectors: urllib.parse and the model split {data!r} otherwise")
    return {"scheme": shown["scheme"], "host": shown["host"], "port": effective_port(parts), **{name: shown[name] for name in ("path", "query", "fragment")}}


def test_of(number: int, row: tuple, said: bool) -> dict:
    """Returns a test; `said`: can an expression say the rule?"""
    rule, accept, gate, data, comment, source = row
    flags = ["NearMiss" if accept else "Fires"] if rule != "ABNF" or not accept else []
    flags += ["Dangerous"] * (gate and not accept) + ["NotRegular"] * (not said and not accept) + [source] * bool(source)
    try:
        shown = {"input": data.decode("utf-8")}
    except UnicodeDecodeError:
        shown = {"inputHex": data.hex()}
    verdict = {True: "valid", False: "invalid"}
    return {"tcId": number, "comment": comment, "flags": flags, **shown, "result": verdict[accept], "gate": verdict[gate], "components": components(data) if gate else None}


def wrong(rows_: list[tuple], urivet: str) -> list[str]:
    """Returns what model and library say otherwise: of verdicts, rules and components."""
    inputs = [row[3] for row in rows_ if b"\0" not in row[3]]
    strict, gate = (dict(zip(inputs, library(urivet, inputs, *options))) for options in ((), ("--allow=" + ",".join(DANGERS),)))
    ids = {rule.name: set(rule.ids) for rule in rules()}
    problems = []
    for rule, accept, gated, data, _, _ in rows_:
        said = judge(data)
        if (said.accept, by_gate(data)) != (accept, gated) or (rule != "ABNF" and not accept and rule not in said.rules):
            problems.append(f"the model: {rule} {data!r}: {said.rules}")
        if data not in strict:
            continue
        column = strict[data]
        if (column[0] == "accept") != accept or (gate[data][0] == "accept") != gated or (
                rule != "ABNF" and accept != (not ids[rule] & set(column[1].split(","))) and not accept):
            problems.append(f"the library: {rule} {data!r}: {column[:2]}, gate {gate[data][:2]}")
        if accept:
            part = components(data)
            if [part["scheme"], part["host"], part["path"], str(part["port"])] != [column[2], column[4], column[6], column[9]]:
                problems.append(f"components: {data!r}: {column[2:]}")
    return problems


def header(tests: list[dict]) -> str:
    """Returns the same as a C header: a file that is cut off does not compile. Readings are the components, a space after each."""
    lines = ["/* Generated by make spec. */", f"#define CONSENSUS_URL_VECTORS {VERSION}",
             "static const struct { int id, valid; const char *octets; unsigned length; const char *reading; } vectors[] = {"]
    for test in tests:
        data = test["input"].encode("utf-8") if "input" in test else bytes.fromhex(test["inputHex"])
        part = test["components"] or {}
        shown = {**part, "host": f'[{part["host"]}]' if ":" in part["host"] else part["host"], "path": part["path"] or "/"} if part else {}
        reading = "".join(f"{value if value is not None else ''} " for value in shown.values())
        c_texts = ["".join(f"\\{octet:03o}" for octet in octets_) for octets_ in (data, reading.encode("ascii"))]
        lines.append(f'{{{test["tcId"]}, {int(test["result"] == "valid")}, "{c_texts[0]}", {len(data)}, "{c_texts[1]}"}},')
    return "\n".join([*lines, "};", f"enum {{ VECTORS = {len(tests)} }};", "_Static_assert(sizeof vectors / sizeof *vectors == VECTORS, \"cut off\");", ""])


def main() -> None:
    urivet, out = sys.argv[1], Path(sys.argv[2])
    found = given()
    problems = wrong(found, urivet)
    groups, number = [], 0
    for rule in rules():
        tests = []
        for row in found:
            if row[0] == rule.name:
                number += 1
                tests.append(test_of(number, row, rule.said == "yes"))
        if {test["result"] for test in tests} != {"valid", "invalid"}:
            problems.append(f"{rule.name}: a firing case and a near miss are needed")
        groups.append({"rule": rule.name, "text": rule.text, "tests": tests})
    if problems:
        sys.exit("vectors: " + "\nvectors: ".join(problems))
    whole = {"algorithm": "consensus-url", "version": VERSION, "schema": "vectors.schema.json", "numberOfTests": number, "notes": FLAGS, "testGroups": groups}
    (out / "vectors.json").write_text(json.dumps(whole, indent=1, ensure_ascii=True) + "\n", encoding="ascii")
    (out / "vectors.schema.json").write_bytes((Path(__file__).parent / "vectors.schema.json").read_bytes())
    (out / "vectors.h").write_text(header([test for group in groups for test in group["tests"]]), encoding="ascii")
    print(f"vectors: {number} in {len(groups)} groups, {sum(test['result'] == 'valid' for group in groups for test in group['tests'])} valid")


if __name__ == "__main__":
    main()
