"""The extraction method that needs no model: units are sentences, names are found by rule."""

from __future__ import annotations

from collections.abc import Sequence

from clew.extraction.assemble import assemble
from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.extraction.recognise import Recogniser, RuleRecogniser
from clew.extraction.units import units_of
from clew.records import Chunk, Document


class SentenceExtractor:
    """Takes every statement of a document as it is written.

    Names come from rules, or from spaCy with ``entity_extraction_method="spacy"``. Nothing but the
    document decides, so documents may come in any order and any batch.
    """

    method = "sentence"

    def __init__(self, config: ExtractionConfig) -> None:
        self._config = config
        self._recogniser = recogniser_of(config)

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        return [self._one(document, chunks) for document, chunks in documents]

    def _one(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        units = units_of(document, chunks, max_units_per_chunk=self._config.ku_max_units_per_chunk)
        names = self._recogniser.names(document, units)
        return assemble(document, chunks, units, names, config=self._config)


def recogniser_of(config: ExtractionConfig) -> Recogniser:
    """The recogniser that the settings ask for; ``llm`` needs a model, and rules stand in."""
    if config.entity_extraction_method == "spacy":
        from clew.extraction.spacy_names import SpacyRecogniser  # noqa: PLC0415

        return SpacyRecogniser()
    return RuleRecogniser()
