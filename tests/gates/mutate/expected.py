#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the models expect of generated inputs, as tables for a program in C (killer.c).

    python3 tests/gates/mutate/expected.py FOLDER

Columns of inputs.tsv: policy; prefixes of translators; input in hexadecimal; verdict, - where the model leaves it open;
components and effective port, or *; findings that a refusal has to name; sets of which it has to name one; all
findings there are, or *.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "core/model"), str(TESTS / "core/addresses")]

# pylint: disable=wrong-import-position
import differ  # noqa: E402
import gate  # noqa: E402
import generate  # noqa: E402
import model  # noqa: E402
import points  # noqa: E402

RECORDS = (("strict", 12000, 101), ("any", 8000, 102))
ADDRESSES = 3000
CORPUS = TESTS.parent / "corpus"


def unescaped(text: bytes) -> bytes:
    """Returns the octets that a row of the corpus stands for."""
    return re.sub(rb"\\x([0-9A-F]{2})", lambda match: bytes.fromhex(match[1].decode()), text)


def corpus() -> list[tuple[str, bytes]]:
    """Returns the handwritten inputs; the model, not the corpus, decides about them."""
    whole = [path for folder in ("uri", "regress") for path in sorted((CORPUS / folder).iterdir())]
    whole += sorted((CORPUS / "findings").glob("*/*"))
    found = [(path.suffix[1:] or "strict", path.read_bytes()) for path in whole
             if path.suffix in ("", ".any")]
    lines = (CORPUS / "sample.txt").read_bytes().splitlines() + (CORPUS / "verdicts.tsv").read_bytes().splitlines()[1:]
    found += [(policy, unescaped(line.split(b"\t")[0]))
              for line in lines for policy in ("strict", "any")]
    return [(policy, data) for policy, data in found if data]


def row_of(policy: str, data: bytes) -> str:
    judged = gate.judge(data, policy)
    verdict = "-" if not judged.decided else "accept" if judged.accept else "reject"
    must = () if judged.accept else sorted(judged.refusing)
    choices = () if judged.accept else ("|".join(sorted(choice)) for choice in judged.one_of)
    return "\t".join((policy, "-", data.hex() or "-", verdict, " ".join(differ.expected_columns(judged)),
                      ",".join(must) or "-", ",".join(choices) or "-", "*"))


def address_rows(addresses: list[model.Address], nat64: tuple[str, ...]) -> list[str]:
    rows = []
    for address in addresses:
        judged = model.judge(address, nat64)
        uri = f"http://{model.literal(address)}/".encode()
        rows.append("\t".join(("public", ",".join(nat64) or "-", uri.hex(), "accept" if judged.accept else "reject",
                               "*", "-", "-", ",".join(sorted(judged.findings)) or "-")))
    return rows


def name_rows() -> list[str]:
    rows = []
    for name, expected in model.NAMES:
        due = set(expected.split())
        rows.append("\t".join(("public", "-", f"http://{name}/".encode().hex(), "accept" if due <= model.NAME_NOTES else "reject",
                               "*", "-", "-", ",".join(sorted(due)) or "-")))
    return rows


def table_rows() -> list[str]:
    """Returns the rows of the registries: prefix, reachable, finding, and for IANA rows name and RFC."""
    registries = model.IPV4_REGISTRY + model.IPV6_REGISTRY
    return ["\t".join((row.prefix, "yes" if row.reachable == model.YES else "no", row.finding or "-",
                       *((row.name, f"RFC {row.rfc}") if row in registries else ("*", "*"))))
            for row in (*registries, *model.IPV4_EXTRA, *model.IPV6_EXTRA)]


def main() -> int:
    rows = [row_of(policy, data) for policy, count, seed in RECORDS
            for data in generate.generate(count, seed, policy) if b"\0" not in data]
    rows += [row_of(policy, data) for policy, data in corpus()]
    borders = points.all_borders()
    rows += name_rows()
    rows += address_rows(borders, ())
    rows += address_rows(borders + list(points.near(ADDRESSES, "1")), points.NAT64_PREFIXES)
    folder = Path(sys.argv[1])
    (folder / "inputs.tsv").write_text("\n".join(rows) + "\n", encoding="ascii")
    (folder / "rows.tsv").write_text("\n".join(table_rows()) + "\n", encoding="utf-8")
    print(f"expected: {len(rows)} inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
