# SPDX-License-Identifier: Apache-2.0
"""Tests parse --reader, check --readings and explain: the reading of each reader."""

import random
import re
from urllib.parse import unquote_to_bytes

from helper import ABSENT, COMPONENTS, GOOD, JSON_KEYS, NO_COMPONENTS, READERS, Case, escape, finding_ids, run, run_on_terminal

SPLIT = b"http://example.com\\@example.net/"
SHOWPIECE = b"http://www.example.com&story=breaking_news@10.0.0.1/top_story.htm"
READING_KEYS = ["reader", "reads", "components", "host", "port"]


class Reader(Case):
    def parse(self, reader, uri, *options):
        rows = run("parse", "--format=tsv", "--reader=" + reader, *options, "--", uri).rows()
        self.assertEqual(len(rows), 1)
        self.assertEqual(len(rows[0]), 10)
        return rows[0]

    def object(self, reader, uri):
        return run("parse", "--format=json", "--reader=" + reader, "--", uri).objects()[0]

    def assertReads(self, reader, uri, *columns):
        self.assertEqual(self.parse(reader, uri), ["accept", "-", *[ABSENT if c is None else c for c in columns]])

    def assertRefuses(self, reader, uri):
        result = run("parse", "--format=tsv", "--reader=" + reader, "--", uri)
        self.assertEqual((result.code, result.rows()), (1, [["reject", "-", *NO_COMPONENTS]]))

    def test_alike(self):
        """All readers read a plain URI alike."""
        for reader in READERS:
            with self.subTest(reader):
                self.assertReads(reader, b"http://example.com/a?b#c", "http", None, "example.com", None, "/a", "b", "c", "80")

    def test_unknown(self):
        """An unknown reader is a usage error."""
        self.assertUsage(run("parse", "--reader=rfc3987", GOOD), "rfc3987", "rfc3986")
        self.assertUsage(run("check", "--reader=regex", GOOD), "reader")

    def test_not_read(self):
        r"""Input that a reader refuses has \N everywhere, in human format a message, and exit status 1."""
        result = run("parse", "--reader=browser", b"mailto:a@example.com")
        self.assertEqual(result.code, 1)
        self.assertIn(b"browser", result.out)
        self.assertRefuses("browser", b"mailto:a@example.com")

    def test_records(self):
        """Lines are read with the chosen reader too, with any number of jobs."""
        lines = b"".join(b"HTTP:\\\\h%d\\a\n" % i for i in range(3000))
        one = run("parse", "--reader=browser", stdin=lines)
        self.assertEqual([row[4] for row in one.rows()], ["h%d" % i for i in range(3000)])
        self.assertEqual(run("parse", "--reader=browser", "--jobs=4", stdin=lines).out, one.out)

    def test_json(self):
        """JSON is the record of parse, without another key."""
        made = self.object("browser", b"HTTP:\\\\EX.org\\..\\a")
        self.assertEqual(list(made), JSON_KEYS)
        self.assertEqual(made["uri"], "HTTP:\\\\EX.org\\..\\a")
        self.assertEqual(made["components"], dict(zip(COMPONENTS, ["http", None, "ex.org", None, "/a", None, None])))
        self.assertEqual((made["verdict"], made["policy"], made["port"], made["readings"]), ("accept", None, 80, None))

    def test_resolver(self):
        """resolver shows the address that the host resolves to as a number."""
        for host, address in ((b"0x7f.1", "127.0.0.1"), (b"010.0.0.1", "8.0.0.1"), (b"2130706433", "127.0.0.1"), (b"127.1", "127.0.0.1"),
                              (b"[::1]", "::1"), (b"1.2.3.4", "1.2.3.4")):
            with self.subTest(host):
                uri = b"http://" + host + b"/"
                self.assertReads("resolver", uri, "http", None, address, None, "/", None, None, "80")
                self.assertEqual(self.object("resolver", uri)["host"]["address"], address)
                self.assertIn(address.encode(), run("parse", "--reader=resolver", uri).out)

    def test_url_1996_parameters(self):
        """The path column of url-1996 holds path and parameters."""
        self.assertReads("url-1996", b"http://u:p@h:8/a;x?q#f", "http", "u:p", "h", "8", "/a;x", "q", "f", "8")

    def test_registry(self):
        """An authority that is no server is registry-based: all of it is the host."""
        for uri, host in ((b"http://u@a_b:80/", "u@a_b:80"), (b"http://example./", "example.")):
            with self.subTest(uri):
                row = self.parse("uri-2003", uri)
                self.assertEqual(row[3:6], [ABSENT, host, ABSENT])
                self.assertEqual(self.object("uri-2003", uri)["host"], {"kind": "registry", "address": None})
                self.assertIn(b"registry", run("parse", "--reader=uri-2003", uri).out)


class Readings(Case):
    def readings(self, uri, *options):
        result = run("check", "--readings", "--format=json", *options, "--", uri)
        made = result.objects()
        self.assertEqual(len(made), 1)
        return made[0]

    def test_json(self):
        """JSON has one object for each reader, in their order."""
        made = self.readings(GOOD)
        self.assertEqual(list(made), JSON_KEYS)
        self.assertEqual([r["reader"] for r in made["readings"]], READERS)
        for reading in made["readings"]:
            self.assertEqual(list(reading), READING_KEYS)
            self.assertIs(reading["reads"], True)
            self.assertEqual(list(reading["components"]), COMPONENTS)
            self.assertEqual((reading["components"]["host"], reading["port"]), ("example.com", 80))
            self.assertEqual(reading["host"], {"kind": "name", "address": None})

    def test_as_parse(self):
        """Each reading equals the output of parse --reader."""
        for uri in (SPLIT, SHOWPIECE, b"http://0x7f.1:080?a", b"a/b", b"", b"mailto:a@b?c", b"http://\xff@h/\xfe", b"http://a b/"):
            for reading in self.readings(uri)["readings"]:
                with self.subTest(uri=uri, reader=reading["reader"]):
                    alone = run("parse", "--format=json", "--reader=" + reading["reader"], "--", uri).objects()[0]
                    self.assertEqual(alone["verdict"], "accept" if reading["reads"] else "reject")
                    self.assertEqual([alone[k] for k in ("components", "port")], [reading[k] for k in ("components", "port")])
        # a reader that refuses has no components, host or port
        reading = self.readings(b"a/b")["readings"][READERS.index("browser")]
        self.assertEqual(list(reading.values()), ["browser", False, None, {"kind": "none", "address": None}, None])

    def test_disagreement(self):
        """readers-disagree is found, about the authority, in the order of findings, and refuses."""
        for uri, span in ((SPLIT, (7, 24)), (b"http://0x7f.1/", (7, 6))):
            with self.subTest(uri):
                made = self.readings(uri)
                found = [f for f in made["findings"] if f["id"] == "readers-disagree"]
                self.assertEqual(len(found), 1)
                self.assertEqual((found[0]["component"], found[0]["class"], found[0]["number"]), ("authority", "ambiguous", 233))
                self.assertEqual((found[0]["offset"], found[0]["length"]), span)
                self.assertEqual(made["verdict"], "reject")
                places = [(f["offset"], f["number"]) for f in made["findings"]]
                self.assertEqual(places, sorted(places))

    def test_agreement(self):
        """If the readers agree there is no finding, whether they accept or refuse."""
        for uri in (GOOD, b"HTTP://EXAMPLE.com:80", b"http://u@example.com/", b"http://example.com/@example.net", b"mailto:a@b", b"a/b", SHOWPIECE):
            self.assertNotIn("readers-disagree", [f["id"] for f in self.readings(uri)["findings"]], uri)

    def test_on_demand(self):
        """Plain check and filter never find it."""
        self.assertNotIn("readers-disagree", finding_ids(self.row(SPLIT)[1]))
        self.assertNotIn(b"readers-disagree", run("filter", "--rejects=-", stdin=SPLIT + b"\n").err)
        self.assertIsNone(self.object(SPLIT)["readings"])

    def test_status(self):
        """It counts for the exit status, with -q too, and can be allowed."""
        for options, uri, code in (((), SPLIT, 1), ((), GOOD, 0), (("--allow=readers-disagree",), GOOD, 0)):
            result = run("check", "--readings", "-q", *options, uri)
            self.assertEqual((result.code, result.out), (code, b""))

    def test_human(self):
        """The human format names the two readers that disagree."""
        out = run("check", "--readings", SPLIT).out
        self.assertRegex(out, rb"(?m)^(browser|resolver|rfc3986) and (browser|resolver|rfc3986) disagree:$")
        self.assertRegex(out, rb"browser +visits example\.com")
        self.assertRegex(out, rb"resolver +visits example\.net")
        self.assertClean(out)

    def test_usage(self):
        """--readings is an error with TSV, whether by --format or by default, and for request targets."""
        for args, stdin in ((("--format=tsv", GOOD), b""), ((), GOOD + b"\n"), (("--target", b"/a"), b"")):
            self.assertUsage(run("check", "--readings", *args, stdin=stdin), "readings")

    def test_lines(self):
        """Lines give JSON in their order, with any number of jobs."""
        lines = b"".join(b"http://h%d\\@i/\n" % i for i in range(2000))
        one = run("check", "--readings", "--format=json", stdin=lines)
        self.assertEqual([o["uri"] for o in one.objects()], ["http://h%d\\@i/" % i for i in range(2000)])
        self.assertEqual(run("check", "--readings", "--format=json", "--jobs=4", stdin=lines).out, one.out)

    def test_too_long(self):
        """No reader reads an input that is too long."""
        made = self.readings(b"http://example.com/" + b"a" * 9000)
        self.assertIsNone(made["readings"])
        self.assertEqual([f["id"] for f in made["findings"]], ["url-too-long"])
        out = run("explain", b"http://h/" + b"a" * 9000).out
        self.assertEqual([b"What each reader reads" in out, b"it is no URI" in out, b"\n  It is too long to be read.\n" in out], [False, False, True])


HEADS = ["scheme", "userinfo", "host", "port", "connects to", "path", "query", "fragment"]
HOST, PORT, ADDRESS, PATH = 2, 3, 4, 5
PARTS = [[b"http://", b"HTTP://", b"https:", b"x://", b"//", b"http:\\\\"], [b"", b"", b"u@", b"u:p@", b"a\\@"],
         [b"example.com", b"EXA_mple.com.", b"0x7f.1", b"10.0.0.1", b"[::1]", b"", b"a b", b"h\\x", b"h%41", b"a." * 45 + b"example.com"], [b"", b":80", b":081", b":", b":99999"],
         [b"", b"/", b"/a/../b", b"//a", b"/%41%zz", b"\\a", b"/" + b"p" * 90, b"/a b" * 20, b'/"', b"/%22"], [b"", b"?", b"?a[]", b"?x", b'?"'], [b"", b"#", b"#!a", b"#`"]]


def cells_of(reading):
    """Returns the cells of a reading in the table, and what each means: readings that mean the same are one group."""
    parts, host = reading["components"], reading["host"]
    cells = [parts[name] for name in COMPONENTS]
    cells[PORT] = parts["port"] or (parts["port"] if reading["port"] is None else str(reading["port"]))
    cells.insert(ADDRESS, host["address"] or {"name": "by name", "ipvfuture": "nowhere", "registry": "nowhere"}.get(host["kind"]))
    meant = [cell and unquote_to_bytes(cell.encode("latin-1")) for cell in cells]
    meant[:1], meant[HOST:PATH] = [cells[0] and cells[0].lower()], [cells[HOST] and cells[HOST].lower(), reading["port"] or cells[PORT], host["address"]]
    meant[PATH] = b"/" if not cells[PATH] and parts["host"] is not None else meant[PATH]
    return ["(empty)" if cell == "" else cell or "" if k == ADDRESS else escape((cell or "").encode("latin-1")) for k, cell in enumerate(cells)], meant


def cut(text, width, column):
    """Returns a cell of this width: of a host the end is kept, of other texts the beginning."""
    units = re.findall(r"\\x..|.", text)[::-1 if column == HOST else 1]
    while len(text) > width and len("".join(units)) > width - 3:
        units.pop()
    return (text if len(text) <= width else "..." + "".join(units[::-1]) if column == HOST else "".join(units) + "...").ljust(width)


def table_of(readings, most):
    """Returns the lines of the table and its caption, by the objects of all readers in JSON."""
    read = [(reading["reader"], *cells_of(reading)) for reading in readings if reading["reads"]]
    refused = [reading["reader"] for reading in readings if not reading["reads"]]
    groups = [meant for k, (_, _, meant) in enumerate(read) if meant not in [other for _, _, other in read[:k]]]
    columns = [k for k in range(8) if any(cells[k] for _, cells, _ in read)]
    heads = {k: HEADS[k] + "*" * any(meant[k] != groups[0][k] for meant in groups) for k in columns}
    width = {k: max(len(heads[k]), *(len(cells[k]) for _, cells, _ in read)) for k in columns}
    indent = "    " if len(groups) > 1 else "  "
    while len(indent) + 8 + sum(width.values()) + 2 * len(width) > most and any(size > 12 for size in width.values()):
        long = [k for k in columns if width[k] > 12]
        less = [k for k in long if k not in (HOST, PORT, ADDRESS)] or long
        width[max(less, key=width.get)] -= 1
    alike = "all of them the same" if len({tuple(cells) for _, cells, _ in read}) == 1 else "the same, spelled differently"
    caption = "nothing, for all refuse it" if not read else "%d readings, which differ where * stands" % len(groups) if len(groups) > 1 else alike + ", or they refuse it" * bool(refused)
    lines = [indent + "reader".ljust(10) + "  ".join(heads[k].ljust(width[k]) for k in columns)] * bool(read)
    for number, group in enumerate(groups):
        lines += ["  " + (chr(65 + number) + " ") * (len(groups) > 1) + reader.ljust(10) + "  ".join(cut(cells[k], width[k], k) for k in columns)
                  for reader, cells, meant in read if meant == group]
    return ["What each reader reads: " + caption, ""] + [line.rstrip() for line in lines] + [indent + "refused by " + ", ".join(refused)] * bool(refused)


def components_of(made):
    """Returns the lines of the components, by the object of the URI in JSON."""
    kinds, lines = {"ipv4": "IPv4", "ipv6": "IPv6", "ipvfuture": "IPvFuture"}, []
    address = made["readings"][READERS.index("resolver")]["host"]["address"]
    for name in COMPONENTS:
        part = made["components"][name]
        if part is not None:
            host = "  (%s%s)" % (kinds.get(made["host"]["kind"], made["host"]["kind"]), ", address " + address if address else "")
            lines.append("  %-11s%s%s" % (name, escape(part.encode("latin-1")) or "(empty)", host if name == "host" else ""))
        if name == "host" and made["registrable"]:
            lines.append("  domain     %s  (registrable: its owner decides where the host leads)" % made["registrable"])
        if name == "port" and part is None and made["port"] is not None and made["components"]["host"] is not None:
            lines.append("  port       %d  (by default)" % made["port"])
    return lines


class Explain(Case):
    def test_as_json(self):
        """explain shows what check says in JSON: the components, and what each reader reads, also of URIs that most or all refuse."""
        chance = random.Random(7)
        uris = [b"a/b", b"", b"mailto:a@b?c", b"http://u@a_b:80/x", *(b"".join(map(chance.choice, PARTS)) for _ in range(400))]
        objects = run("check", "--readings", "--format=json", "--", *uris).objects()
        human, explained = (run(*words, "--", *uris).out.decode() for words in (("check", "--readings"), ("explain", "--show-secrets")))
        for uri, made, shown in zip(uris, objects, re.split(r"\n(?=(?:accept|reject)  )", explained), strict=True):
            with self.subTest(uri):
                _, components, caption, table, *_ = shown.split("\n\n")
                self.assertEqual([line for line in components.split("\n") if line[:10] != "  shown as"],
                                 components_of(made) if made["components"] else ["  By RFC 3986 it is no URI and has no components."])
                self.assertEqual([line.rstrip() for line in [caption, "", *table.rstrip("\n").split("\n")]], table_of(made["readings"], 100))
                self.assertIn(caption + "\n\n" + table, human)
        uri = b"http://\\u@" + b"a." * 40 + b"example.com:81/" + b"p" * 90
        for columns, most in ((1, 40), (40, 40), (41, 41), (150, 150), (200, 200), (300, 200)):
            out = run_on_terminal("check", "--readings", "--colour=never", uri, columns=columns).out.decode().partition("What each reader reads: ")[2].split("\n")
            wanted = table_of(run("check", "--readings", "--format=json", uri).objects()[0]["readings"], most)[2:]
            self.assertEqual([line.rstrip() for line in out[2:2 + len(wanted)]], wanted, columns)

    def test_showpiece(self):
        """explain shows what a person sees, what a client visits, and what each reader reads."""
        result = run("explain", SHOWPIECE)
        self.assertEqual(result.code, 1)
        lines = result.lines()
        self.assertEqual(lines[0], b"reject  " + SHOWPIECE)
        self.assertRegex(lines[1], rb"^refused by strict: userinfo-misleading\. Nothing: it is an attack")
        self.assertEqual(lines[3], b"  " + SHOWPIECE)
        self.assertEqual(lines[4].index(b"^"), lines[3].index(b"www"))
        self.assertEqual(lines[4].rindex(b"^"), lines[3].index(b"10.0.0.1"))
        self.assertEqual(lines[5].index(b"what a client visits"), lines[3].index(b"10.0.0.1"))
        self.assertEqual(lines[5].index(b"what a person reads"), lines[3].index(b"www"))
        self.assertLessEqual(max(map(len, lines[:1] + lines[2:])), 100)  # but for the reason

    def test_long_lure(self):
        """If that does not fit on a line, it is described in words. A delimiter of a query, a colon or an escape ends the host that a person reads."""
        for octet in b"&%;=:":
            self.assertRegex(run("explain", b"http://www.example.com%c41@10.0.0.1/" % octet).out, rb"(?m)^  what a person reads +www\.example\.com$")
        result = run("explain", b"http://www.example.com&" + b"x" * 200 + b"@10.0.0.1/")
        self.assertRegex(result.out, rb"(?m)^  what a person reads +www\.example\.com$")
        self.assertRegex(result.out, rb"(?m)^  what a client visits +10\.0\.0\.1$")
        for uri in (GOOD, b"http://user@example.com/", b"http://a b/"):
            self.assertNotIn(b"what a person reads", run("explain", uri).out)

    def test_colours(self):
        """Userinfo is highlighted wherever it stands."""
        out = run("explain", "--colour=always", SHOWPIECE).out
        self.assertGreaterEqual(out.count(b"\x1b[1;97;41mwww.example.com&story=breaking_news"), 1 + len(READERS))

    def test_masked(self):
        """A password is masked in every reading, as that reader finds it."""
        for uri in (b"http://alice:hunter2@example.com/", b"http:alice:hunter2@example.com/", b"http:\\\\alice:hunter2@example.com\\",
                    b"http://example.com\\hunter2@example.net/", b"http://alice:hunter2@0x7f.1/?token=hunter2", b"http://alice:hunter2@[::1/"):
            with self.subTest(uri):
                result = run("explain", uri)
                self.assertNotIn(b"hunter2", result.out + result.err)
                self.assertIn(b"hunter2", run("explain", "--show-secrets", uri).out)
        self.assertIn(b"example.com\\x5C@example.net", run("explain", SPLIT).out)

    def test_hostile(self):
        """No reading prints hostile octets raw."""
        for uri in (b"http://h/\x1b[2J", b"http://\xc2\x9b/", b"http://u\x07@h\x08/", "http://\u202e/".encode(), b"\xff\xfe://\x1b/"):
            with self.subTest(uri):
                result = run("explain", uri)
                self.assertClean(result.out)
                self.assertClean(re.sub(rb"\x1b\[[0-9;]*m", b"", run("explain", "--colour=always", uri).out))
