# SPDX-License-Identifier: Apache-2.0
"""Types for pydantic: a str that a policy accepts."""
from __future__ import annotations

from typing import Any, ClassVar

from ._needs import needs
from ._policies import policy_of
from ._urivet import PUBLIC, STRICT, Policy

with needs("pydantic"):
    import pydantic  # noqa: F401

__all__ = ["PublicURL", "RefusedURL", "StrictURL", "url"]


class RefusedURL(ValueError):
    """A URL was refused: `reason` is 'unclear' or 'not-allowed'."""

    code = "url.refused"

    def __init__(self, reason: str) -> None:
        super().__init__(f"the URL is refused: {reason}")
        self.reason = reason

    def __reduce__(self) -> Any:
        return type(self), (self.reason,)


class _URL(str):
    policy: ClassVar[Policy] = STRICT
    repair: ClassVar[bool] = False

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema  # pydantic 2
        return core_schema.no_info_after_validator_function(cls.validate, core_schema.str_schema(strict=True))

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict:
        return {**handler(schema), "format": "uri"}

    @classmethod
    def __get_validators__(cls) -> Any:  # pydantic 1
        yield cls.validate

    @classmethod
    def validate(cls, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError("a URL is a str")
        report = cls.policy.check(value)
        if cls.repair and report.suggestion is not None:
            return report.suggestion
        if not report.ok and report.enforced:
            raise RefusedURL(reason=report.public_reason)
        return str(value)

    @classmethod
    def __modify_schema__(cls, schema: dict) -> None:
        schema.update(type="string", format="uri")


def url(policy: Policy | str, *, repair: bool = False) -> type[str]:
    """Returns the type of URLs that a policy, or the built-in one of a name, accepts. `repair`: the value becomes the
    spelling that is accepted."""
    return type("URL", (_URL,), {"policy": policy_of(policy), "repair": repair})


class StrictURL(_URL):
    """A URL that the policy strict accepts."""


class PublicURL(_URL):
    """A URL that the policy public accepts, for URLs to fetch."""

    policy = PUBLIC
