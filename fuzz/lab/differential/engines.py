# SPDX-License-Identifier: Apache-2.0
"""A campaign: libFuzzer or AFL++ over all parsers, restarted when a parser ends the process."""
from __future__ import annotations

import math
import os
import shutil
import struct
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import parsers
import zoo
from inputs import corpus_files

OUT = parsers.BUILD / "differential" / "found"
MOST_STOPS = 3          # a parser that stops the process this often is left out
STOPPING = ("crash", "hang")
NEEDS = {"libfuzzer": ("clang-19", "clang-19 libclang-rt-19-dev"),
         "afl": ("afl-clang-lto", "afl++ clang-14 lld-14 llvm-14")}
COUNTS = ("executions", "apart", "accepted", "accepted_apart", "given_up", "kept")     # order as in harness.c


class Campaign:
    """A campaign. It ends after a number of seconds, or of inputs for each process (0: no limit)."""

    def __init__(self, here: Sequence[parsers.Parser], engine: str, seconds: int, jobs: int, out: Path = OUT,
                 runs: int = 0) -> None:
        self.engine, self.seconds, self.jobs, self.runs = engine, seconds, jobs, runs
        self.took = 0.0
        self.parsers = list(here)
        self.out = out
        self.left_out: list[str] = []
        self.harness = parsers.BUILD / ("differential" if engine == "libfuzzer" else "afl") / "differential"

    # ---- before and after

    def build(self) -> None:
        program, packages = NEEDS[self.engine]
        if shutil.which(program) is None:
            raise RuntimeError(f"nothing was fuzzed: {program} is missing; it is in the Debian packages {packages}")
        variant = "differential" if self.engine == "libfuzzer" else "afl"
        parsers.make(f"VARIANT={variant}", os.path.relpath(self.harness, zoo.ROOT))
        if self.engine == "afl":
            parsers.make("VARIANT=fuzz", "build/fuzz/libmutator.so")

    def prepare(self) -> None:
        shutil.rmtree(self.out, ignore_errors=True)
        (self.out / "seeds").mkdir(parents=True)
        (self.out / "work").mkdir()
        seeds = dict.fromkeys(r for r in corpus_files() if r and b"\0" not in r and len(r) <= parsers.LONGEST)
        for number, record in enumerate(seeds):
            (self.out / "seeds" / f"{number:05}").write_bytes(record)

    def records(self) -> list[bytes]:
        path = self.out / "found"
        data = path.read_bytes() if path.exists() else b""
        return list(dict.fromkeys(data.split(b"\0")[:-1]))

    def numbers(self) -> dict[str, int]:
        """Returns the counts of all processes so far; empty before the first one has begun."""
        path, size = self.out / "shared", 8 * len(COUNTS)
        data = path.read_bytes()[:size] if path.exists() else b""
        return dict(zip(COUNTS, struct.unpack(f"{len(COUNTS)}Q", data.ljust(size, b"\0"))))

    def counts(self) -> str:
        said = self.numbers()
        return (f"{said['executions']} executions in {self.took:.0f} s, {said['apart']} read apart, {said['given_up']} given "
                f"up, {said['accepted']} accepted, {said['kept']} partitions")

    # ---- the run

    def command(self, job: int, seconds: int) -> list[str]:
        seeds, work = str(self.out / "seeds"), str(self.out / "work")
        if self.engine == "libfuzzer":
            return [str(self.harness), f"-max_total_time={seconds}", f"-max_len={parsers.LONGEST}", "-use_counters=0",
                    "-dict=fuzz/uri.dict", "-handle_segv=0", "-handle_abrt=0", "-timeout=0", "-reload=5",
                    f"-runs={self.runs or -1}", f"-seed={seed() + job}", "-print_final_stats=1", f"-artifact_prefix={work}/", work, seeds]
        role = ("-M", "main") if job == 0 else ("-S", f"job{job}")
        runs = ("-E", str(self.runs)) if self.runs else ()
        return ["afl-fuzz", "-V", str(seconds), *runs, *role, "-t", "20000+", "-i", seeds, "-o", work, "-x", "fuzz/uri.dict",
                "--", str(self.harness)]

    def environment(self) -> dict[str, str]:
        mine = parsers.settings([parser.path for parser in self.parsers], self.out)
        mine.update(AFL_NO_UI="1", AFL_QUIET="1", AFL_SKIP_CPUFREQ="1", AFL_TRY_AFFINITY="1", AFL_AUTORESUME="1",
                    AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1", AFL_IGNORE_PROBLEMS="1",
                    AFL_CUSTOM_MUTATOR_LIBRARY=str(parsers.BUILD / "fuzz" / "libmutator.so"))
        return mine

    def start(self, job: int, seconds: int) -> subprocess.Popen[bytes]:
        with (self.out / f"log-{job}").open("ab") as log:
            return subprocess.Popen(self.command(job, max(seconds, 1)), cwd=zoo.ROOT, env=self.environment(), stdout=log,
                                    stderr=log)

    def run(self) -> None:
        self.build()
        self.prepare()
        start = time.monotonic()
        end = start + self.seconds
        running = {job: self.start(job, self.seconds) for job in range(self.jobs)}
        try:
            while running:
                time.sleep(0.2)
                self.look_after(running, end)
        finally:
            for process in running.values():
                process.terminate()
                process.wait()
            self.took = time.monotonic() - start

    def look_after(self, running: dict[int, subprocess.Popen[bytes]], end: float) -> None:
        """Restarts processes that a parser ended, without the parsers that did so too often."""
        leaving = self.stops_too_often()
        for job, process in list(running.items()):
            if leaving and process.poll() is None:
                process.terminate()
                process.wait()
            status = process.poll()
            if status is None:
                continue
            del running[job]
            left = math.ceil(end - time.monotonic())
            if status == 0 and not leaving:
                continue
            if status not in (0, parsers.STOPPED) and not leaving:
                raise RuntimeError(f"{self.engine}: status {status}, see {os.path.relpath(self.out, zoo.ROOT)}/log-{job}")
            if left > 0:
                running[job] = self.start(job, left)

    def stops_too_often(self) -> bool:
        path = self.out / "incidents.tsv"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        stops = Counter(line.split("\t")[1] for line in lines if line.startswith(STOPPING))
        leaving = [parser for parser in self.parsers if stops[parser.name] >= MOST_STOPS]
        self.left_out += [parser.name for parser in leaving]
        self.parsers = [parser for parser in self.parsers if parser not in leaving]
        if leaving and not self.parsers:
            raise RuntimeError("no parser is left: " + ", ".join(self.left_out))
        return bool(leaving)


def seed() -> int:
    """Returns the seed from SEED=N, which makes a process repeatable."""
    return int(os.environ.get("SEED") or time.time_ns() % 1_000_000)
