# SPDX-License-Identifier: Apache-2.0
"""Model field, form field and validator for Django: URLField(policy="public"), or the dotted name of a policy."""
from __future__ import annotations

from typing import Any

from ._needs import needs
from ._policies import BUILT_IN
from ._urivet import Policy

with needs("django"):
    from django import forms
    from django.core.exceptions import ValidationError
    from django.db import models
    from django.utils.deconstruct import deconstructible
    from django.utils.functional import cached_property
    from django.utils.module_loading import import_string
    from django.utils.translation import gettext_lazy as _

__all__ = ["FormURLField", "URLField", "URLValidator"]

_LENGTH = 2048


def _policy(named: str | Policy) -> Policy:
    policy = named
    if isinstance(named, str):
        policy = BUILT_IN[named] if named in BUILT_IN else import_string(named)
    if callable(policy):
        policy = policy()
    if not isinstance(policy, Policy):
        raise TypeError(f"a urivet.Policy, or the dotted name of one, is needed, not {named!r}")
    return policy


@deconstructible(path="urivet.django.URLValidator")
class URLValidator:
    """Raises ValidationError with the code `unclear` or `not-allowed`, and a spelling that is accepted. `policy`: the
    name of a built-in one, the dotted name of a Policy or of a function that returns one, or a Policy, which cannot
    be written to a migration."""

    messages = {"unclear": _("This is no URL that everybody reads alike."), "not-allowed": _("This URL is not allowed.")}

    def __init__(self, policy: str | Policy = "public") -> None:
        self.policy = policy
        _policy(policy)

    def __call__(self, value: Any) -> None:
        if not isinstance(value, str):
            raise ValidationError(self.messages["unclear"], code="unclear")
        report = _policy(self.policy).check(value)
        if report.ok or not report.enforced:
            return
        reason, suggestion = report.public_reason, report.suggestion
        parameters = {"suggestion": suggestion, "findings": ",".join(finding.id for finding in report.findings if finding.refuses)}
        message = self.messages[reason]
        if suggestion is not None:
            message = [message, _("Write %(suggestion)s") % parameters]
            raise ValidationError([ValidationError(one, code=reason, params=parameters) for one in message])
        raise ValidationError(message, code=reason, params=parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, URLValidator) and self.policy == other.policy

    def __hash__(self) -> int:
        return hash(self.policy)


class FormURLField(forms.CharField):
    """A form field. The input is not stripped or changed before it is checked."""

    widget = forms.URLInput

    def __init__(self, *, policy: str | Policy = "public", **more: Any) -> None:
        more.setdefault("max_length", _LENGTH)
        super().__init__(**{**more, "strip": False})
        self.validators.append(URLValidator(policy))


class URLField(models.CharField):
    """A model field; max_length is 2048 by default."""

    def __init__(self, *arguments: Any, policy: str | Policy = "public", **more: Any) -> None:
        more.setdefault("max_length", _LENGTH)
        self.policy = policy  # needed by `validators`
        super().__init__(*arguments, **more)

    @cached_property
    def validators(self) -> list:
        return [*super().validators, URLValidator(self.policy)]

    def deconstruct(self) -> tuple:
        name, path, arguments, more = super().deconstruct()
        more["policy"] = self.policy
        return name, path, arguments, more

    def formfield(self, **more: Any) -> Any:
        return super().formfield(**{"form_class": FormURLField, "policy": self.policy, **more})
