"""Lines → paragraphs, headings, list items and tables.

A paragraph goes on while the next line has the same size, stands one line below, and its first
word would not have fitted on the line before. It goes on over a column or a page when its last
line is full and ends in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from clew.documents.readers.hyphenation import LineJoiner, is_unspaced
from clew.documents.readers.pdf_headings import HEADING_SIZE, body_size, mark_headings, share_of
from clew.documents.readers.pdf_lines import Line, PageLines
from clew.documents.readers.pdf_paragraph import Paragraph
from clew.documents.readers.pdf_tables import TableRun, read_table
from clew.records import BlockKind

_BULLET = re.compile(r"[•◦▪▫●○■□✓✔➢➤⁃∙·‣\uf0b7\uf0a7]\s*|[-–*]\s+(?=\S)")
_NUMBERED = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]{1,4}\))\s+\S")
_SENTENCE_END = re.compile(r"[.!?:;。！？…][\"'”’)\]]*\d*$")
_SAME_SIZE = 0.1
_MAX_TYPED_SHARE = 0.5
_MAX_INDENT = 40
_WINDOW = 6


def find_paragraphs(pages: list[PageLines]) -> Iterator[Paragraph]:
    """Yield the paragraphs of all pages in reading order."""
    lines = [line for page in pages for line in page.lines]
    if not lines:
        return iter(())
    finder = _Finder(lines)
    for page in pages:
        finder.take(page)
    paragraphs = finder.finish()
    mark_headings(paragraphs, lines)
    return iter(paragraphs)


class _Finder:
    def __init__(self, lines: list[Line]) -> None:
        self._joiner = LineJoiner(lines)
        self._body = body_size(lines)
        self._leading = _leading(lines)
        self._typed_is_code = share_of(lines, lambda line: line.is_typed) < _MAX_TYPED_SHARE
        self._done: list[Paragraph] = []
        self._open: Paragraph | None = None
        self._rights: dict[Line, float] = {}

    def take(self, page: PageLines) -> None:
        self._rights |= _right_margins(page.lines)
        for part in self._parts(page.lines):
            if isinstance(part, list):
                rows = read_table(part)
                if rows:
                    self._close()
                    self._done.append(Paragraph(page=page.number, rows=rows))
                else:
                    for line in part:
                        self._close()
                        self._begin(page.number, line)
                    self._close()
            elif self._open is not None and self._goes_on(self._open, part, page.number):
                self._append(self._open, part, page.number)
            else:
                self._close()
                self._begin(page.number, part)

    def finish(self) -> list[Paragraph]:
        self._close()
        return self._done

    def _begin(self, page: int, line: Line) -> None:
        paragraph = Paragraph(page=page, text=line.text, lines=[line])
        self._open = paragraph
        if self._is_code(line):
            paragraph.kind = BlockKind.CODE
            return
        bullet = _BULLET.match(line.text)
        if bullet is not None and len(line.text) > bullet.end():
            paragraph.text = f"- {line.text[bullet.end() :]}"
            paragraph.kind, paragraph.level = BlockKind.LIST_ITEM, 1
        elif _NUMBERED.match(line.text) and line.size <= HEADING_SIZE * self._body:
            paragraph.kind, paragraph.level = BlockKind.LIST_ITEM, 1

    def _append(self, paragraph: Paragraph, line: Line, page: int) -> None:
        if paragraph.kind is BlockKind.CODE:
            text = f"{paragraph.text}\n{_indent(line, paragraph.lines[0])}"
        else:
            text = self._joiner.join(paragraph.text, paragraph.lines[-1], line.text)
        if page != (paragraph.page_marks[-1][1] if paragraph.page_marks else paragraph.page):
            paragraph.page_marks.append((len(text), page))
        paragraph.text = text + line.text
        paragraph.lines.append(line)

    def _close(self) -> None:
        if self._open is not None:
            self._done.append(self._open)
            self._open = None

    def _goes_on(self, paragraph: Paragraph, line: Line, page: int) -> bool:
        last = paragraph.lines[-1]
        if self._is_code(line) or paragraph.kind is BlockKind.CODE:
            return self._is_code(line) and paragraph.kind is BlockKind.CODE
        if not (_has_words(line) and _has_words(last)):
            return False
        if abs(last.size - line.size) > _SAME_SIZE * last.size or _begins_item(line, last):
            return False
        is_large = last.size > HEADING_SIZE * self._body
        down = last.y - line.y
        last_page = paragraph.page_marks[-1][1] if paragraph.page_marks else paragraph.page
        if page != last_page or down < -0.5 * line.size:
            return not is_large and self._runs_over(last, line)
        if down > 1.4 * max(self._leading, line.size * (1.3 if is_large else 0.9)):
            return False
        return is_large or self._is_next_line(paragraph, last, line)

    def _is_next_line(self, paragraph: Paragraph, last: Line, line: Line) -> bool:
        """The line stands right below and looks alike; does it belong to the same paragraph?"""
        ends_bold = last.is_bold and not line.is_bold and len(paragraph.lines) == 1
        if ends_bold and _is_short(last, self._right_of(last)):
            return False
        if _NUMBERED.match(line.text) and _ends_item(paragraph, last):
            return False
        if line.left > last.left + line.size and _SENTENCE_END.search(last.text):
            return False
        return last.breaks_word or not self._would_fit(line, last)

    def _parts(self, lines: tuple[Line, ...]) -> Iterator[Line | TableRun]:
        """Yield lines, and runs of lines that are divided into columns as one."""
        run: TableRun = []
        for line in lines:
            if len(line.cells) > 1 and not self._is_code(line):
                run.append(line)
                continue
            yield from _closed(run)
            run = []
            yield line
        yield from _closed(run)

    def _is_code(self, line: Line) -> bool:
        return line.is_typed and self._typed_is_code

    def _runs_over(self, last: Line, line: Line) -> bool:
        if last.breaks_word:
            return line.text[:1].islower()
        goes_on = line.text[:1].islower() or (line.text[:1].isalpha() and last.text[-1:] == ",")
        return goes_on and not _SENTENCE_END.search(last.text)

    def _would_fit(self, line: Line, last: Line) -> bool:
        """A line ends before a word that has no room: had it room, the writer ended the line."""
        letters = max(1, len(last.text))
        width = (last.right - last.left) / letters
        word = line.text[:1] if is_unspaced(line.text[:1]) else line.text.split(" ", 1)[0]
        room = self._right_of(last) - last.right
        return room > (len(word) + 2) * width

    def _right_of(self, line: Line) -> float:
        return self._rights.get(line, line.right)


def _closed(run: TableRun) -> Iterator[Line | TableRun]:
    if len(run) > 1:
        yield run
    else:
        yield from run


def _leading(lines: list[Line]) -> float:
    """Return the usual distance between the base lines of a paragraph."""
    gaps = [
        a.y - b.y
        for a, b in pairwise(lines)
        if abs(a.size - b.size) < 0.5 and 0.7 * a.size < a.y - b.y < 2.2 * a.size
    ]
    return median(gaps) if gaps else 1.2 * lines[0].size


def _right_margins(lines: tuple[Line, ...]) -> dict[Line, float]:
    """Return how far the lines around each line reach: of the column, not of the page.

    The longest of them may stick out (a heading over two columns), so the second longest counts.
    """
    margins: dict[Line, float] = {}
    for at, line in enumerate(lines):
        near = [
            other.right
            for other in lines[max(0, at - _WINDOW) : at + _WINDOW + 1]
            if abs(other.left - line.left) < 3 * line.size
            and abs(other.size - line.size) < _SAME_SIZE * line.size
        ]
        near.sort()
        margins[line] = max(line.right, near[-2] if len(near) > 4 else near[-1])
    return margins


def _has_words(line: Line) -> bool:
    """A row of dashes is a rule, not a line of a paragraph."""
    return any(map(str.isalnum, line.text))


def _indent(line: Line, first: Line) -> str:
    """Code keeps its indentation; PDF has it as distances only. Typed letters are 0.6 wide."""
    columns = round((line.left - first.left) / (0.6 * line.size))
    return " " * min(max(0, columns), _MAX_INDENT)


def _is_short(line: Line, right: float) -> bool:
    return line.right < line.left + 0.8 * (right - line.left)


def _begins_item(line: Line, last: Line) -> bool:
    """A sign that also stands inside the line before is a separator, not a bullet."""
    return bool(_BULLET.match(line.text)) and line.text[0] not in last.text[1:]


def _ends_item(paragraph: Paragraph, last: Line) -> bool:
    is_item = paragraph.kind is BlockKind.LIST_ITEM
    return is_item or bool(_SENTENCE_END.search(last.text))
