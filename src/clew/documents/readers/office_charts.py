"""Charts and diagrams of Office files: what they write, as a table or as lines."""

from __future__ import annotations

from clew.documents.builder import TextBuilder
from clew.documents.xml_tree import Element, child, local_name
from clew.records import BlockKind


def add_chart(builder: TextBuilder, root: Element) -> None:
    """Append the title of a chart and its values: a row a category, a column a series."""
    chart = child(root, "chart")
    if chart is None:
        return
    builder.add(BlockKind.PARAGRAPH, _drawn_text(child(chart, "title")))
    series = [element for element in chart.iter() if local_name(element) == "ser"]
    if not series:
        return
    names = [_series_name(element, number) for number, element in enumerate(series, start=1)]
    labels = _points(child(series[0], "cat")) or _points(child(series[0], "xVal"))
    columns = [_points(child(e, "val")) or _points(child(e, "yVal")) for e in series]
    places = sorted(set(labels).union(*columns))
    rows = [["", *names]]
    for place in places:
        label = labels.get(place, str(place + 1))
        rows.append([label, *(_rounded(column.get(place, "")) for column in columns)])
    builder.add_table(rows)


def add_diagram(builder: TextBuilder, root: Element) -> None:
    """Append the texts of a SmartArt diagram, one an item, in the order of its data."""
    for point in root.iter():
        if local_name(point) == "pt":
            builder.add_item(_drawn_text(child(point, "t")), 1)


def _series_name(series: Element, number: int) -> str:
    name = child(series, "tx")
    points = _points(name)
    if points:
        return " ".join(points.values())
    return _drawn_text(name) or f"Series {number}"


def _points(holder: Element | None) -> dict[int, str]:
    """Return the cached values by place; of labels with several levels, the innermost."""
    if holder is None:
        return {}
    levels = [element for element in holder.iter() if local_name(element) == "lvl"]
    found: dict[int, str] = {}
    for point in (levels[0] if levels else holder).iter():
        if local_name(point) == "pt":
            value = child(point, "v")
            place = point.get("idx", "")
            if value is not None and place.isdecimal():
                found[int(place)] = " ".join((value.text or "").split())
    if not found:
        value = child(holder, "v")
        found = {0: value.text} if value is not None and value.text else {}
    return found


def _rounded(value: str) -> str:
    """Binary fractions are shown as they were typed: 4.2999999999999998 is 4.3."""
    try:
        return f"{float(value):.12g}" if value else ""
    except ValueError:
        return value


def _drawn_text(holder: Element | None) -> str:
    """Return the DrawingML text below an element, a line a paragraph."""
    if holder is None:
        return ""
    lines = []
    for paragraph in holder.iter():
        if local_name(paragraph) == "p":
            runs = [t.text or "" for t in paragraph.iter() if local_name(t) == "t"]
            lines.append("".join(runs).strip())
    return "\n".join(line for line in lines if line)
