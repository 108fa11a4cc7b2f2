#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command where only these Debian packages are installed, what they depend on, and what is required.

    root.py [--user=NAME] PACKAGE... -- COMMAND [ARGUMENT...]

The root is made without network, of hard links to the files of installed packages, in a mount namespace. It is read-only but for
build/ in the current folder and for temporary folders and the home, which lie in memory. Exits as the command does; with 1 if it
left files there, 2 if a package is not installed, 77 where such a root cannot be made.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DPKG = Path("/var/lib/dpkg")
# Files that no package lists: made when one was installed, or by npm.
MADE = {"base-files": "etc/passwd etc/group etc/hosts etc/resolv.conf etc/nsswitch.conf", "nodejs": "etc/npmrc usr/etc/npmrc usr/lib/node_modules", "ca-certificates": "etc/ssl/certs", "apt": "var/lib/apt/lists etc/apt"}
# Mounts the root $1 for the project $2 and runs the command as the user $3.
ENTER = """set -eu
trap 'echo "skipped: the root cannot be mounted"; exit 77' EXIT
root=$1 project=$2 user=$3 && shift 3
chmod 755 "$root" && mount --bind "$root" "$root" && for folder in proc sys dev; do mount --rbind "/$folder" "$root/$folder"; done
for folder in tmp var/tmp run dev/shm root; do mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"; done
mkdir -p "$root$project" && mount --bind "$project" "$root$project" && mount -o remount,ro,bind "$root$project"
mount --bind "$project/build" "$root$project/build"
[ ! -e ~/.npmrc ] || install -m 644 ~/.npmrc "$root/root/.npmrc"
mount -o remount,ro,bind "$root"
trap - EXIT
chroot "$root" env -C "$project" HOME=/root setpriv ${user:+--reuid="$user" --regid="$(id -g "$user")" --clear-groups} -- "$@" && status=0 || status=$?
left=$(cd "$root" && find tmp var/tmp dev/shm root -mindepth 1 -maxdepth 1 ! -name .npmrc ! -name .npm ! -name .cache)
[ -z "$left" ] || { echo "root.py: files were left: $left"; [ $status != 0 ] || status=1; }; exit $status"""


def installed():
    """Returns the installed packages by name, each as the fields of its paragraph in dpkg's status file."""
    found = {}
    for text in (DPKG / "status").read_text("utf-8").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line and line[0] != " ")
        if fields.get("Status", "").endswith(" installed"):
            found.setdefault(fields["Package"], {**fields, "text": text.strip("\n")})
    return found


def closure(names, packages):
    """Returns the names, those of required packages, and what they depend on: of alternatives, the first that is installed."""
    provider = {word: name for name, fields in packages.items() for word in fields.get("Provides", "").replace(",", " ").split()}
    waiting, chosen = [*names, *(name for name, fields in packages.items() if fields.get("Priority") == "required")], set()
    while waiting:
        if (name := waiting.pop()) not in chosen:
            chosen.add(name)
            for group in (packages[name].get("Pre-Depends", "") + "," + packages[name].get("Depends", "")).split(","):
                words = [word.split()[0].split(":")[0] for word in group.split("|") if word.strip()]
                waiting += [word if word in packages else provider[word] for word in words if word in packages or word in provider][:1]
    return chosen


def make(root, names, packages):
    """Fills the folder with the files of the packages, and dpkg's record of them."""
    for folder in ("bin", "sbin", "lib", "lib64", "lib32", "libx32", *"proc sys dev run root usr/local/bin".split()):
        (root / folder).symlink_to(os.readlink("/" + folder)) if os.path.islink("/" + folder) else (root / folder).mkdir(parents=True)
    for name in names:
        record = next(path for part in (name, f"{name}:{packages[name]['Architecture']}") if (path := DPKG / "info" / f"{part}.list").exists())
        made = [path for word in MADE.get(name, "").split() for path in (Path("/", word), *Path("/", word).rglob("*"))]
        for path in (record, *map(Path, record.read_text("utf-8").splitlines()[1:]), *made):
            real = Path(os.path.realpath(path.parent)) / path.name
            copy = root / str(real)[1:]
            folder = real.is_dir() and not real.is_symlink()
            (copy if folder else copy.parent).mkdir(parents=True, exist_ok=True)
            if not folder and os.path.lexists(real) and not os.path.lexists(copy):
                os.link(real, copy, follow_symlinks=False)
    (root / "var/lib/dpkg/status").write_text("\n\n".join(packages[name]["text"] for name in sorted(names)) + "\n", "utf-8")
    for table in (DPKG / "alternatives").iterdir():  # the best choice that is here
        lines = table.read_text("utf-8").split("\n")
        choices = [(int(rank), path) for path, rank in zip(lines, lines[1:]) if rank.isdigit() and os.path.lexists(root / path[1:])]
        if choices and not os.path.lexists(place := root / os.path.realpath(os.path.dirname(lines[1]))[1:] / os.path.basename(lines[1])):
            place.symlink_to(max(choices)[1])
    subprocess.run(["/sbin/ldconfig", "-r", str(root)], check=True)


def main(words):
    user = words.pop(0)[7:] if words and words[0].startswith("--user=") else ""
    if "--" not in words[:-1] or any(word.startswith("-") for word in words[:words.index("--")]):
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    names, command, packages = words[:words.index("--")], words[words.index("--") + 1:], installed()
    if lacking := [name for name in names if name not in packages]:
        sys.exit(print(f"root.py: not installed: {' '.join(lacking)}", file=sys.stderr) or 2)
    enter = ["unshare", "--mount", "--propagation=private"]
    with tempfile.TemporaryDirectory(prefix="urivet-root-", dir="/var/tmp") as root:  # /tmp may be on another file system
        try:
            os.makedirs("build", exist_ok=True)
            subprocess.run([*enter, "true"], check=True, capture_output=True)
            make(Path(root), closure(names, packages), packages)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(print(f"skipped: a root of these packages cannot be made: {error}") or 77)
        sys.exit(subprocess.run([*enter, "sh", "-c", ENTER, "sh", root, os.getcwd(), user, *command], check=False).returncode)


main(sys.argv[1:])
