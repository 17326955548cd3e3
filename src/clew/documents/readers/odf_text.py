"""The text inside a paragraph of an OpenDocument file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from clew.documents.xml_tree import Element, attribute, child, local_name

_UNREAD = frozenset({"tracked-changes", "deletion", "bookmark", "ruby-text", "annotation-end"})
_BLANKS = re.compile(r"[ \t\r\n]+")
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


def read_odf_runs(paragraph: Element) -> OdfRuns:
    runs = OdfRuns()
    _read(paragraph, runs)
    return runs


def _read(element: Element, runs: OdfRuns) -> None:
    runs.pieces.append(_BLANKS.sub(" ", element.text or ""))
    for part in element:
        _read_part(part, local_name(part), runs)
        runs.pieces.append(_BLANKS.sub(" ", part.tail or ""))


def _read_part(part: Element, name: str, runs: OdfRuns) -> None:
    if name == "s":
        count = attribute(part, "c", "1")
        runs.pieces.append(" " * min(int(count) if count.isdecimal() else 1, _MAX_SPACES))
    elif name == "tab":
        runs.pieces.append("\t")
    elif name == "line-break":
        runs.pieces.append("\n")
    elif name == "note":
        _read_note(part, runs)
    elif name == "annotation":
        runs.comments.append(part)
    elif name in {"frame", "custom-shape", "g", "rect", "text-box"}:
        runs.frames.append(part)
    elif name and name not in _UNREAD:
        _read(part, runs)


def _read_note(note: Element, runs: OdfRuns) -> None:
    citation, body = child(note, "note-citation"), child(note, "note-body")
    number = "" if citation is None else "".join(map(str, citation.itertext())).strip()
    kind = "e" if attribute(note, "note-class") == "endnote" else ""
    mark = f"[^{kind}{number}]"
    runs.pieces.append(mark)
    if body is not None:
        runs.notes.append((mark, body))
