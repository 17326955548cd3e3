"""Stretches of a text as vectors: each asked for once, in order, blank ones never."""

from __future__ import annotations

import numpy as np
import pytest

from clew.chunking import AdaptiveChunker, AdaptiveSelector, Outline
from clew.chunking.embedded import embed_once
from clew.testing import FakeEmbedder
from clew.text.blocks import partition


def _outline(text: str) -> Outline:
    return Outline(text, partition(text, "markdown"), media_type="text/markdown")


def test_what_was_asked_for_is_not_asked_for_again() -> None:
    embedder, outline = FakeEmbedder(), _outline("Rye. Oats.")
    first = embed_once(outline, embedder)(["Rye.", " Rye.\n", "Oats."])
    again = embed_once(outline, embedder)(["Oats.", "Rye.", "Barley."])
    assert embedder.texts == ["Rye.", "Oats.", "Barley."]
    np.testing.assert_array_equal(first, embedder.embed(["Rye.", "Rye.", "Oats."]))
    np.testing.assert_array_equal(again, embedder.embed(["Oats.", "Rye.", "Barley."]))


def test_another_text_is_asked_for_anew() -> None:
    embedder = FakeEmbedder()
    for _ in range(2):
        embed_once(_outline("Rye."), embedder)(["Rye."])
    assert embedder.texts == ["Rye.", "Rye."]


def test_white_space_is_a_zero_vector_and_asks_nobody() -> None:
    embedder = FakeEmbedder(8)
    embed = embed_once(_outline("Rye."), embedder)
    assert not embed([" \n", ""]).any()
    assert embed([]).shape[0] == 0
    assert embedder.call_count == 0
    rows = embed([" ", "Rye.", "\t"])
    assert rows.shape == (3, 8)
    assert not rows[0].any()
    assert rows[1].any()


@pytest.mark.parametrize("text", ["", " \n\n\t"])
def test_a_text_of_nothing_is_chunked_without_the_embedder(text: str) -> None:
    embedder = FakeEmbedder()
    assert AdaptiveChunker(AdaptiveSelector(embedder=embedder)).chunk(text).chunks == ()
    assert embedder.call_count == 0
