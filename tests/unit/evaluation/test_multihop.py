"""The benchmark from set to report."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clew.config import ClewConfig
from clew.errors import ConfigError
from clew.evaluation.datasets import Dataset
from clew.evaluation.indexed import IndexedCorpus, index_corpus
from clew.evaluation.multihop import Form, ask_all, choose, report, report_name, together
from clew.evaluation.systems import MAKERS
from clew.testing import FakeEmbedder


def test_forms_change_what_is_indexed(makers_set: Dataset) -> None:
    plain = Form().corpus(makers_set)
    assert plain.dataset == makers_set
    assert not plain.spans
    form = Form(titles=False, shuffled=True, concatenated=True)
    (document,) = form.corpus(makers_set).dataset.passages
    assert "Norr Works\nNorr Works" not in document.text
    assert form.words == ("no-titles", "shuffled", "concatenated")
    titled = Form(concatenated=True).corpus(makers_set).dataset.passages[0]
    assert titled.text.startswith("Norr Works\nNorr Works is a firm.")


def test_systems_are_chosen_by_name_with_a_depth_or_without_a_part() -> None:
    chosen = choose(["hybrid", "linked:1"], ablate=["names"])
    assert list(chosen) == ["linked", "hybrid", "linked:1", "linked − names"]


def test_what_needs_vectors_is_left_out_without_them_and_refused_by_name() -> None:
    assert list(choose()) == list(MAKERS)
    words = choose(with_vectors=False)
    assert "linked" in words
    assert "dense" not in words
    with pytest.raises(ConfigError, match="no vectors for dense, mine"):
        choose(
            ["bm25", "mine", "dense:1"],
            makers={**MAKERS, "mine": MAKERS["bm25"]},
            need_vectors={"dense", "mine"},
            with_vectors=False,
        )


@pytest.mark.parametrize(
    ("name", "message"),
    [("linkd", "did you mean 'linked'"), ("linked:deep", "such as linked:1")],
)
def test_a_name_that_nothing_has_is_refused(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        choose([name])


def test_a_depth_is_that_of_the_search(indexed: IndexedCorpus) -> None:
    chosen = choose(["linked:0", "linked", "hybrid"])
    runs = ask_all(indexed, chosen)
    assert runs["linked:0"].places == runs["hybrid"].places
    assert runs["linked"].recalls(2) > runs["hybrid"].recalls(2)


@pytest.fixture(scope="module")
def whole(makers_set: Dataset) -> dict[str, Any]:
    form = Form(titles=False)
    made = index_corpus(form.corpus(makers_set), config=ClewConfig(), embedder=FakeEmbedder())
    return report("tune/makers", form, made, ask_all(made, choose(["linked", "bm25"])))


def test_a_report_says_what_was_measured_on_what(whole: dict[str, Any]) -> None:
    assert json.loads(json.dumps(whole)) == whole
    assert whole["form"] == ["no-titles"]
    assert whole["embedder"] == FakeEmbedder().fingerprint
    assert whole["questions"] == 6
    assert whole["index"]["pieces"] == whole["index"]["passages"] == 18
    assert set(whole["systems"]) == set(whole["differences"]) == {"linked", "bm25"}
    assert whole["environment"]["python"]
    assert whole["settings"] == {}


def test_a_report_is_named_for_its_set_and_form(whole: dict[str, Any]) -> None:
    assert report_name(whole) == "tune-makers-no-titles"
    index = {"disk_mb": 3.0}
    bare = {**whole, "form": [], "embedder": "none", "index": index, "set": "/home/me/makers/"}
    assert report_name(bare) == "home-me-makers-words-sqlite"
    settings = {"embedding_model": "openai:m@http://h:1/v1", "reranker_model": "./r"}
    other = report_name({**whole, "settings": settings})
    assert other == "tune-makers-no-titles-openai-m-http-h-1-v1-reranked"


def test_systems_measured_later_are_added_and_compared_with_those_before(
    indexed: IndexedCorpus,
) -> None:
    first = report("s", Form(), indexed, ask_all(indexed, choose(["linked", "dense"])))
    later = report("s", Form(), indexed, ask_all(indexed, choose(["bm25", "dense"])))
    both = together(first, later)
    assert list(both["systems"]) == ["linked", "dense", "bm25"]
    assert "commit" in both["systems"]["bm25"]
    assert "commit" not in both["systems"]["linked"]
    at_once = ask_all(indexed, choose(["linked", "dense", "bm25"]))
    assert both["differences"] == report("s", Form(), indexed, at_once)["differences"]
    assert together(both, later)["systems"].keys() == both["systems"].keys()


@pytest.mark.parametrize(("key", "value"), [("questions", 5), ("form", ["no-titles"])])
def test_reports_on_different_things_are_not_put_together(
    whole: dict[str, Any], key: str, value: object
) -> None:
    other = {**whole, "form": [], key: value}
    with pytest.raises(ConfigError, match=f"on different things: {key} is"):
        together({**whole, "form": []}, other)


def test_nothing_is_added_to_a_report_without_places(whole: dict[str, Any]) -> None:
    old = {key: value for key, value in whole.items() if key != "places"}
    with pytest.raises(ConfigError, match="older version"):
        together(old, whole)


def test_makers_cannot_be_changed_by_accident() -> None:
    with pytest.raises(TypeError):
        MAKERS["linked"] = MAKERS["bm25"]  # type: ignore[index]
