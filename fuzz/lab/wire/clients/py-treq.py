# SPDX-License-Identifier: Apache-2.0
"""treq, requests on Twisted."""
import treq

from adapter import TIMEOUT, serve_twisted


async def fetch(url: str) -> int:
    response = await treq.get(url, timeout=TIMEOUT, allow_redirects=False)
    await response.content()
    return response.code


serve_twisted(f"treq {treq.__version__}", fetch)
