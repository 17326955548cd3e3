"""What a knowledge base takes in: files, folders, texts, records, facts of one's own; and what it
takes in whenever it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.errors import DocumentError
from clew.knowledge_base.opened import OpenedStore
from clew.reports import IngestReport

if TYPE_CHECKING:
    from clew.documents import LoadFailure, RecordFields
    from clew.indexing.folders import FolderIndexer
    from clew.indexing.found_files import Choice
    from clew.indexing.paths import Paths
    from clew.indexing.worker import WorkReport
    from clew.planning.plan import IngestPlan
    from clew.records import Document
    from clew.upkeep.watching import WatchEvent

Stop = Callable[[], bool]


class Indexing(OpenedStore):
    """Part of :class:`clew.KnowledgeBase`."""

    def ingest(
        self,
        paths: Paths,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        fields: RecordFields | None = None,
        quality_mode: str | None = None,
        should_stop: Stop = lambda: False,
    ) -> IngestReport:
        """Index files, folders or globs. A file that cannot be read is reported and the run goes
        on; a file that did not change since it was indexed is not even parsed.

        ``quality_mode`` says what a language model may cost in this run; a document that did not
        change is not read again because of it.
        """
        choice = self._choice(include, exclude, fields)
        return self._changed(self._folders(quality_mode).ingest(paths, choice, should_stop))

    def enqueue(
        self,
        paths: Paths,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        fields: RecordFields | None = None,
        should_stop: Stop = lambda: False,
    ) -> IngestReport:
        """Read files as :meth:`ingest` does, and leave their documents to workers (:meth:`work`).
        Raises :class:`clew.errors.StoreError` for a store without a queue.
        """
        choice = self._choice(include, exclude, fields)
        return self._folders(None).enqueue(paths, choice, should_stop)

    def work(self, *, lease_s: float = 60.0, waits: bool = False, **more: Any) -> WorkReport:
        """Index what waits in the queue: one of many workers
        (:class:`clew.indexing.worker.QueueWorker`, which takes ``more``: ``should_stop``,
        ``heard``).
        """
        from clew.indexing.worker import QueueWorker  # noqa: PLC0415

        worker = QueueWorker(self._indexing, self.store, lease_s=lease_s)
        return self._changed(worker.run(waits=waits, **more))

    def ingest_file(
        self,
        path: str | Path,
        *,
        quality_mode: str | None = None,
        should_stop: Stop = lambda: False,
    ) -> IngestReport:
        """Index one file: :meth:`ingest` with one path, which must be a file.

        Raises :class:`clew.errors.DocumentError` where there is none.
        """
        if not Path(path).is_file():
            raise DocumentError(f"no file {str(path)!r}; kb.ingest() takes folders and globs too")
        return self.ingest(path, quality_mode=quality_mode, should_stop=should_stop)

    def plan(
        self,
        paths: Paths,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        fields: RecordFields | None = None,
        methods: Sequence[str] | None = None,
    ) -> IngestPlan:
        """What :meth:`ingest` would take, for each of ``methods`` (all by default; with ``()`` the
        one that the settings come to): calls, tokens, money and time. No model is asked and
        nothing is written.
        """
        from clew.indexing.folders import FolderIndexer  # noqa: PLC0415
        from clew.planning.choice import chosen_method, planned_model  # noqa: PLC0415
        from clew.planning.plan import METHODS, make_plan  # noqa: PLC0415

        choice = self._choice(include, exclude, fields)
        method = chosen_method(self.config, has_model=self._llm is not None)
        return make_plan(
            lambda rehearsal: FolderIndexer(rehearsal, self.store).ingest(
                paths, choice, lambda: False
            ),
            store=self.store,
            config=self.config,
            model=planned_model(self.config, lambda: self.llm),
            embedder=self.embedder,
            chosen=method,
            methods=METHODS if methods is None else methods or (method,),
        )

    def ingest_text(
        self,
        text: str,
        *,
        name: str | None = None,
        title: str = "",
        metadata: Mapping[str, Any] | None = None,
        quality_mode: str | None = None,
    ) -> IngestReport:
        """Index one text under ``name`` (its ``doc_id``; by default made from its content)."""
        record: dict[str, Any] = {"text": text, "title": title, "metadata": dict(metadata or {})}
        if name is not None:
            record["doc_id"] = name
        return self.ingest_documents([record], quality_mode=quality_mode)

    def ingest_documents(self, documents: Any, *, quality_mode: str | None = None) -> IngestReport:
        """Index texts, dicts (``text``, ``doc_id``, ``title``, ``metadata``) or records."""
        from clew.documents import documents_from  # noqa: PLC0415

        store = self.store
        loaded: Iterable[Document | LoadFailure]
        loaded = documents_from(documents, scope=self.config.scope)
        return self._changed(self._indexing_in(quality_mode).index(loaded, store))

    def add_facts(
        self,
        facts: Iterable[Any],
        *,
        name: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> IngestReport:
        """Add facts of your own: triples, or mappings with ``subject``, ``predicate``, ``object``
        and any other field of :class:`clew.records.Fact`; ``text`` is the statement to cite.

        They make up one document, called ``name`` (by default after its content); the same name
        again replaces them. Raises :class:`clew.errors.DocumentError` for a fact that is none.
        """
        from clew.curation.given_facts import GivenFacts, facts_document  # noqa: PLC0415
        from clew.documents import documents_from  # noqa: PLC0415

        document = facts_document(facts, name=name, metadata=metadata)
        loaded = documents_from([document], scope=self.config.scope)
        extractor = GivenFacts(self.config)
        return self._changed(self._indexing.index(loaded, self.store, extractor=extractor))

    def sync(
        self,
        paths: Paths,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        fields: RecordFields | None = None,
        quality_mode: str | None = None,
        should_stop: Stop = lambda: False,
    ) -> IngestReport:
        """Make the store mirror ``paths``: index what is new or changed, remove what is gone.

        Only documents that came from below ``paths`` are ever removed, and none whose file or
        folder is there but could not be read. A folder that is not there at all raises
        :class:`clew.errors.DocumentError`: its disk may not be mounted.
        """
        choice = self._choice(include, exclude, fields)
        return self._changed(self._folders(quality_mode).sync(paths, choice, should_stop))

    def watch(
        self,
        folders: Paths,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        fields: RecordFields | None = None,
        quality_mode: str | None = None,
        settle_s: float = 0.5,
        poll: bool = False,
        should_stop: Stop = lambda: False,
    ) -> Iterator[WatchEvent]:
        """:meth:`sync` the folders, then bring in what changes in them while it does: yield what
        happens, as it does, until ``should_stop``.

        A change has its turn when nothing has changed for ``settle_s``. With ``poll`` the folders
        are looked through all the time, for file systems that tell of no changes.
        Raises :class:`clew.errors.MissingExtraError` without ``clew[watch]``.
        """
        from clew.upkeep.watching import watch  # noqa: PLC0415

        path = getattr(self.store, "path", None)
        for event in watch(
            lambda: self._folders(quality_mode),
            folders,
            self._choice(include, exclude, fields),
            ignored=() if path is None else (path,),
            settle_s=settle_s,
            poll=poll,
            should_stop=should_stop,
        ):
            yield self._changed(event)

    def _folders(self, quality_mode: str | None) -> FolderIndexer:
        from clew.indexing.folders import FolderIndexer  # noqa: PLC0415

        return FolderIndexer(self._indexing_in(quality_mode), self.store)

    def _choice(
        self, include: Sequence[str], exclude: Sequence[str], fields: RecordFields | None
    ) -> Choice:
        from clew.indexing.found_files import Choice  # noqa: PLC0415

        return Choice(include=include, exclude=exclude, fields=fields)
