"""What queries ask again and again, kept for as long as the generation lasts.

The documents of a scope, and in how many chunks a hub is mentioned: the same in every query of one
generation, and the longest to find out.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

from clew.stores.base import Numbers
from clew.stores.filters import canonical_where

_MOST_SELECTIONS = 64


class KeptAnswers:
    """Answers of one generation; safe for many threads."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.frequencies: dict[int, int] = {}
        self._selections: OrderedDict[str, Numbers] = OrderedDict()
        self._lock = Lock()

    def selection(self, scope: str | None, where: Mapping[str, Any] | None) -> Numbers | None:
        key = _key(scope, where)
        with self._lock:
            if key not in self._selections:
                return None
            self._selections.move_to_end(key)
            return self._selections[key].copy()

    def keep_selection(
        self, scope: str | None, where: Mapping[str, Any] | None, numbers: Numbers
    ) -> None:
        with self._lock:
            self._selections[_key(scope, where)] = numbers.copy()
            if len(self._selections) > _MOST_SELECTIONS:
                self._selections.popitem(last=False)


def _key(scope: str | None, where: Mapping[str, Any] | None) -> str:
    return json.dumps([scope, None if where is None else canonical_where(where)])
