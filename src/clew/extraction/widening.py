"""Asking again, with more context, where a reply leaves open whom it speaks of.

The first questions show a chunk alone (and, where it begins with "She" or "The company", the
sentences before it), so they can be asked in any order. Only chunks whose reply still has such
words are asked for once more, with the sentences before and the names that earlier chunks of the
document gave. All first replies are there by then, so these questions, too, depend on no other of
their round: any number of calls at a time gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from clew.extraction.effort import Effort
from clew.extraction.facts.pronouns import leading_reference, unclear_in, with_names
from clew.extraction.matching import Sentences
from clew.extraction.memory import EntityMemory
from clew.extraction.model_types import plain_type
from clew.extraction.named_things import NamedThing
from clew.extraction.passages import Passage
from clew.extraction.telling import Told
from clew.extraction.unit_replies import UnitReply
from clew.ids import content_id
from clew.records import Chunk

FIRST_SENTENCES = 2
_MOST_CHARS_A_SENTENCE = 300
_MOST_UNCLEAR = 6
_LEAST_SHARE = 0.5
"""Of its units that a second reply must have to count as the better one."""


def first_context(sentences: Sentences, chunk: Chunk) -> tuple[str, ...]:
    """The sentences before ``chunk``, if its first one leans on them; else none."""
    first, last = sentences.between(chunk.start, chunk.end)
    if first == last or not leading_reference(sentences.units[first].text):
        return ()
    return sentences_before(sentences, chunk, FIRST_SENTENCES)


def sentences_before(sentences: Sentences, chunk: Chunk, most: int) -> tuple[str, ...]:
    """Up to ``most`` sentences that end where ``chunk`` begins, or before."""
    first, _ = sentences.between(chunk.start, chunk.end)
    texts = [unit.text for unit in sentences.units[max(0, first - most) : first]]
    return tuple(" ".join(text.split())[-_MOST_CHARS_A_SENTENCE:] for text in texts)


def leaves_open(units: Sequence[UnitReply]) -> bool:
    """Whether a reply of ``units`` is a reason to ask again."""
    return bool(_unclear(units))


def widened(
    passages: Sequence[Passage],
    told: Mapping[str, Told],
    sentences: Sentences,
    effort: Effort,
    turn: int,
) -> Iterator[tuple[Passage, Passage]]:
    """Yield (passage, the same with more context) for those chunks of one document whose reply is
    unclear, where there is anything to make it clear. ``turn`` counts such rounds from 1.
    """
    unclear = [_unclear(told[passage.key].units) for passage in passages]
    last = max((place for place, words in enumerate(unclear) if words), default=-1)
    memory = EntityMemory()
    for passage, words in zip(passages[: last + 1], unclear, strict=False):
        if words:
            before = sentences_before(sentences, passage.chunk, effort.sentences_before * turn)
            known = memory.offered(effort.known_names)
            if before or known or passage.document.title or passage.chunk.heading_path:
                yield (
                    passage,
                    replace(
                        passage,
                        key=_key(passage, before, turn),
                        before=before,
                        known=known,
                        unclear=tuple(words[:_MOST_UNCLEAR]),
                    ),
                )
        memory.add(_named(passage, told[passage.key]))


def is_clearer(second: Told, first: Told) -> bool:
    """Whether a reply with more context is the better one."""
    if len(second.units) < max(1, _LEAST_SHARE * len(first.units)):
        return False
    return len(_unclear(second.units)) < len(_unclear(first.units))


def _named(passage: Passage, told: Told) -> Iterator[NamedThing]:
    """What the reply named that the passage bears out."""
    grounds = passage.grounds
    for unit in told.units:
        yield from (thing for thing in unit.entities if grounds.support_name(thing.name))


def _unclear(units: Sequence[UnitReply]) -> list[str]:
    found: list[str] = []
    for unit in units:
        named = [(name, plain_type(kind)) for name, kind in unit.entities]
        found += unclear_in(unit.text, [with_names(fact, named) for fact in unit.facts])
    first: dict[str, str] = {}
    for words in found:
        first.setdefault(words.lower(), words)
    return list(first.values())


def _key(passage: Passage, before: Sequence[str], turn: int) -> str:
    """The names on offer are no part of it: an edit elsewhere in the document, or a chunk that the
    model failed on and that heals later, must not make this chunk be paid for again.
    """
    return content_id("r", passage.key, passage.document.id, *before, str(turn))
