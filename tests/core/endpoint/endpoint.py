# SPDX-License-Identifier: Apache-2.0
"""Compares endpoints with other software: libcurl's URL parser and Python's ipaddress.

    python3 endpoint.py [--count N] [--seed N]

What the generator of tests/core/model makes, and the corpus, are judged by the built-in policies and two that waive. In
the URL of each endpoint libcurl must find, octet for octet, its scheme, host, port, path and query, and in the URL that
was judged the same place. ipaddress must write the address as the host. Without libcurl the other checks run all the
same. The readers of the library are compared with endpoints by fuzz_endpoint.
"""
from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import ipaddress
import subprocess
import sys
from collections.abc import Iterator
from ctypes import c_bool, c_char_p, c_size_t, c_uint8, c_uint32, c_void_p
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
import library  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
POLICIES = ("strict", "public", "any", "gateway")
DEFAULT = {b"http": 80, b"https": 443, b"ws": 80, b"wss": 443, b"ftp": 21}
# curl/urlapi.h
URL, SCHEME, USER, HOST, PORT, PATH, QUERY, FRAGMENT = 0, 1, 2, 5, 6, 7, 8, 9
DEFAULT_PORT, NON_SUPPORT_SCHEME, PATH_AS_IS = 1 << 0, 1 << 3, 1 << 4


class Endpoint(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("scheme_number", c_uint32), ("port", c_uint32), ("octets", c_uint8), ("tls", c_bool),
                ("address", c_uint8 * 16), ("scheme", c_char_p), ("host", c_char_p), ("host_field", c_char_p),
                ("tls_name", c_char_p), ("target", c_char_p), ("url", c_char_p)]

    def __init__(self, policy: str, record: bytes) -> None:
        super().__init__()
        self.policy, self.record = policy, record
        self.room = ctypes.create_string_buffer(library.size_of(library.CAPACITY_ENDPOINT, len(record)))


ENDPOINT = library.function("endpoint_sized", c_size_t, ctypes.POINTER(Endpoint), c_size_t, c_char_p, c_size_t, c_void_p,
                            c_char_p, c_size_t)


class Place(NamedTuple):
    """The components that a reader finds."""
    scheme: bytes
    host: bytes
    port: int
    target: bytes


class Curl:
    """libcurl's URL interface; `there` is false if the library is missing."""

    def __init__(self) -> None:
        name = ctypes.util.find_library("curl")
        self.there = name is not None
        if name is None:
            return
        self.library = ctypes.CDLL(name)
        self.library.curl_version.restype = ctypes.c_char_p
        self.library.curl_url.restype = ctypes.c_void_p
        self.library.curl_url_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
        self.library.curl_url_get.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p),
                                              ctypes.c_uint]
        self.library.curl_url_cleanup.argtypes = [ctypes.c_void_p]
        self.library.curl_free.argtypes = [ctypes.c_void_p]

    def version(self) -> str:
        return self.library.curl_version().decode().split()[0]

    def _part(self, handle: int, part: int) -> bytes | None:
        text = ctypes.c_void_p()
        if self.library.curl_url_get(handle, part, ctypes.byref(text), DEFAULT_PORT) != 0:
            return None
        value = ctypes.string_at(text)
        self.library.curl_free(text)
        return value

    def read(self, url: bytes) -> Place | None:
        """Returns curl's reading, or None if curl refuses the URL."""
        handle = self.library.curl_url()
        try:
            if self.library.curl_url_set(handle, URL, url, NON_SUPPORT_SCHEME | PATH_AS_IS) != 0:
                return None
            scheme, host, port = (self._part(handle, part) or b"" for part in (SCHEME, HOST, PORT))
            path, query = self._part(handle, PATH) or b"", self._part(handle, QUERY)
            # a scheme that this build does not know, and so without a default port (ws, wss)
            number = int(port) if port else DEFAULT.get(scheme.lower(), 0)
            return Place(scheme, host, number, path + (b"" if query is None else b"?" + query))
        finally:
            self.library.curl_url_cleanup(handle)


def complaint(endpoint: Endpoint) -> str | None:
    """Returns a contradiction between members, or with ipaddress, or None."""
    bracketed = b"[" + endpoint.host + b"]" if endpoint.octets == 16 else endpoint.host
    if endpoint.octets > 0:
        address = ipaddress.ip_address(bytes(endpoint.address[:endpoint.octets]))
        if address.packed != ipaddress.ip_address(endpoint.host.decode()).packed:
            return f"the host is not {address}"
        # Python writes ::ffff:1.2.3.4 so from 3.13 on; the library has hexadecimal groups only
        if str(address) != endpoint.host.decode() and "." not in str(address)[2:]:
            return f"ipaddress writes {address}"
    if endpoint.tls_name != (b"" if endpoint.octets else endpoint.host):
        return "the name for TLS"
    usual = endpoint.port == DEFAULT[endpoint.scheme]
    if endpoint.host_field != (bracketed if usual else bracketed + b":%d" % endpoint.port):
        return "the Host field"
    if endpoint.tls != (endpoint.scheme in (b"https", b"wss")):
        return "TLS"
    plain = endpoint.scheme + b"://" + endpoint.host_field + endpoint.target
    shown = endpoint.scheme + b"://" + bracketed + b":%d" % endpoint.port + endpoint.target
    if endpoint.url != plain and not (endpoint.url == shown and usual):
        return "the URL is composed of something else"
    return None


def without_empty_query(target: bytes) -> bytes:
    """Removes an empty query: libcurl 7.88 does not distinguish it from an absent one."""
    return target[:-1] if target.endswith(b"?") and target.count(b"?") == 1 else target


def difference(curl: Curl, endpoint: Endpoint) -> str | None:
    """Returns where curl finds something else, in the URL of the endpoint or in the judged one."""
    bracketed = b"[" + endpoint.host + b"]" if endpoint.octets == 16 else endpoint.host
    want = Place(endpoint.scheme, bracketed, endpoint.port, without_empty_query(endpoint.target))
    found = curl.read(endpoint.url)
    if found is None or found._replace(target=without_empty_query(found.target)) != want:
        return f"curl reads the URL as {found}"
    if endpoint.policy not in POLICIES:
        return None
    judged = curl.read(endpoint.record)
    if judged is None:
        return "curl does not read what was judged"
    same = judged._replace(scheme=judged.scheme.lower(), host=judged.host.lower(),
                           target=without_empty_query(judged.target))
    return None if same == want else f"curl reads what was judged as {judged}"


def records(count: int, seed: int) -> list[bytes]:
    """Returns generated URLs for each policy, and the corpus."""
    made = [subprocess.run([sys.executable, "-B", ROOT / "tests/core/model/generate.py", str(count), str(seed), policy],
                           check=True, stdout=subprocess.PIPE).stdout for policy in ("strict", "any")]
    stored = [path.read_bytes() for folder in ("uri", "findings", "regress", "pair", "cover")
              for path in sorted((ROOT / "corpus" / folder).rglob("*")) if path.is_file()]
    return b"".join(made).split(b"\0")[:-1] + [text for text in stored if text and b"\0" not in text]


def endpoints(count: int, seed: int) -> Iterator[Endpoint]:
    policies = [(name, library.built_in(base)) for base, name in enumerate(POLICIES)]
    policies += [("lenient", library.lenient(library.ANY)), ("gateway-lenient", library.lenient(library.GATEWAY))]
    for record in records(count, seed):
        for name, policy in policies:
            library.accepts(policy, record)
            found = Endpoint(name, record)
            if ENDPOINT(found, ctypes.sizeof(found), found.room, len(found.room), library.REPORT, record, len(record)) > 0:
                yield found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    curl, counts, wrong, asked = Curl(), dict.fromkeys(POLICIES, 0), 0, 0
    for endpoint in endpoints(arguments.count, arguments.seed):
        counts[endpoint.policy] = counts.get(endpoint.policy, 0) + 1
        text = complaint(endpoint)
        if text is None and curl.there:
            text = difference(curl, endpoint)
            asked += 1
        if text is not None:
            wrong += 1
            print(f"endpoint: {text}: {endpoint.url!r} of {endpoint.record!r} by {endpoint.policy}")
            if wrong > 20:
                break
    for policy in POLICIES:
        if counts[policy] < arguments.count // 20:
            print(f"endpoint: {counts[policy]} by {policy}: too few to conclude anything")
            wrong += 1
    print(f"endpoint: {sum(counts.values())} endpoints, {wrong} wrong;",
          f"{asked} asked of {curl.version()}" if curl.there else "libcurl is missing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
