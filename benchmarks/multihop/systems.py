"""What is compared: clew's methods and a peer, all as question → passage names, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clew.config import ClewConfig
from clew.evaluation.datasets import Passage
from clew.models.base import Embedder
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.base import Store

_RESULTS = 10
_CHUNKS = 20


class System(Protocol):
    @property
    def name(self) -> str: ...

    def search(self, question: str) -> list[str]:
        """The ids of the first ten passages."""
        ...


@dataclass(frozen=True)
class ClewMethod:
    """One method of clew; of several chunks of a passage the best one counts."""

    name: str
    pipeline: RetrievePipeline

    @classmethod
    def of(
        cls, name: str, store: Store, embedder: Embedder | None, config: ClewConfig
    ) -> ClewMethod:
        """``name`` is a method, or ``method:depth``."""
        method, _, depth = name.partition(":")
        changes: dict[str, Any] = {"retrieval_method": method}
        if depth:
            changes["traversal_depth"] = int(depth)
        pipeline = RetrievePipeline(store, embedding=embedder, config=config.replace(**changes))
        return cls(name, pipeline)

    def search(self, question: str) -> list[str]:
        items = self.pipeline.search(question, top_n=_CHUNKS).items
        return list(dict.fromkeys(item.doc_id for item in items))[:_RESULTS]


class Bm25s:
    """The package ``bm25s`` over title and text: k1 1.2, b 0.75, English stop words and stems."""

    name = "bm25s"

    def __init__(self, passages: Sequence[Passage]) -> None:
        import bm25s
        import Stemmer

        self._tokenise = bm25s.tokenize
        self._stemmer = Stemmer.Stemmer("english")
        self._ids = [passage.id for passage in passages]
        texts = [f"{passage.title}\n{passage.text}" for passage in passages]
        self._index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._index.index(self._tokens(texts), show_progress=False)

    def search(self, question: str) -> list[str]:
        found, _ = self._index.retrieve(
            self._tokens([question]), k=min(_RESULTS, len(self._ids)), show_progress=False
        )
        return [self._ids[number] for number in found[0]]

    def _tokens(self, texts: list[str]) -> Any:
        return self._tokenise(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)
