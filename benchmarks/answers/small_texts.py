"""Questions to small texts as people keep them, a fifth of them about what no text tells.

::

    python -m benchmarks.answers.small_texts
    python -m benchmarks.answers.small_texts --show      (what is not right)

Little corpora (a log, a lease, a ward report, a recipe, minutes, notes on a town), made for this,
each with its own knowledge base. An answer is right that holds the one expected and is little
longer; a question without one is to be refused. The ways of answering were mended on these texts:
what they measure is whether that lasts.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clew import KnowledgeBase

_TEXTS = Path(__file__).with_name("small_texts.json")
_MOST_LONGER = 40
_GROUPS = ("right", "refused, as it should be", "refused, though told", "wrong")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print what is not right")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for corpus in json.loads(_TEXTS.read_text(encoding="utf-8")):
        for group, question, told, expected in _asked(corpus):
            counts[group] += 1
            if options.show and group in _GROUPS[2:]:
                print(f"{corpus['name']}: {question} {told!r}, expected {expected!r}")
    total = sum(counts.values())
    for group in _GROUPS:
        print(f"{group:26} {counts[group]:4} of {total}")


def _asked(corpus: dict[str, Any]) -> Iterator[tuple[str, str, str, str | None]]:
    with KnowledgeBase.in_memory() as kb:
        for name, text in corpus["texts"].items():
            kb.ingest_text(text, name=name)
        for item in corpus["questions"]:
            answer = kb.ask(item["question"])
            group = _group(answer.answer, item["answer"], abstained=answer.abstained)
            yield group, item["question"], answer.answer, item["answer"]


def _group(told: str, expected: str | None, *, abstained: bool) -> str:
    if abstained:
        return _GROUPS[1] if expected is None else _GROUPS[2]
    if expected is None:
        return _GROUPS[3]
    holds = expected.casefold() in told.casefold()
    return _GROUPS[0] if holds and len(told) < len(expected) + _MOST_LONGER else _GROUPS[3]


if __name__ == "__main__":
    main()
