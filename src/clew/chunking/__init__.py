"""Documents cut into chunks: exact slices of the text, never above their size, in linear time."""

from clew.chunking.base import Chunker, Span
from clew.chunking.config import ChunkingConfig
from clew.chunking.documents import CHUNKERS, chunk_by, chunk_document, make_chunker
from clew.chunking.fixed import FixedWindowChunker
from clew.chunking.outline import Outline
from clew.chunking.recursive import RecursiveChunker
from clew.chunking.sentence import SentenceChunker

__all__ = [
    "CHUNKERS",
    "Chunker",
    "ChunkingConfig",
    "FixedWindowChunker",
    "Outline",
    "RecursiveChunker",
    "SentenceChunker",
    "Span",
    "chunk_by",
    "chunk_document",
    "make_chunker",
]
