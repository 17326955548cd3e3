"""The values of a workbook as a reader sees them: texts, numbers, dates (ISO/IEC 29500-1, 18)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from clew.documents.readers.office_package import Package
from clew.documents.xml_tree import Element, child, children, local_name

_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_NO_DATE = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - dates of sheets have no zone
_EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001
_MAX_SERIAL = 2_958_466  # the year 10000


@dataclass(frozen=True, slots=True)
class Values:
    """Shared texts, which styles are dates, and the day that dates count from."""

    shared: tuple[str, ...]
    dates: frozenset[int]
    epoch: dt.datetime

    @classmethod
    def read(cls, package: Package, main: str, workbook: Element) -> Values:
        strings = next((root for _, root in package.related(main, "sharedStrings")), None)
        styles = next((root for _, root in package.related(main, "styles")), None)
        settings = child(workbook, "workbookPr")
        is_1904 = settings is not None and settings.get("date1904") in {"1", "true"}
        return cls(
            shared=tuple(map(_rich_text, children(strings, "si") if strings is not None else ())),
            dates=frozenset(_date_styles(styles) if styles is not None else ()),
            epoch=_EPOCH_1904 if is_1904 else _EPOCH,
        )

    def text_of(self, cell: Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inline = child(cell, "is")
            return "" if inline is None else _rich_text(inline)
        value = child(cell, "v")
        text = "" if value is None else (value.text or "").strip()
        if kind == "s":
            index = int(text) if text.isdecimal() else len(self.shared)
            return self.shared[index] if index < len(self.shared) else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(text, text)
        return self._number(text, cell.get("s", "")) if kind == "n" else text

    def _number(self, text: str, style: str) -> str:
        try:
            number = float(text)
        except ValueError:
            return text
        if style.isdecimal() and int(style) in self.dates and 0 <= number < _MAX_SERIAL:
            return _date(self.epoch + dt.timedelta(days=number), number)
        return f"{number:.15g}"


def _date(moment: dt.datetime, number: float) -> str:
    """Return a day, a time, or both, by what the number has of each."""
    rounded = (moment + dt.timedelta(milliseconds=500)).replace(microsecond=0)
    if number < 1:
        return rounded.time().isoformat()
    return rounded.date().isoformat() if number == int(number) else rounded.isoformat(" ")


def _rich_text(element: Element) -> str:
    """Return the text of its runs; ``rPh`` tells how to pronounce it and is not shown."""
    parts = [element, *children(element, "r")]
    return "".join(t.text or "" for part in parts for t in children(part, "t"))


def _date_styles(styles: Element) -> list[int]:
    formats: dict[int, str] = {}
    for element in styles.iter():
        code = element.get("numFmtId", "") if local_name(element) == "numFmt" else ""
        if code.isdecimal():
            formats[int(code)] = element.get("formatCode", "")
    uses = child(styles, "cellXfs")
    found: list[int] = []
    for number, use in enumerate(children(uses, "xf") if uses is not None else ()):
        code = use.get("numFmtId", "")
        if code.isdecimal() and _is_date(int(code), formats):
            found.append(number)
    return found


def _is_date(code: int, formats: dict[int, str]) -> bool:
    if code not in formats:
        return code in _BUILT_IN_DATES
    return any(sign in _NO_DATE.sub("", formats[code]).lower() for sign in "ymdhs")
