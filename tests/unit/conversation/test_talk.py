"""A conversation: it asks, remembers, tries a second reading, and forgets when told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clew import Answer, KnowledgeBase
from clew.conversation import Conversation
from clew.testing import FakeEmbedder


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_text(
            "Norr Bridge was built by Berit Lind. Norr Bridge was opened in 1931.", name="bridge"
        )
        kb.ingest_text(
            "Berit Lind was born in Halden. Berit Lind was married to Otto Brand.", name="berit"
        )
        yield kb


def test_a_conversation(kb: KnowledgeBase) -> None:
    talk = kb.conversation()
    said = [
        talk.ask(question).answer
        for question in (
            "Who built Norr Bridge?",
            "When was it opened?",
            "Where was she born?",
            "and her husband?",
        )
    ]
    assert said == ["Berit Lind", "1931", "Halden", "Otto Brand"]
    assert talk.turns[-1].asked == "and her husband?"
    assert talk.turns[-1].question == "Who was Berit Lind's husband?"
    assert talk.last is talk.turns[-1].answer
    talk.clear()
    assert not talk.turns
    assert talk.readings("and her husband?") == ("and her husband?",)


class _Scripted:
    def __init__(self, **answers: str) -> None:
        self.answers = {key.replace("_", " ") + "?": value for key, value in answers.items()}
        self.asked: list[str] = []

    def ask_stream(self, question: str, **options: object) -> Iterator[str | Answer]:
        self.asked.append(question)
        answer = self.answers.get(question, "")
        yield f"writes of {question}"
        yield Answer(question=question, answer=answer, abstained=not answer, trace=options)


def test_another_reading_is_tried_when_the_first_has_no_answer() -> None:
    kb = _Scripted(Which_company_bought_Tveit_Yard="Norr Works", When_was_Tveit_Yard_founded="1871")
    talk = Conversation(kb)
    talk.ask("Which company bought Tveit Yard?")
    streamed = list(talk.ask_stream("When was it founded?", quality_mode="cheap"))
    assert kb.asked[1:] == ["When was Norr Works founded?", "When was Tveit Yard founded?"]
    assert streamed[0] == "writes of When was Norr Works founded?"
    assert len(streamed) == 2
    assert isinstance(streamed[1], Answer)
    assert streamed[1].answer == "1871"
    assert streamed[1].trace == {"quality_mode": "cheap"}


def test_the_first_refusal_stays_when_no_reading_has_an_answer() -> None:
    kb = _Scripted(Which_company_bought_Tveit_Yard="Norr Works")
    talk = Conversation(kb)
    talk.ask("Which company bought Tveit Yard?")
    assert talk.ask("When was it founded?").question == "When was Norr Works founded?"
