# SPDX-License-Identifier: Apache-2.0
"""What single clients are known to send for what strict accepts, and exactly that.

Each way is given what the URL asks for, its fragment as it is written, and what was sent; all but the fragment in one
spelling, where an absent query is an empty one.  Which clients go a way is in ../zoo/allowed.tsv.
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
    """As it is written, or some of it escaped or decoded; // may be sent as /."""
    return fragment != rules.ABSENT and unquote_to_bytes(sent.fragment) in (
        unquote_to_bytes(fragment), unquote_to_bytes(one_slash(fragment)))


def ipv6_field(written: Asked, fragment: str, sent: Asked) -> bool:
    """The address without brackets, in full, its colons escaped, or with the port right after it."""
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
    """A long name's beginning, and a NUL."""
    before, nul, _ = sent.field.partition("\\x00")
    return nul != "" and len(before) > 100 and written.field.startswith(before)


def plus_as_space(written: Asked, fragment: str, sent: Asked) -> bool:
    return sent.query == written.query.replace("+", "%20")


def escaped(written: Asked, fragment: str, sent: Asked) -> bool:
    """+ and ~ as triplets."""
    def more(part: str) -> str:
        return part.replace("+", "%2B").replace("~", "%7E")

    return (more(sent.path), more(sent.query)) == (more(written.path), more(written.query))


def fragment_fetched(written: Asked, fragment: str, sent: Asked) -> bool:
    """As the path of a host that it makes up."""
    return fragment != rules.ABSENT and sent.host == "primary"


def empty_target(written: Asked, fragment: str, sent: Asked) -> bool:
    return sent.form == "empty" and (written.path, written.query) == ("/", "")


def decoded(written: Asked, fragment: str, sent: Asked) -> bool:
    """The same once everything is decoded, with the fragment or without."""
    def once(*parts: str) -> bytes:
        return unquote_to_bytes("".join(map("".join, zip(("", "?", "#"), parts)))).rstrip(b"?#").replace(b"?#", b"#")

    raw = "" if fragment == rules.ABSENT else fragment
    return once(sent.path, sent.query, sent.fragment.removeprefix(rules.ABSENT)) in (
        once(written.path, written.query, raw), once(written.path, written.query, ""))


def rewritten(written: Asked, fragment: str, sent: Asked) -> bool:
    """Whatever it makes of the pairs: such a client is no reader of a query."""
    return written.query != ""


def double_slash(written: Asked, fragment: str, sent: Asked) -> bool:
    """Slashes in a row as one."""
    return sent.path == one_slash(written.path)


def first_question(written: Asked, fragment: str, sent: Asked) -> bool:
    """Without the ? at its beginning."""
    return written.query.startswith("?") and sent.query == written.query[1:]


def compatibility_form(written: Asked, fragment: str, sent: Asked) -> bool:
    """In the form NFKC."""
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
