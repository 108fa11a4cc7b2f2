# SPDX-License-Identifier: Apache-2.0
"""requests."""
import requests

from adapter import TIMEOUT, serve

session = requests.Session()
session.trust_env = False
serve(f"requests {requests.__version__}",
      lambda url: session.get(url, timeout=TIMEOUT, allow_redirects=False).status_code)
