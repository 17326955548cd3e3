"""A model for the chunks that are worth most, sentences for the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from clew import ClewConfig, ConfigError, IndexPipeline, KnowledgeBase, SQLiteStore
from clew.models.token_counting import token_counter
from clew.reports import Status
from clew.testing import ScriptedLLM, TellingLLM

CONFIG = ClewConfig(embedding_model="none", ku_batch_size=1)
TEXTS = [
    {"doc_id": "bridge", "title": "Tarn Bridge", "text": "Tarn Bridge was built by Ola Roe."},
    {"doc_id": "roe", "title": "Ola Roe", "text": "Ola Roe came from Lom, near Tarn Bridge."},
    {"doc_id": "rain", "title": "Weather", "text": "It rained on many days of that long year."},
    {"doc_id": "soup", "title": "Soup", "text": "Cut the leeks and boil them in salted water."},
]
LINKED = {"bridge", "roe"}


def _llm() -> ScriptedLLM:
    return ScriptedLLM([(".", _reply)])


def _reply(prompt: str) -> str:
    passage = re.findall(r"\n\n([^\n]+)\n</passage>", prompt)[-1]
    return json.dumps({"units": [{"passage": 1, "text": passage, "entities": []}]})


def _origins(store: object, doc_ids: set[str]) -> set[str]:
    found = set()
    for document in store.list_documents():  # type: ignore[attr-defined]
        indexed = store.load_document(document.id)  # type: ignore[attr-defined]
        if document.doc_id in doc_ids:
            found |= {unit.origin for unit in indexed.units}
            assert not any(unit.degraded for unit in indexed.units)
    return found


def test_the_best_half_is_asked_about() -> None:
    llm = _llm()
    pipeline = IndexPipeline(llm, config=CONFIG.replace(llm_budget="50%"))
    store = pipeline.run(TEXTS)
    assert len(llm.calls) == 2
    assert _origins(store, LINKED) == {"llm"}
    assert _origins(store, {"rain", "soup"}) == {"sentence"}
    assert {one.status for one in pipeline.report.documents} == {Status.INSERTED}


def test_nothing_and_everything() -> None:
    none, every = _llm(), _llm()
    IndexPipeline(none, config=CONFIG.replace(llm_budget="0%")).run(TEXTS)
    IndexPipeline(every, config=CONFIG.replace(llm_budget="100%")).run(TEXTS)
    assert len(none.calls) == 0
    assert len(every.calls) == 4


def test_the_choice_does_not_hang_on_order_or_concurrency() -> None:
    asked = []
    for texts, concurrency in ((TEXTS, 1), (TEXTS[::-1], 4)):
        llm = _llm()
        config = CONFIG.replace(llm_budget="50%", ku_concurrency=concurrency)
        IndexPipeline(llm, config=config).run(texts)
        asked.append({call.prompt for call in llm.calls})
    assert asked[0] == asked[1]


def test_a_run_that_goes_on_asks_about_the_same_chunks(tmp_path: Path) -> None:
    undisturbed = _llm()
    config = CONFIG.replace(llm_budget="50%")
    IndexPipeline(undisturbed, config=config).run(TEXTS)
    first = ScriptedLLM([("built by", ConnectionError("down")), (".", _reply)])
    second = _llm()
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        with pytest.warns(UserWarning, match="down"):
            IndexPipeline(first, config=config, store=store).run(TEXTS)
        IndexPipeline(second, config=config, store=store).run(TEXTS)
        assert _origins(store, LINKED) == {"llm"}
        assert _origins(store, {"rain", "soup"}) == {"sentence"}
    assert {call.prompt for call in second.calls} < {call.prompt for call in undisturbed.calls}
    assert len(second.calls) == 1


def test_money_buys_a_share(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("currency: EUR\nmodels:\n  scripted*: {input: 1000, output: 1000}\n")
    rich = CONFIG.replace(llm_prices=str(prices), llm_budget="1000 EUR")
    llm = _llm()
    IndexPipeline(llm, config=rich).run(TEXTS)
    assert len(llm.calls) == 4
    poor = _llm()
    IndexPipeline(poor, config=rich.replace(llm_budget="0.01 EUR")).run(TEXTS)
    assert len(poor.calls) < 4
    with pytest.raises(ConfigError, match="in EUR"):
        IndexPipeline(_llm(), config=rich.replace(llm_budget="1 USD")).run(TEXTS)
    with pytest.raises(ConfigError, match="price"):
        IndexPipeline(_llm(), config=CONFIG.replace(llm_budget="1 USD")).run(TEXTS)


@pytest.mark.parametrize("batch", [1, 10])
@pytest.mark.parametrize("wordy", [1, 2])
def test_no_run_spends_more_than_the_amount(tmp_path: Path, batch: int, wordy: int) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("currency: EUR\nmodels:\n  telling*: {input: 1000, output: 2000}\n")
    for number in range(30):
        text = f"# Mill {number}\n\nOla Roe built mill {number} in Lom in {1800 + number}.\n"
        (tmp_path / f"{number:02}.md").write_text(text * 3, encoding="utf-8")
    count = token_counter()
    llm = TellingLLM(count=lambda text: wordy * count(text))
    config = CONFIG.replace(
        llm_prices=str(prices), llm_budget="20 EUR", ku_batch_size=batch, ku_concurrency=4
    )
    with KnowledgeBase.in_memory(llm=llm, config=config) as kb:
        planned = kb.plan(tmp_path, include=["*.md"], methods=["llm"]).method("llm")
        report = kb.ingest(tmp_path, include=["*.md"])
    assert planned.cost is not None
    assert 0 < planned.cost <= 20
    assert report.cost is not None
    assert report.usage.calls == 1 or report.cost <= 20, "only the first call may be a surprise"
