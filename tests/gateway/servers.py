# SPDX-License-Identifier: Apache-2.0
"""Runs the helper, and each server of src/gateway/examples before a backend; only ports and paths differ from
its example."""
from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import gateway
import nginx

URIVET = os.environ.get("URIVET", str(gateway.BUILD / "urivet"))
EXAMPLES = gateway.ROOT / "src" / "gateway" / "examples"


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Helper:
    """The helper, listening at a port or a socket file."""

    def __init__(self, folder: Path, *words: str, where: str = "", front: str = "nginx") -> None:
        self.port = gateway.free_port()
        self.folder, self.where = folder, (where or "127.0.0.1:PORT").replace("PORT", str(self.port))
        self.command = [URIVET, "serve", f"--from={front}", f"--listen={self.where}", f"--log={folder}/log", *words]

    def start(self) -> None:
        self.program = gateway.Program(*self.command, log=self.folder / "err", environment={"TZ": "UTC-14"})  # no time is local
        gateway.until(f"the helper listens: {self.said()}", self.listens)

    def listens(self) -> bool:
        if not self.where.startswith("unix:"):
            return gateway.listens(self.port)
        with socket.socket(socket.AF_UNIX) as one:
            return one.connect_ex(self.where[5:]) == 0

    def said(self) -> str:
        return (self.folder / "err").read_text() if (self.folder / "err").exists() else ""

    def logged(self) -> list[dict]:
        return [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]

    def children(self) -> list[int]:
        return children(self.program.process.pid)

    def child(self) -> int:
        """Returns the process that answers; the helper listens before it starts this process."""
        gateway.until("one process answers", lambda: len(self.children()) == 1)
        return self.children()[0]

    def end(self) -> int:
        return self.program.end()


def make_certificate(folder: Path, name: str) -> None:
    """Makes a key and a certificate that it signs itself."""
    subprocess.run(["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}", "-keyout", folder / f"{name}.key",
                    "-addext", "subjectAltName=IP:127.0.0.1,DNS:urivet.example", "-x509", "-out", folder / f"{name}.pem"], check=True, capture_output=True)


Changes = tuple[tuple[str, str], ...]   # texts of a configuration, and what replaces them


class Server:
    """A gateway that runs until it is closed."""
    name = ""
    program = ""            # where it is installed
    guard: Changes = ()     # negative control: text of the guard, and its replacement
    front = ""              # --front of the helper that it queries over HTTP; "": no helper, or one that it starts itself
    network: Changes = ()   # what makes it query a helper on the network, over TLS
    helper: Helper | None = None

    def __init__(self, backend: int, guarded: bool = True, words: tuple[str, ...] = (), workers: int | None = None, changes: Changes = (), public: bool = False) -> None:
        self.stack = contextlib.ExitStack()
        self.backend, self.words, self.workers = backend, words, workers
        self.folder = self.stack.enter_context(gateway.folder())
        self.folder.chmod(0o777)
        self.port = gateway.free_port()
        with contextlib.ExitStack() as undone:
            undone.callback(self.close)
            if self.front and guarded:
                if public:
                    make_certificate(self.folder, "own")
                    words = (*words, "--public", f"--tls-cert={self.folder}/own.pem", f"--tls-key={self.folder}/own.key")
                self.helper = Helper(self.stack.enter_context(gateway.folder()), f"--origin=http://localhost:{self.port}", "--jobs=1", *words,
                                     where="0.0.0.0:PORT" if public else f"unix:{self.folder}/socket", front=self.front)
                self.bring_back()
                self.stack.callback(self.helper.end)
            self.start(self.configured(), changes if guarded else self.guard)
            undone.pop_all()

    def close(self) -> None:
        self.stack.close()

    def example(self, name: str, *changes: tuple[str, str]) -> str:
        """Writes an example with these replacements; returns its path."""
        text = (EXAMPLES / name).read_text()
        if self.helper is not None and not self.helper.where.startswith("unix:"):
            for old, new in self.network:
                text = text.replace(old, new.replace("HELPER", f"192.0.2.1:{self.helper.port}").replace("FOLDER", str(self.folder)))
        for old, new in (*changes, ("/run/urivet/serve.sock", f"{self.folder}/socket")):
            assert old in text or old.startswith("/run"), old
            text = text.replace(old, new)
        return text

    def own_command(self, *options: str) -> str:
        """Returns a command that runs urivet from a place where servers can run it after they drop their privileges."""
        binary = self.folder / "urivet"
        shutil.copy(URIVET, binary)
        return " ".join((str(binary), "serve", *options, *self.words))

    def start(self, text: str, changes: Changes) -> None:
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new.replace("FOLDER", str(self.folder)).replace("BACKEND", str(self.backend)).replace("PORT", str(self.port)))
        path = self.folder / "configuration"
        path.write_text(text)
        self.run(path)
        self.stack.callback(self.process.end)
        try:
            gateway.until("it listens", lambda: gateway.listens(self.port))
        except TimeoutError:
            raise TimeoutError(self.said()) from None

    def started(self, *command: str | Path, environment: dict[str, str] | None = None) -> None:
        self.process = gateway.Program(*command, log=self.folder / "out.log", environment=environment)

    def said(self) -> str:
        return "".join(path.read_text(errors="replace")[-3000:] for path in self.folder.glob("*.log"))

    def configured(self) -> str:
        raise NotImplementedError

    def run(self, path: Path) -> None:
        raise NotImplementedError

    def host(self) -> str:
        """Returns the Host field of its clients."""
        return f"localhost:{self.port}"

    def target(self, path: str) -> str:
        """Returns the request target by which clients request a path."""
        return path

    def answering(self) -> int:
        """Returns the process that answers its questions."""
        if self.helper is not None:
            child = self.helper.child()
        else:
            (child,) = [child for child in children(self.process.process.pid) if b"serve" in Path(f"/proc/{child}/cmdline").read_bytes()]
        return child

    def end_helper(self) -> None:
        if self.helper is not None:
            self.helper.end()
        else:
            os.kill(self.answering(), signal.SIGKILL)

    def bring_back(self) -> None:
        """Restarts the helper if none runs."""
        if self.helper is not None:
            self.helper.start()
            if self.helper.where.startswith("unix:"):
                (self.folder / "socket").chmod(0o666)   # for servers without privileges; installed ones use the group


class OwnNginx(Server):
    """Settings that nginx needs to run from its own folder."""
    program = nginx.NGINX

    def frame(self) -> str:
        return f"access_log off; keepalive_requests 1000000; {nginx.temporary(self.folder)}"

    def run(self, path: Path) -> None:
        workers = f"worker_processes {self.workers};" if self.workers else ""
        self.started(self.program, "-p", self.folder, "-e", self.folder / "error.log", "-c", path, "-g", f"daemon off; pid {self.folder}/pid; {workers}")


class NginxModule(OwnNginx):
    name = "nginx, module"
    guard = (("urivet        enforce;", ""),)

    def configured(self) -> str:
        text = self.example("nginx.conf", ("listen 80", f"listen 127.0.0.1:{self.port}"), ("modules/ngx_http_urivet_module.so", str(nginx.MODULE)),
                            ("server 127.0.0.1:8000;", f"server 127.0.0.1:{self.backend}; keepalive 32;"), ("http {", f"http {{ {self.frame()}"),
                            ("proxy_pass http://app;", "proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection '';"))
        return text.replace("enforce", "observe") if "--observe" in self.words else text


class NginxAsks(OwnNginx):
    name, front = "nginx, auth_request", "nginx"
    guard = (("    auth_request /urivet;\n", ""),)
    network = (("unix:/run/urivet/serve.sock", "HELPER"),
               ("proxy_pass http://urivet;", "proxy_pass https://urivet; proxy_ssl_verify on; proxy_ssl_trusted_certificate FOLDER/own.pem; proxy_ssl_name urivet.example;"))

    def configured(self) -> str:
        app = f"upstream app {{ server 127.0.0.1:{self.backend}; keepalive 32; }}"
        text = self.example("nginx-auth-request.conf", ("listen 80;", f"listen 127.0.0.1:{self.port};"),
                            ("proxy_pass http://app;", "proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection '';"))
        return f"events {{ }}\nhttp {{ {self.frame()} {app}\n{text} }}\n"


class Caddy(Server):
    name, program, front = "Caddy", "/usr/bin/caddy", "caddy"
    guard = (("\timport urivet\n", ""),)
    network = (("unix//run/urivet/serve.sock", "https://HELPER"),
               ("dial_timeout 1s", "dial_timeout 1s\n\t\t\ttls_trusted_ca_certs FOLDER/own.pem\n\t\t\ttls_server_name urivet.example"))

    def configured(self) -> str:
        site = self.example("Caddyfile", (":80 {", f":{self.port} {{\n\tbind 127.0.0.1"), ("127.0.0.1:8000", f"127.0.0.1:{self.backend}"))
        site = site.replace("\t\turi /\n", "\t\turi /\n\t\ttrusted_proxies 127.0.0.1\n")
        return "{\n\tadmin off\n\tauto_https off\n}\n" + site

    def run(self, path: Path) -> None:
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        if self.workers:
            home["GOMAXPROCS"] = str(self.workers)
        self.started(self.program, "run", "--adapter", "caddyfile", "--config", path, environment=home)


class Haproxy(Server):
    name, program, front = "HAProxy, Lua", "/usr/sbin/haproxy", "haproxy"
    guard = (("    http-request ", "    # "),)
    network = (("unix@/run/urivet/serve.sock", "ipv4@HELPER"), ("http://urivet/", "https://urivet.example/"),
               ("global\n", "global\n    httpclient.ssl.verify required\n    httpclient.ssl.ca-file FOLDER/own.pem\n"))

    def configured(self) -> str:
        script = self.folder / "haproxy.lua"
        script.write_text(self.example("haproxy.lua"))
        threads = f"    nbthread {self.workers}\n" if self.workers else ""
        return self.example("haproxy.cfg", ("bind :80", f"bind 127.0.0.1:{self.port}"), ("127.0.0.1:8000", f"127.0.0.1:{self.backend}"),
                            ("/etc/haproxy/haproxy.lua", str(script)), ("global\n", f"global\n{threads}"))

    def run(self, path: Path) -> None:
        self.started(self.program, "-f", path)


class Squid(Server):
    """A forward proxy: clients name the server that they want; the backend answers every request."""
    name, program = "Squid", "/usr/sbin/squid"
    guard = (("http_access allow judged !inside", "http_access allow all"), ("http_access deny manager", ""), ("adapted_http_access", "#"))

    def configured(self) -> str:
        policy = self.folder / "policy.yaml"
        shutil.copy(gateway.ROOT / "src/examples/policies" / "outbound-proxy.yaml", policy)
        text = self.example("squid.conf", ("http_port 3128", f"http_port 127.0.0.1:{self.port}"), ("/etc/urivet/outbound-proxy.yaml", str(policy)),
                            ("/usr/local/bin/urivet serve --squid", self.own_command("--squid")))
        hosts = self.folder / "hosts"
        hosts.write_text("192.0.2.1 www.example.com\n192.0.2.2 evil.example\n169.254.169.254 rebind.example.com\nfd00::1 rebind6.example.com\n")
        return text + f"""
hosts_file {hosts}
dns_nameservers 127.0.0.1
dns_timeout 1 second
cache_peer 127.0.0.1 parent {self.backend} 0 no-query no-digest no-netdb-exchange originserver name=secret
never_direct allow all
pid_filename {self.folder}/pid
coredump_dir {self.folder}
access_log stdio:{self.folder}/access.log
cache_log {self.folder}/cache.log
cache_mem 8 MB
cache deny all
shutdown_lifetime 0 seconds
icp_port 0
visible_hostname localhost
"""

    def run(self, path: Path) -> None:
        self.started(self.program, "-N", "-f", path)

    def host(self) -> str:
        return "www.example.com"

    def target(self, path: str) -> str:
        return f"http://{self.host()}{path}" if path.startswith("/") else path


class Apache(Server):
    name, program = "Apache", "/usr/sbin/apache2"
    guard = (("Require env urivet", "Require all granted"),)

    def configured(self) -> str:
        text = self.example("apache.conf", ("*:80", f"127.0.0.1:{self.port}"), ("127.0.0.1:8000", f"127.0.0.1:{self.backend}"),
                            ("/usr/local/bin/urivet serve --apache", self.own_command("--apache", f"--origin=http://localhost:{self.port}")))
        modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"
                          for name in ("mpm_event", "authz_core", "rewrite", "proxy", "proxy_http"))
        return f"""{modules}
ServerRoot {self.folder}
ServerName localhost
PidFile {self.folder}/pid
ErrorLog {self.folder}/error.log
Listen 127.0.0.1:{self.port}
User www-data
Group www-data
Mutex file:{self.folder}
{text}"""

    def run(self, path: Path) -> None:
        self.started(self.program, "-DFOREGROUND", "-f", path)

    def bring_back(self) -> None:
        """Apache starts another helper when it reloads."""
        self.process.signal(signal.SIGHUP)
