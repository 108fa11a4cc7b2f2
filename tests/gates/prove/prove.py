#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the contracts of the core with Frama-C's WP plug-in.

    prove.py [--all] [--changed] [--jobs=N] [--steps=N] [--record] [FILE...]
    prove.py --smoke [FILE...]

Each function of the core that has a contract is proved alone, the
functions it calls by their contracts: memory, wraps, termination, ranges and
what it may write. Frama-C's exit status says nothing, so its numbers are read:
every goal must be proved, no file may have fewer than are recorded in
goals.tsv, every function must have a contract or be named in trusted.tsv, and
bugs that are seeded into copies must not be proved.

goals.tsv also has a digest of what each file was when it was proved: the program
as Frama-C reads it, with the contracts. --changed proves the files that are no
longer that because their own source changed, and some others, which the digests choose.

--smoke asks the opposite: a contract that asks for what cannot be would prove
whatever follows. WP tries to prove "false" from what each function and each
loop may assume, and must not. (What a proved function promises cannot contradict
itself where what it asks for does not.)
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
import core  # noqa: E402
from run import base_commit, git  # noqa: E402
HERE = pathlib.Path(__file__).resolve().parent
BUILD = ROOT / "build" / "prove"
CACHE = BUILD / "cache"
# How much work a prover may do for a goal, in its own steps, so that the answer is the same on a loaded machine:
# a million take CVC4 about 15 seconds. The time limit only ends a prover that counts no steps any more.
FIRST = 500_000         # at first
LAST = 5_000_000       # for what is not proved by then
# What a table holds is said to a prover only where it could not do without: thousands of rows make each goal a hundred times dearer.
TABLES_UNSAID = "-wp-no-init-const"
SMOKE = 75_000          # for a smoke test
HANGING = 1800          # seconds
SAMPLE = 500  # goals at most of the files that --changed proves though their own source has not changed
TOOLS = {"frama-c": "frama-c-base", "why3": "why3", "z3": "z3", "cvc4": "cvc4", "cc": "gcc"}

# What is seeded: a file, what stands there, what is put in its place, and the
# function that WP must then fail to prove.
SEEDS = [
    ("text.h", "return at < t.end ? t.data[at] : AT_END;",
     "return at <= t.end ? t.data[at] : AT_END;", "octet"),
    ("out.h", "at < o->capacity - 1)", "at <= o->capacity)", "put_at"),
    ("report.c", "r->count >= URIVET_MAX_FINDINGS", "r->count > URIVET_MAX_FINDINGS", "occurs"),
    ("parse.c", "set_component(uri, URIVET_USERINFO, at, host - 1);",
     "set_component(uri, URIVET_USERINFO, at, host - 2);", "split_userinfo"),
    ("ip.c", "filled <= 12 &&", "filled <= 14 &&", "urivet_ipv6_parted_by"),
    # safe, but another number than the one written
    ("parse.c", "value = value * 10 + digit", "value = value * 8 + digit", "urivet_effective_port"),
    ("parse.c", "value > 65535 ?", "value > 65534 ?", "urivet_effective_port"),
    ("parse.c", "return i < t.end || value", "return value", "urivet_effective_port"),
    ("parse.c", "is(t, i, DIGIT) && value <= 65535)", "is(t, i, DIGIT) && value <= 6553)", "urivet_effective_port"),
    ("ip.c", "v > 255 ||", "v > 256 ||", "urivet_dec_octet"),
    ("ip.c", "v > 255 ||", "v > 254 ||", "urivet_dec_octet"),
    ("ip.c", "DIGIT) && i - at < 3)", "DIGIT) && i - at < 2)", "urivet_dec_octet"),
    ("ip.c", "(octet(t, at) == '0' && i - at > 1)", "false", "urivet_dec_octet"),
    ("ip.c", "v > 255 || is(t, i, DIGIT) ||", "v > 255 ||", "urivet_dec_octet"),
    ("text.h", "(digit > '9' ? 9 : 0)", "(digit > '9' ? 8 : 0)", "hex_value"),
]


def fail(text):
    sys.exit(f"prove: {text}")


def code_of(path):
    """The text of a C file without its comments."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), path.read_text(), flags=re.S)


def functions(path):
    """The functions that a C file defines."""
    text = re.sub(r"^#.*(?:\\\n.*)*", "", code_of(path), flags=re.M)
    pattern = r"^(?:static |inline |COLD |INLINED )*[a-z][\w ]*?[ *]\n?(\w+)\([^;{}]*\)\n\{"
    return re.findall(pattern, text, flags=re.M)


def trusted():
    rows = {}
    for line in (HERE / "trusted.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, reason = line.split("\t", 1)
            rows[name] = reason
    return rows


class Row(NamedTuple):
    """What goals.tsv says of a unit."""
    goals: int
    digest: str


def recorded():
    rows = {}
    for line in (HERE / "goals.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, goals, digest = line.split("\t")
            rows[name] = Row(int(goals), digest)
    return rows


class Run:
    """What WP said of some functions of one file."""

    def __init__(self, name, log, count, text):
        self.name, self.log, self.functions = name, log, count
        proved = re.search(r"Proved goals:\s+(\d+) / (\d+)", log)
        self.proved, self.goals = (int(proved[1]), int(proved[2])) if proved else (0, 0)
        self.failed = re.findall(r"Goal typed_(\S+)(?=\n| : (?!Valid))", log)
        self.bare = re.findall(r"No 'assigns' specification for function '(\w+)'", log)
        self.bare += re.findall(r"Neither code nor specification for function (\w+)", log)
        # what only an inline function of the public header calls is not proved here
        self.bare = [name for name in self.bare if f"{name}(" in text]
        self.error = None if proved else (log.strip().splitlines() or ["nothing was said"])[-1]


def own_text(name, source):
    """What the functions of a unit may call."""
    paths = [ROOT / header for header in core.headers()] if name == "headers" else [source]
    return "".join(code_of(path) for path in paths)


def reading(source, includes=("src/core",)):
    """A command of Frama-C up to the source that it reads."""
    return ["frama-c", "-c11", "-cpp-extra-args=" + " ".join(f"-I{ROOT / i}" for i in ("include", *includes))
            + " -DURIVET_VECTORS=0", str(source)]


def pieces_of(program):
    """The declarations and definitions of a program as Frama-C prints it, each with its contract."""
    piece, depth, comment = [], 0, False
    for line in program.splitlines():
        piece.append(line)
        comment = (comment or "/*" in line) and "*/" not in line
        depth += 0 if comment or "*/" in line else line.count("{") - line.count("}")
        if not comment and depth == 0 and (not line or line.endswith((";", "}"))):
            if any(piece):
                yield "\n".join(piece)
            piece = []


def introduced(piece):
    """The names that a piece of a program gives a meaning; none: it holds without being named."""
    code = re.sub(r"/\*@.*?\*/|__attribute__\(\(.*?\)\)+", "", piece, flags=re.S).split("{")[0].strip()
    if not code:
        return re.findall(r"\b(?:predicate|logic)\s+(?:\S+\s+)??(\w+)(?=\(| =|\{)", piece)
    if code.startswith("enum") and "(" not in code:
        return re.findall(r"\w+", piece)
    if code.startswith(("struct", "union")) and "(" not in code and "=" not in code:
        return [code.rstrip(";").split()[-1]]
    return re.findall(r"(\w+)\s*\((?!\*)", code)[:1] or re.findall(r"(\w+)(?:\[.*?\])* *(?:;|=)", code)


def seen(program, names):
    """What a proof of these functions sees of the program: their text, the contracts of what they call, and the types, constants
    and predicates that are named there, so that a change of a header is none for a file that does not use what changed."""
    pieces, meaning, texts = list(pieces_of(program)), {}, {}
    for number, piece in enumerate(pieces):
        own = introduced(piece)
        is_function = re.search(r"^\{$", piece, re.M) and not set(own) & set(names)
        texts[number] = re.split(r"^\{$", piece, flags=re.M)[0] if is_function else piece
        for name in own or [""]:
            meaning.setdefault(name, []).append(number)
    kept, open_names = set(), ["", *names]
    while open_names:
        for number in meaning.pop(open_names.pop(), []):
            if number not in kept:
                kept.add(number)
                open_names += set(re.findall(r"\w+", texts[number]))
    return "\n".join(texts[number] for number in sorted(kept))


def digest_of(unit):
    """Of what is proved of a unit, and the names of the functions."""
    name, source, names = unit
    program = BUILD / f"{name}.read"
    program.unlink(missing_ok=True)
    subprocess.run([*reading(source), "-print", "-ocode", program], capture_output=True, check=False)
    if not program.exists():  # it cannot be read: prove() prints why
        return ""
    return hashlib.sha256((seen(program.read_text(), names) + " ".join(names)).encode()).hexdigest()[:16]


def changed(wanted, digests, known):
    """Returns the units whose own sources changed since they were proved and since the base of the run, and some others:
    first those that changed by a header alone, so that a row of the catalogue does not prove the whole core again in
    each run. The same for the same program."""
    base = base_commit()
    touched = set(git("diff", "--name-only", base, "HEAD").split()) if base else None
    same = {u[0] for u in wanted if u[0] in known and known[u[0]].digest == digests[u[0]]}
    own = [u for u in wanted if u[0] not in same and
           (touched is None or (u[1].is_relative_to(ROOT / "src") and str(u[1].relative_to(ROOT)) in touched) or
            (u[0] == "headers" and touched & set(core.headers())))]
    dice = random.Random("".join(digests[u[0]] for u in wanted))
    others = [u for u in dice.sample(wanted, len(wanted)) if u not in own]
    chosen, goals = list(own), 0
    for unit in sorted(others, key=lambda u: u[0] in same):
        if goals + goals_of(unit[0], known) <= SAMPLE:
            chosen.append(unit)
            goals += goals_of(unit[0], known)
    return [u for u in wanted if u in chosen]


def once(name, source, names, includes, provers, steps, *more):
    """Runs WP on the named functions of a source; its words are kept in build/prove."""
    command = [*reading(source, includes), "-wp", "-wp-rte", "-warn-unsigned-overflow", "-wp-prover", provers,
               "-wp-timeout", str(HANGING), "-wp-steps", str(steps), "-wp-par", "2", "-wp-cache", "update",
               "-wp-cache-dir", str(CACHE), "-wp-no-warn-memory-model",
               *more, "-wp-fct", ",".join(names)]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env=dict(os.environ, WHY3CONFIG=str(BUILD / "why3.conf")))
    log = done.stdout + done.stderr
    (BUILD / f"{name}.log").write_text(log)
    return Run(name, log, len(names), own_text(name, source))


def forget_failures():
    """WP's cache keeps what a prover did not prove within its limit, and would not ask again."""
    for path in CACHE.glob("*.json"):
        try:
            if '"valid"' not in path.read_text():
                path.unlink()
        except FileNotFoundError:
            pass


def prove(name, source, names, options):
    """CVC4 proves nearly all in a second, without the contents of tables. Only functions that need more are worth the work of both."""
    run = once(name, source, names, ("src/core",), "cvc4", FIRST, TABLES_UNSAID)
    for provers, steps, tables in (("cvc4", FIRST, ()), ("cvc4,z3", options.steps, (TABLES_UNSAID,)), ("cvc4,z3", options.steps, ())):
        left = [fn for fn in names if any(goal.startswith(fn + "_") for goal in run.failed)]
        if run.error is None and left and steps <= options.steps:
            forget_failures()
            more = once(name, source, left, ("src/core",), provers, steps, *tables)
            run.proved, run.failed, run.error = run.goals - (more.goals - more.proved), more.failed, more.error
    return run


class Smoke:
    """What functions and loops of a file assume: how many can be, and which cannot."""

    def __init__(self, name, source, names, options):
        log = once(f"{name}.smoke", source, names, ("src/core",), "cvc4", options.smoke_steps, "-wp-smoke-tests",
                   "-wp-smoke-timeout", str(HANGING), "-wp-no-smoke-dead-code", "-wp-no-smoke-dead-call", TABLES_UNSAID).log
        self.name, self.functions = name, len(names)
        self.passed = len(re.findall(r"\[Passed\] Smoke-test", log))
        self.failed = re.findall(r"\[Failed\] Smoke-test typed_(\w+)", log)


CONTROL = """/*@ requires a > 3 && a < 2; assigns \\nothing; */
int control(int a) { return a; }
"""


def smoke(options, known):
    """Runs the smoke tests of all units, and says what is wrong."""
    runs, wrong = [], []
    source = BUILD / "control.c"
    source.write_text(CONTROL)
    if Smoke("control", source, ["control"], options).failed != ["control_wp_smoke_default_requires"]:
        wrong.append("what cannot be was not seen")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed(
                [pool.submit(Smoke, *unit, options) for unit in units(options, known)]):
            run = done.result()
            runs.append(run)
            wrong += [f"{run.name}: cannot be: {name}" for name in run.failed]
            if run.passed + len(run.failed) == 0:
                wrong.append(f"{run.name}: no smoke test")
            print(f"  {run.name:20} {run.functions:3} functions  {run.passed:5} smoke tests", flush=True)
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"smoke: {sum(r.passed for r in runs)} assumptions of {sum(r.functions for r in runs)} functions, "
          f"{sum(len(r.failed) for r in runs)} that contradict themselves")
    return 1 if wrong or not runs else 0


def headers():
    """One source that includes every header of the core, and its inline functions."""
    # vectors are not for Frama-C; the others belong to readers and to the search in text, which no check reaches
    files = sorted(p for p in (ROOT / name for name in core.headers())
                   if p.name not in ("masks.h", "escapes.h", "browser_text.h", "compose.h", "text_end.h"))
    source = BUILD / "headers.c"
    source.write_text("".join(f'#include "{p.relative_to(ROOT / "src/core")}"\n' for p in files))
    return source, [f for p in files for f in functions(p)]


def seeded(number):
    """Seeds a bug into a copy; true if WP does not prove the function then."""
    name, old, new, function = SEEDS[number]
    place = BUILD / f"seed{number}"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / "src/core", place)
    file = next(place.rglob(name))
    text = file.read_text()
    if text.count(old) != 1:
        fail(f"the seed for {name} does not fit any more: {old}")
    file.write_text(text.replace(old, new))
    source = file
    if name.endswith(".h"):
        source = place / "seeded.c"
        source.write_text(f'#include "{file.relative_to(place)}"\n')
    run = once(f"seed{number}", source, [function], (place.relative_to(ROOT),), "cvc4", FIRST)
    return run.error is None and run.proved < run.goals


def ready():
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            fail(f"{tool} is missing: install {package} (apt-get install --no-install-recommends "
                 + " ".join(sorted(set(TOOLS.values()))) + ")")
    CACHE.mkdir(parents=True, exist_ok=True)
    subprocess.run(["why3", "config", "detect"], check=True, capture_output=True,
                   env=dict(os.environ, WHY3CONFIG=str(BUILD / "why3.conf")))


def units(options, known):
    """Source, name and functions of what is to be proved."""
    source, inline = headers()
    wanted = [("headers", source, [f for f in inline if f not in known])]
    for path in (ROOT / name for name in core.sources()):
        if path.name not in recorded() and not (options.all and "/*@" in path.read_text()):
            continue
        wanted.append((path.name, path, [f for f in functions(path) if f not in known]))
    if options.files:
        asked = {file_asked_for(name, {u[0] for u in wanted if u[2]}, options.all) for name in options.files}
        wanted = [u for u in wanted if u[0] in asked]
    return [u for u in wanted if u[2]]


def file_asked_for(name, there, every):
    """The unit that a name means: src/core/uri/ip.c, uri/ip.c, ip.c; headers are proved together."""
    if name == "headers":
        return name
    path, = core.chosen([name], core.sources() + core.headers(), "prove", "the core (see FLOORS of the Makefile)")
    unit = "headers" if path.endswith(".h") else path.rsplit("/", 1)[1]
    if unit in there:
        return unit
    if "/*@" not in (ROOT / path).read_text():
        fail(f"{path} has no contract, so nothing of it is proved")
    fail(f"{path} has contracts, but is not in tests/gates/prove/goals.tsv"
         + ("" if every else ": prove.py --all proves it, --all --record records it"))


def goals_of(name, rows):
    return rows[name].goals if name in rows else 0


def judge(run, known, least):
    """What is wrong with a run, in words."""
    wrong = [f"{run.name}: not proved: {goal}" for goal in run.failed]
    wrong += [f"{run.name}: {name} has no contract" for name in run.bare if name not in known]
    if run.error:
        wrong.append(f"{run.name}: {run.error}")
    elif run.proved < run.goals and not run.failed:
        wrong.append(f"{run.name}: {run.goals - run.proved} goals are not proved")
    if run.goals < least:
        wrong.append(f"{run.name}: {run.goals} goals, {least} are recorded")
    return wrong


def record(runs, digests, some):
    """Writes goals.tsv, or the rows of `some` of the files."""
    rows = {}
    if some:
        lines = (HERE / "goals.tsv").read_text().splitlines()
        rows = {line.split("\t")[0]: line for line in lines if not line.startswith("#")}
    rows |= {r.name: f"{r.name}\t{r.functions}\t{r.goals}\t{digests[r.name]}" for r in runs}
    head = ("# file\tfunctions\tgoals that WP must prove at least\tdigest of what was proved; "
            "written by prove.py --record")
    (HERE / "goals.tsv").write_text("\n".join([head, *(rows[name] for name in sorted(rows))]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="files with contracts that are not recorded too")
    parser.add_argument("--changed", action="store_true", help="files that are not what was proved, and a few others")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--steps", type=int, default=LAST, help="steps of a prover for a goal, in the end")
    parser.add_argument("--smoke", action="store_true", help="look for contracts that contradict themselves")
    parser.add_argument("--smoke-steps", type=int, default=SMOKE, help="steps of a prover for a smoke test")
    parser.add_argument("--fresh", action="store_true", help="forget what was proved before")
    parser.add_argument("--record", action="store_true", help="write goals.tsv")
    parser.add_argument("files", nargs="*", help="src/core/uri/ip.c, uri/ip.c, ip.c; headers; all if none")
    options = parser.parse_args()
    if options.fresh:
        shutil.rmtree(CACHE, ignore_errors=True)
    ready()
    forget_failures()
    if options.smoke:
        return smoke(options, trusted())
    known, least, wrong, runs = trusted(), recorded(), [], []
    wanted = units(options, known)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        digests = dict(zip([u[0] for u in wanted], pool.map(digest_of, wanted)))
        left_out = len(wanted)
        if options.changed:
            wanted = changed(wanted, digests, least)
        left_out -= len(wanted)
        seeds = [] if options.files else [pool.submit(seeded, k) for k in range(len(SEEDS))]
        largest = sorted(wanted, key=lambda u: -goals_of(u[0], least))
        for done in concurrent.futures.as_completed(
                [pool.submit(prove, u[0], u[1], u[2], options) for u in largest]):
            run = done.result()
            runs.append(run)
            wrong += judge(run, known, 0 if options.record else goals_of(run.name, least))
            print(f"  {run.name:20} {run.functions:3} functions  {run.proved:5} / {run.goals} goals",
                  flush=True)
            if options.record and not judge(run, known, 0):  # at once: a run may be interrupted
                record([run], digests, True)
    refused = sum(s.result() for s in seeds)
    if refused < len(seeds):
        wrong.append(f"{len(seeds) - refused} seeded bugs were proved to be none")
    missing = [] if options.files else sorted(set(least) - set(digests))
    wrong += [f"{name}: recorded, but there is no such file" for name in missing]
    if options.record:      # what was not proved keeps its row
        good = [r for r in runs if not judge(r, known, 0)]
        record(good, digests, options.files or left_out or wrong)
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"prove: {sum(r.proved for r in runs)} / {sum(r.goals for r in runs)} goals of "
          f"{sum(r.functions for r in runs)} functions in {len(runs)} files, {len(known)} functions "
          f"trusted, {refused} of {len(seeds)} seeded bugs refused"
          + (f"; {left_out} files were left out" if left_out else ""))
    return 1 if wrong or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
