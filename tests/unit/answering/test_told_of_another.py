"""A text that says the same of several things is asked about one of them: what it says of another
is no answer, and what it says of this one is.
"""

from __future__ import annotations

from typing import Any

import pytest

HARBOUR = {
    "Harbour report": "The crane was painted for 900 crowns. Per Holt ordered the buoys from a "
    "yard in Turku. The buoys are red. Summer sailings began in 1951, winter sailings in 1968. "
    "Slow boats pay 12 crowns a night; fast boats are turned away. The east quay was built by Ulf "
    "Strand, and the west quay was never finished. Odd Lie keeps the light, and Siv Moe the "
    "register. Ropes are changed every two years, chains every six. The harbour had 48 boats in "
    "1960 and 113 in 2010. The office is open from 9 to 15 o'clock except on Sundays. Income rose "
    "by 4 percent to 80 million crowns; debt fell to 7 million crowns."
}
LETTER = {
    "Letter": "Signe Dahl was engaged in 1911 by Ragnhild Voss, who was born in Hamar. Dahl was "
    "born in Molde. She studied in Lund. Voss died in 1940. In Molde, 30 percent voted; in Hamar "
    "55 percent did. Berit cooked trout. Jon slept in the barn. The choir sang in a chapel that "
    "Knut Foss, the organist, had built. I came by train. The stove was kept in the kitchen, and "
    "the lamp was moved to the loft by Anders Lund. Present: Eli Aas (chair), Finn Berg, Gro Tveit."
}
PRINTER = {
    "Office": "The copier was built by Ohlsen in 1988. The copier and the scanner stand in room 4. "
    "Repairs take three working days. After two hours the scanner turned warm. A second scanner "
    "will be supplied by Berntsen. The manual was written by Tor Vik, and the cables were never "
    "counted. Anja Ruud was appointed head of design. Orders are sent by telephone and are "
    "confirmed at noon. The auditor comes on the first Monday of the month."
}

NOT_TOLD = [
    (HARBOUR, "How much did the buoys cost?"),
    (HARBOUR, "How much do fast boats pay?"),
    (HARBOUR, "Who built the west quay?"),
    (LETTER, "Where did Ragnhild Voss study?"),
    (LETTER, "What did Jon cook?"),
    (LETTER, "When did Signe Dahl die?"),
    (PRINTER, "When was the scanner built?"),
    (PRINTER, "Who built the scanner?"),
    (PRINTER, "Who wrote the cables?"),
    (PRINTER, "Why did the scanner turn warm?"),
    (PRINTER, "Who is the head of marketing?"),
]
TOLD = [
    (HARBOUR, "How much did the painting of the crane cost?", "900 crowns"),
    (HARBOUR, "When did summer sailings begin?", "1951"),
    (HARBOUR, "When did winter sailings begin?", "1968"),
    (HARBOUR, "How much do slow boats pay?", "12 crowns"),
    (HARBOUR, "Who built the east quay?", "Ulf Strand"),
    (HARBOUR, "Who keeps the light?", "Odd Lie"),
    (HARBOUR, "Who keeps the register?", "Siv Moe"),
    (HARBOUR, "How often are ropes changed?", "every two years"),
    (HARBOUR, "How often are chains changed?", "every six"),
    (HARBOUR, "How many boats did the harbour have in 1960?", "48"),
    (HARBOUR, "How many boats did the harbour have in 2010?", "113"),
    (LETTER, "Where was Ragnhild Voss born?", "Hamar"),
    (LETTER, "Where was Signe Dahl born?", "Molde"),
    (LETTER, "Where did Signe Dahl study?", "Lund"),
    (LETTER, "When did Ragnhild Voss die?", "1940"),
    (LETTER, "What percentage voted in Molde?", "30 percent"),
    (LETTER, "What percentage voted in Hamar?", "55 percent"),
    (LETTER, "What did Berit cook?", "trout"),
    (LETTER, "Who is the chair?", "Eli Aas"),
    (PRINTER, "When was the copier built?", "1988"),
    (PRINTER, "How long do repairs take?", "three working days"),
    (PRINTER, "Who will supply the second scanner?", "Berntsen"),
    (PRINTER, "Who is the head of design?", "Anja Ruud"),
    (PRINTER, "How are orders sent?", "by telephone"),
    (PRINTER, "When are orders confirmed?", "noon"),
    (PRINTER, "When does the auditor come?", "the first Monday of the month"),
]


@pytest.mark.parametrize(("texts", "question"), NOT_TOLD, ids=[q for _, q in NOT_TOLD])
def test_what_is_told_of_another_thing_is_no_answer(
    ask: Any, texts: dict[str, str], question: str
) -> None:
    answer = ask(question, texts)

    assert answer.abstained, answer.sentence
    assert answer.missing


@pytest.mark.parametrize(("texts", "question", "right"), TOLD, ids=[q for _, q, _ in TOLD])
def test_what_is_told_of_the_thing_is_the_answer(
    ask: Any, texts: dict[str, str], question: str, right: str
) -> None:
    answer = ask(question, texts)

    assert answer.answer.removeprefix("at ").removeprefix("on ") == right
