# SPDX-License-Identifier: Apache-2.0
"""urllib3."""
import urllib3

from adapter import TIMEOUT, serve

pool = urllib3.PoolManager(timeout=TIMEOUT, retries=False)
serve(f"urllib3 {urllib3.__version__}", lambda url: pool.request("GET", url, redirect=False).status)
