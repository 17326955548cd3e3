"""Names by an installed spaCy model, for languages and texts where capitals tell too little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from clew.errors import MissingExtraError
from clew.records import Document, KnowledgeUnit
from clew.text.names import Name

PREFERRED_MODELS = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "xx_ent_wiki_sm")
_INSTALL = "pip install spacy && python -m spacy download en_core_web_sm"

_TYPES = {
    "PERSON": "PERSON",
    "PER": "PERSON",
    "ORG": "ORG",
    "GPE": "PLACE",
    "LOC": "PLACE",
    "FAC": "PLACE",
    "NORP": "GROUP",
    "PRODUCT": "PRODUCT",
    "EVENT": "EVENT",
    "WORK_OF_ART": "WORK",
    "LAW": "LAW",
    "LANGUAGE": "LANGUAGE",
    "MISC": "",
}
"""The labels that name things; dates, numbers and amounts are left out."""


class SpacyRecogniser:
    """Finds names with a spaCy model: the given one, else the first of
    :data:`PREFERRED_MODELS` that is installed, else any that is.

    Raises :class:`clew.errors.MissingExtraError` when spaCy or a model is missing.
    """

    def __init__(self, model: str | None = None) -> None:
        self._nlp = _load(model)

    def names(self, document: Document, units: Sequence[KnowledgeUnit]) -> list[list[Name]]:
        texts = [document.text[unit.start : unit.end] for unit in units]
        parsed = self._nlp.pipe(texts)
        return [
            list(_names(document.text, unit.start, doc.ents))
            for unit, doc in zip(units, parsed, strict=True)
        ]


def _names(text: str, offset: int, entities: Any) -> Iterator[Name]:
    for entity in entities:
        if entity.label_ in _TYPES:
            start, end = offset + entity.start_char, offset + entity.end_char
            yield Name(start, end, text[start:end], _TYPES[entity.label_])


def _load(model: str | None) -> Any:
    try:
        spacy: Any = import_module("spacy")  # an extra, loaded on use
    except ImportError as error:
        raise MissingExtraError(
            "entity_extraction_method='spacy' needs spaCy, which is not installed: "
            f"`{_INSTALL}`, or use entity_extraction_method='rules'"
        ) from error
    installed = sorted(spacy.util.get_installed_models())
    choice = model or next((name for name in PREFERRED_MODELS if name in installed), None)
    choice = choice or next(iter(installed), None)
    if choice is None or choice not in installed:
        wanted = f"the spaCy model {model!r}" if model else "a spaCy model"
        raise MissingExtraError(
            f"entity_extraction_method='spacy' needs {wanted}; installed: "
            f"{', '.join(installed) or 'none'}. Run `python -m spacy download "
            f"{model or PREFERRED_MODELS[0]}`"
        )
    return spacy.load(choice, exclude=["lemmatizer"])
