"""``quality_mode`` in indexing: what a model may cost, for one run or for all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, ConfigError, KnowledgeBase, Status
from clew.extraction.effort import EFFORTS
from clew.testing import FakeEmbedder, ScriptedLLM

TEXT = "Ida Holm came to Tamsund. She kept the lamp there."
UNCLEAR = json.dumps(
    {"units": [{"text": "She kept the lamp there.", "facts": [["She", "kept", "lamp"]]}]}
)
CLEAR = json.dumps(
    {
        "units": [
            {
                "text": "Ida Holm kept the lamp there.",
                "facts": [["Ida Holm", "kept", "lamp"]],
                "entities": ["Ida Holm"],
            }
        ]
    }
)
RULES: list[Any] = [(r"unclear: ", CLEAR), (".", UNCLEAR)]


def _kb(config: ClewConfig | None = None) -> tuple[KnowledgeBase, ScriptedLLM]:
    llm = ScriptedLLM(RULES)
    return KnowledgeBase.in_memory(llm=llm, embedding=FakeEmbedder(), config=config), llm


@pytest.mark.parametrize(("mode", "calls", "facts"), [("cheap", 1, 0), ("balanced", 2, 1)])
def test_the_mode_of_a_run_bounds_what_it_costs(mode: str, calls: int, facts: int) -> None:
    kb, llm = _kb()
    [report] = kb.ingest_text(TEXT, name="a", title="Lamps", quality_mode=mode).documents
    assert (len(llm.calls), report.facts) == (calls, facts)
    assert llm.calls[0].max_tokens == EFFORTS[mode].max_tokens([TEXT])


def test_the_setting_holds_where_no_run_says_otherwise() -> None:
    kb, llm = _kb(ClewConfig(quality_mode="cheap"))
    kb.ingest_documents([{"text": TEXT, "title": "Lamps"}])
    assert len(llm.calls) == 1
    kb.ingest_documents([{"text": f"{TEXT} It burnt.", "title": "B"}], quality_mode="balanced")
    assert len(llm.calls) == 3


def test_another_mode_reads_nothing_again_that_did_not_change(tmp_path: Path) -> None:
    path = tmp_path / "lamps.txt"
    path.write_text(TEXT, encoding="utf-8")
    kb, llm = _kb()
    kb.ingest(path, quality_mode="cheap")
    calls = len(llm.calls)
    [report] = kb.ingest(path, quality_mode="quality").documents
    assert report.status is Status.UNCHANGED
    assert kb.sync(tmp_path, quality_mode="quality").counts == {"unchanged": 1}
    assert len(llm.calls) == calls


def test_an_unknown_mode_is_named() -> None:
    kb, _ = _kb()
    with pytest.raises(ConfigError, match="quality_mode='fast' is not one of cheap, balanced"):
        kb.ingest_text(TEXT, quality_mode="fast")
