"""File formats → :class:`~clew.records.Document`: text, blocks and pages, all by offset.

::

    walk ─▶ load_file ─▶ formats ─▶ readers/ ─▶ make_document
    strings, mappings ─▶ documents_from ────────▶ make_document
"""

from clew.documents.batch import documents_from
from clew.documents.builder import TextBuilder
from clew.documents.failures import LoadFailure
from clew.documents.fields import RecordFields
from clew.documents.formats import SUFFIXES
from clew.documents.loading import load_bytes, load_file, source_hash, source_name
from clew.documents.making import make_document
from clew.documents.walking import walk

__all__ = [
    "SUFFIXES",
    "LoadFailure",
    "RecordFields",
    "TextBuilder",
    "documents_from",
    "load_bytes",
    "load_file",
    "make_document",
    "source_hash",
    "source_name",
    "walk",
]
