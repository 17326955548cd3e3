from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from clew.models.base import LLM, BaseEmbedding, BaseLLM, Message, SpanEmbedder, Usage
from clew.testing import Call, FakeEmbedder, FlakyEmbedder, ScriptedLLM


def test_texts_that_share_words_are_near() -> None:
    vectors = FakeEmbedder().embed(
        ["The bridge at Norr", "Who built the bridges of Norr?", "Bread with caraway"]
    )
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_vectors_are_the_same_in_every_process() -> None:
    code = "from clew.testing import FakeEmbedder as E; print(E().embed(['Norr 食べ物']).tolist())"
    environment = os.environ | {"PYTHONHASHSEED": "77"}
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    ).stdout
    assert found.strip() == str(FakeEmbedder().embed(["Norr 食べ物"]).tolist())


def test_it_counts_texts_and_calls() -> None:
    embedder = FakeEmbedder()
    embedder.embed(["a", "b"])
    embedder.embed_spans(["a bridge", "c"], [[(2, 8), (0, 1)], []])
    embedder.embed_text("d")
    assert (embedder.text_count, embedder.call_count) == (5, 3)
    assert embedder.texts == ["a", "b", "a bridge", "c", "d"]


def test_a_span_is_embedded_as_its_text() -> None:
    embedder = FakeEmbedder()
    texts, spans = embedder.embed_spans(["a long bridge", ""], [[(7, 13), (0, 0)], []])
    np.testing.assert_array_equal(spans[0], embedder.embed(["bridge"])[0])
    np.testing.assert_array_equal(spans[1], texts[0])
    assert texts.shape == (2, 64)


def test_no_text_is_a_zero_vector() -> None:
    vectors = FakeEmbedder().embed(["", " ", "the", "…"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_seed_and_dimensions_are_in_the_fingerprint() -> None:
    fingerprints = {
        embedder.fingerprint
        for embedder in (FakeEmbedder(), FakeEmbedder(seed=1), FakeEmbedder(dimensions=8))
    }
    assert len(fingerprints) == 3
    assert not np.allclose(FakeEmbedder(seed=1).embed(["a"]), FakeEmbedder().embed(["a"]))


def test_the_fakes_are_what_clew_and_users_ask_for() -> None:
    assert isinstance(FakeEmbedder(), SpanEmbedder)
    assert isinstance(FakeEmbedder(), BaseEmbedding)
    assert isinstance(ScriptedLLM([]), LLM)
    assert isinstance(ScriptedLLM([]), BaseLLM)


def test_flaky_calls_go_wrong_when_told() -> None:
    embedder = FlakyEmbedder("zero", at_call=1)
    assert embedder.embed(["a", "b"]).any(axis=1).all()
    assert embedder.embed(["a", "b"]).any(axis=1).tolist() == [True, False]
    assert embedder.embed(["a", "b"]).any(axis=1).all()
    assert np.isnan(FlakyEmbedder("nan").embed(["a"])).all()
    assert FlakyEmbedder("missing").embed_spans(["a", "b"], [[], []])[0].shape == (1, 64)
    assert FlakyEmbedder("narrow").embed(["a"]).shape == (1, 32)
    with pytest.raises(ConnectionError):
        FlakyEmbedder("error").embed(["a"])


def test_rules_are_tried_in_order() -> None:
    llm = ScriptedLLM([("first", "1"), (lambda prompt: len(prompt) < 9, "2"), (".", "3")])
    assert [llm.generate(text) for text in ("the first", "second", "something else")] == list("123")


def test_replies_may_be_functions_errors_and_lists() -> None:
    llm = ScriptedLLM(
        [
            ("shout", str.upper),
            ("fail", TimeoutError("too slow")),
            (".", ["a", TimeoutError("once"), "b"]),
        ]
    )
    assert llm.generate("shout") == "SHOUT"
    with pytest.raises(TimeoutError, match="too slow"):
        llm.generate("fail")
    assert llm.generate("x") == "a"
    with pytest.raises(TimeoutError, match="once"):
        llm.generate("x")
    assert [llm.generate("x"), llm.generate("x")] == ["b", "b"]


def test_calls_are_recorded() -> None:
    llm = ScriptedLLM([(".", "two words")])
    schema = {"type": "object"}
    completion = llm.complete(
        [Message(role="system", content="be brief"), Message(role="user", content="say it")],
        max_tokens=9,
        schema=schema,
    )
    assert completion.text == "two words"
    assert completion.usage == Usage(calls=1, input_tokens=4, output_tokens=2)
    assert llm.calls == [
        Call(prompt="be brief\n\nsay it", reply="two words", max_tokens=9, schema=schema)
    ]
    assert llm.prompts == ["be brief\n\nsay it"]


def test_a_prompt_that_no_rule_fits_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="no rule fits the prompt 'what'"):
        ScriptedLLM([("never", "x")]).generate("what")


def test_hypothesis_is_loaded_with_the_strategies_only() -> None:
    code = "import sys, clew.testing; print('hypothesis' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
