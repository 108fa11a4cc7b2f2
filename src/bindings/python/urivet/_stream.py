# SPDX-License-Identifier: Apache-2.0
"""Finds URIs in a text that comes in pieces."""
from __future__ import annotations

from typing import final

from ._policies import policy_of
from ._urivet import Found, Policy, _scan_part


@final
class ScanStream:
    """Finds the URIs of a text that comes in pieces, such as the output of a language model, as scan() finds them in
    the whole text. What may still become a part of a URI is held back, as many octets as the policy (strict
    without one) allows a URL; a longer URL is found as far as it goes, and refused as `url-too-long`."""

    def __init__(self, policy: Policy | str | None = None) -> None:
        self._policy = None if policy is None else policy_of(policy)
        self._state: tuple[bytes, int, int] | None = (b"", 0, 0)
        self._decided = 0

    def _add(self, piece, last: bool) -> list[Found]:
        if self._state is None:
            raise ValueError("the stream is closed")
        found, state = _scan_part(self._state, piece, last, self._policy)
        self._decided = state[1] + state[2]
        self._state = None if last else state
        return found

    def feed(self, piece) -> list[Found]:
        """Adds a piece of the text, str or octets. Returns what no later piece can change any more."""
        return self._add(piece, False)

    def close(self) -> list[Found]:
        """Returns what is left at the end of the text."""
        return self._add(b"", True)

    @property
    def decided(self) -> int:
        """The number of octets at the beginning of the text, in UTF-8, in which no more URIs will be found."""
        return self._decided
