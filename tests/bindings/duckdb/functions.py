# SPDX-License-Identifier: Apache-2.0
"""functions.py EXTENSION: the cases of tests/bindings/conformance, asked of the extension for DuckDB. The program stands in for
the engine, so that it needs none; what a real engine does, run.sh tests."""
import ctypes
import json
import re
import struct
import sys
from ctypes import POINTER, addressof, c_char_p, c_int, c_uint64, c_void_p, cast, string_at
from pathlib import Path

HERE = Path(__file__).resolve().parent
API = (HERE.parents[2] / "src/bindings/duckdb/api.h").read_text().replace("\\\n", " ")
CALLS = re.findall(r"CALL\((\d+), ([^,]+), (\w+),\s*\((.*?)\)\)(?=\s)", API[API.index("API_CALLS"):API.index("struct api {")])
CASES = [json.loads(line) for line in (HERE.parent / "conformance/cases.jsonl").read_text().splitlines()]
ROWS, NAMES = 4096, ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")  # ROWS: of a vector
now = {}  # the call that is made: extra, error, columns, rows
objects, living, functions, loaded = {}, set(), {}, {"fails": None}


def keep(thing):
    objects[len(objects) + 1] = thing
    return len(objects)


class Vector:
    def __init__(self, kind, values=()):
        self.kind, self.texts, self.size = kind, {}, 0
        self.data, self.valid = ctypes.create_string_buffer(16 * ROWS), (c_uint64 * (ROWS // 64))(*[2**64 - 1] * (ROWS // 64))
        self.children = [keep(Vector(one)) for one in (kind.values() if isinstance(kind, dict) else kind if isinstance(kind, list) else ())]
        for row, text in enumerate(values):
            if text is None:
                self.valid[row // 64] &= ~(1 << row % 64)
                continue
            self.texts[row] = ctypes.create_string_buffer(text, len(text) + 1)
            struct.pack_into("=I12s", self.data, 16 * row, len(text), text if len(text) <= 12 else text[:4] + struct.pack("=Q", addressof(self.texts[row])))

    def value(self, row):
        if not self.valid[row // 64] >> row % 64 & 1:
            assert not isinstance(self.kind, dict) or all(objects[one].value(row) is None for one in self.children)
            return None
        if isinstance(self.kind, dict):
            return {name: objects[one].value(row) for name, one in zip(self.kind, self.children)}
        if isinstance(self.kind, list):
            first, count = struct.unpack_from("=QQ", self.data, 16 * row)
            return [objects[self.children[0]].value(k) for k in range(first, first + count)]
        return {1: self.data.raw[row] == 1, 4: struct.unpack_from("=i", self.data, 4 * row)[0]}.get(self.kind, self.texts.get(row))


def made(thing):
    living.add(number := keep(thing))
    return number


def add(_, function):
    functions[objects[function]["name"], len(objects[function]["parameters"])] = objects[function]
    return int(loaded["fails"] == objects[function]["name"] or not objects[function]["special"])


ENGINE = {  # living.remove() is a KeyError for what is gone
    **dict.fromkeys(("destroy_logical_type", "destroy_scalar_function", "destroy_scalar_function_set"), lambda place: living.remove(cast(place, POINTER(c_uint64))[0])),
    "connect": lambda database, out: int(loaded["fails"] == "connect"), "disconnect": lambda connection: None, "create_logical_type": made, "create_list_type": lambda one: made([objects[one]]),
    "create_struct_type": lambda types, names, count: made({cast(names, POINTER(c_char_p))[k].decode(): objects[cast(types, POINTER(c_uint64))[k]] for k in range(count)}),
    "data_chunk_get_column_count": lambda chunk: len(now["columns"]), "data_chunk_get_vector": lambda chunk, k: now["columns"][k], "data_chunk_get_size": lambda chunk: now["rows"],
    "vector_get_data": lambda one: addressof(objects[one].data), "vector_get_validity": lambda one: addressof(objects[one].valid), "vector_ensure_validity_writable": lambda one: None,
    "vector_assign_string_element_len": lambda one, row, text, length: objects[one].texts.update({row: string_at(text, length).decode("latin-1")}),
    "list_vector_get_child": lambda one: objects[one].children[0], "list_vector_get_size": lambda one: objects[one].size, "list_vector_reserve": lambda one, size: int(size > ROWS),
    "list_vector_set_size": lambda one, size: setattr(objects[one], "size", size) or 0, "struct_vector_get_child": lambda one, k: objects[one].children[k],
    "create_scalar_function": lambda: made({"parameters": [], "special": False}), "scalar_function_set_name": lambda one, name: objects[one].update(name=string_at(name).decode()),
    "scalar_function_set_special_handling": lambda one: objects[one].update(special=True), "scalar_function_add_parameter": lambda one, kind: objects[one]["parameters"].append(objects[kind]),
    "scalar_function_set_return_type": lambda one, kind: objects[one].update(returns=objects[kind]), "scalar_function_set_extra_info": lambda one, extra, gone: objects[one].update(extra=extra), "scalar_function_set_function": lambda one, call: objects[one].update(call=call),
    "scalar_function_get_extra_info": lambda info: now["extra"], "scalar_function_set_error": lambda info, error: now.update(error=string_at(error).decode("latin-1")),
    "create_scalar_function_set": made, "add_scalar_function_to_set": add, "register_scalar_function_set": lambda to, one: int(loaded["fails"] == "register")}
KEPT = [ctypes.CFUNCTYPE(*({"void": None, "int": c_int}.get(one.strip(), c_uint64) for one in (returns, *given.split(",")) if given != "void" or one == returns))(ENGINE[name])
        for _, returns, name, given in CALLS]
TABLE, EXTENSION = (c_uint64 * 226)(), ctypes.CDLL(sys.argv[1])
for (place, *_), call in zip(CALLS, KEPT):
    TABLE[int(place)] = cast(call, c_void_p).value
ACCESS = (ctypes.CFUNCTYPE(None, c_uint64, c_char_p)(lambda info, error: loaded.update(error=error.decode())), ctypes.CFUNCTYPE(c_uint64, c_uint64)(lambda info: addressof(TABLE)),
          ctypes.CFUNCTYPE(c_uint64, c_uint64, c_char_p)(lambda info, version: addressof(TABLE) if version.decode() == loaded.get("version", "v1.2.0") else 0))


def load(**more):
    loaded.clear(), functions.clear(), loaded.update({"fails": None, "error": None, **more})
    good = EXTENSION.urivet_init_c_api(c_uint64(0), (c_void_p * 3)(*(cast(one, c_void_p) for one in ACCESS))) & 255
    return bool(good), loaded["error"], living


def ask(name, *columns):
    """Returns what the function answers to each row, or its error."""
    function = functions["urivet_" + name, len(columns)]
    out = Vector(function["returns"])
    now.update(extra=function["extra"], error=None, columns=[keep(Vector(17, one)) for one in columns], rows=len(columns[0]) if columns else 1)
    ctypes.CFUNCTYPE(None, c_uint64, c_uint64, c_uint64)(function["call"])(0, 0, keep(out))
    return now["error"] or [out.value(row) for row in range(now["rows"])]


def same(got, wanted, *of):
    if got != wanted:
        sys.exit(f"{of}: {next((pair for pair in zip(got, wanted) if pair[0] != pair[1] and isinstance(got, list)), (got, wanted))}")


def written(kind):
    return "{%s}" % " ".join(f"{name}:{written(one)}" for name, one in kind.items()) if isinstance(kind, dict) else f"[{written(kind[0])}]" if isinstance(kind, list) else str(kind)


def spaced(rows):
    """The rows, and a NULL before each."""
    return [one for row in rows for one in (None, row)]


def octets(cases, of):
    return [case[of].encode("latin-1") for case in cases]


LACKS, FAILS = "urivet needs version v1.2.0 of DuckDB's C extension API, which this engine does not have", "urivet's functions cannot be registered"
for place, *_ in CALLS:
    call, TABLE[int(place)] = TABLE[int(place)], 0
    same(load(), (False, LACKS, set()), place)
    TABLE[int(place)] = call
for wrong, error in (({"version": "v1.3.0"}, LACKS), ({"fails": "connect"}, "urivet cannot connect to the database"), ({"fails": "register"}, FAILS), ({"fails": "urivet_version"}, FAILS)):
    same(load(**wrong), (False, error, set()), wrong)
same(load(), (True, None, set()))
same(sorted(f"{name}({','.join(map(str, one['parameters']))}) {written(one['returns'])}" for (name, _), one in functions.items()), (HERE / "functions.tsv").read_text().splitlines())
same(ask("version"), [CASES[0]["version"]])
policies = {name: ask("policy", [name.encode()])[0].encode("latin-1") for name in ("strict", "public", "any", "gateway")}
same(ask("policy", [None, b"publi"]), "urivet: the policies that are built in are strict, public, any, gateway")
for case in (one for one in CASES if one["kind"] == "policy"):
    compiled = bytes.fromhex(case["compiled"])
    same(ask("ok", [b"x", b"y"], [compiled] * 2), [False, False] if case["opens"] else "urivet: this is no compiled policy: " + case["fault"], case["name"])
    policies |= {case["name"]: compiled} if case["opens"] else {}
same(ask("ok", [None, b"http://a/"], [policies["any"], None]), "urivet: the policy is NULL; by no policy nothing can be accepted")
names = [one for one in policies for _ in (0, 1)] * 2  # from row to row, another policy or the same
same(ask("ok", [b"http://10.0.0.1/"] * 28, [policies[one] for one in names]), [one in ("strict", "any", "gateway") for one in names])
for policy, compiled in policies.items():
    cases = [one for one in CASES if one["kind"] == "check" and one["policy"] == policy]
    inputs, wanted = spaced(octets(cases, "input")), {name: [] for name in ("ok", "findings", "check", "host", "port", "endpoint", "suggest")}
    for case in cases:
        ids, refusing, good = [one["id"] for one in case["findings"]], [one["id"] for one in case["findings"] if one["refuses"]], case["verdict"] == "accept"
        to = case["endpoint"] and {**case["endpoint"], "address": case["endpoint"]["host"] if case["endpoint"]["address"] else None}
        row = {"accepted": good, "refused_by": refusing, "findings": ids, **{of + "s": [one[of] for one in case["findings"]] for of in ("offset", "length")}, "dropped": case["dropped"], "reason": case["reason"]}
        for name, answer in zip(wanted, (good, ids, row, to and to["host"], to and to["port"], to, case["suggestion"])):
            wanted[name].append(answer)
        path = re.split("[;?#]", case["suggestion"] or "")[0]
        error = "".join(["urivet: the URL is refused:", *(" " + one for one in refusing), f" - write {path}" if path and "@" not in path and len(case["suggestion"]) < 1024 else ""])
        same(ask("require", octets([case], "input"), [compiled]), [True] if good else error, case["input"])
    for name, rows in wanted.items():
        for given in ([inputs, [compiled] * len(inputs)], [inputs])[:2 if policy == "strict" else 1]:
            same(ask(name, *given), spaced(rows), name, policy)
# functions without a policy; gateway reads more than RFC 3986, and some inputs are too long for their policy
cases = [one for one in CASES if one["kind"] == "check" and len(one["input"]) <= 1024 and one["policy"] != "gateway"]
for name in NAMES:
    same(ask("part", spaced(octets(cases, "input")), [name.encode()] * 2 * len(cases)), spaced(one["components"].get(name) for one in cases), name)
for wrong in (b"hosts", b"hos", b"", b"uri"):
    same(ask("part", [b"http://a/"], [wrong]), f"urivet: a URL has {', '.join(NAMES)}", wrong)
cases = [one for one in CASES if one["kind"] == "normalise" and one["level"] == "syntax"]
same(ask("normalise", spaced(octets(cases, "input"))), spaced(one["result"] for one in cases))
cases = [one for one in CASES if one["kind"] == "resolve"]
same(ask("resolve", [None, b"http://a/", *octets(cases, "base")], [b"x", None, *octets(cases, "reference")]), [None, None, *(one["target"] for one in cases)])
cases = [one for one in CASES if one["kind"] == "reference" and not one["same_origin"]]
same(ask("resolve", octets(cases, "base"), octets(cases, "reference"), [policies[one["policy"]] for one in cases]), [one["target"] if one["verdict"] == "accept" else None for one in cases])
for more in (0, 1):  # 1 MiB is read, and no octet more
    long = b"http://h/".ljust((1 << 20) + more, b"a")
    same(ask("part", [long], [b"host"]) + ask("normalise", [long]) + ask("resolve", [long], [b"x"]) + ask("resolve", [b"http://h/"], [b"a" * len(long)]),
         [None] * 4 if more else ["h", long.decode(), "http://h/x", f"http://h/{'a' * len(long)}"], more)
for length, suggestion, finding in ((8192, "http", "scheme-case"), (8193, None, "url-too-long")):
    long = b"HTTP://example.com/".ljust(length, b"a")
    same((ask("suggest", [long]), ask("require", [long])), ([suggestion and suggestion + long[4:].decode()], f"urivet: the URL is refused: {finding}"))
print(f"duckdb: {len(CASES)} cases, {len(functions)} functions")
