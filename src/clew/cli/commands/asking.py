"""``search``, ``ask``, ``interactive``: what reads a store for an answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.app import EPILOG, app
from clew.cli.render import console, note, print_answer, print_hits, print_json, print_path
from clew.cli.session import Session
from clew.errors import FilterError

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from rich.console import Console

    from clew.knowledge_base import KnowledgeBase
    from clew.results import Answer

Where = Annotated[
    str | None,
    typer.Option("--where", help='Filter by metadata, as JSON: \'{"year": {"$gte": 2020}}\'.'),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show the path through the graph, and the scores.")
]


@app.command(epilog=EPILOG)
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    top: Annotated[int | None, typer.Option("--top", "-n", min=1, help="Most results.")] = None,
    where: Where = None,
    explain: Explain = False,
) -> None:
    """Find passages, following the graph.

    Example:

      clew search "Who founded the company that bought Norr Works?" --explain
    """
    session: Session = context.obj
    with session.open() as kb:
        result = kb.search(query, top_n=top, where=_where(where))
    if session.json:
        print_json(result.to_dict())
        return
    print_hits(console(), result, explain=explain)
    if not session.quiet:
        for text in result.notes:
            note(text)


@app.command(epilog=EPILOG)
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="The question.")],
    quality_mode: Annotated[
        str | None, typer.Option("--quality-mode", help="cheap, balanced or quality.")
    ] = None,
    include_source_text: Annotated[
        bool, typer.Option("--include-source-text", help="Print the text of the sources too.")
    ] = False,
    max_source_chars: Annotated[
        int | None, typer.Option("--max-source-chars", min=0, help="Most characters of it.")
    ] = None,
    where: Where = None,
    explain: Explain = False,
) -> None:
    """Answer a question from the documents, with citations.

    Example:

      clew ask "Who founded the company that bought Norr Works?"
    """
    session: Session = context.obj
    with session.open() as kb:
        answer = kb.ask(
            question,
            quality_mode=quality_mode,
            include_source_text=include_source_text or None,
            max_source_chars=max_source_chars,
            where=_where(where),
        )
    if session.json:
        print_json(answer.to_dict())
    else:
        print_answer(console(), answer, explain=explain)


@app.command(epilog=EPILOG)
def interactive(context: typer.Context) -> None:
    """Ask one question after another.

    Inside: /why shows how the last answer was found, /sources its sources, /quit ends.

    Example:

      clew interactive --store notes.clew
    """
    session: Session = context.obj
    with session.open() as kb:
        Conversation(kb, console(), as_json=session.json).run(_questions(kb, session))


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
            if text.startswith("/"):
                self._command(text)
            elif text:
                self._ask(text)

    def _ask(self, question: str) -> None:
        self.last = self.kb.ask(question)
        if self.as_json:
            print_json(self.last.to_dict())
        else:
            print_answer(self.out, self.last)

    def _command(self, text: str) -> None:
        if text not in {"/why", "/sources"}:
            self.out.print("/why  /sources  /quit")
        elif self.last is None:
            self.out.print("nothing was asked yet")
        elif text == "/why":
            print_path(self.out, self.last.path)
        else:
            for source in self.last.sources:
                self.out.print(f"{source.doc_id} {source.title}".rstrip(), markup=False)


def _questions(kb: KnowledgeBase, session: Session) -> Iterable[str]:
    """Lines from a terminal, with history and completion of names, or from a pipe."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield from sys.stdin
        return
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - a terminal only
    from prompt_toolkit.history import InMemoryHistory  # noqa: PLC0415

    prompt: PromptSession[str] = PromptSession(
        history=InMemoryHistory(), completer=_completer(kb), complete_while_typing=False
    )
    if not session.quiet:
        note("ask a question; /why, /sources, /quit; Tab completes names")
    while True:
        try:
            yield prompt.prompt("clew> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _completer(kb: KnowledgeBase) -> Completer:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document as Line  # noqa: PLC0415

    class EntityNames(Completer):
        def get_completions(
            self,
            document: Line,
            complete_event: CompleteEvent,  # noqa: ARG002 - its contract
        ) -> Iterable[Completion]:
            word = document.get_word_before_cursor(WORD=True)
            if len(word) >= 2:
                for name in kb.store.entity_names(word, k=20):
                    yield Completion(name, start_position=-len(word))

    return EntityNames()


def _where(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise FilterError(
            f"--where {text!r} is not JSON ({error.msg}); "
            'write it like \'{"year": {"$gte": 2020}}\''
        ) from error
    if not isinstance(value, dict):
        raise FilterError(f"--where {text!r} must be a JSON object, such as '{{\"year\": 2020}}'")
    return value
