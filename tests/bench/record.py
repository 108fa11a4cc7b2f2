#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what `make bench` measured into the README.md beside this program: record.py FOLDER.

The block stands between '<!-- measured by make bench -->' and '<!-- end -->'; the plot goes
there too.
"""
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"(<!-- measured by make bench -->\n).*?(<!-- end -->)", re.S)
SIZES = ("64", "1024", "4096", "65536")


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    flags = re.search(r"^flags\s*: (.*)", text, re.M)[1].split()
    family = "family {} model {}".format(*(re.search(rf"^{key}\s*: (.*)", text, re.M)[1]
                                           for key in ("cpu family", "model")))
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True)
    return (re.search(r"^model name\s*: (.*)", text, re.M)[1] + f" ({family}, "
            + ("AVX2" if "avx2" in flags else "no AVX2") + "), "
            + compiler.stdout.splitlines()[0])


def rows(table):
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 2 and not set(line) <= set("|-:"):
            yield cells


def lengths(table):
    """Rates by length, for the contestants that read all of them."""
    head, *body = rows(table)
    columns = [head.index(size) for size in SIZES]
    yield "| GB/s, by length of the URL | " + " | ".join(SIZES) + " |"
    yield "|---|" + "--:|" * len(SIZES)
    for cells in body:
        if "any length" in cells[0] or cells[0].startswith("floor") and "call" not in cells[0]:
            rates = [re.search(r"\((.*)\)", cells[k])[1] for k in columns]
            yield f"| {cells[0]} | " + " | ".join(rates) + " |"


def main():
    folder, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent
    readme = here / "README.md"
    table = (folder / "homepages.md").read_text(encoding="utf-8").splitlines()
    shutil.copyfile(folder / "homepages.svg", here / "homepages.svg")
    attacks = {cells[0]: cells for cells in rows((folder / "attacks.md").read_text(encoding="utf-8"))}
    text = [f"A run of `make bench` on: {machine()}; others used the machine. {table[0]}.", ""]
    text += [re.sub(r" +\|", " |", line) for line in table[2:]]
    text += ["", *lengths((folder / "lengths.md").read_text(encoding="utf-8")), ""]
    text += ["On the attacks that the catalogue tells of (the `fires` of each finding), floor: "
             + ", ".join(f"{attacks[name][1]} ns for {label}" for name, label in (
                 ("urivet urivet_ok", "`urivet_ok`"),
                 ("urivet urivet_check strict", "`urivet_check` with all findings"),
                 ("uriparser", "uriparser")) if name in attacks) + ".", ""]
    text += ["![ns per URL, by contestant](homepages.svg)"]
    old = readme.read_text(encoding="utf-8")
    if not BLOCK.search(old):
        sys.exit(f"{readme}: no block to write")
    readme.write_text(BLOCK.sub(lambda m: m[1] + "\n".join(text) + "\n" + m[2], old), encoding="utf-8")


main()
