"""The extraction method that asks a model about words, not about texts.

::

    documents ─ terms ─▶ candidates ─ asking ─▶ vocabulary ─ matching ─▶ names in units

``terms`` counts names and phrases over all documents, ``asking`` lets a model keep and type them in
a few calls, ``matching`` finds what was kept in every text at once; ``extractor`` is the method.
"""

from clew.extraction.vocabulary.extractor import VocabularyExtractor

__all__ = ["VocabularyExtractor"]
