# SPDX-License-Identifier: Apache-2.0
"""Builds the extension from the included sources of the library. libyaml is optional and found by
pkg-config; without it, YAML policies are refused with a message. URIVET_WHEEL=manylinux in the
environment builds a wheel for any Linux with glibc 2.34, with libyaml inside."""
import gzip
import os
import pathlib
import platform
import re
import subprocess
import tarfile

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

os.umask(0o022)
HERE = pathlib.Path(__file__).resolve().parent
OPTIONAL = {"yaml-0.1": "HAVE_LIBYAML"}
ANYWHERE = os.environ.get("URIVET_WHEEL") == "manylinux"


def version() -> str:
    header = (HERE / "core" / "include" / "urivet.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"URIVET_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def pkg_config(*arguments: str) -> list[str] | None:
    try:
        done = subprocess.run(["pkg-config", *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.split() if done.returncode == 0 else None


def extension() -> Extension:
    here = [name for name in OPTIONAL if pkg_config("--exists", name) is not None]
    sources = [str(path.relative_to(HERE)) for folder in ("core/src", "extension")
               for path in sorted((HERE / folder).rglob("*.c"))]
    return Extension(
        "urivet._urivet", sources, py_limited_api=True,
        include_dirs=["core/include", "core/src/core", "core/src"],
        define_macros=[("URIVET_STATIC", "1"), ("_POSIX_C_SOURCE", "200809L"), ("_FILE_OFFSET_BITS", "64"),
                       *((OPTIONAL[name], None) for name in here)],
        extra_compile_args=["-std=c11", "-O2", "-g0", "-fvisibility=hidden", "-pthread", "-fno-strict-aliasing",
                            f"-ffile-prefix-map={HERE}=.", *sum((pkg_config("--cflags", n) or [] for n in here), [])],
        extra_link_args=["-pthread", "-Wl,-z,relro,-z,now,--as-needed",
                         *(["-l:libyaml.a", "-Wl,--exclude-libs,ALL"] if ANYWHERE else
                           sum((pkg_config("--libs", name) or [] for name in here), []))])


class BuildPy(build_py):
    """Sets file modes independent of the umask, as they are stored in the wheel."""

    def copy_file(self, *arguments, **more):
        path, copied = super().copy_file(*arguments, **more)
        os.chmod(path, 0o644)
        return path, copied


class Sdist(sdist):
    """Builds a reproducible archive, with SOURCE_DATE_EPOCH as the time of all members."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        moment = int(os.environ.get("SOURCE_DATE_EPOCH", 315619200))

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime = moment
            member.mode = 0o755 if member.isdir() else 0o644
            return member

        path = base_name + ".tar.gz"
        with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, moment) as packed, \
                tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for member in sorted(pathlib.Path(base_dir).rglob("*")):
                archive.add(member, recursive=False, filter=plain)
        return path


setup(version=version(), ext_modules=[extension()], cmdclass={"sdist": Sdist, "build_py": BuildPy},
      options={"bdist_wheel": {"py_limited_api": "cp311",
                               **({"plat_name": f"manylinux_2_34_{platform.machine()}"} if ANYWHERE else {})}})
