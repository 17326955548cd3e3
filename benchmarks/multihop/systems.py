"""The systems to compare: clew's methods, plain ones, and other packages and papers.

Each is question → names of pieces, best first (:class:`clew.evaluation.systems.System`). Whatever
is put into :data:`SYSTEMS` can be measured by its name: a maker takes the
:class:`clew.evaluation.indexed.IndexedCorpus` and finds in it the ``pieces`` to rank (passages or
chunks), the ``store``, and ``asking``, the embedder of questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.multihop.peers.makers import PEERS

from clew.evaluation import systems
from clew.evaluation.indexed import Piece
from clew.evaluation.systems import MAKERS, RESULTS, Maker


class Bm25s:
    """The package ``bm25s`` over title and text: k1 1.2, b 0.75, English stop words and stems."""

    name = "bm25s"

    def __init__(self, pieces: Sequence[Piece]) -> None:
        import bm25s
        import Stemmer

        self._tokenise = bm25s.tokenize
        self._stemmer = Stemmer.Stemmer("english")
        self._ids = [piece.id for piece in pieces]
        texts = [f"{piece.title}\n{piece.text}" for piece in pieces]
        self._index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._index.index(self._tokens(texts), show_progress=False)

    def search(self, question: str) -> list[str]:
        found, _ = self._index.retrieve(
            self._tokens([question]), k=min(RESULTS, len(self._ids)), show_progress=False
        )
        return [self._ids[number] for number in found[0]]

    def _tokens(self, texts: list[str]) -> Any:
        return self._tokenise(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)


SYSTEMS: Mapping[str, Maker] = {
    "bm25s": lambda indexed: Bm25s(indexed.pieces),
    **MAKERS,
    **PEERS,
}
NEED_VECTORS = frozenset({*systems.NEED_VECTORS, *PEERS})
USUAL: Mapping[str, Maker] = {
    name: maker for name, maker in SYSTEMS.items() if name != "atomic-rag"
}
"""What is measured unless named: not the peer that has to be installed from the network."""
