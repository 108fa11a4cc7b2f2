# SPDX-License-Identifier: Apache-2.0
"""requests with checks by a policy: urivet.requests.Session(policy). Only adapters of this module are used."""
from __future__ import annotations

import copy
from typing import Any

from ._needs import needs

with needs("requests"):
    import requests
    from requests.adapters import HTTPAdapter as _HTTPAdapter

from . import urllib3 as guarded
from ._guard import CREDENTIALS, Guard, Guarded
from ._refused import kinds_of, refused_again
from ._urivet import Policy

__all__ = ["HTTPAdapter", "RefusedAddress", "RefusedURL", "ResponseTooLarge", "Session", "TotalTimeout"]


KINDS = RefusedURL, RefusedAddress, ResponseTooLarge, TotalTimeout = kinds_of(
    __name__, requests.exceptions.InvalidURL, requests.exceptions.ConnectionError, requests.exceptions.RequestException,
    requests.exceptions.Timeout)


class HTTPAdapter(_HTTPAdapter):
    """requests.adapters.HTTPAdapter with checks by a policy, by default that of the session."""

    __attrs__ = [*_HTTPAdapter.__attrs__, "guard", "proxy"]

    def __init__(self, policy: Policy | str | None = None, *, proxy: str | None = None, **more: Any) -> None:
        self.guard, self.proxy = Guard(policy, KINDS), proxy
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
        # a subclass overrides init_poolmanager()
        if not isinstance(self.poolmanager, guarded.PoolManager):
            self.guard.refuse("a pool manager that is not guarded", request=request)
        proxies = {"http": self.proxy, "https": self.proxy} if self.proxy else None
        try:
            return super().send(request, stream=stream, timeout=timeout, verify=verify, cert=cert, proxies=proxies)
        except (guarded.RefusedAddress, guarded.RefusedURL) as refusal:
            kind = RefusedURL if isinstance(refusal, guarded.RefusedURL) else RefusedAddress
            ours = refused_again(kind, str(refusal), refusal.report, refusal.public_reason)
            ours.request = request
            raise ours from refusal


class Session(Guarded, requests.Session):
    """requests.Session with checks by a policy; the default is PUBLIC."""

    __attrs__ = [*requests.Session.__attrs__, "guard"]

    def __init__(self, policy: Policy | str | None = None, *, proxy: str | None = None, **options: Any) -> None:
        self.guard = Guard(policy, KINDS, **options)
        super().__init__()
        self.mount("https://", HTTPAdapter(policy, proxy=proxy))
        self.mount("http://", HTTPAdapter(policy, proxy=proxy))

    @property
    def trust_env(self) -> bool:
        """Always False: proxies and passwords from the environment are ignored."""
        return False

    @trust_env.setter
    def trust_env(self, value: bool) -> None:
        # requests.Session.__init__() sets it before `adapters` exists
        if value and "adapters" in self.__dict__:
            raise ValueError("a guarded session does not trust the environment: name the proxy when it is made")

    def mount(self, prefix: str, adapter: Any) -> None:
        """Accepts only adapters of this module, with the policy of the session or without one."""
        if not isinstance(adapter, HTTPAdapter):
            if isinstance(adapter, _HTTPAdapter) and len(self.adapters) < 2:
                return  # the defaults that requests.Session.__init__() mounts
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
        request = copy.copy(request)
        request.url = self.guard.spelled(request.url, request=request)  # before requests rewrites it
        return super().prepare_request(request)

    def send(self, request: Any, **more: Any) -> Any:
        if isinstance(request, requests.PreparedRequest):
            self.guard.url(request.url, request=request)
        with self.guard.exchange():
            return super().send(request, **more)

    def get_redirect_target(self, resp: Any) -> str | None:
        if not resp.is_redirect:
            return None
        return self.guard.location(resp.raw.headers.getlist("location"), resp.url, request=resp.request, response=resp)

    def rebuild_auth(self, prepared: Any, response: Any) -> None:
        """Removes credentials and cookies without a domain on the way to another origin."""
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
            # redirects are not followed, only the next request is wanted, for `response.next`:
            # there is none
