"""Cross-encoders of sentence-transformers: the library itself with a tiny, random BERT, and a
double with its interface.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import exp
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sentence_transformers import CrossEncoder

from clew.config import ClewConfig
from clew.errors import MissingExtraError, MissingModelError, ModelError
from clew.models.base import Reranker
from clew.models.cross_encoder import CrossEncoderModel, load_cross_encoder, load_entailment
from clew.models.default import default_entailment, default_reranker
from clew.models.reranking import as_reranker
from clew.testing.small_bert import save_small_bert

pytestmark = pytest.mark.xdist_group("torch")  # one process imports it
QUESTION = "Who built Norr Bridge?"
TEXTS = ["Norr Bridge was built by Sund Ironworks.", "A mill.", "", "the " * 500]


class Double:
    """Its logit is the length of the text in tens of characters, less two."""

    def __init__(self, labels: int = 1, architecture: str = "XForSequenceClassification") -> None:
        self.config = SimpleNamespace(
            num_labels=labels, architectures=[architecture], _name_or_path="hub/rank-xs"
        )
        self.batches: list[int] = []

    def children(self) -> list[object]:
        return [SimpleNamespace(parameters=lambda: iter([1.0])), object()]

    def predict(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        batch_size: int,
        activation_fn: Callable[[Any], Any],
        show_progress_bar: bool,
    ) -> Any:
        assert all(question == QUESTION for question, _ in pairs)
        assert show_progress_bar is False
        self.batches.append(batch_size)
        logits = np.array([[len(text) / 10 - 2] for _, text in pairs], np.float32)
        if self.config.num_labels == 2:
            logits = np.hstack([-logits, logits])
        return activation_fn(logits)


def test_a_logit_becomes_a_share() -> None:
    scores = CrossEncoderModel(Double()).score(QUESTION, TEXTS)
    expected = [1 / (1 + exp(-(len(text) / 10 - 2))) for text in TEXTS]
    assert scores == pytest.approx(expected)
    assert CrossEncoderModel(Double()).score(QUESTION, []) == []


def test_of_two_labels_the_second_is_fit() -> None:
    scores = CrossEncoderModel(Double(labels=2)).score(QUESTION, TEXTS[:1])
    assert scores == pytest.approx([1 / (1 + exp(-2 * (len(TEXTS[0]) / 10 - 2)))])


def test_models_that_do_not_rank_are_refused() -> None:
    with pytest.raises(ModelError, match=r"rank-xs/cross-encoder gives 3 values for a pair"):
        CrossEncoderModel(Double(labels=3))
    with pytest.raises(ModelError, match=r"scores would be chance; it looks like an embedder"):
        CrossEncoderModel(Double(architecture="BertModel"))


def test_a_loaded_cross_encoder_can_be_passed_as_it_is() -> None:
    model = Double()
    reranker = as_reranker(model, batch_size=3)
    assert isinstance(reranker, Reranker)
    assert len(reranker.score(QUESTION, TEXTS)) == 4
    assert reranker.fingerprint == "rank-xs/cross-encoder"
    assert len(model.batches) == 2


class Library(ModuleType):
    def __init__(self) -> None:
        super().__init__("sentence_transformers")
        self.loaded: list[str] = []

    def CrossEncoder(self, name: str, *, device: str | None) -> Double:
        self.loaded.append(name)
        if "none" in name:
            raise OSError(f"{name} is not a valid model identifier")
        return Double()


def test_the_configuration_names_a_model_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    name = "cross-encoder/ms-marco-MiniLM-L6-v2"
    found = default_reranker(ClewConfig(reranker_model=name))
    assert found is not None
    assert found.fingerprint == "ms-marco-MiniLM-L6-v2/cross-encoder"
    assert library.loaded == [name]
    with pytest.raises(MissingModelError, match=r"reranker 'org/none' cannot be loaded: OSError"):
        default_reranker(ClewConfig(reranker_model="org/none"))


def test_without_the_package_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[sentence-transformers\]'"):
        load_cross_encoder("cross-encoder/ms-marco-MiniLM-L6-v2")


MakeModel = Callable[[int], CrossEncoderModel]


@pytest.fixture(params=["double", "real"])
def make_model(request: pytest.FixtureRequest, tmp_path: Path) -> MakeModel:
    """Make a model with so many labels; 0 is an encoder without a head."""

    def make(labels: int) -> CrossEncoderModel:
        if request.param == "real":
            return load_cross_encoder(
                save_small_bert(tmp_path / "rank", labels=labels), batch_size=2
            )
        return CrossEncoderModel(
            Double(labels or 1, "XForSequenceClassification" if labels else "XModel")
        )

    return make


@pytest.mark.parametrize("labels", [1, 2])
def test_scores_are_shares_whatever_else_is_read(make_model: MakeModel, labels: int) -> None:
    reranker = make_model(labels)
    scores = reranker.score(QUESTION, TEXTS)
    assert len(set(scores)) == 4
    assert all(0.0 <= score <= 1.0 for score in scores)
    alone = [reranker.score(QUESTION, [text])[0] for text in TEXTS]
    assert alone == pytest.approx(scores, abs=1e-6)


@pytest.mark.parametrize("labels", [0, 3])
def test_what_does_not_rank_is_refused(make_model: MakeModel, labels: int) -> None:
    with pytest.raises(ModelError, match=r"values for a pair|would be chance"):
        make_model(labels)


def test_a_folder_of_a_model_that_judges(tmp_path: Path) -> None:
    names = {0: "contradiction", 1: "entailment", 2: "neutral"}
    folder = save_small_bert(tmp_path / "nli", labels=3, names=names)
    model = default_entailment(ClewConfig(entailment_model=str(folder)))
    assert model is not None
    assert model.fingerprint == "nli/entailment"
    pairs = [(text, QUESTION) for text in TEXTS]
    logits = model.model.model.predict(pairs, apply_softmax=True, show_progress_bar=False)
    for judged, row in zip(model.judge(pairs), logits, strict=True):
        assert judged.entailed == pytest.approx(row[1], abs=1e-5)
        assert judged.contradicted == pytest.approx(row[0], abs=1e-5)
    with pytest.raises(ModelError, match="no entailment model: its labels are LABEL_0"):
        load_entailment(save_small_bert(tmp_path / "rank", labels=3))


def test_a_loaded_model_of_the_library_ranks_as_it_is(tmp_path: Path) -> None:
    folder = save_small_bert(tmp_path / "rank", labels=1)
    named = default_reranker(ClewConfig(reranker_model=str(folder)))
    assert named is not None
    loaded = as_reranker(CrossEncoder(str(folder), device="cpu"))
    assert loaded.score(QUESTION, TEXTS) == pytest.approx(named.score(QUESTION, TEXTS))
