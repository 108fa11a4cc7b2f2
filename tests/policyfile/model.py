# SPDX-License-Identifier: Apache-2.0
"""A naive model of policies: what their rules say, by loops over all of them.

Nothing here is sorted, cached or clever: names are compared label by label from the right, networks bit by
bit, and every rule is asked. A policy is a value; `writer` writes it as YAML in many styles.
"""
from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
# Ports that a range never includes: the bad ports of WHATWG Fetch, 2.9, and of servers that were attacked
# through URLs.
BLOCKED = {
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 2375,
    2376, 2379, 2380, 3306, 3389, 4444, 5000, 5432, 5672, 5900, 5984, 6379, 6443, 7001, 8009, 8086, 8500,
    9000, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017, 50070}


@dataclass(frozen=True)
class Place:
    """A host and the other components of a URL, in plain spelling."""
    scheme: str
    host: str                   # a name, or an address without brackets; none: SCHEME:PATH
    port: int | None = None
    path: str = "/"

    def __str__(self) -> str:
        if not self.host:
            return f"{self.scheme}:{self.path}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port is not None else "") + self.path


@dataclass
class Policy:
    base: str = "strict"
    schemes: list[str] = field(default_factory=list)                # none: those of the base
    ports: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    hosts: dict[str, list[str]] = field(default_factory=dict)       # "allow", "deny"
    exceptions: dict[str, list[str]] = field(default_factory=dict)  # of rules that deny hosts
    addresses: dict[str, list[str]] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)
    also: bool = False          # the URLs add to what the rest allows


# ---- Names ---------------------------------------------------------------------------


def bare(rule: str) -> str:
    return rule.removeprefix("*").removeprefix("+").removeprefix(".").removesuffix(".")


def name_matches(rule: str, name: str) -> bool:
    """Returns true if a rule (NAME, .NAME, *.NAME or +.NAME) matches a name."""
    at_it, below = not rule.startswith(("*.", "+.")), rule.startswith((".", "*."))
    want = bare(rule).lower().split(".")
    have = name.removesuffix(".").lower().split(".")
    while want:
        if not have or have.pop() != want.pop():
            return False
    if len(have) == 1 and rule.startswith("+."):
        return True
    return below if have else at_it


def denies(policy: Policy, rule: str, name: str) -> bool:
    return name_matches(rule, name) and not any(name_matches(other, name) for other in policy.exceptions.get(rule, ()))


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


def pieces(rule: str) -> tuple[str, str, str, str]:
    """Returns scheme, host without brackets, port as written, and path of a rule about URLs."""
    scheme, _, rest = rule.partition(":")
    if not rest.startswith("//"):
        return scheme, "", "", rest
    end = "$" if rest.endswith("$") else ""
    authority, slash, path = rest.removesuffix("$")[2:].partition("/")
    host, port = authority, ""
    if not authority.endswith("]") and ":" in authority:
        host, _, port = authority.rpartition(":")
    return scheme, host.strip("[]"), port, slash + path + end


def path_matches(want: str, have: str) -> bool:
    if want == "$":
        return have in ("", "/")
    path, question, query = want.removesuffix("$").partition("?")
    if question:
        return have in ((have.partition("?")[0] == path and have,) if query == "*" else (f"{path}?{query}",))
    if want.endswith("$"):
        return have == path
    have = have.partition("?")[0]
    if want in ("", "/"):
        return True
    return have == want or have.startswith(want if want.endswith("/") else want + "/")


def url_matches(rule: str, place: Place) -> bool:
    scheme, host, port, path = pieces(rule)
    if scheme != place.scheme or bool(host) != bool(place.host):
        return False
    if host and is_address(host) != is_address(place.host):
        return False
    if host and not (bits(host) == bits(place.host) if is_address(host) else name_matches(host, place.host)):
        return False
    return port_matches(port, host, place.port or DEFAULT_PORTS.get(scheme), DEFAULT_PORTS.get(scheme)) and \
        path_matches(path, place.path)


def port_matches(rule: str, host: str, port: int | None, default: int | None) -> bool:
    """A range has no blocked ports, but on the loopback interface."""
    if rule != "*" and "-" not in rule:
        return port == (int(rule) if rule else default)
    first, _, last = ("1-65535" if rule == "*" else rule).partition("-")
    loopback = host in ("localhost", "::1") or (is_address(host) and host.startswith("127."))
    return port is not None and int(first) <= port <= int(last) and (loopback or port not in BLOCKED)


# ---- The whole -----------------------------------------------------------------------------


def decided(rules: dict[str, list[str]], matches: object, what: str) -> str | None:
    """Returns "deny" if any rule denies it, else "allow" if any allows it, else None."""
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
    """Returns the findings for which the rules of the policy refuse it."""
    found: set[str] = set()
    covered = any(url_matches(rule, place) for rule in policy.urls)
    scheme = place.scheme if place.scheme in DEFAULT_PORTS else "other"
    if scheme not in allowed_schemes(policy) and not covered:
        found.add("scheme-not-allowed")
    if not place.host:      # rules about hosts do not apply
        uncovered = policy.urls and not covered and not policy.also
        return found | ({"url-not-allowed"} if uncovered else set())
    by_address = is_address(place.host)
    verdict = decided(policy.addresses, network_matches, place.host) if by_address else \
        "deny" if any(denies(policy, rule, place.host) for rule in policy.hosts.get("deny", ())) else \
        decided({"allow": policy.hosts.get("allow", [])}, name_matches, place.host)
    if verdict == "deny":
        found.add("addr-denied" if by_address else "host-denied")
    only = bool(policy.hosts.get("allow"))
    if only and verdict != "allow" and (not covered or verdict == "deny"):
        found.add("host-not-allowed")
    if policy.urls and not policy.also and not only and not covered:
        found.add("url-not-allowed")
    if by_address and policy.base == "public" and verdict != "allow" and (not covered or verdict == "deny") and \
            not ipaddress.ip_address(place.host).is_global:
        found.add("addr-not-global")
    return found if covered else found | port_findings(policy, place)


ASKED = {"scheme-not-allowed", "addr-denied", "host-denied", "host-not-allowed", "addr-not-global", "url-not-allowed",
         "port-nondefault", "port-blocked"}


# ---- Rules without effect, which a policy file must not have -----------------------------------


def name_covers(rule: str, other: str) -> bool:
    """Returns true if a rule matches every name that the other matches; checking its own name and two below
    suffices."""
    name = bare(other)
    those = [name for name in (name, f"zz.{name}", f"zz.zz.{name}") if name_matches(other, name)]
    return all(name_matches(rule, name) for name in those)


def names_meet(rule: str, other: str) -> bool:
    """Returns true if there is a name that both match."""
    return any(name_matches(rule, name) and name_matches(other, name)
               for b in (bare(rule), bare(other)) for name in (b, f"zz.{b}", f"zz.zz.{b}"))


def network_covers(rule: str, other: str) -> bool:
    prefix, _, length = other.partition("/")
    width = len(bits(prefix))
    own = rule.partition("/")[2]
    return network_matches(rule, prefix) and (int(own) if own else width) <= (int(length) if length else width)


def superfluous(policy: Policy) -> tuple[list[str], str] | None:
    """Returns a list, and a rule of it that another one makes superfluous or unreachable."""
    for lists, covers in ((policy.hosts, name_covers), (policy.addresses, network_covers)):
        for action, rules in lists.items():
            for at, rule in enumerate(rules):
                others = rules[:at] + rules[at + 1:]
                if action == "allow":
                    others = others + lists.get("deny", [])
                if any(covers(other, rule) and other not in policy.exceptions for other in others):
                    return rules, rule
    allowed = policy.hosts.get("allow")
    for rule in policy.hosts.get("deny", []) if allowed else []:
        if not any(names_meet(rule, other) for other in allowed or []):
            return policy.hosts["deny"], rule
    return None


def allowed_schemes(policy: Policy) -> list[str]:
    return policy.schemes or {"any": [*DEFAULT_PORTS, "other"]}.get(policy.base, ["http", "https"])


def url_is_decided(policy: Policy, rule: str) -> bool:
    """Returns true if rules about hosts decide alone, whatever the rule about URLs contains."""
    scheme, host, port, _ = pieces(rule)
    if not host or is_address(host):
        return False
    by_default = port == "" and scheme in allowed_schemes(policy)
    return any(name_covers(deny, host) for deny in policy.hosts.get("deny", []) if deny not in policy.exceptions) or \
        (by_default and any(name_covers(allow, host) for allow in policy.hosts.get("allow", [])))


def tidied(policy: Policy) -> Policy:
    """Returns the policy without such rules, and without lists that become empty."""
    while (found := superfluous(policy)) is not None:
        found[0].remove(found[1])
        for lists in (policy.hosts, policy.addresses):
            for action in [action for action, rules in lists.items() if not rules]:
                del lists[action]
    policy.urls = [rule for rule in policy.urls if not url_is_decided(policy, rule)]
    return policy
