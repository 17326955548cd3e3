"""A graph in memory as one JSON text or file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clew.errors import StoreCorruptError, StoreNotFoundError
from clew.models.base import UsageEntry
from clew.records import EntityDecision, IndexedDocument
from clew.stores import codec
from clew.stores.base import EmbeddingSpace
from clew.stores.files import atomic_text, named_errors
from clew.stores.usage import usage_from_list, usage_to_list

FORMAT = "clew.graph"

Replies = dict[tuple[str, str], str]


class SavedGraph(NamedTuple):
    """``undone`` leads from merges that were taken back to their documents."""

    documents: list[IndexedDocument]
    embedding: EmbeddingSpace | None
    replies: Replies
    undone: dict[str, str]
    usage: list[UsageEntry]
    decisions: list[EntityDecision]


def graph_to_dict(
    documents: Sequence[IndexedDocument],
    embedding: EmbeddingSpace | None,
    replies: Mapping[tuple[str, str], str],
    undone: Mapping[str, str],
    usage: Iterable[UsageEntry],
    decisions: Iterable[EntityDecision],
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": codec.FORMAT_VERSION,
        "embedding": codec.space_to_dict(embedding),
        "documents": [codec.indexed_to_dict(indexed) for indexed in documents],
        "replies": [[document_id, key, reply] for (document_id, key), reply in replies.items()],
        "undone_merges": dict(undone),
        "usage": usage_to_list(usage),
        "decisions": codec.decisions_to_list(decisions),
    }


def graph_from_dict(plain: Mapping[str, Any]) -> SavedGraph:
    codec.require_format(plain, FORMAT, "this graph")
    try:
        documents = [codec.indexed_from_dict(item) for item in plain["documents"]]
        embedding = codec.space_from_dict(plain["embedding"])
        replies = {(document_id, key): reply for document_id, key, reply in plain["replies"]}
        undone = dict(plain["undone_merges"])
        usage = usage_from_list(plain.get("usage", ()))
        decisions = codec.decisions_from_list(plain.get("decisions", ()))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreCorruptError(f"this graph is damaged: {error!r}") from error
    return SavedGraph(documents, embedding, replies, undone, usage, decisions)


def write_json(plain: Mapping[str, Any], path: str | Path | None) -> str:
    text = json.dumps(plain, ensure_ascii=False)
    if path is not None:
        with atomic_text(Path(path)) as file:
            file.write(text + "\n")
    return text


def read_json(source: str | Path) -> Mapping[str, Any]:
    data: str | bytes = str(source)
    name = "this text"
    if isinstance(source, Path) or not source.lstrip().startswith("{"):
        path = Path(source)
        name = str(path)
        if not path.is_file():
            raise StoreNotFoundError(f"no saved graph at {path}")
        with named_errors(path):
            data = path.read_bytes()
    try:
        plain = json.loads(data)
    except ValueError as error:  # of JSON, or of UTF-8
        raise StoreCorruptError(f"{name} is no whole JSON: {error}") from error
    if not isinstance(plain, Mapping):
        raise StoreCorruptError(f"{name}: expected a mapping, found {type(plain).__name__}")
    return plain
