"""How fast texts are analysed and cut, and that time grows linearly.

Data: the documents of ``$CLEW_DATA/chunking`` (prose) and the Markdown files of
``$CLEW_DATA/documents``, repeated to the size needed; the sources of clew as code; made-up JSON and
HTML. CPU time, the best of two; MB are millions of characters. ``cut`` is the strategy alone over
the blocks, ``whole`` is from blocks to chunk records. Run ``python benchmarks/chunking/speed.py``. ``growth`` is
how much more than ten times the large text took. Measured on two shared cores, Python 3.11::

    prose    partition as plain      127.2 MB/s
    prose    partition as markdown   113.4 MB/s
    prose    partition as rst        110.7 MB/s
    prose    sentence_spans           24.3 MB/s
    markdown partition as plain       41.9 MB/s
    markdown partition as markdown    33.9 MB/s
    markdown partition as rst         33.5 MB/s
    markdown sentence_spans           19.5 MB/s
    prose    recursive         1 MB: cut   19.0 whole  14.0 MB/s   10 MB: cut   18.8 whole  12.8 MB/s   growth 1.09
    markdown recursive         1 MB: cut   23.1 whole  13.4 MB/s   10 MB: cut   20.8 whole  12.0 MB/s   growth 1.12
    prose    sentence          1 MB: cut   13.8 whole  11.0 MB/s   10 MB: cut   15.1 whole  11.5 MB/s   growth 0.96
    markdown sentence          1 MB: cut   13.6 whole   9.9 MB/s   10 MB: cut   13.5 whole   9.7 MB/s   growth 1.03
    prose    fixed-window      1 MB: cut  255.1 whole  42.0 MB/s   10 MB: cut  225.0 whole  38.2 MB/s   growth 1.10
    markdown fixed-window      1 MB: cut  126.0 whole  27.1 MB/s   10 MB: cut  130.0 whole  27.5 MB/s   growth 0.99
    prose    token-window      1 MB: cut   16.6 whole  12.1 MB/s   10 MB: cut   15.5 whole  11.1 MB/s   growth 1.09
    markdown token-window      1 MB: cut   11.5 whole   7.9 MB/s   10 MB: cut   11.3 whole   7.4 MB/s   growth 1.06
    prose    split-then-merge  1 MB: cut   18.8 whole  13.0 MB/s   10 MB: cut   18.9 whole  13.0 MB/s   growth 1.00
    markdown split-then-merge  1 MB: cut   16.4 whole  10.1 MB/s   10 MB: cut   16.3 whole  10.9 MB/s   growth 0.93
    prose    paragraph         1 MB: cut   19.0 whole  13.3 MB/s   10 MB: cut   19.0 whole  13.8 MB/s   growth 0.96
    markdown paragraph         1 MB: cut   21.5 whole  12.4 MB/s   10 MB: cut   21.6 whole  13.0 MB/s   growth 0.96
    prose    section-aware     1 MB: cut   20.0 whole  14.5 MB/s   10 MB: cut   19.8 whole  13.6 MB/s   growth 1.07
    markdown section-aware     1 MB: cut   21.3 whole  12.8 MB/s   10 MB: cut   21.2 whole  12.2 MB/s   growth 1.06
    prose    markdown          1 MB: cut   16.1 whole  11.8 MB/s   10 MB: cut   15.6 whole  11.2 MB/s   growth 1.05
    markdown markdown          1 MB: cut   22.0 whole  12.9 MB/s   10 MB: cut   22.3 whole  12.4 MB/s   growth 1.04
    prose    delimiter         1 MB: cut   19.9 whole  14.2 MB/s   10 MB: cut   20.0 whole  14.2 MB/s   growth 1.00
    markdown delimiter         1 MB: cut   22.5 whole  13.4 MB/s   10 MB: cut   20.1 whole  12.8 MB/s   growth 1.05
    prose    page              1 MB: cut   19.7 whole  14.6 MB/s   10 MB: cut   20.1 whole  14.7 MB/s   growth 0.99
    markdown page              1 MB: cut   22.9 whole  15.3 MB/s   10 MB: cut   21.4 whole  14.2 MB/s   growth 1.08
    prose    page-index        1 MB: cut   20.4 whole  14.4 MB/s   10 MB: cut   20.4 whole  13.3 MB/s   growth 1.08
    markdown page-index        1 MB: cut   21.4 whole  12.1 MB/s   10 MB: cut   21.3 whole  11.1 MB/s   growth 1.10
    prose    semantic          1 MB: cut    6.5 whole   5.7 MB/s   10 MB: cut    6.0 whole   5.4 MB/s   growth 1.05
    markdown semantic          1 MB: cut    6.5 whole   5.6 MB/s   10 MB: cut    6.2 whole   5.1 MB/s   growth 1.08
    prose    regex-section     1 MB: cut   18.3 whole  12.9 MB/s   10 MB: cut   18.0 whole  12.3 MB/s   growth 1.04
    markdown regex-section     1 MB: cut   18.7 whole  10.4 MB/s   10 MB: cut   18.0 whole   9.7 MB/s   growth 1.07
    prose    html              1 MB: cut   18.6 whole  12.7 MB/s   10 MB: cut   18.7 whole  12.8 MB/s   growth 1.00
    markdown html              1 MB: cut   19.9 whole  11.8 MB/s   10 MB: cut   19.2 whole  11.7 MB/s   growth 1.01
    html     html              1 MB: cut    6.3 whole   4.5 MB/s   10 MB: cut    5.0 whole   3.9 MB/s   growth 1.16
    prose    json              1 MB: cut   19.8 whole  13.9 MB/s   10 MB: cut   19.1 whole  13.7 MB/s   growth 1.02
    markdown json              1 MB: cut   20.4 whole  12.2 MB/s   10 MB: cut   20.0 whole  11.8 MB/s   growth 1.03
    json     json              1 MB: cut    7.6 whole   6.7 MB/s   10 MB: cut    6.8 whole   6.1 MB/s   growth 1.08
    prose    code              1 MB: cut   23.2 whole  16.7 MB/s   10 MB: cut   24.7 whole  15.8 MB/s   growth 1.06
    markdown code              1 MB: cut   18.5 whole  11.8 MB/s   10 MB: cut   17.1 whole  10.8 MB/s   growth 1.09
    code     code              1 MB: cut    3.6 whole   3.4 MB/s   10 MB: cut    2.9 whole   2.7 MB/s   growth 1.25
    prose    hybrid            1 MB: cut    6.1 whole   5.4 MB/s   10 MB: cut    6.0 whole   5.3 MB/s   growth 1.02
    markdown hybrid            1 MB: cut    6.8 whole   5.3 MB/s   10 MB: cut    5.7 whole   4.8 MB/s   growth 1.11
    prose    single            1 MB: cut  769.7 whole 260.4 MB/s   10 MB: cut  806.1 whole 241.8 MB/s   growth 1.08
    markdown single            1 MB: cut  263.7 whole  74.7 MB/s   10 MB: cut  295.0 whole  50.4 MB/s   growth 1.48
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
