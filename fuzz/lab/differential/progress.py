# SPDX-License-Identifier: Apache-2.0
"""Progress lines on standard error every few seconds, during a long job."""
from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType

EACH = 10.0         # seconds between two lines


class Progress:
    """Prints the phase, the seconds since the start and what `told` returns, from a thread of its own."""

    def __init__(self, name: str, told: Callable[[], str] = lambda: "", each: float = EACH) -> None:
        self.name, self.told, self.each = name, told, each
        self.phase, self.start = "start", time.monotonic()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self._end.wait(self.each):
            said = self.told()
            print(f"{self.name}: {self.phase}, {time.monotonic() - self.start:.0f} s{'; ' if said else ''}{said}",
                  file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end.set()
        self._thread.join()
