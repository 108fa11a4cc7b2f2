#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wire laboratory: what clients send for a URL, what proxies pass on of it, and what servers make of that.

    wire.py exhibits                        what is there, and what is missing of the rest
    wire.py send [--client=NAME]... URL...  what each client sends for these
"""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import tables
from clients import Fetched, fetch_all
from sent import text


# ---- Shown as text -----------------------------------------------------------------------------------------------

def told(fetched: Fetched) -> list[str]:
    """What was sent, a line a request; else what the client said."""
    made = [f"{text(r.line())}  Host: {text(b', '.join(r.host_fields())) or '(none)'}  to {r.reached}:{r.port}"
            for r in fetched.requests]
    return made or [f"nothing; {fetched.trouble or 'it says'}: {fetched.message or '(no word)'}"]


def named(names: Sequence[str]) -> list[tables.Exhibit]:
    return [client for client in tables.visit("clients", names) if not client.lacks]


def send(args: argparse.Namespace) -> int:
    urls = [os.fsencode(url) for url in args.urls]
    for client, answers in fetch_all(named(args.client), urls):
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
    for name, run in (("exhibits", exhibits), ("send", send)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        if name == "send":
            command.add_argument("--client", action="append", default=[], metavar="NAME")
            command.add_argument("urls", nargs="+", metavar="URL")
    args = parser.parse_args()
    try:
        return args.run(args)
    except (OSError, RuntimeError) as error:
        print(f"wire: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
