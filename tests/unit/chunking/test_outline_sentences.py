"""Sentences of blocks: found once, and the same as asked for afresh."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew.chunking.outline
from clew.chunking import ChunkingConfig, Outline, make_chunker
from clew.chunking.metrics import IntrinsicMetricEvaluator
from clew.text.blocks import partition
from clew.text.graphemes import is_boundary
from clew.text.sentences import sentence_spans

_TEXTS = st.lists(
    st.sampled_from(
        [
            "One is here. ",
            "Two!\u0301 Three? ",
            "No stop",
            "\n\n",
            "\n",
            "# Head\n",
            "- item. One. ",
        ]
    )
    | st.sampled_from(["```\ncode. More\n```\n", "好。再见。", "a e\u0301. B", " ", "| a. B |\n"]),
    max_size=14,
).map("".join)


def _outline(text: str) -> Outline:
    return Outline(text, partition(text, "markdown"))


@given(_TEXTS)
def test_ends_are_those_of_the_sentences_that_part_no_grapheme(text: str) -> None:
    outline = _outline(text)
    for start, stop in zip(outline.starts, outline.ends, strict=True):
        spans = sentence_spans(text, start, stop)
        wanted = [end for _, end in spans if end < stop and is_boundary(text, end)]
        assert list(outline.sentence_ends(start, stop)) == [*wanted, stop]
        assert list(outline.sentence_ends(start, stop)) == [*wanted, stop]


@given(_TEXTS, st.data())
def test_ends_in_a_part_of_a_block(text: str, data: st.DataObject) -> None:
    outline = _outline(text)
    if outline.starts:
        number = data.draw(st.integers(0, len(outline.starts) - 1))
        start = data.draw(st.integers(outline.starts[number], outline.ends[number] - 1))
        stop = data.draw(st.integers(start + 1, outline.ends[number]))
        ends = list(outline.sentence_ends(start, stop))
        assert ends[-1] == stop
        assert ends == sorted(set(ends))
        assert set(ends[:-1]) <= {end for _, end in sentence_spans(text, start, stop)}


def test_found_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []

    def counted(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
        asked.append((start, len(text) if end is None else end))
        return sentence_spans(text, start, end)

    monkeypatch.setattr(clew.chunking.outline, "sentence_spans", counted)
    outline = _outline("It is long. It goes on. And on.\n\n" * 30 + "# Head\n\n" + "Short. " * 200)
    for name in ("recursive", "split-then-merge", "semantic", "sentence"):
        make_chunker(ChunkingConfig(chunk_strategy=name, chunk_size=400)).cuts(outline)
    starts, _ = IntrinsicMetricEvaluator().analyse(outline).sentences
    assert len(starts) == 30 * 3 + 1 + 200
    assert len(asked) == len(set(asked))
