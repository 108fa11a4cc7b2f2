# SPDX-License-Identifier: Apache-2.0
"""The examples of src/bindings/postgres/examples do what their comments say. URIVET_JOB_ROWS=5000000 has as many rows as a day's
crawl."""
from __future__ import annotations

import os

from cluster import ROOT
from test_postgres import Servers

EXAMPLES = ROOT / "src/bindings/postgres/examples"
ROWS = int(os.environ.get("URIVET_JOB_ROWS", "30000"))
# of ten rows: one with userinfo, one in capitals, one with its port, one without a URL, the others plain
URL = """CASE i % 10 WHEN 0 THEN 'http://a@host' || i % 97 || '.example/' WHEN 1 THEN 'HTTP://HOST' || i % 97 || '.example/%7ea'
    WHEN 2 THEN 'http://host' || i % 97 || '.example:80/~a' WHEN 3 THEN NULL ELSE 'http://host' || i % 97 || '.example/~a' END"""


class Jobs(Servers):
    def setUp(self) -> None:
        self.server.sql("DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; CREATE EXTENSION urivet;"
                        f"CREATE TABLE pages AS SELECT i AS id, {URL} AS url FROM generate_series(1, {ROWS}) AS i; ANALYZE pages")

    def run_example(self, name: str) -> str:
        return self.server.sql((EXAMPLES / (name + ".sql")).read_text(encoding="utf-8"))

    def test_judge_and_judge_again(self) -> None:
        self.assertIn("Parallel", self.server.sql("SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;"
                                                  "EXPLAIN SELECT id, url, urivet_ok(url) AS accepted FROM pages"))
        self.run_example("judge")
        tenth = ROWS // 10
        self.assertEqual(self.server.sql("SELECT accepted, count(*) FROM judged GROUP BY 1 ORDER BY 1"), f"f|{2 * tenth}\nt|{7 * tenth}\n|{tenth}")
        # as an earlier release would have left it, which accepted one more and refused one more
        self.server.sql("UPDATE judged SET judged_by = '0.0.1'; UPDATE judged SET accepted = true WHERE id = 10; UPDATE judged SET accepted = false WHERE id = 14")
        self.run_example("rejudge")
        self.assertEqual(self.server.sql("SELECT id, was, is_now, findings FROM changed_verdicts ORDER BY id"),
                         "10|t|f|{userinfo-present}\n14|f|t|{}")
        self.assertEqual(self.server.sql("SELECT count(*) FROM judged WHERE judged_by <> urivet_version()"), "0")
        self.run_example("rejudge")
        self.assertEqual(self.server.sql("SELECT count(*) FROM changed_verdicts"), "2")

    def test_count_by_finding(self) -> None:
        rows = [row.split("|") for row in self.run_example("count").splitlines()]
        # those in capitals with an escaped tilde: the host's letters are a note of the policy, or not, as the catalogue says
        self.assertEqual({name: int(count) for name, count, _ in rows},
                         {"userinfo-present": ROWS // 10, "escaped-unreserved": ROWS // 10, "scheme-case": ROWS // 10})

    def test_deduplicate(self) -> None:
        self.run_example("deduplicate")
        self.assertEqual(self.server.sql("SELECT count(*), min(spellings), max(spellings) FROM resources"), "97|3|3")
        self.assertEqual(self.server.sql("SELECT count(*) FROM resources WHERE url !~ '^http://host[0-9]+[.]example/~a$'"), "0")

    def test_indexes(self) -> None:
        self.run_example("indexes")
        self.server.sql("ANALYZE pages")
        for condition, index in (("NOT urivet_ok(url)", "pages_refused"), ("urivet_host(url) = 'host5.example'", "pages_by_host")):
            question = f"SELECT count(*), min(id) FROM pages WHERE {condition}"
            self.assertIn(index, self.server.sql("SET enable_seqscan = off; EXPLAIN " + question))
            self.assertEqual(self.server.sql("SET enable_seqscan = off; " + question),
                             self.server.sql("SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off; " + question))
        self.assertEqual(self.server.sql("SELECT index FROM urivet_indexes ORDER BY 1"), "pages_refused\npages_by_host")

    def test_quarantine(self) -> None:
        self.server.sql("CREATE TABLE incoming (id bigint, url text)")
        self.run_example("quarantine")
        self.server.sql("INSERT INTO incoming SELECT id, url FROM pages")
        self.assertEqual(self.server.sql("SELECT count(*) FROM incoming WHERE NOT urivet_ok(url)"), "0")
        self.assertEqual(self.server.sql("SELECT (SELECT count(*) FROM incoming) + (SELECT count(*) FROM quarantine)"), str(ROWS))
        self.assertEqual(self.server.sql("SELECT DISTINCT findings, suggestion FROM quarantine WHERE url LIKE '%a@host1.%'"), "{userinfo-present}|")
        self.server.sql("UPDATE incoming SET url = 'http://a@b/' WHERE id = 4")
        self.assertEqual(self.server.sql("SELECT url FROM incoming WHERE id = 4"), "http://host4.example/~a")
        self.server.sql("DROP TRIGGER quarantine ON incoming; INSERT INTO incoming VALUES (0, 'http://a@b/')")
        self.assertEqual(self.server.sql("SELECT count(*) FROM incoming WHERE NOT urivet_ok(url)"), "1")    # control: without it
