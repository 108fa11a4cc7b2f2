# SPDX-License-Identifier: Apache-2.0
"""Tests urivet scan --mail: URIs in messages that Python's email package writes."""

import base64
import binascii
import contextlib
import email.message
import email.policy
import gzip
import mailbox
import os
import quopri
import random
import unittest

from helper import JSON_KEYS, Case, finding_ids, instrumented, needs, run, takes_long, write_file
from test_scan import PLACE_KEYS

HEAD = b"From: Jo <jo@example.org>\nSubject: x\n"
URL = "http://example.com/x"


def message(body, *fields):
    """Returns a message with these header fields."""
    return HEAD + b"".join(field + b"\n" for field in fields) + b"\n" + body


def multipart(*parts, subtype=b"mixed", boundary=b"=_b"):
    """Returns a multipart entity; each part has its header fields."""
    return message(b"".join(b"--" + boundary + b"\n" + part + b"\n" for part in parts) + b"--" + boundary + b"--\n",
                   b"Content-Type: multipart/" + subtype + b"; boundary=\"" + boundary + b"\"")


class Mail(Case):
    def objects(self, mail, *options):
        return run("scan", "--mail", "--format=json", *options, stdin=mail).objects()

    def found(self, mail, *options):
        return [found["uri"] for found in self.objects(mail, *options)]

    def places(self, mail):
        """Returns the URI, line, message, part and field of each find."""
        return [(o["uri"], o["line"], o["message"], o["part"], o["field"]) for o in self.objects(mail)]

    def maildir(self, *mails, folder=None, below="cur"):
        """Returns a folder with these names and messages below it."""
        folder = folder or self.folder()
        os.mkdir(os.path.join(folder, below))
        for name, mail in mails:
            write_file(os.path.join(folder, below, name), mail)
        return folder

    def assertSaid(self, mail, *said, code=2):
        result = run("scan", "--mail", "--format=json", stdin=mail)
        self.assertEqual(result.code, code, result)
        for text in said:
            self.assertIn(text, result.err, result)
        return [found["uri"] for found in result.objects()]

    def assertQuiet(self, mail):
        result = run("scan", "--mail", "--format=json", stdin=mail)
        self.assertEqual((result.code, result.err), (0, b""))
        return [found["uri"] for found in result.objects()]


class Encodings(Mail):
    def test_transfer(self):
        """Encodings are decoded, as the soft line break of RFC 2045, 6.7; the same octets as plain text have not this URI."""
        for encoding, body in ((b"quoted-printable", b"see http://example.com/=\nx?a=3Db\n"), (b"Base64", base64.encodebytes(b"x" * 50 + b" http://example.com/x?a=b ")),
                               (b"x-uuencode", b"begin 644 x\n" + binascii.b2a_uu(URL.encode() + b"?a=b") + b"`\nend\n")):
            mail = message(body, b"Content-Transfer-Encoding: " + encoding)
            self.assertEqual(self.assertQuiet(mail), [URL + "?a=b"])
            self.assertNotIn(URL + "?a=b", [o["uri"] for o in run("scan", "--format=json", stdin=mail).objects()])

    def test_base64_goes_on(self):
        """Some readers go on after the end of base64, so this is read too."""
        first = base64.b64encode(b"http://example.com/x y")
        for rest, code in ((base64.b64encode(b" http://evil.example/"), 2), (b"\n\n", 0)):
            self.assertTrue(first.endswith(b"=="))
            found = self.assertSaid(message(first + rest, b"Content-Transfer-Encoding: base64"), code=code)
            self.assertEqual(found[0], URL)

    def test_charsets(self):
        """Charsets other than ASCII are read, too; an unknown one, or an unknown encoding, is reported."""
        for charset in ("utf-16", "utf-16-le", "utf-7", "iso-2022-jp", "windows-1252", "koi8-r", "utf-32", "cp037"):
            with self.subTest(charset):
                body = base64.encodebytes("see http://example.com/x here".encode(charset))
                name = {"utf-16-le": "utf-16le", "cp037": "ibm037"}.get(charset, charset)
                fields = (b"Content-Type: text/plain; charset=\"" + name.encode() + b"\"", b"Content-Transfer-Encoding: base64")
                self.assertEqual(self.assertQuiet(message(body, *fields)), [URL])

        for field, said in ((b"Content-Transfer-Encoding: x-own", b"no such transfer encoding: x-own"), (b"Content-Type: text/plain; charset=x-none", b"no such charset: x-none")):
            self.assertEqual(self.assertSaid(message(b"http://example.com/x\n", field), said), [URL])

    def test_flowed(self):
        """RFC 3676, 4: with DelSp the space is removed; a quotation or a signature ends the paragraph."""
        def flowed(body, more=b""):
            return self.found(message(body, b"Content-Type: text/plain; format=flowed" + more))
        self.assertEqual(flowed(b"http://example.com/ \nx\n", b"; delsp=yes"), [URL])
        self.assertEqual(flowed(b"http://example.com/ \nx\n"), ["http://example.com/"])
        self.assertEqual(flowed(b"> http://example.com/ \n> x\n", b"; delsp=yes"), [URL])
        self.assertEqual(flowed(b"> http://example.com/ \n>> x\n", b"; delsp=yes"), ["http://example.com/"])
        self.assertEqual(flowed(b"http://example.com/ \n-- \nx", b"; delsp=yes"), ["http://example.com/"])
        self.assertEqual(flowed(b"x\n-- \nwww.example.com/x \ny", b"; delsp=yes"), ["http://www.example.com/xy"])
        self.assertEqual(flowed(b"http://example.com/ \r\n x\r\n", b"; delsp=yes"), [URL])
        self.assertEqual(self.found(message(b"http://example.com/ \nx\n", b"Content-Type: text/plain; delsp=yes")), ["http://example.com/"])


class Fields(Mail):
    def test_encoded_words(self):
        """RFC 2047: encoded words are decoded, also where they are joined."""
        for field in (b"Subject: =?utf-8?q?see_http=3A//exam?=\n =?utf-8?b?cGxlLmNvbS94?=",
                      b"From: =?iso-8859-1?q?http=3A=2F=2Fexample=2Ecom=2Fx?= <a@b.example>",
                      b"To: \"=?utf-8?q?http=3A//example.com/x?=\" <a@b.example>"):
            self.assertEqual(self.assertQuiet(field + b"\nDate: x\n\n"), [URL], field)

    def test_list(self):
        """RFC 2369: URIs in angle brackets are found, also in folded fields."""
        mail = message(b"", b"List-Unsubscribe: <mailto:a@b.example>,\n <http://example.com/\n x>")
        self.assertEqual(self.found(mail, "--policy=any"), ["mailto:a@b.example", URL])
        self.assertEqual([o["field"] for o in self.objects(mail)], ["List-Unsubscribe"] * 2)

    def test_abbreviated(self):
        """Host names count as references only in text that people see."""
        for names, shown in (("Subject From Sender Reply-To To Cc Bcc Comments Keywords Organization List-Unsubscribe Content-Description SUBJECT", True),
                             ("Received Message-ID X-Any List-Id References In-Reply-To Return-Path DKIM-Signature X-Subject Froms", False)):
            for name in names.split():
                mail = name.encode() + b": see www.example.com/x and http://example.com/x\nX: y\n\n"
                self.assertEqual(self.found(mail), ["http://www.example.com/x"] * shown + [URL], name)
        self.assertEqual(self.found(message(b"", b"Received: from www.example.com (ftp.example.com)", b"Message-ID: <x@www.example.com>")), [])

    def test_place(self):
        """The line is that of the field, or the one where the content begins, in the file."""
        mail = multipart(b"\nhttp://h.example/1", b"Content-Type: text/html\nContent-Location: http://h.example/2\n\n\n<a href=http://h.example/3>",
                         b"Content-Type: message/rfc822\n\nSubject: http://h.example/4\n\nhttp://h.example/5")
        for ending in (b"\n", b"\r\n"):
            self.assertEqual(self.places(mail.replace(b"\n", ending)), [
                ("http://h.example/1", 7, 1, "1", None), ("http://h.example/2", 10, 1, "2", "Content-Location"),
                ("http://h.example/3", 12, 1, "2", None), ("http://h.example/4", 17, 1, "3", "Subject"),
                ("http://h.example/5", 19, 1, "3.1", None)])

    def test_formats(self):
        """Each format reports message, part and field."""
        mail = b"Subject: http://h.example/1\nFrom: a\n\nhttp://h.example/2"
        self.assertEqual([list(o) for o in self.objects(mail)], [JSON_KEYS + PLACE_KEYS + ["message", "part", "field"]] * 2)
        rows = run("scan", "--mail", "--format=tsv", stdin=mail).rows()
        self.assertEqual([row[10:] for row in rows], [["-", "1", "1", "http://h.example/1", "uri", "1", "\\N", "Subject"],
                                                     ["-", "4", "1", "http://h.example/2", "uri", "1", "1", "\\N"]])
        human = run("scan", "--mail", "--format=human", stdin=mail).out
        self.assertIn(b"-:4:1: accept  http://h.example/2\n    message 1, part 1\n", human)
        self.assertIn(b"    message 1, field Subject\n", human)


class Parts(Mail):
    def test_html(self):
        """HTML parts are read like HTML files: attributes, references and the base, but not the text."""
        mail = message(b"<base href=http://example.com/><a href=3D'x'>http://text.example/</a>", b"Content-Type: text/html",
                       b"Content-Transfer-Encoding: quoted-printable")
        self.assertEqual(self.found(mail), ["http://example.com/", URL])

    @needs("publicsuffix")
    def test_link_text(self):
        link = b"<a href=https://evil.example.net/>https://www.paypal.com/</a>"
        rows = run("scan", "--mail", "--format=tsv", "--refuse=link-text-mismatch",
                   stdin=message(link, b"Content-Type: text/html")).rows()
        self.assertEqual([finding_ids(row[1]) for row in rows], [["link-text-mismatch"]])
        rows = run("scan", "--mail", "--format=tsv", "--refuse=link-text-mismatch",
                   stdin=message(link.replace(b"www.paypal.com", b"a.evil.example.net"), b"Content-Type: text/html")).rows()
        self.assertEqual([row[0] for row in rows], ["accept"])

    def test_attachments(self):
        """Attachments are read by their type, or by the file name by which programs open them; others are
        reported."""
        page, text, name = "<svg><a href='%s'>http://text.example/</a>" % URL, URL, "Content-Type: application/octet-stream; name=a."
        for heads, body in (([*("Content-Type: " + kind for kind in ("text/html", "Text/HTML", "application/xhtml+xml", "image/svg+xml")),
                              *(name + ending for ending in ("html", "htm", "xhtml", "shtml", "xht", "svg", "HTM"))], page),
                            ([*("Content-Type: " + kind for kind in ("text/plain", "text/calendar", "text/x-any", "application/xml", "application/json", "application/ics",
                                                                     "message/delivery-status", "message/x-any")),
                              *(name + ending for ending in ("txt", "ics", "url", "TXT")), "Content-Type: x/y\nContent-Disposition: attachment; filename*=utf-8''a%2Etxt"], text),
                            (["Content-Type: message/" + kind for kind in ("rfc822", "global", "news")] + [name + "eml"], "Subject: x\n\n" + text)):
            for head in heads:
                self.assertEqual(self.assertQuiet(multipart((head + "\n\n" + body).encode())), [URL], head)
        for head in (b"Content-Type: application/pdf", b"Content-Type: image/png", name.encode() + b"exe", name.encode()[:-2] + b"html", name.encode() + b"html.gz"):
            two = multipart(head + b"\n\nhttp://example.com/x", head + b"\n\n")
            packed = message(base64.encodebytes(two), b"Content-Type: message/rfc822", b"Content-Transfer-Encoding: base64")
            for mail, count in ((message(b"x", head), 1), (two, 2), (packed, 2), (multipart(packed, two, two), 6), (b"From x\n" + packed + b"\nFrom x\n" + two, 4)):
                self.assertEqual(self.assertSaid(mail, b": %d attachments that are no text were not read\n" % count, code=0), [])

    def test_messages(self):
        """Messages in messages are read, also in encodings that they may not have, and in digests."""
        inner = message(b"http://example.com/x\n")
        head = b"Content-Type: message/rfc822\n"
        for part in (head + b"\n" + inner, head + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(inner),
                     head + b"Content-Transfer-Encoding: quoted-printable\n\n" + quopri.encodestring(inner),
                     b"Content-Type: application/octet-stream; name=x.eml\n\n" + inner):
            self.assertEqual([(o["uri"], o["part"]) for o in self.objects(multipart(part))], [(URL, "1.1")], part)
        self.assertEqual(self.assertQuiet(multipart(b"\n" + inner, subtype=b"digest")), [URL])
        self.assertEqual(self.assertSaid(message(b"http://example.com/x", b"Content-Type: message/partial; id=a; number=1; total=2"),
                                         b"a piece of a message"), [URL])

    def test_around(self):
        """Text before, between and after the parts is read as well."""
        mail = message(b"http://h.example/1\n--b\n\nhttp://h.example/2\n--b--\nhttp://h.example/3\n\0 http://h.example/4\n",
                       b"Content-Type: multipart/mixed; boundary=b")
        self.assertEqual(self.assertQuiet(mail), ["http://h.example/%d" % i for i in range(1, 5)])


class Mailboxes(Mail):
    def test_mbox(self):
        mail = b"From a Mon Jan  1 00:00:00 2024\n" + message(b"http://h.example/1\n>From b http://h.example/2\n\n")
        mail += b"From c Mon Jan  1 00:00:00 2024\n" + message(b"http://h.example/3\n")
        self.assertEqual(self.places(mail), [("http://h.example/1", 5, 1, "1", None), ("http://h.example/2", 5, 1, "1", None),
                                             ("http://h.example/3", 12, 2, "1", None)])

    def test_broken_mbox(self):
        """A line that looks like the begin of a message and is none: reported, read as text, and the next
        message is read."""
        mail = b"From a b\n" + message(b"x\n\nFrom here you go\nto http://h.example/1 now\n\n")
        mail += b"From c d\n" + message(base64.b64encode(b"http://h.example/2\n"), b"Content-Transfer-Encoding: base64")
        self.assertEqual(self.assertSaid(mail, b"message 2: it has no header"), ["http://h.example/1", "http://h.example/2"])

    def test_maildir(self):
        folder = self.folder()
        for below, number in (("cur", 2), ("new", 1), ("tmp", 3)):
            self.maildir(("1.x:2,S", message(b"http://h.example/%d" % number)), folder=folder, below=below)
        result = run("scan", "--mail", "--format=tsv", folder)
        self.assertEqual([(row[4], row[10]) for row in result.rows()],
                         [("h.example", os.path.join(folder, below, "1.x:2,S").replace("\\", "\\x5C")) for below in ("cur", "new")])
        self.assertUsage(run("scan", "--mail", self.folder()), "no Maildir")
        self.assertUsage(run("scan", "--mail", folder + "/none"), "none")

    def test_files(self):
        """Standard input may be a pipe or a file, and files are read in order."""
        mail = message(b"http://example.com/x")
        path = self.file(mail)
        self.assertEqual(self.found(mail), [URL])
        with open(path, "rb") as file:
            self.assertEqual(len(run("scan", "--mail", "--format=tsv", path, "-", path, stdin=file).rows()), 3)
        whole = message(b"<a href=http://h.example/1>http://h.example/2</a>\n", b"Content-Type: text/html", b"Subject: http://h.example/3")
        for at in (0, 10, whole.index(b"3"), len(whole)):  # a file that something has read a part of
            for options in ((), ("--mail",), ("--html",), ("--markup=markdown",)):
                with open(self.file(whole), "rb", buffering=0) as file:
                    file.seek(at)
                    results = [run("scan", *options, stdin=stdin) for stdin in (file, whole[at:])]
                self.assertEqual(*((result.code, result.out, result.err) for result in results), (at, options))
        self.assertEqual((run("scan", "--mail", stdin=b"").code, run("scan", "--mail", stdin=b"").err), (0, b""))
        self.assertUsage(run("scan", "--mail", "--html", path), "--html")

    @unittest.skipUnless(os.path.exists("/proc/self/mem"), "no file to fail in reading")
    def test_read_error(self):
        """A mailbox that cannot be read is an error, and does not count as empty."""
        self.assertUsage(run("scan", "--mail", "/proc/self/mem"), "could not be read to its end")


class Bounds(Mail):
    def nested(self, depth):
        return HEAD + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth)) + b"\nhttp://example.com/x\n"

    def test_depth(self):
        """A hundred levels are parsed; deeper levels are read as text and reported."""
        self.assertEqual(self.assertQuiet(self.nested(100)), [URL])
        self.assertEqual(self.assertSaid(self.nested(101), b"nested too deeply"), [URL])
        for depth in (1000, 5000):
            self.assertEqual(self.assertSaid(self.nested(depth), b"nested too deeply"), [URL])
        inner = message(b"http://example.com/x")
        for _ in range(40):
            inner = message(base64.encodebytes(inner), b"Content-Type: message/rfc822", b"Content-Transfer-Encoding: base64")
            if len(inner) > 1 << 20:
                break
        self.assertEqual(self.assertQuiet(inner), [URL])

    def test_fields(self):
        """Fields for which a careless parser would need the stack, or all memory."""
        for value, code in ((b": " + b"a:" * 16000, 0), (b": " + b"a:" * 17000, 2), (b"\t: " + b"a:" * 17000, 2), (b" \t:" + b"a:" * 17000, 2), (b": " + b"a:" * 5000000, 2), (b": " + b"(" * 5000000, 2)):
            mail = message(b"x", b"To" + value)
            result = run("scan", "--mail", stdin=mail)
            self.assertEqual(result.code, code, result)
            self.assertEqual(b"longer than 32 KiB" in result.err, code == 2, result)
        self.assertSaid(message(b"x", *[b"X: " + b"a" * 30000] * 200), b"longer than 4 MiB together")
        self.assertSaid(message(b"x", *[b"a:"] * 100001), b"more than 100000 header fields")
        self.assertEqual(self.assertQuiet(message(b"http://example.com/x\n" + b"y" * 100000)), [URL])

    @takes_long
    def test_parts(self):
        part = b"--b\n\nx\n"
        head = b"Content-Type: multipart/mixed; boundary=b"
        self.assertQuiet(message(part * 50000, head))
        self.assertSaid(message(part * 100100, head), b"more than 100000 boundaries")

    def test_sizes(self):
        """What is too long is reported; what precedes it is judged."""
        long = multipart(b"\nhttp://example.com/x", b"\n" + b"xxxxxxx\n" * (8 << 20) + b"y")
        self.assertEqual(self.assertSaid(long, b"part 2: it is not read: it is longer than 64 MiB"), [URL])

    def test_contradictions_at_each_level(self):
        """Messages in messages, encoded, with two differing fields each: the readings of all levels have one budget."""
        mail = b"Content-Type: text/plain\nContent-Type: text/plain; x=y\n\nhttp://example.com/x\n"
        for _ in range(30):
            mail = (b"Content-Type: message/rfc822\nContent-Type: message/rfc822; x=y\nContent-Transfer-Encoding: quoted-printable\n\n" +
                    mail.replace(b"=", b"=3D"))
        found = self.assertSaid(mail, b"one of its readings is judged")
        self.assertIn(URL, found)
        self.assertLess(len(found), 1000)

    def test_many_equal_fields(self):
        """Work grows with the number of fields and parameters, not with its square."""
        for mail in (b"Content-Type: text/plain\n" * 20000 + b"\nhttp://example.com/x\n",
                     (b"Content-Type: text/plain" + b"".join(b";a%d" % i for i in range(5000)) + b"\n") * 20 + b"\nhttp://example.com/x\n"):
            began = os.times().children_user
            self.assertEqual(self.found(mail), [URL])
            self.assertLess(os.times().children_user - began, 10 if instrumented() else 1)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs FIFOs")
    def test_pipes_in_a_maildir(self):
        """A FIFO in a Maildir that nothing writes to is reported, not waited for."""
        folder = self.maildir(("b", message(b"http://example.com/x\n")))
        os.mkfifo(os.path.join(folder, "cur", "a"))
        result = run("scan", "--mail", "--format=tsv", folder)
        self.assertEqual(result.code, 2)
        self.assertIn(b"is no regular file", result.err)
        self.assertIn(URL.encode(), result.out)

    def test_a_bomb(self):
        """Compressed mail does not fill the temporary folder."""
        for octets, code in ((8 << 20, 0), (64 << 20, 2)):
            path = self.file(gzip.compress(message(b"see http://example.com/x\n" + b"x\n" * (octets // 2))), "x.gz")
            result = run("scan", "--mail", "--format=tsv", path)
            self.assertEqual(result.code, code, result)
            self.assertEqual(b"hundredfold" in result.err, code == 2)


@takes_long
class AfterBounds(Mail):
    """A message beyond a limit is reported, and the messages after it are read."""

    HARMLESS = b"Content-Transfer-Encoding: base64"

    def harmless(self, number):
        """Returns a message whose URL only a mail reader finds."""
        return message(base64.encodebytes(b"x" * 50 + b" http://h.example/%d " % number), self.HARMLESS)

    @staticmethod
    def hostile():
        """Returns messages beyond each limit, and the text of their reports."""
        parts = b"Content-Type: multipart/mixed; boundary=b"
        return {
            "field": (message(b"x\n", b"To: " + b"a:" * 17000), b"longer than 32 KiB"),
            "line": (message(b"x\nTo: " + b"a:" * 17000 + b"\nx\n"), b"longer than 32 KiB"),
            "line that ends": (message(b"x\nTo: " + b"a:" * 17000), b"longer than 32 KiB"),
            "header": (message(b"x\n", *[b"X: " + b"a" * 30000] * 200), b"longer than 4 MiB together"),
            "fields": (message(b"x\n", *[b"a:"] * 100001), b"more than 100000 header fields"),
            "boundaries": (message(b"--b\n\nx\n" * 100100, parts), b"more than 100000 boundaries"),
            "octets": (message(b"xxxxxxx\n" * (17 << 20)), b"longer than 128 MiB"),
            "part": (message(b"xxxxxxx\n" * (9 << 20)), b"it is longer than 64 MiB"),
            "depth": (HEAD + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(2000)) + b"\nx\n", b"nested too deeply"),
        }

    def box(self, *messages):
        """Returns a mailbox of these messages."""
        return b"".join(b"From a@b.example Mon Jan  1 00:00:00 2024\n" + one + b"\n" for one in messages)

    def test_each_bound(self):
        """A limit is exceeded in the first, a middle or the last message; messages are counted as they stand
        in the file."""
        for name, (hostile, said) in self.hostile().items():
            big = len(hostile) > 8 << 20
            if big and instrumented():
                continue
            for place in (1,) if big or name == "boundaries" else (0, 1, 3):
                with self.subTest(name, place=place):
                    messages = [self.harmless(number) for number in range(4)]
                    messages[place] = hostile
                    result = run("scan", "--mail", "--format=json", stdin=self.box(*messages))
                    self.assertEqual(result.code, 2, result)
                    self.assertEqual([(o["uri"], o["message"]) for o in result.objects()],
                                     [("http://h.example/%d" % number, number + 1) for number in range(4) if number != place])
                    self.assertIn(b"message %d" % (place + 1), result.err)
                    self.assertIn(said, result.err)
                    self.assertEqual(result.err.count(b"message "), result.err.count(b"message %d: " % (place + 1)) + result.err.count(b"message %d, " % (place + 1)))

    def test_many(self):
        """A reported message does not hide a report of the next one; the limits hold for one message."""
        hostile = self.hostile()
        mail = self.box(hostile["field"][0], hostile["fields"][0], self.harmless(3), hostile["boundaries"][0], hostile["line"][0], self.harmless(6))
        result = run("scan", "--mail", "--format=json", stdin=mail)
        self.assertEqual([(o["uri"], o["message"], o["part"]) for o in result.objects()], [("http://h.example/3", 3, "1"), ("http://h.example/6", 6, "1")])
        for number in (1, 2, 4, 5):
            self.assertIn(b"message %d: nothing more of it is read: it has " % number, result.err)
        half = message(b"x\n", *[b"a:"] * 60000)
        self.assertEqual(self.assertQuiet(self.box(half, half, self.harmless(3))), ["http://h.example/3"])

    def test_small(self):
        """The time spent on a message is proportional to its octets."""
        result = run("scan", "--mail", "--format=json", stdin=b"From \n" * 20000 + self.box(self.harmless(2)))
        self.assertEqual([(o["uri"], o["message"]) for o in result.objects()], [("http://h.example/2", 20001)])
        self.assertEqual(result.err.count(b"\n"), 20000)

    def test_line(self):
        """Lines are those of the file, also after text that was not read."""
        hostile = message(b"x\n" * 5, b"To: " + b"a:" * 17000)
        mail = self.box(hostile, message(URL.encode() + b"\n"))
        self.assertEqual([(o["line"], o["message"]) for o in self.objects(mail)], [(mail[:mail.index(URL.encode())].count(b"\n") + 1, 2)])

    def test_every_place(self):
        """The next message is read at whatever offset in the reader's block it begins."""
        for end in (*range(40950, 40966), *range(65526, 65542)):
            hostile = message(b"x\n", b"To: ")
            hostile = hostile.replace(b"To: ", b"To: " + b"a" * (end - len(self.box(hostile))))
            self.assertEqual(len(self.box(hostile)), end)
            found = self.assertSaid(self.box(hostile, self.harmless(2)), b"message 1: nothing more of it is read")
            self.assertEqual(found, ["http://h.example/2"], end)

    def test_one_message(self):
        """A file that is no mailbox is one message, whatever lines it has; folders go on with the next file."""
        hostile = self.hostile()["field"][0]
        self.assertEqual(self.assertSaid(hostile + b"\n" + self.box(self.harmless(2)), b"message 1: nothing more of it is read"), [])
        result = run("scan", "--mail", "--format=json", self.maildir(("1", hostile), ("2", self.harmless(2))))
        self.assertEqual((result.code, [o["uri"] for o in result.objects()]), (2, ["http://h.example/2"]))

    def hostile_ends(self):
        """Returns ends of messages that may confuse a parser about its place: in the body, the header, a part
        or a field."""
        parts = b"Content-Type: multipart/mixed; boundary=\"%s\""
        inner = message(b"x\nFrom here you go\n", b"X: y")
        return (
            message(b"x\n>From a b\n\n>>From a b\n"), message(b"x\nFrom here you go\nx\n"), message(b"x\n\nFrom a b\nSubject: y\n\nx\n"),
            message(b"x\n", b"Content-Length: 1000000"), message(b"x\nFrom"), message(b"x\nFrom "), message(b"\nFrom \nFrom \n\nFrom x\nX"),
            HEAD, HEAD + b"X", HEAD + b"X:", HEAD + b" folded", HEAD + b"From a b\nX: y\n", b"", b"\n", b"\0", b"x", b"x\n\nx", b"\r\n\r\nx\r\nFrom a\r",
            message(b"--b\n\nx\n", parts % b"b"), message(b"--b\nX", parts % b"b"), message(b"x\n", parts % b"From "), message(b"--From a\n\nx\n", parts % b"From a"),
            message(b"--b\nContent-Type: message/rfc822\n\n" + inner + b"--b\n", parts % b"b"),
            message(b"--b\nContent-Type: message/rfc822\n\nFrom a b\nX: y\n\n", parts % b"b"),
            message(base64.encodebytes(b"From a b\n\nFrom c d\n\n"), self.HARMLESS), message(b"begin 644 x\n", b"Content-Transfer-Encoding: x-uuencode"),
            message(b"x=\nFrom=20a\n=\n", b"Content-Transfer-Encoding: quoted-printable"),
        )

    def test_place_is_kept(self):
        """Whatever a message contains, those after it are found, and counted as Python's mailbox module
        counts them."""
        bounds = [hostile for name, (hostile, _) in self.hostile().items() if name in ("field", "line", "line that ends")]
        ends = self.hostile_ends()
        for k, end in enumerate(ends):
            for hostile in (end, bounds[k % 3] + end, bounds[(k + 1) % 3].rstrip(b"\n") + b"\n" + end):
                self.assertAsPython(self.box(self.harmless(1), hostile, self.harmless(2), self.harmless(3)))
        source = random.Random(7)
        for _ in range(10 if instrumented() else 80):
            messages = [source.choice(ends) if source.random() < 0.6 else self.harmless(number) for number in range(source.randint(2, 9))]
            self.assertAsPython(self.box(*messages, self.harmless(99)))

    def assertAsPython(self, mail):
        """Checks that the harmless messages are found where Python finds them."""
        path = self.file(mail)
        harmless = {self.harmless(number).strip(): "http://h.example/%d" % number for number in range(100)}
        with contextlib.closing(mailbox.mbox(path, create=False)) as box:
            messages = [box.get_bytes(key).strip() for key in box.keys()]
        expected = [(harmless[one], number) for number, one in enumerate(messages, 1) if one in harmless]
        result = run("scan", "--mail", "--format=json", path)
        self.assertEqual([(o["uri"], o["message"]) for o in result.objects()], expected, (mail[-3000:], result))


class Broken(Mail):
    def test_ambiguous(self):
        """Constructs that readers interpret in several ways are reported."""
        for mail, said in (
                (message(b"x", b"Content-Type: text/plain", b"Content-Type: text/html"), b"contradicts an earlier one"),
                (message(b"x", b"Content-Type: multipart/mixed"), b"without parts"),
                (message(b"x", b"Content-Type: multipart/mixed; boundary=b"), b"without parts"),
                *((message(b"x", b"Content-Type: multipart/mixed; boundary=b", b"Content-Transfer-Encoding: " + encoding), b"may not be encoded in " + encoding)
                  for encoding in (b"base64", b"BASE64", b"quoted-printable", b"Quoted-Printable")),
                (b"no header at all http://example.com/x\n", b"it has no header")):
            self.assertSaid(mail, said)

    def test_two_readings(self):
        """Where readers pick either of two fields or parameters, both contents are judged, and the field is
        named."""
        page = b'<a href="//h.example/1">x</a>\n'
        packed = base64.encodebytes(page)
        html, seven, sixty_four = b"Content-Type: text/html", b"Content-Transfer-Encoding: 7bit", b"Content-Transfer-Encoding: base64"
        plain, part = b"Content-Type: text/plain", b"--%s\n" + html + b"\n\n" + page + b"--%s--\n"
        ways = [([plain, html], page, b"Content-Type"), ([html, plain], page, b"Content-Type"), ([html, seven, sixty_four], packed, b"Content-Transfer-Encoding"),
                ([html, sixty_four, seven], packed, b"Content-Transfer-Encoding"), ([html, plain, seven, sixty_four], packed, b"Content-Type"),
                ([b"Content-Type: application/x; name=a.html; NAME=b.bin"], page, b"Content-Type"),
                ([b"Content-Type: application/x; name=b.bin;\n name=\"a;.html\""], page, b"Content-Type")]
        ways += [([b"Content-Type: multipart/mixed; boundary=%s; boundary=%s" % names], part % (b"a", b"a"), b"Content-Type") for names in ((b"a", b"b"), (b"b", b"a"))]
        for fields, body, name in ways:
            for mail in (message(body, *fields), b"From x\n" + message(body, *fields) + b"\nFrom y\n" + message(b"http://h.example/2"),
                         multipart(b"\n".join(fields) + b"\n\n" + body), message(message(body, *fields), b"Content-Type: message/rfc822")):
                with self.subTest(fields, mail=mail):
                    result = run("scan", "--mail", "--base=http://h.example/", "--format=json", stdin=mail)
                    self.assertEqual(result.code, 2)
                    self.assertIn(b"there are two of " + name + b"\n", result.err)
                    self.assertIn("//h.example/1", [o["text"] for o in result.objects()])
                    after = [(o["message"], o["line"]) for o in result.objects() if o["text"] == "http://h.example/2"]
                    self.assertEqual(after, [(2, mail.count(b"\n") + 1)] * mail.endswith(b"http://h.example/2"))
                    rows = [o for o in result.objects() if o["kind"] == "field"]
                    self.assertIn(("reject", name.decode(), ["field-unreadable"]), [(o["verdict"], o["field"], [f["id"] for f in o["findings"]]) for o in rows])
        for fields in ([html, html], [b"Content-Type: text/html; a=1; b=1; c=\"; a=2\""], [html, b"X-Type: 1", b"X-Type: 2"]):
            result = run("scan", "--mail", stdin=message(page, *fields))
            self.assertNotIn(b"there are two of", result.err)
            self.assertNotIn(b"field-unreadable", result.out)
        many = [b"Content-Type: text/x%d" % k for k in range(40)]
        result = run("scan", "--mail", stdin=message(page, *many))
        self.assertIn(b"one of its readings is judged: it has many by Content-Type", result.err)
        self.assertLess(result.err.count(b"\n"), 100)

    def test_one_after_another(self):
        """What is found and reported of a message does not depend on those before it in the mailbox."""
        body = b"http://h.example/1\n"
        for mail in (message(body, b"Content-Type: text/plain", b"Content-Type: text/html"), message(body, b"Content-Type: multipart/mixed"), b"A: b\nno field\n\n" + body,
                     message(body, b"Content-Type: multipart/mixed; boundary=b; boundary=c"), message(body, b"X: " + b"a" * 40000), multipart(b"\n" + body, b"\n" + body)):
            results = [run("scan", "--mail", "--format=json", stdin=(b"From x\n" + mail + b"\n") * times) for times in (1, 40)]
            once, many = ([(o["uri"], o["message"], o["part"], o["field"]) for o in result.objects()] for result in results)
            self.assertEqual(many, [(uri, number, *rest) for number in range(1, 41) for uri, _, *rest in once], mail[:300])
            said = results[0].err.decode()
            self.assertEqual(results[1].err.decode(), "".join(said.replace("message 1", "message %d" % number) for number in range(1, 41)))

    def test_truncated(self):
        """Without an end boundary, without an end of the header, with bare CR or NULs: the URIs that are
        there are found."""
        whole = multipart(b"\nhttp://h.example/1", b"\nhttp://h.example/2")
        self.assertEqual(self.assertQuiet(whole[:whole.rindex(b"\n--")]), ["http://h.example/1", "http://h.example/2"])
        self.assertEqual(self.found(b"Subject: http://example.com/x"), [URL])
        self.assertEqual(self.found(b"Subject: a\0 http://example.com/x\nFrom: y\n\n"), [URL])
        self.assertEqual(self.found(message(b"\0\r\rhttp://example.com/x\r\0")), [URL])

    def test_mutated(self):
        """Messages with octets changed, doubled and removed give an exit status and valid JSON."""
        source = random.Random(5)
        makers = [Generated.make(source)[0] for _ in range(4)]
        for _ in range(60):
            mail = bytearray(source.choice(makers))
            for _ in range(source.randint(1, 12)):
                at = source.randrange(len(mail))
                end = at + source.randint(0, 30)
                mail[at:end] = source.choice([b"", bytes([source.randrange(256)]), b"\0", b"\n\n", b"--", mail[at:end] * 2, b"=?utf-8?b?", b"\r"])
            result = run("scan", "--mail", "--format=json", stdin=bytes(mail))
            self.assertIn(result.code, (0, 1, 2), result)
            result.objects()


class Generated(Mail):
    """Random messages that Python's email package writes."""

    @staticmethod
    def body(source, urls):
        """Returns a leaf, and adds its URLs to the list."""
        url = "http://h%d.example/%s" % (len(urls), "p" * source.choice([1, 30, 90]))
        urls.append(url)
        made = email.message.EmailMessage(policy=email.policy.default)
        kind = source.choice(["plain", "html", "calendar"])
        text = "<p>\xe9<a href=\"%s\">click</a>\n" % url if kind == "html" else "\xe9t\xe9 %s and words\n" % url
        made.set_content(text, subtype=kind, charset=source.choice(["utf-8", "iso-8859-1", "utf-16", "windows-1252"]),
                         cte=source.choice(["base64", "quoted-printable"]))
        if source.random() < 0.3:
            url = "http://h%d.example/d" % len(urls)
            urls.append(url)
            made["Content-Description"] = "\xe9 " + url
        return made

    @classmethod
    def tree(cls, source, urls, depth):
        """Returns a part: a leaf, a multipart entity, or a message."""
        if depth == 0 or source.random() < 0.3:
            return cls.body(source, urls)
        made = email.message.EmailMessage(policy=email.policy.default)
        if source.random() < 0.2:
            made.set_content(cls.whole(source, urls, depth - 1))
            return made
        getattr(made, "make_" + source.choice(["mixed", "alternative", "related"]))()
        for _ in range(source.randint(1, 3)):
            made.attach(cls.tree(source, urls, depth - 1))
        return made

    @classmethod
    def whole(cls, source, urls, depth):
        made = cls.tree(source, urls, depth)
        url = "http://h%d.example/s" % len(urls)
        urls.append(url)
        made["Subject"] = "\xe9 %s \u2014" % url
        made["From"] = "Jo <jo@example.org>"
        return made

    @classmethod
    def make(cls, source):
        """Returns a message and its URLs."""
        urls = []
        made = cls.whole(source, urls, source.randint(0, 5)).as_bytes(policy=email.policy.SMTP if source.random() < 0.5 else email.policy.default)
        return made, urls

    def test_all_and_none_else(self):
        """All URLs are found once, and nothing else; a scan as plain text finds fewer, so decoding is tested."""
        source = random.Random(1)
        missed = 0
        for number in range(15 if instrumented() else 60):
            mail, urls = self.make(source)
            result = run("scan", "--mail", "--format=json", stdin=mail)
            self.assertEqual(result.err, b"", mail)
            self.assertEqual(sorted(o["uri"] for o in result.objects()), sorted(urls), (number, mail))
            missed += len(set(urls) - {o["uri"] for o in run("scan", "--format=json", stdin=mail).objects()})
        self.assertGreater(missed, 50)
