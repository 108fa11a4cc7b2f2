# SPDX-License-Identifier: Apache-2.0
"""Shared code of the command's tests: runs it and reads its output."""

import contextlib
import functools
import importlib.util
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
import textwrap
import unittest
from pathlib import Path

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import core  # noqa: E402 pylint: disable=wrong-import-position

READERS = [reader.name for reader in core.readers()]
EDITIONS = [reader.name for reader in core.editions()]

URIVET = os.path.abspath(os.environ.get("URIVET", os.path.join(str(core.ROOT), "build/urivet")))
TIMEOUT = 120  # seconds that one run of the command may take on a loaded machine

ABSENT = "\\N"
NO_COMPONENTS = [ABSENT] * 8
GOOD = b"http://example.com/"  # accepted, without findings
BAD = b"http://user@example.com/"  # refused, though it parses
MIB = 1 << 20

JSON_KEYS = ["uri", "verdict", "policy", "components", "host", "port", "findings", "readings", "suggestion", "registrable", "reason"]
COMPONENTS = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"]
FINDING_KEYS = ["id", "number", "class", "component", "offset", "length", "count", "reference", "text", "refuses"]

CLEAN = re.compile(rb"[\n\t\x20-\x7e]*\Z")

# A small separate process, because a child inherits the peak memory of the process that forks it.
_MEASURE = """
import os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as report:
    print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, file=report)
"""


class Result:
    """Exit status and output of one run of the command."""

    def __init__(self, code, out, err, args=()):
        self.code, self.out, self.err, self.args = code, out or b"", err or b"", args

    def lines(self):
        """Returns the lines of standard output, which all end in LF."""
        if not self.out:
            return []
        if not self.out.endswith(b"\n"):
            raise AssertionError("the output does not end in LF: %r" % self.out[-80:])
        return self.out[:-1].split(b"\n")

    def rows(self):
        """Returns the TSV rows of the output; escapes are not decoded."""
        return [line.decode("ascii").split("\t") for line in self.lines()]

    def objects(self):
        """Returns the JSON objects of the output, one a line, as dictionaries that keep the order of the keys."""
        return [json.loads(line.decode("utf-8"), object_pairs_hook=_pairs) for line in self.lines()]

    def __repr__(self):
        return "%r: exit %r, stdout %r, stderr %r" % (self.args, self.code, self.out[:400], self.err[:400])


def _pairs(pairs):
    made = dict(pairs)
    if len(made) != len(pairs):
        raise AssertionError("a key occurs twice: %r" % [key for key, _ in pairs])
    return made


def takes_long(test):
    """Marks a test, or a class of tests, that takes seconds: `make test` skips it, `make check` runs it."""
    test.takes_long = True
    return test


# Calls of the command that fail, and name the package, if it was built without that; and the module or program of
# packages with another name than theirs.
PROBES = {"libgumbo-dev": ("scan", "--html"), "libmd4c-dev": ("scan", "--markup=markdown"), "libyaml-dev": ("policy", "check", "/dev/null"),
          "publicsuffix": ("check", "--refuse=host-public-suffix", "http://example.com/"),
          "libevent-dev": ("serve", "--from=nginx", "--listen=x"),
          "libssl-dev": ("serve", "--from=nginx", "--listen=127.0.0.1:1", "--tls-cert=/dev/null", "--tls-key=/dev/null"),
          "libzstd-dev": ("check", "--input=/dev/stdin"), "zlib1g-dev": ("check", "--input=/dev/stdin")}
PACKED = {"libzstd-dev": b"\x28\xb5\x2f\xfd", "zlib1g-dev": b"\x1f\x8b"}
CONTAINS = {"nodejs": "node", "python3-pyte": "pyte", "python3-pil": "PIL"}
LACKING = re.compile(rb"Debian package ([a-z0-9.+-]*[a-z0-9+])")


@functools.lru_cache(maxsize=None)
def lacks(package):
    """Returns true if the command was built without this package, or the machine lacks its module or program."""
    if package in PROBES:
        return package.encode() in subprocess.run([URIVET, *PROBES[package]], input=PACKED.get(package, b""), capture_output=True, check=False).stderr
    name = CONTAINS.get(package, package)
    return importlib.util.find_spec(name) is None if package.startswith("python3-") else shutil.which(name) is None


def needs(*packages):
    """Skips a test or a class of tests where one of these Debian packages is missing. Tests that only run the command need
    not say so: see skip_if_lacking."""
    lacking = [package for package in packages if lacks(package)]
    return unittest.skipIf(lacking, "needs " + " ".join(lacking))


def skip_if_lacking(code, err):
    """Skips the test if the command failed because it was built without a library, which its message names."""
    lacking = LACKING.search(err) if code == 2 else None
    if lacking:
        raise unittest.SkipTest("needs " + lacking[1].decode())


def octets(value):
    """Returns octets; text is encoded as UTF-8."""
    return value.encode("utf-8") if isinstance(value, str) else value


def content(path):
    """Returns the octets of a file."""
    return Path(os.fsdecode(path)).read_bytes()


def write_file(path, content):
    """Writes these octets, or this text in UTF-8, to a file."""
    Path(os.fsdecode(path)).write_bytes(octets(content))


def environment(**extra):
    """Returns the environment without the variables that change colours."""
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR")}
    env.update(extra)
    return env


def run(*args, stdin=b"", env=None, **keywords):
    """Runs the command; stdin is its input as octets or text, or an open file."""
    if isinstance(stdin, (bytes, str)):
        keywords["input"] = octets(stdin)
    else:
        keywords["stdin"] = stdin
    keywords.setdefault("stdout", subprocess.PIPE)
    keywords.setdefault("stderr", subprocess.PIPE)
    done = subprocess.run([URIVET, *map(octets, args)], env=environment(**(env or {})), timeout=TIMEOUT, **keywords)
    skip_if_lacking(done.returncode, done.stderr or b"")
    return Result(done.returncode, done.stdout, done.stderr, args)


def run_measured(*args, stdin=subprocess.DEVNULL, feed=None):
    """Runs the command; returns its result and its peak resident memory in octets. feed is an iterable of
    blocks."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        command = [sys.executable, "-I", "-S", "-c", _MEASURE, report, URIVET, *map(octets, args)]
        if feed is not None:
            stdin = subprocess.PIPE
        out, err = (open(os.path.join(folder, name), "w+b") for name in ("out", "err"))
        with out, err, subprocess.Popen(command, stdin=stdin, stdout=out, stderr=err, env=environment()) as child:
            if feed is not None:
                with contextlib.suppress(BrokenPipeError):  # the exit status shows the reason
                    for block in feed:
                        child.stdin.write(block)
                with contextlib.suppress(BrokenPipeError):
                    child.stdin.close()
            child.wait(TIMEOUT)
            out.seek(0)
            err.seek(0)
            code, peak = map(int, content(report).split())
            result = Result(code, out.read(64 * MIB), err.read(MIB))
            skip_if_lacking(code, result.err)
            return result, peak


def run_on_terminal(*args, stdin=b"", env=None, columns=0):
    """Runs the command with standard output on a terminal, of so many columns if not 0; returns what the terminal got, with LF for CR LF."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (0, columns))
    with open(master, "rb", buffering=0) as screen:
        try:
            with subprocess.Popen([URIVET, *map(octets, args)], stdin=subprocess.PIPE, stdout=slave, stderr=subprocess.DEVNULL,
                                  env=environment(**{"TERM": "xterm-256color", **(env or {})})) as child:
                os.close(slave)
                slave = -1
                with contextlib.suppress(BrokenPipeError):
                    child.stdin.write(stdin)
                    child.stdin.close()
                shown = b""
                with contextlib.suppress(OSError):  # at its end a terminal raises an error
                    while block := screen.read(4096):
                        shown += block
                return Result(child.wait(TIMEOUT), shown.replace(b"\r\n", b"\n"), b"")
        finally:
            if slave >= 0:
                os.close(slave)


def instrumented():
    """Returns true if the command is built with a sanitizer, whose memory would hide that of the command."""
    return any(mark in content(URIVET) for mark in (b"__asan_init", b"__msan_init", b"__tsan_init", b"__hwasan_init"))


def spelled(text):
    """Returns the octets of a text, which may be in JSON: {ab*3} is ababab there, and U+DC80 to U+DCFF are single octets."""
    text = json.loads(text) if text[:1] == '"' else "" if text == "-" else text
    return re.sub(r"\{([^{}*]+)\*(\d+)\}", lambda m: m[1] * int(m[2]), text).encode("utf-8", "surrogateescape")


def unescape(text):
    """Returns the octets that a TSV column stands for, or None if it is absent."""
    if text == ABSENT:
        return None
    return re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("ascii"))


def wrapped(text, indent):
    """Returns the lines of a sentence in the human format."""
    return textwrap.wrap(text, 100, initial_indent=" " * indent, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def escape(data):
    """Escapes octets as TSV does."""
    return "".join(chr(b) if 0x21 <= b <= 0x7E and b != 0x5C else "\\x%02X" % b for b in data)


def finding_ids(column):
    """Returns the ids in the second column."""
    return [] if column == "-" else column.split(",")


class Case(unittest.TestCase):
    """A test that runs the command."""

    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        if not os.access(URIVET, os.X_OK) or os.path.isdir(URIVET):
            raise AssertionError("no command at %s; run make first or set URIVET" % URIVET)

    def folder(self):
        """Returns a folder that is removed after the test."""
        return self.enterContext(tempfile.TemporaryDirectory())

    def file(self, content=b"", name="input"):
        """Returns the path of a new file with this content."""
        path = os.path.join(self.folder(), name)
        write_file(path, content)
        return path

    def filtered(self, text, *options, to="--rejects="):
        """Runs filter; returns its result, and what it wrote to the file of this option."""
        path = os.path.join(self.folder(), "written")
        result = run("filter", to + path, *options, stdin=text)
        return result, content(path)

    def row(self, uri, *options):
        """Returns the TSV columns for one argument."""
        rows = run("check", "--format=tsv", *options, "--", uri).rows()
        self.assertEqual(len(rows), 1, rows)
        self.assertEqual(len(rows[0]), 10, rows)
        return rows[0]

    def object(self, uri, *options):
        """Returns the JSON object for one argument."""
        made = run("check", "--format=json", *options, "--", uri).objects()
        self.assertEqual(len(made), 1, made)
        return made[0]

    def assertAccepts(self, uri, *options, verdict="accept"):
        result = run("check", "--format=tsv", *options, "--", uri)
        self.assertEqual((result.code, [row[0] for row in result.rows()]), (int(verdict != "accept"), [verdict]), (uri, options, result))

    def assertRefuses(self, uri, *options):
        self.assertAccepts(uri, *options, verdict="reject")

    def assertUsage(self, result, *named):
        """Checks that the exit status is 2, and that standard error names what was wrong."""
        self.assertEqual(result.code, 2, result)
        self.assertTrue(result.err, result)
        for name in named:
            self.assertIn(octets(name), result.err, result)

    def assertClean(self, data):
        """Checks that there is nothing but LF, TAB and printable ASCII."""
        if not CLEAN.match(data):
            self.fail("octets %r outside LF, TAB, 0x20-0x7E" % sorted(set(re.sub(rb"[\n\t\x20-\x7e]", b"", data))))


class HomeCase(Case):
    """A test with files in its own folder, which is the current folder of the command."""

    def setUp(self):
        self.home = self.folder()

    def write(self, content, name="proxy.yaml"):
        write_file(os.path.join(self.home, name), content)
        return name

    def urivet(self, *args, **keywords):
        return run(*args, cwd=self.home, **keywords)
