# SPDX-License-Identifier: Apache-2.0
"""A naive model of policies: what their rules say, by loops over all of them.

Nothing here is sorted, cached or clever: names are compared label by label from the right, networks bit by
bit, and every rule is asked. A policy is a value; `writer` writes it as YAML in many styles.
"""
from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
# Some of the ports that a range never covers (urivet-policy(5), `ports`).
BLOCKED = {22, 25, 6000, 6379, 9000, 9200}


@dataclass(frozen=True)
class Place:
    """A host with what a URL says around it, in plain spelling."""
    scheme: str
    host: str                   # a name, or an address without brackets
    port: int | None = None
    path: str = "/"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port is not None else "") + self.path


@dataclass
class Policy:
    base: str = "strict"
    schemes: list[str] = field(default_factory=list)                # none: those of the base
    ports: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    hosts: dict[str, list[str]] = field(default_factory=dict)       # "allow", "deny"
    addresses: dict[str, list[str]] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)


# ---- Names ---------------------------------------------------------------------------


def name_matches(rule: str, name: str) -> bool:
    """Does a rule speak of a name: NAME, .NAME or *.NAME?"""
    at_it, below = not rule.startswith("*."), rule.startswith((".", "*."))
    want = rule.removeprefix("*").removeprefix(".").removesuffix(".").lower().split(".")
    have = name.removesuffix(".").lower().split(".")
    while want:
        if not have or have.pop() != want.pop():
            return False
    return below if have else at_it


# ---- Addresses -------------------------------------------------------------------------


def bits(address: str) -> str:
    number = ipaddress.ip_address(address)
    return format(int(number), "032b" if number.version == 4 else "0128b")


def network_matches(rule: str, address: str) -> bool:
    prefix, _, length = rule.partition("/")
    want, have = bits(prefix), bits(address)
    if len(want) != len(have):
        return False
    for at in range(int(length) if length else len(want)):
        if want[at] != have[at]:
            return False
    return True


def is_address(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


# ---- URLs --------------------------------------------------------------------------------


def url_matches(rule: str, place: Place) -> bool:
    """Rules as this model writes them: SCHEME://HOST[:PORT or :*][/PATH]."""
    scheme, _, rest = rule.partition("://")
    authority, slash, path = rest.partition("/")
    host, port = authority, ""
    if not authority.endswith("]") and ":" in authority:
        host, _, port = authority.rpartition(":")
    if scheme != place.scheme or host.strip("[]").lower() != place.host.lower():
        return False
    default = DEFAULT_PORTS[scheme]
    if port != "*" and (int(port) if port else default) != (place.port or default):
        return False
    want = slash + path
    if want in ("", "/"):
        return True
    # a prefix ends where a segment does
    return place.path == want or place.path.startswith(want if want.endswith("/") else want + "/")


# ---- The whole -----------------------------------------------------------------------------


def decided(rules: dict[str, list[str]], matches: object, what: str) -> str | None:
    """ "deny" if any rule denies it, else "allow" if any allows it, else nothing."""
    assert callable(matches)
    for action in ("deny", "allow"):
        for rule in rules.get(action, ()):
            if matches(rule, what):
                return action
    return None


def port_findings(policy: Policy, place: Place) -> set[str]:
    if place.port is None or place.port == DEFAULT_PORTS[place.scheme]:
        return set()
    rules = policy.ports.get(place.scheme, [])
    alone = (place.port, place.port) in rules
    listed = any(first <= place.port <= last for first, last in rules)
    found = set() if listed else {"port-nondefault"}
    return found | ({"port-blocked"} if place.port in BLOCKED and not alone else set())


def findings(policy: Policy, place: Place) -> set[str]:
    """What the rules of the policy refuse it for."""
    found: set[str] = set()
    allowed_schemes = policy.schemes or {"any": list(DEFAULT_PORTS)}.get(policy.base, ["http", "https"])
    if place.scheme not in allowed_schemes:
        found.add("scheme-not-allowed")
    if is_address(place.host):
        verdict = decided(policy.addresses, network_matches, place.host)
        denied = "addr-denied"
    else:
        verdict = decided(policy.hosts, name_matches, place.host)
        denied = "host-denied"
    if verdict == "deny":
        found.add(denied)
    listed = any(url_matches(rule, place) for rule in policy.urls)
    if policy.hosts.get("allow") and verdict != "allow":
        found.add("host-not-allowed")
    if policy.base == "public" and is_address(place.host) and verdict != "allow" and \
            not ipaddress.ip_address(place.host).is_global:
        found.add("addr-not-global")
    if policy.urls and not listed:
        found.add("url-not-allowed")
    return found | (set() if listed else port_findings(policy, place))


ASKED = {"scheme-not-allowed", "addr-denied", "host-denied", "host-not-allowed", "addr-not-global", "url-not-allowed",
         "port-nondefault", "port-blocked"}
