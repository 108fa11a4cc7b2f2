# SPDX-License-Identifier: Apache-2.0
"""ICU and libidn2 by ctypes: what both make of a domain, and what ICU's spoof checker knows of characters."""
from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable, Iterator
from ctypes import byref, c_char_p, c_int, c_int8, c_int16, c_int32, c_uint32, c_void_p
from typing import Any

ICU, IDN2 = (name and ctypes.CDLL(name) for name in map(ctypes.util.find_library, ("icui18n", "idn2")))
MOST = 64
NON_SPACING_MARK = 6
OPTIONS = {"bidi": 4, "joiners": 8, "nontransitional": 16}
# What CheckHyphens and VerifyDnsLength ask for: the URL Standard sets both to false.
IGNORED = 0x3F
NFC_INPUT, NONTRANSITIONAL = 1, 8


class Info(ctypes.Structure):
    _fields_ = [("size", c_int16), ("different", c_int8), ("reserved", c_int8), ("errors", c_uint32), ("more", c_int32 * 2)]


def call(name: str, result: Any, *values: Any) -> Any:
    """Calls a function of ICU, whose name ends in the version."""
    function = getattr(ICU, f"{name}_{ICU._name.rpartition('.')[2]}")
    function.restype = result
    return function(*values)


def checked(name: str, result: Any, *values: Any) -> Any:
    """Calls a function whose last argument is an error, which it may not have."""
    code = c_int(0)
    found = call(name, result, *values, byref(code))
    assert code.value <= 0, f"{name}: {code.value}"
    return found


def version(name: str) -> str:
    numbers = (ctypes.c_uint8 * 4)()
    call(name, None, numbers)
    return f"{numbers[0]}.{numbers[1]}"


def icu_without(name: str) -> Callable[[bytes], str]:
    """Returns the URL Standard's domain to ASCII, by ICU without an option: it returns "-" for a domain that is refused."""
    idna = c_void_p(checked("uidna_openUTS46", c_void_p, sum(bit for option, bit in OPTIONS.items() if option != name)))

    def to_ascii(domain: bytes) -> str:
        info, code, ascii_form = Info(ctypes.sizeof(Info)), c_int(), ctypes.create_string_buffer(16 * len(domain) + 100)
        length = call("uidna_nameToASCII_UTF8", c_int32, idna, domain, len(domain), ascii_form, len(ascii_form), byref(info), byref(code))
        return "-" if code.value > 0 or info.errors & ~IGNORED else ascii_form[:length].decode("latin-1")

    return to_ascii


def idn2(domain: bytes) -> str:
    got = c_char_p()
    failed = IDN2.idn2_lookup_u8(domain, byref(got), NFC_INPUT | NONTRANSITIONAL)
    ascii_form = "-" if failed else got.value.decode("latin-1")
    IDN2.idn2_free(got)
    return ascii_form


def allowed() -> Iterator[tuple[int, int]]:
    """The ranges of the identifier profile of UTS 39 beyond ASCII."""
    every = c_void_p(call("uset_cloneAsThawed", c_void_p, c_void_p(checked("uspoof_getRecommendedSet", c_void_p))))
    call("uset_addAll", None, every, c_void_p(checked("uspoof_getInclusionSet", c_void_p)))
    for k in range(call("uset_getRangeCount", c_int32, every)):
        first, last = c_int32(), c_int32()
        checked("uset_getItem", c_int32, every, k, byref(first), byref(last), None, 0)
        if last.value >= 0x80:
            yield max(first.value, 0x80), last.value


def looks() -> Iterator[tuple[str, int]]:
    """Characters whose skeleton is ASCII once its marks are taken off, though they have no canonical decomposition."""
    checker, nfd = c_void_p(checked("uspoof_open", c_void_p)), c_void_p(checked("unorm2_getNFDInstance", c_void_p))
    room, plain = (ctypes.c_uint16 * MOST)(), (ctypes.c_uint16 * MOST)()
    for c in range(0x80, 0x10000):
        if (0xD800 <= c < 0xE000 or not call("u_isdefined", c_int8, c) or call("u_tolower", c_int32, c) != c
                or checked("unorm2_getDecomposition", c_int32, nfd, c, room, MOST) >= 0):
            continue
        length = checked("uspoof_getSkeleton", c_int32, checker, 0, (ctypes.c_uint16 * 1)(c), 1, room, MOST)
        length = checked("unorm2_normalize", c_int32, nfd, room, length, plain, MOST)
        letters = [unit for unit in plain[:length] if call("u_charType", c_int8, unit) != NON_SPACING_MARK]
        if letters and all(0x20 < unit < 0x7F for unit in letters):
            yield "".join(map(chr, letters)).lower(), c
