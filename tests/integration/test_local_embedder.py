"""The shipped model itself. Ranks and equalities are compared, never bits across machines."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clew_minilm
from clew.config import ClewConfig
from clew.errors import MissingModelError, ModelError
from clew.models import local
from clew.models.base import Span, SpanEmbedder, Vectors
from clew.models.default import default_embedder
from clew.models.local import LocalEmbedder

PASSAGE = (
    "The Norr Bridge crosses the Vessel river at Tamsund. "
    "It was built in 1931 by the engineer Ida Holm. "
    "Bread with caraway is baked in the town on Fridays."
)


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder(clew_minilm.model_path(), threads=2)


def _sentences(text: str) -> list[Span]:
    ends = [at + 1 for at, character in enumerate(text) if character == "."]
    return list(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))


def test_it_is_a_span_embedder(embedder: LocalEmbedder) -> None:
    assert isinstance(embedder, SpanEmbedder)
    assert embedder.dimensions == 384
    name, form, method, digest = embedder.fingerprint.split("/")
    assert (name, form, method, len(digest)) == ("all-MiniLM-L6-v2", "int8", "tokens", 12)


def test_nearest_in_meaning_is_nearest(embedder: LocalEmbedder) -> None:
    documents = embedder.embed(
        [
            "The cat slept on the warm windowsill.",
            "Interest rates were raised by the central bank.",
            "The orchestra played a symphony by Mahler.",
        ]
    )
    questions = embedder.embed(
        ["Where did the kitten nap?", "monetary policy", "classical concert"], kind="query"
    )
    assert np.argmax(questions @ documents.T, axis=1).tolist() == [0, 1, 2]


def test_the_vector_of_a_text_is_the_mean_of_its_token_states(embedder: LocalEmbedder) -> None:
    """The definition of the original model, computed here the long way round."""
    import onnxruntime
    from tokenizers import Tokenizer

    session = onnxruntime.InferenceSession(str(clew_minilm.model_path()))
    ids = Tokenizer.from_file(str(clew_minilm.tokenizer_path())).encode(PASSAGE)
    kept = [number for number, used in zip(ids.ids, ids.attention_mask, strict=True) if used]
    states: Vectors = session.run(None, {"input_ids": np.array([kept], np.int32)})[0][0]
    mean = states.mean(axis=0)
    cosine = embedder.embed([PASSAGE])[0] @ (mean / np.linalg.norm(mean))
    assert cosine > 0.999


def test_a_span_knows_its_passage(embedder: LocalEmbedder) -> None:
    spans = _sentences(PASSAGE)
    _, inside = embedder.embed_spans([PASSAGE], [spans])
    alone = embedder.embed([PASSAGE[start:end] for start, end in spans])
    question = embedder.embed(["When was the Norr Bridge built?"], kind="query")[0]
    assert np.argmax(inside @ question) == 1
    assert inside[1] @ question > alone[1] @ question


def test_rows_are_in_input_order_and_of_length_one(embedder: LocalEmbedder) -> None:
    texts = ["b", "a much longer text about a bridge " * 9, "", "🌉", "..."]
    vectors = embedder.embed(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for row, text in zip(vectors, texts, strict=True):
        np.testing.assert_array_equal(row, embedder.embed([text])[0])


def test_nothing_in_nothing_out(embedder: LocalEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    texts, spans = embedder.embed_spans([PASSAGE], [[]])
    assert (texts.shape, spans.shape) == ((1, 384), (0, 384))


def test_threads_and_batch_mates_change_no_bit(embedder: LocalEmbedder) -> None:
    texts = [PASSAGE[: 20 * length] for length in range(1, 9)]
    one = LocalEmbedder(clew_minilm.model_path(), threads=1)
    np.testing.assert_array_equal(embedder.embed(texts), one.embed(texts[::-1])[::-1])


def test_offsets_are_characters(embedder: LocalEmbedder) -> None:
    """Bytes, UTF-16 units and what the model's normaliser does to accents must not shift spans."""
    shifted = "🌉é\u0301e\u0301ß食 " * 4
    start = len(shifted)
    _, spans = embedder.embed_spans(
        [shifted + "bridge", shifted + "bridge"],
        [[(start, start + 6)], [(start - 1, start + 6)]],
    )
    np.testing.assert_array_equal(spans[0], spans[1])
    question = embedder.embed(["bridge"])[0]
    _, others = embedder.embed_spans([shifted + "bridge"], [[(0, start)]])
    assert spans[0] @ question > others[0] @ question


def test_a_span_of_blanks_takes_the_vector_of_its_text(embedder: LocalEmbedder) -> None:
    texts, spans = embedder.embed_spans(["a bridge \u200b\t  "], [[(8, 12), (3, 3), (0, 8)]])
    np.testing.assert_array_equal(spans[0], texts[0])
    np.testing.assert_array_equal(spans[1], texts[0])
    assert not np.allclose(spans[2], texts[0])


def test_every_part_of_a_long_text_counts(embedder: LocalEmbedder) -> None:
    filler = "The ledger lists barrels of salt and coils of rope. "
    last = "A violin is tuned in fifths."
    text = filler * 120 + last
    start = len(text) - len(last)
    whole, spans = embedder.embed_spans([text], [[(0, 51), (start, len(text))]])
    music, trade = embedder.embed(["tuning a violin", "goods in a ledger"], kind="query")
    assert spans[1] @ music > spans[0] @ music + 0.1
    assert whole[0] @ trade > whole[0] @ music


def test_a_window_seam_changes_little(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(f"{PASSAGE} Stone {number} was laid in May." for number in range(9))
    assert len(text) > 1200
    at_once = 512
    spans = _sentences(text)
    _, cut = embedder.embed_spans([text], [spans])
    monkeypatch.setattr(local, "WINDOW_TOKENS", at_once)
    _, uncut = embedder.embed_spans([text], [spans])
    assert not np.array_equal(cut, uncut)
    assert np.median((cut * uncut).sum(axis=1)) > 0.93  # int8: processors differ by a hundredth


def test_hostile_texts(embedder: LocalEmbedder) -> None:
    texts = ["\ud800 lone \udfff", "nul\x00nul", "x" * 3000, "\u202eright to left", "[CLS] [MASK]"]
    vectors, _ = embedder.embed_spans(texts, [[(0, len(text))] for text in texts])
    assert np.isfinite(vectors).all()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=3), st.data())
def test_any_text_and_any_spans_have_vectors(
    embedder: LocalEmbedder, texts: list[str], data: st.DataObject
) -> None:
    spans = [data.draw(_spans_of(text)) for text in texts]
    of_texts, of_spans = embedder.embed_spans(texts, spans)
    assert of_texts.shape == (len(texts), 384)
    assert of_spans.shape == (sum(map(len, spans)), 384)
    for vectors in (of_texts, of_spans):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def _spans_of(text: str) -> st.SearchStrategy[list[Span]]:
    at = st.integers(0, len(text))
    return st.lists(st.tuples(at, at).map(lambda pair: (min(pair), max(pair))), max_size=4)


def test_many_threads_may_share_one(embedder: LocalEmbedder) -> None:
    fresh = LocalEmbedder(clew_minilm.model_path(), threads=2)
    results: list[Vectors] = []
    threads = [Thread(target=lambda: results.append(fresh.embed([PASSAGE]))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    for vectors in results:
        np.testing.assert_array_equal(vectors, results[0])


def test_it_travels_to_other_processes(embedder: LocalEmbedder) -> None:
    copy = pickle.loads(pickle.dumps(embedder))
    assert (copy.fingerprint, copy.threads) == (embedder.fingerprint, 2)
    np.testing.assert_array_equal(copy.embed(["a bridge"]), embedder.embed(["a bridge"]))


def test_the_default_is_the_shipped_model(embedder: LocalEmbedder) -> None:
    found = default_embedder(ClewConfig(embedding_threads=1))
    assert isinstance(found, LocalEmbedder)
    assert (found.fingerprint, found.threads) == (embedder.fingerprint, 1)


def test_no_model_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "find_model", lambda path: None)
    with pytest.raises(MissingModelError, match="pip install clew-minilm"):
        LocalEmbedder()


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
def test_files_that_are_no_model(tmp_path: Path, broken: str) -> None:
    for name, source in zip(
        ("model.onnx", "tokenizer.json"),
        (clew_minilm.model_path(), clew_minilm.tokenizer_path()),
        strict=True,
    ):
        (tmp_path / name).write_bytes(b"nonsense" if name == broken else source.read_bytes())
    with pytest.raises(ModelError, match=f"{broken}: .*cannot"):
        LocalEmbedder(tmp_path).embed(["a bridge"])


def test_a_graph_that_returns_sentence_vectors_is_refused(tmp_path: Path) -> None:
    _write_graph(tmp_path / "model.onnx", shape=["texts", 384])
    (tmp_path / "tokenizer.json").write_bytes(clew_minilm.tokenizer_path().read_bytes())
    with pytest.raises(ModelError, match="expected token states"):
        LocalEmbedder(tmp_path).embed(["a bridge"])


def test_another_model_may_want_masks_and_types_as_int64(tmp_path: Path) -> None:
    _write_graph(tmp_path / "tiny.onnx", shape=["texts", "tokens", 4])
    (tmp_path / "tokenizer.json").write_bytes(clew_minilm.tokenizer_path().read_bytes())
    embedder = LocalEmbedder(tmp_path)
    assert embedder.dimensions == 4
    assert embedder.fingerprint.startswith("tiny/tokens/")
    np.testing.assert_allclose(embedder.embed(["a bridge"]), [[0.5, 0.5, 0.5, 0.5]], atol=1e-6)


def _write_graph(path: Path, shape: Sequence[str | int]) -> None:
    """A graph that takes the three inputs of BERT and returns ones where the mask is one."""
    import onnx
    from onnx import TensorProto, helper

    names = ("input_ids", "attention_mask", "token_type_ids")
    nodes = [
        helper.make_node("Cast", ["attention_mask"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["ones", "axis"], ["column"]),
        helper.make_node("Expand", ["column", "size"], ["states"]),
    ]
    if len(shape) == 2:
        nodes += [helper.make_node("ReduceMean", ["states"], ["vector"], axes=[1], keepdims=0)]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "t"]) for name in names],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, list(shape))],
        [
            helper.make_tensor("axis", TensorProto.INT64, [1], [2]),
            helper.make_tensor("size", TensorProto.INT64, [3], [1, 1, int(shape[-1])]),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)
