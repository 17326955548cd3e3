"""A plan of indexing against what the run then uses, with a model that counts its tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.models.token_counting import token_counter
from clew.planning.plan import MethodPlan
from clew.testing import TellingLLM

_PEOPLE = ("Ada Orm", "Bo Lind", "Cy Holt", "Di Vang", "Ed Roth", "Flo Berg")
_PLACES = ("Norr", "Ostby", "Velm", "Skagen", "Lund")
_WORKS = ("a mill", "the old lighthouse", "two bridges", "a school of navigation", "the archive")


def _write(folder: Path, count: int = 40) -> Path:
    """Documents of one to twelve paragraphs, with pronouns, numbers and dates."""
    folder.mkdir(exist_ok=True)
    for number in range(count):
        paragraphs = [
            f"{_PEOPLE[(number + at) % 6]} built {_WORKS[(number * at) % 5]} in "
            f"{_PLACES[(number + at) % 5]} in {1801 + number * 3 + at}. It cost "
            f"{(number + 1) * 250} crowns, which the town paid over {at + 2} years. "
            f"According to {_PEOPLE[at % 6]}, who wrote its history, nobody had seen the like."
            for at in range(number % 12 + 1)
        ]
        text = f"# Works of the year {1801 + number}\n\n" + "\n\n".join(paragraphs) + "\n"
        (folder / f"d{number:02}.md").write_text(text, encoding="utf-8")
    return folder


def _counting() -> TellingLLM:
    return TellingLLM(count=token_counter())


def _config(**settings: Any) -> ClewConfig:
    return ClewConfig(embedding_model="none", **settings)


def _used(kb: KnowledgeBase, folder: Path) -> tuple[int, int, int]:
    usage = kb.ingest(folder).usage
    return usage.calls, usage.input_tokens, usage.output_tokens


@pytest.mark.parametrize("method", ["llm", "vocabulary"])
@pytest.mark.parametrize("batch", [1, 10])
def test_a_plan_is_within_a_tenth_of_what_is_read(tmp_path: Path, method: str, batch: int) -> None:
    folder = _write(tmp_path / "docs")
    llm = _counting()
    config = _config(ku_extraction_method=method, ku_batch_size=batch)
    with KnowledgeBase.in_memory(llm=llm, config=config) as kb:
        plan = kb.plan(folder, methods=[method]).method(method)
        assert llm.prompts == [], "nothing is asked"
        assert kb.stats()["documents"] == 0, "nothing is written"
        calls, read, written = _used(kb, folder)
    assert plan.documents == 40
    assert plan.calls == pytest.approx(calls, rel=0.1)
    assert plan.input_tokens == pytest.approx(read, rel=0.1)
    assert plan.output_tokens == pytest.approx(written, rel=0.5), "a guess, before any experience"


def test_with_experience_replies_too_are_within_a_tenth(tmp_path: Path) -> None:
    first, second = _write(tmp_path / "first", 12), _write(tmp_path / "second", 40)
    path = tmp_path / "s.clew"
    llm = TellingLLM(count=lambda text: round(0.6 * token_counter()(text)))  # other words than ours
    with KnowledgeBase.open(path, llm=llm, config=_config()) as kb:
        kb.ingest(first)
        plan = kb.plan(second, methods=["llm"])
        planned = plan.method("llm")
        calls, read, written = _used(kb, second)
    assert "calls in the books" in plan.basis
    assert planned.calls == pytest.approx(calls, rel=0.1)
    assert planned.input_tokens == pytest.approx(read, rel=0.1)
    assert planned.output_tokens == pytest.approx(written, rel=0.1)


def test_a_plan_leaves_out_what_is_done(tmp_path: Path) -> None:
    folder = _write(tmp_path / "docs", 20)
    with KnowledgeBase.open(tmp_path / "s.clew", llm=_counting(), config=_config()) as kb:
        kb.ingest(folder)
        done = kb.plan(folder, methods=["llm"]).method("llm")
        assert (done.documents, done.calls, done.input_tokens) == (0, 0, 0)
        assert done.cost == 0.0
        text = (folder / "d11.md").read_text(encoding="utf-8")
        (folder / "d11.md").write_text(text + "\n\nEd Roth sold it in 1999.\n", encoding="utf-8")
        changed = kb.plan(folder, methods=["llm"]).method("llm")
        assert changed.documents == 1
        assert changed.calls == _used(kb, folder)[0] == 1


def test_money_and_time(tmp_path: Path) -> None:
    folder = _write(tmp_path / "docs", 10)
    prices = tmp_path / "prices.yaml"
    prices.write_text(
        "currency: EUR\nmodels:\n  telling-llm: {input: 1, output: 4}", encoding="utf-8"
    )
    config = _config(llm_prices=str(prices), llm_max_cost=0.001, ku_batch_size=1)
    with KnowledgeBase.in_memory(llm=_counting(), config=config) as kb:
        plan = kb.plan(folder)
        llm = plan.method("llm")
        assert plan.chosen == "llm"
        expected = (llm.input_tokens + 4 * llm.output_tokens) / 1e6
        assert llm.cost == pytest.approx(expected)
        assert llm.currency == "EUR"
        assert llm.affordable_calls == int(llm.calls * 0.001 / expected)
        assert llm.seconds > llm.calls
        sentence = plan.method("sentence")
        assert (sentence.calls, sentence.cost, sentence.documents) == (0, 0.0, 10)
        assert json.loads(plan.to_json())["methods"][2]["method"] == "llm"


def test_limits_make_it_longer(tmp_path: Path) -> None:
    folder = _write(tmp_path / "docs", 10)

    def seconds(**settings: Any) -> float:
        config = _config(ku_batch_size=1, ku_concurrency=10, **settings)
        with KnowledgeBase.in_memory(llm=_counting(), config=config) as kb:
            plan: MethodPlan = kb.plan(folder, methods=["llm"]).method("llm")
            return plan.seconds

    assert seconds(llm_requests_per_minute=2) > 60 * 3
    assert seconds(llm_tokens_per_minute=2000) > 60 * 3
    assert seconds() < 60


def test_a_plan_needs_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "CLEW_LLM_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    folder = _write(tmp_path / "docs", 5)
    config = _config(llm_model="openai:gpt-4o-mini")
    with KnowledgeBase.in_memory(config=config) as kb:
        plan = kb.plan(folder, methods=["llm"])
    assert plan.model.startswith("openai/gpt-4o-mini")
    assert plan.method("llm").currency == "USD"
    assert plan.method("llm").cost
    assert "prices as of" in plan.basis


def test_without_a_model_tokens_are_counted_all_the_same(tmp_path: Path) -> None:
    folder = _write(tmp_path / "docs", 5)
    with KnowledgeBase.in_memory(config=_config()) as kb:
        plan = kb.plan(folder)
    assert plan.chosen == "sentence"
    assert plan.method("llm").input_tokens > 1000
    assert plan.method("llm").cost is None
    assert plan.method("llm").shown_cost == "cost unknown"


def test_a_plan_names_what_it_leaves_out_and_why(tmp_path: Path) -> None:
    folder = _write(tmp_path / "docs", 3)
    with KnowledgeBase.in_memory(config=_config()) as kb:
        kb.ingest(folder)
        (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and then nothing")
        (folder / "empty.md").write_text("\n", encoding="utf-8")
        (folder / "new.md").write_text("Bo Lind built a mill in Velm.", encoding="utf-8")
        plan = kb.plan(folder, methods=["sentence"])
    (sentence,) = plan.methods
    assert (sentence.documents, sentence.unchanged) == (1, 3)
    assert [(Path(item.source).name, str(item.status)) for item in plan.left_out] == [
        ("broken.pdf", "failed"),
        ("empty.md", "empty"),
    ]
    assert "damaged" in plan.left_out[0].reason
