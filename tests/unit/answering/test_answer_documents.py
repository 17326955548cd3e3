"""Answers from documents as people keep them: a museum's page, a leave policy, notes on an API."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.results import Answer

Ask = Callable[..., Answer]

MUSEUM = """\
# Harbour Museum

The Harbour Museum in Vik opened in 1998. It is run by the Vik Foundation, which Liv
Moen started in 1990 after the old cannery burned down. Entry costs 90 crowns; children
pay nothing. The museum is closed on Mondays.

## Collection

The collection holds 1,240 ship models and 31 boats. The oldest boat, the Svala, was
built in 1843 by Anders Lien. Among the most visited objects are the anchor of the
Havørn, the lamp of Orm Lighthouse and a diving bell from 1907.

## Staff

| Name | Role | Since |
|---|---|---|
| Liv Moen | director | 2001 |
| Jonas Hval | curator | 2012 |
| Sara Eide | guide | 2019 |

## Contact

- Phone: 555 0134
- Email: post@harbour.example
- Address: Quay Street 4, Vik
"""
POLICY = """\
# Leave policy

Employees have 25 days of paid leave a year. Leave must be requested two weeks in
advance through the HR portal. Unused days expire on 31 March of the following year.
Part-time employees receive leave in proportion to their hours.

## Sick leave

Sick leave is paid for up to 12 weeks. A doctor's note is required after three days.
Employees must inform their manager before 9 a.m. on the first day.

## Parental leave

Parental leave lasts 20 weeks. It can be shared between both parents. The policy was
last updated by Mina Solberg in January 2024.
"""
API = """\
# Orm API

The Orm API is a REST interface for reading sensor data. It returns JSON. The rate limit
is 600 requests per minute. Requests above the limit receive status 429.

To authenticate, send the token in the Authorization header. Tokens expire after 24
hours. The default timeout is 30 seconds, and it can be changed with the `timeout_s`
parameter.

Version 2.1 was released on 14 June 2023. It removed support for XML because nobody used
it. The API was written in Rust by Tuva Hagen and Eirik Nes.
"""
DOCUMENTS = {"museum.md": MUSEUM, "policy.md": POLICY, "api.md": API}

ANSWERED = [
    ("When did the Harbour Museum open?", "1998"),
    ("Who runs the Harbour Museum?", "Vik Foundation"),
    ("Who started the Vik Foundation?", "Liv Moen"),
    ("How much do children pay?", "nothing"),
    ("What does the museum cost?", "90 crowns"),
    ("How many ship models does the museum have?", "1,240"),
    ("How many boats does the collection hold?", "31"),
    ("What is the oldest boat?", "Svala"),
    ("Who built the Svala?", "Anders Lien"),
    ("When was the Svala built?", "1843"),
    ("Who is the curator?", "Jonas Hval"),
    ("What is the role of Sara Eide?", "guide"),
    ("Since when is Jonas Hval curator?", "2012"),
    ("Who has been guide since 2019?", "Sara Eide"),
    ("What is the phone number of the museum?", "555 0134"),
    ("What is the address of the museum?", "Quay Street 4, Vik"),
    ("Why did Liv Moen start the foundation?", "the old cannery burned down"),
    (
        "Which objects are most visited?",
        "the anchor of the Havørn, the lamp of Orm Lighthouse and a diving bell from 1907",
    ),
    ("Who founded the foundation that runs the Harbour Museum?", "Liv Moen"),
    ("Is the museum open on Mondays?", "no"),
    ("How many days of paid leave do employees have?", "25"),
    ("When do unused days expire?", "31 March"),
    ("How far in advance must leave be requested?", "two weeks"),
    ("How must leave be requested?", "through the HR portal"),
    ("How long is sick leave paid?", "12 weeks"),
    ("When is a doctor's note required?", "after three days"),
    ("How long does parental leave last?", "20 weeks"),
    ("Who updated the policy?", "Mina Solberg"),
    ("When was the policy last updated?", "January 2024"),
    ("Can parental leave be shared?", "yes"),
    ("Is sick leave paid?", "yes"),
    ("What is the Orm API?", "a REST interface for reading sensor data"),
    ("What format does the API return?", "JSON"),
    ("What is the rate limit?", "600 requests per minute"),
    ("When do tokens expire?", "after 24 hours"),
    ("Which parameter changes the timeout?", "timeout_s"),
    ("When was version 2.1 released?", "14 June 2023"),
    ("Why was XML support removed?", "nobody used it"),
    ("Who wrote the API?", "Tuva Hagen and Eirik Nes"),
    ("What language was the API written in?", "Rust"),
    ("Does the API return JSON?", "yes"),
    ("What status do requests above the limit receive?", "429"),
]
REFUSED = [
    "Who is the janitor?",
    "Does the museum have a café?",
    "How old is the Svala?",
    "How heavy is the anchor?",
    "What is the salary of employees?",
    "Who is the CEO?",
    "Does the API support GraphQL?",
    "What is the capital of Peru?",
]


@pytest.mark.parametrize(("question", "expected"), ANSWERED)
def test_answered(ask: Ask, question: str, expected: str) -> None:
    answer = ask(question, DOCUMENTS)

    assert answer.answer == expected, answer.sentence
    for citation in answer.citations:
        assert DOCUMENTS[citation.doc_id][citation.start : citation.end] == citation.text


@pytest.mark.parametrize("question", REFUSED)
def test_refused(ask: Ask, question: str) -> None:
    answer = ask(question, DOCUMENTS)

    assert answer.abstained, answer.sentence
    assert answer.missing
