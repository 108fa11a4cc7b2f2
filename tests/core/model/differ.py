#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the command with the model over generated records and the lines of files.

    python3 tests/core/model/differ.py --urivet build/urivet --count 200000 --seed 1 --policy strict [FILE...]
    python3 tests/core/model/differ.py --urivet build/urivet --count 60000 --seed 1 --policy gateway --requests [FILE...]

For each record the verdicts have to agree, the columns of the components and the effective port too, and of a
refused record every finding the model is sure of has to be reported.  With --requests the records are requests
(METHOD SP HOST SP TARGET), each chunk of them for another listener; filter has to copy those that are accepted.
Differences are printed by kind.
Exit status: 0 no difference, 1 differences, 2 nothing could be compared.
"""
from __future__ import annotations

import argparse
import json
import multiprocessing
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from gate import NOTES, Judgement, judge
from gateway import judge_record, judge_url
from generate import generate, generate_requests

CHUNK = 5000            # records given to one run of the command
EXAMPLES = 5
MOST_FINDINGS = 32      # as many ids are kept by the command; more are only counted
TIME_LIMIT = 120        # seconds for one chunk
# What the listener of a chunk is said to be.
LISTENERS = ((None, None), ("http", None), ("https", 8443), ("https", None), ("http", 8080), (None, 8443),
             ("http", 443))
FIELDS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


@dataclass(frozen=True)
class Job:
    """A stretch of generated records, or some lines of files."""
    urivet: str
    policy: str
    requests: bool
    seed: str = ""
    count: int = 0
    records: tuple[bytes, ...] = ()
    listener: tuple[str | None, int | None] = (None, None)

    def inputs(self) -> list[bytes]:
        if self.records:
            return list(self.records)
        if self.requests:
            return list(generate_requests(self.count, self.seed, self.policy, *self.listener))
        return list(generate(self.count, self.seed, self.policy))

    def judge(self, record: bytes) -> Judgement:
        if self.requests:
            scheme, port = self.listener
            return judge_record(record, scheme.encode() if scheme else None, port, self.policy)
        return judge_url(record) if self.policy == "gateway" else judge(record, self.policy)

    def options(self) -> list[str]:
        scheme, port = self.listener
        told = ["--target-records"] if self.requests else []
        told += [f"--scheme={scheme}"] if scheme else []
        told += [f"--port={port}"] if port else []
        return ["-0", f"--policy={self.policy}", *told]


@dataclass
class Result:
    compared: int = 0
    accepted: int = 0
    undecided: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    examples: dict[str, dict[str, str]] = field(default_factory=dict)     # by kind and variety

    def note(self, kind: str, example: str, variety: str = "") -> None:
        """Counts a difference; of each variety of its kind one example is kept."""
        self.kinds[kind] += 1
        kept = self.examples.setdefault(kind, {})
        if len(kept) < EXAMPLES:
            kept.setdefault(variety or example, example)

    def add(self, other: Result) -> None:
        self.compared += other.compared
        self.accepted += other.accepted
        self.undecided += other.undecided
        self.kinds += other.kinds
        for kind, examples in other.examples.items():
            kept = self.examples.setdefault(kind, {})
            for variety, example in examples.items():
                if len(kept) < EXAMPLES:
                    kept.setdefault(variety, example)


def escaped(data: bytes | None) -> str:
    r"""A TSV column: \N for what is absent, \xHH for a backslash and all that is not visible ASCII."""
    if data is None:
        return "\\N"
    return "".join(chr(b) if 0x21 <= b <= 0x7E and b != 0x5C else f"\\x{b:02X}" for b in data)


def expected_columns(judgement: Judgement) -> list[str]:
    """Returns columns 3 to 10."""
    if judgement.components is None:
        return ["\\N"] * 8
    port = judgement.effective_port
    return [escaped(getattr(judgement.components, name)) for name in FIELDS] + ["\\N" if port is None else str(port)]


def compare_spans(job: Job, differing: list[tuple[bytes, Judgement]], result: Result) -> None:
    """host-header-mismatch lies on a part of the target that differs."""
    done = subprocess.run([job.urivet, "check", *job.options(), "--format=json"], capture_output=True, check=False,
                          input=b"".join(data + b"\0" for data, _ in differing), timeout=TIME_LIMIT)
    for (data, model), line in zip(differing, done.stdout.splitlines()):
        target = data.split(b" ", 2)[2]
        for finding in json.loads(line)["findings"]:
            if finding["id"] == "host-header-mismatch":
                lies = target[finding["offset"]:finding["offset"] + finding["length"]]
                if (finding["component"], lies) not in model.differs:
                    result.note("span: host-header-mismatch", f"{escaped(data)}   {finding['component']} {lies!r}")


def compare_notes(told: str, found: set[str], due: frozenset[str], result: Result) -> None:
    for name in sorted(due - found):
        result.note(f"note missing: {name}", f"{told}   urivet says {','.join(sorted(found)) or '-'}")
    for name in sorted(found & NOTES - due):
        result.note(f"note not due: {name}", told)


def compare(data: bytes, model: Judgement, line: str, job: Job, result: Result) -> str:
    """Notes every difference of one record; returns the verdict that was read."""
    result.compared += 1
    result.accepted += model.accept and model.decided
    result.undecided += not model.decided
    told = escaped(data) if not job.requests else " ".join(map(escaped, data.split(b" ", 2))) + (
        "" if job.listener == (None, None) else f"   {' '.join(job.options()[3:])}")
    columns = line.split("\t")
    if len(columns) != 10 or columns[0] not in ("accept", "reject"):
        result.note("contract: not ten columns after a verdict", f"{told}   line {escaped(line.encode('latin-1'))}")
        return ""
    verdict, names = columns[:2]
    found = [] if names == "-" else names.split(",")
    wanted = "accept" if model.accept else "reject"
    if verdict != wanted and model.decided:
        rules = [rule for rule in model.rules if rule not in ("ABNF", "RFC 3986")] or list(model.rules)
        cause = "" if not rules else f" ({rules[0]})" if len(rules) == 1 else " (several rules)"
        result.note(f"verdict: model {wanted}{cause}, urivet {verdict}",
                    f"{told}   model breaks {'+'.join(model.rules) or '-'}, urivet says {names}",
                    f"{model.rules} {names}")
    if len(set(found)) != len(found):
        result.note("contract: a finding named twice", f"{told}   {names}")
    if verdict == "reject" and not found:
        result.note("contract: refused without a finding", told)
    if verdict == "reject" and len(found) < MOST_FINDINGS:
        for name in sorted(model.refusing - set(found)):
            result.note(f"finding missing: {name}", f"{told}   urivet says {names}")
        for choice in model.one_of:
            if not choice & set(found):
                result.note(f"finding missing: one of {', '.join(sorted(choice))}", f"{told}   urivet says {names}")
    if verdict == "accept" and model.accept and model.decided and model.notes is not None:
        compare_notes(told, set(found), model.notes, result)
    expected = expected_columns(model)
    if job.requests and model.effective_port is None:
        columns[9] = expected[7]            # of the listener, if that is known
    if model.shown and columns[2:] != expected:
        parses = {True: "parses", False: "does not parse"}
        if (model.components is None) != (columns[2:] == ["\\N"] * 8):
            by_model = model.components is not None
            kind = f"components: model {parses[by_model]}, urivet {parses[not by_model]}"
            result.note(kind, f"{told}   model {expected}, urivet {columns[2:]}")
        else:
            for name, ours, theirs in zip((*FIELDS, "effective port"), expected, columns[2:]):
                if ours != theirs:
                    result.note(f"components: {name}", f"{told}   model {ours}, urivet {theirs}")
    return verdict


def run(job: Job) -> Result:
    result = Result()
    records = job.inputs()
    with tempfile.NamedTemporaryFile(prefix="urivet-model-") as file:
        file.write(b"".join(record + b"\0" for record in records))
        file.flush()
        command = [job.urivet, "check", *job.options(), "--format=tsv", f"--input={file.name}"]
        copy = [job.urivet, "filter", *job.options(), f"--input={file.name}"]
        copied = None
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIME_LIMIT, check=False)
            if job.requests:
                copied = subprocess.run(copy, capture_output=True, timeout=TIME_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            result.note("run: out of time", f"seed {job.seed or '-'}, {len(records)} records")
            return result
    where = f"seed {job.seed or '-'}, status {done.returncode}, {done.stderr[-300:].decode('utf-8', 'replace')!r}"
    if done.returncode not in (0, 1):
        result.note("run: failed", where)
    if done.stderr and done.returncode in (0, 1):
        result.note("run: something on standard error", where)
    text = done.stdout.decode("latin-1")
    lines = text.split("\n")
    if lines.pop() != "":
        result.note("contract: last line without a line feed", where)
    if len(lines) != len(records):
        result.note("contract: number of lines", f"{where}: {len(records)} records, {len(lines)} lines")
        return result
    models = [job.judge(data) for data in records]
    verdicts = [compare(data, model, line, job, result) for data, model, line in zip(records, models, lines)]
    if done.returncode in (0, 1) and done.returncode != int("reject" in verdicts):
        result.note("contract: exit status against the verdicts", where)
    if job.requests:
        compare_spans(job, [(data, model) for data, model in zip(records, models) if model.differs], result)
    taken = b"".join(data + b"\0" for data, verdict in zip(records, verdicts) if verdict == "accept")
    if copied is not None and (copied.stdout, copied.returncode) != (taken, done.returncode):
        result.note("contract: filter copies other records than check accepts", where)
    return result


def jobs_of_files(args: argparse.Namespace) -> tuple[list[Job], int]:
    """Lines of files; one that holds a NUL cannot be sent as a record."""
    lines: list[bytes] = []
    for name in args.files:
        data = Path(name).read_bytes()
        lines += data.removesuffix(b"\n").split(b"\n") if data else []
    sound = [line for line in lines if b"\0" not in line]
    parts = (tuple(sound[i:i + CHUNK]) for i in range(0, len(sound), CHUNK))
    jobs = [Job(args.urivet, args.policy, args.requests, records=part, listener=listener) for part in parts
            for listener in (LISTENERS if args.requests else LISTENERS[:1])]
    return jobs, len(lines) - len(sound)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare urivet with the model of its grammar.")
    parser.add_argument("--urivet", required=True, help="the command to test")
    parser.add_argument("--count", type=int, default=200000, help="records to generate")
    parser.add_argument("--seed", default="1", help="names the records; the same seed gives the same ones")
    parser.add_argument("--policy", choices=("strict", "any", "public", "gateway"), default="strict")
    parser.add_argument("--requests", action="store_true", help="records of requests instead of URLs")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("files", nargs="*", metavar="FILE", help="more inputs, one a line")
    args = parser.parse_args()
    if args.policy in (("any",) if args.requests else ("public",)):
        parser.error(f"no model of the policy {args.policy} here")
    try:
        jobs, skipped = jobs_of_files(args)
        subprocess.run([args.urivet, "--version"], capture_output=True, check=False)
    except OSError as error:
        print(f"differ: {error}", file=sys.stderr)
        return 2
    for start in range(0, args.count, CHUNK):
        count = min(CHUNK, args.count - start)
        listener = LISTENERS[start // CHUNK % len(LISTENERS)] if args.requests else LISTENERS[0]
        jobs.append(Job(args.urivet, args.policy, args.requests, seed=f"{args.seed}/{start}", count=count,
                        listener=listener))
    total = Result()
    with multiprocessing.Pool(args.workers) as pool:
        for result in pool.imap(run, jobs):
            total.add(result)
    for kind, count in total.kinds.most_common():
        print(f"{kind}: {count}")
        for example in total.examples[kind].values():
            print(f"    {example if len(example) <= 600 else example[:300] + ' [...] ' + example[-300:]}")
    if skipped:
        print(f"model: {skipped} lines with a NUL left out")
    if total.compared:
        share = 100 * total.accepted / total.compared
        print(f"model: {share:.1f} % accepted by the model, {total.undecided} verdicts undecided")
    differences = total.kinds.total()
    print(f"model: {total.compared} compared, {differences} differences")
    if differences:
        return 1
    return 0 if total.compared else 2


if __name__ == "__main__":
    sys.exit(main())
