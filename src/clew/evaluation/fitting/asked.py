"""Questions linked against an index once, to be searched many times with other weights.

The passages of all sets are one corpus, so that each set is a distractor for the others. A passage
of another set under the title of a supporting one is neither right nor wrong, and left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from clew.config import ClewConfig
from clew.evaluation.corpora import Corpus
from clew.evaluation.datasets import Dataset, Passage, QuestionWithGold
from clew.evaluation.indexed import IndexedCorpus
from clew.retrieval.base import Evidence, Search
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.linked.trails import LinkedTrails
from clew.retrieval.pool.weights import LinkedWeights
from clew.retrieval.query.reading import QueryLinks, link_query
from clew.stores.base import GraphReader, Numbers


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Asked:
    """One question of a set, linked against the index; ``gold`` are the chunks that support its
    answer, ``ignored`` those that are neither right nor wrong.
    """

    set: str
    reader: GraphReader
    query: QueryLinks
    config: ClewConfig
    counts: dict[str, int]
    gold: Numbers
    ignored: Numbers

    def evidence(self, weights: LinkedWeights, *, rounds: int) -> Evidence:
        """What linked evidence finds with ``weights``, in so many rounds."""
        search = Search(
            reader=self.reader,
            query=self.query,
            config=self.config.replace(traversal_depth=rounds),
            counts=self.counts,
        )
        return LinkedEvidence(weights=weights).find(search)

    def trails(self, weights: LinkedWeights, *, rounds: int) -> LinkedTrails:
        """How it came to that."""
        trails = self.evidence(weights, rounds=rounds).trail
        assert isinstance(trails, LinkedTrails)
        return trails


def together(datasets: Sequence[Dataset]) -> Corpus:
    """The passages of all sets as one corpus; the name of its set goes before each id."""
    return Corpus(
        dataset=Dataset(
            name=" + ".join(dataset.name for dataset in datasets),
            passages=tuple(
                replace(passage, id=_named(dataset, passage.id))
                for dataset in datasets
                for passage in dataset.passages
            ),
            questions=(),
        )
    )


@contextmanager
def asked(indexed: IndexedCorpus, datasets: Sequence[Dataset]) -> Iterator[list[Asked]]:
    """The questions of ``datasets``, whose passages :func:`together` are ``indexed``."""
    titles = _by_title(indexed.corpus.dataset.passages)
    with indexed.store.reading() as reader:
        counts = reader.stats()
        chunks = _chunks_of_passages(reader)
        yield [
            Asked(
                set=dataset.name,
                reader=reader,
                query=link_query(
                    reader,
                    question.question,
                    config=indexed.config,
                    embedder=indexed.asking,
                    counts=counts,
                ),
                config=indexed.config,
                counts=counts,
                gold=_all(chunks, _gold(dataset, question)),
                ignored=_all(chunks, _twins(dataset, question, titles)),
            )
            for dataset in datasets
            for question in dataset.questions
        ]


def _gold(dataset: Dataset, question: QuestionWithGold) -> list[str]:
    return [_named(dataset, name) for name in question.supporting_ids]


def _twins(dataset: Dataset, question: QuestionWithGold, titles: dict[str, list[str]]) -> list[str]:
    """Passages of other sets under the titles of the supporting ones."""
    wanted = set(question.supporting_ids)
    own = {passage.title for passage in dataset.passages if passage.id in wanted}
    ours = {_named(dataset, passage.id) for passage in dataset.passages}
    return [name for title in sorted(own) for name in titles.get(title, []) if name not in ours]


def _by_title(passages: Sequence[Passage]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for passage in passages:
        if passage.title:
            found[passage.title].append(passage.id)
    return found


def _chunks_of_passages(reader: GraphReader) -> dict[str, Numbers]:
    found = {}
    for document in reader.list_documents():
        whole = reader.load_document(document.id)
        assert whole is not None
        ids = [chunk.id for chunk in whole.chunks]
        found[document.doc_id] = reader.numbers_of("chunk", ids)
    return found


def _all(chunks: dict[str, Numbers], names: Sequence[str]) -> Numbers:
    none = np.empty(0, dtype=np.int64)
    return np.unique(np.concatenate([none, *(chunks[name] for name in names)]))


def _named(dataset: Dataset, name: str) -> str:
    return f"{dataset.name}/{name}"
