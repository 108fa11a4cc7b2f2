# SPDX-License-Identifier: Apache-2.0
"""Tests that the examples of the manual run as printed, and give the promised results."""

import gzip
import os
import re
import shutil
import subprocess

from helper import TIMEOUT, URIVET, Case, content, environment, lacks, needs, skip_if_lacking, write_file

MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "cli", "manual")

URLS = """http://example.com/
HTTP://EXAMPLE.com:80
http://user@evil.com/
https://a_b.example.org/
https://www.python.org/
https://host.corpx/
http://10.0.0.1/
"""
ACCESS = """10.1.1.1 - - [24/Nov/2026:10:00:00 +0000] "GET /go?u=http%3A%2F%2F10.0.0.1%2F HTTP/1.1" 302 0 "-" "x"
10.1.1.1 - - [24/Nov/2026:10:00:01 +0000] "GET /go?u=%252F%252Fevil.com HTTP/1.1" 302 0 "https://a.com/" "x"
10.1.1.1 - - [24/Nov/2026:10:00:02 +0000] "GET /go?u=%2Fhome HTTP/2.0" 302 0 "-" "x"
10.1.1.1 - - [24/Nov/2026:10:00:03 +0000] "GET /go?u=http%3A%2F%2F10.0.0.1%2F HTTP/1.1" 302 0 "-" "x"
"""
MAIL = "From a@a.example Tue Nov 24 10:00:00 2026\nContent-Type: text/html\n\n<a href=http://evil.example/>https://bank.example/</a>\n"
PAGES = '{"page":{"url":"HTTP://b.example/"}}\n{"page":{"url":"http://c.example/"}}\n'
FILES = {
    "urls.txt": URLS,
    "access.log": ACCESS,
    "access.json": '{"request":"GET \\/a?next=%2F%2Fevil.com HTTP\\/1.1","status":302}\n{"request":"GET \\/ HTTP\\/1.1","status":200}\n',
    "notes.txt": "see http://example.com/ and http://user@evil.com/\n",
    "requests.log": "GET shop.example:8443 /a\nGET shop.example:8443 /a/../b\n",
    "inbox.mbox": MAIL,
    "pages.jsonl": PAGES,
    "a.jsonl": PAGES,
    "proxy.conf": "base: public\n",
    "old.yaml": "base: strict\n",
    "new.yaml": "base: public\n",
}

# For each page: the beginning of a command, and a part of its output; None: no output. A part that ends in a
# tab or LF is a whole column or line.
EXPECTED = {
    "urivet.1": [
        ("urivet explain 'http://example.com\\", "browser   visits example.com, port 80"),
        ("urivet check -q --", None),
        ("urivet filter --input=urls.txt", None),
    ],
    "urivet-base.1": [("urivet base --retrieved", "http://example.com/b/\n")],
    "urivet-check.1": [
        ("urivet check -q --policy-file=proxy.conf", None),
        ("urivet check --readings", "readers-disagree"),
        ("urivet check --target=example.com '/a/../b'", "refused: ambiguous: dot-segment"),
        ("urivet check --count-by=finding", "userinfo-present"),
        ("urivet check < urls.txt | cut -f 2 | sort", "4 -\n"),
        ("urivet check < urls.txt | awk", "3\treject\tuserinfo-present\t"),
        ("urivet check --refuse=host-unknown-tld", "1\n"),
        ("urivet check --allow=host-underscore", "1\n"),
    ],
    "urivet-compare.1": [("urivet compare HTTP://", "scheme\n")],
    "urivet-explain.1": [("urivet explain 'http://example.com:080/'", "port-leading-zero")],
    "urivet-filter.1": [
        ("urivet filter -q --input=urls.gz", None),
        ("urivet filter -q --rejects=/dev/stdout < urls.txt | cut -f 2,11,12", "userinfo-present\t3\thttp://user@evil.com/\n"),
        ("urivet filter -q --rejects=/dev/stdout < urls.txt | cut -f 12 |", "evil.com\t1\n"),
        ("urivet filter --observe", URLS),
    ],
    "urivet-findings.1": [("urivet findings userinfo-misleading", "userinfo-misleading")],
    "urivet-input.5": [
        ("urivet check --csv --column=url", None),
        ("urivet check --json-field=page.url", '{"u":"HTTP://b.example/","h":"b.example","s":"http://b.example/"}'),
        ("urivet filter --json-field=page.url", None),
    ],
    "urivet-normalise.1": [
        ("urivet normalise --level=scheme < urls.txt | cut -f 3 | sort -u", "http://example.com/\nhttp://user@evil.com/\n"),
        ("urivet normalise --level=scheme < urls.txt | cut -f 3 | paste", "http://example.com/\tHTTP://EXAMPLE.com:80\n"),
    ],
    "urivet-parse.1": [("urivet parse --reader=browser", "host       ex.org  (name)\n")],
    "urivet-policy.1": [
        ("urivet policy show new.yaml", "base: public\n"),
        ("urivet policy diff --input=urls.txt old.yaml new.yaml", "http://10.0.0.1/"),
        ("urivet policy diff --format=tsv", "http://10.0.0.1/\n"),
        ("urivet policy explain", "\nalso: ['http://10.0.0.1/$']\n"),
        ("urivet policy learn", None),
    ],
    "urivet-report.1": [("urivet report urls.txt", None), ("awk '{ print $4, $5, $7 }' access.log", None)],
    "urivet-requests.7": [
        ("urivet check --policy=gateway --target-records", "reject\tdot-segment\t"),
        ("urivet check --policy=gateway --target=app.example.com", "parameter next: refused: //evil.example"),
    ],
    "urivet-resolve.1": [
        ("urivet resolve --policy=strict", "https://example.com/b\n"),
        ("urivet resolve --policy=public --same-origin", "https://evil.example/\n"),
    ],
    "urivet-scan.1": [
        ("urivet scan --format=tsv notes.txt", "reject\tuserinfo-present\t"),
        ("urivet scan --mail", "1 1 http://evil.example/\n"),
        ("urivet scan --policy=gateway --params='*' --params-decode=2", None),
        ("jq -r .request access.json", "next=%2F%2Fevil.com"),
    ],
    "urivet-serve.8": [
        ("urivet serve --from=nginx", None),
        ("echo '1 GET http://10.0.0.1/ -' | urivet serve --squid", "1 ERR log=addr-not-global,addr-private message=not-allowed\n"),
    ],
    "urivet-suggest.1": [("urivet suggest 'HTTP://EXAMPLE", "http://example.com/b\n"), ("printf 'http://fa", "disagree:U+00DF@9")],
}


def examples(name):
    """Returns the commands in a page's section EXAMPLES, those of one block together."""
    section = re.search(r"^\.Sh EXAMPLES\n(.*?)^\.Sh ", content(os.path.join(MANUAL, name)).decode(), re.S | re.M)
    if section is None:
        return []
    found = []
    literal = None
    for line in section[1].splitlines(keepends=True):
        if line.startswith(".Bd -literal"):
            literal = ""
        elif line.startswith(".Ed"):
            found.append(literal)
            literal = None
        elif literal is not None:
            literal += line
        elif line.startswith(".Dl "):
            found.append(line[4:])
    return [text.replace("\\(dq", '"').replace("\\-", "-").replace("\\e", "\\").rstrip("\n") for text in found]


class Examples(Case):
    def setUp(self):
        self.room = self.folder()
        for name, text in FILES.items():
            write_file(os.path.join(self.room, name), text)
        with gzip.open(os.path.join(self.room, "urls.gz"), "wt", encoding="ascii") as made:
            made.write(URLS)
        with gzip.open(os.path.join(self.room, "links.csv.gz"), "wt", encoding="ascii") as made:
            made.write("id,url,when\r\n1,http://b.example/,2026-11-24T10:00:00Z\r\n")
        if shutil.which("zstd"):
            subprocess.run(["zstd", "-q", os.path.join(self.room, "a.jsonl"), "-o", os.path.join(self.room, "b.jsonl.zst")], check=True)
        os.symlink(URIVET, os.path.join(self.room, "urivet"))

    def shell(self, command):
        env = environment(uri="https://www.python.org/", PATH=self.room + ":" + os.environ["PATH"], LC_ALL="C")
        return subprocess.run(["sh", "-c", command], cwd=self.room, env=env, capture_output=True, timeout=TIMEOUT, check=False)

    def test_each(self):
        """Examples are checked in the order of each page, and all of them."""
        for page in sorted(set(os.listdir(MANUAL)) | set(EXPECTED)):
            commands = examples(page)
            expected = EXPECTED.get(page, [])
            self.assertEqual(len(commands), len(expected), (page, commands))
            for command, (begins, part) in zip(commands, expected):
                with self.subTest(page=page, command=command):
                    self.assertTrue(command.startswith(begins), command)
                    self.check(command, part)

    def test_readme(self):
        """The commands with data of README.md run as printed."""
        page = content(os.path.join(MANUAL, "..", "..", "..", "README.md")).decode()
        commands = re.search(r"^## With data\n\n```sh\n(.*?)^```", page, re.S | re.M)[1].splitlines()
        parts = [None, None, "target\n", "link-text-mismatch", None]
        self.assertEqual(len(commands), len(parts))
        for command, part in zip(commands, parts):
            with self.subTest(command):
                self.check(command, part)

    def check(self, command, part):
        """A command that listens is not run."""
        if "--listen" in command:
            return
        for mark, tool in (("jq", "jq"), (".zst", "zstd")):
            if mark in command and lacks(tool):
                self.skipTest("needs " + tool)
        result = self.shell(command)
        skip_if_lacking(2, result.stderr)
        self.assertIn(result.returncode, (0, 1), result)
        self.assertFalse(result.stderr.replace(b"urivet: hint", b"") and b"cross-origin" not in result.stderr, result)
        if part is not None:
            self.assertIn(part, re.sub(r"^ +", "", result.stdout.decode("ascii"), flags=re.M), result)

    @needs("jq")
    def test_log(self):
        """The attacks of a log: three of four requests, and their results."""
        command = next(text for text in examples("urivet-scan.1") if "--params-decode=2" in text)
        lines = self.shell(command).stdout.decode("ascii").splitlines()
        self.assertEqual([line.split("\t")[11] for line in lines[:3]], ["1", "2", "4"])
        self.assertEqual([line.split() for line in lines[3:]], [["2", "http://10.0.0.1/"]])
