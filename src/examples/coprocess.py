#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Asks one urivet, which keeps running, about one URL after another.

    coprocess.py [OPTION...] < URLS

Options are those of "urivet check", such as --policy=public. For each line of the input a line says the
verdict and the findings; the exit status is 0, 1 or 2 as that of urivet. The environment variable URIVET
names the command. In a program:

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
    """What urivet says of a URL. Only `accepted` decides: an accepted URL may have findings, which are notes."""

    accepted: bool
    findings: tuple[str, ...]
    report: dict[str, Any] | None  # all of it; None if urivet was not asked


class Broken(Exception):
    """The child is gone, or said what was not asked: nothing may be taken for accepted any more."""


# NUL ends a question, so what holds one cannot be asked: the rest of it would be taken for another question,
# and every later answer for that of the question before. No URL holds a NUL.
WITH_NUL = Answer(False, ("control-char",), None)


def is_about(report: dict[str, Any], url: bytes) -> bool:
    """Is it the report of this URL? Of one that is too long urivet says the length alone."""
    uri = report["uri"]
    if uri is None:
        return bool(report["length"] == len(url))
    # in a raw report each character stands for an octet
    return bool(uri.encode("latin-1" if "raw" in report else "utf-8") == url)


class Coprocess:
    """One urivet, for any number of questions and threads. After Broken it answers no more."""

    def __init__(self, *options: str, command: str = "urivet") -> None:
        self._turn = threading.Lock()
        self._broken = False
        self._child = subprocess.Popen([command, "check", "-0", "--format=json", *options],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def check(self, url: bytes) -> Answer:
        """Asks, and waits for the answer."""
        if b"\0" in url:
            return WITH_NUL
        with self._turn:
            try:
                self._send(url + b"\0")
                return self._answer(url)
            except BaseException:  # an answer that is still to come would be taken for that of the next question
                self._give_up()
                raise

    def check_all(self, urls: Iterable[bytes]) -> list[Answer]:
        """The same for many URLs, without waiting between them."""
        urls = list(urls)
        questions = b"".join(url + b"\0" for url in urls if b"\0" not in url)
        # answers must be read meanwhile: pipes are short, and urivet waits until somebody reads
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
        """Ends the child, which has answered all questions."""
        with self._turn:
            self._give_up()

    def _send(self, questions: bytes) -> None:
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(questions)
            self._child.stdin.flush()
        except (OSError, ValueError):  # it is gone, or closed: the missing answer tells
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
            pass  # that is no answer either
        raise Broken("urivet answers what was not asked")

    def _give_up(self) -> None:
        self._broken = True
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was not sent cannot be sent any more
                pipe.close()

    def __enter__(self) -> "Coprocess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def main() -> int:
    """Judges each line of standard input."""
    status = 0
    with Coprocess(*sys.argv[1:], command=os.environ.get("URIVET", "urivet")) as urivet:
        for line in sys.stdin.buffer:
            answer = urivet.check(line.removesuffix(b"\n"))
            # names of findings alone: the URL may hold what commands a terminal
            print("accept" if answer.accepted else "reject", ",".join(answer.findings) or "-", sep="\t", flush=True)
            status = status if answer.accepted else 1
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Broken, OSError) as trouble:
        print(f"coprocess.py: {trouble}", file=sys.stderr)
        sys.exit(2)
