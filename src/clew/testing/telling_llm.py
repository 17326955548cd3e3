"""A language model for tests that does what extraction asks: it tells what the passages say."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

from clew.models.base import Completion, Message, Usage

_PASSAGE = re.compile(r'<passage number="(\d+)">\n(.*?)\n</passage>', re.DOTALL)
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_FACT = {"kind": "relation", "predicate": "has to do with", "negated": False, "confidence": 0.9}


class TellingLLM:
    """Tells each sentence of each passage as a statement, with the names in it and a fact between
    the first and the last of them; of a list of terms it keeps those that begin with a capital.

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
        for sentence in _SENTENCE_END.split(passage.partition("\n\n")[2] or passage)
        if sentence.strip()
    ]
    return json.dumps({"units": units}, ensure_ascii=False)


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
