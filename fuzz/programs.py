# SPDX-License-Identifier: Apache-2.0
"""Third-party programs: the packages they need, how each is built once, and how its version is read."""
from __future__ import annotations

import fcntl
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

TIME_LIMIT = 300        # seconds for one run


@dataclass(frozen=True)
class Program:
    """A program: what must be installed, and sh commands that build it and run it."""
    name: str
    packages: tuple[str, ...]               # deb:NAME and npm:NAME@VERSION
    build: str
    run: str
    sources: tuple[Path, ...]               # rebuilt when one of these changes
    settings: Mapping[str, str] = field(default_factory=dict, hash=False)    # variables for these commands


@dataclass(frozen=True)
class Visited:
    """The version, or the reason why the program is missing."""
    version: str = ""
    lacks: str = ""


@dataclass(frozen=True)
class Workshop:
    """The folder where programs are built, and the environment that they run in."""
    root: Path              # working folder of the programs
    out: Path
    environment: Mapping[str, str]

    def shell(self, command: str, data: bytes = b"",
              settings: Mapping[str, str] = {}) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["sh", "-c", command], input=data, capture_output=True, cwd=self.root,
                              env={**self.environment, **settings}, timeout=TIME_LIMIT, check=False)

    def build(self, program: Program) -> str:
        """Builds the program if needed. Returns an error message, or "". One process builds at a time."""
        with open(self.out / f"{program.name}.lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return self.build_alone(program)

    def build_alone(self, program: Program) -> str:
        stamp = self.out / f"{program.name}.built"
        newest = max((path.stat().st_mtime for path in program.sources if path.exists()), default=0.0)
        if not program.build or (stamp.exists() and stamp.stat().st_mtime > newest
                                 and stamp.read_text() == program.build):
            return ""
        done = self.shell(program.build, settings=program.settings)
        if done.returncode != 0:
            stamp.unlink(missing_ok=True)
            return done.stderr.decode("utf-8", "replace") or f"status {done.returncode}"
        stamp.write_text(program.build)
        return ""

    def installed(self, package: str) -> bool:
        kind, _, name = package.partition(":")
        if kind == "npm":
            return (self.out / "node_modules" / name.rpartition("@")[0]).is_dir()
        done = self.shell(f"dpkg-query -W -f='${{Status}}' {shlex.quote(name)}")
        return b"install ok installed" in done.stdout

    def why_not(self, program: Program, trouble: str) -> str:
        missing = [package for package in program.packages if not self.installed(package)]
        if missing:
            return "needs " + " ".join(missing)
        return "does not work: " + " ".join(trouble.split())[-200:]

    def visit(self, program: Program) -> Visited:
        """Builds the program and reads its version."""
        try:
            trouble = self.build(program)
            if not trouble:
                done = self.shell(f"{program.run} --version", settings=program.settings)
                version = done.stdout.decode("utf-8", "replace").strip()
                if done.returncode == 0 and version:
                    return Visited(version=version.split("\n")[0])
                trouble = done.stderr.decode("utf-8", "replace") or "no version"
        except subprocess.TimeoutExpired:
            trouble = f"nothing after {TIME_LIMIT} s"
        return Visited(lacks=self.why_not(program, trouble))
