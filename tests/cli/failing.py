#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails each allocation of each command once: the answer is the right one, or an error with status 2.

    failing.py URIVET PRELOAD [NAME...]

PRELOAD is tests/cli/failing.c as a shared object. Each command runs with a small input, once for each allocation
that it makes. What it writes may be shorter than without a failure only if the status is 2 and standard error says
why. Mail is left out, since GLib ends the program if memory is short.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

POLICY = """base: public
hosts:
  deny: [.evil.example.com]
  allow: [.example.com, .example.org]
addresses: {deny: [192.0.2.0/24]}
paths:
  - {prefix: /files/, allow: [escaped-slash]}
parameters:
  next: {rooted: true}
"""
OTHER = POLICY.replace(".evil.example", ".bad.example").replace("/files/", "/docs/")
URL = "http://Example.com:080/a?next=%2Fb"
LINES = b"http://example.com/\nhttp://u:p@example.com/a;b?token=x\nhttp://\xc3\xa9.example/\n"
HTML = b"<base href=http://example.com/><style>a{b:url(c)}</style><a href='d?e'>http://f.example/</a><iframe srcdoc='<a href=x>'>"
CSP = b"default-src https://a.example https://b.example/c\n"
LOG = b"".join(b"/files/%d/a%%2Fb\n" % i for i in range(4))

COMMANDS = {  # name: (arguments, standard input)
    "check": (["check", "--format=json", "--readings"], LINES),
    "check-file": (["check", "--policy-file=a.yaml"], LINES),
    "check-count": (["check", "--count-by=host"], LINES),
    "check-csv": (["check", "--csv", "--column=url", "--with=host,suggestion"], b'id,url\n1,"http://a.example/?""x"""\n'),
    "check-json": (["check", "--json-field=url"], b'{"url":"http:\\/\\/a.example\\/"}\n'),
    "check-targets": (["check", "--target-records", "--params=next"], b"GET example.com /a?next=/b\n"),
    "filter": (["filter", "--rejects=-"], LINES),
    "suggest": (["suggest", "--iri"], LINES),
    "normalise": (["normalise"], LINES),
    "parse": (["parse"], LINES),
    "explain": (["explain", URL], b""),
    "report": (["report", "-o", "-"], LINES),
    "resolve": (["resolve", "http://example.com/a/b", "../c"], b""),
    "compare": (["compare", URL, "http://example.com/"], b""),
    "base": (["base", "--content=page.html"], b""),
    "scan": (["scan", "--format=json"], LINES),
    "scan-html": (["scan", "--html", "--format=sarif"], HTML),
    "scan-markdown": (["scan", "--markup=markdown"], b"[a](http://example.com/) <b href=c>\n"),
    "findings": (["findings", "dot-segment"], b""),
    "policy-check": (["policy", "check", "a.yaml"], b""),
    "policy-show": (["policy", "show", "a.yaml"], b""),
    "policy-compile": (["policy", "compile", "a.yaml", "-o", "-"], b""),
    "policy-diff": (["policy", "diff", "a.yaml", "b.yaml"], b""),
    "policy-explain": (["policy", "explain", "a.yaml", "http://x.evil.example.com/a%2Fb"], b""),
    "policy-explain-accepted": (["policy", "explain", "a.yaml", "http://www.example.com/"], b""),
    "policy-import": (["policy", "import", "--from=csp", "-"], CSP),
    "policy-learn": (["policy", "learn", "--min-clients=0", "--input=log"], b""),
}


class Runner:
    def __init__(self, urivet, preload, folder):
        self.urivet, self.preload, self.folder = urivet, preload, folder
        (folder / "a.yaml").write_text(POLICY)
        (folder / "b.yaml").write_text(OTHER)
        (folder / "page.html").write_bytes(HTML)
        (folder / "log").write_bytes(LOG)

    def run(self, name, number=None, rest=False):
        words, given = COMMANDS[name]
        environment = dict(os.environ, LD_PRELOAD=self.preload, FAILING_COUNT=str(self.folder / ("count-" + name)))
        if number is not None:
            environment["FAILING_ALLOCATION"] = str(number)
            del environment["FAILING_COUNT"]
        if rest:
            environment["FAILING_REST"] = "1"
        return subprocess.run([self.urivet, *words], input=given, capture_output=True, env=environment, cwd=self.folder, timeout=60, check=False)

    def faults(self, name):
        """Returns the runs of a command, and a sentence for each wrong answer."""
        right = self.run(name)
        if right.returncode not in (0, 1):
            return 1, ["%s: status %d: %s" % (name, right.returncode, right.stderr.decode(errors="replace"))]
        count = int((self.folder / ("count-" + name)).read_text())
        wrong = [] if count > 0 else ["%s: no allocation was counted" % name]
        for number in range(1, count + 1):
            for rest in (False, True):
                made = self.run(name, number, rest)
                good = (made.returncode == 2 and made.stderr) or (made.returncode, made.stdout) == (right.returncode, right.stdout)
                if not good:
                    wrong.append("%s: allocation %d%s of %d: status %d, %r" % (name, number, " and all after it" if rest else "", count, made.returncode, made.stderr[-200:]))
        return 2 * count, wrong


def main():
    urivet, preload = (os.path.abspath(word) for word in sys.argv[1:3])
    names = sys.argv[3:] or list(COMMANDS)
    runs, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        runner = Runner(urivet, preload, pathlib.Path(folder))
        for made, faults in pool.map(runner.faults, names):
            runs += made
            wrong += faults
    for fault in wrong[:40]:
        print(fault)
    print("failing: %d runs of %d commands, %d wrong answers" % (runs, len(names), len(wrong)))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
