"""How fast texts are analysed and cut, and that time grows linearly.

Data: the documents of ``$CLEW_DATA/chunking`` (prose) and the Markdown files of
``$CLEW_DATA/documents``, repeated to the size needed; the sources of clew as code; made-up JSON and
HTML. CPU time, the best of two; MB are millions of characters. ``cut`` is the strategy alone over
the blocks, ``whole`` is from blocks to chunk records. Run ``python benchmarks/chunking/speed.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from clew.chunking import STRATEGIES, ChunkingConfig, Outline, chunk_by, make_chunker
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

    return min(once() for _ in range(2))


def code(chars: int) -> str:
    sources = sorted((Path(__file__).parents[2] / "src").rglob("*.py"))
    return _repeated("\n\n".join(path.read_text("utf-8") for path in sources), chars)


def made_json(chars: int) -> str:
    record = {"name": "Norr Bridge", "tags": ["old", "stone"], "built": {"year": 1902}}
    many = chars // (len(json.dumps(record, indent=1)) + 8)
    return json.dumps([record] * many, indent=1)


def made_html(chars: int) -> str:
    section = (
        "<h2>Bridge</h2><p class='x'>The bridge over the Norr was built by Lind in 1902.</p>"
        "<ul><li>one item</li><li>two items</li></ul>\n"
    )
    return f"<html><body>{_repeated(section, chars)}"


TEXTS: dict[str, tuple[Callable[[int], str], str]] = {
    "prose": (prose, "text/plain"),
    "markdown": (markdown, "text/markdown"),
    "code": (code, "text/plain"),
    "json": (made_json, "text/plain"),
    "html": (made_html, "text/plain"),
}
SPECIAL = {"code": "a.py", "json": "a.json", "html": "a.html"}
"""Strategies that are measured on texts of their kind too."""


def document_of(name: str, chars: int) -> Document:
    make, media_type = TEXTS[name]
    text = make(chars)
    blocks = partition(text, "markdown" if media_type == "text/markdown" else "plain")
    source = SPECIAL.get(name, "a.txt")
    return Document(
        id="d", doc_id=source, source=source, text=text, media_type=media_type, blocks=blocks
    )


def line(name: str, strategy: str, sizes: Sequence[int]) -> str:
    chunker = make_chunker(ChunkingConfig(chunk_strategy=strategy))
    parts, spent = [], []
    for size in sizes:
        document = document_of(name, size * MILLION)
        cut = seconds(lambda document=document: chunker.cuts(Outline.of(document)))  # type: ignore[misc]
        whole = seconds(lambda document=document: chunk_by(chunker, document))  # type: ignore[misc]
        spent.append(whole)
        parts.append(f"{size} MB: cut {size / cut:6.1f} whole {size / whole:5.1f} MB/s")
    growth = spent[-1] / spent[-2] / (sizes[-1] / sizes[-2])
    return f"{name:9}{strategy:17} {'   '.join(parts)}   growth {growth:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--sizes", default="1,10", help="two sizes or more, in MB")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    for name in ("prose", "markdown"):
        document = document_of(name, 2 * MILLION)
        for reader in SYNTAXES:
            spent = seconds(lambda text=document.text, reader=reader: partition(text, reader))  # type: ignore[misc]
            print(f"{name:9}partition as {reader:9} {2 / spent:6.1f} MB/s")
        spent = seconds(lambda text=document.text: sentence_spans(text))  # type: ignore[misc]
        print(f"{name:9}sentence_spans         {2 / spent:6.1f} MB/s")
    for strategy in options.strategies.split(","):
        for name in ("prose", "markdown", *([strategy] if strategy in SPECIAL else [])):
            print(line(name, strategy, sizes), flush=True)


if __name__ == "__main__":
    main()
