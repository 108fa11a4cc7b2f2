# SPDX-License-Identifier: Apache-2.0
"""Runs servers for the tests: a copy of PostgreSQL's folders with the extension in it, and clusters on Unix
sockets."""
from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PG_CONFIG = os.environ.get("PG_CONFIG", "pg_config")
PATIENCE = 300      # seconds for one call of a program
SETTINGS = """
listen_addresses = ''
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
shared_buffers = 64MB
max_connections = 20
max_wal_size = 4GB
jit = off
log_min_messages = warning
"""


def configured(what: str) -> Path:
    return Path(subprocess.run([PG_CONFIG, "--" + what], capture_output=True, text=True, check=True).stdout.strip())


def owner() -> str | None:
    """Returns the user that runs the servers if the tests run as root, because PostgreSQL refuses root."""
    return "postgres" if os.getuid() == 0 else None


def as_owner(command: list[str], stdin: str | bytes | None = None, patience: float = PATIENCE,
             environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Runs a program as the user of the servers, in an environment of its own."""
    user = pwd.getpwnam(owner()) if owner() else None
    around = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", **(environment or {})}
    octets = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(command, input=octets, capture_output=True, check=False, timeout=patience, env=around, cwd="/",
                          **({"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}))


class Tree:
    """The folders of an installation, of which only those that an extension is installed into are its own:
    programs find all others beside them."""

    def __init__(self, folder: Path, extension: Path | None) -> None:
        installed = {what: configured(what) for what in ("bindir", "pkglibdir", "sharedir")}
        common = Path(os.path.commonpath(installed.values()))
        place = {what: folder / path.relative_to(common) for what, path in installed.items()}
        for path in place.values():
            path.mkdir(parents=True)
        self.bin = place["bindir"]
        for program in ("postgres", "initdb", "pg_ctl", "psql", "pg_dump", "pg_dumpall"):
            shutil.copy(installed["bindir"] / program, self.bin / program)
        for what in ("pkglibdir", "sharedir"):
            for entry in installed[what].iterdir():
                # an extension of ours that is installed has no place here, least of all as a link to write through
                if entry.name not in ("extension", "bin") and not entry.name.startswith("urivet"):
                    if not (place[what] / entry.name).exists():
                        (place[what] / entry.name).symlink_to(entry)
        self.extensions = place["sharedir"] / "extension"
        self.modules = place["pkglibdir"]
        self.extensions.mkdir()
        for entry in (installed["sharedir"] / "extension").iterdir():
            if not entry.name.startswith("urivet"):
                (self.extensions / entry.name).symlink_to(entry)
        if extension is not None:
            self.install(extension)

    def install(self, extension: Path) -> None:
        """Installs the extension, as `make install-postgres` does."""
        for folder, paths in ((self.extensions, [*extension.glob("urivet*.sql"), extension / "urivet.control"]),
                              (self.modules, extension.glob("urivet*.so"))):
            for path in paths:
                # a new file: what is there may be a link, or mapped by a server
                (folder / path.name).unlink(missing_ok=True)
                shutil.copy(path, folder / path.name)


class Cluster:
    """One server, whose socket lies in its own folder."""

    def __init__(self, tree: Tree, folder: Path, name: str, options: str = "") -> None:
        self.tree, self.socket = tree, folder / name
        self.socket.mkdir()
        if owner():
            shutil.chown(self.socket, owner(), pwd.getpwnam(owner()).pw_gid)
        self.data = self.socket / "data"
        self.run(str(tree.bin / "initdb"), "-D", str(self.data), "-U", "owner", "-A", "trust", "--no-sync",
                 "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions")
        with open(self.data / "postgresql.conf", "a", encoding="ascii") as settings:
            settings.write(SETTINGS + f"unix_socket_directories = '{self.socket}'\n" + options)
        self.run(str(tree.bin / "pg_ctl"), "-D", str(self.data), "-w", "-l", str(self.socket / "log"), "start")

    def run(self, *command: str, stdin: str | bytes | None = None) -> bytes:
        result = as_owner(list(command), stdin)
        if result.returncode != 0:
            log = self.socket / "log"
            raise RuntimeError(f"{command}: {result.stderr.decode(errors='replace')[-2000:]}"
                               + (log.read_text(errors="replace")[-2000:] if log.exists() else ""))
        return result.stdout

    def stop(self) -> None:
        as_owner([str(self.tree.bin / "pg_ctl"), "-D", str(self.data), "-w", "-m", "immediate", "stop"])

    def try_sql(self, sql: str | bytes, database: str = "postgres", user: str = "owner",
                options: tuple[str, ...] = (), patience: float = PATIENCE) -> subprocess.CompletedProcess[bytes]:
        """Runs psql until the first error; returns its result."""
        command = [str(self.tree.bin / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(self.socket),
                   "-U", user, "-d", database, *options, "-f", "-"]
        return as_owner(command, sql, patience, {"PGCLIENTENCODING": "UTF8"})

    def sql(self, sql: str | bytes, database: str = "postgres", user: str = "owner") -> str:
        """Returns the answer to the statements, which must succeed."""
        result = self.try_sql(sql, database, user)
        if result.returncode != 0:
            raise AssertionError(result.stderr.decode(errors="replace"))
        return result.stdout.decode("utf-8", errors="surrogateescape").rstrip("\n")

    def error(self, sql: str | bytes, database: str = "postgres", user: str = "owner") -> str:
        """Returns the server's error; one of the statements must fail."""
        result = self.try_sql(sql, database, user, ("-v", "VERBOSITY=verbose"))
        if result.returncode == 0:
            raise AssertionError(f"no error: {sql!r}: {result.stdout!r}")
        return result.stderr.decode("utf-8", errors="replace")


def folder_of_tests() -> tempfile.TemporaryDirectory[str]:
    """Returns a folder that the servers' user may enter."""
    folder = tempfile.TemporaryDirectory(prefix="urivet-pg-", dir="/tmp")
    os.chmod(folder.name, 0o755)
    return folder
