# SPDX-License-Identifier: Apache-2.0
"""Names the package to install where a module guards a client that is missing."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(package: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"No module named {error.name!r}; pip install {package} (Debian: apt-get install python3-{package})", name=error.name) from None
