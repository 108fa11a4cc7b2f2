#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One judge: for each rule that a policy file can have, a policy with that rule alone, an input that it
refuses and one that it takes, through every public function and binding.

    one_judge.py JUDGE URIVET

JUDGE is tests/policyfile/one_judge.c. The refused input has to be refused everywhere. The other one has to
be taken, except where ELSEWHERE says why not. Python, JavaScript and the file of one piece are judged by
where they are built; what is missing is named.
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSIDE = "http%3A%2F%2F127.0.0.1%2F"
# rule: the policy, what it refuses, what it takes
RULES = {
    "base": ("base: public", "http://127.0.0.1/", "http://www.debian.org/"),
    "schemes": ("schemes: [https]", "http://a.example/", "https://a.example/"),
    "ports": ("ports: {http: [8080]}", "http://a.example:8081/", "http://a.example:8080/"),
    "hosts.allow": ("hosts: {allow: [a.example]}", "http://b.example/", "http://a.example/"),
    "hosts.deny": ("hosts: {deny: [b.example]}", "http://b.example/", "http://a.example/"),
    "urls.allow": ("urls: {allow: ['https://a.example/cb']}", "https://a.example/x", "https://a.example/cb"),
    "urls.also": ("hosts: {allow: [b.example]}\nurls: {also: ['https://a.example/cb']}", "https://a.example/x",
                  "https://a.example/cb"),
    "urls.forbid_parameters": ("urls: {allow: ['https://a.example/cb'], forbid_parameters: [code]}",
                               "https://a.example/cb?code=1", "https://a.example/cb?x=1"),
    "addresses.allow": ("base: public\naddresses: {allow: [127.0.0.1]}", "http://127.0.0.2/", "http://127.0.0.1/"),
    "addresses.deny": ("addresses: {deny: [192.0.2.0/24]}", "http://192.0.2.66/", "http://192.0.3.66/"),
    "addresses.nat64": ("addresses: {deny: [10.0.0.0/8], nat64: ['2001:db8:64::/96']}", "http://[2001:db8:64::a00:1]/",
                        "http://[2001:db8:64::808:808]/"),
    "allow": ("allow: [dot-segment]", "http://a.example/a/%2e./b", "http://a.example/a/../b"),
    "refuse": ("refuse: [query-nested-url]", "http://a.example/?u=http://b.example/", "http://a.example/?u=b"),
    "refuse host-public-suffix": ("refuse: [host-public-suffix]", "http://co.uk/", "http://a.co.uk/"),
    "limits.length": ("limits: {length: 20}", "http://a.example/aaaaaaa", "http://a.example/"),
    "limits.host": ("limits: {host: 10}", "http://aaa.example/", "http://a.example/"),
    "limits.label": ("limits: {label: 8}", "http://aaaaaaaaa.example/", "http://a.example/"),
    "opaque_query": ("opaque_query: true", "http://a.example/?a%0D", "http://a.example/?a|b"),
    "protect": ("protect: [paypal.com]", "http://paypa1.com/", "http://paypal.com/"),
    "paths": ("paths: [{prefix: /a/, allow: [escaped-slash]}]", "http://a.example/b%2Fc", "http://a.example/a/b%2Fc"),
    "strip_prefix": ("strip_prefix: [/api]", "http://a.example/api//b.example/", "http://a.example/api/b"),
    "parameters policy": ("parameters: {u: {policy: public}}", f"http://a.example/?u={INSIDE}", "http://a.example/?u=%2Fa"),
    "parameters *": ("parameters: {'*': {policy: public}}", f"http://a.example/?x={INSIDE}", "http://a.example/?x=%2Fa"),
    "parameters same_origin": ("parameters: {u: {same_origin: true}}", "http://a.example/?u=http%3A%2F%2Fwww.debian.org%2F",
                               "http://a.example/?u=%2Fa"),
    "parameters rooted": ("parameters: {u: {rooted: true}}", "http://a.example/?u=b", "http://a.example/?u=%2Fa"),
    "parameters absolute": ("parameters: {u: {absolute: true}}", "http://a.example/?u=%2Fa",
                            "http://a.example/?u=http%3A%2F%2Fwww.debian.org%2F"),
    "parameters any_case": ("parameters: {u: {any_case: true}}", f"http://a.example/?U={INSIDE}", "http://a.example/?U=%2Fa"),
    "parameters semicolons": ("parameters: {u: {semicolons: true}}", f"http://a.example/?a;u={INSIDE}",
                              "http://a.example/?a;u=%2Fa"),
    "parameters decode": ("parameters: {u: {decode: 2}}", f"http://a.example/?u={INSIDE.replace('%', '%25')}",
                          "http://a.example/?u=%2Fa"),
    "parameters allow": ("parameters: {u: {allow: [escaped-crlf]}}", "http://a.example/?v=%0D%0A",
                         "http://a.example/?u=%0D%0A"),
}
# where an input that the rule takes is refused: (rules, function): the comment of the function that says so
ELSEWHERE = [
    ("parameters", "alone", "without room, values are refused"),
    ("parameters", "without-room", "without room, values are refused"),
    ("parameters", "urivet_suggest", "without room, nothing is suggested"),
    ("parameters", "urivet_check_parameters", "a policy of values has no rules for parameters"),
    ("urls", "urivet_check_request", "rules about URLs cannot cover a target"),
    ("urls.also", "urivet_check_request", "rules about URLs cannot cover a target"),
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


def by_python(path, refused, taken):
    import urivet  # noqa: PLC0415
    for name, policy in (("Python", urivet.Policy.load(path)),
                         ("Python compiled", urivet.Policy.compiled(pathlib.Path(f"{path}.compiled").read_bytes()))):
        for how, accepts in (("ok", policy.ok), ("check", lambda url, p=policy: p.check(url).ok),
                             ("check_many", lambda url, p=policy: p.check_many([url]).all_accepted)):
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


def bindings():
    """The bindings that can be asked, and the names of those that cannot."""
    found, missing = [by_command], []
    sys.path[:0] = [str(ROOT / "build/python")]
    try:
        import urivet  # noqa: F401, PLC0415
        found.append(lambda _, *given: by_python(*given))
    except ImportError:
        missing.append("Python")
    module = ROOT / "build/js/package/dist/urivet.node.mjs"
    if module.exists():
        found.append(lambda _, *given: by_javascript(module.as_uri(), *given))
    else:
        missing.append("JavaScript")
    return found, missing


def main():
    judge, urivet = sys.argv[1:3]
    found, missing = bindings()
    wrong, asked, functions = [], 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for rule, (text, refused, taken) in RULES.items():
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
    print(f"one judge: {len(RULES)} rules through {len(functions)} functions and bindings, {asked} answers, "
          f"{len(wrong)} wrong" + (f"; not built here: {', '.join(missing)}" if missing else ""))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
