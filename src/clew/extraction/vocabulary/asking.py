"""A vocabulary: what a model kept and refused of the terms that it was asked about.

A term is asked about once; what was decided is kept in the store, and holds in later runs of the
same model. Where a call fails, names stand as the rules found them, and the terms of that call are
asked about again next time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clew.extraction.calls import ModelCalls, Question
from clew.extraction.model_types import plain_type
from clew.extraction.named_things import NamedThing
from clew.extraction.prompts import VOCABULARY_PROMPT, VOCABULARY_SCHEMA, filled
from clew.extraction.replies import read_lines, read_names
from clew.extraction.vocabulary.terms import Candidate
from clew.ids import content_id
from clew.models.base import Completion, Usage
from clew.text.names import name_key

Keep = Callable[[str, str], None]
Remembered = Callable[[Sequence[str]], Mapping[str, str]]


@dataclass(slots=True)
class Vocabulary:
    """By key: the types of terms that were kept, and the terms that were not. ``phrases`` leads
    from kept phrases, as they are written, to their keys; ``open`` says of terms that are not
    decided yet why they are not.
    """

    kept: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    open: dict[str, str] = field(default_factory=dict)

    def knows(self, key: str) -> bool:
        return key in self.kept or key in self.refused

    def to_json(self) -> str:
        told = {
            "kept": dict(sorted(self.kept.items())),
            "phrases": dict(sorted(self.phrases.items())),
            "refused": sorted(self.refused),
        }
        return json.dumps(told, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Vocabulary:
        told = json.loads(text)
        return cls(
            kept=dict(told["kept"]),
            phrases=dict(told["phrases"]),
            refused=set(told["refused"]),
        )


class VocabularyAsking:
    """Asks about the candidates that nothing is known of. ``keep`` and ``remembered`` are those of
    a store.
    """

    def __init__(
        self, calls: ModelCalls, most: int, keep: Keep | None, remembered: Remembered | None
    ) -> None:
        self._calls = calls
        self._most = most
        self._keep = keep
        self._key = content_id("v", calls.fingerprint, VOCABULARY_PROMPT)
        known = remembered([self._key]) if remembered else {}
        self.vocabulary = (
            Vocabulary.from_json(known[self._key]) if self._key in known else Vocabulary()
        )

    def ask(self, candidates: Sequence[Candidate]) -> Usage:
        """Decide about ``candidates``, in as few calls as fit; what is decided is kept as soon as
        it is.
        """
        new = [one for one in candidates if not self.vocabulary.knows(one.key)]
        batches = [new[at : at + self._most] for at in range(0, len(new), self._most)]
        usage = Usage()
        for number, outcome in self._calls.ask([_question(batch) for batch in batches]):
            if isinstance(outcome, Completion):
                usage += outcome.usage
            self._learn(*_kept(outcome, batches[number]), batches[number])
            if self._keep is not None and isinstance(outcome, Completion):
                self._keep(self._key, self.vocabulary.to_json())
        return usage

    def _learn(self, kept: Mapping[str, str], problem: str, asked: Iterable[Candidate]) -> None:
        vocabulary = self.vocabulary
        for candidate in asked:
            if candidate.key in kept:
                vocabulary.kept[candidate.key] = kept[candidate.key]
                if not candidate.is_name:
                    vocabulary.phrases[candidate.surface] = candidate.key
                vocabulary.open.pop(candidate.key, None)
            elif problem:
                vocabulary.open[candidate.key] = problem
            else:
                vocabulary.refused.add(candidate.key)
                vocabulary.open.pop(candidate.key, None)


def _question(candidates: Iterable[Candidate]) -> Question:
    listed = "\n".join(" ".join(candidate.surface.split()) for candidate in candidates)
    return Question(
        prompt=filled(VOCABULARY_PROMPT, "terms", listed),
        schema=VOCABULARY_SCHEMA,
        stage="vocabulary",
    )


def _kept(
    outcome: Completion | Exception, candidates: Sequence[Candidate]
) -> tuple[Mapping[str, str], str]:
    """The types of the terms to keep, by key, and what was wrong with the reply."""
    if isinstance(outcome, Exception):
        return {}, _problem(candidates, f"{outcome}" or type(outcome).__name__)
    replies = read_names(outcome.text)
    told = replies.names if replies else ()
    whole = replies.whole if told and replies else not outcome.truncated
    kept = _of_list(told, candidates)
    if not kept:  # a list in words, or with numbers before the names
        lines = "\n".join(thing.name for thing in told) if told else outcome.text
        kept = _of_list(read_lines(lines), candidates)
    if not kept:
        of_list = " of the list" if told else ""
        return {}, _problem(candidates, f"the reply names no term{of_list}")
    return kept, "" if whole else _problem(candidates, "the reply was cut off")


def _of_list(things: Iterable[NamedThing], candidates: Iterable[Candidate]) -> dict[str, str]:
    """The types of those ``things`` that were asked about, by key."""
    asked = {one.key: one.type for one in candidates}
    kept: dict[str, str] = {}
    for thing in things:
        key = name_key(thing.name)
        if key in asked:
            kept[key] = plain_type(thing.type) or kept.get(key) or asked[key]
    return kept


def _problem(candidates: Sequence[Candidate], reason: str) -> str:
    return (
        f"vocabulary: {len(candidates)} terms were judged by rule: {reason}; a lower "
        "vocab_max_terms_per_llm_call makes shorter replies"
    )
