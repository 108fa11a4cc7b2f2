#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wire laboratory: what clients send for a URL, what proxies forward, and how servers route it.

    wire.py report                          writes build/wire/report.html and facts as build/wire/facts.json
    wire.py judge --count=N --seed=S        fails if a client's request differs from the accepted URL
    wire.py send [--client=NAME]... URL...  shows what each client sends for these URLs
    wire.py exhibits                        lists installed programs, and what the others need

chains.py tests targets through proxies to servers. Exit status of judge: 0 no difference except those of
allowed.tsv; 1 otherwise; 2 fewer than five clients, or no accepted URL.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys

import tables
from asked import text
from clients import fetch_all
from judge import SECONDS, judge, told
from zoo import environment, outcome


def send(args: argparse.Namespace) -> int:
    urls = [os.fsencode(url) for url in args.urls]
    clients = [client for client in tables.visit("clients", args.client) if not client.lacks]
    ports = {80, *(int(port[1]) for url in urls if (port := re.match(rb"\w+://[^/?#]*:(\d{1,5})(?![^/?#])", url)))}
    for client, answers in fetch_all(clients, urls, sorted(ports)):
        for url, fetched in zip(urls, answers):
            print(f"{client.name:18} {text(url)}")
            print(*(f"{'':18} {line}" for line in told(fetched)), sep="\n")
    return 0


def exhibits(args: argparse.Namespace) -> int:
    for kind in ("clients", "proxies", "servers"):
        tables.print_exhibits(kind, tables.visit(kind))
    return 0


def report(args: argparse.Namespace) -> int:
    from report import there, write
    clients, proxies, servers = (tables.visit(kind) for kind in ("clients", "proxies", "servers"))
    version = subprocess.run([environment()["URIVET"], "--version"], capture_output=True, text=True, check=True)
    page = write(clients, proxies, servers, version.stdout.strip())
    for kind, found in (("clients", clients), ("proxies", proxies), ("servers", servers)):
        tables.print_exhibits(kind, (exhibit for exhibit in found if exhibit.lacks))
    print(f"wire: {len(there(clients))} clients, {len(there(proxies))} proxies, {len(there(servers))} servers; "
          f"{page.relative_to(tables.ROOT)}")
    return 0


def judged(args: argparse.Namespace) -> int:
    names = args.client or (tables.quick("clients") if args.quick else [])
    return judge(args, tables.visit("clients", names))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run in (("report", report), ("judge", judged), ("send", send), ("exhibits", exhibits)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        if name in ("judge", "send"):
            command.add_argument("--client", action="append", default=[], metavar="NAME", help="this one alone")
        if name == "judge":
            command.add_argument("--policy", choices=("strict", "public", "any"), default="strict")
            command.add_argument("--allow", metavar="IDS", help="findings that urivet waives: shows what a rule is for")
            command.add_argument("--without", metavar="NAMES", default="",
                                 help="rows of allowed.tsv that count as differences: shows what they are for")
            command.add_argument("--count", type=int, default=3000, help="inputs to generate")
            command.add_argument("--seed", default="1", help="names the inputs; the same seed gives the same ones")
            command.add_argument("--seconds", type=float, default=SECONDS,
                                 help="for each client; what it has not come to by then is not judged")
            command.add_argument("--quick", action="store_true", help="those alone that install quickly")
        if name == "send":
            command.add_argument("urls", nargs="+", metavar="URL")
    return outcome("wire", parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
