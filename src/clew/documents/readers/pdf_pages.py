"""The lines of each page of a PDF with their places, as PDFium draws them.

PDFium is not made for threads: everything that touches it runs under one lock, and only plain
records leave it.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from statistics import median
from threading import Lock
from typing import Any

from clew.documents.readers.pdf_lines import (
    COLUMN_GAP,
    Cell,
    Line,
    PageLines,
    merged,
    without_bullet_gap,
)
from clew.errors import BrokenDocumentError, EncryptedDocumentError

_LOCK = Lock()
_HYPHEN_BREAK = "\ufffe"  # PDFium's sign for a hyphen that ends a line
# C1 controls are no letters: fonts that number their signs freely put bullets there.
_NONCHARACTERS = str.maketrans({"\ufffe": "", "\uffff": "", "\x00": "", "\x02": "-"})
_NONCHARACTERS.update(dict.fromkeys(range(0x80, 0xA0), "\u2022"))
_ALEF_LAM = re.compile("[\u0627\u0623\u0625\u0622]\u0644")
_FIXED_PITCH = 1
_BOLD_WEIGHT = 600
_FONT_NAME_BYTES = 128


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
        return PageLines(number=index + 1, height=page.get_height(), lines=merged(lines))
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
        for raw, places, breaks_word in self._drawn_lines():
            ends = [*self._turns(raw, places), len(raw)]
            begin = 0
            for end in ends:
                hyphen = breaks_word and end == len(raw)
                line = self._line(raw[begin:end], places[begin:end], breaks_word=hyphen)
                if line is not None:
                    yield line
                begin = end

    def _drawn_lines(self) -> Iterator[tuple[str, list[int], bool]]:
        """Yield text, places in PDFium's count, and whether a hyphen ended it."""
        text = self._page.get_text_range() if self._page.count_chars() else ""
        letters: list[str] = []
        places: list[int] = []
        index = 0
        for character in text:
            if character in "\r\n" or character == _HYPHEN_BREAK:
                yield "".join(letters), places, character == _HYPHEN_BREAK
                letters, places = [], []
            else:
                letters.append(character)
                places.append(index)
            index += 2 if character > "\uffff" else 1
        yield "".join(letters), places, False

    def _turns(self, raw: str, places: list[int]) -> Iterator[int]:
        """Yield where a word stands on another line further left: PDFium misses some line ends."""
        last = None
        for at, character in enumerate(raw):
            if character.isspace() or (at and not raw[at - 1].isspace()):
                continue
            if last is not None:
                box, before = self._char_box(places[at]), self._char_box(places[last])
                height = max(box[3] - box[1], before[3] - before[1], 4.0)
                sinks = abs(self._base_line(places[at]) - self._base_line(places[last])) > height
                if sinks and box[0] < before[0] - height:
                    yield at
            last = at

    def _line(self, raw: str, places: list[int], *, breaks_word: bool) -> Line | None:
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
        cells = without_bullet_gap(tuple(self._cells(raw.rstrip(), lead, places, size)))
        if breaks_word and not text.endswith("-"):
            cells = (*cells[:-1], replace(cells[-1], text=f"{cells[-1].text}-"))
        return Line(
            cells=cells,
            y=median(map(self._base_line, probes)),
            size=size,
            is_bold=all(self._font(at)[0] for at in probes),
            is_typed=all(self._font(at)[1] for at in probes),
            is_turned=self._is_turned(start),
            breaks_word=breaks_word or text.endswith(("-", "\u00ad", "\u2010")),
            ends_blank=raw.endswith((" ", "\xa0")),
        )

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
                if gap > COLUMN_GAP * size:
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

    def _font(self, index: int) -> tuple[bool, bool]:
        """Return whether the font of a character is bold, and whether of one width."""
        name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        flags = ctypes.c_int()
        self._pdfium.FPDFText_GetFontInfo(self._page, index, name, _FONT_NAME_BYTES, flags)
        weight = self._pdfium.FPDFText_GetFontWeight(self._page, index)
        lowered = name.value.lower()
        is_typed = flags.value & _FIXED_PITCH or b"courier" in lowered or b"mono" in lowered
        return weight >= _BOLD_WEIGHT or b"bold" in lowered, bool(is_typed)
