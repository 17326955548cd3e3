"""One store, one configuration, and everything that people do with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from clew.config import ClewConfig
from clew.errors import DocumentError, NotFoundError, StoreError
from clew.ids import document_id
from clew.records import Document, Entity, EntityDecision, EntityMerge, Fact, IndexedDocument
from clew.reports import IngestReport
from clew.results import Answer, RetrievalResult
from clew.stores import open_store
from clew.stores.base import GraphReader, Numbers, Store
from clew.upkeep.maintained import Maintained

if TYPE_CHECKING:
    from clew.asking import Asking
    from clew.conversation import Conversation
    from clew.curation.names import NamingReceipt
    from clew.documents import LoadFailure, RecordFields
    from clew.graph.contradictions import Contradiction
    from clew.graph.ontology.schema import Ontology
    from clew.indexing.folders import Choice, FolderIndexer
    from clew.indexing.pipeline import IndexPipeline
    from clew.indexing.worker import WorkReport
    from clew.models.base import LLM, Embedder
    from clew.models.entailment import CheckedEntailment
    from clew.models.reranking import CheckedReranker
    from clew.planning.plan import IngestPlan
    from clew.retrieval.pipeline import RetrievePipeline
    from clew.usage_report import UsageReport

# What reads files, answers and embeds is loaded on use: `clew stats` needs none of it.

Paths = str | Path | Sequence[str | Path]
Stop = Callable[[], bool]
Result = TypeVar("Result")


class KnowledgeBase(Maintained):
    """A store with a configuration and models: ingest, sync, search, ask, delete.

    >>> with KnowledgeBase.open("notes.clew") as kb:  # doctest: +SKIP
    ...     kb.ingest("docs/")
    ...     print(kb.ask("Who founded the company that bought Norr Works?").answer)
    """

    def __init__(
        self,
        store: Store,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
    ) -> None:
        self._store = store
        self._closed = False
        self.config = config or ClewConfig()
        self._llm = llm
        self._embedding = embedding
        self._reranker = reranker
        self._entailment = entailment
        self._pipeline: RetrievePipeline | None = None

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
        create: bool = True,
        read_only: bool = False,
    ) -> Self:
        """Open the store at ``path``, a folder or ``postgresql://user@host/database``; it is
        created if absent, unless ``create`` is False.

        Raises the store errors of :mod:`clew.errors`; nothing is touched then.
        """
        store = open_store(
            path,
            create=create,
            read_only=read_only,
            network_file_system=(config or ClewConfig()).network_file_system,
        )
        return cls(
            store,
            llm=llm,
            embedding=embedding,
            reranker=reranker,
            entailment=entailment,
            config=config,
        )

    @classmethod
    def in_memory(
        cls,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
    ) -> Self:
        """A knowledge base that is gone with the process."""
        from clew.stores.memory import KnowledgeGraph  # noqa: PLC0415

        return cls(
            KnowledgeGraph(),
            llm=llm,
            embedding=embedding,
            reranker=reranker,
            entailment=entailment,
            config=config,
        )

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
    ) -> Self:
        """A knowledge base in memory with what :meth:`save` wrote to a file."""
        kb = cls.in_memory(
            llm=llm, embedding=embedding, reranker=reranker, entailment=entailment, config=config
        )
        kb.import_(path, format="jsonl")
        return kb

    @property
    def store(self) -> Store:
        if self._closed:
            raise StoreError("this knowledge base is closed; open it again to use it")
        return self._store

    def close(self) -> None:
        """Let go of the store; closing twice does nothing."""
        if not self._closed:
            self._closed = True
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- models, made when first needed ---------------------------------------------------------

    @cached_property
    def llm(self) -> LLM | None:
        """The language model: the one given, or what ``llm_model`` names, with its limits."""
        from clew.models.wrappers.stack import given_llm  # noqa: PLC0415

        return given_llm(self._llm, self.config)

    @cached_property
    def embedder(self) -> Embedder | None:
        from clew.indexing.pipeline import resolve_embedder  # noqa: PLC0415

        return resolve_embedder(self._embedding, self.config)

    @cached_property
    def reranker(self) -> CheckedReranker | None:
        """What reads the best results again: the one given, or what ``reranker_model`` names."""
        from clew.models.default import default_reranker  # noqa: PLC0415
        from clew.models.reranking import as_reranker  # noqa: PLC0415

        if self._reranker is None:
            return default_reranker(self.config)
        return as_reranker(self._reranker, batch_size=self.config.reranker_batch_size)

    @cached_property
    def entailment(self) -> CheckedEntailment | None:
        """What a written answer is held against: the one given, or what ``entailment_model``
        names.
        """
        from clew.models.default import default_entailment  # noqa: PLC0415
        from clew.models.entailment import as_entailment  # noqa: PLC0415

        if self._entailment is None:
            return default_entailment(self.config)
        return as_entailment(self._entailment)

    @cached_property
    def _indexing(self) -> IndexPipeline:
        from clew.indexing.pipeline import IndexPipeline  # noqa: PLC0415

        config = self.config
        if self.embedder is None:
            config = config.replace(embedding_model="none")
        llm = None if config.ku_extraction_method == "sentence" else self.llm
        is_own = self._embedding is not None
        return IndexPipeline(llm, self.embedder, config, store=self.store, embedding_is_own=is_own)

    def _indexing_in(self, quality_mode: str | None) -> IndexPipeline:
        return self._indexing if quality_mode is None else self._indexing.in_mode(quality_mode)

    def _folders(self, quality_mode: str | None) -> FolderIndexer:
        from clew.indexing.folders import FolderIndexer  # noqa: PLC0415

        return FolderIndexer(self._indexing_in(quality_mode), self.store)

    @cached_property
    def _asking(self) -> Asking:
        from clew.asking import Asking  # noqa: PLC0415
        from clew.models.wrappers.stack import wrapped  # noqa: PLC0415

        def llm() -> LLM | None:
            given = self.llm
            if given is None:
                return None
            return wrapped(given, self.config, self.store, scope=self.config.scope).llm

        return Asking(self.store, self._retrieval, llm, lambda: self.entailment)

    def _retrieval(self) -> RetrievePipeline:
        from clew.retrieval.pipeline import RetrievePipeline  # noqa: PLC0415

        store, pipeline = self.store, self._pipeline
        if pipeline is None:
            embedding = self.embedder if store.embedding is not None else None
            llm = self.llm if self.config.query_entity_prompt else None
            pipeline = RetrievePipeline(store, llm, embedding, self.config, reranker=self.reranker)
            self._pipeline = pipeline
        return pipeline

    # --- writing --------------------------------------------------------------------------------

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

    def join_names(self, names: Iterable[str], into: str) -> list[NamingReceipt]:
        """Read ``names`` as names of ``into``, in all documents, those that come later too."""
        from clew.curation.names import join_names  # noqa: PLC0415

        return self._changed(join_names(self.store, names, into, self.config))

    def split_name(self, name: str, into: str, doc_ids: Sequence[str]) -> NamingReceipt:
        """In the documents ``doc_ids``, read ``name`` as another thing, called ``into``."""
        from clew.curation.names import split_name  # noqa: PLC0415

        return self._changed(split_name(self.store, name, into, doc_ids, self.config))

    def decisions(self) -> list[EntityDecision]:
        """What was decided by :meth:`join_names` and :meth:`split_name`, in that order."""
        return [one for one in self.store.decisions() if one.scope == self.config.scope]

    def undo_merge(self, merge_id: str) -> None:
        """Take back one line of the merge log (see :meth:`merges`), or a decision about names."""
        from clew.curation.names import take_back  # noqa: PLC0415

        if any(decision.id == merge_id for decision in self.decisions()):
            take_back(self.store, merge_id, self.config)
        elif any(merge.id == merge_id for merge in self.merges()):
            self.store.undo_merge(merge_id)
        else:
            raise NotFoundError(f"no merge {merge_id!r}; `clew entities --merges` lists them")
        self._changed(None)

    # --- reading --------------------------------------------------------------------------------

    def search(
        self, query: str, *, top_n: int | None = None, where: Mapping[str, Any] | None = None
    ) -> RetrievalResult:
        """Find the passages that answer ``query``, best first, each with the path that led to it.

        ``where`` filters documents by metadata: ``{"year": {"$gte": 2020}}``.
        """
        return self._retrieval().search(query, top_n=top_n, where=where)

    def ask(
        self,
        question: str,
        *,
        quality_mode: str | None = None,
        include_source_text: bool | None = None,
        max_source_chars: int | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Answer from the documents, cited to the character, or say what is missing.

        A language model, where there is one, writes the answer in one call, and what it cites is
        checked; without one the answer is read from the text (``answer_method``).
        """
        config = self._asked_with(quality_mode, include_source_text, max_source_chars)
        return self._asking.ask(question, config, where)

    def ask_stream(
        self,
        question: str,
        *,
        quality_mode: str | None = None,
        include_source_text: bool | None = None,
        max_source_chars: int | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> Iterator[str | Answer]:
        """Yield what a model writes while it does, not checked yet; then the checked answer."""
        config = self._asked_with(quality_mode, include_source_text, max_source_chars)
        return self._asking.stream(question, config, where)

    def _asked_with(
        self,
        quality_mode: str | None,
        include_source_text: bool | None,
        max_source_chars: int | None,
    ) -> ClewConfig:
        given = {
            "quality_mode": quality_mode,
            "include_source_text": include_source_text,
            "max_source_chars": max_source_chars,
        }
        changes = {key: value for key, value in given.items() if value is not None}
        return self.config.replace(**changes) if changes else self.config

    def conversation(self) -> Conversation:
        """Ask one question after another, of which the later may lean on those before."""
        from clew.conversation import Conversation  # noqa: PLC0415

        return Conversation(self)

    def why(self, answer: Answer) -> str:
        """How an answer was come by, as text: the path with the words that each step covers, the
        evidence, and what is missing.
        """
        from clew.answering.why import explain_answer  # noqa: PLC0415

        return explain_answer(answer)

    def documents(self, *, where: Mapping[str, Any] | None = None) -> list[Document]:
        """All documents of the scope by ``doc_id``, without their texts."""
        return self.store.list_documents(documents=self._scope(where))

    def document(self, doc_id: str) -> IndexedDocument:
        """Everything that one document contributed. Raises :class:`NotFoundError`."""
        from clew.indexing.folders import posix_name  # noqa: PLC0415

        for name in (doc_id, posix_name(doc_id)):
            found = self.store.load_document(document_id(self.config.scope, name))
            if found is not None:
                return found
        raise NotFoundError(f"no document {doc_id!r}; `clew show` lists them all")

    def entity_names(
        self, prefix: str = "", *, most: int = 1000, where: Mapping[str, Any] | None = None
    ) -> list[str]:
        """The names of entities that begin with ``prefix``, in the order of their keys."""
        with self._reading(where) as reader:
            return reader.entity_names(prefix, k=most)

    def entities(
        self, prefix: str = "", *, most: int = 1000, where: Mapping[str, Any] | None = None
    ) -> list[Entity]:
        """The entities whose names begin with ``prefix``, in the order of their keys, named as the
        documents of the scope that satisfy ``where`` name them.
        """
        from clew.curation.entities import entities_called  # noqa: PLC0415

        with self._reading(where) as reader:
            return entities_called(reader, prefix, most)

    def facts(
        self,
        about: str | None = None,
        *,
        predicate: str | None = None,
        where: Mapping[str, Any] | None = None,
        most: int | None = None,
    ) -> list[Fact]:
        """The facts that speak of ``about``, by any of its names, and say ``predicate``, in any of
        its forms; without either, all of them.
        """
        from clew.curation.facts import find_facts  # noqa: PLC0415

        with self._reading(where) as reader:
            found = find_facts(reader, about=about, predicate=predicate, ontology=self._ontology)
            return list(islice(found, most))

    def contradictions(
        self, about: str | None = None, *, where: Mapping[str, Any] | None = None
    ) -> list[Contradiction]:
        """Facts that cannot all be true, with their sources: of one thing, or of everything."""
        from clew.curation.facts import find_contradictions  # noqa: PLC0415

        facts = self.facts(about, where=where)
        with self._reading(where) as reader:
            return find_contradictions(reader, facts, self._ontology)

    def merges(self, doc_id: str | None = None) -> list[EntityMerge]:
        """The log of names that were read as one entity."""
        if doc_id is not None:
            return self.store.merges(document_id=document_id(self.config.scope, doc_id))
        with self._reading() as reader:
            return reader.merges()

    def stats(self, *, where: Mapping[str, Any] | None = None) -> dict[str, int]:
        """Count the documents of the scope and what they contributed."""
        with self._reading(where) as reader:
            return reader.stats()

    def usage(self) -> UsageReport:
        """What language models were used for in this scope: by stage, document and question."""
        from clew.usage_report import usage_report  # noqa: PLC0415

        names = {document.id: document.doc_id for document in self.documents()}
        return usage_report(self.store.usage(), self.config.scope, names)

    def export(
        self,
        path: str | Path,
        *,
        format: str | None = None,  # noqa: A002 - the word for it
        where: Mapping[str, Any] | None = None,
        vectors: bool = True,
    ) -> int:
        """Write the documents of the scope that satisfy ``where``, atomically; return how many.

        The suffix says the ``format``: ``jsonl``, ``graphml``, or ``parquet``, which is a folder
        (extra ``arrow``). ``-`` is standard output.
        """
        from clew.exchange.exporting import export_store  # noqa: PLC0415

        return export_store(
            self.store,
            path,
            format=format,
            scope=self.config.scope,
            where=where,
            vectors=vectors,
            tell=self._tell,
        )

    def save(self, path: str | Path) -> int:
        """Write all documents to one file of JSON Lines: :meth:`export`. A knowledge base that was
        opened at a path need not be saved, for what is ingested is kept there at once.
        """
        return self.export(path, format="jsonl")

    def import_(self, path: str | Path, *, format: str | None = None) -> int:  # noqa: A002
        """Read what :meth:`export` wrote as JSON Lines or Parquet; return the number of documents.

        All is checked before anything is written, and documents of another scope are refused.
        """
        from clew.exchange.exporting import import_store  # noqa: PLC0415

        scope = self.config.scope
        read = import_store(path, self.store, format=format, scope=scope, tell=self._tell)
        return self._changed(read)

    def to_networkx(self, *, where: Mapping[str, Any] | None = None) -> Any:
        """The graph as a ``networkx.MultiDiGraph`` (extra ``networkx``): documents, chunks, units,
        facts and entities, with what they hold as attributes (:mod:`clew.exchange.elements`).
        """
        from clew.exchange.networks import network_of  # noqa: PLC0415
        from clew.exchange.selection import selected  # noqa: PLC0415

        scope = self.config.scope
        with selected(self.store, scope=scope, where=where, vectors=False) as selection:
            return network_of(selection)

    def to_pandas(
        self, *, where: Mapping[str, Any] | None = None, vectors: bool = False
    ) -> dict[str, Any]:
        """The records as data frames (extra ``pandas``), one for each kind:
        ``documents, chunks, units, mentions, entities, topics, facts, merges, replies, decisions``.
        """
        from clew.exchange.frames import frames_of  # noqa: PLC0415
        from clew.exchange.selection import selected  # noqa: PLC0415

        scope = self.config.scope
        with selected(self.store, scope=scope, where=where, vectors=vectors) as selection:
            return frames_of(selection)

    # --- how ------------------------------------------------------------------------------------

    def _tell(self, done: int, total: int, stage: str) -> None:
        if self.config.on_progress:
            self.config.on_progress(done, total, stage)

    def _choice(
        self, include: Sequence[str], exclude: Sequence[str], fields: RecordFields | None
    ) -> Choice:
        from clew.indexing.folders import Choice  # noqa: PLC0415

        return Choice(include=include, exclude=exclude, fields=fields)

    def _changed(self, result: Result) -> Result:
        """Forget what was known of the store before it changed."""
        self._pipeline = None
        return result

    @contextmanager
    def _reading(self, where: Mapping[str, Any] | None = None) -> Iterator[GraphReader]:
        """One state of the store, as if it held the documents of the scope alone."""
        with self.store.reading() as reader:
            yield reader.within(reader.select_documents(scope=self.config.scope, where=where))

    def _scope(self, where: Mapping[str, Any] | None = None) -> Numbers:
        return self.store.select_documents(scope=self.config.scope, where=where)

    @property
    def _ontology(self) -> Ontology:
        from clew.graph.ontology.schema import named_ontology  # noqa: PLC0415

        return named_ontology(self.config.ontology)
