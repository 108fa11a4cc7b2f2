# SPDX-License-Identifier: Apache-2.0
"""httpx with checks by a policy: urivet.httpx.Client(policy) and AsyncClient(policy). All transports are of this module."""
from __future__ import annotations

import contextlib
import contextvars
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

from ._guard import ATTEMPT_DELAY, CREDENTIALS, Connected, Guard, Peer, interleaved
from ._limits import Body, current, timed
from ._needs import needs
from ._refused import kinds_of
from ._urivet import Policy

with needs("httpx"):
    import anyio
    import httpcore
    import httpx
    from httpcore.backends.auto import AutoBackend
    from httpcore.backends.base import AsyncNetworkBackend, AsyncNetworkStream, NetworkBackend
    from httpcore.backends.sync import SyncStream

__all__ = ["AsyncClient", "AsyncHTTPTransport", "Client", "HTTPTransport", "MockTransport", "RefusedAddress",
           "RefusedURL", "ResponseTooLarge", "TotalTimeout"]

# The methods that check redirects and select transports.
for _name in ("_redirect_url", "_merge_url", "_build_redirect_request", "_redirect_headers",
              "_transport_for_url"):
    if not hasattr(httpx.Client, _name):
        raise ImportError(f"urivet does not know this httpx: it has no {_name}")


KINDS = RefusedURL, RefusedAddress, ResponseTooLarge, TotalTimeout = kinds_of(
    __name__, httpx.UnsupportedProtocol, httpx.ConnectError, httpx.RequestError, httpx.TimeoutException)


# ---- Connections ----------------------------------------------------------------------------

def _failed(error: OSError) -> Exception:
    kind = httpcore.ConnectTimeout if isinstance(error, TimeoutError) else httpcore.ConnectError
    return kind(str(error))


class _Connection(SyncStream):
    def start_tls(self, *arguments: Any, **more: Any) -> Any:
        made = super().start_tls(*arguments, **more)
        timed(getattr(made, "_sock", None))
        return made


def _within(timeout: float | None) -> float | None:
    exchange = current()
    return timeout if exchange is None else exchange.timeout(timeout)


class _AsyncConnection(AsyncNetworkStream):
    """Sends and receives until the deadline of the exchange."""

    def __init__(self, inner: AsyncNetworkStream) -> None:
        self.inner, self.aclose, self.get_extra_info = inner, inner.aclose, inner.get_extra_info

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self.inner.read(max_bytes, _within(timeout))

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self.inner.write(buffer, _within(timeout))

    async def start_tls(self, ssl_context: Any, server_hostname: Any = None, timeout: float | None = None) -> Any:
        return _AsyncConnection(await self.inner.start_tls(ssl_context, server_hostname, _within(timeout)))


class _Backend(NetworkBackend):
    def __init__(self, guard: Guard, is_proxied: bool = False) -> None:
        self.guard, self.is_proxied = guard, is_proxied

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
                    socket_options: Any = None) -> Any:
        source = None if local_address is None else (local_address, 0)
        try:
            return _Connection(self.guard.connect(host, port, timeout, source, socket_options, self.is_proxied))
        except OSError as error:
            raise _failed(error) from error

    def connect_unix_socket(self, *arguments: Any, **more: Any) -> Any:
        raise RefusedAddress.because("a Unix socket")


class _AsyncBackend(AsyncNetworkBackend):
    """Connects to address literals, which are not resolved again."""

    def __init__(self, guard: Guard, is_proxied: bool = False) -> None:
        self.guard, self.is_proxied, self.inner = guard, is_proxied, AutoBackend()

    async def connect_tcp(self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
                          **more: Any) -> Any:
        if self.is_proxied:
            return _AsyncConnection(await self.inner.connect_tcp(host, port, timeout, local_address, **more))
        try:
            with anyio.fail_after(timeout):
                answers = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                peer, stream = await self._raced(self.guard.peers(answers), local_address, **more)
        except OSError as error:
            raise _failed(error) from error
        if stream.get_extra_info("server_addr")[:2] == (peer.address, peer.port):
            return _AsyncConnection(stream)
        await stream.aclose()
        raise RefusedAddress.because("a connection to another address than was judged")

    async def _raced(self, peers: list[Peer], local_address: str | None, **more: Any) -> tuple[Peer, Any]:
        """Returns the first stream that is connected. Attempts start one after the other (RFC 8305, 5)."""
        connected: list[tuple[Peer, Any]] = []
        errors: list[Exception] = []

        async def attempt(peer: Peer, failed: anyio.Event) -> None:
            try:
                stream = await self.inner.connect_tcp(peer.address, peer.port, None, local_address, **more)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                errors.append(error)
                failed.set()
                return
            connected.append((peer, stream))
            group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            for peer in interleaved(peers):
                failed = anyio.Event()
                group.start_soon(attempt, peer, failed)
                with anyio.move_on_after(ATTEMPT_DELAY):
                    await failed.wait()
        for _, late in connected[1:]:
            await late.aclose()
        if not connected:
            raise errors[-1]
        return connected[0]

    async def connect_unix_socket(self, *arguments: Any, **more: Any) -> Any:
        raise RefusedAddress.because("a Unix socket")

    async def sleep(self, seconds: float) -> None:
        await self.inner.sleep(seconds)


# ---- Transports ------------------------------------------------------------------------------

class _Stream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that keeps the limits of its exchange."""

    def __init__(self, inner: Any, decoder: Any, body: Body) -> None:
        self.inner, self.decoder, self.body = inner, decoder, body

    def decode(self, data: bytes) -> bytes:
        return self.body.decode(self.decoder.decode, data)

    def flush(self) -> bytes:
        data = self.decoder.flush()
        self.body.count(len(data))
        return data

    def _counted(self, data: bytes | None) -> bytes | None:
        self.body.received(len(data or b""))
        return data

    def __iter__(self) -> Iterator[bytes]:
        return self.body.exchange.each(map(self._counted, self.inner))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        chunks, exchange = aiter(self.inner), self.body.exchange
        while True:
            with exchange.part():
                data = self._counted(await anext(chunks, None))
            if data is None:
                return
            yield data

    def close(self) -> None:
        self.inner.close()

    async def aclose(self) -> None:
        await self.inner.aclose()


def _limited(response: httpx.Response) -> httpx.Response:
    exchange = current()
    if exchange is not None:
        body = Body(exchange, response.headers.get("content-encoding", ""))
        body.count(len(getattr(response, "_content", b"")))  # of a mock
        response.stream = response._decoder = _Stream(response.stream, response._get_content_decoder(), body)
    return response


class _Judges(Connected):
    """The common part of all transports."""

    def _judge(self, request: httpx.Request) -> None:
        self.guard.url(str(request.url))
        self.guard.fields(str(request.url), request.headers.raw)
        given = request.extensions.get("timeout", {})
        request.extensions = {**request.extensions, "timeout": {name: _within(given[name]) for name in given}}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._judge(request)
        return _limited(super().handle_request(request))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._judge(request)
        return _limited(await super().handle_async_request(request))


class _Transport(_Judges):
    """The common part of those that connect. With a proxy, the pool connects only to it."""

    _backend: type

    def __init__(self, policy: Policy | str | None = None, *, proxy: Any = None, verify: Any = True, cert: Any = None,
                 http1: bool = True, http2: bool = False, limits: Any = httpx.Limits(max_connections=100,
                                                                                  max_keepalive_connections=20),
                 local_address: str | None = None, retries: int = 0) -> None:
        self.guard = Guard(policy, KINDS)
        verify = httpx.create_ssl_context(verify=verify, cert=cert, trust_env=False)
        super().__init__(verify=verify, http1=http1, http2=http2, limits=limits, trust_env=False,
                         proxy=httpx.Proxy(proxy) if isinstance(proxy, str) else proxy, local_address=local_address,
                         retries=retries)
        if not hasattr(self._pool, "_network_backend"):
            raise ImportError("urivet does not know this httpcore: its pools have no _network_backend")
        self._pool._network_backend = self._backend(self.guard, proxy is not None)


class HTTPTransport(_Transport, httpx.HTTPTransport):
    """httpx.HTTPTransport with checks by a policy; the default is the policy of the client."""

    _backend = _Backend


class AsyncHTTPTransport(_Transport, httpx.AsyncHTTPTransport):
    """httpx.AsyncHTTPTransport with checks by a policy; the default is the policy of the client."""

    _backend = _AsyncBackend


class MockTransport(_Judges, httpx.MockTransport):
    """httpx.MockTransport for tests: URLs and redirects are checked, and a function responds."""

    def __init__(self, handler: Any, policy: Policy | str | None = None) -> None:
        self.guard = Guard(policy, KINDS)
        super().__init__(handler)


# ---- Clients -----------------------------------------------------------------------------------

# Whether the current request follows redirects. Otherwise a refused one means that there is no next request.
_follows = contextvars.ContextVar("urivet.httpx.follows", default=True)

def _keep_cookies_with_domains(request: httpx.Request, cookies: httpx.Cookies) -> None:
    """Removes cookies of the client that have no domain."""
    kept = httpx.Cookies()
    for cookie in cookies.jar:
        if cookie.domain:
            kept.jar.set_cookie(cookie)
    request.headers.pop("Cookie", None)
    kept.set_cookie_header(request)


_OF_TRANSPORT = ("verify", "cert", "http1", "http2", "limits")


class _Client(Connected):
    """The common part of both clients."""

    _guarded: type

    def __init__(self, policy: Policy | str | None = None, *, proxy: Any = None, transport: Any = None, mounts: Any = None,
                 app: Any = None, proxies: Any = None, trust_env: bool = False, **more: Any) -> None:
        self.guard = Guard.of(policy, KINDS, more)
        if app is not None or proxies is not None or trust_env:
            raise ValueError("app, proxies and trust_env are not guarded: name one proxy as `proxy`")
        for one in [transport, *(mounts or {}).values()]:
            if one is not None:
                self._guarded_or_raise(one)
        own = {name: more.pop(name) for name in _OF_TRANSPORT if name in more}
        transport = self._guarded(policy, proxy=proxy, **own) if transport is None else transport
        super().__init__(transport=transport, mounts=mounts, trust_env=False, **more)

    def _guarded_or_raise(self, transport: Any) -> Any:
        if not isinstance(transport, (self._guarded, MockTransport)):
            raise TypeError(f"only a urivet.httpx.{self._guarded.__name__} is guarded, not {type(transport)!r}")
        transport.guard.join(self.guard)
        return transport

    def _transport_for_url(self, url: httpx.URL) -> Any:
        return self._guarded_or_raise(super()._transport_for_url(url))

    def build_request(self, method: str, url: Any, **more: Any) -> httpx.Request:
        whole = str(self._merge_url(url)) if self._is_relative(url) else str(url)
        given = self.guard.spelled(whole)
        return super().build_request(method, url if given == whole else given, **more)

    @contextlib.contextmanager
    def _sending(self, request: httpx.Request, follow_redirects: Any = httpx.USE_CLIENT_DEFAULT, **more: Any) -> Iterator[None]:
        self.guard.url(str(request.url))
        before = _follows.set(self.follow_redirects if follow_redirects is httpx.USE_CLIENT_DEFAULT else follow_redirects)
        try:
            with self.guard.exchange():
                yield
        finally:
            _follows.reset(before)

    def _is_relative(self, url: Any) -> bool:
        return bool(str(self.base_url)) and httpx.URL(url).is_relative_url

    def _redirect_url(self, request: httpx.Request, response: httpx.Response) -> httpx.URL:
        locations = [value for name, value in response.headers.raw if name.lower() == b"location"]
        return httpx.URL(self.guard.location(locations, str(request.url)))

    def _redirect_headers(self, request: httpx.Request, url: httpx.URL, method: str) -> httpx.Headers:
        headers = super()._redirect_headers(request, url, method)
        if self.guard.crosses(str(request.url), str(url)):
            for name in CREDENTIALS - {"host"}:  # httpx writes the new one
                headers.pop(name, None)
        return headers

    def _build_redirect_request(self, request: httpx.Request, response: httpx.Response) -> httpx.Request | None:
        try:
            following = super()._build_redirect_request(request, response)
            if self.guard.crosses(str(request.url), str(following.url)):
                _keep_cookies_with_domains(following, self.cookies)
            return following
        except RefusedURL as refusal:
            refusal.request = request
            if _follows.get():
                raise
            return None


class Client(_Client, httpx.Client):
    """httpx.Client with checks by a policy; the default is PUBLIC."""

    _guarded = HTTPTransport

    def send(self, request: httpx.Request, **more: Any) -> httpx.Response:
        with self._sending(request, **more):
            return super().send(request, **more)


class AsyncClient(_Client, httpx.AsyncClient):
    """httpx.AsyncClient with checks by a policy; the default is PUBLIC."""

    _guarded = AsyncHTTPTransport

    async def send(self, request: httpx.Request, **more: Any) -> httpx.Response:
        with self._sending(request, **more):
            return await super().send(request, **more)
