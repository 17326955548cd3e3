"""Runs in the peers' environment: seconds of the processor for each peer and text, as JSON lines.

Arguments: the most seconds that a peer may need for a text before larger ones are left out, then
files. Nothing of clew is imported here.
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


def main(most_s: float, files: list[str]) -> None:
    for name, (package, make) in PEERS.items():
        cut = make()
        for file in files:
            text = Path(file).read_text(encoding="utf-8")
            about: dict[str, Any] = {
                "peer": name,
                "version": version(package),
                "file": file,
                "chars": len(text),
            }
            began = time.process_time()
            try:
                about["chunks"] = cut(text)
            except Exception as error:  # a peer that fails is a row too
                print(json.dumps(about | {"error": f"{type(error).__name__}: {error}"}), flush=True)
                continue
            seconds = time.process_time() - began
            print(json.dumps(about | {"seconds": round(seconds, 4)}), flush=True)
            if seconds > most_s:
                break


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
