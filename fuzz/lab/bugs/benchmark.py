# SPDX-License-Identifier: Apache-2.0
"""The benchmark of bugs in meaning, and its inputs: README.md of this folder. Called by fuzz/bugs.py."""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import statistics
import string
import subprocess
import sys
import tempfile
import threading
import time

import planting
from minimal import minimised
from planting import Unusable

HERE = pathlib.Path(__file__).resolve().parent
WORK = planting.WORK / "trials"
KEPT = planting.WORK / "trials.jsonl"
STALL = 60      # seconds without an execution
SHOWN = ("reached", "triggered", "propagated", "detected")
SMOKE = ("first-at-sign", "port-wraps", "query-before-fragment", "decoded-twice", "dot-segment-makes-authority", "case-of-a-scheme",
         "base-without-path", "redirect-end-by-syntax", "waived-host-has-an-endpoint", "single-dot-goes-down")
# Without the search for leaks, which runs some inputs again: how often, depends on what threads have freed by then.
LIBFUZZER = "{target} -runs={runs} -seed={seed} -max_len={longest} -use_counters=0 -reload=0 -detect_leaks=0 -timeout=60 -artifact_prefix={out}/found- {out} {seeds}"
# {target} reads the files and folders in its arguments, {afl} is the program for AFL++.
FUZZERS = {
    "libfuzzer": LIBFUZZER.replace("{target}", "{target} -dict={dictionary}"),
    "libfuzzer-plain": "env URIVET_PLAIN=1 " + LIBFUZZER,
    "afl": "env -u ASAN_OPTIONS AFL_NO_UI=1 AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 "
           "afl-fuzz -s {seed} -V {time} -i {seeds} -o {out} -x {dictionary} -- {afl}",
    "random": f"{shlex.quote(sys.executable)} -B {shlex.quote(str(HERE / 'random_inputs.py'))} {{target}} {{dictionary}} {{out}} {{seed}} {{runs}} {{longest}}",
    "replay": "{target} -runs=0 -detect_leaks=0 -seed={seed} {corpus}",
    "triggers": "{target} {trigger}",
    "empty": "true",
}
STEADY = [name for name in FUZZERS if name != "afl"]    # a seed repeats their results


def add_options(parser):
    group = parser.add_argument_group("--bench: the benchmark of fuzzers; --inputs writes the minimal inputs")
    group.add_argument("--fuzzer", action="append", default=[], help=f"NAME, or NAME=COMMAND with {{target}} ...; the names: {', '.join(FUZZERS)}")
    group.add_argument("--mode", action="append", default=[], help="search, oracle or alone; default: all")
    group.add_argument("--time", type=int, default=600, help="seconds for a trial")
    group.add_argument("--trials", type=int, default=1)
    group.add_argument("--within", type=int, help="seconds after which no trial begins; rows that earlier calls finished are used, if nothing has changed")
    group.add_argument("--smoke", action="store_true", help=f"{len(SMOKE)} bugs, 5,000 executions, fuzzers that a seed repeats")


# ---- Minimal inputs


def stale(chosen):
    """Returns messages about lines that lack what write_inputs() adds, or were written for another harness."""
    return [f"{planting.TABLE.name}: the line of {bug.name} is incomplete or old: python3 fuzz/bugs.py --inputs --only={bug.name}" for bug in chosen
            if not {"class", "cwe", "trigger", "origin", "input", "tier", "oracle"} <= set(bug.row) or bug.row.get("harness") not in (*bug.harnesses, "unit", "")]


def write_inputs(chosen, options):
    """Completes the lines of the chosen bugs: each with an input as short and plain as it gets while the bug is detected by it."""
    def one(bug):
        return planting.search(bug, options.runs, options.seed)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = dict(zip(chosen, pool.map(one, chosen), strict=True))
    fuzzed = [bug for bug in chosen if found[bug].how and found[bug].harness != "unit"]

    def holds(items):
        answers = [0] * len(items)
        for harness in {found[bug].harness for bug in fuzzed}:
            of_it = [at for at, (number, _) in enumerate(items) if found[fuzzed[number]].harness == harness]
            for at, answer in zip(of_it, planting.batch(harness, [(fuzzed[items[at][0]].number, items[at][1]) for at in of_it]), strict=True):
                answers[at] = answer
        return [answer & planting.DETECTED != 0 for answer in answers]
    for bug, data in zip(fuzzed, minimised([found[bug].data for bug in fuzzed], holds), strict=True):
        shorter = planting.run_one(found[bug].harness, bug.number, data, found[bug].way)
        found[bug] = shorter if shorter.how else found[bug]
    for bug in chosen:
        it = found[bug]
        bug.row |= {"tier": {"replay": "seed", "fuzzing": "search"}.get(it.way, "open") if it.harness != "unit" else "unit",
                    "harness": it.harness, "oracle": it.how or "", "input": it.data.decode("latin-1")}
        print(f"{bug.name:32} {it.harness:12} {len(it.data):5} octets  {it}", flush=True)
    planting.TABLE.write_text("".join(json.dumps(bug.row, ensure_ascii=True) + "\n" for bug in planting.BUGS))
    return 0


# ---- Trials


class Failed(Exception):
    """A fuzzer that cannot be scored."""


class Case:
    """A bug, its harness and its minimal input, with seeds that do not trigger it."""

    def __init__(self, bug):
        self.bug, self.harness, self.data = bug, bug.row["harness"], bug.row["input"].encode("latin-1")
        self.folder = WORK / bug.name

    def prepare(self):
        (self.folder / "seeds").mkdir(parents=True)
        (self.folder / "corpus").mkdir()
        (self.folder / "trigger").write_bytes(self.data)
        triggers = set(planting.triggering(self.harness, self.bug.number))
        for number, data in enumerate(planting.seeds(self.harness)):
            name = self.folder / "corpus" / f"{number:05}"
            name.write_bytes(data)
            if data not in triggers and data:
                os.link(name, self.folder / "seeds" / name.name)


PLACES = ("target", "afl", "seeds", "out", "corpus", "trigger", "dictionary", "seed", "runs", "time", "longest")


def words_of(name, template):
    """Returns the words of a command; one that cannot be run is an error."""
    try:
        words = shlex.split(template)
        used = {field for word in words for _, field, _, _ in string.Formatter().parse(word) if field is not None}
    except ValueError as fault:
        raise Unusable(f"fuzzer {name}: {fault}; a brace is written {{{{ or }}}}") from fault
    if unknown := used - set(PLACES):
        raise Unusable(f"fuzzer {name}: no placeholder {{{min(unknown)}}}: there are {', '.join('{' + place + '}' for place in PLACES)}")
    if not words or ("{" not in words[0] and shutil.which(words[0]) is None):
        raise Unusable(f"fuzzer {name}: no program {words[0] if words else ''!r}")
    return [os.path.abspath(words[0]) if "/" in words[0] and "{" not in words[0] else words[0], *words[1:]]


def command_of(words, case, out, trial, options):
    places = (planting.target(case.harness), planting.target(case.harness, "afl"), case.folder / "seeds", out, case.folder / "corpus",
              case.folder / "trigger", planting.dictionary(case.harness), options.seed + trial, options.runs, options.time,
              planting.longest(case.harness))
    return [*steady_addresses(), *(word.format(**dict(zip(PLACES, places, strict=True))) for word in words)]


@functools.cache
def steady_addresses():
    """Returns the words that switch random addresses off: vector code has branches that depend on them, and so has what libFuzzer keeps."""
    if shutil.which("setarch") and subprocess.run(["setarch", "-R", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return ["setarch", "-R"]
    print("addresses are random here: a seed may not repeat a table", file=sys.stderr)
    return []


def seconds_of(process, flags):
    """Returns the seconds of the processor that a fuzzer and the processes it waited for have used, or None while it runs."""
    pid, status, usage = os.wait4(process.pid, flags)
    if pid == 0:
        return None
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def end_all(mark):
    """Ends every process that has these octets in its environment: also those that left the group of a fuzzer, as those of AFL++ do."""
    while True:
        left = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes():
                    os.kill(int(folder.name), signal.SIGKILL)
                    left.append(folder)
            except OSError:
                pass    # it has ended, or is not ours
        if not left:
            return
        time.sleep(0.01)


def watch(process, canaries, options):
    """Waits until the bug stops a program, the executions or the time are used, or the fuzzer ends; ends it. Returns its status, None if
    it did not end itself, its seconds, and whether the time ended it."""
    began = moved = time.monotonic()
    executions, seconds, late = 0, None, False
    try:
        while (seconds := seconds_of(process, os.WNOHANG)) is None:
            now, seen = time.monotonic(), planting.read_canaries(canaries)
            late = now - began > options.time
            if seen["stopped"] or seen["executions"] > options.runs or late:
                break
            if seen["executions"] != executions:
                moved, executions = now, seen["executions"]
            if now - moved > options.stall:
                raise Failed(f"hangs: no execution in {options.stall} s after {executions}")
            time.sleep(0.02)
        status = process.returncode
    finally:
        if seconds is None:
            os.killpg(process.pid, signal.SIGKILL)
        end_all(f"URIVET_CANARIES={canaries}\0".encode())
        if seconds is None:
            seconds = seconds_of(process, 0)
    return status, seconds, late


def trial_of(name, words, mode, case, trial, options):
    """Runs a fuzzer on a case. Returns the canaries."""
    with tempfile.TemporaryDirectory(dir=case.folder) as folder:
        out, canaries, log = pathlib.Path(folder) / "out", pathlib.Path(folder) / "canaries", case.folder / f"{name}-{mode}-{trial}.log"
        out.mkdir()
        given = planting.environment(BUG=case.bug.number, CANARIES=canaries, MOST=options.runs, **{"STOP": "triggered"} if mode == "search" else {})
        with open(log, "wb") as stream:
            try:
                process = subprocess.Popen(command_of(words, case, out, trial, options), stdin=subprocess.DEVNULL, stdout=stream,
                                           stderr=stream, cwd=out, env=given, start_new_session=True)
            except OSError as fault:
                raise Failed(f"does not start: {fault}") from fault
            status, seconds, late = watch(process, canaries, options)
        seen = planting.read_canaries(canaries)
    if status and not seen["stopped"]:
        raise Failed(f"ends with status {status}, see {log}")
    if seen["detected"] and not seen["triggered"]:
        raise Failed(f"an oracle stops at what the bug has no part in, see {log}")
    return {**{key: min(value, options.runs) for key, value in seen.items()}, "seconds": round(seconds, 2), "late": late and not seen["stopped"]}


def alone(case):
    """Runs the minimal input with the bug and without. Returns canaries."""
    answer, = planting.batch(case.harness, [(case.bug.number, case.data)])
    without, = planting.batch(case.harness, [(planting.NO_BUG, case.data)])
    if without & planting.DETECTED:
        raise Failed("a false alarm: an oracle stops without the bug")
    return {key: int(answer & bit != 0) for key, bit in zip(SHOWN, (1, 2, 4, 8), strict=True)} | {"executions": 1}


# ---- The table


def median(numbers):
    """Returns the median, with a mark if more than half of the trials did not come so far."""
    came = sorted(number or float("inf") for number in numbers)
    middle = statistics.median_low(came) if came else float("inf")
    return "-" if middle == float("inf") else str(int(middle))


@functools.cache
def digest_of(harness):
    """Returns a digest of the program of a harness and of what fuzzers are given for it."""
    parts = [planting.target(harness).read_bytes(), planting.dictionary(harness).read_bytes(), *planting.seeds(harness)]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def key_of(name, words, mode, case, trial, options):
    """Returns what a row is repeated by: a row with another program, command, input, seed or limit is another one."""
    program = hashlib.sha256(json.dumps([digest_of(case.harness), words, case.data.decode("latin-1")]).encode())
    return {"mode": mode, "fuzzer": name, "id": case.bug.name, "trial": trial, "seed": options.seed + trial, "runs": options.runs, "time": options.time,
            "of": program.hexdigest()[:16]}


def finished_rows():
    """Returns the results of the rows that are kept, by their keys. The last line of a call that was ended may be cut off."""
    found = {}
    for line in KEPT.read_text().splitlines() if KEPT.is_file() else []:
        try:
            row = json.loads(line)
            found[json.dumps(row["key"])] = row["result"]
        except (ValueError, KeyError, TypeError):
            continue
    return found


def line_of(mode, name, results, failed):
    total = len(results) + failed
    shares = [sum(result[key] > 0 for result in results) for key in SHOWN]
    rate = f"{100 * shares[SHOWN.index('triggered' if mode == 'search' else 'detected')] / total:.0f} %" if not failed else "failed"
    late, executions = sum(result.get("late", False) for result in results), median([result["executions"] for result in results])
    return f"{mode:7} {name:16} {total:6} {late:5} {executions:>10} " + " ".join(f"{share:10}" for share in shares) + \
        f" {median([result['triggered'] for result in results]):>11} {median([result['detected'] for result in results]):>10} {rate:>7}"


def chosen_fuzzers(options):
    fuzzers = {}
    names = [part for said in options.fuzzer for part in ([said] if "=" in said else said.split(","))]
    for said in names or (STEADY if options.smoke else FUZZERS):
        name, is_command, template = said.partition("=")
        if not re.fullmatch(r"[\w.+-]+", name) or (not is_command and name not in FUZZERS):
            raise Unusable(f"no fuzzer {said!r}: NAME=COMMAND, or one of {', '.join(FUZZERS)}")
        fuzzers[name] = words_of(name, template if is_command else FUZZERS[name])
    return fuzzers


def rows_of(mode, fuzzers, cases, options, pool):
    """Starts the trials of a mode, the first one of each fuzzer and bug before the second ones. Returns each with its future result, which is
    None if it did not begin in time."""
    kept = finished_rows() if options.within is not None else {}
    lock = threading.Lock()

    def one(name, case, trial):
        key = key_of(name, fuzzers[name], mode, case, trial, options)
        if found := kept.get(json.dumps(key)):
            return found
        if options.within is not None and time.monotonic() - options.began > options.within:
            return None
        result = alone(case) if mode == "alone" else trial_of(name, fuzzers[name], mode, case, trial, options)
        with lock, open(KEPT, "a") as stream:
            print(json.dumps({"key": key, "result": result}), file=stream)
        return result
    jobs = [(name, case, trial) for trial in range(1 if mode == "alone" else options.trials) for name in fuzzers for case in cases]
    return [(job, pool.submit(one, *job)) for job in jobs]


def main(chosen, options):
    modes = options.mode or ["search", "oracle", "alone"]
    if unknown := set(modes) - {"search", "oracle", "alone"}:
        raise Unusable(f"no mode {min(unknown)!r}: search, oracle or alone")
    if min(options.runs, options.time, options.trials, options.jobs) < 1:
        raise Unusable("--runs, --time, --trials and --jobs are numbers above 0")
    fuzzers = chosen_fuzzers(options)
    options.stall = min(STALL, options.time - 0.5)
    if options.smoke:
        options.runs = min(options.runs, 5000)
    if lost := stale(chosen):
        raise Unusable("\n".join(lost))
    cases = [Case(bug) for bug in chosen if bug.row["harness"] not in ("", "unit")]
    if len(cases) < len(chosen):
        print(f"{len(chosen) - len(cases)} of {len(chosen)} bugs are left out: no harness detects them", file=sys.stderr)
    if not cases:
        raise Unusable("no bug of these has an input for a harness")
    with_afl = any("{afl}" in word for words in fuzzers.values() for word in words)
    if with_afl and (shutil.which("afl-fuzz") is None or shutil.which("afl-clang-lto") is None):
        raise Unusable("nothing was run: AFL++ is in the Debian packages afl++ clang-14 lld-14 llvm-14; --fuzzer=libfuzzer runs without it")
    wanted = f"HARNESS={' '.join(sorted({case.harness for case in cases}))}"
    lock = planting.plant()  # noqa: F841
    planting.build(["harnesses", wanted], "fuzz", options.jobs)
    if with_afl:
        planting.build(["harnesses", wanted], "afl", options.jobs)
    shutil.rmtree(WORK, ignore_errors=True)
    for case in cases:
        case.prepare()
    failures, options.began = 0, time.monotonic()
    print(f"{'mode':7} {'fuzzer':16} {'trials':>6} {'late':>5} {'executions':>10} " + " ".join(f"{key:>10}" for key in SHOWN) + "  to trigger  to detect   score")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mode in modes:
            of_mode = {"oracles": []} if mode == "alone" else fuzzers
            trials = rows_of(mode, of_mode, cases, options, pool)
            for name in of_mode:
                results, messages = {case.bug.name: [] for case in cases}, []
                for (fuzzer, case, _), one in trials:
                    try:
                        if fuzzer == name and one.result() is not None:
                            results[case.bug.name].append(one.result())
                    except Failed as fault:
                        messages.append(f"{name}, {mode}, bug {case.bug.name}: {fault}")
                print(line_of(mode, name, sum(results.values(), []), len(messages)), flush=True)
                if options.trials > 1 and mode != "alone":
                    print("".join(f"{line_of('', '', of_bug, 0)}  {bug}\n" for bug, of_bug in results.items()), end="", flush=True)
                print("\n".join(messages[:3]), end="\n" if messages else "", file=sys.stderr, flush=True)
                failures += len(messages)
            if left := sum(one.exception() is None and one.result() is None for _, one in trials):
                print(f"{left} of {len(trials)} trials did not begin", file=sys.stderr, flush=True)
    if failures:
        print(f"{failures} trials failed and are in no score", file=sys.stderr)
    return 2 if failures else 0
