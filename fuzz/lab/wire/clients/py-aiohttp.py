# SPDX-License-Identifier: Apache-2.0
"""aiohttp, whose URLs are yarl's."""
import asyncio

import aiohttp

from adapter import TIMEOUT, serve


async def get(url: str) -> int:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(TIMEOUT)) as session:
        async with session.get(url, allow_redirects=False) as response:
            await response.read()
            return response.status


serve(f"aiohttp {aiohttp.__version__}", lambda url: asyncio.run(get(url)))
