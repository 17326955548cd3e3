"""Which sentence splitter: the rules of ``clew.text.sentences`` or the sentencex package?

Cases: ``tests/unit/text/sentence_cases.txt``, hard sentences in many languages. sentencex is told
the language of each; the rules are not. Speed: prose and short passages from ``$CLEW_DATA``.

Run ``python benchmarks/chunking/sentences.py``. Measured on two cores, Python 3.11,
sentencex 1.0.32 (a compiled extension)::

    rules       93/93 cases    23.5 MB/s prose   0.033 ms a passage of 480 characters
    sentencex   74/93 cases     1.8 MB/s prose   0.010 ms a passage of 480 characters

So the rules are used: more of the hard cases without being told a language, and steady on long
texts, where sentencex slows down; on one short passage it is three times as fast, and both are far
below what embedding the passage costs. On the rule tests of another splitter (321 in 23 languages,
partly inline lists) sentencex is right in 291 and the rules in 285; the rules had 228 before their
failures there were read, so for them that is no blind figure.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import sentencex

from clew.text.sentences import sentence_spans

CASES = Path(__file__).parents[2] / "tests" / "unit" / "text" / "sentence_cases.txt"
DATA = Path(os.environ.get("CLEW_DATA", Path(__file__).parents[3] / "shared" / "data"))
PASSAGE_CHARS = 480


def by_rules(_: str, text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def by_sentencex(language: str, text: str) -> list[str]:
    found = sentencex.get_sentence_boundaries(language, text)
    return [part for item in found if (part := item["text"].strip())]


def right(split: Callable[[str, str], list[str]]) -> tuple[int, int]:
    """Return how many cases are split exactly as marked, and how many there are."""
    lines = [line for line in CASES.read_text("utf-8").splitlines() if not line.startswith("#")]
    good = 0
    for line in lines:
        language, marked = line.replace("\\n", "\n").split(" | ", 1)
        wanted = [part.strip() for part in marked.split("¦")]
        good += split(language, marked.replace("¦", "")) == wanted
    return good, len(lines)


def prose() -> str:
    lines = (DATA / "chunking" / "chroma" / "corpus.jsonl").read_text("utf-8").splitlines()
    return "\n\n".join(json.loads(line)["text"] for line in lines[:2])


def seconds(run: Callable[[], object]) -> float:
    def once() -> float:
        began = time.process_time()
        run()
        return time.process_time() - began

    return min(once() for _ in range(3))


def main() -> None:
    text = prose()
    passage = text[:PASSAGE_CHARS]
    for name, split in (("rules", by_rules), ("sentencex", by_sentencex)):
        good, cases = right(split)
        whole = seconds(lambda split=split: split("en", text))  # type: ignore[misc]
        many = seconds(lambda split=split: [split("en", passage) for _ in range(1000)])  # type: ignore[misc]
        print(
            f"{name:10} {good:3}/{cases} cases   {len(text) / 1e6 / whole:5.1f} MB/s prose   "
            f"{many:.3f} ms a passage of {PASSAGE_CHARS} characters"
        )


if __name__ == "__main__":
    main()
