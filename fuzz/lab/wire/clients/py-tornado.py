# SPDX-License-Identifier: Apache-2.0
"""Tornado's own HTTP client."""
import tornado
import tornado.ioloop
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from adapter import TIMEOUT, serve


async def get(url: str) -> int:
    response = await AsyncHTTPClient().fetch(url, raise_error=False, follow_redirects=False,
                                             connect_timeout=TIMEOUT, request_timeout=TIMEOUT)
    if response.error and not isinstance(response.error, HTTPClientError):
        raise response.error
    return response.code


AsyncHTTPClient.configure("tornado.simple_httpclient.SimpleAsyncHTTPClient")
loop = tornado.ioloop.IOLoop()
serve(f"Tornado {tornado.version}", lambda url: loop.run_sync(lambda: get(url)))
