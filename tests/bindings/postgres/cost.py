# SPDX-License-Identifier: Apache-2.0
"""What the functions cost a row: CPU of the server's process over count() of the column, in the same run. A row of the
table: what is asked, nanoseconds a row, and the plain count's beside."""
from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from cluster import ROOT, Cluster, Tree, folder_of_tests

ROWS = int(os.environ.get("URIVET_ROWS", "1000000"))
ROUNDS = int(os.environ.get("URIVET_ROUNDS", "5"))
AT_MOST = 80            # nanoseconds a row, of urivet_ok()
TIMES_FASTER = 10       # than the strict expression as a regular expression
URL = "'https://www.example' || i % 1000 || '.com/catalogue/item/' || i || '?page=' || i % 7"
QUESTIONS = {
    "ok": "urivet_ok(url)",
    "ok, public": "urivet_ok(url, (SELECT urivet_policy('public')))",
    "host": "urivet_host(url)",
    "findings": "urivet_findings(url)",
    "suggest": "urivet_suggest(url)",
    "length()": "length(url)",
    "expression": "url ~ '{expression}'",
}


def strict_expression() -> str:
    """Returns the strict expression of tests/gates/bench."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "expression"
        subprocess.run(["cc", "-x", "c", "-I", str(ROOT / "tests/gates/bench"), "-o", str(program), "-"], check=True, text=True,
                       input='#include <stdio.h>\n#include "expression.h"\nint main(void) { return puts(URL_EXPRESSION) < 0; }\n')
        return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.rstrip("\n")


def script(expression: str) -> str:
    """Returns the script of the questions, with the CPU time of the backend before and after each."""
    used = "SELECT 'used ' || split_part(pg_read_file('/proc/' || pg_backend_pid() || '/schedstat'), ' ', 1);\n"
    lines = [f"CREATE UNLOGGED TABLE u AS SELECT {URL} AS url FROM generate_series(1, {ROWS}) AS i; VACUUM ANALYZE u;\n"
             "SET max_parallel_workers_per_gather = 0; SET work_mem = '64MB'; SELECT count(url) FROM u;\n"]
    for _ in range(ROUNDS):
        for question in ("url", *QUESTIONS.values()):
            lines += [used, f"SELECT count({question.replace('{expression}', expression)}) FROM u;\n", used]
    return "".join(lines)


def main() -> int:
    with folder_of_tests() as folder:
        place = Path(folder)
        server = Cluster(Tree(place / "tree", ROOT / "build/postgres"), place, "cost", "shared_buffers = 512MB\n")
        try:
            server.sql("CREATE EXTENSION urivet")
            answers = server.sql(script(strict_expression().replace("'", "''")))
        finally:
            server.stop()
    used = [int(line.split()[1]) for line in answers.splitlines() if line.startswith("used ")]
    spent = [after - before for before, after in zip(used[::2], used[1::2])]
    names = ["count(url)", *QUESTIONS]
    best = {name: min(spent[k::len(names)]) / ROWS for k, name in enumerate(names)}
    over = {name: best[name] - best["count(url)"] for name in QUESTIONS}
    print(f"{ROWS} distinct URLs, the best of {ROUNDS}; count(url) takes {best['count(url)']:.0f} ns of CPU a row, and over it:")
    for name in QUESTIONS:
        print(f"  {name:12} {over[name]:8.0f} ns")
    good = over["ok"] <= AT_MOST and over["expression"] >= TIMES_FASTER * over["ok"]
    print(f"ok takes {over['ok']:.0f} ns (at most {AT_MOST}), the expression {over['expression'] / over['ok']:.0f} times as much"
          f" (at least {TIMES_FASTER})" + ("" if good else ": not reached"))
    return not good


raise SystemExit(main())
