# SPDX-License-Identifier: Apache-2.0
"""Plants the bugs of bugs.jsonl, all in one copy of the sources, builds it, and runs its programs.

A program has all bugs, and URIVET_BUG=NUMBER in its environment switches one on; planted.c says what else its runtime does.
"""
import fcntl
import functools
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TABLE = HERE / "bugs.jsonl"
WORK = ROOT / "build/fuzz/planted"
TREE = WORK / "tree"
MOST = 256  # PLANTED_MOST of planted.h
RUNTIME = "fuzz/lab/bugs/planted.c"
LONGEST = {"policy": 4096, "compiled": 4096, "reports": 9000}
# With URIVET_PLAIN in its environment a harness has the mutators of libFuzzer alone.
PLAIN = (("if (one_in(2) &&", 'if ((getenv("URIVET_PLAIN") != NULL || one_in(2)) &&'),
         ("which = below(COMPONENTS);\n\tif", 'which = below(COMPONENTS);\n\tif (getenv("URIVET_PLAIN") != NULL)\n\t\treturn 0;\n\tif'))
MARK = re.compile(r"@\{(.*?)@@(.*?)\}@", re.DOTALL)


class Unusable(Exception):
    """What is asked for cannot be done; the message says why."""


class Bug:
    """A line of the table, and its number, which is its position: add lines at the end."""

    def __init__(self, number, row):
        self.number, self.row = number, row
        self.name, self.file, self.place = row["id"], row["file"], row["place"]
        self.harnesses = row["harnesses"].split()
        self.right, self.wrong = MARK.search(self.place).groups()

    def before(self):
        return MARK.sub(lambda m: "" if m.group(1).startswith("+0") else m.group(1), self.place)

    def after(self):
        if self.right.startswith("+0"):
            return MARK.sub(lambda m: f" + BUG({self.number}, 0u, {m.group(2)})", self.place)
        return MARK.sub(lambda m: f"BUG({self.number}, ({m.group(1)}), ({m.group(2)}))", self.place)


def read_table():
    bugs = []
    for number, line in enumerate(TABLE.read_text().splitlines()):
        try:
            bugs.append(Bug(number, json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            sys.exit(f"{TABLE}:{number + 1}: no bug: {type(fault).__name__}: {fault}; see README.md beside it")
    return bugs


BUGS = read_table()


# ---- planting


def sources():
    """Returns the sources with all bugs, and messages about places that do not fit. A place must occur
    exactly once."""
    texts, lost = {}, []
    for bug in BUGS:
        text = texts.setdefault(bug.file, (ROOT / bug.file).read_text())
        times = text.count(bug.before())
        if times != 1:
            lost.append(f"bug {bug.name}: its place in {bug.file} stands there {times} times: {bug.before()!r}")
        texts[bug.file] = text.replace(bug.before(), bug.after())
    return texts, lost


def put(path, data):
    """Writes a file if its content has changed, so that make rebuilds nothing else. Returns true if it has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.read_bytes() == data:
        return False
    path.write_bytes(data)
    return True


def plant():
    """Writes the planted sources. Returns a lock on them, for as long as it is referred to."""
    WORK.mkdir(parents=True, exist_ok=True)
    lock = open(WORK / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"waiting for another run of fuzz/bugs.py in {WORK}", file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)
    (WORK / "build.log").unlink(missing_ok=True)
    texts = sources()[0]
    texts["fuzz/mutator.c"] = functools.reduce(lambda text, change: text.replace(*change), PLAIN, (ROOT / "fuzz/mutator.c").read_text())
    wanted = [p for folder in ("src", "include", "fuzz", "tests", "corpus") for p in (ROOT / folder).rglob("*") if p.is_file()]
    wanted += [p for p in ROOT.glob("*") if p.is_file()]
    for path in TREE.rglob("*.[ch]"):
        if not (ROOT / path.relative_to(TREE)).exists() and "build" not in path.relative_to(TREE).parts:
            path.unlink()  # of an earlier version
    for path in wanted:
        name = str(path.relative_to(ROOT))
        if "__pycache__" not in name:
            put(TREE / name, texts[name].encode() if name in texts else path.read_bytes())
    return lock


# The arguments of make for the planted sources. The runtime takes the place of the functions that it wraps in the harnesses.
FLAGS = {"LDLIBS": str(TREE / "planted.o"), "CFLAGS": "-Wno-gnu-auto-type -include fuzz/lab/bugs/planted.h"}
WRAPPED = ["abort", "LLVMFuzzerTestOneInput", *re.findall(r"^OUTPUT\((\w+)", (ROOT / RUNTIME).read_text(), re.MULTILINE)]
WRAPPING = (f"LDFLAGS={','.join(['-Wl,--whole-archive,-zmuldefs', *(f'--wrap={name}' for name in WRAPPED)])}",
            f"LDLIBS=-Wl,--no-whole-archive {TREE}/planted.o")


def make(command):
    log = WORK / "build.log"
    with open(log, "ab") as out:
        if subprocess.run(command, cwd=TREE, stdout=out, stderr=out, env={**os.environ, **FLAGS}, check=False).returncode != 0:
            raise Unusable(f"the planted sources do not build, see {log}")


def build(wanted, variant="release", jobs=os.cpu_count()):
    """Builds targets of the planted sources; of harnesses, with the runtime."""
    make(["clang-19", "-O2", "-std=c11", "-D_DEFAULT_SOURCE", "-fPIC", "-Iinclude", "-c", "-o", "runtime.o", RUNTIME])
    if put(TREE / "planted.o", (TREE / "runtime.o").read_bytes()):
        for program in TREE.glob("build/*/fuzz_*"):
            program.unlink()    # make does not know that they need it
    make(["make", "-s", f"-j{jobs}", f"VARIANT={variant}", *(WRAPPING if variant != "release" else ()), *wanted])


# ---- running harnesses

CANARIES = ("executions", "reached", "triggered", "propagated", "detected", "stopped")
EVERY_BUG, NO_BUG = -2, -1      # instead of a bug in an item of a batch
REACHED, TRIGGERED, PROPAGATED, DETECTED = 1, 2, 4, 8   # the bits of an answer


def read_canaries(path):
    """Returns the canaries by name; a canary is the number of the first execution that did it, or 0."""
    data = path.read_bytes() if path.is_file() else b""
    return dict(zip(CANARIES, struct.unpack("<6Q", data) if len(data) == 48 else [0] * 6, strict=True))


def target(harness, variant="fuzz"):
    return TREE / f"build/{variant}/fuzz_{harness}"


@functools.cache
def seeds(harness):
    """Returns the inputs of the corpus that the harness can read."""
    folders = [ROOT / "corpus/policy", ROOT / "src/examples/policies"] if harness == "policy" else [ROOT / "corpus"]
    files = sorted(p for folder in folders for p in folder.rglob("*") if p.is_file())
    return sorted({p.read_bytes()[:longest(harness)] for p in files}, key=lambda one: (len(one), one))


def longest(harness):
    return LONGEST.get(harness, 600)


def dictionary(harness):
    return ROOT / "fuzz" / ("policy.dict" if harness == "policy" else "uri.dict")


def environment(**more):
    return {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", **{f"URIVET_{key}": str(value) for key, value in more.items()}}


def batch(harness, items):
    """Returns the answers to items (bug, input). One process runs them all, until a sanitizer ends it: another one goes on then."""
    answers = []
    size = MOST if items and items[0][0] == EVERY_BUG else 1
    while len(answers) < len(items):
        left = items[len(answers):]
        with tempfile.TemporaryDirectory(dir=WORK) as kept:
            path = pathlib.Path(kept) / "items"
            path.write_bytes(b"".join(struct.pack("<ii", number, len(data)) + data for number, data in left))
            ended = subprocess.run([str(target(harness)), str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=kept,
                                   env=environment(BATCH=path), check=False).returncode
            out = pathlib.Path(f"{path}.out").read_bytes() if pathlib.Path(f"{path}.out").is_file() else b""
        answers += [out[at:at + size] for at in range(0, len(out) - size + 1, size)]
        if size > 1 and not answers:
            raise Unusable(f"{target(harness)} ends with status {ended} and answers nothing")
        if len(out) < len(left) * size and (ended == 0 or len(out) < size):
            answers.append(bytes(size))     # an item that ended the program without an answer
    return answers if size > 1 else [answer[0] for answer in answers]


@functools.cache
def survey(harness):
    """Returns for each seed of the harness the bits of each bug that it reaches or triggers."""
    return batch(harness, [(EVERY_BUG, data) for data in seeds(harness)])


def triggering(harness, bug):
    """Returns the seeds that trigger a bug, the shortest first."""
    return [data for data, bugs in zip(seeds(harness), survey(harness), strict=True) if bugs[bug] & TRIGGERED]


class Found:
    """What stopped a harness, if anything did, with which input, and the canaries."""

    def __init__(self, harness, way, how=None, data=b"", canaries=()):
        self.harness, self.way, self.how, self.data, self.canaries = harness, way, how, data, canaries

    def __str__(self):
        seen = self.canaries or dict.fromkeys(CANARIES, 0)
        return self.how or "NOT FOUND: " + ("triggered, seen by no oracle" if seen["triggered"] else "reached, not triggered" if seen["reached"] else "not reached")


def run(harness, bug, way, arguments):
    """Runs a harness with a bug."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        kept = pathlib.Path(folder)
        (kept / "inputs").mkdir()
        result = subprocess.run([str(target(harness)), f"-artifact_prefix={kept}/found-", "-timeout=60", *map(str, arguments)],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=kept, check=False,
                                env=environment(CANARIES=kept / "canaries", BUG=bug))
        found = next((path.read_bytes() for path in kept.glob("found-*")), b"")
        canaries = read_canaries(kept / "canaries")
    how = None
    if result.returncode != 0:
        match = re.search(r"oracle broken: (.*)|ERROR: AddressSanitizer: (\S+)|runtime error: (.*)|libFuzzer: (timeout)",
                          result.stdout.decode(errors="replace"))
        how = next(filter(None, match.groups())) if match else f"status {result.returncode}"
    return Found(harness, way, how, found, canaries)


def run_one(harness, bug, data, way):
    """Runs one input in a process of its own."""
    with tempfile.NamedTemporaryFile(dir=WORK) as file:
        file.write(data)
        file.flush()
        found = run(harness, bug, way, [file.name])
    found.data = data
    return found


def replay(harness, bug):
    """Replays the seeds that trigger a bug. Returns what the first one that is detected shows, or None."""
    inputs, at, some = triggering(harness, bug), 0, 1
    while at < len(inputs):     # few at first: a sanitizer ends a process at each
        for data, answer in zip(inputs[at:at + some], batch(harness, [(bug, data) for data in inputs[at:at + some]]), strict=True):
            if answer & DETECTED and (found := run_one(harness, bug, data, "replay")).how:
                return found
        at, some = at + some, 4 * some
    return None


def fuzz(harness, bug, runs, seed):
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        for number, data in enumerate(seeds(harness)):
            (pathlib.Path(folder) / str(number)).write_bytes(data)
        return run(harness, bug, "fuzzing", [f"-runs={runs}", f"-seed={seed}", f"-max_len={longest(harness)}", "-use_counters=0",
                                             f"-dict={dictionary(harness)}", "inputs", folder])


def unit_tests(bug):
    """Runs the unit tests with a bug. Returns true if one fails."""
    tests = subprocess.run([str(TREE / "build/standalone")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=TREE, check=False,
                           env=environment(BUG=bug, SAMPLE=10) | {"STANDALONE_SLOW": "20"})
    return tests.returncode != 0


def search(bug, runs, seed):
    """Returns the result of the first harness that detects the bug, by replay, then the unit tests, then by fuzzing; otherwise that of the last."""
    harnesses = [name for name in bug.harnesses if name != "unit"]
    for harness in harnesses:
        if found := replay(harness, bug.number):
            return found
    if len(harnesses) < len(bug.harnesses) and unit_tests(bug.number):
        return Found("unit", "replay", "a test fails")
    found = Found("", "")
    for harness in harnesses:
        if not found.how:
            found = fuzz(harness, bug.number, runs, seed)
    return found
