# SPDX-License-Identifier: Apache-2.0
"""Computes what the W-method needs of a machine: words that reach states, and words that distinguish them.

A machine is deterministic and each state has an output: whether the text is taken, or where its
components lie.  Words are tuples of classes.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

Word = tuple[int, ...]


@dataclass
class Machine:
    start: int
    output: list
    next: list[list[int]]
    class_of: list[int]


@dataclass
class Suite:
    access: list[Word]         # for each state the shortest word to it
    words: list[Word]          # words that distinguish any two distinguishable states
    of_state: list[list[int]]  # numbers of the words that distinguish this state from all others


def access_of(m: Machine) -> list[Word]:
    access: dict[int, Word] = {m.start: ()}
    order = [m.start]
    for q in order:
        for c, t in enumerate(m.next[q]):
            if t not in access:
                access[t] = access[q] + (c,)
                order.append(t)
    return [access[q] for q in range(len(m.next))]


def rounds_of(m: Machine) -> list[list[int]]:
    """Moore's refinement: states that no word of r classes distinguishes have one number in round r."""
    numbers: dict = {}
    rounds = [[numbers.setdefault(out, len(numbers)) for out in m.output]]
    while True:
        last, numbers = rounds[-1], {}
        block = [numbers.setdefault((last[q], *(last[t] for t in row)), len(numbers))
                 for q, row in enumerate(m.next)]
        if len(numbers) == len(set(last)):
            return rounds
        rounds.append(block)


def apart(m: Machine, rounds: list[list[int]], s: int, t: int) -> Word:
    """Returns the shortest word that distinguishes s from t; they differ in the last round."""
    word: list[int] = []
    r = next(r for r, block in enumerate(rounds) if block[s] != block[t])
    while r > 0:
        before = rounds[r - 1]
        c = next(c for c in range(len(m.next[s])) if before[m.next[s][c]] != before[m.next[t][c]])
        word.append(c)
        s, t = m.next[s][c], m.next[t][c]
        r = next(r for r, block in enumerate(rounds) if block[s] != block[t])
    return tuple(word)


def outputs(m: Machine, word: Word) -> list:
    """Returns the output after the word, from each state."""
    out = []
    for q in range(len(m.next)):
        for c in word:
            q = m.next[q][c]
        out.append(m.output[q])
    return out


def words_of(m: Machine) -> tuple[list[Word], list[list]]:
    """Returns words that distinguish all states, and the outputs after each; greedy, so not the fewest."""
    rounds = rounds_of(m)
    words, tables = [], []
    groups = [list(range(len(m.next)))]
    tries = 40 if len(m.next) < 500 else 4
    while True:
        group = next((g for g in groups if len({rounds[-1][q] for q in g}) > 1), None)
        if group is None:
            return words, tables
        pairs = [(s, t) for s, t in combinations(group[:40], 2) if rounds[-1][s] != rounds[-1][t]]
        if not pairs:
            pairs = [(group[0], next(q for q in group if rounds[-1][q] != rounds[-1][group[0]]))]
        step = max(1, len(pairs) // tries)
        best = None
        for word in sorted({apart(m, rounds, s, t) for s, t in pairs[::step]}):
            table = outputs(m, word)
            score = sum(len({table[q] for q in g}) for g in groups)
            if best is None or score > best[0]:
                best = score, word, table
        words.append(best[1])
        tables.append(best[2])
        split = []
        for g in groups:
            parts: dict = {}
            for q in g:
                parts.setdefault(best[2][q], []).append(q)
            split += parts.values()
        groups = split


def suite_of(m: Machine) -> Suite:
    words, tables = words_of(m)
    masks = []
    for table in tables:
        mask: dict = {}
        for q, out in enumerate(table):
            mask[out] = mask.get(out, 0) | 1 << q
        masks.append(mask)
    of_state = []
    for q in range(len(m.next)):
        same = [mask[table[q]] for mask, table in zip(masks, tables)]
        alike = (1 << len(m.next)) - 1
        for states in same:
            alike &= states
        left, chosen = (1 << len(m.next)) - 1, []
        while left != alike:
            k = min(range(len(words)), key=lambda k: (left & same[k]).bit_count())
            left &= same[k]
            chosen.append(k)
        of_state.append(chosen)
    return Suite(access_of(m), words, of_state)
