"""One store, one configuration, and everything that people do with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from clew.config import ClewConfig
from clew.errors import NotFoundError
from clew.ids import document_id
from clew.knowledge_base.curation import Curation
from clew.knowledge_base.exchange import Exchange
from clew.knowledge_base.indexing import Indexing
from clew.knowledge_base.upkeep import Upkeep
from clew.records import Document, IndexedDocument
from clew.results import Answer, RetrievalResult

if TYPE_CHECKING:
    from clew.asking import Asking
    from clew.conversation import Conversation
    from clew.models.base import LLM
    from clew.usage_report import UsageReport


class KnowledgeBase(Indexing, Curation, Exchange, Upkeep):
    """A store with a configuration and models: ingest, sync, search, ask, delete.

    >>> with KnowledgeBase.open("notes.clew") as kb:  # doctest: +SKIP
    ...     kb.ingest("docs/")
    ...     print(kb.ask("Who founded the company that bought Norr Works?").answer)
    """

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
        from clew.indexing.paths import posix_name  # noqa: PLC0415

        for name in (doc_id, posix_name(doc_id)):
            found = self.store.load_document(document_id(self.config.scope, name))
            if found is not None:
                return found
        raise NotFoundError(f"no document {doc_id!r}; `clew show` lists them all")

    def stats(self, *, where: Mapping[str, Any] | None = None) -> dict[str, int]:
        """Count the documents of the scope and what they contributed."""
        with self._reading(where) as reader:
            return reader.stats()

    def usage(self) -> UsageReport:
        """What language models were used for in this scope: by stage, document and question."""
        from clew.usage_report import usage_report  # noqa: PLC0415

        names = {document.id: document.doc_id for document in self.documents()}
        return usage_report(self.store.usage(), self.config.scope, names)
