"""A language model for benchmarks that says again what a real one once said of each passage.

``openie.jsonl`` beside a corpus holds, for every passage, the entities and triples that GPT-3.5
drew from it. The model finds the passages of a prompt in the corpus and gives their triples in the
form that was asked for; asked about a vocabulary, it keeps the terms that were named as entities.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.evaluation.datasets import Dataset
from clew.models.base import Completion, Message, Usage
from clew.text.names import name_key
from clew.text.words import terms

_PASSAGE = re.compile(r'<passage number="(\d+)">\n(.*?)\n</passage>', re.DOTALL)
_TITLE = re.compile(r"^title: (.*)$", re.MULTILINE)
_CHARS_A_TOKEN = 4
_LEAST_SHARE = 0.7
"""Of the words of a triple's ends that a chunk must have: it may be half of the passage."""


class ReplayedLLM:
    """An :class:`clew.models.base.LLM`; tokens are counted as four characters each."""

    fingerprint = "replayed/gpt-3.5-openie"

    def __init__(self, dataset: Dataset, openie: Path) -> None:
        told = [json.loads(line) for line in openie.read_text(encoding="utf-8").splitlines()]
        by_id = {one["id"]: one for one in told}
        self._by_title: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for passage in dataset.passages:
            title = " ".join(passage.title.split())
            self._by_title.setdefault(title, []).append((passage.text, by_id[passage.id]))
        self._entities = {name_key(name) for one in told for name in one["entities"]}

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        del max_tokens, schema
        prompt = "\n\n".join(message.content for message in messages)
        passages = _PASSAGE.findall(prompt)
        text = self._units(passages) if passages else self._vocabulary(prompt)
        usage = Usage(
            calls=1,
            input_tokens=len(prompt) // _CHARS_A_TOKEN,
            output_tokens=len(text) // _CHARS_A_TOKEN,
        )
        return Completion(text=text, usage=usage, model=self.fingerprint)

    def _units(self, passages: Sequence[tuple[str, str]]) -> str:
        units = [unit for number, inner in passages for unit in self._of_passage(number, inner)]
        return json.dumps({"units": units}, ensure_ascii=False)

    def _of_passage(self, number: str, inner: str) -> Iterator[dict[str, Any]]:
        head, _, text = inner.partition("\n\n")
        title = _TITLE.search(head)
        told = self._told(title[1] if title else "", text)
        words = frozenset(terms(inner))
        for triple in told["triples"] if told else ():
            if len(triple) == 3 and _share(words, f"{triple[0]} {triple[2]}") >= _LEAST_SHARE:
                statement = " ".join(triple)
                named = [name for name in told["entities"] if name in (triple[0], triple[2])]
                yield {
                    "passage": int(number),
                    "text": f"{statement}.",
                    "entities": named or [triple[0]],
                    "facts": [triple],
                }

    def _told(self, title: str, text: str) -> Mapping[str, Any]:
        """What was said of the passage that ``text``, a chunk, is from."""
        for whole, told in self._by_title.get(title, ()):
            if text.strip() in whole:
                return told
        return {"triples": [], "entities": []}

    def _vocabulary(self, prompt: str) -> str:
        listed = prompt.rstrip().rpartition("\n\n")[2].splitlines()
        kept = [{"name": name, "type": ""} for name in listed if name_key(name) in self._entities]
        return json.dumps({"terms": kept}, ensure_ascii=False)


def _share(words: frozenset[str], text: str) -> float:
    wanted = terms(text)
    return sum(word in words for word in wanted) / max(1, len(wanted))
