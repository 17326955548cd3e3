"""What a model writes, shown while it does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from clew.cli.streams import visible
from clew.results import Answer

if TYPE_CHECKING:
    from rich.console import Console


def shown_while_written(out: Console, items: Iterable[str | Answer]) -> Answer:
    """Print the pieces of a reply as they come, dimmed because they are not checked yet, where
    ``out`` is a terminal; return the answer at the end.
    """
    answer: Answer | None = None
    written = False
    try:
        for item in items:
            if isinstance(item, Answer):
                answer = item
            elif out.is_terminal:
                out.print(visible(item), style="dim", end="", markup=False, soft_wrap=True)
                written = True
    finally:
        if written:
            out.print("\n")
    assert answer is not None, "a stream ends with the answer"
    return answer
