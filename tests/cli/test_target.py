# SPDX-License-Identifier: Apache-2.0
"""Tests check --target and filter --target: the inputs are HTTP request targets."""

from helper import Case, escape, finding_ids, run


class Target(Case):
    def test_forms(self):
        """--target=HOST gives the host of the request; * is a target for OPTIONS, and host and port for CONNECT. No target is a URI."""
        for target, *options in ((b"/a?b", "--target=example.com"), (b"*", "--target", "--method=OPTIONS"), (b"example.com:443", "--target", "--method=CONNECT")):
            self.assertAccepts(target, *options)
            self.assertRefuses(target)

    def test_fragment(self):
        """A request target has no fragment, in whatever form."""
        for target in (b"/a#b", b"/#", b"/a?b#c", b"http://example.com/a#b"):
            with self.subTest(target):
                self.assertRefuses(target, "--target")
                self.assertIn("fragment-in-target", finding_ids(self.row(target, "--target")[1]))

    def test_lines(self):
        """Lines of input may be request targets: one row of ten columns each."""
        result = run("check", "--target", stdin=b"/a?b\n/\nhttp://example.com/\n*\n/a#b\n")
        self.assertEqual(result.code, 1)
        rows = result.rows()
        self.assertEqual([r[0] for r in rows], ["accept"] * 3 + ["reject"] * 2)
        self.assertEqual({len(r) for r in rows}, {10})


class Context(Case):
    """Options about the request beside its target."""

    def ids(self, target, *options):
        """Returns the findings of a target; by default the target is judged alone."""
        if not any(option.startswith("--target") for option in options):
            options = ("--target", *options)
        return finding_ids(self.row(target, *options)[1])

    def test_values(self):
        """--method takes a token (RFC 9110, 5.6.2), --scheme http or https, --port 1 to 65535; messages are clean."""
        for option, said, bad, good in (
                ("--method=", "--method takes a token", ("A B", "", " GET", "GET ", "G/T", "G(T", "G\tT", "G\r\nX", "G\x7fT", "G\u00c9T", "G:T", "G,T", "\"GET\"", "G@T", "\x1b[31mG"),
                 ("GET", "get", "M-SEARCH", "!#$%&'*+-.^_`|~09Az")),
                ("--scheme=", "--scheme takes http or https", ("", "HTTP", "ftp", "ws", "http:", "https "), ("http", "https")),
                ("--port=", "--port takes a number from 1 to 65535", ("0", "65536", "", "-1", "+80", "8o", "80 ", "4294967376", "99999999999999999999"), ("1", "80", "65535", "08443"))):
            for value in bad:
                result = run("check", "--target", option + value, b"/")
                self.assertUsage(result, said, escape(value.encode()).replace("\\x20", " "))
                self.assertClean(result.err)
            for value in good:
                self.assertAccepts(b"/", "--target", option + value)

    def test_needs_targets(self):
        """Options about the request need --target."""
        for command in ("check", "filter"):
            for option in ("--scheme=http", "--port=80", "--method=GET"):
                self.assertUsage(run(command, option, stdin=b"/\n"), option.split("=")[0], "needs --target or --target-records")

    def test_only_check_and_filter(self):
        """Other commands do not take --target."""
        for command in ("parse", "explain", "suggest", "scan"):
            for option in ("--target", "--target-records", "--scheme=http", "--port=80", "--method=GET"):
                self.assertUsage(run(command, option, b"/"), "takes no option")

    def test_port_of_the_listener(self):
        """The Host field may name the port of the listener, whatever it is, and no other port."""
        self.assertAccepts(b"/", "--target=x.example:8443", "--port=8443")
        self.assertAccepts(b"/", "--target=x.example:8443", "--port=8443", "--scheme=https")
        self.assertEqual(self.row(b"/", "--target=x.example:8443", "--port=8443")[9], "8443")
        for options in ((), ("--port=8444",), ("--scheme=https",), ("--port=443", "--scheme=https")):
            self.assertIn("port-nondefault", self.ids(b"/", "--target=x.example:8443", *options), options)

    def test_host_missing(self):
        """--target= means a request with an empty Host field; --target judges the target alone."""
        self.assertAccepts(b"/", "--target")
        self.assertRefuses(b"/", "--target=")
        self.assertEqual(sorted(self.ids(b"/", "--target=")), ["host-empty", "host-missing"])
        self.assertNotIn("host-missing", self.ids(b"/", "--target=h.example"))

    def test_gateway_example(self):
        """The policy for gateways refuses targets that proxies and servers read differently."""
        self.assertAccepts(b"/ids?ids[]=1", "--target=h.example", "--policy=gateway", "--scheme=https", "--port=443", "--method=POST")
        self.assertRefuses(b"/pub/..%3B/admin", "--target=h.example", "--policy=gateway")

    def test_help(self):
        """The help names the options."""
        for command in ("check", "filter"):
            for option in (b"--target[=HOST]", b"--target-records", b"--method=NAME", b"--scheme=SCHEME", b"--port=N"):
                self.assertIn(b"  " + option, run(command, "--help").out)

    def test_near_names(self):
        """A misspelled option gets a suggestion."""
        self.assertUsage(run("check", "--target-record", b"/"), "did you mean '--target-records'?")


class Filter(Case):
    def test_target(self):
        """filter takes targets, too: accepted ones are copied, refused ones are reported."""
        text = b"/a\n/a#b\n*\n/\xff\n/c?d"
        result, rejects = self.filtered(text, "--target=h.example")
        self.assertEqual((result.code, result.out, result.err), (1, b"/a\n/c?d", b""))
        written = [line.decode("ascii").split("\t") for line in rejects.splitlines()]
        checked = [row for row in run("check", "--target=h.example", stdin=text).rows() if row[0] == "reject"]
        self.assertEqual([row[:10] for row in written], checked)
        self.assertEqual([row[10:] for row in written], [["2", "/a#b"], ["3", "*"], ["4", escape(b"/\xff")]])

    def test_not_urls(self):
        """With --target URLs are not judged as URLs; without it paths are not judged as targets."""
        self.assertEqual(run("filter", stdin=b"/a\n").out, b"")
        self.assertEqual(run("filter", "--target", stdin=b"http://h.example/#f\n").out, b"")
        self.assertEqual(run("filter", stdin=b"http://h.example/#f\n").out, b"http://h.example/#f\n")

    def test_context(self):
        """filter takes the options about the request, like check."""
        text = b"*\n/a\nh.example:443\n"
        for method, passed in (("OPTIONS", b"*\n/a\n"), ("CONNECT", b"h.example:443\n"), ("GET", b"/a\n")):
            self.assertEqual(run("filter", "--target=h.example:443", "--method=" + method, stdin=text).out, passed, method)

    def test_too_long(self):
        """A target above the limit is refused, and is not read further."""
        for length, passed in ((8192, True), (8193, False), (300_000, False)):
            line = b"/" + b"a" * (length - 1) + b"\n"
            result = run("filter", "--target", "--rejects=-", stdin=line)
            self.assertEqual(result.out, line if passed else b"")
            self.assertEqual(result.err, b"" if passed else b"reject\turl-too-long" + b"\t\\N" * 8 + b"\t1\t" + line)
