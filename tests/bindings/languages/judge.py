# SPDX-License-Identifier: Apache-2.0
"""Judges URLs by ctypes, without knowing a struct of the library: verdict, reasons, and where to connect."""
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
size_t, pointer = ctypes.c_size_t, ctypes.c_void_p
lib.urivet_size_of.restype = lib.urivet_format_ids.restype = lib.urivet_endpoint_sized.restype = size_t
lib.urivet_size_of.argtypes = [ctypes.c_int, size_t]
lib.urivet_policy_init.argtypes = [pointer, size_t, ctypes.c_int]
lib.urivet_check_sized.argtypes = [pointer, size_t, ctypes.c_char_p, size_t, pointer]
lib.urivet_format_ids.argtypes = [ctypes.c_char_p, size_t, pointer, pointer]
lib.urivet_endpoint_sized.argtypes = [pointer, size_t, pointer, size_t, pointer, ctypes.c_char_p, size_t]
lib.urivet_component_at.argtypes = [pointer, ctypes.c_int, ctypes.c_char_p, size_t, pointer]
lib.urivet_component_at.restype = pointer
POLICY, REPORT, ENDPOINT = (lib.urivet_size_of(what, 0) for what in (0, 2, 4))
policy, report, endpoint = (ctypes.create_string_buffer(size) for size in (POLICY, REPORT, ENDPOINT))
lib.urivet_policy_init(policy, POLICY, 1)
for url in sys.argv[2:]:
    text, names, octets = url.encode(), ctypes.create_string_buffer(1024), size_t()
    room = ctypes.create_string_buffer(lib.urivet_size_of(11, len(text)))
    if lib.urivet_check_sized(report, REPORT, text, len(text), policy) != 1:
        lib.urivet_format_ids(names, len(names), report, policy)
        print(f"reject {names.value.decode()}")
        continue
    host = lib.urivet_component_at(report, 4, text, len(text), ctypes.byref(octets))
    needed = lib.urivet_endpoint_sized(endpoint, ENDPOINT, room, len(room), report, text, len(text))
    print(f"accept {ctypes.string_at(host, octets.value).decode()} {needed > 0}")
