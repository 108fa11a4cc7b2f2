# SPDX-License-Identifier: Apache-2.0
"""Python's http.client, with the parts that urlsplit() names."""
import http.client
import platform
import urllib.parse

from adapter import TIMEOUT, serve


def fetch(url: str) -> int:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme != "http":
        raise ValueError("no http URL")
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=TIMEOUT)
    try:
        connection.request("GET", urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, "")))
        return connection.getresponse().status
    finally:
        connection.close()


serve(f"http.client of Python {platform.python_version()}", fetch)
