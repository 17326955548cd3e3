"""Words before each text, for models that were trained with them."""

from __future__ import annotations

import numpy as np

from clew.config import ClewConfig
from clew.models.adapters import as_embedder
from clew.models.base import Embedder, SpanEmbedder, Vectors
from clew.models.default import default_embedder
from clew.models.prefixed import PrefixedEmbedder, with_prefixes
from clew.testing import FakeEmbedder


class OnlyTexts:
    dimensions = 2
    fingerprint = "only-texts"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: list[str], *, kind: str = "document") -> Vectors:
        self.texts += texts
        return np.ones((len(texts), 2), np.float32)


def test_each_kind_has_its_own_prefix() -> None:
    model = FakeEmbedder()
    embedder = with_prefixes(model, "query: ", "passage: ")
    assert isinstance(embedder, SpanEmbedder)
    embedder.embed(["a mill"], kind="query")
    embedder.embed(["a mill"])
    embedder.embed_spans(["a mill"], [[]])
    assert model.texts == ["query: a mill", "passage: a mill", "passage: a mill"]
    assert embedder.dimensions == model.dimensions


def test_spans_move_with_the_text() -> None:
    model = FakeEmbedder()
    embedder = with_prefixes(model, None, "passage: ")
    assert isinstance(embedder, SpanEmbedder)
    _, spans = embedder.embed_spans(["an old mill"], [[(7, 11), (0, 6)]])
    np.testing.assert_array_equal(spans, model.embed(["mill", "an old"]))


def test_an_embedder_without_spans_gets_none() -> None:
    embedder = with_prefixes(as_embedder(OnlyTexts()), "q: ", None)
    assert isinstance(embedder, Embedder)
    assert type(embedder) is PrefixedEmbedder
    assert embedder.embed(["x"], kind="query").shape == (1, 2)


def test_without_prefixes_nothing_is_wrapped() -> None:
    model = FakeEmbedder()
    assert with_prefixes(model, None, None) is model
    assert with_prefixes(model, "", "") is model


def test_prefixes_are_part_of_the_fingerprint() -> None:
    model = FakeEmbedder()
    prints = {
        with_prefixes(model, query, document).fingerprint
        for query in ("", "q: ", "ab")
        for document in ("", "d: ", "b")
    }
    assert len(prints) == 9
    assert model.fingerprint in prints


def test_the_packaged_model_takes_prefixes_too() -> None:
    plain = default_embedder(ClewConfig())
    prefixed = default_embedder(ClewConfig(embedding_query_prefix="query: "))
    assert plain is not None
    assert prefixed is not None
    np.testing.assert_array_equal(
        prefixed.embed(["who?"], kind="query"), plain.embed(["query: who?"])
    )
    assert prefixed.fingerprint.startswith(plain.fingerprint + "/prefixes-")
