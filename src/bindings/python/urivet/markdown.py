# SPDX-License-Identifier: Apache-2.0
"""Judges the links, images and HTML of Markdown as markdown-it-py reads it. With the plugin markdown_links, what is
refused is rendered as a link to `about:invalid`. scan_markdown() returns the links of a text."""
from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ._policies import policy_of
from ._urivet import PUBLIC, STRICT, Policy, Report, scan

__all__ = ["Link", "RefusedLink", "markdown_links", "scan_markdown"]

NOWHERE = "about:invalid"
# Tags of HTML that are kept, with no attribute but an href or src that is judged.
_TAGS = frozenset("""a abbr b blockquote br cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd
    li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var""".split())
_TAG = re.compile(r'</?([a-z][a-z0-9]*)(?:\s+(?:href|src)="([^"<>&]*)")?\s*/?>|<', re.ASCII | re.IGNORECASE)


class RefusedLink(NamedTuple):
    """A link that was refused. `kind`: link, image (browsers fetch it without a click), html or other."""

    kind: str
    url: str
    report: Report
    ids: list[str]


class Link(NamedTuple):
    """A link of a text. `kind`: link, image, or text (a URI without markup, which some programs make a link).
    `shown`: what people read of it. `line`: that of its paragraph, from 1. `ids`: why it is refused, if it is."""

    kind: str
    url: str
    shown: str
    line: int
    report: Report
    ids: list[str]


def _site_of(uri: str) -> str | None:
    """Returns the host of a URL as it is looked up; None where people and programs may read another one."""
    components = STRICT.check(STRICT.suggest_iri(uri).result or uri).components
    if components is None or components.userinfo is not None or not components.host:
        return None
    return components.host.lower().removeprefix("www.").removesuffix(".")


# A word that is a name of a host alone.
_BARE = re.compile(r"(?<![^\W_])(?<![.@/-])((?:[^\W_]|-)+(?:\.(?:[^\W_]|-)+)+)(?![^\W_]|[@-])")


@functools.lru_cache(1024)
def is_top_level(label: str) -> bool:
    """Returns True for a last label that makes a name a domain for people and renderers."""
    return not label.isascii() or label.lower().startswith("xn--") or bool(scan(f"a.{label}/"))


def _named_in(text: str) -> list[str]:
    """Returns URLs of the hosts that a text names."""
    shown = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf").replace("\u3002", ".")
    bare = [word for word in _BARE.findall(shown) if is_top_level(word.rpartition(".")[2])]
    return [found.uri for found in scan(shown)] + [f"https://{word}/" for word in bare]


def _shown_of(tokens: Sequence[Any], first: int) -> str:
    """Returns what people read of a link, whose tokens begin at an index."""
    shown = []
    for token in (tokens[k] for k in range(first, len(tokens))):
        if token.type == "link_close":
            break
        shown.append(" " if token.type in ("softbreak", "hardbreak") else token.content)
    return "".join(shown)


def _judged(judge: Policy, base: str | bytes | None, url: str, shown: str) -> tuple[Report, list[str]]:
    """Returns the report of a link and why it is refused."""
    report = judge.check(url) if base is None else judge.check_redirect(url, base)
    target = url if base is None else report.uri
    ids = [finding.id for finding in report.findings if finding.refuses]
    if report.ok and any(_site_of(named) != _site_of(target) for named in _named_in(shown)):
        ids = ["link-text-mismatch"]
    return report, ids


def _links_of(tokens: Sequence[Any]) -> Iterator[tuple[str, str, str]]:
    """Returns kind, target and shown text of the links, images and plain text of a paragraph, in their order. The
    text of a link belongs to the link, and its images stand for themselves."""
    depth = 0
    for k, token in enumerate(tokens):
        if token.type == "link_open":
            yield "link", str(token.attrs["href"]), _shown_of(tokens, k + 1)
        elif token.type == "image":
            yield "image", str(token.attrs["src"]), token.content
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "text" and depth == 0:
            yield from (("text", found.uri, found.uri) for found in scan(token.content))


def scan_markdown(text: str, *, policy: Policy | str | None = None, base: str | bytes | None = None,
                  md: Any = None) -> list[Link]:
    """Returns the links, images and plain URIs of Markdown in their order, each judged by the policy (public without
    one). Code has no links; HTML is text, whose URIs are found as in plain text. `base`: the page's own URL, as for
    markdown_links(). `md`: the MarkdownIt that renders the text, if it has other rules than CommonMark with tables."""
    from markdown_it import MarkdownIt
    judge = PUBLIC if policy is None else policy_of(policy)
    links, line = [], 1
    for block in (MarkdownIt("js-default") if md is None else md).parse(text):
        line = block.map[0] + 1 if block.map else line    # a cell of a table has none of its own
        for kind, url, shown in _links_of(block.children or ()):
            links.append(Link(kind, url, shown, line,
                              *_judged(judge, base, url, "" if kind == "image" else shown)))
    return links


def markdown_links(md: Any, *, policy: Policy | str | None = None, base: str | bytes | None = None,
                   on_refused: Callable[[RefusedLink], object] = lambda link: None) -> None:
    """Adds the plugin to a MarkdownIt. `policy`: public without one. `base`: the page's own URL, which relative
    links are resolved against; without it they are refused. `on_refused` is called with each RefusedLink."""
    judge = PUBLIC if policy is None else policy_of(policy)
    if not callable(on_refused):
        raise TypeError("on_refused is a function")

    def is_good(kind: str, url: str, shown: str = "") -> bool:
        report, ids = _judged(judge, base, url, shown)
        if report.ok and not ids:
            return True
        on_refused(RefusedLink(kind, url, report, ids))
        return False

    def html_of(tag: re.Match[str]) -> str:
        name, url = tag.groups()
        if name is not None and name.lower() in _TAGS and (url is None or is_good("html", url)):
            return tag[0]
        return f"&lt;{tag[0][1:]}"

    def walk(tokens: Sequence[Any]) -> None:
        for k, token in enumerate(tokens):
            kind = {"link_open": "link", "image": "image"}.get(token.type, "other")
            for name, url in token.attrs.items():
                if name in ("href", "src") and not is_good(kind, str(url), _shown_of(tokens, k + 1) if kind == "link" else ""):
                    token.attrs[name] = NOWHERE
            if token.type in ("html_inline", "html_block"):
                token.content = _TAG.sub(html_of, token.content)
            walk(token.children or ())

    md.core.ruler.push("urivet", lambda state: walk(state.tokens))
