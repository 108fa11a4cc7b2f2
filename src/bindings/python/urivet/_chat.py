# SPDX-License-Identifier: Apache-2.0
"""Makes Markdown safe to show while a language model is still writing it."""
from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import final

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
_INFO = re.compile(r"[ \t]*([\w#+.-]*)")
_NEWLINE, _LINE = re.compile("\n"), re.compile(f"[^\n]{{1,{LIMIT}}}")
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
_LINKED = re.compile(r"//|www\.|(?:mailto|xmpp):|@[^\s@]*?\.|\d\.\d{1,3}\.\d{1,3}\.\d|\.(?=([^\W\d_]{2,}|xn--))", re.IGNORECASE)
_CONTROLS = {**dict.fromkeys((*range(32), 127)), 9: "\t",
             **dict.fromkeys((10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029), "\n")}


def _character(reference: re.Match[str]) -> str:
    name = reference[2] or ""
    if name[:1] != "#":
        return html5.get(name + ";", reference[1] or reference[0])
    number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(number) if 31 < number < 0xD800 or 0xDFFF < number < 0x110000 else "\ufffd"


def _inert(text: str) -> str:
    return _PUNCTUATION.sub(lambda found: f"&#{ord(found[0])};", text.replace("\n", " ").translate(_CONTROLS))


def _escaped(raw: str) -> str:
    """Returns Markdown that shows what `raw` shows, without links; emphasis and the like stay."""
    return _ACTIVE.sub(lambda found: _inert(_character(found)), raw)


def _code(text: str) -> str:
    """Returns code spans of one backtick. What ends them for tables, mathematics or mistune is between them."""
    parts = re.split(r"([`|$*]+|~~+|_+(?!\w))" if re.search(r"[\[<@.`]|//", text) else r"([`|]+)", re.sub(r"\s", " ", text))
    return "".join(_inert(part) if k % 2 or not part.strip() else f"`{part}`" for k, part in enumerate(parts))


def _target(url: str) -> str:
    return re.sub(r"[^\w/:.?=%#+,;@~-]", lambda found: _inert(found[0]), url)


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
        self._base, self._on_refused, self._fence, self._retry = base, on_refused, None, 0
        self._held, self._word, self._last, self._out = "", "", "", []
        self._is_line_start, self._is_after_cr, self._is_closed = True, False, False

    def feed(self, piece: str) -> str:
        """Adds a piece of the text. Returns what can be shown of it."""
        return self._fed(piece, False)

    def close(self) -> str:
        """Returns what is left at the end of the text."""
        return self._fed("", True)

    def _fed(self, piece: str, last: bool) -> str:
        if self._is_closed or not isinstance(piece, str):
            raise ValueError("the stream is closed") if self._is_closed else TypeError("a piece of Markdown is a str")
        self._held += piece[self._is_after_cr and piece[:1] == "\n":].replace("\r\n", "\n").translate(_CONTROLS)
        self._is_after_cr, self._is_closed = piece[-1:] == "\r" or not piece and self._is_after_cr, last
        at, self._out = 0, []
        while (last or len(self._held) >= self._retry) and at < len(self._held) and (taken := self._step(at, last)):
            at += taken
        if at or len(self._held) >= self._retry:
            self._held = self._held[at:]
            self._retry = len(self._held) * 9 // 8
        if last:
            self._put("" if self._fence is None else "\n" * (not self._is_line_start) + self._fence[0])
        return "".join(self._out)

    def _put(self, following: str) -> None:
        """Writes the word that is held back, and what follows it."""
        word, self._word = self._shown_word(self._word, goes_on=following[:1] not in ("", " ", "\t", "\n")), ""
        if following[:1] == "[" and word[-1:] == "!":
            word = word[:-1] + _inert("!")
        for text in filter(None, (word, following)):
            self._out.append(_joined(self._last, text)[len(self._last):])
            self._last = text[-1]

    def _step(self, at: int, last: bool) -> int:
        """Decides about the text from an offset on. Returns how many characters are done, 0 if more are needed."""
        held, end = self._held, min(len(self._held), at + LIMIT)
        is_open = not last and end < at + LIMIT
        if self._is_line_start and (done := self._line_start(at, end, last, is_open)) is not None:
            return done
        self._is_line_start = held[at] == "\n"
        if given := _NEWLINE.match(held, at) or (_LINE if self._fence else _SPACE).match(held, at):
            self._put(given[0])
            return len(given[0])
        given = _RUN.match(held, at, at + LIMIT - len(self._word))
        forms = (_LINK, self._link), (_CODE, lambda found: _code(found[2])), (_AUTOLINK, self._autolink)
        for pattern, write in () if given else forms:
            if (found := pattern.match(held, at, end)) and not (is_open and pattern is _CODE and found.end() == end):
                self._put(write(found))
                return len(found[0])
        if not given and is_open and _OPEN.fullmatch(held, at, end):
            return 0
        taken = (given or _ANY.match(held, at, end))[0]
        self._word += taken
        if len(self._word) >= LIMIT:
            self._put(" ")
        return len(taken)

    def _line_start(self, at: int, end: int, last: bool, is_open: bool) -> int | None:
        """Opens or closes a fence. They are written without indentation, so that they hold in lists as well."""
        found = _FENCE.match(self._held, at, end)
        line, newline, _ = self._held[at:end].partition("\n")
        if is_open and not newline and (self._fence or _OPEN_FENCE.fullmatch(line)):
            return 0
        if self._fence is None:
            if not found or not newline and not (last and found.end() == len(self._held)):
                return None
            self._fence = found[2], len(found[1].expandtabs(4))
            self._put(found[2] + _INFO.match(found[3])[1] + "\n")
        elif re.fullmatch(rf"\s*+{self._fence[0]}[`~\s]*+", line) or end == at + LIMIT and re.fullmatch(r"[`~\s]*+", line):
            self._put(self._fence[0] + "\n")
            self._fence = None
        else:
            indent = self._fence[1]
            self._put(line[:indent].lstrip() + line[indent:] + newline)
        self._is_line_start = bool(newline)
        return len(line) + len(newline)

    def _is_good(self, kind: str, url: str, shown: str) -> bool:
        policy = self._images if kind == "image" else self._policy
        report, ids = _judged(policy or self._policy, self._base, url, shown)
        if policy is not None and report.ok and not ids and _WRITABLE.fullmatch(url):
            return True
        self._on_refused(RefusedLink(kind, url, report, ids))
        return False

    def _shown_word(self, raw: str, in_link: bool = False, goes_on: bool = False) -> str:
        """Returns a word without links but those that are accepted. `goes_on`: renderers may read on after it."""
        shown = _REFERENCE.sub(_character, raw)
        if not any(found[1] is None or len(found[1]) == 2 or found[1].lower() == "web" or is_top_level(found[1]) for found in _LINKED.finditer(shown)):
            return _escaped(raw)
        parts = _WORD.fullmatch(shown) if shown == raw else None
        if parts is None:
            return _code(shown)
        inner = parts[2].lstrip("*_~(\"'>")
        url = inner.rstrip("*_~)\"'.,;:!?>")
        url += inner[len(url):len(url) + 1] if url.count("(") > url.count(")") else ""
        before, after, target = parts[1] + parts[2][:-len(inner) or None], inner[len(url):] + parts[3], url
        if "://" not in url:
            in_link, target = in_link or not (goes_on or parts[3]) and bool(_NAME.fullmatch(url)), f"http://{url}"
        return _joined(_escaped(before), self._written("text", target, url, in_link)) + _escaped(after)

    def _written(self, kind: str, url: str, shown: str, in_link: bool = False) -> str:
        """Returns a link, or its text where it is in another one; code if it is refused."""
        if not self._is_good(kind, url, ""):
            return _code(shown)
        return _inert(shown) if in_link else f"[{_inert(shown)}]({_target(url)})"

    def _autolink(self, found: re.Match[str]) -> str:
        return self._written("link", f"mailto:{found[2]}" if found[2] else found[1], found[1])

    def _link(self, found: re.Match[str]) -> str:
        bang, text, bracketed, plain = found.groups()
        shown = read = ""
        for code, space, word in _PIECES.findall(text):
            read += _REFERENCE.sub(_character, word) or code or space
            shown = _joined(shown, self._shown_word(word, True) if word else _code(code) or space)
        url = _REFERENCE.sub(_character, bracketed or plain or "")
        url = url if url.isascii() else self._policy.suggest_iri(url).result or url
        if self._is_good("image" if bang else "link", url, "" if bang else re.sub("[*_~]", "", read)):
            return f"{bang}[{shown}]({_target(url)})"
        return f"{shown} ({_code(url)})"
