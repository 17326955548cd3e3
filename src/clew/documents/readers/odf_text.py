"""The text inside a paragraph of an OpenDocument file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from clew.documents.readers.odf_styles import OdfStyles
from clew.documents.superscripts import raised
from clew.documents.xml_tree import Element, attribute, child, local_name

_UNREAD = frozenset({"tracked-changes", "deletion", "bookmark", "ruby-text", "annotation-end"})
_BLANKS = re.compile(r"[ \t\r\n]+")
_FIXED = {"tab": "\t", "line-break": "\n"}
_FRAMES = frozenset({"frame", "custom-shape", "g", "rect", "text-box"})
_MAX_SPACES = 1000


@dataclass(slots=True)
class OdfRuns:
    """The text of a paragraph, and what hangs on it."""

    pieces: list[str] = field(default_factory=list)
    frames: list[Element] = field(default_factory=list)
    notes: list[tuple[str, Element]] = field(default_factory=list)
    comments: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces).strip()


def read_odf_runs(paragraph: Element, styles: OdfStyles) -> OdfRuns:
    runs = OdfRuns()
    _Reader(runs, styles).read(paragraph)
    return runs


class _Reader:
    def __init__(self, runs: OdfRuns, styles: OdfStyles) -> None:
        self._runs = runs
        self._styles = styles

    def read(self, element: Element) -> None:
        pieces = self._runs.pieces
        pieces.append(_BLANKS.sub(" ", element.text or ""))
        for part in element:
            self._read_part(part, local_name(part))
            pieces.append(_BLANKS.sub(" ", part.tail or ""))

    def _read_part(self, part: Element, name: str) -> None:
        runs = self._runs
        if name == "s":
            count = attribute(part, "c", "1")
            runs.pieces.append(" " * min(int(count) if count.isdecimal() else 1, _MAX_SPACES))
        elif name in _FIXED:
            runs.pieces.append(_FIXED[name])
        elif name == "note":
            _read_note(part, runs)
        elif name == "annotation":
            runs.comments.append(part)
        elif name in _FRAMES:
            runs.frames.append(part)
        elif name == "span" and self._styles.is_raised(attribute(part, "style-name")):
            text = "".join(map(str, part.itertext()))
            runs.pieces.append(raised("".join(runs.pieces)[-1:], text))
        elif name and name not in _UNREAD:
            self.read(part)


def _read_note(note: Element, runs: OdfRuns) -> None:
    citation, body = child(note, "note-citation"), child(note, "note-body")
    number = "" if citation is None else "".join(map(str, citation.itertext())).strip()
    kind = "e" if attribute(note, "note-class") == "endnote" else ""
    mark = f"[^{kind}{number}]"
    runs.pieces.append(mark)
    if body is not None:
        runs.notes.append((mark, body))
