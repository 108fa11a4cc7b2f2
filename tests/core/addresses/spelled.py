# SPDX-License-Identifier: Apache-2.0
"""What the servers of domains whose names spell addresses answer, each written anew from its source, and which of
these names the policy `public` may take.

    answers(domain, front)      the addresses, and names of other hosts, that `front`.`domain` leads to
    accounted(front, words)     does `front` spell addresses, and is nothing left of it?
    fronts(count, seed)         random fronts, mostly close to an address

The servers: cunnie/sslip.io xip/xip.go, which serves nip.io as well; exentriquesolutions/nip.io nipio/backend.py;
basecamp/xip-pdns bin/xip-pdns; neex/1u.ms processors.go; taviso/rbndr rebinder.c; pyrou/traefik.me nipio/backend.py;
brannondorsey/whonow src/DomainRebind.js and index.js; nccgroup/singularity singularity.go.  Read in November 2026.
"""
from __future__ import annotations

import ipaddress
import random
import re
from collections.abc import Iterator

from model import Address

ELSEWHERE = "another host"      # a name, or an address that the server's owner chose
KEYWORDS = {"make", "and", "rebind", "rr"}
NUMBER = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"


def address(text: str) -> Address | None:
    try:
        made = ipaddress.ip_address(text)
    except ValueError:
        return None
    return Address(made.max_prefixlen, int(made))


# ---- the servers -------------------------------------------------------------------------------------------------

def edges(front: str) -> Iterator[tuple[int, int]]:
    """Yields every part between separators, the leftmost first, and of these the longest."""
    starts = [0, *(k + 1 for k, octet in enumerate(front) if octet in ".-")]
    ends = [*(k for k, octet in enumerate(front) if octet in ".-"), len(front)]
    for start in starts:
        for end in reversed(ends):
            if start <= end:
                yield start, end


def sslip(front: str) -> set[Address | str]:
    found: set[Address | str] = set()
    for separator in "-.":
        quad = re.search(rf"(?<![^.-]){NUMBER}(?:{re.escape(separator)}{NUMBER}){{3}}(?![^.-])", front)
        if quad:
            found.add(address(quad[0].replace("-", ".")))
            break
    else:
        label = next((label for label in front.split(".") if re.fullmatch("[0-9a-f]{8}", label)), None)
        if label:
            found.add(Address(32, int(label, 16)))
    for start, end in edges(front):
        text = front[start:end]
        if "-" in text and re.fullmatch(r"[0-9a-f-]+(?:\.\d+\.\d+\.\d+)?", text):
            ipv6 = address(text.replace("-", ":"))
            if ipv6 is not None and ipv6.bits == 128:
                found.add(ipv6)
                break
    return found


def nip(front: str) -> set[Address | str]:
    hexadecimal = re.search("(?:^|[.-])([0-9a-f]{8})$", front)
    if hexadecimal:
        return {Address(32, int(hexadecimal[1], 16))}
    parts = re.split("[.-]", front)[-4:]
    if len(parts) == 4 and all(re.fullmatch(r"\d{1,3}", part) and int(part) < 256 for part in parts):
        return {address(".".join(str(int(part)) for part in parts))}
    return set()


def xip(front: str) -> set[Address | str]:
    """Returns the answers of xip: a last label of at most seven letters and digits that ends no address is a
    number in base 36. Three decimal digits are 0.0.10.217 at most, which no host has."""
    last = front.split(".")[-1]
    quad = re.search(r"(?:^|\.)\d{1,3}(?:\.\d{1,3}){3}$", front)
    if quad or last.isdecimal() or not re.fullmatch("[a-z0-9]{1,7}", last):
        return set()
    return {Address(32, int(last, 36) & 0xFFFFFFFF)}


def traefik(front: str) -> set[Address | str]:
    parts = re.split("[.-]", front)[-4:]
    if len(parts) == 4 and all(re.fullmatch(r"\d{1,3}", part) and int(part) < 256 for part in parts):
        return {address(".".join(str(int(part)) for part in parts))}
    return {address("127.0.0.1")}


def one_u_part(text: str) -> Address | str:
    text = text.removesuffix("-")
    if text.startswith("ip-"):
        made = address(text[3:].removeprefix("v6-").replace("o", ".").replace("c", ":"))
    else:
        made = address(text.replace("-", ".")) or address(text.replace("-", ":"))
    return made or ELSEWHERE


def one_u(front: str) -> set[Address | str]:
    found: set[Address | str] = set()
    for pattern in ("rebind-(.*?)rr", "make-(.*?)(?:rr|rebind)"):
        matches = list(re.finditer(f"(?={pattern})", front))
        if matches:                                 # the pattern before it is greedy: the last match counts
            for part in matches[-1][1].split("-and-"):
                made = one_u_part(part)
                # a name without a dot lies below a domain of the server
                if made != ELSEWHERE or "." in part or part.startswith(("cname-", "hex-")):
                    found.add(made)
    return found


def rbndr(front: str) -> set[Address | str]:
    labels = front.split(".")
    if len(labels) == 2 and all(re.fullmatch("[0-9a-f]{8}", label) for label in labels):
        return {Address(32, int(label, 16)) for label in labels}
    return set()


def whonow(front: str) -> set[Address | str]:
    return {address("127.0.0.1"), ELSEWHERE}        # after the rules are used up, or without rules


def singularity(front: str) -> set[Address | str]:
    return {ELSEWHERE}                              # the owner's answer if nothing can be parsed


SERVERS = {"sslip.io": (sslip, nip), "nip.io": (sslip, nip), "xip.io": (nip, xip), "xip.name": (nip,),
           "backname.io": (sslip,), "local-ip.sh": (nip,), "my.local-ip.co": (nip,), "1u.ms": (one_u,),
           "rbndr.us": (rbndr,), "traefik.me": (traefik,), "rebind.network": (whonow,), "rebind.it": (singularity,)}
WORDS = {"1u.ms": "keywords", "rbndr.us": "none", "xip.io": "none", "traefik.me": "never", "rebind.network": "never",
         "rebind.it": "never"}


def answers(domain: str, front: str) -> set[Address | str]:
    return set().union(*(server(front) for server in SERVERS[domain]))


# ---- what is left ------------------------------------------------------------------------------------------------

def spelled(front: str) -> tuple[set[Address], list[tuple[int, int]]]:
    """Returns the addresses, and the places of those that begin and end at a separator and are not separated
    by both dots and hyphens, because no server reads such ones."""
    found: set[Address] = set()
    whole: list[tuple[int, int]] = []

    def take(made: Address | None, start: int, end: int) -> None:
        if made is not None:
            found.add(made)
            mixed = made.bits == 32 and "." in front[start:end] and "-" in front[start:end]
            if (start == 0 or front[start - 1] in ".-") and (end == len(front) or front[end] in ".-") and not mixed:
                whole.append((start, end))

    for quad in re.finditer(rf"(?=(?<!\d)({NUMBER}(?:[.-]{NUMBER}){{3}})(?!\d))", front):
        take(address(quad[1].replace("-", ".")), *quad.span(1))
    for eight in re.finditer(r"(?<![0-9a-f])[0-9a-f]{8}(?![^.-])", front):
        take(Address(32, int(eight[0], 16)), *eight.span())
    for start, end in runs(front):
        take(as_ipv6(front[start:end]), start, end)
        tail = re.match(rf"{NUMBER}(?:\.{NUMBER}){{3}}(?!\d)", front[last_group(front, start, end):])
        if tail:
            end = last_group(front, start, end) + tail.end()
            take(as_ipv6(front[start:end]), start, end)
    return found, whole


def covered(front: str, whole: list[tuple[int, int]]) -> set[int]:
    """Returns the places of octets that are part of an address, from the left, without overlaps."""
    places: set[int] = set()
    free = 0
    for start in [0, *(k + 1 for k, octet in enumerate(front) if octet in ".-")]:
        ends = [end for begin, end in whole if begin == start]
        if start >= free and ends:
            places.update(range(start, max(ends) + 1))
            free = max(ends) + 1
    return places


def as_ipv6(text: str) -> Address | None:
    made = address(text.replace("-", ":")) if "-" in text else None
    return made if made is not None and made.bits == 128 else None


def last_group(front: str, start: int, end: int) -> int:
    return max(start, front.rfind("-", start, end) + 1)


def runs(front: str) -> Iterator[tuple[int, int]]:
    """Yields, in each label, the longest sequences of groups of at most four hexadecimal digits, or of none."""
    at = 0
    for label in front.split("."):
        begin: int | None = None
        place = at
        for piece in label.split("-"):
            if re.fullmatch("[0-9a-f]{0,4}", piece):
                begin = place if begin is None else begin
                end = place + len(piece)
            elif begin is not None:
                yield begin, end
                begin = None
            place += len(piece) + 1
        if begin is not None:
            yield begin, end
        at += len(label) + 1


def is_word(piece: str, label: str, words: str) -> bool:
    if words == "keywords":
        return piece in KEYWORDS
    return words == "any" and (bool(re.fullmatch("[a-z].*[g-z].*|[g-z].*", piece)) or
                               (piece == label and bool(re.fullmatch("[a-z]+", piece))))


def accounted(front: str, words: str) -> bool:
    found, whole = spelled(front)
    if words == "never" or not found or not whole:
        return False
    places = covered(front, whole)
    for start, end in runs(front):
        if front.count("-", start, end) >= 7 and as_ipv6(front[start:end]) is None:
            longer = any(stop >= end for _, stop in whole)
            tail = last_group(front, start, end)
            dotted = re.match(rf"{NUMBER}(?:\.{NUMBER}){{3}}(?!\d)", front[tail:])
            if not (longer and dotted and as_ipv6(front[start:tail + dotted.end()])):
                return False
    at = 0
    for label in front.split("."):
        place = at
        for piece in label.split("-"):
            if place not in places and not is_word(piece, label, words):
                return False
            place += len(piece) + 1
        at += len(label) + 1
    return True


# ---- names to judge
# ----------------------------------------------------------------------------------------------

PIECES = ("8", "8", "8", "1", "10", "127", "0", "0", "254", "169", "256", "08", "a", "b", "c", "fe80", "2606", "4700",
          "db8", "2001", "64", "ff9b", "5efe", "cafe", "", "", "www", "app1", "f1", "x", "make", "rebind", "and", "rr",
          "08080808", "7f000001", "deadbeef", "x7f000001", "1time", "forever", "0x7f", "localhost", "v6", "ip", "cname",
          "hex", "12345", "8x", "local", "internal", "z8kflt")
WHOLE = ("8.8.8.8", "8-8-8-8", "10.0.0.1", "127-0-0-1", "2606-4700-4700--1111", "fe80--1", "0--1", "64-ff9b--8.8.8.8",
         "make-8-8-8-8-rr", "make-8.8.8.8-and-1.1.1.1-rr", "08080808.01010101", "a-b-c-d-8-8-8-8",
         "make-1.2.3.4-rebind-169.254-169.254-rr", "2606-4700-4700-1-2-3-4-1111")


def fronts(count: int, seed: str) -> Iterator[str]:
    """Yields random fronts without empty labels and without a hyphen at the end of a label: other rules
    mostly refuse these."""
    dice = random.Random(seed)
    for _ in range(count):
        parts = [dice.choice(PIECES if dice.randrange(4) else WHOLE) for _ in range(dice.randrange(1, 10))]
        front = parts[0] + "".join(dice.choice(".-") + part for part in parts[1:])
        if dice.randrange(3) == 0:
            front = dice.choice(WHOLE) + dice.choice(".-") + front
        yield front
