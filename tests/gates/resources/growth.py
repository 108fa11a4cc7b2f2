#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Work of the command on hostile input, by counting instructions: no clock, no other load on the machine.

    growth.py URIVET [NAME...]

For every format, each dimension (depth, count, length, repetition) grows twofold five times. The work for an octet
may not grow by more than 15 % from one size to the next, unless the run ends with status 2 and a sentence that names
the limit. The control is an input whose work is known to be quadratic: libgumbo's, below that limit.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DOUBLINGS = 5
GROWTH = 1.15
LIMITS = re.compile(rb"too much|too many|too deep|more than|longer than|at most|not read|nested|beyond|within one another|limit")
CONTROL = "html-depth-control"
# Shapes for which a library of others is not linear, and the most instructions an octet up to the limit of the command:
# GMime compares the parameters of a field pairwise, and a field has at most 32 KiB.
BOUNDED = {"mail-parameters": 20000}


def nested_mail(levels):
    mail = b"Content-Type: text/plain\nContent-Type: text/plain; x=y\n\nhttp://h/\n"
    for _ in range(levels):
        mail = (b"Content-Type: message/rfc822\nContent-Type: message/rfc822; x=y\nContent-Transfer-Encoding: quoted-printable\n\n" +
                mail.replace(b"=", b"=3D"))
    return mail


def mail(*fields, body=b"http://h/\n"):
    return b"".join(field + b"\n" for field in fields) + b"\n" + body


CHECK, HTML, MAIL, MARKDOWN = ["check"], ["scan", "--html"], ["scan", "--mail"], ["scan", "--markup=markdown"]
POLICY, JSON, CSV = ["policy", "check", "-"], ["check", "--json-field=a"], ["check", "--csv", "--column=url"]

# name: (arguments, the input of size n, the first n)
SHAPES = {
    CONTROL: (HTML, lambda n: b"<div>" * n, 400),
    "html-count": (HTML, lambda n: b"<a href=http://h/>x</a>" * n, 200),
    "html-attributes": (HTML, lambda n: b"<a href=http://h/ title=x><b>y</b></a>" * n, 200),
    "html-css": (HTML, lambda n: b"<style>" + b"a{b:url(x)}\r\n" * n + b"</style>", 200),
    "html-css-replaced": (HTML, lambda n: b"<style>" + b"\xffurl(x)" * n + b"</style>", 200),
    "html-length": (HTML, lambda n: b"<a href=http://h/" + b"x" * n + b">", 4000),
    "html-srcdoc": (HTML, lambda n: b"<iframe srcdoc='<a href=x>'></iframe>" * n, 50),
    "html-text": (HTML, lambda n: b"<a href=http://h/>" + b"a.b" * n + b"</a>", 2000),
    "markdown-links": (MARKDOWN, lambda n: b"[a](http://h/) " * n, 200),
    "markdown-lines": (MARKDOWN, lambda n: b"[a](http://h/)\n\n" * n, 200),
    "markdown-text": (MARKDOWN, lambda n: b"http://h/ x\n" * n, 300),
    "mail-levels": (MAIL, nested_mail, 8),
    "mail-fields": (MAIL, lambda n: mail(b"Content-Type: text/plain", *[b"Subject: x"] * n), 200),
    "mail-equal": (MAIL, lambda n: mail(*[b"Content-Type: text/plain"] * n), 200),
    "mail-parameters": (MAIL, lambda n: mail(b"Content-Type: text/plain" + b"".join(b";a%d=b" % i for i in range(n))), 50),
    "mail-parts": (MAIL, lambda n: mail(b"Content-Type: multipart/mixed; boundary=b", body=b"--b\n\nhttp://h/\n" * n), 100),
    "mail-messages": (MAIL, lambda n: b"From a\nSubject: x\n\nhttp://h/\n" * n, 50),
    "mail-html": (MAIL, lambda n: mail(b"Content-Type: text/html", body=b"<a href=http://h/>\n" * n), 200),
    "csv-rows": (CSV, lambda n: b"id,url\n" + b"1,http://h/\n" * n, 500),
    "csv-columns": (CSV, lambda n: b"url" + b",b" * n + b"\nhttp://h/" + b",c" * n + b"\n", 1000),
    "csv-quotes": (CSV, lambda n: b'url\n"' + b'""' * n + b'"\n', 2000),
    "json-rows": (JSON, lambda n: b'{"a":"http://h/"}\n' * n, 300),
    "json-members": (JSON, lambda n: b"{" + b'"b":1,' * n + b'"a":"http://h/"}\n', 1000),
    "json-repeated": (JSON, lambda n: b"{" + b'"a":1,' * n + b'"a":"http://h/"}\n', 1000),
    "json-depth": (JSON, lambda n: b'{"b":' + b"[" * n + b"]" * n + b',"a":"x"}\n', 7),
    "json-escapes": (JSON, lambda n: b'{"a":"' + b"\\u0041" * n + b'"}\n', 500),
    "logs-lines": (["report", "-o", "-"], lambda n: b"".join(b"http://h%d.example/\n" % i for i in range(n)), 300),
    "logs-count": (["check", "--count-by=host"], lambda n: b"".join(b"http://h%d.example/\n" % i for i in range(n)), 500),
    "logs-learned": (["policy", "learn", "--min-clients=0", "--min-share=0", "--input=-"],
                     lambda n: b"".join(b"/%s/a%%2Fb%d\n" % (b"/".join(b"%d" % (i // 3**k % 3) for k in range(12, 0, -1)), i) for i in range(n)), 3200),
    "lines-percent": (["explain"], lambda n: b"http://h/?a=" + b"%25" * n, 200),
    "lines-length": (["check", "--max-length=1000000"], lambda n: b"http://u@h/" + b"a/" * n + b"\n", 800),
    "lines-parameters": (["check", "--params=*"], lambda n: b"http://h/?" + b"a=/b&" * n + b"\n", 50),
    "policy-hosts": (POLICY, lambda n: b"hosts:\n  deny:\n" + b"".join(b"    - h%d.example\n" % i for i in range(n)), 200),
    "policy-paths": (POLICY, lambda n: b"paths:\n" + b"".join(b"  - {prefix: /f%d/, allow: [escaped-slash]}\n" % i for i in range(n)), 50),
    "policy-urls": (POLICY, lambda n: b"urls:\n  allow:\n" + b"".join(b"    - https://h%d.example/\n" % i for i in range(n)), 100),
    "yaml-depth": (POLICY, lambda n: b"hosts: " + b"[" * n + b"]" * n + b"\n", 1),
    "yaml-keys": (POLICY, lambda n: b"".join(b"k%d: 1\n" % i for i in range(n)), 100),
    "yaml-scalar": (POLICY, lambda n: b"name: " + b"x" * n + b"\n", 1000),
    "yaml-comments": (POLICY, lambda n: b"# x\n" * n + b"base: public\n", 500),
    "import-list": (["policy", "import", "--from=hosts", "-"], lambda n: b"".join(b"0.0.0.0 h%d.example.com\n" % i for i in range(n)), 100),
    "import-covered": (["policy", "import", "--from=adblock", "-"], lambda n: b"||example.com^\n" + b"".join(b"||h%d.example.com^\n" % i for i in range(n)), 100),
    "import-sources": (["policy", "import", "--from=csp", "-"], lambda n: b"img-src" + b"".join(b" http://h%d.example/a *.a%d.example" % (i, i) for i in range(n)), 50),
}


def work(urivet, words, given):
    """Returns the instructions of a run, its status and its messages."""
    with tempfile.NamedTemporaryFile() as out:
        made = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out.name, urivet, *words], input=given,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return int(re.search(rb"Collected : (\d+)", made.stderr)[1]), made.returncode, re.sub(rb"(?m)^==\d+==.*\n", b"", made.stderr)


def growth(urivet, name):
    """Returns the most that the work for an octet grows from one size to the next, and what it was for each size."""
    words, make, first = SHAPES[name]
    as_argument = words == ["explain"]
    fixed = work(urivet, words + ["x"] if as_argument else words, b"")[0]
    costs = []
    for doubling in range(DOUBLINGS + 1):
        given = make(first << doubling)
        count, status, said = work(urivet, words + [given.decode()] if as_argument else words, b"" if as_argument else given)
        if status < 0 or status > 2 or (status == 2 and not said):
            return float("inf"), ["status %d" % status]
        if status == 2 and LIMITS.search(said):
            break
        costs.append(max(count - fixed, 1) / len(given))
    if not costs or min(costs) < 1:
        return float("inf"), ["no work was counted: %r" % said[-200:]]
    return max([b / a for a, b in zip(costs, costs[1:])] or [0]), ["%.0f" % cost for cost in costs]


def main():
    urivet = pathlib.Path(sys.argv[1]).resolve()
    names = sys.argv[2:] or list(SHAPES)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(min(os.cpu_count() or 1, 2)) as pool:
        for name, (most, costs) in zip(names, pool.map(lambda name: growth(urivet, name), names)):
            wrong = (most <= GROWTH) if name == CONTROL else (most > GROWTH)
            if name in BOUNDED:
                wrong = float(costs[-1]) > BOUNDED[name]
            bad += wrong
            if wrong or "-v" in os.environ.get("GROWTH", ""):
                print("%s: grows by %.2f: %s instructions an octet" % (name, most, ", ".join(costs)), flush=True)
    print("growth: %d shapes, %d doublings each, %d grow faster than the input" % (len(names), DOUBLINGS, bad))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
