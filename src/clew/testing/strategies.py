"""Hypothesis strategies for what clew reads: texts, Markdown and documents.

They lean towards what breaks text code: several scripts, letters made of several characters, line
ends of every kind, names with signs in them. Needs ``pip install 'clew[testing]'``.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from clew.documents.making import make_document
from clew.records import Document

_WORDS = (
    "bridge", "Norr", "Ida", "Holm", "1931", "river", "C++", ".NET", "O'Brien", "straße", "Ålund",
    "naïve", "e\u0301te\u0301", "東京", "食べ物", "мост", "جسر", "👩\u200d🔬", "🇳🇴", "3.14",
    "U.S.", "Dr.", "e.g.", "re-use", "a_b", "{x}", "%s", "<b>", "\u00a0", "\u200b",
)  # fmt: skip
_ENDS = (".", "!", "?", "…", "。", ":", "", ".”")
_BREAKS = ("\n", "\r\n", "\r", "\n\n", "\n\n\n", "\f", " \n\t\n")


def words() -> SearchStrategy[str]:
    """Words and names, easy and hard."""
    return st.sampled_from(_WORDS)


def sentences(max_words: int = 12) -> SearchStrategy[str]:
    """A few words and a full stop, or what stands for one."""
    return st.builds(
        lambda parts, end: " ".join(parts) + end,
        st.lists(words(), min_size=1, max_size=max_words),
        st.sampled_from(_ENDS),
    )


def texts(max_sentences: int = 8) -> SearchStrategy[str]:
    """Running text of sentences and breaks, empty at times, or any characters at all."""
    pieces = st.one_of(sentences(), sentences(), st.sampled_from(_BREAKS))
    running = st.lists(pieces, max_size=max_sentences).map(" ".join)
    # No surrogates: a decoded document has none.
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
    return st.one_of(running, running, anything)


def markdown(max_blocks: int = 8) -> SearchStrategy[str]:
    """Markdown of headings, paragraphs, nested lists, tables, quotes and fenced code."""
    block = st.one_of(
        st.builds(lambda level, title: f"{'#' * level} {title}", st.integers(1, 6), sentences(4)),
        sentences(),
        st.lists(st.tuples(st.integers(0, 3), sentences(5)), min_size=1, max_size=5).map(_list),
        st.lists(st.tuples(words(), words()), min_size=1, max_size=4).map(_table),
        sentences().map(lambda sentence: f"> {sentence}"),
        st.builds(_fence, st.sampled_from(("```", "~~~", "````")), sentences()),
        st.sampled_from(("---", "***", "<div>", "\f")),
    )
    return st.lists(block, max_size=max_blocks).flatmap(
        lambda blocks: st.sampled_from(("\n\n", "\n", "\r\n\r\n")).map(lambda sep: sep.join(blocks))
    )


def documents() -> SearchStrategy[Document]:
    """Documents as the readers make them, plain or Markdown, with and without metadata."""
    plain = texts().map(lambda text: (text, "text/plain"))
    marked = markdown().map(lambda text: (text, "text/markdown"))
    return st.builds(
        lambda content, doc_id, metadata: make_document(
            content[0], doc_id=doc_id, media_type=content[1], metadata=metadata
        ),
        st.one_of(plain, marked),
        st.text("abcdeå/ .", min_size=1, max_size=8),
        st.dictionaries(words(), st.one_of(st.integers(0, 99), words(), st.booleans()), max_size=3),
    )


def _list(items: list[tuple[int, str]]) -> str:
    return "\n".join(f"{'  ' * depth}- {item}" for depth, item in items)


def _table(rows: list[tuple[str, str]]) -> str:
    return "\n".join(["| name | place |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)])


def _fence(mark: str, inside: str) -> str:
    return f"{mark}\n# {inside}\n{mark}"
