"""How each result was reached, as a tree: unit → entity → unit, what of the question each step has,
and what the score is made of.

:func:`branches_of` gives the tree as data, for whoever draws it; :func:`explain` draws it as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Literal

from clew.results import NameLink, PathStep, RetrievalItem, RetrievalResult
from clew.text.words import terms

Kind = Literal["scores", "link", "unit", "missing"]

_WIDTH = 100
_LEAST_TEXT = 20
_FIRST = {
    "anchor": "the question names {entity}",
    "similar": "close to the question",
    "mentions": "{entity}, which passages close to the question mention",
    "about": "about {entity}, which passages close to the question mention",
}
_NEXT = {
    "anchor": "{entity}, which the question names",
    "similar": "close to the question",
    "mentions": "{entity}, named in both",
    "about": "{entity}, which the next passage is about",
}
_OF_FIRST_STAGE = ("alone", "links")


@dataclass(frozen=True, kw_only=True, slots=True)
class Branch:
    """``text`` in one line, ``notes`` below it, then ``branches``. Of a unit, ``words`` are the
    words of the question that it has.
    """

    kind: Kind
    text: str
    notes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    branches: tuple[Branch, ...] = ()


def explain(result: RetrievalResult, *, width: int | None = _WIDTH) -> str:
    """All results of a search with their paths. Units are cut to ``width``; None leaves them."""
    head = [f"{result.query}  ({result.method}, {len(result.items)} results)"]
    if result.names or result.entities_extracted:
        names = [_name(name) for name in result.names] or result.entities_extracted
        head.append(f"names: {', '.join(names)}")
    if result.reranker:
        head.append(f"read again by: {result.reranker}")
    head += [f"note: {note}" for note in result.notes]
    items = [
        explain_item(item, number=number, width=width)
        for number, item in enumerate(result.items, start=1)
    ]
    return "\n".join([*head, *items])


def explain_item(item: RetrievalItem, *, number: int = 1, width: int | None = _WIDTH) -> str:
    """One result: where it is, then its tree."""
    title = f" {item.title}" if item.title and item.title != item.doc_id else ""
    head = f"{number}. {item.score:.3f} {item.doc_id}{title} [{item.start}:{item.end}]"
    return "\n".join([head, *draw(branches_of(item), indent="   ", width=width)])


def branches_of(item: RetrievalItem) -> tuple[Branch, ...]:
    """What the score is made of, the path, and the words of the question that it does not have."""
    branches = [Branch(kind="scores", text=_scores(item), notes=_details(item))]
    branches += _path(item.path, item.covers)
    if item.uncovered:
        words = ", ".join(item.uncovered)
        branches.append(Branch(kind="missing", text=f"neither here nor on the path: {words}"))
    return tuple(branches)


def draw(branches: Sequence[Branch], *, indent: str, width: int | None) -> Iterator[str]:
    """The lines of a tree of plain characters; the texts of units are cut to ``width``."""
    for place, branch in enumerate(branches):
        last = place == len(branches) - 1
        below = indent + ("   " if last else "│  ")
        text = _cut(branch.text, width, len(below)) if branch.kind == "unit" else branch.text
        yield indent + ("└─ " if last else "├─ ") + text
        bar = "│  " if branch.branches else "   "
        yield from (below + bar + note for note in branch.notes)
        yield from draw(branch.branches, indent=below, width=width)


def _name(name: NameLink) -> str:
    """A name of the question, with what it was taken for where that is not the same."""
    if name.entities == (name.text,):
        return name.text
    letters = f", {name.distance} letter{'s' * (name.distance > 1)}" if name.distance else ""
    return f"{name.text} → {' | '.join(name.entities)} ({name.how}{letters})"


def _path(path: Sequence[PathStep], of_passage: Sequence[str]) -> list[Branch]:
    """Each step inside the one before: the link that leads to it, then the unit. Of the last one,
    the words that only the passage around it has are told too.
    """
    inner: tuple[Branch, ...] = ()
    for place in range(len(path) - 1, -1, -1):
        around = of_passage if place == len(path) - 1 else ()
        unit = replace(_unit(path[place], around, is_first=place == 0), branches=inner)
        forms = _FIRST if place == 0 else _NEXT
        step = path[place]
        link = forms.get(step.relation, step.relation).format(entity=step.entity or "it")
        inner = (Branch(kind="link", text=link, branches=(unit,)),)
    return list(inner)


def _unit(step: PathStep, around: Sequence[str], *, is_first: bool) -> Branch:
    covers = f"has of the question: {', '.join(step.covers)} ({step.coverage:.2f})"
    notes = [covers if step.covers else "has no word of the question", *_read_with(step)]
    if step.adds and not is_first and step.adds != step.covers:
        notes.append(f"new: {', '.join(step.adds)}")
    besides = [word for word in around if word not in step.covers]
    if besides:
        notes.append(f"the passage around it: {', '.join(besides)}")
    text = f"{step.doc_id} [{step.start}:{step.end}] “{_line(step.text)}”"
    return Branch(kind="unit", text=text, notes=tuple(notes), words=step.covers)


def _read_with(step: PathStep) -> Iterator[str]:
    """Where words are from that the text itself does not have."""
    left = _not_in(step.covers, step.text)
    for source, text in (
        ("its title", step.title),
        ("its context", step.context),
        ("the name that leads here", step.entity),
    ):
        rest = _not_in(left, text)
        if len(rest) < len(left):
            words = ", ".join(word for word in left if word not in rest)
            yield f"of these by {source}, “{_line(text)}”: {words}"
        left = rest


def _not_in(words: Sequence[str], text: str) -> list[str]:
    held = set(terms(text))
    return [word for word in words if not held.issuperset(terms(word))]


def _line(text: str) -> str:
    return " ".join(text.split())


def _scores(item: RetrievalItem) -> str:
    """``score 0.745: first 0.690 (alone 0.410, links +0.280), reranker 0.800``"""
    scores = item.scores
    alone = [f"alone {scores['alone']:.3f}"] if "alone" in scores else []
    links = [f"links {scores['links']:+.3f}"] if "links" in scores else []
    first = ", ".join(alone + links)
    if "first" in scores:
        within = f" ({first})" if first else ""
        read = f"reranker {scores['rerank']:.3f}" if "rerank" in scores else "not read again"
        first = f"first {scores['first']:.3f}{within}, {read}"
    text = f"score {item.score:.3f}{': ' + first if first else ''}"
    return f"{text}; {scores.get('coverage', 0.0):.2f} of the question is covered"


def _details(item: RetrievalItem) -> tuple[str, ...]:
    told = {*_OF_FIRST_STAGE, "first", "rerank", "coverage"}
    parts = [f"{name} {value:.3f}" for name, value in item.scores.items() if name not in told]
    return (", ".join(parts),) if parts else ()


def _cut(text: str, width: int | None, before: int) -> str:
    if width is None or len(text) + before <= width:
        return text
    return shorten(text, max(width - before, _LEAST_TEXT), placeholder=" …”")
