"""Names that the structure of a document gives, wherever its text writes them.

Titles and headings are names even where they are written small inside ("Journal of the tides", "My
whole life"). Their places in the text are found by whole words; a single word must be capitalised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from clew.extraction.places import is_whole
from clew.graph.acronyms import short_forms
from clew.graph.titles import Title
from clew.records import BlockKind, Document
from clew.text.headings import heading_text

MAX_KNOWN_WORDS = 10
MAX_OF_A_KIND = 100
"""Headings and short forms that are looked for: each is one more search through the text."""

_NUMBERING = re.compile(
    r"(?:(?:chapter|section|part|article|appendix|annex)\s+)?"
    r"(?:\d+(?:\.\d+)*[.):]?|[IVXLC]+[.)]|[A-Z][.)])(?:\s*[-–—:]\s*|\s+)(?=\S)",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    """
    abstract|about|acknowledgements|acknowledgments|appendix|background|bibliography|biography|
    career|changelog|conclusion|conclusions|contents|definitions|description|discussion|
    early life|early years|example|examples|external links|faq|footnotes|further reading|general|
    getting started|history|index|installation|introduction|later life|legacy|license|licence|
    life|methods|misc|miscellaneous|notes|other|overview|personal life|plot|preface|purpose|
    reception|references|related work|results|scope|see also|sources|summary|table of contents|
    title|todo|untitled|usage
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)


def known_names(document: Document) -> list[str]:
    """The title, the title without its brackets, headings, and what short forms stand for; the
    longest first.
    """
    text = document.text
    names = set(Title.of(document).forms)
    headings = (block for block in document.blocks if block.kind is BlockKind.HEADING)
    for block in islice(headings, MAX_OF_A_KIND):
        heading = clean_heading(heading_text(text[block.start : block.end]))
        if not is_generic(heading):
            names.add(heading)
    for found in islice(short_forms(text), MAX_OF_A_KIND):
        names.add(text[found.long_start : found.long_end])
    short = (name for name in names if 0 < len(name.split()) <= MAX_KNOWN_WORDS and _says(name))
    return sorted(short, key=lambda name: (-len(name), name))


def _says(name: str) -> bool:
    return not name.isascii() or any(map(str.isalpha, name))


def clean_heading(heading: str) -> str:
    """What a heading names: its words without its number."""
    return _NUMBERING.sub("", heading, count=1).strip(" :–—-")


def is_generic(heading: str) -> bool:
    return heading.lower() in _GENERIC


def known_places(text: str, names: Iterable[str]) -> Iterator[tuple[int, int, str, str]]:
    """Yield (start, end, surface, "") for each place of each name, not inside a longer one."""
    lower = text.lower()
    aligned = len(lower) == len(text)
    taken = bytearray(len(text))
    for name in names:
        wanted = name.lower() if aligned else name
        window = lower if aligned else text
        at = window.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            if not taken[at] and _counts(text, at, end):
                taken[at:end] = b"\x01" * (end - at)
                yield at, end, text[at:end], ""
                at = window.find(wanted, end)
            else:
                at = window.find(wanted, at + 1)


def _counts(text: str, start: int, end: int) -> bool:
    surface = text[start:end]
    if surface.isalpha() and surface.islower():
        return False
    return is_whole(text, start, end)
