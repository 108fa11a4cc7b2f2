# SPDX-License-Identifier: Apache-2.0
"""urllib.request with checks by a policy: urivet.urllib.opener(policy).open(url). It supports http and https."""
from __future__ import annotations

import http.client
import io
import socket
import urllib.request
from typing import Any
from urllib.error import URLError

from ._guard import CREDENTIALS, Connected, Guard
from ._limits import Body, current, timed
from ._refused import Refused, kinds_of
from ._urivet import Policy

__all__ = ["Opener", "RefusedAddress", "RefusedURL", "ResponseTooLarge", "TotalTimeout", "opener"]


KINDS = RefusedURL, RefusedAddress, ResponseTooLarge, TotalTimeout = kinds_of(__name__, *[URLError] * 4)


class _Counted(io.RawIOBase):
    """Reads a body within the limits of its exchange."""

    def __init__(self, response: http.client.HTTPResponse, body: Body) -> None:
        self.response, self.body = response, body

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with self.body.exchange.part(self.response.close):
            octets = self.response.readinto(buffer)
            if not octets and self.response.length:
                raise http.client.IncompleteRead(b"", self.response.length)
            self.body.count(octets)
        return octets

    def close(self) -> None:
        self.response.close()
        super().close()


class _Response(io.BufferedReader):
    """An http.client.HTTPResponse within the limits of its exchange."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw.response, name)


class _HTTPSConnection(http.client.HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        timed(self.sock)


def _guarded(connection: type, guard: Guard) -> Any:
    """Returns a factory of connections whose sockets the guard creates."""

    def create(address: tuple, timeout: Any, source_address: Any = None) -> Any:
        is_default = timeout is http.client.socket._GLOBAL_DEFAULT_TIMEOUT
        return guard.connect(*address, socket.getdefaulttimeout() if is_default else timeout, source_address)

    def make(host: str, **more: Any) -> Any:
        made = connection(host, **more)
        made._create_connection = create
        return made

    return make


def _unwrapped(error: URLError) -> URLError:
    """Returns our own exception, which do_open() wraps in a URLError because it is an OSError."""
    return error.reason if isinstance(error.reason, Refused) else error


class _Fetches:
    """Checks the request again when it is sent, as it can be changed after its creation."""

    guard: Guard

    def _fetch(self, request: urllib.request.Request, connection: type, **more: Any) -> Any:
        if request.has_proxy() or getattr(request, "_tunnel_host", None):
            self.guard.refuse("a proxy that was not allowed")
        url = f"{request.type}://{request.host}{request.selector}"
        self.guard.url(url)
        self.guard.fields(url, request.header_items())
        try:
            response = self.do_open(_guarded(connection, self.guard), request, **more)
            return _Response(_Counted(response, Body(current(), ""))) if current() else response
        except URLError as error:
            raise _unwrapped(error)


class _HTTPHandler(_Fetches, urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> Any:
        return self._fetch(request, http.client.HTTPConnection)


class _HTTPSHandler(_Fetches, urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> Any:
        # check_hostname exists up to Python 3.11
        more = {name: getattr(self, "_" + name) for name in ("context", "check_hostname") if hasattr(self, "_" + name)}
        return self._fetch(request, _HTTPSConnection, **more)


class _RedirectHandler(urllib.request.HTTPRedirectHandler):
    guard: Guard

    def http_error_302(self, request: Any, fp: Any, code: int, message: str, headers: Any) -> Any:
        locations = [value for name in ("location", "uri") for value in headers.get_all(name, ())]
        if not locations:
            return None
        try:
            target = self.guard.location(locations, request.full_url)
        except Refused:
            fp.close()
            raise
        del headers["location"]
        del headers["uri"]
        headers["location"] = target
        return super().http_error_302(request, fp, code, message, headers)

    def redirect_request(self, request: Any, fp: Any, code: int, message: str, headers: Any, newurl: str) -> Any:
        following = super().redirect_request(request, fp, code, message, headers, newurl)
        if following is not None and self.guard.crosses(request.full_url, newurl):
            for name in [name for name in following.headers if name.lower() in CREDENTIALS]:
                following.remove_header(name)
        return following

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


class Opener(Connected, urllib.request.OpenerDirector):
    """urllib.request.OpenerDirector with checks by a policy; see opener()."""

    def __init__(self, policy: Policy | str | None = None, *, context: Any = None, **options: Any) -> None:
        self.guard = Guard(policy, KINDS, **options)
        super().__init__()
        ours = [_HTTPHandler(), _HTTPSHandler(context=context), _RedirectHandler()]
        self._ours = frozenset(map(id, ours))
        for handler in ours:
            handler.guard = self.guard
            self.add_handler(handler)
        for kind in (urllib.request.UnknownHandler, urllib.request.HTTPDefaultErrorHandler,
                     urllib.request.HTTPErrorProcessor):
            self.add_handler(kind())

    def add_handler(self, handler: Any) -> None:
        """Refuses handlers that fetch URLs or follow redirects themselves."""
        fetches = [name for name in dir(handler) if name.endswith("_open") and name != "unknown_open" and name != "do_open"]
        follows = isinstance(handler, urllib.request.HTTPRedirectHandler)
        if (fetches or follows) and id(handler) not in self._ours:
            raise RefusedURL.because(f"a handler that fetches: {type(handler).__name__}")
        super().add_handler(handler)

    def open(self, fullurl: Any, data: Any = None, timeout: Any = http.client.socket._GLOBAL_DEFAULT_TIMEOUT) -> Any:
        given = fullurl.full_url if isinstance(fullurl, urllib.request.Request) else fullurl
        if (url := self.guard.spelled(given)) is not given and given is not fullurl:
            fullurl.full_url = url
        elif url is not given:
            fullurl = url
        with self.guard.exchange():
            return super().open(fullurl, data, timeout)


def opener(policy: Policy | str | None = None, *handlers: Any, context: Any = None, **options: Any) -> Opener:
    """Returns an opener. `handlers` are additional ones of urllib.request, as for cookies and passwords."""
    made = Opener(policy, context=context, **options)
    for handler in handlers:
        made.add_handler(handler() if isinstance(handler, type) else handler)
    return made
