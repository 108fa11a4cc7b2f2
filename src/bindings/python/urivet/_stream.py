# SPDX-License-Identifier: Apache-2.0
"""Finds URIs in a text: plain or Markdown, whole or in pieces."""
from __future__ import annotations

from typing import Any, final

from ._policies import policy_of
from ._urivet import Found, Policy, _scan_part
from ._urivet import scan as _scan_plain


def scan(text: Any, policy: Policy | str | None = None, markup: str | None = None) -> list[Any]:
    """Returns the URIs in a text, a list of Found, each with its report by a policy. With markup="markdown", the
    links, images and plain URIs as urivet.markdown.scan_markdown() returns them, judged by public without a policy."""
    if markup is None:
        return _scan_plain(text, policy)
    if markup != "markdown":
        raise ValueError(f"markup is 'markdown', not {markup!r}; the command reads others: urivet scan --markup")
    from .markdown import scan_markdown
    return scan_markdown(text if isinstance(text, str) else bytes(memoryview(text)).decode(errors="replace"), policy=policy)


@final
class ScanStream:
    """Finds the URIs of a plain text that comes in pieces, as scan() finds them in the whole text; MarkdownStream is
    for Markdown, such as the output of a language model. What may still become a part of a URI is held back, as many octets as the policy (strict
    without one) allows a URL; a longer URL is found as far as it goes, and refused as `url-too-long`."""

    def __init__(self, policy: Policy | str | None = None) -> None:
        self._policy = None if policy is None else policy_of(policy)
        self._state: tuple[bytes, int, int] | None = (b"", 0, 0)
        self._decided = 0

    def _add(self, piece, last: bool) -> list[Found]:
        if self._state is None:
            raise ValueError("the stream is closed")
        found, state = _scan_part(self._state, piece, last, self._policy)
        self._decided = state[1] + state[2]
        self._state = None if last else state
        return found

    def feed(self, piece) -> list[Found]:
        """Adds a piece of the text, str or octets. Returns what no later piece can change any more."""
        return self._add(piece, False)

    def close(self) -> list[Found]:
        """Returns what is left at the end of the text."""
        return self._add(b"", True)

    @property
    def decided(self) -> int:
        """The number of octets at the beginning of the text, in UTF-8, in which no more URIs will be found."""
        return self._decided
