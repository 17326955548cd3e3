"""A language model for tests that does what extraction asks: it tells what the passages say."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from clew.models.base import Completion, Message, Usage

_PASSAGE = re.compile(r'<passage number="(\d+)">\n(.*?)\n</passage>', re.DOTALL)
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_PRONOUN = re.compile(r"(?:He|She|It|They|This|That)\b")
_FACT = {"kind": "relation", "predicate": "has to do with", "negated": False, "confidence": 0.9}


class TellingLLM:
    """Tells each sentence of each passage as a statement, with the names in it and a fact between
    the first and the last of them; a pronoun at the head of a sentence gives way to the name that
    was last at the head of one. Of a list of terms it keeps those that begin with a capital.

    A call takes ``latency_s``; ``count`` counts its tokens, by default in words. ``most_underway``
    is how many calls were made at the same time, ``prompts`` what was asked.
    """

    def __init__(
        self,
        *,
        latency_s: float = 0.0,
        count: Callable[[str], int] = lambda text: len(text.split()),
        fingerprint: str = "telling-llm",
    ) -> None:
        self.fingerprint: str = fingerprint
        self.prompts: list[str] = []
        self.most_underway = 0
        self._latency_s = latency_s
        self._count = count
        self._underway = 0
        self._lock = Lock()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,  # noqa: ARG002 - it is never long
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002 - it follows the prompt
    ) -> Completion:
        prompt = "\n\n".join(message.content for message in messages)
        with self._lock:
            self.prompts.append(prompt)
            self._underway += 1
            self.most_underway = max(self.most_underway, self._underway)
        time.sleep(self._latency_s)
        text = _told(prompt)
        usage = Usage(calls=1, input_tokens=self._count(prompt), output_tokens=self._count(text))
        with self._lock:
            self._underway -= 1
        return Completion(text=text, usage=usage, model=self.fingerprint)


def _told(prompt: str) -> str:
    passages = _PASSAGE.findall(prompt)
    if not passages:
        return json.dumps({"terms": [_named(term) for term in _terms(prompt)]})
    units = [
        _statement(int(number), sentence)
        for number, passage in passages
        for sentence in _clear(*_parts(passage))
    ]
    return json.dumps({"units": units}, ensure_ascii=False)


def _parts(passage: str) -> tuple[str, str]:
    """What stands over a passage, and its text."""
    head, blank, text = passage.partition("\n\n")
    return (head, text) if blank and ": " in head else ("", passage)


def _clear(head: str, text: str) -> Iterator[str]:
    """The sentences, each with its subject; the first may have it from what stands before."""
    subject = next(reversed(_NAME.findall(head)), "")
    for sentence in _SENTENCE_END.split(text.strip()):
        pronoun, name = _PRONOUN.match(sentence), _NAME.match(sentence)
        if pronoun and subject:
            yield subject + sentence[pronoun.end() :]
            continue
        subject = name[0] if name and not pronoun else subject
        yield sentence


def _statement(number: int, sentence: str) -> dict[str, Any]:
    names = list(dict.fromkeys(_NAME.findall(sentence)))
    facts = [{"subject": names[0], "object": names[-1], **_FACT}] if len(names) > 1 else []
    return {
        "passage": number,
        "text": " ".join(sentence.split()),
        "entities": [_named(name) for name in names],
        "facts": facts,
    }


def _terms(prompt: str) -> list[str]:
    return [line for line in prompt.splitlines() if _NAME.fullmatch(line)]


def _named(name: str) -> dict[str, str]:
    return {"name": name, "type": "CONCEPT"}
