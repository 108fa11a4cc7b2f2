#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs network programs in isolation: net, pid, mount and host name namespaces of their own.

    cage.py COMMAND [ARGUMENT...]

Inside, only the loopback device exists, and every address, IPv4 or IPv6, leads to it.  Names are resolved
by a server on 127.0.0.1 (the recorder, if it runs).  /run is empty; HOME and TMPDIR are in it.  All
processes started inside end with the command.  Needs root, or a kernel that lets users make namespaces.
"""
from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SCRATCH = Path("/run/cage")
INSIDE = "--inside"         # passed to itself
# The files of this machine that programs inside may read.
FILES = {
    "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:2 attempts:1\n",
    "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
NETWORK = (
    "ip link set lo up",
    "ip route add local 0.0.0.0/0 dev lo",
    "ip -6 route add local ::/0 dev lo",
    # Addresses other than loopback ones: without them resolvers and clients (GLib, lftp) assume that there
    # is no network, or no IPv6, and resolve no name.
    "ip addr add 192.0.2.1/32 dev lo",
    "ip -6 addr add 2001:db8::1/128 dev lo nodad",
)


def entered(command: Sequence[str]) -> list[str]:
    """Returns the command line that runs a command in the cage."""
    return ["unshare", "--net", "--pid", "--fork", "--uts", "--mount", "--mount-proc", "--kill-child",
            *([] if os.geteuid() == 0 else ["--map-root-user"]), sys.executable, "-B", __file__, INSIDE, *command]


def run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"cage: {' '.join(words)}: {done.stderr.strip() or done.returncode}")


def replace(path: str, text: str) -> None:
    """Replaces the content of a file, in this namespace only."""
    name = path.strip("/").replace("/", "-")
    own = SCRATCH / name
    own.write_text(text)
    target = Path(path).resolve()
    if not target.exists():         # a link into /run, which is empty now
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    run("mount", "--bind", str(own), str(target))


def settle() -> None:
    socket.sethostname("localhost")
    for command in NETWORK:
        run(*command.split())
    run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run")
    SCRATCH.mkdir()
    SCRATCH.chmod(0o1777)
    for path, text in FILES.items():
        replace(path, text)
    (SCRATCH / "home").mkdir()
    os.environ.update(HOME=str(SCRATCH / "home"), TMPDIR=str(SCRATCH))


def main() -> None:
    command = sys.argv[1:]
    if not command or command == [INSIDE]:
        sys.exit(__doc__)
    if command[0] == INSIDE:
        settle()
        command = command[1:]
    else:
        command = entered(command)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
