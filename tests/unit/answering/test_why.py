"""An answer explains itself: its path, its evidence, what is missing."""

from __future__ import annotations

from clew import Answer, Citation, KnowledgeBase, PathStep
from clew.answering.why import explain_answer
from clew.testing import FakeEmbedder


def test_an_answer_over_two_documents() -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Varde Light was built by Munk Brothers.", name="light.txt")
        kb.ingest_text("Munk Brothers was founded by Oda Krog in 1871.", name="firm.txt")
        answer = kb.ask("Who founded the firm that built Varde Light?")
        lines = kb.why(answer).splitlines()
    assert lines[0] == "Who founded the firm that built Varde Light?"
    assert lines[1].startswith("Oda Krog (confidence 0.")
    assert "  1. light.txt [0:39], " in lines[3]
    assert lines[4] == "     “Varde Light was built by Munk Brothers.”"
    assert "built, Varde, Light" in lines[5]
    assert any(line.startswith("  2. firm.txt [0:46], ") for line in lines)
    assert any(line.startswith("  [2] firm.txt [0:46]: “Munk Brothers was") for line in lines)


def test_an_answer_that_is_none_says_what_no_document_has() -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Varde Light was built by Munk Brothers.", name="light.txt")
        said = kb.why(kb.ask("Who painted the Teal Chapel?"))
    assert "no answer (strength of the evidence 0." in said
    assert "no document says: " in said
    assert "Teal Chapel" in said.splitlines()[-1]


def test_pages_headings_rivals_and_unknown_ways() -> None:
    answer = Answer(
        question="When?",
        answer="1911",
        confidence=0.5,
        path=(
            PathStep(unit_id="u", doc_id="a", text="In\n1911.", start=3, end=8, relation="hint"),
            PathStep(
                unit_id="v", doc_id="b", text="So.", start=0, end=3, relation="mentions",
                entity="Tern",
            ),
        ),
        citations=(
            Citation(
                number=1, doc_id="a", start=3, end=8, text="In\n1911.", page=4,
                heading_path=("Boats", "Tern"),
            ),
        ),
        has_contradictions=True,
        trace={"uncovered": ("harbour",), "rivals": ("1912",)},
    )  # fmt: skip
    assert explain_answer(answer).splitlines() == [
        "When?",
        "1911 (confidence 0.50)",
        "the path:",
        "  1. a [3:8], hint",
        "     “In 1911.”",
        "  2. b [0:3], shares Tern with the step before",
        "     “So.”",
        "the evidence:",
        "  [1] a, page 4, Boats › Tern [3:8]: “In 1911.”",
        "words of the question that the evidence does not have: harbour",
        "the sources contradict each other; others say: 1912",
    ]


def test_a_whole_answer_lacks_nothing() -> None:
    said = explain_answer(Answer(question="?", answer="yes", confidence=1.0))
    assert said.splitlines()[-1] == "nothing is missing: every part of the question is covered"
