"""How fast texts are analysed and cut, and that time grows linearly.

Data: the documents of ``$CLEW_DATA/chunking`` (prose) and the Markdown files of
``$CLEW_DATA/documents``, repeated to the size needed; the sources of clew as code; made-up JSON and
HTML. CPU time, the best of two; MB are millions of characters, all figures MB/s. For each strategy
and size: the strategy alone over the blocks, and from blocks to chunk records; ``growth`` is how
much more than ten times the large text took. Run ``python benchmarks/chunking/speed.py``. Measured
on two shared cores, Python 3.11::

    prose    partition as plain      127.2 MB/s
    prose    partition as markdown   113.4 MB/s
    prose    partition as rst        110.7 MB/s
    prose    sentence_spans           24.3 MB/s
    markdown partition as plain       41.9 MB/s
    markdown partition as markdown    33.9 MB/s
    markdown partition as rst         33.5 MB/s
    markdown sentence_spans           19.5 MB/s
    prose    recursive         1 MB:   19.0   14.0   10 MB:   18.8   12.8   growth 1.09
    markdown recursive         1 MB:   23.1   13.4   10 MB:   20.8   12.0   growth 1.12
    prose    sentence          1 MB:   13.8   11.0   10 MB:   15.1   11.5   growth 0.96
    markdown sentence          1 MB:   13.6    9.9   10 MB:   13.5    9.7   growth 1.03
    prose    fixed-window      1 MB:  255.1   42.0   10 MB:  225.0   38.2   growth 1.10
    markdown fixed-window      1 MB:  126.0   27.1   10 MB:  130.0   27.5   growth 0.99
    prose    token-window      1 MB:   16.6   12.1   10 MB:   15.5   11.1   growth 1.09
    markdown token-window      1 MB:   11.5    7.9   10 MB:   11.3    7.4   growth 1.06
    prose    split-then-merge  1 MB:   18.8   13.0   10 MB:   18.9   13.0   growth 1.00
    markdown split-then-merge  1 MB:   16.4   10.1   10 MB:   16.3   10.9   growth 0.93
    prose    paragraph         1 MB:   19.0   13.3   10 MB:   19.0   13.8   growth 0.96
    markdown paragraph         1 MB:   21.5   12.4   10 MB:   21.6   13.0   growth 0.96
    prose    section-aware     1 MB:   20.0   14.5   10 MB:   19.8   13.6   growth 1.07
    markdown section-aware     1 MB:   21.3   12.8   10 MB:   21.2   12.2   growth 1.06
    prose    markdown          1 MB:   16.1   11.8   10 MB:   15.6   11.2   growth 1.05
    markdown markdown          1 MB:   22.0   12.9   10 MB:   22.3   12.4   growth 1.04
    prose    delimiter         1 MB:   19.9   14.2   10 MB:   20.0   14.2   growth 1.00
    markdown delimiter         1 MB:   22.5   13.4   10 MB:   20.1   12.8   growth 1.05
    prose    page              1 MB:   19.7   14.6   10 MB:   20.1   14.7   growth 0.99
    markdown page              1 MB:   22.9   15.3   10 MB:   21.4   14.2   growth 1.08
    prose    page-index        1 MB:   20.4   14.4   10 MB:   20.4   13.3   growth 1.08
    markdown page-index        1 MB:   21.4   12.1   10 MB:   21.3   11.1   growth 1.10
    prose    semantic          1 MB:    6.5    5.7   10 MB:    6.0    5.4   growth 1.05
    markdown semantic          1 MB:    6.5    5.6   10 MB:    6.2    5.1   growth 1.08
    prose    regex-section     1 MB:   18.3   12.9   10 MB:   18.0   12.3   growth 1.04
    markdown regex-section     1 MB:   18.7   10.4   10 MB:   18.0    9.7   growth 1.07
    prose    html              1 MB:   18.6   12.7   10 MB:   18.7   12.8   growth 1.00
    markdown html              1 MB:   19.9   11.8   10 MB:   19.2   11.7   growth 1.01
    html     html              1 MB:    6.3    4.5   10 MB:    5.0    3.9   growth 1.16
    prose    json              1 MB:   19.8   13.9   10 MB:   19.1   13.7   growth 1.02
    markdown json              1 MB:   20.4   12.2   10 MB:   20.0   11.8   growth 1.03
    json     json              1 MB:    7.6    6.7   10 MB:    6.8    6.1   growth 1.08
    prose    code              1 MB:   23.2   16.7   10 MB:   24.7   15.8   growth 1.06
    markdown code              1 MB:   18.5   11.8   10 MB:   17.1   10.8   growth 1.09
    code     code              1 MB:    3.6    3.4   10 MB:    2.9    2.7   growth 1.25
    prose    hybrid            1 MB:    6.1    5.4   10 MB:    6.0    5.3   growth 1.02
    markdown hybrid            1 MB:    6.8    5.3   10 MB:    5.7    4.8   growth 1.11
    prose    single            1 MB:  769.7  260.4   10 MB:  806.1  241.8   growth 1.08
    markdown single            1 MB:  263.7   74.7   10 MB:  295.0   50.4   growth 1.48
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
