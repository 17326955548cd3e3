"""Documents made by chance from a seed: records that fit together, for tests of stores.

Nobody reads these texts, but everything in them is as stages make it: spans slice the text,
mentions stand inside their units, entities are shared between documents, vectors have length 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from clew import ids
from clew.graph.fact_identity import identified
from clew.records import (
    DEFAULT_SCOPE,
    Chunk,
    Document,
    Entity,
    EntityMerge,
    Fact,
    FactKind,
    IndexedDocument,
    KnowledgeUnit,
    Mention,
    Topic,
)
from clew.stores.base import EmbeddingSpace, Scores
from clew.text.names import name_key

SPACE = EmbeddingSpace(fingerprint="made-by-chance/16", dimensions=16)

_SYLLABLES = "nor bri dal vek ost lund mar tir sol hag fen ryd kol ast ulm eva".split()
_VERBS = "built sold crossed painted measured left visited named".split()
_WORDS = "bridge river town harbour mill winter market the of and a old stone long".split()


def made_documents(
    count: int,
    *,
    seed: int = 0,
    chunks: int = 3,
    units: int = 4,
    names: int = 40,
    space: EmbeddingSpace | None = SPACE,
    scopes: Sequence[str] = (DEFAULT_SCOPE,),
) -> list[IndexedDocument]:
    """Return ``count`` documents of up to ``chunks`` chunks of up to ``units`` units each, which
    speak of ``names`` different names. The same arguments give the same documents.
    """
    random = Random(seed)
    inventory = [_name(random) for _ in range(names)]
    return [
        _Maker(random, inventory, space).document(
            f"made/{seed}-{number}.txt",
            scopes[number % len(scopes)],
            chunks=random.randint(1, chunks),
            units=units,
        )
        for number in range(count)
    ]


def unit_vectors(random: Random, rows: int, dimensions: int) -> Scores:
    """Random directions as float32 rows of length 1."""
    generator = np.random.default_rng(random.getrandbits(64))
    raw = generator.standard_normal((rows, dimensions)).astype(np.float32)
    scaled: Scores = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    return scaled


def _name(random: Random) -> str:
    words = ["".join(random.choices(_SYLLABLES, k=random.randint(2, 3))).title()]
    if random.random() < 0.5:
        words.append("".join(random.choices(_SYLLABLES, k=2)).title())
    return " ".join(words)


class _Maker:
    """Makes one document; a fresh one for each, since it gathers what the document brings."""

    def __init__(self, random: Random, names: Sequence[str], space: EmbeddingSpace | None) -> None:
        self._random = random
        self._names = names
        self._space = space
        self._chunks: list[Chunk] = []
        self._units: list[KnowledgeUnit] = []
        self._mentions: list[Mention] = []
        self._entities: dict[str, Entity] = {}
        self._topics: list[Topic] = []
        self._facts: list[Fact] = []

    def document(self, doc_id: str, scope: str, *, chunks: int, units: int) -> IndexedDocument:
        random = self._random
        id_ = ids.document_id(scope, doc_id)
        title = random.choice(self._names)
        text = ""
        for index in range(chunks):
            sentences = [self._sentence() for _ in range(random.randint(1, units))]
            text += self._passage(id_, scope, title, index, len(text), sentences) + "\n\n"
        document = Document(
            id=id_,
            doc_id=doc_id,
            text=text,
            title=title,
            scope=scope,
            metadata={"year": random.randint(1990, 2025), "tags": [random.choice(_WORDS)]},
            content_hash=ids.content_id("h", doc_id, text),
        )
        return IndexedDocument(
            document=document,
            chunks=tuple(self._chunks),
            units=tuple(self._units),
            mentions=tuple(self._mentions),
            entities=tuple(self._entities.values()),
            topics=tuple(self._topics),
            facts=tuple(self._facts),
            merges=self._merges(id_),
            chunk_vectors=self._vectors(len(self._chunks)),
            unit_vectors=self._vectors(len(self._units)),
        )

    def _sentence(self) -> str:
        random = self._random
        subject, other = random.choice(self._names), random.choice(self._names)
        if random.random() < 0.3:
            subject = subject.upper()
        if random.random() < 0.2:
            other = other.split()[0]
        filler = " ".join(random.choices(_WORDS, k=random.randint(2, 8)))
        return f"{subject} {random.choice(_VERBS)} {other} by {filler}."

    def _passage(
        self, document: str, scope: str, title: str, index: int, start: int, sentences: list[str]
    ) -> str:
        text = " ".join(sentences)
        chunk = Chunk(
            id=ids.chunk_id(document, text, index),
            document_id=document,
            index=index,
            start=start,
            end=start + len(text),
            text=text,
            heading_path=("Part", str(index)) if index else (),
            page=index + 1 if index % 2 else None,
            context="From the annals" if index % 3 == 2 else "",
        )
        self._chunks.append(chunk)
        topic = Topic(chunk_id=chunk.id, entity_id=self._entity(scope, title))
        self._topics.append(topic)
        for sentence in sentences:
            self._unit(chunk, scope, start, sentence)
            start += len(sentence) + 1
        return text

    def _unit(self, chunk: Chunk, scope: str, start: int, sentence: str) -> None:
        unit = KnowledgeUnit(
            id=ids.unit_id(chunk.document_id, sentence, len(self._units)),
            document_id=chunk.document_id,
            chunk_id=chunk.id,
            start=start,
            end=start + len(sentence),
            text=sentence,
        )
        self._units.append(unit)
        for verb in _VERBS:
            subject, found, rest = sentence.partition(f" {verb} ")
            if found:
                other = rest.partition(" by ")[0]
                self._mention(unit, scope, 0, subject)
                self._mention(unit, scope, len(subject) + len(found), other)
                self._fact(unit, subject, verb, other)

    def _mention(self, unit: KnowledgeUnit, scope: str, at: int, surface: str) -> None:
        start = unit.start + at
        self._mentions.append(
            Mention(
                id=ids.mention_id(unit.id, start, surface),
                document_id=unit.document_id,
                unit_id=unit.id,
                entity_id=self._entity(scope, surface),
                start=start,
                end=start + len(surface),
                surface=surface,
                key=name_key(surface),
            )
        )

    def _entity(self, scope: str, surface: str) -> str:
        """Two words are read as the full name of the first: that is a merge."""
        key = name_key(surface)
        full = next((name for name in self._names if name_key(name).startswith(f"{key} ")), None)
        if full is not None and " " not in key:
            key = name_key(full)
        id_ = ids.entity_id(scope, key)
        self._entities.setdefault(
            id_,
            Entity(id=id_, name=full or surface, key=key, type="PLACE", scope=scope),
        )
        return id_

    def _fact(self, unit: KnowledgeUnit, subject: str, predicate: str, other: str) -> None:
        fact = Fact(
            id="",
            document_id=unit.document_id,
            unit_id=unit.id,
            start=unit.start,
            end=unit.end,
            kind=FactKind.RELATION,
            subject=subject,
            predicate=predicate,
            object=other,
            confidence=0.5,
        )
        self._facts.append(identified(fact))

    def _merges(self, document: str) -> tuple[EntityMerge, ...]:
        lines: dict[str, EntityMerge] = {}
        for mention in self._mentions:
            entity = self._entities[mention.entity_id]
            if mention.key != entity.key:
                id_ = ids.content_id("g", document, entity.id, mention.key)
                lines[id_] = EntityMerge(
                    id=id_,
                    document_id=document,
                    entity_id=entity.id,
                    merged_key=mention.key,
                    merged_name=mention.surface.title(),
                    reason="a short form of the full name",
                )
        return tuple(lines.values())

    def _vectors(self, rows: int) -> Scores | None:
        if self._space is None:
            return None
        return unit_vectors(self._random, rows, self._space.dimensions)
