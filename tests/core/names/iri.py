# SPDX-License-Identifier: Apache-2.0
"""Models the spelling that is offered for an international URL; consensus.py models its host."""
from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import consensus

URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://(?P<userinfo>[^/?#@]*@)?(?P<host>[^/?#@:]*)"
                 r"(?P<port>:[0-9]*)?(?P<tail>[/?#].*)?", re.S)


# A fault of a whole label is reported at its first character.
WHOLE = frozenset(("idn-bidi-rule",))


class Outcome(NamedTuple):
    """`offered` or `ascii` with the spelling; `disagree` with the reason and U+XXXX@OFFSET, the octet at which the
    character begins; `unmappable` with the reason where the spelling would be refused."""
    kind: str
    told: str
    where: str = ""


@cache
def unseen() -> frozenset[int]:
    """Returns default-ignorable code points, including the bidi controls, and the other controls."""
    ignorable = consensus.property_of("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
    return ignorable | consensus.property_of("PropList.txt", "Bidi_Control") | frozenset(range(0x80, 0xA0))


def where(text: str, index: int) -> str:
    return f"U+{ord(text[index]):04X}@{len(text[:index].encode('utf-8', 'surrogatepass'))}"


def escaped(text: str) -> str:
    return "".join(chr(octet) if octet < 0x80 else f"%{octet:02X}" for octet in text.encode("utf-8"))


def fault_of_tail(tail: str) -> tuple[str, int] | None:
    """Returns what keeps path, query and fragment from one spelling: the reason and the index."""
    for index, letter in enumerate(tail):
        if ord(letter) in consensus.property_of("PropList.txt", "Bidi_Control"):
            return "display-bidi-control", index
        if ord(letter) in unseen():
            return "display-invisible", index
    index = consensus.first_not_normal([ord(letter) for letter in tail])
    return None if index is None else ("not-nfc", index)


def is_routed(letter: str) -> bool:
    """Returns true if the compatibility form contains what routes; escaped in a path it is refused."""
    return not letter.isascii() and letter != "\u2026" and any(
        point < 0x80 and (chr(point).isalnum() or chr(point) in "./\\;%") for point in consensus.composed([ord(letter)], True))


def host_fault(host: str) -> tuple[str, int] | None:
    """Returns the reason and the index in the host."""
    found = consensus.host(host)
    if found is None:
        return None
    number, fault = found
    if fault.reason in WHOLE or fault.reason == consensus.GENERAL and host.split(".")[number][fault.index] == "-":
        fault = fault._replace(index=0)
    before = sum(len(piece) + 1 for piece in host.split(".")[:number])
    return fault.reason, before + fault.index


def spelled(parts: re.Match[str], host: str) -> str:
    tail = parts["tail"] or ""
    return f"{parts['scheme'].lower()}://{host.lower()}{'' if tail.startswith('/') else '/'}{escaped(tail)}"


def outcome(text: str) -> Outcome:
    """Returns the outcome for an absolute URL with an authority."""
    parts = URL.fullmatch(text)
    if parts is None:
        return Outcome("unmappable", "no URL with a host")
    if parts["port"] or parts["userinfo"]:
        return Outcome("unmappable", "port-nondefault" if parts["port"] else "userinfo-present")
    if text.isascii():
        return Outcome("ascii", spelled(parts, parts["host"]))
    fault = None if parts["host"].isascii() else host_fault(parts["host"])
    if fault is not None and fault[0] == "idn-toolong-after-mapping":
        return Outcome("unmappable", fault[0])
    if fault is not None:
        return Outcome("disagree", fault[0], where(text, parts.start("host") + fault[1]))
    tail = parts["tail"] or ""
    fault = fault_of_tail(tail)
    if fault is not None:
        return Outcome("disagree", fault[0], where(text, parts.start("tail") + fault[1]))
    if any(map(is_routed, re.split("[?#]", tail, maxsplit=1)[0])):
        return Outcome("unmappable", "escaped-compatibility")
    return Outcome("offered", spelled(parts, consensus.host_to_ascii(parts["host"])))
