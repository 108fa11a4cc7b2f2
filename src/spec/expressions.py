# SPDX-License-Identifier: Apache-2.0
"""Writes the regular expressions: expressions.py OUT, to OUT/expressions.json.

They come from tests/gates/grammar/gate.abnf and expressions.abnf. Proved first, for all lengths: what `loose` accepts and
the first rules do not refuse is what gate.abnf accepts. For an engine without lookahead, such as RE2, an expression is two: the URL
matches `accept` as a whole, and nothing matches `refuse`.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

from rules import HERE, ROOT

sys.path.append(str(ROOT / "tests/gates/grammar"))
from abnf import Grammar, read  # noqa: E402
from automata import Dfa, dfa_of, merge_classes, minimal, outside  # noqa: E402

VISIBLE = sum(1 << c for c in range(0x21, 0x7F))
PROVED = ("port", "ipv6", "g1", "g3", "g4", "g9", "g12", "g13", "g14", "g15", "trip")
GATE = ("name", "label", *PROVED, "g6", "g7", "g8")      # long names first: what follows need not loop over them
STRICT = (*(rule for rule in GATE if rule not in ("port", "g4")), "d2", "d3", "d4", "d5")      # D1 and D4 refuse what these do


class Printer:
    """Prints trees of ABNF as an expression. Only visible ASCII can match `accept`, so sets are printed without the rest."""

    def __init__(self, grammar: Grammar, end: str, slash: str, possessive: bool) -> None:
        self.grammar, self.end, self.slash, self.possessive = grammar, end, slash, possessive

    def char(self, c: int) -> str:
        return self.slash if chr(c) == "/" else ("\\" if chr(c) in "\\^$.|?*+()[]{}" else "") + chr(c)

    def set(self, octets: int) -> str:
        """Returns a single character or a class."""
        members = [c for c in range(256) if octets & VISIBLE & 1 << c]
        if len(members) == 1:
            return self.char(members[0])
        out, at = "", 0
        while at < len(members):
            last = at
            while last + 1 < len(members) and members[last + 1] == members[last] + 1:
                last += 1
            first, end = (self.slash if chr(members[k]) == "/" else ("\\" if chr(members[k]) in "\\]^-[" else "") + chr(members[k]) for k in (at, last))
            out += first if at == last else first + ("-" if last > at + 1 else "") + end
            at = last + 1
        return f"[{out}]"

    def alternatives(self, tree: tuple) -> list[tuple]:
        """Returns the alternatives of a tree, with those that are one octet joined."""
        tree = self.resolved(tree)
        if tree[0] != "alt":
            return [tree]
        parts = [part for one in tree[1] for part in self.alternatives(one)]
        octets = 0
        for part in parts:
            octets |= part[1] if part[0] == "set" else 0
        return ([("set", octets)] if octets else []) + [part for part in parts if part[0] != "set"]

    def resolved(self, tree: tuple) -> tuple:
        while tree[0] == "ref" or (tree[0] == "seq" and len(tree[1]) == 1):
            tree = self.grammar.rules[tree[1].lower()] if tree[0] == "ref" else tree[1][0]
        return tree

    def group(self, tree: tuple) -> str:
        """Returns an expression that stands in a sequence."""
        return self.text(tree) if len(self.alternatives(tree)) == 1 else f"(?:{self.text(tree)})"

    def text(self, tree: tuple) -> str:
        tree = self.resolved(tree)
        if tree[0] == "set":
            return self.set(tree[1])
        if tree[0] == "seq":
            return "".join(self.group(part) for part in tree[1])
        if tree[0] == "alt":
            return "|".join(self.text(part) for part in self.alternatives(tree))
        if tree[0] != "rep":
            raise ValueError(f"no expression says {tree[0]}")
        _, low, high, part = tree
        one = self.alternatives(part)
        inner = self.set(one[0][1]) if len(one) == 1 and one[0][0] == "set" else f"(?:{self.text(part)})"
        times = {(0, None): "*", (1, None): "+", (0, 1): "?", (1, 1): ""}.get((low, high))
        if times is None:
            times = f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"
        # what follows a loop over triplets begins otherwise: such a loop need not remember its turns
        return inner + times + ("+" if self.possessive and high is None and "%" in inner else "")

    def front(self, tree: tuple) -> str:
        """Returns an expression of the front of what the tree matches: the rest is any octets."""
        tree = self.resolved(tree)
        if tree[0] == "alt":
            return "|".join(self.front(part) for part in self.alternatives(tree))
        if tree[0] == "seq":
            *before, last = tree[1]
            rest = self.front(last)
            return "".join(map(self.group, before)) + (f"(?:{rest})" if len(self.alternatives(last)) > 1 else rest)
        if tree[0] == "rep" and tree[1:3] == (0, 1):
            return f"(?:{self.front(tree[3])}|{self.end})"
        if tree[0] == "rep" and tree[1:3] == (0, None) and self.resolved(tree[3]) == ("set", VISIBLE):
            return ""
        return self.group(tree) + self.end


def grammar_of(*names: Path) -> Grammar:
    return read("\n".join(name.read_text(encoding="ascii") for name in names))


def difference(a: Dfa, b: Dfa) -> Dfa:
    """Returns the minimal automaton of what a accepts and b does not."""
    pairs: dict[tuple, int] = {}
    class_of = [pairs.setdefault(pair, len(pairs)) for pair in zip(a.class_of, b.class_of)]
    number, states, rows = {(a.start, b.start): 0}, [(a.start, b.start)], []
    for p, q in states:     # the list grows during the loop
        row = []
        for of_a, of_b in pairs:
            to = a.next[p][of_a], b.next[q][of_b]
            if to not in number:
                number[to] = len(number)
                states.append(to)
            row.append(number[to])
        rows.append(row)
    return merge_classes(minimal(Dfa(0, [a.accept[p] and not b.accept[q] for p, q in states], rows, class_of)))


def prove(gate: Path, grammar: Grammar, name: str = "expressions.abnf") -> None:
    """Stops if a grammar that has the rules `refused` without the rules that gate.abnf leaves out is not gate.abnf."""
    ours, theirs = dfa_of(grammar, "url"), dfa_of(grammar_of(gate), "url")
    for rule in PROVED:
        grammar.rules["refused"] = ("seq", [("ref", "start"), ("ref", f"refused-{rule}")])
        smaller = difference(ours, dfa_of(grammar, "refused"))
        if outside(ours, smaller) is None:
            sys.exit(f"expressions: {rule} refuses nothing that the rules before it accept")
        ours = smaller
    for first, second, what in ((ours, theirs, "too much"), (theirs, ours, "too little")):
        example = outside(first, second)
        if example is not None:
            sys.exit(f"expressions: {what}: {example!r}")
    print(f"expressions: gate.abnf and {name} are one language, of {len(ours.next)} states")


def expressions(grammar: Grammar) -> dict:
    """Returns the expressions of each engine."""
    found: dict[str, dict] = {}
    for engine, begin, end, slash in (("PCRE", r"\A", r"\z", "/"), ("ECMAScript", "^", "$", r"\/"), ("RE2", r"\A", r"\z", "/")):
        for name, rules in (("gate", GATE), ("strict", STRICT)):
            rule = dict(grammar.rules)
            rule["trip"] = rule["trip-g5"]
            if name == "strict":
                rule["port"] = rule["port-d1"]
            one = Printer(Grammar(rule), end, slash, engine == "PCRE")
            parts = [one.text(("ref", "start")) + "(?:" + "|".join(one.front(("ref", f"refused-{rule}")) for rule in rules) + ")"]
            parts += [one.front(("ref", rule)) for rule in ("d1-http", "d1-https")] if name == "strict" else []
            accept, refuse = one.text(("ref", "url")), "|".join(parts)
            found.setdefault(engine, {})[name] = ({"accept": f"{begin}(?:{accept}){end}", "refuse": f"{begin}(?:{refuse})"} if engine == "RE2"
                                                  else {"accept": f"{begin}(?!{refuse}){accept}{end}"})
    return found


def main() -> None:
    gate, out = ROOT / "tests/gates/grammar/gate.abnf", Path(sys.argv[1])
    prove(gate, grammar_of(gate, HERE / "expressions.abnf"))
    found = expressions(grammar_of(gate, HERE / "expressions.abnf"))
    (out / "expressions.json").write_text(json.dumps(found, indent=1) + "\n", encoding="ascii")
    print("expressions: " + ", ".join(f"{engine} {name} {sum(map(len, one.values()))} octets" for engine, both in found.items() for name, one in both.items()))


if __name__ == "__main__":
    main()
