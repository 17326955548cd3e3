"""Does every strategy keep its promises on real files?

Data: every file of ``$CLEW_DATA/documents`` that can be read, every record of
``$CLEW_DATA/chunking``, and of the corpora in ``tune`` and ``eval`` the records that an even sample
of ``--chars`` characters a file holds. Each document is cut by every strategy at sizes of 200,
1,000 and 4,000 with an overlap of 0 and 100, measured in characters; in tokens
(:func:`clew.chunking.count_tokens`), the first 60,000 characters; and in the word pieces of the
local embedder, which do not add up and are slow to count, the first 3,000 characters of every
sixtieth document. :class:`clew.testing.chunk_contract.ChunkContract` says what is owed: exact
slices, nothing left out, sizes and overlaps kept, every chunk further on than the one before, no
grapheme cut. Each cut is made twice, over outlines made anew, and must be the same.

Run ``python benchmarks/chunking/properties.py``; it ends with 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path

from clew.chunking import STRATEGIES, ChunkingConfig, chunk_by, count_tokens, make_chunker
from clew.chunking.outline import Outline
from clew.documents import LoadFailure, load_bytes, load_file, make_document
from clew.errors import DocumentError
from clew.models.token_counting import token_counter
from clew.records import Document
from clew.testing.chunk_contract import ChunkContract, ChunkFault

DATA = Path(os.environ.get("CLEW_DATA", Path(__file__).parents[3] / "shared" / "data"))
SIZES = (200, 1000, 4000)
OVERLAPS = (0, 100)
MOST_FOR_TOKENS = 60_000
MOST_FOR_WORD_PIECES = 3_000
EVERY_FOR_WORD_PIECES = 60
SHOWN = 5
Count = Callable[[str], int]


@dataclass
class Tally:
    """What came of one strategy."""

    cuts: int = 0
    chunks: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.cuts += other.cuts
        self.chunks += other.chunks
        self.faults += other.faults


def documents(chars: int) -> Iterator[tuple[str, Document]]:
    """Yield every document with the file that it was read from."""
    for path in sorted(path for path in (DATA / "documents").rglob("*") if path.is_file()):
        yield from _of_file(path)
    for path in sorted((DATA / "chunking").rglob("corpus.jsonl")):
        yield from _of_records(path, sys.maxsize)
    for folder in ("tune", "eval"):
        for path in sorted((DATA / folder).rglob("corpus.jsonl")):
            yield from _of_records(path, chars)


def _of_file(path: Path) -> Iterator[tuple[str, Document]]:
    name = path.relative_to(DATA).as_posix()
    try:
        for found in load_file(path, root=DATA):
            if isinstance(found, LoadFailure):
                print(f"passed over: {found.reason}")
            else:
                yield name, found
    except DocumentError as error:
        print(f"passed over: {error}")


def _of_records(path: Path, chars: int) -> Iterator[tuple[str, Document]]:
    """Yield records, spread evenly, that hold ``chars`` characters or a little more."""
    name = path.relative_to(DATA).as_posix()
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    step = max(1, sum(len(row["text"]) for row in rows) // chars)
    for row in rows[::step]:
        for found in load_bytes(json.dumps(row).encode(), f"{name}.json"):
            assert isinstance(found, Document)
            yield name, found


def counters(number: int, document: Document) -> Iterator[tuple[str, Count, Document]]:
    """Yield how a document is measured, and how much of it."""
    yield "characters", len, document
    yield "tokens", count_tokens, begun(document, MOST_FOR_TOKENS)
    if number % EVERY_FOR_WORD_PIECES == 0:
        yield "word pieces", token_counter(), begun(document, MOST_FOR_WORD_PIECES)


def begun(document: Document, chars: int) -> Document:
    """Return a document with no more than the first ``chars`` of the text."""
    if len(document.text) <= chars:
        return document
    name, kind = document.doc_id, document.media_type
    return make_document(document.text[:chars], doc_id=name, media_type=kind)


def looked_over(
    numbered: tuple[int, tuple[str, Document]], strategies: Sequence[str]
) -> dict[str, Tally]:
    """Cut one document by every strategy in every way."""
    tallies = {strategy: Tally() for strategy in strategies}
    number, (name, whole) = numbered
    for unit, count, document in counters(number, whole):
        owed = ChunkContract(document.text)
        for strategy, tally in tallies.items():
            where = f"{strategy}, {name}, {document.doc_id}, {unit}"
            tally.add(cut_in_every_size(strategy, count, document, owed, where))
    return tallies


def cut_in_every_size(
    strategy: str, count: Count, document: Document, owed: ChunkContract, where: str
) -> Tally:
    outlines = Outline.of(document), Outline.of(document)
    tally = Tally()
    for size, overlap in product(SIZES, OVERLAPS):
        config = ChunkingConfig(chunk_strategy=strategy, chunk_size=size, chunk_overlap=overlap)
        chunks, again = (
            chunk_by(make_chunker(config, count=count), document, outline=outline)
            for outline in outlines
        )
        limit = None if strategy == "single" else size
        faults = list(owed.faults(chunks, size=limit, overlap=overlap, count=count))
        if chunks != again:
            faults.append(ChunkFault("repetition", 0, "other chunks the second time"))
        tally.cuts += 1
        tally.chunks += len(chunks)
        tally.faults += [
            f"{where}, {size:,} with {overlap}: {fault.rule} at {fault.offset:,}: {fault.what}"
            for fault in faults
        ]
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chars", type=int, default=40_000, help="of each corpus")
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    began = time.monotonic()
    items = sorted(documents(options.chars), key=lambda item: -len(item[1].text))
    tallies = {strategy: Tally() for strategy in options.strategies}
    with ProcessPoolExecutor(options.processes) as pool:
        run = partial(looked_over, strategies=options.strategies)
        for found in pool.map(run, enumerate(items)):
            for strategy, tally in found.items():
                tallies[strategy].add(tally)
    report(items, tallies, time.monotonic() - began)
    sys.exit(any(tally.faults for tally in tallies.values()))


def report(
    items: Sequence[tuple[str, Document]], tallies: Mapping[str, Tally], seconds: float
) -> None:
    files = len({name for name, _ in items})
    chars = sum(len(document.text) for _, document in items)
    print(
        f"{files} files, {len(items):,} documents, {chars / 1e6:.1f} million characters, "
        f"{seconds:.0f} s\n\n| strategy | files | cuts | chunks | violations |\n"
        "|---|---:|---:|---:|---:|"
    )
    for strategy, tally in tallies.items():
        print(f"| {strategy} | {files} | {tally.cuts:,} | {tally.chunks:,} | {len(tally.faults)} |")
    for tally in tallies.values():
        for fault in tally.faults[:SHOWN]:
            print(fault)


if __name__ == "__main__":
    main()
