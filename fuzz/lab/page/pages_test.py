# SPDX-License-Identifier: Apache-2.0
"""Tests of the HTML pages: one table of colours, a strict security policy, one file each, and facts that
cannot escape."""
from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

import pages

ROOT = pages.HERE.parents[2]
TEMPLATES = tuple(ROOT / "fuzz/lab" / name / "page.html" for name in ("wire", "zoo", "differential", "yours"))
URIVET = os.environ.get("URIVET", str(ROOT / "build" / "urivet"))
HOSTILE = "</script><script>alert(1)</script><!-- /*PAGE.JS*/ /*DATA*/null \u2028 \\x80"


def facts() -> dict:
    """Returns sample facts: each outcome, and texts that try to escape."""
    def cls(id, group, octets, url, verdict, *findings):
        return {"id": id, "group": group, "octets": octets, "url": url, "verdict": verdict, "findings": list(findings),
                "what": f"{octets}, in a test"}

    def program(name, **more):
        return {"name": name, "version": f"{name} 1.2", "what": "a program", "limits": "-", "lacks": "", **more}

    classes = [cls("path %2F", "path triplets", "%2F", "http://w.test/a%2Fb", "reject", "escaped-slash"),
               cls("path \\x80", "path octets", "\\x80", "http://w.test/a\\x80b", "reject", "non-ascii"),
               cls("? after host", "forms", "?", "http://w.test?a", "reject", "query-after-empty-path"),
               cls("hostile", "forms", HOSTILE, f"http://w.test/{HOSTILE}", "accept")]
    ran = {"pace": "stream", "tried": 4, "hung": 0, "died": 0}
    return {
        "made": "2026-11-22 18:00 UTC", "urivet": "urivet 0.2.0", "classes": classes,
        "clients": [program("wget2", **ran), program(HOSTILE, **ran), program("gone", lacks="needs deb:gone", **ran)],
        "proxies": [program("lighttpd")], "servers": [program("tomcat")],
        "sent": {"wget2": {"path %2F": {"outcome": "changed", "lines": ["GET /a/b HTTP/1.1", "Host: w.test"],
                                        "reached": "w.test", "note": "path"},
                           "? after host": {"outcome": "refused", "lines": [], "reached": "", "note": HOSTILE}}},
        "passed": {"lighttpd": {"path %2F": {"outcome": "changed", "sent": "/a%2Fb", "got": "/a/b", "status": 200}}},
        "routed": {"tomcat": {"path %2F": {"outcome": "refused", "sent": "/a%2Fb", "got": "", "status": 400}}},
        "known": [{"name": "path-delimiter", "state": "allowed", "parts": "path", "octets": ";", "who": "wget2",
                   "why": "", "count": None}],
        "targets": {"chains": [{"proxy": "lighttpd", "server": "tomcat", "accepted": 0, "refused": 1,
                                "examples": ["/%2Fadmin/f"]}], "summary": ""},
    }


class Elements(HTMLParser):
    """The elements of a page, their attributes, and the texts of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names, self.attributes, self.scripts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        if self.names and self.names[-1] == "script" and data.strip():
            self.scripts.append(data)


def written(template: Path, told: object) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        pages.write(path, template, told)
        return path.read_text(encoding="utf-8")


def report() -> str:
    """Returns the report of the command."""
    done = subprocess.run([URIVET, "report", "-o", "-"], input=b"http://a.example/\nhttp://u@b.example/\n", capture_output=True, check=False)
    return done.stdout.decode("ascii")


def all_pages() -> dict[str, str]:
    return {"report": report(), **{template.parent.name: written(template, facts()) for template in TEMPLATES}}


# ---- colours
COLOURED = re.compile(r"(?:^|;)\s*((?:--c|color|fill|stroke|background|border|outline|box-shadow|text-decoration)(?:-[a-z]+)*)\s*:([^;]*)")
NO_COLOUR = re.compile(r"var\(--[a-z0-9-]+(, transparent)?\)|repeating-linear-gradient|-?[0-9.]+(px|em|deg|%)?|"
                       r"\b(none|transparent|currentColor|inherit|solid|inset|underline|collapse|separate|balance|exact|light|dark)\b|[(),\s]|!important")


def colour_faults(page: str) -> list[str]:
    """Returns messages about colours of a page that are not in the table; empty for a good page."""
    table, classes = pages.colours()
    style = re.sub(r"/\*.*?\*/", "", re.search("<style>(.*?)</style>", page, re.S)[1], flags=re.S)
    found = []
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        selector = " ".join(selector.split())
        for name, shade in re.findall(r"--([a-z0-9-]+)\s*:\s*(#[^;]*)", body):
            if shade.strip() not in table.get(name, ()):
                found.append(f"{selector}: --{name} is {shade}")
        found += [f"{selector}: no colour of the table: --{name}" for name in re.findall(r"var\(--([a-z0-9-]+)", body) if name not in (*table, "c")]
        for name, value in COLOURED.findall(body):
            if name.endswith(("-radius", "-collapse", "-spacing", "-offset", "-width")):
                continue
            if NO_COLOUR.sub("", value):
                found.append(f"{selector}: a colour of its own: {value.strip()}")
            of_classes = [c for c in classes if re.search(rf"\.(o-)?{c}(?![a-z0-9-])", selector)]
            found += [f"{selector}: {value.strip()} is not the colour of {c}" for c in of_classes if value.strip() not in (f"var(--{c})", f"var(--{c}-area)")]
    found += [f"class {c}: no rule" for c in classes if not re.search(rf"(^|}})\s*\.{c}\s*\{{\s*color:\s*var\(--{c}\);\s*fill:\s*var\(--{c}-area\);?\s*\}}", style, re.M)]
    script = re.search("<script>(.*?)</script>", page, re.S)
    found += [f"the script: {shade}" for shade in re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", script[1] if script else "")]
    return found


def contrast(one: str, other: str) -> float:
    """Returns the contrast by WCAG 2.2: 21 for black on white, 1 for equal colours."""
    def luminance(shade: str) -> float:
        digits = shade[1:] if len(shade) == 7 else "".join(2 * digit for digit in shade[1:])
        parts = [int(digits[k:k + 2], 16) / 255 for k in (0, 2, 4)]
        return sum(weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
                   for weight, part in zip((0.2126, 0.7152, 0.0722), parts))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class Colours(unittest.TestCase):
    def test_one_table(self):
        """Each class has the colours of the table on every page, and no page has a colour of its own."""
        for name, page in all_pages().items():
            with self.subTest(name):
                self.assertEqual(colour_faults(page), [])

    def test_control(self):
        """Negative control: a page with another colour is detected, in a class, a variable, a rule or the
        script."""
        for name, page in all_pages().items():
            for rule in (".reject{color:var(--accept)}", "p .note{fill:var(--h3)}", ":root{--reject:#123456}", "p{background:#fff}",
                         "p{border:1px solid red}", "p{color:var(--other)}"):
                with self.subTest(name, rule=rule):
                    self.assertEqual(len(colour_faults(page.replace("</style>", rule + "</style>"))), 1)
            self.assertEqual(len(colour_faults(page.replace("var(--note)", "var(--link)"))), 2, name)
            self.assertEqual(len(colour_faults(page + "<script>'#123456'</script>")), "<script>" not in page)

    def test_classes(self):
        done = subprocess.run([URIVET, "findings", "--format=json"], capture_output=True, check=True)
        classes = {json.loads(row)["class"] for row in done.stdout.splitlines()}
        self.assertEqual(len(classes), 5)
        self.assertLessEqual(classes | {"accept", "reject"}, set(pages.colours()[1]))

    def test_readable(self):
        """Text has enough contrast with its background, in light and dark mode."""
        table, classes = pages.colours()
        pairs = [(name, ground) for name in ("ink", "soft", "link", *classes) for ground in ("page", "card")]
        pairs += [("ink", ground) for ground in ("mark", "silent", "open-area", "allowed-area")] + [("soft", "h0"), ("card", "reject")]
        for name, ground in pairs:
            for screen in (0, 1):
                with self.subTest(name, ground=ground, screen=screen):
                    self.assertGreaterEqual(contrast(table[name][screen], table[ground][screen]), 4.5)


class Pages(unittest.TestCase):
    def test_facts(self):
        """Every class and program is present unchanged, and the script ends where the template ends it."""
        for template in TEMPLATES:
            text = written(template, facts())
            found = Elements(text)
            self.assertEqual(found.names.count("script"), 1)
            self.assertEqual(len(found.scripts), 1)
            self.assertEqual(text.count("</script"), 1)
            self.assertNotIn("<!--", found.scripts[0])
            line = re.search(r"^const D = (.*);$", found.scripts[0], re.M)[1]
            self.assertEqual(json.loads(line), facts())

    def test_one_file(self):
        """Nothing is fetched, from the network or from the same folder."""
        for template in TEMPLATES:
            text = written(template, {})
            found = Elements(text)
            self.assertFalse({"link", "img", "iframe", "object", "embed", "base"} & set(found.names))
            self.assertFalse([value for name, value in found.attributes if name in ("src", "srcset", "href", "action")])
            self.assertIsNone(re.search(r"https?://|@import|\burl\(|\bimport\b|\bfetch\(|XMLHttp|WebSocket", text))

    def test_policy_of_all(self):
        """Each page's policy permits only its own style and script, by their digests."""
        for name, page in all_pages().items():
            with self.subTest(name):
                (policy,) = re.findall('<meta http-equiv="Content-Security-Policy" content="([^"]*)"', page)
                before = page.partition("Content-Security-Policy")[0]
                self.assertIsNone(re.search("<(style|script|title)", before))
                rules = dict(part.split(" ", 1) for part in policy.split("; "))
                expected = {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
                for element in ("style", "script"):
                    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in re.findall(f"<{element}>(.*?)</{element}>", page, re.S)]
                    expected.update({f"{element}-src": f"'sha256-{digest}'" for digest in digests})
                self.assertEqual(rules, expected)
                self.assertFalse([name for name, _ in Elements(page).attributes if name == "style" or name.startswith("on")])

    def test_security_policy(self):
        """A browser runs the page's own script under its policy, but no added script, neither an element
        nor an attribute."""
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("needs chromium")
        for template in TEMPLATES[:1]:
            text = written(template, facts())
            for extra in ("", "<script>document.title = 'other'</script>", '<img src="x" onerror="document.title=\'other\'">'):
                with self.subTest(template.parent.name, extra=extra), tempfile.TemporaryDirectory() as folder:
                    file = Path(folder) / "page.html"
                    file.write_text(text + extra, encoding="utf-8")
                    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--virtual-time-budget=2000",
                                           "--dump-dom", file.as_uri()], env={**os.environ, "HOME": folder, "TMPDIR": folder}, capture_output=True, text=True, timeout=120, check=False)
                    self.assertIn("wget2", re.sub("<script>.*?</script>", "", done.stdout, flags=re.S))
                    self.assertNotIn("<title>other", done.stdout)

    def test_shared_once(self):
        """Code common to both templates is in neither of them."""
        shared = [line.strip() for name in ("page.css", "page.js", *pages.READINGS)
                  for line in (pages.HERE / name).read_text(encoding="utf-8").splitlines() if len(line.strip()) > 50]
        for template in TEMPLATES:
            own = template.read_text(encoding="utf-8")
            self.assertEqual([line for line in shared if line in own], [])

    def test_no_place(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "template.html").write_text("<p>", encoding="utf-8")
            with self.assertRaisesRegex(RuntimeError, "no place"):
                pages.write(Path(folder) / "page.html", Path(folder) / "template.html", {})


# The parts of a document that the functions of a page need in order to be called.
STAND_IN = """
globalThis.document = { createElement: (name) => ({ name, children: [], setAttribute() {},
	append(...more) { this.children.push(...more); } }) };
const text = (nodes) => nodes.map((node) => typeof node === 'string' ? node : `[${node.children.join('')}]`).join('');
"""
CALLS = """
console.log(JSON.stringify([
	marked('/a%2Fb', '/a/b').map(text), marked('/a//b', '/a/b').map(text), marked('/a', '/a').map(text),
	marked('', '/x').map(text), shown('a\\u00e9\\ud83d\\ude00\\n\\u007f\\\\x80'),
	asked({ url: 'http://w.test?a#b' }), asked({ url: 'HTTP://u@W.test:80/a%2F?#/../' }), asked({ url: 'http:/w.test/' }),
	answerOf('client', { url: 'http://w.test/a' }, { lines: ['GET /a b HTTP/1.1', 'User-Agent: x', 'host:  w.test'] }),
	answerOf('client', { url: 'http://w.test/a' }, { lines: [] }).target,
]));
"""


@unittest.skipUnless(shutil.which("node"), "needs nodejs")
class Scripts(unittest.TestCase):
    def node(self, *arguments: str, script: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(["node", *arguments], input=script, capture_output=True, text=True, check=False)

    def test_parsed(self):
        for template in TEMPLATES:
            done = self.node("--check", "-", script=Elements(written(template, facts())).scripts[0])
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_functions(self):
        """Differing octets are marked, triplets as a unit; a URL asks for a target and a host."""
        script = Elements(written(TEMPLATES[0], facts())).scripts[0]
        head, _, _ = script.partition("// ---- the question")
        done = self.node("-", script=STAND_IN + head + CALLS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), [
            ["/a[%2F]b", "/a[/]b"], ["/a/[/]b", "/a/b"], ["/a", "/a"], ["", "[/x]"],
            "a\\xC3\\xA9\\xF0\\x9F\\x98\\x80\\x0A\\x7F\\x80",
            {"target": "/?a", "host": "w.test"}, {"target": "/a%2F?", "host": "w.test:80"}, {"target": "", "host": ""},
            {"came": "/a", "target": "/a b", "host": "w.test"}, ""])


if __name__ == "__main__":
    unittest.main()
