"""Where and when somebody was born, died or was buried, in wordings of many kinds."""

from __future__ import annotations

import pytest

from clew.answering.evidence import Sentence
from clew.answering.occasions import occasions_in
from clew.answering.parties import Party

Read = tuple[str, str, list[str], list[str]]


def read(text: str) -> list[Read]:
    sentence = Sentence(0, 0, 0, len(text), text)

    def said(party: Party) -> str:
        if party is None:
            return "*"
        tokens = sentence.tokens
        return text[tokens[party[0]].start : tokens[party[1] - 1].end]

    return [
        (o.kind, said(o.whose), [said(p) for p in o.places], [said(d) for d in o.dates])
        for o in occasions_in(sentence)
    ]


# a sentence, and its occasions: whose, where, when
SENTENCES: list[tuple[str, list[Read]]] = [
    (
        "Ola Roe died of fever near Lund, Sweden, on 3 May 1901, while his son was at Oslo.",
        [("death", "Ola Roe", ["Lund", "Sweden"], ["3 May 1901"])],
    ),
    ("He was Earl of Norr from 1639 until his death.", [("death", "*", [], [])]),
    (
        "After his death in 1901, Ann Roe moved to Oslo.",
        [("death", "*", [], ["1901"])],
    ),
    (
        "Born in Spokane, Washington, Roe claimed to have grown up in Tacoma.",
        [("birth", "Roe", ["Spokane", "Washington"], [])],
    ),
    (
        "He retired to Edirne, where he lived until his sudden death in 1693.",
        [("death", "*", ["Edirne"], ["1693"])],
    ),
    (
        "Ann was the daughter of Jon Roe, who died during her childhood.",
        [("death", "Jon Roe", [], [])],
    ),
    ("His brother died in Rome.", [("death", "brother", ["Rome"], [])]),
    (
        "Ola Roe (born 2 May 1901, Kentish Town, London) is a singer.",
        [("birth", "Ola Roe", ["Kentish Town", "London"], ["2 May 1901"])],
    ),
    ("She was interred in the chapel of Norr Abbey.", [("burial", "*", [], [])]),
    ("The film was shot in Malta.", [("death", "film", ["Malta"], [])]),
    ("The flood killed 90 people in Lund.", []),
    ("He was the second-born son of Jon Roe.", []),
]


@pytest.mark.parametrize(("text", "occasions"), SENTENCES)
def test_reads_whose_where_and_when(text: str, occasions: list[Read]) -> None:
    assert read(text) == occasions
