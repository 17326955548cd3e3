"""How fast texts are analysed and cut, and that time grows linearly.

Data: the documents of ``$CLEW_DATA/chunking`` (prose) and the Markdown files of
``$CLEW_DATA/documents``, repeated to the size needed. CPU time, the best of three; MB are millions
of characters. Run ``python benchmarks/chunking/speed.py``. Measured on two shared cores,
Python 3.11::

    prose     partition as plain      192.8 MB/s
    prose     partition as markdown   119.7 MB/s
    prose     partition as rst        108.3 MB/s
    prose     sentence_spans           25.3 MB/s
    prose     chunk_document recursive  17.4 MB/s
    prose     chunk_document sentence   14.2 MB/s
    prose     chunk_document fixed      74.5 MB/s
    markdown  partition as plain       70.3 MB/s
    markdown  partition as markdown    34.4 MB/s
    markdown  partition as rst         34.6 MB/s
    markdown  sentence_spans           20.2 MB/s
    markdown  chunk_document recursive  17.5 MB/s
    markdown  chunk_document sentence   12.0 MB/s
    markdown  chunk_document fixed      43.6 MB/s
    one paragraph of 480 characters: 0.020 ms
    prose     recursive with partition, s for 1, 2, 4, 8 MB:  0.06  0.13  0.26  0.54
    prose     sentence  with partition, s for 1, 2, 4, 8 MB:  0.07  0.15  0.30  0.63
    prose     fixed     with partition, s for 1, 2, 4, 8 MB:  0.02  0.04  0.08  0.17
    markdown  recursive with partition, s for 1, 2, 4, 8 MB:  0.09  0.18  0.39  0.76
    markdown  sentence  with partition, s for 1, 2, 4, 8 MB:  0.11  0.22  0.46  0.96
    markdown  fixed     with partition, s for 1, 2, 4, 8 MB:  0.05  0.10  0.22  0.45
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from clew.chunking import ChunkingConfig, chunk_document
from clew.chunking.config import STRATEGIES
from clew.records import Document
from clew.text.blocks import SYNTAXES, partition
from clew.text.sentences import sentence_spans

DATA = Path(os.environ.get("CLEW_DATA", Path(__file__).parents[3] / "shared" / "data"))
MILLION = 1_000_000


def prose(chars: int) -> str:
    lines = (DATA / "chunking" / "chroma" / "corpus.jsonl").read_text("utf-8").splitlines()
    return _repeated("\n\n".join(json.loads(line)["text"] for line in lines[:2]), chars)


def markdown(chars: int) -> str:
    files = sorted((DATA / "documents").rglob("*.md"))
    return _repeated("\n".join(path.read_text("utf-8", "replace") for path in files), chars)


def _repeated(text: str, chars: int) -> str:
    return (text * (chars // len(text) + 1))[:chars]


def seconds(run: Callable[[], object]) -> float:
    def once() -> float:
        began = time.process_time()
        run()
        return time.process_time() - began

    return min(once() for _ in range(3))


def cutting(document: Document, strategy: str) -> float:
    config = ChunkingConfig(chunk_strategy=strategy)
    return seconds(lambda: chunk_document(document, config))


def main() -> None:
    for name, text, syntax in (
        ("prose", prose(2 * MILLION), "plain"),
        ("markdown", markdown(2 * MILLION), "markdown"),
    ):
        for reader in SYNTAXES:
            spent = seconds(lambda text=text, reader=reader: partition(text, reader))  # type: ignore[misc]
            print(f"{name:9} partition as {reader:9} {2 / spent:6.1f} MB/s")
        spent = seconds(lambda text=text: sentence_spans(text))  # type: ignore[misc]
        print(f"{name:9} sentence_spans         {2 / spent:6.1f} MB/s")
        blocks = partition(text, syntax)
        document = Document(id="d", doc_id="d", text=text, blocks=blocks)
        for strategy in STRATEGIES:
            speed = 2 / cutting(document, strategy)
            print(f"{name:9} chunk_document {strategy:9} {speed:5.1f} MB/s")
    short = Document(id="d", doc_id="d", text=prose(480), blocks=partition(prose(480)))
    config = ChunkingConfig()
    many = seconds(lambda: [chunk_document(short, config) for _ in range(1000)])
    print(f"one paragraph of 480 characters: {many:.3f} ms")
    for name, make in (("prose", prose), ("markdown", markdown)):
        for strategy in STRATEGIES:
            media = "text/markdown" if name == "markdown" else "text/plain"
            sizes = (
                Document(id="d", doc_id="d", text=make(count * MILLION), media_type=media)
                for count in (1, 2, 4, 8)
            )
            spent_by_size = " ".join(f"{cutting(document, strategy):5.2f}" for document in sizes)
            print(f"{name:9} {strategy:9} with partition, s for 1, 2, 4, 8 MB: {spent_by_size}")


if __name__ == "__main__":
    main()
