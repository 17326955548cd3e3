"""``search``, ``ask``, ``interactive``: what reads a store for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from clew.cli.app import EPILOG, app
from clew.cli.conversation import Dialogue
from clew.cli.prompt import questions
from clew.cli.render import console, escape, note, print_answer, print_hits, print_json
from clew.cli.session import Session
from clew.cli.streaming import shown_while_written
from clew.cli.where import Where, where_of
from clew.results import to_plain

Explain = Annotated[
    bool, typer.Option("--explain", help="Show how the question was read, the path, the scores.")
]
Reranker = Annotated[
    str | None,
    typer.Option(
        "--reranker",
        help="A cross-encoder that reads the best results again: a folder, a sentence-transformers "
        "name, rerank:MODEL@URL, or none.",
    ),
]


@app.command(epilog=EPILOG)
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    top: Annotated[int | None, typer.Option("--top", "-n", min=1, help="Most results.")] = None,
    where: Where = None,
    explain: Explain = False,
    reranker: Reranker = None,
) -> None:
    """Find passages, following the graph.

    Examples:

      clew search "Who founded the company that bought Norr Works?" --explain

      clew search "What went to Halden?" --where "year >= 1900 and lang in [en, no]"
    """
    session: Session = context.obj
    with session.open_to_read(**_models(reranker)) as kb:
        result = kb.search(query, top_n=top, where=where_of(where))
    if session.json:
        print_json(result.to_dict())
        return
    print_hits(console(), result, explain=explain)
    _tell(session, result.notes)


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
    reranker: Reranker = None,
) -> None:
    """Answer a question from the documents, with citations.

    Example:

      clew ask "Who founded the company that bought Norr Works?"
    """
    session: Session = context.obj
    with session.open_to_read(**_models(reranker)) as kb:
        items = kb.ask_stream(
            question,
            quality_mode=quality_mode,
            include_source_text=include_source_text or None,
            max_source_chars=max_source_chars,
            where=where_of(where),
        )
        if session.json:
            *_, answer = items
            print_json(_explained(to_plain(answer), explain=explain))
            return
        out = console()
        answer = shown_while_written(out, items)
    print_answer(out, answer, explain=explain)
    _tell(session, answer.notes)


@app.command(epilog=EPILOG)
def why(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="The question.")],
    where: Where = None,
    reranker: Reranker = None,
) -> None:
    """Answer a question, and say how: the path, the evidence, what is missing.

    Example:

      clew why "Who founded the company that bought Norr Works?"
    """
    session: Session = context.obj
    with session.open_to_read(**_models(reranker)) as kb:
        answer = kb.ask(question, where=where_of(where))
        said = kb.why(answer)
    if session.json:
        print_json({**answer.to_dict(), "why": said})
    else:
        console().print(escape(said))
        _tell(session, answer.notes)


@app.command(epilog=EPILOG)
def interactive(context: typer.Context) -> None:
    """Ask one question after another.

    A question may lean on the last: "and her husband?", "when was it built?". Inside, /why shows
    how the last answer was found, /sources its sources; /clear forgets what was said, /help lists
    the commands, /quit ends. A line that ends in a backslash goes on in the next.

    Example:

      clew interactive --store notes.clew
    """
    session: Session = context.obj
    with session.open_to_read() as kb:
        dialogue = Dialogue(kb, console(), as_json=session.json)
        dialogue.run(questions(kb, quiet=session.quiet))


def _tell(session: Session, notes: Sequence[str]) -> None:
    """What the search could not do, beside its results."""
    if not session.quiet:
        for text in notes:
            note(text)


def _explained(told: dict[str, Any], *, explain: bool) -> dict[str, Any]:
    """The answer as data; with ``explain`` how its question was read, too."""
    if not explain:
        return told
    from clew.answering.time_events import current_day  # noqa: PLC0415 - not for `clew --help`
    from clew.retrieval.question import analyse_question  # noqa: PLC0415
    from clew.retrieval.question.telling import analysis_of  # noqa: PLC0415

    read = analyse_question(told["question"], today=current_day())
    return {**told, "analysis": analysis_of(read)}


def _models(reranker: str | None) -> dict[str, object]:
    return {} if reranker is None else {"reranker_model": reranker}
