#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the parts of corpus/ that follow from the catalogue, or checks that they do.

    corpus.py --write|--check URIVET

findings/<id>/{fires,misses}[.POLICY]  the examples of each row, one a file
verdicts.tsv                           what urivet and each of its readers make of the corpus
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "corpus"
sys.path.insert(0, str(ROOT.parent / "tests"))
import core  # noqa: E402 pylint: disable=wrong-import-position

READERS = [reader.name for reader in core.readers()]
POLICIES = ["strict", "public", "any", "gateway"]
# What a line of the table can hold: a whole URI, not a request target or a pair.
SINGLE = {"", ".any", ".raised", ".listed", ".urls", ".suffix", ".readings"}


def run(urivet, *arguments, data=b""):
    return subprocess.run([urivet, *arguments], input=data, stdout=subprocess.PIPE,
                          check=False).stdout


def unescape(text):
    """Decodes the \\xHH in which the command shows octets."""
    return re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("latin-1"))


def examples(urivet):
    """Returns the id, policy, firing input and near miss of each row."""
    for line in run(urivet, "findings", "--format=tsv").decode().splitlines():
        ident = line.split("\t")[0]
        shown = run(urivet, "findings", "--format=human", "--colour=never", ident)
        fields = {}
        for field in shown.decode("latin-1").splitlines():
            match = re.match(r"  (judged by|fires on|not on) +(.*)", field)
            if match:
                fields[match[1]] = match[2]
        yield (ident, fields["judged by"], core.expand(unescape(fields["fires on"])),
               core.expand(unescape(fields["not on"])))


def finding_files(urivet):
    files = {}
    for ident, policy, fires, misses in examples(urivet):
        suffix = "" if policy == "strict" else "." + policy
        files[f"findings/{ident}/fires{suffix}"] = fires
        files[f"findings/{ident}/misses{suffix}"] = misses
    return files


def escaped(octets):
    return "".join(chr(c) if 0x21 <= c <= 0x7e and c != 0x5c else f"\\x{c:02X}" for c in octets)


def inputs(files):
    """Returns the inputs of the table, each once, ordered by name."""
    found = {}
    for folder in ("uri", "regress"):
        for path in sorted((ROOT / folder).iterdir()):
            found.setdefault(path.read_bytes(), f"{folder}/{path.name}")
    for name, data in sorted(files.items()):
        if re.sub(r"^[^.]*", "", name.rsplit("/", 1)[1]) in SINGLE:
            found.setdefault(data, name)
    return [data for data in found if len(data) <= 1024]


def rows(urivet, data, *arguments):
    lines = run(urivet, *arguments, "--format=tsv", "-0", data=data).decode().splitlines()
    return [line.split("\t") for line in lines]


def table(urivet, files):
    """Returns the table, one line an input: see corpus/README.md."""
    chosen = inputs(files)
    data = b"".join(entry + b"\0" for entry in chosen if b"\0" not in entry)
    chosen = [entry for entry in chosen if b"\0" not in entry]
    verdicts = [rows(urivet, data, "check", "--policy=" + policy) for policy in POLICIES]
    readings = [rows(urivet, data, "parse", "--reader=" + reader) for reader in READERS]
    lines = ["\t".join(["input", *POLICIES, "findings", *READERS])]
    for k, entry in enumerate(chosen):
        cells = [escaped(entry), *(v[k][0] for v in verdicts), verdicts[0][k][1]]
        for reading in readings:
            row = reading[k]
            cells.append(" ".join(row[2:10]) if row[0] == "accept" else "-")
        lines.append("\t".join(cells))
    return ("\n".join(lines) + "\n").encode()


def stale(files):
    """Returns the names of files that differ from what they should be, or should not exist."""
    for name, data in files.items():
        path = ROOT / name
        if not path.is_file() or path.read_bytes() != data:
            yield name
    for path in (ROOT / "findings").rglob("*"):
        if path.is_file() and str(path.relative_to(ROOT)) not in files:
            yield str(path.relative_to(ROOT)) + " (no such row)"


def write(files):
    for path in sorted((ROOT / "findings").rglob("*"), reverse=True):
        if path.is_file():
            path.unlink()
        else:
            path.rmdir()
    for name, data in files.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_bytes(data)


def stray():
    """Reports files that a fuzzer has written into the corpus. Fuzzers write into the first folder given
    to them."""
    for path in ROOT.iterdir():
        if path.is_file() and path.name not in ("README.md", "sample.txt", "verdicts.tsv"):
            yield path.name


def too_large():
    """Reports files beyond the limits: 8 KiB each (except for URLs that are too long), 8 MiB for all."""
    total = 0
    for path in ROOT.rglob("*"):
        if path.is_file():
            total += path.stat().st_size
            if path.stat().st_size > 8192 and path.name != "verdicts.tsv" and \
                    path.parent.name != "url-too-long":
                yield str(path)
    if total > 8 << 20:
        yield f"the whole has {total} octets"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true")
    choice.add_argument("--check", action="store_true")
    parser.add_argument("urivet")
    options = parser.parse_args()
    urivet = str(pathlib.Path(options.urivet).resolve())
    files = finding_files(urivet)
    files["verdicts.tsv"] = table(urivet, files)
    if options.write:
        write(files)
    wrong = list(stale(files)) + list(stray()) + list(too_large())
    for name in wrong:
        print(f"corpus/{name} is not what `make corpus` writes, does not belong there, or is too large")
    print(f"corpus: {len(files) - 1} examples, {files['verdicts.tsv'].count(10) - 1} inputs "
          f"in verdicts.tsv, {len(wrong)} problems")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
