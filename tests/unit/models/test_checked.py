from __future__ import annotations

from collections.abc import Sequence
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from clew.errors import EmbeddingError, MissingExtraError, ModelError
from clew.models.adapters import as_embedder
from clew.models.base import TextKind
from clew.models.checked import CheckedEmbedder, CheckedSpanEmbedder
from clew.testing import FakeEmbedder, FlakyEmbedder

TEXTS = [f"Stone {number} lies in the harbour wall." for number in range(7)]


@pytest.mark.parametrize(("size", "calls"), [(1, 7), (3, 3), (7, 1), (100, 1)])
@pytest.mark.parametrize("concurrency", [1, 3])
def test_batches_keep_their_order(size: int, calls: int, concurrency: int) -> None:
    model = FakeEmbedder()
    embedder = CheckedSpanEmbedder(model, batch_size=size, concurrency=concurrency)
    expected = FakeEmbedder().embed(TEXTS)
    np.testing.assert_array_equal(embedder.embed(TEXTS), expected)
    assert model.call_count == calls
    spans = [[(0, 5), (9, 13)][: number % 3] for number in range(7)]
    of_texts, of_spans = embedder.embed_spans(TEXTS, spans)
    np.testing.assert_array_equal(of_texts, expected)
    cut = [text[slice(*span)] for text, own in zip(TEXTS, spans, strict=True) for span in own]
    np.testing.assert_array_equal(of_spans, FakeEmbedder().embed(cut))


def test_nothing_is_no_call() -> None:
    model = FakeEmbedder()
    embedder = CheckedSpanEmbedder(model)
    assert embedder.embed([]).shape == (0, 64)
    assert [part.shape for part in embedder.embed_spans([], [])] == [(0, 64), (0, 64)]
    assert model.call_count == 0


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("zero", r"returned a zero vector for text 5 \('Stone 5 lies in the harbour wall\.'\)"),
        ("nan", r"returned NaN or infinity for text 5 \('Stone 5 lies"),
        ("missing", r"returned 2 vectors for 3 texts, 3 to 5 \(first: 'Stone 3 lies"),
        ("narrow", r"returned shape \(32,\) instead of \(64,\) for text 3 \('Stone 3 lies"),
    ],
)
@pytest.mark.parametrize("in_spans", [False, True])
def test_bad_vectors_in_the_second_batch_say_which_texts(
    fault: Any, message: str, *, in_spans: bool
) -> None:
    embedder = CheckedSpanEmbedder(FlakyEmbedder(fault, at_call=1), batch_size=3)
    with pytest.raises(EmbeddingError, match=message):
        embedder.embed_spans(TEXTS, [[]] * 7) if in_spans else embedder.embed(TEXTS)


def test_bad_vectors_of_spans_are_named_by_their_text() -> None:
    class ZeroSpans(FakeEmbedder):
        def embed_spans(self, texts: Any, spans: Any) -> Any:
            of_texts, of_spans = super().embed_spans(texts, spans)
            return of_texts, of_spans * 0

    with pytest.raises(EmbeddingError, match=r"a zero vector for text 0 \('harbour'\)"):
        CheckedSpanEmbedder(ZeroSpans()).embed_spans(["the harbour"], [[(4, 11)]])


def test_another_dimension_than_before_without_any_stated() -> None:
    class Growing:
        width = 3

        def embed_batch(self, texts: list[str]) -> list[list[float]]:
            rows = [[1.0] * self.width for _ in texts]
            self.width += 1
            return rows

    embedder = as_embedder(Growing(), batch_size=2)
    with pytest.raises(EmbeddingError, match=r"\(4,\) instead of \(3,\) for text 2 \('Stone 2"):
        embedder.embed(TEXTS)


def test_rows_of_different_lengths() -> None:
    class Ragged:
        def embed_batch(self, texts: list[str]) -> list[list[float]]:
            return [[1.0] * (2 + (number == 1)) for number, _ in enumerate(texts)]

    with pytest.raises(EmbeddingError, match=r"shape \(3,\) instead of \(2,\) for text 1"):
        as_embedder(Ragged()).embed(TEXTS)


def test_another_dimension_than_the_configured_one() -> None:
    with pytest.raises(
        EmbeddingError, match=r"embedding_dimensions=10, but fake-embedder/64/seed-0 gives .* 64"
    ):
        as_embedder(FakeEmbedder(), dimensions=10).embed(TEXTS)


def test_other_errors_say_where_and_keep_their_cause() -> None:
    embedder = CheckedEmbedder(FlakyEmbedder("error", at_call=2), batch_size=3)
    with pytest.raises(
        ModelError,
        match=r"texts 6 to 6 \(first: 'Stone 6 .*'\) failed: ConnectionError: the",
    ) as caught:
        embedder.embed(TEXTS)
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_a_missing_extra_stays_what_it_is() -> None:
    class Missing(FakeEmbedder):
        def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Any:
            raise MissingExtraError("pip install 'clew[openai]'")

    with pytest.raises(MissingExtraError, match="pip install"):
        CheckedEmbedder(Missing()).embed(TEXTS)


def test_long_texts_are_shown_by_their_beginning() -> None:
    with pytest.raises(EmbeddingError) as caught:
        CheckedEmbedder(FlakyEmbedder("zero")).embed(["x" * 5000])
    assert len(str(caught.value)) < 200


def test_unit_vectors_keep_their_bits_and_others_are_brought_to_length_one() -> None:
    class Doubled(FakeEmbedder):
        def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Any:
            vectors = super().embed(texts)
            vectors[1::2] *= 2
            return vectors

    vectors = CheckedEmbedder(Doubled()).embed(TEXTS)
    plain = FakeEmbedder().embed(TEXTS)
    np.testing.assert_array_equal(vectors[::2], plain[::2])
    np.testing.assert_allclose(vectors, plain, atol=1e-6)


def test_batches_run_at_the_same_time() -> None:
    together = Barrier(len(TEXTS), timeout=30)

    class Waiting(FakeEmbedder):
        def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Any:
            together.wait()
            return super().embed(texts)

    embedder = CheckedEmbedder(Waiting(), batch_size=1, concurrency=len(TEXTS))
    assert len(embedder.embed(TEXTS)) == len(TEXTS)
