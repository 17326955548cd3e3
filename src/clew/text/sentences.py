"""Sentence boundaries by rule, in any script, in one linear pass."""

from __future__ import annotations

import re

_STOPS = r".!?…‼⁇⁈⁉。！？｡．؟।॥۔።፧፨။។։"
_UNSPACED_STOPS = frozenset("。！？｡．।॥။។")
_CLOSERS = r"""\"'”’»›)\]}」』）】〉》〕*_"""
_PLACE = re.compile(
    rf"[{_STOPS}\n\r](?P<more>[{_STOPS}]*+)(?P<close>(?:[{_CLOSERS}]|\[\w{{1,3}}\])*+)(?P<gap>\s*+)"
)
_MARKER = re.compile(r"(?:[-*+•‣▪◦·]|\(?(?:\d{1,2}|[a-z])\)|(?P<number>\d{1,2})\.)\s")
_OPENERS = re.compile(r"""["'“‘«‹(\[{「『（【〈《¿¡*_\s–—-]*""")
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘«/–—]*$")
_FIRST_WORD = re.compile(r"[\w'’-]+")

_NEVER_LAST = frozenset(
    """
    mr mrs ms dr prof st gen col capt lt sgt rev hon sen rep gov pres messrs mt ft fig figs eq eqs
    sec ch vol vols pp p cf e.g eg i.e ie viz vs v approx ca nr bzw z.b d.h u.a u.ä s abs hr fr frl
    sog vgl inkl evtl ggf mme mlle mm sr sra srta dña ud núm pág sig dott ing г ул им рис т.е op
""".split()
)
_SELDOM_LAST = frozenset(
    """
    etc inc ltd co corp jr sr esq a.m p.m ph.d m.d b.a m.a b.c a.d al usw jan feb mar apr jun jul
    aug sep sept oct nov dec dept univ assn bros plc mass calif ave blvd rd no nos art т.д т.п др
""".split()
)
_STARTERS = frozenset(
    """
    a an the he she it we you they i this that these those there here his her its our their my your
    in on at by for from with as if when while after before since although though because but and
    or so yet however then thus now later what who how why where which one some many most all no
    der die das ein eine er sie es wir ihr ich dies diese dieser im am bei nach vor mit und aber
    le la les un une il elle ils elles nous vous je ce cette ces en dans mais et puis
    el los las una uno ella ellos nosotros yo este esta estos pero y
    он она оно они мы вы я это в на но и
""".split()
)


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the (start, end) of each sentence of ``text[start:end]``, as offsets into ``text``.

    Spans are in order, do not overlap, are trimmed of white space, and together hold every
    character that is no white space. A blank line ends a sentence, a line break does not.

    >>> text = "Dr. Orm came at 5 p.m. He left."
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['Dr. Orm came at 5 p.m.', 'He left.']
    """
    end = len(text) if end is None else min(end, len(text))
    spans: list[tuple[int, int]] = []
    first = start
    marker = 0
    for place in _PLACE.finditer(text, start, end):
        behind = place.end()
        last = place.start("gap")
        if text[place.start()] in "\n\r":
            last = place.start()
        breaks = _breaks(text, first, place, end)
        if not breaks and _line_breaks(text, last, behind) == 1:
            item = _MARKER.match(text, behind, end)
            if item and (not item["number"] or int(item["number"]) in {1, marker + 1}):
                marker = int(item["number"] or 0)
                breaks = True
        if breaks:
            _add(spans, text, first, last)
            first = behind
    _add(spans, text, first, end)
    return spans


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    body = piece.strip()
    if body:
        start += len(piece) - len(piece.lstrip())
        spans.append((start, start + len(body)))


def _line_breaks(text: str, start: int, end: int) -> int:
    gap = text[start:end]
    return gap.count("\n") + gap.count("\r") - gap.count("\r\n") + 2 * gap.count("\f")


def _breaks(text: str, first: int, place: re.Match[str], end: int) -> bool:  # noqa: PLR0911 - one rule, one return
    """Whether a sentence that begins at ``first`` ends at this place."""
    at, behind = place.start(), place.end()
    if text[at] in "\n\r":
        return _line_breaks(text, at, behind) >= 2
    gap = place.start("gap")
    if gap < behind and _line_breaks(text, gap, behind) >= 2:
        return True
    stops = text[at] + place["more"]
    if stops[-1] in _UNSPACED_STOPS:
        return True
    if gap == behind:
        return False
    opener = _OPENERS.match(text, behind, end)
    following = opener.end() if opener else behind
    if following >= end:
        return True
    if text[following].islower():
        return stops[-1] in "!?؟" and not place["close"]
    if stops != ".":
        return True
    return _full_stop(text, first, at, following, end)


def _full_stop(text: str, first: int, at: int, following: int, end: int) -> bool:
    """Whether the single full stop at ``at`` ends a sentence and not an abbreviation."""
    found = _LAST_WORD.search(text, max(first, at - 40), at)
    word = found[0] if found else ""
    key = word.casefold()
    if first + len(word) >= at and (word.isdigit() or len(word) == 1):
        return False
    if key in {"no", "nos", "nr"}:
        return not text[following].isdigit()
    if key in _NEVER_LAST:
        return False
    if key in _SELDOM_LAST or (len(word) == 1 and word.isalpha()) or "." in word[:-1]:
        starter = _FIRST_WORD.match(text, following, end)
        return starter is not None and starter[0].casefold() in _STARTERS
    return True
