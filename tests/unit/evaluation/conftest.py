"""A made set of questions: who founded a company, and where that person was born."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from clew.config import ClewConfig
from clew.evaluation.corpora import Corpus
from clew.evaluation.datasets import Dataset, load_dataset
from clew.evaluation.indexed import IndexedCorpus, index_corpus
from clew.testing import FakeEmbedder

COMPANIES = ["Norr Works", "Tveit Yard", "Vik Mills", "Sund Glass", "Lofot Lines", "Hegra Rail"]
FOUNDERS = ["Greta Lind", "Olav Tveit", "Marit Moe", "Jens Dahl", "Kari Berg", "Nils Holt"]
TOWNS = ["Arlo", "Brekke", "Corva", "Dalen", "Elvik", "Furnes"]


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the set ``tune/makers``."""
    root = tmp_path_factory.mktemp("data")
    place = root / "tune" / "makers"
    place.mkdir(parents=True)
    passages, questions = [], []
    for number, (company, founder, town) in enumerate(zip(COMPANIES, FOUNDERS, TOWNS, strict=True)):
        passages += [
            _passage(f"c{number}", company, f"{company} is a firm. It was set up by {founder}."),
            _passage(f"f{number}", founder, f"{founder} was an engineer, born in {town}."),
            _passage(f"t{number}", town, f"{town} is a town with a harbour and {number} mills."),
        ]
        questions.append(
            {
                "id": f"q{number}",
                "question": f"Where was the engineer born who set up {company}?",
                "answer": town,
                "supporting_ids": [f"c{number}", f"f{number}"],
                "type": "bridge" if number % 2 else "comparison",
            }
        )
    _write(place / "corpus.jsonl", passages)
    _write(place / "questions.jsonl", questions)
    return root


@pytest.fixture(scope="session")
def makers_set(data: Path) -> Dataset:
    return load_dataset("tune/makers", folder=data)


@pytest.fixture(scope="session")
def indexed(makers_set: Dataset) -> IndexedCorpus:
    corpus = Corpus(dataset=makers_set)
    return index_corpus(corpus, config=ClewConfig(), embedder=FakeEmbedder())


def _passage(name: str, title: str, text: str) -> dict[str, str]:
    return {"id": name, "title": title, "text": text}


def _write(file: Path, lines: Sequence[Mapping[str, object]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
