# SPDX-License-Identifier: Apache-2.0
"""A plugin of markdown-it-py that judges the links, images and HTML of Markdown as they will be rendered. What
is refused leads to `about:invalid`; the rest of the text stays as it is. Use it after all other plugins:

    from markdown_it import MarkdownIt
    from urivet.markdown import markdown_links

    md = MarkdownIt("js-default").use(markdown_links, policy="public")
    html = md.render(comment)
"""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ._policies import policy_of
from ._urivet import PUBLIC, STRICT, Policy, Report, check, scan

__all__ = ["RefusedLink", "markdown_links"]

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


def _site_of(uri: str) -> str | None:
    """Returns the host of a URL as it is looked up; None where people and programs may read another one."""
    components = check(STRICT.suggest_iri(uri).result or uri).components
    if components.userinfo is not None or not components.host:
        return None
    return components.host.lower().removeprefix("www.").removesuffix(".")


def _shown_of(tokens: Sequence[Any]) -> str:
    """Returns what people read of a link, of whose tokens the first follows link_open."""
    shown = []
    for token in tokens:
        if token.type == "link_close":
            break
        shown.append(" " if token.type in ("softbreak", "hardbreak") else token.content)
    return "".join(shown)


def markdown_links(md: Any, *, policy: Policy | str | None = None, base: str | bytes | None = None,
                   on_refused: Callable[[RefusedLink], object] = lambda link: None) -> None:
    """Adds the plugin to a MarkdownIt. `policy`: public without one. `base`: the page's own URL, which relative
    links are resolved against; without it they are refused. `on_refused` is called with each RefusedLink."""
    judge = PUBLIC if policy is None else policy_of(policy)
    if not callable(on_refused):
        raise TypeError("on_refused is a function")

    def is_good(kind: str, url: str, shown: str = "") -> bool:
        report = judge.check(url) if base is None else judge.check_redirect(url, base)
        target = url if base is None else report.uri
        ids = [finding.id for finding in report.findings if finding.refuses]
        if report.ok and any(_site_of(found.uri) != _site_of(target) for found in scan(shown)):
            ids = ["link-text-mismatch"]
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
                if name in ("href", "src") and not is_good(kind, str(url), _shown_of(tokens[k + 1:]) if kind == "link" else ""):
                    token.attrs[name] = NOWHERE
            if token.type in ("html_inline", "html_block"):
                token.content = _TAG.sub(html_of, token.content)
            walk(token.children or ())

    md.core.ruler.push("urivet", lambda state: walk(state.tokens))
