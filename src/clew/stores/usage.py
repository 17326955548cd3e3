"""The books of a store: what language models were used for, added up.

They outlive what they speak of: when a document is deleted its lines stay, without its name, and
then no question keeps its words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from clew.models.base import Usage, UsageEntry


class UsageBook:
    """Entries in memory, one a key."""

    def __init__(self, entries: Iterable[UsageEntry] = ()) -> None:
        self._by_key: dict[tuple[str, ...], UsageEntry] = {}
        self.add(entries)

    def add(self, entries: Iterable[UsageEntry]) -> None:
        for entry in entries:
            known = self._by_key.get(entry.key)
            self._by_key[entry.key] = entry if known is None else known + entry

    def entries(self) -> list[UsageEntry]:
        """In the order of the keys."""
        return [self._by_key[key] for key in sorted(self._by_key)]

    def rename(self, names: Mapping[str, str]) -> None:
        """Let the lines of documents go on under their new ids."""
        if any(entry.document_id in names for entry in self._by_key.values()):
            named, self._by_key = self._by_key, {}
            self.add(
                replace(entry, document_id=names.get(entry.document_id, entry.document_id))
                for entry in named.values()
            )

    def forget(self, documents: Collection[str]) -> None:
        """Keep what was used, without these documents and without the words of any question."""
        named, self._by_key = self._by_key, {}
        self.add(
            replace(
                entry,
                question="",
                document_id="" if entry.document_id in documents else entry.document_id,
            )
            for entry in named.values()
        )


def usage_to_list(entries: Iterable[UsageEntry]) -> list[dict[str, Any]]:
    """Plain data for JSON."""
    return [asdict(entry) for entry in entries]


def usage_from_list(plain: Iterable[Mapping[str, Any]]) -> list[UsageEntry]:
    """The reverse of :func:`usage_to_list`; raises KeyError or TypeError for what is none."""
    return [UsageEntry(**{**item, "usage": Usage(**item["usage"])}) for item in plain]
