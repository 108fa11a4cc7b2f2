# SPDX-License-Identifier: Apache-2.0
"""Tests suggest, which prints the unambiguous spelling of the same resource, if there is one."""


from helper import GOOD, Case, core, run, unescape

SPELLINGS = [
    (b"HTTP://EXAMPLE.com", b"http://example.com/"),
    (b"http://example.com:80/%41/../b", b"http://example.com/b"),
    (b"https://example.com:0443/", b"https://example.com/"),
    (b"http://[2001:DB8:0:0:0:0:0:1]/", b"http://[2001:db8::1]/"),
    (GOOD, GOOD),
]
NONE = [
    b"http://user@example.com/", b"http://user:password@example.com/",  # userinfo
    b"http://0x7f.1/", b"http://010.0.0.1/", b"http://2130706433/", b"http://127.1/",  # odd IPv4
    b"http://example.com\\a", b"http://example.com/a\\b", b"http:\\\\example.com/",  # backslash
    b"http://example.com/a\x01b", b"http://example.com/a\tb", b"http://example.com/\x7f", b"http://exa\x1bmple.com/",  # controls
]


class Suggest(Case):
    def test_formats(self):
        r"""human, the default for arguments, prints the spelling alone; TSV has accept, -, the spelling; JSON has uri, verdict
        and result, in this order. Without a spelling: reject, -, \N, null, and exit status 1."""
        for uri, spelling in (*SPELLINGS, *((uri, None) for uri in NONE)):
            with self.subTest(uri):
                human, tsv, made = run("suggest", uri), run("suggest", "--format=tsv", uri), run("suggest", "--format=json", uri)
                self.assertEqual([result.code for result in (human, tsv, made)], [int(spelling is None)] * 3)
                self.assertEqual(human.out, b"" if spelling is None else spelling + b"\n")
                self.assertEqual(tsv.out, b"reject\t-\t\\N\n" if spelling is None else b"accept\t-\t" + spelling + b"\n")
                self.assertEqual(list(made.objects()[0].items()), [("uri", uri.decode()), ("verdict", "reject" if spelling is None else "accept"),
                                                                   ("result", spelling and spelling.decode())])

    def test_lines(self):
        """Lines of standard input are TSV, one line per input, in order."""
        inputs = [uri for uri, _ in SPELLINGS] + NONE
        result = run("suggest", "-0", stdin=b"".join(uri + b"\0" for uri in inputs))
        self.assertEqual(result.code, 1)
        self.assertEqual(result.lines(), [b"accept\t-\t" + s for _, s in SPELLINGS] + [b"reject\t-\t\\N"] * len(NONE))
        self.assertEqual(run("suggest", "--input=" + self.file(b"HTTP://EXAMPLE.com\n")).out, b"accept\t-\thttp://example.com/\n")

    def test_accepted(self):
        """Each built-in policy accepts what suggest offers by it, for all inputs of the corpus, and the suggestion
        for it is the same."""
        corpus = core.ROOT / "corpus"
        inputs = {record for folder in ("uri", "gate", "findings", "regress", "cover") for path in (corpus / folder).rglob("*")
                  if path.is_file() for record in path.read_bytes().split(b"\0")}
        inputs |= {b"HTTPS://EXAMPLE.COM:443?a=%7E", b"http://example.com/a/./b/%2e%2e/c", b"http://example.com:080", b"http://EX.org/a%2fb"}
        for policy in ("strict", "public", "any", "gateway"):
            rows = run("suggest", "-0", "--policy=" + policy, stdin=b"\0".join(sorted(inputs))).rows()
            offered = b"\0".join(unescape(row[2]) for row in rows if row[0] == "accept")
            self.assertGreater(offered.count(b"\0"), 100)
            self.assertEqual([row for row in run("check", "-0", "--policy=" + policy, stdin=offered).rows() if row[0] != "accept"], [])
            self.assertEqual(b"\0".join(unescape(row[2]) for row in run("suggest", "-0", "--policy=" + policy, stdin=offered).rows()), offered)

    def test_octets(self):
        """Octets that no URI may contain are percent-encoded, one as the other: RFC 3986, 2.1 and 2.2."""
        for octet in b"\"<>[]^`{|} ":
            uri = b"https://example.com/a%cb?config=%cx" % (octet, octet)
            self.assertEqual(run("suggest", uri).out, b"https://example.com/a%%%02Xb?config=%%%02Xx\n" % (octet, octet))

    def test_secrets(self):
        """A message masks passwords, also if the input is cut before the @."""
        for uri in (b"https://u:hush@example.com/", b"https://u:hush@example.com/\xff", b"https://u:hush" + b"a" * 9000 + b"@example.com/"):
            for options in ((), ("--iri",)):
                result = run("suggest", *options, uri)
                self.assertIn(b"https://u:****", result.err)
                self.assertNotIn(b"hush", result.out + result.err)

    def test_as_in_check(self):
        """The suggestion equals that of check in JSON for refused input."""
        for uri in [uri for uri, _ in SPELLINGS[1:4]] + NONE[:8]:
            self.assertEqual(self.object(uri)["suggestion"], run("suggest", "--format=json", uri).objects()[0]["result"], uri)

    def test_clean(self):
        """Nothing hostile is printed raw."""
        for uri in (b"http://example.com/\x1b[2J", b"http://EXAMPLE.com/\xc3\xa9", b"HTTP://example.com/\xff"):
            with self.subTest(uri):
                for form in ("human", "tsv"):
                    result = run("suggest", "--format=" + form, uri)
                    self.assertIn(result.code, (0, 1))
                    self.assertTrue(result.out or form == "human")
                    self.assertClean(result.out)
                    self.assertClean(result.err)
