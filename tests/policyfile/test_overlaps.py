# SPDX-License-Identifier: Apache-2.0
"""Rules without effect are reported, and no others: each pair of small rules against the naive model, by which a rule has no
effect if the policy without it has the same verdicts on all that is near."""
from __future__ import annotations

import itertools
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE)]
from helper import Case, run  # noqa: E402
from model import BLOCKED, DEFAULT_PORTS, Place, Policy, findings  # noqa: E402

NAMES = [f"{scope}{name}%d.example" for name in ("p", "x.p", "y.x.p") for scope in ("", ".", "*.", "+.")]
HOSTS = [Place("https", name + "%d.example") for name in ("p", "x.p", "y.x.p", "z.p", "z.x.p", "z.y.x.p", "w.z.p", "w.z.x.p", "w.z.y.x.p")]
NETWORKS = ["10.%d.0.0/16", "10.%d.0.0/23", "10.%d.0.0/24", "10.%d.1.0/24", "10.%d.0.7"]
ADDRESSES = [Place("https", address) for address in ("10.%d.0.7", "10.%d.0.8", "10.%d.1.1", "10.%d.2.1")]
TAILS = ["", "/a", "/a$", "/a/", "/a/b", "/ab", "/a?*$", "/a?x=1$", "/a?x=2$"]
PATHS = [Place("https", "p%d.example", None, path) for path in ("/", "/?x=1", "/a", "/a?x=1", "/a?x=2", "/a?x=3", "/a/", "/a/?x=1", "/a/b", "/a/b/c", "/ab", "/b")]
RANGES = ["8000", "8000-8010", "8005-8010", "8010-8020", "8011-8020", "8009", "7000-65535"]    # 8009 is blocked
Rule = tuple[str, str]  # the list that it is in, and its text


def verdicts(rules: list[Rule], places: list[Place]) -> list[bool]:
    policy = Policy()
    for key, text in rules:
        group, _, action = key.partition(".")
        (policy.urls if group == "urls" else getattr(policy, group).setdefault(action, [])).append(text)
    return [not findings(policy, place) for place in places]


def without_effect(rules: list[Rule], others: list[Rule], places: list[Place]) -> set[Rule]:
    """Returns the rules whose removal changes no verdict."""
    whole = verdicts(others + rules, places)
    return {rule for k, rule in enumerate(rules) if verdicts(others + rules[:k] + rules[k + 1:], places) == whole}


class Overlaps(Case):
    def reported(self, rules: list[Rule], base: str = "strict") -> list[Rule]:
        """Returns the rules of a policy about which something is reported."""
        text, at = f"base: {base}\n", {}
        for group, keys in itertools.groupby(sorted({key for key, _ in rules}), lambda key: key.partition(".")[0]):
            text += f"{group}:\n"
            for key in keys:
                text += f"  {key.partition('.')[2]}:\n"
                for _, value in [rule for rule in rules if rule[0] == key]:
                    text += f"  - {value}\n" if group == "ports" else f"  - '{value}'\n"
                    at[text.count("\n")] = (key, value)
        found = run("policy", "check", "-", stdin=text).err.decode()
        return [at[int(line)] for line in re.findall(r"^urivet: <stdin>:(\d+):", found, re.M)]

    def assertReported(self, pairs: list[tuple[Rule, Rule]], others: list[Rule], places: list[Place], all_of_them: bool = True) -> None:
        """Checks what is reported about many pairs in one policy, each below a name or network of its own."""
        for first in range(0, len(pairs), 80):
            made = [[(key, text % k) for key, text in pair] for k, pair in enumerate(pairs[first:first + 80])]
            reported = self.reported(others + [rule for pair in made for rule in pair])
            for k, pair in enumerate(made):
                near = [Place(place.scheme, place.host % k, place.port, place.path) for place in places]
                want, got = without_effect(pair, others, near), [rule for rule in reported if rule in pair]
                self.assertLessEqual(set(got), want, pair)
                if all_of_them and not (pair[0][0] < pair[1][0] and pair[1][1][0] == "+"):  # what is denied one label below may be reached farther below
                    self.assertEqual(len(got), len(want) > 0, pair)

    def test_hosts(self) -> None:
        rules = {action: [("hosts." + action, name) for name in NAMES] for action in ("allow", "deny")}
        for one, other in itertools.combinations_with_replacement(rules, 2):
            self.assertReported(list(itertools.product(rules[one], rules[other])), [("hosts.allow", "q.example")] * (one == "allow"), HOSTS)

    def test_addresses(self) -> None:
        rules = {action: [("addresses." + action, network) for network in NETWORKS] for action in ("allow", "deny")}
        for one, other in itertools.combinations_with_replacement(rules, 2):
            self.assertReported(list(itertools.product(rules[one], rules[other])), [("hosts.allow", "q.example")] * (one == "allow"), ADDRESSES, one == other)

    def test_urls(self) -> None:
        rules = [("urls.allow", "https://p%d.example" + tail) for tail in TAILS]
        kept = [("urls.allow", "https://q.example:8443/")]
        self.assertReported(list(itertools.product(rules, rules)), kept, PATHS)
        rules = [("urls.allow", f"https://{name}{port}/a") for name in NAMES[:8] for port in ("", ":8443", *((":443-8443", ":*") if name[0] in "px" else ()))]
        near = [Place("https", place.host, port, path) for place in HOSTS for port in (None, 8443, 444) for path in ("/a", "/b")]
        for key in ("hosts.allow", "hosts.deny"):
            self.assertReported([(rule, (key, name)) for rule in rules for name in NAMES], kept + [("hosts.allow", "q.example")] * (key == "hosts.allow"), near, False)

    def test_ports(self) -> None:
        """Two ranges of one scheme overlap, whatever ports other schemes have."""
        for one, other in itertools.product(RANGES, RANGES):
            bounds = [(int(text.partition("-")[0]), int(text.rpartition("-")[2])) for text in (one, other)]
            beside = len({first == last for first, last in bounds}) == 2 and any(first == last and first in BLOCKED for first, last in bounds)
            meet = bounds[0][0] <= bounds[1][1] and bounds[1][0] <= bounds[0][1] and not beside
            rules = [(f"ports.{scheme}", text) for scheme in DEFAULT_PORTS for text in ((one, other) if scheme == "ws" else ("9999", "60000-60009"))]
            self.assertEqual(self.reported(rules, "any"), [("ports.ws", other)] * meet, (one, other))
