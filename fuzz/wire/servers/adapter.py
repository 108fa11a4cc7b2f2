# SPDX-License-Identifier: Apache-2.0
"""What WSGI hands on: a program that looks its pages up by PATH_INFO, which the server has decoded."""
from __future__ import annotations

PAGES = {"/pub/f": b"PUBLIC\n", "/admin/f": b"SECRET\n", "/config.inc": b"SECRET\n"}


def application(environ, start_response):
    page = PAGES.get(environ["PATH_INFO"])
    start_response("200 OK" if page else "404 Not Found", [("Content-Type", "text/plain")])
    return [page or b"none\n"]
