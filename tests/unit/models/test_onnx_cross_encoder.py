"""A cross-encoder from a folder, read by ONNX Runtime: a very small one, in the files of a real."""

from __future__ import annotations

from math import exp
from pathlib import Path

import pytest

from clew.config import ClewConfig
from clew.errors import MissingModelError, ModelError
from clew.models.base import Reranker
from clew.models.default import default_reranker
from clew.models.onnx_cross_encoder import ONNXCrossEncoder
from clew.models.onnx_pairs import USUAL_TOKENS
from clew.testing.small_cross_encoder import save_small_cross_encoder

WORDS = "who built norr bridge was by sund ironworks it founded berit lind the".split()
QUESTION = "Who built Norr Bridge?"
TEXTS = [
    "Norr Bridge was built by Sund Ironworks.",
    "It was founded by Berit Lind.",
    "",
    "Who built Norr Bridge",
]


def _share(part: float) -> float:
    """What the small model gives when the text has this part of the question."""
    return 1 / (1 + exp(-8 * (part - 0.5)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_small_cross_encoder(tmp_path_factory.mktemp("model"), WORDS)


@pytest.fixture(scope="module")
def reranker(folder: Path) -> ONNXCrossEncoder:
    return ONNXCrossEncoder(folder, threads=2)


def test_question_and_text_are_read_together(reranker: ONNXCrossEncoder) -> None:
    assert isinstance(reranker, Reranker)
    expected = [_share(0.75), _share(0.0), _share(0.0), _share(1.0)]
    assert reranker.score(QUESTION, TEXTS) == pytest.approx(expected, abs=1e-6)


def test_what_else_is_read_changes_no_bit(reranker: ONNXCrossEncoder, folder: Path) -> None:
    together = reranker.score(QUESTION, TEXTS)
    assert [reranker.score(QUESTION, [text])[0] for text in TEXTS] == together
    assert ONNXCrossEncoder(folder, threads=1).score(QUESTION, TEXTS[::-1]) == together[::-1]
    assert reranker.score(QUESTION, []) == []


def test_a_pair_beyond_the_window_loses_the_end_of_its_longer_text(folder: Path) -> None:
    late = "the " * 100 + "Who built Norr Bridge"
    early = "Who built Norr Bridge " + "the " * 100
    reranker = ONNXCrossEncoder(folder)
    assert reranker.max_tokens == 48
    assert reranker.score(QUESTION, [early, late]) == pytest.approx([_share(1.0), _share(0.0)])
    wide = ONNXCrossEncoder(folder, max_tokens=400)
    assert wide.score(QUESTION, [late]) == pytest.approx([_share(1.0)])
    long_question = "who " * 1000
    assert 0.0 <= reranker.score(long_question, ["who"])[0] <= 1.0


def test_two_outputs_are_unfit_and_fit(tmp_path: Path) -> None:
    two = ONNXCrossEncoder(save_small_cross_encoder(tmp_path, WORDS, outputs=2))
    logit = 8 * (0.75 - 0.5)
    assert two.score(QUESTION, TEXTS[:1]) == pytest.approx([1 / (1 + exp(-2 * logit))])


def test_more_outputs_are_no_ranking(tmp_path: Path) -> None:
    three = ONNXCrossEncoder(save_small_cross_encoder(tmp_path, WORDS, outputs=3))
    with pytest.raises(ModelError, match="gives 3 values for a pair; expected one score or two"):
        three.score(QUESTION, TEXTS)


def test_a_folder_as_hubs_have_it(tmp_path: Path, reranker: ONNXCrossEncoder) -> None:
    published = save_small_cross_encoder(tmp_path / "rank-xs", WORDS, published=True)
    found = ONNXCrossEncoder(published)
    assert found.score(QUESTION, TEXTS) == reranker.score(QUESTION, TEXTS)
    name, kind, digest = found.fingerprint.split("/")
    assert (name, kind, len(digest)) == ("rank-xs", "cross-encoder", 12)
    assert digest == reranker.fingerprint.split("/")[-1]


def test_hostile_texts_do_no_harm(reranker: ONNXCrossEncoder) -> None:
    texts = ["\ud800", "\x00", "🌉" * 3000, "[SEP] [CLS]"]
    assert all(0.0 <= score <= 1.0 for score in reranker.score("\udfff who?", texts))


@pytest.mark.parametrize("stated", ['{"model_max_length": 1e30}', "{}"])
def test_a_window_that_no_file_states_is_the_usual_one(tmp_path: Path, stated: str) -> None:
    save_small_cross_encoder(tmp_path, WORDS)
    (tmp_path / "tokenizer_config.json").write_text(stated, encoding="utf-8")
    assert ONNXCrossEncoder(tmp_path).max_tokens == USUAL_TOKENS
    (tmp_path / "tokenizer_config.json").unlink()
    assert ONNXCrossEncoder(tmp_path).max_tokens == USUAL_TOKENS


def test_damaged_files_are_named(tmp_path: Path) -> None:
    save_small_cross_encoder(tmp_path, WORDS)
    (tmp_path / "tokenizer_config.json").write_text("[", encoding="utf-8")
    with pytest.raises(ModelError, match=r"tokenizer_config\.json: not a JSON object"):
        ONNXCrossEncoder(tmp_path)
    (tmp_path / "tokenizer_config.json").unlink()
    (tmp_path / "small.onnx").write_bytes(b"not a graph")
    with pytest.raises(ModelError, match=r"small\.onnx: ONNX Runtime cannot load it"):
        ONNXCrossEncoder(tmp_path).score(QUESTION, TEXTS)


def test_the_configuration_names_a_folder(folder: Path, tmp_path: Path) -> None:
    assert default_reranker(ClewConfig()) is None
    found = default_reranker(ClewConfig(reranker_model=str(folder), reranker_batch_size=2))
    assert found is not None
    assert found.batch_size == 2
    assert found.score(QUESTION, TEXTS)[3] == pytest.approx(_share(1.0))
    with pytest.raises(MissingModelError, match=r"reranker_model=.*no such folder"):
        default_reranker(ClewConfig(reranker_model=str(tmp_path / "none")))
