#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the generated blocks and the links of the pages (*.md) up to date.

    readme.py --write build/urivet     rewrites the blocks that programs write
    readme.py --check build/urivet     fails if a block is stale, a link is broken, a page has no
                                       link that leads to it from README.md, a make target does
                                       not exist, or README.md is too long or lacks a command

A block stands between '<!-- NAME ARGUMENTS -->' and '<!-- end -->':
    output COMMAND [| N]   what 'urivet COMMAND' prints, or its first N lines
    file PATH              the text of a file
    example ARGUMENTS      what the C program above the block prints, built with the library, and
                           with liburivet-policy if it includes that
    catalogue              the table of findings
    allowed differences    the differences that the judge of the zoo allows between two readings
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.parse
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLICIES = ("strict", "public", "any", "gateway")
MOST_LINES = 220  # limit for README.md, which newcomers read
# sections of README.md with commands, and what runs these as printed
TESTED_BLOCKS = {"Try it": "tests/stranger.sh", "Install": "tests/packages/readme.sh", "With data": "tests/cli/test_manual.py"}
BLOCK = re.compile(r"(<!-- (output|example|catalogue|allowed|file) ?(.*?) -->\n).*?(<!-- end -->)", re.S)
FENCE = re.compile(r"^(```+)([^\n]*)\n(.*?)^\1$", re.S | re.M)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def run(command: list[str]) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if result.returncode > 1 or result.stderr:
        sys.exit(f"{shlex.join(command)}: {result.stderr}")
    return result.stdout


def fenced(text: str) -> str:
    return "```\n" + text.rstrip("\n") + "\n```\n"


def output(urivet: str, arguments: str, _: str) -> str:
    arguments, _, most = arguments.partition(" | ")
    lines = run([urivet, *shlex.split(arguments)]).splitlines(keepends=True)
    return fenced("".join(lines[:int(most or len(lines))]))


def policy_libraries() -> list[str]:
    """Returns the flags for the libraries that liburivet-policy needs and that are installed."""
    found = ["-pthread"]
    for name in ("yaml-0.1",):
        flags = subprocess.run(["pkg-config", "--libs", name], capture_output=True, text=True, check=False)
        found += flags.stdout.split() if flags.returncode == 0 else []
    return found


def example(urivet: str, arguments: str, above: str) -> str:
    source = [match[3] for match in FENCE.finditer(above) if match[2] == "c"][-1]
    build = pathlib.Path(urivet).resolve().parent
    libraries = [str(build / "liburivet.a")]
    if "<urivet/policy.h>" in source:
        libraries = [str(build / "liburivet-policy.a"), *libraries, *policy_libraries()]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "example.c").write_text(source, encoding="utf-8")
        program = folder + "/example"
        run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Iinclude", "-o", program,
             folder + "/example.c", *libraries])
        return fenced(run([program, *shlex.split(arguments)]))


def cell(text: str) -> str:
    text = text.replace("\\x5C", "\\").replace("\\x20", " ")
    return re.sub(r"([\\|<>*_`~&])", r"\\\1", text)


def base_rules(urivet: str, policy: str, heading: str) -> set[str]:
    """Returns the findings that 'policy show' lists under a heading."""
    lists = re.search(rf"^# {heading}:\n((?:#   .*\n)+)", run([urivet, "policy", "show", policy]), re.M)
    return set(re.findall(r"[a-z0-9-]+", lists[1])) if lists else set()


def refusers(urivet: str) -> Callable[[str, str], str]:
    """Returns a function that names the built-in policies that refuse a finding, given its name and class."""
    raised = {policy: base_rules(urivet, policy, "The base has these rules") for policy in POLICIES}
    waived = {policy: base_rules(urivet, policy, "The base lets these findings stand") for policy in POLICIES}
    if not raised["public"] or not raised["gateway"] or not waived["gateway"]:
        sys.exit("urivet policy show does not say what public and gateway raise, or gateway waives")

    def said(name: str, kind: str) -> str:
        by = [p for p in POLICIES if name not in waived[p] and (kind not in ("note", "policy") or name in raised[p])]
        if len(by) == len(POLICIES):
            return "all"
        if len(by) > len(POLICIES) // 2:
            return "all but " + ", ".join(f"`{p}`" for p in POLICIES if p not in by)
        return ", ".join(f"`{p}`" for p in by) or ("a rule" if kind == "policy" else "")

    return said


def catalogue(urivet: str, _: str, __: str) -> str:
    rows = [line.split("\t") for line in run([urivet, "findings", "--format=tsv"]).splitlines()]
    refused_by = refusers(urivet)
    lines = ["| finding | no. | class | refused by | component | what it says | by | next step |", "|---|--:|---|---|---|---|---|---|"]
    for name, number, kind, component, reference, text, step in rows:
        lines.append(f"| `{name}` | {number} | {kind} | {refused_by(name, kind)} | {component} | {cell(text)} | "
                     f"{cell(reference)} | {cell(step)} |")
    return "\n".join(lines) + "\n"


def differences(_: str, __: str, ___: str) -> str:
    text = (ROOT / "fuzz/lab/zoo/allowed.tsv").read_text(encoding="ascii")
    lines = ["| difference | | in | who | what to know |", "|---|---|---|---|---|"]
    for row in (line.split("\t") for line in text.splitlines() if not line.startswith("#")):
        name, state, parts, kind, octets, who, why = row
        if kind == "triplet":
            why = f"`` {octets} ``".replace("|", "\\|") + " against %HH; " + cell(why)
        else:
            why = cell(why)
        lines.append(f"| {name} | {state} | {parts.replace(',', ', ')} | {cell(who)} | {why} |")
    return "\n".join(lines) + "\n"


def file(_: str, path: str, __: str) -> str:
    return f"```{pathlib.Path(path).suffix[1:]}\n{(ROOT / path).read_text(encoding='utf-8')}```\n"


MAKERS = {"output": output, "example": example, "catalogue": catalogue, "allowed": differences, "file": file}


def renewed(text: str, urivet: str) -> str:
    """Returns the page with every block up to date."""
    return BLOCK.sub(lambda m: m[1] + MAKERS[m[2]](urivet, m[3], text[:m.start()]) + m[4], text)


# ---- Links -----------------------------------------------------------------------


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "`", FENCE.sub("", text))


def anchors(text: str) -> set[str]:
    """Returns the anchors that code forges make of the headings of a page."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ +(.*?) *$", FENCE.sub("", text), re.M):
        slug = re.sub(r"[^\w\- ]", "", LINK.sub(r"\1", heading).lower()).replace(" ", "-")
        count = 0
        while slug + (f"-{count}" if count else "") in found:
            count += 1
        found.add(slug + (f"-{count}" if count else ""))
    return found


def links(page: pathlib.Path, pages: dict[pathlib.Path, str]) -> tuple[set[pathlib.Path], list[str]]:
    """Returns the files that a page links to, and the problems of its links."""
    reached: set[pathlib.Path] = set()
    wrong: list[str] = []
    for target in LINK.findall(without_code(pages[page])):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = urllib.parse.unquote(target).partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or ROOT not in (file, *file.parents):
            wrong.append(f"{page.relative_to(ROOT)}: no file {path}")
        elif anchor and (file not in pages or anchor not in anchors(pages[file])):
            wrong.append(f"{page.relative_to(ROOT)}: no heading {target}")
        reached.add(file / "README.md" if file.is_dir() else file)
    return reached, wrong


def make_targets() -> set[str]:
    """Returns the targets that the makefiles list."""
    makefiles = [ROOT / "Makefile", *(path for path in ROOT.glob("*/**/*.mk") if "build" not in path.parts)]
    names: set[str] = set()
    for makefile in makefiles:
        for rule in re.findall(r"^([a-z][a-z -]*):(?!=)", makefile.read_text(encoding="utf-8"), re.M):
            names.update(rule.split())
    return names


def problems(pages: dict[pathlib.Path, str], urivet: str) -> list[str]:
    """Returns the problems of the pages, except those of their blocks."""
    first = ROOT / "README.md"
    commands = re.findall(r"^  ([a-z]+)  ", run([urivet, "help"]), re.M)
    found = [f"README.md does not name urivet {command}" for command in commands
             if command != "help" and f"`urivet {command} " not in pages[first]]
    lines = pages[first].count("\n")
    if lines > MOST_LINES:
        found.append(f"README.md has {lines} lines, more than {MOST_LINES}")
    for section in pages[first].split("\n## "):
        heading = section.splitlines()[0]
        if "```sh\n" in section and heading not in TESTED_BLOCKS:
            found.append(f"README.md: no test runs the commands of {heading}")
    targets = make_targets()
    leads: dict[pathlib.Path, set[pathlib.Path]] = {}
    for page, text in pages.items():
        leads[page], wrong = links(page, pages)
        found += wrong
        for command in re.findall(r"(?:^|`)make((?: +[A-Z_]+=(?:'[^']*'|\"[^\"]*\"|[^\s`]+))*(?: +[a-z-]+)+)", text, re.M):
            found += [f"{page.relative_to(ROOT)}: make has no target {name}"
                      for name in re.findall(r" ([a-z][a-z-]*)", command) if name not in targets]
    reached, new = {first}, {first}
    while new:
        new = {page for old in new for page in leads[old] if page in pages} - reached
        reached |= new
    return found + [f"{page.relative_to(ROOT)}: no link leads there from README.md"
                    for page in sorted(set(pages) - reached)]


def main() -> None:
    mode, urivet = sys.argv[1:]
    urivet = str(pathlib.Path(urivet).resolve())
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.md"))
             if not {"build", ".git"} & set(path.relative_to(ROOT).parts)}
    wrong: list[str] = []
    for page, text in pages.items():
        fresh = renewed(text, urivet)
        if mode == "--write":
            if fresh != text:
                page.write_text(fresh, encoding="utf-8")
        elif fresh != text:
            wrong.append(f"{page.relative_to(ROOT)}: a block is stale; run 'make readme'")
    if mode == "--check":
        wrong += problems(pages, urivet)
    if wrong:
        sys.exit("\n".join(wrong))
    blocks = sum(len(BLOCK.findall(text)) for text in pages.values())
    print(f"readme: {blocks} blocks are fresh, {len(pages)} pages are linked")


main()
