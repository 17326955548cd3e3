"""Documents that are already in memory: strings, mappings, or both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from clew.documents.failures import LoadFailure
from clew.documents.fields import DEFAULT_FIELDS, RecordFields, read_record
from clew.documents.formats import media_type_of_text
from clew.documents.front_matter import front_matter
from clew.documents.making import make_document
from clew.errors import DocumentError
from clew.ids import content_id
from clew.records import DEFAULT_SCOPE, Document

_HEX_DIGITS = 12

DocumentInput = str | Mapping[str, Any] | Document | LoadFailure
"""A failure of a loader stays what it is: it is reported with the others."""


def documents_from(
    inputs: DocumentInput | Iterable[DocumentInput],
    *,
    fields: RecordFields = DEFAULT_FIELDS,
    scope: str = DEFAULT_SCOPE,
) -> Iterator[Document | LoadFailure]:
    """Yield a document for each input; a lone string or mapping is one document.

    A mapping has ``text`` and optionally ``doc_id``, ``title`` and ``metadata``. Without a
    ``doc_id`` it is named by its content; one that ends in ``.md`` or ``.rst`` says how to read the
    text. A lone input that is no document raises :class:`DocumentError` at once; in a batch it is a
    :class:`LoadFailure`, and the others go on.
    """
    if isinstance(inputs, LoadFailure):
        return iter((inputs,))
    if isinstance(inputs, (str, Mapping, Document)):
        return iter((_document(inputs, fields, scope, "the document"),))
    if not _is_batch(inputs):
        raise DocumentError(
            f"documents must be text, mappings with 'text', or a list of them, not "
            f"{type(inputs).__name__}"
        )
    return _each(inputs, fields, scope)


def _is_batch(inputs: object) -> bool:
    return isinstance(inputs, Iterable) and not isinstance(inputs, (bytes, bytearray))


def _each(
    inputs: Iterable[DocumentInput], fields: RecordFields, scope: str
) -> Iterator[Document | LoadFailure]:
    for number, item in enumerate(inputs, start=1):
        if isinstance(item, LoadFailure):
            yield item
            continue
        try:
            yield _document(item, fields, scope, f"document {number}")
        except DocumentError as error:
            yield LoadFailure(source="", doc_id=_name_of(item, fields, number), reason=str(error))


def _document(item: Any, fields: RecordFields, scope: str, place: str) -> Document:
    if isinstance(item, Document):
        return item
    if isinstance(item, str):
        return _named(item, title="", doc_id="", metadata={}, scope=scope)
    if not isinstance(item, Mapping):
        raise DocumentError(
            f"{place} is of type {type(item).__name__}; give text or a mapping with 'text'"
        )
    try:
        values = read_record(item, fields)
    except DocumentError as error:
        name = _name_of(item, fields, None)
        raise DocumentError(f"{place}{f' ({name!r})' if name else ''}: {error}") from error
    return _named(
        values.text,
        title=values.title,
        doc_id=values.doc_id,
        metadata=values.metadata,
        scope=scope,
    )


def _named(
    text: str, *, title: str, doc_id: str, metadata: Mapping[str, Any], scope: str
) -> Document:
    media_type = media_type_of_text(doc_id)
    if media_type == "text/markdown":
        metadata = {**front_matter(text), **metadata}
    return make_document(
        text,
        doc_id=doc_id or content_id("text-", title, text)[: len("text-") + _HEX_DIGITS],
        title=title,
        metadata=metadata,
        media_type=media_type,
        scope=scope,
    )


def _name_of(item: Any, fields: RecordFields, number: int | None) -> str:
    if isinstance(item, Mapping):
        for name in fields.id:
            if isinstance(item.get(name), (str, int)):
                return str(item[name])
    return "" if number is None else f"#{number}"
