"""``chunk`` and ``strategies``: how files are cut, and why so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.app import EPILOG, EXIT_FAILED, app
from clew.cli.render import console, escape, note, print_json, print_table
from clew.cli.session import Session

if TYPE_CHECKING:
    from clew.chunking.adaptive import AdaptiveChunker
    from clew.chunking.result import ChunkingResult
    from clew.config import ClewConfig
    from clew.documents import LoadFailure
    from clew.models.base import Embedder
    from clew.records import Document

EXIT_PARTLY = 3
_SHOWN = 50
_SHORT = 80


@app.command(epilog=EPILOG)
def chunk(
    context: typer.Context,
    files: Annotated[list[str], typer.Argument(help="Files or folders, of any format.")],
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            help="Cut by this one; of several the best. Without it, the usual candidates compete.",
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Most characters in a chunk [chunk_size].", min=1)
    ] = None,
    overlap: Annotated[
        int | None, typer.Option(help="Characters that neighbours share [chunk_overlap].", min=0)
    ] = None,
    document_id: Annotated[
        str | None,
        typer.Option(help="What to call the document in the result, where there is but one."),
    ] = None,
    weights: Annotated[
        str,
        typer.Option(
            help="How strategies are compared: lift (over equal windows), paper or reference."
        ),
    ] = "lift",
    include_candidates: Annotated[
        bool, typer.Option("--include-candidates", help="With --json: every strategy tried.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page that shows the chunks in the text.")
    ] = None,
) -> None:
    """Cut files into chunks by the strategy that suits each, and say why. No store is needed.

    Examples:

      clew chunk report.pdf

      clew chunk docs/ --size 800 --overlap 0 --json

      clew chunk notes.md --strategy section-aware --strategy sentence --html notes.html
    """
    from clew.chunking.choosing import chooser  # noqa: PLC0415

    session: Session = context.obj
    changes = {"chunk_size": size, "chunk_overlap": overlap}
    config = session.config(**{key: value for key, value in changes.items() if value is not None})
    chunker = chooser(config, strategy or (), weights, embedder=partial(_embedder, config))
    done, failed = _chunked(files, chunker, document_id)
    if html is not None:
        from clew.cli.chunk_page import chunk_page  # noqa: PLC0415

        html.write_text(chunk_page(done), encoding="utf-8")
    if session.json:
        results = [result.to_dict(include_candidates=include_candidates) for _, result in done]
        print_json({"documents": results, "failed": failed})
    else:
        _print(done, failed)
        if html is not None and not session.quiet:
            note(f"the chunks in their text: {html}")
    if failed:
        raise typer.Exit(EXIT_PARTLY if done else EXIT_FAILED)


@app.command(name="strategies", epilog=EPILOG)
def list_strategies(context: typer.Context) -> None:
    """List the ways to cut a text.

    Example:

      clew strategies --json
    """
    from clew.chunking.choosing import strategies  # noqa: PLC0415

    session: Session = context.obj
    if session.json:
        print_json({"strategies": [found._asdict() for found in strategies()]})
    else:
        print_table(console(), ("strategy", "what it does"), strategies())


def _embedder(config: ClewConfig) -> Embedder | None:
    from clew.indexing.pipeline import resolve_embedder  # noqa: PLC0415

    return resolve_embedder(None, config)


def _chunked(
    files: Sequence[str], chunker: AdaptiveChunker, document_id: str | None
) -> tuple[list[tuple[Document, ChunkingResult]], list[dict[str, str]]]:
    from clew.documents import LoadFailure  # noqa: PLC0415
    from clew.errors import ConfigError  # noqa: PLC0415

    done: list[tuple[Document, ChunkingResult]] = []
    failed: list[dict[str, str]] = []
    for place, item in enumerate(_loaded(files)):
        if document_id is not None and place:
            raise ConfigError(
                f"--document-id {document_id!r} names one document, and there are several: leave "
                "it out, and each goes by its own name"
            )
        if isinstance(item, LoadFailure):
            failed.append({"source": item.source, "reason": item.reason})
        else:
            done.append((item, chunker.chunk_document(item, document_id)))
    return done, failed


def _loaded(files: Sequence[str]) -> Iterator[Document | LoadFailure]:
    from clew.documents import LoadFailure, load_file, walk  # noqa: PLC0415
    from clew.errors import DocumentError  # noqa: PLC0415

    unreadable: list[OSError] = []
    for path in walk(list(files), on_unreadable=unreadable.append):
        try:
            yield from load_file(path)
        except DocumentError as error:
            yield LoadFailure(source=str(path), doc_id=str(path), reason=str(error))
    for problem in unreadable:
        name = str(problem.filename)
        yield LoadFailure(source=name, doc_id=name, reason=problem.strerror or str(problem))


def _print(
    done: Sequence[tuple[Document, ChunkingResult]], failed: Sequence[dict[str, str]]
) -> None:
    out = console()
    for _, result in done:
        out.print(
            f"[bold]{escape(result.document_id)}[/bold]: {len(result.chunks):,} chunks by "
            f"{result.strategy_name}" + (f"; {escape(result.note)}" if result.note else "")
        )
        head, *rows = result.table()
        print_table(out, [name.replace("_", " ") for name in head], rows)
        out.print()
        print_table(out, ("span", "under", "text"), _lines(result))
        if len(result.chunks) > _SHOWN:
            out.print(f"… and {len(result.chunks) - _SHOWN} more; --json shows them all")
        out.print()
    if failed:
        print_table(out, ("failed", "why"), [tuple(item.values()) for item in failed])


def _lines(result: ChunkingResult) -> list[tuple[Any, ...]]:
    return [
        (
            f"{chunk.start}–{chunk.end}",
            " › ".join(chunk.heading_path),
            _short(" ".join(chunk.text.split())),
        )
        for chunk in result.chunks[:_SHOWN]
    ]


def _short(line: str) -> str:
    return line if len(line) <= _SHORT else line[: _SHORT - 1] + "…"
