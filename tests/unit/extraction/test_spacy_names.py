"""The spaCy recogniser against a stand-in with spaCy's interface; spaCy itself is an extra."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import pytest

from clew.documents.making import make_document
from clew.errors import MissingExtraError
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.spacy_names import SpacyRecogniser
from clew.records import Chunk

TEXT = "It rained. Jane Roe left Norr in 1932."


@dataclass(frozen=True)
class _Entity:
    start_char: int
    end_char: int
    label_: str


class _Pipeline:
    def pipe(self, texts: Iterable[str]) -> Iterator[SimpleNamespace]:
        labels = {"Jane Roe": "PERSON", "Norr": "GPE", "1932": "DATE"}
        for text in texts:
            places = [(text.find(name), name) for name in labels if name in text]
            entities = [_Entity(at, at + len(name), labels[name]) for at, name in places]
            yield SimpleNamespace(ents=entities)


def _install(monkeypatch: pytest.MonkeyPatch, models: list[str]) -> list[str]:
    loaded: list[str] = []
    module = ModuleType("spacy")
    module.util = SimpleNamespace(get_installed_models=lambda: models)  # type: ignore[attr-defined]

    def load(name: str, exclude: list[str]) -> _Pipeline:
        loaded.append(name)
        return _Pipeline()

    module.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", module)
    return loaded


def test_names_have_spans_in_the_document_and_our_types(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = _install(monkeypatch, ["de_core_news_sm", "en_core_web_sm"])
    document = make_document(TEXT, doc_id="d")
    chunk = Chunk(id="c", document_id=document.id, index=0, start=0, end=len(TEXT), text=TEXT)
    config = ExtractionConfig(entity_extraction_method="spacy")
    (found,) = SentenceExtractor(config).extract([(document, [chunk])])
    assert [(m.surface, m.start, m.type) for m in found.mentions] == [
        ("Jane Roe", 11, "PERSON"),
        ("Norr", 25, "PLACE"),
    ]
    assert loaded == ["en_core_web_sm"]


def test_any_installed_model_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = _install(monkeypatch, ["zz_core_web_sm"])
    SpacyRecogniser()
    assert loaded == ["zz_core_web_sm"]


def test_no_spacy_is_an_error_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match="pip install"):
        SentenceExtractor(ExtractionConfig(entity_extraction_method="spacy"))


@pytest.mark.parametrize("model", [None, "xx_big"])
def test_no_model_is_an_error_with_the_download_line(
    monkeypatch: pytest.MonkeyPatch, model: str | None
) -> None:
    _install(monkeypatch, [] if model is None else ["en_core_web_sm"])
    with pytest.raises(MissingExtraError, match="python -m spacy download"):
        SpacyRecogniser(model)
