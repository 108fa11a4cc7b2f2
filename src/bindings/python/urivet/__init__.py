# SPDX-License-Identifier: Apache-2.0
"""Checks URIs: accepts those that all common parsers read alike, and explains every refusal.

    urivet.ok(uri)                      True or False, by the policy strict
    report = urivet.PUBLIC.check(uri)   a Report: findings, suggestion, endpoint, public_reason
    urivet.Policy.load("hooks.yaml")    your own policy

A verdict does not make a request safe: urivet.requests, .urllib3, .urllib, .httpx and .aiohttp do.
"""
from ._refused import LimitExceeded, Refused
from ._urivet import (ANY, GATEWAY, PUBLIC, STRICT, Components, Endpoint, Finding, Found, Iri, Parameter, Policy,
                      PolicyError, Report, Verdicts, catalogue, compare, display, normalise, resolve)
from ._urivet import version as __version__
from ._explain import explain
from ._chat import MarkdownStream
from ._stream import ScanStream, scan

normalize = normalise
ok, check, check_many, parameters = STRICT.ok, STRICT.check, STRICT.check_many, STRICT.parameters

__all__ = ["ANY", "GATEWAY", "MarkdownStream", "PUBLIC", "STRICT", "Components", "Endpoint", "Finding", "Found", "Iri", "LimitExceeded", "Parameter",
           "Policy", "PolicyError", "Refused", "Report", "ScanStream", "Verdicts", "catalogue", "check", "check_many",
           "compare", "display", "explain", "normalise", "normalize", "ok", "parameters", "resolve", "scan"]
