# SPDX-License-Identifier: Apache-2.0
"""aiohttp with checks by a policy: urivet.aiohttp.ClientSession(policy). The connector checks URLs and addresses."""
from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import socket
import warnings
from asyncio.staggered import staggered_race
from typing import Any

from ._guard import ATTEMPT_DELAY, CREDENTIALS, Connected, Guard, Peer, interleaved
from ._limits import Body, Exchange
from ._needs import needs
from ._refused import LimitExceeded, Refused, kinds_of
from ._urivet import Policy

with needs("aiohttp"):
    import aiohttp

__all__ = ["ClientSession", "RefusedAddress", "RefusedURL", "ResponseTooLarge", "TCPConnector", "TotalTimeout"]

# The methods that check addresses. In a release without them, requests would not be checked.
for _name in ("_resolve_host", "_wrap_create_connection", "connect"):
    if not hasattr(aiohttp.TCPConnector, _name):
        raise ImportError(f"urivet does not know this aiohttp: its connector has no {_name}")


KINDS = RefusedURL, RefusedAddress, ResponseTooLarge, TotalTimeout = kinds_of(
    __name__, aiohttp.InvalidURL, aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, aiohttp.ServerTimeoutError)


# Later releases of aiohttp try several addresses themselves.
_RACES = "addr_infos" in inspect.signature(aiohttp.TCPConnector._wrap_create_connection).parameters


class _Raced(str):
    """An address of a resolver row, with all peers to try."""

    def __new__(cls, address: str, peers: list[Peer]) -> _Raced:
        made = super().__new__(cls, address)
        made.peers = peers
        return made


async def _connected(peer: Peer, local_address: Any) -> socket.socket:
    sock = socket.socket(peer.family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        if local_address:
            sock.bind(local_address)
        await asyncio.get_running_loop().sock_connect(sock, peer.sockaddr)
        return sock
    except BaseException:
        sock.close()
        raise


def _answer(host: dict) -> tuple:
    """Converts a row of the resolver to one of getaddrinfo(). The address determines the family."""
    family = socket.AF_INET6 if ":" in host["host"] else socket.AF_INET
    address = (host["host"], host["port"]) if family == socket.AF_INET else (host["host"], host["port"], 0, 0)
    return family, socket.SOCK_STREAM, 0, "", address


class TCPConnector(Connected, aiohttp.TCPConnector):
    """aiohttp.TCPConnector with checks by a policy; the default is the policy of the session."""

    def __init__(self, policy: Policy | str | None = None, *, proxy: str | None = None, **more: Any) -> None:
        self.guard = Guard(policy, KINDS)
        self.proxy = None if proxy is None else aiohttp.client.URL(proxy)
        super().__init__(**more)

    async def connect(self, req: Any, *arguments: Any, **more: Any) -> Any:
        if req.proxy != self.proxy:
            self.guard.refuse("a proxy that was not allowed")
        self.guard.url(str(req.url))
        self.guard.fields(str(req.url), req.headers.items())
        return await super().connect(req, *arguments, **more)

    async def _resolve_host(self, host: str, port: int, *arguments: Any, **more: Any) -> list[dict]:
        found = await super()._resolve_host(host, port, *arguments, **more)
        if self.proxy is not None:  # connect() allows no other destination
            if (host, port) != (self.proxy.raw_host, self.proxy.port):
                raise RefusedAddress.because("another host than the proxy")
            return found
        peers = interleaved(self.guard.peers(map(_answer, found)))
        return [{"hostname": host, "host": _Raced(peer.address, peers), "port": peer.port, "family": peer.family,
                 "proto": 0, "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV}
                for peer in (peers if _RACES else peers[:1])]

    async def _wrap_create_connection(self, *arguments: Any, **more: Any) -> Any:
        """Tries all addresses of the row, and uses the socket that is connected first."""
        factory, *where = arguments
        # for the proxy, or if aiohttp tries the addresses itself
        if not where or not isinstance(where[0], _Raced):
            return await super()._wrap_create_connection(*arguments, **more)
        for name in ("family", "proto", "flags"):
            more.pop(name, None)
        attempts = [functools.partial(_connected, peer, more.get("local_addr")) for peer in where[0].peers]
        more.pop("local_addr", None)
        async with asyncio.timeout(more["timeout"].sock_connect):
            sock, _, errors = await staggered_race(attempts, ATTEMPT_DELAY)
            if sock is None:
                kind = more.get("client_error", aiohttp.ClientConnectorError)
                raise kind(more["req"].connection_key, errors[-1])
            return await super()._wrap_create_connection(factory, sock=sock, **more)


class _Content(aiohttp.StreamReader):
    """The content of a response that keeps the limits of its exchange."""

    body: Body

    def feed_data(self, data: bytes, size: int = 0) -> None:
        try:
            if self._exception is None:
                self.body.count(len(data))
                super().feed_data(data, size)
        except LimitExceeded as error:
            self.set_exception(error)
            if self._protocol.transport is not None:
                self._protocol.transport.close()

    def set_exception(self, exc: BaseException, *cause: Any) -> None:
        super().set_exception(self._exception or exc, *cause)

    async def _wait(self, func_name: str) -> None:
        with self.body.exchange.part():
            async with asyncio.timeout(self.body.exchange.timeout()):
                await super()._wait(func_name)


def _limited(response: aiohttp.ClientResponse, exchange: Exchange | None) -> aiohttp.ClientResponse:
    content = response.content
    if exchange is not None and type(content) is aiohttp.StreamReader and response.status != 101:
        content.__class__, content.body = _Content, Body(exchange, "")
        try:
            content.body.count(content.total_bytes)  # those that came with the header
        except LimitExceeded:
            response.close()
            raise
    return response


# The URL that the current request began with, before redirects.
_first_url: contextvars.ContextVar[str | None] = contextvars.ContextVar("urivet.aiohttp", default=None)


class _Cookies:
    """The cookie jar of a session. Keeps cookies without a domain from other origins after a redirect."""

    def __init__(self, jar: Any, guard: Guard) -> None:
        self.jar, self._guard = jar, guard

    def __getattr__(self, name: str) -> Any:
        return getattr(self.jar, name)

    def filter_cookies(self, request_url: Any) -> Any:
        found, first = self.jar.filter_cookies(request_url), _first_url.get()
        if first is not None and self._guard.crosses(first, str(request_url)):
            for cookie in self.jar:
                # another cookie of this name may have a domain
                if not cookie["domain"] and cookie.key in found and found[cookie.key].value == cookie.value:
                    del found[cookie.key]
        return found


def _judges_redirects(guard: Guard) -> aiohttp.TraceConfig:
    async def judge(session: Any, context: Any, parameters: Any) -> None:
        response = parameters.response
        locations = [value for name, value in response.raw_headers if name.lower() in (b"location", b"uri")]
        if not locations:
            return
        try:
            target = guard.location(locations, str(response.url))
        except Refused:
            response.close()
            raise
        if guard.crosses(str(response.url), target):
            for name in CREDENTIALS:  # later releases of aiohttp do this themselves
                parameters.headers.pop(name, None)

    trace = aiohttp.TraceConfig()
    trace.on_request_redirect.append(judge)
    return trace


with warnings.catch_warnings():
    # only a subclass can check the URL before aiohttp rewrites it
    warnings.simplefilter("ignore", DeprecationWarning)

    class ClientSession(Connected, aiohttp.ClientSession):
        """aiohttp.ClientSession with checks by a policy; the default is PUBLIC. `connector`, if
        given, must be one of this module."""

        ATTRS = aiohttp.ClientSession.ATTRS | {"guard"}

        def __init__(self, policy: Policy | str | None = None, *, proxy: str | None = None, connector: Any = None,
                     trust_env: bool = False, trace_configs: Any = None, **more: Any) -> None:
            if trust_env:
                raise ValueError("a guarded session does not trust the environment: name the proxy when it is made")
            self.guard = Guard.of(policy, KINDS, more)
            connector = TCPConnector(policy, proxy=proxy) if connector is None else connector
            super().__init__(connector=self._guarded_or_raise(connector), trust_env=False,
                             trace_configs=[_judges_redirects(self.guard), *(trace_configs or [])], **more)
            self._cookie_jar = _Cookies(self._cookie_jar, self.guard)

        @property
        def cookie_jar(self) -> Any:
            return self._cookie_jar.jar

        def _guarded_or_raise(self, connector: Any) -> TCPConnector:
            if not isinstance(connector, TCPConnector):
                raise TypeError(f"only a urivet.aiohttp.TCPConnector is guarded, not {type(connector)!r}")
            connector.guard.join(self.guard)
            return connector

        async def _request(self, method: str, str_or_url: Any, *, proxy: Any = None, **more: Any) -> Any:
            if self.closed:
                raise RuntimeError("Session is closed")
            connector = self._guarded_or_raise(self._connector)
            url = str(str_or_url if self._base_url is None else self._build_url(str_or_url))
            if (given := self.guard.spelled(url)) != url:
                url, str_or_url = given, aiohttp.client.URL(given, encoded=True)
            if proxy is not None and aiohttp.client.URL(proxy) != connector.proxy:
                self.guard.refuse("a proxy that was not allowed")
            token = _first_url.set(url)
            try:
                with self.guard.exchange() as exchange:
                    async with asyncio.timeout(exchange and exchange.timeout()):
                        response = await super()._request(method, str_or_url, proxy=connector.proxy, **more)
                    return _limited(response, exchange)
            finally:
                _first_url.reset(token)
