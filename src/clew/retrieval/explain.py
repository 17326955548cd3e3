"""How each result was reached, as a tree for a terminal."""

from __future__ import annotations

from textwrap import shorten

from clew.results import PathStep, RetrievalItem, RetrievalResult

_WIDTH = 100
_HOW = {
    "anchor": "the question names {entity}",
    "similar": "close to the question",
    "mentions": "mentions {entity}",
    "about": "is about {entity}",
}


def explain(result: RetrievalResult, *, width: int = _WIDTH) -> str:
    """All results of a search with their paths."""
    head = [f"{result.query}  ({result.method}, {len(result.items)} results)"]
    if result.entities_extracted:
        head.append(f"names: {', '.join(result.entities_extracted)}")
    head += [f"note: {note}" for note in result.notes]
    items = [
        explain_item(item, number=number, width=width)
        for number, item in enumerate(result.items, start=1)
    ]
    return "\n".join([*head, *items])


def explain_item(item: RetrievalItem, *, number: int = 1, width: int = _WIDTH) -> str:
    """One result: where it is, then its path, each step one level deeper than the one before."""
    title = f" {item.title}" if item.title and item.title != item.doc_id else ""
    lines = [f"{number}. {item.score:.3f} {item.doc_id}{title} [{item.start}:{item.end}]"]
    for depth, step in enumerate(item.path):
        lines += _step_lines(step, depth=depth, width=width)
    return "\n".join(lines)


def _step_lines(step: PathStep, *, depth: int, width: int) -> list[str]:
    indent = "   " + "   " * depth
    how = _HOW.get(step.relation, step.relation).format(entity=step.entity or "it")
    covers = f"  ({', '.join(step.covers)})" if step.covers else ""
    text = shorten(step.text, max(width - len(indent) - 5, 20), placeholder=" …")
    return [f"{indent}└─ {step.doc_id}: {how}{covers}", f'{indent}   "{text}"']
