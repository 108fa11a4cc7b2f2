# SPDX-License-Identifier: Apache-2.0
"""Whether what a client sent is what the URL says.

Compared are the name or address reached, the port, the Host field, and the target's path and query; what is no
difference is in ../zoo/allowed.tsv, which the zoo reads too.
"""
from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import tables  # noqa: F401 (finds the zoo)
import rules

from clients import Fetched
from recorder import Request

PARTS = ("host", "port", "Host field", "path", "query", "fragment", "form")
# Asked for beside what a client was told to fetch; its paths are no answer to it.
BESIDE = re.compile(rb"/(?:robots\.txt|favicon\.ico)\Z")


@dataclass(frozen=True)
class Asked:
    """What a URL, or a request for it, asks for: one text a part, octets beyond ASCII as \\xHH."""
    host: str               # or address reached, without brackets
    port: str
    field: str              # the Host field as it is written; "" if there is none
    path: str
    query: str              # ABSENT or what follows the first ?
    fragment: str = rules.ABSENT    # what follows a # in the target: no client has to send it
    form: str = "origin"

    def parts(self) -> tuple[str, ...]:
        return (self.host, self.port, self.field, self.path, self.query, self.fragment, self.form)


def text(octets: bytes) -> str:
    return "".join(chr(b) if 0x20 <= b <= 0x7E and b != 0x5C else f"\\x{b:02X}" for b in octets)


def cut(target: str) -> tuple[str, str, str]:
    """Path, query and fragment of a target."""
    rest, mark, fragment = target.partition("#")
    path, question, query = rest.partition("?")
    return path, query if question else rules.ABSENT, fragment if mark else rules.ABSENT


def of_url(verdict: str) -> Asked:
    """What the columns of urivet check say of an accepted URL."""
    _, _, _, _, host, port, path, query, _, effective = verdict.split("\t")
    shown = f"[{host}]" if ":" in host else host
    return Asked(host, effective, shown + (f":{port}" if port != rules.ABSENT else ""), path, query)


def of_request(request: Request) -> Asked:
    target = text(request.target())
    form = "origin" if target.startswith("/") else "absolute" if "://" in target else "other"
    fields = request.host_fields()
    return Asked(request.reached, str(request.port), text(b", ".join(fields)), *cut(target), form)


# ---- One spelling of each part -----------------------------------------------------------------------------------

# localhost has both addresses, and who connects to no address in particular reaches it too
LOOPBACK = dict.fromkeys(("localhost", "::1", "0.0.0.0", "::"), "127.0.0.1")


def as_host(host: str) -> str:
    host = rules.part("host", host).removesuffix(".")
    return LOOPBACK.get(host, host)


def as_field(field: str) -> str:
    """The Host field of port 80 may name it."""
    return rules.part("host", field).removesuffix(":80").removesuffix(".")


def one_spelling(asked: Asked) -> Asked:
    fragment = asked.fragment if asked.fragment == rules.ABSENT else rules.part("fragment", asked.fragment)
    return Asked(as_host(asked.host), asked.port, as_field(asked.field), rules.part("path", asked.path),
                 rules.part("query", asked.query), fragment, asked.form)


# ---- Ways of single clients --------------------------------------------------------------------------------------
# What a client is known to send for what strict accepts, and exactly that.  Given are what the URL asks for and its
# fragment as written, and what was sent, all in one spelling.

def _fragment(written: Asked, fragment: str, sent: Asked) -> bool:
    """As it is written."""
    return fragment != rules.ABSENT and sent.fragment == rules.part("fragment", fragment)


def _bare_ipv6(written: Asked, fragment: str, sent: Asked) -> bool:
    """Without brackets, its colons perhaps escaped."""
    bare = written.field.replace("[", "").replace("]", "")
    return written.field.startswith("[") and sent.field in (bare, bare.replace(":", "%3a"))


def _plus_as_space(written: Asked, fragment: str, sent: Asked) -> bool:
    return sent.query == written.query.replace("+", "%20")


def _decoded(written: Asked, fragment: str, sent: Asked) -> bool:
    """The same once everything is decoded."""
    def once(asked: Asked, fragment: str) -> bytes:
        marked = zip(("", "?", "#"), (asked.path, asked.query, fragment))
        return unquote_to_bytes("".join(mark + part for mark, part in marked if part not in ("", rules.ABSENT)))

    return once(sent, sent.fragment) in (once(written, rules.ABSENT), once(written, fragment))


def _rewritten(written: Asked, fragment: str, sent: Asked) -> bool:
    """Whatever it makes of the pairs: such a client is no reader of a query."""
    return written.query != rules.ABSENT


def _double_slash(written: Asked, fragment: str, sent: Asked) -> bool:
    """Slashes in a row as one."""
    return sent.path == re.sub("//+", "/", written.path)


def _first_question(written: Asked, fragment: str, sent: Asked) -> bool:
    """Without the ? at its beginning."""
    return written.query.startswith("?") and sent.query in (written.query[1:] or rules.ABSENT, written.query[1:])


def _compatibility_form(written: Asked, fragment: str, sent: Asked) -> bool:
    """In the form NFKC."""
    def decoded(path: str) -> str:
        return unquote_to_bytes(path).decode("utf-8", "replace")

    return decoded(sent.path) == unicodedata.normalize("NFKC", decoded(written.path))


WAYS: dict[str, Callable[[Asked, str, Asked], bool]] = {
    rules.SENT + name: way for name, way in (
        ("fragment", _fragment), ("bare-ipv6", _bare_ipv6), ("plus-as-space", _plus_as_space), ("decoded", _decoded),
        ("rewritten", _rewritten), ("double-slash", _double_slash),
        ("first-question", _first_question), ("compatibility-form", _compatibility_form))}


@lru_cache(maxsize=None)
def ways_of(client: str) -> tuple[rules.Difference, ...]:
    return tuple(row for row in rules.rows_in_force() if row.kind in WAYS and client in row.names())


# ---- Comparison --------------------------------------------------------------------------------------------------

@dataclass
class Compared:
    """One URL by one client."""
    url: bytes
    written: Asked
    fetched: Fetched
    differing: list[str]                # parts
    known: list[rules.Difference]

    @property
    def silent(self) -> bool:
        return not self.fetched.requests

    @property
    def outcome(self) -> str:
        """In a word: nothing and refused are clients that sent nothing."""
        if self.silent:
            return "nothing" if self.fetched.trouble else "refused"
        if self.differing:
            return "changed"
        if self.known:
            return "open"
        return "same" if all(of_request(r).parts() == spelled(self.written).parts() for r in self.asked()) else "allowed"

    def asked(self) -> list[Request]:
        return requests_for(self.written, self.fetched.requests)


def spelled(asked: Asked) -> Asked:
    """What a request cannot be without."""
    return Asked(asked.host.lower(), asked.port, asked.field, asked.path or "/", asked.query, asked.fragment, asked.form)


def requests_for(written: Asked, requests: Sequence[Request]) -> list[Request]:
    """Those that are for this URL: without what is asked beside it, unless there is nothing else."""
    own = [r for r in requests if not BESIDE.search(r.target().split(b"?")[0]) or text(r.target()) == written.path]
    return own or list(requests)


def explained(part: str, written: Asked, fragment: str, sent: Asked, client: str) -> rules.Difference | None:
    """The way of the client that is what differs in this part."""
    return next((row for row in ways_of(client) if part in row.parts and WAYS[row.kind](written, fragment, sent)), None)


def compared(client: str, blind: frozenset[str], url: bytes, written: Asked, fragment: str,
             fetched: Fetched) -> Compared:
    """Every request that was sent for the URL asks for what the URL asks for."""
    expected, differing, known = one_spelling(written), Counter(), {}
    for request in requests_for(written, fetched.requests):
        sent = one_spelling(of_request(request))
        for part, one, other in zip(PARTS, expected.parts(), sent.parts()):
            if one == other or part in blind:
                continue
            row = explained(part, expected, fragment, sent, client)
            if row is None:
                differing[part] += 1
            else:
                known[row.name] = row
    return Compared(url, written, fetched, [p for p in PARTS if differing[p]], list(known.values()))
