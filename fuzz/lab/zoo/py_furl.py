# SPDX-License-Identifier: Apache-2.0
"""furl, with the host as it goes into a URL: decoded and encoded again."""
import furl

from adapter import Reading, serve


def read(text: str) -> Reading:
    url = furl.furl(text)
    userinfo = url.username
    if url.password is not None:
        userinfo = f"{userinfo or ''}:{url.password}"
    port = None if url.port is None else str(url.port)
    return (url.scheme, userinfo, furl.idna_encode(url.host), port, str(url.path), str(url.query) or None,
            str(url.fragment) or None)


serve(f"furl {furl.__version__}", read)
