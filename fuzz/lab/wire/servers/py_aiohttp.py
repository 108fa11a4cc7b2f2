# SPDX-License-Identifier: Apache-2.0
"""aiohttp serving files."""
from __future__ import annotations

import os
import sys
from importlib.metadata import version

if sys.argv[1:] == ["--version"]:
    print("aiohttp", version("aiohttp"))
    sys.exit()
from aiohttp import web  # noqa: E402

app = web.Application()
app.add_routes([web.static("/", os.environ["ROOT"])])
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
