# SPDX-License-Identifier: Apache-2.0
"""Reads ABNF (RFC 5234) into trees.

Strings of RFC 7405 are known (%s"http" is in lower case).  Two things are added: `a - b`, which binds less than `/`, is what `a` takes and `b`
does not; comments say what a rule is: `;@taken RULE` the language, `;@parsed RULE` the same with
one reading for each string, `;@mark COMPONENT: RULE ...` a component of a URI.  Core rules are
known.  Rules must not refer to themselves: the languages here are regular.

A tree is one of
    ("set", octets)          one octet of the set, an integer with bit c set for octet c
    ("seq", [tree, ...])     one after the other
    ("alt", [tree, ...])     any of them
    ("rep", low, high, tree) repetition, high None where it has no end
    ("sub", a, b)            what a takes and b does not
    ("ref", name)            a rule
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

CORE = r"""
ALPHA = %x41-5A / %x61-7A
DIGIT = %x30-39
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
OCTET = %x00-FF
DQUOTE = %x22
"""

TOKEN = re.compile(r"""
      (?P<space>\s+|;[^\n]*)
    | (?P<exact>%s)?"(?P<string>[^"]*)"
    | %x(?P<first>[0-9A-Fa-f]+)(?:-(?P<last>[0-9A-Fa-f]+))?
    | (?P<repeat>\d*\*\d*|\d+)
    | (?P<name>[A-Za-z][A-Za-z0-9_-]*)
    | (?P<sign>[()\[\]/-])
""", re.X)


@dataclass
class Grammar:
    rules: dict[str, tuple] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)  # rule: component
    taken: str = ""
    parsed: str = ""


def letter(c: str) -> tuple:
    """Returns one character of a string, in either case."""
    return ("set", 1 << ord(c.lower()) | 1 << ord(c.upper()))


def octet(c: str) -> tuple:
    """Returns one character of a case-sensitive string."""
    return ("set", 1 << ord(c))


class Reader:
    """Recursive descent over the tokens of one rule's right side."""

    def __init__(self, text: str) -> None:
        self.tokens = []
        at = 0
        while at < len(text):
            m = TOKEN.match(text, at)
            if m is None:
                raise ValueError(f"no ABNF: {text[at:at + 40]!r}")
            if m["space"] is None:
                self.tokens.append(m)
            at = m.end()
        self.at = 0

    def sign(self) -> str:
        """Returns the next sign, or nothing."""
        return self.tokens[self.at]["sign"] or "" if self.at < len(self.tokens) else "end"

    def expect(self, sign: str) -> None:
        if self.sign() != sign:
            raise ValueError(f"expected {sign}")
        self.at += 1

    def difference(self) -> tuple:
        tree = self.alternation()
        if self.sign() == "-":
            self.at += 1
            tree = ("sub", tree, self.alternation())
        return tree

    def alternation(self) -> tuple:
        trees = [self.concatenation()]
        while self.sign() == "/":
            self.at += 1
            trees.append(self.concatenation())
        return trees[0] if len(trees) == 1 else ("alt", trees)

    def concatenation(self) -> tuple:
        trees = []
        while self.sign() not in ("/", ")", "]", "-", "end"):
            trees.append(self.repetition())
        return trees[0] if len(trees) == 1 else ("seq", trees)

    def repetition(self) -> tuple:
        count = self.tokens[self.at]["repeat"]
        if count is None:
            return self.element()
        self.at += 1
        low, star, high = count.partition("*")
        if not star:
            high = low
        return ("rep", int(low or 0), int(high) if high else None, self.element())

    def element(self) -> tuple:
        token = self.tokens[self.at]
        self.at += 1
        if token["sign"] == "(":
            tree = self.difference()
            self.expect(")")
            return tree
        if token["sign"] == "[":
            tree = ("rep", 0, 1, self.difference())
            self.expect("]")
            return tree
        if token["string"] is not None:
            one = octet if token["exact"] else letter
            return ("seq", [one(c) for c in token["string"]])
        if token["first"] is not None:
            first = int(token["first"], 16)
            last = int(token["last"], 16) if token["last"] else first
            return ("set", sum(1 << c for c in range(first, last + 1)))
        if token["name"] is not None:
            return ("ref", token["name"])
        raise ValueError(f"unexpected {token[0]!r}")


def read(text: str) -> Grammar:
    """Returns the rules and marks of an ABNF text."""
    grammar = Grammar()
    for which, rule in re.findall(r"^;@(taken|parsed) (.*)$", text, re.M):
        setattr(grammar, which, rule)
    for component, names in re.findall(r"^;@mark (\w+): (.*)$", text, re.M):
        grammar.marks.update((name, component) for name in names.split())
    for m in re.finditer(r"^([A-Za-z][\w-]*)[ \t]*=(.*(?:\n(?:[ \t].*)?)*)", CORE + text, re.M):
        reader = Reader(m[2])
        grammar.rules[m[1].lower()] = reader.difference()
        if reader.sign() != "end":
            raise ValueError(f"trailing text in the rule {m[1]}")
    grammar.marks = {name.lower(): component for name, component in grammar.marks.items()}
    return grammar


def read_file(path: Path) -> Grammar:
    return read(path.read_text(encoding="ascii"))
