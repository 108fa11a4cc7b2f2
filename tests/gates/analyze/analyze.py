#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Five static analyses of the core, the command and the example; no finding may be left.

    analyze.py

Findings that are wrong stand in accepted.tsv with the reason; a line there that meets nothing
fails too, unless its analysis follows paths as far as its budget goes: what that sees changes with
the code around. seeded.c is the control: every tool must report the bugs that are marked for it.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ACCEPTED = HERE / "accepted.tsv"
SEEDED = HERE / "seeded.c"

NEEDS = {"gcc": "gcc", "clang-14": "clang-14", "clang-19": "clang-19", "clang-tidy-19": "clang-tidy-19",
         "pkg-config": "pkg-config"}
OPTIONAL = {"gumbo": "libgumbo-dev", "md4c": "libmd4c-dev", "libevent": "libevent-dev", "yaml-0.1": "libyaml-dev",
            "gmime-3.0": "libgmime-3.0-dev", "fribidi": "libfribidi-dev", "libcurl": "libcurl4-openssl-dev"}

# What gcc knows beyond the warnings of the build; but second declarations, which carry contracts
# for the prover beside a header that is kept free of them.
GCC = """-O2 -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wnull-dereference -Wdouble-promotion
    -Walloca -Walloc-zero -Warray-bounds=2 -Wstringop-overflow=4 -Wcast-align=strict -Wunused-macros
    -Wnested-externs -Wmissing-declarations -Wdate-time -Wtrampolines
    -Wbad-function-cast -Wformat-signedness -Wformat-overflow=2 -Wold-style-definition -Wswitch-default
    -Warith-conversion -Wstrict-overflow=2 -Wunused-const-variable=2 -Wshift-overflow=2""".split()

# Everything that clang knows, but for what speaks of other languages or of taste:
# older C; padding of structures; a switch with a default that does not name every constant;
# declarations among statements; the macros of libcurl; pointer arithmetic as such, which in C
# is everywhere.
EVERYTHING = """-Weverything -Wno-pre-c11-compat -Wno-padded -Wno-switch-enum
    -Wno-declaration-after-statement -Wno-disabled-macro-expansion""".split()
EVERYTHING_19 = EVERYTHING + ["-Wno-unsafe-buffer-usage"]

# DeprecatedOrUnsafeBufferHandling asks for memcpy_s, which the C library does not have.
CHECKERS = ("core,deadcode,nullability,optin.core,optin.portability,security,unix,alpha.core.CastSize,"
            "alpha.core.IdenticalExpr,alpha.security.ArrayBoundV2,alpha.security.ReturnPtrRange")
UNSAFE = "security.insecureAPI.DeprecatedOrUnsafeBufferHandling"


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


def tools_are_here():
    missing = [package for tool, package in NEEDS.items() if shutil.which(tool) is None]
    missing += [package for library, package in OPTIONAL.items()
                if subprocess.run(["pkg-config", "--exists", library], check=False).returncode != 0]
    if missing:
        fail("analyze needs these Debian packages: " + " ".join(missing))


def build_warnings():
    text = (ROOT / "Makefile").read_text()
    match = re.search(r"^WARN := ((?:.*\\\n)*.*)", text, re.M)
    return match[1].replace("\\\n", " ").split()


def flags_of(path):
    flags = ["-std=c11", *(f"-I{ROOT / folder}" for folder in ("include", "src/core", "src"))]
    if {"cli", "common", "examples", "gateway", "policyfile"} & set(path.relative_to(ROOT).parts):
        libraries = subprocess.run(["pkg-config", "--cflags", *OPTIONAL], stdout=subprocess.PIPE, check=True)
        flags += ["-D_POSIX_C_SOURCE=200809L", "-D_FILE_OFFSET_BITS=64", "-pthread", "-DHAVE_GUMBO",
                  "-DHAVE_LIBYAML", "-DHAVE_LIBEVENT", "-DHAVE_GMIME", "-DHAVE_FRIBIDI",
                  *libraries.stdout.decode().replace("-I/", "-isystem/").split()]
    if path.parent.name == "extension":
        python = subprocess.run(["/usr/bin/python3", "-c", "import sysconfig; print(sysconfig.get_path('include'))"],
                                stdout=subprocess.PIPE, check=True)
        # CPython's tables of functions and slots are written in no other way
        flags += ["-isystem", python.stdout.decode().strip(), "-Wno-unknown-warning-option", "-Wno-cast-function-type", "-Wno-cast-function-type-strict",
                  "-Wno-pedantic", "-Wno-discarded-qualifiers", "-Wno-incompatible-pointer-types-discards-qualifiers"]
    return flags + (["-D_DEFAULT_SOURCE"] if path.parent.name == "serve" or path.name == "moment.c" else [])


def commands():
    """Yields each analysis: its name, and the arguments before a file's flags and after them."""
    warn = build_warnings()
    return {
        "gcc": (["gcc", "-c", "-o", "/dev/null", *warn, *GCC], []),
        "gcc -fanalyzer": (["gcc", "-c", "-o", "/dev/null", "-O1", "-fanalyzer"], []),
        "clang-14": (["clang-14", "-fsyntax-only", *warn, *EVERYTHING], []),
        "clang-19": (["clang-19", "-fsyntax-only", *warn, *EVERYTHING_19], []),
        "clang-19 --analyze": (["clang-19", "--analyze", "-Xclang", "-analyzer-output=text", "-Xclang",
                                "-analyzer-checker=" + CHECKERS, "-Xclang",
                                "-analyzer-disable-checker=" + UNSAFE, "-Xclang", "-analyzer-config",
                                "-Xclang", "max-nodes=75000"], []),
        "clang-tidy-19": (["clang-tidy-19", "--quiet"], ["--"]),
    }


Finding = collections.namedtuple("Finding", "tool path line check text")
WARNING = re.compile(r"^([^\s:]+):(\d+):\d+: (?:warning|error|fatal error): (.*?)(?: \[([^\[\]]+)\])?$")


def analyse(tool, command, path):
    before, after = command
    if after:
        arguments = [*before, str(path), *after, *flags_of(path)]
    else:
        arguments = [*before, *flags_of(path), str(path)]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          cwd=ROOT, env={**os.environ, "LC_ALL": "C"})
    found = set()
    for line in done.stdout.decode(errors="replace").splitlines():
        match = WARNING.match(line)
        if match:
            where = pathlib.Path(match[1])
            where = where if where.is_absolute() else ROOT / where
            check = (match[4] or "none").split(",")[0]
            found.add(Finding(tool, where.resolve(), int(match[2]), check, match[3]))
    if done.returncode != 0 and not found:
        fail(f"{tool} failed on {path}:\n{done.stdout.decode(errors='replace')}")
    return found


def analyse_all(paths):
    tools = commands()
    jobs = [(tool, command, path) for path in paths for tool, command in tools.items()]
    found = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for some in pool.map(lambda job: analyse(*job), jobs):
            found |= some
    return found


def follows_paths(check):
    return check.startswith(("-Wanalyzer", "alpha.", "core.", "optin.", "unix."))


def source_line(finding):
    try:
        return finding.path.read_text(errors="replace").splitlines()[finding.line - 1]
    except (OSError, IndexError):
        return ""


def accepted():
    rows = []
    for line in ACCEPTED.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        path, check, fragment, reason = line.split("\t")
        if not reason:
            fail(f"no reason: {line}")
        rows.append((path, check, fragment))
    return rows


def without_accepted(found):
    """Returns the remaining findings, the number of accepted ones, and the rows that matched no finding."""
    rows = accepted()
    used, left = set(), []
    for finding in sorted(found):
        for row in rows:
            if finding.path == ROOT / row[0] and finding.check == row[1] and row[2] in source_line(finding):
                used.add(row)
                break
        else:
            left.append(finding)
    return left, len(found) - len(left), [row for row in rows if row not in used and not follows_paths(row[1])]


def marks():
    """Returns (tool, line) of each bug of seeded.c, from its /* tool; tool */ marks."""
    for number, line in enumerate(SEEDED.read_text().splitlines(), 1):
        match = re.search(r"/\* found by: (.*?) \*/", line)
        if match:
            for tool in match[1].split(", "):
                yield tool, number


def control():
    """Checks that the seeded bugs are found in the same way as those of the core."""
    left, _, _ = without_accepted(analyse_all([SEEDED]))
    got = {(finding.tool, finding.line) for finding in left}
    want = set(marks())
    if {tool for tool, _ in want} != set(commands()):
        fail("control: a tool has no bug in seeded.c to find")
    for tool, line in sorted(want - got):
        print(f"control: {tool} does not see the bug in seeded.c, line {line}")
    return len(want), len(want - got)


def main():
    tools_are_here()
    # sources for nginx need its headers, and those for JavaScript are part of a larger file; their own builds
    # check them
    paths = sorted(path for path in (ROOT / "src").rglob("*.c") if path.parent.name not in ("nginx", "postgres", "js", "runners"))
    left, known, stale = without_accepted(analyse_all(paths))
    for finding in left:
        print(f"{finding.path.relative_to(ROOT) if finding.path.is_relative_to(ROOT) else finding.path}:"
              f"{finding.line}: {finding.text} [{finding.check}] ({finding.tool})")
        print("    " + source_line(finding).strip())
    for row in stale:
        print("accepted.tsv: meets nothing any more: " + " ".join(row))
    seeded, missed = control()
    print(f"analyze: {len(commands())} tools, {len(paths)} files, {len(left)} warnings, {known} accepted "
          f"with a reason; control {seeded - missed} / {seeded}")
    return bool(left or stale or missed)


if __name__ == "__main__":
    sys.exit(main())
