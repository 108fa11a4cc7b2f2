# SPDX-License-Identifier: Apache-2.0
"""requests, guarded: urivet.requests.Session(policy).

What fetches is the adapter, and every adapter of a session has to be guarded: mount() takes no other, and one that
gets in another way is not used. The environment is not asked: no proxies, no netrc. An allowed proxy is named when
the session is made; then URLs and redirects are judged, and the proxy connects.
"""
from __future__ import annotations

from typing import Any

import requests
from requests.adapters import HTTPAdapter as _HTTPAdapter

from . import urllib3 as guarded
from ._guard import CREDENTIALS, Guard
from ._refused import Refused
from ._urivet import Policy

__all__ = ["HTTPAdapter", "RefusedAddress", "RefusedURL", "Session"]


class RefusedURL(Refused, requests.exceptions.InvalidURL):
    """A URL, a redirect or a proxy was refused."""


class RefusedAddress(Refused, requests.exceptions.ConnectionError):
    """A name leads to no address that is accepted."""


def _as_ours(refusal: Refused, kind: type[Refused], request: Any) -> Refused:
    ours = kind(str(refusal), request=request)
    ours.report, ours.public_reason = refusal.report, refusal.public_reason
    return ours


class HTTPAdapter(_HTTPAdapter):
    """requests.adapters.HTTPAdapter, guarded by a policy: its session's where none is given."""

    __attrs__ = [*_HTTPAdapter.__attrs__, "guard", "proxy"]

    def __init__(self, policy: Policy | str | None = None, *, proxy: str | None = None, **more: Any) -> None:
        self.guard, self.proxy = Guard(policy, RefusedURL, RefusedAddress), proxy
        super().__init__(**more)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **more: Any) -> None:
        self._pool_connections, self._pool_maxsize, self._pool_block = connections, maxsize, block
        self.poolmanager = guarded.PoolManager(self.guard.policy, connections, maxsize=maxsize, block=block, **more)

    def proxy_manager_for(self, proxy: str, **more: Any) -> Any:
        if proxy != self.proxy or proxy.lower().startswith("socks"):
            self.guard.refuse("a proxy that was not allowed")
        if proxy not in self.proxy_manager:
            self.proxy_manager[proxy] = guarded.ProxyManager(
                self.guard.policy, proxy, proxy_headers=self.proxy_headers(proxy), num_pools=self._pool_connections,
                maxsize=self._pool_maxsize, block=self._pool_block, **more)
        return self.proxy_manager[proxy]

    def join(self, session: Guard) -> None:
        """Takes over the policy of the session; see Guard.join()."""
        self.guard.join(session)
        for manager in (self.poolmanager, *self.proxy_manager.values()):
            if isinstance(manager, (guarded.PoolManager, guarded.ProxyManager)):
                manager.guard.policy = self.guard.policy

    def send(self, request: Any, stream: bool = False, timeout: Any = None, verify: Any = True, cert: Any = None,
             proxies: Any = None) -> Any:
        if any(proxy != self.proxy for proxy in (proxies or {}).values() if proxy):
            self.guard.refuse("a proxy that was not allowed", request=request)
        self.guard.url(request.url, request=request)
        if not isinstance(self.poolmanager, guarded.PoolManager):  # of an init_poolmanager() that comes before ours
            self.guard.refuse("a pool manager that is not guarded", request=request)
        proxies = {"http": self.proxy, "https": self.proxy} if self.proxy else None
        try:
            return super().send(request, stream, timeout, verify, cert, proxies)
        except guarded.RefusedAddress as refusal:
            raise _as_ours(refusal, RefusedAddress, request) from refusal
        except guarded.RefusedURL as refusal:
            raise _as_ours(refusal, RefusedURL, request) from refusal


class Session(requests.Session):
    """requests.Session, guarded by a policy: PUBLIC where none is given. A session that is copied or pickled is
    guarded as well."""

    __attrs__ = [*requests.Session.__attrs__, "guard"]

    def __init__(self, policy: Policy | str | None = None, *, proxy: str | None = None) -> None:
        self.guard = Guard(policy, RefusedURL, RefusedAddress)
        super().__init__()
        self.mount("https://", HTTPAdapter(policy, proxy=proxy))
        self.mount("http://", HTTPAdapter(policy, proxy=proxy))

    @property
    def policy(self) -> Policy:
        return self.guard.policy

    @property
    def trust_env(self) -> bool:
        """False: what the environment says of proxies and passwords is not asked."""
        return False

    @trust_env.setter
    def trust_env(self, value: bool) -> None:
        if value and "adapters" in self.__dict__:  # requests itself sets it once, when the session is made
            raise ValueError("a guarded session does not trust the environment: name the proxy when it is made")

    def mount(self, prefix: str, adapter: Any) -> None:
        """Takes adapters of this module alone, with the policy of the session or none."""
        if not isinstance(adapter, HTTPAdapter):
            if isinstance(adapter, _HTTPAdapter) and len(self.adapters) < 2:
                return  # those of requests itself, when the session is made
            raise TypeError(f"only a urivet.requests.HTTPAdapter is guarded, not {type(adapter)!r}")
        adapter.join(self.guard)
        super().mount(prefix, adapter)

    def get_adapter(self, url: str) -> HTTPAdapter:
        adapter = super().get_adapter(url)
        if not isinstance(adapter, HTTPAdapter):
            self.guard.refuse("an adapter that is not guarded")
        adapter.join(self.guard)
        return adapter

    def prepare_request(self, request: Any) -> Any:
        self.guard.url(request.url, request=request)  # as it was given: what follows rewrites it
        return super().prepare_request(request)

    def send(self, request: Any, **more: Any) -> Any:
        if isinstance(request, requests.PreparedRequest):
            self.guard.url(request.url, request=request)
        return super().send(request, **more)

    def get_redirect_target(self, resp: Any) -> str | None:
        if not resp.is_redirect:
            return None
        return self.guard.location(resp.raw.headers.getlist("location"), resp.url, request=resp.request, response=resp)

    def rebuild_auth(self, prepared: Any, response: Any) -> None:
        """Sends no credentials to another origin, nor cookies that were given without a domain."""
        super().rebuild_auth(prepared, response)
        if not self.guard.crosses(response.request.url, prepared.url):
            return
        for name in CREDENTIALS:
            prepared.headers.pop(name, None)
        kept = requests.cookies.RequestsCookieJar()
        for cookie in prepared._cookies:
            if cookie.domain:
                kept.set_cookie(cookie)
        prepared._cookies = kept
        prepared.prepare_cookies(kept)

    def resolve_redirects(self, resp: Any, req: Any, *arguments: Any, yield_requests: bool = False, **more: Any) -> Any:
        follow = super().resolve_redirects(resp, req, *arguments, yield_requests=yield_requests, **more)
        try:
            yield from follow
        except RefusedURL as refusal:
            if not yield_requests:
                if refusal.response is not None:
                    refusal.response.close()
                raise
            # nobody follows, but asks for the next request, as `response.next`: there is none
