"""The text inside a paragraph of a Word file, as its reader sees it.

Tracked insertions are in, deletions out; of a field, what it shows; of a ruby, its base text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from clew.documents.readers.office_math import math_text
from clew.documents.readers.office_package import chosen, value_of
from clew.documents.superscripts import raised
from clew.documents.xml_tree import Element, attribute, child, local_name

_UNREAD = frozenset(
    "del moveFrom delText instrText delInstrText pPr rPr rt rubyPr softHyphen sdtPr "
    "fldChar bookmarkStart bookmarkEnd proofErr annotationRef footnoteRef endnoteRef".split()
)
_PRIVATE_USE = range(0xF000, 0xF100)


@dataclass(slots=True)
class Runs:
    """The text of a paragraph, and what hangs on it: boxes, drawings, notes, page ends."""

    pieces: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    drawings: list[Element] = field(default_factory=list)
    page_ends: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def read_runs(paragraph: Element) -> Runs:
    runs = Runs()
    for element in paragraph:
        _read(element, runs)
    return runs


def note_mark(kind: str, number: str) -> str:
    """Return what stands for a note in the text and before the note: ``[^3]``, ``[^e3]``."""
    return f"[^{kind}{number}]"


def _read(element: Element, runs: Runs) -> None:
    name = local_name(element)
    if name in _TEXTS:
        runs.pieces.append(_TEXTS[name](element))
    elif name == "lastRenderedPageBreak":
        runs.page_ends.append(sum(map(len, runs.pieces)))
    elif name == "txbxContent":
        runs.boxes.append(element)
    elif name in {"chart", "relIds"}:
        runs.drawings.append(element)
    elif name == "AlternateContent":
        branch = chosen(element)
        if branch is not None:
            _read_all(branch, runs)
    elif name == "r":
        _read_run(element, runs)
    elif name and name not in _UNREAD:
        _read_all(element, runs)


def _read_run(run: Element, runs: Runs) -> None:
    if _is_hidden(run):
        return
    begin = len(runs.pieces)
    _read_all(run, runs)
    is_raised = value_of(run, "rPr", "vertAlign") == "superscript"
    if is_raised and child(run, "t") is not None and begin:
        text = "".join(runs.pieces[begin:])
        runs.pieces[begin:] = [raised("".join(runs.pieces[begin - 1 : begin]), text)]


def _read_all(element: Element, runs: Runs) -> None:
    for part in element:
        _read(part, runs)


def _is_hidden(run: Element) -> bool:
    mark = child(run, "rPr", "vanish")
    return mark is not None and value_of(run, "rPr", "vanish", default="1") not in {"0", "false"}


def _symbol(element: Element) -> str:
    code = attribute(element, "char")
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return "•" if number in _PRIVATE_USE else chr(number)


def _line_break(element: Element) -> str:
    return "" if attribute(element, "type") in {"page", "column"} else "\n"


_TEXTS: dict[str, Callable[[Element], str]] = {
    "t": lambda element: element.text or "",
    "tab": lambda _: "\t",
    "ptab": lambda _: "\t",
    "cr": lambda _: "\n",
    "br": _line_break,
    "noBreakHyphen": lambda _: "-",
    "sym": _symbol,
    "footnoteReference": lambda element: note_mark("", attribute(element, "id")),
    "endnoteReference": lambda element: note_mark("e", attribute(element, "id")),
    "oMath": math_text,
    "oMathPara": math_text,
}
