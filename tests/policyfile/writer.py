# SPDX-License-Identifier: Apache-2.0
"""Random policies, and YAML in the many ways in which people and programs write it."""
from __future__ import annotations

import ipaddress
import random
import re
from typing import Any

from model import DEFAULT_PORTS, Place, Policy, bare, bits, is_address, pieces, tidied

LABELS = ("a", "b", "c", "aa", "ba", "www", "api", "x", "xa", "n-1", "q9")
TOPS = ("example", "test", "co.example", "b.test")
PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./-]*\Z")
NO_STRING = re.compile(r"[-+.0-9]*\Z|true\Z|false\Z|null\Z|yes\Z|no\Z|on\Z|off\Z|y\Z|n\Z|\.inf\Z|\.nan\Z|0x|"
                       r"[0-9.]+e", re.I)


# ---- Policies ----------------------------------------------------------------------------


def name(rng: random.Random) -> str:
    return ".".join([rng.choice(LABELS) for _ in range(rng.randrange(0, 4))] + [rng.choice(TOPS)])


def host_rule(rng: random.Random) -> str:
    made = rng.choice(("", ".", "*.", "+.")) + name(rng)
    return "".join(rng.choice((c, c.upper())) for c in made) if rng.random() < 0.1 else made


def address(rng: random.Random) -> str:
    """Returns an address with few random bits, so that networks often contain each other."""
    if rng.random() < 0.5:
        head = rng.choice(("10.0", "10.1", "192.168", "93.184", "8.8"))
        return f"{head}.{rng.choice((0, 1, 2, 128, 255))}.{rng.choice((0, 1, 7, 128, 255))}"
    head = rng.choice((0x2600 << 112, 0x26000001 << 96, 0x2A00 << 112, 0xFD00 << 112))
    middle = rng.choice((0, 1, 1 << 64, 1 << 80, 3 << 95))
    return str(ipaddress.IPv6Address(head | middle | rng.choice((0, 1, 255, 1 << 16))))


def network(rng: random.Random) -> str:
    number = ipaddress.ip_address(address(rng))
    length = rng.choice(range(number.max_prefixlen // 4, number.max_prefixlen + 1))
    free = number.max_prefixlen - length
    kind = ipaddress.IPv4Network if number.version == 4 else ipaddress.IPv6Network
    made = kind((int(number) >> free << free, length))
    return str(made.network_address) if length == number.max_prefixlen and rng.random() < 0.5 else str(made)


def port_range(rng: random.Random, scheme: str) -> tuple[int, int]:
    first = rng.choice((8080, 8000, 6379, 22, 9000, 1, 40000, 8443, 6000))
    if rng.random() < 0.5:
        return first, first
    last = min(65535, first + rng.choice((1, 9, 99, 1500, 30000)))
    return first, last if first <= DEFAULT_PORTS[scheme] <= last or last > first else last


def url_rule(rng: random.Random) -> str:
    kind = rng.random()
    path = rng.choice(("/cb", "/cb", "/a/b", "/a/")) + rng.choice(("", "", "?*", "?x=1", "?x=2")) + rng.choice(("", "", "$"))
    if kind < 0.1:
        return rng.choice(("com.example.app:", "org.example.a-b:")) + path
    if kind < 0.3:
        return rng.choice(("http://127.0.0.1:*", "http://[::1]:*", "http://localhost:*")) + path
    scheme = rng.choice(("https", "https", "http", "ftp"))
    host = rng.choice(("", "", "", ".", "*.", "+.")) + name(rng)
    if kind >= 0.9:
        host = rng.choice(("10.0.0.1", "8.8.8.8", "[2600::1]"))
    ports = ("", "", ":8443", ":6379") + ((":*", ":8080-9100") if host[0] not in ".*+" else ())
    return f"{scheme}://{host}{rng.choice(ports)}" + rng.choice(("", "$", "/", path))


def without_overlaps(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for first, last in ranges:
        if all(last < a or b < first for a, b in kept):
            kept.append((first, last))
    return kept


def some(rng: random.Random, make: Any, most: int) -> list[str]:
    return [make(rng) for _ in range(rng.randrange(1, most + 1))]


def policy(rng: random.Random, with_urls: bool) -> Policy:
    made = Policy(base=rng.choice(("strict", "strict", "public", "any")))
    if rng.random() < 0.3:
        made.schemes = rng.sample(("http", "https", "ws", "wss", "ftp"), rng.randrange(1, 5))
    allowed = made.schemes or {"any": list(DEFAULT_PORTS)}.get(made.base, ["http", "https"])
    for scheme in allowed:
        if rng.random() < 0.4:
            made.ports[scheme] = without_overlaps([port_range(rng, scheme) for _ in range(rng.randrange(1, 4))])
    for action in ("allow", "deny"):
        if rng.random() < 0.5:
            made.hosts[action] = some(rng, host_rule, 12)
        if rng.random() < 0.5:
            made.addresses[action] = some(rng, network, 8)
    made.hosts["allow"] = [rule for rule in made.hosts.get("allow", []) if not too_wide(rule)]
    if not made.hosts["allow"]:
        del made.hosts["allow"]
    if with_urls and rng.random() < 0.35:
        made.urls = [rng.choice((url_rule(rng), url_rule(rng)))]
        for rule in some(rng, url_rule, 5):
            if all(pieces(rule)[:3] != pieces(other)[:3] for other in made.urls):
                made.urls.append(rule)
    made.also = bool(made.urls) and rng.random() < 0.4
    for rule in made.urls:      # some of the hosts that it is about are denied
        host = bare(pieces(rule)[1])
        if host and not is_address(host) and rng.random() < 0.3:
            made.hosts.setdefault("deny", []).append(rng.choice(("", ".", "*.")) + rng.choice(("x.", "aa.", "")) + host)
    for rule in made.hosts.get("deny", []):
        alone = sum(bare(other).lower() == bare(rule).lower() for other in made.hosts["deny"]) == 1
        if not rule[0].isalnum() and alone and rng.random() < 0.3:
            made.exceptions[rule] = rng.sample([f"{scope}{label}.{bare(rule)}" for label in ("x", "a", "a.x")
                                                for scope in ("", ".", "*.", "+.")
                                                if not rule.startswith("+") or scope + label in ("x", "a")], 2)
    made = tidied(made)
    if "allow" not in made.hosts:       # addresses that change nothing are an error
        allowed = [ipaddress.ip_network(rule) for rule in made.addresses.pop("allow", [])]
        kept = [str(rule) for rule in allowed if made.base == "public" and not (rule.is_global and rule.num_addresses == 1)]
        made.addresses.update({"allow": kept} if kept else {})
    return made


def too_wide(rule: str) -> bool:
    """Returns true for a rule about all names below a last label, which is refused."""
    return rule[0] in ".*+" and rule.count(".") == 1


# ---- Inputs for a policy -------------------------------------------------------------------


def near(rng: random.Random, rule: str) -> str:
    """Returns a name near a rule: NAME, x.NAME, xNAME, or a parent of it."""
    name = bare(rule)
    return rng.choice((name, name, "x." + name, "x" + name, "a.x." + name, name.partition(".")[2] or name,
                       name + ".test"))


def beside(rng: random.Random, rule: str) -> str:
    """Returns an address in a network, or one that differs in one bit."""
    prefix, _, length = rule.partition("/")
    number = ipaddress.ip_address(prefix)
    width = len(bits(prefix))
    free = width - (int(length) if length else width)
    value = int(number) | rng.choice((0, (1 << free) - 1, rng.getrandbits(free) if free else 0))
    if rng.random() < 0.3 and free < width:
        value ^= 1 << free
    return str(ipaddress.ip_address(value) if width == 32 else ipaddress.IPv6Address(value))


def place(rng: random.Random, made: Policy) -> Place:
    rules = [("n", rule) for rules in made.hosts.values() for rule in rules] + \
        [("a", rule) for rules in made.addresses.values() for rule in rules]
    scheme = rng.choice(("https", "https", "http", "http", "ws", "wss", "ftp"))
    if made.urls and rng.random() < 0.6:
        return near_url(rng, rng.choice(made.urls))
    others = [("n", name(rng)), ("a", address(rng))]
    kind, rule = rng.choice(rules if rules and rng.random() < 0.8 else others)
    host = near(rng, rule) if kind == "n" else beside(rng, rule)
    port: int | None = None
    if rng.random() < 0.3:
        edges = [p for rule in made.ports.get(scheme, []) for p in (rule[0] - 1, rule[0], rule[1], rule[1] + 1)]
        port = rng.choice(edges + [8080, 6379, 8443, 22])
        port = port if 0 < port < 65536 else 8080
    return Place(scheme, host, None if port == DEFAULT_PORTS[scheme] else port, rng.choice(("/", "/cb", "/a/b")))


def near_url(rng: random.Random, rule: str) -> Place:
    scheme, host, port, path = pieces(rule)
    number = int(port) if port.isdigit() else rng.choice((8079, 8080, 9000, 9100, 9101, 50000)) if port else None
    want = path.removesuffix("$").partition("?")[0]
    path = rng.choice((want, want, want + "/x", want + "x", want + "?x=1", want + "?x=2", "/", "/cb", "/a", "/a/b/c")) or "/"
    path = re.sub("/+", "/", path if path.startswith("/") else "/" + path)
    if not host:
        return Place(rng.choice((scheme, scheme, scheme + "x")), "", None, path)
    if rng.random() < 0.2:
        number = rng.choice((8080, 8443, 444, None))
    if not is_address(host):
        host = near(rng, host) if rng.random() < 0.5 or not host[0].isalnum() else host
    if rng.random() < 0.1:
        scheme = rng.choice(("http", "https", "ftp"))
    return Place(scheme, host, None if number == DEFAULT_PORTS[scheme] else number, path)


# ---- YAML --------------------------------------------------------------------------------------


class Writer:
    """Writes one text; each choice of style is random."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.lines: list[str] = []
        self.comments = rng.random() < 0.6
        self.end = rng.choice(("\n", "\n", "\n", "\r\n"))

    def text(self) -> str:
        head = "---" + self.end if self.rng.random() < 0.2 else ""
        tail = "..." + self.end if self.rng.random() < 0.1 else ""
        return head + "".join(line + self.end for line in self.lines) + tail

    def scalar(self, value: str | int | bool | None) -> str:
        if value is None:
            return self.rng.choice(("null", "~", ""))
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value)
        style = self.rng.random()
        if style < 0.5 and PLAIN.match(value) and not NO_STRING.match(value):
            return value
        if style < 0.75:
            return "'" + value.replace("'", "''") + "'"
        made = value.replace("\\", "\\\\").replace('"', '\\"')
        if style > 0.95 and made:    # the first octet by its number
            return '"\\x%02x%s"' % (ord(made[0]), made[1:]) if made[0] != "\\" else f'"{made}"'
        return f'"{made}"'

    def note(self) -> str:
        if not self.comments or self.rng.random() < 0.7:
            return ""
        return "  # " + self.rng.choice(("a note", "don't: read [this], {or} that", '"quoted', "hosts: [x]",
                                         "&a *b !c"))

    def line(self, text: str) -> None:
        if self.comments and self.rng.random() < 0.1:
            self.lines.append(self.rng.choice(("# a line", "", "    # - item", "#")))
        self.lines.append(text + self.note())

    def flow(self, value: Any) -> str:
        space = self.rng.choice(("", " "))
        if value is None:    # an empty one would be no element
            return "null"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.key(key)}: {self.flow(item)}" for key, item in value.items()) + space + "}"
        if isinstance(value, list):
            items = ", ".join(self.flow(item) for item in value)
            return "[" + space + items + (self.rng.choice(("", ",")) if value else "") + "]"
        return self.scalar(value)

    def key(self, key: str) -> str:
        return f'"{key}"' if self.rng.random() < 0.1 else key

    def value(self, key: str, value: Any, indent: str) -> None:
        if not value and isinstance(value, (dict, list)):
            self.line(f"{indent}{self.key(key)}: {'{}' if isinstance(value, dict) else '[]'}")
        elif not isinstance(value, (dict, list)):
            self.line(f"{indent}{self.key(key)}: {self.scalar(value)}")
        elif self.rng.random() < 0.35:
            self.line(f"{indent}{self.key(key)}: {self.flow(value)}")
        elif isinstance(value, list):
            self.line(f"{indent}{self.key(key)}:")
            inner = indent + self.rng.choice(("", "  ", "    "))
            for item in value:
                self.line(f"{inner}-{self.rng.choice((' ', '   '))}{self.flow(item)}")
        else:
            self.line(f"{indent}{self.key(key)}:")
            inner = indent + " " * self.rng.choice((1, 2, 4))
            for name_of, item in value.items():
                self.value(name_of, item, inner)

    def mapping(self, content: dict[str, Any]) -> None:
        keys = list(content)
        self.rng.shuffle(keys)
        for key in keys:
            self.value(key, content[key], "")


def ports_of(rng: random.Random, ranges: list[tuple[int, int]]) -> list[str | int]:
    return [f"{first}-{last}" if first != last else first for first, last in ranges]


def as_tree(rng: random.Random, made: Policy) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    if made.base != "strict" or rng.random() < 0.5:
        tree["base"] = made.base
    if made.schemes:
        tree["schemes"] = list(made.schemes)
    if made.ports:
        tree["ports"] = {scheme: ports_of(rng, ranges) for scheme, ranges in made.ports.items()}
    for key, lists in (("hosts", made.hosts), ("addresses", made.addresses)):
        if lists:
            tree[key] = {action: [{"name": rule, "except": made.exceptions[rule]} if action == "deny" and
                                  rule in made.exceptions and key == "hosts" else rule for rule in rules]
                         for action, rules in lists.items()}
    if made.urls:
        tree["urls"] = {"also" if made.also else "allow": list(made.urls)}
    return tree or {"base": made.base}


def split(rng: random.Random, tree: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Moves the ends of some lists to an included file; returns both trees."""
    kept: dict[str, Any] = {}
    taken: dict[str, Any] = {}
    for key, value in tree.items():
        kept[key] = value
        if key not in ("hosts", "addresses", "urls"):
            continue
        kept[key] = {}
        for action, rules in value.items():
            at = rng.randrange(0, len(rules) + 1)
            if at > 0:
                kept[key][action] = rules[:at]
            if at < len(rules):
                taken.setdefault(key, {})[action] = rules[at:]
        if not kept[key]:
            del kept[key]
    return kept, taken


def written(rng: random.Random, tree: dict[str, Any]) -> str:
    writer = Writer(rng)
    writer.mapping(tree)
    return writer.text()


def files(rng: random.Random, made: Policy, includes: bool) -> dict[str, str]:
    """Returns the policy as one or two files: main.yaml, and what it includes."""
    tree = as_tree(rng, made)
    if includes and rng.random() < 0.3:
        kept, taken = split(rng, tree)
        if taken:
            kept["include"] = rng.choice((["more.yaml"], ["./more.yaml"]))
            return {"main.yaml": written(rng, kept), "more.yaml": written(rng, taken)}
    return {"main.yaml": written(rng, tree)}
