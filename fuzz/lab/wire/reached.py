# SPDX-License-Identifier: Apache-2.0
"""Records which targets reach a secret through which chain, and urivet's verdict on them."""
from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import stage
import tables
from asked import text
from stage import Chain

import zoo

SHOWN = 40              # printed targets that reached a secret
CHAINS_SHOWN = 8        # for each target
EXAMPLES = 5            # on the page
FILTER = "(filter)"     # stands before a server without a proxy
LISTENER = ("--scheme=http", "--port=80")


# ---- Verdicts ----------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Verdict:
    accepted: bool
    findings: str


@dataclass(frozen=True)
class Judge:
    """Runs urivet check with a policy, for targets of GET and for whole URLs."""
    policy: str
    allow: str = ""

    def judged(self, records: Sequence[bytes], *options: str) -> list[Verdict]:
        lines = zoo.check(records, [f"--policy={self.policy}", *([f"--allow={self.allow}"] if self.allow else []),
                                    *options])
        columns = (line.split("\t", 2) for line in lines)
        return [Verdict(verdict == "accept", findings) for verdict, findings, _ in columns]

    def targets(self, octets: Sequence[bytes]) -> list[Verdict]:
        return self.judged([b"GET %b %b" % (stage.HOST, target) for target in octets], "--target-records", *LISTENER)

    def urls(self, octets: Sequence[bytes]) -> list[Verdict]:
        return self.judged(octets)


# ---- What a filter reads -------------------------------------------------------------------------------------------

BEFORE_PATH = re.compile(rb"\A[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def protected(path: bytes) -> bool:
    return path.startswith(b"/admin") or path.endswith(b".inc")


def refused_by_filter(target: bytes) -> bool:
    """Applies the rule of the proxies to the target as it is written."""
    return protected(BEFORE_PATH.sub(b"", target).partition(b"?")[0])


def refused_before_client(url: bytes) -> bool:
    """Applies the same rule to the URL that a client is given."""
    return protected(re.split(rb"[?#]", BEFORE_PATH.sub(b"", url))[0])


# ---- Results
# -----------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Reached:
    """A target (or a URL given to a client) that fetched a secret through a chain that refuses the plain
    attacks."""
    chain: str
    octets: bytes
    verdict: Verdict
    client: str = ""

    def command(self) -> str:
        if self.client:
            return f"python3 -B fuzz/lab/wire/wire.py send --client={self.client} \"$(printf {quoted(self.octets)})\""
        return "printf " + quoted(b"GET %b HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n"
                                  % (self.octets, stage.HOST))


def quoted(octets: bytes) -> str:
    """Returns a shell word from which printf makes these octets."""
    def one(octet: int) -> str:
        known = {0x0A: "\\n", 0x0D: "\\r", 0x25: "%%", 0x5C: "\\\\"}
        return known.get(octet) or (chr(octet) if 0x20 <= octet < 0x7F and octet != 0x27 else f"\\{octet:03o}")

    return "'" + "".join(map(one, octets)) + "'"


def guarded(chain: Chain) -> str:
    """Describes a chain that contains a filter."""
    return chain.name if chain.proxy else f"{FILTER} > {chain.server}"


def reached(chain: Chain, octets: Sequence[bytes], verdicts: Sequence[Verdict]) -> Iterator[Reached]:
    for target, verdict, answer in zip(octets, verdicts, chain.answers):
        if answer.shows == "secret" and (chain.proxy or not refused_by_filter(target)):
            yield Reached(guarded(chain), target, verdict)


# ---- Known bypasses
# ----------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Open:
    """A row of open.tsv."""
    name: str
    programs: frozenset[str]
    targets: re.Pattern[str]
    why: str

    def explains(self, one: Reached) -> bool:
        path = BEFORE_PATH.sub(b"", one.octets) if one.client else one.octets
        return not self.programs.isdisjoint(one.chain.split(" > ")) and bool(self.targets.fullmatch(text(path)))


@lru_cache(maxsize=None)
def open_rows() -> tuple[Open, ...]:
    lines = (tables.HERE / "open.tsv").read_text("ascii").splitlines()
    cells = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple(Open(name, frozenset(programs.split(",")), re.compile(targets), why)
                 for name, programs, targets, why in cells)


def is_open(one: Reached) -> bool:
    return any(row.explains(one) for row in open_rows())


def print_open(found: Sequence[Reached]) -> None:
    for row in open_rows():
        some = [one for one in found if row.explains(one)]
        if some:
            print(f"open: {row.name}: {len({one.octets for one in some})} accepted targets, {len(some)} times, "
                  f"as {text(some[0].octets)} through {some[0].chain}: {row.why}")


# ---- Counts
# ------------------------------------------------------------------------------------------------------

@dataclass
class Tally:
    """The results of a run."""
    found: list[Reached] = field(default_factory=list)
    walked: list[Chain] = field(default_factory=list)
    left_out: list[Chain] = field(default_factory=list)
    by_clients: int = 0     # chains
    silent: int = 0         # accepted targets without an answer, possibly because of the timeout

    @property
    def chains(self) -> int:
        return len(self.walked) + self.by_clients

    @property
    def accepted(self) -> list[Reached]:
        """Returns the accepted targets that are not listed in open.tsv."""
        return [r for r in self.found if r.verdict.accepted and not is_open(r)]

    @property
    def open(self) -> list[Reached]:
        return [r for r in self.found if r.verdict.accepted and is_open(r)]

    @property
    def refused(self) -> list[Reached]:
        return [r for r in self.found if not r.verdict.accepted]

    def add(self, chains: Iterable[Chain], octets: Sequence[bytes], verdicts: Sequence[Verdict]) -> None:
        for chain in chains:
            if chain.lacks:
                self.left_out.append(chain)
                continue
            self.walked.append(chain)
            if len(self.walked) % 20 == 0:
                tables.progress(f"{len(self.walked)} chains, now {chain.name}")
            self.found += reached(chain, octets, verdicts)
            self.silent += sum(v.accepted and not a.status and not a.shows for v, a in zip(verdicts, chain.answers))

    def facts(self, summary: str) -> dict[str, object]:
        """Returns facts for the page: how many targets fetched a secret through each chain without a
        client."""
        of_chain: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for kind, some in (("accepted", self.accepted), ("open", self.open), ("refused", self.refused)):
            for one in some:
                of_chain[one.chain][kind].append(text(one.octets))
        return {"summary": summary, "chains": [
            {"proxy": chain.proxy or FILTER, "server": chain.server,
             **{kind: len(found[kind]) for kind in ("accepted", "open", "refused")},
             "examples": [*found["accepted"], *found["open"], *found["refused"]][:EXAMPLES]}
            for chain in self.walked for found in (of_chain[guarded(chain)],)]}


def print_left_out(left_out: Iterable[Chain]) -> None:
    """Prints each reason once: a proxy that does not work is left out with every server."""
    reasons: dict[tuple[str, str], list[str]] = defaultdict(list)
    for chain in left_out:
        reasons[chain.proxy or chain.server, chain.lacks].append(chain.server)
    for (name, reason), servers in sorted(reasons.items()):
        where = "" if servers == [name] else f" (before {', '.join(servers[:3])}{' ...' if len(servers) > 3 else ''})"
        print(f"left out: {name}{where}: {reason}")


def print_reached(found: Sequence[Reached], most: int = SHOWN) -> None:
    by_octets: dict[bytes, list[Reached]] = defaultdict(list)
    for one in found:
        by_octets[one.octets].append(one)
    for some in list(by_octets.values())[:most]:
        more = f" and {len(some) - CHAINS_SHOWN} more" if len(some) > CHAINS_SHOWN else ""
        print(f"ACCEPTED, and reaches the secret through {', '.join(one.chain for one in some[:CHAINS_SHOWN])}{more}:")
        print(f"    {some[0].command()}")
        print(f"    findings: {some[0].verdict.findings}")
    if len(by_octets) > most:
        print(f"... and {len(by_octets) - most} more targets")
