# SPDX-License-Identifier: Apache-2.0
"""Resolves every name, answers every request, and records the octets of each request and the address it
came to.

Each name gets an address of its own, so the address that a client connects to identifies the name.
"""
from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field

NAMES = ipaddress.ip_network("198.18.0.0/15")   # for benchmarks (RFC 2544): no test URL contains one
MOST_OCTETS = 1 << 17       # of a head
PATIENCE = 0.3              # seconds for the rest of a head: HTTP/0.9 has no end mark
BODY = b"ok\n"


@dataclass(frozen=True)
class Request:
    """A client's request, and the name or address that it connected to."""
    reached: str
    port: int
    head: bytes

    def line(self) -> bytes:
        return self.head.split(b"\n", 1)[0].rstrip(b"\r")

    def method(self) -> bytes:
        return self.line().split(b" ", 1)[0]

    def target(self) -> bytes:
        """Returns the text between method and version, or all after the method if there is no version."""
        _, _, rest = self.line().partition(b" ")
        before, space, version = rest.rpartition(b" ")
        return before if space and version.startswith(b"HTTP/") else rest

    def host_fields(self) -> list[bytes]:
        return [value.strip() for line in self.head.split(b"\n")[1:]
                for name, colon, value in (line.partition(b":"),) if colon and name.strip().lower() == b"host"]


# ---- Names -------------------------------------------------------------------------------------------------------

@dataclass
class Names:
    """Assigns an address to each name when it is first queried."""
    addresses: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def address(self, name: str) -> str:
        name = name.lower()
        if name not in self.addresses:
            self.addresses[name] = str(NAMES[len(self.addresses) + 1])
            self.names[self.addresses[name]] = name
        return self.addresses[name]

    def reached(self, address: str) -> str:
        """Returns the name that has this address, or the address itself."""
        found = ipaddress.ip_address(address)
        if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
            found = found.ipv4_mapped
        return self.names.get(str(found), str(found))

    def answer(self, query: bytes) -> bytes:
        """Answers a query of RFC 1035: an A record for type A, an empty answer for other types."""
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode("latin-1"))
            at += 1 + query[at]
        kind, = struct.unpack_from(">H", query, at + 1)
        found = kind == 1
        head = query[:2] + b"\x85\x80" + struct.pack(">4H", 1, int(found), 0, 0)
        record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 3600, 4) + ipaddress.ip_address(
            self.address(".".join(labels))).packed if found else b""
        return head + query[12:at + 5] + record


class DatagramNames(asyncio.DatagramProtocol):
    def __init__(self, names: Names) -> None:
        self.names = names

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        try:
            self.transport.sendto(self.names.answer(data), addr)
        except (IndexError, struct.error):
            pass        # not a valid query


# ---- Requests ----------------------------------------------------------------------------------------------------

END = re.compile(rb"\r?\n\r?\n")
LENGTH = re.compile(rb"^content-length:[ \t]*(\d+)", re.I | re.M)


def body_length(head: bytes) -> int:
    found = LENGTH.search(head)
    return int(found[1]) if found else 0


def kept_alive(head: bytes) -> bool:
    lower = head.lower()
    if b"connection: close" in lower:
        return False
    return b"http/1.1\r\n" in lower or b"keep-alive" in lower


def response(head: bytes, alive: bool) -> bytes:
    body = b"" if head.startswith(b"HEAD ") else BODY
    return (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: %s\r\n\r\n%s"
            % (len(BODY), b"keep-alive" if alive else b"close", body))


@dataclass
class Stream:
    """Received octets of a connection that are not consumed yet."""
    reader: asyncio.StreamReader
    read: bytes = b""

    async def more(self, seconds: float | None) -> bool:
        try:
            piece = await asyncio.wait_for(self.reader.read(MOST_OCTETS), seconds)
        except asyncio.TimeoutError:
            return False
        self.read += piece
        return piece != b""

    def taken(self, octets: int) -> bytes:
        taken, self.read = self.read[:octets], self.read[octets:]
        return taken


class Recorder:
    """Listens on every address, and stores requests in the order in which they were read."""

    def __init__(self) -> None:
        self.names = Names()
        self.log: list[Request] = []
        self.servers: list[asyncio.Server] = []

    async def listen(self, ports: Iterable[int]) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_datagram_endpoint(lambda: DatagramNames(self.names), local_addr=("127.0.0.1", 53))
        self.servers.append(await asyncio.start_server(self.name_by_stream, "127.0.0.1", 53))
        for port in ports:
            both = socket.create_server(("::", port), family=socket.AF_INET6, backlog=100, dualstack_ipv6=True)
            self.servers.append(await asyncio.start_server(self.connection, sock=both, limit=MOST_OCTETS))

    async def name_by_stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            size, = struct.unpack(">H", await reader.readexactly(2))
            reply = self.names.answer(await reader.readexactly(size))
            writer.write(struct.pack(">H", len(reply)) + reply)
            await writer.drain()
        except (asyncio.IncompleteReadError, IndexError, struct.error, OSError):
            pass
        writer.close()

    async def head(self, stream: Stream) -> bytes:
        """All up to an empty line, to the end, or to where nothing comes any more."""
        while not (end := END.search(stream.read)) and len(stream.read) < MOST_OCTETS:
            if not await stream.more(PATIENCE if stream.read else None):
                break
        return stream.taken(end.end() if end else len(stream.read))

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address, port = writer.get_extra_info("sockname")[:2]
        try:
            alive, stream = True, Stream(reader)
            while alive and (head := await self.head(stream)):
                self.log.append(Request(self.names.reached(address), port, head))
                while len(stream.read) < body_length(head) and await stream.more(PATIENCE):
                    pass
                stream.taken(body_length(head))
                alive = kept_alive(head)
                writer.write(response(head, alive))
                await writer.drain()
        except OSError:
            pass        # the client went away
        finally:
            writer.close()
