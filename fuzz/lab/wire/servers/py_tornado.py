# SPDX-License-Identifier: Apache-2.0
"""Tornado's StaticFileHandler."""
from __future__ import annotations

import asyncio
import os
import sys
from importlib.metadata import version

if sys.argv[1:] == ["--version"]:
    print("tornado", version("tornado"))
    sys.exit()
from tornado.web import Application, StaticFileHandler  # noqa: E402


async def main() -> None:
    files = Application([("/(.*)", StaticFileHandler, {"path": os.environ["ROOT"]})])
    files.listen(int(os.environ["PORT"]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
