"""How much is still found when a question does not write its names as the documents do.

::

    python -m benchmarks.multihop.noisy_questions tune/2wiki tune/hotpotqa tune/musique

Each kind of noise is put on every name of a question (a title of the corpus that the question
holds), seeded by the question, so that a run can be repeated:

* *typo*: one letter of a longer word of each name dropped, doubled, replaced or swapped;
* *lower*: the question in lower case; *lower typo*: both;
* *possessive*: ``'s`` behind each name;
* *last name*: of persons only the last word;
* *plain letters*: without accents.

Reported is recall@5 of the questions that the noise changes, clean and noisy, with the share of
their names that are linked to what the title means, and the median of the processor's time for a
search.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import regex
from benchmarks.multihop.environment import environment, with_one_blas_thread
from benchmarks.multihop.index import build
from benchmarks.multihop.vector_cache import cached

from clew.config import ClewConfig
from clew.evaluation.datasets import Dataset, Passage, QuestionWithGold, load_dataset
from clew.evaluation.recall import mean, recall_at
from clew.graph.titles import names_person
from clew.models.local import LocalEmbedder
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.query.linking import link_names
from clew.stores.base import Store
from clew.stores.sqlite import SQLiteStore
from clew.text.names import name_key

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LEAST_WORD = 4
_CHUNKS = 20
_BRACKETS = regex.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True)
class Named:
    """A question and the places of the names in it, with the passages of that title."""

    question: QuestionWithGold
    places: tuple[tuple[int, int, Passage], ...]

    def rewritten(self, change: Callable[[str, Passage], str]) -> str:
        text, at = "", 0
        for start, end, passage in self.places:
            text += self.question.question[at:start]
            text += change(self.question.question[start:end], passage)
            at = end
        return text + self.question.question[at:]


def named_questions(dataset: Dataset) -> list[Named]:
    """The questions that hold the title of a passage in any case, the longest titles first."""
    titles: dict[str, Passage] = {}
    for passage in dataset.passages:
        for title in (passage.title, _BRACKETS.sub("", passage.title)):
            if len(title) > 2 and title[0].isupper():
                titles.setdefault(title.casefold(), passage)
    longest = sorted(titles, key=lambda title: (-len(title), title))
    found = [
        Named(question, _places(question.question, longest, titles))
        for question in dataset.questions
    ]
    return [named for named in found if named.places]


def _places(
    question: str, longest: Sequence[str], titles: dict[str, Passage]
) -> tuple[tuple[int, int, Passage], ...]:
    text = question.casefold()
    if len(text) != len(question):
        return ()
    taken: set[int] = set()
    places = []
    for title in longest:
        at = text.find(title)
        if at < 0 or not question[at].isupper() or at == 0:
            continue
        end = at + len(title)
        whole = not text[at - 1].isalnum() and not text[end : end + 1].isalnum()
        if whole and taken.isdisjoint(range(at, end)):
            taken.update(range(at, end))
            places.append((at, end, titles[title]))
    return tuple(sorted(places, key=lambda place: place[0]))


def with_typo(name: str, chance: random.Random) -> str:
    """One slip of the finger, behind the first letter of a word of four letters or more."""
    words = [match for match in regex.finditer(r"\p{L}+", name) if len(match[0]) >= LEAST_WORD]
    if not words:
        return name
    word = chance.choice(words)
    at = chance.randrange(word.start() + 1, word.end())
    kind = chance.randrange(4)
    if kind == 0:
        return name[:at] + name[at + 1 :]
    if kind == 1:
        return name[:at] + name[at] + name[at:]
    if kind == 2:
        return name[:at] + chance.choice(LETTERS.replace(name[at].lower(), "")) + name[at + 1 :]
    at = min(at, word.end() - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _plain(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not unicodedata.combining(c)))


def _typo(named: Named) -> str:
    chance = random.Random(named.question.id)
    return named.rewritten(lambda name, _: with_typo(name, chance))


def _possessive(named: Named) -> str:
    once: str = regex.sub(r"'s(?:'s|')", "'s", named.rewritten(lambda name, _: f"{name}'s"))
    return once


def _last_name(named: Named) -> str:
    def last(name: str, passage: Passage) -> str:
        bare = _BRACKETS.sub("", passage.title)
        if bare.count(" ") in {1, 2} and names_person(bare, passage.text):
            return name.rpartition(" ")[2]
        return name

    return named.rewritten(last)


NOISES: dict[str, Callable[[Named], str]] = {
    "typo": _typo,
    "lower": lambda named: named.question.question.lower(),
    "lower typo": lambda named: _typo(named).lower(),
    "possessive": _possessive,
    "last name": _last_name,
    "plain letters": lambda named: _plain(named.question.question),
}


@dataclass(frozen=True)
class Outcome:
    recall: float
    linked: float
    seconds: float


def ask(pipeline: RetrievePipeline, named: Named, question: str) -> Outcome:
    """Search for ``question``; which of the names of ``named`` does it still link?"""
    began = time.process_time()
    result = pipeline.search(question, top_n=_CHUNKS)
    seconds = time.process_time() - began
    found = list(dict.fromkeys(item.doc_id for item in result.items))
    meant = [name_key(_BRACKETS.sub("", passage.title)) for _, _, passage in named.places]
    with pipeline.graph.reading() as reader:
        names = link_names(reader, question, threshold=pipeline.config.entity_match_threshold)
        linked = {number for name in names for number in name.entities.tolist()}
        links = reader.find_entities(meant)
    hits = [
        not linked.isdisjoint(links.targets[start:end].tolist())
        for start, end in zip(links.indptr[:-1], links.indptr[1:], strict=True)
    ]
    return Outcome(recall_at(5, found, named.question.supporting_ids), mean(hits), seconds)


def measure(dataset: Dataset, store: Store) -> dict[str, dict[str, Any]]:
    """One row per kind of noise."""
    pipeline = RetrievePipeline(store, embedding=LocalEmbedder(threads=1), config=ClewConfig())
    questions = named_questions(dataset)
    clean = [ask(pipeline, named, named.question.question) for named in questions]
    rows = {"clean": _row(clean, clean)}
    for kind, noise in NOISES.items():
        changed = [
            (named, text, before)
            for named, before in zip(questions, clean, strict=True)
            if (text := noise(named)) != named.question.question
        ]
        rows[kind] = _row(
            [before for _, _, before in changed],
            [ask(pipeline, named, text) for named, text, _ in changed],
        )
    return rows


def _row(clean: Sequence[Outcome], noisy: Sequence[Outcome]) -> dict[str, Any]:
    if not clean:
        return {"questions": 0}
    return {
        "questions": len(clean),
        "recall@5_clean": round(100 * mean(outcome.recall for outcome in clean), 1),
        "recall@5": round(100 * mean(outcome.recall for outcome in noisy), 1),
        "linked_clean": round(100 * mean(outcome.linked for outcome in clean), 1),
        "linked": round(100 * mean(outcome.linked for outcome in noisy), 1),
        "cpu_ms": round(1000 * float(np.median([outcome.seconds for outcome in noisy])), 1),
    }


def markdown(name: str, rows: dict[str, dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [
        f"### {name}",
        "",
        "| noise | questions | recall@5 clean | noisy | names linked clean | noisy | CPU ms |",
        f"|{'---|' * 7}",
    ]
    lines += [
        f"| {kind} | {' | '.join(str(value) for value in row.values())} |"
        for kind, row in rows.items()
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    with_one_blas_thread("benchmarks.multihop.noisy_questions")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", help="such as tune/2wiki")
    parser.add_argument("--stores", type=Path, help="a folder with stores that were made before")
    parser.add_argument("--out", type=Path, default=None, help="a JSON file to write")
    options = parser.parse_args()
    report: dict[str, Any] = {"environment": environment(), "sets": {}}
    for name in options.sets:
        dataset = load_dataset(name)
        if options.stores is None:
            store: Store = build(dataset.passages, embedder=cached(LocalEmbedder())).store
        else:
            store = SQLiteStore.open(options.stores / name.replace("/", "-"), read_only=True)
        report["sets"][name] = measure(dataset, store)
        print(markdown(name, report["sets"][name]), flush=True)
    if options.out is not None:
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
