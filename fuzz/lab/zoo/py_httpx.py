# SPDX-License-Identifier: Apache-2.0
"""httpx."""
import httpx

from adapter import Reading, serve


def read(text: str) -> Reading:
    url = httpx.URL(text)
    path, mark, query = url.raw_path.decode("ascii").partition("?")
    _, hash_, fragment = str(url).partition("#")      # url.fragment is decoded
    port = None if url.port is None else str(url.port)
    return (url.scheme or None, url.userinfo.decode("ascii") or None, url.raw_host.decode("ascii"), port, path,
            query if mark else None, fragment if hash_ else None)


serve(f"httpx {httpx.__version__}", read)
