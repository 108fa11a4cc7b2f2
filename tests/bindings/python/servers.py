# SPDX-License-Identifier: Apache-2.0
"""Two servers on loopback: the front, which may be fetched from, and one with a secret, which may not; and names that
lead where a test says."""
from __future__ import annotations

import contextlib
import socket
import socketserver
import ssl
import threading
import unittest
import urllib.parse
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

import urivet
from urivet._refused import Kinds

KINDS = Kinds(urivet.Refused, urivet.Refused)
SECRET = "the secret of 127.0.0.2"
FRONT = "the front"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    text = FRONT

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.fields.append({name.lower(): value for name, value in self.headers.items()})
        self.server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        query = urllib.parse.parse_qs(self.path.partition("?")[2], keep_blank_values=True)
        locations = query.get("to", []) if self.text == FRONT else []
        body = self.text.encode()
        self.send_response(int(query.get("status", ["302"])[0]) if locations else 200)
        for location in locations:
            self.send_header("Location", location)  # as ISO 8859-1
        self.send_header("Content-Length", str(len(body)))
        if "close" in query:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        pass


class _Secret(_Handler):
    text = SECRET


class Servers:
    def __init__(self) -> None:
        self.front, self.secret = start("127.0.0.1"), start("127.0.0.2", _Secret)
        self.front_at = f"127.0.0.1:{self.front.server_port}"
        self.secret_at = f"127.0.0.2:{self.secret.server_port}"
        # what a deployment may allow of its own network: one address, and names that are asked for there
        self.policy = urivet.Policy.from_yaml(
            "base: public\naddresses: {allow: [127.0.0.1]}\nhosts: {allow: [.good.test]}\n"
            f"ports: {{http: [{self.front.server_port}, {self.secret.server_port}]}}\n")

    def close(self) -> None:
        for server in (self.front, self.secret):
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that goes away is no fault of ours."""


class _Server6(_Server):
    address_family = socket.AF_INET6


class _UnixServer(_Server):
    address_family = socket.AF_UNIX
    server_bind = socketserver.TCPServer.server_bind


def start(address: str, handler: type = _Handler, context: ssl.SSLContext | None = None,
          port: int = 0) -> ThreadingHTTPServer:
    kind = _UnixServer if "/" in address else _Server6 if ":" in address else _Server
    server = kind(address if kind is _UnixServer else (address, port), handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.asked, server.fields, server.bodies = [], [], []
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


def started(test: unittest.TestCase, *arguments: object, **more: object) -> ThreadingHTTPServer:
    """start(), until the end of the test."""
    server = start(*arguments, **more)
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server


def allowing(*ports: int) -> urivet.Policy:
    return urivet.Policy.build(base="public", addresses={"allow": ["127.0.0.1"]}, ports={"http": list(ports)})


def program(name: str) -> Callable:
    """Returns a function of src/bindings/python/README.md."""
    page = (Path(__file__).resolve().parents[3] / "src/bindings/python/README.md").read_text(encoding="utf-8")
    names: dict = {}
    exec(next(block.split("```")[0] for block in page.split("```python\n") if f"def {name}" in block), names)  # noqa: S102
    return names[name]


def redirect(servers: Servers, *locations: str) -> str:
    """A URL of the front that redirects there."""
    return f"http://{servers.front_at}/?" + "&".join("to=" + urllib.parse.quote(one, "") for one in locations)


_LOOKUP = socket.getaddrinfo


def row(address: str, port: int) -> tuple:
    """A row of getaddrinfo(), with a scope if the address has one."""
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, int(port), 0, int("%" in address))
    return socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, int(port))


@contextlib.contextmanager
def lookup(answer: Callable[[str, int, int], list | None]) -> Iterator[list[str]]:
    """Lets names lead to the rows that `answer` returns, or where they really lead if that is None. Yields the names as
    they are looked up."""
    asked: list[str] = []

    def look_up(host, port, *more, **named):  # noqa: ANN001, ANN002, ANN003, ANN202
        text = host.decode() if isinstance(host, bytes) else host or ""
        rows = answer(text, port, len(asked))
        if rows is None:
            return _LOOKUP(host, port, *more, **named)
        asked.append(text.removesuffix(".good.test"))
        return rows

    with mock.patch.object(socket, "getaddrinfo", look_up):
        yield asked


def names(**answers: list[str]) -> contextlib.AbstractContextManager[list[str]]:
    """Lets NAME.good.test lead to its answers: the first lookup to the first, all after the last to the last."""
    left = {f"{name}.good.test": list(addresses) for name, addresses in answers.items()}
    return lookup(lambda host, port, _: [row((each.pop(0) if len(each) > 1 else each[0]), port)] if (each := left.get(host)) else None)


def turning(first: str, later: str) -> contextlib.AbstractContextManager[list[str]]:
    """Lets whatever is looked up lead to `first` once and to `later` from then on, addresses too."""
    return lookup(lambda _, port, before: [row(later if before else first, port)])
