#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the command gives the suggestions and findings of the rule of consensus.py for international names.

    python3 tests/core/names/names.py --urivet build/urivet [--count 20000] [--seed 1]

Asks `urivet suggest --iri` and `urivet check` for all assigned code points and some that are not, alone and between letters, and for labels made at random of
characters that change one another: marks, what composes, digits of both directions. In a run of marks the command is
stricter than the rule, where one that begins compositions is not the last but one; these are counted.
Exit status: 0 alike, 1 differences, 2 the command could not be asked.
"""
import argparse
import random
import subprocess
import sys

import consensus

SHOWN = 20


def code_points():
    """Yields the code points of UTF-8, without ASCII and most private ones."""
    return (c for c in range(0x80, 0x110000) if not 0xD800 <= c <= 0xDFFF and
            (c < 0x32000 or 0xE0000 <= c < 0xE0200 or c & 0xFFF in (0, 0xFFE)))


def alone():
    """Yields each code point as a label, and between letters."""
    for c in code_points():
        yield (c,)
        yield (0x61, c, 0x62)


def pool():
    """Returns characters that the rule has clauses for, and neighbouring ones."""
    known = list(code_points())
    marks = [c for c in known if consensus.is_mark(c) and consensus.code_point_class(c) == "agreed"]
    second = sorted({b for _, b in consensus.pairs()})
    first = sorted({a for a, _ in consensus.pairs()})
    right = [c for c in known if consensus.bidi(c) in ("R", "AL", "AN") and consensus.code_point_class(c) == "agreed"]
    return [marks, second, first, right, [0x30, 0x39, 0x61, 0x7A, 0x2D], [0x660, 0x6F1, 0x5D0, 0x627], known]


def at_random(count, seed):
    """Yields random labels of a few characters."""
    chance, pools = random.Random(seed), pool()
    for _ in range(count):
        some = chance.sample(pools, 2)
        yield tuple(chance.choice(chance.choice(some)) for _ in range(chance.randint(1, 7)))


def text(label):
    return "".join(map(chr, label))


def ask(urivet, labels):
    """Returns the command's second column and spelling for each label."""
    records = b"".join(f"https://{text(label)}.org/".encode() + b"\0" for label in labels)
    done = subprocess.run([urivet, "suggest", "--iri", "--format=tsv", "--null", "--policy=any"], input=records, stdout=subprocess.PIPE, check=False)
    return [tuple(line.split("\t")[1:]) for line in done.stdout.decode("ascii").splitlines()]


def findings(urivet, hosts, policy="any"):
    """Returns the findings about each host."""
    records = b"".join(f"https://{host}/".encode() + b"\0" for host in hosts)
    done = subprocess.run([urivet, "check", "--format=tsv", "--null", f"--policy={policy}"], input=records, stdout=subprocess.PIPE, check=False)
    return [set(line.split("\t")[1].split(",")) for line in done.stdout.decode("ascii").splitlines()]


# What is found of a class of characters, as they are and in an A-label.
RAW = {"upper": "idn-uppercase", "compat": "idn-compat-mapping", "ignored": "idn-ignored-char",
       "deviation": "idn-deviation-char", "contextj": "idn-deviation-char", "dot": "idn-dot-variant"}
INVALID = "idn-invalid-alabel"
ENCODED = {"upper": "idn-uppercase", "compat": "idn-compat-mapping", "ignored": "idn-ignored-char", "dot": INVALID,
           "contextj": "idn-deviation-char", "deviation": "idn-not-everywhere", "contexto": "idn-not-everywhere",
           "vowel": "idn-not-everywhere", "symbol": "idn-not-everywhere", "cherokee": "idn-readers-disagree",
           "recent": "idn-recent-char", "control": INVALID, "unassigned": INVALID, "private-use": INVALID,
           "noncharacter": INVALID, "old-jamo": "idn-not-everywhere"}


# IDNA 2003 ignores the Mongolian one, NFKC_Casefold the fillers of Hangul and what may become ignorable.
OTHERWISE = dict.fromkeys((0x1806, 0x115F, 0x1160, 0x2065, *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000)), "ignored")


# What may be found besides about a character that is agreed on: the direction of a name, and letters of some countries.
BESIDES = {"-", "idn-bidi-rule", "idn-tld-specific"}


def is_cut(c):
    """Returns true if Qt 5 truncates it to 16 bits that have a meaning."""
    return c > 0xFFFF and not 0xE000 <= c & 0xFFFF <= 0xF8FF and c & 0xFFFF <= 0xFE46


def misjudged(urivet):
    """Returns how many code points were judged, and those whose findings differ from their class."""
    points, wrong = [c for c in code_points() if not consensus.is_mark(c)], []
    raw = findings(urivet, (f"a{chr(c)}b.org" for c in points))
    encoded = findings(urivet, (f"{consensus.to_ascii((0x61, c, 0x62))}.org" for c in points))
    for c, found, decoded in zip(points, raw, encoded, strict=True):
        kind = OTHERWISE.get(c, consensus.code_point_class(c))
        want = INVALID if is_cut(c) else ENCODED.get(kind)
        good = (RAW.get(kind, "host-unicode") in found and ("idn-readers-disagree" in found) == (consensus.label([0x61, c, 0x62]) is not None)
                and (want in decoded or want is None and (kind != "agreed" or not decoded - BESIDES)))
        if not good:
            wrong.append((c, kind, found, decoded))
    return len(points), wrong


def expected(label):
    """Returns the spelling that the rule offers, or None."""
    if all(c < 0x80 for c in label) or consensus.label(list(label)) is not None:
        return None
    return f"https://{consensus.to_ascii(label)}.org/"


def is_stricter(label):
    """Returns true if there is a mark that begins compositions, then a mark, then one that ends them."""
    first, second = {a for a, _ in consensus.pairs()}, {b for _, b in consensus.pairs()}
    return any(consensus.is_mark(a) and a in first and all(consensus.is_mark(x) for x in label[i + 1:j + 1]) and
               label[j] in second for i, a in enumerate(label) for j in range(i + 2, len(label)))


def looks_alike(urivet, label):
    """Returns true if public refuses the name as a look-alike (names-looks tests those rules); such a name is
    not offered."""
    found = findings(urivet, [consensus.to_ascii(label) + ".org"], "public")[0]
    return not found.isdisjoint(consensus.LOOK_ALIKE)


def compare(urivet, labels):
    """Returns how many are offered, how many only the command does not offer, and the differences."""
    offered, stricter, wrong = 0, 0, []
    labels = [label for label in labels if any(c >= 0x80 for c in label) and not set(label) & set(b"/?#:@[]%\0")]
    for label, (outcome, spelling) in zip(labels, ask(urivet, labels), strict=True):
        want = expected(label)
        offered += outcome == "offered"
        if (outcome == "offered") == (want is not None) and (want is None or spelling == want):
            continue
        if outcome != "offered" and (is_stricter(label) or looks_alike(urivet, label)):
            stricter += 1
        else:
            wrong.append((label, outcome, spelling, want))
    return len(labels), offered, stricter, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--urivet", default="build/urivet")
    parser.add_argument("--count", type=int, default=20000, help="labels at random")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count, misjudgements = misjudged(options.urivet)
    for c, kind, found, decoded in misjudgements[:SHOWN]:
        print(f"U+{c:04X} is {kind}: {','.join(sorted(found))}; in an A-label: {','.join(sorted(decoded))}")
    print(f"names: {count} code points judged, {len(misjudgements)} not as their class")
    failed = bool(misjudgements)
    for name, labels in (("code points", alone()), ("at random", at_random(options.count, options.seed))):
        asked, offered, stricter, wrong = compare(options.urivet, labels)
        for label, outcome, spelling, want in wrong[:SHOWN]:
            print(f"{' '.join(f'U+{c:04X}' for c in label)}: {outcome} {spelling}, not {want}")
        print(f"names: {name}: {asked} labels, {offered} offered, {stricter} by the rule alone, {len(wrong)} differences")
        failed = failed or bool(wrong) or offered == 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
