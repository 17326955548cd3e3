"""Progress of long work: a bar with rate and time left on a terminal, plain lines in a pipe."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from clew.progress_lines import Tell, progress_lines


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:.0f}/s", style="cyan")


class _Unless(ProgressColumn):
    """``column``, unless the description tells of rate and time itself and needs the room."""

    def __init__(self, column: ProgressColumn) -> None:
        super().__init__(table_column=column.get_table_column())
        self._column = column

    def render(self, task: Task) -> RenderableType:
        return Text("") if ":" in task.description else self._column.render(task)


@contextmanager
def progress(*, quiet: bool, unit: str = "documents") -> Iterator[Tell]:
    """Give a callback ``(done, total, stage)``."""
    if quiet:
        yield lambda _done, _total, _stage: None
    elif sys.stderr.isatty():
        with _bar(unit) as tell:
            yield tell
    else:
        yield progress_lines(unit)


def bar_columns(unit: str) -> tuple[ProgressColumn, ...]:
    """What a line on a terminal is made of; 80 characters hold it."""
    return (
        TextColumn("{task.description}"),
        _Unless(BarColumn()),
        MofNCompleteColumn(),
        TextColumn(unit),
        _Unless(_Rate()),
        _Unless(TimeRemainingColumn()),
    )


@contextmanager
def _bar(unit: str) -> Iterator[Tell]:
    with Progress(*bar_columns(unit), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("index", total=None)

        def tell(done: int, total: int, stage: str) -> None:
            bar.update(task, completed=done, total=total or None, description=stage)

        yield tell


@contextmanager
def stoppable(said: str = "stopping after this batch") -> Iterator[Callable[[], bool]]:
    """Let the first Ctrl-C, or the first request to end, finish the batch at hand; the second stops
    at once.
    """
    asked = False

    def ask(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        sys.stderr.write(f"\n{said}; Ctrl-C again stops at once\n")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
