# SPDX-License-Identifier: Apache-2.0
"""What the Python clients share: URLs in, a line each out."""
from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType

TIMEOUT = 3             # seconds, for the client's own timeouts
PATIENCE = 4.0          # after which the adapter ends a fetch that has none, or does not keep it
Fetch = Callable[[str], int]


def urls() -> Iterator[bytes]:
    """Each URL as soon as it is there."""
    held = b""
    while chunk := os.read(0, 65536):
        *whole, held = (held + chunk).split(b"\0")
        yield from whole


def time_out(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("the adapter's time is up")


def answer(fetch: Fetch, url: bytes) -> str:
    """Decodes the URL as Python decodes an argument of the command line."""
    try:
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        return str(fetch(url.decode("utf-8", "surrogateescape")))
    except KeyboardInterrupt:
        raise
    except BaseException as error:      # some libraries leave by SystemExit or CancelledError
        return f"! {type(error).__name__}: {ascii(str(error))[1:-1]}"[:300]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def serve(version: str, fetch: Fetch) -> None:
    """fetch() gets a URL once and returns the status; whatever it raises is an error to report."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    signal.signal(signal.SIGALRM, time_out)
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)                       # what a library prints is no answer
    for url in urls():
        answers.write(answer(fetch, url) + "\n")
        answers.flush()


def serve_twisted(version: str, fetch: Callable[[str], Coroutine[object, object, int]]) -> None:
    """The same for a coroutine of Twisted's, whose reactor runs in a thread of its own; ends it after TIMEOUT."""
    from threading import Thread

    from twisted.internet import reactor, threads
    from twisted.internet.defer import ensureDeferred

    Thread(target=reactor.run, kwargs={"installSignalHandlers": False}, daemon=True).start()

    def begin(url: str) -> object:
        return ensureDeferred(fetch(url)).addTimeout(TIMEOUT, reactor)

    serve(version, lambda url: threads.blockingCallFromThread(reactor, begin, url))
    if reactor.running:
        reactor.callFromThread(reactor.stop)
