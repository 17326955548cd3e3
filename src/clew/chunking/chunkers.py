"""Every strategy that comes with clew, by its class: each is documented in a file of its own."""

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

__all__ = [
    "CodeChunker",
    "DelimiterChunker",
    "FixedWindowChunker",
    "HtmlChunker",
    "HybridChunker",
    "JsonChunker",
    "MarkdownChunker",
    "PageChunker",
    "PageIndexChunker",
    "ParagraphChunker",
    "RecursiveChunker",
    "RegexSectionChunker",
    "SectionAwareChunker",
    "SemanticChunker",
    "SentenceChunker",
    "SingleChunker",
    "SplitThenMergeChunker",
    "TokenWindowChunker",
]
