# SPDX-License-Identifier: Apache-2.0
"""The request that a URL, or an HTTP request for it, stands for."""
from __future__ import annotations

import re
from dataclasses import dataclass

import tables  # noqa: F401 (finds the zoo)
import rules

from recorder import Request

PARTS = ("host", "port", "Host field", "path", "query", "fragment", "form")


@dataclass(frozen=True)
class Asked:
    """What a URL or a request for it asks for: one text for each component, octets beyond ASCII as \\xHH."""
    host: str               # or address connected to, without brackets
    port: str
    field: str              # the Host field as it is written; "" if there is none
    path: str
    query: str              # ABSENT or what follows the first ?
    fragment: str = rules.ABSENT    # after a # in the target: clients need not send it
    form: str = "origin"

    def parts(self) -> tuple[str, ...]:
        return (self.host, self.port, self.field, self.path, self.query, self.fragment, self.form)


def text(octets: bytes) -> str:
    return "".join(chr(b) if 0x20 <= b <= 0x7E and b != 0x5C else f"\\x{b:02X}" for b in octets)


def cut(target: str) -> tuple[str, str, str]:
    """Splits a target into path, query and fragment."""
    rest, mark, fragment = target.partition("#")
    path, question, query = rest.partition("?")
    return path, query if question else rules.ABSENT, fragment if mark else rules.ABSENT


def of_url(verdict: str) -> Asked:
    """Reads the columns of urivet check for an accepted URL."""
    _, _, _, _, host, port, path, query, _, effective = verdict.split("\t")
    shown = f"[{host}]" if ":" in host else host
    return Asked(host, effective, shown + (f":{port}" if port != rules.ABSENT else ""), path, query)


FORMS = {"origin": "/", "absolute": r"[a-z]+://", "empty": r"\Z"}


def of_request(request: Request) -> Asked:
    target = text(request.target())
    form = next((form for form, mark in FORMS.items() if re.match(mark, target)), "other")
    fields = request.host_fields()
    return Asked(request.reached, str(request.port), text(b", ".join(fields)), *cut(target), form)


# ---- One spelling of each component
# ------------------------------------------------------------------------------

# localhost has both addresses, and a client that connects to the unspecified address reaches it as well.
LOOPBACK = dict.fromkeys(("localhost", "::1", "0.0.0.0", "::"), "127.0.0.1")


def as_host(host: str) -> str:
    host = rules.part("host", host).removesuffix(".")
    return LOOPBACK.get(host, host)


def as_field(field: str) -> str:
    """Returns the Host field without port 80, which it may name."""
    return rules.part("host", field).removesuffix(":80").removesuffix(".")


def one_spelling(asked: Asked) -> Asked:
    fragment = asked.fragment if asked.fragment == rules.ABSENT else rules.part("fragment", asked.fragment)
    return Asked(as_host(asked.host), asked.port, as_field(asked.field), rules.part("path", asked.path),
                 rules.part("query", asked.query), fragment, asked.form)
