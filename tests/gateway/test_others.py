# SPDX-License-Identifier: Apache-2.0
"""The examples for Caddy, HAProxy, Squid and Apache, each as it stands but for its ports and paths, before a server with a
secret: what passes, what must not arrive, the same without the guard, and with a helper that hangs or is gone."""
from __future__ import annotations

import os
import shutil
import signal
import unittest
from pathlib import Path

import gateway
import nginx
from test_serve import EXAMPLES, URIVET, Helper

# With the name and port that clients use. None of these may arrive at the server.
TARGETS = ("/a%2Fb", "/a%2fb", "//evil.example/", "/a/../b", "/%2e%2e/b", "/a;/../b", "/a%00b", "/a%0d%0aX:1", "/a%", "/a%zz", "/a%5cb",
           "/a\\b", "/a|b", "/a\"b", "/caf\xe9", "http://evil.example/a", "/a?x=%0d%0aX:1", "/a?x=%00", "/%61dmin", "/a//b", "/./a", "/" + "a" * 9000)
HOSTS = ("a@b", "localhost@evil.example", "127.1", "0x7f.1", "evil_.example:80:80", "[::1", "a b", "localhost:1", "%6cocalhost")
ACCEPTED = ("/", "/a", "/a?b=c", "/a/b.html?x=1&y=2", "/a%20b", "/caf%C3%A9")


def as_octets(text: str) -> bytes:
    return text.encode("latin-1")


class Server(unittest.TestCase):
    """One of the gateways, and what holds for all of them."""
    program = ""            # where it is installed
    guard: tuple[str, str] = ("", "")       # what of the example is taken away for the control, and what stands there then
    asks_helper = True      # over HTTP, a helper that was started apart
    front = ""
    asked_without = "/c"    # what must not arrive while there is no helper
    rewritten: dict[str, str] = {}      # what it passes on in another spelling, which is what it asks about

    @classmethod
    def setUpClass(cls) -> None:
        if cls is Server:
            raise unittest.SkipTest("what all of them share")
        if not os.access(cls.program, os.X_OK):
            raise unittest.SkipTest(f"{cls.program} is not installed")

    def begin(self, guarded: bool = True, words: tuple[str, ...] = ()) -> None:
        self.folder = self.enterContext(gateway.folder())
        self.folder.chmod(0o777)
        self.backend = gateway.Backend()
        self.addCleanup(self.backend.close)
        self.port = gateway.free_port()
        self.words = words
        if self.asks_helper:
            self.path = self.folder / "socket"
            self.helper = Helper(self.enterContext(gateway.folder()), f"--origin=http://localhost:{self.port}", "--jobs=1", *words,
                                 where=f"unix:{self.path}", front=self.front)
            self.start_helper()
            self.addCleanup(self.helper.end)
        text = self.configured()
        if not guarded:
            self.assertIn(self.guard[0], text)
            text = text.replace(*self.guard)
        self.run_server(text)
        try:
            gateway.until("it listens", lambda: gateway.listens(self.port))
        except TimeoutError:
            self.fail(self.said())

    def start_helper(self) -> None:
        self.helper.start()
        self.path.chmod(0o666)      # servers gave up their rights; where they are installed they are of the group

    def example(self, name: str, **changes: str) -> str:
        """An example, with each of these words put in place of what it has."""
        text = (EXAMPLES / name).read_text()
        for new in changes.values():
            old, new = new.split(" => ")
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def command(self, *options: str) -> str:
        """urivet where servers may run it that gave up their rights."""
        binary = self.folder / "urivet"
        shutil.copy(URIVET, binary)
        return " ".join((str(binary), "serve", *options, *self.words))

    def start(self, *command: str | Path, environment: dict[str, str] | None = None) -> None:
        self.server = gateway.Program(*command, log=self.folder / "out.log", environment=environment)
        self.addCleanup(self.server.end)

    def said(self) -> str:
        return "".join(path.read_text(errors="replace")[-3000:] for path in self.folder.glob("*.log"))

    def configured(self) -> str:
        raise NotImplementedError

    def run_server(self, text: str) -> None:
        raise NotImplementedError

    def host(self) -> str:
        return f"localhost:{self.port}"

    def target(self, path: str) -> str:
        return path

    def ask(self, request: bytes) -> tuple[list[int], list[str]]:
        """The statuses that came back, and the targets that arrived."""
        answer = gateway.ask(self.port, request)
        arrived = [target.decode("latin-1") for target in self.backend.targets()]
        self.assertTrue(arrived or gateway.SECRET not in answer, request)
        return gateway.statuses(answer), arrived

    def get(self, target: str, *fields: str, method: str = "GET", host: str | None = None, version: str = "HTTP/1.1") -> tuple[list[int], list[str]]:
        host = self.host() if host is None else host
        lines = [f"{method} {self.target(target)} {version}", f"Host: {host}", *fields, "Connection: close", "", ""]
        return self.ask(as_octets("\r\n".join(lines)))

    def refused(self, what: object, answer: tuple[list[int], list[str]]) -> None:
        """Nothing arrived; what came back, if anything did, is an error."""
        statuses, arrived = answer
        self.assertEqual(arrived, [], what)
        self.assertTrue(all(status >= 400 for status in statuses), (what, statuses))

    # ---- what holds for each -------------------------------------------------------------------------------

    def test_what_is_read_alike_passes(self) -> None:
        self.begin()
        for target in ACCEPTED:
            self.assertEqual(self.get(target), ([200], [target]), self.said())
        for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            self.assertEqual(self.get("/a", "Content-Length: 0", method=method), ([200], ["/a"]), method)

    def test_what_is_refused_does_not_arrive(self) -> None:
        self.begin()
        for target in TARGETS:
            if target in self.rewritten:
                self.assertEqual(self.get(target), ([200], [self.rewritten[target]]))
            else:
                self.refused(target, self.get(target))
        self.assertEqual(self.get("/a"), ([200], ["/a"]))

    def test_hosts(self) -> None:
        self.begin()
        for host in HOSTS:
            self.refused(host, self.get("/a", host=host))
        for fields in ("Host: localhost\r\nHost: evil.example", "Host: localhost\r\n evil.example", "Host:", "X: y"):
            self.refused(fields, self.ask(as_octets(f"GET /a HTTP/1.1\r\n{fields}\r\nConnection: close\r\n\r\n")))

    def test_what_clients_say_of_themselves_is_not_believed(self) -> None:
        self.begin()
        said = ("X-Original-URI: /a", "X-Forwarded-Uri: /a", "X-Forwarded-Host: localhost", "X-Original-Method: GET", "X-Forwarded-Proto: http",
                "X-Original-Host: localhost", "X-Forwarded-Method: GET", "X-Original-Scheme: http", "X-Urivet-Verdict: accept")
        self.refused(said, self.get("/a%2Fb", *said))
        bad = tuple(field.replace("/a", "/a%2Fb") for field in said)
        self.assertEqual(self.get("/a", *bad), ([200], ["/a"]))

    def test_one_connection(self) -> None:
        """What is refused does not hide after what is not."""
        self.begin()
        host = self.host()
        good = f"GET {self.target('/good')} HTTP/1.1\r\nHost: {host}\r\n\r\n"
        bad = f"GET {self.target('/a%2Fb')} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        _, arrived = self.ask(as_octets(good + bad))
        self.assertLessEqual(arrived, ["/good"])
        body = f"POST {self.target('/good')} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(bad)}\r\nConnection: close\r\n\r\n{bad}"
        self.assertEqual(self.ask(as_octets(body))[1], ["/good"])
        body = body.replace("Content-Length: ", "Transfer-Encoding: chunked\r\nContent-Length: ")
        self.assertLessEqual(set(self.ask(as_octets(body))[1]), {"/good"})

    def test_without_the_guard(self) -> None:
        """The control: something of all that arrives then."""
        self.begin(guarded=False)
        arrived = [target for target in TARGETS if self.get(target)[1]]
        self.assertIn("/a/../b" if self.front == "caddy" else "/%61dmin", arrived)
        self.assertGreater(len(arrived), 3)

    def test_observing(self) -> None:
        self.begin(words=("--observe",))
        self.assertEqual(self.get("/a/b%20;x")[0], [200])
        self.assertEqual(len(self.get("/%61dmin")[1]), 1)

    def test_nothing_passes_where_the_helper_does_not_answer(self) -> None:
        self.begin()
        self.assertEqual(self.get("/a")[0], [200])
        child = self.answering()
        os.kill(child, signal.SIGSTOP)
        try:
            self.refused("hung", self.hung())
        finally:
            os.kill(child, signal.SIGCONT)
        gateway.until("it goes on", lambda: self.get("/b")[0] == [200])
        self.end_helper()
        self.refused("gone", self.get(self.asked_without))
        self.assert_comes_back()

    # ---- the helper ------------------------------------------------------------------------------------------

    def answering(self) -> int:
        (child,) = self.helper.children()
        return child

    def hung(self) -> tuple[list[int], list[str]]:
        return self.get("/hung")

    def waits(self) -> tuple[list[int], list[str]]:
        """What becomes of a request where the server waits for as long as its client does."""
        with gateway.connected(self.port) as connection:
            connection.settimeout(1)
            connection.sendall(as_octets(f"GET {self.target('/hung')} HTTP/1.1\r\nHost: {self.host()}\r\n\r\n"))
            with self.assertRaises(TimeoutError):
                connection.recv(1)
        return [], [target.decode() for target in self.backend.targets()]

    def own_helper(self) -> int:
        """The helper that the server started itself."""
        pid = self.server.process.pid
        (child,) = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
                    if b"serve" in Path(f"/proc/{child}/cmdline").read_bytes()]
        return child

    def end_helper(self) -> None:
        self.helper.end()

    def assert_comes_back(self) -> None:
        self.start_helper()
        gateway.until("it is there again", lambda: self.get("/d")[0] == [200])


class NginxModule(Server):
    program, asks_helper = nginx.NGINX, False
    guard = ("urivet        enforce;", "")

    def configured(self) -> str:
        text = self.example("nginx.conf", port=f"listen 80 => listen 127.0.0.1:{self.port}", app=f"127.0.0.1:8000 => 127.0.0.1:{self.backend.port}",
                            module=f"modules/ngx_http_urivet_module.so => {nginx.MODULE}",
                            own=f"http {{ => http {{ access_log off; client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy; "
                                f"fastcgi_temp_path {self.folder}/fcgi; uwsgi_temp_path {self.folder}/uwsgi; scgi_temp_path {self.folder}/scgi;")
        return text.replace("enforce", "observe") if "--observe" in self.words else text

    def run_server(self, text: str) -> None:
        path = self.folder / "nginx.conf"
        path.write_text(text)
        self.start(self.program, "-p", self.folder, "-e", self.folder / "error.log", "-c", path, "-g", f"daemon off; pid {self.folder}/pid;")

    def test_nothing_passes_where_the_helper_does_not_answer(self) -> None:
        """There is none: the counts are told instead."""
        self.begin()
        self.get("/a")
        self.refused("refused", self.get("/a%2Fb"))
        page = gateway.body(gateway.get(self.port, "/urivet"))
        self.assertIn('urivet_findings_total{finding="escaped-slash"} 1\n', page)

    def test_parameters_and_fields(self) -> None:
        self.begin()
        inside = "http://127.0.0.1/"
        for fields in ([f"/a?url={inside}"], [f"/a?next=/b&next={inside}"], ["/a", f"X-Callback-Url: {inside}"]):
            self.refused(fields, self.get(*fields))


class Caddy(Server):
    program, front = "/usr/bin/caddy", "caddy"
    rewritten = {"/a|b": "/a%7Cb", '/a"b': "/a%22b", "http://evil.example/a": "/a"}      # the last with a Host field of its own

    def configured(self) -> str:
        site = self.example("Caddyfile", port=f":80 {{ => :{self.port} {{\n\tbind 127.0.0.1", app=f"127.0.0.1:8000 => 127.0.0.1:{self.backend.port}",
                            helper=f"/run/urivet/serve.sock => {self.path}")
        self.guard = (site[site.index("\tforward_auth"):site.index("\treverse_proxy")], "")
        return "{\n\tadmin off\n\tauto_https off\n}\n" + site

    def run_server(self, text: str) -> None:
        path = self.folder / "Caddyfile"
        path.write_text(text)
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        self.start(self.program, "run", "--adapter", "caddyfile", "--config", path, environment=home)

    hung = Server.waits


class Haproxy(Server):
    program, front = "/usr/sbin/haproxy", "haproxy"

    def configured(self) -> str:
        script = self.folder / "haproxy.lua"
        script.write_text(self.example("haproxy.lua", helper=f"/run/urivet/serve.sock => {self.path}"))
        text = self.example("haproxy.cfg", port=f"bind :80 => bind 127.0.0.1:{self.port}", app=f"127.0.0.1:8000 => 127.0.0.1:{self.backend.port}",
                            script=f"/etc/haproxy/haproxy.lua => {script}")
        self.guard = ("    http-request deny deny_status 400 unless { var(txn.urivet) -m str accept }\n", "")
        return text

    def run_server(self, text: str) -> None:
        path = self.folder / "haproxy.cfg"
        path.write_text(text)
        self.start(self.program, "-f", path)


class Squid(Server):
    """For clients that say which server they want: the Host field is none of its business, and is written anew."""
    program, asks_helper = "/usr/sbin/squid", False
    asked_without = "/c%2Fd"    # it starts another helper itself, at once
    rewritten = {"/a%5cb": "/a%5cb", "/a//b": "/a//b"}     # notes of its policy, no more

    def configured(self) -> str:
        policy = self.folder / "policy.yaml"
        shutil.copy(gateway.ROOT / "src" / "policies" / "outbound-proxy.yaml", policy)
        text = self.example("squid.conf", port=f"http_port 3128 => http_port 127.0.0.1:{self.port}",
                            command="/usr/local/bin/urivet serve --squid => " + self.command("--squid"),
                            policy=f"/etc/urivet/outbound-proxy.yaml => {policy}")
        self.guard = ("http_access allow judged", "http_access allow all")
        # whatever it is asked for comes from the server with the secret
        return text + f"""
cache_peer 127.0.0.1 parent {self.backend.port} 0 no-query no-digest originserver name=secret
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

    def run_server(self, text: str) -> None:
        path = self.folder / "squid.conf"
        path.write_text(text)
        self.start(self.program, "-N", "-f", path)

    def host(self) -> str:
        return "www.example.com"

    def target(self, path: str) -> str:
        return f"http://{self.host()}{path}" if path.startswith("/") else path

    answering = Server.own_helper
    hung = Server.waits

    def test_hosts(self) -> None:
        self.begin()
        for host in HOSTS:
            gateway.ask(self.port, as_octets(f"GET {self.target('/a')} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
        self.assertEqual({field for request in self.backend.requests for field in request.split(b"\r\n") if field.startswith(b"Host:")},
                         {b"Host: www.example.com"})
        self.backend.targets()
        for host in HOSTS:
            if "@" in host:     # it takes userinfo away, and asks about what it is going to fetch
                self.get(f"http://{host}/a")
            else:
                self.refused(host, self.get(f"http://{host}/a"))

    def test_tunnels(self) -> None:
        self.begin()
        for target in ("www.example.com:22", "127.1:443", "a@www.example.com:443", "evil_.example:443:443"):
            self.refused(target, self.ask(as_octets(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nConnection: close\r\n\r\n")))

    def end_helper(self) -> None:
        os.kill(self.answering(), signal.SIGKILL)

    def assert_comes_back(self) -> None:
        gateway.until("another helper", lambda: self.get("/d")[0] == [200])


class Apache(Server):
    program, asks_helper = "/usr/sbin/apache2", False

    def configured(self) -> str:
        text = self.example("apache.conf", port=f"*:80 => 127.0.0.1:{self.port}", app=f"127.0.0.1:8000 => 127.0.0.1:{self.backend.port}",
                            command="/usr/local/bin/urivet serve --apache => " + self.command("--apache", f"--origin=http://localhost:{self.port}"))
        self.guard = ("RewriteRule ^ - [F]", "")
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

    def run_server(self, text: str) -> None:
        path = self.folder / "apache.conf"
        path.write_text(text)
        self.start(self.program, "-DFOREGROUND", "-f", path)

    answering = Server.own_helper
    hung = Server.waits

    def end_helper(self) -> None:
        os.kill(self.answering(), signal.SIGKILL)

    def assert_comes_back(self) -> None:
        """Apache starts another when it is told to begin anew."""
        self.server.signal(signal.SIGHUP)
        gateway.until("another helper", lambda: gateway.listens(self.port) and self.get("/d")[0] == [200])


if __name__ == "__main__":
    unittest.main()
