"""What a knowledge base does to stay in order: documents leave it, vectors are made anew, it is
looked through, mended and copied.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clew.knowledge_base.opened import OpenedStore

if TYPE_CHECKING:
    from clew.reports import DeleteReceipt
    from clew.stores.base import CommitReceipt, Problem
    from clew.stores.powers import BackupReceipt, StageState, Trace
    from clew.upkeep.health.findings import HealthReport


class Upkeep(OpenedStore):
    """Part of :class:`clew.KnowledgeBase`."""

    def delete(self, doc_id: str | Path) -> DeleteReceipt:
        """Remove the document named ``doc_id``, or all that came from the file, or from below the
        folder, of that name, from every layer. Deleting what is not there does nothing, and the
        receipt says so.
        """
        from clew.upkeep.deleting import delete  # noqa: PLC0415

        return self._changed(delete(self.store, self.config.scope, doc_id))

    def forget(self, *doc_ids: str | Path) -> list[DeleteReceipt]:
        """Delete, take what is left of what was deleted off the disk, and look whether anything of
        it stands anywhere still (``receipt.remains``). The whole store is written anew for this.
        """
        from clew.upkeep.deleting import forget  # noqa: PLC0415

        return self._changed(forget(self.store, self.config.scope, doc_ids))

    def traces(self, name: str | Path) -> list[Trace]:
        """Where anything of the document ``name``, or of the text ``name``, stands: in any table,
        in what is derived, in the replies of models that are kept, in freed room. Nothing, if all
        of it is gone. The whole store is looked at, whatever the scope: this is for whoever runs
        it, and not to be handed to tenants.

        Raises :class:`clew.errors.StoreError` for a store that cannot be searched so.
        """
        from clew.upkeep.deleting import traces_of  # noqa: PLC0415

        return traces_of(self.store, self.config.scope, name)

    def reembed(self) -> CommitReceipt:
        """Replace all vectors by those of the current embedder. Until all are there, everybody
        works with the old ones; a run that was stopped goes on where it was.
        """
        from clew.indexing.reembedding import reembed  # noqa: PLC0415

        return self._changed(
            reembed(
                self.store,
                self.embedder,
                self.config.on_progress or (lambda *_: None),
                together=self.config.embedding_batch_size * self.config.embedding_concurrency,
            )
        )

    def half_embedded(self) -> StageState | None:
        """What a run of :meth:`reembed` that was stopped has done, for which embedder."""
        from clew.stores.powers import Staging  # noqa: PLC0415

        return self.store.stage_state() if isinstance(self.store, Staging) else None

    def discard_half_embedded(self) -> None:
        """Throw away what :meth:`half_embedded` tells of."""
        from clew.stores.powers import Staging  # noqa: PLC0415

        if isinstance(self.store, Staging):
            self.store.unstage()

    def check(self) -> list[Problem]:
        """Verify spans, references, full text and vectors; an empty list means all is well.

        The whole store is looked at. Of what is wrong outside of the scope no more is told than
        that something is.
        """
        from clew.stores.scoped_check import check_scope  # noqa: PLC0415

        return check_scope(self.store, self.config.scope)

    def doctor(self, *, fix: bool = False, sample: int = 64) -> HealthReport:
        """:meth:`check`, and what is suspect beside it: documents that give little, vectors that
        are not those of their texts (``sample`` chunks are embedded again), names that may be of
        one thing, hubs, contradictions, leftovers of killed runs; each with what to do about it.

        With ``fix`` what is safe is done first: what is derived from the records is made anew, in
        one transaction, and what nothing refers to is taken away.
        """
        from clew.upkeep.health.examining import examine, treat  # noqa: PLC0415

        tell = self.config.on_progress or (lambda *_: None)
        work = treat if fix else examine
        return self._changed(
            work(self.store, self.config, lambda: self.embedder, sample=sample, tell=tell)
        )

    def backup(self, path: str | Path, *, force: bool = False) -> BackupReceipt:
        """Copy the store to ``path`` while others read and write, check the copy, and put it in
        place when it is whole. It is a store: ``KnowledgeBase.open(path)``.

        Raises :class:`clew.errors.StoreError` when ``path`` exists, unless ``force``, and then too
        when it is no store.
        """
        from clew.stores.powers import BackingUp, lacking  # noqa: PLC0415

        if not isinstance(self.store, BackingUp):
            raise lacking(self.store, to="be copied", instead="save it with kb.export(path)")
        tell = self.config.on_progress or (lambda *_: None)
        return self.store.backup(Path(path), force=force, tell=tell)
