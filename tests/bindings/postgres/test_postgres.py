# SPDX-License-Identifier: Apache-2.0
"""The extension for PostgreSQL, in servers of the test's own."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import unittest
from pathlib import Path

from cluster import PATIENCE, ROOT, Cluster, Tree, as_owner, configured, folder_of_tests, owner

BUILD = ROOT / "build"
URIVET = os.environ.get("URIVET", str(BUILD / "urivet"))
EXTENSION = Path(os.environ.get("URIVET_EXTENSION", BUILD / "postgres"))
NEXT = Path(os.environ.get("URIVET_EXTENSION_NEXT", BUILD / "postgres-next"))
HERE = ROOT / "tests/bindings/postgres"
FINDINGS = 2        # columns of the command's output that the extension says as well


def copied(rows: list[bytes]) -> bytes:
    """The rows as COPY reads them, numbered."""
    def row(octets: bytes) -> bytes:
        for octet, name in ((b"\\", b"\\\\"), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t")):
            octets = octets.replace(octet, name)
        return octets
    return b"".join(b"%d\t%s\n" % (k, row(octets)) for k, octets in enumerate(rows)) + b"\\.\n"


def told_by_command(rows: list[bytes], policy: str) -> list[str]:
    """Verdict and findings of each row, as the command has them."""
    output = subprocess.run([URIVET, "check", "-0", "--format=tsv", "--policy=" + policy],
                            input=b"".join(row + b"\0" for row in rows), capture_output=True, check=False, timeout=PATIENCE)
    lines = output.stdout.decode("ascii").splitlines()
    return ["|".join(line.split("\t")[:FINDINGS]) for line in lines]


class Servers(unittest.TestCase):
    """A folder with one tree and one server, for the tests of a class."""

    OPTIONS = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = folder_of_tests()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.place = Path(cls.folder.name)
        cls.tree = Tree(cls.place / "tree", EXTENSION)
        cls.server = cls.begin("one", cls.tree, cls.OPTIONS)
        cls.release = int(cls.server.sql("SELECT split_part(v, '.', 1)::int * 10000 + split_part(v, '.', 2)::int * 100 +"
                                         " split_part(v, '.', 3)::int FROM urivet_version() AS v"))

    @classmethod
    def begin(cls, name: str, tree: Tree, options: str = "") -> Cluster:
        server = Cluster(tree, cls.place, name, options)
        cls.addClassCleanup(server.stop)
        server.sql("CREATE EXTENSION urivet")
        return server

    def compiled(self, policy: str) -> str:
        """The octets of a policy, in hexadecimal digits; skips the test where the command cannot read its text."""
        source, octets = self.place / "policy.yaml", self.place / "policy.bin"
        source.write_text(policy, encoding="ascii")
        result = subprocess.run([URIVET, "policy", "compile", source, "-o", octets], capture_output=True, check=False, timeout=PATIENCE)
        if b"libyaml-dev" in result.stderr:
            self.skipTest("the command was built without libyaml-dev")
        self.assertEqual(result.returncode, 0, result.stderr)
        return octets.read_bytes().hex()

    def database(self, name: str, more: str = "") -> str:
        self.server.sql(f"CREATE DATABASE {name} TEMPLATE template0 {more}")
        self.server.sql("CREATE EXTENSION urivet", name)
        return name


class Functions(Servers):
    def test_regression(self) -> None:
        """pg_regress: what each function answers."""
        regress = Path(configured("pgxs")).parent.parent / "test/regress/pg_regress"
        out = self.place / "regress"
        out.mkdir()
        if owner():
            shutil.chown(out, owner())
        self.server.sql("CREATE DATABASE regress TEMPLATE template0")
        inputs = self.place / "inputs"      # where the servers' user may read
        shutil.copytree(HERE / "sql", inputs / "sql")
        shutil.copytree(HERE / "expected", inputs / "expected")
        result = as_owner([str(regress), f"--bindir={self.tree.bin}", f"--host={self.server.socket}", "--user=owner",
                           "--dbname=regress", "--use-existing", f"--inputdir={inputs}", f"--outputdir={out}", "urivet"])
        differences = out / "regression.diffs"
        if os.environ.get("URIVET_REGRESS_WRITE"):
            shutil.copy(out / "results/urivet.out", HERE / "expected/urivet.out")
        self.assertEqual(result.returncode, 0, differences.read_text() if differences.exists() else result.stderr)

    def test_another_release_is_an_error(self) -> None:
        self.assertEqual(self.server.sql(f"SELECT urivet_at_ok({self.release}, 'http://example.com/')"), "t")
        for other in (self.release + 1, 0, -1):
            self.assertIn("another release was asked", self.server.error(f"SELECT urivet_at_ok({other}, 'http://example.com/')"))

    def test_the_module_keeps_the_names_of_the_library_inside(self) -> None:
        """Two releases may be in one process."""
        module = next(EXTENSION.glob("urivet-*.so"))
        names = subprocess.run(["nm", "-D", "--defined-only", "--format=just-symbols", module], capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("pg_urivet_ok", names)
        self.assertEqual([name for name in names if not re.match(r"Pg_magic_func$|(pg_finfo_)?pg_urivet_", name)], [])

    def test_a_refusal_is_a_check_violation(self) -> None:
        said = self.server.error("SELECT 'http://a:secret@Example.com/'::safe_url")
        self.assertIn("ERROR:  23514: the URL is refused: userinfo-present", said)
        said = self.server.error("SELECT 'http://Example.com:080/'::safe_url")
        self.assertIn("HINT:  Write http://example.com/", said)
        for tail in ("?q=SECRET", ";q=SECRET", "#SECRET"):
            self.assertNotIn("SECRET", self.server.error(f"SELECT urivet_require('http://Example.com:080/a{tail}')"))

    def test_plans_name_the_release_and_find_indexes(self) -> None:
        self.server.sql("CREATE TABLE planned (url text); CREATE INDEX ON planned (urivet_host(url)) WHERE urivet_ok(url);"
                        "INSERT INTO planned SELECT 'http://h' || i || '.example/' FROM generate_series(1, 2000) AS i; ANALYZE planned")
        plan = self.server.sql("EXPLAIN SELECT 1 FROM planned WHERE urivet_ok(url) AND urivet_host(url) = 'h7.example'")
        self.assertRegex(plan, rf"Index (Only )?Scan|Index Cond: \(urivet_at_host\({self.release}, url\) = 'h7.example'")
        self.assertNotIn("Seq Scan", plan)

    def test_parallel_plans(self) -> None:
        self.server.sql("CREATE TABLE many AS SELECT CASE WHEN i % 10 = 0 THEN 'http://a@b/' ELSE 'http://example.com/' || i END AS url"
                        " FROM generate_series(1, 100000) AS i; ANALYZE many")
        around = "SET max_parallel_workers_per_gather = {}; SET parallel_setup_cost = 0; SET min_parallel_table_scan_size = 0;"
        policies = ("urivet_ok(url)", "urivet_ok(url, urivet_policy('public'))",
                    "urivet_ok(url, (SELECT urivet_policy('public')))")
        for ok in policies:
            count = f"SELECT count(*) FROM many WHERE {ok}"
            self.assertIn("Parallel Seq Scan", self.server.sql(around.format(2) + "EXPLAIN " + count))
            self.assertEqual(self.server.sql(around.format(2) + count), "90000")
            self.assertEqual(self.server.sql(around.format(0) + count), "90000")

    def test_each_rule_of_a_policy_is_judged(self) -> None:
        rules = json.loads((ROOT / "tests/policyfile/rules.json").read_text(encoding="utf-8"))
        policies = [(self.compiled(row["policy"] + "\n"), row["refused"], row["taken"]) for row in rules]
        values = ",".join(f"('\\x{policy}'::bytea, '{refused}', '{taken}')" for policy, refused, taken in policies)
        asked = self.server.sql(f"SELECT urivet_ok(refused, p), urivet_ok(taken, p), (urivet_check(refused, p)).accepted, (urivet_check(taken, p)).accepted"
                                f" FROM (VALUES {values}) AS v(p, refused, taken)")
        self.assertEqual(asked.split(), ["f|t|f|t"] * len(rules))

    def test_nulls_in_every_column(self) -> None:
        """The result of a row does not depend on the rows before it, whichever of its texts is NULL."""
        texts = ("'http://www.example.com/a/../b?c'", "NULL", "'x'", "''", "'https://b.example:8443/#d'")
        rows = [f"SELECT {url}::text AS url, {other}::text AS other" for other in ("'path'", "NULL", "'port'") for url in texts]
        judging = [f"urivet_{name}(url{policy})" for name in ("ok", "findings", "check", "host", "port", "endpoint", "suggest") for policy in ("", ", urivet_policy('public')")]
        for call in (*judging, "urivet_normalise(url)", "urivet_part(url, other)", "urivet_resolve(url, other)", "urivet_resolve(other, url, urivet_policy('any'))"):
            for kept in (rows, rows[::-1]):
                value = f"SELECT coalesce({call}::text, 'NULL') FROM"
                self.assertEqual(self.server.sql(f"{value} ({' UNION ALL '.join(kept)}) AS v"), self.server.sql(";".join(f"{value} ({row}) AS v" for row in kept)), call)


class Page(Servers):
    def test_what_the_page_shows(self) -> None:
        """The domain in three lines, and the error that they lead to."""
        sql, said = re.search(r"```sql\n(CREATE EXTENSION.*?)```\n```\n(.*?)```", (ROOT / "src/bindings/postgres/README.md").read_text(encoding="utf-8"), re.S).groups()
        self.assertEqual(len(sql.splitlines()), 3)
        self.server.sql("DROP EXTENSION urivet")
        answer = self.server.try_sql(sql)
        self.assertEqual(re.sub(r"^psql:.*?: ", "", answer.stderr.decode()), said)


class HostileInput(Servers):
    def test_octets_as_the_command_judges_them(self) -> None:
        """Any octets but NUL, which no text of a database has."""
        database = self.database("ascii", "ENCODING 'SQL_ASCII' LOCALE 'C'")
        count = int(os.environ.get("URIVET_HOSTILE", "60000"))
        generated = subprocess.run(["/usr/bin/python3", "-B", "tests/core/model/generate.py", str(count), "11", "any"], cwd=ROOT,
                                   capture_output=True, check=True, timeout=PATIENCE).stdout
        rows = [row for row in generated.split(b"\0") if row]
        rows += [path.read_bytes() for path in sorted((ROOT / "corpus/regress").glob("*")) if b"\0" not in path.read_bytes()]
        rows += [bytes([octet]) + b"http://a/" for octet in range(1, 256)]
        self.server.sql(b"SET client_encoding = 'SQL_ASCII';\nCREATE TABLE hostile (n int, url text);\nCOPY hostile FROM STDIN;\n" + copied(rows), database)
        for policy in ("strict", "public"):
            answers = self.server.sql(
                f"SELECT CASE WHEN (c).accepted THEN 'accept' ELSE 'reject' END || '|' || coalesce(nullif(array_to_string("
                f"(c).findings, ','), ''), '-') || CASE WHEN (c).accepted = urivet_ok(url, p) THEN '' ELSE ' ok differs' END"
                f" FROM hostile, (SELECT urivet_policy('{policy}') AS p) AS q,"
                f" LATERAL (SELECT urivet_check(url, p) AS c OFFSET 0) AS r ORDER BY n", database).splitlines()
            expected = told_by_command(rows, policy)
            self.assertEqual(len(answers), len(expected))
            wrong = [(row, a, b) for row, a, b in zip(rows, answers, expected) if a != b]
            self.assertEqual(wrong[:3], [])
        self.assertGreater(int(self.server.sql("SELECT count(*) FROM hostile WHERE urivet_ok(url)", database)), len(rows) // 50)
        self.server.sql("SET client_encoding = 'SQL_ASCII'; SELECT urivet_normalise(url), urivet_suggest(url), (urivet_endpoint(url)).url, urivet_part(url, 'path'),"
                        " urivet_resolve('http://a/', url), urivet_resolve(url, 'x') FROM hostile", database)

    def test_encodings(self) -> None:
        """Texts are judged as UTF-8 where they can be converted: each encoding has the same verdicts and spans."""
        utf8 = self.database("utf8")
        latin1 = self.database("latin1", "ENCODING 'LATIN1' LOCALE 'C'")
        euc = self.database("euc", "ENCODING 'EUC_JP' LOCALE 'C'")
        for text, databases in (("http://example.com/é?ü", (utf8, latin1)), ("http://例え.example/", (utf8, euc)),
                                ("http://example.com/plain", (utf8, latin1, euc))):
            answers = {self.server.sql(f"SELECT urivet_check('{text}'), urivet_part('{text}', 'path'),"
                                       f" urivet_normalise('{text}'), urivet_suggest('{text}')", each) for each in databases}
            self.assertEqual(len(answers), 1, answers)
        # what only a policy takes comes back as it went in
        with_raw = self.compiled("base: strict\nallow: [non-ascii]\n")
        for database in (utf8, latin1):
            self.assertEqual(self.server.sql(f"SELECT urivet_ok('http://example.com/é', '\\x{with_raw}'),"
                                             " urivet_part('http://example.com/é', 'path') IS NULL, urivet_resolve('http://a/b', 'é') IS NULL",
                                             database), "t|t|t")
        # a database that does not know what its octets mean judges them as they are
        raw = self.database("raw", "ENCODING 'SQL_ASCII' LOCALE 'C'")
        for octets, length in ((b"\xe9", "{1}"), ("é".encode(), "{2}")):
            self.assertEqual(self.server.sql(b"SET client_encoding = 'SQL_ASCII'; SELECT (urivet_check('http://example.com/" + octets + b"')).lengths",
                                             raw), length)
        self.assertEqual(self.server.sql(b"SET client_encoding = 'SQL_ASCII'; SELECT urivet_ok('http://example.com/\xe9')", raw), "f")

    def test_long_texts(self) -> None:
        """A text of a gigabyte, compressed or not, costs no more than its first octets."""
        most = 1024 * 1024 * 1023
        self.server.sql("CREATE TABLE long (kind text, url text); ALTER TABLE long ALTER url SET STORAGE EXTERNAL")
        self.server.sql("INSERT INTO long VALUES ('external', 'http://example.com/' || repeat('a', 30000000));"
                        "ALTER TABLE long ALTER url SET STORAGE EXTENDED;"
                        f"INSERT INTO long VALUES ('pglz', repeat('http://example.com/', {most // 19 - 1}))")
        self.assertEqual(self.server.sql("SELECT kind, urivet_ok(url), urivet_findings(url), urivet_suggest(url), urivet_part(url, 'host'),"
                                         " urivet_normalise(url), urivet_host(url) FROM long ORDER BY kind"),
                         "external|f|{url-too-long}||||\npglz|f|{url-too-long}||||")
        self.assertIn("url-too-long", self.server.error("SELECT urivet_require(url) FROM long"))
        # the 30 MB lie in some 15,000 pieces, of which a few are read
        self.assertLess(self.blocks("urivet_ok(url)"), 200)
        self.assertGreater(self.blocks("md5(url)"), 3000)

    def blocks(self, value: str) -> int:
        """Pages that are looked at for a value of the 30 MB."""
        plan = self.server.sql(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) SELECT {value} FROM long WHERE kind = 'external'")
        used = re.search(r"Buffers: shared(.*)", plan)
        return sum(int(count) for count in re.findall(r"(?:hit|read)=(\d+)", used[1])) if used else 0

    def test_the_limit_is_one_octet_wide(self) -> None:
        self.server.sql("CREATE TABLE limits (url text); INSERT INTO limits SELECT rpad('http://example.com/', n, 'a') FROM"
                        " generate_series(8190, 8194) AS n")
        self.assertEqual(self.server.sql("SELECT length(url) FROM limits WHERE urivet_ok(url) ORDER BY 1"), "8190\n8191\n8192")

    def test_no_memory(self) -> None:
        """Where a server has no memory left a query fails, and the next one works."""
        limited = self.begin("small", self.tree)
        program = f"ulimit -v 600000; exec {self.tree.bin}/postgres --single -D {limited.data} postgres"
        limited.sql("CREATE TABLE big AS SELECT 'http://example.com/' || repeat('a', 900) AS url FROM generate_series(1, 50); CHECKPOINT")
        limited.stop()
        result = as_owner(["sh", "-c", program],
                          "SELECT count(urivet_normalise(repeat('http://example.com/', 25000000)));\nSELECT count(*) AS served FROM big WHERE urivet_ok(url);\n")
        self.assertIn(b"out of memory", result.stderr, result)
        self.assertIn(b'served = "50"', result.stdout, result)


class Life(Servers):
    """What happens to a database with the extension."""

    def test_dump_and_restore(self) -> None:
        self.database("before")
        self.server.sql("INSERT INTO urivet_policies VALUES ('mine', urivet_policy('public'));"
                        "CREATE TABLE kept (url safe_url, other text);"
                        "SELECT format('ALTER TABLE kept ADD CHECK (urivet_ok(other, %L::bytea))', urivet_policy('mine')) \\gexec\n"
                        "INSERT INTO kept VALUES ('http://example.com/', 'http://www.debian.org/');"
                        "CREATE INDEX ON kept (urivet_host(url)); CREATE INDEX ON kept (url) WHERE NOT urivet_ok(other)", "before")
        dump = self.server.run(str(self.tree.bin / "pg_dump"), "-h", str(self.server.socket), "-U", "owner", "before")
        self.assertIn(b"CREATE EXTENSION", dump)
        self.assertNotIn(b"CREATE DOMAIN", dump)
        self.server.sql("CREATE DATABASE after TEMPLATE template0")
        self.server.sql(dump, "after")
        self.assertEqual(self.server.sql("SELECT name FROM urivet_policies", "after"), "mine")
        for database in ("before", "after"):
            self.assertIn("the URL is refused", self.server.error("INSERT INTO kept VALUES ('http://a@b/')", database))
            self.assertIn("kept_other_check", self.server.error("INSERT INTO kept VALUES (NULL, 'http://10.0.0.1/')", database))
        self.assertEqual(*(self.server.sql("SELECT * FROM kept; SELECT index FROM urivet_indexes ORDER BY 1", each) for each in ("before", "after")))

    def test_a_check_by_name_stops_a_restore(self) -> None:
        """Rows may be restored before policies are: then there is an error, and nothing gets in."""
        self.database("named")
        self.server.sql("INSERT INTO urivet_policies VALUES ('mine', urivet_policy('public'));"
                        "CREATE TABLE kept (url text CHECK (urivet_ok(url, urivet_policy('mine'))));"
                        "INSERT INTO kept VALUES ('http://www.debian.org/')", "named")
        dump = self.server.run(str(self.tree.bin / "pg_dump"), "-h", str(self.server.socket), "-U", "owner", "named")
        self.server.sql("CREATE DATABASE stopped TEMPLATE template0")
        self.assertIn("there is no policy 'mine'", self.server.error(dump, "stopped"))

    def test_a_constraint_that_is_not_valid_stops_no_restore(self) -> None:
        """Rows that a later release refuses come back, as rows did that were there before the constraint."""
        self.database("older")
        self.server.sql("CREATE TABLE kept (url text); INSERT INTO kept VALUES ('http://a@b/');"
                        "ALTER TABLE kept ADD CONSTRAINT safe CHECK (urivet_ok(url)) NOT VALID", "older")
        dump = self.server.run(str(self.tree.bin / "pg_dump"), "-h", str(self.server.socket), "-U", "owner", "older")
        self.server.sql("CREATE DATABASE newer TEMPLATE template0")
        self.server.sql(dump, "newer")
        self.assertEqual(self.server.sql("SELECT url FROM kept", "newer"), "http://a@b/")
        self.assertIn("safe", self.server.error("INSERT INTO kept VALUES ('http://a@b/')", "newer"))
        self.assertIn("safe", self.server.error("ALTER TABLE kept VALIDATE CONSTRAINT safe", "newer"))

    def test_another_schema(self) -> None:
        self.server.sql("CREATE DATABASE elsewhere TEMPLATE template0")
        self.server.sql("CREATE SCHEMA web; CREATE EXTENSION urivet SCHEMA web; CREATE TABLE t (url web.safe_url);"
                        "INSERT INTO t VALUES ('http://example.com/')", "elsewhere")
        self.assertEqual(self.server.sql("SELECT web.urivet_ok(url, web.urivet_policy('public')), (web.urivet_check(url)).accepted FROM t",
                                         "elsewhere"), "t|t")
        self.assertIn("the URL is refused", self.server.error("INSERT INTO t VALUES ('x')", "elsewhere"))

    def test_upgrade(self) -> None:
        """Two releases side by side: a database keeps its release until ALTER EXTENSION."""
        if not (NEXT / "built").exists():
            self.skipTest("make check builds the next release")
        database = self.database("upgraded")
        self.server.sql("CREATE TABLE t (url safe_url); INSERT INTO t VALUES ('http://example.com/');"
                        "CREATE INDEX i ON t (url) WHERE NOT urivet_ok(url); INSERT INTO urivet_policies VALUES ('p', urivet_policy('any'))", database)
        self.tree.install(NEXT)
        try:
            self.assertEqual(self.server.sql("SELECT urivet_ok(url) FROM t", database), "t")
            self.assertEqual(self.server.sql(f"SELECT urivet_at_ok({self.release}, url) FROM t", database), "t")
            message = self.server.try_sql("ALTER EXTENSION urivet UPDATE", database).stderr.decode()
            self.assertIn("REINDEX", message)
            self.assertEqual(self.server.sql(f"SELECT urivet_at_ok({self.release + 1}, url), urivet_ok(url), urivet_ok(url, urivet_policy('p')) FROM t",
                                             database), "t|t|t")
            self.assertIn("another release", self.server.error(f"SELECT urivet_at_ok({self.release}, url) FROM t", database))
            self.server.sql("REINDEX INDEX i; INSERT INTO t VALUES ('http://www.example.com/'); INSERT INTO urivet_policies VALUES ('q', urivet_policy('any'))", database)
            self.assertIn("the URL is refused", self.server.error("INSERT INTO t VALUES ('x')", database))
        finally:
            self.tree.install(EXTENSION)

    def test_a_policy_replaced_while_queries_run(self) -> None:
        """Each query judges by the one or the other, whole: never by half of one, never by none."""
        self.server.sql("INSERT INTO urivet_policies VALUES ('turning', urivet_policy('strict'));"
                        "CREATE TABLE addresses AS SELECT 'http://10.0.0.' || i % 250 || '/' || i AS url FROM generate_series(1, 3000) AS i")
        stop = threading.Event()
        trouble: list[str] = []

        def turn() -> None:
            while not stop.is_set():
                for policy in ("public", "strict"):
                    result = self.server.try_sql(f"UPDATE urivet_policies SET compiled = urivet_policy('{policy}') WHERE name = 'turning'")
                    if result.returncode:
                        trouble.append(result.stderr.decode())

        turner = threading.Thread(target=turn)
        turner.start()
        try:
            seen = self.server.sql("SELECT count(*) FROM addresses WHERE urivet_ok(url, (SELECT urivet_policy('turning')));\n" * 300).split()
        finally:
            stop.set()
            turner.join()
        self.assertEqual(trouble, [])
        self.assertEqual(set(seen), {"0", "3000"})

    def test_cancelled(self) -> None:
        """A long query ends when it is cancelled, and the session goes on."""
        self.server.sql("CREATE TABLE slow AS SELECT 'http://example.com/' || repeat('a', 8000) || i AS url FROM generate_series(1, 20000) AS i")
        said = self.server.try_sql("SET statement_timeout = '200ms';\n\\set ON_ERROR_STOP off\n"
                                   "SELECT count(*) FROM slow a, slow b WHERE urivet_ok(a.url || b.url) AND urivet_host(b.url) IS NULL;\n"
                                   "SET statement_timeout = 0; SELECT urivet_ok('http://example.com/');")
        self.assertIn(b"canceling statement", said.stderr)
        self.assertEqual(said.stdout.strip(), b"t")
