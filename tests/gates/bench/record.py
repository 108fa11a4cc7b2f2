#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what `make bench` and `make bench-batch` measured into the README.md beside this program:
record.py FOLDER. Its blocks stand between '<!-- measured by make bench -->' (or bench-batch, or
'<!-- aims -->') and '<!-- end -->'; the plots go beside it. What was not measured keeps its block.
"""
from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import plot

HERE = Path(__file__).resolve().parent
SIZES = ("64", "1024", "4096", "65536")
LEADING = ("mixed", "homepages")
# columns on the page; the programs print more
KEPT = ("floor", "ratio", "accepted")
KEPT_OF_RUNS = ("clock s", "ns/line", "x wc -l", "peak KiB")
OTHERS = {"hostile": "floor_ns", "ipv4": "floor_ns", "ipv6": "floor_ns", "long-query": "ns_per_octet",
          "long-escapes": "ns_per_octet", "long-utf8": "ns_per_octet", "long-mixed": "ns_per_octet"}
# these are on every machine that measured the set
ALWAYS = ("urivet", "floor", "grep", "octet")
Table = dict[str, dict[str, str]]


class Aim(NamedTuple):
    set: str
    row: str
    relation: str
    other: str
    bound: str
    why: str

    def text(self) -> str:
        if self.other == "octet":
            return f"at most {self.bound} ns an octet"
        if self.relation == "<=":
            return f"at most {self.bound} x {self.other.rstrip('*')}"
        return f"at least {self.bound} x as fast as {self.other.rstrip('*')}"

    def figure(self, table: Table) -> float | None:
        """What was reached of it; None where something was not measured."""
        row = table.get(self.row)
        others = [float(each["floor_ns"]) for name, each in table.items()
                  if name == self.other or self.other.endswith("*") and name.startswith(self.other[:-1])]
        if table and (row is None or not others and self.other.startswith(ALWAYS[:-1])):
            sys.exit(f"aims.tsv: {self.set} has no row {self.row!r} or {self.other!r}")
        if row is not None and self.other == "octet":
            return float(row["ns_per_octet"])
        if row is None or not others:
            return None
        ratio = float(row["floor_ns"]) / min(others)
        return ratio if self.relation == "<=" else 1 / ratio

    def met(self, figure: float) -> bool:
        return figure <= float(self.bound) if self.relation == "<=" else figure >= float(self.bound)

    def cells(self, table: Table) -> list[str]:
        figure = self.figure(table)
        if figure is None:
            return [self.set, self.row, self.text(), "not measured", "", self.why]
        unit = " ns" if self.other == "octet" else " x"
        return [self.set, self.row, self.text(), f"{figure:.2g}{unit}" if figure < 10 else f"{figure:.0f}{unit}",
                "yes" if self.met(figure) else "**no**", self.why]


def aims() -> list[Aim]:
    lines = [line for line in (HERE / "aims.tsv").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return [Aim(*(line.split("\t") + [""])[:6]) for line in lines[1:]]


def results(folder: Path, name: str) -> Table:
    path = folder / (name + ".csv")
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["contestant"]: row for row in csv.DictReader(lines)}


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def ruled(head: list[str], body: list[list[str]], left: int = 1) -> list[str]:
    """A table whose first columns, `left` of them, hold words."""
    return [line(head), "|" + "---|" * left + "--:|" * (len(head) - left), *map(line, body)]


def machine() -> str:
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    flags = re.search(r"^flags\s*: (.*)", text, re.M)[1].split()
    family = "family {} model {}".format(*(re.search(rf"^{key}\s*: (.*)", text, re.M)[1]
                                           for key in ("cpu family", "model")))
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True)
    return (re.search(r"^model name\s*: (.*)", text, re.M)[1] + f" ({family}, "
            + ("AVX2" if "avx2" in flags else "no AVX2") + "), "
            + compiler.stdout.splitlines()[0])


def others_used_it(table: Table) -> bool:
    row = table["floor: table scan"]
    return float(row["median_ns"]) > 1.1 * float(row["floor_ns"])


def printed(path: Path, columns: tuple[str, ...]) -> tuple[str, dict[str, list[str]]]:
    """Returns the first line of what a program printed, and these columns of the rows of its table, by their first cell."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    head, *body = [[cell.strip() for cell in each.strip("|").split("|")] for each in lines if each.startswith("| ")]
    return first, {cells[0]: [cells[head.index(column)] for column in columns] for cells in body}


def leading(folder: Path) -> list[str]:
    """The floors, ratios and accepted shares of the leading sets side by side, and a plot of each."""
    sizes, tables, plots = [], [], []
    for name in LEADING:
        first, table = printed(folder / (name + ".md"), KEPT)
        tables.append(table)
        sizes.append(f"{name}: {first.split(';')[0]}")
        rows = [(each, float(row["floor_ns"])) for each, row in results(folder, name).items()]
        (HERE / (name + ".svg")).write_text(plot.svg(f"{name}: ns per URL (floor), logarithmic", rows), encoding="utf-8")
        plots.append(f"![ns per URL of {name}, by contestant]({name}.svg)")
    heads = [f"{name}: {column}" for name in LEADING for column in KEPT]
    body = [[each, *(cell for table in tables for cell in table[each])] for each in tables[0]]
    return ["", f"### {' and '.join(LEADING)}", "", f"Floors in ns a URL. {'; '.join(sizes)}.", "",
            *ruled(["contestant", *heads], body), "", *plots]


def others(folder: Path) -> list[str]:
    """The other sets side by side."""
    tables = {name: results(folder, name) for name in OTHERS}
    body = [[name, *(f"{float(tables[each][name][column]):.{3 if 'octet' in column else 1}f}"
                     for each, column in OTHERS.items())] for name in tables["hostile"]]
    return ["", "### The other sets", "",
            "Floors; ns a URL of hostile, ipv4 and ipv6, ns an octet of the long ones.", "",
            *ruled(["contestant", *OTHERS], body)]


def classes(folder: Path) -> list[str]:
    """The mixed set by class, the dearest first."""
    columns = ["urivet ok", "urivet check strict", "urivet parse", "ada::can_parse*", "uriparser"]
    with (folder / "classes.csv").open(encoding="utf-8", newline="") as lines:
        counts = list(csv.DictReader(lines))
    body = []
    for each_class in counts:
        name, table = each_class["class"], results(folder, "class-" + each_class["class"])
        cells = [min((float(row["floor_ns"]) for each, row in table.items()
                      if each == column or column[-1] == "*" and each.startswith(column[:-1])), default=None)
                 for column in columns]
        share = int(each_class["count"]) / sum(int(each["count"]) for each in counts)
        body.append((cells[1] * share, [name, f"{share:.2%}",
                                        f"{int(each_class['real']) / int(each_class['count']):.0%}",
                                        *("" if cell is None else f"{cell:.1f}" for cell in cells),
                                        f"{cells[1] * share:.2f}"]))
    body.sort(reverse=True)
    head = ["class", "share", "real", *(column.rstrip("*") for column in columns), "part of the mean"]
    return ["", "### The mixed set by class", "",
            "Floors, ns a URL, each class on its own; how many of its URLs are real ones as they stand; and what its "
            "share of `check strict` adds to the mean.", "",
            *ruled(head, [cells for _, cells in body])]


def lengths(folder: Path) -> list[str]:
    """Rates by length, for the contestants that read all of them."""
    table = (folder / "lengths.md").read_text(encoding="utf-8")
    head, *body = [[cell.strip() for cell in each.strip("|").split("|")]
                   for each in table.splitlines() if each.startswith("| ")]
    columns = [head.index(size) for size in SIZES]
    kept = [[cells[0], *(re.search(r"\((.*)\)", cells[k])[1] for k in columns)] for cells in body
            if "any length" in cells[0] or cells[0].startswith("floor") and "call" not in cells[0]]
    return ["", "### One long path", "", *ruled(["GB/s, by length of the URL", *SIZES], kept)]


def reached(folder: Path, page: str) -> list[str]:
    """The aims. One that was not measured keeps what stands on the page."""
    body = []
    for aim in aims():
        kept = re.search(re.escape(line([aim.set, aim.row, aim.text()])[:-1]) + r"\| ([^|]+) \| ([^|]*) \|", page)
        if aim.figure(results(folder, aim.set)) is None and kept:
            body.append([aim.set, aim.row, aim.text(), kept[1], kept[2].strip(), aim.why])
        else:
            body.append(aim.cells(results(folder, aim.set)))
    met = sum(cells[4] == "yes" for cells in body)
    measured = sum(cells[4] != "" for cells in body)
    return [f"{met} of {measured} met; {len(body) - measured} not measured, for want of a library or a run.", "",
            *ruled(["set", "row", "aim", "reached", "met", "why"], body, 6)]


def put(text: str, name: str, block: list[str]) -> str:
    found = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    if not found.search(text):
        sys.exit(f"README.md: no block {name!r} to write")
    return found.sub(lambda old: old[1] + "\n".join(block) + "\n" + old[2], text)


def main() -> None:
    folder, readme = Path(sys.argv[1]), HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    if all((folder / (name + ".csv")).exists() for name in (*LEADING, *OTHERS)):
        used = "; others used the machine" if others_used_it(results(folder, "mixed")) else ""
        block = [f"A run of `make bench` on: {machine()}{used}."]
        text = put(text, "measured by make bench",
                   [*block, *leading(folder), *others(folder), *classes(folder), *lengths(folder)])
    if results(folder, "lines-mixed"):
        block = []
        for name in LEADING:
            first, table = printed(folder / f"lines-{name}.md", KEPT_OF_RUNS)
            block += ["", f"### Lines of {name}", "", first, "",
                      *ruled(["command", *KEPT_OF_RUNS], [[row, *cells] for row, cells in table.items()])]
        text = put(text, "measured by make bench-batch", block[1:])
    readme.write_text(put(text, "aims", reached(folder, text)), encoding="utf-8")


if __name__ == "__main__":
    main()
