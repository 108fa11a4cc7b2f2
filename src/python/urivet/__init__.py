# SPDX-License-Identifier: Apache-2.0
"""Vets URIs: accepts what every reader in use reads alike, and explains every refusal.

    urivet.ok(uri)                      True or False, by the policy strict
    report = urivet.PUBLIC.check(uri)   a Report: findings, suggestion, endpoint, public_reason
    urivet.Policy.load("hooks.yaml")    a policy of your own

A URI is str or octets. A verdict alone stops no request: redirects and addresses are judged where the connection is
made, by urivet.requests, urivet.urllib3, urivet.urllib, urivet.httpx and urivet.aiohttp.
"""
from ._refused import Refused
from ._urivet import (ANY, GATEWAY, PUBLIC, STRICT, Components, Endpoint, Finding, Found, Iri, Parameter, Policy,
                      PolicyError, Report, Verdicts, catalogue, check, check_many, compare, display, normalise, ok,
                      parameters, resolve, scan)
from ._urivet import version as __version__
from ._explain import explain

normalize = normalise

__all__ = ["ANY", "GATEWAY", "PUBLIC", "STRICT", "Components", "Endpoint", "Finding", "Found", "Iri", "Parameter",
           "Policy", "PolicyError", "Refused", "Report", "Verdicts", "catalogue", "check", "check_many", "compare",
           "display", "explain", "normalise", "normalize", "ok", "parameters", "resolve", "scan"]
