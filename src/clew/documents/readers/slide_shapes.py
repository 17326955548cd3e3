"""The shapes of a slide in reading order: title, text, tables, charts, diagrams, groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clew.documents.builder import TextBuilder
from clew.documents.readers.office_charts import add_chart, add_diagram
from clew.documents.readers.office_math import math_text
from clew.documents.readers.office_package import Package, chosen
from clew.documents.tables import Cell, lay_out
from clew.documents.xml_tree import Element, attribute, child, children, local_name
from clew.records import BlockKind

_TITLES = frozenset({"title", "ctrTitle"})
_BULLETED = frozenset({"body", "obj", ""})
_RUNNING = frozenset({"sldNum", "dt", "ftr", "hdr"})
_GROUPS = frozenset({"grpSp", "spTree", "lockedCanvas"})


@dataclass(frozen=True, slots=True)
class SlideParagraph:
    """``bullet`` is None where the paragraph leaves it to its placeholder."""

    text: str
    level: int = 0
    bullet: str | None = None


class SlideShapes:
    """Appends slides to a builder; footers that repeat are written once."""

    def __init__(self, builder: TextBuilder, package: Package) -> None:
        self._builder = builder
        self._package = package
        self._part = ""
        self._footers: set[str] = set()

    def add(self, part: str, root: Element) -> None:
        self._part = part
        tree = child(root, "cSld", "spTree")
        shapes = list(_leaves(tree)) if tree is not None else []
        # The title leads, wherever it lies in the drawing order.
        for shape in sorted(shapes, key=lambda shape: _placeholder(shape) not in _TITLES):
            self._add_shape(shape)

    def _add_shape(self, shape: Element) -> None:
        if local_name(shape) == "graphicFrame":
            self._add_frame(shape)
            return
        place = _placeholder(shape)
        paragraphs = [p for p in shape_paragraphs(shape) if p.text]
        if place in _TITLES:
            text = " ".join(" ".join(p.text.split()) for p in paragraphs)
            self._builder.add(BlockKind.HEADING, text, 1)
        elif place in _RUNNING:
            self._add_footer(place, paragraphs)
        else:
            self._add_paragraphs(paragraphs, bulleted=place in _BULLETED)

    def _add_paragraphs(self, paragraphs: list[SlideParagraph], *, bulleted: bool) -> None:
        number: dict[int, int] = {}
        # A lone line in a body placeholder is a sentence, not a list.
        bulleted = bulleted and len(paragraphs) > 1
        for paragraph in paragraphs:
            bullet = paragraph.bullet
            if bullet is None:
                bullet = "-" if bulleted else ""
            if bullet == "1.":
                number[paragraph.level] = number.get(paragraph.level, 0) + 1
                bullet = f"{number[paragraph.level]}."
            if bullet:
                self._builder.add_item(paragraph.text, paragraph.level + 1, bullet)
            else:
                self._builder.add(BlockKind.PARAGRAPH, paragraph.text)

    def _add_footer(self, place: str, paragraphs: list[SlideParagraph]) -> None:
        text = " ".join(p.text for p in paragraphs)
        if place in {"ftr", "hdr"} and text not in self._footers:
            self._footers.add(text)
            self._builder.add(BlockKind.PARAGRAPH, text)

    def _add_frame(self, frame: Element) -> None:
        for element in frame.iter():
            name = local_name(element)
            if name == "tbl":
                self._builder.add_table(_table(element))
            elif name == "chart":
                root = self._target(attribute(element, "id"))
                if root is not None:
                    add_chart(self._builder, root)
            elif name == "relIds":
                root = self._target(attribute(element, "dm"))
                if root is not None:
                    add_diagram(self._builder, root)

    def _target(self, relation: str) -> Element | None:
        return self._package.find_xml(self._package.target(self._part, relation))


def shape_paragraphs(shape: Element) -> Iterator[SlideParagraph]:
    """Yield the paragraphs of whatever text body lies in a shape."""
    for body in shape.iter():
        if local_name(body) == "txBody":
            for paragraph in children(body, "p"):
                yield _paragraph(paragraph)


def _paragraph(element: Element) -> SlideParagraph:
    settings = child(element, "pPr")
    level = "" if settings is None else settings.get("lvl", "0")
    return SlideParagraph(
        text=_text(element).strip(),
        level=min(int(level), 8) if level.isdecimal() else 0,
        bullet=None if settings is None else _bullet(settings),
    )


def _bullet(settings: Element) -> str | None:
    for element in settings:
        name = local_name(element)
        if name == "buNone":
            return ""
        if name == "buAutoNum":
            return "1."
        if name in {"buChar", "buBlip"}:
            return "-"
    return None


def _text(element: Element) -> str:
    pieces: list[str] = []
    for part in element:
        name = local_name(part)
        if name == "t":
            pieces.append(part.text or "")
        elif name == "br":
            pieces.append("\n")
        elif name in {"oMath", "oMathPara"}:
            pieces.append(math_text(part))
        elif name == "AlternateContent":
            branch = chosen(part)
            pieces.append("" if branch is None else _text(branch))
        elif name and name not in {"pPr", "rPr", "endParaRPr"}:
            pieces.append(_text(part))
    return "".join(pieces).replace("\v", "\n")


def _table(table: Element) -> list[list[str]]:
    rows: list[list[Cell]] = []
    for row in children(table, "tr"):
        cells = [
            cell
            for cell in children(row, "tc")
            if not (_is_on(cell, "hMerge") or _is_on(cell, "vMerge"))
        ]
        rows.append([_cell(cell) for cell in cells])
    return lay_out(rows)


def _cell(cell: Element) -> Cell:
    text = " ".join(p.text for p in shape_paragraphs(cell) if p.text)
    return Cell(text, columns=_span(cell, "gridSpan"), rows=_span(cell, "rowSpan"))


def _span(cell: Element, name: str) -> int:
    value = cell.get(name, "1")
    return int(value) if value.isdecimal() else 1


def _is_on(cell: Element, name: str) -> bool:
    return cell.get(name, "0") in {"1", "true"}


def _leaves(holder: Element) -> Iterator[Element]:
    """Yield the shapes below a group; anything unknown that holds text is a shape too."""
    for element in holder:
        name = local_name(element)
        if name == "AlternateContent":
            branch = chosen(element)
            if branch is not None:
                yield from _leaves(branch)
        elif name in _GROUPS:
            yield from _leaves(element)
        elif name and name not in {"nvGrpSpPr", "grpSpPr", "pic", "extLst"}:
            yield element


def _placeholder(shape: Element) -> str | None:
    """Return the type of a placeholder, ``""`` where it names none, None for other shapes."""
    place = child(shape, "nvSpPr", "nvPr", "ph")
    return None if place is None else attribute(place, "type")
