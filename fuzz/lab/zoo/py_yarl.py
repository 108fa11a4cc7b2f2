# SPDX-License-Identifier: Apache-2.0
"""yarl, which aiohttp uses, given an encoded URL as requests come in."""
import yarl

from adapter import Reading, serve


def read(text: str) -> Reading:
    url = yarl.URL(text)
    userinfo = url.raw_user
    if url.raw_password is not None:
        userinfo = f"{userinfo or ''}:{url.raw_password}"
    port = url.explicit_port
    return (url.scheme or None, userinfo, url.raw_host, None if port is None else str(port), url.raw_path,
            url.raw_query_string or None, url.raw_fragment or None)


serve(f"yarl {yarl.__version__}", read)
