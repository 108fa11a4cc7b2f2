#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the site, from the pages and tables of the repository.

    build.py OUT VERSION WORK      OUT: build/site; WORK: the folder with app.js and search.js, and for temporary files

The programs pandoc, mandoc and build/urivet have to be there. Exits 1 if a link leads nowhere.
"""
from __future__ import annotations

import datetime
import gzip
import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
URIVET = ROOT / "build" / "urivet"
sys.path.append(str(ROOT / "fuzz" / "lab" / "page"))

import pages  # noqa: E402

NAVIGATION = (("Playground", "index.html"), ("Findings", "findings/index.html"), ("Docs", "docs/index.html"), ("Laboratory", "lab/index.html"))
# The documentation, by what a reader wants to do; each page of the repository is listed once.
CHAPTERS = (
    ("Start", ("README.md", "SECURITY.md", "src/examples/policies/README.md")),
    ("Use", ("src/policyfile/README.md", "src/gateway/README.md", "src/bindings/python/README.md", "src/bindings/js/README.md", "src/bindings/go/README.md", "src/bindings/onefile/README.md",
             "src/bindings/postgres/README.md", "src/bindings/duckdb/README.md")),
    ("Understand", ("src/core/readers/README.md", "tests/core/names/README.md", "tests/README.md", "fuzz/lab/bench/README.md", "tests/bindings/conformance/README.md")),
    ("Fuzz and compare", ("corpus/README.md", "fuzz/README.md", "fuzz/CAMPAIGNS.md", "fuzz/lab/bugs/README.md", "fuzz/lab/zoo/README.md", "fuzz/lab/wire/README.md",
                          "fuzz/lab/differential/README.md", "fuzz/lab/yours/README.md")),
    ("Cite", ("src/spec/README.md", "src/spec/consensus-url.md")),
    ("Change", ("CONTRIBUTING.md", "CHANGELOG.md")),
)
# Pages with blocks that are filled in when they are built.
BUILT = {"src/spec/consensus-url.md": "build/spec/consensus-url.md"}
LARGEST_COPY = 1 << 20      # of a file that a page links to
# In the order of the catalogue: what matters most comes first.
CLASSES = {"malformed": "not a valid URI", "dangerous": "read alike by all, but used in attacks", "ambiguous": "programs read it differently",
           "policy": "against a rule of the policy", "note": "refuses only where a policy asks for it"}


def text(value: str) -> str:
    return html.escape(value, quote=True)


def tabled(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def shown(octets: bytes) -> str:
    return "".join(chr(octet) if 0x21 <= octet <= 0x7E and octet != 0x5C else f"\\x{octet:02X}" for octet in octets)


def run(*command: str | Path, stdin: bytes | None = None) -> str:
    return subprocess.run([str(word) for word in command], input=stdin, check=True, capture_output=True, cwd=ROOT).stdout.decode("utf-8")


# ---- Pages

@dataclass
class Site:
    out: Path
    version: str
    template: str = field(default_factory=lambda: (HERE / "page.html").read_text(encoding="utf-8"))

    def write(self, name: str, title: str, body: str, script: str = "") -> None:
        up = "../" * name.count("/")
        section = name.split("/")[0] if "/" in name else name
        links = [f'<a class="name" href="{up}index.html">urivet</a>']
        for label, target in NAVIGATION:
            here = section == target.split("/")[0] or section == "man" and label == "Docs"
            links.append(self.link(up + target, label, "page" if name == target else "true" if here else ""))
        values = {"title": text(title), "up": up, "source": f"{up}urivet-{self.version}.tar.gz", "nav": "\n".join(links), "body": body, "version": self.version,
                  "scripts": "'self' 'wasm-unsafe-eval'" if script == "app.js" else "'self'" if script else "'none'",
                  "script": f'<script src="{up}{script}" defer></script>\n' if script else ""}
        page = re.sub(r"\{(\w+)\}", lambda place: values[place[1]], self.template)
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")

    @staticmethod
    def link(target: str, label: str, current: str) -> str:
        return f'<a href="{target}"' + (f' aria-current="{current}"' if current else "") + f">{label}</a>"


def side(groups: list[tuple[str, list[tuple[str, str]]]], here: str, label: str) -> str:
    """Returns the navigation beside a page: groups of links, relative to the page."""
    parts = []
    for name, links in groups:
        rows = "".join(f"<li>{Site.link(posixpath.relpath(target, posixpath.dirname(here)), text(title), 'page' if target == here else '')}</li>" for target, title in links)
        parts.append(f'<p class="soft">{text(name)}</p><ul>{rows}</ul>')
    return f'<nav aria-label="{label}"><details><summary>{label}</summary>{"".join(parts)}</details></nav>'


# ---- The catalogue

@dataclass
class Finding:
    id: str
    number: int
    cls: str
    component: str
    reference: str
    text: str
    refuses: str
    by: str
    fires: str
    misses: str
    example: bytes | None = None        # the octets of the example, if the playground can show it
    kind: str = "link"
    host: str = ""


def finding_of(row: dict) -> Finding:
    lines = dict(re.findall(r"^  (refuses|judged by|fires on|not on) +(.*)$", run(URIVET, "findings", row["id"]), re.M))
    found = Finding(row["id"], row["number"], row["class"], row["component"], row["reference"], row["text"], lines.get("refuses", ""),
                    lines.get("judged by", "strict"), lines.get("fires on", ""), lines.get("not on", ""))
    for path in sorted((ROOT / "corpus" / "findings" / row["id"]).glob("fires*")):
        suffix = path.suffix[1:]
        if suffix in ("", "any", "raised", "readings", "protected"):
            found.example = path.read_bytes()
        elif suffix == "target":
            found.example, found.kind, found.host = path.read_bytes(), "request", "example.com"
    return found


def findings() -> list[Finding]:
    rows = [json.loads(line) for line in run(URIVET, "findings", "--format=json").splitlines()]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(finding_of, rows))


def playground(octets: bytes, kind: str = "link", host: str = "") -> str:
    """Returns the fragment that shows these octets in the playground."""
    written = shown(octets)
    fields = [("text", written if "\\" in written else octets.decode("ascii")), ("kind", kind if kind != "link" else ""), ("host", host if kind != "link" else "")]
    return "#" + "&".join([f"{name}={quote(value, safe='')}" for name, value in fields if value] + (["escapes=1"] if "\\" in written else []))


@dataclass
class Records:
    """What the records of the laboratories say."""
    date: str
    readers: str
    zoo: dict[str, list[tuple[str, str]]]
    bypasses: list[list[str]]
    allowed: list[list[str]]

    @classmethod
    def read(cls) -> Records:
        path, zoo = HERE / "zoo.tsv", {}
        about = dict(re.findall(r"^# (date|readers)\t(.*)$", path.read_text(encoding="ascii"), re.M))
        for finding, readers, reads in tabled(path):
            zoo.setdefault(finding, []).append((readers, reads))
        return cls(about["date"], about["readers"], zoo, tabled(ROOT / "fuzz/lab/wire/bypasses.tsv"), tabled(ROOT / "fuzz/lab/zoo/allowed.tsv"))


def readings_table(octets: bytes) -> str:
    """Returns what the readers of the library make of an example, as a table."""
    row = json.loads(subprocess.run([str(URIVET), "check", "--null", "--readings", "--format=json"], input=octets + b"\0", capture_output=True).stdout.splitlines()[0])
    lines = []
    for reading in sorted(row["readings"], key=lambda reading: reading["components"] is None):
        parts = reading["components"]
        cells = [parts[name] if parts[name] is not None else "" for name in ("scheme", "userinfo", "host")] + [str(reading["port"] or "")] + [parts[name] or "" for name in ("path", "query")] if parts else None
        middle = "".join(f"<td><code>{text(cell)}</code></td>" if cell else "<td></td>" for cell in cells) if cells else '<td colspan="6">refuses it</td>'
        lines.append(f"<tr><th scope=\"row\">{text(reading['reader'])}</th>{middle}</tr>")
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("reader", "scheme", "userinfo", "host", "port", "path", "query"))
    return f'<table class="urls"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def read_as(reads: str) -> str:
    return "refused" if reads == "refuse" else f"<code>{text(reads)}</code>"


def who_misreads(found: Finding, records: Records) -> str:
    parts = []
    if found.id in records.zoo:
        groups = sorted(records.zoo[found.id], key=lambda group: group[0].count(","))
        rows = "".join(f"<tr><th scope=\"row\">{read_as(reads)}</th><td>{text(readers.replace(',', ', '))}</td></tr>" for readers, reads in groups)
        parts.append(f"<p>{records.readers} parsers ran on {records.date}. What few of them do comes first, what most do last:</p><table class=\"urls\"><thead><tr><th scope=\"col\">read as</th><th scope=\"col\">by</th></tr></thead><tbody>{rows}</tbody></table>")
    stopped = [row for row in records.bypasses if found.id in row[3].split(",")]
    if stopped:
        rows = "".join(f"<tr><td>{text(first)}</td><td>{text(server)}</td><td><code>{text(target)}</code></td><td>{text(what)}</td></tr>" for first, server, target, _, what in stopped)
        parts.append(f"<p>Bypasses that came through in the laboratory of real proxies, clients and servers with this finding waived:</p><table class=\"urls\"><thead><tr><th scope=\"col\">first</th><th scope=\"col\">server</th><th scope=\"col\">target</th><th scope=\"col\">why</th></tr></thead><tbody>{rows}</tbody></table>")
    if found.example is not None and found.kind == "link" and 0 < len(found.example) < 400:
        parts.append(f"<p>The library has models of eight readers, which read the example so:</p>{readings_table(found.example)}")
    return "".join(parts) or "<p>No record is about this finding: it is about the policy or about a context that parsers do not see.</p>"


OPENS = {
    "ambiguous": "Programs that read such a link differently stay as they are: what you checked and what a program visits may differ.",
    "dangerous": "Programs read it alike, and it does what it is built for: judge the place where it is used.",
    "policy": "The rule is switched off for every link that this policy judges.",
    "malformed": "The octets become legal in path, query and fragment only.",
    "note": "Nothing: a note refuses by itself in no policy.",
}


def how_to_allow(found: Finding) -> str:
    if found.cls == "note":
        return (f"<p>It is a note: it refuses only where <code>--refuse={found.id}</code> or <code>refuse: [{found.id}]</code> in a policy file asks for that.</p>")
    if "--allow" not in found.refuses and "--refuse" not in found.refuses:
        return "<p>No policy accepts it.</p>" if found.refuses in ("", "always") else f"<p>It cannot be waived: it refuses {text(found.refuses)}.</p>"
    return (f"<p>It refuses {text(found.refuses)}. To accept it:</p><pre><code>urivet check --allow={found.id} URL\n\n# in a policy file\nallow: [{found.id}]</code></pre>"
            f"<p><b>What that opens:</b> {text(OPENS[found.cls])}</p>")


def finding_page(found: Finding, records: Records) -> str:
    ask = "" if found.example is None else f' <p><a href="../index.html{playground(found.example, found.kind, found.host)}">See it in the playground</a></p>'
    by = "" if found.by == "strict" else f" (judged by: {text(found.by)})"
    return f"""<article class="prose">
<p class="soft"><a href="index.html">Findings</a></p>
<h1><code>{text(found.id)}</code></h1>
<p><span class="tag {found.cls}">{found.cls}</span> {CLASSES[found.cls]}</p>
<p class="lead">{text(found.text)}</p>
<dl class="facts"><dt>component</dt><dd>{text(found.component)}</dd><dt>reference</dt><dd>{text(found.reference)}</dd>
<dt>refuses</dt><dd>{text(found.refuses or 'always')}</dd><dt>number</dt><dd>{found.number}</dd></dl>
<h2>Example</h2>
<p>It is found in{by}:</p><div class="big">{text(found.fires)}</div>{ask}
<p>It is not found in:</p><div class="big">{text(found.misses)}</div>
<h2>Who misreads it</h2>
{who_misreads(found, records)}
<h2>How to allow it</h2>
{how_to_allow(found)}
</article>"""


def write_catalogue(site: Site, catalogue: list[Finding], records: Records) -> None:
    with ThreadPoolExecutor(2) as pool:
        bodies = list(pool.map(lambda found: finding_page(found, records), catalogue))
    for found, body in zip(catalogue, bodies):
        site.write(f"findings/{found.id}.html", f"{found.id} - urivet", body)
    rows = "".join(f'<li data-class="{found.cls}"><a href="{found.id}.html">{text(found.id)}</a> <span class="tag {found.cls}">{found.cls}</span><br>{text(found.text)} <span class="soft">{text(found.component)}, {text(found.reference)}</span></li>'
                   for found in sorted(catalogue, key=lambda found: (list(CLASSES).index(found.cls), found.id)))
    options = "".join(f'<option value="{name}">{name}: {words}</option>' for name, words in CLASSES.items())
    site.write("findings/index.html", "Findings - urivet", f"""<section class="ask"><h1>Findings</h1>
<p class="lead">Each of the {len(catalogue)} things that urivet finds in a link, with an example, a near miss, and who misreads it.</p>
<div class="search" hidden id="search"><label for="words">Search</label><input id="words" type="search" spellcheck="false" placeholder="backslash, IPv6, wget …">
<label>Class <select id="class"><option value="">all</option>{options}</select></label></div>
<p id="count" role="status">{len(catalogue)} findings</p></section>
<ul class="rows" id="rows">{rows}</ul>""", "search.js")


# ---- Documentation

def slug(page: str) -> str:
    return "docs/index.html" if page == "README.md" else "docs/" + re.sub(r"/README$", "", page[:-3]).replace("/", "-").lower() + ".html"


class Copies:
    """Files of the repository that pages link to: they are copied as text."""

    def __init__(self, site: Site, docs: dict[str, str]) -> None:
        self.site, self.docs = site, docs

    def target(self, page: str, href: str, here: str) -> str | None:
        """Returns what a link of a page of the repository leads to on the site, or None."""
        if re.match(r"[a-z]+:", href):
            return href
        path, _, fragment = href.partition("#")
        if path == "":
            return f"#{fragment}"
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path)))
        name = name + "/README.md" if (ROOT / name / "README.md").is_file() and name != "." else name
        if name == "include/urivet/FINDINGS.md":
            return posixpath.relpath("findings/index.html", posixpath.dirname(here))
        manual = re.fullmatch(r"src/(?:cli/manual|core|policyfile)/(urivet[\w-]*\.[1-8])", name)
        if manual:
            return posixpath.relpath(f"man/{manual[1]}.html", posixpath.dirname(here))
        if name in self.docs:
            return posixpath.relpath(self.docs[name], posixpath.dirname(here)) + (f"#{fragment}" if fragment else "")
        if (ROOT / name).is_file() and (ROOT / name).stat().st_size <= LARGEST_COPY:
            suffix = "" if name.endswith((".svg", ".png")) else ".txt"
            copy = self.site.out / "source" / (name + suffix)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy)
            return posixpath.relpath(f"source/{name}{suffix}", posixpath.dirname(here))
        return None


def cleaned(body: str) -> str:
    """Removes comments, and the styles that the security policy would refuse."""
    body = re.sub(r"<!--.*?-->\n?", "", body, flags=re.S)
    body = re.sub(r"<colgroup>.*?</colgroup>\n?", "", body, flags=re.S)
    body = re.sub(r"<thead>\s*<tr[^>]*>(?:\s*<th[^>]*></th>)+\s*</tr>\s*</thead>\n?", "", body)   # a table without a head
    body = re.sub(r"<th\b([^>]*)></th>", r"<td\1></td>", body)
    body = re.sub(r' style="text-align: right;?"', ' class="number"', body)
    body = re.sub(r' style="[^"]*"', "", body)
    if re.search(r"<(script|style|iframe|object)\b|<[a-z][^<>]* on\w+=", body):
        raise SystemExit("site: a page has a script or a style of its own")
    return re.sub(r"<pre(?: class=\"[^\"]*\")?>", '<pre tabindex="0">', body)


def spec_files(site: Site) -> str:
    """Copies what `make spec` wrote, and returns links to it."""
    (site.out / "spec").mkdir(exist_ok=True)
    names = sorted(path.name for path in (ROOT / "build/spec").glob("*.*") if path.suffix in (".json", ".txt", ".h", ".c", ".go", ".mjs", ".py"))
    for name in names:
        shutil.copyfile(ROOT / "build/spec" / name, site.out / "spec" / name)
    found = json.loads((ROOT / "build/spec/expressions.json").read_text(encoding="ascii"))
    shown = "".join(f'<details><summary>{engine}, {name}: {part}</summary><pre tabindex="0"><code>{text(expression)}</code></pre></details>'
                    for engine, both in found.items() for name, parts in both.items() for part, expression in parts.items())
    return "<h2>Expressions</h2>" + shown + "<h2>Files</h2><ul>" + "".join(f'<li><a href="../spec/{text(name)}">{text(name)}</a></li>' for name in names) + "</ul>"


def write_docs(site: Site) -> None:
    listed = [page for _, chapter in CHAPTERS for page in chapter]
    reports = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "fuzz/lab/differential/reports").glob("*.md"))
    docs = {page: slug(page) for page in [*listed, *reports]}
    there = {str(path.relative_to(ROOT)) for folder in ("src", "fuzz", "tests", "corpus") for path in (ROOT / folder).rglob("README.md")} - set(listed)
    if there:
        raise SystemExit(f"site: no chapter has {', '.join(sorted(there))}")
    titles = {page: title_of(page) for page in docs}
    manual = sorted({path.name for path in (ROOT / "build").glob("urivet*.[1-8]")}, key=lambda name: (name[-1], name))
    groups = [(name, [(docs[page], titles[page]) for page in chapter]) for name, chapter in CHAPTERS]
    groups.append(("Manual pages", [(f"man/{name}.html", f"{name[:-2]}({name[-1]})") for name in manual]))
    copies = Copies(site, docs)

    def one(page: str) -> None:
        body = cleaned(run("pandoc", "-f", "gfm", "-t", "html5", "--no-highlight", "--wrap=preserve", BUILT.get(page, page)))

        def relink(match: re.Match[str]) -> str:
            target = copies.target(page, html.unescape(match[1]), docs[page])
            return f'<a href="{text(target)}"' if target else "<a"
        body = re.sub(r'<a href="([^"]*)"(?: class="[^"]*")?', relink, body)
        body = re.sub(r'<img src="([^"]*)"', lambda match: f'<img src="{text(copies.target(page, html.unescape(match[1]), docs[page]) or match[1])}"', body)
        body = re.sub(r'<a(?: id="[^"]*")?>(.*?)</a>', r"\1", body, flags=re.S)
        if page == "src/spec/README.md":
            body += spec_files(site)
        site.write(docs[page], f"{titles[page]} - urivet", f'<div class="page">{side(groups, docs[page], "Documentation")}<article class="prose">{body}</article></div>')

    def man(name: str) -> None:
        body = cleaned(run("mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", f"build/{name}"))
        body = re.sub(r'<a class="Xr" href="([^"]*)">(.*?)</a>', lambda match: f'<a href="{match[1]}">{match[2]}</a>' if match[1][:-5] in manual else match[2], body, flags=re.S)
        body = re.sub(r'<table class="(head|foot)">.*?</table>', "", body, flags=re.S)
        body = re.sub(r"(</?h)([12])\b", lambda heading: f"{heading[1]}{int(heading[2]) + 1}", body)      # below the title
        here = f"man/{name}.html"
        site.write(here, f"{name[:-2]}({name[-1]}) - urivet", f'<div class="page">{side(groups, here, "Documentation")}<article class="prose"><h1>{name[:-2]}({name[-1]})</h1>{body}</article></div>')

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, docs))
        list(pool.map(man, manual))


def title_of(page: str) -> str:
    return re.search(r"^# (.*)$", (ROOT / page).read_text(encoding="utf-8"), re.M)[1].replace("`", "")


# ---- The laboratory

def matrix(records: Records) -> str:
    """Returns a table of the parsers of the record against each other."""
    reads: dict[str, dict[str, str]] = {}
    for finding, groups in records.zoo.items():
        for readers, what in groups:
            for reader in readers.split(","):
                reads.setdefault(reader, {})[finding] = what

    def share(one: str, other: str) -> float | None:
        both = [finding for finding, what in reads[one].items() if what != "refuse" and reads[other].get(finding, "refuse") != "refuse"]
        return sum(reads[one][finding] != reads[other][finding] for finding in both) / len(both) if both else None
    names = sorted(reads, key=lambda name: -sum(share(name, other) or 0 for other in reads))

    def cell(one: str, other: str) -> str:
        value = None if one == other else share(one, other)
        return "<td></td>" if value is None else f'<td class="h{(0, 1, 2, 5, 6)[sum(value > step for step in (0, .1, .25, .45))]}">{value * 100:.0f}</td>'
    head = "".join(f'<th scope="col">{text(name)}</th>' for name in names)
    rows = "".join(f'<tr><th scope="row">{text(name)}</th>{"".join(cell(name, other) for other in names)}</tr>' for name in names)
    return f'<div class="scroll" tabindex="0" role="group" aria-label="Matrix of parsers"><table class="matrix"><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def write_laboratory(site: Site, records: Records) -> None:
    maps = []
    for name, path, what in (("zoo", "build/zoo/report.html", "How real parsers read the corpus: who disagrees with whom"),
                             ("wire", "build/wire/report.html", "What real clients send, proxies pass on and servers answer"),
                             ("differential", "build/differential/found/report.html", "What fuzzing found between parsers in one process")):
        if (ROOT / path).is_file():
            (site.out / "lab").mkdir(exist_ok=True)
            shutil.copyfile(ROOT / path, site.out / "lab" / f"{name}.html")
            day = datetime.date.fromtimestamp((ROOT / path).stat().st_mtime).isoformat()
            maps.append(f'<li><a href="{name}.html">{name}</a> {what}. <span class="soft">Run on {day}; the page names the versions.</span></li>')
    totals: dict[str, list[int]] = {}
    for groups in records.zoo.values():
        for k, (readers, reads) in enumerate(groups):
            for reader in readers.split(","):
                count = totals.setdefault(reader, [0, 0, 0])
                count[2 if reads == "refuse" else 0 if k == 0 else 1] += 1
    versions = dict(re.findall(r"^\| ([\w-]+) \| [^|]* \| ([^|]*) \|", (ROOT / "fuzz/lab/zoo/README.md").read_text(encoding="utf-8"), re.M))
    reports = "".join(f'<li><a href="../{slug(str(path.relative_to(ROOT)))}">{text(title_of(str(path.relative_to(ROOT))))}</a></li>' for path in sorted((ROOT / "fuzz/lab/differential/reports").glob("*.md")))
    known = {row[0]: row[5] for row in tabled(ROOT / "fuzz/lab/zoo/readers.tsv")}
    readers = "".join(f'<tr><th scope="row">{text(name)}</th><td>{text(known.get(name, ""))}</td><td>{text(versions.get(name, ""))}</td><td>{most}</td><td>{other}</td><td>{refused}</td></tr>' for name, (most, other, refused) in sorted(totals.items(), key=lambda row: -row[1][1]))
    bypasses = "".join(f'<tr><td>{text(first)}</td><td>{text(server)}</td><td><code>{text(target)}</code></td><td>{", ".join(f"<a href=../findings/{name}.html>{name}</a>" for name in waived.split(","))}</td><td>{text(what)}</td></tr>' for first, server, target, waived, what in records.bypasses)
    allowed = "".join(f'<tr><th scope="row">{text(row[0])}</th><td>{text(row[1])}</td><td>{text(row[2])}</td><td>{text(row[5])}</td><td>{text(row[6])}</td></tr>' for row in records.allowed)
    maps_list = f'<h2>Maps</h2><ul class="rows">{"".join(maps)}</ul>' if maps else ""
    head = lambda *names: "<thead><tr>" + "".join(f'<th scope="col">{name}</th>' for name in names) + "</tr></thead>"  # noqa: E731
    site.write("lab/index.html", "Laboratory - urivet", f"""<article class="prose"><h1>Laboratory</h1>
<p class="lead">Programs do not agree on what a link means. Here real parsers, clients, proxies and servers are given the same links, and
their differences recorded; the rules of urivet come from these records.</p>
{maps_list}<h2>Who disagrees with whom</h2>
<p>{records.readers} parsers ran on {records.date}, on an example of each finding; on {len(records.zoo)} examples they differ. A cell is the share, in percent,
that both parsers read, and read differently. <a href="../docs/fuzz-lab-zoo.html">The zoo of parsers</a> has more parsers and inputs.</p>
{matrix(records)}
<h2>Parsers</h2>
<table>{head("parser", "what it is", "version", "as most do", "otherwise", "refused")}<tbody>{readers}</tbody></table>
<h2>Differences that fuzzing found</h2>
<p><a href="../docs/fuzz-lab-differential.html">The differential fuzzer</a> runs parsers in one process; these are its reports.</p>
<ul>{reports}</ul>
<h2>Bypasses that the policy gateway stops</h2>
<p>Each passed a real proxy and reached the server when the findings were waived. <a href="../docs/fuzz-lab-wire.html">The wire laboratory</a> runs them.</p>
<table>{head("first", "server", "target", "stopped by", "why")}<tbody>{bypasses}</tbody></table>
<h2>Differences that are known</h2>
<p><i>allowed</i>: two spellings of one thing; <i>excused</i>: a difference that leads nowhere; <i>open</i>: a difference that strict lets through.</p>
<table>{head("name", "state", "parts", "who", "why")}<tbody>{allowed}</tbody></table></article>""")


# ---- The source

def as_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def write_source(site: Site, work: Path) -> None:
    """Writes the source release that each page links to."""
    name = f"urivet-{site.version}"
    shutil.rmtree(work / name, ignore_errors=True)
    seconds = int(run("sh", "src/packaging/copy.sh", work / name))
    with gzip.GzipFile(site.out / f"{name}.tar.gz", "wb", mtime=seconds) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(work / name, name, filter=as_root)
    shutil.rmtree(work / name)


# ---- Links

class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("id"):
            self.ids.add(values["id"] or "")
        if tag in ("a", "link", "script", "img"):
            self.targets += [values[name] or "" for name in ("href", "src") if values.get(name)]


def broken_links(out: Path) -> list[str]:
    found: dict[str, Links] = {}
    for path in out.rglob("*.html"):
        links = Links()
        links.feed(path.read_text(encoding="utf-8"))
        found[str(path.relative_to(out))] = links
    broken = []
    for page, links in found.items():
        for target in links.targets:
            if re.match(r"[a-z]+:", target):
                continue
            path, _, fragment = target.partition("#")
            name = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path))) if path else page
            if not (out / name).is_file():
                broken.append(f"{page}: {target} leads nowhere")
            elif fragment and name in found and name != "index.html" and unquote(fragment) not in found[name].ids:
                broken.append(f"{page}: {target}: the page has no such place")
    return broken


def main() -> None:
    out, version, work = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    site, records = Site(out, version), Records.read()
    (out / "site.css").write_text(pages.colour_rules() + "\n" + (HERE / "site.css").read_text(encoding="utf-8"), encoding="utf-8")
    for name in ("app.js", "search.js"):
        shutil.copyfile(work / name, out / name)
    shutil.copyfile(HERE / "icon.svg", out / "icon.svg")
    (out / ".nojekyll").touch()
    site.write("index.html", "urivet: who reads what", (HERE / "playground.html").read_text(encoding="utf-8"), "app.js")
    write_catalogue(site, findings(), records)
    write_docs(site)
    write_laboratory(site, records)
    write_source(site, work)
    broken = broken_links(out)
    for line in broken:
        print(f"site: {line}", file=sys.stderr)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"site: {sum(1 for _ in out.rglob('*.html'))} pages, {size >> 10} KiB")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
