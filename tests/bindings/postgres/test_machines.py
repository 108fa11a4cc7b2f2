# SPDX-License-Identifier: Apache-2.0
"""One question to several machines, through postgres_fdw: what is sent, that they work at the same time, and errors
instead of answers by other rules."""
from __future__ import annotations

import re

from cluster import ROOT, Cluster, Tree
from test_postgres import NEXT, Servers

LOOKS = 60          # for the other shard, 50 ms apart
ROWS = 4000         # of each shard
REFUSED = "CASE WHEN i % 4 = 0 THEN 'http://a@b.example/' ELSE 'http://host' || i % 50 || '.example/' || i END"


class Machines(Servers):
    """A server that has the table's partitions on two others."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.shards = [cls.begin(f"shard{n}", cls.tree) for n in (0, 1)]
        cls.server.sql("CREATE EXTENSION postgres_fdw; CREATE TABLE urls (shard int NOT NULL, url text) PARTITION BY LIST (shard)")
        for n, shard in enumerate(cls.shards):
            shard.sql(f"CREATE TABLE urls (shard int NOT NULL, url text); INSERT INTO urls SELECT {n}, {REFUSED}"
                      f" FROM generate_series({n * ROWS + 1}, {(n + 1) * ROWS}) AS i; ANALYZE urls")
            cls.attach(cls.server, n, shard)
        cls.server.sql("CREATE TABLE here AS SELECT * FROM urls; ANALYZE here; ANALYZE urls")

    @staticmethod
    def attach(server: Cluster, n: int, shard: Cluster, options: str = ", extensions 'urivet'") -> None:
        server.sql(f"""
            CREATE SERVER shard{n} FOREIGN DATA WRAPPER postgres_fdw
                OPTIONS (host '{shard.socket}', dbname 'postgres', async_capable 'true'{options});
            CREATE USER MAPPING FOR CURRENT_USER SERVER shard{n} OPTIONS (user 'owner');
            CREATE FOREIGN TABLE urls_{n} PARTITION OF urls FOR VALUES IN ({n}) SERVER shard{n} OPTIONS (table_name 'urls')""")

    def test_what_the_page_shows(self) -> None:
        """Two machines in ten lines, and the question that is sent to each."""
        page = (ROOT / "src/bindings/postgres/README.md").read_text(encoding="utf-8")
        sql, sent = re.search(r"## Over several machines\n\n```sql\n(.*?)```.*?```\n(.*?)```", page, re.S).groups()
        self.assertEqual(len(sql.splitlines()), 10)
        sql = re.sub(r"(CURRENT_USER SERVER shard\d);", r"\1 OPTIONS (user 'owner');", sql)
        self.server.sql("CREATE DATABASE page TEMPLATE template0")
        for n, shard in enumerate(self.shards):
            sql = sql.replace(f"host 'db{n}'", f"host '{shard.socket}', dbname 'postgres'")
        answer = self.server.sql(sql, "page")
        self.assertEqual(sorted(answer.split()), [f"{n}|{ROWS // 4}" for n in (0, 1)])
        plan = self.server.sql("SET enable_partitionwise_aggregate = on; EXPLAIN (VERBOSE, COSTS OFF)" + sql.splitlines()[-1], "page")
        for line in sent.splitlines():
            self.assertIn(line.strip().replace("(10000, ", f"({self.release}, "), plan)

    def plan(self, query: str, settings: str = "") -> str:
        return self.server.sql(f"{settings}; EXPLAIN (VERBOSE, COSTS OFF) {query}")

    def test_the_question_is_sent(self) -> None:
        plan = self.plan("SELECT url FROM urls WHERE NOT urivet_ok(url)")
        self.assertEqual(len(re.findall(rf"Remote SQL: SELECT url FROM public.urls WHERE \(\(NOT public.urivet_at_ok\({self.release}, url\)\)\)", plan)),
                         2, plan)
        self.assertEqual(plan.count("Async Foreign Scan"), 2, plan)
        for function in ("urivet_host(url) = 'host7.example'", "urivet_port(url) = 80", "urivet_suggest(url) = url",
                         "urivet_part(url, 'host') = 'b'", "urivet_normalise(url) = url", "'path-empty' = ANY (urivet_findings(url))",
                         "urivet_ok(url, '\\x00'::bytea)"):
            self.assertRegex(self.plan(f"SELECT url FROM urls WHERE {function}"), rf"Remote SQL: .* WHERE .*public\.urivet_at_\w+\({self.release}, url")

    def test_a_policy_is_sent_along(self) -> None:
        question = "SELECT {} FROM urls WHERE urivet_ok(url, (SELECT urivet_policy('public')))"
        self.assertEqual(self.plan(question.format("url")).count(f"urivet_at_ok({self.release}, url, $1::bytea)"), 2)
        self.assertEqual(self.server.sql(question.format("count(*)")), "0")      # names below .example are not public
        self.assertEqual(self.server.sql(question.format("count(*)").replace("public", "strict")), str(2 * ROWS * 3 // 4))

    def test_control_without_the_option_all_rows_are_fetched(self) -> None:
        server = self.begin("control", self.tree)
        server.sql("CREATE EXTENSION postgres_fdw; CREATE TABLE urls (shard int NOT NULL, url text) PARTITION BY LIST (shard)")
        self.attach(server, 0, self.shards[0], "")
        plan = server.sql("EXPLAIN (VERBOSE, COSTS OFF) SELECT url FROM urls WHERE NOT urivet_ok(url)")
        self.assertRegex(plan, r"Remote SQL: SELECT url FROM public.urls(\n|$)")
        self.assertEqual(server.sql("SELECT count(*) FROM urls WHERE NOT urivet_ok(url)"), str(ROWS // 4))

    def test_equal_counts(self) -> None:
        for query in ("SELECT count(*) FROM {} WHERE urivet_ok(url)",
                      "SELECT shard, count(*) FROM {} WHERE NOT urivet_ok(url) GROUP BY shard ORDER BY shard",
                      "SELECT urivet_host(url), count(*) FROM {} GROUP BY 1 ORDER BY 1",
                      "SELECT f, count(*) FROM {}, unnest(urivet_findings(url)) AS f GROUP BY 1 ORDER BY 1",
                      "SELECT md5(string_agg(urivet_suggest(url), ',' ORDER BY url)) FROM {}"):
            there, here = (self.server.sql(query.format(table)) for table in ("urls", "here"))
            self.assertEqual(there, here)
            self.assertTrue(here)

    def test_what_aggregates_do(self) -> None:
        """By shard the whole aggregate is sent, and shards count at the same time; a count over all is made of counts of
        the shards, one after the other, which PostgreSQL 15 does not do asynchronously."""
        wise = "SET enable_partitionwise_aggregate = on"
        plan = self.plan("SELECT shard, count(*) FROM urls WHERE urivet_ok(url) GROUP BY shard", wise)
        self.assertEqual(len(re.findall(r"Async Foreign Scan[^\n]*\n[^\n]*\n *Relations: Aggregate on", plan)), 2, plan)
        self.assertEqual(len(re.findall(r"Remote SQL: SELECT shard, count\(\*\) FROM public.urls WHERE .*urivet_at_ok.* GROUP BY 1", plan)), 2, plan)
        plan = self.plan("SELECT count(*) FROM urls WHERE urivet_ok(url)", wise)
        self.assertNotIn("Async Foreign Scan", plan)
        # the way around: the sum of what the shards count
        plan = self.plan("SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM urls WHERE urivet_ok(url) GROUP BY shard) AS s", wise)
        self.assertEqual(plan.count("Async Foreign Scan"), 2, plan)

    def test_the_machines_work_at_the_same_time(self) -> None:
        """Each shard waits until the other is asked too, while it answers its own part."""
        for n, shard in enumerate(self.shards):
            shard.sql("CREATE EXTENSION IF NOT EXISTS postgres_fdw; DROP SCHEMA IF EXISTS meeting CASCADE; CREATE SCHEMA meeting")
            other = self.shards[1 - n]
            shard.sql(f"""
                CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{other.socket}', dbname 'postgres');
                CREATE USER MAPPING FOR CURRENT_USER SERVER other OPTIONS (user 'owner');
                -- what a sequence says is seen at once, in whatever transaction
                CREATE SEQUENCE meeting.bell;
                CREATE VIEW meeting.rung AS SELECT is_called FROM meeting.bell;
                CREATE FOREIGN TABLE meeting.other (is_called boolean) SERVER other OPTIONS (schema_name 'meeting', table_name 'rung');
                CREATE FUNCTION meeting.meets() RETURNS boolean VOLATILE LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM nextval('meeting.bell');
                    FOR i IN 1..{LOOKS} LOOP
                        IF (SELECT is_called FROM meeting.other) THEN RETURN true; END IF;
                        PERFORM pg_sleep(0.05);
                    END LOOP;
                    RETURN false;
                END $$;
                CREATE VIEW meeting.arrived AS SELECT {n} AS shard, meeting.meets() AS met, 'http://example.com/'::text AS url""")
        self.server.sql("CREATE TABLE met (shard int NOT NULL, met boolean, url text) PARTITION BY LIST (shard)")
        for n in (0, 1):
            self.server.sql(f"CREATE FOREIGN TABLE met_{n} PARTITION OF met FOR VALUES IN ({n}) SERVER shard{n}"
                            " OPTIONS (schema_name 'meeting', table_name 'arrived')")
        query = "SELECT shard, met FROM met WHERE urivet_ok(url)"
        self.assertEqual(sorted(self.server.sql(query).split()), ["0|t", "1|t"])
        # control: one after the other the first one waits for no lock
        for shard in self.shards:
            shard.sql("ALTER SEQUENCE meeting.bell RESTART")
        self.assertEqual(self.server.sql("SET enable_async_append = off; " + query).split(), ["0|f", "1|t"])

    def test_without_the_extension_there_is_an_error(self) -> None:
        bare = Cluster(Tree(self.place / "bare", None), self.place, "two")
        self.addCleanup(bare.stop)
        self.wrong(2, bare, "does not exist")

    def test_another_release_is_an_error(self) -> None:
        if not (NEXT / "built").exists():
            self.skipTest("make check builds the next release")
        later = self.begin("three", Tree(self.place / "later", NEXT))
        self.wrong(3, later, "another release was asked")

    def wrong(self, n: int, shard: Cluster, said: str) -> None:
        """No answer comes of a query that such a shard has a part in; without that part there is one."""
        shard.sql("CREATE TABLE urls (shard int NOT NULL, url text); INSERT INTO urls VALUES (0, 'http://example.com/')")
        self.attach(self.server, n, shard)
        self.addCleanup(self.server.sql, f"DROP SERVER shard{n} CASCADE")
        for query in ("SELECT count(*) FROM urls WHERE urivet_ok(url)", "SELECT url FROM urls WHERE NOT urivet_ok(url)",
                      "SELECT shard, count(*) FROM urls WHERE urivet_host(url) = 'example.com' GROUP BY shard"):
            self.assertIn(said, self.server.error(query))
        self.assertEqual(self.server.sql("SELECT count(*) > 0 FROM urls WHERE urivet_ok(url) AND shard IN (0, 1)"), "t")
