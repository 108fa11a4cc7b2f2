# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of a grammar that conform.c reads: python3 tables.py FILE.abnf OUT

Checked on the way: that the rule "parsed" takes what the rule "taken" takes, and has one reading
for each string, so that components lie in one place.

The file is a sequence of 32-bit integers: the acceptor and the transducer, each as machine() writes
it; then the transducer's registers.
"""
from __future__ import annotations

import sys
from array import array
from pathlib import Path

from abnf import read_file
from automata import Dfa, Transducer, dfa_of, outside, transducer_of
from suites import Machine, Suite, suite_of

# readable octets represent their classes
LIKED = b"hax01.:/?#[]@%-+=;,!$&'()*~_gGvV" + bytes(range(33, 127))


def refined(t: Transducer) -> Transducer:
    """Returns the transducer with the fewest equivalent states and the fewest classes."""
    block = [0] * len(t.next)
    count = 1
    while True:
        numbers: dict = {}
        block = [numbers.setdefault((block[q], t.final[q],
                                     tuple((block[to], op) for to, op in row)), len(numbers))
                 for q, row in enumerate(t.next)]
        if len(numbers) == count:
            break
        count = len(numbers)
    member = {b: q for q, b in reversed(list(enumerate(block)))}
    rows = [[(block[to], op) for to, op in t.next[member[b]]] for b in range(count)]
    columns: dict = {}
    merged = [columns.setdefault(tuple(row[c] for row in rows), c) for c in range(len(rows[0]))]
    kept = sorted(set(merged))
    return Transducer((block[t.begin[0]], t.begin[1]), [[row[c] for c in kept] for row in rows],
                      [t.final[member[b]] for b in range(count)],
                      [kept.index(merged[c]) for c in t.class_of])


def machine(out: array, m: Machine, suite: Suite) -> None:
    """states, classes, start; class of each octet, an octet of each class, output, next; access
    words; words; for each state the numbers of its words.  Words as octets, their length first."""
    classes = len(m.next[0])
    octet = [next((c for c in LIKED if m.class_of[c] == k), m.class_of.index(k))
             for k in range(classes)]
    out.extend([len(m.next), classes, m.start])
    out.extend(m.class_of)
    out.extend(octet)
    out.extend(int(o is not None and o is not False) for o in m.output)
    for row in m.next:
        out.extend(row)
    for word in suite.access:
        out.extend([len(word), *(octet[c] for c in word)])
    out.append(len(suite.words))
    for word in suite.words:
        out.extend([len(word), *(octet[c] for c in word)])
    for numbers in suite.of_state:
        out.extend([len(numbers), *numbers])


def registers(out: array, t: Transducer) -> None:
    """Lists of sources, their length first; the list of the beginning and of each edge; for each
    state a register for each mark, -1 for none, if it is final."""
    lists: dict[tuple, int] = {}
    numbers = [lists.setdefault(op, len(lists)) for op in
               [t.begin[1], *(op for row in t.next for _, op in row)]]
    out.append(len(lists))
    for op in lists:
        out.extend([len(op), *op])
    out.extend(numbers)
    for final in t.final:
        out.extend([-1 if v is None else v for v in final or ()] or [-1] * 16)


def main() -> None:
    grammar = read_file(Path(sys.argv[1]))
    rule, parsed = grammar.taken, grammar.parsed
    acceptor: Dfa = dfa_of(grammar, rule)
    if rule != parsed:
        other = dfa_of(grammar, parsed)
        for a, b in ((acceptor, other), (other, acceptor)):
            if outside(a, b) is not None:
                sys.exit(f"{rule} and {parsed} differ: {outside(a, b)!r}")
    transducer = refined(transducer_of(grammar, parsed))
    out = array("i")
    m = Machine(acceptor.start, acceptor.accept, acceptor.next, acceptor.class_of)
    machine(out, m, suite_of(m))
    m = Machine(transducer.begin[0], transducer.final,
                [[to for to, _ in row] for row in transducer.next], transducer.class_of)
    suite = suite_of(m)
    machine(out, m, suite)
    registers(out, transducer)
    Path(sys.argv[2]).write_bytes(out.tobytes())
    print(f"{Path(sys.argv[1]).stem}: acceptor {len(acceptor.next)} states,"
          f" {acceptor.classes} classes; transducer {len(transducer.next)} states, {len(transducer.next[0])} classes,"
          f" {len(suite.words)} words")


if __name__ == "__main__":
    main()
