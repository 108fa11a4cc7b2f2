# SPDX-License-Identifier: Apache-2.0
"""Checks shared by the modules for HTTP clients, before a library rewrites a URL or connects to an address."""
from __future__ import annotations

import errno
import itertools
import math
import os
import queue
import re
import selectors
import socket
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from ._limits import Exchange, Socket, current
from ._policies import policy_of
from ._refused import Kinds, log, refusing
from ._urivet import PUBLIC, Policy

# Request fields that are not sent to another origin.
CREDENTIALS = frozenset({"authorization", "cookie", "host", "proxy-authorization"})
_FAMILIES = (socket.AF_INET, socket.AF_INET6)


class Peer(NamedTuple):
    """An accepted address. Connections are made to it only in this form."""

    family: int
    address: str
    port: int

    @property
    def sockaddr(self) -> tuple:
        # scope and flow are 0: an address that needs a scope is refused
        return (self.address, self.port) if self.family == socket.AF_INET else (self.address, self.port, 0, 0)


class Guard:
    """A policy, options, and the exceptions of a library for refusals."""

    def __init__(self, policy: Policy | str | None, kinds: Kinds, max_response_size: int | None = None,
                 total_timeout: float | None = None, repair: bool = False) -> None:
        self.given = policy is not None  # or used already; join() must not replace it then
        self.policy = PUBLIC if policy is None else policy_of(policy)
        if self.policy.observes:
            raise ValueError("a policy that only observes guards nothing: take `mode: observe` out of it")
        self.kinds = kinds
        for limit, kinds_of_number in ((max_response_size, int), (total_timeout, (int, float))):
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, kinds_of_number) or not 0 < limit < math.inf):
                raise ValueError(f"max_response_size and total_timeout are numbers above 0, not {limit!r}")
        if not isinstance(repair, bool):
            raise TypeError(f"repair is True or False, not {repair!r}")
        self.limits, self.repair = (max_response_size, total_timeout), repair

    @classmethod
    def of(cls, policy: Policy | str | None, kinds: Kinds, options: dict[str, Any]) -> Guard:
        """Returns a guard with those of its options that are among `options`, and takes them out."""
        names = [name for name in ("max_response_size", "total_timeout", "repair") if name in options]
        return cls(policy, kinds, **{name: options.pop(name) for name in names})

    @contextmanager
    def exchange(self) -> Iterator[Exchange | None]:
        """A part of the exchange under way, or of a new one if this guard has limits; else None."""
        exchange = current()
        if self.limits != (None, None) and (exchange is None or exchange.owner is not self):
            exchange = Exchange(self, self.kinds, self.limits[0] or sys.maxsize, self.limits[1] or math.inf)
        if exchange is None:
            yield None
        else:
            with exchange.part():
                yield exchange

    def join(self, owner: Guard) -> None:
        """Takes over the policy of a session. Raises ValueError if this guard was given another one."""
        if self.policy is not owner.policy and self.given and self.policy.compile() != owner.policy.compile():
            raise ValueError(f"this part judges by the policy {self.policy.name!r}, its session by "
                             f"{owner.policy.name!r}: give both the same, or the part none")
        self.policy, self.given = owner.policy, True

    def refuse(self, what: str, report=None, **more: Any) -> NoReturn:
        """Raises the exception for anything refused other than an address."""
        raise self.kinds.url.because(what, report, **more)

    def url(self, url: str | bytes, **more: Any) -> None:
        """Raises unless the URL is accepted."""
        self.given = True
        report = self.policy.check(url)
        if not report.ok:
            self.refuse("a URL", report, **more)

    def spelled(self, url: Any, **more: Any) -> Any:
        """Returns the URL to fetch: as the program gave it or, with `repair`, its accepted spelling. Raises if
        there is none. Redirects are not repaired, as a stranger chooses them."""
        report = self.policy.check(url)
        if report.ok or not self.repair or report.suggestion is None:
            self.url(url, **more)
            return url
        log.info("repaired a URL: %s", refusing(report))
        return report.suggestion

    def fields(self, url: str, fields: Iterable[tuple]) -> None:
        """Raises if a Host field names another origin than the URL."""
        for row in fields:
            name, value = (text.decode("latin-1") if isinstance(text, bytes) else str(text) for text in row)
            there = re.sub("(?<=://)[^/?#]*", lambda _: value, url, count=1)  # noqa: B023
            if name.strip().lower() == "host" and (set(value) & set("/?#\\") or self.crosses(url, there)):
                self.refuse("a Host field of another origin")

    def location(self, locations: Iterable[str | bytes], base: str | bytes, **more: Any) -> str:
        """Returns the accepted absolute URL that a redirect with these Location fields leads to."""
        found = [one.encode("latin-1", "backslashreplace") if isinstance(one, str) else bytes(one) for one in locations]
        if len(found) != 1:
            self.refuse(f"a redirect with {len(found)} Location fields", **more)
        report = self.policy.check_redirect(found[0], base)
        if not report.ok:
            self.refuse("a redirect", report, **more)
        return report.uri

    def crosses(self, base: str | bytes, target: str | bytes) -> bool:
        """Returns True if a redirect leads to another origin, or is refused. Credentials are not sent there."""
        report = self.policy.check_redirect(target, base, same_origin=True)
        return not report.ok or "cross-origin" in report.ids

    def peers(self, answers: Iterable[tuple], **more: Any) -> list[Peer]:
        """Returns the accepted addresses among rows of getaddrinfo(). Raises if there is none."""
        peers, report = [], None
        for family, _, _, _, sockaddr in answers:
            if family not in _FAMILIES:
                continue
            scope = sockaddr[3] if len(sockaddr) > 3 else 0
            judged = self.policy.check_address(sockaddr[0], sockaddr[1], scope)
            if judged.ok:
                peers.append(Peer(family, sockaddr[0], sockaddr[1]))
            else:
                report = judged
        if not peers:
            raise self.kinds.address.because("every address of a name", report, **more)
        return peers

    def connect(self, host: str, port: int, timeout: Any = socket.getdefaulttimeout, source_address: Any = None,
                options: Iterable[tuple] | None = None, is_proxy: bool = False) -> socket.socket:
        """Returns a socket connected to an accepted address of the host, or any of a proxy. `timeout` covers the
        look-up and all addresses; None: no timeout; the default is that of the module socket."""
        given = timeout() if callable(timeout) else timeout
        exchange = current()
        timeout = given if exchange is None else exchange.timeout(given)
        deadline = None if timeout is None else time.monotonic() + timeout
        answers = _look_up(host, port, timeout)
        peers = [Peer(row[0], *row[4][:2]) for row in answers] if is_proxy else self.peers(answers)
        sock = _raced(peers, deadline, source_address, options or ())
        sock.settimeout(given if exchange is None else exchange.timeout(given))
        return sock


class Guarded:
    """The common part of sessions, adapters and the like."""

    guard: Guard

    @property
    def policy(self) -> Policy:
        return self.guard.policy


class Connected(Guarded):
    """The common part of those that cannot be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} has connections, and cannot be pickled")


# ---- Connecting within one deadline -----------------------------------------------------------

ATTEMPT_DELAY = 0.25  # seconds between the starts of attempts (RFC 8305, 5)


def _look_up(host: str, port: int, timeout: float | None) -> list[tuple]:
    """Calls getaddrinfo() with a timeout: it runs in a thread, which is abandoned afterwards."""
    if timeout is None or ":" in host or host.replace(".", "").isdigit():
        return socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)
    done: queue.SimpleQueue = queue.SimpleQueue()

    def ask() -> None:
        try:
            done.put((socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM), None))
        except Exception as error:
            done.put(((), error))

    threading.Thread(target=ask, name="urivet look-up", daemon=True).start()
    try:
        answers, error = done.get(timeout=timeout)
    except queue.Empty:
        raise TimeoutError("timed out") from None
    if error is not None:
        raise error
    return answers


def interleaved(peers: list[Peer]) -> list[Peer]:
    """Returns the peers with alternating address families, beginning with that of the first."""
    first = [peer for peer in peers if peer.family == peers[0].family]
    others = [peer for peer in peers if peer.family != peers[0].family]
    return [peer for pair in itertools.zip_longest(first, others) for peer in pair if peer is not None]


def _begun(peer: Peer, source_address: Any, options: Iterable[tuple]) -> socket.socket:
    """Returns a non-blocking socket whose connection has been started."""
    sock = Socket(peer.family, socket.SOCK_STREAM)
    try:
        for option in options:
            sock.setsockopt(*option)
        sock.setblocking(False)
        if source_address:
            sock.bind(source_address)
        error = sock.connect_ex(peer.sockaddr)
        if error not in (0, errno.EINPROGRESS):
            raise OSError(error, os.strerror(error))
        return sock
    except BaseException:
        sock.close()
        raise


def _raced(peers: list[Peer], deadline: float | None, source_address: Any, options: Iterable[tuple]) -> socket.socket:
    """Returns the first socket that is connected. If all fail, the last error is raised."""
    upcoming, begun, failed = interleaved(peers), [], None
    next_at = 0.0
    with selectors.DefaultSelector() as selector:
        try:
            while upcoming or begun:
                now = time.monotonic()
                if deadline is not None and now >= deadline:
                    raise TimeoutError("timed out")
                if upcoming and now >= next_at:
                    try:
                        begun.append(_begun(upcoming.pop(0), source_address, options))
                        selector.register(begun[-1], selectors.EVENT_WRITE)
                        next_at = now + ATTEMPT_DELAY
                    except OSError as error:
                        failed = error
                    continue
                limits = [limit for limit in (deadline, next_at if upcoming else None) if limit is not None]
                for key, _ in selector.select(max(0.0, min(limits) - now) if limits else None):
                    selector.unregister(key.fileobj)
                    begun.remove(key.fileobj)
                    error = key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                    if error == 0:
                        return key.fileobj
                    key.fileobj.close()
                    failed, next_at = OSError(error, os.strerror(error)), now
        finally:
            for sock in begun:
                sock.close()
    raise failed
