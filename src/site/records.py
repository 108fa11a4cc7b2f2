#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the record that the catalogue shows: how the real parsers of the zoo read the example of each finding.

    make zoo && src/site/records.py > src/site/zoo.tsv
"""
from __future__ import annotations

import datetime
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READINGS = ROOT / "build" / "zoo" / "readings.tsv"
DEFAULT = {"http": "80", "https": "443"}
HEAD = """# SPDX-License-Identifier: Apache-2.0
# How real parsers read the example of each finding, as `make zoo` recorded it; src/site/records.py writes this file.
# date\t{date}
# readers\t{readers}
# Columns, with one tab between: finding, readers parted by commas, and what they read: `refuse`, no host, or the URL put together again
# from scheme, host, port (not the scheme's own), path and query, in which octets outside 0x21-0x7E are \\xHH
"""


def escaped(octets: bytes) -> str:
    return "".join(chr(octet) if 0x21 <= octet <= 0x7E and octet != 0x5C else f"\\x{octet:02X}" for octet in octets)


def target(columns: list[str]) -> str:
    """Returns what a reader read, from the ten columns of a reading."""
    verdict, _, scheme, _, host, port, path, query, _, _ = columns
    if verdict == "reject" or scheme == r"\N" and host == r"\N":
        return "refuse"
    scheme, host = ("" if part == r"\N" else part.lower() for part in (scheme, host))
    port = "" if port in (r"\N", "", DEFAULT.get(scheme)) else f":{port}"
    if not host:
        return f"{scheme or 'nothing'}, no host"
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{scheme}://{host}{port}{'/' if path in ('', chr(92) + 'N') else path}{'' if query in ('', chr(92) + 'N') else '?' + query}"


def main(path: Path) -> None:
    examples = {}
    for folder in sorted((ROOT / "corpus" / "findings").iterdir()):
        for name in ("fires", "fires.any", "fires.raised", "fires.readings"):
            if (folder / name).is_file():
                examples.setdefault(escaped((folder / name).read_bytes()), []).append(folder.name)
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    readers = set()
    with path.open(encoding="ascii") as lines:
        for line in lines:
            record, reader, *columns = line.rstrip("\n").split("\t")
            readers.add(reader)
            if record in examples and not reader.startswith("urivet-"):
                for finding in examples[record]:
                    found[finding][target(columns)].append(reader)
    print(HEAD.format(date=datetime.date.fromtimestamp(path.stat().st_mtime).isoformat(),
                      readers=sum(not name.startswith("urivet-") for name in readers)), end="")
    for finding in sorted(found):
        groups = sorted(found[finding].items(), key=lambda group: (group[0] == "refuse", -len(group[1]), group[0]))
        for reads, alike in groups if len(groups) > 1 else []:
            print(finding, ",".join(alike), re.sub(r"(.{400}).*", r"\1...", reads), sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else READINGS)
