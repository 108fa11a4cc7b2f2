# SPDX-License-Identifier: Apache-2.0
"""The exceptions that the modules for HTTP clients raise."""
from __future__ import annotations

import logging
from typing import NamedTuple

log = logging.getLogger("urivet")
log.addHandler(logging.NullHandler())  # no output unless the program configures logging


def reduced(policy, made_by, octets, no_text):
    """Pickles a report as the call that made it: (method, arguments, (names, values)), False for check()."""
    if made_by is None:
        raise TypeError("a report about arguments that can be read once cannot be pickled")
    uri = octets.decode("utf-8", "surrogatepass") if no_text else octets
    return judged_again, (policy, made_by or ("check", (uri,), ((), ())))


def judged_again(policy, call):
    """Restores a pickled report by repeating the call of the policy."""
    method, arguments, (names, values) = call
    return getattr(policy, method)(*arguments, **dict(zip(names, values)))


def refused_again(kind, message, report, public_reason):
    """Restores a pickled refusal."""
    refusal = kind(message)
    refusal.report, refusal.public_reason = report, public_reason
    return refusal


def refusing(report):
    """Returns the names of the findings that refuse."""
    return ",".join(finding.id for finding in report.findings if finding.refuses)


class Refused(Exception):
    """A URL, a redirect or an address was refused before anything was sent to it.

    `report` is the Report, or None if no URL was checked, as for a proxy that is not allowed.
    `public_reason` may be shown to the user who submitted the URL: 'unclear' or 'not-allowed'.
    """

    report = None
    public_reason = "not-allowed"

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def __reduce__(self):
        """Pickles without requests, responses and connections of the library."""
        return refused_again, (type(self), str(self), self.report, self.public_reason)

    @classmethod
    def because(cls, what: str, report=None, **more):
        """Logs the refusal of `what` and returns the exception. `more` has the arguments of the
        library's exception class."""
        ids = "" if report is None else refusing(report)
        log.warning("refused %s%s", what, f": {ids}" if ids else "")
        refusal = cls(f"urivet refused {what}{': ' + ids if ids else ''}", **more)
        refusal.report = report
        if report is not None:
            refusal.public_reason = report.public_reason
        return refusal


class LimitExceeded(Exception):
    """A response is larger, or an exchange takes longer, than the session allows."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def __reduce__(self):
        return type(self), (str(self),)


class Kinds(NamedTuple):
    """The exceptions of a module, each also one of its library."""

    url: type[Refused]
    address: type[Refused]
    size: type[LimitExceeded] = LimitExceeded
    time: type[LimitExceeded] = LimitExceeded


def kinds_of(module: str, url: type[Exception], address: type[Exception], size: type[Exception], time: type[Exception]) -> Kinds:
    rows = (("RefusedURL", Refused, url, "A URL, a redirect, a proxy or a part of the library was refused."),
            ("RefusedAddress", Refused, address, "No address of a name is accepted. The request is not retried."),
            ("ResponseTooLarge", LimitExceeded, size, "The response has more than `max_response_size` octets."),
            ("TotalTimeout", LimitExceeded, time, "The exchange takes more than `total_timeout` seconds."))
    return Kinds(*(type(name, (ours, theirs), {"__module__": module, "__doc__": text}) for name, ours, theirs, text in rows))
