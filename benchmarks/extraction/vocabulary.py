"""What the vocabulary method costs: model calls for a collection, and time to match its terms.

::

    python -m benchmarks.extraction.vocabulary [SET]      (default eval/2wiki)

The model is scripted: it keeps every second term, so that both answers are at work. Growth is that
of matching alone, and of the whole method without the model, over parts of the collection.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.evaluation.datasets import load_dataset
from clew.extraction.vocabulary import VocabularyExtractor
from clew.extraction.vocabulary.matching import TermMatcher
from clew.records import Chunk, Document
from clew.testing import ScriptedLLM

_PARTS = (0.125, 0.25, 0.5, 1.0)


def main(arguments: Sequence[str]) -> None:
    name = arguments[0] if arguments else "eval/2wiki"
    pairs = list(_pairs(name))
    print(f"{name}: {len(pairs):,} passages\n")
    print("| passages | candidates | calls | calls/2,500 | method s | matching s | passages/s |")
    print("|---|---|---|---|---|---|---|")
    for part in _PARTS:
        _row(pairs[: int(len(pairs) * part)])


def _row(pairs: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
    llm = ScriptedLLM([(".", _every_second)])
    extractor = VocabularyExtractor(llm, ClewConfig())
    began = time.process_time()
    extractor.look_ahead(pairs)
    extractor.extract(pairs[:1])
    extractor.extract(pairs[1:])
    whole = time.process_time() - began
    candidates = sum(len(_listed(call.prompt)) for call in llm.calls)
    matcher: TermMatcher = extractor._matcher  # noqa: SLF001 - the part that is measured
    began = time.process_time()
    for document, _ in pairs:
        matcher.find(document.text)
    matching = time.process_time() - began
    per_2500 = len(llm.calls) / max(1, candidates) * 2500
    print(
        f"| {len(pairs):,} | {candidates:,} | {len(llm.calls)} | {per_2500:.1f} | {whole:.1f} "
        f"| {matching:.2f} | {len(pairs) / matching:,.0f} |"
    )


def _every_second(prompt: str) -> str:
    kept = [{"name": name, "type": "CONCEPT"} for name in _listed(prompt)[::2]]
    return json.dumps({"terms": kept})


def _listed(prompt: str) -> list[str]:
    """The terms in a prompt: its last paragraph."""
    return prompt.rstrip().rpartition("\n\n")[2].splitlines()


def _pairs(name: str) -> Iterator[tuple[Document, Sequence[Chunk]]]:
    config = ClewConfig()
    for passage in load_dataset(name).passages:
        document = make_document(passage.text, doc_id=passage.id, title=passage.title)
        yield document, chunk_document(document, config)


if __name__ == "__main__":
    main(sys.argv[1:])
