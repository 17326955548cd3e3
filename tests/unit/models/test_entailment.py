"""Entailment models: which output means what, from a folder or as an object that users bring."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import exp
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.errors import ConfigError, MissingModelError, ModelError
from clew.models.base import Entailment, EntailmentModel
from clew.models.cross_encoder import CrossEncoderEntailment
from clew.models.default import default_entailment
from clew.models.entailment import as_entailment, labels_of
from clew.models.onnx_entailment import ONNXEntailment
from clew.testing.small_cross_encoder import save_small_cross_encoder

WORDS = "norr bridge was built by sund ironworks".split()
PAIR = ("norr bridge", "norr bridge was built")
USUAL = {0: "contradiction", 1: "entailment", 2: "neutral"}


def folder_with(folder: Path, labels: dict[int, str] | None, outputs: int) -> Path:
    save_small_cross_encoder(folder, WORDS, outputs=outputs)
    if labels is not None:
        stated = {"id2label": {str(number): label for number, label in labels.items()}}
        (folder / "config.json").write_text(json.dumps(stated), encoding="utf-8")
    return folder


def test_the_names_of_the_labels_say_which_output_is_which() -> None:
    logits = [1.0, 3.0, 2.0]
    total = sum(exp(logit) for logit in logits)
    usual = labels_of(USUAL, model="m").read(logits)
    assert usual.entailed == pytest.approx(exp(3) / total)
    assert usual.contradicted == pytest.approx(exp(1) / total)
    other = labels_of({0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}, model="m").read(logits)
    assert other.entailed == pytest.approx(exp(1) / total)
    assert other.contradicted == pytest.approx(exp(2) / total)
    two = labels_of({0: "not_entailment", 1: "entailment"}, model="m").read([0.0, 0.0])
    assert two == Entailment(0.5, 0.0)


@pytest.mark.parametrize(
    "names", [{}, {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, {0: "entailment"}, {0: "a", 1: "b"}]
)
def test_other_models_are_refused_by_their_labels(names: dict[int, str]) -> None:
    with pytest.raises(ModelError, match="no entailment model: its labels are"):
        labels_of(names, model="hub/other")


def test_a_folder_of_an_onnx_graph(tmp_path: Path) -> None:
    """Two logits, −x and x: of four words of the claim's text, half are in the other."""
    folder = folder_with(tmp_path, {0: "not_entailment", 1: "entailment"}, outputs=2)
    model = ONNXEntailment(folder)
    assert isinstance(model, EntailmentModel)
    (judged,) = model.judge([PAIR])
    assert judged.entailed == pytest.approx(1 / (1 + exp(-2 * 8 * 0.5)))
    named = default_entailment(ClewConfig(entailment_model=str(folder)))
    assert named is not None
    assert named.judge([PAIR, PAIR]) == [judged, judged]
    assert named.fingerprint == model.fingerprint
    assert named.judge([]) == []


def test_a_folder_that_does_not_say_what_its_outputs_mean(tmp_path: Path) -> None:
    silent = folder_with(tmp_path / "silent", None, outputs=3)
    with pytest.raises(ModelError, match=r"no config\.json"):
        ONNXEntailment(silent)
    ranker = folder_with(tmp_path / "ranker", {0: "LABEL_0"}, outputs=1)
    with pytest.raises(ModelError, match="no entailment model"):
        ONNXEntailment(ranker)
    wrong = folder_with(tmp_path / "wrong", USUAL, outputs=2)
    with pytest.raises(ModelError, match="3 labels"):
        ONNXEntailment(wrong).judge([PAIR])


def test_names_in_the_settings() -> None:
    assert default_entailment(ClewConfig()) is None
    with pytest.raises(MissingModelError, match="entailment_model"):
        default_entailment(ClewConfig(entailment_model="./nowhere"))
    with pytest.raises(ConfigError, match="entailment_model"):
        ClewConfig(entailment_model="local")
    with pytest.raises(ConfigError, match="entailment_threshold"):
        ClewConfig(entailment_threshold=1.5)


class Double:
    """A CrossEncoder of sentence-transformers: entailed when the texts are the same."""

    config = SimpleNamespace(id2label=USUAL, _name_or_path="hub/nli-xs")

    def predict(self, pairs: Sequence[tuple[str, str]], **options: Any) -> Any:
        assert options["show_progress_bar"] is False
        logits = [[0.0, 4.0 if one == other else -4.0, 0.0] for one, other in pairs]
        return options["activation_fn"](np.array(logits, np.float32))


def test_a_cross_encoder_of_sentence_transformers() -> None:
    model = as_entailment(Double())
    assert isinstance(model.model, CrossEncoderEntailment)
    assert model.fingerprint == "nli-xs/entailment"
    same, other = model.judge([("a", "a"), ("a", "b")])
    assert same.entailed == pytest.approx(exp(4) / (exp(4) + 2))
    assert other.entailed < 0.01
    assert other.contradicted == pytest.approx(0.5, abs=0.01)


def test_objects_that_are_none_are_refused() -> None:
    with pytest.raises(ModelError, match="no method judge"):
        as_entailment(object())
    with pytest.raises(ModelError, match="is a class"):
        as_entailment(Double)
    once = as_entailment(Double())
    assert as_entailment(once) is once


def test_a_judge_may_be_asynchronous() -> None:
    class Later:
        async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
            return [Entailment(1.0, 0.0) for _ in pairs]

    assert as_entailment(Later()).judge([PAIR]) == [Entailment(1.0, 0.0)]
