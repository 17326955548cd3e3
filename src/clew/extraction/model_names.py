"""The names in statements that a model made: its own, those of a second prompt, or the rules'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clew.extraction.calls import ModelCalls
from clew.extraction.config import ExtractionConfig
from clew.extraction.matching import Sentences
from clew.extraction.model_types import plain_type
from clew.extraction.name_asking import Entities, NameAsking, ToldNames
from clew.extraction.places import find_name, places_of
from clew.extraction.sentence import recogniser_of
from clew.extraction.unit_asking import Remember, Remembered
from clew.models.base import Usage
from clew.records import Chunk, KnowledgeUnit
from clew.text.names import Name, name_key


@dataclass(frozen=True, slots=True)
class NamesRead:
    """``names[i]`` are those of the i-th unit."""

    names: list[list[Name]]
    reply_keys: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class NameReader:
    """Finds names as ``entity_extraction_method`` says: ``rules`` and ``spacy`` read the sentences
    that the units came from; ``llm`` takes what the model named with each unit, or asks once a
    chunk with ``entity_extraction_prompt`` where that is set; ``auto`` does the same, and without
    such a prompt adds what the rules find in the unit beside it. Units for which the model named
    nothing get their names by rule.
    """

    def __init__(
        self,
        calls: ModelCalls,
        config: ExtractionConfig,
        remember: Remember | None,
        remembered: Remembered | None,
    ) -> None:
        self._recogniser = recogniser_of(config)
        self._by_model = config.entity_extraction_method in {"llm", "auto"}
        self._adds_rules = (
            config.entity_extraction_method == "auto" and not config.entity_extraction_prompt
        )
        self._asking = (
            NameAsking(calls, config.entity_extraction_prompt, remember, remembered)
            if self._by_model and config.entity_extraction_prompt
            else None
        )

    def read(
        self,
        sentences: Sentences,
        chunks: Sequence[Chunk],
        units: Sequence[KnowledgeUnit],
        entities: Sequence[Entities],
    ) -> NamesRead:
        """``entities[i]`` are what the model named with the i-th unit."""
        by_rule = self._by_rule(sentences, units)
        if not self._by_model:
            return NamesRead(by_rule)
        by_id = {chunk.id: chunk for chunk in chunks}
        told = ToldNames()
        if self._asking is not None:
            told = self._asking.ask(sentences.document.id, _groups(units, by_id))
            entities = [
                _named_in(unit, told.names.get(by_id[unit.chunk_id].index, ())) for unit in units
            ]
        names = []
        for unit, own, rules in zip(units, entities, by_rule, strict=True):
            told_of = places_of(sentences.document, by_id[unit.chunk_id], unit, _typed(own))
            names.append(_together(told_of, rules if self._adds_rules or not told_of else ()))
        problems = tuple(
            f"chunk {index}: names were found by rule: {reason}"
            for index, reason in sorted(told.problems.items())
        )
        return NamesRead(names, told.reply_keys, problems, told.usage)

    def _by_rule(self, sentences: Sentences, units: Sequence[KnowledgeUnit]) -> list[list[Name]]:
        """The names of the sentences that a unit spans, as far as the unit itself has them."""
        names = self._recogniser.names(sentences.document, sentences.units)
        found = []
        for unit in units:
            first, last = sentences.between(unit.start, unit.end)
            found.append(
                [
                    name
                    for own in names[first:last]
                    for name in own
                    if unit.start <= name.start
                    and name.end <= unit.end
                    and (unit.verbatim or _has(unit, name.surface))
                ]
            )
        return found


def _groups(units: Sequence[KnowledgeUnit], chunks: dict[str, Chunk]) -> dict[int, list[str]]:
    """The statements of the model by the index of their chunk."""
    groups: dict[int, list[str]] = {}
    for unit in units:
        if not unit.degraded:
            groups.setdefault(chunks[unit.chunk_id].index, []).append(unit.text)
    return groups


def _together(told: Sequence[Name], rules: Iterable[Name]) -> list[Name]:
    """What the model named, and what the rules know by another name."""
    keys = {name_key(name.surface) for name in told}
    return [*told, *(name for name in rules if name_key(name.surface) not in keys)]


def _named_in(unit: KnowledgeUnit, named: Entities) -> Entities:
    return () if unit.degraded else tuple(thing for thing in named if _has(unit, thing.name))


def _has(unit: KnowledgeUnit, name: str) -> bool:
    return find_name(unit.text, name, 0, len(unit.text)) is not None


def _typed(entities: Entities) -> list[tuple[str, str]]:
    return [(name, plain_type(kind)) for name, kind in entities]
