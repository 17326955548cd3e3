"""Fitting weights: the regression, the sets, the stages, the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.config import ClewConfig
from clew.errors import ConfigError, DatasetNotFoundError
from clew.evaluation.datasets import Dataset, Passage
from clew.evaluation.fitting.asked import Asked, asked, together
from clew.evaluation.fitting.logistic import Examples, logistic
from clew.evaluation.fitting.refit import refit
from clew.evaluation.fitting.sets import load_tuning_sets
from clew.evaluation.fitting.stages import fit, scores
from clew.evaluation.indexed import IndexedCorpus, index_corpus
from clew.retrieval.pool.weights import WITH_VECTORS
from clew.retrieval.pool.weights_file import read_weights, write_weights
from clew.testing import FakeEmbedder


def _examples(seed: int, features: int = 3) -> Examples:
    random = np.random.default_rng(seed)
    rows = random.random((120, features))
    labels = (rows[:, 0] - rows[:, -1] + 0.3 * random.standard_normal(120) > 0).astype(float)
    return Examples(features=rows, labels=labels, weights=np.ones(120))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_no_weight_is_negative_and_the_optimum_is_one(seed: int) -> None:
    """The conditions of Karush, Kuhn and Tucker: a weight above 0 has no slope left, and one at 0
    has none that leads upward.
    """
    examples = _examples(seed)
    weights, bias = logistic(examples, ridge=1.0)
    assert (weights >= 0.0).all()
    scale = examples.features.std(axis=0)
    error = 1.0 / (1.0 + np.exp(-(examples.features @ weights + bias))) - examples.labels
    slope = (examples.features / scale).T @ error / 120 + weights * scale / 120
    assert abs(error.mean()) < 1e-4
    assert (np.abs(slope[weights > 1e-6]) < 1e-4).all()
    assert (slope[weights <= 1e-6] > -1e-4).all()


def test_a_feature_that_speaks_against_gets_nothing_and_one_that_never_varies_neither() -> None:
    examples = _examples(1)
    constant = np.concatenate([examples.features, np.zeros((120, 1))], axis=1)
    weights, _ = logistic(replace(examples, features=constant))
    assert weights[0] > 1.0
    assert weights[2] == 0.0
    assert weights[3] == 0.0


def test_more_ridge_is_smaller_weights() -> None:
    examples = _examples(2)
    loose, tight = (logistic(examples, ridge=ridge)[0] for ridge in (0.1, 100.0))
    assert tight.sum() < loose.sum() / 2


@pytest.mark.parametrize("name", ["eval/makers", "../eval/makers", "eval", "x/eval/makers"])
def test_test_sets_are_refused_even_to_hold_out(name: str, data: Path) -> None:
    with pytest.raises(ConfigError, match="is a test set"):
        load_tuning_sets(["tune/makers", name], folder=data)


def test_a_test_set_is_known_by_where_it_lies(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="is a test set"):
        load_tuning_sets(["makers"], folder=data / "eval")
    (data / "eval").mkdir(exist_ok=True)
    monkeypatch.chdir(data / "eval")
    with pytest.raises(ConfigError, match="is a test set"):
        load_tuning_sets(["makers"], folder=data)


def test_tuning_sets_are_read_once_each(data: Path) -> None:
    assert [dataset.name for dataset in load_tuning_sets(["tune/makers"], folder=data)] == [
        "tune/makers"
    ]
    with pytest.raises(ConfigError, match="named twice"):
        load_tuning_sets(["tune/makers", "tune/makers"], folder=data)
    with pytest.raises(DatasetNotFoundError):
        load_tuning_sets(["tune/nothing"], folder=data)


@pytest.fixture(scope="module")
def datasets(makers_set: Dataset) -> list[Dataset]:
    """The made set, and another one with a passage of the same title."""
    twin = Passage(id="c0", title="Norr Works", text="Norr Works is a museum in Brekke.")
    other = replace(makers_set, name="tune/other", passages=(twin,), questions=())
    return [makers_set, other]


@pytest.fixture(scope="module")
def joined(datasets: list[Dataset]) -> IndexedCorpus:
    return index_corpus(together(datasets), config=ClewConfig(), embedder=FakeEmbedder())


@pytest.fixture
def questions(joined: IndexedCorpus, datasets: list[Dataset]) -> Iterator[list[Asked]]:
    with asked(joined, datasets) as found:
        yield found


def _doc_ids(joined: IndexedCorpus, chunks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> set[str]:
    documents = np.unique(joined.store.documents_of_chunks(chunks))
    return {document.doc_id for document in joined.store.get_documents(documents)}


def test_passages_of_other_sets_are_wrong_but_for_those_under_the_same_title(
    joined: IndexedCorpus, questions: list[Asked]
) -> None:
    assert len(questions) == 6
    first, second = questions[:2]
    assert _doc_ids(joined, first.gold) == {"tune/makers/c0", "tune/makers/f0"}
    assert _doc_ids(joined, first.ignored) == {"tune/other/c0"}
    assert len(second.ignored) == 0


def test_a_fit_finds_what_it_was_fitted_on(questions: list[Asked]) -> None:
    stages: list[tuple[int, int, str]] = []
    weights = fit(
        questions, WITH_VECTORS, tell=lambda done, of, what: stages.append((done, of, what))
    )
    assert [done for done, _, _ in stages] == list(range(len(WITH_VECTORS.rounds) + 2))
    assert len(weights.rounds) == len(WITH_VECTORS.rounds)
    assert weights != WITH_VECTORS
    for rounds in (1, 2):
        assert scores(questions, weights, rounds=rounds) == {
            "tune/makers": {"recall@5": 100.0, "all@5": 100.0}
        }


def test_shown_scores_are_shares_of_what_supports_an_answer(questions: list[Asked]) -> None:
    weights = fit(questions, WITH_VECTORS)
    shown, right = [], []
    for question in questions:
        trails = question.trails(weights, rounds=2)
        logits = np.log(trails.rounds[-1].after) - np.log1p(-trails.rounds[-1].after)
        last = weights.rounds[-1]
        shown.append(1.0 / (1.0 + np.exp(-(last.slope * logits + last.shift))))
        right.append(np.isin(trails.pool.chunks, question.gold))
    assert np.concatenate(shown).mean() == pytest.approx(np.concatenate(right).mean(), abs=0.01)


def test_a_refit_tells_before_and_after(joined: IndexedCorpus, datasets: list[Dataset]) -> None:
    found = refit(joined, datasets, fitted_on=["tune/makers"])
    assert set(found.before) == set(found.after) == {"tune/makers"}
    assert found.after["tune/makers"]["all@5"] >= found.before["tune/makers"]["all@5"]
    with pytest.raises(ConfigError, match="nothing to fit on"):
        refit(joined, datasets, fitted_on=[])


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    changed = replace(WITH_VECTORS, alone=replace(WITH_VECTORS.alone, bias=-7.25))
    write_weights(tmp_path / "w.json", changed, embedder="e")
    assert read_weights(tmp_path / "w.json") == changed
    assert json.loads((tmp_path / "w.json").read_text(encoding="utf-8"))["embedder"] == "e"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not what `clew bench fit` writes"),
        ("[]", "is not what `clew bench fit` writes"),
        ('{"weights": {"alone": {}}}', "fit them anew"),
        ('{"weights": {"alone": {"dense": 1}, "rounds": []}}', "fit them anew"),
    ],
)
def test_another_file_is_not_taken_for_weights(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "w.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        read_weights(tmp_path / "w.json")


def test_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    write_weights(tmp_path / "w.json", WITH_VECTORS)
    text = (tmp_path / "w.json").read_text(encoding="utf-8")
    broken = text.replace('"bias": ', '"bias": "x", "was": ', 1)
    for wrong in (broken, text.replace('"rounds": [', '"rounds": {"a": [').replace("]", "]}")):
        (tmp_path / "w.json").write_text(wrong, encoding="utf-8")
        with pytest.raises(ConfigError, match="fit them anew"):
            read_weights(tmp_path / "w.json")
    with pytest.raises(ConfigError, match="no weights at"):
        read_weights(tmp_path / "none.json")
