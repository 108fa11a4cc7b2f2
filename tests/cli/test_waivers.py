# SPDX-License-Identifier: Apache-2.0
"""Tests --allow, which waives findings, and --refuse, which raises notes."""

import itertools

from helper import GOOD, Case, content, core, finding_ids, run

# Findings that say why another one is there, which they waive with themselves.
BESIDE = {"query-nested-brackets": {"forbidden-char"}, "addr": {"addr-not-global"}}
WAIVABLE = {"forbidden-char", "non-ascii", "query-nested-brackets", "bad-escape"}  # the malformed ones that can be waived


class Allow(Case):
    def test_waives(self):
        """--allow=ID waives a finding."""
        for uri, name in ((b"http://example.com:8080/", "port-nondefault"), (b"http://user@example.com/", "userinfo-present"),
                          (b"http://example.com/a/../b", "dot-segment"), (b"http://example.com/%41", "escaped-unreserved"),
                          (b"http://example.com./", "host-trailing-dot"), (b"http://example.com/%1B", "escaped-control"),
                          (b"http://example.com/a/..%5Cb", "escaped-slash-dot"), (b"http://example.com/a%2Fb", "escaped-slash"),
                          (b"HTTP://example.com/", "scheme-case"), (b"http://example.com/%252E", "double-escape")):
            with self.subTest(uri):
                self.assertRefuses(uri)
                self.assertAccepts(uri, "--allow=" + name)

    def test_others(self):
        """Only the findings that are named are waived; --allow=ID,ID names several."""
        uri = b"http://user@example.com:8080/"
        for waived, bad in ((b"port-nondefault", [uri, b"http://user@example.com/"]), (b"userinfo-present", [uri]),
                            (b"scheme-not-allowed", [b"gopher://example.com/"])):
            for one in bad:
                self.assertRefuses(one, b"--allow=" + waived)
        self.assertAccepts(uri, "--allow=userinfo-present,port-nondefault")
        self.assertAccepts(b"foo://example.com/", "--allow=scheme-not-allowed")

    def test_names(self):
        """An id must be known, complete and in lower case, also among others, in either option."""
        for option, name in (("--allow=port-nondefault,no-such-id,dot-segment", "no-such-id"), ("--refuse=host-case,no-such-id", "no-such-id"),
                             *(("--allow=" + name, name) for name in ("port", "port-nondefaul", "port-nondefaultt", "PORT-NONDEFAULT"))):
            self.assertUsage(run("check", option, GOOD), name)

    def test_malformed(self):
        """A waiver that names a malformed finding is an error, except for four of them."""
        malformed = [row[0] for row in run("findings", "--format=tsv").rows() if row[2] == "malformed"]
        self.assertGreater(len(malformed), 10)
        self.assertLessEqual(WAIVABLE, set(malformed))
        for name in malformed:
            with self.subTest(name):
                result = run("check", "--allow=" + name, GOOD)
                if name in WAIVABLE:
                    self.assertEqual(result.code, 0, result)
                else:
                    self.assertUsage(result, name)

    def test_not_waivable(self):
        """The same holds for filter, and for url-too-long."""
        self.assertUsage(run("filter", "--allow=control-char", stdin=GOOD + b"\n"), "control-char")
        self.assertUsage(run("check", "--allow=url-too-long", GOOD), "url-too-long")

    def test_waived_input_parses(self):
        """With the waiver the input parses, so its components are shown."""
        self.assertEqual(self.row(b"http://example.com/a|b?%zz#\xc3\xa9", "--allow=forbidden-char,bad-escape,non-ascii")[2:9],
                         ["http", "\\N", "example.com", "\\N", "/a|b", "%zz", "\\xC3\\xA9"])


class Metamorphic(Case):
    def test_a_waiver_turns_only_what_it_names(self):
        """For each finding that can be waived, on the command line and in a policy file: what the waiver accepts was refused
        for that finding alone."""
        parts = [b"", b"u@", b"a..", b"1.", b"%61"], [b"", b":8080", b":080"], [b"/%2e./", b"//", b"/;x/..;/", b"/%2F", b"/%5c", b"/%00", b"/a|b", b"/%zz", b"/%E9"], \
            [b"", b"?a[0]", b"?%0a", b"?u=//x", b"#%23", b"?a#\xc3\xa9"]
        urls = [b"http://%sb.example%s%s%s" % each for each in itertools.product(*parts)]
        urls += [uri for uri in (file.read_bytes() for file in sorted((core.ROOT / "corpus/findings").glob("*/*"))) if b"\0" not in uri]
        given = b"".join(url + b"\0" for url in urls)
        for policy in ("strict", "public", "gateway"):
            refused = [{f["id"] for f in one["findings"] if f["refuses"]} for one in
                       run("check", "--null", "--format=json", "--policy=" + policy, stdin=given).objects()]
            self.assertEqual(len(refused), len(urls))
            turned = 0
            for name in sorted(set().union(*refused)):
                file = self.file("base: %s\nallow: [%s]\n" % (policy, name))
                for options in (["--policy=" + policy, "--allow=" + name], ["--policy-file=" + file]):
                    result = run("check", "--null", *options, stdin=given)
                    for url, before, row in zip(urls, refused, result.rows() if result.code < 2 else ()):
                        turned += row[0] == "accept" and before != set()
                        if row[0] == "accept":
                            self.assertLessEqual(before, {name} | BESIDE.get("addr" if name.startswith("addr") else name, set()), (policy, url))
            self.assertGreater(turned, 100)


class Refuse(Case):
    def test_raises(self):
        """--refuse=ID makes a note refuse."""
        for uri, name in ((b"http://EXAMPLE.com/", "host-case"), (b"http://example.com/a//b", "path-double-slash"),
                          (b"http://example.com/a%25", "escaped-percent"), (b"http://example.com", "path-empty")):
            with self.subTest(uri):
                self.assertAccepts(uri)
                self.assertRefuses(uri, "--refuse=" + name)
                self.assertIn(name, finding_ids(self.row(uri, "--refuse=" + name)[1]))

    def test_others(self):
        """--refuse=ID,ID raises several; other inputs and other notes stay accepted."""
        for uri in (b"http://EXAMPLE.com/", b"http://example.com"):
            self.assertRefuses(uri, "--refuse=host-case,path-empty")
        self.assertAccepts(b"http://example.com", "--refuse=host-case")
        self.assertAccepts(GOOD, "--refuse=host-case")


class Both(Case):
    """Findings that are both allowed and refused."""

    INPUT = {"check": (GOOD,), "filter": (), "explain": (GOOD,), "suggest": (GOOD,), "resolve": (GOOD, b"a"),
             "scan": ()}

    def assertBoth(self, args, name, command="check"):
        result = run(command, *args, *self.INPUT[command], stdin=GOOD + b"\n")
        self.assertUsage(result, name + " is both allowed and refused")
        self.assertEqual(result.out, b"")

    def test_one(self):
        """A finding that is allowed and refused is a usage error, in either order, also if it cannot be allowed at all; one in both lists
        is enough, at any position, also if an option is given twice or its list is the next argument."""
        pairs = [["--allow=" + name, "--refuse=" + name] for name in ("host-case", "userinfo-present", "port-default", "addr-loopback", "scheme-plaintext", "dot-segment",
                                                                       "forbidden-char", "url-too-long", "control-char")]
        lists = (["--allow=host-case,path-empty", "--refuse=path-empty"], ["--allow=path-empty", "--refuse=query-empty,path-empty"],
                 ["--allow=path-empty,host-case", "--refuse=path-empty,query-empty"], ["--refuse=query-empty", "--refuse=path-empty", "--allow=path-empty"],
                 ["--allow=path-empty", "--allow=host-case", "--refuse=path-empty"])
        for name, args in (*((pair[0][8:], pair) for pair in pairs), *(("path-empty", args) for args in lists)):
            for order in (args, args[::-1]):
                self.assertBoth(order, name)
        self.assertBoth(["--allow", "path-empty", "--refuse", "query-empty,path-empty"], "path-empty")

    def test_near_misses(self):
        """Different findings, or one finding named twice in one option, are no error."""
        for args in (["--allow=host-case", "--refuse=path-empty"], ["--allow=host-case,host-case"],
                     ["--refuse=path-empty", "--refuse=path-empty"],
                     ["--allow=host-case,dot-segment", "--refuse=path-empty,query-empty"]):
            self.assertEqual(run("check", *args, GOOD).code, 0, args)

    def test_commands(self):
        """Every command that judges reports the error, and writes nothing."""
        for command in self.INPUT:
            self.assertBoth(["--allow=host-case", "--refuse=host-case"], "host-case", command)

    def test_rejects_are_kept(self):
        """filter does not truncate the rejects in that case."""
        path = self.file(b"kept")
        self.assertUsage(run("filter", "--allow=host-case", "--refuse=host-case", "--rejects=" + path,
                             stdin=GOOD + b"\n"), "host-case")
        self.assertEqual(content(path), b"kept")

    def test_over_a_policy(self):
        """Findings that a built-in policy refuses may be allowed, and others refused; both for one finding is
        always an error."""
        uri = b"http://example.com/a;b/c"
        self.assertRefuses(uri, "--policy=gateway")
        self.assertAccepts(uri, "--policy=gateway", "--allow=path-semicolon")
        self.assertAccepts(uri, "--policy=strict")
        self.assertRefuses(uri, "--policy=strict", "--refuse=path-semicolon")
        for policy in ("gateway", "strict"):
            self.assertBoth(["--policy=" + policy, "--allow=path-semicolon", "--refuse=path-semicolon"],
                            "path-semicolon")

    def test_over_a_file(self):
        """The command line overrides the file; both options for one finding stay an error, and so does a
        faulty file."""
        refusing, allowing, both = map(self.file, ('refuse: ["host-case"]', 'allow: ["userinfo-present"]',
                                                   'allow: ["host-case"]\nrefuse: ["host-case"]'))
        self.assertRefuses(b"http://EXAMPLE.com/", "--policy-file=" + refusing)
        self.assertAccepts(b"http://EXAMPLE.com/", "--policy-file=" + refusing, "--allow=host-case")
        self.assertAccepts(b"http://u@example.com/", "--policy-file=" + allowing)
        self.assertRefuses(b"http://u@example.com/", "--policy-file=" + allowing, "--refuse=userinfo-present")
        for path in (refusing, allowing):
            for name in ("host-case", "userinfo-present"):
                self.assertBoth(["--policy-file=" + path, "--allow=" + name, "--refuse=" + name], name)
        for options in ((), ("--allow=host-case",), ("--refuse=host-case",)):
            self.assertUsage(run("check", "--policy-file=" + both, *options, GOOD),
                             'finding "host-case" is both allowed and refused')
