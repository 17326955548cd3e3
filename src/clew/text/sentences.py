"""Sentence boundaries by rule, in any script, in one linear pass.

A pattern finds every place where a sentence *could* end: stops with the quotes and brackets behind
them, and line breaks. A few rules then decide each place from the word before and the word after.
Without a language to be told: a lower-case letter behind a stop goes on in every language that has
them, and abbreviations of one language are seldom words of another.

Measured against the sentencex package in ``benchmarks/chunking/sentences.py``.
"""

from __future__ import annotations

import re

from clew.text.abbreviations import (
    BEFORE_NUMBER,
    DAYS,
    NEVER_LAST,
    ORDINAL_NOUNS,
    SELDOM_LAST,
    STARTERS,
    TITLES,
)
from clew.text.sentence_places import ARMENIAN, BULLETS, GREEK, PLACE, SURE

_NEEDS_NO_BLANK = frozenset("。！？｡．।॥።፧፨။")
_LONGEST_BULLET = 4
_BEFORE_NUMBER = f" {BULLETS}"
_MARKER = re.compile(rf"(?:[{BULLETS}]|\(?(?:\d{{1,2}}|[a-z])\)|(?P<number>\d{{1,2}})\.)\s")
_FIRST_MARKER = re.compile(r"\s*+(\d{1,2})\.\s")
_OPENERS = re.compile(r"""["'“‘„‚«»‹(\[{「『（【〈《¿¡*_\s–—-]*""")
_WORD_BEFORE = re.compile(r"[^\s(\[{\"“«„/–—,;]*$")
_WORD_BEHIND = re.compile(r"[\w'’-]+")
_LONGEST_WORD = 40
_ENUMERATOR = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[IVXLC]{2,5})$")
_SHORT_PARTS = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}$")
_ELISION = re.compile(r"^[dlDL]['’](?=\w{2})")
_GREEK = re.compile(rf"[{GREEK}]")
_ARMENIAN = re.compile(rf"[{ARMENIAN}]")
_ROMAN = re.compile(r"[IVXLC]{2,6}$")
_HALF_DAY = re.compile(r"\b[ap]\.\s?$", re.IGNORECASE)
_LABEL = re.compile(r"\d|(?:[A-Z]|[IVXLC]+)(?!\w)")
_GERMAN_BEFORE_ORDINAL = re.compile(
    r"\b(?:[Aa]m(?<!I am)|[Ii]m|[Dd]e[mnrs]|[Dd]ie|[Vv]om|[Zz]um|[Bb]eim|[Bb]is|und|[Jj]ede[mnrs]?)"
    r"\s+$"
)


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the (start, end) of each sentence of ``text[start:end]``, as offsets into ``text``.

    Spans are in order, do not overlap, are trimmed of white space, and together hold every
    character that is no white space. A blank line ends a sentence; a line break ends one only
    where a list item follows.

    >>> text = "Dr. Orm came at 5 p.m. He left."
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['Dr. Orm came at 5 p.m.', 'He left.']
    """
    end = len(text) if end is None else min(end, len(text))
    spans: list[tuple[int, int]] = []
    first = start
    item = -1
    for place in PLACE.finditer(text, start, end):
        group = place.lastindex
        if group is None:
            last = place.start()
        elif group < SURE:
            spans.append((first, place.end(group)))
            first = place.end()
            continue
        else:
            last = place.start("gap")
        behind = place.end()
        lines = _line_breaks(text[last:behind]) if last < behind else 0
        if lines == 1 and (marker := _MARKER.match(text, behind, end)):
            number = int(marker["number"] or 0)
            item = _list_number(text, start, end) if item < 0 else item
            ends = number in {0, 1, item + 1}
            item = number if ends else item
        else:
            ends = lines > 1
        if ends or (group is not None and _is_end(text, first, place, end)):
            _append(spans, text, first, last)
            first = behind
    _append(spans, text, first, end)
    return _trimmed(spans, text)


def _list_number(text: str, start: int, end: int) -> int:
    """Return the number of the list item that the text begins with, or 0."""
    found = _FIRST_MARKER.match(text, start, end)
    return int(found[1]) if found else 0


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    end = start + len(text[start:end].rstrip())
    if end > start:
        spans.append((start, end))


def _trimmed(spans: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Trim the first sentence in front: the others begin behind white space."""
    if spans and text[spans[0][0]].isspace():
        start, end = spans[0]
        spans[0] = end - len(text[start:end].lstrip()), end
    return spans


def _line_breaks(gap: str) -> int:
    """Count line breaks; a form feed or a paragraph separator counts as a blank line."""
    if gap == " ":
        return 0
    breaks = gap.count("\n") + gap.count("\r") - gap.count("\r\n")
    return breaks + 2 * (gap.count("\f") + gap.count("\u2029"))


def _is_end(text: str, first: int, place: re.Match[str], end: int) -> bool:
    """Whether the sentence that begins at ``first`` ends at these stops."""
    at, behind = place.start(), place.end()
    stops = text[at] + place["more"]
    if not _may_stop(text, at, stops, place):
        return False
    if stops[-1] in _NEEDS_NO_BLANK or behind == end:
        return True
    if place.start("gap") == behind:
        return False
    opener = _OPENERS.match(text, behind, end)
    following = opener.end() if opener else behind
    if following >= end:
        return True
    if text[following].islower():
        asks = stops[-1] in "?؟" and not place["close"]
        return asks and text[following - 2 : following - 1] not in {"–", "—"}
    return stops != "." or _ends_at_full_stop(text, first, at, following)


def _may_stop(text: str, at: int, stops: str, place: re.Match[str]) -> bool:
    """Whether these marks are stops here: in this script, and not inside a number or a title."""
    before, behind = text[at - 1 : at], place.end()
    if stops[-1] in ";\u037e":
        return bool(_GREEK.match(before))
    if stops[-1] == ":":
        return bool(_ARMENIAN.match(before))
    if before in {"[", "("} and stops[0] in ".…" and place["close"]:
        return False  # words left out: [...]
    if stops == "．":
        return not text[behind : behind + 1].isdigit()
    if stops[-1] in _NEEDS_NO_BLANK and place.start("close") == behind:
        title_end = text.find("》", behind, behind + _LONGEST_WORD)
        return title_end < 0 or text.rfind("《", max(0, at - _LONGEST_WORD), title_end) < 0
    return True


def _ends_at_full_stop(text: str, first: int, at: int, following: int) -> bool:
    """Whether the lone full stop at ``at`` ends a sentence and not an abbreviation."""
    found = _WORD_BEFORE.search(text, max(first, at - _LONGEST_WORD), at)
    word = _ELISION.sub("", found[0].lstrip("'‘’*_")) if found else ""
    key = word.casefold()
    lead = at - len(word) - first
    opens = lead < _LONGEST_BULLET and not text[first : first + lead].strip(_BEFORE_NUMBER)
    if word in TITLES or key in NEVER_LAST or (opens and _ENUMERATOR.match(word)):
        return False
    if key in BEFORE_NUMBER and not (len(word) == 1 and word.isupper()):
        return not _LABEL.match(text, following)
    if word.isdigit():
        return len(word) > 2 or not _is_ordinal(text, at - len(word), following)
    behind = _word_at(text, following)
    if key in {"a.m", "p.m"} or (key == "m" and _HALF_DAY.search(text, max(first, at - 5), at - 1)):
        return behind not in DAYS
    is_short = (len(word) == 1 and word.isalpha()) or _SHORT_PARTS.match(word)
    return behind in STARTERS or not (is_short or key in SELDOM_LAST or _ROMAN.match(word))


def _is_ordinal(text: str, at: int, following: int) -> bool:
    """Whether the number at ``at`` is a German ordinal: *am 3. Mai*, *der 2. Weltkrieg*."""
    if _word_at(text, following) in ORDINAL_NOUNS:
        return True
    return _GERMAN_BEFORE_ORDINAL.search(text, max(0, at - 12), at) is not None


def _word_at(text: str, at: int) -> str:
    """Return the case-folded word at ``at``; ``""`` when a full stop makes it an initial."""
    word = _WORD_BEHIND.match(text, at, at + _LONGEST_WORD)
    if word is None or text[word.end() : word.end() + 1] == ".":
        return ""
    return word[0].casefold()
