"""clew's chunking beside other packages, in one run: speed, and how it grows.

Texts are those of :mod:`benchmarks.chunking.speed` (prose and Markdown) at 10 and 100 thousand, 1
and 10 million characters; chunks of 1,000 characters, no overlap; one pass on one core, from the
text to chunks with their offsets. *Selection* is analysis, all default strategies and their
metrics. Each cell is a process of its own, which is ended after ``--limit`` seconds; then it counts
as *over*, and larger texts are not tried.

Run ``python -m benchmarks.chunking.side_by_side``; the results stand in ``README.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.chunking.peers.child import PEERS, measured
from benchmarks.chunking.peers.environment import peers_python
from benchmarks.chunking.speed import MILLION, markdown, prose

from clew.chunking import AdaptiveSelector, ChunkingConfig, Outline, chunk_by, make_chunker
from clew.evaluation.environment import environment
from clew.records import Document
from clew.text.blocks import partition

TEXTS: dict[str, tuple[Callable[[int], str], str]] = {
    "prose": (prose, "plain"),
    "markdown": (markdown, "markdown"),
}
LIMIT_S = 120.0
STRATEGIES = ("recursive", "sentence", "section-aware")
SELECTION = "selection"
_CHILD = Path(__file__).parent / "peers" / "child.py"
Row = dict[str, Any]


def own(name: str, text: str, syntax: str) -> int:
    """One of clew's strategies from text to chunk records, or the selection among them."""
    config = ChunkingConfig(chunk_size=1000, chunk_overlap=0)
    blocks = partition(text, syntax)
    if name == SELECTION:
        return len(AdaptiveSelector(config=config).select(Outline(text, blocks)).chosen.spans)
    chunker = make_chunker(ChunkingConfig(chunk_size=1000, chunk_overlap=0, chunk_strategy=name))
    return len(chunk_by(chunker, Document(id="d", doc_id="d", text=text, blocks=blocks)))


def commands(syntax: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each row's name and the command that measures it, but for the file."""
    for name in (*STRATEGIES, SELECTION):
        this = [sys.executable, "-m", "benchmarks.chunking.side_by_side"]
        yield f"clew {name}", [*this, "--cell", name, syntax]
    python = str(peers_python())
    for name in PEERS:
        yield name, [python, str(_CHILD), name]


def cell(command: list[str], limit_s: float) -> Row:
    """Return what a command measured; its process is killed when the time is up."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, timeout=limit_s
        )
    except subprocess.TimeoutExpired:
        return {"over": limit_s}
    except subprocess.CalledProcessError as error:
        return {"error": f"ended with {error.returncode}"}
    row: Row = json.loads(done.stdout.splitlines()[-1])
    return row


def rows(name: str, files: dict[int, Path], syntax: str, limit_s: float) -> Iterator[Row]:
    for peer, command in commands(syntax):
        over = False
        for chars, file in files.items():
            found = {"over": limit_s} if over else cell([*command, str(file)], limit_s)
            over = "over" in found
            yield {"text": name, "peer": peer, "chars": chars, **found}


def table(found: list[Row], name: str) -> str:
    """MB a second of the processor (in brackets that, and what went by), and how much more time ten
    times the text takes: 10 is linear.
    """
    by_peer: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in found:
        by_peer[row["peer"]][row["chars"]] = row
    sizes = sorted({row["chars"] for row in found})
    heads = [f"{size / MILLION:g} MB" for size in sizes]
    lines = [
        f"| {name}, MB/s | {' | '.join(heads)} | growth |",
        f"|---|{'---:|' * (len(sizes) + 1)}",
    ]
    for peer, cells in by_peer.items():
        version = next((row["version"] for row in cells.values() if row.get("version")), "")
        shown = [_speed(cells[size]) for size in sizes]
        seconds = [cells[size]["seconds"] for size in sizes if "seconds" in cells[size]]
        growth = f"{seconds[-1] / seconds[-2]:.1f}" if len(seconds) > 1 else "–"
        lines.append(f"| {peer} {version}".rstrip() + f" | {' | '.join(shown)} | {growth} |")
    return "\n".join(lines)


def _speed(row: Row) -> str:
    if "over" in row:
        return f"> {row['over']:g} s"
    if "error" in row:
        return "fails"
    speed = row["chars"] / MILLION / max(row["seconds"], 1e-6)
    return f"{speed:.3g} ({row['seconds']:.2g} s, {row['wall']:.2g} s)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="0.01,0.1,1,10", help="in MB, smallest first")
    parser.add_argument("--texts", default=",".join(TEXTS), help="which of them")
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds for each cell")
    parser.add_argument("--out", type=Path, default=None, help="a JSON file to write")
    parser.add_argument("--cell", nargs=3, help="measure one: strategy, syntax, file")
    options = parser.parse_args()
    if options.cell:
        strategy, syntax, file = options.cell
        text = Path(file).read_text(encoding="utf-8")
        print(json.dumps(measured(lambda: own(strategy, text, syntax))))
        return
    sizes = [int(float(size) * MILLION) for size in options.sizes.split(",")]
    report: dict[str, Any] = {"environment": environment(), "load": os.getloadavg(), "rows": []}
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.texts.split(","):
            make, syntax = TEXTS[name]
            files = {size: Path(scratch) / f"{name}-{size}.txt" for size in sizes}
            for size, file in files.items():
                file.write_text(make(size), encoding="utf-8")
            found = list(rows(name, files, syntax, options.limit))
            report["rows"] += found
            print(table(found, name), end="\n\n", flush=True)
    if options.out is not None:
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
