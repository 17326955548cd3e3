"""Whole answers over small invented texts: documents in, a short answer out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.results import Answer

Ask = Callable[..., Answer]

WORKS = [
    "Jane Roe founded Norr Works in 1987. The company employs 340 people in Bergen.",
    "Norr Works bought Orm Foundry in 2004 for 12 million euros.",
    (
        "Orm Foundry supplies steel to Vik Yard, Lund Rail and Moss Bridges. It was closed because "
        "the river flooded its furnace hall."
    ),
    (
        "The Norr Bridge is a railway bridge over the river Orm. It is 340 metres long. It was "
        "designed by Per Moe and opened on 3 May 1932. It is not open to cars."
    ),
    (
        "Jane Roe was born in Trondheim on 4 June 1951. She studied at the Harbour School of "
        "Engineering. Her mother, Kari Lund, was a pilot. Kari Lund was born in Molde."
    ),
]
LED = (
    "Ola Berg led Orm Works from 2010 to 2015. Kari Lund has led it since 2015. "
    "Ola Berg lives in Oslo."
)
FILMS = {
    "Silent Snow": "Silent Snow is a 1961 drama film directed by Arne Holm.",
    "Blue Ice": "Blue Ice is a 1974 thriller film directed by Tove Strand and starring Nils Aas.",
    "Arne Holm": "Arne Holm (2 March 1920 – 9 July 1988) was a Norwegian film director. He was "
    "born in Narvik.",
    "Tove Strand": "Tove Strand (born 5 May 1931 in Malmö) is a Swedish film director. She is "
    "married to the painter Erik Dahl.",
}
TABLE = {
    "Bridges": "| Bridge | Built | Builder | Length |\n|---|---|---|---|\n"
    "| Norr Bridge | 1910 | Jane Roe | 340 m |\n"
    "| Vik Bridge | 1932 | Per Moe | 120 m |\n"
    "| Orm Bridge | 1975 | Kari Lund | 85 m |\n"
}
SUPPLIERS = (
    "# Norr Works\n\nNorr Works has these suppliers:\n\n- Orm Foundry\n- Vik Steel\n"
    "- Lund Paint\n- Moss Timber\n\nIts office is in Bergen.\n"
)
HARBOUR = (
    "The harbour of Vik was dredged in 1987. The town paid for the work by selling its forest. "
    "The ferry Havørn runs to Orm twice a day. Tickets cost 45 crowns. Children under six travel "
    "free. The ferry can carry 120 cars and 600 passengers. It was built by Moss Yard in Larvik."
)

CASES: list[tuple[str, str, Any, str]] = [
    # who
    ("founder", "Who founded Norr Works?", WORKS, "Jane Roe"),
    ("passive", "Who was Norr Works founded by?", WORKS, "Jane Roe"),
    ("by whom", "The Norr Bridge was designed by whom?", WORKS, "Per Moe"),
    ("buyer", "Which company bought Orm Foundry?", WORKS, "Norr Works"),
    ("bought", "What did Norr Works buy?", WORKS, "Orm Foundry"),
    ("synonym", "Who established Norr Works?", WORKS, "Jane Roe"),
    ("pronoun", "Who designed the Norr Bridge?", WORKS, "Per Moe"),
    ("lower case", "who founded norr works", WORKS, "Jane Roe"),
    ("maker", "Who built the ferry?", HARBOUR, "Moss Yard"),
    # when
    ("when founded", "When was Norr Works founded?", WORKS, "1987"),
    ("full date", "When did the Norr Bridge open?", WORKS, "3 May 1932"),
    ("year of it", "In which year did the Norr Bridge open?", WORKS, "1932"),
    ("birth date", "When was Jane Roe born?", WORKS, "4 June 1951"),
    ("dredged", "When was the harbour of Vik dredged?", HARBOUR, "1987"),
    # where
    ("birthplace", "Where was Jane Roe born?", WORKS, "Trondheim"),
    ("lives", "Where does Ola Berg live?", LED, "Oslo"),
    ("studied", "Where did Jane Roe study?", WORKS, "Harbour School of Engineering"),
    ("yard town", "Where was the ferry built?", HARBOUR, "Larvik"),
    (
        "place behind any participle",
        "Where was the play written by Tove Strand staged?",
        "Tove Strand wrote The Low Tide. The Low Tide was staged in Quorl.",
        "Quorl",
    ),
    # numbers
    ("people", "How many people does Norr Works employ?", WORKS, "340"),
    ("length", "How long is the Norr Bridge?", WORKS, "340 metres"),
    ("price", "How much do tickets cost?", HARBOUR, "45 crowns"),
    ("cars", "How many cars can the ferry carry?", HARBOUR, "120"),
    ("passengers", "How many passengers can the ferry carry?", HARBOUR, "600"),
    ("how often", "How often does the ferry run to Orm?", HARBOUR, "twice a day"),
    ("count of a list", "How many companies does Orm Foundry supply?", WORKS, "3"),
    ("count of items", "How many suppliers does Norr Works have?", SUPPLIERS, "4"),
    # chains
    ("two hops", "Who founded the company that bought Orm Foundry?", WORKS, "Jane Roe"),
    (
        "two hops to a date",
        "When was the company that bought Orm Foundry founded?",
        WORKS,
        "1987",
    ),
    (
        "three hops",
        "Where was the founder of the company that bought Orm Foundry born?",
        WORKS,
        "Trondheim",
    ),
    (
        "four hops",
        "Where was the mother of the founder of the company that bought Orm Foundry born?",
        WORKS,
        "Molde",
    ),
    ("possessive", "Who is Jane Roe's mother?", WORKS, "Kari Lund"),
    ("possessives", "What is Jane Roe's mother's birthplace?", WORKS, "Molde"),
    ("film to place", "Where was the director of Silent Snow born?", FILMS, "Narvik"),
    ("film to date", "When did the director of Silent Snow die?", FILMS, "9 July 1988"),
    ("film to spouse", "Who is the husband of the director of Blue Ice?", FILMS, "Erik Dahl"),
    ("nationality", "What nationality is the director of Blue Ice?", FILMS, "Swedish"),
    # comparisons
    ("earlier film", "Which film came out earlier, Silent Snow or Blue Ice?", FILMS, "Silent Snow"),
    (
        "by the director",
        "Which film has the director who was born later, Silent Snow or Blue Ice?",
        FILMS,
        "Blue Ice",
    ),
    ("older person", "Who is older, Arne Holm or Tove Strand?", FILMS, "Arne Holm"),
    (
        "same country",
        "Are the directors of Silent Snow and Blue Ice from the same country?",
        FILMS,
        "no",
    ),
    (
        "longer",
        "Which bridge is longer, the Orm Bridge or the Vik Bridge?",
        ["The Orm Bridge is 85 metres long.", "The Vik Bridge, 120 metres long, is of wood."],
        "the Vik Bridge",
    ),
    # yes and no
    ("yes", "Did Norr Works buy Orm Foundry?", WORKS, "yes"),
    ("no, the other way", "Did Orm Foundry buy Norr Works?", WORKS, "no"),
    ("negated", "Is the Norr Bridge open to cars?", WORKS, "no"),
    ("negated twice", "Is the Norr Bridge not open to cars?", WORKS, "yes"),
    ("other value", "Was Jane Roe born in Bergen?", WORKS, "no"),
    ("other year", "Was Norr Works founded in 1990?", WORKS, "no"),
    ("opposite", "Is the ticket free?", "The ticket is paid at the gate.", "no"),
    ("in its time", "Did Ola Berg lead Orm Works in 2012?", LED, "yes"),
    ("out of its time", "Did Ola Berg lead Orm Works in 2018?", LED, "no"),
    # time
    ("led then", "Who led Orm Works in 2012?", LED, "Ola Berg"),
    ("leads", "Who leads Orm Works?", LED, "Kari Lund"),
    ("leads now", "Who leads Orm Works now?", LED, "Kari Lund"),
    ("led later", "Who led Orm Works in 2018?", LED, "Kari Lund"),
    (
        "became",
        "Who is the mayor of Vik?",
        "Per Moe became mayor of Vik in 2003. Kari Lund became mayor of Vik in 2019.",
        "Kari Lund",
    ),
    (
        "before",
        "Who was mayor of Vik in 2010?",
        "Per Moe became mayor of Vik in 2003. Kari Lund became mayor of Vik in 2019.",
        "Per Moe",
    ),
    (
        "one sentence",
        "Who ran the mill in 1995?",
        "The mill was run by Ola Berg from 1980 to 1992 and by Per Moe from 1993 to 2001.",
        "Per Moe",
    ),
    ("until", "Who owned the mill in 1950?", "Ola Berg owned the mill until 1961.", "Ola Berg"),
    # lists
    (
        "which three",
        "Which three companies does Orm Foundry supply?",
        WORKS,
        "Vik Yard, Lund Rail and Moss Bridges",
    ),
    (
        "items",
        "Who are the suppliers of Norr Works?",
        SUPPLIERS,
        "Orm Foundry, Vik Steel, Lund Paint, Moss Timber",
    ),
    # reasons, ways, definitions
    ("why", "Why was Orm Foundry closed?", WORKS, "the river flooded its furnace hall"),
    ("how", "How did the town pay for the work?", HARBOUR, "by selling its forest"),
    ("what is", "What is the Norr Bridge?", WORKS, "a railway bridge over the river Orm"),
    (
        "who is",
        "Who is Arne Holm?",
        FILMS,
        "a Norwegian film director",
    ),
    # tables
    ("cell", "When was the Vik Bridge built?", TABLE, "1932"),
    ("cell by synonym", "Who constructed the Orm Bridge?", TABLE, "Kari Lund"),
    ("row by value", "Which bridge was built in 1910?", TABLE, "Norr Bridge"),
    ("length in a row", "How long is the Orm Bridge?", TABLE, "85 m"),
    # other shapes of text
    (
        "key and value",
        "When was Vik Steel founded?",
        {"Vik Steel": "Founded: 1910\n\nSeat: Oslo"},
        "1910",
    ),
    ("two questions", "Who founded Norr Works and when was it founded?", WORKS, "Jane Roe; 1987"),
]


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [pytest.param(question, texts, expected, id=name) for name, question, texts, expected in CASES],
)
def test_answer(ask: Ask, question: str, texts: Any, expected: str) -> None:
    answer = ask(question, texts)

    assert answer.answer == expected, answer.sentence
    assert not answer.abstained
    assert answer.citations
