# SPDX-License-Identifier: Apache-2.0
"""Python's urllib.parse."""
import platform
from urllib.parse import urlsplit

from adapter import Reading, serve


def read(text: str) -> Reading:
    url = urlsplit(text)
    userinfo, at, _ = url.netloc.rpartition("@")
    port = url.port     # raises if it is invalid
    return (url.scheme or None, userinfo if at else None, url.hostname, None if port is None else str(port), url.path,
            url.query or None, url.fragment or None)


serve(f"Python {platform.python_version()}", read)
