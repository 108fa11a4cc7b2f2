# SPDX-License-Identifier: Apache-2.0
"""Python's urllib.request."""
import platform
import urllib.request

from adapter import TIMEOUT, serve


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args):
        return None


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def fetch(url: str) -> int:
    with opener.open(url, timeout=TIMEOUT) as response:
        response.read()
        return response.status


serve(f"urllib of Python {platform.python_version()}", fetch)
