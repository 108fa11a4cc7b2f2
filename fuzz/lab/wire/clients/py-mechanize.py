# SPDX-License-Identifier: Apache-2.0
"""mechanize."""
import mechanize

from adapter import TIMEOUT, serve


def fetch(url: str) -> int:
    client = mechanize.Browser()
    client.set_handle_robots(False)
    client.set_handle_redirect(False)
    client.set_handle_equiv(False)
    client.set_proxies({})
    return client.open(url, timeout=TIMEOUT).code


serve("mechanize " + ".".join(str(part) for part in mechanize.__version__[:3]), fetch)
