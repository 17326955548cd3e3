"""An entailment model reads each sentence of a written answer together with what it cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.models.base import Entailment
from clew.testing import ScriptedLLM

TEXTS = [
    {"doc_id": "deal", "text": "Sund Ironworks sold Norr Works to Berit Lind in 1999."},
    {"doc_id": "town", "text": "Norr Works stands in Lom. Lom is a town in Norway."},
]
QUESTION = "Who sold Norr Works?"
Judge = Callable[[str, str], Entailment]
YES, NO, AGAINST = Entailment(0.9, 0.05), Entailment(0.2, 0.1), Entailment(0.01, 0.97)


class Judging:
    """Judges by a function, and keeps what it was asked, call by call."""

    fingerprint = "judging"

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.calls: list[list[tuple[str, str]]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        self.calls.append(list(pairs))
        return [self._judge(text, claim) for text, claim in pairs]


def ask(write: str, judge: Judge | Any, **settings: Any) -> tuple[Any, Judging]:
    """The answer where the model writes ``write``, with ``{words}`` for the number of the piece
    that holds these words.
    """

    def reply(prompt: str) -> str:
        pieces = re.findall(r'<piece number="(\d+)"[^>]*>\n(.*?)\n</piece>', prompt, re.DOTALL)
        return re.sub(
            r"{(.*?)}", lambda found: next(n for n, text in pieces if found[1] in text), write
        )

    model = Judging(judge) if callable(judge) else judge
    config = ClewConfig(embedding_model="none", ku_extraction_method="sentence", **settings)
    kb = KnowledgeBase.in_memory(
        llm=ScriptedLLM([("Question:", reply)]), entailment=model, config=config
    )
    with kb:
        kb.ingest_documents(TEXTS)
        return kb.ask(QUESTION), model


def test_the_model_reads_the_cited_text_under_its_heading_beside_the_sentence() -> None:
    answer, model = ask("Sund Ironworks\nSund Ironworks sold Norr Works [{sold}].", lambda *_: YES)
    assert answer.answer == "Sund Ironworks"
    assert [citation.doc_id for citation in answer.citations] == ["deal"]
    ((text, claim),) = model.calls[0]
    assert text.endswith("Sund Ironworks sold Norr Works to Berit Lind in 1999.")
    assert claim == "Sund Ironworks sold Norr Works."


def test_a_sentence_with_the_right_words_in_the_wrong_places_is_taken_out() -> None:
    def reads(text: str, claim: str) -> Entailment:
        return AGAINST if claim.startswith("Berit Lind sold") else YES

    answer, _ = ask(
        "Sund Ironworks\nSund Ironworks sold Norr Works [{sold}]. "
        "Berit Lind sold Norr Works to Sund Ironworks [{sold}].",
        reads,
    )
    assert answer.sentence == "Sund Ironworks sold Norr Works [1]."
    (doubt,) = answer.doubts
    assert doubt.sentence.startswith("Berit Lind sold")
    assert "contradicts" in doubt.reason


def test_what_the_text_does_not_entail_is_unsupported_or_flagged() -> None:
    said = "Sund Ironworks\nSund Ironworks sold Norr Works to Berit Lind in 1999 [{sold}]."
    removed, _ = ask(said, lambda *_: NO)
    assert any("read from the text" in note for note in removed.notes)
    assert "does not entail" in removed.doubts[-1].reason
    lenient, _ = ask(said, lambda *_: NO, entailment_threshold=0.2)
    assert lenient.answer == "Sund Ironworks"
    assert not lenient.doubts

    def second(_: str, claim: str) -> Entailment:
        return NO if "Lom" in claim else YES

    flagged, _ = ask(
        "Sund Ironworks\nSund Ironworks sold Norr Works [{sold}]. Norr Works stands in Lom "
        "[{stands}].",
        second,
        unsupported_sentences="flag",
    )
    assert flagged.sentence == "Sund Ironworks sold Norr Works [1]. Norr Works stands in Lom."
    assert [citation.doc_id for citation in flagged.citations] == ["deal"]


def test_pieces_that_bear_a_sentence_out_only_together_are_read_together() -> None:
    def reads(text: str, _: str) -> Entailment:
        return YES if "sold" in text and "stands" in text else NO

    answer, model = ask(
        "Norr Works\nSund Ironworks sold Norr Works, which stands in Lom [{sold}][{stands}].", reads
    )
    assert len(answer.citations) == 2
    assert [len(call) for call in model.calls] == [2, 1]


@pytest.mark.parametrize("fault", ["raises", "too few", "no share"])
def test_a_model_that_fails_leaves_the_other_checks_and_a_note(fault: str) -> None:
    class Faulty:
        def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
            if fault == "raises":
                raise ConnectionError("gone")
            return [] if fault == "too few" else [Entailment(7.0, 0.0) for _ in pairs]

    answer, _ = ask("Sund Ironworks\nSund Ironworks sold Norr Works [{sold}].", Faulty())
    assert answer.answer == "Sund Ironworks"
    note = next(note for note in answer.notes if note.startswith("the entailment model failed"))
    assert "Faulty" in note
