# SPDX-License-Identifier: Apache-2.0
"""Twisted's Agent."""
import twisted
from twisted.internet import reactor
from twisted.web.client import Agent, readBody

from adapter import serve_twisted

agent = Agent(reactor)


async def fetch(url: str) -> int:
    response = await agent.request(b"GET", url.encode("utf-8", "surrogateescape"))
    await readBody(response)
    return response.code


serve_twisted(f"Twisted {twisted.__version__}", fetch)
