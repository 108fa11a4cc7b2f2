# SPDX-License-Identifier: Apache-2.0
"""A deterministic generator of URLs: ordinary ones, odd ones, and both of them damaged.

The same seed gives the same records on every machine.  No record holds a NUL, so they can be sent as
NUL-terminated records.  Most of the odd forms are rare on purpose: a record with one fault shows more than a
record with five.
"""
from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from gate import DEFAULT_PORTS, punycode_encode

LOWER, DIGITS, HEX = "abcdefghijklmnopqrstuvwxyz", "0123456789", "0123456789abcdef"
UNRESERVED_MARKS, SUB_DELIMS = "-._~", "!$&'()*+,;="
GATE_SCHEMES = ("http", "https", "http", "https", "http", "https", "ws", "wss", "ftp")
OTHER_SCHEMES = ("x-foo", "urn", "mailto", "ssh", "git", "javascript", "vbscript", "data", "file", "gopher", "dict",
                 "ldap", "rmi", "phar", "php", "jar", "view-source", "blob", "intent", "smb", "url", "smbs", "did", "arn",
                 "tag", "concat", "afp")
WRAPPED = (":", ":x-foo://h/", "http://ex.org/", "FILE:/x", "x-foo:x", "urn:file:x", "ssh:git:data:x", "ssh:git::x", "a:", "x-foo:://",
           "ssh://h", "1:file:x", "%66ile:x", "git:ssh:x", ":git://h", "fil%65:x", "javascript")
WORDS = ("ex", "ev", "www", "a", "b", "q", "x", "api", "v1", "img", "index", "search", "80", "443", "org", "id",
         "0")
TOPS = ("org", "com", "net", "example", "a", "b2", "c-3", "xn--p1ai", "EX", "Org", "zz")

ODD_IPV4 = ("0x7f.1", "0177.0.0.1", "017700000001", "010.8.8.8", "0xA9FEA9FE", "0X7F.0.0.1", "0x", "2130706433",
            "0", "127.1", "192.168.257", "169.254.43518", "0251.254.169.254", "0xa9.254.0251.0xfe",
            "256.256.256.256", "7147006462", "4294967296", "4294967295", "1.2.65536", "1.2.65535", "1.16777216",
            "1.2.3.4.5", "1.2.3.256", "foo.1.2.3.4", "example.123", "foo.0x4", "foo.1a", "127..1", ".1.2.3.4",
            "127.0.0.1.", "+127.0.0.1", "127.-0.0.1", "0o177.0.0.1", "1_27.0.0.1", "1e2.0.0.1", "o177.0.0.1",
            "08.0.0.1", "1.2.3.04", "00.0.0.0", "1.2.3.4.org", "1.2.3.45x.org", "1.2.3.400.org", "01.2.3.4.org",
            "256.2.3.4.org", "a1.2.3.4.org", "1.2.3.4-a.org", "1.2.3", "1.2.3.4a", "0x1.2.3.a", "1.2.3.4.5.6",
            "%31.2.3.4", "1\u30022\uff0e3\uff614", "\uff11\uff12.0.0.1", "\u2460.\u24ea.\u0660.\u06f1", "0xg.1",
            "1.0x", "999999999999999999999.1")
ODD_NAMES = ("a_b.org", "_dmarc.ex.org", "a~b.org", "~a.org", "a%62c.org", "ex%2eorg", "ex.org%2fev.org",
             "ex%23.org", "ex%00.org", "ex%40.org", "-a.org", "a-.org", "--help", "a..b", ".ex.org", "..", ".",
             "ex.org.", "ex.org..", "exa$ple.org", "*.ex.org", "$(id).ex.org", "ex.org;ev.org", "exam|ple.org",
             "exa]ple.org", "exa<ple.org", "ex\u3002org", "ex\u00e4.org", "\u0440pple.org", "a", "localhost",
             "1a.org", "a.1a", "a.b1", "a--b.org", "ab--cd.org", "3com.com", "1.org", "1.2.org", "", "xn--.org",
             "exa^ple.org", "exa`ple.org", "a{b}.org")
IPV6 = ("2001:db8::1", "::1", "::", "2001:DB8::aBcD", "fe80::1", "1:2:3:4:5:6:7:8", "1::8", "2001:db8:0:1::",
        "::1:0:0:0", "1:0:0:2::3", "1::2:0:0:3", "2001:db8:0:1:1:1:1:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::",
        "2001::80ff:fffe", "0:0:1::", "::3:0:0:0:0", "::1:0:0", "1:0:0:2:0:0:0:3", "ff02::1", "::2:3:4:5:6:7:8")
ODD_IPV6 = ("0:0:0:0:0:0:0:1", "2001:db8::0:1", "2001:db8:0:0:0:1::", "1:2:3:4:5:6:7::", "::1:2:3:4:5:6:7", "01::1",
            "1:0:0:2:0:0::3", "::ffff:1.2.3.4", "::ffff:102:304", "::1.2.3.4", "::2", "::ffff:ffff", "::1:0",
            "::ffff", "::ffff:0:1.2.3.4", "::ffff:0:102:304", "2001:db8::5efe:c0a8:101",
            "2001:db8::200:5efe:c0a8:101", "2001:db8::100:5efe:1:1", "::5efe:1:2", "2001:db8::1.2.3.4",
            "fe80::1%25eth0", "fe80::1%eth0", "::1%25", "v1.fe80::a", "vF.a:b", "V1.x", "v.x", "::1::", "12345::",
            "1:2:3", "::1.2.3.256", "::1/64", "ex.org", "127.0.0.1", "", "1:2:3:4:5:6:7:8:9", ":1", "1:", "g::1",
            "1::2::3", "a", "::01", "::0", "0::", "::FFFF:0:0")
GROUPS = ("0", "0", "1", "db8", "ff", "5efe", "200", "ffff", "A", "abcd", "")
BORDER_POINTS = (0x80, 0x9F, 0xA0, 0xD800, 0xDFFF, 0xFDCF, 0xFDD0, 0xFDEF, 0xFDF0, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF,
                 0x10FFFD, 0x3001, 0x3002, 0xFF0E, 0xFF61, 0xE000, 0xFEFE, 0xFEFF, 0xFF00, 0x1FEFF)
ODD_PUNYCODE = ("", "a", "-", "abc-", "0", "99999999", "ls8h-", "0z4", "0z4a", "ab-r13a", "a-", "-a", "zzzzzzzzzz")
ODD_AUTHORITIES = ("[::1]ev.org", "ev.org[::1]", "[::1]:80:80", "::1", "fe80:8080::1", "[::1", "::1]", "[[::1]]",
                   "ex.org:80:443", "[::1]80", "a[b]c", "[::1]x:80", "1::2:80", "ex.org:80\\@ev.org",
                   "ex.org\\@ev.org", "ex.org\\.ev.org")
USERINFOS = ("u", "u:p", "", ":", "ex.org", "127.0.0.1", "ex.org&story=x", "ex.org%20", "a@b", "ex.org:80@x", "u;x",
             "u[", "ex.org%2f", "ex.org%40", "%00", "ex.org:", "u:p:q", "a.b:c", "%61", "ex.org#", "ex.org?",
             "ex.org\\", "a.b.", "%c3%a9")
GOOD_PORTS = {scheme: str(port) for scheme, port in ((k.decode(), v) for k, v in DEFAULT_PORTS.items())}
ODD_PORTS = ("", "0", "00", "080", "0080", "0443", "1", "8080", "65535", "65536", "65616", "99999", "100000",
             "4294967376", "+80", "-80", "80a", "%38%30", " 80", "80 ", "\uff18\uff10", "8", "443", "80", "21",
             "0x50", "065536", "22", "00021")
DOTTED = (".", "..", "...", ".;", "..;", "..;x=1", ".;x", "a..", "..a", "%2e", "%2E%2e", ".%2e", "..%2f", "%2f..",
          "%5c..", "a%2f..", "..%5Cx", "a%2f.", ".%2F", "%2f", "%2Fa", "a%2Fb%5cc", ".%3bx", "a;..", "..;%2f",
          "%2f..;", ".a", "a.", "%2e%2e%5c", "~", "-", "..%3B", ".%3bx", "..%3Bx=1", "a..%3b", "..%253b",
          "%5C..%3B", "..%3Fx", "..%3f", ".%23", "..?", "?..", "%3F..", ".?x", "!..", "..%20", "a%5C.")
SEMICOLONS = (";", "%3B", "%3b", "a;", "a%3B", ";a", "%3Ba", "a;b=1;", ";%20", "%3B.", "%253B", ";;", "a%3B%3b")
HASHBANGS = ("!", "%21", "!/", "%21a", "a!", "/!", "!a", "%2521", "", "?!", "%20!")
ODD_IN_QUERY = ("[", "]", "{", "}", "|", "^", "\\", "`", "[]", "a[]=1", "{a}", "a|b", "[1-9]", "\\..\\", "%", "%zz",
                "%E9", "%252F", "l%27%C3%A9t%C3%A9", "%2e", "%00", "%0a", "%7f", "%1F", "\"", "<", ">", " ", "\t",
                "\x01", "\u00e9", "#", "%F0%9F%92%A9%2F", "%E2%80%AE", "x.ev.org:80", "/../", "//", "%2F..%2F", ";",
                "u=http://ev.org/", "%c0%ae", "%5C")
PARTED = ("//", "/", ";", "%3B", "%3b", "%5C", "%5c", "%25", "%3F", "%3f", "%23", "%2F", "%2f", "%2B", "%40", "%3A",
"%26",
          "%24", "%2C", "%7E", "%7ex", "/%7Eu", "/..x", "/...x", "/.._", "/..-", "/(S(x))", "/%28A(b-_)%28F(x))y", "/(S(a)F(b))",
          "/(s(x))", "/(S())", "/(S(x)", "/a(S(x))", "/(S(%29))", "%2F(S(x))", "/((S(x)))", "/%28S%28x%29%29", "%27%C3%A9", "%28%E2%82%AC%29", "%F0%9F%92%A9%20", "'", "(", ")", ":", "@", ".", "%20", "?")
ESCAPES = ("%20", "%25", "%2B", "%22", "%3C", "%7B", "%2f", "%3F", "%23", "%26", "%3D", "%5B", "%5d", "%7c", "%60",
           "%24", "%2C")
ODD_ESCAPES = ("%41", "%7e", "%2d", "%5F", "%30", "%7A", "%5a", "%61", "%00", "%0a", "%0D", "%0d%0A", "%1b", "%7f",
               "%1F", "%08", "%09", "%252e", "%25%32%65", "%2500", "%2541", "%25", "%250d", "%25%30%61", "%25250a",
               "100%25", "50%25-off", "%2", "%", "%zz", "%u002e", "%%32%65", "%%", "%2525", "%257", "%25%37", "%e",
               "%25%", "%g1", "%1g")
UTF8 = ("%C3%A9", "%e2%82%ac", "%F0%9F%92%A9", "%f4%8f%bf%bf", "%c2%80", "%DF%BF", "%E0%A0%80", "%ED%9F%BF",
        "%EF%BB%BF", "%E2%80%8B", "%F0%90%80%80", "%e4%b8%ad%E6%96%87", "%F0%9F%92%A9%C3%A9", "%C3%A9%f0%9f%92%a9",
        "%E3%82%A2%E3%83%BC", "%C2%A1", "%E2%89%A0", "%EF%BD%A1")
# becomes ASCII in Unicode's compatibility form
COMPATIBLE = ("%EF%BC%8E", "%EF%BC%8E%EF%BC%8E", "%E2%80%A5", "%EF%BD%81dmin", "a%EF%BC%8Fb", "a%EF%BC%9Bb", "%C2%A0",
              "%E2%80%AF", "%ef%bc%88%E6%98%A5%EF%bc%89", "%F0%9D%95%8F", "%C3%A9%E2%84%AB%E2%84%AA", "%EF%BC%85",
              "%EF%BC%9A", "%EF%BC%81", "%E2%80%A6", "%EF%B8%99", "%E3%80%80", "%EF%BD%9E", "%C2%BD", "%EF%BC%BC", "%C2%AA",
              "%EF%BC%8E.", "%EF%BC%8E%80", "%EA%9F%B1", "%F0%9C%B3%B9")
ODD_UTF8 = ("%80", "%E9", "%c0%ae", "%C1%BF", "%e0%80%af", "%f0%80%80%af", "%F0%80%AE", "%ED%A0%80", "%f4%90%80%80",
            "%F5%80%80%80", "%C3", "%e2%28%a1", "%E2%82", "%C3%A9%80", "%FF", "%F0%9F%92", "%C3%28", "%c0",
            "%e0%9f", "%C0%AE%C3%A9", "%FE%80", "%E2%80%8E", "%e2%80%8f", "%E2%80%aa", "%e2%80%Ae", "%E2%80%AF",
            "%e2%80%8d", "%E2%81%A6", "%e2%81%a9", "%E2%81%AA", "%E2%81%A5", "%F0%9F%92%A9%2F",
            "%F0%9F%92%A9%C3%A9%20", "%F0%9F%92%A9%25", "%F0%9F%92%A9%3D", "%F0%9F%92%A9%26x", "%F0%9F%92%A9%3a", "%F0%9F%92%A9%40",
            "%F0%9F%92%A9%21", "%F0%9F%92%A9%3f", "%F0%9F%92%A9%23", "%F0%9F%92%A9%2B", "%F0%9F%92%A9%3b", "%F0%9F%92%A9a%2F", "%C3%A9%2F", "%F0%9F%92%A9%41", "%C3%A9%21", "%27%C3%A9",
            "%C3%A9'", "%28", "%29x%e2%82%ac", "%2A", "%3a", "%C3%A9%3A", "%3A%80")
COLONS = (":80", ":80/", "x:80", ":8a", "a.b:80/x", "a.b.c:80", ".b.c:80", "x.ev.org:80/", "x.ev.org.:80",
          "x.ev.org:a:80", ":", "x_y.e-v.org:443", "x.ev.org:80a", "x..org:80", "http://ev.org/",
          "http://x.ev.org:80/", "http:80", "x.ev.org:8080", "b.c:1?d", "f?p=107:1", "x.good:80", ".:80", "a_b:80",
          ".a/b:80", "a.b!c:80", "a.%20b:1", "-.:8/", "_.-:9?", "t=12:30", "a.:80#", "10.1000/182:3", "x.y:#",
          "a:b.c:80")
RAW = ("\\", " ", "\t", "\r\n", "\n", "\x01", "\x7f", "\x1b", "\u00e9", "\ufffd", "\"", "<", ">", "[", "]", "^",
       "{", "}", "|", "`", "#", "[1-9]", "{a,b}", "\\..\\", "\u202e", "\ud83d", "\ufeff")
PUNCTUATION = ("@", ":", "/", "//", "///", "?", "#", ".", "..", "%", "[", "]", "_", "-", "~", ";", "+", ":@",
               "?@", "#@", "\\@", "..;/", "/../", "/./", "\xa0", "\u200b")
SNIPPETS = ("xn--", "0x", "http://", "https://", "http:", "@ev.org", ":80", ":0", "[::1]", ", http://ev.org/",
            "1.2.3.4", "a" * 63, "a" * 64)
TOKENS = tuple(token.encode("utf-8", "surrogatepass") for token in (
    *RAW, *DOTTED, *ESCAPES, *ODD_ESCAPES, *UTF8, *ODD_UTF8, *COMPATIBLE, *COLONS, *PUNCTUATION, *SNIPPETS,
)) + (b"\xff", b"\x80", b"\xc0", b"\xed\xa0\x80")
PREFIXES = ("", "", "", " ", "\t", "\n", "\x01", "\ufeff", "\u200b", "\xa0", "\u2060", "<", "\"", "'", "[", "(",
            "url:", "/", ":", "1", "%")
STARTS = ("", "", "http:", "http:/", "http:///", "http:////", "//", "///", "/", "\\\\", "http:\\\\", "http:/\\",
          "http:\\/", "http:\\", "?", "http::", "http::://", "1http://", "ht%74p://", "hxxp://", "h t://",
          "h\u0442tp://", "HTTP://", "hTTps://", "http", ":", "//u@")

SITES = ("ex.org", "ex.org", "www.ex.org", "ev.org", "www.debian.org", "8.8.8.8", "1.1.1.1", "[2606:4700::1111]",
         "localhost", "10.0.0.1", "127.0.0.1", "192.168.1.1", "[::1]", "[2001:db8::1]", "x.internal", "EX.org")
ODD_METHODS = ("get", "G(T", "GET:", "\tGET", "M-SEARCH", "x", "CONNECTX", "OPTION", "\u00e9", "GET,PUT",
"!#$%&'*+-.^_`|~",
               "\"GET\"", "[]", "CONNECT/1")
ODD_FIELDS = ("", "", "", ":80", ":", "ex.org:", "ex.org/", "ex.org?x", "ex.org#x", "u@ex.org", "ex.org\\", "ex.org.",
              "ex.org,ev.org", "ex.org:080", "ex.org:0", "[::1", "::1", "ex.org:80:80", "http://ex.org", "*", "/",
              "ex.org\t", "\u00e9.org", "a_b.org", "[::1]x", "1.2.3.4.org", "ex.org:99999", "ex%2eorg")


class Generator:
    """Draws records from one stream of random numbers."""

    def __init__(self, seed: int | str, policy: str = "strict") -> None:
        self.random = random.Random(f"urivet {seed}")
        self.policy = policy
        self.last = b"http://ex.org/"

    # -- small draws ------------------------------------------------------------------------------------

    def chance(self, percent: float) -> bool:
        return self.random.random() * 100 < percent

    def pick(self, items):
        return items[int(self.random.random() * len(items))]

    def upto(self, most: int) -> int:
        return int(self.random.random() * (most + 1))

    def text(self, chars: str, length: int) -> str:
        return "".join(self.random.choices(chars, k=length))

    # -- hosts ------------------------------------------------------------------------------------------

    def label(self) -> str:
        if self.chance(60):
            return self.pick(WORDS)
        length = self.pick((1, 2, 3, 5, 8, 12))
        body = self.text(LOWER + DIGITS + "-", length).strip("-") or "a"
        return body.upper() if self.chance(5) else body

    def alabel(self) -> str:
        """Returns an xn-- label: a valid one, one with a forbidden code point, or a damaged one."""
        points = [ord(c) for c in self.text(LOWER, self.upto(4))]
        ranges = ((0xA1, 0x17F), (0x400, 0x4FF), (0x4E00, 0x9FFF), (0x1F300, 0x1F6FF), (0x10000, 0x10FFFF))
        for _ in range(1 + self.upto(3)):
            points.insert(self.upto(len(points)), self.random.randint(*self.pick(ranges)))
        if self.chance(25):
            points.insert(self.upto(len(points)), self.pick(BORDER_POINTS))
        text = punycode_encode(points).decode()
        if self.chance(30):
            at = self.upto(len(text))
            text = text[:at] + self.pick(LOWER + DIGITS + "-") + text[at + self.upto(1):]
        if self.chance(5):
            text = self.pick(ODD_PUNYCODE)
        return self.pick(("xn--", "xn--", "xn--", "XN--", "Xn--")) + (text.upper() if self.chance(10) else text)

    def name(self) -> str:
        labels = [self.label() for _ in range(self.upto(3))] + [self.pick(TOPS)]
        if self.chance(8):
            labels.insert(self.upto(len(labels)), self.alabel())
        return ".".join(labels)

    def long_name(self) -> str:
        """Returns labels of 62 to 64 octets, names of 252 to 254, both sometimes with a final dot."""
        if self.chance(50):
            return f"{self.text(LOWER, self.pick((61, 62, 63, 64, 65)))}.{self.pick(TOPS)}"
        total, host = self.pick((251, 252, 253, 254, 255)), ""
        while len(host) < total - 70:
            host += self.text(LOWER + DIGITS, self.random.randint(20, 63)) + "."
        rest = total - len(host)
        host += "b" * (rest // 2) + "." + "c" * (rest - rest // 2 - 1)
        return host + ("." if self.chance(20) else "")

    def ipv4(self) -> str:
        number = self.pick
        return ".".join(str(number((0, 1, 7, 8, 9, 10, 99, 100, 127, 199, 200, 249, 250, 255))) for _ in range(4))

    def ipv6(self) -> str:
        if self.chance(50):
            return self.pick(IPV6)
        groups = [self.pick(GROUPS) or self.text(HEX, 4) for _ in range(8)]
        text = ":".join(groups)
        if self.chance(70):                         # puts a gap somewhere, valid or not
            runs = [run for run in ("0:0:0:0:0:0", "0:0:0:0:0", "0:0:0:0", "0:0:0", "0:0") if run in text]
            if runs:
                text = text.replace(runs[0], ":", 1).replace(":::", "::")
                text = text if "::" in text else text.replace(":", "::", 1)
        return text

    def odd_number_host(self) -> str:
        parts = []
        for _ in range(self.pick((1, 2, 3, 4, 4, 4, 5))):
            value = self.pick((0, 1, 7, 8, 127, 255, 256, 65535, 65536, 16777215, 16777216, 4294967295, 4294967296, 10))
            parts.append(self.pick(("%d", "%d", "%d", "0%o", "0x%x", "0X%X", "00%d", "0%d")) % value)
        return ".".join(parts) + self.pick(("", "", "", "", "."))

    def host(self) -> str:
        draw = self.random.random() * 100
        if draw < 72:
            return self.name()
        if draw < 77:
            return self.ipv4()
        if draw < 85:
            return f"[{self.ipv6()}]"
        if draw < 88:
            return f"[{self.pick(ODD_IPV6)}]"
        if draw < 90:
            return self.long_name()
        if draw < 92:
            return self.pick(ODD_IPV4)
        if draw < 93.5:
            return self.odd_number_host()
        if draw < 95:
            return f"{self.ipv4()}{self.pick(('.', '', '-', 'a', '0', '_'))}{self.name()}"
        if draw < 98:
            return self.pick(ODD_NAMES)
        if draw < 99:
            return self.alabel() + self.pick(("", ".a", ".org", "."))
        return self.pick(ODD_AUTHORITIES)

    # -- the rest ---------------------------------------------------------------------------------------

    def characters(self, extra: str) -> str:
        return self.text(LOWER + DIGITS + UNRESERVED_MARKS + SUB_DELIMS + ":@" + extra, self.pick((1, 2, 3, 5, 8)))

    def piece(self, extra: str = "") -> str:
        draw = self.random.random() * 100
        if draw < 66:
            return self.pick(WORDS)
        if draw < 80:
            return self.characters(extra)
        if draw < 87:
            return self.pick(ESCAPES)
        if draw < 90.5:
            return self.pick(UTF8)
        if draw < 91.5:
            return self.pick(COMPATIBLE)
        if draw < 93:
            return self.pick(PARTED)
        if draw < 94.5:
            return self.pick(ODD_ESCAPES)
        if draw < 96.5:
            return self.pick(ODD_UTF8)
        if draw < 98.5:
            return self.pick(COLONS)
        if draw < 99.3:
            return self.pick(DOTTED)
        return self.pick(RAW)

    def pieces(self, most: int, extra: str = "") -> str:
        return "".join(self.piece(extra) for _ in range(self.upto(most)))

    def path(self) -> str:
        segments = []
        for _ in range(self.pick((0, 1, 1, 1, 2, 2, 3))):
            segments.append(self.pick(DOTTED) if self.chance(5) else self.pieces(2))
        if segments and not segments[0] and self.chance(90):
            segments[0] = self.pick(WORDS)
        if self.policy == "gateway" and self.chance(25):
            segments.append(self.pick(WORDS) + self.pick(PARTED) + self.pick(("", "", *WORDS)))
        return "/" + "/".join(segments)

    def query(self) -> str:
        text = self.pieces(3, "/?")
        if self.chance(30 if self.policy == "gateway" else 2):
            text += self.pick(ODD_IN_QUERY) + self.pieces(1)
        return text

    def fragment(self) -> str:
        """Returns a fragment, often with dots between apparent slashes, or with a mark before them."""
        text = self.pieces(2, "/?")
        if self.chance(8):
            text = self.pick(HASHBANGS) + text
        if self.chance(15):
            text = "".join(self.pick(("/", "?", "%2F", "%3f", "%5C", "a", "", "!", "%23", "/", ";"))
                           + self.pick((".", "..", "..", "...", "a", "..;x", ".%3B", "a..", "..;", "b", ".", "..!"))
                           for _ in range(1 + self.upto(2))) + self.pick(("", "", "/", "?", "%2f", "x", ";", text))
        return text

    def tail(self) -> str:
        tail = self.path() if self.chance(94) else ""
        if tail and self.chance(4):
            tail += self.pick(SEMICOLONS)
        if self.chance(35 if tail else 40):
            tail += "?" + self.query()
        if self.chance((4 if self.policy == "gateway" else 20) if tail else 40):
            tail += "#" + self.fragment()
        return tail

    def userinfo(self) -> str:
        return (self.pick(USERINFOS) if self.chance(70) else self.pieces(2)) + "@"

    def port(self, scheme: str) -> str:
        if self.chance(65) and scheme.lower() in GOOD_PORTS:
            return ":" + GOOD_PORTS[scheme.lower()]
        if self.chance(90):
            return ":" + self.pick(ODD_PORTS)
        return ":" + str(self.upto(70000))

    def scheme(self) -> str:
        gate = self.policy == "any" or self.chance(1)
        scheme = self.pick(GATE_SCHEMES if gate else GATE_SCHEMES[:2])
        if self.chance(22 if self.policy == "any" else 2):
            scheme = self.pick(OTHER_SCHEMES[:5] if self.chance(75) else OTHER_SCHEMES)
        return self.pick((scheme.upper(), scheme.capitalize())) if self.chance(4) else scheme

    def url(self) -> str:
        scheme = self.scheme()
        if scheme.lower() in OTHER_SCHEMES and self.chance(55):
            rest = self.pick(WRAPPED) if self.chance(15) else self.pick(("", "/", "a:", "/", "./", "../", "../a/..;/", "a/../", "//h:")) + self.pieces(3, "/")
            query = f"?{self.pieces(2)}" if self.chance(20) else ""
            fragment = f"#{self.pieces(2)}" if self.chance(20) else ""
            return f"{scheme}:{rest}{query}{fragment}"
        authority = self.host()
        if scheme.lower() in OTHER_SCHEMES and self.chance(12):
            authority = ""
        if self.chance(3):
            authority = self.userinfo() + authority
        if self.chance(14):
            authority += self.port(scheme)
        return f"{scheme}://{authority}{self.tail()}"

    def strange_start(self) -> str:
        return self.pick(PREFIXES) + self.pick(STARTS) + self.host() + self.tail()

    def long_url(self) -> str:
        """Returns a URL of a length around the limit, with a run of one octet."""
        filler = self.pick(("a", "a", "/", "/b", "%C3%A9", "?", ":", "..", "/../", "%25", "\\"))
        head, length = f"http://{self.name()}/x", self.pick((8190, 8191, 8192, 8193, 8194, 9000, 2000))
        return (head + filler * (length // len(filler)))[:length]

    def mutated(self, data: bytes) -> bytes:
        """Applies one to three insertions, deletions, replacements or splices."""
        for _ in range(self.pick((1, 1, 1, 2, 3))):
            at = self.upto(len(data))
            kind = self.upto(6)
            if kind == 0:
                data = data[:at] + data[at + 1 + self.upto(2):]
            elif kind == 1:
                data = data[:at] + bytes((1 + self.upto(254),)) + data[at:]
            elif kind == 2:
                data = data[:at] + bytes((1 + self.upto(254),)) + data[at + 1:]
            elif kind == 3:
                data = data[:at] + self.pick(TOKENS) + data[at:]
            elif kind == 4:
                data = data[:at] + self.pick(TOKENS) + data[at + 1 + self.upto(3):]
            elif kind == 5:
                data = data[:at] + self.last[self.upto(len(self.last)):]
            else:
                start = self.upto(len(data))
                data = data[:at] + data[start:start + 1 + self.upto(8)] + data[at:]
        return data

    def record(self) -> bytes:
        draw = self.random.random() * 100
        if draw < 0.1:
            text = self.long_url()
        elif draw < 3:
            text = self.strange_start()
        else:
            text = self.url()
        data = text.encode("utf-8", "surrogatepass").replace(b"\0", b"\1")
        if self.chance(22):
            data = self.mutated(data)
        if len(data) < 400:
            self.last = data
        return data


class Requests(Generator):
    """Records METHOD SP HOST SP TARGET for a listener, whose scheme and port may be known."""

    def __init__(self, seed: int | str, policy: str, scheme: str | None, port: int | None) -> None:
        super().__init__(f"{seed} {scheme} {port}", policy)
        self.listener = scheme, port

    def scheme(self) -> str:
        known = self.listener[0] or self.pick(("http", "https"))
        return known if self.chance(88) else super().scheme()

    def own_port(self, scheme: str) -> str:
        """Returns a port with its colon, or nothing: mostly the listener's port."""
        number = self.listener[1]
        if number is not None and self.chance(75):
            return f":{number}"
        return self.pick(("", "", "", ":80", ":443", ":8443", ":8080", self.port(scheme)))

    def site(self) -> str:
        """Returns a host, usually one that is known to be public, or known not to be."""
        if self.policy == "public" or self.chance(50):
            return self.pick(SITES)
        return self.host()

    def varied(self, host: str) -> str:
        """Returns the same host in another spelling, or a similar host."""
        kind = self.upto(5)
        if kind == 0:
            return host.upper()
        if kind == 1:
            return host + self.pick((".", "x", ".org", ""))
        if kind == 2:
            return self.site()
        return host

    def method(self, form: str) -> str:
        if self.chance(2):
            return self.pick(ODD_METHODS)
        if form == "authority":
            return self.pick(("CONNECT", "CONNECT", "CONNECT", "CONNECT", "GET", "OPTIONS", "connect"))
        if form == "asterisk":
            return self.pick(("OPTIONS", "OPTIONS", "OPTIONS", "GET", "HEAD", "CONNECT", "options"))
        return self.pick(("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND")
                         if self.chance(98) else ("CONNECT", *ODD_METHODS))

    def target(self, form: str, host: str) -> tuple[str, str]:
        """Returns a target, and the matching port of the Host field."""
        scheme = self.scheme()
        port = self.own_port(scheme)
        if form == "origin":
            path = self.path() + (self.pick(SEMICOLONS) if self.chance(2) else "")
            path += "?" + self.query() if self.chance(40) else ""
            return path + ("#" + self.fragment() if self.chance(2) else ""), port
        other = self.own_port(scheme) if self.chance(15) else port
        host = self.varied(host) if self.chance(15) else host
        if form == "absolute":
            return f"{scheme}://{host}{port}{self.tail()}", other
        if form == "authority":
            port = port or self.pick((":443", ":443", ":80", ""))
            end = self.pick(("", "", "", "", "", "/", "?", "#", "@", ":"))
            return f"{host}{port}{end}", port if self.chance(85) else other
        if form == "asterisk":
            return self.pick(("*", "*", "*", "*", "*", "**", "*/", "/*", "*?", "* ", "*#", "%2A")), port
        return self.pick((self.strange_start(), self.pieces(3), "", "a/b", "?q", "http:ex.org", "h:", ":80",
                          "ex.org:80:80")), port

    def record(self) -> bytes:
        form = self.pick(("origin",) * 11 + ("absolute",) * 5 + ("authority",) * 2 + ("asterisk",) * 2)
        form = "none" if self.chance(2) else form
        host = self.site()
        target, port = self.target(form, host)
        field = (self.pick(ODD_FIELDS) if self.chance(3) else host + port).replace(" ", "")
        method = self.method(form)
        text = f"{method} {field} {target}" if self.chance(99) else self.pick((
            f"{method} {field}{target}", f"{method}{field}{target}", f" {field} {target}", f"{method}  {target}",
            f"{method} {field} ", f"{method}\t{field} {target}", f"{method} {field}  {target}", f" {target}", " ",
            "  "))
        data = text.encode("utf-8", "surrogatepass").replace(b"\0", b"\1")
        if self.chance(10):
            data = self.mutated(data)
        if len(data) < 400:
            self.last = data
        return data


def generate(count: int, seed: int | str, policy: str = "strict") -> Iterator[bytes]:
    generator = Generator(seed, policy)
    return islice(iter(generator.record, None), count)


def generate_requests(count: int, seed: int | str, policy: str, scheme: str | None,
                      port: int | None) -> Iterator[bytes]:
    generator = Requests(seed, policy, scheme, port)
    return islice(iter(generator.record, None), count)


if __name__ == "__main__":
    # generate.py COUNT SEED [POLICY]: records, each ended by NUL
    import sys

    for record in generate(int(sys.argv[1]), sys.argv[2], *sys.argv[3:]):
        sys.stdout.buffer.write(record + b"\0")
