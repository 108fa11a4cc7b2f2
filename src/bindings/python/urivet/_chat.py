# SPDX-License-Identifier: Apache-2.0
"""Makes Markdown safe to show while a language model is still writing it."""
from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import Any, final

from ._policies import policy_of
from ._urivet import PUBLIC, Policy
from .markdown import RefusedLink, _judged, is_top_level

LIMIT = 4096  # characters of a link, a code span or a word that are held back; longer ones are cut, and are no link
_BREAK = "[ \t\u2010-\u2027\u2030-\u205e\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]"  # between words
_TEXT = r"(?:[^\[\]\\`\n]|\\.|`[^`\n]*+`)*"
_URL = r"(?:<((?:[^<>\\\n]|\\.)*)>|((?:[^\s()<>\\]|\\\S|\((?:[^\s()<>\\]|\\\S)*\))*))"
_TITLE = r"""(?:[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\)))?"""
_LINK = re.compile(rf"(!?)\[({_TEXT})\]\([ \t]*+{_URL}{_TITLE}[ \t]*+\)")
_CODE = re.compile(r"(`++)([^\n]*?[^`\n])\1(?!`)")
_AUTOLINK = re.compile(r"<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*+|([^\s<>@]++@[^\s<>@]++))>", re.IGNORECASE)
# What each of them may begin with that is not decided yet.
_OPEN = re.compile(rf"!?(?:\[{_TEXT}(?:\\|`[^`\n]*+|\](?:\([^\n]*+)?)?)?|`[^\n]*+|<[^\s<>]*+|\\")
_FENCE = re.compile(r"([ \t]*+)(`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}+)([^\n]*+)(\n|\Z)")
_OPEN_FENCE = re.compile(r"[ \t]*+(?:`{1,2}+|`{3,}+[^`\n]*+|~{1,2}+|~{3,}+[^\n]*+)?")
_RUN = re.compile(rf"(?:[^\n\\!\[<`{_BREAK[1:-1]}]|\\[^\n]|!(?=[^\[]))+")
_ANY = re.compile("`+|.")
_SPACE = re.compile(f"{_BREAK}+")
_WORD = re.compile("([^!-~]*+)([!-~]++)([^!-~]*+)")
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_WRITABLE = re.compile(r"[!-;=?-\[\]^_a-z{|}~]+", re.IGNORECASE)
_PIECES = re.compile(r"`([^`]*)`|([ \t]+)|((?:[^ \t\\`]|\\.)+)")
_REFERENCE = re.compile(r"\\([!-/:-@\[-`{-~])|&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]*);")
_ACTIVE = re.compile(rf"{_REFERENCE.pattern}|~{{3,}}|[]\[<&\\`{{]")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
# What renderers make links of by themselves.
_LINKED = re.compile(r"//|www\.|(?:mailto|xmpp):|@[^\s@]*?\.|\d\.\d{1,3}\.\d{1,3}\.\d|\.([^\W\d_]{2,}|xn--)", re.IGNORECASE)
_CONTROLS = {**dict.fromkeys((*range(32), 127)), 9: "\t", **dict.fromkeys((10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029), "\n")}


def _character(reference: re.Match[str]) -> str:
    name = reference[2]
    if not name:
        return reference[1] or reference[0]
    if name[0] != "#":
        return html5.get(name + ";", reference[0])
    number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return "\ufffd" if number in range(0xD800, 0xE000) or not 0 < number < 0x110000 else chr(number)


def _inert(text: str) -> str:
    return _PUNCTUATION.sub(lambda found: f"&#{ord(found[0])};", text.replace("\n", " ").translate(_CONTROLS))


def _escaped(raw: str) -> str:
    """Returns Markdown that shows what `raw` shows, without links; emphasis and the like stay."""
    return _ACTIVE.sub(lambda found: _inert(_character(found)), raw)


def _code(text: str) -> str:
    """Returns code spans of one backtick. What ends them for tables, mathematics or mistune is between them."""
    parts = re.split(r"([`|$*]+|~~+|_+(?!\w))" if re.search(r"[\[<@.`]|//", text) else "(`+)", re.sub(r"\s", " ", text))
    return "".join(_inert(part) if k % 2 or not part.strip() else f"`{part}`" for k, part in enumerate(parts))


def _joined(before: str, after: str) -> str:
    return f"{before} {after}" if before[-1:] == "`" == after[:1] else before + after


@final
class MarkdownStream:
    """Makes Markdown safe that comes in pieces, such as the output of a language model: what feed() and close() return
    has no link, image or HTML that leads anywhere the policy (public without one) refuses, whatever comes later.
    Inline links, autolinks and URLs of one line are judged after decoding, and written anew in one form; everything
    else that could become a link is shown as text or code. `images`: the policy of images, which are refused without
    one, as no click is needed. `base` and `on_refused` as in urivet.markdown. The output is for CommonMark, with
    tables and links of bare URLs, and does not depend on how the text was cut."""

    def __init__(self, policy: Policy | str | None = None, images: Policy | str | None = None, *,
                 base: str | bytes | None = None, on_refused: Callable[[RefusedLink], object] = lambda link: None) -> None:
        if not callable(on_refused):
            raise TypeError("on_refused is a function")
        self._policy = PUBLIC if policy is None else policy_of(policy)
        self._images = None if images is None else policy_of(images)
        self._base, self._on_refused = base, on_refused
        self._held, self._retry, self._word, self._out = "", 0, "", []
        self._fence: tuple[str, int] | None = None
        self._last = ""
        self._is_line_start, self._is_after_cr, self._is_closed = True, False, False

    def feed(self, piece: str) -> str:
        """Adds a piece of the text. Returns what can be shown of it."""
        return self._fed(piece, False)

    def close(self) -> str:
        """Returns what is left at the end of the text."""
        return self._fed("", True)

    def _fed(self, piece: str, last: bool) -> str:
        if self._is_closed:
            raise ValueError("the stream is closed")
        text = piece[self._is_after_cr and piece[:1] == "\n":]
        self._is_after_cr = piece[-1:] == "\r" or not piece and self._is_after_cr
        self._held += text.replace("\r\n", "\n").translate(_CONTROLS)
        if not last and len(self._held) < self._retry:
            return ""
        at = 0
        while at < len(self._held) and (taken := self._step(at, last)):
            at += taken
        self._held = self._held[at:]
        self._retry = len(self._held) * 9 // 8
        if last:
            self._flush()
            if self._fence:
                self._put(("" if self._is_line_start else "\n") + self._fence[0])
            self._is_closed = True
        shown, self._out = "".join(self._out), []
        return shown

    def _put(self, text: str) -> None:
        if text:
            self._out.append(f" {text}" if self._last == "`" == text[0] else text)
            self._last = text[-1]

    def _flush(self, before: str = "") -> None:
        """Writes the word that is held back; `before` is what comes next."""
        word, self._word = self._shown_word(self._word), ""
        self._put(word[:-1] + _inert("!") if before and word[-1:] == "!" else word)
        self._put(before)

    def _step(self, at: int, last: bool) -> int:
        """Decides about the text from an offset on. Returns how many characters are done, 0 if more are needed."""
        held, end = self._held, min(len(self._held), at + LIMIT)
        is_open = not last and end < at + LIMIT
        if self._is_line_start:
            done = self._line_start(at, end, last, is_open)
            if done is not None:
                return done
        if held[at] == "\n":
            self._flush()
            self._put("\n")
            self._is_line_start = True
            return 1
        if self._fence is not None:
            text = held[at:end].partition("\n")[0]
            self._put(text)
            return len(text)
        if space := _SPACE.match(held, at):
            self._flush()
            self._put(space[0])
            return len(space[0])
        if run := _RUN.match(held, at, at + LIMIT - len(self._word)):
            return self._add(run[0])
        for pattern, write in ((_LINK, self._link), (_CODE, self._span), (_AUTOLINK, self._autolink)):
            if (found := pattern.match(held, at, end)) and not (is_open and pattern is _CODE and found.end() == end):
                self._flush(write(found))
                return len(found[0])
        if is_open and _OPEN.fullmatch(held, at, end):
            return 0
        return self._add(_ANY.match(held, at, end)[0])

    def _add(self, text: str) -> int:
        self._word += text
        if len(self._word) >= LIMIT:
            self._flush()
            self._put(" ")
        return len(text)

    def _line_start(self, at: int, end: int, last: bool, is_open: bool) -> int | None:
        """Opens or closes a fence. They are written without indentation, so that they hold in lists as well."""
        held = self._held
        if self._fence is None:
            found = _FENCE.match(held, at, end)
            if found and (found[4] or last and found.end() == len(held)):
                indent, mark, info = found[1], found[2], found[3]
                self._fence = mark, len(indent.expandtabs(4))
                self._put(mark + re.match(r"[ \t]*([\w#+.-]*)", info)[1] + "\n")
                return len(found[0])
            if is_open and _OPEN_FENCE.fullmatch(held, at, end):
                return 0
            self._is_line_start = False
            return None
        line, newline, _ = held[at:end].partition("\n")
        if is_open and not newline:
            return 0
        mark, indent = self._fence
        if re.fullmatch(rf"\s*+{mark}[`~\s]*+", line):
            self._put(mark + "\n")
            self._fence = None
        else:
            self._put(line[:indent].lstrip() + line[indent:] + newline)
        self._is_line_start = bool(newline)
        return len(line) + len(newline)

    # ---- Words, links and code

    def _is_good(self, kind: str, url: str, shown: str) -> bool:
        policy = self._images if kind == "image" else self._policy
        report, ids = _judged(policy or self._policy, self._base, url, shown)
        if policy is not None and report.ok and not ids and _WRITABLE.fullmatch(url):
            return True
        self._on_refused(RefusedLink(kind, url, report, ids))
        return False

    def _shown_word(self, raw: str, in_link: bool = False) -> str:
        """Returns a word without links but those that are accepted."""
        shown = _REFERENCE.sub(_character, raw)
        if not any(found[1] is None or len(found[1]) == 2 or is_top_level(found[1]) for found in _LINKED.finditer(shown)):
            return _escaped(raw)
        parts = _WORD.fullmatch(shown) if shown == raw else None
        if parts is None:
            return _code(shown)
        inner = parts[2].lstrip("*_~(\"'>")
        url = inner.rstrip("*_~)\"'.,;:!?>")
        url += inner[len(url):len(url) + 1] if url.count("(") > url.count(")") else ""
        before, after = parts[1] + parts[2][:len(parts[2]) - len(inner)], inner[len(url):] + parts[3]
        link = _code(url)
        has_scheme = "://" in url
        if self._is_good("text", url if has_scheme else f"http://{url}", ""):
            link = _inert(url) if in_link or not has_scheme and _NAME.fullmatch(url) else self._written(url, url if has_scheme else f"http://{url}")
        return _joined(_escaped(before), link) + _escaped(after)

    def _target(self, url: str) -> str:
        return re.sub(r"[^\w/:.?=%#+,;@~-]", lambda found: _inert(found[0]), url)

    def _written(self, shown: str, url: str) -> str:
        return f"[{_inert(shown)}]({self._target(url)})"

    def _link(self, found: re.Match[str]) -> str:
        bang, text, bracketed, plain = found.groups()
        kind, parts, read = "image" if bang else "link", "", ""
        for code, space, word in ((piece[1], piece[2], piece[3]) for piece in _PIECES.finditer(text)):
            read += _REFERENCE.sub(_character, word) if word else code or space or ""
            parts = _joined(parts, _code(code) if code else space or self._shown_word(word, True) if word or space else "")
        url = _REFERENCE.sub(_character, bracketed or plain or "")
        url = url if url.isascii() else self._policy.suggest_iri(url).result or url
        if self._is_good(kind, url, "" if bang else re.sub("[*_~]", "", read)):
            return f"{bang}[{parts}]({self._target(url)})"
        return f"{parts} ({_code(url)})"

    def _span(self, found: re.Match[str]) -> str:
        return _code(found[2])

    def _autolink(self, found: re.Match[str]) -> str:
        url = f"mailto:{found[2]}" if found[2] else found[1]
        return self._written(found[1], url) if self._is_good("link", url, "") else _code(found[1])
