#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of tests/steps.ini.

    run.py test                 what `make test` runs: minutes
    run.py check                every step of a developer's machine
    run.py release [--minutes=] all steps, the long runs and the negative controls; goes on where the last one stopped
    run.py status               when each of them was last green, and for which commit
    run.py ci [--minutes=25]    steps and gates until the time is used, those whose inputs changed first
    run.py questions            which question each step alone answers

STEPS="unit cli" (or --steps) runs these steps only, whatever their tier. The log of each step is in build/log (--log). The
closing line counts tests: "N passed, N failed, N skipped". Exits 0 if nothing failed, 1 if something did, 2 on bad usage.

Except for `run.py test`, a step runs in a root (tests/root.py) that holds the packages of its row and those of `make test`, so
that a package which it does not declare is missing. Where roots cannot be made, this is skipped and counted.
"""
import argparse
import collections
import configparser
import difflib
import fcntl
import fnmatch
import functools
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOG = pathlib.Path("build/log")  # below the root, which is the current folder
GREENS = pathlib.Path(".ci/greens.tsv")  # kept with the sources, so that slices may run on several machines; no step reads it
TABLE = ROOT / "tests/steps.ini"
TIERS = ("test", "check", "gate", "release")
# the tiers of steps that each command runs
COMMANDS = {"test": ("test",), "check": ("test", "check"), "ci": ("check", "gate"), "release": TIERS}
DEPS = ("sh", "tests/deps.sh")  # installs packages
KEYS = {"question", "tier", "seconds", "inputs", "packages", "optional", "make", "run", "group", "alone", "limit", "root", "resumes"}
CORES = os.cpu_count() or 1
SKIPPED = 77        # exit status of a step that cannot run here
NEWEST = 50         # commits that count as new
CHANGED_SHARE = 0.6  # of a CI run's time, for steps whose inputs changed; the rest is drawn from all


class Step(NamedTuple):
    """One row of the table."""
    name: str
    question: str       # the question that only this step answers
    tier: str           # the first tier that runs it
    seconds: int        # usual duration on two idle cores
    limit: int          # seconds after which it is stopped as hanging
    inputs: list[str]   # files and folders below the root whose change makes it run first
    packages: list[str]  # Debian packages, NAME or NAME>=VERSION
    optional: list[str]  # ... without which it runs, and skips what needs them
    make: list[str]     # calls of make before it: variables and targets
    run: str            # a script for sh
    group: str          # steps of one group write the same files and never run at the same time
    alone: bool         # runs while no other step does
    root: bool          # runs where only what it declares is installed
    resumes: bool       # goes on where it was stopped


class Result(NamedTuple):
    """What one step did."""
    status: str         # pass, FAIL or skip
    wall: float
    cpu: float
    counts: tuple[int, int, int]  # tests passed, failed, skipped
    skips: list[str]    # reasons


def usage(text):
    print(f"run.py: {text}", file=sys.stderr)
    sys.exit(2)


def read_table(path=TABLE):
    """Returns the steps by name, in the order of the table; ends the program on a mistake in it."""
    table = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",), default_section="")
    table.read_string(path.read_text("utf-8"), str(path))
    steps = {}
    for name in table.sections():
        row = table[name]
        for key in sorted(set(row) - KEYS):
            usage(f"{path.name}: [{name}] has an unknown key '{key}'{did_you_mean(key, KEYS)}")
        for key in ("question", "tier", "seconds", "inputs", "run"):
            if not row.get(key):
                usage(f"{path.name}: [{name}] lacks '{key}'")
        if row["tier"] not in TIERS:
            usage(f"{path.name}: [{name}] has an unknown tier '{row['tier']}': there are {', '.join(TIERS)}")
        seconds = int(row["seconds"])
        steps[name] = Step(name, row["question"], row["tier"], seconds, int(row.get("limit", max(1200, 10 * seconds))),
                           row["inputs"].split(), row.get("packages", "").split(), row.get("optional", "").split(),
                           [line for line in row.get("make", "").splitlines() if line], row["run"], row.get("group", name),
                           row.get("alone", "no") == "yes", row.get("root", "yes") == "yes", row.get("resumes", "no") == "yes")
    return steps


def did_you_mean(word, known):
    near = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean '{near[0]}'?" if near else ""


# ---- what changed, and the order of a CI run

def git(*arguments):
    if shutil.which("git") is None:
        return ""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def base_commit():
    """Returns the commit to compare with: BASE, or the newest that is older than the newest 50; '' if there is none, or no git."""
    if not git("rev-parse", "HEAD"):
        return ""
    named = os.environ.get("BASE", "")
    if named and not git("rev-parse", "--verify", "-q", named + "^{commit}"):
        usage(f"BASE={named} is no commit")
    return named or git("rev-list", f"--skip={NEWEST}", "--max-count=1", "HEAD").strip()


def matches(path, inputs):
    """Returns true if the path is one of the inputs, lies below one, or fits a pattern."""
    return any(path == i or path.startswith(i.rstrip("/") + "/") or fnmatch.fnmatchcase(path, i) for i in inputs)


@functools.lru_cache(maxsize=None)
def how_many(inputs, paths):
    """Returns how many of the paths are inputs."""
    return sum(matches(path, inputs) for path in paths)


def order(steps, files, changed, commit):
    """Returns two lists: steps whose inputs changed, those with the fewest input files first; and all steps drawn by
    the commit's hash."""
    breadth = {step.name: how_many(tuple(step.inputs), tuple(files)) for step in steps}
    first = [step for step in steps if how_many(tuple(step.inputs), tuple(changed))]
    first.sort(key=lambda step: (breadth[step.name], step.name))
    drawn = sorted(steps, key=lambda step: hashlib.sha256(f"{commit} {step.name}".encode()).digest())
    return first, drawn


def choose(first, drawn, cost, budget):
    """Returns what fits into the budget, in the order in which it starts, and why: 'changed' or 'drawn'.

    Steps whose inputs changed come first, within their share of the budget, so that the rest of it reaches every step
    sooner or later, whatever changes."""
    chosen, left = {}, budget
    for reason, steps, floor in (("changed", first, budget * (1 - CHANGED_SHARE)), ("drawn", drawn, 0)):
        for step in steps:
            if step.name not in chosen and left - cost(step) >= floor:
                chosen[step.name] = reason
                left -= cost(step)
    return chosen


# ---- what is here

def versions(names):
    """Returns the versions of those of the Debian packages that are installed, by name."""
    done = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${db:Status-Status} ${Version}\\n", *sorted({"dpkg", *names})],
                          capture_output=True, text=True, check=False)
    return {line.split()[0]: line.split()[2] for line in done.stdout.splitlines() if line.split()[1:2] == ["installed"]}


def missing_packages(packages):
    """Returns those of the Debian packages that are not installed, or too old; none where there is no dpkg. A program on
    the PATH with the name of a package counts as one: npm may come with another nodejs."""
    if shutil.which("dpkg-query") is None:
        return []
    installed = versions(package.split(">=")[0] for package in packages)
    lacking = set()
    for package in packages:
        name, _, least = package.partition(">=")
        if name not in installed and shutil.which(name) is None or name in installed and least and subprocess.run(
                ["dpkg", "--compare-versions", installed[name], "ge", least], check=False).returncode != 0:
            lacking.add(name)
    return sorted(lacking)


def packages_of(steps, tiers):
    return sorted({package for step in steps.values() if step.tier in tiers for package in step.packages + step.optional})


def why_no_roots():
    """Returns why no roots can be made here; an empty string if they can."""
    tried = subprocess.run(["/usr/bin/python3", "-B", "tests/root.py", "--", "true"], cwd=ROOT, capture_output=True, text=True, check=False)
    return (tried.stdout + tried.stderr).strip() or "they cannot be made" if tried.returncode != 0 else ""


def root_of(packages):
    """Returns the beginning of a command that runs it where only these packages are installed. Returns none if a program from
    elsewhere stands for one of them."""
    names = {package.split(">=")[0] for package in packages}
    for name in names - versions(names).keys():
        done = subprocess.run(["dpkg-query", "-S", os.path.realpath(shutil.which(name) or name)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return []
        names = names - {name} | {done.stdout.split(":")[0]}
    return ["/usr/bin/python3", "-B", "tests/root.py", *sorted(names), "--"]


# ---- running

NEEDS = re.compile(r"(?:(?P<count>\d+) tests?: )?needs (?P<packages>[a-z0-9][a-z0-9.+-]+(?: [a-z0-9][a-z0-9.+-]+)*)$")
COUNTS = (
    re.compile(r"^(?:\S+: )?(?P<passed>\d+) passed, (?P<failed>\d+) failed(?:, (?P<skipped>\d+) skipped)?\.?$", re.M),
    re.compile(r"^\[====\] Synthesis: Tested: (?P<all>\d+) \| Passing: (?P<passed>\d+) \| Failing: (?P<failed>\d+)", re.M),
    re.compile(r"^standalone: (?P<all>\d+) tests, \d+ assertions, (?P<failed>\d+) failed$", re.M),
)


def count_tests(text, status):
    """Returns how many tests passed, failed and were skipped by what the step printed; a step that counts nothing is one
    test."""
    passed = failed = skipped = 0
    for pattern in COUNTS:
        for match in pattern.finditer(text):
            found = {key: int(value or 0) for key, value in match.groupdict().items()}
            failed += found.get("failed", 0)
            skipped += found.get("skipped", 0)
            passed += found.get("passed", found.get("all", 0) - found.get("failed", 0) - found.get("skipped", 0))
    if status == "skip":
        return 0, 0, 1
    if status == "FAIL":
        return passed, max(failed, 1), skipped
    return (passed, 0, skipped) if passed else (1, 0, skipped)


def script_of(step):
    """Returns the script of a step: first it builds, and only one step at a time builds in one tree."""
    builds = []
    for call in step.make:
        words = call.split()
        tree = "-".join(["tree", *(word for word in words if "=" in word)]).replace("/", "-")
        builds.append(f'flock "$log/{tree}" $make -s -j{CORES} {call} || {{ echo "make {call} failed"; exit 1; }}\n')
    return "".join(builds) + step.run


class Runner:
    """Runs steps side by side and prints a line for each that ended."""

    def __init__(self, may_install, base, environment, keep=lambda step, result: None):
        self.may_install = may_install
        self.keep = keep        # is called with each result
        self.base = base        # packages in every root; None: there are no roots
        self.environment = environment
        self.results = {}
        self.running = []
        self.installing = threading.Lock()
        self.changed = threading.Condition()
        self.started = time.monotonic()
        self.end = float("inf")  # of a slice: steps that resume are stopped then

    def shell(self, command, step):
        """Runs a command in a new session; returns its exit status and CPU seconds. Status -1: it was stopped
        at the limit, SKIPPED: at the end of a slice."""
        limit, stopped, why = step.limit, -1, f"run.py: '{step.name}' did not end within {step.limit} s and was stopped"
        if step.resumes and self.end - time.monotonic() < limit:
            limit, stopped, why = self.end - time.monotonic(), SKIPPED, "skipped: the slice ends; the next one goes on"
        with open(LOG / step.name, "ab") as log:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT,
                                     env={**self.environment, "STEP": step.name}, start_new_session=True)
            hanging = threading.Event()

            def stop():
                hanging.set()
                os.killpg(child.pid, signal.SIGKILL)
            timer = threading.Timer(limit, stop)
            timer.start()
            _, status, used = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            if hanging.is_set():
                log.write(f"\n{why}\n".encode())
        return stopped if hanging.is_set() else child.returncode, used.ru_utime + used.ru_stime

    def perform(self, step):
        begun = time.monotonic()
        declared = step.packages + step.optional
        absent = missing_packages(declared)
        if absent and self.may_install:
            with self.installing, open(LOG / "apt", "ab") as log:
                done = subprocess.run([*DEPS, *absent], stdout=log, stderr=log, check=False)
            absent = missing_packages(declared)
            if absent and done.returncode != 0:
                (LOG / step.name).write_text(f"apt-get could not install: {' '.join(absent)}, see {LOG}/apt\n")
                return Result("FAIL", time.monotonic() - begun, 0, (0, 1, 0), [])
        needed = {package.split(">=")[0] for package in (declared if self.may_install else step.packages)}
        lacking = [name for name in absent if name in needed]
        if lacking:
            (LOG / step.name).write_bytes(b"")
            return Result("skip", 0, 0, (0, 0, 1), ["needs " + " ".join(lacking)])
        here = [package for package in declared if package.split(">=")[0] not in absent]
        root = root_of(self.base + here) if self.base is not None and step.root else []
        used = versions(package.split(">=")[0] for package in here)
        (LOG / step.name).write_text("".join(f"with {name} {used[name]}\n" for name in sorted(used) if name != "dpkg"))
        code, spent = self.shell([*root, "sh", "-euc", script_of(step)], step)
        text = (LOG / step.name).read_text("utf-8", "replace")
        if code == 2 and re.search(rf"^make: .* Error {SKIPPED}$", text, re.M):  # a recipe that skips
            code = SKIPPED
        status = {0: "pass", SKIPPED: "skip"}.get(code, "FAIL")
        skips = [line.removeprefix("skipped: ") for line in text.splitlines() if line.startswith("skipped: ")]
        return Result(status, time.monotonic() - begun, spent, count_tests(text, status), skips)

    def work(self, step):
        try:
            result = self.perform(step)
        except OSError as error:
            (LOG / step.name).write_text(f"run.py: {error}\n")
            result = Result("FAIL", 0, 0, (0, 1, 0), [])
        with self.changed:
            self.running.remove(step)
            self.results[step.name] = result
            self.show(step, result)
            self.keep(step, result)
            self.changed.notify_all()

    def show(self, step, result):
        text = (LOG / step.name).read_text("utf-8", "replace").rstrip()
        last = result.skips[-1] if result.status == "skip" and result.skips else text.split("\n")[-1]
        print(f"{result.status:4} {step.name:18} {result.wall:5.0f} s  {result.cpu:5.0f} s CPU  {last[:100]}", flush=True)
        if result.status == "FAIL":
            print("\n".join(f"    {line}" for line in text.split("\n")[-40:]), flush=True)

    def run(self, steps, may_start=lambda step: True):
        """Runs the steps in this order, as many at once as there are cores; leaves out those that may not start."""
        waiting = list(steps)
        while True:
            with self.changed:
                step = None
                while waiting and step is None:
                    busy = {other.group for other in self.running}
                    full = len(self.running) >= CORES or any(other.alone for other in self.running)
                    ready = [s for s in waiting if not full and s.group not in busy and not (s.alone and self.running)]
                    if waiting[0].alone and self.running:
                        ready = []
                    if ready:
                        step = ready[0]
                        waiting.remove(step)
                    else:
                        self.changed.wait()
                if step is None:
                    while self.running:
                        self.changed.wait()
                    return
                if not may_start(step):
                    continue
                self.running.append(step)
            threading.Thread(target=self.work, args=(step,), daemon=True).start()

    def close(self):
        """Prints what was skipped and the closing line; returns the exit status."""
        missing = collections.Counter()
        for name, result in self.results.items():
            for reason in result.skips:
                print(f"skipped: {name}: {reason}")
                if found := NEEDS.match(reason):
                    missing[found["packages"]] += int(found["count"] or 1)
        if missing:
            print("missing: " + ", ".join(f"{packages} ({count})" for packages, count in missing.most_common()))
            print("to run these tests: apt-get install " + " ".join(sorted(set(" ".join(missing).split()))))
        passed, failed, skipped = (sum(result.counts[k] for result in self.results.values()) for k in range(3))
        failing = [name for name, result in self.results.items() if result.status == "FAIL"]
        if failing:
            print(f"failed: {' '.join(failing)}; logs are in {LOG}")
        print(f"{len(self.results)} steps in {time.monotonic() - self.started:.0f} s, "
              f"{sum(result.cpu for result in self.results.values()):.0f} s of CPU")
        print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
        return 1 if failing else 0


def lock_tree():
    """Returns the open lock of this tree; ends the program if another run holds it."""
    LOG.mkdir(parents=True, exist_ok=True)
    lock = open(LOG / "lock", "a+", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        usage(f"another run uses this tree: {lock.read().strip()}; wait for it or stop it")
    lock.truncate(0)
    lock.write(f"run.py {' '.join(sys.argv[1:])}, process {os.getpid()}\n")
    lock.flush()
    return lock


def run_ci(runner, steps, budget):
    """Runs what fits into so many seconds of wall clock, and prints what was run and what was not."""
    head = git("rev-parse", "HEAD").strip() or "none"
    base = base_commit()
    files = git("ls-files").splitlines()
    changed = git("diff", "--name-only", base, "HEAD").splitlines() if base else files
    # a machine that is slow at `make test` is slow at every step
    try:
        slow = max(1.0, float((LOG / "slowness").read_text()))
    except (OSError, ValueError):
        slow = 1.0
    first, drawn = order(list(steps.values()), files, changed, head)
    chosen = choose(first, drawn, lambda step: step.seconds * slow / (1 if step.alone else CORES), budget)
    print(f"ci: {len(changed)} files changed since {base[:12] or 'the beginning'}, {budget:.0f} s left, "
          f"this machine takes {slow:.1f} times as long as on record", flush=True)
    end = time.monotonic() + budget
    runner.run(sorted((steps[name] for name in chosen), key=lambda step: step.alone),
               lambda step: step.name in runner.results or time.monotonic() + step.seconds * slow / 2 <= end)
    for name, step in steps.items():
        result = runner.results.get(name)
        what = f"{result.status}, {result.wall:.0f} s" if result else "not run"
        print(f"  {name:18} {chosen.get(name, '-') if result else '-':8} {what}")


# ---- a release

def read_greens():
    """Returns for each step that was ever green in a release check the commit and the time."""
    rows = [line.split("\t") for line in GREENS.read_text("ascii").splitlines()] if GREENS.exists() else []
    return {row[0]: (row[1], row[2]) for row in rows if len(row) == 3}


def write_green(step, result):
    """Keeps that the step is green for this commit, if it is and nothing that it reads differs from it."""
    commit = git("rev-parse", "HEAD").strip()
    if result.status == "pass" and is_current(step, commit):
        greens = {**read_greens(), step.name: (commit, time.strftime("%Y-%m-%d %H:%M"))}
        GREENS.parent.mkdir(exist_ok=True)
        GREENS.write_text("".join("\t".join((name, *green)) + "\n" for name, green in sorted(greens.items())), "ascii")


def is_current(step, commit):
    """Returns true if no input of the step has changed since this commit, committed or not."""
    changed = (git("diff", "--name-only", commit) + git("ls-files", "--others", "--exclude-standard")).splitlines()
    return git("rev-parse", "-q", "--verify", commit + "^{commit}") != "" and not how_many(tuple(step.inputs), tuple(changed))


def not_green(steps, greens):
    """Returns the steps that are not green for this tree, and prints how many are."""
    left = [step for step in steps.values() if step.name not in greens or not is_current(step, greens[step.name][0])]
    print(f"{len(steps) - len(left)} of {len(steps)} steps are green for this tree", flush=True)
    return left


def print_status(steps):
    """Prints when each step was last green. Returns 1 if one is not, for this tree."""
    greens = read_greens()
    left = not_green(steps, greens)
    for step in steps.values():
        commit, when = greens.get(step.name, ("", "never"))
        state = "green" if step not in left else "changed since" if commit else "to run"
        print(f"{step.name:22} {step.seconds:6} s  {state:13}  {when:16}  {commit[:12]}".rstrip())
    return 1 if left else 0


def run_release(runner, steps, minutes):
    """Runs what is not green for this tree, for so many minutes; None: to the end."""
    greens = read_greens()
    left = sorted(not_green(steps, greens), key=lambda step: (step.alone, step.name in greens, step.seconds))
    runner.end = float("inf") if minutes is None else time.monotonic() + minutes * 60
    runner.run(left, lambda step: time.monotonic() < runner.end)


def main():
    parser = argparse.ArgumentParser(description="Run the steps of tests/steps.ini.")
    parser.add_argument("command", choices=[*COMMANDS, "questions", "status"])
    parser.add_argument("--steps", default=os.environ.get("STEPS", ""), help="run these steps only")
    parser.add_argument("--log", default="build/log", help="folder of the logs; a run locks it")
    parser.add_argument("--minutes", type=float, help="time of a CI run (25, or CI_MINUTES) or of a release check (no limit)")
    options = parser.parse_args()
    global LOG  # pylint: disable=global-statement
    LOG = pathlib.Path(options.log)
    os.chdir(ROOT)
    steps = read_table()
    if options.minutes is not None and (options.steps or options.command not in ("ci", "release")):
        usage("--minutes is for run.py ci and run.py release, without STEPS")
    if options.command == "questions":
        for step in steps.values():
            print(f"{step.name:18} {step.tier:8} {step.seconds:5} s  {step.question}")
        return 0
    if options.command == "status":
        return print_status(steps)

    lock = lock_tree()
    names = options.steps.split()
    for name in names:
        if name not in steps:
            usage(f"no step '{name}'{did_you_mean(name, steps)}; run.py questions lists all")
    chosen = {name: step for name, step in steps.items() if (name in names if names else step.tier in COMMANDS[options.command])}
    environment = {**os.environ, "make": os.environ.get("MAKE", "make"), "python": os.environ.get("PYTHON", "/usr/bin/python3"),
                   "log": str(LOG), "cores": str(CORES), "tier": options.command, "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "STEPS", "MAKE"):
        environment.pop(name, None)
    base, reason = None, "" if options.command == "test" else why_no_roots()
    if options.command != "test" and not reason:
        wanted = packages_of(steps, ("test",))
        base = [package for package in wanted if package not in missing_packages(wanted)]
        environment.pop("TMPDIR", None)
    runner = Runner(options.command == "ci", base, environment, write_green if options.command == "release" else lambda *_: None)
    if reason:
        runner.results["roots"] = Result("skip", 0, 0, (0, 0, 1), [reason.removeprefix("skipped: ")])
    if options.command == "ci" and not names:
        left = 60 * (float(os.environ.get("CI_MINUTES", "25")) if options.minutes is None else options.minutes)
        if "CI_STARTED" in os.environ:
            left -= time.time() - float(os.environ["CI_STARTED"])
        run_ci(runner, chosen, left)
    elif options.command == "release" and not names:
        run_release(runner, chosen, options.minutes)
    else:
        runner.run(sorted(chosen.values(), key=lambda step: (step.alone, -step.seconds)))
        if options.command == "test" and not names:
            expected = sum(step.seconds for step in chosen.values()) / CORES
            (LOG / "slowness").write_text(f"{(time.monotonic() - runner.started) / expected:.2f}\n")
    status = runner.close()
    lock.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
