"""The explanation of a hit: a tree with colours on a terminal, the same tree as text in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text
from rich.tree import Tree

from clew.cli.streams import visible

if TYPE_CHECKING:
    from rich.console import Console

    from clew.results import RetrievalItem
    from clew.retrieval.explain import Branch, Kind

_INDENT = "   "
_STYLES: dict[Kind, str] = {"scores": "cyan", "link": "magenta", "unit": "", "missing": "yellow"}


def print_explanation(out: Console, item: RetrievalItem, content: str) -> None:
    """Print ``content``, what is shown of the hit, and below it how it was reached."""
    from clew.retrieval.explain import branches_of, draw  # noqa: PLC0415 - not for `clew --help`

    branches = branches_of(item)
    if out.is_terminal:
        tree = Tree(Text(visible(content)), guide_style="dim")
        for branch in branches:
            _grow(tree, branch)
        out.print(Padding(tree, (0, 0, 0, len(_INDENT))))
        return
    out.print(Text(_INDENT + visible(content)))
    for line in draw(branches, indent=_INDENT, width=None):
        out.print(Text(visible(line)))


def _grow(tree: Tree, branch: Branch) -> None:
    """Words of the question are bold where they stand."""
    label = Text(visible(branch.text), style=_STYLES[branch.kind])
    if branch.words:
        label.highlight_words(
            [visible(word) for word in branch.words], "bold", case_sensitive=False
        )
    for note in branch.notes:
        label.append("\n" + visible(note), style="dim")
    grown = tree.add(label)
    for inner in branch.branches:
        _grow(grown, inner)
