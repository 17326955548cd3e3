"""Names by an installed spaCy model, for languages and texts where capitals tell too little.

A model marks what it takes for the whole phrase: "the United Nations", "Ada Lovelace's", with
the asterisks of Markdown. A name is kept without them, as questions and other documents write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from clew.errors import MissingExtraError
from clew.records import Document, KnowledgeUnit
from clew.text.names import Name

PREFERRED_MODELS = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "xx_ent_wiki_sm")
_INSTALL = "pip install 'clew[spacy]' && python -m spacy download en_core_web_sm"

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

_BEFORE = re.compile(r"""[\s*_`|>"“”„«»‘'’(\[]*(?:(?:the|an?)\s+)?[\s*_`"“”„«»‘'’(\[]*""")
_BEFORE_AT_START = re.compile(_BEFORE.pattern, re.IGNORECASE)
"""A capital at the beginning of a sentence is none of the name: "The Hague" keeps it elsewhere."""
_BEHIND = re.compile(r"""(?:['’]s|(?<=s)['’])?[\s*_`|"“”„«»‘'’,;:]*$""")


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
            start, end = _bare(text, start, end, opens=entity.start_char == 0)
            if start < end:
                yield Name(start, end, text[start:end], _TYPES[entity.label_])


def _bare(text: str, start: int, end: int, *, opens: bool) -> tuple[int, int]:
    """The span without an article, quotes, markup and a possessive ending."""
    before = (_BEFORE_AT_START if opens else _BEFORE).match(text, start, end)
    start = before.end() if before else start
    behind = _BEHIND.search(text[start:end])
    return start, start + (behind.start() if behind else end - start)


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
