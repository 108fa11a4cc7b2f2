# SPDX-License-Identifier: Apache-2.0
"""The surface of the package: what it answers, and what becomes of wrong types, sizes and octets."""
from __future__ import annotations

import array
import copy
import ctypes
import gc
import importlib
import logging
import os
import pickle
import re
import resource
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import servers
import urivet
from test_fetching import here

ROOT = Path(__file__).resolve().parents[3]
GOOD, BAD = "https://example.com/a?b", "http://example.com\\@example.net/"
CLIENTS = ("aiohttp", "django", "httpx", "pydantic", "requests", "urllib3")
WRONG = (None, 1, 1.5, True, [], {}, object(), (GOOD,), array.array("H", [104, 116]), memoryview(b"abcd").cast("H"),
         memoryview(array.array("d", [1.0])), memoryview(b"abcd").cast("B", (2, 2)))


class Judging(unittest.TestCase):
    def test_ok(self) -> None:
        self.assertIs(urivet.ok(GOOD), True)
        self.assertIs(urivet.ok(BAD), False)
        self.assertEqual([repr(one) for one in (urivet.check("http://a@b/"), urivet.check(GOOD), urivet.PUBLIC, urivet.check_many([GOOD, BAD, GOOD]))],
                         ["<urivet.Report: reject ('userinfo-present',)>", "<urivet.Report: accept ()>", "<urivet.Policy: public>", "<urivet.Verdicts: 2 of 3 accepted>"])
        for same in (GOOD.encode(), bytearray(GOOD.encode()), memoryview(GOOD.encode()), array.array("B", GOOD.encode())):
            self.assertTrue(urivet.ok(same) and urivet.check(same).ok)

    def test_reports_outlive_what_they_are_about(self) -> None:
        data = bytearray(GOOD.encode())
        report = urivet.Policy.from_yaml("base: public\nhosts: {deny: [x.example]}\n").check(data)
        data[:] = b"\0" * len(data)
        del data
        gc.collect()
        self.assertEqual(report.octets.decode(), GOOD)
        self.assertEqual(report.components.host, "example.com")

    def test_nothing_is_made_by_hand(self) -> None:
        for kind in (urivet.Policy, urivet.Report, urivet.Verdicts):
            self.assertRaises(TypeError, kind)
            self.assertRaises(TypeError, type, "Mine", (kind,), {})
            with self.assertRaises(TypeError):
                kind.ok = lambda *_: True
        with self.assertRaises(AttributeError):
            urivet.check(BAD).ok = True

    def test_logger(self) -> None:
        with self.assertLogs("urivet", logging.WARNING) as logs, self.assertRaises(urivet.Refused):
            raise urivet.Refused.because("a URL", urivet.check("http://u:hunter2@example.com/"))
        self.assertIn("userinfo-present", logs.output[0])
        self.assertNotIn("hunter2", logs.output[0])

    def test_stubs(self) -> None:
        """Each name of the package stands in its stubs, and no other."""
        names = set(urivet.__all__)
        stub = (Path(urivet.__file__).parent / "__init__.pyi").read_text()
        for name in names:
            self.assertRegex(stub, rf"(?m)^(class|def) {name}\b|^{name}\b|\bas {name}\b|, {name}\b")
        for kind in (urivet.Policy, urivet.Report, urivet.Verdicts):
            for name in vars(kind):
                if not name.startswith("_"):
                    self.assertRegex(stub, rf"def {name}\b", f"{kind.__name__}.{name}")
        self.assertTrue((Path(urivet.__file__).parent / "py.typed").exists())


def problems_of(text: str) -> tuple:
    try:
        return urivet.Policy.from_yaml(text)
    except urivet.PolicyError as error:
        return error.problems


def feed(stream: urivet.ScanStream, *pieces: str | bytes) -> list:
    """What is found in each piece and at the end, with how many octets are decided."""
    return [(*(one[:4] for one in (stream.close() if piece is None else stream.feed(piece))), stream.decided) for piece in (*pieces, None)]


def closed(stream: urivet.ScanStream) -> urivet.ScanStream:
    stream.close()
    return stream


class Answers(unittest.TestCase):
    maxDiff = None

    def test_answers(self) -> None:
        names = {**vars(urivet), "array": array.array, "GOOD": GOOD, "BAD": BAD, "policy": urivet.Policy.from_yaml, "feed": feed, "closed": closed,
                 "problems": problems_of, "copied": copy.copy, "big_endian": lambda *numbers: (ctypes.c_int32.__ctype_be__ * len(numbers))(*numbers)}
        modules = {"urllib", *filter(here, CLIENTS)}
        names |= {name: importlib.import_module(f"urivet.{name}") for name in modules}
        for line in Path(__file__).with_name("answers.tsv").read_text(encoding="utf-8").splitlines():
            asked, _, wanted = line.partition("\t")
            if re.split(r"\W", asked)[0] in set(CLIENTS) - modules or '"markdown"' in asked and not here("markdown_it", "linkify_it"):
                continue
            with self.subTest(asked):
                try:
                    answer = repr(eval(asked, names)) if wanted else wanted
                except Exception as error:
                    answer = f"{type(error).__name__}: {error}" if ": " in wanted else type(error).__name__
                self.assertEqual(answer, wanted)


class BadInput(unittest.TestCase):
    def test_types(self) -> None:
        asked = [urivet.ok, urivet.check, urivet.PUBLIC.ok, urivet.PUBLIC.check, urivet.scan, urivet.normalise,
                 urivet.display, urivet.parameters, urivet.PUBLIC.suggest_iri, urivet.PUBLIC.check_target,
                 urivet.PUBLIC.check_address, urivet.Policy.from_yaml, urivet.Policy.compiled,
                 lambda one: urivet.resolve(one, "x"), lambda one: urivet.resolve("http://a/", one),
                 lambda one: urivet.compare(one, "x"), lambda one: urivet.compare("x", one),
                 lambda one: urivet.PUBLIC.check_redirect(one, GOOD), lambda one: urivet.PUBLIC.check_redirect("/", one),
                 lambda one: urivet.check_many([GOOD, one]),
                 lambda one: urivet.PUBLIC.check_target("/", host=one if one is not None else 1)]
        for ask in asked:
            for wrong in WRONG:
                with self.assertRaises(TypeError, msg=f"{ask} {wrong!r}"):
                    ask(wrong)
            self.assertRaises(TypeError, ask)

    def test_surrogates(self) -> None:
        lenient = urivet.Policy.from_yaml("base: any\nallow: [non-ascii, forbidden-char, bad-escape]\n")
        for text in ("http://example.com/\ud800", "http://example.com/?\udcff", "\udc80"):
            for policy in (urivet.STRICT, urivet.PUBLIC, urivet.ANY, urivet.GATEWAY, lenient):
                self.assertFalse(policy.ok(text))
                self.assertIn("field-unreadable", policy.check(text).ids)
                self.assertEqual(policy.check_many([text, GOOD]).tolist(), [False, True])
                self.assertFalse(policy.parameters(text))
            self.assertIsNone(urivet.normalise(text))
            self.assertIsNone(urivet.resolve("http://a/", text))
            self.assertIsNone(urivet.STRICT.suggest_iri(text).result)
            for names in ([text], ["a", text], [text, "a"]):
                self.assertRaises(ValueError, urivet.parameters, GOOD, names)
        self.assertTrue(lenient.ok("http://example.com/é"))  # the near miss

    def test_a_gigabyte(self) -> None:
        huge = "a" * (1 << 30)
        self.assertFalse(urivet.ok(huge))
        report = urivet.PUBLIC.check(huge)
        self.assertEqual(report.ids, ("url-too-long",))
        self.assertIsNone(report.suggestion)
        self.assertLess(len(report.to_json()), 2000)
        self.assertFalse(urivet.parameters(huge))
        del huge, report


class Policies(unittest.TestCase):
    def test_files(self) -> None:
        for path in sorted((ROOT / "src/examples/policies").glob("*.yaml")):
            policy = urivet.Policy.load(path)
            again = urivet.Policy.compiled(policy.compile())
            self.assertEqual(again.compile(), policy.compile())
            self.assertEqual(urivet.Policy.from_yaml(policy.to_yaml()).to_yaml(), policy.to_yaml())
            for url in (GOOD, "https://hooks.example.com/x", "http://10.0.0.1/"):
                self.assertEqual(policy.check(url).ids, again.check(url).ids)
        hooks = urivet.Policy.load(str(ROOT / "src/examples/policies" / "webhooks.yaml"))
        self.assertEqual((hooks.name, hooks.base, hooks.observes), ("webhooks", "public", False))
        self.assertTrue(hooks.ok("https://hooks.example.com/x") and not hooks.ok("https://example.com/"))

    def test_faults(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wrong = Path(folder, "\udc81")
            wrong.write_text("nokey: 1\n", encoding="ascii")
            for path in (f"{folder}/none.yaml", folder, f"{folder}/\udc80", str(wrong)):
                with self.assertRaises(urivet.PolicyError) as caught:
                    urivet.Policy.load(path)
                self.assertEqual([problem[0] for problem in caught.exception.problems], [path])

    def test_blobs(self) -> None:
        """Cut, lengthened, of another version, with any bit turned over: refused, or never more than it was."""
        blob = urivet.Policy.from_yaml("base: public\nhosts: {deny: [evil.example]}\n").compile()
        self.assertTrue(urivet.Policy.compiled(blob).ok(GOOD))
        for octet in range(0, len(blob), 7):
            turned = bytearray(blob)
            turned[octet] ^= 1 << octet % 8
            with self.assertRaises(urivet.PolicyError, msg=octet):
                urivet.Policy.compiled(turned)
            if octet >= 8:  # after the magic number
                self.assertRaisesRegex(urivet.PolicyError, "is no YAML", urivet.Policy.from_yaml, bytes(turned))

    def test_pickle(self) -> None:
        policy = urivet.Policy.from_yaml("base: public\nhosts: {deny: [evil.example]}\nmode: observe\n")
        for again in (pickle.loads(pickle.dumps(policy)), copy.copy(policy), copy.deepcopy(policy)):
            self.assertEqual(again.compile(), policy.compile())
            self.assertTrue(again.observes)
            self.assertFalse(again.check("https://evil.example/").enforced or again.ok("https://evil.example/"))

    def test_parameters(self) -> None:
        """Rules of the policy for parameters are judged by every method; tests/policyfile/one_judge.py asks more of them."""
        policy = urivet.Policy.build(base="public", parameters={"next": {"rooted": True}, "body": {"allow": ["escaped-crlf"]}})
        self.assertEqual(urivet.Policy.from_yaml(policy.to_yaml()).to_yaml(), policy.to_yaml())
        for query, ids in {"next=/x": (), "next=x": ("param-refused",), "body=%0A": (), "body=%0A&x=%0A": ("escaped-crlf",),
                           "body=%0A&next=x": ("param-refused",)}.items():
            url = f"https://example.com/?{query}"
            for report in (policy.check(url), policy.check_redirect(f"/?{query}", url), policy.check_target(f"/?{query}", host="example.com"),
                           policy.parameters(url, ["other"])):
                self.assertEqual(report.ids, ids, url)
        with self.assertRaisesRegex(ValueError, "has parameters itself"):
            urivet.STRICT.parameters(GOOD, ["url"], policy=policy)


class ExactBuffers(unittest.TestCase):
    @unittest.skipUnless("libasan" in os.environ.get("LD_PRELOAD", ""), "needs a build with AddressSanitizer")
    def test_overread(self) -> None:
        """A text is judged in a block of its size: the control reads one octet beyond it, which is noticed."""
        for call in ("ok('http://a/')", "check('http://a/')", "check_target('/a', host='a')"):
            made = subprocess.run([sys.executable, "-c", f"import urivet; urivet.GATEWAY.{call}"], capture_output=True, check=False,
                                  env=dict(os.environ, URIVET_OVERREAD="python"))
            self.assertIn(b"heap-buffer-overflow", made.stderr, call)


class Many(unittest.TestCase):
    URLS = [GOOD, BAD, "", "http://10.0.0.1/", "https://example.org/é", "https://example.org/"] * 5

    def test_alike(self) -> None:
        for policy in (urivet.STRICT, urivet.PUBLIC, urivet.ANY):
            expected = [policy.ok(url) for url in self.URLS]
            octets = [url.encode() for url in self.URLS]
            offsets = [sum(map(len, octets[:k])) for k in range(len(octets) + 1)]
            data = b"".join(octets)
            for many in (policy.check_many(self.URLS), policy.check_many(tuple(octets)), policy.check_many(iter(self.URLS)),
                         policy.check_many("\n".join(self.URLS).encode()), policy.check_many(b"\0".join(octets) + b"\0",
                                                                                           separator=b"\0"),
                         policy.check_many(data, array.array("i", offsets)),
                         policy.check_many(bytearray(data), array.array("q", offsets)),
                         policy.check_many(memoryview(data), array.array("i", offsets).tobytes()),
                         policy.check_many(data, array.array("q", offsets).tobytes(), large=True)):
                self.assertEqual(many.tolist(), expected)
                self.assertEqual((len(many), many.accepted, many[-1]), (len(expected), sum(expected), expected[-1]))

    def test_empty(self) -> None:
        for many in (urivet.check_many([]), urivet.check_many(b""), urivet.check_many(b"", b""),
                     urivet.check_many(b"", array.array("i", [0]))):
            self.assertEqual((len(many), many.bitmap, many.tolist()), (0, b"", []))
        self.assertEqual(urivet.check_many(b"\n\n").tolist(), [False, False])

    def test_wrong(self) -> None:
        for wrong in ("one str", None, 1, [None], [GOOD, 1], object()):
            self.assertRaises(TypeError, urivet.check_many, wrong)
        for offsets in (array.array("I", [0, 1]), array.array("h", [0, 1]), array.array("d", [0.0]), [0, 1], "x", 1,
                        memoryview(array.array("i", [0, 1, 2, 3])).cast("B").cast("i", (2, 2))):
            self.assertRaises(TypeError, urivet.check_many, b"abc", offsets)

    def test_offsets_outside(self) -> None:
        data = GOOD.encode()
        self.assertEqual(urivet.check_many(data, array.array("q", [-2**63, 2**63 - 1, 0, len(data)])).tolist(),
                         [False, False, True])

    def test_strided(self) -> None:
        self.assertRaises((TypeError, BufferError), urivet.check_many, memoryview(b"abcdef")[::2])

    def test_the_lock_is_released(self) -> None:
        """Another thread counts while one batch is judged."""
        data, counted, done = (GOOD + "\n").encode() * 400000, [], threading.Event()

        def count() -> None:
            while not done.is_set():
                counted.append(None)
                done.wait(0.0005)

        other = threading.Thread(target=count)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(100)  # the lock changes hands where it is released, and nowhere else
        try:
            other.start()
            before = len(counted)
            self.assertEqual(urivet.check_many(data).accepted, 400000)
            during = len(counted) - before
        finally:
            done.set()
            sys.setswitchinterval(interval)
            other.join(10)
        self.assertGreater(during, 3)


class Running(unittest.TestCase):
    def test_threads(self) -> None:
        policy = urivet.Policy.from_yaml("base: public\nhosts: {deny: [evil.example]}\n")
        wrong = []

        def judge() -> None:
            for _ in range(3000):
                if not policy.ok(GOOD) or "host-denied" not in policy.check("https://evil.example/").ids:
                    wrong.append(1)
                if policy.check_many([GOOD, BAD]).tolist() != [True, False]:
                    wrong.append(2)

        ours = [threading.Thread(target=judge) for _ in range(4)]
        for thread in ours:
            thread.start()
        for thread in ours:
            thread.join(60)
        self.assertEqual(wrong, [])

    @unittest.skipIf("PYTHONMALLOC" in os.environ, "the sanitizer keeps what is freed")
    def test_memory(self) -> None:
        """Many calls of every kind leave nothing behind."""
        policy, path = urivet.Policy.from_yaml("base: public\n"), ROOT / "src/examples/policies/webhooks.yaml"

        def calls(times: int) -> None:
            for k in range(times):
                url, bad, octets = f"{GOOD}{k}", f"{BAD}{k}", f"{GOOD}{k}".encode()  # one that is kept is a block more
                urivet.ok(url)
                report = policy.check(bad)
                report.findings, report.suggestion, report.components, report.ids, report.to_json()
                policy.check(url).endpoint
                policy.check_redirect("/x", url)
                policy.check_many([url, bad, octets])
                policy.parameters("https://a.example/?u=http%3A%2F%2F10.0.0.1", ["u"]).parameters
                urivet.scan(url)
                policy.ok("http://\ud800/")
                if k % 20 == 0:
                    urivet.ScanStream(policy).feed(url), urivet.Policy.load(path), urivet.Policy.compiled(policy.compile()), urivet.Policy.from_yaml(policy.to_yaml()), urivet.catalogue()
                    urivet.display(bad), urivet.normalise(url), urivet.resolve(url, "x"), urivet.compare(url, bad), urivet.explain(bad), report.__reduce__(), policy.__reduce__()
                    policy.suggest_iri("http://\xe9/" + url), policy.check_target(url, octets, bad), urivet.check_many(octets, array.array("i", [0, k])), urivet.check_many(octets), policy.check_address(octets[-4:]), policy.check_address(url)
                    [getattr(one, name) for one in (policy, report, policy.check(url), urivet.check_many([url])) for name in dir(one)]
                for wrong in (lambda: policy.check(None), lambda: urivet.check_many([None])):
                    try:
                        wrong()
                    except TypeError:
                        pass
            gc.collect()

        calls(3000)
        before, blocks = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sys.getallocatedblocks()
        calls(20000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 1500)
        self.assertLess(sys.getallocatedblocks() - blocks, 700)  # a leak of the rarer calls is 1000

    def test_interpreters(self) -> None:
        """Each interpreter has a module of its own."""
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            self.skipTest("this Python has no interpreters to make")
        for _ in range(3):
            one = interpreters.create()
            interpreters.run_string(one, f"import sys; sys.path[:0] = {sys.path!r}\nimport urivet\n"
                                         f"assert urivet.ok({GOOD!r}) and not urivet.check({BAD!r})\n"
                                         f"assert urivet.PUBLIC.check({GOOD!r}).endpoint.port == 443\n")
            interpreters.destroy(one)
        self.assertTrue(urivet.ok(GOOD))
        self.assertIs(type(urivet.check(GOOD)), urivet.Report)


class Build(unittest.TestCase):
    def test_no_injection(self) -> None:
        """A string stays one string, whatever stands in it."""
        hostile = ["evil.example]}\nbase: any\n#", "x\"]}, \"base\": \"any\", \"y\": {\"z\": [\"", "a\\", "*a", "&a", "!!python/x", "{}", "[]",
                   "a: b", "- a", "<<", "yes", "~", "\0", "\x85", "\u2028", "\ufeff", "\ud800", "\U0001f600", "'", "\t", "%YAML 1.2", "..."]
        for text in hostile:
            for settings in ({"hosts": {"deny": [text]}}, {"name": text}, {"refuse": [text]}, {"addresses": {"allow": [text]}},
                             {text: "any"}, {"hosts": {text: ["x"]}}):
                try:
                    policy = urivet.Policy.build(**{"base": "public", **settings})
                except urivet.PolicyError:
                    continue
                self.assertEqual((policy.base, policy.name), ("public", settings.get("name", policy.name)))
                self.assertFalse(policy.ok("http://10.0.0.1/"))
                self.assertFalse(policy.ok("ftp://example.com/"))
        # the control: pasted into YAML, the first of them is another policy
        pasted = urivet.Policy.from_yaml(f"hosts: {{deny: [{hostile[0]}")
        self.assertEqual(pasted.base, "any")

    def test_bad_input(self) -> None:
        circle: list = []
        circle.append(circle)
        for settings in ({"hosts": {"deny": [None]}}, {"hosts": {"deny": {"x"}}}, {"hosts": {1: ["x"]}}, {"limits": {"length": 1.5}},
                         {"name": b"x"}, {"hosts": object()}):
            self.assertRaises(TypeError, urivet.Policy.build, **settings)
        self.assertRaises(RecursionError, urivet.Policy.build, schemes=circle)
        for settings in ({}, {"base": "pubic"}, {"deny": ["x"]}, {"include": ["/etc/passwd"]}, {"mode": True},
                         {"limits": {"length": "100"}}, {"ports": {"https": [True]}}, {"hosts": "x"}, {"limits": {"length": 10**30}}):
            self.assertRaises(urivet.PolicyError, urivet.Policy.build, **settings)


class Clients(unittest.TestCase):
    def test_missing(self) -> None:
        """A module whose client is missing names the package to install."""
        for name in CLIENTS:
            program = f"import sys; sys.modules[{name!r}] = sys.modules['anyio'] = None; import urivet.{name}"
            made = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
            self.assertEqual(made.returncode, 1)
            self.assertIn(f"pip install {name} (Debian: apt-get install python3-{name})".encode(), made.stderr.splitlines()[-1])


class Page(unittest.TestCase):
    def test_programs(self) -> None:
        """The functions of src/bindings/python/README.md."""
        may_redirect, refused_links = servers.program("may_redirect"), servers.program("refused_links")
        registered = ["https://app.example.com/callback"]
        self.assertTrue(may_redirect(registered[0], registered))
        for uri in ("https://app.example.com/callback/", "HTTPS://app.example.com/callback", "", "https://app.example.com\\@evil.example/"):
            self.assertFalse(may_redirect(uri, registered))
        self.assertFalse(may_redirect("http://a@b/", ["http://a@b/"]))
        self.assertEqual(refused_links("see https://www.wikipedia.org/ and http://10.0.0.1/x, www.python.org"), ["http://10.0.0.1/x"])

    def test_chat_filter(self) -> None:
        """The function of src/bindings/python/README.md that makes the Markdown of a model safe."""
        safe_markdown = servers.program("safe_markdown")
        for text, made in (("[a](https://www.wikipedia.org/) \u00e9", "[a](https://www.wikipedia.org/) \u00e9"),
                           ("![a](http://10&#46;0.0.1/?q=1)", "a (`http://10.0.0.1/?q=1`)"),
                           ("[www.paypal.com](https://www.wikipedia.org/)", "`www.paypal.com` (`https://www.wikipedia.org/`)")):
            self.assertEqual("".join(safe_markdown(text)), made.replace("`www.paypal.com`", "www&#46;paypal&#46;com"))

    def test_streamed_chat(self) -> None:
        """The function of src/bindings/python/README.md that filters pieces of a text."""
        shown = servers.program("shown")
        for text, made in (("see https://www.wikipedia.org/, \u00e9", "see https://www.wikipedia.org/, \u00e9"),
                           ("\u00e9 http://10.0.0.1/, http://u@h/\uff0c", "\u00e9 [link removed], [link removed]\uff0c"),
                           ("(http://10.0.0.1/)", "([link removed])"), ("http:", "http:"), ("", "")):
            for size in range(1, len(text) + 2):
                pieces = [text[at:at + size] for at in range(0, len(text), size)]
                self.assertEqual("".join(shown(iter(pieces))), made, size)
        # text is shown while it comes
        self.assertEqual(list(shown(iter(["one tw", "o http://10.0.0.1/", " three"])))[:2], ["one ", "two "])


class Stream(unittest.TestCase):
    def test_a_position_outside_the_text(self) -> None:
        """The part that ScanStream calls refuses positions that do not lie in the octets."""
        for kept in ((b"", 1, 0), (b"http://h/", 100, 0), (b"", -1, 0), (b"", 0, -1)):
            self.assertRaises(ValueError, urivet._urivet._scan_part, kept, b"", 1, None)

    def test_bounds(self) -> None:
        """A URL without an end is refused once it is too long, and is not kept."""
        policy = urivet.Policy.from_yaml("base: public\nlimits: {length: 300}\n")
        stream = urivet.ScanStream(policy)
        self.assertEqual(stream.feed("see https://example.com/"), [])
        self.assertEqual(stream.feed("a" * 280), [])
        self.assertEqual(stream.decided, 4)
        (found,) = stream.feed("a")
        self.assertEqual((found.start, found.end, found.report.ids), (4, 305, ("url-too-long",)))
        for _ in range(1000):
            self.assertEqual(stream.feed("a" * 100), [])
            self.assertLessEqual(len(stream._state[0]), 308)

    def test_bad_input(self) -> None:
        stream = urivet.ScanStream()
        for wrong in WRONG:
            self.assertRaises(TypeError, stream.feed, wrong)
        self.assertEqual(stream.feed("http://a/"), [])
        self.assertEqual([found.uri for found in stream.close()], ["http://a/"])
        for call in (stream.close, lambda: stream.feed("x")):
            self.assertRaises(ValueError, call)


class Pickle(unittest.TestCase):
    def test_reports(self) -> None:
        """A report is pickled as its question, which is asked again."""
        policy = urivet.Policy.from_yaml("base: public\nhosts: {deny: [evil.example]}\n")
        mutable, view = bytearray(b"http://evil.example/"), memoryview(b"http://10.0.0.1/")
        reports = [
            *(policy.check(uri) for uri in ("http://a/", b"http://evil.example/x", mutable, view, "http://x/\ud800", "", "\xe9")),
            policy.check_redirect("//evil.example/", base=b"http://example.com/", same_origin=True),
            policy.check_redirect("/\udc80", "http://example.com/"),
            policy.check_redirect("a b", "http://example.com/"),
            policy.check_target(b"/a%2fb", "GET", host=mutable, scheme="https", port=443),
            policy.check_target("/", host_unknown=True),
            *(policy.check_address(*one) for one in (("10.0.0.1", 80), (bytearray(4), 443), ("fe80::1", 80, 2), ("x",))),
            policy.parameters("http://example.com/?u=http://evil.example/", ["u"], policy=urivet.STRICT, decode=2),
            policy.parameters("/?u=//x/", (b"u", bytearray(b"v")), target=True, host="example.com"),
            policy.parameters("http://example.com/?next=//evil.example/", "next"),
        ]
        mutable[:] = b"http://good.example/"
        for report in reports:
            again = pickle.loads(pickle.dumps(report))
            self.assertEqual(again.to_json(), report.to_json())
            self.assertEqual((again.ok, again.findings, again.parameters, again.form, again.octets),
                             (report.ok, report.findings, report.parameters, report.form, report.octets))
            self.assertEqual(again.policy.compile(), policy.compile())
        self.assertFalse(pickle.loads(pickle.dumps(policy.check("http://evil.example/"))).ok)
        once = policy.parameters("http://example.com/?u=x", (name for name in ("u",)))
        self.assertRaises(TypeError, pickle.dumps, once)
