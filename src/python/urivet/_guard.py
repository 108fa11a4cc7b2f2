# SPDX-License-Identifier: Apache-2.0
"""What stands before every connection of the fetching modules: URLs are judged before a library rewrites them,
redirects as they were received, and addresses before connect(), which is given the very address that was judged."""
from __future__ import annotations

import errno
import itertools
import os
import queue
import selectors
import socket
import threading
import time
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

from ._policies import policy_of
from ._refused import Refused
from ._urivet import PUBLIC, Policy

# Fields of a request that are not sent to another origin.
CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization"})
_FAMILIES = (socket.AF_INET, socket.AF_INET6)


class Peer(NamedTuple):
    """An address that was accepted; it is connected to by this and nothing else."""

    family: int
    address: str
    port: int

    @property
    def sockaddr(self) -> tuple:
        # no scope and no flow: an address that needs one is refused
        return (self.address, self.port) if self.family == socket.AF_INET else (self.address, self.port, 0, 0)


class Guard:
    """A policy, and the exceptions of a library that report its refusals."""

    def __init__(self, policy: Policy | str | None, refused_url: type[Refused],
                 refused_address: type[Refused]) -> None:
        self.given = policy is not None  # or used: then it is no owner's to choose
        self.policy = PUBLIC if policy is None else policy_of(policy)
        if self.policy.observes:
            raise ValueError("a policy that only observes guards nothing: take `mode: observe` out of it")
        self.refused_url, self.refused_address = refused_url, refused_address

    def join(self, owner: Guard) -> None:
        """Makes this guard of an adapter or a connector one of its session: it takes over the session's policy, or
        raises ValueError if it has another one."""
        if self.policy is not owner.policy and self.given and self.policy.compile() != owner.policy.compile():
            raise ValueError(f"this part judges by the policy {self.policy.name!r}, its session by "
                             f"{owner.policy.name!r}: give both the same, or the part none")
        self.policy, self.given = owner.policy, True

    def refuse(self, what: str, report=None, **more: Any) -> NoReturn:
        """Raises that something else than an address is refused."""
        raise self.refused_url.because(what, report, **more)

    def url(self, url: str | bytes, **more: Any) -> None:
        """Raises unless the URL is accepted."""
        self.given = True
        report = self.policy.check(url)
        if not report.ok:
            self.refuse("a URL", report, **more)

    def location(self, locations: Iterable[str | bytes], base: str | bytes, **more: Any) -> str:
        """Where a redirect leads, by the values of its Location fields: an absolute URL that is accepted."""
        found = [one.encode("latin-1", "surrogateescape") if isinstance(one, str) else bytes(one) for one in locations]
        if len(found) != 1:
            self.refuse(f"a redirect with {len(found)} Location fields", **more)
        report = self.policy.check_redirect(found[0], base)
        if not report.ok:
            self.refuse("a redirect", self._itself(found[0], base) if report.uri == "" else report, **more)
        return report.uri

    def _itself(self, location: bytes, base: str | bytes) -> Any:
        """The report about a Location that cannot be resolved: what it has that is in no URI. A path is put after the
        origin that it is resolved against."""
        report, origin = self.policy.check(location), self.policy.check(base).components
        if "not-absolute" not in report.ids or origin is None:
            return report
        if location.startswith(b"//"):
            return self.policy.check(f"{origin.scheme}:".encode() + location)
        return self.policy.check(f"{origin.scheme}://{origin.authority}/".encode() + location.removeprefix(b"/"))

    def crosses(self, base: str | bytes, target: str | bytes) -> bool:
        """Whether a redirect from `base` leads to another scheme, host or port: credentials are not sent there."""
        return "cross-origin" in self.policy.check_redirect(target, base, same_origin=True).ids

    def peers(self, answers: Iterable[tuple], **more: Any) -> list[Peer]:
        """Those of getaddrinfo()'s rows that may be connected to; raises if there is none."""
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
            raise self.refused_address.because("every address of a name", report, **more)
        return peers

    def connect(self, host: str, port: int, timeout: Any = socket.getdefaulttimeout, source_address: Any = None,
                options: Iterable[tuple] | None = None) -> socket.socket:
        """A socket, connected to an address of the host that was judged. `timeout` is in seconds, for the look-up and
        all addresses; None for none; the default is that of the module socket."""
        timeout = timeout() if callable(timeout) else timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        peers = self.peers(_look_up(host, port, timeout))
        sock = _raced(peers, deadline, source_address, options or ())
        sock.settimeout(timeout)
        return sock


# ---- Connecting, all of it within one deadline ---------------------------------------------------

ATTEMPT_DELAY = 0.25  # seconds from one attempt to the next, while none has succeeded (RFC 8305, 5)


def _look_up(host: str, port: int, timeout: float | None) -> list[tuple]:
    """getaddrinfo(), which knows no timeout: it is left alone in a thread when time is up."""
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
    """The families by turns, beginning with that of the first."""
    first = [peer for peer in peers if peer.family == peers[0].family]
    others = [peer for peer in peers if peer.family != peers[0].family]
    return [peer for pair in itertools.zip_longest(first, others) for peer in pair if peer is not None]


def _begun(peer: Peer, source_address: Any, options: Iterable[tuple]) -> socket.socket:
    """A socket that is being connected."""
    sock = socket.socket(peer.family, socket.SOCK_STREAM)
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
    """The first socket that is connected; attempts are begun one after the other, and the last error is raised."""
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
