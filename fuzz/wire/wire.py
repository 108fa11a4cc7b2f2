#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wire laboratory: what clients send for a URL, what proxies pass on of it, and what servers make of that.

    wire.py exhibits                        what is there, and what is missing of the rest
    wire.py judge --count=N --seed=S        fails where a client sends for an accepted URL something else than it says
    wire.py send [--client=NAME]... URL...  what each client sends for these
"""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import tables
from clients import fetch_all
from judge import SECONDS, judge, told
from asked import text


def there(names: Sequence[str]) -> list[tables.Exhibit]:
    return [client for client in tables.visit("clients", names) if not client.lacks]


def send(args: argparse.Namespace) -> int:
    urls = [os.fsencode(url) for url in args.urls]
    for client, answers in fetch_all(there(args.client), urls):
        for url, fetched in zip(urls, answers):
            print(f"{client.name:18} {text(url)}")
            print(*(f"{'':18} {line}" for line in told(fetched)), sep="\n")
    return 0


def exhibits(args: argparse.Namespace) -> int:
    for kind in ("clients", "proxies", "servers"):
        tables.print_exhibits(kind, tables.visit(kind))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run in (("exhibits", exhibits), ("judge", lambda args: judge(args, tables.visit("clients", args.client))), ("send", send)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        if name != "exhibits":
            command.add_argument("--client", action="append", default=[], metavar="NAME", help="this one alone")
        if name == "judge":
            command.add_argument("--policy", choices=("strict", "public", "any"), default="strict")
            command.add_argument("--allow", metavar="IDS", help="findings that urivet waives: shows what a rule is for")
            command.add_argument("--without", metavar="NAMES", default="",
                                 help="rows of allowed.tsv that count as differences: shows what they are for")
            command.add_argument("--count", type=int, default=3000, help="inputs to generate")
            command.add_argument("--seed", default="1", help="names the inputs; the same seed gives the same ones")
            command.add_argument("--seconds", type=float, default=SECONDS, help="for each client")
            command.add_argument("--progress", action="store_true", help="a line a client")
        if name == "send":
            command.add_argument("urls", nargs="+", metavar="URL")
    args = parser.parse_args()
    try:
        return args.run(args)
    except (OSError, RuntimeError) as error:
        print(f"wire: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
