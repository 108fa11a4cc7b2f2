#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the oracles bite? Plants known historical bugs, one at a time, and fuzzes for each.

    bugs.py [--seconds N] [--seed N] [--empty] [--oracles] [--only NAME,...]

A bug is one exact change of one file, made in a copy below build/fuzz/bugs. Reported is
the time until libFuzzer, on one core, finds it from the shipped corpus (and with --empty
from nothing), and the oracle that did. --oracles deletes that oracle and tries again: what
then survives had no other. Exit status 1 if a bug is not found from the corpus in time.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
WORK = HERE / "build/fuzz/bugs"

# name, who had it, file, what stands there, what the bug makes of it, the harness
BUGS = [
    ("first-at-sign", "userinfo ends at the first @: many readers of the 2000s",
     "src/uri/parse.c", "m->start = i + 1;\n", "m->start = m->at ? m->start : i + 1;\n", "parse"),
    ("octal-as-decimal", "010.0.0.1 read as 10.0.0.1: CVE-2021-29923 of Go, -29921 of Python",
     "src/uri/ip.c", "n->base = BASE_OCTAL;", "n->base = BASE_DECIMAL;", "host"),
    ("decoded-twice", "%2541 becomes A: proxies that decode twice",
     "src/uri/compose.c", "if (escaped && (urivet_kinds[c] & undone) == 0) {",
     "if (escaped && c != '%' && (urivet_kinds[c] & undone) == 0) {", "normalise"),
    ("backslash-is-a-character", "\\ taken for a character like others, which browsers take for /",
     "src/text/chars.c", "['\\\\'] = BACKSLASH", "['\\\\'] = TILDE", "parse"),
    ("port-wraps", "65616 taken as 80: uriparser, Ruby and Go keep it, 16 bits wrap",
     "src/uri/parse.c", "return i < t.end || value > 65535 ? URIVET_NO_PORT : value;",
     "return i < t.end ? URIVET_NO_PORT : value & 65535;", "parse"),
    ("group-too-many", "nine groups in an IPv6 address",
     "src/uri/ip.c", "if (filled > 14 ||", "if (filled > 16 ||", "host"),
    ("dot-segment-makes-authority", "x:/.//h becomes x://h, which has an authority",
     "src/reference/normal.c", "has(s, URIVET_AUTHORITY) ? 0 : GUARD_DOUBLE_SLASH",
     "has(s, URIVET_AUTHORITY) ? 0 : 0", "normalise"),
    ("reads-one-octet-more", "an off-by-one read",
     "src/text/text.h", "return at < t.end ? t.data[at] : AT_END;",
     "return at <= t.end ? t.data[at] : AT_END;", "parse"),
    ("octet-above-255", "256 accepted in a dotted quad",
     "src/uri/ip.c", "if (i == at || v > 255 ||", "if (i == at || v > 299 ||", "host"),
    ("query-before-fragment", "a ? after # begins a query: old browsers, many expressions",
     "src/uri/parse.c", "segment = run_until(t, start, SLASH | QUESTION | HASH);",
     "segment = run_until(t, start, SLASH | QUESTION);", "regex"),
    ("base-without-path", "http://a and g give http://ag: the draft of 1997, Python before 3.5",
     "src/reference/resolve.c", "if (where.length == 0 && !e->empty_is_root)", "if (where.length == 0)",
     "resolve"),
    ("short-ipv4-accepted", "127.1 taken for a name by the check, for an address by the client",
     "src/rules/rules_host.c", "if (findings[k].holds && !d.canonical)",
     "if (findings[k].holds && !d.canonical && d.parts != 2)", "readers"),
    ("mapped-peer-as-ipv4", "::ffff:127.0.0.1 judged by other rules than the text: CVE-2024-29415",
     "src/judge/address.c", "uri->host_kind = octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6;",
     "uri->host_kind = octets == 4 ? URIVET_HOST_IPV4\n"
     "\t\t\t : address[10] == 255 ? URIVET_HOST_NAME : URIVET_HOST_IPV6;", "address"),
    ("waived-host-has-an-endpoint", "a host that readers take for another is connected to as one of them has it",
     "src/judge/endpoint.c", "f->component <= URIVET_PATH &&", "f->component < URIVET_HOST &&", "endpoint"),
    ("longest-prefix-forgotten", "the widest row that holds an address counts, not the narrowest",
     "src/policy/addr.c", "special_blocks[k].network.length > special_blocks[longest].network.length &&",
     "(longest == last || special_blocks[k].network.length < special_blocks[longest].network.length) &&", "address"),
    ("control-octet-in-a-record", "a line end in a column: log injection, CWE-117",
     "src/cli/show/output.c", "#define C      (IN_TSV | IN_PROSE | IN_JSON)",
     "#define C      (IN_PROSE | IN_JSON)", "records"),
    ("case-of-a-scheme", "HTTP: not taken for http:",
     "src/text/text.h", "lower(octet(t, at + i)) == (unsigned char)word[i])\n\t\ti++;",
     "octet(t, at + i) == (unsigned char)word[i])\n\t\ti++;", "normalise"),
    ("closing-bracket-in-a-find", "a URI in angle brackets keeps its >: mail programs",
     "src/reference/scan.c", "\t\tif (after == at)\n\t\t\tm->end = ++at;", "\t\tif (after == at)\n\t\t\tm->end = 1 + ++at;",
     "scan"),
    ("suggestion-not-judged", "a cleaned spelling handed out without judging it again",
     "src/reference/suggest.c", "if (has_notes_alone(&report, policy) &&", "if (written > 0 &&",
     "suggest"),
    ("final-dot-in-a-mask", "the vectors take a path for plain that ends with a dot",
     "src/plain/masks.h", "(m.mark & m.host & end >> 1)", "(m.mark & m.host & end)", "check"),
    ("host-in-another-text", "the spans of a Host field are read in the target: the command printed its environment",
     "src/judge/target.c", "uri->authority_in = URIVET_IN_HOST_FIELD;",
     "uri->authority_in = URIVET_IN_INPUT;", "command"),
    ("raw-octet-for-people", "an escape sequence of the input reaches the terminal: CVE-2003-0063 and its kind",
     "src/cli/show/human.c", "output_escaped(out, (struct text){text.data + window.begin, ",
     "output_text(out, (struct text){text.data + window.begin, ", "command"),
    ("missing-tab", "a column less where a record has no port",
     "src/cli/show/tsv.c", "\toutput_octet(out, '\\t');\n\tif (report->uri.port == URIVET_NO_PORT)",
     "\tif (report->uri.port != URIVET_NO_PORT)\n\t\toutput_octet(out, '\\t');\n"
     "\tif (report->uri.port == URIVET_NO_PORT)", "command"),
    ("one-accepted-is-all", "the exit status of a batch says that all is well",
     "src/cli/records/batch.c", "return batch->tally.accepted == batch->tally.records ?",
     "return batch->tally.accepted > 0 ?", "command"),
    ("record-without-its-end", "filter joins a record and the next one: request smuggling, in a file",
     "src/cli/commands/cmd_filter.c", "pass(worker, start, start + record->whole);",
     "pass(worker, start, start + record->length);", "command"),
    ("table-row-with-more-columns", "a row of CSV brings the column in which a program looks for the verdict",
     "src/cli/records/table.c", "csv->fields != head->fields", "csv->fields < head->fields", "tables"),
    ("table-quote-anywhere", "a quote within a field hides the line ends after it: many readers of CSV",
     "src/cli/records/csv.c", "if (place->at == CSV_FIELD_BEGINS) {", "if (place->at != CSV_QUOTED) {", "tables"),
    ("table-comma-too-many", "members are put into an empty object as if it had some",
     "src/cli/show/appended.c", "write_separator(out, table, \"verdict\", !row->members);",
     "write_separator(out, table, \"verdict\", false);", "tables"),
    ("caret-beside-its-octets", "the excerpt is cut at the left and the caret is not moved",
     "src/cli/show/human.c", "left + (cut ? strlen(DOTS) : 0) + columns_of(text, window.begin, offset)",
     "left + columns_of(text, 0, offset)", "command"),
    ("quiet-worker", "-q is looked at where there is one thread only",
     "src/cli/commands/cmd_filter.c", "if (!worker->options->quiet && from < end)",
     "if ((!worker->options->quiet || worker->options->jobs > 1) && from < end)", "command"),
    ("workers-count-from-one", "records are numbered from the start again by each thread",
     "src/cli/records/batch.c", "bool counts = batch->workers > 1 && shows_numbers(batch);",
     "bool counts = batch->workers > 1 && !shows_numbers(batch);", "command"),
    ("place-of-the-line-before", "a find is told by a column that counts the line's end",
     "src/cli/commands/scan_text.c", "\t\tposition->column = 1;\n\t\tat = feed + 1;",
     "\t\tposition->column = 0;\n\t\tat = feed + 1;", "command"),
    ("short-way-past-parameters", "filter takes the short way, which asks for no parameters: nearly urivet's own",
     "src/cli/commands/cmd_filter.c", " || parameters_asked(&worker->options->parameters))", ")", "command"),
    ("sorted-by-word-alone", "a list that says it is sorted is searched by halves, and past its denials: urivet, until November 2026",
     "src/policy/policy.c", "return is_sealed(policy) ||", "return true ||", "lists"),
]


def plant(bug, root):
    """A copy of the sources with the bug in it; the path of the copy."""
    name, _, file, old, new, _ = bug
    tree = root / name
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for folder in ("src", "include", "fuzz"):  # with their times, for make
        shutil.copytree(HERE / folder, tree / folder)
    # what make includes of the suites, and the harnesses of the tests
    for needed in (HERE / "Makefile", *HERE.glob("tests/**/*.mk"), *HERE.glob("tests/*.h")):
        (tree / needed.relative_to(HERE)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(needed, tree / needed.relative_to(HERE))
    path = tree / file
    path.write_text(path.read_text().replace(old, new))
    return tree


def lost_places(bugs):
    """Bugs that do not fit the source any more, in words."""
    return [f"bug {name}: its place in {file} is gone: {old!r}" for name, _, file, old, _, _ in bugs
            if (HERE / file).read_text().count(old) != 1]


def build(tree, harness, without=""):
    """Makes one harness in the tree, from the objects of the whole where nothing changed."""
    log = tree / "build.log"
    if not (tree / "build").exists():
        shutil.copytree(HERE / "build/fuzz", tree / "build/fuzz",
                        ignore=shutil.ignore_patterns("bugs", "work", "found", "afl", "fuzz_*"))
    for stale in (tree / "build/fuzz").rglob(f"fuzz_{harness}*"):
        stale.unlink()
    with open(log, "wb") as out:
        status = subprocess.run(
            ["make", "-s", "VARIANT=fuzz", f"WITHOUT={without}", f"build/fuzz/fuzz_{harness}"],
            cwd=tree, stdout=out, stderr=out, check=False).returncode
    if status != 0:
        raise SystemExit(f"{tree.name}: does not build, see {log}")


def fuzz(tree, harness, seconds, seed, corpus):
    """Seconds until something broke and what, or None."""
    log = tree / "fuzz.log"
    kept = tree / "kept"  # the engine writes to the first folder
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    start = time.monotonic()
    with open(log, "wb") as out:
        status = subprocess.run(
            [str(tree / f"build/fuzz/fuzz_{harness}"), f"-max_total_time={seconds}",
             f"-seed={seed}", "-max_len=600", "-timeout=10", "-dict=" + str(HERE / "fuzz/uri.dict"),
             "-artifact_prefix=" + str(tree) + "/", str(kept), *([str(HERE / "corpus")] if corpus else [])],
            stdout=out, stderr=out, cwd=tree, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
            check=False).returncode
    took = time.monotonic() - start
    if status == 0:
        return None
    text = log.read_text(errors="replace")
    match = re.search(r"oracle broken: (.*)|ERROR: AddressSanitizer: (\S+)|runtime error: (.*)", text)
    found = next(filter(None, match.groups())) if match else "status %d" % status
    return took, found


def shown(result, seconds):
    return f"{result[0]:5.1f} s" if result else f">{seconds:4} s"


def hunt(bug, options):
    name, _, _, _, _, harness = bug
    tree = plant(bug, WORK)
    build(tree, harness)
    found = fuzz(tree, harness, options.seconds, options.seed, True)
    empty = fuzz(tree, harness, options.seconds, options.seed, False) if options.empty else None
    deleted = ""
    if options.oracles and found:
        build(tree, harness, found[1])
        again = fuzz(tree, harness, options.seconds, options.seed, True)
        deleted = f"found by: {again[1]}" if again else "survives"
    return bug, found, empty, deleted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--empty", action="store_true", help="also from an empty corpus")
    parser.add_argument("--oracles", action="store_true", help="also without the oracle that found it")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--places", action="store_true", help="only see whether each bug still fits the source")
    options = parser.parse_args()
    if lost := lost_places(BUGS):
        print("\n".join(lost), file=sys.stderr)
        return 2
    if options.places:
        print(f"{len(BUGS)} bugs fit the source")
        return 0
    if shutil.which("clang-19") is None:
        print("nothing was fuzzed: clang-19 is in the Debian packages clang-19 libclang-rt-19-dev",
              file=sys.stderr)
        return 2
    subprocess.run(["make", "-s", "VARIANT=fuzz", "harnesses"], cwd=HERE, check=True)
    bugs = [b for b in BUGS if not options.only or b[0] in options.only.split(",")]
    missed = survivors = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for bug, found, empty, deleted in pool.map(lambda b: hunt(b, options), bugs):
            missed += found is None
            survivors += deleted == "survives"
            print(f"{bug[0]:28} {bug[5]:10} corpus {shown(found, options.seconds)}"
                  + (f"  empty {shown(empty, options.seconds)}" if options.empty else "")
                  + f"  {found[1] if found else 'NOT FOUND'}"
                  + (f"  [without it: {deleted}]" if deleted else ""), flush=True)
    print(f"{len(bugs)} bugs planted, {len(bugs) - missed} found from the corpus"
          + (f", {survivors} survive when their oracle is deleted" if options.oracles else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
