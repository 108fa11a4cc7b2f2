# SPDX-License-Identifier: Apache-2.0
"""urllib3 with checks by a policy: urivet.urllib3.PoolManager(policy), also where a pool is used directly."""
from __future__ import annotations

import socket
from typing import Any

from ._guard import CREDENTIALS, Connected, Guard
from ._limits import Body, Exchange, current, timed
from ._needs import needs
from ._refused import kinds_of
from ._urivet import Policy

with needs("urllib3"):
    from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3 import PoolManager as _PoolManager
    from urllib3 import ProxyManager as _ProxyManager
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.exceptions import (ConnectTimeoutError, HTTPError, LocationValueError, MaxRetryError,
                                    NewConnectionError, TimeoutError)
    from urllib3.response import HTTPResponse
    from urllib3.util.retry import Retry
    from urllib3.util.timeout import Timeout

__all__ = ["PoolManager", "ProxyManager", "RefusedAddress", "RefusedURL", "ResponseTooLarge", "TotalTimeout"]


KINDS = RefusedURL, RefusedAddress, ResponseTooLarge, TotalTimeout = kinds_of(__name__, LocationValueError, HTTPError,
                                                                              HTTPError, TimeoutError)


# The beginnings of names of fields that describe a body.
_OF_BODY = "content-", "transfer-", "digest", "last-modified"


def _seconds(timeout: Any) -> Any:
    return socket.getdefaulttimeout() if timeout is Timeout.DEFAULT_TIMEOUT else timeout


class _Response(HTTPResponse):
    """A response that keeps the limits of its exchange."""

    exchange: Exchange | None = None
    body: Body | None = None

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self.exchange = current()
        super().__init__(*arguments, **more)

    def _decode(self, data: bytes, decode_content: bool, flush_decoder: bool, *more: Any, **named: Any) -> bytes:
        if self.exchange is None:
            return super()._decode(data, decode_content, flush_decoder, *more, **named)
        if self.body is None:
            self.body = Body(self.exchange, self.headers.get("content-encoding", "") if decode_content else "")
        self.body.received(len(data))
        decode = super()._decode
        data = self.body.decode(lambda piece: decode(piece, decode_content, False, *more, **named), data)
        rest = decode(b"", decode_content, True, *more, **named) if flush_decoder else b""
        self.body.count(len(rest))
        return data + rest

    def _end(self) -> None:
        self.close()
        self.release_conn()

    def read(self, amt: int | None = None, decode_content: bool | None = None, cache_content: bool = False) -> Any:
        if self.exchange is None or self._fp is None:
            return super().read(amt, decode_content, cache_content)
        if amt is not None:
            with self.exchange.part(self._end):
                return super().read(amt, decode_content, cache_content)
        self.enforce_content_length = True
        data = b"".join(self.stream(65536, self.decode_content if decode_content is None else decode_content))
        if cache_content:
            self._body = data
        return data

    def stream(self, amt: int | None = 65536, decode_content: bool | None = None) -> Any:
        chunks = super().stream(amt, decode_content)
        return chunks if self.exchange is None else self.exchange.each(chunks, self._end)


class _Connection:
    """A connection that refuses to connect without a guard."""

    guard: Guard | None = None
    is_proxied = False

    def _new_conn(self) -> socket.socket:
        if self.guard is None:
            raise RefusedAddress.because("a connection that has no guard")
        try:
            return self.guard.connect(self._dns_host, self.port, _seconds(self.timeout), self.source_address,
                                      self.socket_options, self.is_proxied)
        except socket.timeout as error:
            raise ConnectTimeoutError(self, f"Connection to {self.host} timed out") from error
        except OSError as error:
            raise NewConnectionError(self, f"Failed to establish a new connection: {error}") from error

    def getresponse(self, *arguments: Any, **more: Any) -> Any:
        """Makes the response of urllib3 2 one of this module; before 2, the pool makes it."""
        options, exchange = getattr(self, "_response_options", None), current()
        if options is None or exchange is None:
            return super().getresponse(*arguments, **more)
        self._response_options = options._replace(preload_content=False)
        response = super().getresponse(*arguments, **more)
        response.__class__, response.exchange = _Response, exchange
        if options.preload_content:
            response.data  # noqa: B018
        return response


class _HTTPConnection(_Connection, HTTPConnection):
    pass


class _HTTPSConnection(_Connection, HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        timed(self.sock)


class _Pool:
    """Checks every requested URL, and every redirect before a response returns it."""

    guard: Guard | None = None
    is_proxied = False
    ResponseCls = _Response

    def _absolute(self, url: str) -> str:
        if not url.startswith("/"):
            return url
        host = f"[{self.host.strip('[]')}]" if ":" in self.host else self.host
        port = "" if self.port in (None, {"http": 80, "https": 443}[self.scheme]) else f":{self.port}"
        return f"{self.scheme}://{host}{port}{url}"

    def urlopen(self, *arguments: Any, **more: Any) -> Any:
        if self.guard is None:
            raise RefusedURL.because("a pool that has no guard")
        with self.guard.exchange() as exchange:
            return self._open(exchange, *arguments, **more)

    def _open(self, exchange: Exchange | None, method: str, url: str, body: Any = None, headers: Any = None,
              retries: Any = None, redirect: bool = True, *arguments: Any, **more: Any) -> Any:
        absolute = self._absolute(url)
        self.guard.url(absolute)
        self.guard.fields(absolute, (self.headers if headers is None else headers).items())
        # the request goes to the pool's own host
        if absolute == url and not self.is_proxied:
            self.guard.url(self._absolute("/"))
        if exchange is not None:  # a server must not choose how long to wait
            retries = Retry.from_int(retries, redirect, self.retries).new(respect_retry_after_header=False)
        response = super().urlopen(method, url, body, headers, retries, False, *arguments, **more)
        response.get_redirect_location = _judged(response, self.guard, absolute)
        location = response.get_redirect_location() if redirect else None
        if not location:
            return response
        if response.status == 303:
            method, body = "GET", None
            given = (self.headers if headers is None else headers).items()
            headers = {name: value for name, value in given if not name.lower().startswith(_OF_BODY)}
        retries = Retry.from_int(self.retries if retries is None else retries, redirect)
        try:
            retries = retries.increment(method, url, response=response, _pool=self)
        except MaxRetryError:
            if retries.raise_on_redirect:
                response.drain_conn()
                raise
            return response
        response.drain_conn()
        return self.urlopen(method, location, body, headers, retries, True, *arguments, **more)

    def _new_conn(self) -> Any:
        connection = super()._new_conn()
        connection.guard, connection.is_proxied = self.guard, self.is_proxied
        return connection


def _judged(response: Any, guard: Guard, base: str) -> Any:
    """Returns a response.get_redirect_location() that returns only accepted absolute URLs."""
    location_of = response.get_redirect_location

    def location() -> Any:
        location = location_of()
        return guard.location(response.headers.getlist("location"), base) if location else location

    return location


class _HTTPPool(_Pool, HTTPConnectionPool):
    ConnectionCls = _HTTPConnection


class _HTTPSPool(_Pool, HTTPSConnectionPool):
    ConnectionCls = _HTTPSConnection


class _ProxiedHTTPPool(_HTTPPool):
    """Connects only to the given proxy, so a URL cannot choose the address."""

    is_proxied = True


class _ProxiedHTTPSPool(_HTTPSPool):
    is_proxied = True


class _Manager(Connected):
    _pools: dict[str, type]

    def _guard_by(self, guard: Guard) -> None:
        self.guard = guard
        self.pool_classes_by_scheme = dict(self._pools)

    def _new_pool(self, scheme: str, host: str, port: int, request_context: Any = None) -> Any:
        pool = super()._new_pool(scheme, host, port, request_context)
        if not isinstance(pool, _Pool):
            raise RefusedURL.because("a pool of another class")
        pool.guard = self.guard
        return pool

    def urlopen(self, method: str, url: str, redirect: bool = True, **more: Any) -> Any:
        url = self.guard.spelled(url)  # before urllib3 rewrites it
        retries = more.get("retries")
        if not isinstance(retries, Retry):
            retries = Retry.from_int(retries, redirect, self.connection_pool_kw.get("retries"))
        if not retries.remove_headers_on_redirect >= CREDENTIALS:
            retries = retries.new(remove_headers_on_redirect=retries.remove_headers_on_redirect | CREDENTIALS)
        with self.guard.exchange():
            return super().urlopen(method, url, redirect, **{**more, "retries": retries})


class PoolManager(_Manager, _PoolManager):
    """urllib3.PoolManager with checks by a policy; the default is PUBLIC."""

    _pools = {"http": _HTTPPool, "https": _HTTPSPool}

    def __init__(self, policy: Policy | str | None = None, num_pools: int = 10, headers: Any = None, **more: Any) -> None:
        guard = Guard.of(policy, KINDS, more)
        super().__init__(num_pools, headers, **more)
        self._guard_by(guard)


class ProxyManager(_Manager, _ProxyManager):
    """urllib3.ProxyManager: the proxy makes the connections, so addresses of names are not checked."""

    _pools = {"http": _ProxiedHTTPPool, "https": _ProxiedHTTPSPool}

    def __init__(self, policy: Policy | str | None, proxy_url: str, **more: Any) -> None:
        guard = Guard.of(policy, KINDS, more)
        super().__init__(proxy_url, **more)
        self._guard_by(guard)
