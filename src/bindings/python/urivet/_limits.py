# SPDX-License-Identifier: Apache-2.0
"""Limits of an exchange, which is a request with its redirects and bodies: `max_response_size` octets of each body
after decoding, and `total_timeout` seconds until the last octet."""
from __future__ import annotations

import contextvars
import math
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._refused import Kinds, LimitExceeded, Refused, log

_current: contextvars.ContextVar[Exchange | None] = contextvars.ContextVar("urivet.exchange", default=None)
current = _current.get  # the exchange that this thread or task works on


class Exchange:
    def __init__(self, owner: object, kinds: Kinds, size: int, seconds: float) -> None:
        self.owner, self.kinds, self.size, self.seconds = owner, kinds, size, seconds
        self.deadline = time.monotonic() + seconds
        self.error: LimitExceeded | None = None

    def ended(self, kind: type[LimitExceeded], why: str) -> LimitExceeded:
        log.warning("ended an exchange: %s", why)
        self.error = kind(why)
        return self.error

    def too_large(self) -> LimitExceeded:
        return self.ended(self.kinds.size, f"the response has more than max_response_size={self.size} octets")

    def too_slow(self) -> LimitExceeded:
        return self.ended(self.kinds.time, f"the exchange takes more than total_timeout={self.seconds} seconds")

    def timeout(self, given: float | None = None) -> float | None:
        """Returns the timeout of one operation: `given`, or what is left if that is less."""
        left = min(self.deadline - time.monotonic(), math.inf if given is None else given)
        if left <= 0:
            raise TimeoutError("timed out")
        return None if left == math.inf else left

    @contextmanager
    def part(self, close: Callable[[], object] = lambda: None) -> Iterator[Exchange]:
        """A part of the exchange. What fails because of a limit raises the exception of that limit."""
        token = _current.set(self)
        try:
            self.timeout()
            yield self
            self.timeout()
        except Exception as error:
            close()
            if self.error is None and time.monotonic() >= self.deadline and not isinstance(error, Refused):
                self.too_slow()
            if self.error is None or error is self.error:
                raise
            raise self.error from error
        finally:
            _current.reset(token)

    def each(self, items: Iterator[Any], close: Callable[[], object] = lambda: None) -> Iterator[Any]:
        """Returns the items, each of which is a part of the exchange."""
        while True:
            with self.part(close):
                item = next(items, None)
            if item is None:
                return
            yield item


class Body:
    """Counts the octets of a body as they come and after decoding."""

    def __init__(self, exchange: Exchange, codings: str) -> None:
        self.exchange, self.raw, self.decoded = exchange, 0, 0
        names = [name for name in codings.lower().replace(" ", "").split(",") if name not in ("", "identity")]
        if len(names) > 1 and exchange.size < sys.maxsize:
            raise exchange.ended(exchange.kinds.size, "the size of a body with several content codings cannot be limited")
        # an octet of deflate stands for at most 1032; other codings know no such bound
        self.step = 1024 if names in (["gzip"], ["x-gzip"], ["deflate"]) else 16 if names else sys.maxsize
        # what is compressed is limited as well, as it may stand for nothing
        self.most = exchange.size + (exchange.size // 64 + 1024 if names else 0)

    def received(self, octets: int) -> None:
        self.raw += octets
        if self.raw > self.most:
            raise self.exchange.too_large()

    def count(self, octets: int) -> None:
        self.decoded += octets
        if self.decoded > self.exchange.size:
            raise self.exchange.too_large()

    def decode(self, decode: Callable[[bytes], bytes], data: bytes) -> bytes:
        """Returns the decoded data, which decode() gets in pieces that cannot become too large."""
        pieces = []
        for k in range(0, len(data) or 1, self.step):
            pieces.append(decode(data[k:k + self.step]))
            self.count(len(pieces[-1]))
        return b"".join(pieces)


class _Timed:
    """A socket that sends and receives until the deadline of the exchange."""

    def _in_time(self, call: Callable[..., Any], *arguments: Any) -> Any:
        exchange = current()
        if exchange is None:
            return call(*arguments)
        given = self.gettimeout()
        self.settimeout(exchange.timeout(given))
        try:
            return call(*arguments)
        finally:
            self.settimeout(given)


for _name in ("recv", "recv_into", "send", "sendall"):
    setattr(_Timed, _name, lambda self, *arguments, _name=_name: self._in_time(getattr(super(_Timed, self), _name), *arguments))


class Socket(_Timed, socket.socket):
    pass


class _TLSSocket(_Timed, ssl.SSLSocket):
    pass


def timed(sock: Any) -> Any:
    """Returns a socket of TLS, which keeps the deadline as the one it was made of does."""
    if type(sock) is ssl.SSLSocket:
        sock.__class__ = _TLSSocket
    return sock
