"""Names that are written otherwise than in the documents, and are the same names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.linking import link_names
from clew.stores.base import Store

TEXTS = {
    "The Harbour Owls": "The Harbour Owls were a band from Dalby. They broke up.",
    "Viking": "A Viking came by sea. The Viking came in a boat, and every Viking had one.",
    "Christoph Nolde": "Christoph Nolde made the film Undertow. Christoph Nolde is old.",
    "James Orrin": "James Orrin wrote a play.",
    "Otto Hayes": "Otto Hayes has a farm.",
    "José Ávila": "José Ávila led the choir.",
    "Łódź": "Łódź is a town of mills.",
    "Moth-Man": "Moth-Man is a story of a man with wings.",
    "C": "C is a language for machines.",
    "C++": "C++ is a language with classes.",
    "C#": "C# is a language with a sharp.",
    ".NET": ".NET is a platform for programs.",
    "Net": "Net is what fishers call their Net. A Net is knotted.",
    "Art": "Art is a town. Art has a mill.",
    "Bartok": "Bartok has a dog, and Bart has none.",
    "It": "It is a film about a clown.",
    "Duke of the Low Fens": "The Duke of the Low Fens was a rider.",
    "Wim van der Aa": "Wim van der Aa was a baker.",
    "東京大学": "東京大学は一八七七年に設立された。",
    "クリストフ・ノルデ": "クリストフ・ノルデは映画監督である。",
    "เชียงใหม่": "เชียงใหม่เป็นเมืองในภาคเหนือ",
    "Ольга Берг": "Ольга Берг родилась в городе.",
    "Ελένη Αλεξίου": "Η Ελένη Αλεξίου έγραψε ένα βιβλίο.",
    "O'Brien": "O'Brien kept bees.",
}
Link = Callable[[str], list[LinkedName]]


@pytest.fixture
def link(store_of: Callable[..., Store]) -> Link:
    store = store_of(TEXTS, names=["Bart", "Dalby", "Undertow"])

    def ask(question: str) -> list[LinkedName]:
        with store.reading() as reader:
            return link_names(reader, question, threshold=0.8)

    return ask


def _meant(names: list[LinkedName]) -> list[tuple[str, ...]]:
    return [name.meanings for name in names]


@pytest.mark.parametrize(
    ("question", "meaning", "how"),
    [
        ("What is Christoph Nolde's best film?", "Christoph Nolde", "exact"),
        ("What is Christoph Nolde’s best film?", "Christoph Nolde", "exact"),
        ("Is CHRISTOPH NOLDE old?", "Christoph Nolde", "exact"),
        ("who is christoph nolde", "Christoph Nolde", "exact"),
        ("Which play is James Orrin' s?", "James Orrin", "exact"),
        ("Is (James Orrin)'s play long?", "James Orrin", "exact"),
        ("the James Orrin-written play", "James Orrin", "exact"),
        ("Where are the Harbour Owls from?", "The Harbour Owls", "exact"),
        ("Where are Harbour Owls from?", "The Harbour Owls", "form"),
        ("Who was a Harbour Owl?", "The Harbour Owls", "form"),
        ("When did the Vikings come?", "Viking", "form"),
        ("when did vikings come", "Viking", "form"),
        ("What did the Viking's boat look like?", "Viking", "exact"),
        ("Who is Jose Avila?", "José Ávila", "exact"),
        ("who is jose avila", "José Ávila", "exact"),
        ("Where is Lodz?", "Łódź", "exact"),
        ("Where is Łódź?", "Łódź", "exact"),
        ("Who drew Moth Man?", "Moth-Man", "exact"),
        ("Who drew Moth–Man?", "Moth-Man", "exact"),
        ("What is Otto Hayes' job?", "Otto Hayes", "exact"),
        ("What is Otto Hayes’ job?", "Otto Hayes", "exact"),
        ("what is otto hayes's job", "Otto Hayes", "exact"),
        ("Who uses C++?", "C++", "exact"),
        ("who is c++'s author?", "C++", "exact"),
        ("Is C# typed?", "C#", "exact"),
        ("Is (.NET) free?", ".NET", "exact"),
        ("Is C old?", "C", "exact"),
        ("Who played the clown in “It”?", "It", "exact"),
        ("Who played the clown in 'it'?", "It", "exact"),
        ("Who was the Duke of the Low Fens?", "Duke of the Low Fens", "exact"),
        ("what did wim van der aa bake?", "Wim van der Aa", "exact"),
        ("東京大学はいつ設立されましたか", "東京大学", "exact"),
        ("クリストフ・ノルデは誰ですか", "クリストフ・ノルデ", "exact"),
        ("เชียงใหม่อยู่ที่ไหน", "เชียงใหม่", "exact"),
        ("Где родилась ОЛЬГА БЕРГ?", "Ольга Берг", "exact"),
        ("Ποια είναι η ΕΛΕΝΗ ΑΛΕΞΙΟΥ;", "Ελένη Αλεξίου", "exact"),
        ("What did O’Brien's bees do?", "O'Brien", "exact"),
    ],
)
def test_the_same_name_is_found(link: Link, question: str, meaning: str, how: str) -> None:
    (name,) = link(question)
    assert (name.meanings, name.how) == ((meaning,), how)
    assert name.similarity == 1.0


@pytest.mark.parametrize(
    "question",
    ["Who is Barto?", "Who has a cart?", "Is it old?", "what is a part of it?"],
)
def test_a_name_is_no_part_of_a_word(link: Link, question: str) -> None:
    assert ("Art",) not in _meant(link(question))
    assert ("It",) not in _meant(link(question))


def test_signs_tell_names_apart(link: Link) -> None:
    assert _meant(link("Is C# like C++ or like C?")) == [("C#",), ("C++",), ("C",)]
    assert _meant(link("Does .NET need a Net?")) == [(".NET",), ("Net",)]


@pytest.mark.parametrize("question", ["WHO IS CHRISTOPH NOLDE?", "Who Is Christoph Nolde?"])
def test_capitals_everywhere_say_nothing(link: Link, question: str) -> None:
    assert _meant(link(question)) == [("Christoph Nolde",)]


def test_offsets_are_those_of_the_name(link: Link) -> None:
    question = " Did (Moth-Man) beat Christoph Nolde's Undertow?"
    found = [question[name.start : name.end] for name in link(question)]
    assert found == ["Moth-Man", "Christoph Nolde", "Undertow"]


def test_articles_make_no_name_of_a_word(link: Link) -> None:
    assert link("What is the film about?") == []
