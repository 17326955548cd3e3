"""``stats``, ``show``: what looks into a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.app import EPILOG, app
from clew.cli.render import console, escape, print_json, print_table
from clew.cli.session import Session
from clew.cli.where import Where, where_of

if TYPE_CHECKING:
    from clew.records import Document, IndexedDocument

_SHOWN = 50


@app.command(epilog=EPILOG)
def stats(context: typer.Context, where: Where = None) -> None:
    """Count what the store holds.

    Examples:

      clew stats --json

      clew stats --where "year >= 2020"
    """
    session: Session = context.obj
    wanted = where_of(where)
    with session.open_to_read() as kb:
        values: dict[str, Any] = dict(kb.stats(where=wanted))
        space = kb.store.embedding
        values["embedder"] = space.fingerprint if space else "none (words alone)"
        values["generation"] = kb.store.generation
    if session.json:
        print_json(values)
        return
    rows = [
        (name.replace("_", " "), f"{value:,}" if isinstance(value, int) else value)
        for name, value in values.items()
    ]
    print_table(console(), ("", ""), rows)


@app.command(epilog=EPILOG)
def show(
    context: typer.Context,
    doc_id: Annotated[
        str | None, typer.Argument(help="A document; without it, all are listed.")
    ] = None,
    where: Where = None,
) -> None:
    """List the documents, or show one: its chunks, units and entities.

    Examples:

      clew show

      clew show --where "tags contains bridge"

      clew show docs/a.md --json
    """
    session: Session = context.obj
    with session.open_to_read() as kb:
        if doc_id is None:
            _list(session, kb.documents(where=where_of(where)))
        else:
            _show(session, kb.document(doc_id))


def _list(session: Session, documents: list[Document]) -> None:
    if session.json:
        print_json({"documents": [_head(document) for document in documents]})
        return
    rows = [(document.doc_id, document.title, document.media_type) for document in documents]
    print_table(console(), ("document", "title", "type"), rows)


def _head(document: Document) -> dict[str, Any]:
    from clew.results import to_plain  # noqa: PLC0415

    keys = ("doc_id", "title", "source", "media_type", "scope", "metadata")
    return {key: to_plain(getattr(document, key)) for key in keys}


def _show(session: Session, indexed: IndexedDocument) -> None:
    from clew.results import to_plain  # noqa: PLC0415

    document = indexed.document
    if session.json:
        layers = ("chunks", "units", "entities", "mentions", "topics", "facts", "merges")
        parts = {layer: to_plain(getattr(indexed, layer)) for layer in layers}
        print_json({**_head(document), "text": document.text, **parts})
        return
    out = console()
    out.print(f"[bold]{escape(document.doc_id)}[/bold]  {escape(document.title)}".rstrip())
    out.print(
        f"{document.media_type}, {len(document.text):,} characters, "
        f"{len(document.pages)} pages, {len(indexed.chunks)} chunks, {len(indexed.units)} units"
    )
    if indexed.chunks:
        out.print(escape(f"cut by {_cut_by(indexed.chunks[0].metadata)}"))
    rows = [
        (f"{chunk.start}–{chunk.end}", " › ".join(chunk.heading_path), _short(chunk.text))
        for chunk in indexed.chunks[:_SHOWN]
    ]
    out.print("\nchunks")
    print_table(out, ("span", "under", "text"), rows)
    if len(indexed.chunks) > _SHOWN:
        out.print(f"… and {len(indexed.chunks) - _SHOWN} more; --json shows them all")
    names = sorted({entity.name for entity in indexed.entities})
    more = f", and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    out.print(escape(f"\nentities: {', '.join(names[:_SHOWN])}{more}"))


def _cut_by(metadata: Mapping[str, Any]) -> str:
    strategy = str(metadata.get("strategy", "a strategy that was not recorded"))
    if "chosen_by" not in metadata:
        return strategy
    return f"{strategy}, chosen by {metadata['chosen_by']} (score {metadata['strategy_score']})"


def _short(text: str, most: int = 100) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
