# SPDX-License-Identifier: Apache-2.0
"""geventhttpclient, as its documentation shows it."""
import geventhttpclient
from geventhttpclient import HTTPClient
from geventhttpclient.url import URL

from adapter import TIMEOUT, serve


def fetch(url: str) -> int:
    parts = URL(url)
    client = HTTPClient.from_url(parts, connection_timeout=TIMEOUT, network_timeout=TIMEOUT)
    try:
        return client.get(parts.request_uri).status_code
    finally:
        client.close()


serve(f"geventhttpclient {geventhttpclient.__version__}", fetch)
