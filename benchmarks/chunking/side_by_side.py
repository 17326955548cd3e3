"""clew's chunking beside other packages, in one run: speed, growth, and what each promises.

Texts are those of :mod:`benchmarks.chunking.speed` (prose and Markdown) at 0.1, 1 and 10 million
characters; chunks of 1,000 characters, no overlap; CPU seconds of one pass on one core. *Selection*
is analysis, all default strategies and their metrics. A peer that needs more than a minute for a
text is not asked for a larger one. Run ``python -m benchmarks.chunking.side_by_side``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.chunking.peers.environment import peers_python
from benchmarks.chunking.speed import MILLION, markdown, prose

from clew.chunking import ChunkingConfig, Outline, chunk_by, make_chunker
from clew.chunking.selector import AdaptiveSelector
from clew.evaluation.environment import environment
from clew.records import Document
from clew.text.blocks import partition

TEXTS: dict[str, tuple[Callable[[int], str], str]] = {
    "prose": (prose, "plain"),
    "markdown": (markdown, "markdown"),
}
MOST_SECONDS = 60.0
STRATEGIES = ("recursive", "sentence", "section-aware")
_CHILD = Path(__file__).parent / "peers" / "child.py"
Row = dict[str, Any]


def own(text: str, syntax: str, file: str) -> list[Row]:
    """clew's strategies from text to chunk records, and selection from text to choice."""
    config = ChunkingConfig(chunk_size=1000, chunk_overlap=0)

    def strategy(name: str) -> Callable[[], int]:
        chunker = make_chunker(ChunkingConfig(chunk_strategy=name, chunk_overlap=0))

        def cut() -> int:
            blocks = partition(text, syntax)
            return len(chunk_by(chunker, Document(id="d", doc_id="d", text=text, blocks=blocks)))

        return cut

    def select() -> int:
        outline = Outline(text, partition(text, syntax))
        return len(AdaptiveSelector(config=config).select(outline).chosen.spans)

    jobs = {f"clew {name}": strategy(name) for name in STRATEGIES} | {"clew selection": select}
    rows = []
    for name, job in jobs.items():
        began = time.process_time()
        chunks = job()
        seconds = time.process_time() - began
        about = {"peer": name, "version": "", "file": file, "chars": len(text)}
        rows.append(about | {"seconds": round(seconds, 4), "chunks": chunks})
    return rows


def peers(files: list[str]) -> list[Row]:
    command = [str(peers_python()), str(_CHILD), str(MOST_SECONDS), *files]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(rows: list[Row], name: str) -> str:
    """MB/s by size, and how much more time ten times the text takes (10 is linear)."""
    by_peer: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in rows:
        by_peer[f"{row['peer']} {row['version']}".strip()][row["chars"]] = row
    sizes = sorted({row["chars"] for row in rows})
    heads = [f"{size / MILLION:g} MB" for size in sizes]
    lines = [f"| {name}, MB/s | {' | '.join(heads)} | growth |", f"|{'---|' * (len(sizes) + 2)}"]
    for peer, found in by_peer.items():
        cells = [_speed(found.get(size)) for size in sizes]
        seconds = [found[size]["seconds"] for size in sizes if "seconds" in found.get(size, {})]
        growth = f"{seconds[-1] / seconds[-2]:.1f}" if len(seconds) > 1 else "–"
        lines.append(f"| {peer} | {' | '.join(cells)} | {growth} |")
    return "\n".join(lines)


def _speed(row: Row | None) -> str:
    if row is None:
        return "–"
    if "error" in row:
        return "fails"
    return f"{row['chars'] / MILLION / max(row['seconds'], 1e-6):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="0.1,1,10", help="in MB")
    parser.add_argument("--out", type=Path, default=None, help="a JSON file to write")
    options = parser.parse_args()
    sizes = [int(float(size) * MILLION) for size in options.sizes.split(",")]
    report: dict[str, Any] = {"environment": environment(), "rows": {}}
    with tempfile.TemporaryDirectory() as scratch:
        for name, (make, syntax) in TEXTS.items():
            rows, files = [], []
            for size in sizes:
                text = make(size)
                files.append(str(Path(scratch) / f"{name}-{size}.txt"))
                Path(files[-1]).write_text(text, encoding="utf-8")
                rows += own(text, syntax, files[-1])
            rows += peers(files)
            report["rows"][name] = rows
            print(table(rows, name), flush=True)
            print()
    if options.out is not None:
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
