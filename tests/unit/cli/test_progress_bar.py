from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from clew.cli.progress import bar_columns


@pytest.mark.parametrize(
    "text", ["index", "extract: 120 calls, 3.1 calls/s, 0.1343 EUR, about 23 s left"]
)
def test_a_line_of_eighty_characters_holds_what_there_is_to_say(text: str) -> None:
    console = Console(file=io.StringIO(), width=80)
    bar = Progress(*bar_columns("documents"), console=console)
    bar.add_task(text, total=10, completed=4)
    with console.capture() as captured:
        console.print(bar.get_renderable())
    (line,) = captured.get().splitlines()
    assert text in line
    assert "4/10 documents" in line
    assert "…" not in line
