"""Where questions come from: a terminal with history, completion and more lines than one, or a
pipe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from clew.cli.render import note

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings

    from clew.knowledge_base import KnowledgeBase

COMMANDS: Mapping[str, str] = {
    "/why": "how the last answer was come by",
    "/sources": "the documents that it rests on",
    "/clear": "forget what was said before",
    "/help": "this list",
    "/quit": "end; so does Ctrl-D",
}
_MOST_WORDS = 5
_MOST_NAMES = 20
_BLOCK = '"""'


def questions(kb: KnowledgeBase, *, quiet: bool) -> Iterator[str]:
    """Questions from a terminal, or from a pipe, each whole (see :func:`joined`)."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield from joined(sys.stdin)
        return
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - a terminal only

    prompt: PromptSession[str] = PromptSession(
        history=_history(),
        completer=_completer(kb),
        complete_while_typing=False,
        multiline=True,
        key_bindings=_enter(),
        prompt_continuation="...   ",
    )
    if not quiet:
        note("ask a question; /help lists commands; Tab completes names; \\ goes on below")
    while True:
        try:
            yield unfolded(prompt.prompt("clew> "))
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def joined(lines: Iterable[str]) -> Iterator[str]:
    r"""The lines of a pipe as questions: one that ends in a backslash goes on in the next, and one
    with an opening ``\"\"\"`` up to the closing one.

    >>> list(joined(["Who lit\\", "the lamp?", "Why?"]))
    ['Who lit the lamp?', 'Why?']
    """
    held = ""
    for line in lines:
        held += line.rstrip("\r\n")
        if _goes_on(held):
            held += "\n"
            continue
        yield unfolded(held)
        held = ""
    if held.strip():
        yield unfolded(held)


def is_unfinished(text: str) -> bool:
    r"""Whether what is typed goes on after Enter: behind a backslash, and while a quotation is
    open; an empty line ends a quotation too, for whoever wrote 5" and meant inches.

    >>> is_unfinished("Who said \"I"), is_unfinished("Who said \"I\"?"), is_unfinished("Who \\")
    (True, False, True)
    """
    if _goes_on(text):
        return True
    is_open = text.count('"') % 2 == 1 or text.count("“") > text.count("”")
    return is_open and not text.endswith("\n")


def unfolded(text: str) -> str:
    """The text on one line, without what only held its lines together."""
    lines = [line.rstrip().removesuffix("\\") for line in text.replace(_BLOCK, " ").split("\n")]
    return " ".join(" ".join(lines).split())


def completions(kb: KnowledgeBase, line: str) -> list[tuple[str, int]]:
    """What the end of ``line`` may become: (text, how many characters it replaces).

    A command at its beginning; else names of entities that begin with the last words, as many of
    them as some name begins with.
    """
    if line.startswith("/"):
        return [(command, len(line)) for command in COMMANDS if command.startswith(line)]
    words = line.split(" ")
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        prefix = " ".join(words[-count:])
        if len(prefix.strip()) < 2 or prefix != prefix.lstrip():
            continue
        if names := kb.entity_names(prefix, most=_MOST_NAMES):
            return [(name, len(prefix)) for name in names]
    return []


def history_file(environment: Mapping[str, str] | None = None) -> Path:
    """Where the questions of a terminal are kept: in ``CLEW_CACHE_DIR``, else in the cache folder
    of the user.
    """
    import platformdirs  # noqa: PLC0415 - a terminal only

    variables = os.environ if environment is None else environment
    folder = variables.get("CLEW_CACHE_DIR") or platformdirs.user_cache_dir("clew", appauthor=False)
    return Path(folder, "history")


def _history() -> History:
    """In a file that only its owner reads, or in memory where that cannot be written."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory  # noqa: PLC0415

    file = history_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
    except OSError as error:
        note(f"no history is kept: {file}: {error.strerror}")
        return InMemoryHistory()
    if not os.access(file, os.R_OK | os.W_OK):
        note(f"no history is kept: {file} cannot be written")
        return InMemoryHistory()
    return FileHistory(str(file))


def _goes_on(text: str) -> bool:
    return text.rstrip(" \t").endswith("\\") or text.count(_BLOCK) % 2 == 1


def _enter() -> KeyBindings:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent  # noqa: PLC0415

    bindings = KeyBindings()

    @bindings.add("enter")
    def _take(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if is_unfinished(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    return bindings


def _completer(kb: KnowledgeBase) -> Completer:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document as Line  # noqa: PLC0415

    class Names(Completer):
        def get_completions(
            self,
            document: Line,
            complete_event: CompleteEvent,  # noqa: ARG002 - its contract
        ) -> Iterable[Completion]:
            for text, replaced in completions(kb, document.current_line_before_cursor):
                yield Completion(text, start_position=-replaced)

    return Names()
