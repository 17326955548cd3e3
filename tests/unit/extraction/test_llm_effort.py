"""What is spent on a reply: tokens by passages and quality mode, one repair, one longer try."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction
from clew.extraction.effort import EFFORTS
from clew.extraction.llm import LLMExtractor
from clew.extraction.prompts import MAX_SHOWN_REPLY, repair_prompt
from clew.models.base import Completion, Message, Usage
from clew.testing import ScriptedLLM

TEXT = "Ida Holm built the Norr Bridge in 1931."
GOOD = json.dumps({"units": [TEXT]})


def _extract(llm: Any, *texts: str, mode: str = "balanced", **settings: Any) -> list[Extraction]:
    config = ClewConfig(**settings)
    documents = [make_document(text, doc_id=str(place)) for place, text in enumerate(texts)]
    pairs = [(document, chunk_document(document, config)) for document in documents]
    return LLMExtractor(llm, config, quality_mode=mode).extract(pairs)


# --- repair -------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["It is about a bridge {and} more.", "", "Sorry, I cannot help."])
def test_a_reply_in_which_nothing_can_be_read_is_repaired_once(bad: str) -> None:
    llm = ScriptedLLM([(".", [bad, GOOD])])
    [extraction] = _extract(llm, TEXT)
    assert [unit.text for unit in extraction.units] == [TEXT]
    assert (extraction.problems, extraction.usage.calls) == ((), 2)
    first, second = llm.prompts
    assert second.startswith(first)
    told = second.removeprefix(first)
    assert ("holds no JSON" if bad else "is empty") in told
    assert bad in told


def test_thoughts_that_took_the_whole_reply_are_told() -> None:
    class Thinker(ScriptedLLM):
        def complete(self, *args: Any, **options: Any) -> Any:
            return replace(super().complete(*args, **options), text="", truncated=True)

    [extraction] = _extract(Thinker([(".", GOOD)]), TEXT)
    assert "cut off before its first word" in extraction.problems[0]
    assert "llm_max_tokens" in extraction.problems[0]


def test_a_repair_that_fails_falls_back_to_sentences() -> None:
    llm = ScriptedLLM([(".", "no JSON")])
    [extraction] = _extract(llm, TEXT)
    assert len(llm.calls) == 2
    assert [unit.degraded for unit in extraction.units] == [True]
    assert "holds no JSON" in extraction.problems[0]


@pytest.mark.parametrize(
    "reply",
    ['{"units": []}', '{"units": ["Zed lives in Quell."]}', GOOD[:-8], RuntimeError("HTTP 500")],
)
def test_what_can_be_read_or_never_came_is_not_repaired(reply: Any) -> None:
    llm = ScriptedLLM([(".", reply)])
    _extract(llm, TEXT)
    assert len(llm.calls) == 1


def test_a_batch_is_asked_one_by_one_before_anything_is_repaired() -> None:
    def prose(prompt: str) -> str:
        return "prose" if prompt.count("<passage ") > 1 else GOOD

    llm = ScriptedLLM([(".", prose)])
    extractions = _extract(llm, TEXT, TEXT + " Rain fell.")
    assert len(llm.calls) == 3
    assert not any("asked this before" in prompt for prompt in llm.prompts)
    assert not any(one.problems for one in extractions)


def test_the_bad_reply_is_shown_as_it_is_and_not_too_long() -> None:
    shown = repair_prompt("Ask {what} {prompt}", "x {prompt} {reply} %s", "the reply is odd")
    assert "x {prompt} {reply} %s" in shown
    assert shown.startswith("Ask {what} {prompt}\n")
    assert len(repair_prompt("Ask", "y" * 99_999, "it is long")) < MAX_SHOWN_REPLY + 300


# --- tokens -------------------------------------------------------------------------------------


class Limited:
    """A model whose replies end at the limit, counted in characters of four a token."""

    fingerprint = "limited"

    def __init__(self, reply: str) -> None:
        self._reply = reply
        self.limits: list[int | None] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        del messages, schema
        self.limits.append(max_tokens)
        most = 4 * (max_tokens or 10**6)
        text = self._reply[:most]
        return Completion(text=text, usage=Usage(calls=1), truncated=len(text) < len(self._reply))


def test_a_reply_that_used_up_its_tokens_is_asked_for_once_with_more() -> None:
    thoughts = "<think>" + "Hm. " * 1500 + "</think>"
    llm = Limited(thoughts + GOOD)
    [extraction] = _extract(llm, TEXT)
    assert extraction.problems == ()
    first, second = llm.limits
    assert first is not None
    assert second == 4 * first


def test_one_that_is_still_too_long_keeps_what_is_whole() -> None:
    units = [f"Ida Holm built the Norr Bridge in 1931, {word}." for word in ("iron", "stone")]
    long = json.dumps({"units": [*units, "Ida Holm " * 9000]})
    llm = Limited(long)
    [extraction] = _extract(llm, TEXT + " Iron and stone it is.")
    assert [unit.text for unit in extraction.units] == units
    assert all(unit.degraded for unit in extraction.units)
    assert len(llm.limits) == 2
    assert "2 whole statements were kept" in extraction.problems[0]


def test_the_budget_grows_with_the_passages_and_with_the_mode() -> None:
    tokens = [EFFORTS[mode].max_tokens(["word " * 200]) for mode in EFFORTS]
    assert tokens == sorted(tokens)
    assert len(set(tokens)) == 3
    for effort in EFFORTS.values():
        assert effort.max_tokens(["a", "b"]) > effort.max_tokens(["a"])
        assert effort.max_tokens(["本" * 400]) > effort.max_tokens(["a" * 400])
    assert [EFFORTS[mode].retries for mode in ("cheap", "balanced", "quality")] == [1, 2, 3]


def test_calls_say_how_long_their_replies_may_be() -> None:
    llm = ScriptedLLM([(".", GOOD)])
    _extract(llm, TEXT, TEXT + " Rain.", mode="cheap", ku_batch_size=1)
    assert [call.max_tokens for call in llm.calls] == [
        EFFORTS["cheap"].max_tokens([TEXT]),
        EFFORTS["cheap"].max_tokens([TEXT + " Rain."]),
    ]


def test_a_batch_ends_where_one_reply_could_not_hold_more() -> None:
    long = [f"Keeper {number} lit the lamp. " * 120 for number in range(6)]
    llm = ScriptedLLM([(".", '{"units": []}')])
    _extract(llm, *long, chunk_size=9000, mode="cheap")
    batches = [prompt.count("<passage ") for prompt in llm.prompts]
    assert max(batches) < 6
    assert sum(batches[: batches.index(1)] if 1 in batches else batches) >= 6


def test_a_mode_changes_no_first_question() -> None:
    asked = []
    for mode in EFFORTS:
        llm = ScriptedLLM([(".", GOOD)])
        _extract(llm, TEXT, mode=mode)
        asked.append(llm.prompts)
    assert asked[0] == asked[1] == asked[2]


def test_a_limit_on_replies_makes_smaller_batches() -> None:
    texts = [f"Keeper {number} lit the lamp. " * 30 for number in range(6)]
    documents = [make_document(text, doc_id=text[:9]) for text in texts]
    config = ClewConfig()
    pairs = [(document, chunk_document(document, config)) for document in documents]
    sizes = []
    for most in (None, 4096, 100):
        llm = ScriptedLLM([(".", GOOD)])
        LLMExtractor(llm, config, most_reply_tokens=most).extract(pairs)
        sizes.append(llm.prompts[0].count("<passage "))
    assert sizes == [6, 2, 1]
