"""A store as one JSON file: everything, vectors included (base64 float32), so that reading it back
gives an equal store without a model call. :mod:`clew.exchange` has the formats for large stores.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from clew.records import Document, IndexedDocument
from clew.stores import codec
from clew.stores.base import GraphReader, Store
from clew.stores.files import atomic_text
from clew.stores.memory import KnowledgeGraph
from clew.stores.memory.saving import FORMAT as GRAPH_FORMAT
from clew.stores.usage import usage_to_list


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


def _whole(reader: GraphReader, listed: Sequence[Document]) -> Iterator[IndexedDocument]:
    for document in listed:
        indexed = reader.load_document(document.id)
        assert indexed is not None, "one generation lists what it holds"
        yield indexed


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
