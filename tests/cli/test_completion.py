# SPDX-License-Identifier: Apache-2.0
"""Tests completion in bash, zsh and fish themselves."""

import contextlib
import os
import pty
import select
import subprocess
import time

from helper import TIMEOUT, URIVET, Case, environment, needs, run
from test_arguments import HELP

FINDINGS = [row[0] for row in run("findings", "--format=tsv").rows()]
COMMANDS = ["check", "filter", "parse", "explain", "suggest", "resolve", "normalise", "compare", "findings", "base",
            "scan", "report", "policy", "help"]
EDITIONS = ["rfc3986", "uri-2003", "uri-1997", "url-1997", "url-1996"]
# The scripts ask the command.
FOUND = {"PATH": os.path.dirname(URIVET) + os.pathsep + os.environ["PATH"]}
READERS = EDITIONS + ["regex", "browser", "resolver"]

# what is typed, and the line after the Tab key
TYPED = [
    ("urivet ch", "urivet check"),
    ("urivet check --policy=pu", "urivet check --policy=public"),
    ("urivet check --policy pu", "urivet check --policy public"),
    ("urivet policy --output x di", "urivet policy --output x diff"),
    ("urivet policy -o records.u", "urivet policy -o records.urls"),
    ("urivet check --policy=ga", "urivet check --policy=gateway"),
    ("urivet check --target-r", "urivet check --target-records"),
    ("urivet filter --scheme=htt", "urivet filter --scheme=http"),
    ("urivet filter --meth", "urivet filter --method="),
    ("urivet parse --reader=br", "urivet parse --reader=browser"),
    ("urivet resolve --reader=br", "urivet resolve --reader=br"),
    ("urivet normalise --lev", "urivet normalise --level="),
    ("urivet filter --cr", "urivet filter --crlf"),
    ("urivet policy --for", "urivet policy --format="),
    ("urivet check --allow=bad-e", "urivet check --allow=bad-escape"),
    ("urivet check --allow=bad-escape,non-a", "urivet check --allow=bad-escape,non-ascii"),
    ("urivet filter --input=records.u", "urivet filter --input=records.urls"),
    ("urivet scan records.u", "urivet scan records.urls"),
    ("urivet rep", "urivet report"),
    ("urivet report records.u", "urivet report records.urls"),
    ("urivet report --time-p", "urivet report --time-prefix"),
    ("urivet check records.u", "urivet check records.u"),
    ("urivet findings raw-t", "urivet findings raw-tab"),
    ("urivet policy sh", "urivet policy show"),
    ("urivet policy comp", "urivet policy compile"),
    ("urivet policy di", "urivet policy diff"),
    ("urivet policy diff gat", "urivet policy diff gateway"),
    ("urivet policy diff gateway records.u", "urivet policy diff gateway records.urls"),
    ("urivet policy --out", "urivet policy --output="),
    ("urivet policy show stri", "urivet policy show strict"),
    ("urivet policy show gat", "urivet policy show gateway"),
    ("urivet policy show records.u", "urivet policy show records.urls"),
    ("urivet help expl", "urivet help explain"),
]


class Typed:
    """A shell on its own terminal; each line is typed, completed by Tab, and its words are written to a file."""

    def __init__(self, argv, folder, setup):
        self.kept = os.path.join(folder, "kept")
        self.lines = 0
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(argv[0], argv, environment(TERM="vt100", HOME=folder, **FOUND))
        self.run(f"{setup}; echo ready >>{self.kept}")

    def close(self):
        """Closes the terminal, which ends the shell."""
        os.close(self.terminal)
        os.waitpid(self.pid, 0)

    def run(self, line):
        """Types a line that adds one line to the file; returns that line."""
        os.write(self.terminal, line.encode() + b"\n")
        self.lines += 1
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            if select.select([self.terminal], [], [], 0.01)[0]:
                os.read(self.terminal, 65536)
            with contextlib.suppress(FileNotFoundError), open(self.kept, encoding="utf-8") as kept:
                written = kept.read()
                if written.count("\n") == self.lines and written.endswith("\n"):
                    return written.splitlines()[-1]
        raise AssertionError(f"the shell does not answer to {line!r}")

    def complete(self, line):
        """Returns the line after Tab; ^A and ^E move to its ends."""
        return self.run(f"{line}\t\x01set -- \x05 ; printf '%s\\n' \"$*\" >>{self.kept}")


class Completion(Case):
    def script(self, shell, name="script"):
        """Writes the completion script of a shell to a file."""
        result = run("completion", shell)
        self.assertEqual(result.code, 0, result)
        self.assertClean(result.out)
        path = self.file(result.out, name)
        with open(os.path.join(os.path.dirname(path), "records.urls"), "wb"):
            return path

    def type(self, shell):
        self.addCleanup(shell.close)
        for line, completed in TYPED:
            with self.subTest(line):
                # zsh removes its = when the cursor moves away
                self.assertEqual(shell.complete(line).rstrip("="), completed.rstrip("="))

    def check_offers(self, offered):
        """Checks that a shell offers exactly what the command accepts."""
        for command, options in HELP.items():
            with self.subTest(command):
                self.assertLessEqual({name for name, _, _ in options}, {word.rstrip("=") for begun in ("-", "--") for word in offered(f"urivet {command} {begun}")})
        self.assertLessEqual(set(COMMANDS), set(offered("urivet ")))
        self.assertEqual(set(offered("urivet parse --reader=")), set(READERS))
        self.assertEqual(set(offered("urivet normalise --reader=")), set(EDITIONS))
        self.assertEqual(set(offered("urivet findings ")), set(FINDINGS))
        for option in ("allow", "refuse"):
            words = offered(f"urivet check --{option}=")
            with self.subTest(option):
                self.assertEqual(run("check", "-q", f"--{option}=" + ",".join(words), "http://example.com/").err, b"")
                for finding in set(FINDINGS) - set(words):
                    self.assertUsage(run("check", f"--{option}={finding}", "http://example.com/"), finding)

    @needs("bash")
    def test_bash_typed(self):
        """bash completes on a terminal: commands, options, values, lists of findings, files."""
        script = self.script("bash")
        self.type(Typed(["bash", "--norc", "--noprofile", "-i"], os.path.dirname(script), f"source {script}"))

    @needs("bash")
    def test_bash_offers(self):
        """bash offers every option of each command, every reader, every finding that can be waived or raised."""
        script = self.script("bash")

        def offered(line):
            words = line.replace("=", " = ").split()
            words += [""] if line[-1] in " =" else []
            asked = f"source {script}; " \
                    "COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)); _urivet; printf '%s\\n' \"${COMPREPLY[@]}\""
            done = subprocess.run(["bash", "--norc", "-c", asked, "bash", *words], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=environment(**FOUND), timeout=TIMEOUT, check=True)
            self.assertEqual(done.stderr, b"")
            return done.stdout.decode().split()

        self.check_offers(offered)

    @needs("bash")
    def test_bash_words_with_equals(self):
        """If = does not end words, bash completes the same."""
        script = self.script("bash")
        shell = Typed(["bash", "--norc", "--noprofile", "-i"], os.path.dirname(script),
                      f"source {script}; COMP_WORDBREAKS=${{COMP_WORDBREAKS//=}}")
        self.type(shell)

    @needs("zsh")
    def test_zsh_typed(self):
        """zsh completes on a terminal, with the script in its folder of completions."""
        folder = os.path.dirname(self.script("zsh", "_urivet"))
        self.type(Typed(["zsh", "-f", "-i"], folder,
                        f"bindkey -e; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D"))

    @needs("zsh")
    def test_zsh_sourced(self):
        """zsh also completes if the script is sourced."""
        script = self.script("zsh")
        self.type(Typed(["zsh", "-f", "-i"], os.path.dirname(script),
                        f"bindkey -e; autoload -Uz compinit; compinit -u -D; source {script}"))

    @needs("fish")
    def test_fish(self):
        """fish offers every option of each command, every reader, every finding that can be waived or raised, files."""
        script = self.script("fish")
        folder = os.path.dirname(script)

        def offered(line):
            asked = f"source {script}; complete -C '{line}'"
            done = subprocess.run(["fish", "--no-config", "-c", asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  cwd=folder, env=environment(HOME=folder, **FOUND), timeout=TIMEOUT, check=True)
            self.assertEqual(done.stderr, b"")
            words = [row.split("\t")[0] for row in done.stdout.decode().splitlines()]
            return [word.split("=", 1)[1] if word.startswith("--") and word[-1] != "=" and "=" in word else word
                    for word in words]

        self.check_offers(offered)
        for line, completed in TYPED:
            with self.subTest(line):
                word = completed.split()[-1].rstrip("=")
                words = [word.rstrip("=") for word in offered(line)]
                if completed == line:
                    self.assertEqual(words, [])
                else:
                    self.assertIn(word.split("=")[-1], words)

    def test_unlisted(self):
        """completion has its own help, and is not in the list of commands."""
        self.assertIn(b"bash|zsh|fish", run("help", "completion").out)
        self.assertNotIn(b"completion", run("help").out)

    def test_usage(self):
        """A shell must be named: bash, zsh or fish."""
        self.assertUsage(run("completion"))
        self.assertUsage(run("completion", "tcsh"), "tcsh")
        self.assertUsage(run("completion", "bash", "zsh"))
        self.assertEqual(run("completion", "-q", "bash").out, b"")
