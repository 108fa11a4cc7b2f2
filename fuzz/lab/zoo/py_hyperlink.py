# SPDX-License-Identifier: Apache-2.0
"""hyperlink, which Twisted's clients use."""
from importlib.metadata import version

import hyperlink

from adapter import Reading, serve


def read(text: str) -> Reading:
    url = hyperlink.EncodedURL.from_text(text)
    path = ("/" if url.rooted else "") + "/".join(url.path)
    query = "&".join(name if value is None else f"{name}={value}" for name, value in url.query)
    port = None if url.port is None else str(url.port)
    return (url.scheme or None, url.userinfo or None, url.host, port, path, query or None, url.fragment or None)


serve(f"hyperlink {version('hyperlink')}", read)
