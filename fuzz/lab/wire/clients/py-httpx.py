# SPDX-License-Identifier: Apache-2.0
"""httpx."""
import httpx

from adapter import TIMEOUT, serve

client = httpx.Client(timeout=TIMEOUT, trust_env=False, follow_redirects=False)
serve(f"httpx {httpx.__version__}", lambda url: client.get(url).status_code)
