"""How fast texts are analysed and cut, and that time grows linearly.

Data: the documents of ``$CLEW_DATA/chunking`` (prose) and the Markdown files of
``$CLEW_DATA/documents``, repeated to the size needed; the sources of clew as code; made-up JSON and
HTML. CPU time, the best of two; MB are millions of characters, all figures MB/s. For each strategy
and size: the strategy alone over the blocks, and from blocks to chunk records; ``growth`` is how
much more than ten times the large text took. Run ``python benchmarks/chunking/speed.py``. Measured
on two quiet cores, Python 3.11::

    prose    partition as plain      165.2 MB/s
    prose    partition as markdown   151.2 MB/s
    prose    partition as rst        133.3 MB/s
    prose    sentence_spans           86.7 MB/s
    markdown partition as plain       52.5 MB/s
    markdown partition as markdown    45.6 MB/s
    markdown partition as rst         41.8 MB/s
    markdown sentence_spans           38.2 MB/s
    prose    recursive         1 MB:   40.3   30.1   10 MB:   37.5   27.3   growth 1.10
    markdown recursive         1 MB:   36.4   23.7   10 MB:   30.1   20.1   growth 1.18
    prose    sentence          1 MB:   33.1   26.0   10 MB:   27.9   21.7   growth 1.20
    markdown sentence          1 MB:   23.3   17.8   10 MB:   18.6   14.1   growth 1.26
    prose    fixed-window      1 MB:  315.3   90.4   10 MB:  280.3   77.6   growth 1.16
    markdown fixed-window      1 MB:  190.6   53.8   10 MB:  155.3   47.4   growth 1.14
    prose    token-window      1 MB:   49.4   34.6   10 MB:   36.5   27.3   growth 1.27
    markdown token-window      1 MB:   27.7   19.3   10 MB:   24.0   16.0   growth 1.21
    prose    split-then-merge  1 MB:   43.9   32.4   10 MB:   39.8   28.6   growth 1.13
    markdown split-then-merge  1 MB:   32.5   22.0   10 MB:   26.4   18.4   growth 1.19
    prose    paragraph         1 MB:   43.5   31.8   10 MB:   42.5   28.6   growth 1.11
    markdown paragraph         1 MB:   36.9   25.1   10 MB:   31.8   21.1   growth 1.19
    prose    section-aware     1 MB:   43.4   28.7   10 MB:   39.3   26.0   growth 1.10
    markdown section-aware     1 MB:   38.9   22.0   10 MB:   32.4   18.8   growth 1.17
    prose    markdown          1 MB:   32.7   23.3   10 MB:   29.8   20.5   growth 1.13
    markdown markdown          1 MB:   38.2   22.3   10 MB:   31.9   19.2   growth 1.16
    prose    delimiter         1 MB:   42.8   31.7   10 MB:   37.9   26.2   growth 1.21
    markdown delimiter         1 MB:   36.7   24.3   10 MB:   27.3   19.2   growth 1.27
    prose    page              1 MB:   41.9   29.9   10 MB:   42.5   27.4   growth 1.09
    markdown page              1 MB:   37.9   24.3   10 MB:   32.9   19.2   growth 1.26
    prose    page-index        1 MB:   43.9   27.2   10 MB:   41.9   24.7   growth 1.10
    markdown page-index        1 MB:   38.8   20.4   10 MB:   31.4   16.4   growth 1.24
    prose    semantic          1 MB:   12.9   11.5   10 MB:   12.1   10.7   growth 1.07
    markdown semantic          1 MB:   11.5    9.9   10 MB:   10.4    8.7   growth 1.13
    prose    regex-section     1 MB:   38.1   25.7   10 MB:   36.4   23.7   growth 1.08
    markdown regex-section     1 MB:   29.9   17.1   10 MB:   24.5   14.7   growth 1.16
    prose    html              1 MB:   43.3   28.4   10 MB:   41.2   24.2   growth 1.17
    markdown html              1 MB:   38.4   21.6   10 MB:   31.6   18.7   growth 1.16
    html     html              1 MB:    6.7    5.4   10 MB:    5.6    4.6   growth 1.16
    prose    json              1 MB:   43.7   31.0   10 MB:   42.6   27.0   growth 1.15
    markdown json              1 MB:   39.1   23.5   10 MB:   31.2   19.6   growth 1.20
    json     json              1 MB:    8.7    7.6   10 MB:    7.8    7.0   growth 1.09
    prose    code              1 MB:   30.1   22.4   10 MB:   30.2   20.9   growth 1.07
    markdown code              1 MB:   22.9   16.5   10 MB:   21.7   14.6   growth 1.13
    code     code              1 MB:    4.1    4.0   10 MB:    3.5    3.5   growth 1.14
    prose    hybrid            1 MB:   12.5   10.5   10 MB:   12.2   10.1   growth 1.04
    markdown hybrid            1 MB:   11.0    9.0   10 MB:    9.5    7.8   growth 1.15
    prose    single            1 MB: 1632.1  349.5   10 MB: 1288.7  263.7   growth 1.33
    markdown single            1 MB:  434.5  116.0   10 MB:  394.9   65.3   growth 1.78
    prose    adaptive          1 MB:    5.2    4.6   10 MB:    4.8    4.2   growth 1.08
    markdown adaptive          1 MB:    3.1    2.8   10 MB:    2.7    2.6   growth 1.07
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
        parts.append(f"{size} MB: {size / cut:6.1f} {size / whole:6.1f}")
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
