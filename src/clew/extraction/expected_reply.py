"""What a model may be expected to reply: each sentence once, with its names and one fact.

It is made of the passages in the prompt, so its length goes with what there is to say. Pronouns at
the head of a sentence are resolved, as the prompt asks; "the company" is not, as it seldom is: such
passages are asked about again, and those calls belong into a plan.
"""

from __future__ import annotations

import json
import re
from typing import Any

from clew.extraction.facts.pronouns import is_pronoun, leading_reference

_PASSAGE = re.compile(r'<passage number="(\d+)">\n(.*?)\n</passage>', re.DOTALL)
_NAME = re.compile(r"[A-Z][\w'’.-]*(?:\s(?:of\s|the\s|de\s)?[A-Z][\w'’.-]*)*|\d[\d.,]*")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n{2,}")
_MOST_NAMES = 4


def expected_reply(prompt: str) -> str:
    """The reply to a prompt of the extraction, as JSON."""
    passages = _PASSAGE.findall(prompt)
    if not passages and '{"terms"' in prompt:
        return json.dumps({"terms": [_named(term) for term in _terms(prompt)]})
    units = [
        _statement(int(number), sentence)
        for number, passage in passages or [("1", prompt)]
        for sentence in _SENTENCE_END.split(passage.partition("\n\n")[2] or passage)
        if sentence.strip()
    ]
    return json.dumps({"units": units}, ensure_ascii=False)


def _statement(number: int, sentence: str) -> dict[str, Any]:
    text = " ".join(sentence.split())
    words = leading_reference(text)
    if words and " " not in words:
        text = text.removeprefix(words).strip() or words
    found = (name.strip(" .,-'’") for name in _NAME.findall(text))
    names = list(dict.fromkeys(name for name in found if name and not is_pronoun(name)))
    statement: dict[str, Any] = {
        "passage": number,
        "text": text,
        "entities": [_named(name) for name in names[:_MOST_NAMES]],
        "facts": [],
    }
    if names:
        statement["facts"].append(_fact(names[0], text, names[-1]))
    return statement


def _fact(subject: str, text: str, last: str) -> dict[str, Any]:
    words = text.split()
    middle = len(words) // 2
    return {
        "kind": "relation",
        "subject": subject,
        "predicate": " ".join(words[middle : middle + 2]),
        "object": last if last != subject else " ".join(words[-3:]),
        "negated": False,
        "confidence": 1.0,
        "qualifiers": [],
    }


def _terms(prompt: str) -> list[str]:
    """The names in the list, which is the longest run of lines; everyday words are left out."""
    blocks = [block.split("\n") for block in prompt.strip().split("\n\n")]
    lines = max(blocks, key=len)
    return [line for line in lines if _NAME.match(line)]


def _named(name: str) -> dict[str, str]:
    return {"name": name, "type": "PERSON"}
