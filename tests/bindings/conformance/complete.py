# SPDX-License-Identifier: Apache-2.0
"""Checks that the cases have every value of each enum that bindings translate to a text: as many values as the header has
names, except those that no call of a binding can return."""
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = "\n".join(path.read_text() for path in sorted((HERE.parents[2] / "include").rglob("*.h")))
# enum: kind of case ("" for all), the member that has its values, and the ends of names that do not occur
ENUMS = {
    "verdict": ("", "verdict", ()), "reason": ("", "reason", ()), "class": ("", "class", ()), "source": ("", "in", ()),
    "component": ("", "component", ("WHOLE",)), "target_form": ("request", "form", ()), "level": ("normalise", "level", ()),
    "found_kind": ("scan", "kind", ()), "iri_outcome": ("iri", "outcome", ()), "base": ("json", "policy", ("BASES",)),
    "parameter_result": ("parameters", "result", ("NO_ROOM",)),  # bindings make room
    "resolved": ("resolve", "outcome", ("SAME_DOCUMENT",)),  # as a new request
    "rung": ("compare", "rung", ("BY_PROTOCOL",)),  # needs a list that bindings do not pass
    # bindings align what they copy, and the struct is of their version
    "compiled_fault": ("policy", "fault", ("STRUCTURE", "NOT_ALIGNED", "FAULTS")),
}


def names_of(enum: str) -> list[str]:
    body = re.search(r"^enum urivet_%s \{(.*?)\}" % enum, HEADERS, re.M | re.S).group(1)
    return re.findall(r"\bURIVET_(\w+)", re.sub(r"/\*.*?\*/", "", body, flags=re.S))


def values_of(case, member: str) -> set:
    """Returns the values of a member anywhere in a case."""
    if not isinstance(case, (dict, list)):
        return set()
    own = {case[member]} if isinstance(case, dict) and isinstance(case.get(member), str) else set()
    return own.union(*(values_of(one, member) for one in (case.values() if isinstance(case, dict) else case)))


cases = [json.loads(line) for line in (HERE / "cases.jsonl").read_text().splitlines()]
wrong = 0
for enum, (kind, member, never) in ENUMS.items():
    names = [name for name in names_of(enum) if not never or not name.endswith(never)]
    values = set().union(*(values_of({**case, "kind": None}, member) for case in cases if kind in ("", case["kind"])))
    if len(values - {"hooks", "lists", "loopback"}) != len(names):
        print(f"enum urivet_{enum}: {len(names)} names ({', '.join(names)}), but in the cases {', '.join(sorted(values))}")
        wrong = 1
print(f"conformance: the values of {len(ENUMS)} enums were compared with the cases")
sys.exit(wrong)
