#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the form of commit subjects and the words of added lines, since the commit that added this file.

    language.py [BASE]

A source tree without its history has nothing to check.
"""
from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUBJECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./, -]*: [a-z`\"'].*")
LONGEST = 72
LANDED = ("be6b25250",)  # commits whose subjects are wrong, and stay so
# words that only this project uses, and the usual words for them
BANNED = {
    "whoever": "name the actor: caller, reader, client",
    "somebody": "name the actor",
    "nobody": "name the actor: no reader, no caller",
    "wing": "optional dependency",
    "wings": "optional dependencies",
    "short way": "fast path",
    "teeth": "negative control",
    "is it sure": "Returns true if ...",
}
WORDS = re.compile(r"\b(" + "|".join(BANNED) + r")\b", re.IGNORECASE)
# inputs, texts by others, and this list
NOT_OURS = ("corpus/", "tests/core/names/", "tests/language.py", "CHANGELOG.md", "LICENSE", "fuzz/lab/differential/reports/")


def git(*words: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True, errors="replace").stdout


def wrong_subject(subject: str) -> str | None:
    """Returns what is wrong with the subject, or None."""
    if len(subject) > LONGEST:
        return f"has {len(subject)} characters, at most {LONGEST} are allowed"
    if subject.endswith("."):
        return "ends in a full stop"
    if not SUBJECT.fullmatch(subject) and not subject.startswith(("Merge ", "Revert ")):
        return "is not of the form `scope: verb object`"
    return None


def banned_words(diff: str) -> list[str]:
    """Returns a sentence for each banned word in an added line of a diff."""
    found, name, line = [], "", 0
    for text in diff.splitlines():
        if text.startswith("+++ "):
            name = text[6:]
        elif text.startswith("@@"):
            line = int(re.search(r"\+(\d+)", text)[1])
        elif text.startswith("+") and not name.startswith(NOT_OURS):
            found += [f"{name}:{line}: \"{word}\"; {BANNED[word.lower()]}" for word in WORDS.findall(text) if not word.isupper()]
            line += 1
        elif text.startswith("+"):
            line += 1
    return found


def self_test() -> None:
    """Checks that each check fires, and that a near miss does not."""
    for subject, is_good in (("cli: read mail", True), ("cli/csv, tests: read rows", True), ("Read mail", False), ("cli: Read mail", False),
                             ("cli: " + "a" * 67, True), ("cli: " + "a" * 68, False), ("cli: read mail.", False), ("cli:read", False)):
        assert (wrong_subject(subject) is None) == is_good, subject
    diff = "+++ b/src/a.c\n@@ -1,0 +7,3 @@\n+/* Nobody reads it. */\n+int swing; /* no body */\n+teeth\n"
    assert [found.split(";")[0] for found in banned_words(diff)] == ['src/a.c:7: "Nobody"', 'src/a.c:9: "teeth"'], banned_words(diff)


def main() -> None:
    self_test()
    try:
        base = sys.argv[1] if len(sys.argv) > 1 else git("log", "--format=%H", "--diff-filter=A", "--", "tests/language.py").split()[-1]
        commits = git("log", "--format=%H %s", f"{base}..HEAD").splitlines()
        diff = git("diff", "-U0", "--no-color", "-M", base, "--", "*.c", "*.h", "*.def", "*.py", "*.sh", "*.mk", "Makefile", "*.md", "*.ini")
    except (subprocess.CalledProcessError, FileNotFoundError, IndexError):
        print("language: no history, nothing to check")
        return
    faults = [f"{commit.split(' ')[0]}: the subject {fault}: {commit.split(' ', 1)[1]}" for commit in commits
              if not commit.startswith(LANDED) and (fault := wrong_subject(commit.split(" ", 1)[1]))] + banned_words(diff)
    for fault in faults:
        print(f"language: {fault}")
    print(f"language: {len(commits)} commits, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
