#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stack, recursion, indirect calls and allocation, from the call graph that gcc writes.

    stack.py FOLDER [--most=OCTETS] [--table]

FOLDER holds the .ci files of -fcallgraph-info=su,da, of the library as it is released. The longest
path from each public function is summed; the C library's memory functions below it are not in
the graph and not counted.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
import core  # noqa: E402

# All that the core may call beside itself: functions of freestanding C and what the compiler adds.
OUTSIDE = {"memcpy", "memset", "memcmp", "memmove", "strcmp", "strlen", "__stack_chk_fail",
           "__builtin_memcpy", "__builtin_memset", "__builtin_memcmp", "__builtin_memmove",
           "__builtin_strcmp", "__builtin_strlen", "__memcpy_chk"}
# Calls through a pointer, by the function that makes them, and what each can meet: there is none.
POINTERS: dict[str, list[str]] = {}
NODE = re.compile(r'^node: { title: "([^"]*)" label: "([^"]*)"')
EDGE = re.compile(r'^edge: { sourcename: "([^"]*)" targetname: "([^"]*)"(?: label: "([^"]*)")?')
SIZE = re.compile(r"\\n(\d+) bytes \((static|dynamic|dynamic,bounded|bounded)\)")


def public_functions():
    headers = [ROOT / "include/urivet.h", *sorted((ROOT / "include/urivet").glob("*.h"))]
    header = "".join(path.read_text() for path in headers if path.name != "policy.h")
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    found = re.findall(r"^URIVET_API\b([^;]*);", header, flags=re.M)
    return sorted(re.search(r"(urivet_\w+)\s*\(", text)[1] for text in found if "(" in text)


def read(folder):
    """The frames by function, whom each calls, and what is wrong with the graph itself."""
    frames, calls, wrong = {}, {}, []
    files = sorted(folder.rglob("*.ci"))
    for path in files:
        for line in path.read_text().splitlines():
            node, edge = NODE.match(line), EDGE.match(line)
            if node and (size := SIZE.search(node[2])):
                frames[node[1]] = int(size[1])
                # "bounded": arguments on the stack are counted
                if "static" not in size[2] and "bounded" not in size[2] or "\\n0 dynamic objects" not in node[2]:
                    wrong.append(f"{node[1]}: a frame whose size is not constant")
            if edge:
                calls.setdefault(edge[1], set()).add(edge[2])
                if edge[2] == "__indirect_call" and edge[1] in POINTERS:
                    calls[edge[1]] |= set(POINTERS[edge[1]])
                elif edge[2] == "__indirect_call":
                    wrong.append(f"{edge[1]} calls through a pointer, {edge[3]}")
    return len(files), frames, calls, wrong


def longest(start, frames, calls, known, on_path, wrong):
    """The longest path from a function: its octets, and the functions on it."""
    if start in known:
        return known[start]
    if start in on_path:
        wrong.append("recursion: " + " -> ".join([*on_path[on_path.index(start):], start]))
        return 0, ()
    if start not in frames:
        if start not in OUTSIDE and start != "__indirect_call":
            wrong.append(f"{on_path[-1] if on_path else 'the header'} calls {start}, which is not of the core")
        known[start] = (0, ())
        return known[start]
    best = max((longest(callee, frames, calls, known, [*on_path, start], wrong)
                for callee in sorted(calls.get(start, ()))), default=(0, ()))
    known[start] = (frames[start] + best[0], (start, *best[1]))
    return known[start]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=2048)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    files, frames, calls, wrong = read(options.folder)
    if files < len(core.sources()):
        print(f"{options.folder} has {files} call graphs: build it with gcc -fcallgraph-info=su,da")
        return 2
    known = {}
    for name in sorted(frames):
        longest(name, frames, calls, known, [], wrong)
    public = public_functions()
    wrong += [f"{name} is not in the call graph" for name in public if name not in frames]
    rows = sorted(((known[name], name) for name in public if name in known), reverse=True)
    for (octets, path), name in rows:
        if octets > options.most:
            wrong.append(f"{name} needs {octets} octets of stack, more than {options.most}")
        if options.table:
            print(f"{octets:6}  {name}  by " + " ".join(f"{step.rsplit(':')[-1]}:{frames[step]}" for step in path))
    for line in dict.fromkeys(wrong):
        print(line)
    shown = {name: octets for (octets, _), name in rows}
    print(f"stack: {rows[0][0][0]} octets at most ({rows[0][1]}), urivet_check_sized {shown['urivet_check_sized']}, "
          f"urivet_verdict_of {shown['urivet_verdict_of_sized']}; {len(public)} public of {len(frames)} functions, no recursion, "
          f"{len(POINTERS)} calls through a pointer, "
          f"{len(set(wrong))} problems")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
