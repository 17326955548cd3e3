"""How an answer names a person, and who is asked for by kinship and places over several texts."""

from __future__ import annotations

from typing import Any

import pytest

TEXTS = {
    "Ola Berg": "Ola Berg (1910 – 1980) was a Norwegian engineer, third son of Captain Jon Berg, "
    "the owner of Norr Works, and his wife Kari Lund, daughter of Per Lund.",
    "Jon Berg (engineer)": "Jon Berg was an engineer. Raised at Moss, he moved to Lund, where he "
    "died of fever in 1931. He is buried in Oslo.",
    "Kari Lund": "Kari Lund was a painter. Born in Bergen, Norway, Lund went to Oslo in 1900.",
    "Blue Ice": "Blue Ice is a 1951 drama film directed by Ola Berg and starring Ann Roe.",
}

QUESTIONS = [
    ("Who is the father of Ola Berg?", "Jon Berg"),
    ("Who was Ola Berg's mother?", "Kari Lund"),
    ("Who is the maternal grandfather of Ola Berg?", "Per Lund"),
    ("Who was the wife of Jon Berg?", "Kari Lund"),
    ("Where did Ola Berg's father die?", "Lund"),
    ("Where was Jon Berg buried?", "Oslo"),
    ("Where was the mother of Ola Berg born?", "Bergen"),
    ("Where did the father of the director of Blue Ice die?", "Lund"),
    ("Who is the paternal grandmother of Ola Berg?", ""),
]


@pytest.mark.parametrize(("question", "right"), QUESTIONS)
def test_kin_and_places_are_followed(ask: Any, question: str, right: str) -> None:
    answer = ask(question, TEXTS)

    assert answer.answer == right
    assert answer.abstained == (not right)


def test_a_title_that_is_half_of_the_name_stays(ask: Any) -> None:
    text = "The bridge was opened by Queen Victoria in 1850. It was designed by Sir Per Moe Roe."

    assert ask("Who opened the bridge?", text).answer == "Queen Victoria"
    assert ask("Who designed the bridge?", text).answer == "Per Moe Roe"


def test_a_musical_film_is_not_composed_by_its_director(ask: Any) -> None:
    texts = {
        "Blue Ice": "Blue Ice is a 1946 musical film directed by Per Moe. It stars Ann Roe. "
        "The film had a musical score by Eva Lind."
    }

    assert ask("Who is the composer of Blue Ice?", texts).answer == "Eva Lind"
