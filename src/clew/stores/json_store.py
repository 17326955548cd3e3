"""Stores as text: one JSON file for a graph, or JSON Lines with one document a line.

Both hold everything, vectors included (base64 float32), so that reading them back gives an equal
store without a model call. Both are written whole or not at all. JSON Lines never hold more than
one document in memory: the way to move a large store or to look into it with line tools.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from clew.errors import StoreCorruptError, StoreNotFoundError
from clew.records import Document, EntityDecision, IndexedDocument
from clew.stores import codec
from clew.stores.admission import require_same_space
from clew.stores.base import EmbeddingSpace, GraphReader, Store
from clew.stores.files import atomic_text, named_errors
from clew.stores.memory import KnowledgeGraph
from clew.stores.memory.saving import FORMAT as GRAPH_FORMAT
from clew.stores.usage import usage_to_list

LINES_FORMAT = "clew.documents"
_BATCH = 256


class JSONStore:
    """A graph saved as one JSON file, which :meth:`KnowledgeGraph.from_json` reads too."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def exists(self) -> bool:
        return self.path.is_file()

    def save(self, store: Store) -> None:
        """Write any store; the file that was there is replaced when all is written."""
        with store.reading() as reader, atomic_text(self.path) as file:
            _write_graph(file, reader, store)

    def load(self) -> KnowledgeGraph:
        return KnowledgeGraph.from_json(self.path)


def export_jsonl(store: Store, path: str | Path, *, scope: str | None = None) -> int:
    """Write a header line and one line per document, of all scopes or of ``scope``; return the
    number of documents.
    """
    with store.reading() as reader, atomic_text(Path(path)) as file:
        listed = reader.list_documents(documents=reader.select_documents(scope=scope))
        header = {
            "format": LINES_FORMAT,
            "version": codec.FORMAT_VERSION,
            "embedding": codec.space_to_dict(reader.embedding),
            "documents": len(listed),
            "decisions": codec.decisions_to_list(
                decision for decision in store.decisions() if scope in {None, decision.scope}
            ),
        }
        _write_line(file, header)
        for indexed in _whole(reader, listed):
            replies = store.remembered(indexed.reply_keys)
            _write_line(file, codec.indexed_to_dict(indexed) | {"replies": replies})
    return len(listed)


def check_export(path: str | Path) -> int:
    """Read an export from end to end and return the number of its documents, writing nothing.

    Raises :class:`clew.errors.StoreCorruptError` and :class:`clew.errors.StoreVersionError`.
    """
    path = Path(path)
    _, count, _ = _read_header(path)
    found = sum(1 for _ in _read_documents(path))
    if found != count:
        raise StoreCorruptError(
            f"{path}: {found} documents where its first line promises {count}; the file was cut"
        )
    return count


def import_jsonl(path: str | Path, store: Store) -> int:
    """Put the documents of an export into ``store``, each replacing the one of its id; return how
    many there were.

    The whole file is checked before the first document is written. Raises
    :class:`clew.errors.StoreCorruptError`, :class:`clew.errors.StoreVersionError`, and
    :class:`clew.errors.FingerprintMismatchError` when the store was made with another embedder.
    """
    path = Path(path)
    space, count, decisions = _read_header(path)
    if store.stats()["documents"]:
        require_same_space(store.embedding, space, where="the store that the file is read into")
    check_export(path)
    for decision in decisions:
        store.decide(decision)
    documents = _read_documents(path)
    while batch := list(islice(documents, _BATCH)):
        for indexed, replies in batch:
            if replies:
                store.remember(indexed.document.id, replies)
        store.commit([indexed for indexed, _ in batch], embedding=space)
    return count


def _whole(reader: GraphReader, listed: Sequence[Document]) -> Iterator[IndexedDocument]:
    for document in listed:
        indexed = reader.load_document(document.id)
        assert indexed is not None, "one generation lists what it holds"
        yield indexed


def _write_line(file: IO[str], plain: dict[str, Any]) -> None:
    file.write(json.dumps(plain, ensure_ascii=False) + "\n")


def _write_graph(file: IO[str], reader: GraphReader, store: Store) -> None:
    """The format of ``KnowledgeGraph.to_json``, one document at a time."""
    space = json.dumps(codec.space_to_dict(reader.embedding), ensure_ascii=False)
    file.write(
        f'{{"format": "{GRAPH_FORMAT}", "version": {codec.FORMAT_VERSION}, "embedding": {space}, '
        '"documents": ['
    )
    replies: list[list[str]] = []
    for at, indexed in enumerate(_whole(reader, reader.list_documents())):
        file.write(",\n" if at else "\n")
        file.write(json.dumps(codec.indexed_to_dict(indexed), ensure_ascii=False))
        kept = store.remembered(indexed.reply_keys)
        replies += [[indexed.document.id, key, reply] for key, reply in kept.items()]
    kept_replies = json.dumps(replies, ensure_ascii=False)
    usage = json.dumps(usage_to_list(store.usage()), ensure_ascii=False)
    decisions = json.dumps(codec.decisions_to_list(store.decisions()), ensure_ascii=False)
    file.write(
        f'\n], "replies": {kept_replies}, "undone_merges": {{}}, "usage": {usage}, '
        f'"decisions": {decisions}}}\n'
    )


def _read_header(path: Path) -> tuple[EmbeddingSpace | None, int, list[EntityDecision]]:
    if not path.is_file():
        raise StoreNotFoundError(f"no export at {path}")
    header = next(_read_lines(path), None)
    codec.require_format(header, LINES_FORMAT, str(path))
    assert header is not None
    decisions = codec.decisions_from_list(header.get("decisions", ()))
    return codec.space_from_dict(header["embedding"]), int(header["documents"]), decisions


def _read_documents(path: Path) -> Iterator[tuple[IndexedDocument, dict[str, str]]]:
    for plain in islice(_read_lines(path), 1, None):
        replies = plain.pop("replies", {})
        yield codec.indexed_from_dict(plain), replies


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with named_errors(path), path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                plain = json.loads(line)
            except ValueError as error:  # of JSON, or of UTF-8
                raise StoreCorruptError(
                    f"{path}: line {number} is no whole JSON: {error}"
                ) from error
            if not isinstance(plain, dict):
                raise StoreCorruptError(f"{path}: line {number} is no JSON object")
            yield plain
