# SPDX-License-Identifier: Apache-2.0
"""A WSGI program that finds its pages by PATH_INFO, which the server has decoded."""
from __future__ import annotations

import os
from pathlib import Path


def pages() -> dict[str, bytes]:
    """Returns all pages by their paths, as in PATH_INFO: one character for each octet."""
    root = Path(os.environ["ROOT"])
    return {"/" + os.fsencode(file.relative_to(root)).decode("latin-1"): file.read_bytes()
            for file in root.rglob("*") if file.is_file()}


PAGES = pages()


def application(environ, start_response):
    page = PAGES.get(environ["PATH_INFO"])
    start_response("200 OK" if page else "404 Not Found", [("Content-Type", "text/plain")])
    return [page or b"none\n"]
