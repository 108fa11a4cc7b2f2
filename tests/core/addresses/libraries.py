# SPDX-License-Identifier: Apache-2.0
"""What other gates test that they refuse as private, and that they take: URLs with their expectations, not ours.

    doyensec/safeurl (Go)           client_test.go, ip.go
    IncludeSecurity/safeurl-python  safeurl/safeurl_tests.py
    stripe/smokescreen              pkg/smokescreen/address_policy_test.go, ip_policy_test.go

Read in November 2026.  Left out is what they decide by settings of a test (lists of allowed and denied addresses,
their own ports) or by looking a name up.
"""
from __future__ import annotations

import ipaddress

Case = tuple[str, str]


def cases(source: str, *hosts: str) -> list[Case]:
    return [(f"http://{host}" if "://" not in host else host, source) for host in hosts]


def literals(source: str, *addresses: str) -> list[Case]:
    return cases(source, *(f"[{one}]/" if ":" in one else f"{one}/" for one in addresses))


def borders(source: str, *networks: str) -> list[Case]:
    """Returns the first and the last address of each network."""
    made = [ipaddress.ip_network(network) for network in networks]
    return literals(source, *(str(one) for network in made for one in (network[0], network[-1])))


REFUSED: list[Case] = [
    *cases("safeurl, TestBlockedIP", "127.0.0.1", "[::1]", "2130706433", "3232235777", "017700000001:80/", "0x7f000001",
           "0xc0a80014", "0x0000007f.0x00000000.0x00000000.0x00000001", "0x7f.0x0.0x00000000.0x01", "[::]:80", "0/",
           "127.1", "0177.0x0.0x0.0x1", "0.0.0.0", "127.127.127.127", "[::ffff:192.0.2.1]", "[0000::1]:80",
           "[::1]/server-status"),
    *literals("safeurl, TestBlockCIDRRange", *(f"192.168.0.{k}" for k in range(16))),
    *cases("safeurl, TestInternalIPAreAlwaysBlocked", "127.0.0.1:8080"),
    *cases("safeurl, TestBlockedSendingCredentials", "user:pass@service.test:8080", "u:pass@service.test:8080",
           "user:p@service.test:8080"),
    *cases("safeurl, TestBlockedHost", "service.test"),
    *borders("safeurl, privateNetworks", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "0.0.0.0/8",
             "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24",
             "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32", "100.64.0.0/10", "::/128", "::1/128",
             "100::/64", "2001::/23", "2001:2::/48", "2001:db8::/32", "2001::/32", "fc00::/7", "fe80::/10", "ff00::/8",
             "2002::/16", "64:ff9b::/96", "2001:10::/28", "2001:20::/28"),
    *cases("safeurl-python, forbidden host", "localhost"),
    *literals("smokescreen, TestClassifyAddr", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "100.64.0.100",
              "100.127.255.254", "127.0.0.1", "127.255.255.255", "::1", "169.254.169.254", "255.255.255.255",
              "ff02:0:0:0:0:0:0:2", "64:ff9b::ac1c:5", "64:ff9b::c000:201", "64:ff9b::a00:1", "64:ff9b::808:808",
              "64:ff9b::ffff:ffff", "2002:c000:201::1", "2002:a00:1::1", "2002:808:808::1",
              "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:1234:5678:9abc:def0:1234:5678"),
    *literals("smokescreen, TestUnsafeAllowPrivateRanges", "172.16.1.1", "10.0.1.1", "192.168.1.1"),
    *literals("smokescreen, TestMostSpecificIPPolicySafetyChecks", "64:ff9b::1", "10.1.0.1", "fc00::1"),
]
TAKEN: list[Case] = [
    *literals("safeurl, TestIPsOutsideBlockedCIDRAreNotBlocked", "172.217.14.195"),
    *literals("safeurl, TestAllowedIPInBlockedCIDRIsAllowed", "34.210.62.107"),
    *cases("safeurl, TestTLSConfig", "https://expired.badssl.com/"),
    *cases("safeurl-python, safeurl_tests.py", "https://fin1te.net", "http://www.youtube.com", "http://google.com",
           "http://fin1te.net"),
    *literals("smokescreen, TestClassifyAddr", "8.8.8.8", "100.63.255.254", "100.128.0.1", "2001:4860:4860::8888",
              "2606:4700:4700::1111", "64:ff9c::1"),
    *literals("smokescreen, TestAllowFirstIPPolicy", "1.1.1.1"),
]
# Where `public` decides otherwise, and why.
EXCEPTIONS: dict[str, str] = {
    "http://[64:ff9b::808:808]/": "a translator connects to 8.8.8.8, which is public: RFC 6052, 3.1; IANA: reachable",
    "http://[2001:20::]/": "ORCHIDv2 is globally reachable by IANA's registry (RFC 7343)",
    "http://[2001:2f:ffff:ffff:ffff:ffff:ffff:ffff]/": "ORCHIDv2 is globally reachable by IANA's registry (RFC 7343)",
    "http://[64:ff9c::1]/": "IANA has allocated nothing but 2000::/3 to be reached (RFC 4291, 2.4)",
}
