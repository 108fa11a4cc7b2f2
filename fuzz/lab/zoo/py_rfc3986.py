# SPDX-License-Identifier: Apache-2.0
"""The package rfc3986."""
import rfc3986

from adapter import Reading, serve


def read(text: str) -> Reading:
    url = rfc3986.uri_reference(text)
    authority = url.authority_info()        # raises if it is invalid
    return (url.scheme, authority["userinfo"], authority["host"], authority["port"], url.path or "", url.query,
            url.fragment)


serve(f"rfc3986 {rfc3986.__version__}", read)
