"""``entities`` and ``facts``: what the graph knows, and what people decide about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.app import EPILOG, app
from clew.cli.commands.indexing import print_violations
from clew.cli.render import console, escape, print_json, print_table
from clew.cli.session import Session
from clew.cli.where import Where, where_of
from clew.errors import ConfigError, DocumentError

if TYPE_CHECKING:
    from clew.graph.contradictions import Contradiction
    from clew.knowledge_base import KnowledgeBase
    from clew.records import Fact


@app.command(epilog=EPILOG)
def entities(
    context: typer.Context,
    prefix: Annotated[str, typer.Argument(help="Names that begin like this.")] = "",
    merges: Annotated[
        bool, typer.Option("--merges", help="List which names were read as one.")
    ] = False,
    join: Annotated[
        list[str] | None, typer.Option("--join", help="A name to read as that of --into.")
    ] = None,
    split: Annotated[
        str | None,
        typer.Option("--split", help="A name that means something else in the documents --in."),
    ] = None,
    into: Annotated[
        str | None, typer.Option("--into", help="What it is called, for --join and --split.")
    ] = None,
    within: Annotated[
        list[str] | None, typer.Option("--in", help="A document, for --split; may be repeated.")
    ] = None,
    undo: Annotated[
        str | None, typer.Option("--undo", help="Take back the merge or decision with this id.")
    ] = None,
    where: Where = None,
) -> None:
    """List entities or the log of merged names; join names, split a name, undo either.

    A decision holds for documents that come later too, until it is undone.

    Examples:

      clew entities Nor

      clew entities --where "year >= 2020"

      clew entities --join "Norr Ltd" --into "Norr Works"

      clew entities --split Mercury --into "Mercury (planet)" --in planets.md

      clew entities --merges
    """
    session: Session = context.obj
    chosen = [
        name for name, value in (("--join", join), ("--split", split), ("--undo", undo)) if value
    ]
    if len(chosen) + merges > 1:
        raise ConfigError(f"one thing at a time: {' or '.join([*chosen, '--merges'][:2])}")
    if (join or split) and not into:
        raise ConfigError(f"{chosen[0]} needs --into NAME: what it is called")
    wanted = where_of(where)
    if wanted is not None and (chosen or merges):
        raise ConfigError(
            "--where chooses what is listed; decisions about names take --in DOCUMENT"
        )
    with session.open() if chosen else session.open_to_read() as kb:
        if undo is not None:
            kb.undo_merge(undo)
            _print_rows(session, "undone", ("merge",), [(undo,)])
        elif join or split:
            _print_rows(
                session,
                "decisions",
                ("id", "name", "read_as", "documents"),
                list(_decided(kb, join, split, into or "", within or [])),
            )
        elif merges:
            columns = ("id", "name", "read_as", "document", "reason")
            _print_rows(session, "merges", columns, [*_decisions(kb), *_merges(kb)])
        else:
            shown = ("name", "type", "aliases", "chunks")
            _print_rows(session, "entities", shown, list(_entities(kb, prefix, wanted)))


@app.command(epilog=EPILOG)
def facts(
    context: typer.Context,
    about: Annotated[str | None, typer.Argument(help="Whom or what they speak of.")] = None,
    predicate: Annotated[
        str | None, typer.Option("--predicate", help="What they say, in any form.")
    ] = None,
    contradictions: Annotated[
        bool, typer.Option("--contradictions", help="Those that cannot all be true.")
    ] = False,
    add: Annotated[
        Path | None,
        typer.Option(
            "--add", help="Add facts from JSON Lines, or a JSON list: subject, predicate, object."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="The document that added facts make up.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="How many to list.")] = 100,
    where: Where = None,
) -> None:
    """List facts with their sources, find contradictions, or add facts of your own.

    Examples:

      clew facts "Norr Works" --where "year >= 2020"

      clew facts --contradictions

      clew facts --add mine.jsonl --name mine
    """
    session: Session = context.obj
    if add is not None:
        with session.open(create=True) as kb:
            try:
                report = kb.add_facts(_read_facts(add), name=name or add.name)
            except DocumentError as error:
                if str(error).startswith(f"{add}: "):
                    raise
                raise DocumentError(f"{add}: {error}") from error
        if session.json:
            print_json(report.to_dict())
        else:
            print_violations(console(), report.documents)
            console().print(escape(report.summary))
        raise typer.Exit(report.exit_status)
    wanted = where_of(where)
    with session.open_to_read() as kb:
        documents = {document.id: document.doc_id for document in kb.documents(where=wanted)}
        if contradictions:
            _print_contradictions(session, kb.contradictions(about, where=wanted), documents)
            return
        found = kb.facts(about, predicate=predicate, most=most, where=wanted)
    if session.json:
        print_json({"facts": [_plain(fact, documents) for fact in found]})
        return
    rows = [
        (fact.subject, _said(fact), fact.object, _when(fact), _where(fact, documents))
        for fact in found
    ]
    print_table(console(), ("subject", "predicate", "object", "when", "source"), rows)


def _entities(
    kb: KnowledgeBase, prefix: str, where: dict[str, Any] | None
) -> Iterator[tuple[Any, ...]]:
    found = kb.entities(prefix, where=where)
    documents = kb.store.select_documents(scope=kb.config.scope, where=where)
    numbers = kb.store.numbers_of("entity", [entity.id for entity in found])
    chunks = kb.store.entity_frequencies(numbers, documents=documents).tolist()
    for entity, count in zip(found, chunks, strict=True):
        yield entity.name, entity.type, list(entity.aliases), count


def _decided(
    kb: KnowledgeBase, join: list[str] | None, split: str | None, into: str, within: list[str]
) -> Iterator[tuple[Any, ...]]:
    receipts = kb.join_names(join, into) if join else [kb.split_name(split or "", into, within)]
    for receipt in receipts:
        decision = receipt.decision
        yield decision.id, decision.name, decision.into_name, receipt.documents


def _decisions(kb: KnowledgeBase) -> Iterator[tuple[str, ...]]:
    for decision in kb.decisions():
        where = ", ".join(decision.doc_ids) or "all"
        yield decision.id, decision.name, decision.into_name, where, "by hand"


def _merges(kb: KnowledgeBase) -> list[tuple[str, ...]]:
    """Each merge with the names that people know: of the entity, of the document."""
    found = [merge for merge in kb.merges() if not merge.reason.startswith("by hand")]
    numbers = kb.store.numbers_of("entity", [merge.entity_id for merge in found])
    names = {entity.id: entity.name for entity in kb.store.get_entities(numbers[numbers >= 0])}
    documents = {document.id: document.doc_id for document in kb.documents()}
    return [
        (
            merge.id,
            merge.merged_name,
            names.get(merge.entity_id, ""),
            documents.get(merge.document_id, ""),
            merge.reason,
        )
        for merge in found
    ]


def _read_facts(path: Path) -> Iterator[Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DocumentError(f"{path}: cannot be read: {error}") from error
    whole = _json_list(text)
    if whole is not None:
        yield from whole
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DocumentError(
                    f"{path}: line {number} is no JSON: {error}; write one fact a line, or one "
                    "JSON list of facts"
                ) from error


def _json_list(text: str) -> list[Any] | None:
    """The facts of a file that is one JSON list, or one fact over several lines; else None, also
    for a list of words: that is a triple, alone on its line.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        return [value]
    is_list = isinstance(value, list) and not any(isinstance(item, str) for item in value)
    return value if is_list else None


def _print_contradictions(
    session: Session, found: Iterable[Contradiction], documents: dict[str, str]
) -> None:
    if session.json:
        plain = [
            {
                "id": one.id,
                "kind": one.kind,
                "about": one.about,
                "predicate": one.predicate,
                "reason": one.reason,
                "facts": [_plain(fact, documents) for fact in one.facts],
            }
            for one in found
        ]
        print_json({"contradictions": plain})
        return
    rows = [
        (
            one.about if at == 0 else "",
            f"{fact.subject} {_said(fact)} {fact.object}".strip(),
            _when(fact),
            _where(fact, documents),
        )
        for one in found
        for at, fact in enumerate(one.facts)
    ]
    print_table(console(), ("about", "said", "when", "source"), rows)


def _plain(fact: Fact, documents: dict[str, str]) -> dict[str, Any]:
    from clew.results import to_plain  # noqa: PLC0415 - not for `clew --help`

    plain: dict[str, Any] = to_plain(fact)
    return plain | {"kind": str(fact.kind), "doc_id": documents.get(fact.document_id, "")}


def _said(fact: Fact) -> str:
    """The predicate, and what keeps the fact from being a plain assertion."""
    said = f"not: {fact.predicate}" if fact.negated else fact.predicate
    limits = (fact.speech_act, fact.modality, fact.quantifier, fact.condition)
    limited = "; ".join(limit for limit in limits if limit)
    return f"{said} ({limited})" if limited else said


def _when(fact: Fact) -> str:
    if fact.time_start or fact.time_end:
        ends = dict.fromkeys((fact.time_start or "…", fact.time_end or "…"))
        return " – ".join(ends)
    return fact.time_as_said


def _where(fact: Fact, documents: dict[str, str]) -> str:
    return f"{documents.get(fact.document_id, '')} {fact.start}–{fact.end}"


def _print_rows(
    session: Session, title: str, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]
) -> None:
    if session.json:
        print_json({title: [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        shown = tuple(name.replace("_", " ") for name in columns)
        print_table(console(), shown, [tuple(map(_shown, row)) for row in rows])


def _shown(cell: Any) -> str:
    return ", ".join(cell) if isinstance(cell, list) else str(cell)
