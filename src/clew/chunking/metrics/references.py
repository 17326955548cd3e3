"""References completeness: what refers and what it refers to lie in one chunk.

The paper (arXiv 2603.25333) pairs pronouns with mentions found by a coreference model. Here pairs
are only what a text shows without one:

* a sentence that begins with a pronoun or a demonstrative refers to the sentence before it in the
  same block;
* "Table 3", "Figure 2", "Section 4.1" refer to the block that begins with those words, when that
  is near;
* an abbreviation refers to the place that defined it, "Long Form (LF)", when that is near.

What is counted with them is the paper's: a pair is broken when a chunk begins or ends between its
first character and its last. Where a text shows no pair, there is no value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from clew.chunking.metrics.outcome import Outcome
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.words import Ints
from clew.chunking.outline import Outline
from clew.records import BlockKind

_REFERRING = frozenset(
    """
    he she it they his her its their him them this that these those such both former latter
    er sie es ihr ihre ihrer sein seine dieser diese dieses jener jene solche
    il elle ils elles ce cet cette ces celui celle ceux celles son sa ses leur leurs
    él ella ello ellos ellas este esta esto estos estas ese esa eso esos su sus
    ele ela eles elas esse essa isso este isto seu sua
    egli ella essa esso loro questo questa questi queste quello quella suo sua
    hij zij het dit dat deze die
    он она оно они его её их этот эта это эти
    他 她 它 他们 她们 它们 这 那 该 此 彼 それ これ この その 彼女
    """.split()
)
_FIRST_WORD = re.compile(r"[\W\d_]{0,3}([^\W\d_]+)")
_UNSPACED_FIRST = re.compile(r"[他她它这那该此彼]们?|それ|これ|この|その")
_UNSPACED_LABELS = "表图圖図"
_NUMBER = re.compile(
    r"\d(?:(?<=[^\W\d_][ \u00a0]\d)|(?<=[.\s][ \u00a0]\d)"
    rf"|(?<=[{_UNSPACED_LABELS}]\d)|(?<=[{_UNSPACED_LABELS}][ \u00a0]\d))\d*(?:\.\d+)*"
)
"""A number behind what may be a label; most others are passed by."""

_LABELS = frozenset(
    """
    table tab. figure fig. section sec. chapter appendix annex equation listing article
    tabelle abbildung abb. abschnitt kapitel anhang artikel tableau chapitre annexe
    tabla figura sección capítulo anexo artículo
    """.split()
)
_LONGEST_LABEL = 12
_SAME_LABEL = {"tab.": "table", "fig.": "figure", "sec.": "section", "abb.": "abbildung"}
_HEADING_NUMBER = re.compile(r"[#\s]*(\d{1,3}(?:\.\d{1,3})*)[.)]?\s")
_DEFINITION = re.compile(r"\(([A-Z][A-Za-z]{0,3}[A-Z])s?\)")
_LEAD = "#*_>| \t([（"
_LONGEST_FORM = 120


def references_completeness(plan: Plan, pairs: tuple[Ints, Ints]) -> Outcome:
    """Return the share of pairs that no border of a chunk parts."""
    firsts, ends = pairs
    if not len(firsts):
        return Outcome(None, "no reference to something near was found in the text")
    borders = plan.borders
    parted = np.searchsorted(borders, ends) > np.searchsorted(borders, firsts, side="right")
    broken = int(parted.sum())
    return Outcome.share(
        len(firsts) - broken, len(firsts), "references lie in one chunk with what they refer to"
    )


def reference_pairs(outline: Outline, sentences: tuple[Ints, Ints], near: int) -> tuple[Ints, Ints]:
    """Return where each pair begins and ends, in order. Labels and abbreviations are paired with
    what stands at most ``near`` characters away.
    """
    pairs = sorted(
        {
            *_pronouns(outline, sentences),
            *_labels(outline, near),
            *_abbreviations(outline.text, near),
        }
    )
    found = np.array(pairs, np.int64).reshape(-1, 2)
    return found[:, 0].copy(), found[:, 1].copy()


def _pronouns(outline: Outline, sentences: tuple[Ints, Ints]) -> Iterator[tuple[int, int]]:
    text = outline.text
    starts = sentences[0]
    blocks = np.searchsorted(np.array(outline.starts, np.int64), starts, side="right")
    inner = np.flatnonzero(blocks[1:] == blocks[:-1])
    for before, start in zip(starts[inner].tolist(), starts[inner + 1].tolist(), strict=True):
        word = _FIRST_WORD.match(text, start)
        if word is None:
            continue
        if word[1].lower() in _REFERRING:
            yield before, word.end()
        elif unspaced := _UNSPACED_FIRST.match(word[1]):
            yield before, word.start(1) + unspaced.end()


def _labels(outline: Outline, near: int) -> Iterator[tuple[int, int]]:
    text = outline.text
    captions = _numbered_headings(outline)
    mentions = []
    for number in _NUMBER.finditer(text):
        label = _label_before(text, number.start())
        if not label:
            continue
        start = number.start() - len(label)
        name = label.lower().split()[0]
        key = _SAME_LABEL.get(name, name), number[0]
        block = outline.starts[outline.block_at(start)]
        if text[block:start].strip(_LEAD):
            mentions.append((start, number.end(), key))
        else:
            captions.setdefault(key, []).append(start)
    for places in captions.values():
        places.sort()
    for start, end, key in mentions:
        caption = _nearest(captions.get(key, []), start)
        if caption is not None and abs(caption - start) <= near:
            yield (caption, end) if caption < start else (start, caption + 1)


def _label_before(text: str, at: int) -> str:
    """Return what names the number at ``at``, such as "Table "; ``""`` for a mere number."""
    before = text[max(0, at - _LONGEST_LABEL) : at]
    if before[-1:] in {" ", "\u00a0"}:
        words = before.split()
        if words and words[-1].lstrip("([*_").lower() in _LABELS:
            return before[before.rindex(words[-1].lstrip("([*_")) :]
        before = before[:-1]
    if before[-1:] and before[-1] in _UNSPACED_LABELS:
        return text[at - 1 : at] if text[at - 1] == before[-1] else text[at - 2 : at]
    return ""


def _numbered_headings(outline: Outline) -> dict[tuple[str, str], list[int]]:
    """Return where "4.1 Ropes" stands as a heading: that is what "Section 4.1" refers to."""
    found: dict[tuple[str, str], list[int]] = {}
    for start, kind in zip(outline.starts, outline.kinds, strict=True):
        number = _HEADING_NUMBER.match(outline.text, start) if kind is BlockKind.HEADING else None
        if number is not None:
            found.setdefault(("section", number[1]), []).append(start)
    return found


def _nearest(places: list[int], at: int) -> int | None:
    index = bisect_left(places, at)
    return min(
        places[max(0, index - 1) : index + 1], key=lambda place: abs(place - at), default=None
    )


def _abbreviations(text: str, near: int) -> Iterator[tuple[int, int]]:
    """Yield the first use of each abbreviation behind its definition."""
    for match in _DEFINITION.finditer(text):
        short = match[1]
        form = _long_form(text, match.start(), short)
        if form is None:
            continue
        use = re.compile(rf"\b{short}\b").search(text, match.end(), match.end() + near)
        if use is not None:
            yield form, use.end()


def _long_form(text: str, at: int, short: str) -> int | None:
    """Return where the words before ``at`` begin whose initials ``short`` spells, if they do."""
    words = list(re.finditer(r"[^\W\d_]+", text[max(0, at - _LONGEST_FORM) : at]))
    letters = [letter.lower() for letter in short]
    for word in reversed(words):
        if letters and word[0][0].lower() == letters[-1]:
            letters.pop()
        if not letters:
            return max(0, at - _LONGEST_FORM) + word.start()
    return None
