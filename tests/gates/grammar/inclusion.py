# SPDX-License-Identifier: Apache-2.0
"""Which language lies inside which: proved by the product of minimal automata, for all lengths.

Each line shows two rules and what is so; where one is not inside the other, the shortest string
that the first takes and the second does not.  Exit status 1 if anything is not as written here.
"""
from __future__ import annotations

import sys
from pathlib import Path

from abnf import read_file
from automata import Dfa, dfa_of, outside

HERE = Path(__file__).parent
URI = ("rfc3986", "URI")
REFERENCE = ("rfc3986", "URI-reference")
GATE = ("gate", "url")
WITHOUT_IPV6 = ("gate", "url-without-ipv6")
WITHOUT_TILDE = ("gate", "url-without-ipv6-and-tilde")
GATE_PATH = ("gate", "path")
TARGET = ("gateway", "target")
TARGET_OF_3986 = ("gateway", "target-3986")
ROUTED_PATH = ("gateway", "path")
ROUTED_WITHOUT_TILDE = ("gateway", "path-without-tilde")
OF_2003 = ("uri-2003", "URI-reference")
OF_1997 = ("uri-1997", "URI-reference")
OF_1996 = ("url-1996", "URL")

# rules a and b, and whether a is a subset of b
CLAIMS = [
    (GATE, URI, True),
    (GATE, REFERENCE, True),
    (GATE, OF_2003, True),
    (WITHOUT_IPV6, OF_1997, True),      # IPv6 came in 1999
    (GATE, OF_1997, False),
    (WITHOUT_TILDE, OF_1996, True),     # "~" is national there
    (WITHOUT_IPV6, OF_1996, False),
    (URI, REFERENCE, True),
    (ROUTED_WITHOUT_TILDE, GATE_PATH, True),  # gateway is stricter in the path, but for %7E,
    (ROUTED_PATH, GATE_PATH, False),
    (GATE_PATH, ROUTED_PATH, False),
    (ROUTED_PATH, REFERENCE, True),
    (TARGET, REFERENCE, False),         # and open in the query: more than RFC 3986 but for controls
    (TARGET_OF_3986, REFERENCE, True),
    (TARGET_OF_3986, TARGET, True),
    (TARGET, TARGET_OF_3986, False),
    # negative controls: these do not hold
    (REFERENCE, GATE, False),
    (URI, GATE, False),
    (REFERENCE, URI, False),
    (REFERENCE, OF_2003, False),
    (OF_2003, REFERENCE, False),
    (OF_1997, REFERENCE, False),
]


def main() -> int:
    known: dict[tuple, Dfa] = {}

    def automaton(which: tuple[str, str]) -> Dfa:
        if which not in known:
            known[which] = dfa_of(read_file(HERE / f"{which[0]}.abnf"), which[1])
        return known[which]

    wrong = 0
    for a, b, inside in CLAIMS:
        example = outside(automaton(a), automaton(b))
        shown = "" if example is None else ": " + ascii(example)[1:]
        print(f"{' '.join(a)} {'inside' if example is None else 'NOT inside'} {' '.join(b)}{shown}")
        wrong += (example is None) != inside
    print(f"inclusion: {len(CLAIMS)} claims, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
