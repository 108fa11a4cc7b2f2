#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks URLs with one long-running urivet process.

    coprocess.py [OPTION...] < URLS

Options are those of "urivet check", such as --policy=public. Prints the verdict and the findings for each
line of the input; the exit status is 0, 1 or 2 as for urivet. The environment variable URIVET names the
command. In a program:

    with Coprocess("--policy=public") as urivet:
        if urivet.check(url.encode()).accepted: ...
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """The answer for a URL. Only `accepted` decides: an accepted URL may have findings, which are notes."""

    accepted: bool
    findings: tuple[str, ...]
    report: dict[str, Any] | None  # the whole report; None if urivet was not called


class Broken(Exception):
    """The child has ended, or sent an unexpected answer: nothing may count as accepted any more."""


# NUL ends a record, so a URL with a NUL cannot be sent: its rest would be taken for another record, and
# every later answer for the record before. No valid URL contains NUL.
WITH_NUL = Answer(False, ("control-char",), None)


def is_about(report: dict[str, Any], url: bytes) -> bool:
    """Returns true if the report is about this URL. For a URL that is too long, urivet reports only the
    length."""
    uri = report["uri"]
    if uri is None:
        return bool(report["length"] == len(url))
    # in a raw report each character stands for an octet
    return bool(uri.encode("latin-1" if "raw" in report else "utf-8") == url)


class Coprocess:
    """One urivet process, for any number of URLs and threads. After Broken it answers no more."""

    def __init__(self, *options: str, command: str = "urivet") -> None:
        self._turn = threading.Lock()
        self._broken = False
        self._child = subprocess.Popen([command, "check", "-0", "--format=json", *options],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def check(self, url: bytes) -> Answer:
        """Checks a URL and waits for the answer."""
        if b"\0" in url:
            return WITH_NUL
        with self._turn:
            try:
                self._send(url + b"\0")
                return self._answer(url)
            except BaseException:  # a late answer would be taken for the next URL's
                self._give_up()
                raise

    def check_all(self, urls: Iterable[bytes]) -> list[Answer]:
        """Checks many URLs without waiting between them."""
        urls = list(urls)
        questions = b"".join(url + b"\0" for url in urls if b"\0" not in url)
        # Read answers while writing: pipes are short, and urivet blocks until its output is read.
        sender = threading.Thread(target=self._send, args=(questions,))
        with self._turn:
            sender.start()
            try:
                return [WITH_NUL if b"\0" in url else self._answer(url) for url in urls]
            except BaseException:
                self._give_up()
                raise
            finally:
                sender.join()

    def close(self) -> None:
        """Ends the child, which has answered all URLs."""
        with self._turn:
            self._give_up()

    def _send(self, questions: bytes) -> None:
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(questions)
            self._child.stdin.flush()
        except (OSError, ValueError):  # it has ended or is closed: the missing answer shows it
            self._broken = True

    def _answer(self, url: bytes) -> Answer:
        assert self._child.stdout is not None
        line = b"" if self._broken else self._child.stdout.readline()
        if not line.endswith(b"\n"):
            raise Broken("urivet does not answer any more")
        try:
            report = json.loads(line)
            if is_about(report, url):
                findings = tuple(finding["id"] for finding in report["findings"])
                return Answer(report["verdict"] == "accept", findings, report)
        except (ValueError, TypeError, LookupError, AttributeError):
            pass  # not a valid answer
        raise Broken("urivet answers what was not asked")

    def _give_up(self) -> None:
        self._broken = True
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # unsent data can no longer be sent
                pipe.close()

    def __enter__(self) -> "Coprocess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def main() -> int:
    """Checks each line of standard input."""
    status = 0
    with Coprocess(*sys.argv[1:], command=os.environ.get("URIVET", "urivet")) as urivet:
        for line in sys.stdin.buffer:
            answer = urivet.check(line.removesuffix(b"\n"))
            # only names of findings: the URL may contain terminal escape sequences
            print("accept" if answer.accepted else "reject", ",".join(answer.findings) or "-", sep="\t", flush=True)
            status = status if answer.accepted else 1
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Broken, OSError) as trouble:
        print(f"coprocess.py: {trouble}", file=sys.stderr)
        sys.exit(2)
