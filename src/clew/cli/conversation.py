"""One question after another, as they are typed or come from a pipe, and commands between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from clew.cli.prompt import COMMANDS
from clew.cli.render import escape, note, print_answer, print_json
from clew.cli.streaming import shown_while_written
from clew.errors import ClewError

if TYPE_CHECKING:
    from rich.console import Console

    from clew.knowledge_base import KnowledgeBase

_QUIT = frozenset({"/quit", "/exit", "/q"})


class Dialogue:
    """Answers questions and obeys commands. The conversation itself, what it remembers and how it
    reads a question that leans on the last, is :class:`clew.conversation.Conversation`.
    """

    def __init__(self, kb: KnowledgeBase, out: Console, *, as_json: bool = False) -> None:
        self.kb = kb
        self.talk = kb.conversation()
        self.out = out
        self.as_json = as_json

    def run(self, lines: Iterable[str]) -> None:
        for line in lines:
            text = " ".join(line.split())
            if text in _QUIT:
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
            self._ask(text)

    def _ask(self, text: str) -> None:
        if self.as_json:
            print_json(self.talk.ask(text).to_dict())
            return
        first = self.talk.readings(text)[0]
        if first != text:
            self.out.print(f"[dim]read as: {escape(first)}[/dim]")
        answer = shown_while_written(self.out, self.talk.ask_stream(text))
        if answer.question not in {first, text}:
            self.out.print(f"[dim]read as: {escape(answer.question)}[/dim]")
        print_answer(self.out, answer)

    def _command(self, text: str) -> None:
        last = self.talk.last
        if text not in COMMANDS or text == "/help":
            self._say("\n".join(f"{name:9} {what}" for name, what in COMMANDS.items()))
        elif text == "/clear":
            self.talk.clear()
            self._say("what was said is forgotten")
        elif last is None:
            self._say("nothing was asked yet")
        elif text == "/why":
            self._say(self.kb.why(last), key="why")
        elif self.as_json:
            print_json({"sources": [source.doc_id for source in last.sources]})
        else:
            for source in last.sources:
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
