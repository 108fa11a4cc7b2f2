# SPDX-License-Identifier: Apache-2.0
"""Automata from ABNF: nondeterministic, deterministic, minimal, and one that marks components.

Octets that no rule distinguishes are one class.  Marks are bits, passed after the octet of an edge:
2k where component k begins, 2k + 1 where it ends.
"""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from abnf import Grammar

COMPONENTS = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
HERE = 255  # in a list of sources: the offset reached, no register


# ---- Classes of octets


def sets_of(grammar: Grammar, tree: tuple, seen: set[str], out: set[int]) -> None:
    """Collects every set of octets that a tree names, including its rules."""
    if tree[0] == "set":
        out.add(tree[1])
    elif tree[0] in ("seq", "alt"):
        for part in tree[1]:
            sets_of(grammar, part, seen, out)
    elif tree[0] == "rep":
        sets_of(grammar, tree[3], seen, out)
    elif tree[0] == "sub":
        sets_of(grammar, tree[1], seen, out)
        sets_of(grammar, tree[2], seen, out)
    elif tree[1].lower() not in seen:
        seen.add(tree[1].lower())
        sets_of(grammar, grammar.rules[tree[1].lower()], seen, out)


def classes_of(sets: set[int]) -> list[int]:
    """Returns for each octet the number of its class: octets of a class are in the same sets."""
    numbers: dict[tuple, int] = {}
    ordered = sorted(sets)
    columns = [tuple(s >> c & 1 for s in ordered) for c in range(256)]
    return [numbers.setdefault(column, len(numbers)) for column in columns]


# ---- Nondeterministic automata


@dataclass
class Nfa:
    """edges[q] = [(classes or None for an empty move, marks, target)]"""
    edges: list[list[tuple]] = field(default_factory=list)

    def state(self) -> int:
        self.edges.append([])
        return len(self.edges) - 1

    def add(self, source: int, classes: frozenset | None, target: int, marks: int = 0) -> None:
        self.edges[source].append((classes, marks, target))


class Builder:
    """Thompson's construction; a difference is a product with a complement."""

    def __init__(self, grammar: Grammar, class_of: list[int], marked: bool) -> None:
        self.grammar, self.class_of, self.marked = grammar, class_of, marked
        self.nfa = Nfa()
        self.open: list[str] = []  # rules we are inside of,
        self.inside: list[str] = []  # and components
        self.known: dict[int, Dfa] = {}  # right sides of differences

    def build(self, tree: tuple, start: int) -> int:
        """Adds the tree after `start` and returns the state at its end."""
        return getattr(self, tree[0])(tree, start)

    def set(self, tree: tuple, start: int) -> int:
        end = self.nfa.state()
        octets = frozenset(self.class_of[c] for c in range(256) if tree[1] >> c & 1)
        self.nfa.add(start, octets, end)
        return end

    def seq(self, tree: tuple, start: int) -> int:
        for part in tree[1]:
            start = self.build(part, start)
        return start

    def alt(self, tree: tuple, start: int) -> int:
        end = self.nfa.state()
        for part in tree[1]:
            first = self.nfa.state()
            self.nfa.add(start, None, first)
            self.nfa.add(self.build(part, first), None, end)
        return end

    def rep(self, tree: tuple, start: int) -> int:
        _, low, high, part = tree
        for _ in range(low):
            start = self.build(part, start)
        if high is None:
            loop, end = self.nfa.state(), self.nfa.state()
            self.nfa.add(start, None, loop)
            self.nfa.add(self.build(part, loop), None, loop)
            self.nfa.add(loop, None, end)
            return end
        end = self.nfa.state()
        for _ in range(high - low):
            self.nfa.add(start, None, end)
            start = self.build(part, start)
        self.nfa.add(start, None, end)
        return end

    def ref(self, tree: tuple, start: int) -> int:
        name = tree[1].lower()
        if name in self.open:
            raise ValueError(f"the rule {name} refers to itself")
        component = self.grammar.marks.get(name) if self.marked else None
        self.open.append(name)
        if component and component not in self.inside:
            bit = 2 * COMPONENTS.index(component)
            self.inside.append(component)
            first, end = self.nfa.state(), self.nfa.state()
            self.nfa.add(start, None, first, 1 << bit)
            self.nfa.add(self.build(self.grammar.rules[name], first), None, end, 1 << bit + 1)
            self.inside.pop()
        else:
            end = self.build(self.grammar.rules[name], start)
        self.open.pop()
        return end

    def sub(self, tree: tuple, start: int) -> int:
        """Adds the left side with its marks, without what the right side accepts."""
        left = Builder(self.grammar, self.class_of, self.marked)
        left.open, left.inside, left.known = list(self.open), list(self.inside), self.known
        first = left.nfa.state()
        last = left.build(tree[1], first)
        right = self.known.get(id(tree[2]))
        if right is None:
            right = minimal(determinise(self.grammar, tree[2], self.class_of))
            self.known[id(tree[2])] = right
        end = self.nfa.state()
        states = {(first, right.start): start}
        work = [(first, right.start)]
        while work:
            q, d = work.pop()
            if q == last and not right.accept[d]:
                self.nfa.add(states[q, d], None, end)
            for classes, marks, target in left.nfa.edges[q]:
                by_target: dict[int, set] = {}
                if classes is None:
                    by_target[d] = set()
                for c in classes or ():
                    by_target.setdefault(right.next[d][c], set()).add(c)
                for to, these in by_target.items():
                    if (target, to) not in states:
                        states[target, to] = self.nfa.state()
                        work.append((target, to))
                    self.nfa.add(states[q, d], None if classes is None else frozenset(these),
                                 states[target, to], marks)
        return end


@dataclass
class Marked:
    """Without empty moves: step[q][c] = {marks: states}, where there is an edge."""
    step: list[dict[int, dict[int, frozenset]]]
    final: int
    begin: dict[int, frozenset]  # marks: states


def reaches(nfa: Nfa, final: int) -> set[int]:
    """Returns the states from which `final` can be reached."""
    back: dict[int, list[int]] = {}
    for q, edges in enumerate(nfa.edges):
        for _, _, target in edges:
            back.setdefault(target, []).append(q)
    live, work = {final}, [final]
    while work:
        for q in back.get(work.pop(), ()):
            if q not in live:
                live.add(q)
                work.append(q)
    return live


def without_empty_moves(nfa: Nfa, start: int, final: int) -> Marked:
    live = reaches(nfa, final)

    def closure(q: int) -> set[tuple[int, int]]:
        """Returns (state, marks) for every path of empty moves."""
        seen, work = {(q, 0)}, [(q, 0)]
        while work:
            at, marks = work.pop()
            for classes, more, target in nfa.edges[at]:
                if classes is None and target in live and (target, marks | more) not in seen:
                    seen.add((target, marks | more))
                    work.append((target, marks | more))
        return seen

    def stops(q: int) -> bool:
        return q == final or any(classes is not None for classes, _, _ in nfa.edges[q])

    def by_marks(pairs: set[tuple[int, int]]) -> dict[int, frozenset]:
        out: dict[int, set] = {}
        for q, marks in pairs:
            if stops(q):
                out.setdefault(marks, set()).add(q)
        return {marks: frozenset(states) for marks, states in out.items()}

    after = [by_marks(closure(q)) if q in live else {} for q in range(len(nfa.edges))]
    step = []
    for q, edges in enumerate(nfa.edges):
        row: dict[int, dict[int, frozenset]] = {}
        for classes, _, target in edges:
            for c in classes or ():
                cell = row.setdefault(c, {})
                for marks, states in after[target].items():
                    cell[marks] = cell.get(marks, frozenset()) | states
        step.append(row)
    return Marked(step, final, after[start])


def marked_automaton(grammar: Grammar, tree: tuple, class_of: list[int], marked: bool) -> Marked:
    builder = Builder(grammar, class_of, marked)
    start = builder.nfa.state()
    final = builder.nfa.state()
    builder.nfa.add(builder.build(tree, start), None, final)
    return without_empty_moves(builder.nfa, start, final)


# ---- Deterministic automata


@dataclass
class Dfa:
    start: int
    accept: list[bool]
    next: list[list[int]]
    class_of: list[int]

    @property
    def classes(self) -> int:
        return len(self.next[0])


def determinise(grammar: Grammar, tree: tuple, class_of: list[int]) -> Dfa:
    """Builds a deterministic automaton by subset construction."""
    nfa = marked_automaton(grammar, tree, class_of, False)
    classes = max(class_of) + 1
    start = frozenset().union(*nfa.begin.values())
    number = {start: 0}
    work, rows, accept = deque([start]), [], []
    while work:
        states = work.popleft()
        accept.append(nfa.final in states)
        row = []
        for c in range(classes):
            target = frozenset().union(*(nfa.step[q][c].get(0, ()) for q in states
                                         if c in nfa.step[q]))
            if target not in number:
                number[target] = len(number)
                work.append(target)
            row.append(number[target])
        rows.append(row)
    return Dfa(0, accept, rows, class_of)


def minimal(dfa: Dfa) -> Dfa:
    """Minimises by Moore's refinement; states are numbered in the order of their discovery from the start."""
    block = [int(a) for a in dfa.accept]
    count = len(set(block))
    while True:
        numbers: dict[tuple, int] = {}
        block = [numbers.setdefault((block[q], *(block[t] for t in row)), len(numbers))
                 for q, row in enumerate(dfa.next)]
        if len(numbers) == count:
            break
        count = len(numbers)
    order, member = {block[dfa.start]: 0}, [dfa.start]
    for q in member:
        for t in dfa.next[q]:
            if block[t] not in order:
                order[block[t]] = len(order)
                member.append(t)
    return Dfa(0, [dfa.accept[q] for q in member],
               [[order[block[t]] for t in dfa.next[q]] for q in member], dfa.class_of)


def merge_classes(dfa: Dfa) -> Dfa:
    """Merges classes with equal columns."""
    numbers: dict[tuple, int] = {}
    columns = [tuple(row[c] for row in dfa.next) for c in range(dfa.classes)]
    merged = [numbers.setdefault(column, len(numbers)) for column in columns]
    class_of, renumber = [], {}
    for c in range(256):
        class_of.append(renumber.setdefault(merged[dfa.class_of[c]], len(renumber)))
    of_class = {renumber[merged[c]]: c for c in range(dfa.classes)}
    return Dfa(dfa.start, dfa.accept,
               [[row[of_class[k]] for k in range(len(renumber))] for row in dfa.next], class_of)


def dfa_of(grammar: Grammar, rule: str) -> Dfa:
    """Returns the minimal automaton of a rule, with the fewest classes of octets."""
    sets: set[int] = set()
    tree = ("ref", rule)
    sets_of(grammar, tree, set(), sets)
    return merge_classes(minimal(determinise(grammar, tree, classes_of(sets))))


def run(dfa: Dfa, text: bytes) -> bool:
    state = dfa.start
    for c in text:
        state = dfa.next[state][dfa.class_of[c]]
    return dfa.accept[state]


def outside(a: Dfa, b: Dfa) -> bytes | None:
    """Returns the shortest string that a accepts and b does not; None proves that a is a subset of b."""
    start = (a.start, b.start)
    came: dict[tuple, tuple | None] = {start: None}
    work = deque([start])
    # printable octets first, for a readable counterexample
    octets = sorted(range(256), key=lambda c: (not 97 <= c <= 122, not 32 < c < 127, c))
    pairs = list({(a.class_of[c], b.class_of[c]): c for c in reversed(octets)}.items())[::-1]
    while work:
        at = work.popleft()
        if a.accept[at[0]] and not b.accept[at[1]]:
            text = bytearray()
            while came[at] is not None:
                at, c = came[at]
                text.append(c)
            return bytes(reversed(text))
        for (ca, cb), c in pairs:
            to = (a.next[at[0]][ca], b.next[at[1]][cb])
            if to not in came:
                came[to] = (at, c)
                work.append(to)
    return None


# ---- Components


@dataclass
class Transducer:
    """Deterministic, with registers: it says where the components lie.

    next[q][c] = (state, sources): register k is set to the register sources[k] of before, or to the
    offset after the octet read (HERE).  final[q] = a register for each mark, or None for a mark
    that was not met; None for all of them where the text is not taken.
    """
    begin: tuple[int, tuple]
    next: list[list[tuple[int, tuple]]]
    final: list[tuple | None]
    class_of: list[int]


class Ambiguous(ValueError):
    """Two paths through the grammar put a component at different places."""


def apply_marks(vector: tuple, marks: int) -> tuple:
    if marks == 0:
        return vector
    return tuple(HERE if marks >> k & 1 else v for k, v in enumerate(vector))


def transducer_of(grammar: Grammar, rule: str) -> Transducer:
    """Laurikari's tagged automaton.  A state is a map from what is known of the marks to the states
    of the grammar's automaton; that one of these is reached in two ways is an ambiguity, and shows:
    all of them lead to a final one."""
    sets: set[int] = set()
    tree = ("ref", rule)
    sets_of(grammar, tree, set(), sets)
    class_of = classes_of(sets)
    nfa = marked_automaton(grammar, tree, class_of, True)
    classes = max(class_of) + 1
    number: dict[tuple, int] = {}
    work: list[tuple] = []

    def settle(groups: dict[tuple, set]) -> tuple[int, tuple]:
        """Numbers registers in the order of their use; returns the state, and the source of each register."""
        if sum(map(len, groups.values())) != len(set().union(*groups.values())):
            raise Ambiguous(f"{rule}: a string has two readings")
        sources: dict[int, int] = {}
        state = []
        for vector, states in sorted(groups.items(), key=lambda g: sorted(g[1])):
            state.append((tuple(v if v is None else sources.setdefault(v, len(sources))
                                for v in vector), frozenset(states)))
        key = tuple(state)
        if key not in number:
            number[key] = len(number)
            work.append(key)
        return number[key], tuple(sources)

    nothing = (None,) * (2 * len(COMPONENTS))
    first: dict[tuple, set] = {}
    for marks, states in nfa.begin.items():
        first.setdefault(apply_marks(nothing, marks), set()).update(states)
    begin = settle(first)
    rows, final = [], []
    for key in work:  # the list grows during the loop
        ends = [vector for vector, states in key if nfa.final in states]
        final.append(ends[0] if ends else None)
        row = []
        for c in range(classes):
            groups: dict[tuple, set] = {}
            for vector, states in key:
                for q in states:
                    for marks, targets in nfa.step[q].get(c, {}).items():
                        groups.setdefault(apply_marks(vector, marks), set()).update(targets)
            row.append(settle(groups))
        rows.append(row)
    return Transducer(begin, rows, final, class_of)
