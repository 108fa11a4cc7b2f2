# SPDX-License-Identifier: Apache-2.0
"""Starts a gateway before a server with a secret, on loopback; shared by the tests of all gateways."""
from __future__ import annotations

import contextlib
import os
import random
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SECRET = b"the secret"
PATIENCE = 60       # seconds that a program may take to start or to end


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def read_all(connection: socket.socket) -> bytes:
    octets = b""
    with contextlib.suppress(ConnectionResetError):
        while some := connection.recv(65536):
            octets += some
    return octets


def ask(port: int, request: bytes) -> bytes:
    """Sends these octets and returns all that comes back until the peer closes the connection."""
    with connected(port) as connection:
        connection.sendall(request)
        return read_all(connection)


def get(port: int, target: str, *fields: str, host: str = "", method: str = "GET", version: str = "HTTP/1.1") -> bytes:
    """Sends one request and returns all that comes back."""
    lines = [f"{method} {target} {version}", f"Host: {host or f'localhost:{port}'}", *fields, "Connection: close", "", ""]
    return ask(port, "\r\n".join(lines).encode("latin-1"))


def body(answer: bytes) -> str:
    return answer.partition(b"\r\n\r\n")[2].decode("latin-1")


def statuses(answer: bytes) -> list[int]:
    """Returns the status of each answer, in order."""
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]


class Backend:
    """A server that returns a secret to every client, and records each request line and the fields after it.  """

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.answers: dict[bytes, bytes] = {}   # extra response fields, by path
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(PATIENCE)
            request = b""
            while b"\r\n\r\n" not in request:
                some = connection.recv(65536)
                if not some:
                    return
                request += some
            self.requests.append(request)
            path = request.split(b" ")[1].split(b"?")[0]
            fields = self.answers.get(path, b"")
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n%s\r\n%s"
                               % (len(SECRET), fields, SECRET))

    def targets(self) -> list[bytes]:
        """Returns the targets that arrived, and clears the list."""
        arrived, self.requests = self.requests, []
        return [request.split(b"\r\n")[0].split(b" ")[1] for request in arrived]

    def close(self) -> None:
        self.socket.close()


def is_caged() -> bool:
    """Returns true where every address leads to this machine (cage.py)."""
    with contextlib.suppress(OSError), socket.create_server(("192.0.2.1", 0)):
        return True
    return False


def free_port() -> int:
    """Returns a port that nothing listens on, below those that the system gives to clients: one of these may take it first."""
    while True:
        port = random.randrange(10000, 32768)
        with contextlib.suppress(OSError), socket.create_server(("0.0.0.0", port)):
            return port


def until(what: str, done, patience: float = PATIENCE) -> None:
    """Waits until a condition is true."""
    end = time.monotonic() + patience
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


def listens(port: int) -> bool:
    try:
        connected(port).close()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Creates a folder that servers can still read after they drop their privileges."""
    with tempfile.TemporaryDirectory(prefix="urivet-gateway-") as name:
        path = Path(name)
        path.chmod(0o755)
        yield path


class Program:
    """A program started by the tests; it is ended by its process id."""

    def __init__(self, *command: str | Path, log: Path, environment: dict[str, str] | None = None) -> None:
        self.log = log
        with log.open("ab") as file:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=file,
                                            stderr=file, env={**os.environ, **(environment or {})})

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
