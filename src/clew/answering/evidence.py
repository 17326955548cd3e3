"""What the answer may be read from: the retrieved passages as sentences with their offsets.

A sentence is a knowledge unit where the store has one, so that a citation is a unit of the index;
what no unit covers (the second half of an overlap, a store without units) is split by rule. Each
sentence knows what its passage is about and which names its pronouns may stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from clew.answering.frames import is_verb_form
from clew.answering.lexicon.people import RANKS, TITLES
from clew.answering.lexicon.things import ORG_WORDS, PLACE_WORDS
from clew.answering.unit_parts import parts_of
from clew.graph.given_names import is_given_name
from clew.records import KnowledgeUnit
from clew.results import RetrievalItem, RetrievalResult
from clew.retrieval.question.lexicon import (
    DETERMINERS,
    FUNCTION_WORDS,
    PERSONAL_PRONOUNS,
    PLURAL_PRONOUNS,
    THING_PRONOUNS,
)
from clew.retrieval.question.names import name_runs, trim_start
from clew.retrieval.question.tokens import Token, fold, tokenise
from clew.stores.base import GraphReader
from clew.text.sentences import sentence_spans

_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Sentence:
    """``text`` is ``document.text[start:end]``; ``context`` stands beside it (a table's header,
    the lead-in of a list, the sentence before); ``implied`` holds the names that its pronouns and
    its passage bring in.
    """

    number: int
    passage: int
    start: int
    end: int
    text: str
    context: str = ""
    unit_id: str = ""
    topic: str = ""
    before: tuple[str, ...] = ()

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return cached_tokens(self.text)

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def names(self) -> tuple[tuple[int, int], ...]:
        """Token ranges of the names in the sentence."""
        return cached_names(self.text)

    @cached_property
    def leans(self) -> bool:
        """Whether a pronoun refers to something outside the sentence."""
        return _leans(self.text)

    @cached_property
    def implied(self) -> tuple[str, ...]:
        """Folded texts of what the sentence is about without saying it."""
        parts = [self.topic, self.context]
        if self.leans:
            words = {token.lower for token in self.tokens}
            only_things = not words & (PERSONAL_PRONOUNS | PLURAL_PRONOUNS)
            only_people = not words & (THING_PRONOUNS | PLURAL_PRONOUNS)
            parts += [
                name
                for name in self.before
                if not (only_things and _is_personal(name))
                and not (only_people and _is_impersonal(name))
            ]
        return tuple(fold(part) for part in parts if part)


@dataclass(frozen=True, eq=False)
class Passage:
    """A retrieved item, read. ``names`` are folded names of what it is about, the best first."""

    number: int
    item: RetrievalItem
    sentences: tuple[Sentence, ...]
    names: tuple[str, ...] = ()

    @cached_property
    def folded(self) -> str:
        return " \n ".join(sentence.folded for sentence in self.sentences)


@dataclass(frozen=True, eq=False)
class Evidence:
    """``units`` counts the knowledge units of the whole index."""

    passages: tuple[Passage, ...]
    sentences: tuple[Sentence, ...] = field(default=())
    units: int = 0

    def passage_of(self, sentence: Sentence) -> Passage:
        return self.passages[sentence.passage]


def _is_personal(name: str) -> bool:
    """A given name or a title in front: "it" does not stand for that."""
    first = fold(name).split()[0]
    return is_given_name(first) or first in TITLES


def _is_impersonal(name: str) -> bool:
    """A company, a place: "she" does not stand for that."""
    return fold(name).split()[-1] in ORG_WORDS | PLACE_WORDS


def read_evidence(result: RetrievalResult, reader: GraphReader, most: int) -> Evidence:
    """Read the first ``most`` items; a text that two items share is read once."""
    items = _distinct(result.items)[:most]
    units = _units(items, reader)
    passages: list[Passage] = []
    count = 0
    for number, item in enumerate(items):
        sentences = tuple(_sentences(item, units[number], number, count))
        passages.append(
            Passage(number=number, item=item, sentences=sentences, names=_about(item, sentences))
        )
        count += len(sentences)
    passages = _with_leads(passages)
    return Evidence(
        units=_count_units(result, reader),
        passages=tuple(passages),
        sentences=tuple(sentence for passage in passages for sentence in passage.sentences),
    )


def _with_leads(passages: Sequence[Passage]) -> list[Passage]:
    """What a document's opening defines, all its passages are about."""
    leads: dict[str, str] = {}
    for passage in passages:
        if passage.item.title and _opens(passage) and (lead := _lead_of(passage)):
            leads.setdefault(passage.item.document_id, lead)
    return [
        replace(passage, names=tuple(dict.fromkeys((*passage.names, lead))))
        if (lead := leads.get(passage.item.document_id, ""))
        else passage
        for passage in passages
    ]


def _opens(passage: Passage) -> bool:
    return passage.item.start <= len(passage.item.title) + _LEAD_CHARS


def _lead_of(passage: Passage) -> str:
    """The name that the first sentence behind the headings defines, where it shares a word with
    the title: *Kendall's three timekeepers* is about Larcum Kendall.
    """
    headings = {fold(name) for name in (passage.item.title, *passage.item.heading_path)}
    for sentence in passage.sentences:
        if sentence.folded.strip("# ") in headings:
            continue
        named = _defined(sentence)
        title = set(re.findall(r"\w+", fold(passage.item.title)))
        if named and set(fold(named[0]).split()) & title:
            return fold(named[0])
        return ""
    return ""


def _count_units(result: RetrievalResult, reader: GraphReader) -> int:
    """The search has counted them; counting anew walks the store."""
    known = result.graph_stats.get("knowledge_units", 0)
    return known or reader.stats().get("knowledge_units", 0)


@lru_cache(maxsize=16384)
def cached_tokens(text: str) -> tuple[Token, ...]:
    return tuple(tokenise(text))


@lru_cache(maxsize=16384)
def cached_names(text: str) -> tuple[tuple[int, int], ...]:
    tokens = list(cached_tokens(text))
    trimmed = (trim_start(tokens, run) for run in name_runs(tokens, text))
    return tuple((first, end) for first, end in trimmed if first < end)


def _distinct(items: Sequence[RetrievalItem]) -> list[RetrievalItem]:
    """Drop items whose span lies inside that of a better one of the same document."""
    kept: list[RetrievalItem] = []
    for item in items:
        inside = any(
            other.document_id == item.document_id
            and other.start <= item.start
            and item.end <= other.end
            for other in kept
        )
        if not inside:
            kept.append(item)
    return kept


def _units(items: Sequence[RetrievalItem], reader: GraphReader) -> list[list[KnowledgeUnit]]:
    """The units of each item's chunk, and those that the item brings itself."""
    numbers = reader.numbers_of("chunk", [item.source_chunk_id for item in items])
    known = np.flatnonzero(numbers >= 0)
    links = reader.units_of_chunks(numbers[known])
    stored = reader.get_units(links.targets)
    found = [list(item.units) for item in items]
    for row, at in enumerate(known):
        found[int(at)] += stored[links.indptr[row] : links.indptr[row + 1]]
    return found


def _sentences(
    item: RetrievalItem, units: Iterable[KnowledgeUnit], passage: int, first: int
) -> list[Sentence]:
    spans = _spans(item, units)
    topic = " \n ".join(part for part in (item.title, *item.heading_path) if part)
    sentences: list[Sentence] = []
    before: tuple[str, ...] = ()
    heading = ""
    last = item.start
    for start, end, unit, header in _statements(item, spans):
        heading = _heading_in(item.content[last - item.start : start - item.start]) or heading
        last = end
        text = item.content[start - item.start : end - item.start]
        context = header or (unit.context if unit else "")
        if context and _leans(text) and "|" not in context:
            before = before or _names_in(context)
            context = ""
        sentence = Sentence(
            number=first + len(sentences),
            passage=passage,
            start=start,
            end=end,
            text=text,
            context=context,
            unit_id=unit.id if unit else "",
            topic=f"{topic} \n {heading}" if heading else topic,
            before=before,
        )
        sentences.append(sentence)
        before = _carried(sentence)
    return sentences


def _statements(
    item: RetrievalItem, spans: Iterable[tuple[int, int, KnowledgeUnit | None]]
) -> Iterator[tuple[int, int, KnowledgeUnit | None, str]]:
    """The spans with the header of their table; a unit of several statements as these."""
    for start, end, unit in spans:
        for first, last, header in parts_of(item.content, start - item.start, end - item.start):
            yield first + item.start, last + item.start, unit, header


def _heading_in(gap: str) -> str:
    """The last Markdown heading of the text between two sentences."""
    found: list[str] = _HEADING.findall(gap)
    return found[-1] if found else ""


def _leans(text: str) -> bool:
    """Whether a pronoun is left when those are taken out that follow the name the sentence opens
    with: "Ola Roe sold HIS house" leans on nothing.
    """
    tokens = cached_tokens(text)
    opens = any(first == 0 for first, _ in cached_names(text))
    own = _POSSESSIVES if opens else frozenset()
    return any(token.lower in _PRONOUNS - own for token in tokens)


_PRONOUNS = PERSONAL_PRONOUNS | THING_PRONOUNS | PLURAL_PRONOUNS
_POSSESSIVES = frozenset("his her hers its their theirs himself herself itself themselves".split())


def _names_in(text: str) -> tuple[str, ...]:
    tokens = cached_tokens(text)
    return tuple(text[tokens[a].start : tokens[b - 1].end] for a, b in cached_names(text))


def _carried(sentence: Sentence) -> tuple[str, ...]:
    """The names that a pronoun in the next sentence may stand for: those of this one, or where
    this one leans itself and names nothing, those that it leans on.
    """
    names = (*_names_in(sentence.text), *_subject_phrase(sentence))
    if sentence.leans:
        return (*names, *sentence.before)[:6]
    return names[:6]


def _subject_phrase(sentence: Sentence) -> tuple[str, ...]:
    """The words before the first verb, where they are no name: "Parental leave lasts 20 weeks"."""
    tokens = sentence.tokens
    first = next((i for i, t in enumerate(tokens) if t.lower not in DETERMINERS), len(tokens))
    end = first
    while end < len(tokens) and end - first < _LONGEST_SUBJECT:
        token = tokens[end]
        if not token.stem or token.lower in FUNCTION_WORDS or is_verb_form(token.lower):
            break
        end += 1
    if end == first or end >= len(tokens) or all(t.is_capital for t in tokens[first:end]):
        return ()
    return (sentence.text[tokens[first].start : tokens[end - 1].end],)


def _spans(
    item: RetrievalItem, units: Iterable[KnowledgeUnit]
) -> list[tuple[int, int, KnowledgeUnit | None]]:
    """Units inside the item that do not overlap, in order. What lies before and behind them (the
    overlap of two chunks) is split by rule; between them stands what is no statement.
    """
    kept: list[tuple[int, int, KnowledgeUnit | None]] = []
    last = item.start
    ordered = sorted(
        (unit for unit in units if item.start <= unit.start and unit.end <= item.end),
        key=lambda unit: (unit.start, unit.end, unit.id),
    )
    for unit in ordered:
        if unit.start >= last and unit.end > unit.start:
            if not kept:
                kept += _split(item, last, unit.start)
            kept.append((unit.start, unit.end, unit))
            last = unit.end
    kept += _split(item, last, item.end)
    return kept


def _split(item: RetrievalItem, start: int, end: int) -> list[tuple[int, int, None]]:
    spans = sentence_spans(item.content, start - item.start, end - item.start)
    return [
        (first + item.start, last + item.start, None)
        for first, last in spans
        if any(character.isalnum() for character in item.content[first:last])
        and not item.content[first:last].startswith("#")
    ]


_LONGEST_SUBJECT = 5
_LEAD_CHARS = 60
_COPULAS = frozenset("is was are were refers became has".split())


def _about(item: RetrievalItem, sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """What a passage is about: its title with and without "(…)", its heading, and the name that
    its first sentence defines.
    """
    names = [item.title, item.title.partition(" (")[0], *item.heading_path[-1:]]
    names += _before_rank(item.title)
    if sentences:
        names += _defined(sentences[0])
    folded = dict.fromkeys(fold(name).strip() for name in names)
    folded.pop("", None)
    return tuple(folded)


def _before_rank(title: str) -> list[str]:
    """ "Emich, 5th Prince of Leiningen" is also called Emich."""
    name, comma, rank = title.partition(", ")
    words = rank.split()
    is_rank = any(word.casefold() in RANKS for word in words[:2])
    return [name] if comma and is_rank else []


def _defined(sentence: Sentence) -> list[str]:
    """The first name of the sentence, when a copula follows it or a bracket behind it."""
    if not sentence.names:
        return []
    first, end = sentence.names[0]
    tokens = sentence.tokens
    if first > 1:
        return []
    rest = [token.lower for token in tokens[end : end + 40]]
    if rest and (rest[0] in _COPULAS | {"(", ","} and _COPULAS & set(rest)):
        return [sentence.text[tokens[first].start : tokens[end - 1].end]]
    return []
