"""Question sets as stores and retrieval results, so that answering can be measured on its own."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from clew.config import ClewConfig
from clew.extraction.units import units_of
from clew.ids import chunk_id, document_id
from clew.indexing.pipeline import IndexPipeline
from clew.records import Chunk, Document, IndexedDocument
from clew.results import RetrievalItem, RetrievalResult
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.memory import KnowledgeGraph
from clew.text.words import terms

DATA = Path(os.environ.get("CLEW_DATA", Path(__file__).parents[3] / "shared" / "data"))
TUNE_SETS = ("tune/hotpotqa", "tune/musique", "tune/2wiki")
EVAL_SETS = ("eval/hotpotqa", "eval/musique", "eval/2wiki")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its answers and the ids of the passages that hold them."""

    id: str
    text: str
    answers: tuple[str, ...]
    supporting: tuple[str, ...]
    kind: str


class QuestionSet:
    """A corpus, indexed by words alone, and the questions on it."""

    def __init__(self, name: str) -> None:
        self.name = name
        folder = DATA / name
        self.passages = {row["id"]: row for row in _rows(folder / "corpus.jsonl")}
        self.questions = [_asked(row) for row in _rows(folder / "questions.jsonl")]
        self.graph = KnowledgeGraph()
        self.graph.commit([_indexed(row) for row in self.passages.values()])
        self.stats = self.graph.stats()
        self._found: dict[str, dict[str, RetrievalResult]] = {}

    def gold(self, question: Asked) -> RetrievalResult:
        """The supporting passages and nothing else."""
        return self.result(question.text, question.supporting)

    def by_words(
        self, question: Asked, most: int = 10, without: Iterable[str] = ()
    ) -> RetrievalResult:
        """Full-text search, a stand-in where no pipeline is wanted."""
        hidden = set(without)
        ranking = self.graph.search_text("chunk", terms(question.text), most + len(hidden))
        chunks = self.graph.get_chunks(ranking.numbers)
        documents = self.graph.get_documents(self.graph.documents_of_chunks(ranking.numbers))
        names = [document.doc_id for document, _ in zip(documents, chunks, strict=True)]
        return self.result(question.text, [name for name in names if name not in hidden][:most])

    def mixed(self, question: Asked, most: int) -> RetrievalResult:
        """The supporting passages among others that share words: the first half of them on top."""
        gold = list(question.supporting)[:most]
        others = [item.doc_id for item in self.by_words(question, most, without=gold).items][
            : max(0, most - len(gold))
        ]
        half = (len(gold) + 1) // 2
        ids = [*gold[:half], *others[:1], *gold[half:], *others[1:]]
        return self.result(question.text, ids[:most])

    def retrieved(self, question: Asked, most: int = 10) -> RetrievalResult:
        """What the pipeline finds with its defaults; kept in a file between runs."""
        return self._kept(question, "linked", most)

    def dense_top(self, question: Asked) -> RetrievalResult:
        """The one passage whose vector is nearest to the question's."""
        return self._kept(question, "dense", 1)

    def _kept(self, question: Asked, method: str, most: int) -> RetrievalResult:
        if method not in self._found:
            suffix = "" if method == "linked" else f"-{method}"
            kept = Path(tempfile.gettempdir()) / (
                f"clew-answers-{self.name.replace('/', '-')}{suffix}-{_RESULT_FORM}.pickle"
            )
            if not kept.exists():
                kept.write_bytes(pickle.dumps(self._search_all(method)))
            self._found[method] = pickle.loads(kept.read_bytes())
        found = self._found[method][question.id]
        return replace(found, items=found.items[:most], graph_stats=self.stats)

    def _search_all(self, method: str, most: int = 10) -> dict[str, RetrievalResult]:
        config = ClewConfig(chunk_size=20_000, chunk_overlap=0, retrieval_method=method)
        rows = [
            {"doc_id": row["id"], "title": row["title"], "text": row["text"]}
            for row in self.passages.values()
        ]
        pipeline = RetrievePipeline(IndexPipeline(config=config).run(rows), config=config)
        return {asked.id: pipeline.search(asked.text, top_n=most) for asked in self.questions}

    def result(self, text: str, ids: Sequence[str]) -> RetrievalResult:
        items = tuple(_item(self.passages[name], 1.0 / (rank + 1)) for rank, name in enumerate(ids))
        return RetrievalResult(query=text, items=items, method="given", graph_stats=self.stats)


_RESULT_FORM = hashlib.sha256(
    repr(
        [field.name for kind in (RetrievalResult, RetrievalItem) for field in fields(kind)]
    ).encode()
).hexdigest()[:8]
"""Results that were kept are read again only where a result still has the same fields."""


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _asked(row: dict[str, str]) -> Asked:
    return Asked(
        id=row["id"],
        text=row["question"],
        answers=(row["answer"], *row.get("answer_aliases", ())),
        supporting=tuple(row["supporting_ids"]),
        kind=row.get("type", ""),
    )


def _indexed(row: dict[str, str]) -> IndexedDocument:
    name = document_id("default", row["id"])
    document = Document(id=name, doc_id=row["id"], text=row["text"], title=row["title"])
    chunk = _chunk(name, row["text"])
    return IndexedDocument(
        document=document,
        chunks=(chunk,),
        units=units_of(document, [chunk], max_units_per_chunk=500),
    )


def _chunk(name: str, text: str) -> Chunk:
    return Chunk(
        id=chunk_id(name, text, 0), document_id=name, index=0, start=0, end=len(text), text=text
    )


def _item(row: dict[str, str], score: float) -> RetrievalItem:
    name = document_id("default", row["id"])
    return RetrievalItem(
        content=row["text"],
        score=score,
        source_chunk_id=chunk_id(name, row["text"], 0),
        document_id=name,
        doc_id=row["id"],
        start=0,
        end=len(row["text"]),
        title=row["title"],
    )
