"""Asking a model for the names in statements, with the user's own prompt."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clew.extraction.calls import ModelCalls, Question
from clew.extraction.named_things import NamedThing
from clew.extraction.prompts import filled
from clew.extraction.replies import read_names
from clew.extraction.unit_asking import Remember, Remembered
from clew.ids import content_id
from clew.models.base import Usage

Entities = tuple[NamedThing, ...]


@dataclass(slots=True)
class ToldNames:
    """What the model named, by group; groups that it failed on are in ``problems`` instead."""

    names: dict[int, Entities] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    reply_keys: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class NameAsking:
    """One call for each group of statements; good replies are remembered."""

    def __init__(
        self,
        calls: ModelCalls,
        prompt: str,
        remember: Remember | None,
        remembered: Remembered | None,
    ) -> None:
        self._calls = calls
        self._prompt = prompt
        self._remember = remember
        self._remembered = remembered

    def ask(self, document_id: str, groups: Mapping[int, Sequence[str]]) -> ToldNames:
        """``groups`` holds the statements by the index of their chunk."""
        prompts = {
            group: filled(self._prompt, "text", "\n".join(texts)) for group, texts in groups.items()
        }
        keys = {
            group: content_id("r", self._calls.fingerprint, prompt)
            for group, prompt in prompts.items()
        }
        told = ToldNames(reply_keys=tuple(keys.values()))
        known = self._remembered(told.reply_keys) if self._remembered else {}
        for group, key in keys.items():
            if key in known:
                told.names[group] = _names_of(known[key]) or ()
        missing = [group for group in prompts if group not in told.names]
        questions = [Question(prompt=prompts[group]) for group in missing]
        for number, outcome in self._calls.ask(questions):
            group = missing[number]
            if isinstance(outcome, Exception):
                told.problems[group] = f"{outcome}" or type(outcome).__name__
                continue
            told.usage += outcome.usage
            names = _names_of(outcome.text)
            if names is None:
                told.problems[group] = "the reply holds no whole list of names"
                continue
            told.names[group] = names
            if self._remember:
                self._remember(document_id, {keys[group]: _reply_of(names)})
        return told


def _names_of(reply: str) -> Entities | None:
    found = read_names(reply)
    return found.names if found and found.whole else None


def _reply_of(names: Entities) -> str:
    listed = [{"name": thing.name, "type": thing.type} for thing in names]
    return json.dumps({"entities": listed}, ensure_ascii=False)
