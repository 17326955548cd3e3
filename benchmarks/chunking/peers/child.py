"""Runs in the peers' environment: what one peer needs for one text, as a line of JSON.

Arguments: the name of the peer, a file. What is imported and made beforehand does not count; the
one pass that is measured is the first. Nothing of clew is imported here.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

SIZE = 1000
Cut = Callable[[str], int]
"""Cuts a text and returns the number of chunks."""


def langchain() -> Cut:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=SIZE, chunk_overlap=0, add_start_index=True
    )
    return lambda text: len(splitter.create_documents([text]))


def chonkie_recursive() -> Cut:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(chunk_size=SIZE, tokenizer="character")
    return lambda text: len(chunker.chunk(text))


def chonkie_fast() -> Cut:
    from chonkie import FastChunker

    chunker = FastChunker(chunk_size=SIZE)
    return lambda text: len(chunker.chunk(text))


def semchunk() -> Cut:
    import semchunk as package

    chunker = package.chunkerify(len, chunk_size=SIZE)
    return lambda text: len(chunker(text, offsets=True)[0])


def semantic_text_splitter() -> Cut:
    from semantic_text_splitter import TextSplitter

    splitter = TextSplitter(SIZE)
    return lambda text: len(splitter.chunk_indices(text))


def adaptive_oci_chunking() -> Cut:
    from adaptive_chunking import AdaptiveChunker

    chunker = AdaptiveChunker()
    return lambda text: len(chunker.chunk(text, document_id="d").chunks)


PEERS: dict[str, tuple[str, Callable[[], Cut]]] = {
    "LangChain recursive, with offsets": ("langchain-text-splitters", langchain),
    "chonkie RecursiveChunker": ("chonkie", chonkie_recursive),
    "chonkie FastChunker": ("chonkie", chonkie_fast),
    "semchunk, with offsets": ("semchunk", semchunk),
    "semantic-text-splitter": ("semantic-text-splitter", semantic_text_splitter),
    "adaptive-oci-chunking, selection": ("adaptive-oci-chunking", adaptive_oci_chunking),
}


def measured(cut: Callable[[], int]) -> dict[str, Any]:
    """Return what one pass takes: seconds of the processor, and seconds that went by."""
    began, wall_began = time.process_time(), time.perf_counter()
    try:
        chunks = cut()
    except Exception as error:  # a peer that fails is a row too
        return {"error": f"{type(error).__name__}: {error}"}
    seconds, wall = time.process_time() - began, time.perf_counter() - wall_began
    return {"seconds": round(seconds, 4), "wall": round(wall, 4), "chunks": chunks}


def main(name: str, file: str) -> None:
    package, make = PEERS[name]
    cut = make()
    text = Path(file).read_text(encoding="utf-8")
    print(json.dumps({"version": version(package), **measured(lambda: cut(text))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
