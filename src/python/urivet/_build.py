# SPDX-License-Identifier: Apache-2.0
"""Settings of a policy as the text of a policy file."""
from __future__ import annotations

import json
from typing import Any


def _want(value: Any, where: str) -> None:
    """Raises TypeError unless the value is of strings, whole numbers, True, False, lists and dicts alone."""
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
    """JSON, which is YAML: every string is in quotes, so that none is read as anything else."""
    for name, value in settings.items():
        _want(value, name)
    return json.dumps(settings, ensure_ascii=False)
