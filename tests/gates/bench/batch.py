#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs commands in turn, several times, and prints the least that each of them took.

    batch.py --lines=N --runs=N --input=FILE --csv=FILE COMMAND...

Standard output goes to /dev/null, but that of grep, which stops at its first match there, to a
file. Other work on the machine makes nothing faster, so the least is closest to the truth: of time
on a processor (user and system) more than of time by the clock. Memory is the peak of what was
resident, as the system counts it for the process; 0: it was gone too soon.
"""
import argparse
import csv
import os
import re
import shlex
import shutil
import sys
import threading
import time


class Peak(threading.Thread):
    """Watches the peak memory of a process until it ends. It watches from a separate process, because the
    figure of wait4(2) starts with the memory of the parent."""

    def __init__(self, pid):
        super().__init__()
        self.pid, self.octets = pid, 0
        self.start()

    def run(self):
        while True:
            try:
                with open("/proc/%d/status" % self.pid, encoding="ascii", errors="replace") as status:
                    text = status.read()
            except OSError:
                return
            found = re.search(r"VmHWM:\s*(\d+) kB", text)
            if not found:
                return
            self.octets = int(found.group(1)) * 1024
            time.sleep(0.01)


def run(words, path):
    """Returns wall-clock seconds, CPU seconds, and octets."""
    out = path + ".out" if os.path.basename(words[0]) == "grep" else os.devnull
    actions = [(os.POSIX_SPAWN_OPEN, 0, path, os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    start = time.monotonic()
    pid = os.posix_spawn(words[0], words, os.environ, file_actions=actions)
    peak = Peak(pid)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    wall = time.monotonic() - start
    _, status, usage = os.wait4(pid, 0)
    peak.join()
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit("%s failed" % shlex.join(words))
    return wall, usage.ru_utime + usage.ru_stime, peak.octets


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, required=True)
    parser.add_argument("--runs", type=int, required=True)
    parser.add_argument("--input", required=True)
    parser.add_argument("--csv", help="where the columns of bench's go as well")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    commands = [shlex.split(command) for command in given.command]
    for words in commands:
        found = shutil.which(words[0])
        if found is None:
            sys.exit("there is no %s" % words[0])
        words[0] = found
    with open(given.input, "rb") as text:  # loads it into the page cache
        octets = sum(len(block) for block in iter(lambda: text.read(1 << 20), b""))
    taken = [[] for _ in commands]
    for _ in range(given.runs):
        for times, words in zip(taken, commands):
            times.append(run(words, given.input))
    print("%d lines, %d octets; the least of %d runs in turn" % (given.lines, octets, given.runs))
    print()
    print("| command | clock s | processor s | ns/line | MB/s | x cat | x wc -l | peak KiB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    least = [(min(t[0] for t in times), min(t[1] for t in times), max(t[2] for t in times)) for times in taken]
    anchors = [least[[os.path.basename(words[0]) for words in commands].index(name)][1] for name in ("cat", "wc")]
    rates = []
    for words, (wall, processor, peak) in zip(commands, least):
        name = " ".join([os.path.basename(words[0]), *(w for w in words[1:] if not w.startswith("/"))])
        print("| %s | %.3f | %.3f | %.1f | %.0f | %.2f | %.2f | %d |" % (
            name, wall, processor, processor / given.lines * 1e9, octets / processor / 1e6,
            processor / anchors[0], processor / anchors[1], peak // 1024))
        rates.append((name, "%.2f" % (processor / given.lines * 1e9), "%.4f" % (processor / octets * 1e9)))
    if given.csv:
        with open(given.csv, "w", encoding="utf-8", newline="") as table:
            csv.writer(table).writerows([("contestant", "floor_ns", "ns_per_octet"), *rates])


if __name__ == "__main__":
    main()
