"""Kinship as sentences state it, in wordings of many kinds."""

from __future__ import annotations

import pytest

from clew.answering.evidence import Sentence
from clew.answering.kinship import ties_in
from clew.answering.parties import Party


def said(sentence: Sentence, party: Party) -> str:
    if party is None:
        return "*"
    tokens = sentence.tokens
    return sentence.text[tokens[party[0]].start : tokens[party[1] - 1].end]


def read(text: str) -> set[tuple[str, str, str]]:
    sentence = Sentence(0, 0, 0, len(text), text)
    return {
        (said(sentence, tie.one), tie.kin, said(sentence, tie.other)) for tie in ties_in(sentence)
    }


# a sentence, and every tie that it states; "*" is what its pronoun stands for
SENTENCES = [
    (
        "Ola was the third son of Jon Berg, the lord of Norr, and his wife Kari, daughter of Per.",
        {
            ("Ola", "child", "Jon Berg"),
            ("Ola", "child", "Kari"),
            ("Kari", "spouse", "Jon Berg"),
            ("Kari", "child", "Per"),
        },
    ),
    (
        "He was born in Lund to the painter Jon Berg and Kari Lund.",
        {("*", "child", "Jon Berg"), ("*", "child", "Kari Lund")},
    ),
    ("Kari Lund was the mother of Ola Berg.", {("Kari Lund", "parent", "Ola Berg")}),
    ("His father was the noted builder Jon Berg.", {("Jon Berg", "parent", "*")}),
    ("His father died of typhoid in Lund.", set()),
    ("He succeeded his father as Duke of Norr.", set()),
    ("Ola Berg's widow, Ann Roe, sold the house.", {("Ann Roe", "spouse", "Ola Berg")}),
    (
        "In 1904 Ola Berg married secondly the singer Ann Roe.",
        {("Ann Roe", "spouse", "Ola Berg")},
    ),
    ("She is married to Ola Berg, whom she met in Lund.", {("Ola Berg", "spouse", "*")}),
    (
        "Ann Roe, sister of Per Roe and niece of Eva Moe, was a singer.",
        {("Ann Roe", "sibling", "Per Roe"), ("Ann Roe", "nephew", "Eva Moe")},
    ),
    ("She had a daughter, Eva Berg.", {("Eva Berg", "child", "*")}),
    (
        "They have three children: Eva Berg, Per Berg and Ann Roe.",
        {
            ("Eva Berg", "child", "*"),
            ("Per Berg", "child", "*"),
            ("Ann Roe", "child", "*"),
        },
    ),
    ("Ola Berg is the son-in-law of Per Moe.", {("Ola Berg", "child-in-law", "Per Moe")}),
    (
        "She was the only child of the marriage of Jon Berg, the poet, and Kari Lund.",
        {("*", "child", "Jon Berg"), ("*", "child", "Kari Lund")},
    ),
    (
        "Son of the film maker Jon Berg, Ola Berg made his first film in 1960.",
        {("Ola Berg", "child", "Jon Berg")},
    ),
    ("He was the great-grandson of Per Moe.", set()),
    ("The bridge is a daughter project of the ministry.", set()),
]


@pytest.mark.parametrize(("text", "ties"), SENTENCES)
def test_reads_who_is_whose(text: str, ties: set[tuple[str, str, str]]) -> None:
    assert read(text) == ties


def test_tells_the_sexes_that_the_words_tell() -> None:
    text = "Ola Berg is the child of Robin Berg and her husband Kim Lund."
    sentence = Sentence(0, 0, 0, len(text), text)

    sexes = {said(sentence, tie.other): tie.other_sex for tie in ties_in(sentence)}

    assert sexes == {"Robin Berg": "f", "Kim Lund": "m"}
