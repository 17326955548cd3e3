"""Questions with one hop, made of extracted triples: what no multi-hop set teaches.

A triple of the MuSiQue tuning corpus ("Journal of X", "published by", "Y Institute") becomes
"Journal of X published by what?" with the object as the answer, asked over its passage among others
that share words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from zlib import crc32

from benchmarks.answers.passages import DATA, Asked, QuestionSet

from clew.graph.given_names import is_given_name
from clew.results import RetrievalResult
from clew.retrieval.question.dates import find_dates

CORPUS = "tune/musique"
EVERY = 5
_PREPOSITIONS = {"in", "at", "on", "from", "near"}


def cloze_questions(question_set: QuestionSet) -> list[Asked]:
    """One question for every fifth passage, the first triple that makes one."""
    rows = (DATA / CORPUS / "openie.jsonl").read_text(encoding="utf-8").splitlines()
    found = []
    for at, line in enumerate(rows):
        row = json.loads(line)
        if at % EVERY == 0 and row["id"] in question_set.passages:
            text = question_set.passages[row["id"]]["text"]
            found += list(_questions(row["id"], row["triples"], text))[:1]
    return found


def cloze_list(question_set: QuestionSet, asked: Asked, most: int) -> RetrievalResult:
    """The passage among others, at a place that the id decides: rank must teach nothing here."""
    others = question_set.by_words(asked, most - 1, without=asked.supporting).items
    ids = [item.doc_id for item in others]
    ids.insert(crc32(asked.id.encode()) % most, asked.supporting[0])
    return question_set.result(asked.text, ids)


def _questions(passage: str, triples: list[list[str]], text: str) -> Iterator[Asked]:
    for at, triple in enumerate(triples):
        if len(triple) != 3 or not all(triple):
            continue
        subject, relation, answer = triple
        if answer not in text or len(answer.split()) > 5 or subject.split()[0] not in text:
            continue
        if not (answer[0].isupper() or answer[0].isdigit()):
            continue
        words = relation.split()
        asked = f"{subject} {relation} {_wh(words, answer)}?"
        if words[-1] in _PREPOSITIONS and _wh(words, answer) in {"when", "where"}:
            asked = f"{subject} {' '.join(words[:-1])} {_wh(words, answer)}?"
        yield Asked(f"cloze-{passage}-{at}", asked, (answer,), (passage,), "cloze")


def _wh(relation: list[str], answer: str) -> str:
    dates = find_dates(answer)
    if dates and dates[0].end - dates[0].start == len(answer):
        return "when"
    if is_given_name(answer.split(maxsplit=1)[0].casefold()):
        return "whom" if relation[-1] == "by" else "who"
    if relation[-1] in _PREPOSITIONS and answer[0].isupper():
        return "where"
    return "what"
