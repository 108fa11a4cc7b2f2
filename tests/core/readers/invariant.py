#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The differential invariant: whatever strict accepts, every reader that takes it and finds a host that can be looked up
reads alike.

    python3 tests/core/readers/invariant.py COUNT SEED

Exit status 1 if a reader disagrees, or if nothing is accepted.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "model")]
import core  # noqa: E402
from generate import generate  # noqa: E402
from library import FRAGMENT, HOST, HOST_IPV6, HOST_REGISTRY, PATH, QUERY, SCHEME, USERINFO, Uri, accepts, read  # noqa: E402

READERS = [reader.name for reader in core.readers()]
Found = tuple[Uri, "dict[int, bytes]"]


def spelled(parts: dict[int, bytes], component: int) -> bytes:
    """Returns the component in the one spelling that counts: "%2F" for "%2f", "%27" for "'"."""
    text = parts.get(component, b"").replace(b"'", b"%27")
    if component in (SCHEME, HOST):
        text = text.lower()
    return re.sub(rb"%..", lambda escape: escape[0].upper(), text, flags=re.S)


def difference(strict: Found, other: Found) -> str | None:
    (uri, parts), (theirs, others) = strict, other
    host = spelled(parts, HOST) == spelled(others, HOST) and uri.has_ipv4 == theirs.has_ipv4
    if HOST_IPV6 in (uri.host_kind, theirs.host_kind):
        host = uri.host_kind == theirs.host_kind and bytes(uri.address) == bytes(theirs.address)
    same = {"scheme": spelled(parts, SCHEME) == spelled(others, SCHEME), "userinfo": not others.get(USERINFO), "host": host,
            "port": uri.port == theirs.port, "path": spelled(others, PATH) in (spelled(parts, PATH), spelled(parts, PATH) or b"/"),
            "query": spelled(parts, QUERY) == spelled(others, QUERY),
            "fragment": spelled(parts, FRAGMENT) == spelled(others, FRAGMENT)}
    return next((name for name, is_same in same.items() if not is_same), None)


def main() -> int:
    count, seed = map(int, sys.argv[1:])
    accepted = differences = 0
    for record in generate(count, seed):
        if not accepts(None, record):
            continue
        accepted += 1
        strict = read("rfc3986", record)
        for reader in READERS:
            found = read(reader, record)
            what = difference(strict, found) if found and found[0].host_kind != HOST_REGISTRY else None
            if what:
                differences += 1
                print(f"{reader} reads another {what}: {record!r}")
    print(f"invariant: {count} records, {accepted} accepted, {differences} differences")
    return differences > 0 or accepted == 0


if __name__ == "__main__":
    sys.exit(main())
