"""The books of :mod:`clew.stores.usage`, kept replies, and what people decided about names."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from clew.models.base import PaidReply, UsageEntry
from clew.records import EntityDecision
from clew.stores.base import Renaming
from clew.stores.book_rows import decision_of, decision_row, usage_of, usage_row
from clew.stores.postgres.connections import Session, sayable
from clew.stores.postgres.statements import Statements
from clew.stores.rows import to_json
from clew.stores.usage import UsageBook

_USAGE = Statements("usage")
_DECISIONS = Statements("decisions")
_WRITING = Statements("writing")

NO_DOCUMENT = ""
"""Stands where a reply has no document behind it."""


class Books:
    """Reads and writes inside the transaction of ``session``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    # --- replies --------------------------------------------------------------------------------

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        rows = [(document_id, key, reply) for key, reply in replies.items()]
        self._session.many(_WRITING["remember"], rows)

    def keep_replies(self, replies: Iterable[PaidReply]) -> None:
        for reply in replies:
            for document_id in reply.documents or (NO_DOCUMENT,):
                self.remember(document_id, {reply.key: reply.text})

    def forget_replies(self, document_ids: Collection[str]) -> int:
        """Forget those of these documents; return how many went."""
        return self._session.run(_WRITING["forget"], {"ids": sorted(document_ids)})

    def forget_told(self, document_ids: Collection[str]) -> int:
        """Forget what deleted documents were asked about, for the others too that were in the same
        prompt, unless their records were made from it; return how many replies went.
        """
        asked = {"ids": sorted(document_ids)}
        shared = self._session.rows(_WRITING["replies_shared"], asked)
        made = {
            (document_id, key)
            for document_id, keys in self._session.rows(
                _WRITING["reply_keys"], {"ids": sorted({row[0] for row in shared})}
            )
            for key in json.loads(keys)
        }
        told = [row for row in shared if tuple(row) not in made]
        went = self._session.many(_WRITING["forget_one"], told)
        return went + self.forget_replies(document_ids)

    def forget_other_replies(self, kept: Sequence[tuple[str, Sequence[str]]]) -> int:
        """Of each (document id, keys), the replies that have other keys; return how many went."""
        rows = [(name, list(keys)) for name, keys in kept]
        return self._session.many(_WRITING["forget_others"], rows)

    def rename(self, renamed: Iterable[Renaming]) -> None:
        """Put replies and lines of the books under the new ids. All are taken out before any is put
        back: of several documents, each may take the id of another.
        """
        names = {
            one.before: one.after
            for one in renamed
            if one.before != one.after and sayable(one.before)
        }
        if not names:
            return
        asked = {"ids": sorted(names)}
        replies = self._session.rows(_WRITING["take_replies"], asked)
        rows = [(names[before], key, reply) for before, key, reply in replies]
        self._session.many(_WRITING["remember"], rows)
        lines = map(usage_of, self._session.rows(_USAGE["take_of"], asked))
        self.add_usage(replace(line, document_id=names[line.document_id]) for line in lines)

    # --- usage ----------------------------------------------------------------------------------

    def add_usage(self, entries: Iterable[UsageEntry]) -> None:
        book = UsageBook(entries)
        self._session.many(
            _USAGE["add"], [(_digest(entry), *usage_row(entry)) for entry in book.entries()]
        )

    def usage(self) -> list[UsageEntry]:
        return [usage_of(row) for row in self._session.rows(_USAGE["all"])]

    def forget_usage(self, document_ids: Collection[str]) -> None:
        """Keep what was used, without these documents and without the words of any question."""
        taken = self._session.rows(_USAGE["take_named"], {"ids": sorted(document_ids)})
        book = UsageBook(map(usage_of, taken))
        book.forget(document_ids)
        self.add_usage(book.entries())

    # --- decisions ------------------------------------------------------------------------------

    def decide(self, decision: EntityDecision) -> None:
        self._session.run(_DECISIONS["add"], decision_row(decision))

    def decisions(self) -> list[EntityDecision]:
        return [decision_of(row) for row in self._session.rows(_DECISIONS["all"])]

    def withdraw(self, decision_id: str) -> bool:
        """Whether there was one to withdraw."""
        return self._session.run(_DECISIONS["remove"], {"id": decision_id}) > 0


def _digest(entry: UsageEntry) -> str:
    """Stands for a key, which may be longer than an index takes."""
    return sha256(to_json(entry.key).encode()).hexdigest()
