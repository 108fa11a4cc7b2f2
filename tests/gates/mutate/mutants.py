#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All mutants of a C file, by its tokens: each is the file with one small piece of its text replaced.

    python3 tests/gates/mutate/mutants.py src/core/uri/ip.c      lists them

No parser is needed, as what does not compile is thrown away: a pattern may well match a declaration.  Comments
are skipped, annotations of a prover among them.  A mutant is named by file, function, clause and replacement, and by
a number where these are the same, never by the number of a line.  A clause is what stands between semicolons and
braces, or the head of an "if" or a loop, with the spaces that any layout has: breaking lines anew changes no name.
"""
from __future__ import annotations

import bisect
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<char>'(?:\\x[0-9a-fA-F]+|\\.|[^'\\])')
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*)
  | (?P<word>[A-Za-z_][A-Za-z_0-9]*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|[-+*/%<>=!~&|^?:;,.(){}\[\]\#])
  | (?P<space>(?:\s|\\\n)+)
""", re.X | re.S)

SWAPPED = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("/",),
    "&": ("|",), "^": ("|",), "<<": (">>",), ">>": ("<<",), "+=": ("-=",), "-=": ("+=",), "*=": ("+=",),
    "|=": ("&=",), "&=": ("|=",), "^=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",), "++": ("--",), "--": ("++",),
}
BINARY_ONLY = {"+", "-", "*", "&"}
REMOVED = {"!", "~"}
WORDS = {"break": ("continue", ""), "continue": ("break", ""), "true": ("false",), "false": ("true",)}
KEYWORDS = {"if", "else", "while", "for", "do", "switch", "case", "default", "return", "goto", "break", "continue",
            "sizeof", "struct", "union", "enum", "static", "const", "typedef", "extern", "inline"}
LIST, INSIDE = "list", "inside"
HEADS = {"if", "while", "for", "switch"}
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:[^\n\\]|\\.|\\\n)*", re.M)
# What ends an operand, by how loosely it binds.
ENDS = {"(", ")", "[", "]", "{", "}", ",", ";", "?", ":", "=", "return", "+=", "-=", "|=", "&=", "*=", "<<=", ">>=",
        "^="}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.text)


@dataclass(frozen=True)
class Mutant:
    file: str
    function: str
    clause: str         # the text around it, in normal form
    change: str         # "old -> new"
    nth: int            # among those with the same four
    at: int
    end: int
    text: str           # the replacement

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        return self.file, self.function, self.clause, self.change, self.nth

    def apply(self, source: str) -> str:
        # lines keep their numbers
        return source[:self.at] + self.text + "\n" * source[self.at:self.end].count("\n") + source[self.end:]


def tokens_of(source: str) -> list[Token]:
    """Returns the tokens without spaces, comments and directives other than definitions."""
    found, at = [], 0
    skip_to = 0
    while at < len(source):
        match = TOKEN.match(source, at)
        if match is None:
            raise SystemExit(f"no token at {source[at:at + 20]!r}")
        if match.lastgroup == "op" and match.group() == "#":
            line_end = at
            while (line_end := source.index("\n", line_end)) and source[line_end - 1] == "\\":
                line_end += 1
            directive = source[at:line_end]
            defined = re.match(r"#\s*define\s+\w+(\([^)]*\))?", directive)
            at = at + defined.end() if defined else line_end
            found.append(Token("op", ";", at))      # no clause extends across it
            skip_to = line_end
            continue
        if match.lastgroup not in ("space", "comment"):
            found.append(Token(str(match.lastgroup), match.group(), at))
        elif skip_to and at <= skip_to < match.end():
            found.append(Token("op", ";", skip_to))
            skip_to = 0
        at = match.end()
    return found


def pairs_of(tokens: list[Token]) -> dict[int, int]:
    """Returns for each bracket the index of its partner."""
    stack: list[int] = []
    pairs = {}
    for k, token in enumerate(tokens):
        if token.kind != "op":
            continue
        if token.text in OPENING:
            stack.append(k)
        elif token.text in CLOSING and stack:
            other = stack.pop()
            pairs[k], pairs[other] = other, k
    return pairs


class File:
    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source
        self.tokens = tokens_of(source)
        self.pairs = pairs_of(self.tokens)
        self.functions = self.find_functions()
        self.macros = [(match.start(), match.end(), match[1]) for match in DEFINE.finditer(source)]
        self.clauses = self.find_clauses()
        self.found: list[tuple[int, int, str, str]] = []

    def find_functions(self) -> list[tuple[int, int, str]]:
        """Returns offsets and name of each function body; a table has the name of its variable."""
        functions, depth = [], 0
        for k, token in enumerate(self.tokens):
            if token.text == "{" and token.kind == "op":
                if depth == 0 and k in self.pairs:
                    name, j = "", k - 1
                    while j >= 0 and self.tokens[j].text not in (";", "}"):
                        before = self.tokens[j]
                        if before.text in (")", "]") and j in self.pairs:
                            j = self.pairs[j] - 1
                            if self.tokens[j].kind == "word":
                                name = self.tokens[j].text
                            continue
                        if before.kind == "word" and not name and self.tokens[j + 1].text in ("=", "{"):
                            name = before.text
                        j -= 1
                    functions.append((self.tokens[j + 1].at, self.tokens[self.pairs[k]].end, name))
                depth += 1
            elif token.text == "}" and token.kind == "op":
                depth -= 1
        return functions

    def function_at(self, at: int) -> str:
        for begin, end, name in self.functions:
            if begin <= at < end:
                return name
        for begin, end, name in self.macros:
            if begin <= at < end:
                return name
        return "-"

    def find_clauses(self) -> list[tuple[int, str]]:
        """Returns the offset of each clause, and its normal form."""
        clauses: list[tuple[int, str]] = []
        opened, first = [""], 0
        ends_of_macros = sorted((end for _, end, _ in self.macros), reverse=True)
        for k, token in enumerate(self.tokens):
            kind = token.text if token.kind == "op" else ""
            while ends_of_macros and token.at >= ends_of_macros[-1]:
                ends_of_macros.pop()
                opened = [""]       # a macro may open a bracket that another line closes
            if kind in ("(", "["):
                opened.append(INSIDE)
            elif kind == "{":
                opened.append(self.kind_of_brace(k, opened[-1]))
            ends = kind in ("{", ";") or token.text in ("else", "do") or (kind == "," and opened[-1] == LIST)
            if kind in CLOSING and len(opened) > 1:
                ends = opened.pop() != INSIDE
            if opened[-1] != INSIDE and (ends or (kind == ")" and self.ends_head(k))):
                clauses.append((self.tokens[first].at, self.normal(first, k)))
                first = k + 1
        return clauses

    def kind_of_brace(self, k: int, outside: str) -> str:
        """Returns the kind of a brace: of a block, of a list of clauses, or inside a clause, such as a row of
        numbers in a table."""
        if outside in (LIST, INSIDE):
            inside = self.tokens[k:self.pairs.get(k, k)]
            return LIST if outside == LIST and any(token.text == "=" for token in inside) else INSIDE
        before = [token.text for token in self.tokens[max(0, k - 2):k]]
        return LIST if before[-1:] == ["="] or "enum" in before else ""

    def ends_head(self, k: int) -> bool:
        """Returns true at the end of "if (...)", or of a macro call on its own line."""
        if k not in self.pairs or k + 1 >= len(self.tokens):
            return False
        head, following = self.tokens[self.pairs[k] - 1], self.tokens[k + 1]
        return head.text in HEADS or (following.kind == "word" and "\n" in self.source[self.tokens[k].end:following.at])

    def normal(self, first: int, last: int) -> str:
        """Returns the tokens in a form that does not depend on the layout."""
        text = ""
        for k in range(first, last + 1):
            token, before = self.tokens[k], self.tokens[k - 1] if k > first else None
            spaced = before is not None and self.source[before.end:token.at].strip(" \t\n\\") != self.source[
                before.end:token.at] and before.text not in ("(", "[", "!", "~") and token.text not in (
                    ")", "]", ",", ";")
            text += (" " if spaced else "") + self.source[token.at:token.end].strip()
        return text

    def clause_at(self, at: int) -> str:
        k = bisect.bisect_right(self.clauses, at, key=lambda clause: clause[0])
        return self.clauses[k - 1][1] if k > 0 else self.normal(0, 0)

    def replace(self, begin: int, end: int, text: str, name: str = "") -> None:
        old = " ".join(self.source[begin:end].split())
        self.found.append((begin, end, text, name or f"{old} -> {text or 'nothing'}"))

    # ---- operands: their extent on either side of tokens[k]

    def reach(self, k: int, step: int, ends: set[str]) -> int:
        """Returns the index of the last token of the operand beside k."""
        j = k + step
        while 0 <= j < len(self.tokens):
            token = self.tokens[j]
            if token.kind == "op" and token.text in (CLOSING if step < 0 else OPENING) and j in self.pairs:
                j = self.pairs[j] + step
                continue
            if token.kind in ("op", "word") and token.text in ends:
                break
            j += step
        return j - step

    def drop_operands(self, k: int, ends: set[str]) -> None:
        first, last = self.reach(k, -1, ends), self.reach(k, 1, ends)
        operator = self.tokens[k]
        if first < k < last + 1 and first <= k - 1 and last >= k + 1:
            left, right = self.tokens[first], self.tokens[last]
            self.replace(left.at, self.tokens[k + 1].at, "", f"drop left of {operator.text}")
            self.replace(self.tokens[k - 1].end, right.end, "", f"drop right of {operator.text}")

    def is_binary(self, k: int) -> bool:
        before = self.tokens[k - 1]
        return before.kind in ("number", "char", "string") or before.text in (")", "]") or (
            before.kind == "word" and before.text not in KEYWORDS)

    # ---- the mutants

    def operators(self, k: int) -> None:
        token = self.tokens[k]
        if token.text in REMOVED:
            self.replace(token.at, token.end, "")
        if token.text == "|" and self.is_binary(k):
            self.drop_operands(k, ENDS | {"|", "&&", "||", "==", "!="})
        elif token.text == "&&":
            self.drop_operands(k, ENDS | {"&&", "||"})
        elif token.text == "||":
            self.drop_operands(k, ENDS | {"||"})
        if token.text in BINARY_ONLY and not self.is_binary(k):
            return
        for text in SWAPPED.get(token.text, ()):
            self.replace(token.at, token.end, text)
        if token.text == "?":
            first = self.reach(k, -1, ENDS)
            begin, end = self.tokens[first].at, self.tokens[k - 1].end
            self.replace(begin, end, f"!({self.source[begin:end]})", "negate before ?")

    def words(self, k: int) -> None:
        token = self.tokens[k]
        following = self.tokens[k + 1] if k + 1 < len(self.tokens) else token
        for text in WORDS.get(token.text, ()):
            self.replace(token.at, token.end, text)
        if token.text in ("if", "while") and following.text == "(" and k + 1 in self.pairs:
            close = self.tokens[self.pairs[k + 1]]
            inside = self.source[following.end:close.at]
            self.replace(following.end, close.at, f"!({inside})", f"negate {token.text}")
        if token.text == "return" and following.text != ";":
            last = self.reach(k, 1, {";"})
            begin, end = following.at, self.tokens[last].end
            if following.text not in ("true", "false"):
                self.replace(begin, end, f"!({self.source[begin:end]})", "negate return")
                self.replace(begin, end, "0", "return 0")

    def numbers(self, k: int) -> None:
        token = self.tokens[k]
        digits = token.text.rstrip("uUlL")
        suffix = token.text[len(digits):]
        value = int(digits, 0 if digits.lower().startswith("0x") or digits == "0" else 10)
        form = hex if digits.lower().startswith("0x") else str
        self.replace(token.at, token.end, form(value + 1) + suffix)
        if value > 0:
            self.replace(token.at, token.end, form(value - 1) + suffix)

    def chars(self, k: int) -> None:
        token = self.tokens[k]
        text = {r"'\0'": "'0'", r"'\''": "'('", r"'\\'": "']'", r"'\t'": r"'\n'"}.get(token.text)
        if text is None and len(token.text) == 3 and token.text[1] not in "&[~":
            text = f"'{chr(ord(token.text[1]) + 1)}'"
        self.replace(token.at, token.end, text or "'x'")

    def strings(self, k: int) -> None:
        """Mutates words, not sentences: the last octet is changed."""
        token = self.tokens[k]
        if len(token.text) > 2 and " " not in token.text and token.text[-2] not in '"\\' and token.text[-3] != "\\":
            last = "y" if token.text[-2] == "x" else "x"
            self.replace(token.at, token.end, token.text[:-2] + last + '"')

    def statements(self, k: int) -> None:
        """Mutates an assignment, a step or a call that begins at tokens[k]."""
        before, token = self.tokens[k - 1], self.tokens[k]
        following = self.tokens[k + 1] if k + 1 < len(self.tokens) else token
        begins = before.text in (";", "{", "}", "else") or (
            before.text == ")" and k - 1 in self.pairs and
            self.tokens[self.pairs[k - 1] - 1].text in ("if", "while", "for"))
        if not begins or token.text in KEYWORDS or (token.kind != "word" and token.text != "*"):
            return
        if following.kind == "word" or self.function_at(token.at) == "-":
            return                                              # a declaration
        last = self.reach(k, 1, {";", "}"})
        end = last + 1
        if end < len(self.tokens) and self.tokens[end].text == ";" and self.source[self.tokens[end].at] == ";":
            self.replace(token.at, self.tokens[end].end, ";", "remove statement")

    def rows(self) -> None:
        """Removes each row of a table."""
        for k, token in enumerate(self.tokens):
            if token.text != "{" or k == 0 or self.tokens[k - 1].text != "=" or k not in self.pairs:
                continue
            j, close = k + 1, self.pairs[k]
            starts = [j]
            depth_end = []
            while j < close:
                if j in self.pairs and self.pairs[j] > j:
                    j = self.pairs[j]
                elif self.tokens[j].text == ",":
                    depth_end.append(j)
                    starts.append(j + 1)
                j += 1
            if len(depth_end) < 2:
                continue
            for first, comma in zip(starts, depth_end):
                self.replace(self.tokens[first].at, self.tokens[comma].end, "", "remove row")

    def mutants(self) -> list[Mutant]:
        for k, token in enumerate(self.tokens):
            if token.kind == "op":
                self.operators(k)
            elif token.kind == "word":
                self.words(k)
            elif token.kind == "number":
                self.numbers(k)
            elif token.kind == "char":
                self.chars(k)
            elif token.kind == "string":
                self.strings(k)
            if k > 0:
                self.statements(k)
        self.rows()
        return self.named()

    def named(self) -> list[Mutant]:
        seen: Counter[tuple[str, str, str, str]] = Counter()
        mutants = []
        for begin, end, text, change in sorted(self.found):
            key = self.name, self.function_at(begin), self.clause_at(begin), change
            seen[key] += 1
            mutants.append(Mutant(*key, seen[key], begin, end, text))
        return mutants


def mutants_of(name: str, source: str | None = None) -> list[Mutant]:
    return File(name, Path(name).read_text(encoding="utf-8") if source is None else source).mutants()


if __name__ == "__main__":
    for path in sys.argv[1:]:
        for mutant in mutants_of(path):
            print(*mutant.key, sep="\t")
