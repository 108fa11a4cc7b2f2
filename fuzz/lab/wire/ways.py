# SPDX-License-Identifier: Apache-2.0
"""Known deviations: exactly what single clients send for URLs that strict accepts.

Each function gets what the URL asks for, its fragment as written, and what was sent. All but the fragment
are in one spelling, in which an absent query equals an empty one.  The clients of each deviation are in
../zoo/allowed.tsv.
"""
from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote, unquote_to_bytes

import tables  # noqa: F401 (finds the zoo)
import rules

from asked import Asked


def fragment(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends the fragment as written, or partly escaped or decoded; // may become /."""
    return fragment != rules.ABSENT and unquote_to_bytes(sent.fragment) in (
        unquote_to_bytes(fragment), unquote_to_bytes(one_slash(fragment)))


def ipv6_field(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends the address without brackets, in full, with escaped colons, or directly followed by the port."""
    if not written.field.startswith("["):
        return False
    bare = unquote(sent.field).strip("[]")
    address = ipaddress.ip_address(written.field.strip("[]"))
    return any(is_address(text, address) for text in (bare, bare.removesuffix(":80")))


def one_slash(path: str) -> str:
    return re.sub("//+", "/", path)


def is_address(text: str, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    try:
        return ipaddress.ip_address(text) == address
    except ValueError:
        return False


def cut_field(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends the beginning of a long name, and a NUL."""
    before, nul, _ = sent.field.partition("\\x00")
    return nul != "" and len(before) > 100 and written.field.startswith(before)


def plus_as_space(written: Asked, fragment: str, sent: Asked) -> bool:
    return sent.query == written.query.replace("+", "%20")


def escaped(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends + and ~ as triplets."""
    def more(part: str) -> str:
        return part.replace("+", "%2B").replace("~", "%7E")

    return (more(sent.path), more(sent.query)) == (more(written.path), more(written.query))


def fragment_fetched(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends the fragment as the path of an invented host."""
    return fragment != rules.ABSENT and sent.host == "primary"


def empty_target(written: Asked, fragment: str, sent: Asked) -> bool:
    return sent.form == "empty" and (written.path, written.query) == ("/", "")


def decoded(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends the same once everything is decoded, with or without the fragment."""
    def once(*parts: str) -> bytes:
        return unquote_to_bytes("".join(map("".join, zip(("", "?", "#"), parts)))).rstrip(b"?#").replace(b"?#", b"#")

    raw = "" if fragment == rules.ABSENT else fragment
    return once(sent.path, sent.query, sent.fragment.removeprefix(rules.ABSENT)) in (
        once(written.path, written.query, raw), once(written.path, written.query, ""))


def rewritten(written: Asked, fragment: str, sent: Asked) -> bool:
    """Rewrites the query pairs in any way: such a client does not preserve queries."""
    return written.query != ""


def double_slash(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends consecutive slashes as one."""
    return sent.path == one_slash(written.path)


def first_question(written: Asked, fragment: str, sent: Asked) -> bool:
    """Drops a ? at the start of the query."""
    return written.query.startswith("?") and sent.query == written.query[1:]


def compatibility_form(written: Asked, fragment: str, sent: Asked) -> bool:
    """Sends the text in the form NFKC."""
    def decoded(path: str) -> str:
        return unquote_to_bytes(path).decode("utf-8", "replace")

    return decoded(sent.path) == unicodedata.normalize("NFKC", decoded(written.path))


WAYS: dict[str, Callable[[Asked, str, Asked], bool]] = {rules.SENT + name: way for name, way in (
    ("fragment", fragment),
    ("ipv6-field", ipv6_field),
    ("cut-field", cut_field),
    ("plus-as-space", plus_as_space),
    ("escaped", escaped),
    ("fragment-fetched", fragment_fetched),
    ("empty-target", empty_target),
    ("decoded", decoded),
    ("rewritten", rewritten),
    ("double-slash", double_slash),
    ("first-question", first_question),
    ("compatibility-form", compatibility_form),
)}
