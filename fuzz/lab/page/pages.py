# SPDX-License-Identifier: Apache-2.0
"""HTML pages of the laboratories: a template, shared styles and scripts, and facts, written as one file."""
from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLOURS = HERE.parents[2] / "src" / "cli" / "show" / "colours.def"
READINGS = ("readings.css", "readings.js")     # of pages that show readings


def colours() -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Returns each colour by its name, as light and dark screens show it, and the names of the classes."""
    table, classes = {}, []
    for kind, values in re.findall(r'^(COLOUR|CLASS)\(("[^)]*")\)$', COLOURS.read_text(encoding="ascii"), re.M):
        name, *shades = re.findall('"(.*?)"', values)
        table[name] = (shades[0], shades[1])
        if kind == "CLASS":
            table[f"{name}-area"] = (shades[2], shades[3])
            classes.append(name)
    return table, classes


def colour_rules() -> str:
    """Returns the rules that name the colours, and give its two to each class, as the command's report has them."""
    table, classes = colours()
    light, dark = (" ".join(f"--{name}: {shades[k]};" for name, shades in table.items()) for k in (0, 1))
    return "\n".join([f":root {{ color-scheme: light dark; {light} }}",
                      f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}",
                      *(f".{name} {{ color: var(--{name}); fill: var(--{name}-area); }}" for name in classes)])


def in_script(facts: object) -> str:
    """Returns JSON that cannot end a script: without a < there is neither </script> nor <!--."""
    return json.dumps(facts, separators=(",", ":")).replace("<", "\\u003c")


def with_security_policy(page: str) -> str:
    """Adds a security policy that permits only the page's own style and script, each identified by its
    digest."""
    def digest(element: str) -> str:
        text = re.search(f"<{element}>(.*?)</{element}>", page, re.S)[1]
        return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")

    place = '<meta charset="utf-8">\n'
    head, found, tail = page.partition(place)
    if not found:
        raise RuntimeError(f"no place for a security policy: the page lacks {place!r}")
    return (f"{head}{place}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"
            f"{digest('style')}'; script-src 'sha256-{digest('script')}'; base-uri 'none'; form-action 'none'\">\n{tail}")


def write(path: Path, template: Path, facts: object) -> None:
    """Inserts the facts last, so that nothing in them is taken for a placeholder of the template."""
    page = template.read_text(encoding="utf-8")
    files = ["page.css", "page.js", *(name for name in READINGS if f"/*{name.upper()}*/" in page)]
    for place, text in [*((f"/*{name.upper()}*/", (HERE / name).read_text(encoding="utf-8")) for name in files),
                        ("/*COLOURS*/", colour_rules()),
                        ("/*DATA*/null", in_script(facts))]:
        head, found, tail = page.partition(place)
        if not found:
            raise RuntimeError(f"{template}: no place for {place}")
        page = head + text + tail
    path.write_text(with_security_policy(page), encoding="utf-8")
