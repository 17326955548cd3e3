"""Indexing: from documents to a graph in a store.

In the order of the work::

    folders       what of a folder is new, changed or gone
    pipeline      the whole of it: IndexPipeline
    run           one run: what of each batch has to be done, and doing it
    extracting    chunks, units and entities of a batch, in this process or another (transport)
    embedding     the vectors of chunks and units
    collector     why the garbage collector rests meanwhile
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """``from clew.indexing import IndexPipeline``, loaded when it is asked for."""
    if name != "IndexPipeline":
        raise AttributeError(f"module 'clew.indexing' has no attribute {name!r}")
    from clew.indexing.pipeline import IndexPipeline  # noqa: PLC0415

    return IndexPipeline
