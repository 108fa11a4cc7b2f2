#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""audit.py FILE...: checks what is packed for others. A wheel: its extension needs no library and no version of glibc that its tag
manylinux_X_Y does not promise (PEP 600), and exports its entry point alone. A package for npm: no scripts run at installation, and
no file lies outside of package/."""
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# what every system with glibc has, of the list of PEP 600
PROMISED = {"libc.so.6", "libpthread.so.0", "libm.so.6", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def faults_of_extension(path: str, tag: tuple[int, int]) -> list[str]:
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", path)))
    symbols = output("readelf", "--dyn-syms", "-W", path)
    versions = {tuple(int(part) for part in found.split(".")) for found in re.findall(r"@GLIBC_([0-9.]+)", symbols)}
    exported = {line.split()[7] for line in symbols.splitlines() if re.search(r" GLOBAL +DEFAULT +\d+ ", line)}
    return [*(f"needs {name}, which not every system has" for name in sorted(needed - PROMISED)),
            *(f"needs GLIBC_{'.'.join(map(str, one))}, above the tag's" for one in sorted(versions) if one > tag),
            *(f"exports {name}" for name in sorted(exported) if not name.startswith("PyInit_"))]


def faults_of_wheel(path: pathlib.Path) -> list[str]:
    tag = re.search(r"-cp311-abi3-manylinux_(\d+)_(\d+)_\w+\.whl$", path.name)
    if tag is None:
        return ["the name has no tag cp311-abi3-manylinux_X_Y"]
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as wheel:
        wheel.extractall(folder)
        extensions = sorted(pathlib.Path(folder).rglob("*.so"))
        return [fault for one in extensions for fault in faults_of_extension(str(one), (int(tag[1]), int(tag[2])))] or \
            ([] if len(extensions) == 1 else [f"{len(extensions)} extensions"])


def faults_of_npm(path: pathlib.Path) -> list[str]:
    with tarfile.open(path) as package:
        names = package.getnames()
        about = json.load(package.extractfile("package/package.json"))
        licence = "package/LICENSE" in names and "package/README.md" in names
        return [*(f"runs {name} at installation" for name in about.get("scripts", {})),
                *(f"{name} lies outside" for name in names if not name.startswith("package/") or ".." in name),
                *(["no version"] if about["version"] == "0.0.0" else []), *([] if licence else ["LICENSE or README.md is missing"])]


def main() -> int:
    status = 0
    for path in map(pathlib.Path, sys.argv[1:]):
        faults = faults_of_wheel(path) if path.suffix == ".whl" else faults_of_npm(path)
        for fault in faults:
            print(f"{path.name}: {fault}", file=sys.stderr)
            status = 1
    return status


sys.exit(main())
