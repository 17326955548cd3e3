"""Language models that misbehave, tried on the whole: texts in, a report and a graph out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from clew import ClewConfig, KnowledgeBase, Status
from clew.errors import EmbeddingError, ModelRefusedError, RateLimitError
from clew.reports import DocumentReport, IngestReport
from clew.testing import FakeEmbedder, ScriptedLLM

PEOPLE = ["Ida Holm", "Otto Brand", "Anna Roe", "Karl Strand", "Vera Lund"]
SENTENCES = [f"{name} kept lamp {number} at Tamsund." for number, name in enumerate(PEOPLE, 1)]
UNITS: list[dict[str, Any]] = [
    {
        "text": text,
        "entities": [{"name": name, "type": "PERSON"}],
        "facts": [{"kind": "relation", "subject": name, "predicate": "kept",
                   "object": f"lamp {number}", "negated": False, "confidence": 0.9}],
    }
    for number, (name, text) in enumerate(zip(PEOPLE, SENTENCES, strict=True), 1)
]  # fmt: skip
CLEAN = json.dumps({"units": UNITS})
TEXT = " ".join(SENTENCES)

IMPERFECT = {
    "a": f"Of course! Here are the facts:\n```json\n{CLEAN}\n```",
    "b": json.dumps(UNITS),
    "d": CLEAN.replace("}]", "},]").replace("]}", "],}"),
    "e, closed": f'<think>Is it {{"units": []}}?</think>\n{CLEAN}',
    "e, open": f"<think>The passage names five people. {CLEAN}",
    "f": repr({"units": UNITS, "remarks": None}),
    "i": json.dumps({"units": [unit | {"entities": "Tamsund, lamp"} for unit in UNITS]}),
}


def _ingest(reply: Any, text: str = TEXT) -> tuple[KnowledgeBase, DocumentReport]:
    kb = KnowledgeBase.in_memory(llm=ScriptedLLM([(".", reply)]), embedding=FakeEmbedder())
    [report] = kb.ingest_text(text, name="lamps").documents
    assert kb.check() == []
    return kb, report


@pytest.mark.parametrize("case", IMPERFECT)
def test_imperfect_json_gives_all_five(case: str) -> None:
    kb, report = _ingest(IMPERFECT[case])
    assert (report.status, report.degraded_chunks) == (Status.INSERTED, 0)
    assert (report.knowledge_units, report.facts, report.ungrounded_facts) == (5, 5, 0)
    indexed = kb.document("lamps")
    assert [unit.text for unit in indexed.units] == SENTENCES
    assert [fact.subject for fact in indexed.facts] == PEOPLE


def test_cut_off_in_the_fourth_gives_three_marked_degraded() -> None:
    cut = CLEAN[: CLEAN.index("predicate", CLEAN.index("Karl Strand"))]
    kb, report = _ingest(cut)
    assert (report.status, report.degraded_chunks) == (Status.PARTIAL, 1)
    assert (report.knowledge_units, report.facts) == (3, 3)
    assert "0 of 1 chunks were read by the model; chunk 0: the reply was cut off" in report.reason
    assert all(unit.degraded for unit in kb.document("lamps").units)


@pytest.mark.parametrize(
    ("reply", "why"), [("", "is empty"), ("They kept lamps {all of them}.", "holds no JSON")]
)
def test_nothing_to_read_falls_back_to_sentences(reply: str, why: str) -> None:
    kb, report = _ingest(reply)
    assert (report.status, report.degraded_chunks, report.facts) == (Status.PARTIAL, 1, 0)
    assert why in report.reason
    assert [unit.text for unit in kb.document("lamps").units] == SENTENCES
    assert "lamp 3" in kb.search("Who kept lamp 3 at Tamsund?").items[0].content


def test_examples_of_the_prompt_are_dropped_and_counted() -> None:
    reply = {
        "units": [
            UNITS[0],
            {"text": "Otto Brand looked after the second lamp, number 2, in Tamsund."},
            {"text": "Zed Mercer lives in Quell.",
             "facts": [["Zed Mercer", "lives in", "Quell"]]},
        ]
    }  # fmt: skip
    kb, report = _ingest(json.dumps(reply))
    assert (report.knowledge_units, report.facts, report.ungrounded_facts) == (2, 1, 1)
    assert not any("Quell" in unit.text for unit in kb.document("lamps").units)
    assert kb.entity_names("zed", most=5) == []


def test_flat_facts_alone_drop_the_one_from_the_prompt() -> None:
    triples = [["Ida Holm", "kept", "lamp 1"], ["Otto Brand", "kept", "lamp 2"],
               ["Zed Mercer", "lives in", "Quell"]]  # fmt: skip
    _, report = _ingest(json.dumps({"facts": triples}))
    assert (report.facts, report.ungrounded_facts) == (2, 1)


# --- rate limits, a poisoned chunk --------------------------------------------------------------


def _sections(count: int) -> str:
    return "\n\n".join(
        f"# Lamp {number}\n\nKeeper K{number} lit lamp {number} at Tamsund every night, and nobody "
        "else was let into the tower but the cat and the clock maker of the town."
        for number in range(count)
    )


def _passages(prompt: str) -> list[str]:
    return re.findall(r'<passage number="\d+">.*?\n\n(.*?)\n</passage>', prompt, re.DOTALL)


def _read(prompt: str) -> str:
    """A model that finds the keeper in each passage."""
    units = []
    for place, passage in enumerate(_passages(prompt), 1):
        for keeper in re.findall(r"K\d+", passage):
            lamp = f"lamp {keeper[1:]}"
            units.append({"passage": place, "text": f"Keeper {keeper} lit {lamp} at Tamsund.",
                          "facts": [[f"Keeper {keeper}", "lit", lamp]]})  # fmt: skip
    return json.dumps({"units": units})


def _poisoned(name: str, error: Exception) -> Callable[[str], str]:
    def answer(prompt: str) -> str:
        if any(re.search(rf"{name}\b", passage) for passage in _passages(prompt)):
            raise error
        return _read(prompt)

    return answer


SECTIONS = ClewConfig(chunk_size=200, chunk_overlap=0, chunk_strategy="section-aware")


def _sectioned(llm: Any, config: ClewConfig = SECTIONS) -> KnowledgeBase:
    return KnowledgeBase.in_memory(llm=llm, embedding=FakeEmbedder(), config=config)


def _ingest_sections(kb: KnowledgeBase) -> DocumentReport:
    text = _sections(12)
    [report] = kb.ingest_documents(
        [{"text": text, "doc_id": "tower.md", "title": "Lamps of Tamsund"}]
    ).documents
    return report


def test_two_rate_limits_are_waited_for() -> None:
    slow = RateLimitError("HTTP 429", retry_after_s=0.01)

    class Busy(ScriptedLLM):
        busy = 2

        def complete(self, *args: Any, **options: Any) -> Any:
            if self.busy:
                self.busy -= 1
                raise slow
            return super().complete(*args, **options)

    kb = _sectioned(Busy([(".", _read)]))
    report = _ingest_sections(kb)
    assert (report.status, report.degraded_chunks) == (Status.INSERTED, 0)


def test_one_poisoned_chunk_of_twelve() -> None:
    llm = ScriptedLLM([(".", _poisoned("K7", ModelRefusedError("HTTP 500", status=500)))])
    kb = _sectioned(llm)
    report = _ingest_sections(kb)
    assert report.chunks == 12
    assert (report.status, report.degraded_chunks, report.facts) == (Status.PARTIAL, 1, 11)
    assert "11 of 12 chunks were read by the model; chunk 7: " in report.reason
    assert "HTTP 500" in report.reason
    assert "K7" in kb.search("Who lit lamp 7 at Tamsund?").items[0].content


def test_retrying_calls_the_model_for_the_one_chunk_only() -> None:
    kb = _sectioned(
        llm := ScriptedLLM([(".", _poisoned("K7", ModelRefusedError("HTTP 500", status=500)))])
    )
    _ingest_sections(kb)
    calls = len(llm.calls)
    llm._rules = [(".", _read)]
    llm._used = [0]
    report = _ingest_sections(kb)
    assert (report.status, report.facts, report.degraded_chunks) == (Status.UPDATED, 12, 0)
    again = [passage for call in llm.calls[calls:] for passage in _passages(call.prompt)]
    assert len(llm.calls) == calls + 1
    assert len(again) == 1
    assert "K7" in again[0]
    assert _ingest_sections(kb).status is Status.UNCHANGED
    assert len(llm.calls) == calls + 1


def test_braces_and_percent_signs_reach_the_prompt_unchanged() -> None:
    hostile = "Ida Holm wrote {chunk}, {text_chunk}, {0}, {{ }}, %s, %(x)d and 100 % of it."
    llm = ScriptedLLM([(".", json.dumps({"units": [hostile]}))])
    kb = KnowledgeBase.in_memory(llm=llm, embedding=FakeEmbedder())
    kb.ingest_text(hostile, name="a", title="T {x} %s")
    assert hostile in llm.prompts[0]
    assert "title: T {x} %s" in llm.prompts[0]
    assert [unit.text for unit in kb.document("a").units] == [hostile]


# --- too small a context ------------------------------------------------------------------------


class SmallContext(ScriptedLLM):
    """Refuses what does not fit into its 2,048 tokens, prompt and reply, of four characters."""

    def complete(self, messages: Sequence[Any], **options: Any) -> Any:
        prompt = sum(len(message.content) for message in messages) // 4
        if prompt > 1500:
            raise ModelRefusedError("maximum context length is 2048 tokens", status=400)
        return super().complete(messages, **options)


def test_a_context_of_2048_tokens_warns_and_says_what_to_change() -> None:
    config = ClewConfig(chunk_size=6000, chunk_overlap=0, chunk_strategy="fixed-window")
    kb = _sectioned(SmallContext([(".", _read)]), config)
    report = kb.ingest_text(_sections(40).replace("# ", ""), name="tower")
    _warns_of_low_yield(report)
    assert "maximum context length" in report.documents[0].reason
    assert report.documents[0].knowledge_units >= 40


def test_where_one_chunk_fits_and_ten_do_not_all_are_read() -> None:
    kb = _sectioned(SmallContext([(".", _read)]), SECTIONS.replace(ku_batch_size=40))
    report = kb.ingest_documents([{"text": _sections(40), "doc_id": "tower.md"}])
    assert (report.documents[0].status, report.documents[0].facts) == (Status.INSERTED, 40)
    assert report.notes == ()


def test_nothing_for_a_third_of_the_chunks_warns() -> None:
    def forgetful(prompt: str) -> str:
        passages = _passages(prompt)
        if len(passages) == 1 and re.search(r"K(?:1|4|7|10)\b", passages[0]):
            return '{"units": []}'
        units = json.loads(_read(prompt))["units"]
        return json.dumps(
            {"units": [one for one in units if not re.search(r"K(?:1|4|7|10)\b", one["text"])]}
        )

    kb = _sectioned(ScriptedLLM([(".", forgetful)]))
    report = kb.ingest_documents([{"text": _sections(12), "doc_id": "tower.md"}])
    assert report.documents[0].degraded_chunks == 4
    assert report.documents[0].facts == 8
    _warns_of_low_yield(report)


def test_one_poor_chunk_of_twelve_is_no_low_yield() -> None:
    kb = _sectioned(ScriptedLLM([(".", _poisoned("K7", ModelRefusedError("no", status=400)))]))
    report = kb.ingest_documents([{"text": _sections(12), "doc_id": "tower.md"}])
    assert not any("low yield" in note for note in report.notes)


def _warns_of_low_yield(report: IngestReport) -> None:
    [note] = [note for note in report.notes if note.startswith("low yield")]
    assert re.search(r"for \d+ of \d+ chunks", note)
    assert "chunk_size=" in note
    assert "ku_batch_size=1" in note


# --- embedders ----------------------------------------------------------------------------------


class OddEmbedder:
    """Good for the first two batches, then ``odd``."""

    def __init__(self, odd: Callable[[Any], Any]) -> None:
        self._inner = FakeEmbedder()
        self._odd = odd
        self._batches = 0

    def embed_text(self, text: str) -> Any:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str]) -> Any:
        self._batches += 1
        rows = self._inner.embed(texts)
        return rows if self._batches <= 2 else self._odd(rows)


def _zero(rows: Any) -> Any:
    return np.zeros_like(rows)


def _nan(rows: Any) -> Any:
    return np.full_like(rows, np.nan)


@pytest.mark.parametrize(
    "odd",
    [_zero, _nan, lambda rows: rows[:-1], lambda rows: rows[:, :-1]],
    ids=["zero", "NaN", "count", "dimension"],
)
def test_an_embedder_that_returns_nonsense_leaves_nothing_half_written(odd: Any) -> None:
    llm = ScriptedLLM([(".", CLEAN)])
    config = ClewConfig(embedding_batch_size=2)
    kb = KnowledgeBase.in_memory(llm=llm, embedding=OddEmbedder(odd), config=config)
    with pytest.raises(EmbeddingError, match=r"lamp|text"):
        kb.ingest_text(TEXT, name="lamps")
    assert kb.stats()["documents"] == kb.stats()["facts"] == 0
    assert kb.check() == []
