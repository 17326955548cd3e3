"""The lines of each page of a PDF with their places, as PDFium draws them.

PDFium is not made for threads: everything that touches it runs under one lock, and only plain
records leave it.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot
from statistics import median
from threading import Lock
from typing import Any

from clew.errors import BrokenDocumentError, EncryptedDocumentError

_LOCK = Lock()
_HYPHEN_BREAK = "\ufffe"  # PDFium's sign for a hyphen that ends a line
_NONCHARACTERS = str.maketrans({"\ufffe": "", "\uffff": "", "\x00": "", "\x02": "-"})
_ALEF_LAM = re.compile("[\u0627\u0623\u0625\u0622]\u0644")
_BOLD_WEIGHT = 600
_FONT_NAME_BYTES = 128
# A blank this many heights wide parts the columns of a table.
_COLUMN_GAP = 1.0


@dataclass(frozen=True, slots=True)
class Cell:
    """A run of a line without a wide gap, and where it stands."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line as drawn: ``y`` is its base line, upwards; ``size`` that of its font.

    ``breaks_word`` says that it ends with a hyphen, ``ends_blank`` that a blank was drawn there,
    ``is_turned`` that it runs up or down the page.
    """

    cells: tuple[Cell, ...]
    y: float
    size: float
    is_bold: bool = False
    breaks_word: bool = False
    ends_blank: bool = False
    is_turned: bool = False

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)

    @property
    def left(self) -> float:
        return self.cells[0].left

    @property
    def right(self) -> float:
        return self.cells[-1].right


@dataclass(frozen=True, slots=True)
class PageLines:
    number: int
    height: float
    lines: tuple[Line, ...]
    is_broken: bool = False


def read_pages(data: bytes) -> tuple[list[PageLines], dict[str, str]]:
    """Return the lines of every page, and the document's own details.

    A page that PDFium cannot load is there without lines and with ``is_broken``.
    """
    import pypdfium2  # noqa: PLC0415 - a binary library, loaded on use

    with _LOCK:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).lower():
                raise EncryptedDocumentError(
                    "it is encrypted; save it without a password"
                ) from error
            raise BrokenDocumentError(f"it is damaged ({error})") from error
        try:
            details = {key: str(value) for key, value in document.get_metadata_dict().items()}
            pages = [_page(document, index) for index in range(len(document))]
        finally:
            document.close()
    return pages, details


def _page(document: Any, index: int) -> PageLines:
    import pypdfium2  # noqa: PLC0415 - a binary library, loaded on use

    try:
        return _read_page(document, index)
    except pypdfium2.PdfiumError:
        return PageLines(number=index + 1, height=0.0, lines=(), is_broken=True)


def _read_page(document: Any, index: int) -> PageLines:
    page = document[index]
    try:
        text_page = page.get_textpage()
        try:
            lines = tuple(_PageReader(text_page).lines())
        finally:
            text_page.close()
        return PageLines(number=index + 1, height=page.get_height(), lines=_merged(lines))
    finally:
        page.close()


class _PageReader:
    """Cuts the characters of one page into lines and cells."""

    def __init__(self, text_page: Any) -> None:
        import pypdfium2.raw as pdfium  # noqa: PLC0415 - a binary library, loaded on use

        self._pdfium = pdfium
        self._page = text_page
        self._matrix = pdfium.FS_MATRIX()
        self._sides = tuple(ctypes.c_double() for _ in range(4))

    def lines(self) -> Iterator[Line]:
        count = self._page.count_chars()
        text = self._page.get_text_range() if count else ""
        begin = index = 0  # place in the text, and of its character in PDFium's count
        first = 0
        for at, character in enumerate(text):
            if character in "\r\n" or character == _HYPHEN_BREAK:
                hyphen = character == _HYPHEN_BREAK
                line = self._line(text[begin:at], first, breaks_word=hyphen)
                if line is not None:
                    yield line
                begin, first = at + 1, index + 1
            index += 2 if character > "\uffff" else 1
        line = self._line(text[begin:], first, breaks_word=False)
        if line is not None:
            yield line

    def _line(self, raw: str, first: int, *, breaks_word: bool) -> Line | None:
        places = self._places(raw, first)
        raw = self._with_ligatures(raw, places)
        text = raw.strip()
        if not text.translate(_NONCHARACTERS):
            return None
        lead = len(raw) - len(raw.lstrip())
        # A bullet or a raised number in front, or a bold lead-in, does not stand for the line.
        probes = [
            places[lead],
            places[(lead + len(raw.rstrip())) // 2],
            places[len(raw.rstrip()) - 1],
        ]
        start = places[lead]
        size = median(map(self._size, probes))
        cells = tuple(self._cells(raw.rstrip(), lead, places, size))
        if breaks_word and not text.endswith("-"):
            cells = (*cells[:-1], replace(cells[-1], text=f"{cells[-1].text}-"))
        return Line(
            cells=cells,
            y=median(map(self._base_line, probes)),
            size=size,
            is_bold=all(map(self._is_bold, probes)),
            is_turned=self._is_turned(start),
            breaks_word=breaks_word or text.endswith(("-", "\u00ad", "\u2010")),
            ends_blank=raw.endswith((" ", "\xa0")),
        )

    def _places(self, raw: str, first: int) -> list[int]:
        places: list[int] = []
        for character in raw:
            places.append(first)
            first += 2 if character > "\uffff" else 1
        return places

    def _with_ligatures(self, raw: str, places: list[int]) -> str:
        """PDFium gives the two letters of an Arabic lam-alef in the order of the eye: swap them."""
        letters = list(raw)
        for match in _ALEF_LAM.finditer(raw):
            at = match.start()
            if self._char_box(places[at]) == self._char_box(places[at + 1]):
                letters[at], letters[at + 1] = letters[at + 1], letters[at]
        return "".join(letters)

    def _cells(self, raw: str, lead: int, places: list[int], size: float) -> Iterator[Cell]:
        begin = lead
        for at in range(lead + 1, len(raw)):
            if raw[at - 1].isspace() and not raw[at].isspace():
                before = at - 1
                while before > begin and raw[before].isspace():
                    before -= 1
                gap = self._char_box(places[at])[0] - self._char_box(places[before])[2]
                if gap > _COLUMN_GAP * size:
                    yield self._cell(raw, begin, before, places)
                    begin = at
        yield self._cell(raw, begin, len(raw) - 1, places)

    def _cell(self, raw: str, begin: int, last: int, places: list[int]) -> Cell:
        text = " ".join(raw[begin : last + 1].translate(_NONCHARACTERS).split())
        a, b = self._char_box(places[begin]), self._char_box(places[last])
        return Cell(text=text, left=min(a[0], b[0]), right=max(a[2], b[2]))

    def _char_box(self, index: int) -> tuple[float, float, float, float]:
        """Return left, bottom, right, top of the ink of a character."""
        left, right, bottom, top = self._sides
        self._pdfium.FPDFText_GetCharBox(self._page, index, left, right, bottom, top)
        return left.value, bottom.value, right.value, top.value

    def _size(self, index: int) -> float:
        """Return the size of the font as drawn: many files write size 1 and scale it."""
        self._pdfium.FPDFText_GetMatrix(self._page, index, self._matrix)
        scale = hypot(self._matrix.c, self._matrix.d)
        size = self._pdfium.FPDFText_GetFontSize(self._page, index) * scale
        return max(round(float(size), 1), 1.0)

    def _is_turned(self, index: int) -> bool:
        self._pdfium.FPDFText_GetMatrix(self._page, index, self._matrix)
        return bool(abs(self._matrix.b) > abs(self._matrix.a))

    def _base_line(self, index: int) -> float:
        x, y = self._sides[:2]
        self._pdfium.FPDFText_GetCharOrigin(self._page, index, x, y)
        return float(y.value)

    def _is_bold(self, index: int) -> bool:
        if self._pdfium.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT:
            return True
        name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        flags = ctypes.c_int()
        self._pdfium.FPDFText_GetFontInfo(self._page, index, name, _FONT_NAME_BYTES, flags)
        return b"bold" in name.value.lower()


def _merged(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Put pieces together that were drawn one after the other on the same base line."""
    merged: list[Line] = []
    for line in lines:
        last = merged[-1] if merged else None
        if last is not None and _continues(last, line):
            merged[-1] = _together(last, line)
        else:
            merged.append(line)
    return tuple(merged)


def _continues(last: Line, line: Line) -> bool:
    """The next piece is further right at the same height; if close by, it may be raised."""
    height = max(last.size, line.size)
    gap, rise = line.left - last.right, abs(last.y - line.y)
    if last.is_turned or line.is_turned or gap < -0.3 * height:
        return False
    return rise < 0.2 * height or (rise < 0.7 * height and gap < height)


def _together(last: Line, line: Line) -> Line:
    larger = last if len(last.text) * last.size >= len(line.text) * line.size else line
    gap = line.left - last.right
    cells = last.cells + line.cells
    if gap <= _COLUMN_GAP * larger.size:
        a, b = last.cells[-1], line.cells[0]
        glued = gap < 0.15 * larger.size and not last.ends_blank
        text = f"{a.text}{'' if glued else ' '}{b.text}"
        joined = Cell(text=text, left=a.left, right=b.right)
        cells = (*last.cells[:-1], joined, *line.cells[1:])
    return Line(
        cells=cells,
        y=larger.y,
        size=larger.size,
        is_bold=last.is_bold and line.is_bold,
        breaks_word=line.breaks_word,
        ends_blank=line.ends_blank,
    )
