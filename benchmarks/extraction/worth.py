"""Are the chunks that a budget chooses better than any others?

::

    python -m benchmarks.extraction.worth [SET …]      (default the tuning sets)

Of the passages that the questions of a set need, the share that lies among the chosen chunks, over
the share of the text that was chosen: 1 is what chance gives. Beside it chunks taken at random (the
mean of 20 draws), the longest first and the first of the collection.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Mapping, Sequence

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.evaluation.datasets import load_dataset
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.worth import ChunkWorth

_SETS = ("tune/2wiki", "tune/hotpotqa", "tune/musique")
_SHARES = (0.1, 0.25, 0.5)
_DRAWS = 20


def main(names: Sequence[str]) -> None:
    print("| set | chunks chosen | 10 % | 25 % | 50 % |\n|---|---|---|---|---|")
    for name in names or _SETS:
        _rows(name)


def _rows(name: str) -> None:
    dataset = load_dataset(name)
    needed = {passage for question in dataset.questions for passage in question.supporting_ids}
    config = ClewConfig()
    worth = ChunkWorth()
    lengths: dict[str, int] = {}
    passage_of: dict[str, str] = {}
    extractor = SentenceExtractor(config)
    for passage in dataset.passages:
        document = make_document(passage.text, doc_id=passage.id, title=passage.title)
        chunks = chunk_document(document, config)
        worth.add(document, chunks, extractor.extract([(document, chunks)])[0])
        for chunk in chunks:
            lengths[chunk.id] = len(chunk.text)
            passage_of[chunk.id] = passage.id
    began = time.process_time()
    chosen = {share: worth.chosen(share) for share in _SHARES}
    seconds = time.process_time() - began

    def lift(chunks: Iterable[str], share: float) -> float:
        found = {passage_of[chunk] for chunk in chunks} & needed
        return len(found) / len(needed) / share

    best = [lift(chosen[share], share) for share in _SHARES]
    draws = [
        [lift(_taken(_shuffled(lengths, seed), lengths, share), share) for seed in range(_DRAWS)]
        for share in _SHARES
    ]
    longest = sorted(lengths, key=lambda chunk: (-lengths[chunk], chunk))
    _print(name, f"by worth ({seconds / len(_SHARES):.2f} s)", best)
    _print("", "at random", [sum(found) / _DRAWS for found in draws])
    _print("", "at random, the best draw", [max(found) for found in draws])
    _print("", "longest", [lift(_taken(longest, lengths, share), share) for share in _SHARES])
    _print("", "first", [lift(_taken(list(lengths), lengths, share), share) for share in _SHARES])


def _taken(chunks: Sequence[str], lengths: Mapping[str, int], share: float) -> list[str]:
    room = share * sum(lengths.values())
    taken = []
    for chunk in chunks:
        if lengths[chunk] <= room:
            room -= lengths[chunk]
            taken.append(chunk)
    return taken


def _shuffled(lengths: Mapping[str, int], seed: int) -> list[str]:
    chunks = list(lengths)
    random.Random(seed).shuffle(chunks)
    return chunks


def _print(name: str, how: str, lifts: Sequence[float]) -> None:
    print(f"| {name} | {how} | " + " | ".join(f"{lift:.2f}" for lift in lifts) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
