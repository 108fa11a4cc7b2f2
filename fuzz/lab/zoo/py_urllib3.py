# SPDX-License-Identifier: Apache-2.0
"""urllib3, which requests and pip use."""
import urllib3
from urllib3.util.url import parse_url

from adapter import Reading, serve


def read(text: str) -> Reading:
    url = parse_url(text)
    port = None if url.port is None else str(url.port)
    return url.scheme, url.auth, url.host, port, url.path or "", url.query, url.fragment


serve(f"urllib3 {urllib3.__version__}", read)
