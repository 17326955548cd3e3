"""One question after another: from a terminal with history and completion, or from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from clew.cli.render import escape, note, print_answer, print_json
from clew.errors import ClewError

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from rich.console import Console

    from clew.knowledge_base import KnowledgeBase
    from clew.results import Answer

_COMMANDS = ("/why", "/sources", "/quit")
_MOST_WORDS = 5
_MOST_NAMES = 20


class Conversation:
    """Answers lines as they come, and remembers the last answer for /why and /sources."""

    def __init__(self, kb: KnowledgeBase, out: Console, *, as_json: bool = False) -> None:
        self.kb = kb
        self.out = out
        self.as_json = as_json
        self.last: Answer | None = None

    def run(self, lines: Iterable[str]) -> None:
        for line in lines:
            text = line.strip()
            if text in {"/quit", "/exit", "/q"}:
                return
            try:
                self._take(text)
            except ClewError as error:  # one question that cannot be answered ends nothing
                self._tell(error)
            except KeyboardInterrupt:
                self.out.print("stopped")

    def _take(self, text: str) -> None:
        if text.startswith("/"):
            self._command(text)
        elif text:
            self.last = self.kb.ask(text)
            if self.as_json:
                print_json(self.last.to_dict())
            else:
                print_answer(self.out, self.last)

    def _command(self, text: str) -> None:
        if text not in _COMMANDS:
            self._say("  ".join(_COMMANDS))
        elif self.last is None:
            self._say("nothing was asked yet")
        elif text == "/why":
            self._say(self.kb.why(self.last), key="why")
        elif self.as_json:
            print_json({"sources": [source.doc_id for source in self.last.sources]})
        else:
            for source in self.last.sources:
                self.out.print(escape(f"{source.doc_id} {source.title}".rstrip()))

    def _say(self, text: str, key: str = "note") -> None:
        if self.as_json:
            print_json({key: text})
        else:
            self.out.print(escape(text))

    def _tell(self, error: ClewError) -> None:
        if self.as_json:
            print_json({"error": {"type": type(error).__name__, "message": str(error)}})
        else:
            note(f"clew: {error}")


def questions(kb: KnowledgeBase, *, quiet: bool) -> Iterator[str]:
    """Lines from a terminal, with history and completion of names, or from a pipe."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield from sys.stdin
        return
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - a terminal only
    from prompt_toolkit.history import InMemoryHistory  # noqa: PLC0415

    prompt: PromptSession[str] = PromptSession(
        history=InMemoryHistory(), completer=_completer(kb), complete_while_typing=False
    )
    if not quiet:
        note("ask a question; /why, /sources, /quit; Tab completes names")
    while True:
        try:
            yield prompt.prompt("clew> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def completions(kb: KnowledgeBase, line: str) -> list[tuple[str, int]]:
    """What the end of ``line`` may become: (text, how many characters it replaces).

    A command at its beginning; else names of entities that begin with the last words, as many of
    them as some name begins with.
    """
    if line.startswith("/"):
        return [(command, len(line)) for command in _COMMANDS if command.startswith(line)]
    words = line.split(" ")
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        prefix = " ".join(words[-count:])
        if len(prefix.strip()) < 2 or prefix != prefix.lstrip():
            continue
        if names := kb.entity_names(prefix, most=_MOST_NAMES):
            return [(name, len(prefix)) for name in names]
    return []


def _completer(kb: KnowledgeBase) -> Completer:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document as Line  # noqa: PLC0415

    class Names(Completer):
        def get_completions(
            self,
            document: Line,
            complete_event: CompleteEvent,  # noqa: ARG002 - its contract
        ) -> Iterable[Completion]:
            for text, replaced in completions(kb, document.text_before_cursor):
                yield Completion(text, start_position=-replaced)

    return Names()
