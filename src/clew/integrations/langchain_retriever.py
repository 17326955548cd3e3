"""A knowledge base as a retriever of LangChain (the extra ``langchain``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clew.models.extras import import_extra
from clew.results import RetrievalItem

if TYPE_CHECKING:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
else:
    Document = import_extra(
        "langchain_core.documents", extra="langchain", purpose="the LangChain retriever"
    ).Document
    BaseRetriever = import_extra(
        "langchain_core.retrievers", extra="langchain", purpose="the LangChain retriever"
    ).BaseRetriever


class ClewRetriever(BaseRetriever):
    """Searches ``kb``, a :class:`clew.KnowledgeBase` that stays yours to close.

    ``top_n`` and ``where`` are those of ``kb.search``; both can also be given with each
    ``invoke``. A document is a passage as it stands in its source; its metadata are the source's,
    and ``doc_id, start, end, title, heading_path, page, score, entity_names``, and ``path``, the
    statements that led to it. Asked from async code, it runs in a thread.
    """

    kb: Any
    top_n: int | None = None
    where: dict[str, Any] | None = None

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002
        **kwargs: Any,
    ) -> list[Document]:
        options = {"top_n": self.top_n, "where": self.where} | kwargs
        return [_document(item) for item in self.kb.search(query, **options).items]


def _document(item: RetrievalItem) -> Document:
    found: dict[str, Any] = {
        "doc_id": item.doc_id,
        "start": item.start,
        "end": item.end,
        "title": item.title,
        "heading_path": list(item.heading_path),
        "page": item.page,
        "score": item.score,
        "entity_names": list(item.entity_names),
        "path": [step.text for step in item.path],
    }
    own = {"source": item.doc_id, **item.metadata}
    return Document(id=item.source_chunk_id, page_content=item.content, metadata=own | found)
