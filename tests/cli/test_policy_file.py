# SPDX-License-Identifier: Apache-2.0
"""Tests policy files: their syntax, the errors and their places, and how they judge."""

import ipaddress
import os
import random
import re
import resource
import subprocess
import time
import unittest

from helper import GOOD, URIVET, HomeCase, core, environment, instrumented, lacks, needs, octets, run, run_measured, takes_long, write_file


@needs("libyaml-dev")
class FileCase(HomeCase):
    """A test of policy files."""

    def problems(self, content, name="proxy.yaml"):
        """Returns the problems of a file: its lines on standard error without 'urivet: '."""
        self.write(content, name)
        result = self.urivet("policy", "check", name)
        self.assertEqual((result.code, result.out), (2, b""), (content, result))
        lines = result.err.decode("ascii").splitlines()
        self.assertTrue(all(line.startswith("urivet: ") for line in lines), result)
        return [line[len("urivet: "):] for line in lines]

    def assertGood(self, content):
        self.write(content)
        result = self.urivet("policy", "check", "proxy.yaml")
        self.assertEqual((result.code, result.err), (0, b""), (content, result))

    def verdict(self, content, uri, *options):
        """Returns the verdict and the findings of a URI by a policy."""
        self.write(content)
        result = self.urivet("check", "--format=tsv", "--policy-file=proxy.yaml", *options, "--", uri)
        self.assertIn(result.code, (0, 1), (content, result))
        row = result.rows()[0]
        return row[0], [] if row[1] == "-" else row[1].split(",")


def each(content, problem, *items, line=1):
    """Returns rows that differ by a text alone: of the content, and of the message, which has the same or other ones."""
    for item in items:
        text, *said = item if isinstance(item, tuple) else (item, item)
        yield content % text, [(line, problem % tuple(said[:problem.count("%s")]))]


# Faulty files, and the line and message of each problem. One problem each, unless it is a list.
# networks of each length in an octet, and beside a border of octets
NETWORKS = [ipaddress.ip_network((address, length), strict=False) for address, lengths in (("10.170.170.170", range(9, 32)), ("2a0a:1450::", range(31, 42))) for length in lengths]
PROBLEMS = [
    # the file as a whole
    *each("%s", "nothing is set here; a policy file has at least one key, such as base: public", "", "# a comment\n", "---\n...\n", "{}"),
    (b'name: "a"\nbase\0', [(2, "a NUL: this is no text")]),
    (b'name: a\nbase: \xfc', [(2, "octet 0xFC, which is no UTF-8 here")]),
    *[(b"name: " + octets, [(1, "octet 0x%02X, which is no UTF-8 here" % octets[0])]) for octets in (b"\xc0\x80", b"\xed\xa0\x80", b"\xc3")],
    (b"\xef\xbb\xbfbase: any", [(1, "U+FEFF, a byte order mark: save the file without one")]),
    ("name: a\nbase: any".encode("utf-16"), [(1, "UTF-16: save the file as UTF-8")]),
    ("name: a\nbase: any".encode("utf-32"), [(1, "UTF-32: save the file as UTF-8")]),
    ("name: a".encode("utf-16-be"), [(1, "a NUL: this is no text")]),
    *each("name: a%s", "%s", ("\x07", "control 0x07"), ("\x7f", "control 0x7F"), ("\u009b", "U+009B, which is no character of a text"), ("\uffff", "U+FFFF, which is no character of a text")),
    # a line end only for YAML would hide the text after it in a comment
    (b"base: any # \rname: x", [(1, "a carriage return without a line feed after it")]),
    *[("base: any # %cname: x" % c, [(1, "U+%04X, which ends a line for YAML and for few editors" % c)]) for c in (0x2028, 0x2029, 0x85)],
    ("%YAML 1.1\n---\nbase: any", [(1, 'a line that begins with "%" is a directive to YAML')]),
    *each("base: any\n%s", "%s", ("%TAG ! !foo", 'a line that begins with "%"'), ("}", "a key is due, indented as the one in line 1"), ("foo", '": " and a value are due after the key "foo"'),
      ("name:", '"name" has no value'), line=2),
    ("base: any\n---\nbase: public", [(2, "a second document begins here: a policy file is one")]),
    ("base: any\n...\nbase: public", [(3, "the policy ends before this: nothing may stand after it")]),
    ("name: x" + "\n" * 5000, [(4097, "more than 4096 octets of white space in a row")]),
    ("\n\u00e9: 1", [(2, 'unknown key "\\xC3\\xA9"')]),
    ("{a: " * 100000, [(1, 'unknown key "a"'), (1, "lists and groups are nested more than 16 deep")]),
    ("a: " + "[" * 100000, [(1, 'unknown key "a"'), (1, "lists and groups are nested more than 16 deep")]),
    ("a:\n" + "".join("\n%s- b:" % (" " * 3 * i) for i in range(1, 40)), [(1, 'unknown key "a"'), (11, "lists and groups are nested more than 16 deep")]),
    ("- " * 100000, [(1, "a list: a policy file has keys with values, such as base: public")]),
    ("? " * 100000, [(1, "a key is a word, such as base; text that begins with [ or { needs quotes")]),
    ("x" * 5000, [(1, "a text of more than 4094 octets")]),
    ("".join("a%d: 1\n" % i for i in range(21000)), 100 * [(None, "unknown key")] + [(None, "and 19901 more problems")]),
    # syntax: text that YAML takes for something else
    *each("%s", 'a key is due, and ": " after it, as in base: public', "base any", "base"),
    *each("%s", 'a space is due after "base:"', "base:any", "base:any\nname: x"),
    ("name: x\nbase:any", [(2, 'a space is due after "base:"')]),
    ("  name: x\n  base:any: b: c", [(2, 'unknown key "base:any"'), (2, 'a space is due after "base:"')]),
    *each("hosts:\n  deny:\n    - a.example\n%s", "%s", ("  allow:[b.example]", 'a space is due after "allow:"'), ("   - b.example", '"- " is not indented as the other values of its list are'),
      ("    allow: [c.example]", '"- " and a value are due, indented as in line 3'), line=4),
    ("hosts:\n  deny:\n    - *.example.com", [(3, '"*" begins an alias in YAML: put "*.example.com" in quotes; .example.com, which needs none, is that and the domain itself')]),
    *each("hosts: {deny: [%s]}", "%s", ("*.example.com", '"*" begins an alias in YAML: put "*.example.com" in quotes'),
      ("{name: '*.com', shared: true}", 'unknown key "hosts.deny.shared": it has name and except'), ('"example.com/a"', '"example.com/a" is more than a host: write "example.com"'),
      ('"a@example.com"', '"a@example.com" is no host: it takes a name alone'), ('"*."', '"*.": a star stands only in front and once'), ('"1.2.3."', '"1.2.3." is no host name'),
      ("{name: .a.example, except: x.a.example}", '"hosts.deny.except" takes a list of names: [ok.example.com]'),
      ("{name: .a.example, except: [{x: y}]}", '"hosts.deny.except" takes a list of names: [ok.example.com]; a text that begins with {'),
      ("{name: .a.example, except: [xa.example]}", '"xa.example" is no exception: it is not among the names below "a.example" that are denied'),
      ("{name: a.example, except: [x.a.example]}", '"x.a.example" is no exception'), ("{name: +.a.example, except: [y.x.a.example]}", '"y.x.a.example" is no exception'),
      ("{name: .a.example, except: [x.a.example, X.a.example]}", 'except "X.a.example" stands in line 1 already'),
      ("a.example, {name: '*.a.example', except: [x.a.example]}", 'deny "a.example" is beside another denial of this name in line 1')),
    *each("hosts:\n  deny:\n%s", "%s", ("    - *x", '"*" begins an alias in YAML, which policy files do not have: put "*x" in quotes'), ("    - a.example: 80", 'a text that holds ": " needs quotes'),
      ("\t- a.example", "a tab: YAML is indented by spaces"), line=3),
    *each("%s", '"&" begins an anchor in YAML, which policy files do not have', "name: &x y", "hosts: &x\n  deny: [a.example]",
      "hosts: {deny: &x [a.example]}", "&x base: any"),
    *each("name: %s", "%s", ("&", '"&" begins an anchor in YAML: put the text in quotes'), ("!<x y", '"!" begins a tag in YAML: put the text in quotes'), ('"a', "a text in quotes that does not end"),
      ("null", '"name" has no value: it takes a text'), ('["x"]', '"name" takes a text'), ('""', '"name" takes text without controls'), ('"a\\nb"', '"name" takes text without controls')),
    *each("%s", '"!" begins a tag in YAML, which policy files do not have', "name: !x y", "limits: {length: !!int 5}",
      "hosts: !!map {deny: [a.example]}", "hosts: {deny: !!seq [a.example]}", "name: ! y"),
    *each("name: %sx", '"%s" cannot begin a text in YAML: put it in quotes', "@", "`", "%"),
    *each("addresses: {deny: [%s]}", "%s", ("::1", 'a colon in front is no text in brackets: put "::1" in quotes'), ('"example.com"', '"example.com" is a name: those go into "hosts"'),
      ('"10.0.0.0/33"', '"10.0.0.0/33": a prefix of IPv4 has at most 32 bits'), ('"2001:db8::/129"', '"2001:db8::/129": a prefix of IPv6 has at most 128 bits')),
    ("addresses:\n  deny:\n    - [::1]",
     [(3, '"addresses.deny" takes a list of texts: [..., ...], or a line with "- " for each; a text that begins with ['),
      (3, 'a colon in front is no text in brackets: put "::1" in quotes')]),
    ("addresses:\n  deny:\n    - [2001:db8::1]", [(3, '"addresses.deny" takes a list of texts: [..., ...], or a line with "- " for each; a text that begins with [')]),
    ("base: public\n<<: {name: x}", [(2, '"<<" merges groups in YAML, which policy files do not')]),
    *each("hosts: {%s}", "%s", ("<<: [a]", '"<<" merges groups in YAML'), ("allow: [a.example] deny: [b.example]", "a comma or '}' is due in the group that begins in line 1"),
      ('allow: "a.example"', '"hosts.allow" takes a list of texts')),
    ("base: any\nname: 'a\n", [(2, "a text in quotes that does not end")]),
    ("hosts:\n  deny:\n    - a.example\n      b.example", [(3, "a text that goes on in another line")]),
    *each("name: %s", "a text that goes on in another line", '"a\nb"', "|\n  a\n", ">\n  a\n"),
    ("name: | x\n", [(1, '"|" and ">" begin texts of many lines in YAML: put it in quotes')]),
    *each('name: "a\\%s"', "an escape that YAML does not have", "q", "xg0", "ud800"),
    ("hosts:\n\tdeny: [a.example]", [(2, "a tab: YAML is indented by spaces")]),
    ("name: [\n a", [(1, "\"name\" takes a text"), (1, "']' is missing for the list that begins here")]),
    ("hosts: {\n allow: [a.example", [(2, "']' is missing for the list that begins here")]),
    ("hosts: {deny: [a.example]\n", [(1, "'}' is missing for the group that begins here")]),
    ("hosts: {\n allow: [a.example},", [(2, "a comma or ']' is due in the list that begins in line 2")]),
    ('hosts: {allow: ["a.example"\n "b.example"]}', [(2, "a comma or ']' is due in the list that begins in line 1")]),
    ("hosts:\n  allow: [", [(2, "the file ends here, in the middle of a list or group")]),
    ("hosts:\n  allow: [a.example,\n", [(3, "the file ends here, in the middle of a list or group")]),
    *each("hosts: {allow: [%s]}", "%s", (",", "a value is due before the comma"), ("a.example,,b.example", "a value is due before the comma"),
      ("null", 'a value of "hosts.allow" is missing: YAML takes this word for none, without quotes'), ("", '"hosts.allow" is empty, which would refuse every host; leave it out to allow all'),
      ('"*"', '"*" stands for names below a domain, as in "*.example.com"; leave "allow" out'), ('""', "an empty host"),
      ('"' + "a" * 64 + '.example"', "is no host name: labels of letters"),
      ('"a.example.com",\n ".example.com"', 'allow "a.example.com" is covered by ".example.com" in line 2'), ("+.a.example, x.a.example", 'allow "x.a.example" is covered by "+.a.example" in line 1'),
      ("'+.a.example', '*.a.example'", 'allow "+.a.example" is covered by "*.a.example" in line 1')),
    *each("base: %s", "'%s' closes nothing", "}", "]"),
    *each("base: %s", "%s", ('"any" "public"', "a value ends before this: put all of it in quotes, or begin a line"), ("any: b", "a value begins at this colon, where none may"),
      ("? x", '"? " begins a key in YAML: put the text in quotes'), ("5", 'no such policy to begin with: "5"')),
    ('name: x\nbase: "any";', [(2, "a line ends after its value: YAML has no semicolons")]),
    ("limits:\n  host: 20\n   label: 10", [(2, "a text that goes on in another line")]),
    ('limits:\n  host: "20"\n   label: 10', [(2, '"20" is text'), (3, "a key is due, indented as the one in line 2")]),
    ("limits:\n  host: 20\n label: 10", [(3, "a key is due, indented as the one in line 1")]),
    ("hosts:\n  deny:\n    - a.example\n    b.example\n  allow: [c.example]", [(4, '": " and a value are due after the key "b.example", or "- " before it where it is a value of a list')]),
    ("- a\nbase: any", [(1, "a list: a policy file has keys with values")]),
    ("hosts:\n  deny: - a.example", [(2, "a list begins in a line of its own, below its key")]),
    *each("%s", "a key is a word, such as base", "? [a]\n: b", "[a, b]: c", "{a: b}: c"),
    ("base.x: 1", [(1, 'unknown key "base.x"')]),
    # values that YAML takes for null
    *each("base:%s", '"base" has no value: it takes a text', "\n", " ~"),
    ("hosts:\n", [(1, '"hosts" has no value: it takes a group')]),
    ("hosts:\n  allow:\n", [(2, '"hosts.allow" has no value: it takes a list of texts')]),
    ("hosts:\n  allow:\n  -\n", [(3, 'a value of "hosts.allow" is missing')]),
    *each("limits: {%s}", "%s", ("length", '"limits.length" has no value: it takes a whole number'), ("length: true", '"limits.length" takes a whole number'),
      ("host: 254", '"limits.host" takes a number from 1 to 253, not 254'), ("label: 64", '"limits.label" takes a number from 1 to 63, not 64')),
    # numbers as the versions of YAML write them
    *each("limits: {length: %s}", '"limits.length" takes a whole number, not "%s"', "1.5", "4k", "-", "1:30"),
    *each("limits: {length: %s}", '"limits.length" takes a number from 1 to 1073741824, not %s', "4294968344", "99999999999999999999",
      "18446744073709551617", "0", "1073741825", "-5"),
    *each("limits: {length: %s}", '"limits.length": %s is no number of decimal digits alone: write %s', ("0x400", "0x400", "1024"), ("0o17", "0o17", "15"),
      ("0b101", "0b101", "5"), ("1_000", "1_000", "1000"), ("1e3", "1e3", "1000"), ("5.0", "5.0", "5"), ("007", "007", "7"), ("+5", "+5", "5")),
    *each("limits: {length: %s}", '"limits.length": "5" is text: leave the quotes off a number', '"5"', "'5'"),
    *each("ports: {http: [%s]}", "%s is no number of decimal digits alone: write 8080", "0x1F90", "8_080"),
    *each("ports: {http: [%s]}", "%s", ('"8443"', '"8443" is text: leave the quotes off a number'), ("80", "80 is the port of http anyway"),
      ('"8099-8000"', '"8099-8000" runs backwards: write "8000-8099"'), ('"8080-8080"', '"8080-8080" is one port: write 8080')),
    *each("ports: {http: [%s]}", "%s is no port: those are 1 to 65535", "0", "65536", "-1", "4294975376"),
    # booleans
    *each("opaque_query: %s", '"opaque_query" takes true or false: write %s, not %s', ("yes", "true", "yes"), ("off", "false", "off"),
      ("True", "true", "True"), ("FALSE", "false", "FALSE"), ("n", "false", "n")),
    *each("opaque_query: %s", '"opaque_query" takes true or false, not "%s"', "1", "maybe"),
    ('opaque_query: "true"', [(1, '"opaque_query" takes true or false: leave the quotes off')]),
    # mode, protect, include
    *each("mode: %s", "%s", ("observ", 'no such mode: "observ"; did you mean "observe"?'), ("log", 'no such mode: "log"; write enforce or observe'), ("[observe]", '"mode" takes a text')),
    ("urls: {allow: ['https://h.example/'], also: ['https://i.example:8443/']}", [(1, '"urls.also" adds to what is allowed without rules about URLs; with "urls.allow", write its rules there')]),
    ("hosts: {allow: [h.example]}\nallow: [host-not-allowed]", [(2, 'host-not-allowed switches "hosts.allow" off: write the host there, or the URL in "urls.also" or "urls.allow"')]),
    ("urls: {allow: ['https://h.example/']}\nallow: [url-not-allowed]", [(2, 'url-not-allowed switches "urls.allow" off: write the URL there')]),
    ("urls: {forbid_parameters: [code]}", [(1, '"urls.forbid_parameters" is for URLs that "urls.allow" or "urls.also" lists, which are not there')]),
    *each("%s", '"%s" is empty; leave it out', ("hosts: {deny: []}", "hosts.deny"), ("allow: []", "allow"), ("hosts: {}", "hosts"),
      ("urls: {also: []}", "urls.also"), ("paths: []", "paths"), ("parameters: {}", "parameters"), ("parameters: {a: {values: []}}", "values")),
    ("urls: {also: ['h.example']}", [(1, '"h.example" has no scheme: write "https://h.example"')]),
    ("urls:\n  also: ['https://h.example/']\n  forbid_parameters: ['a[]', code, code]", [(3, '"a[]" is no name of a parameter: write it decoded, without what follows a ['), (3, 'parameter "code" is listed already')]),
    ("urls:\n  also: ['https://h.example/']\n  forbid_parameters: [%s, b]" % ("a" * 125), [(3, "too many parameters: their names may have 127 octets in all")]),
    *each("%s", 'unknown key "%s"; did you mean "%s"?', ('bse: "public"', "bse", "base"), ("ports: {htps: [8443]}", "ports.htps", "ports.https"),
      ("addresses: {nat46: [a]}", "addresses.nat46", "addresses.nat64"), ("limits: {lenght: 5}", "limits.lenght", "limits.length"),
      ("opaque_quer: true", "opaque_quer", "opaque_query"), ("hosts: {deny: [{name: .a.example, excpt: [x.a.example]}]}", "hosts.deny.excpt", "hosts.deny.except"),
      ("hosts: {allow: [{name: a.example.com, shred: true}]}", "hosts.allow.shred", "hosts.allow.shared")),
    *each("hosts: {allow: [{%s}]}", "%s", ("shared: true", 'a group of "hosts.allow" has a name, and shared: true'),
      ("name: a.example, name: b.example", '"hosts.allow.name" is there for the second time'), ("name: .com, shared: true, shared: false", '"hosts.allow.shared" is there for the second time'),
      ("name: a.example.com, shared: yes", '"hosts.allow.shared" takes true or false: write true, not yes'), ("name: a.example.com, shared: [true]", '"hosts.allow.shared" takes true or false'),
      ("name: 'a b', shared: true", "a b")),
    *each("protect: [%s]", "%s", (".example.com", '"protect" takes names alone: write "example.com"'), ('"*.example.com"', '"protect" takes names alone: write "example.com"'),
      ("10.0.0.1", '"10.0.0.1" is an address')),
    ("protect: [example.com,\n example.net,\n Example.COM.]", [(3, 'protect "Example.COM" stands in line 1 already')]),
    ("paths: [{prefix: /a, allow: [escaped-slash]}, {prefix: /a, allow: [path-semicolon]}]", [(1, '"/a" stands in line 1 already: write all its findings there')]),
    *each("paths: [%s]", "%s", ("{prefix: /a}", '"paths.allow" is missing: list the findings that do not refuse below the prefix'),
      ("{allow: [escaped-slash]}", '"paths.prefix" is missing: write what the path begins with'), ("{}", '"paths.prefix" is missing')),
    *each("paths:\n- {%s}", "%s", ("prefx: /a, allow: [escaped-slash]", 'unknown key "paths.prefx"; did you mean "paths.prefix"?'),
      ("xyzzy: /a", 'unknown key "paths.xyzzy": it has prefix, methods and allow'), ("prefix: /a, prefix: /b, allow: [escaped-slash]", '"paths.prefix" is there for the second time'),
      ("prefix: /a, methods: [get], allow: [escaped-slash]", '"get" is no method to list: write it in capitals, as GET'),
      ("prefix: /a, methods: [GET, HEAD, GET], allow: [escaped-slash]", 'method "GET" is listed already'), line=2),
    *each("paths:\n- {prefix: %s, allow: [escaped-slash]}", "%s", ("[/a]", '"paths.prefix" takes a text, such as /api/'), ("a", '"a" is no prefix: write "/a"'),
      ("''", 'an empty prefix: write "/" for all paths'), ("/%61", '"/%61": compared as received: triplets encode no letter'), ("//a", "servers merge slashes, so a prefix has no //"),
      ("/a/../b", "no segment of it ends in a dot"), ("/@", 'whole segments: write "/@/"'), ("/a%2F/b", "compared as received"), ("/a;b", "servers cut a path at ;, so a prefix has none"),
      ("'/a\\b'", "servers take a backslash for a slash, so a prefix has none"), ("/a?b", "a prefix ends before the query"), ("'/a*'", "a prefix has no stars: it covers all paths below it"),
      ("/a.", "no segment of it ends in a dot"), ("/" + "a" * 1024, "a prefix of more than 1024 octets"), line=2),
    *each("paths:\n- {prefix: /a, allow: %s}", "%s", ("escaped-slash", '"paths.allow" takes a list of texts: [..., ...], or a line with "- " for each; here that is ["escaped-slash"]'),
      ("{a: b}", '"paths.allow" takes a list of texts'), ("[[a]]", '"paths.allow" takes a list of texts'), ("[]", '"paths.allow" is empty; leave it out'),
      ("[escaped-slsh]", 'no such finding: "escaped-slsh"; did you mean "escaped-slash"?'), ("[escaped-slash, escaped-slash]", 'finding "escaped-slash" is listed already'),
      ("[dot-segment]", 'finding "dot-segment" cannot be allowed below a prefix: it is not about path or query, or lets a path lead out of the prefix'), line=2),
    ("paths:\n- {prefix: /a, methods: [%s], allow: [escaped-slash]}" % ", ".join("ABCDEF%c%c" % (65 + n // 6, 65 + n % 6) for n in range(29)), [(2, "too many methods")]),
    ("paths:\n" + "- {prefix: /%d, allow: [escaped-slash]}\n" * 4099 % tuple(range(4099)), [(4098, "more than 4096 rules for paths: write a prefix that several of them have in common")]),
    *each("paths: %s", "%s", ("[/a]", '"paths" takes a list of groups: a line with "- prefix: ..." for each'), ("{prefix: /a}", '"paths" takes a list of groups')),
    ("allow: [escaped-slash]\npaths:\n- {prefix: /a, allow: [escaped-slash]}", [(3, 'finding "escaped-slash" is allowed everywhere, not only below "/a": remove it from one of both')]),
    *each("strip_prefix: %s", "%s", ("[api]", '"api" is no prefix: write "/api"'), ("[/api$]", '"strip_prefix" takes prefixes, which do not end with "$"'),
      ("[/api, /api]", '"/api" stands in line 1 already'), ("[/a%2e]", "compared as received"), ("{a: b}", '"strip_prefix" takes a list of texts')),
    ("parameters: [next]", [(1, '"parameters" takes a group of names: a line with "NAME: {same_origin: true}" for each')]),
    *each("parameters:\n  %s", "%s", ("*: {policy: public}", '"*" begins an alias in YAML'), ("next: {}", '"next" is empty: write what its value has to be, as {same_origin: true} or {policy: public}'),
      ("next: true", '"next" takes a group of keys: {same_origin: true}'), ("'': {policy: any}", "the name of a parameter has at least one character, and no controls"),
      ('"a\\x07": {policy: any}', "the name of a parameter has at least one character, and no controls"), ("next: {same_orign: true}", 'unknown key "next.same_orign"; did you mean "next.same_origin"?'),
      ("next: {xyzzy: true}", 'unknown key "next.xyzzy": it has same_origin, rooted, absolute, any_case, semicolons, required, decode, policy, allow and values'),
      ("next: {rooted: yes}", '"rooted" takes true or false: write true, not yes'), ("next: {rooted: [true]}", '"rooted" takes true or false'),
      ("next: {rooted: true, rooted: true}", '"rooted" is there for the second time'), ("next: {rooted: true, absolute: true}", '"rooted" and "absolute" exclude each other'), line=2),
    ("parameters:\n  next: {rooted: true}\n  url: {policy: any}\n  next: {rooted: true}", [(4, 'parameter "next" stands in proxy.yaml:2 already')]),
    *each("parameters:\n  url: {%s}", "%s", ("decode: 3", '"decode" takes 1 or 2, how often the value is decoded, not 3'),
      ("decode: two", '"decode" takes 1 or 2, how often the value is decoded, not two'), ("decode: 0x1", '"decode": 0x1 is no number of decimal digits alone: write 1'),
      ("decode: {}", '"decode" takes 1 or 2'), ("policy: pubic", 'no such policy: "pubic"; write public, or a file as ./pubic'), ("policy: ''", 'no such policy: ""'),
      ("policy: [public]", '"policy" takes the name of a policy'), ("policy: none.yaml", "cannot open 'none.yaml': No such file or directory"),
      ("policy: /dev/zero", "'/dev/zero' is no regular file"), line=2),
    *each("parameters:\n  body: {%s}", "%s", ("allow: []", '"allow" is empty; leave it out'), ("allow: escaped-crlf", '"allow" takes a list of findings: [escaped-crlf]'),
      ("allow: [[a]]", '"allow" takes a list of findings: [escaped-crlf]; a text that begins with ['), ("allow: [escaped-clrf]", 'no such finding: "escaped-clrf"; did you mean "escaped-crlf"?'),
      ("allow: [escaped-crlf, escaped-crlf]", 'finding "escaped-crlf" is listed already'), ("allow: [escaped-nul]", 'finding "escaped-nul" cannot be allowed in the value of a parameter'),
      ("allow: [host-missing]", 'finding "host-missing" cannot be allowed in the value of a parameter'),
      ("allow: [escaped-slash]", 'finding "escaped-slash" is about paths: the value has none, as it is not judged as a URL; add "policy"'),
      ("allow: [escaped-crlf], any_case: true", '"any_case" has no effect: with "allow" alone, the value is not judged as a URL; add "policy"'),
      ("allow: [escaped-crlf], semicolons: true", '"semicolons" has no effect'), line=2),
    *each("parameters:\n  %s: {allow: [escaped-crlf]}", "%s", ("'*'", '"allow" is for parameters named in letters, digits, -._~ and brackets, not "*": for all, use the "allow" of the policy'),
      ("'a b'", 'not "a b"'), line=2),
    ("allow: [escaped-crlf]\nparameters:\n  body: {allow: [escaped-crlf]}", [(3, 'finding "escaped-crlf" is allowed everywhere, not only in parameter "body": remove it from one of both')]),
    ("protect: example.com", [(1, '"protect" takes a list of texts: [..., ...], or a line with "- " for each; here that is ["example.com"]')]),
    *each("include: %s", "%s", ("hosts.yaml", '"include" takes a list of texts'), ('[""]', '"include" takes names of files'), ('["-"]', "standard input cannot be included")),
    # keys
    ('\n\nwhatever_it_is: 1', [(3, 'unknown key "whatever_it_is"')]),
    ('hosts: {\n alow: ["a.example"]}', [(2, 'unknown key "hosts.alow"; did you mean "hosts.allow"?')]),
    *each("ports: {%s}", "%s", ("other: [8443]", '"ports.other": schemes other than http'), ("http: 8080", '"ports.http" takes a list of ports and ranges: [8080, 8000-8099]'),
      ("https: [443]", "443 is the port of https anyway"), ("ftp: [2121]", "port 2121 is for ftp, which the policy does not allow")),
    ('base: "any"\nbase: "any"', [(2, '"base" is there for the second time: it stands in line 1 already')]),
    ('base: "any"\n"base": "any"', [(2, '"base" is there for the second time')]),
    ("unknown: 1\nunknown: 1", [(1, "unknown key"), (2, "unknown key")]),
    ("hosts: {deny: [a.example]}\nhosts: {allow: [b.example]}", [(2, '"hosts" is there for the second time: it stands in line 1')]),
    ('hosts: {deny: ["a.example"],\n deny: ["b.example"]}', [(2, '"hosts.deny" is there for the second time: it stands in line 1 already')]),
    # types
    ('schemes: "http"', [(1, '"schemes" takes a list of texts: [..., ...], or a line with "- " for each; here that is ["http"]')]),
    *each("schemes: [%s]", "%s", ("5", 'no scheme "5" to list'), ('"htps"', 'no such scheme: "htps"; did you mean "https"?'), ("mailto, tel, mailto", 'scheme "mailto" is listed already'),
      ("", '"schemes" is empty, which would refuse everything')),
    ("ports: [80]", [(1, '"ports" takes a group: keys of its own, indented below it')]),
    *each("ports: {http: [%s]}", "%s", ("8080,\n true", '"true" is no range of ports'), ('"8000-8099",\n "8090-8100"', "http: 8090-8100 overlaps 8000-8099 in line 1"),
      ('"8000-8099",\n8080', "http: 8080 overlaps 8000-8099 in line 1"), ("8080,\n8080", "http: 8080 stands in line 1 already"), line=2),
    ('hosts: ["a.example"]', [(1, '"hosts" takes a group: keys of its own, indented below it')]),
    ('hosts: {allow: [\n "a.example",\n5\n,\n[1],\n{b: 1}]}', [(3, '"5" is no host name'), (5, '"hosts.allow" takes a list of texts'), (6, 'unknown key "hosts.allow.b": it has name and shared')]),
    ("opaque_query: [true]", [(1, '"opaque_query" takes true or false')]),
    *each('base: "%s"', 'no such policy to begin with: "%s"; did you mean "%s"?', ("gatewy", "gatewy", "gateway"), ("publik", "publik", "public")),
    ('base: "gateway"\nallow: ["colon-port-in-tail"]\nrefuse: ["colon-port-in-tail"]', [(3, 'finding "colon-port-in-tail" is both allowed and refused')]),
    ('allow: "dot-segment"', [(1, '"allow" takes a list of texts')]),
    # values
    ('name: "a\\x00b"', [(1, "a NUL in a text")]),
    *each('schemes: ["%s"]', 'no scheme "%s" to list: a name such as https or mailto, in lower case and without the colon', "MailTo", "mailto:"),
    ('schemes: [%s]' % ", ".join("scheme%d" % k for k in range(40)), [(1, "too many schemes: their names may have 255 octets in all")] * 11),
    # empty lists and groups
    # findings
    *each("allow: [%s]", "%s", ('"dot-segmnt"', 'no such finding: "dot-segmnt"; did you mean "dot-segment"?'), ('"raw-tab"', 'finding "raw-tab" cannot be allowed'),
      ('"url-too-long"', 'finding "url-too-long" cannot be allowed')),
    ('refuse: ["xyzzyxyzzy"]', [(1, 'no such finding: "xyzzyxyzzy"')]),
    ('allow: ["port-default"]\nrefuse: ["port-default"]', [(2, 'finding "port-default" is both allowed and refused')]),
    # hosts
    *each('hosts: {allow: ["%s"]}', '"%s" is more than a host: write "example.com"', "http://example.com/", "//example.com"),
    *each('hosts: {allow: ["%s"]}', '"%s" is more than a host: write "https://%s" in "urls.allow", or "example.com" for all of it', *((name, name, name) for name in ("example.com:80", "example.com/a"))),
    *each('hosts: {allow: ["%s"]}', '"%s" is an address: those go into "addresses"', "10.0.0.1", "10.0.0.1:80", "10.0.0.0/8", "10.0.0.1/8", "10.0.0.1/33", "2001:db8::1/32", "[::1]", "[::1]:80", "::1"),
    *each('hosts: {allow: ["%s"]}', '"%s": a star stands only in front and once', "*.*.example.com", "example.*", "a*.example.com"),
    *each('hosts: {allow: ["%s"]}', '"%s" is no host name', "example.com..", ".", "a..b", "-a.example", "1.2.3", "a b"),
    *each("%s.b\u00fccher.example']}", 'write the name as "xn--bcher-kva.example"', "hosts: {allow: ['*", "hosts: {deny: ['+", "hosts: {deny: ['", "urls: {allow: ['https://+"),
    # addresses
    *each('addresses: {deny: ["%s"]}', '"%s" is no address: dotted decimal or an IPv6 address', "10.1", "010.0.0.1", "fe80::1%eth0", "[::1]", ""),
    *each('addresses: {deny: ["%s"]}', '"%s": what follows the slash is no prefix length', "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/255.0.0.0"),
    *each("addresses: {%s}", "%s", ('allow: ["10.1.2.3/16"]', '"10.1.2.3/16": bits are set after the prefix; did you mean "10.1.0.0/16"?'),
      ('nat64: ["10.0.0.0/8"]', '"10.0.0.0/8": the prefix of a translator is IPv6')),
    ('addresses: {allow: ["2001:db8::1/32"]}', [(1, '"2001:db8::1/32": bits are set after the prefix; did you mean "2001:db8::/32"?')]),
    *each("addresses: {allow: ['::ffff:0:0/%s']}", 'is IPv4 inside of IPv6, which is judged as IPv4: write "0.0.0.0%s"', *((96 + n, f"/{n}" if n < 32 else "") for n in range(33))),
    *each("addresses: {nat64: ['2001:db8::/%s']}", "the prefix of a translator has 32, 40, 48, 56, 64 or 96 bits (RFC 6052, 2.2)", *set(range(32, 129)) - {32, 40, 48, 56, 64, 96}),
    *each("addresses: {%s}", "%s", ('nat64: ["2001:db8::/96",\n "2001:DB8::/96"]', 'nat64 "2001:db8::/96" stands in line 1 already'),
      ('allow: ["10.0.0.0/8",\n "10.1.0.0/16"]', 'allow "10.1.0.0/16" is covered by "10.0.0.0/8" in line 1'), ('deny: ["10.0.0.1",\n "10.0.0.1/32"]', 'deny "10.0.0.1" stands in line 1 already'), line=2),
    # ports
    *each('ports: {http: ["%s"]}', '"%s" is no range of ports', "8000-65536", "0-80", "http", "8000 - 8099"),
    # rules without effect
    *[('hosts: {%s: ["%s",\n "%s"]}' % (key, wide, narrow), [(2, '%s "%s" is covered by "%s" in line 1' % (key, narrow, wide.rstrip(".")))]) for key, wide, narrow in (
        ("allow", ".example.com", "a.example.com"), ("allow", "*.example.com", ".b.a.example.com"), ("allow", ".example.com", "EXAMPLE.com"),
        ("deny", ".example.com.", "a.example.com"), ("deny", ".example.com", "*.example.com"))],
    *each('hosts: {allow: ["example.com",\n "example.com%s"]}', 'allow "example.com" stands in line 1 already', "", ".", line=2),
    *each("hosts: {allow: %s}", "%s", ('[".example.com", "a.b.example.net"],\n deny: [".b.example.net"]', 'allow "a.b.example.net" has no effect: deny ".b.example.net" in line 2 wins'),
      ('["a.example.com"],\n deny: ["a.example.com"]', 'allow "a.example.com" has no effect: deny "a.example.com" in line 2 wins')),
    *each("hosts: {allow: %s}", "%s", ('[".example.com"],\n deny: ["example.net"]', 'deny "example.net" is never reached: "hosts.allow" in line 1 allows no such name'),
      ('["example.com"],\n deny: ["*.example.com"]', 'deny "*.example.com" is never reached: "hosts.allow" in line 1 allows no such name'), line=2),
    ('addresses: {allow: ["10.1.0.0/16"],\n deny: ["10.0.0.0/8"]}', [(1, 'allow "10.1.0.0/16" has no effect: deny "10.0.0.0/8" in line 2 wins')]),
    ('addresses: {deny: ["2001:db8::/32",\n "2001:db8:1::/48"]}', [(2, 'deny "2001:db8:1::/48" is covered by "2001:db8::/32" in line 1')]),
    *[('addresses: {deny: ["%s",\n "%s"]}' % (wide, wide[-1]), [(2, f'deny "{wide[-1]}" is covered by "{wide}" in line 1')]) for wide in NETWORKS],
    # URLs
    *each("urls: {allow: [%s]}", "%s", ("", '"urls.allow" is empty, which would refuse every URL; leave it out to allow all'), ('""', "an empty URL"),
      ("example.com/cb", '"example.com/cb" has no scheme: write "https://example.com/cb"'), ("/cb", '"/cb" is no URL: it has no scheme'), ("HTTPS://a.example/", "a scheme is written in lower case"),
      ('"http:/cb"', '"http:/cb": a URL of this scheme has a host: write "http://..."'), ('"com.example.app:cb"', '"com.example.app:cb": a path begins with "/"'),
      ("com.example.app:/a/../b", "the path is none, or has segments that are empty or made of dots"), ('"com.example.app:/cb?"', "after a path,"),
      ("'http://172.17.0.0/16:5978'", 'has an address and a path: networks go into "addresses"'), ("https://u@a.example/", "a rule has no userinfo, which is refused anyway"),
      ('"https://.a.example:*/"', 'a range of ports is "8000-8099", or "*" for any, after an address or one name, not after names below another one'),
      ('"https://a.example:90-80/"', 'a range of ports is "8000-8099"'), ("https://a.example:8x/", "what follows the host is no port"),
      ("https://a.example/x?*y", 'after a path, "?*" is any query and "?a=1" this one, without a star; no query is "$"'),
      ("'https://a.example/x#y'", 'a rule has no fragment; it covers every one, or none with "$" at its end'), ("https://a.example/x/*", 'no star in a path: "/a" covers /a and all below it'),
      ("https://a.example/x/../y", "the path is none, or has segments that are empty or made of dots"), ("https://a.example/x/y$,\n https://a.example", 'is covered by "https://a.example" in line 2')),
    ("urls: {deny: [a]}", [(1, '"urls.deny": a path has more spellings than rules could list')]),
    *each('urls: {allow: ["%s"]}', "it takes a scheme that is not dangerous by itself", "javascript:x", "gopher://a.example/"),
    ("urls: {allow: [https://m\u00fcnchen.example/]}", [(1, 'write the name as "xn--mnchen-3ya.example"')]),
    ("urls: {allow: [https://m\u00dc\u00dfchen.example/]}", [(1, "write names that are not ASCII as A-labels (xn--...)")]),
    *[(f"urls: {{allow: ['{url}']}}", [(1, "a rule has no templates and no regular expressions")]) for url in ("https://a.example/{id}", "https://(a|b).example/", "^https://a.example/")],
    *[(f"base: {name}", [(1, f'no built-in policy: for a file write "include: [{name}]"')]) for name in ("other.yaml", "./other")],
    *each("urls: {allow: [https://a.example%s/]}", "the host or the port is none", ":0", "."),
    *each("parameters: {%s}", "%s", ("a: {values: [b, c, b]}", 'value "b" is listed already'), ("a: {values: [[b]]}", '"values" takes a list of values: [view, edit]; a text that begins with ['),
      ('a: {values: ["b\\n"]}', "a value is text without controls"), ("'*': {values: [b]}", '"values" is for a parameter with a name, not for "*"'),
      ("'*': {required: true}", '"required" is for a parameter with a name, not for "*"')),
    ("urls: {allow: ['https://a.example/x?*', 'https://a.example/x$', 'https://a.example/x?a=1$', 'https://a.example/x?a=1']}", [(1, 'allow "https://a.example/x$" is covered by "https://a.example/x?*" in line 1'), (1, 'allow "https://a.example/x?a=1$" is covered'), (1, 'allow "https://a.example/x?a=1" is covered')]),
    ("urls: {allow: [https://a.example/" + "x" * 4070 + "?]}", [(1, "after a path,")]),
    ("urls: {allow: [https://a.example/x,\n https://a.example/x]}", [(2, 'allow "https://a.example/x" stands in line 1 already')]),
    ("urls: {allow: [https://a.example/x,\n https://A.example/x/y]}", [(2, 'allow "https://A.example/x/y" is covered by "https://a.example/x" in line 1')]),
    ('urls: {allow: ["http://127.0.0.1:*/x",\n "http://127.0.0.1:*/x$"]}', [(2, 'is covered by "http://127.0.0.1:*/x" in line 1')]),
    ("urls: {allow: [https://a.example/x]}\nhosts: {deny: [.example]}", [(1, 'allow "https://a.example/x" has no effect: deny ".example" in line 2 wins')]),
    ("urls: {allow: [https://a.example/x]}\nhosts: {allow: [a.example]}", [(1, 'allow "https://a.example/x" has no effect: "hosts.allow" allows "a.example" in line 2, whatever the path')]),
    # several, in order
    ('refuse: ["a-b-c-d-e-f"]\nbase: "x"\nlimits: {host: 0,\nlabel: 0}\nhosts: {deny: ["*"]}', [(1, "no such finding"), (2, "no such policy"), (3, '"limits.host"'), (4, '"limits.label"'), (5, '"*" stands')]),
]

# Valid files that look faulty.
GOOD_FILES = [
    'base: "any"', "base: any\nname: x", "{base: any, name: x}", "---\nbase: any\n...\n", "\n\n  base: any\n  name: x\n", "name: true",
    '{"base": "any", "name": "x", "limits": {"length": 5}, "hosts": {"deny": ["a.example"]}, "opaque_query": true}',
    "hosts:\n  deny:\n  - a.example\n  -   .b.example\n  - '*.c.example'\n",
    "addresses:\n  deny:\n    - 2001:db8::/32\n    - ::1\n    - 10.0.0.0/8\n",
    'addresses: {deny: [2001:db8::/32, "::1", 10.0.0.0/8]}',
    "name: a = b; c:{d} [e] \u00e9 # a comment",
    "base:\tany\nname: x\t# a comment",
    "urls: {allow: [https://a.example/x, https://a.example/xy, https://a.example:8443/x/y, http://a.example/x]}",
    "urls: {allow: [https://a.example/x$, https://a.example/x/, https://b.example/x, https://.c.example/x]}",
    'urls: {allow: [com.example.app:/cb, "http://[::1]:*/cb", "http://localhost:*"]}',
    "urls: {allow: ['http://a.example:8000/', 'http://a.example:8000-8001/x', 'http://a.example:7999-8001/x', 'http://.a.example:8000/x', 'http://127.0.0.1:8000/', 'http://[::1]:8000/x']}",
    "urls: {allow: [https://a.example:8443/x, https://.c.example/]}\nhosts: {allow: [a.example], deny: [x.c.example]}",
    "mode: enforce\nprotect: [example.com, example.net.]",
    "".join("# %d\n" % i for i in range(5000)) + "base: any",
    'base: "any"\r\nname: "x"\r\n',
    "# a comment\nbase: any # and one more\n# the last",
    'hosts: {allow: ["example.com", "*.example.com"]}', 'hosts: {allow: ["Example.COM", "a_b.example"]}', 'hosts: {allow: ["com"]}',
    'hosts: {deny: ["example.com", "a.example.net", "*.a.example.net"]}',
    'hosts: {allow: [".example.com"], deny: ["a.example.com", "*.b.example.com"]}',
    'hosts: {allow: ["example.com.", "*.example.net.", ".example.org."]}',
    'hosts: {allow: [".b.example.com", "c.example.com"], deny: ["x.b.example.com"]}',
    'base: public\naddresses: {allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"]}',
    'addresses: {deny: ["2001:DB8:0:0::/64", "8000::/1", "127.0.0.1"]}',
    'ports: {http: [8080, "8000-8079", "8081-8099"], https: [8080]}',
    'ports: {http: [5000-7000, 6379, 8080]}',
    'limits: {length: 1073741824, host: 1, label: 1}',
    'schemes: ["other"]', "schemes: [tftp, sftp, rtsp]",
    "opaque_query: true",
    'opaque_query: false\nbase: "gateway"',
    "allow: [escaped-crlf]\nparameters: {url: {policy: public, allow: [escaped-crlf], same_origin: false}, 'img[*]': {allow: [double-escape]}}",
    "parameters: {'*': {policy: strict, decode: 1}, ' x': {any_case: true}}",
    'name: "\u00fc \\" \\\\ \\x41 \\u00fc"',
    *["addresses: {deny: ['%s', '%s']}" % tuple(wide.subnets()) for wide in NETWORKS],
    *["addresses: {nat64: ['2001:db8::/%d']}" % length for length in (32, 40, 48, 56, 64, 96)],
]


class Problems(FileCase):
    def test_problems(self):
        """Each fault is reported with its line, and nothing else is reported."""
        for content, expected in PROBLEMS:
            with self.subTest(content=content[:80]):
                lines = self.problems(content)
                self.assertEqual(len(lines), len(expected), lines)
                for line, (number, text) in zip(lines, expected):
                    if number is not None:
                        self.assertRegex(line, "^proxy.yaml:%d:[1-9][0-9]*: " % number)
                    self.assertIn(text, line)
                    # what a message quotes first stands at its place, if it is in that line and not what the fault is about
                    found = re.match(r'proxy.yaml:(\d+):(\d+): [^"]*"([^"]+)"(?! (takes|is for|and|is about|is allowed|has no effect)|: 0x1)', line)
                    row = octets(content).splitlines()[int(found[1]) - 1] if found else b""
                    if found and octets(found[3]) in row and "goes on" not in line:
                        self.assertTrue(row[int(found[2]) - 1:].lstrip(b"\"'").startswith(octets(found[3])), line)
                if isinstance(content, str) and "\n" in content and len(content) < 1000 and "ends here" not in lines[0]:
                    self.assertEqual(self.problems(content + "\n# \u00e9"), lines)  # places are found otherwise if not all is ASCII

    # A list; two good items, one with a fault, and one that those before it make superfluous, or that repeats one of them.
    PLACES = [("schemes", "http", "https", "htp:", "https"), ("ports.http", "8080", "8090-8099", "65536", "8095"), ("ports.wss", "8080", "8081-8090", "0", "8085"),
              ("hosts.allow", "{name: .github.io, shared: true}", ".b.example", ".com", "x.b.example"),
              ("hosts.deny", "{name: .a.example, except: [x.a.example]}", "'*.b.example'", "{name: .d.example, except: [d.example]}", "x.b.example"),
              ("hosts.allow", "a.example", ".b.example", "c_.*", "+.b.example"), ("hosts.deny", "a.example", "'*.b.example'", "'*'", "a.example."),
              ("urls.allow", "https://a.example/x", "https://b.example/", "https://c.example/x/../y", "https://a.example/x/y"),
              ("urls.forbid_parameters", "a", "b", "''", "b"),
              ("addresses.allow", "10.0.0.0/8", "192.0.2.1", "10.0.0.1/8", "10.1.0.0/16"), ("addresses.deny", "2001:db8::/32", "127.0.0.1", "127.1", "2001:db8:1::/48"),
              ("addresses.nat64", "2001:db8:1::/96", "2001:db8:2::/96", "2001:db8::/95", "2001:db8:1:0::/96"),
              ("allow", "userinfo-present", "dot-segment", "control-char", "dot-segment"), ("refuse", "host-case", "path-empty", "no-such", "host-case"),
              ("protect", "a.example", "b.example", "b..example", "A.example."), ("strip_prefix", "/a", "/b", "c", "/a"),
              ("paths", "{prefix: /a, allow: [escaped-slash]}", "{prefix: /b, methods: [GET], allow: [escaped-slash]}", "{prefix: /c, allow: []}", "{prefix: /a, allow: [escaped-crlf]}")]

    def test_every_place(self):
        """A fault is reported at its own line wherever it stands in a list, in a policy file and in those that it includes:
        alone, first, between, last, twice. Nothing else is, whatever stands in other lists."""
        for key, first, second, bad, superfluous in self.PLACES:
            others = {"urls.forbid_parameters": "urls: {allow: [https://z.example/]}", "ports.wss": "ports: {ftp: [60000], http: [60001-60009]}"}.get(key, "limits: {length: 100}")
            names = key.split(".")
            for items in ([bad], [bad, first, second], [first, bad, second], [first, second, bad], [bad, first, bad], [first, second, superfluous]):
                lines = ["  " * depth + name + ":" for depth, name in enumerate(names)]
                lines += ["  " * len(names) + "- " + item for item in items]
                wrong = [2 + len(names) + k for k, item in enumerate(items) if item == bad or k == 2 and bad not in items]
                for file in ("proxy.yaml", "1.yaml", "2.yaml"):
                    for name, start, end in (("proxy.yaml", "include: [1.yaml]", "base: any"), ("1.yaml", "include: [2.yaml]", ""), ("2.yaml", "# the last", "")):
                        beside = others if name == ("proxy.yaml" if file == "2.yaml" else "2.yaml") else ""
                        self.write("\n".join([start, *(lines if name == file else []), end, beside]), name)
                    found = self.urivet("policy", "check", "proxy.yaml").err.decode("ascii")
                    self.assertEqual(list(dict.fromkeys(re.findall(r"(?m)^urivet: (\S+?:\d+):", found))), ["%s:%d" % (file, line) for line in wrong], (items, found))

    # What pages and headers say of a number that is the most, and a policy with so many of something.
    LIMITS = [("%d rules for paths", 4096, lambda n: "paths:\n" + "".join("- {prefix: /%d, allow: [escaped-slash]}\n" % k for k in range(n))),
              ("%d for parameters", 100, lambda n: "parameters:\n" + "".join("  p%d: {policy: any}\n" % k for k in range(n))),
              ("%d keys a file", 20000, lambda n: "name: x\n" * (n % 2) + "hosts:\n  deny:\n" + "".join("  - {name: .h%d.example, except: [x.h%d.example]}\n" % (k, k) for k in range(n // 2 - 1))),
              ("%d values", 1048576, lambda n: "a: [" + "x," * (n - 2) + "]"), ("nested %d deep", 16, lambda n: "a: " + "[" * n + "]" * n),
              ("texts of %d octets", 4094, lambda n: "name: '" + "x" * n + "'"), ("%d octets of white space in a row", 4096, lambda n: "name: x" + "\n" * n),
              ("of a name, 1 to %d", 253, "limits: {host: %d}".__mod__), ("of a label of a name, 1 to %d", 63, "limits: {label: %d}".__mod__), ("of a URI, 1 to %d;", 1 << 30, "limits: {length: %d}".__mod__),
              ("URIVET_PATH_RULE_MOST %d", 1024, lambda n: "strip_prefix: [/" + "x" * (n - 1) + "]"),
              ("URIVET_PARAMETER_VALUES_MOST %d", 65535, lambda n: "parameters: {a: {values: [" + "".join("%04x, " % k for k in range(n // 5 - 1)) + "x" * (n % 5 + 4) + "]}}"),
              ("URIVET_FORBIDDEN_PARAMETERS %d", 128, lambda n: "urls: {also: ['a:/'], forbid_parameters: [" + "x" * (n - 2) + "]}"), ("URIVET_SCHEME_NAMES %d", 256, lambda n: "schemes: [" + "x" * (n - 2) + "]")]

    def test_limits(self):
        """So much is good, and one more is not."""
        texts = [(core.ROOT / name).read_text("utf-8") for name in ("src/cli/manual/urivet-policy.5", "include/urivet.h", "include/urivet/rules.h")]
        pages = " ".join("".join(texts).replace("\n.Pq", "").split())
        for words, most, make in self.LIMITS:
            with self.subTest(words):
                self.assertIn(words % most, pages)
                self.write(make(most))
                few = self.urivet("policy", "check", "proxy.yaml").err.count(b"\n")
                self.write(make(most + 1))
                self.assertEqual(self.urivet("policy", "check", "proxy.yaml").err.count(b"\n"), few + 1)

    def test_good_files(self):
        for content in GOOD_FILES:
            with self.subTest(content=content):
                self.assertGood(content)

    def test_missing(self):
        self.assertUsage(self.urivet("policy", "check", "none.yaml"), "cannot open 'none.yaml': No such file")
        self.assertUsage(self.urivet("check", "--policy-file=none.yaml", GOOD), "cannot open 'none.yaml'")
        self.assertUsage(self.urivet("policy", "check", "."), "cannot read '.': Is a directory")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable(self):
        self.write('base: "any"')
        os.chmod(os.path.join(self.home, "proxy.yaml"), 0)
        self.assertUsage(self.urivet("policy", "check", "proxy.yaml"), "cannot open 'proxy.yaml': Permission denied")

    def test_too_large(self):
        """A file of more than 64 MiB is refused before it is read completely."""
        self.write("")
        os.truncate(os.path.join(self.home, "proxy.yaml"), 1 << 30)
        self.assertUsage(self.urivet("policy", "check", "proxy.yaml"), "'proxy.yaml' is longer than 67108864 octets")
        self.assertUsage(self.urivet("policy", "check", "/dev/zero"), "'/dev/zero' is longer than 67108864 octets")

    def test_no_hint_at_the_command_line(self):
        """A faulty file gives no hint about the command line."""
        self.write("bse: 1")
        self.assertNotIn(b"urivet help", self.urivet("check", "--policy-file=proxy.yaml", GOOD).err)

    def test_many(self):
        """A hundred problems are reported, and the number of the others."""
        lines = self.problems("hosts: {allow: [" + ",\n".join('"a b"' for _ in range(150)) + "]}")
        self.assertEqual(len(lines), 101)
        self.assertEqual([int(line.split(":")[1]) for line in lines[:100]], list(range(1, 101)))
        self.assertEqual(lines[100], "and 50 more problems")

    def test_any_octets(self):
        """Any file gives an exit status of at most 2."""
        source = random.Random(1)
        pieces = [octets(c) for c, _ in PROBLEMS if len(c) < 1000] + [octets(c) for c in GOOD_FILES]
        for _ in range(60):
            content = bytearray(source.choice(pieces) + b"\n" + source.choice(pieces))
            for _ in range(source.randrange(4)):
                content[source.randrange(len(content))] = source.choice(b'"\\(){}[]=;,@/*#\n\0\xff0a')
            self.write(bytes(content))
            result = self.urivet("policy", "check", "proxy.yaml")
            self.assertIn(result.code, (0, 2), (content, result))
            self.assertClean(result.err)


class Columns(FileCase):
    """The column of a problem counts octets from 1."""

    def assertColumn(self, content, place, text):
        lines = self.problems(content)
        self.assertEqual(lines[0].split(": ")[0], "proxy.yaml:" + place, lines)
        self.assertIn(text, lines[0])

    def test_columns(self):
        for content, place, text in [
                ("hosts: {deny: [a.example, b c]}", "1:27", '"b c" is no host name'),
                ("hosts:\n  deny:\n    - a.example\n    -  b c\n", "4:8", '"b c" is no host name'),
                ("base: any\r\nhosts:\r\n  deny:\r\n    - b c\r\n", "4:7", '"b c" is no host name'),
                ("  bse: any", "1:3", "unknown key"),
                ("hosts: {deny: [a.example], alow: [b.example]}", "1:28", "unknown key"),
                ("limits:\n  host: 0", "2:9", '"limits.host" takes a number'),
                ("limits: {host: 20,  label: }", "1:21", '"limits.label" has no value'),
                ("base: any\nbase: any", "2:1", "for the second time"),
                ("hosts: {deny: []}", "1:9", "is empty"),
                ("hosts: {deny: [.b.example, a.b.example]}", "1:28", "is covered by"),
                ("base: any\nname: @x", "2:7", "cannot begin a text"),
                ('base: any\nname:  "x', "2:8", "does not end"),
                (b"base: any\nname: x\0", "2:8", "a NUL"),
                (b"base: any\nname: \xff", "2:7", "no UTF-8")]:
            with self.subTest(content=content):
                self.assertColumn(content, place, text)

    def test_end_and_octets(self):
        """What is missing at the end of a file is missing there, not in a line that the file does not have. Columns do not count
        characters, as libyaml does."""
        for content, place, problem in [
                ("parameters:\n  a: {rooted", "2:13", -1), ("parameters:\n  a: {rooted\n", "3:1", -1), ("parameters:\n  \u00fc: {rooted", "2:14", -1),
                ("hosts:\n  deny:\n    - a.example\n    -", "4:6", -1), ("name: \u00fc\u20ac\U0001f4a9\nhosts: {deny: [b c]}", "2:16", 0),
                ("{name: \u00fc\u20ac\U0001f4a9, base: x}", "1:25", 0),
                ("# \u00fc\n{name: \u00fc, hosts: {deny: [a.example, # \u00fc\u00fc\n b c]}}", "3:2", 0), ("{name: \u00fc, mode: @}", "1:18", 0),
                ('{name: \u00fc, mode: [a, "b}', "1:22", 0), ("name: x # \u00fc\u00fc\r\nbase: x", "2:7", 0), ("name: \u00fc\u2028", "1:9", 0)]:
            self.assertEqual(self.problems(content)[problem].split(": ")[0], "proxy.yaml:" + place, content)


class Includes(FileCase):
    def test_lists(self):
        """The lists of included files are added, whatever includes them, in the order of the files."""
        os.mkdir(os.path.join(self.home, "d"))
        os.mkdir(os.path.join(self.home, "d", "e"))
        self.write("include: [e/hosts.yaml]\nhosts: {allow: [example.org]}\nschemes: [https]", "d/proxy.yaml")
        self.write("include: [more.yaml]\nhosts:\n  allow:\n    - example.com\n    - .example.net # two\n", "d/e/hosts.yaml")
        self.write("hosts: {allow: [a.example]}\nschemes: [http]\nlimits: {host: 20}", "d/e/more.yaml")
        shown = self.urivet("policy", "show", "--format=json", "d/proxy.yaml").objects()[0]
        self.assertEqual(shown["hosts"]["allow"], ["example.org", "example.com", ".example.net", "a.example"])
        self.assertEqual((shown["schemes"], shown["limits"]["host"]), (["http", "https"], 20))

    def test_absolute(self):
        self.write("hosts: {deny: [a.example]}", "hosts.yaml")
        self.write('include: ["%s/hosts.yaml"]' % self.home)
        os.mkdir(os.path.join(self.home, "elsewhere"))
        shown = run("policy", "show", "--format=json", "../proxy.yaml", cwd=os.path.join(self.home, "elsewhere"))
        self.assertEqual(shown.objects()[0]["hosts"]["deny"], ["a.example"])

    def test_standard_input(self):
        """A file that standard input includes is searched in the current folder."""
        self.write("hosts: {deny: [a.example]}", "hosts.yaml")
        result = self.urivet("policy", "check", "-", stdin=b"include: [hosts.yaml]")
        self.assertEqual(result.out, b"<stdin>: ok (1 host rule, 0 address rules, 0 port rules)\n")

    def test_places(self):
        """Problems are reported with their own file, line and column, those of the policy file first."""
        self.write("hosts:\n  allow:\n    - bad host\n    - a.example\n\n    - a.example\n", "hosts.yaml")
        lines = self.problems("include: [hosts.yaml]\nhosts: {allow: [\n a.example,\n b c\n ]}\nx: 1")
        self.assertEqual([line.split(": ")[0] for line in lines],
                         ["proxy.yaml:4:2", "proxy.yaml:6:1", "hosts.yaml:3:7", "hosts.yaml:4:7", "hosts.yaml:6:7"])
        self.write("hosts:\n  allow:\n    - a.example\n\n    - a.example\n", "hosts.yaml")
        lines = self.problems("include: [hosts.yaml]\nhosts: {allow: [\n a.example\n ]}")
        self.assertEqual([line.split(": ")[0] for line in lines], ["hosts.yaml:3:7", "hosts.yaml:5:7"])
        self.assertIn("in proxy.yaml:3 already", lines[0])

    def test_once(self):
        """Text, number and boolean settings may be in one of the files only, and some only in the policy file."""
        for key, value in (("base", "any"), ("name", "x"), ("mode", "observe")):
            self.write("%s: %s\n" % (key, value), "b.yaml")
            self.assertEqual(self.problems("include: [b.yaml]"),
                             ['b.yaml:1:1: "%s" is set in the policy file alone, not in one that it includes' % key])
        self.write("schemes: [https]\nlimits: {host: 20}\nopaque_query: true", "b.yaml")
        self.assertGood("include: [b.yaml]\nlimits: {label: 20}")
        self.assertEqual(self.problems("include: [b.yaml]\nopaque_query: true\nlimits: {host: 20}"),
                         ['b.yaml:2:10: "limits.host" is there for the second time: it stands in proxy.yaml:3 already',
                          'b.yaml:3:1: "opaque_query" is there for the second time: it stands in proxy.yaml:2 already'])
        self.write("hosts: {deny: [a.example]}", "c.yaml")
        self.assertEqual(self.problems("include: [c.yaml, c.yaml]"),
                         ['c.yaml:1:16: deny "a.example" stands in c.yaml:1 already'])
        self.write("refuse: [host-case]", "c.yaml")
        self.assertEqual(self.problems("include: [c.yaml]\nallow: [host-case]"),
                         ['c.yaml:1:10: finding "host-case" is both allowed and refused'])

    def test_faults(self):
        """Syntax errors are reported in included files, too; a file that cannot be included is reported at its place, with the
        other problems."""
        for included, content, places in (("hosts: {deny: [a.example]}\nhosts: [", "include: [b.yaml]", ["b.yaml:2:1", "b.yaml:2:9"]),
                                          ("- a.example\n", "include: [b.yaml]", ["b.yaml:1:1: a list: a policy file has keys with values, such as base: public"]),
                                          ("", "\ninclude: [none.yaml]", ["proxy.yaml:2:11: cannot open 'none.yaml': No such file or directory"]),
                                          ("", 'include: ["."]', ["proxy.yaml:1:11: cannot read '.': Is a directory"]),
                                          ("", "bse: x\ninclude: [none.yaml]\nname: [x]", ["proxy.yaml:1:1", "proxy.yaml:2:11", "proxy.yaml:3:7"]),
                                          ("", "include: [proxy.yaml]", ["proxy.yaml:1:11: 'proxy.yaml' includes itself"]),
                                          ("include: [./proxy.yaml]", "\ninclude: [b.yaml]", ["b.yaml:1:11: './proxy.yaml' includes itself"])):
            with self.subTest(included=included, content=content):
                self.write(included, "b.yaml")
                problems = self.problems(content)
                self.assertEqual([problem[:len(place)] for problem, place in zip(problems, places, strict=True)], places)
        os.symlink("proxy.yaml", os.path.join(self.home, "c.yaml"))
        self.assertEqual(self.problems("include: [c.yaml]"), ["proxy.yaml:1:11: 'c.yaml' includes itself"])

    def test_special_files(self):
        """A pipe or a device is neither read nor waited for."""
        os.mkfifo(os.path.join(self.home, "pipe.yaml"))
        self.assertEqual(self.problems("include: [pipe.yaml]"), ["proxy.yaml:1:11: 'pipe.yaml' is no regular file"])
        for device in ("/dev/zero", "/dev/null", "/dev/stdin"):
            self.assertEqual(self.problems("include: [%s]" % device), ["proxy.yaml:1:11: '%s' is no regular file" % device])
        self.assertUsage(self.urivet("policy", "check", "pipe.yaml"), "'pipe.yaml' is a pipe that nobody writes to")

    def test_deep(self):
        for i in range(20):
            self.write("include: [%d.yaml]" % (i + 1), "%d.yaml" % i)
        self.write("hosts: {deny: [a.example]}", "20.yaml")
        self.assertEqual(self.problems("include: [0.yaml]"), ["9.yaml:1:11: files include each other more than 10 deep"])
        self.assertGood("include: [12.yaml]")

    def test_many(self):
        self.write("include: []", "b.yaml")
        self.assertEqual(self.problems("include:\n" + "- b.yaml\n" * 1000)[-1], "and 900 more problems")
        for i in range(999):
            self.write("hosts: {deny: [h%d.example]}" % i, "%d.yaml" % i)
        self.assertGood("include: [%s]" % ", ".join("%d.yaml" % i for i in range(999)))
        self.assertEqual(self.problems("include: [%s, b.yaml]" % ",\n ".join("%d.yaml" % i for i in range(999))),
                         ["proxy.yaml:999:12: more than 999 files are included"])

    def test_too_large(self):
        """The size limit is for all files together."""
        self.write("hosts: {deny: [a.example]} " + "#" * 1000 + "\n", "b.yaml")
        self.write((b"#" * 1023 + b"\n") * 65535, "c.yaml")
        self.assertEqual(self.problems("include: [b.yaml,\n c.yaml]"),
                         ["proxy.yaml:2:2: with 'c.yaml' the policy has more than 67108864 octets"])
        for name in ("a.yaml", "c.yaml"):
            self.write("base: any\n" + ("#" * 4000 + "\n") * 8700, name)
        self.assertRegex(self.problems("parameters:\n  u: {policy: ./a.yaml}\n  v: {policy: ./c.yaml}")[0], r"^proxy.yaml:3:15: '\./c.yaml' is longer than 3[0-9]+ octets")


class PublicSuffixes(FileCase):
    def test_wide_rules(self):
        """A rule that allows a suffix below which many can register is a fault."""
        for rule in (".com", "*.com", "+.com", "+.co.uk", "*.co.uk", ".CO.UK", ".github.io", ".ck"):
            with self.subTest(rule=rule):
                name = rule.lstrip("*+.")
                if lacks("publicsuffix") and "." in name:
                    continue
                self.assertEqual(self.problems('hosts: {allow: ["%s"]}' % rule),
                                 ['proxy.yaml:1:17: allow "%s" is wider than anybody\'s own domain: "%s" is a public suffix; if that is on '
                                  'purpose, write {name: "%s", shared: true}' % (rule, name, rule)])
                self.assertGood('hosts: {allow: [{name: "%s", shared: true}]}' % rule)
                self.assertEqual(len(self.problems('hosts: {allow: [{name: "%s", shared: false}]}' % rule)), 1)

    def test_others(self):
        self.assertGood('hosts: {deny: [".com", "*.co.uk"]}')
        self.assertGood('hosts: {allow: ["com", "co.uk", ".example.com", "*.example.co.uk"]}')
        if not lacks("publicsuffix"):
            self.assertGood('hosts: {allow: [".internal", "*.lan"]}')


class Judging(FileCase):
    def test_keys(self):
        """What each key changes: a policy, a URI, options, the verdict, and findings (all of them, if the list is complete). Without
        a base, the policy begins with strict; the base may come after the settings that change it."""
        schemes, named = 'base: "public"\nschemes: ["https", "other"]', 'base: "any"\nschemes: [https, mailto, tel, "x-a+b.c"]'
        nat64 = 'base: "public"\naddresses: {nat64: ["2600:64::/96"]}'
        findings = 'allow: ["host-trailing-dot"]\nrefuse: ["scheme-plaintext", "port-default"]'
        limits, on_top = "limits: {length: 40, host: 20, label: 10}", 'refuse: ["port-default"]\nlimits: {length: 100}'
        for policy, uri, options, verdict, found in (
                ('name: "x"', "http://10.0.0.1/", (), "accept", []), ('name: "x"', "ftp://example.com/", (), "reject", None),
                ('base: "public"', "http://10.0.0.1/", (), "reject", ["addr-not-global", "addr-private"]), ('base: "any"', "ftp://example.com/", (), "accept", None),
                ('allow: ["host-single-label"]\nbase: "public"', "http://printer/", (), "accept", None),
                (schemes, "https://example.com/", (), "accept", None), (schemes, "http://example.com/", (), "reject", ["scheme-not-allowed"]),
                (schemes, "mailto:a@example.com", (), "accept", None), (schemes, "javascript:alert(1)", (), "reject", None),
                *((named, uri, (), "accept", None) for uri in ("https://example.com/", "mailto:a@example.com", "MAILTO:a@example.com", "tel:+123", "x-a+b.c:1")),
                *((named, uri, (), "reject", {"scheme-not-allowed"}) for uri in ("x-a+b:1", "http://example.com/", "jdbc:mysql://h/?a=true", "teamviewer10:x")),
                ('schemes: ["ws", "wss", "ftp"]', "wss://example.com/", (), "accept", None),
                ('base: "public"\nhosts: {allow: ["localhost"]}', "http://localhost/", (), "accept", None),
                (nat64, "http://[2600:64::808:808]/", (), "accept", None), ('base: "public"', "http://[2600:64::a00:1]/", (), "accept", None),
                (nat64, "http://[2600:64::a00:1]/", (), "reject", ["nat64-embedded-ipv4", "addr-not-global", "addr-private"]),
                (findings, "https://example.com./", (), "accept", ["host-trailing-dot"]), (findings, "http://example.com/", (), "reject", ["scheme-plaintext"]),
                (findings, "https://example.com:443/", (), "reject", ["port-default"]),
                (limits, "http://example.com/", (), "accept", []), (limits, "http://example.com/" + 22 * "a", (), "reject", ["url-too-long"]),
                (limits, "http://a.b.c.d.e.f.g.h.i.j.k/", (), "reject", ["host-too-long"]), (limits, "http://abcdefghijk.com/", (), "reject", ["host-label-too-long"]),
                # options override the file
                (on_top, "https://example.com:443/", (), "reject", None), (on_top, "https://example.com:443/", ("--allow=port-default",), "accept", None),
                (on_top, "https://example.com:443/", ("--max-length=10",), "reject", ["url-too-long"]),
                (on_top, "https://example.com/?", ("--refuse=query-empty",), "reject", None)):
            with self.subTest(policy=policy, uri=uri, options=options):
                got = self.verdict(policy, uri, *options)
                self.assertEqual(got[0], verdict)
                if isinstance(found, set):
                    self.assertLessEqual(found, set(got[1]))
                elif found is not None:
                    self.assertEqual(got[1], found)

    def test_not_with_policy(self):
        self.write('base: "any"')
        for order in (["--policy=any", "--policy-file=proxy.yaml"], ["--policy-file=proxy.yaml", "--policy=any"]):
            self.assertUsage(self.urivet("check", *order, GOOD), "--policy and --policy-file exclude each other")


class Urls(FileCase):
    def test_counted(self):
        self.write("hosts: {allow: [www.example.com]}\nurls: {allow: ['https://app.example.com:8443/cb', 'com.example.app:/cb', 'http://127.0.0.1:*/cb$']}")
        self.assertEqual(self.urivet("policy", "check", "proxy.yaml").out,
                         b"proxy.yaml: ok (1 host rule, 0 address rules, 0 port rules, 3 URL rules)\n")

    def test_shown(self):
        """The deciding rule is reported, and the rules are shown."""
        self.write("urls:\n  allow:\n    - https://app.example.com/cb\n")
        self.assertIn(b'URL decided by: allow "https://app.example.com/cb" (proxy.yaml:3)\n',
                      self.urivet("explain", "--policy-file=proxy.yaml", "https://app.example.com/cb").out)
        self.assertIn(b'decided by: "urls.allow", which has no rule for it (proxy.yaml:2)\n',
                      self.urivet("explain", "--policy-file=proxy.yaml", "https://app.example.com/").out)
        self.assertEqual(self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]["urls"],
                         {"allow": ["https://app.example.com/cb"]})


class Parameters(FileCase):
    """Rules for parameters, judged by every command."""

    POLICY = """
parameters:
  next: {rooted: true}
  url: {policy: values/public.yaml}
  body: {allow: [escaped-crlf]}
"""
    # URLs, and the findings by which they are refused.
    URLS = [("https://a.example.com/?next=/x", "-"), ("https://a.example.com/?next=x", "param-refused"),
            ("https://a.example.com/?url=https://github.com/", "-"), ("https://a.example.com/?url=https://evil.com/", "param-refused"),
            ("https://a.example.com/?body=%0A", "-"), ("https://a.example.com/?bodx=%0A", "escaped-crlf")]

    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.home, "values"))
        self.write("base: public\ninclude: [deny.yaml]", "values/public.yaml")
        self.write("hosts: {deny: [evil.com]}", "values/deny.yaml")
        self.write(self.POLICY)
        self.lines = "".join(url + "\n" for url, _ in self.URLS).encode()
        self.accepted = "".join(url + "\n" for url, found in self.URLS if found == "-").encode()

    def refusals(self, *args, stdin):
        """Returns the findings that refuse of each row."""
        rows = self.urivet(*args, stdin=stdin).rows()
        return [",".join(f for f in row[1].split(",") if f in ("param-refused", "escaped-crlf")) or "-" for row in rows]

    def test_commands(self):
        """check, filter, scan and resolve judge the parameters, by the file and by its compiled form."""
        want = [found for _, found in self.URLS]
        self.assertEqual(self.urivet("policy", "compile", "proxy.yaml", "-o", "proxy.compiled").code, 0)
        os.remove(os.path.join(self.home, "values", "deny.yaml"))
        for name in ("proxy.yaml", "proxy.compiled"):
            if name == "proxy.compiled":
                self.assertEqual(self.refusals("check", "--policy-file=" + name, stdin=self.lines), want)
            else:
                self.assertUsage(self.urivet("policy", "check", name), "values/public.yaml:2:11: cannot open 'values/deny.yaml'")
                self.write("hosts: {deny: [evil.com]}", "values/deny.yaml")
            option = "--policy-file=" + name
            self.assertEqual(self.refusals("check", option, stdin=self.lines), want)
            self.assertEqual(self.urivet("filter", option, stdin=self.lines).out, self.accepted)
            self.assertEqual(self.urivet("filter", option, "--rejects=-", stdin=self.lines).out, self.accepted)
            self.assertEqual(self.refusals("scan", option, stdin=self.lines), want)
            targets = self.lines.replace(b"https://a.example.com", b"GET a.example.com ")
            self.assertEqual(self.refusals("check", "--target-records", option, stdin=targets), want)
            self.assertEqual(self.refusals("check", "--target=a.example.com", option, stdin=self.lines.replace(b"https://a.example.com", b"")), want)
            for url, found in self.URLS:
                with self.subTest(url=url):
                    code = self.urivet("resolve", option, "https://a.example.com/", url[len("https://a.example.com"):]).code
                    self.assertEqual(code, 0 if found == "-" else 1)

    def test_named_with_params(self):
        """--params-policy and --allow on the command line."""
        self.assertUsage(self.urivet("check", "--params=u", "--params-policy=proxy.yaml", GOOD),
                         "--params-policy: 'proxy.yaml' has \"parameters\"")
        self.assertEqual(self.urivet("check", "-q", "--policy-file=proxy.yaml", "--allow=param-refused", self.URLS[1][0]).code, 0)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=proxy.yaml", "--params=url", self.URLS[2][0]).code, 0)

    def test_merged(self):
        """Rules of included files are added, each parameter once."""
        self.write("parameters: {x: {rooted: true}}", "b.yaml")
        self.assertGood("include: [b.yaml]\nparameters: {y: {rooted: true}}")
        self.assertEqual(self.urivet("policy", "check", "proxy.yaml").out,
                         b"proxy.yaml: ok (0 host rules, 0 address rules, 0 port rules, 2 parameter rules)\n")
        self.assertEqual(self.problems("include: [b.yaml]\nparameters: {x: {rooted: true}}"), ["b.yaml:1:14: parameter \"x\" stands in proxy.yaml:2 already"])

    def test_policy_of_values(self):
        """Faults of the policy of values are reported at their own places, those of the file where it is named."""
        self.assertEqual(self.problems("parameters: {url: {policy: ./proxy.yaml}}")[0].split(", ")[0],
                         './proxy.yaml:1:1: "parameters" has no effect in a policy for values of parameters')
        self.write("bse: any\nhosts: {deny: [a b]}", "values/deny.yaml")
        self.assertEqual([line.split(": ")[0] for line in self.problems(self.POLICY)], ["values/deny.yaml:1:1", "values/deny.yaml:2:16"])
        self.write("mode: observe", "values/public.yaml")
        self.assertEqual(self.problems(self.POLICY), ["proxy.yaml:4:17: 'values/public.yaml' sets \"mode: observe\", which is for the policy file alone"])
        self.write("parameters: {x: {policy: any}}", "c.yaml")
        self.assertEqual(self.urivet("policy", "compile", "c.yaml", "-o", "values/public.yaml").code, 0)
        self.assertEqual(self.problems(self.POLICY), ["proxy.yaml:4:17: 'values/public.yaml' has \"parameters\", which a policy for values cannot have"])

    def test_read_once(self):
        """A file that several rules name is read once, and twenty rules compile to one copy of it."""
        self.write("hosts: {deny: [%s]}" % ", ".join("h%d.example" % i for i in range(2000)), "values/deny.yaml")
        sizes = []
        for count in (1, 20):
            self.write("parameters:\n" + "".join("  p%d: {policy: values/public.yaml}\n" % i for i in range(count)))
            self.assertEqual(self.urivet("policy", "compile", "proxy.yaml", "-o", "proxy.compiled").code, 0)
            sizes.append(os.path.getsize(os.path.join(self.home, "proxy.compiled")))
        self.assertLess(sizes[1] - sizes[0], 5000)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=proxy.compiled", "https://a.example.com/?p19=http://h7.example/").code, 1)

    def test_shown(self):
        shown = self.urivet("policy", "show", "--format=json", "proxy.yaml").objects()[0]["parameters"]
        self.assertEqual(shown, {"next": {"policy": "public", "rooted": True}, "url": {"policy": "values/public.yaml"}, "body": {"allow": ["escaped-crlf"]}})
        self.write(self.urivet("policy", "show", "proxy.yaml").out, "again.yaml")
        self.assertEqual(self.urivet("policy", "diff", "proxy.yaml", "again.yaml").out, b"")
        self.write("base: public\nhosts: {deny: [evil.org]}", "other.yaml")
        self.write("parameters:\n  next: {rooted: true, decode: 2}\n  url: {policy: values/public.yaml}\n  body: {allow: [double-escape]}\n", "b.yaml")
        self.assertEqual(self.urivet("policy", "diff", "proxy.yaml", "b.yaml").out.decode(),
                         "+ parameters: body allow double-escape (b.yaml:4)\n- parameters: body allow escaped-crlf (proxy.yaml:5)\n"
                         "+ parameters: next decode 2 (b.yaml:2)\n")
        # the policy of values may have changed since it was compiled
        self.assertEqual(self.urivet("policy", "compile", "proxy.yaml", "-o", "proxy.compiled").code, 0)
        self.write("hosts: {deny: [evil.com, evil.org]}", "values/deny.yaml")
        self.assertEqual(self.urivet("policy", "diff", "proxy.compiled", "proxy.yaml").out,
                         b"+ parameters: url values/public.yaml hosts.deny: evil.org (proxy.yaml:4)\n")


class Observing(FileCase):
    """mode: observe keeps the verdicts, and enforces nothing."""

    URIS = b"http://a.example/\nhttp://b.example/\n" + b"http://a.example/" + b"x" * 100 + b"\nhttp://b.example/"

    def setUp(self):
        super().setUp()
        self.write("mode: observe\nhosts: {allow: [a.example]}\nlimits: {length: 40}")
        self.write("mode: enforce\nhosts: {allow: [a.example]}\nlimits: {length: 40}", "enforce.yaml")

    def test_status(self):
        for args, status in ((["check", "-q", "http://b.example/"], 0), (["check", "-q", "http://a.example/"], 0), (["explain", "http://b.example/"], 0),
                             (["resolve", "http://b.example/", "c"], 0), (["resolve", "mailto:a", "c"], 1), (["check", "--input=none", "-q"], 2),
                             (["suggest", "http://b.example:80/"], 0)):
            self.assertEqual(self.urivet(args[0], "--policy-file=proxy.yaml", *args[1:]).code, status, args)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=enforce.yaml", "http://b.example/").code, 1)
        self.assertEqual(self.urivet("scan", "-q", "--policy-file=proxy.yaml", stdin=b"see http://b.example/").code, 0)

    def test_verdicts(self):
        same = [self.urivet("check", "--policy-file=" + name, stdin=self.URIS) for name in ("proxy.yaml", "enforce.yaml")]
        self.assertEqual([result.code for result in same], [0, 1])
        self.assertEqual(same[0].out, same[1].out)

    def test_json(self):
        """The last key of each object is enforced: false; otherwise the key is absent."""
        made = self.urivet("check", "--format=json", "--policy-file=proxy.yaml", "http://a.example/", "http://b.example/").objects()
        self.assertEqual([(item["verdict"], list(item)[-1], item["enforced"]) for item in made],
                         [("accept", "enforced", False), ("reject", "enforced", False)])
        self.assertNotIn("enforced", self.urivet("check", "--format=json", "--policy-file=enforce.yaml", GOOD).objects()[0])
        made = self.urivet("scan", "--format=json", "--policy-file=proxy.yaml", stdin=b"see http://b.example/").objects()[0]
        self.assertEqual(list(made)[-1], "enforced")

    def test_filter(self):
        """Each record is copied, also over-long ones, and refused ones are written to the rejects as well."""
        for ending in (b"\n", b"\r\n", b"\0"):
            options = ["--null"] if ending == b"\0" else ["--crlf"] if ending == b"\r\n" else []
            for last in (b"", ending):
                with self.subTest(ending=ending, last=last):
                    uris = self.URIS.replace(b"\n", ending) + last
                    result = self.urivet("filter", "--policy-file=proxy.yaml", "--rejects=-", *options, stdin=uris)
                    self.assertEqual((result.code, result.out), (0, uris))
                    self.assertEqual([line.split(b"\t")[-2:] for line in result.err.splitlines()],
                                     [[b"2", b"http://b.example/"], [b"3", b"http://a.example/" + b"x" * 100], [b"4", b"http://b.example/"]])
        self.assertEqual(self.urivet("filter", "--policy-file=enforce.yaml", stdin=self.URIS).out, b"http://a.example/\n")
        self.assertEqual(self.urivet("filter", "-q", "--policy-file=proxy.yaml", stdin=self.URIS).out, b"")

    def test_filter_long(self):
        """A record longer than a block is copied completely."""
        uris = b"http://a.example/\n" + b"y" * (3 << 20) + b"\r\nhttp://b.example/\r\n"
        for jobs in ("1", "4"):
            result = self.urivet("filter", "--policy-file=proxy.yaml", "--crlf", "--jobs=" + jobs, stdin=uris)
            self.assertEqual((result.code, result.out), (0, uris))

    def test_shown(self):
        self.assertIn(b"\nmode: observe\n", self.urivet("policy", "show", "proxy.yaml").out)
        self.assertNotIn(b"mode", self.urivet("policy", "show", "enforce.yaml").out)


class Commands(FileCase):
    POLICY = 'name: "tests"\nbase: "public"\nhosts: {allow: [".example.com"], deny: ["admin.example.com"]}'

    def setUp(self):
        super().setUp()
        self.write(self.POLICY)

    def test_commands(self):
        """Commands judge by the policy; threads share one."""
        option, urls = "--policy-file=proxy.yaml", ["http://a.example.com/", "http://admin.example.com/", "http://example.net/", "http://b.example.com/"]
        result = self.urivet("filter", option, "--rejects=-", stdin="\n".join(urls))
        self.assertEqual((result.code, result.out), (1, b"http://a.example.com/\nhttp://b.example.com/"))
        self.assertEqual([line.split(b"\t")[1] for line in result.err.splitlines()], [b"host-denied,host-not-allowed", b"host-not-allowed"])
        result = self.urivet("scan", option, stdin="see %s and %s there" % (urls[0], urls[2]))
        self.assertEqual((result.code, [row[0] for row in result.rows()]), (1, ["accept", "reject"]))
        self.assertEqual(self.urivet("suggest", option, "HTTP://A.example.com:80").out, b"http://a.example.com/\n")
        self.assertEqual(self.urivet("suggest", option, "HTTP://example.net:80").code, 1)
        self.assertEqual(self.urivet("resolve", option, urls[0] + "b", "c").code, 0)
        result = self.urivet("resolve", option, urls[0] + "b", "//admin.example.com/")
        self.assertEqual((result.code, b'decided by: deny "admin.example.com" (proxy.yaml:3)' in result.err), (1, True), result)
        row = self.urivet("check", "--format=tsv", "--target=admin.example.com", option, "/a").rows()[0]
        self.assertEqual(row[:2], ["reject", "host-denied,host-not-allowed"])
        one, many = (self.urivet("check", option, f"--jobs={jobs}", stdin="".join(f"http://h{i}.example.com/\nhttp://h{i}.example.net/\n" for i in range(20000))) for jobs in (1, 4))
        self.assertEqual((one.out, one.out.count(b"accept\t")), (many.out, 20000))

    def test_names(self):
        """A policy is called by its name; without a name, by the path of its file."""
        self.assertEqual(self.urivet("check", "--format=json", "--policy-file=proxy.yaml", GOOD).objects()[0]["policy"], "tests")
        self.write('base: "any"', "plain.yaml")
        self.assertEqual(self.urivet("check", "--format=json", "--policy-file=./plain.yaml", GOOD).objects()[0]["policy"], "./plain.yaml")
        self.assertIn(b"\naccepted by ./plain.yaml\n", self.urivet("explain", "--policy-file=./plain.yaml", GOOD).out)

    def test_strange_names(self):
        """JSON stays valid UTF-8, and human output has no control characters."""
        name = b"a\xff\n.yaml"
        write_file(os.path.join(octets(self.home), name), b'base: "any"')
        self.assertEqual(self.urivet("check", "--format=json", b"--policy-file=" + name, GOOD).objects()[0]["policy"], "a\\xFF\\x0A.yaml")
        self.assertClean(self.urivet("explain", b"--policy-file=" + name, GOOD).out)
        self.write('name: "\u00fcber"')
        self.assertEqual(self.urivet("check", "--format=json", "--policy-file=proxy.yaml", GOOD).objects()[0]["policy"], "\u00fcber")
        self.assertClean(self.urivet("explain", "--policy-file=proxy.yaml", GOOD).out)

    def test_standard_input(self):
        """- is standard input, which must not be the input as well."""
        policy = b'hosts: {allow: ["example.com"]}'
        self.assertEqual(self.urivet("check", "-q", "--policy-file=-", GOOD, stdin=policy).code, 0)
        self.assertEqual(self.urivet("check", "-q", "--policy-file=-", "http://h/", stdin=policy).code, 1)
        self.assertEqual(self.urivet("policy", "check", "-", stdin=policy).out, b"<stdin>: ok (1 host rule, 0 address rules, 0 port rules)\n")
        self.assertUsage(self.urivet("policy", "check", "-", stdin=b"x: 1"), "<stdin>:1:1: unknown key")
        for args in (["check"], ["filter"], ["scan"], ["scan", "-"], ["check", "--input=-"]):
            self.assertUsage(self.urivet(*args, "--policy-file=-", stdin=policy), "standard input cannot be policy and input at once")

    def test_pipe(self):
        """A policy may be read from a pipe."""
        done = subprocess.run(["bash", "-c", '"$0" check -q --policy-file=<(echo "base: any") ftp://example.com/', URIVET],
                              env=environment(), check=False)
        self.assertEqual(done.returncode, 0)


class Size(FileCase):
    def big(self, count):
        hosts = ",\n".join('"%sh%d.d%d.example"' % (("", ".", "*.")[i % 3], i, i % 977) for i in range(count))
        networks = ",\n".join('"10.%d.%d.%d"' % (i >> 16, i >> 8 & 255, i & 255) for i in range(count))
        return 'hosts: {\nallow: [\n%s]}\naddresses: {deny: [\n%s]}\n' % (hosts, networks)

    def test_big(self):
        """100,000 hosts and 100,000 networks are read, checked and applied within seconds."""
        self.write(self.big(100000))
        lines = b"http://h6.d6.example/\nhttp://x.h7.d7.example/\nhttp://h8.d8.example/\nhttp://10.0.0.7/\n" * 5000
        start = time.monotonic()
        result = self.urivet("policy", "check", "proxy.yaml")
        self.assertEqual(result.out, b"proxy.yaml: ok (100000 host rules, 100000 address rules, 0 port rules)\n")
        rows = self.urivet("check", "--policy-file=proxy.yaml", stdin=lines).rows()
        self.assertEqual([row[0] for row in rows[:4]], ["accept", "accept", "reject", "reject"])
        self.assertEqual(rows[3][1], "host-not-allowed,addr-denied")
        self.assertLess(time.monotonic() - start, 120)

    def test_all_wrong(self):
        """The same number of faults takes no longer."""
        self.write('hosts: {allow: [' + ",\n".join('".a.example"' for _ in range(100000)) + "]}")
        start = time.monotonic()
        result = self.urivet("policy", "check", "proxy.yaml")
        self.assertEqual(result.err.splitlines()[-1], b"urivet: and 99899 more problems")
        self.assertLess(time.monotonic() - start, 120)

    def test_nested(self):
        """Names and networks are nested to the greatest depth."""
        names = ['"%sexample"' % ("a." * i) for i in range(120)]
        networks = ['"::/%d"' % i for i in range(1, 129)]
        lines = self.problems("hosts: {deny: [" + ",".join(n[0] + "." + n[1:] for n in names) +
                              "]}\naddresses: {deny: [" + ",".join(networks) + "]}")
        self.assertEqual(lines[0], 'proxy.yaml:1:27: deny ".a.example" is covered by ".example" in line 1')
        self.assertEqual(lines[-1], "and 146 more problems")
        self.assertGood("hosts: {deny: [" + ",".join(names) + "]}")

    def shapes(self, size):
        """Returns files of this size for which a YAML parser may need quadratic time, or much memory."""
        for text in (b"a: " + b"[" * size, b"{a: " * (size // 4), b"- " * (size // 2), b"? " * (size // 2), b"? a\n" * (size // 4),
                     b"{" + b"a: b, " * (size // 6) + b"}", b"protect: [" + b"a," * (size // 2) + b"]", b"protect:\n" + b"- a\n" * (size // 4),
                     b"name: " + b"a" * size, b'name: "' + b"a" * size, b"name: " + b"a\n " * (size // 3), b"a:" * (size // 2),
                     # folded white space: libyaml clears as much for each run as the longest one had
                     b"name: a" + b" " * 4000 + b"b c" * (size // 3), b'name: "a' + b"\n" * 4000 + b"b\nc" * (size // 3),
                     b"name: a" + b" " * (size // 2) + b"b c" * (size // 6), b'name: "a' + b"\n" * (size // 2) + b"b\nc" * (size // 6),
                     b"%TAG !a! b\n" * (size // 11), b"".join(b"%%TAG !a%d! b\n" % i for i in range(size // 16)),
                     b"name: !" + b"a" * size, b"name: &" + b"a" * size, b"name: *" + b"a" * size, b"name: !<" + b"%41" * (size // 3),
                     b"name: |\n" + b" a\n" * (size // 3), b"name: >\n" + (b"\n" * 3000 + b" a\n") * (size // 3003), b"---\n" * (size // 4),
                     b"#\n" * (size // 2), b"/*" * (size // 2), b"//\n" * (size // 3), b"allow:\n" + b"- dot-segmnt\n" * (size // 13),
                     b"".join(b"a%030d: b\n" % i for i in range(size // 36)),
                     "{name: \u00e9, protect: [\u00e9".encode() + ",\u00e9".encode() * (size // 3) + b"]}",
                     b"urls:\n  allow:\n" + b"".join(b"  - http://a.example/" + b"a/" * i + b"b\n" for i in range(1, 2000))):
            yield text

    @takes_long
    def test_shapes(self):
        """A file of any shape is read in linear time: the CPU limit of a minute suffices for hundreds of
        files, and not for one read in quadratic time."""
        limits = {resource.RLIMIT_CPU: 60}
        for text in self.shapes((1 if instrumented() else 12) << 20):
            with self.subTest(text=text[:30]):
                self.write(text)
                done = subprocess.run([URIVET, "policy", "check", os.path.join(self.home, "proxy.yaml")], check=False,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(),
                                      preexec_fn=lambda: [resource.setrlimit(k, (v, v)) for k, v in limits.items()])
                self.assertIn(done.returncode, (0, 2), done.stderr[:200])

    @unittest.skipIf(instrumented(), "a sanitizer has its own memory")
    def test_unread(self):
        """A file that is too long is not read: no part of its gigabyte is in memory."""
        self.write("")
        os.truncate(os.path.join(self.home, "proxy.yaml"), 1 << 30)
        result, peak = run_measured("policy", "check", os.path.join(self.home, "proxy.yaml"))
        self.assertIn(b"longer than 67108864 octets", result.err)
        self.assertLess(peak, 32 << 20)

    @unittest.skipIf(instrumented(), "a sanitizer has its own memory")
    def test_memory(self):
        """Memory is bounded for any file."""
        self.write("a: [" + '"",' * 3000000 + '""]')
        result, peak = run_measured("policy", "check", os.path.join(self.home, "proxy.yaml"))
        self.assertEqual(result.code, 2)
        self.assertIn(b"more than 1048576 values", result.err)
        self.assertLess(peak, 200 << 20)
