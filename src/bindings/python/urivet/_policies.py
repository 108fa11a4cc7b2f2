# SPDX-License-Identifier: Apache-2.0
"""Looks up built-in policies by name, and writes settings as the text of a policy file."""
from __future__ import annotations

import difflib
import json
from typing import Any

from ._urivet import ANY, GATEWAY, PUBLIC, STRICT, Policy

BUILT_IN = {"strict": STRICT, "public": PUBLIC, "gateway": GATEWAY, "any": ANY}


def policy_of(policy: Policy | str) -> Policy:
    """Returns the policy, or the built-in policy of that name."""
    if isinstance(policy, str):
        near = difflib.get_close_matches(policy, BUILT_IN, 1)
        if policy not in BUILT_IN:
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"no built-in policy is called {policy!r}{hint}")
        return BUILT_IN[policy]
    if not isinstance(policy, Policy):
        raise TypeError(f"a urivet.Policy or the name of a built-in one is needed, not {type(policy)!r}")
    return policy


def _want(value: Any, where: str) -> None:
    """Raises TypeError unless the value consists of str, int, bool, list, tuple and dict."""
    if isinstance(value, dict):
        for name, member in value.items():
            if not isinstance(name, str):
                raise TypeError(f"a key of {where} is no str: {name!r}")
            _want(member, f"{where}.{name}")
    elif isinstance(value, (list, tuple)):
        for k, member in enumerate(value):
            _want(member, f"{where}[{k}]")
    elif not isinstance(value, (str, int)):
        raise TypeError(f"{where} is {type(value).__name__}, not a str, a number, True, False, a list or a dict")


def written(settings: dict) -> str:
    """Returns the settings as JSON, which is valid YAML. Strings are quoted, so that YAML reads
    them as text."""
    for name, value in settings.items():
        _want(value, name)
    return json.dumps(settings, ensure_ascii=False)
