"""From passages that were found to the whole sections that they are from."""

from __future__ import annotations

from collections.abc import Iterable

from clew.records import Chunk


def expand_section_instances(
    chunks: Iterable[Chunk], fetched_chunks: Iterable[Chunk]
) -> list[Chunk]:
    """Return those of ``chunks``, in their order, that were fetched or share a section with one
    that was: the same section of the same document, not another of the same title.

    Sections are told by the strategies that know them (``section_instance_id`` in the metadata); a
    chunk of another strategy stands for itself.
    """
    fetched = list(fetched_chunks)
    ids = {chunk.id for chunk in fetched}
    sections = {section for chunk in fetched if (section := _section(chunk))}
    return [chunk for chunk in chunks if chunk.id in ids or _section(chunk) in sections]


def _section(chunk: Chunk) -> tuple[str, str] | None:
    name = chunk.metadata.get("section_instance_id")
    return (chunk.document_id, name) if name else None
