# SPDX-License-Identifier: Apache-2.0
"""Refusals of what fetches: one class that all of them have in common, beside that of their library."""
from __future__ import annotations

import logging

log = logging.getLogger("urivet")
log.addHandler(logging.NullHandler())  # a program that has no logging hears nothing


def judged_again(policy, call):
    """The report that a pickled one was: the same call of the same policy."""
    method, arguments, (names, values) = call
    return getattr(policy, method)(*arguments, **dict(zip(names, values)))


def refused_again(kind, message, report, public_reason):
    """The refusal that a pickled one was."""
    refusal = kind(message)
    refusal.report, refusal.public_reason = report, public_reason
    return refusal


class Refused(Exception):
    """A URL, a redirect or an address was refused before anything was sent to it.

    `report` is the Report (None where there is nothing to judge, as for a proxy that was not allowed), `public_reason` what
    may be told to whoever submitted the URL: 'unclear' or 'not-allowed'.
    """

    report = None
    public_reason = "not-allowed"

    def __reduce__(self):
        """Requests, responses and connections of the library are left out."""
        return refused_again, (type(self), str(self.args[0]) if self.args else "", self.report, self.public_reason)

    @classmethod
    def because(cls, what: str, report=None, **more):
        """The refusal of `what`, logged; `more` is what the exception of the library takes."""
        ids = ",".join(report.ids) if report is not None else ""
        log.warning("refused %s%s", what, f": {ids}" if ids else "")
        refusal = cls(f"urivet refused {what}{': ' + ids if ids else ''}", **more)
        refusal.report = report
        if report is not None:
            refusal.public_reason = report.public_reason
        return refusal
