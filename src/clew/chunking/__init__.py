"""Documents cut into chunks: exact slices of the text, never above their size, in linear time.

``base`` has the contract, ``strategies`` one strategy a file, ``making`` and ``registry`` their
names; ``outline`` is what they cut by, ``packing`` and ``parts`` how most of them cut. ``adaptive``
chooses one for each document by ``metrics``, as ``selection`` says.
"""

from clew.chunking.adaptive import AdaptiveChunker
from clew.chunking.base import Chunker, Describer, Reader, Span
from clew.chunking.config import STRATEGIES, ChunkingConfig
from clew.chunking.documents import chunk_by, chunk_document
from clew.chunking.making import CHUNKERS, make_chunker
from clew.chunking.metrics import IntrinsicMetricEvaluator, MetricConfig, MetricWeights
from clew.chunking.outline import Outline
from clew.chunking.registry import chunker_names, register_chunker, unregister_chunker
from clew.chunking.result import Candidate, ChunkingResult
from clew.chunking.selection import AdaptiveSelector
from clew.chunking.strategies.code import CodeChunker
from clew.chunking.strategies.delimiter import DelimiterChunker
from clew.chunking.strategies.fixed_window import FixedWindowChunker
from clew.chunking.strategies.html import HtmlChunker
from clew.chunking.strategies.hybrid import HybridChunker
from clew.chunking.strategies.json import JsonChunker
from clew.chunking.strategies.markdown import MarkdownChunker
from clew.chunking.strategies.page import PageChunker
from clew.chunking.strategies.page_index import PageIndexChunker
from clew.chunking.strategies.paragraph import ParagraphChunker
from clew.chunking.strategies.recursive import RecursiveChunker
from clew.chunking.strategies.regex_section import RegexSectionChunker
from clew.chunking.strategies.section_aware import SectionAwareChunker
from clew.chunking.strategies.semantic import SemanticChunker
from clew.chunking.strategies.sentence import SentenceChunker
from clew.chunking.strategies.single import SingleChunker
from clew.chunking.strategies.split_then_merge import SplitThenMergeChunker
from clew.chunking.strategies.token_window import TokenWindowChunker
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
    "make_chunker",
    "register_chunker",
    "unregister_chunker",
]
