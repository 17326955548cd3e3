"""How a question was read, as a block on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from clew.cli.streams import visible

if TYPE_CHECKING:
    from rich.console import Console


def print_analysis(out: Console, text: str) -> None:
    """Print what the question ``text`` asks for, one thing a line; nothing where it
    holds no word.
    """
    from clew.answering.time_events import current_day  # noqa: PLC0415 - not for `clew --help`
    from clew.retrieval.question import analyse_question  # noqa: PLC0415
    from clew.retrieval.question.telling import analysis_lines  # noqa: PLC0415

    if not any(character.isalnum() for character in text):
        return
    out.print("[bold]The question[/bold]")
    lines = analysis_lines(analyse_question(text, today=current_day()))
    width = max(len(label) for label, _ in lines)
    for label, said in lines:
        out.print(f"  [dim]{label:<{width}}[/dim]  {escape(visible(said))}")
