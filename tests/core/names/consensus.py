#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which international names all readers translate into the same ASCII host: the rule, as a model. Run alone, it tests itself.

Made from the files of Debian's unicode-data (15.0), not from Python's unicodedata. PVALID, CONTEXTJ and CONTEXTO are
derived as RFC 5892, sections 2 and 3, say, and have to be what UTS 46 keeps for IDNA 2008. agree.py checks with real
readers whether the rule holds; the comment of each clause says what it is for.
"""
from __future__ import annotations

import bz2
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests/core/model"))

import gate  # noqa: E402
from ucd import FOLDER as UCD, LAST, age, category, compose, decompose, derived_property, foldings, idna_mapping  # noqa: E402
from ucd import bidi_class as bidi, compositions as pairs, having as property_of, nfkc_casefold, normal  # noqa: E402

IDNA_2003 = (3, 2)      # the Unicode that IDNA 2003 knows; what was assigned then never changes
Points = Sequence[int]
# Findings of `public` about names that are within the rule and yet are not offered.
LOOK_ALIKE = frozenset(("idn-mixed-script", "idn-whole-script-confusable", "idn-digit-lookalike",
                        "idn-dangerous-pattern"))


class Fault(NamedTuple):
    """The reason why a label is outside the rule, and its code point."""
    reason: str
    index: int


def is_mark(point: int) -> bool:
    return category(point).startswith("M")


def has_canonical_parts(point: int) -> bool:
    return decompose(point) != (point,)


def composed(points: Points, compatible: bool = False) -> list[int]:
    """Returns NFC or NFKC."""
    return list(normal(points, compatible))


# ---- The set of code points --------------------------------------------------------------------------------------

LDH = frozenset((0x2D, *range(0x30, 0x3A), *range(0x61, 0x7B)))
DEVIATIONS = frozenset((0xDF, 0x3C2))       # IDNA 2003 maps ß to ss and ς to σ, IDNA 2008 does not
CHEROKEE = (range(0x13A0, 0x1400), range(0xAB70, 0xABC0))      # folded one way and the other
# Indic vowels of two components, which Erlang's idna 6.1.1 decomposes and recomposes wrongly.
VOWELS = frozenset((0x9CB, 0x9CC, 0xB48, 0xB4B, 0xB4C, 0xBCA, 0xBCB, 0xBCC, 0xC48, 0xCC0, 0xCC7, 0xCC8, 0xCCA, 0xCCB,
                    0xD4A, 0xD4B, 0xD4C, 0xDDA, 0xDDC, 0xDDD, 0xDDE))
DOTS = frozenset((0x3002, 0xFF0E, 0xFF61))


@cache
def code_point_class(point: int) -> str:
    """Returns the class that the page counts: `agreed` is the set of the rule."""
    if point < 0x80:
        return "ldh" if point in LDH else "upper-ascii" if 0x41 <= point <= 0x5A else "std3"
    state = derived_property(point)
    if state != "PVALID":
        return disallowed_class(point, state)
    if point in DEVIATIONS:
        return "deviation"
    if any(point in block for block in CHEROKEE):
        return "cherokee"
    if point in VOWELS:
        return "vowel"
    old = (age(point) or IDNA_2003) <= IDNA_2003
    if point > 0xFFFF:
        return "supplementary" if old else "recent-supplementary"
    return "agreed" if old else "recent"


def disallowed_class(point: int, state: str) -> str:
    """Returns the class of a code point that RFC 5892 does not allow unchanged."""
    kind = category(point)
    if state in ("CONTEXTJ", "CONTEXTO", "UNASSIGNED"):
        return state.lower()
    if point in DOTS:
        return "dot"
    for name, kinds in (("surrogate", ("Cs",)), ("private-use", ("Co",)), ("control", ("Cc",))):
        if kind in kinds:
            return name
    if point in property_of("PropList.txt", "Noncharacter_Code_Point"):
        return "noncharacter"
    if any(point in property_of("HangulSyllableType.txt", kind) for kind in ("L", "V", "T")):
        return "old-jamo"
    folded = nfkc_casefold().get(point)
    if folded == ():
        return "ignored"
    if folded is not None:
        return "upper" if point in foldings() and composed((point,), True) == [point] else "compat"
    return "symbol" if kind[0] in "SPN" else "format" if kind[0] in "ZC" else "other-disallowed"


# ---- The rule for a label ----------------------------------------------------------------------------------------

REASONS = {
    "deviation": "idn-deviation-char", "contextj": "idn-deviation-char", "dot": "idn-dot-variant",
    "upper": "idn-uppercase", "upper-ascii": "idn-uppercase", "compat": "idn-compat-mapping",
    "ignored": "idn-ignored-char", "recent": "idn-recent-char", "recent-supplementary": "idn-recent-char",
}
GENERAL = "idn-readers-disagree"
Clause = Callable[[Points], Fault | None]


def in_set(points: Points, beside: frozenset[str] = frozenset()) -> Fault | None:
    """Code points that every reader knows and none maps; those of other classes too."""
    for index, point in enumerate(points):
        state = code_point_class(point)
        if state not in ("agreed", "ldh") and state not in beside:
            return Fault(REASONS.get(state, GENERAL), index)
    return None


def mark_first(label: Points) -> Fault | None:
    return Fault("idn-mark-first", 0) if label and is_mark(label[0]) else None


def first_not_normal(points: Points, compatible: bool = False) -> int | None:
    """Returns the index of the character at which the text stops being in NFC or NFKC, or None."""
    if composed(points, compatible) == list(points):
        return None
    return next(i for i in range(len(points)) if composed(points[:i + 1], compatible) != list(points[:i + 1]))


def is_normal(label: Points) -> Fault | None:
    """Requires that NFC and NFKC leave the label unchanged. Those of version 3.2 then do too: no pair of its
    characters was added later."""
    for compatible in (False, True):
        index = first_not_normal(label, compatible)
        if index is not None:
            return Fault("idn-not-nfc", index)
    return None


def mark_on_composed(label: Points) -> Fault | None:
    """Forbids a mark after a character with a canonical decomposition: Addressable 2.8.1 composes it wrongly."""
    for index in range(1, len(label)):
        if is_mark(label[index]) and has_canonical_parts(label[index - 1]):
            return Fault(GENERAL, index)
    return None


def blocked_pair(label: Points) -> Fault | None:
    """No mark that composes with an earlier character, or with what this decomposes to, when marks only, at least one, stand
    between: libidn 1.41 composes over what blocks it, Erlang's idna over a mark of class 0."""
    for index in range(2, len(label)):
        before = index - 1
        while is_mark(label[index]) and before > 0 and is_mark(label[before]):
            before -= 1
            pair = [label[before], label[index]]
            if compose(*pair) is not None or (not is_mark(pair[0]) and composed(pair) != pair):
                return Fault(GENERAL, index)
    return None


def hyphens(label: Points) -> Fault | None:
    if label[:1] == [0x2D]:
        return Fault(GENERAL, 0)
    if label[2:4] == [0x2D, 0x2D]:
        return Fault(GENERAL, 2)
    return Fault(GENERAL, len(label) - 1) if label[-1:] == [0x2D] else None


def is_rtl(label: Points) -> bool:
    return any(bidi(point) in ("R", "AL", "AN") for point in label)


def end_of(label: Points) -> int:
    """Returns the index of the last code point that is no mark for the bidi rule."""
    at = len(label) - 1
    while at > 0 and bidi(label[at]) == "NSM":
        at -= 1
    return at


def bidi_rtl(label: Points) -> Fault | None:
    """Requires RFC 5893, 2, and RFC 3454, 6, of a right-to-left label."""
    kinds = [bidi(point) for point in label]
    for index, kind in enumerate(kinds):
        if kind not in ("R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"):
            return Fault("idn-bidi-rule", index)
    if kinds[0] not in ("R", "AL"):
        return Fault("idn-bidi-rule", 0)
    if kinds[-1] not in ("R", "AL"):        # RFC 3454; RFC 5893 would take digits and marks here
        return Fault("idn-bidi-rule", len(label) - 1)
    if "EN" in kinds and "AN" in kinds:
        return Fault("idn-bidi-rule", max(kinds.index("EN"), kinds.index("AN")))
    return None


def bidi_ltr(label: Points) -> Fault | None:
    """Requires RFC 5893, 2, of the other labels of a host with a right-to-left label."""
    kinds = [bidi(point) for point in label]
    if kinds[0] != "L":
        return Fault("idn-bidi-rule", 0)
    for index, kind in enumerate(kinds):
        if kind not in ("L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"):
            return Fault("idn-bidi-rule", index)
    end = end_of(label)
    return None if kinds[end] in ("L", "EN") else Fault("idn-bidi-rule", end)


def bidi_alone(label: Points) -> Fault | None:
    return bidi_rtl(label) if is_rtl(label) else None


def length(label: Points) -> Fault | None:
    return Fault("idn-toolong-after-mapping", len(label) - 1) if len(to_ascii(label)) > 63 else None


CLAUSES: dict[str, Clause] = {
    "mark-first": mark_first, "normal": is_normal, "mark-on-composed": mark_on_composed,
    "blocked-pair": blocked_pair, "hyphens": hyphens, "bidi": bidi_alone, "length": length,
}


def label(points: Points, without: frozenset[str] = frozenset()) -> Fault | None:
    """Returns None if every reader translates the label alike, else the first clause that it breaks.
    `without` switches off clauses, and adds classes of code points to the set: agree.py checks the purpose of
    each."""
    fault = in_set(points, without)
    for name, clause in CLAUSES.items():
        if fault is not None or not points:
            break
        fault = None if name in without else clause(points)
    return fault


# ---- A-labels ----------------------------------------------------------------------------------------------------

def punycode(points: Points) -> str:
    return gate.punycode_encode(list(points)).decode("ascii")


def unpunycode(text: str) -> list[int] | None:
    """Returns the code points, or None for invalid Punycode."""
    return gate.punycode_decode(text.lower().encode("ascii")) if text.isascii() else None


def to_ascii(points: Points) -> str:
    """Returns the label in its ASCII form, without mapping."""
    if all(point < 0x80 for point in points):
        return "".join(map(chr, points))
    return "xn--" + punycode(points)


def is_alabel(text: str) -> bool:
    return text[:4].lower() == "xn--"


class Verdict(NamedTuple):
    """Of an A-label: `agreed`; `note`, where some readers refuse it and all others take it alike; `shown`, where a
    reader that shows it and reads what it showed finds another host; `refused`, where one rewrites it at once."""
    kind: str
    reason: str = ""
    index: int = 0


NOTED = frozenset(("recent", "recent-supplementary", "supplementary", "vowel", "symbol", "contexto", "old-jamo",
                   "other-disallowed", "format", "unassigned", "private-use"))
SHOWN = frozenset(("deviation", "contextj", "cherokee", "upper", "compat", "ignored"))


def point_verdict(point: int) -> str:
    """Returns the verdict by the treatment of the code point in an A-label (agree.py --alabels)."""
    state = code_point_class(point)
    if state in ("agreed", "ldh"):
        return "agreed"
    if not gate.idn_point_allowed(point):       # among them those that Qt 5 cuts to 16 bits
        return "refused"
    if point in (0x1806, *range(0xFE00, 0xFE10)):       # GLib removes them
        return "shown"
    return "shown" if state in SHOWN else "note" if state in NOTED else "refused"


def alabel_reason(point: int) -> str:
    allowed = gate.idn_point_allowed(point) or point in DOTS
    return REASONS.get(code_point_class(point), GENERAL) if allowed else "idn-invalid-alabel"


# Clauses for which a reader rewrites the label; for the others it is refused, or kept unchanged.
REWRITTEN = {"normal": "refused", "blocked-pair": "refused", "bidi": "refused", "mark-first": "shown",
             "mark-on-composed": "shown"}
SEVERITY = ("agreed", "note", "shown", "refused")


def bidi_5893_alone(points: Points) -> bool:
    """Returns true if the label ends in digits or marks, which RFC 5893 allows and RFC 3454 does not."""
    kinds = [bidi(point) for point in points[:end_of(points) + 1]]
    return (kinds[0] in ("R", "AL") and kinds[-1] in ("R", "AL", "EN", "AN") and "L" not in kinds
            and not ("EN" in kinds and "AN" in kinds))


def clause_verdict(name: str, points: Points) -> str:
    if name == "bidi" and bidi_5893_alone(points):
        return "note"
    return REWRITTEN.get(name, "note")


def alabel(text: str) -> Verdict:
    """Returns the verdict on an A-label: the worst of its code points and of the clauses that it breaks."""
    points = unpunycode(text[4:])
    if not points or all(point < 0x80 for point in points) or to_ascii(points) != text.lower():
        return Verdict("refused", "idn-invalid-alabel")
    found = [Verdict("agreed" if text == text.lower() else "note", "idn-uppercase")]
    for index, point in enumerate(points):
        kind = point_verdict(point)
        if kind != "agreed":
            found.append(Verdict(kind, alabel_reason(point), index))
    for name, clause in CLAUSES.items():
        fault = clause(points)
        if fault is not None:
            found.append(Verdict(clause_verdict(name, points), fault.reason, fault.index))
    return max(found, key=lambda verdict: SEVERITY.index(verdict.kind))


# ---- The rule for a host -----------------------------------------------------------------------------------------

def labels_of(text: str) -> list[list[int]]:
    """Returns the labels of a host, with A-labels decoded if possible."""
    made = []
    for piece in text.split("."):
        points = unpunycode(piece[4:]) if is_alabel(piece) else None
        made.append(points or [ord(letter) for letter in piece])
    return made


def host_bidi(labels: Sequence[Points]) -> tuple[int, Fault] | None:
    """Requires RFC 5893, 2, of the labels beside a right-to-left one, too: no label begins with a digit."""
    if not any(map(is_rtl, labels)):
        return None
    for number, points in enumerate(labels):
        fault = bidi_ltr(points) if points and not is_rtl(points) else None
        if fault is not None:
            return number, fault
    return None


def host(text: str, without: frozenset[str] = frozenset()) -> tuple[int, Fault] | None:
    """Returns None if all readers translate the host alike; else the number of a label, and its fault."""
    for number, piece in enumerate(text.split(".")):
        if is_alabel(piece):
            verdict = alabel(piece)
            fault = None if verdict.kind == "agreed" else Fault(verdict.reason, 0)
        else:
            fault = label([ord(letter) for letter in piece], without)
        if fault is not None:
            return number, fault
    return None if "host-bidi" in without else host_bidi(labels_of(text))


def host_to_ascii(text: str) -> str:
    """Returns the ASCII form of the name, without mapping."""
    return ".".join(to_ascii([ord(letter) for letter in piece]) for piece in text.split("."))


# ---- Self test ---------------------------------------------------------------------------------------------------

TLDS = ROOT / "src/core/policy" / "tlds.def"
CARGO = Path("/usr/share/cargo/registry")


def check(name: str, got: object, wanted: object) -> bool:
    if got != wanted:
        print(f"consensus: {name}: {got}, not {wanted}", file=sys.stderr)
    return got == wanted


def check_tlds() -> bool:
    names = sorted({name for name in TLDS.read_text(encoding="ascii").replace('"', " ").split() if is_alabel(name)})
    outside = [name for name in names if alabel(name).kind != "agreed"]
    print(f"top-level domains: {len(names) - len(outside)} of {len(names)} within the rule {' '.join(outside)}")
    return check("top-level domains outside", outside, []) and check("some are there", len(names) > 100, True)


def check_derived() -> bool:
    """Checks what RFC 5892 allows with the flags NV8 and XV8 of IdnaMappingTable.txt, for every code point beyond ASCII."""
    kept = {point for point, (status, _, flag) in idna_mapping().items() if status in ("valid", "deviation") and not flag}
    allowed = {point for point in range(LAST + 1) if derived_property(point) in ("PVALID", "CONTEXTJ", "CONTEXTO")}
    return check("code points of IDNA 2008", {point for point in kept ^ allowed if point >= 0x80}, set())


def normal_forms() -> Iterator[tuple[list[list[int]], int]]:
    """Yields the rows of NormalizationTest.txt."""
    with bz2.open(UCD / "NormalizationTest.txt.bz2", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line[:1] not in "#@\n":
                yield [[int(part, 16) for part in column.split()] for column in line.split(";")[:5]], number


def check_normal_forms() -> bool:
    """Checks the Unicode Consortium's test: c2 is NFC, c4 NFKC of all."""
    count, good = 0, True
    for (c1, c2, c3, c4, c5), number in normal_forms():
        count += 1
        right = (all(composed(c) == c2 for c in (c1, c2, c3)) and all(composed(c) == c4 for c in (c4, c5))
                 and all(composed(c, True) == c4 for c in (c1, c2, c3, c4, c5)))
        good = good and check(f"NormalizationTest.txt:{number}", right, True)
    print(f"normal forms: {count} rows of NormalizationTest.txt")
    return good and check("rows", count > 18000, True)


def idna_tests() -> Iterator[tuple[str, str]]:
    """Yields source and toAsciiN of IdnaTestV2.txt, from librust-idna-dev, for rows without an error."""
    for path in sorted(CARGO.glob("idna-*/tests/IdnaTestV2.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            columns = [column.strip() for column in line.partition("#")[0].split(";")]
            if len(columns) >= 5 and columns[4] in ("", "[]") and columns[2] in ("", "[]"):
                source = unescaped(columns[0])
                yield source, unescaped(columns[3]) or unescaped(columns[1]) or source


def unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9A-F]{4})|\\x\{([0-9A-F]+)\}", lambda m: chr(int(m[1] or m[2], 16)), text)


def check_idna_tests() -> bool:
    inside, good = 0, True
    for source, wanted in idna_tests():
        if source and not source.isascii() and host(source) is None:
            inside += 1
            good = check(f"IdnaTestV2 {source!r}", host_to_ascii(source), wanted) and good
    print(f"IdnaTestV2: {inside} lines within the rule" if inside else "IdnaTestV2: skipped, needs librust-idna-dev")
    return good


# A label or host, and the reason why it is outside the rule, "" within; U+XXXX by \\u.
EXAMPLES = (
    ("m\u00fcller.de", ""), ("stra\u00dfe.de", "idn-deviation-char"), ("M\u00dcLLER.de", "idn-uppercase"),
    ("m\u00fcller.DE", "idn-uppercase"), ("mu\u0308ller.de", "idn-not-nfc"), ("\u0301a.org", "idn-mark-first"),
    ("a\u05d0.org", "idn-bidi-rule"), ("\u05d0\u05d1.org", ""), ("\u05d0\u05d1.1a", "idn-bidi-rule"),
    ("\u05d0\u05d11.org", "idn-bidi-rule"), ("\u05d01\u05d1.org", ""), ("\u13e3\u13b3\u13a9.org", GENERAL),
    ("\u0430\u0440\u0440\u04cf\u0435.com", "idn-recent-char"), ("\u0995\u09cb.org", GENERAL),
    ("\u0995\u09be.org", ""), ("\u0cbf\u034c\u0cd5.org", "idn-mark-first"), ("\u0c95\u0cbf\u034c\u0cd5.org", GENERAL),
    ("\u0787\u07a6\u0308.org", "idn-bidi-rule"), ("\u00ea\u030c.org", GENERAL), ("e\u030c.org", "idn-not-nfc"),
    ("a--b.org", ""), ("ab--\u00e9.org", GENERAL), ("-\u00e9.org", GENERAL), ("\u00e9-.org", GENERAL),
    ("xn--mller-kva.de", ""), ("xn--a.de", "idn-invalid-alabel"), ("xn--abc-.de", "idn-invalid-alabel"),
    ("\u3042\u3002jp", "idn-dot-variant"), ("a\u200cb.org", "idn-deviation-char"), ("a\u00adb.org", "idn-ignored-char"),
    ("\uff41.org", "idn-compat-mapping"), ("\U00020000.org", GENERAL), ("l\u00b7l.org", GENERAL),
    ("\u00e9" * 54 + ".org", ""), ("\u00e9" * 60 + ".org", "idn-toolong-after-mapping"),
)


def check_examples() -> bool:
    good = True
    for text, wanted in EXAMPLES:
        found = host(text)
        good = check(ascii(text), found[1].reason if found else "", wanted) and good
    return good


def self_test() -> int:
    if not (UCD / "UnicodeData.txt").exists():
        print("consensus: needs the Debian package unicode-data", file=sys.stderr)
        return 2
    results = [step() for step in (check_derived, check_tlds, check_examples, check_normal_forms, check_idna_tests)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(self_test())
