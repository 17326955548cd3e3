from __future__ import annotations

from hypothesis import given

from clew.records import Document
from clew.testing.strategies import documents, markdown, sentences, texts


@given(texts())
def test_texts_can_be_encoded(text: str) -> None:
    assert text.encode("utf-8").decode("utf-8") == text


@given(markdown(), sentences())
def test_markdown_and_sentences_are_texts(marked: str, sentence: str) -> None:
    assert isinstance(marked, str)
    assert sentence


@given(documents())
def test_blocks_cover_a_document(document: Document) -> None:
    ends = [block.end for block in document.blocks]
    assert [block.start for block in document.blocks] == [0, *ends[:-1]][: len(ends)]
    assert (ends[-1] if ends else 0) == len(document.text)
