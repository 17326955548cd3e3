"""A made-up corpus of any size, with given vectors: the same numbers give the same corpus.

What matters for a store is imitated, the sense is not:

* **words** are drawn by Zipf's law with the top cut off (Mandelbrot), the most frequent content
  word stands in about every tenth sentence, as in a corpus of one kind of text;
* **entities** too, so that a few are hubs, mentioned ten thousand times and more at a million
  units, and most are mentioned once or a few times; each is mentioned at least once;
* **documents** are about one entity, which their sentences mention often; they have four chunks of
  five sentences;
* **vectors** come in clusters: topic, document, chunk and unit, on axes of unequal weight (the
  spectrum of all-MiniLM-L6-v2 on 2WikiMultiHopQA).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clew import ids
from clew.models.base import TextKind, Vectors
from clew.records import (
    DEFAULT_SCOPE,
    Block,
    BlockKind,
    Chunk,
    Document,
    Entity,
    IndexedDocument,
    KnowledgeUnit,
    Mention,
    Topic,
)
from clew.stores.base import EmbeddingSpace
from clew.text.names import name_key

DIMENSIONS = 384
CHUNKS_PER_DOCUMENT = 4
UNITS_PER_CHUNK = 5
UNITS_PER_DOCUMENT = CHUNKS_PER_DOCUMENT * UNITS_PER_CHUNK
DOCUMENTS_PER_BATCH = 250
SPACE = EmbeddingSpace(fingerprint="made-up-384", dimensions=DIMENSIONS)

_ENTITIES_PER_UNIT = 0.3
_DOCUMENTS_PER_TOPIC = 50
_VOCABULARY = 40_000
_ZIPF_SHIFT = 12.0
_MENTIONS = 3
_WORDS = 8
_SPECTRUM = -0.30
_TOPIC, _DOCUMENT, _CHUNK, _UNIT = 0.55, 0.55, 0.4, 0.5
_ASKED_BATCHES = 12
_KINDS = ("name", "name", "hub", "words")
_QUESTION_NOISE = 1.2
_SYLLABLES = [c + v + e for c in "bdfgklmnprstvz" for v in "aeiou" for e in ("", "n", "r", "l")]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """``text`` asks for what the unit with the id ``unit_id`` says; ``kind`` is ``name``, ``hub``
    or ``words``, after what it names.
    """

    text: str
    kind: str
    unit_id: str
    vector: Vectors


class MadeWorld:
    """A corpus of ``units`` units (a multiple of 20), three tenths as many entities."""

    def __init__(self, units: int, *, seed: int = 7) -> None:
        self.documents = units // UNITS_PER_DOCUMENT
        self.units = self.documents * UNITS_PER_DOCUMENT
        self.entities = int(_ENTITIES_PER_UNIT * self.units)
        self._seed = seed

    def batches(self) -> Iterator[list[IndexedDocument]]:
        for batch in range(-(-self.documents // DOCUMENTS_PER_BATCH)):
            yield self.batch(batch)

    def batch(self, number: int, *, name: str = "made") -> list[IndexedDocument]:
        """The documents of one batch, whatever was made before. ``name`` begins their ids: batches
        behind the last one are new documents of the same world.
        """
        return [made for made, _ in self._made(number, name)]

    def questions(self, count: int) -> list[Question]:
        """Questions about units of a few parts of the corpus, in mixed order."""
        random = np.random.default_rng((self._seed, 1))
        batches = -(-self.documents // DOCUMENTS_PER_BATCH)
        made = [self.batch(at) for at in random.integers(0, batches, min(_ASKED_BATCHES, count))]
        found: list[Question] = []
        for at in range(count):
            part = made[at % len(made)]
            document = part[int(random.integers(len(part)))]
            kind = _KINDS[int(random.integers(len(_KINDS)))]
            found.append(self._question(document, kind, random))
        return found

    # --- words and names ------------------------------------------------------------------------

    @cached_property
    def _vocabulary(self) -> list[str]:
        random = np.random.default_rng((self._seed, 2))
        words: dict[str, None] = {}
        while len(words) < _VOCABULARY:
            picked = random.integers(0, len(_SYLLABLES), int(random.integers(2, 4)))
            words["".join(_SYLLABLES[at] for at in picked)] = None
        return list(words)

    @cached_property
    def _word_chances(self) -> NDArray[np.float64]:
        chances = 1.0 / (np.arange(_VOCABULARY) + _ZIPF_SHIFT)
        summed: NDArray[np.float64] = np.cumsum(chances / chances.sum())
        return summed

    @cached_property
    def _entity_chances(self) -> NDArray[np.float64]:
        chances = 1.0 / (np.arange(self.entities) + 1.0)
        summed: NDArray[np.float64] = np.cumsum(chances / chances.sum())
        return summed

    def entity_name(self, number: int) -> str:
        """A person, a place or a title; every number has a name of its own."""
        kind, rest = number % 3, number // 3
        words = self._vocabulary
        if kind == 0:
            return f"{words[rest % 997].title()} {words[1000 + rest % 7919].title()}{_roman(rest)}"
        if kind == 1:
            ends = ("by", "stad", "ton", "holm")
            parts = _digits(rest * 104_729 % len(_SYLLABLES) ** 3, len(_SYLLABLES), 3)
            return "".join(_SYLLABLES[at] for at in parts).title() + ends[rest % 4]
        first, second = 9000 + rest % 9973, 20_000 + (7 * rest + rest // 9973) % 14_983
        return f"The {words[first].title()} {words[second].title()}"

    # --- documents ------------------------------------------------------------------------------

    def _made(self, number: int, name: str) -> Iterator[tuple[IndexedDocument, Numbers]]:
        random = np.random.default_rng((self._seed, 3, number))
        first = number * DOCUMENTS_PER_BATCH
        count = DOCUMENTS_PER_BATCH
        if first < self.documents:
            count = min(count, self.documents - first)
        numbers = first + np.arange(count)
        shape = (count, UNITS_PER_DOCUMENT)
        words = np.searchsorted(self._word_chances, random.random((*shape, _WORDS)))
        entities = self._mentioned(numbers, random)
        chunk_vectors, unit_vectors = self._vectors(numbers, random)
        for at, document in enumerate(numbers.tolist()):
            made = self._document(
                f"{name}/{document:07d}", document, words[at].tolist(), entities[at].tolist()
            )
            vectors = {"chunk_vectors": chunk_vectors[at], "unit_vectors": unit_vectors[at]}
            yield _with_vectors(made, **vectors), entities[at]

    def _mentioned(self, numbers: Numbers, random: np.random.Generator) -> Numbers:
        """[documents, units, mentions] entities; -1 for none."""
        shape = (len(numbers), UNITS_PER_DOCUMENT, _MENTIONS)
        drawn = np.searchsorted(self._entity_chances, random.random(shape))
        found = np.where(random.random(shape) < (0.75, 0.4, 0.15), drawn, -1)
        own = self._own(numbers)[:, None]
        found[..., 0] = np.where(random.random(shape[:2]) < 0.25, own, found[..., 0])
        units = numbers[:, None] * UNITS_PER_DOCUMENT + np.arange(UNITS_PER_DOCUMENT)
        tenth, place = np.divmod(units, 10)
        once = (3 * tenth + place) % max(self.entities, 1)
        found[..., 2] = np.where(place < 3, once, found[..., 2])
        return found

    def _own(self, numbers: Numbers) -> Numbers:
        """What each document is about: no hub, and not its neighbour's."""
        spread: Numbers = (numbers * 7919 + self.entities // 3) % self.entities
        return spread

    def _document(
        self, name: str, number: int, words: list[list[int]], entities: list[list[int]]
    ) -> IndexedDocument:
        own = int(self._own(np.array([number]))[0])
        title = self.entity_name(own)
        document_id = ids.document_id(DEFAULT_SCOPE, name)
        sentences = [self._sentence(*pair) for pair in zip(words, entities, strict=True)]
        chunks: list[Chunk] = []
        units: list[KnowledgeUnit] = []
        mentions: list[Mention] = []
        parts: list[str] = []
        at = 0
        known = {own: _entity(title)}
        for index in range(CHUNKS_PER_DOCUMENT):
            mine = sentences[index * UNITS_PER_CHUNK :][:UNITS_PER_CHUNK]
            text = " ".join(sentence for sentence, _ in mine)
            chunk = Chunk(
                id=ids.chunk_id(document_id, text, index),
                document_id=document_id,
                index=index,
                start=at,
                end=at + len(text),
                text=text,
            )
            chunks.append(chunk)
            parts.append(text)
            for sentence, named in mine:
                unit = KnowledgeUnit(
                    id=ids.unit_id(document_id, sentence, len(units)),
                    document_id=document_id,
                    chunk_id=chunk.id,
                    start=at,
                    end=at + len(sentence),
                    text=sentence,
                )
                units.append(unit)
                for start, surface, entity in named:
                    known.setdefault(entity, _entity(surface))
                    mentions.append(_mention(unit, start, surface, known[entity]))
                at += len(sentence) + 1
            at += 1
        text = "\n\n".join(parts)
        return IndexedDocument(
            document=Document(
                id=document_id,
                doc_id=name,
                text=text,
                title=title,
                blocks=tuple(_blocks(parts)),
                metadata={"year": 1900 + number % 120},
                content_hash=ids.content_id("h", title, text),
            ),
            chunks=tuple(chunks),
            units=tuple(units),
            mentions=tuple(mentions),
            entities=tuple(known.values()),
            topics=tuple(Topic(chunk_id=chunk.id, entity_id=known[own].id) for chunk in chunks),
        )

    def _sentence(
        self, words: Sequence[int], entities: Sequence[int]
    ) -> tuple[str, list[tuple[int, str, int]]]:
        """The text, and (start, surface, entity) of what it names."""
        said = [self._vocabulary[word] for word in words]
        named = [entity for entity in dict.fromkeys(entities) if entity >= 0]
        pieces = [f"A {said[0]} {said[1]} was in the {said[2]}"]
        found, at = [], len(pieces[0])
        for entity, link in zip(named, (" of ", " and ", " with "), strict=False):
            surface = self.entity_name(entity)
            found.append((at + len(link), surface, entity))
            pieces.append(link + surface)
            at += len(pieces[-1])
        pieces.append(f" for {said[3]} {said[4]} and the {said[5]} {said[6]} by {said[7]}.")
        return "".join(pieces), found

    # --- vectors --------------------------------------------------------------------------------

    @cached_property
    def _axes(self) -> Vectors:
        """Rows turn white noise into vectors with the spectrum of an embedder."""
        random = np.random.default_rng((self._seed, 4))
        turned, _ = np.linalg.qr(random.standard_normal((DIMENSIONS, DIMENSIONS)))
        weights = np.arange(1, DIMENSIONS + 1) ** _SPECTRUM
        weights *= np.sqrt(1.0 / (weights**2).sum())
        axes: Vectors = (weights[:, None] * turned).astype(np.float32)
        return axes

    @cached_property
    def _topics(self) -> Vectors:
        random = np.random.default_rng((self._seed, 5))
        return self._noise((max(self.documents // _DOCUMENTS_PER_TOPIC, 8),), random)

    def _noise(self, shape: tuple[int, ...], random: np.random.Generator) -> Vectors:
        white = random.standard_normal((*shape, DIMENSIONS), dtype=np.float32)
        noise: Vectors = white @ self._axes
        return noise

    def _vectors(self, numbers: Numbers, random: np.random.Generator) -> tuple[Vectors, Vectors]:
        """[documents, chunks, d] and [documents, units, d], of length 1."""
        count = len(numbers)
        topics = self._topics[random.integers(0, len(self._topics), count)]
        documents = _TOPIC * topics + _DOCUMENT * self._noise((count,), random)
        chunks = documents[:, None] + _CHUNK * self._noise((count, CHUNKS_PER_DOCUMENT), random)
        units = np.repeat(chunks, UNITS_PER_CHUNK, axis=1)
        units = units + _UNIT * self._noise((count, UNITS_PER_DOCUMENT), random)
        return _unit_length(chunks), _unit_length(units)

    def _question(self, made: IndexedDocument, kind: str, random: np.random.Generator) -> Question:
        at = int(random.integers(UNITS_PER_DOCUMENT))
        words = made.units[at].text.rstrip(".").split()[-9:]
        named = self.entity_name(int(random.integers(0, 30)))
        if kind == "name":
            named = made.document.title
        whose = "" if kind == "words" else f" of {named}"
        assert made.unit_vectors is not None
        noise = self._noise((1,), random)[0]
        vector = _unit_length(made.unit_vectors[at] + np.float32(_QUESTION_NOISE) * noise)
        return Question(
            text=f"Which {words[1]} {words[2]}{whose} was the {words[-4]} {words[-3]} by?",
            kind=kind,
            unit_id=made.units[at].id,
            vector=vector,
        )


class GivenVectors:
    """The embedder of a made world: it knows the vectors of ``questions``. Any other text gets one
    of its own, drawn by its letters.
    """

    fingerprint = SPACE.fingerprint
    dimensions = DIMENSIONS

    def __init__(self, questions: Sequence[Question]) -> None:
        self._known = {question.text: question.vector for question in questions}

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:  # noqa: ARG002
        rows = [self._known.get(text) for text in texts]
        drawn = [
            _drawn(text) if row is None else row for text, row in zip(texts, rows, strict=True)
        ]
        return np.stack(drawn) if drawn else np.empty((0, DIMENSIONS), np.float32)


def _drawn(text: str) -> Vectors:
    seed = int.from_bytes(ids.content_id("v", text)[1:17].encode(), "little")
    random = np.random.default_rng(seed)
    return _unit_length(random.standard_normal(DIMENSIONS).astype(np.float32))


def _unit_length(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return scaled.astype(np.float32)


def _with_vectors(
    made: IndexedDocument, *, chunk_vectors: Vectors, unit_vectors: Vectors
) -> IndexedDocument:
    return replace(made, chunk_vectors=chunk_vectors, unit_vectors=unit_vectors)


def _entity(name: str) -> Entity:
    key = name_key(name)
    return Entity(id=ids.entity_id(DEFAULT_SCOPE, key), name=name, key=key)


def _mention(unit: KnowledgeUnit, start: int, surface: str, entity: Entity) -> Mention:
    return Mention(
        id=ids.mention_id(unit.id, unit.start + start, surface),
        document_id=unit.document_id,
        unit_id=unit.id,
        entity_id=entity.id,
        start=unit.start + start,
        end=unit.start + start + len(surface),
        surface=surface,
        key=entity.key,
    )


def _blocks(parts: Sequence[str]) -> Iterator[Block]:
    at = 0
    for index, part in enumerate(parts):
        end = at + len(part) + (2 if index + 1 < len(parts) else 0)
        yield Block(kind=BlockKind.PARAGRAPH, start=at, end=end)
        at = end


def _digits(number: int, base: int, count: int) -> list[int]:
    """The lowest digits first: neighbouring numbers begin differently."""
    found = []
    for _ in range(count):
        number, digit = divmod(number, base)
        found.append(digit)
    return found


def _roman(number: int) -> str:
    """Tells people of one name apart, as popes: nothing for the first."""
    turn = number // (997 * 7919)
    return "" if not turn else f" {'I' * (turn + 1)}"
