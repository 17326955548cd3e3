"""Documents cut into chunks: exact slices of the text, never above their size, in linear time.

``base`` has the contract, ``strategies`` one strategy a file, ``chunkers`` their classes,
``making`` and ``registry`` their names; ``outline`` is what they cut by, ``packing`` and ``parts``
how most of them cut. ``adaptive`` chooses one for each document by ``metrics``, as ``selector``
says.
"""

from clew.chunking.adaptive import AdaptiveChunker
from clew.chunking.base import Chunker, Describer, Reader, Span
from clew.chunking.chunkers import (
    CodeChunker,
    DelimiterChunker,
    FixedWindowChunker,
    HtmlChunker,
    HybridChunker,
    JsonChunker,
    MarkdownChunker,
    PageChunker,
    PageIndexChunker,
    ParagraphChunker,
    RecursiveChunker,
    RegexSectionChunker,
    SectionAwareChunker,
    SemanticChunker,
    SentenceChunker,
    SingleChunker,
    SplitThenMergeChunker,
    TokenWindowChunker,
)
from clew.chunking.config import STRATEGIES, ChunkingConfig
from clew.chunking.documents import chunk_by, chunk_document
from clew.chunking.making import CHUNKERS, make_chunker
from clew.chunking.metrics import IntrinsicMetricEvaluator, MetricConfig, MetricWeights
from clew.chunking.outline import Outline
from clew.chunking.registry import chunker_names, register_chunker, unregister_chunker
from clew.chunking.result import Candidate, ChunkingResult
from clew.chunking.section_instances import expand_section_instances
from clew.chunking.selector import AdaptiveSelector
from clew.chunking.tokens import count_tokens

__all__ = [
    "CHUNKERS",
    "STRATEGIES",
    "AdaptiveChunker",
    "AdaptiveSelector",
    "Candidate",
    "Chunker",
    "ChunkingConfig",
    "ChunkingResult",
    "CodeChunker",
    "DelimiterChunker",
    "Describer",
    "FixedWindowChunker",
    "HtmlChunker",
    "HybridChunker",
    "IntrinsicMetricEvaluator",
    "JsonChunker",
    "MarkdownChunker",
    "MetricConfig",
    "MetricWeights",
    "Outline",
    "PageChunker",
    "PageIndexChunker",
    "ParagraphChunker",
    "Reader",
    "RecursiveChunker",
    "RegexSectionChunker",
    "SectionAwareChunker",
    "SemanticChunker",
    "SentenceChunker",
    "SingleChunker",
    "Span",
    "SplitThenMergeChunker",
    "TokenWindowChunker",
    "chunk_by",
    "chunk_document",
    "chunker_names",
    "count_tokens",
    "expand_section_instances",
    "make_chunker",
    "register_chunker",
    "unregister_chunker",
]
