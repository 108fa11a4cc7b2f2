# SPDX-License-Identifier: Apache-2.0
"""Runs nginx with the module, with the configuration of a test."""
from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import gateway

NGINX = "/usr/sbin/nginx"
MODULE = Path(os.environ.get("URIVET_NGINX_MODULE", gateway.BUILD / "nginx" / "ngx_http_urivet_module.so"))

FRAME = """
load_module {module};
daemon off;
worker_processes {workers};
pid {folder}/pid;
error_log {folder}/error.log notice;
{main}
events {{ worker_connections 512; }}
http {{
    log_format judged escape=json '{{"request":"$request","status":"$status","verdict":"$urivet_verdict","findings":"$urivet_findings","reason":"$urivet_reason"}}';
    access_log {folder}/access.log judged;
    {temporary}
    upstream secret {{ server 127.0.0.1:{backend}; }}
    {http}
    server {{
        listen 127.0.0.1:{port} {listen};
        server_name localhost;
        {server}
    }}
}}
"""


def temporary(folder: Path) -> str:
    """Returns directives that keep the buffers of nginx in this folder."""
    return " ".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))


class Nginx:
    """nginx before a backend. Braces in `server` are part of nginx's syntax."""

    def __init__(self, folder: Path, backend: int, server: str, http: str = "", main: str = "", workers: int = 1,
                 listen: str = "") -> None:
        self.folder, self.backend, self.workers, self.listen = folder, backend, workers, listen
        self.port = gateway.free_port()
        self.expected = ""      # pattern of emergencies that the log may contain
        self.server = server
        self.configure(server, http, main)

    def configure(self, server: str, http: str = "", main: str = "", module: bool = True) -> None:
        text = FRAME.format(module=MODULE, folder=self.folder, temporary=temporary(self.folder), backend=self.backend, port=self.port, server=server,
                            http=http, main=main, workers=self.workers, listen=self.listen)
        if not module:
            text = re.sub(r"load_module .*|log_format .*|access_log \S+ judged;", "", text)
        (self.folder / "nginx.conf").write_text(text)

    def command(self, *words: str) -> list[str]:
        return [NGINX, "-p", str(self.folder), "-e", str(self.folder / "error.log"), "-c",
                str(self.folder / "nginx.conf"), *words]

    def environment(self) -> dict[str, str]:
        preload = os.environ.get("URIVET_PRELOAD", "")
        return {"LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"} if preload else {}

    def test(self) -> tuple[int, str]:
        """Runs nginx -t; returns its exit status and output."""
        done = subprocess.run(self.command("-t"), capture_output=True, text=True, check=False,
                              env={**os.environ, **self.environment()})
        return done.returncode, done.stderr

    def start(self) -> None:
        self.program = gateway.Program(*self.command(), log=self.folder / "out.log", environment=self.environment())
        gateway.until(f"nginx listens: {self.errors()}", lambda: gateway.listens(self.port))

    def reload(self) -> None:
        self.program.signal(signal.SIGHUP)

    def errors(self) -> str:
        return "".join((self.folder / name).read_text(errors="replace") for name in ("out.log", "error.log")
                       if (self.folder / name).exists())

    def end(self) -> int:
        return self.program.end()
