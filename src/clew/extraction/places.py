"""Where a name that was given without offsets is written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from clew.records import Chunk, Document, KnowledgeUnit
from clew.text.names import Name


def places_of(
    document: Document, chunk: Chunk, unit: KnowledgeUnit, surfaces: Iterable[tuple[str, str]]
) -> list[Name]:
    """Give each (surface, type) that a model named for ``unit`` its place in the document.

    A name is looked for in the span of the unit, then in the rest of its chunk (a model writes
    "Lothair II" where the sentence says "he"): the last place before the unit, else the first one
    behind it. One that is written nowhere gets the span of the unit, as said by the model. Case
    may differ; whole words only.
    """
    text = document.text
    names = []
    for surface, kind in surfaces:
        place = (
            find_name(text, surface, unit.start, unit.end)
            or find_name(text, surface, chunk.start, unit.start, last=True)
            or find_name(text, surface, unit.end, chunk.end)
        )
        if place:
            names.append(Name(*place, text[place[0] : place[1]], kind))
        else:
            names.append(Name(unit.start, unit.end, surface, kind))
    return names


def find_name(
    text: str, surface: str, start: int, end: int, *, last: bool = False
) -> tuple[int, int] | None:
    """The first (or last) place of ``surface`` in ``text[start:end]`` as whole words, any case."""
    wanted = surface.strip().casefold()
    window = text[start:end].casefold()
    if not wanted or len(window) != max(0, end - start):
        return _find_exact(text, surface.strip(), start, end, last=last)
    return _find(window, wanted, start, last=last)


def _find_exact(
    text: str, surface: str, start: int, end: int, *, last: bool
) -> tuple[int, int] | None:
    return _find(text[start:end], surface, start, last=last) if surface else None


def _find(window: str, wanted: str, offset: int, *, last: bool) -> tuple[int, int] | None:
    step = window.rfind if last else window.find
    at = step(wanted)
    while at >= 0:
        if is_whole(window, at, at + len(wanted)):
            return offset + at, offset + at + len(wanted)
        at = step(wanted, 0, at + len(wanted) - 1) if last else step(wanted, at + 1)
    return None


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word of a spaced script runs across either end of ``text[start:end]``.

    >>> is_whole("Bart met Art", 1, 4), is_whole("Bart met Art", 9, 12)
    (False, True)
    """
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    return 0 < at < len(text) and _is_spaced(text[at - 1]) and _is_spaced(text[at])


def _is_spaced(char: str) -> bool:
    """Whether ``char`` belongs to a word in a script that puts blanks between words."""
    if not (char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"):
        return False
    return char < "\u0e00" or not (
        "\u0e00" <= char <= "\u0eff"
        or "\u1000" <= char <= "\u109f"
        or "\u1780" <= char <= "\u17ff"
        or "\u3040" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u9fff"
        or char >= "\U00020000"
    )
