# SPDX-License-Identifier: Apache-2.0
"""requests: the host of the URL that it prepares."""
from urllib.parse import urlsplit

import requests

from adapter import serve


def translate(host: str) -> str:
    prepared = requests.models.PreparedRequest()
    prepared.prepare_url(f"https://{host}/", None)
    return urlsplit(prepared.url).netloc


serve(f"requests {requests.__version__}", translate)
