"""Documents that give little: no text, no units, a model that failed for much of them."""

from __future__ import annotations

from collections.abc import Iterator

from clew.indexing.low_yield import LEAST_SHARE
from clew.indexing.run import DAMAGE, INCOMPLETE
from clew.records import IndexedDocument
from clew.upkeep.health.findings import Finding, suspect

_LEAST_CHUNKS = 4


def little_in(indexed: IndexedDocument) -> Iterator[Finding]:
    """What is suspect about one document."""
    document = indexed.document
    name, chunks = document.doc_id, len(indexed.chunks)
    again = f"look at it with `clew show {name}`; if it is of no use, `clew delete {name}`"
    if not indexed.units:
        what = "no knowledge units" if chunks else "no chunks"
        yield suspect("empty document", name, f"{what} in {len(document.text):,} characters", again)
    else:
        silent = chunks - len({unit.chunk_id for unit in indexed.units})
        if chunks >= _LEAST_CHUNKS and silent > chunks / 2:
            message = f"{silent} of {chunks} chunks have no knowledge units"
            yield suspect("low yield", name, message, again)
    degraded = len({unit.chunk_id for unit in indexed.units if unit.degraded})
    if degraded and degraded >= LEAST_SHARE * chunks:
        yield suspect(
            "low yield",
            name,
            f"the model gave nothing for {degraded} of {chunks} chunks; their sentences stand in",
            "ingest it again: what failed is asked for once more; or take a larger model",
        )
    elif document.content_hash.startswith(INCOMPLETE):
        yield suspect(
            "unfinished document",
            name,
            "some of its chunks still want a model",
            "ingest it again: only what failed is asked for",
        )
    for key in DAMAGE:
        if key in document.metadata:
            yield suspect(
                "unread parts",
                name,
                f"{key.replace('_', ' ')}: {document.metadata[key]}",
                "mend the file and ingest it again",
            )
