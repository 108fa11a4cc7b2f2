#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One judge: for each rule that a policy file can have, a policy with that rule alone, an input that it
refuses and one that it takes, through every public function and binding.

    one_judge.py JUDGE URIVET [BINDING...]

The rules are those of rules.json, which the tests of nginx, PostgreSQL and DuckDB read as well. JUDGE is
tests/policyfile/one_judge.c. The refused input has to be refused everywhere. The other one has to be taken,
except where ELSEWHERE says why not. BINDING is the folder of the Python package, or the module for JavaScript.
"""
import array
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = json.loads(pathlib.Path(__file__).with_name("rules.json").read_text(encoding="utf-8"))
# where an input that the rule takes is refused: (rules, function): the comment of the function that says so
ELSEWHERE = [
    ("parameters", "alone", "without room, values are refused"),
    ("parameters", "without-room", "without room, values are refused"),
    ("parameters", "urivet_suggest", "without room, nothing is suggested"),
    ("parameters", "urivet_check_parameters", "a policy of values has no rules for parameters"),
    ("urls", "urivet_check_request", "rules about URLs cannot cover a target"),
    ("urls", "urivet serve", "rules about URLs cannot cover a target"),
    ("allow", "urivet_suggest", "another spelling is suggested"),
    ("allow", "urivet_check_reference", "editions resolve it differently"),
    ("opaque_query", "urivet_suggest", "another spelling is suggested"),
    ("opaque_query", "urivet_check_reference", "RFC 3986 cannot resolve it"),
    ("paths", "urivet_check_parameters", "the URL around it is escaped twice"),
    ("paths", "urivet_suggest", "path rules are not asked for suggestions"),
]


def may_refuse(rule, function):
    return any(rule.startswith(rules) and function.endswith(name) for rules, name, _ in ELSEWHERE)


def by_library(judge, path, refused, taken):
    """(function, verdict on the refused input, verdict on the other one) of each public function."""
    ran = subprocess.run([judge, path, refused, taken], capture_output=True, text=True)
    lines = [line.rsplit(" ", 1) for line in ran.stdout.splitlines()]
    half = len(lines) // 2
    return [(a[0], a[1], b[1]) for a, b in zip(lines[:half], lines[half:])]


def by_command(urivet, path, refused, taken):
    compiled = f"{path}.compiled"
    subprocess.run([urivet, "policy", "compile", path, "-o", compiled], check=True)
    for name, policy in (("urivet check", path), ("urivet check compiled", compiled)):
        ran = subprocess.run([urivet, "check", "--format=tsv", f"--policy-file={policy}", refused, taken],
                             capture_output=True, text=True)
        yield (name, *(line.split("\t")[0] for line in ran.stdout.splitlines()))
    ran = subprocess.run([urivet, "filter", f"--policy-file={path}"], input=f"{refused}\n{taken}\n",
                         capture_output=True, text=True).stdout.splitlines()
    yield "urivet filter", *("accept" if url in ran else "reject" for url in (refused, taken))
    lines = f"{refused}\n{taken}\n".replace("%", "%25")  # Squid escapes what it asks about
    ran = subprocess.run([urivet, "serve", "--squid", f"--policy-file={path}"], input=lines, capture_output=True,
                         text=True).stdout.splitlines()
    yield "urivet serve", *("accept" if answer.startswith("OK") else "reject" for answer in ran)


def by_python(path, refused, taken):
    import urivet  # noqa: PLC0415
    loaded, offsets = urivet.Policy.load(path), lambda url: array.array("i", [0, len(url)])
    for name, policy in (("Python", loaded), ("Python pickled", pickle.loads(pickle.dumps(loaded))),
                         ("Python compiled", urivet.Policy.compiled(pathlib.Path(f"{path}.compiled").read_bytes()))):
        for how, accepts in (("ok", policy.ok), ("check", lambda url, p=policy: p.check(url).ok),
                             ("check_many", lambda url, p=policy: p.check_many([url]).all_accepted),
                             ("check_many lines", lambda url, p=policy: p.check_many(url.encode()).all_accepted),
                             ("check_many offsets", lambda url, p=policy: p.check_many(url.encode(), offsets(url)).all_accepted),
                             ("urivet_check_reference", lambda url, p=policy: p.check_redirect(url, "https://a.example/").ok)):
            yield (f"{name} {how}", *("accept" if accepts(url) else "reject" for url in (refused, taken)))


JAVASCRIPT = """
import { readFileSync } from 'node:fs';
const { Policy } = await import(process.argv[1]);
const policy = Policy.compiled(readFileSync(process.argv[2]));
for (const url of process.argv.slice(3)) console.log(policy.ok(url), policy.check(url).ok);
"""


def by_javascript(module, path, refused, taken):
    ran = subprocess.run(["node", "--input-type=module", "-e", JAVASCRIPT, module, f"{path}.compiled", refused, taken],
                         capture_output=True, text=True)
    words = [line.split() for line in ran.stdout.splitlines()]
    if len(words) != 2:
        yield "JavaScript", ran.stderr.strip().splitlines()[-1] if ran.stderr else "nothing", ""
        return
    for k, how in enumerate(("ok", "check")):
        yield (f"JavaScript {how}", *("accept" if word[k] == "true" else "reject" for word in words))


def binding_at(path):
    """The binding of a folder with the Python package, or of a module for JavaScript."""
    if path.endswith(".mjs"):
        return lambda _, *given: by_javascript(pathlib.Path(path).resolve().as_uri(), *given)
    sys.path[:0] = [path]
    return lambda _, *given: by_python(*given)


def main():
    judge, urivet = sys.argv[1:3]
    found = [by_command, *(binding_at(path) for path in sys.argv[3:])]
    wrong, asked, functions = [], 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for rule, text, refused, taken in (row.values() for row in RULES):
            path = f"{folder}/policy.yaml"
            pathlib.Path(path).write_text(text + "\n", encoding="utf-8")
            answers = by_library(judge, path, refused, taken)
            if len(answers) < 20:
                wrong.append(f"{rule}: is not judged by the library")
            for binding in found:
                answers += binding(urivet, path, refused, taken)
            for function, on_refused, on_taken in answers:
                asked += 1
                functions.add(function)
                if on_refused != "reject":
                    wrong.append(f"{rule}: {function} takes {refused}: {on_refused}")
                if (on_taken != "accept") and function != "null urivet_check" and not may_refuse(rule, function):
                    wrong.append(f"{rule}: {function} refuses {taken}")
                if function == "null urivet_check" and on_taken != "reject":
                    wrong.append(f"{rule}: a policy that could not be loaded takes {taken}")
    for line in wrong:
        print(line)
    print(f"one judge: {len(RULES)} rules through {len(functions)} functions and bindings, {asked} answers, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
