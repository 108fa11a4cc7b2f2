# SPDX-License-Identifier: Apache-2.0
"""Types for pydantic: a str that a policy accepts."""
from __future__ import annotations

from typing import Any, ClassVar

from ._needs import needs
from ._policies import policy_of
from ._urivet import PUBLIC, STRICT, Policy

with needs("pydantic"):
    from pydantic.errors import PydanticValueError

__all__ = ["PublicURL", "RefusedURL", "StrictURL", "url"]


class RefusedURL(PydanticValueError):
    """A URL was refused: `reason` is 'unclear' or 'not-allowed'."""

    code = "url.refused"
    msg_template = "the URL is refused: {reason}"


class _URL(str):
    policy: ClassVar[Policy] = STRICT

    @classmethod
    def __get_validators__(cls) -> Any:
        yield cls.validate

    @classmethod
    def validate(cls, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError("a URL is a str")
        report = cls.policy.check(value)
        if not report.ok and report.enforced:
            raise RefusedURL(reason=report.public_reason)
        return str(value)

    @classmethod
    def __modify_schema__(cls, schema: dict) -> None:
        schema.update(type="string", format="uri")


def url(policy: Policy | str) -> type[str]:
    """Returns the type of URLs that a policy accepts. `policy` may be the name of a built-in one."""
    return type("URL", (_URL,), {"policy": policy_of(policy)})


class StrictURL(_URL):
    """A URL that the policy strict accepts."""


class PublicURL(_URL):
    """A URL that the policy public accepts, for URLs to fetch."""

    policy = PUBLIC
