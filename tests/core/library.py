# SPDX-License-Identifier: Apache-2.0
"""build/liburivet.so by ctypes, for comparisons with other software: functions and structs of the header that these need."""
from __future__ import annotations

import ctypes
import re
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_void_p
from pathlib import Path
from typing import Any

LIBRARY = ctypes.CDLL(str(Path(__file__).resolve().parents[2] / "build/liburivet.so"))
STRICT, PUBLIC, ANY, GATEWAY = range(4)
HOST_IPV6, HOST_REGISTRY = 3, 5
SCHEME, AUTHORITY, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT = range(1, 9)
SIZE_POLICY, SIZE_REPORT, LIMIT_FINDINGS, CAPACITY_READING, CAPACITY_ENDPOINT, CAPACITY_PARAMETERS = 0, 2, 7, 10, 11, 12


class Text(ctypes.Structure):
    _fields_ = [("data", c_char_p), ("length", c_size_t)]


class Span(ctypes.Structure):
    _fields_ = [("offset", c_uint32), ("length", c_uint32)]


class Uri(ctypes.Structure):
    _fields_ = [("part", Span * 9), ("present", c_uint32), ("port", c_uint32), ("scheme", c_uint8), ("host_kind", c_uint8),
                ("has_ipv4", c_uint8), ("authority_in", c_uint8), ("address", c_uint8 * 16)]


class Reading(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("reads", c_bool), ("uri", Uri), ("written", c_size_t)]


def function(name: str, result: Any, *arguments: Any) -> Any:
    found = getattr(LIBRARY, "urivet_" + name)
    found.restype, found.argtypes = result, arguments
    return found


size_of = function("size_of", c_size_t, c_int, c_size_t)
finding_named = function("finding_named", c_int, c_char_p, c_size_t)
reader_named = function("reader_named", c_int, c_char_p, c_size_t)
policy_init = function("policy_init", c_bool, c_void_p, c_size_t, c_int)
policy_waive = function("policy_waive", c_bool, c_void_p, c_int)
check = function("check_sized", c_int, c_void_p, c_size_t, c_char_p, c_size_t, c_void_p)
read_as = function("read_as_sized", c_bool, POINTER(Reading), c_size_t, c_int, c_char_p, c_size_t, c_char_p, c_size_t)
REPORT = ctypes.create_string_buffer(size_of(SIZE_REPORT, 0))


def text_of(octets: bytes) -> Text:
    return Text(octets, len(octets))


def built_in(base: int) -> ctypes.Array:
    policy = ctypes.create_string_buffer(size_of(SIZE_POLICY, 0))
    assert policy_init(policy, len(policy), base)
    return policy


def lenient(base: int, *kept: str) -> ctypes.Array:
    """Returns a built-in policy with all findings waived that can be, except for these."""
    policy, numbers = built_in(base), [finding_named(name.encode(), len(name)) for name in kept]
    for number in range(1, size_of(LIMIT_FINDINGS, 0)):
        if number not in numbers:
            policy_waive(policy, number)
    return policy


def accepts(policy: ctypes.Array | None, octets: bytes) -> bool:
    """Judges the octets; REPORT is about them after that."""
    return check(REPORT, len(REPORT), octets, len(octets), policy) == 1


def read(reader: str, record: bytes) -> tuple[Uri, dict[int, bytes]] | None:
    """Returns what a reader finds, and the text of each component, or None if it does not read the record. What it writes has
    to be its components put together again (RFC 3986, 5.3)."""
    reading, room = Reading(), ctypes.create_string_buffer(size_of(CAPACITY_READING, len(record)))
    if not read_as(reading, ctypes.sizeof(reading), reader_named(reader.encode(), len(reader)), record, len(record), room, len(room)):
        return None
    text, uri = ctypes.string_at(room, reading.written) if reading.written > 0 else record, reading.uri
    parts = {c: text[span.offset:span.offset + span.length] for c, span in enumerate(uri.part) if uri.present >> c & 1}
    if reading.written > 0:
        joined = parts[SCHEME] + b"://" + (parts[USERINFO] + b"@" if USERINFO in parts else b"")
        joined += b"[%s]" % parts[HOST] if uri.host_kind == HOST_IPV6 else parts[HOST]
        joined += b"".join(mark + parts[c] for c, mark in ((PORT, b":"), (PATH, b""), (QUERY, b"?"), (FRAGMENT, b"#")) if c in parts)
        assert joined == text and re.fullmatch(rb"[\x21-\x7e]*", text), (record, text)
    return uri, parts


def line_as(reader: str, record: bytes) -> str:
    """Returns the components that a reader finds, as `urivet parse --format=tsv` writes them, or "-"."""
    found = read(reader, record)
    if found is None:
        return "-"
    return "\t".join(re.sub(rb"[^\x21-\x5b\x5d-\x7e]", lambda octet: b"\\x%02X" % octet[0][0], found[1][c]).decode()
                     if c in found[1] else "\\N" for c in (SCHEME, USERINFO, HOST, PORT, PATH, QUERY, FRAGMENT))
