# SPDX-License-Identifier: Apache-2.0
"""httplib2."""
import httplib2

from adapter import TIMEOUT, serve


def fetch(url: str) -> int:
    client = httplib2.Http(timeout=TIMEOUT, proxy_info=None)    # a new one: after an error the old is of no use
    client.follow_redirects = False
    return client.request(url)[0].status


serve(f"httplib2 {httplib2.__version__}", fetch)
