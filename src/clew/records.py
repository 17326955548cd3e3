"""The plain records that every stage takes and gives: frozen, keyword-only, without behaviour.

Three rules hold everywhere:

* a text-bearing record has ``document_id, start, end``: offsets in characters (Unicode code
  points) into the decoded text of its document, end exclusive;
* ``document.text[record.start:record.end] == record.text`` for every chunk, and for every unit
  with ``verbatim=True``; a unit rewritten by a model keeps the span that it came from;
* what helps to *understand* a text (title, heading path, table header, lead-in) travels beside it
  in its own field, never inside the span.

The way of the data::

    Document ─▶ Chunk ─▶ KnowledgeUnit ─▶ Mention ─▶ Entity
                   │            └───────▶ Fact
                   └─ Topic ─────────────▶ Entity        (what a chunk is about)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_SCOPE = "default"


class BlockKind(StrEnum):
    """What a block of a document is; the partition of a text uses each kind as it needs."""

    FRONT_MATTER = "front_matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    CODE = "code"
    QUOTE = "quote"
    HTML = "html"
    PAGE_BREAK = "page_break"
    BLANK = "blank"


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One piece of the contiguous partition of a document's text.

    Blocks follow each other without gap or overlap from 0 to ``len(text)``; a block owns the line
    ends and blank lines behind it. ``level`` is the heading level (1–6), the nesting depth of a
    list item or quote (from 1), otherwise 0.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page or slide as the reader numbers it: ``number`` counts from 1."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A decoded document. ``doc_id`` is the user's own name for it and comes back unchanged.

    ``source`` is the file it was read from; one JSON Lines or CSV file gives many documents that
    share a source. ``content_hash`` covers text, title, metadata and structure: two documents with
    the same hash give the same records. ``source_hash`` covers the bytes of the source file
    (empty when there is none), so that an unchanged file need not be parsed again.
    """

    id: str
    doc_id: str
    text: str
    title: str = ""
    source: str = ""
    media_type: str = "text/plain"
    scope: str = DEFAULT_SCOPE
    metadata: Mapping[str, Any] = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    pages: tuple[Page, ...] = ()
    content_hash: str = ""
    source_hash: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chunk:
    """A passage of a document. ``index`` counts the chunks of the document from 0.

    ``context`` is what the slice needs to be understood and does not contain, such as the header
    of the table whose rows it holds.
    """

    id: str
    document_id: str
    index: int
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    context: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class KnowledgeUnit:
    """An atomic statement: a sentence, a list item, a table row, or a rewriting by a model.

    ``origin`` names the extraction method. ``degraded`` marks units that stand in for a model
    call that failed.
    """

    id: str
    document_id: str
    chunk_id: str
    start: int
    end: int
    text: str
    context: str = ""
    verbatim: bool = True
    origin: str = "sentence"
    degraded: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A place where a unit names an entity.

    ``key`` is the normalised surface form itself; ``entity_id`` is what it was resolved to. The
    two differ where names were merged, and ``key`` is what an undone merge goes back to.
    """

    id: str
    document_id: str
    unit_id: str
    entity_id: str
    start: int
    end: int
    surface: str
    key: str
    type: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """A thing that units speak of. ``key`` is the resolved, normalised name (script kept)."""

    id: str
    name: str
    key: str
    type: str = ""
    aliases: tuple[str, ...] = ()
    scope: str = DEFAULT_SCOPE


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """A chunk is *about* an entity. ``source`` says why: ``title``, ``heading``, ``definition``…"""

    chunk_id: str
    entity_id: str
    weight: float = 1.0
    source: str = "title"


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityMerge:
    """One line of the merge log: in this document, mentions keyed ``merged_key`` were read as
    ``entity_id``. Undoing it gives them back to the entity of ``merged_key``.
    """

    id: str
    document_id: str
    entity_id: str
    merged_key: str
    merged_name: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityDecision:
    """What a person decided about names: in the documents ``doc_ids`` (in all of the scope when
    empty) the entity keyed ``key`` is read as the one keyed ``into_key``. It holds for documents
    that come later too, until it is taken back.

    Two names of one thing are joined so, and two things of one name are split.
    """

    id: str
    key: str
    name: str
    into_key: str
    into_name: str
    type: str = ""
    doc_ids: tuple[str, ...] = ()
    scope: str = DEFAULT_SCOPE


class FactKind(StrEnum):
    RELATION = "relation"
    ATTRIBUTE = "attribute"
    EVENT = "event"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """The typed reading of a unit, on the span ``start``–``end`` that it was read from.

    ``subject`` and ``object`` are names or values as the text says them (an attribute's value is
    its object; an event without an object has ``""``). ``predicate_as_said`` keeps what an ontology
    made into ``predicate``. ``time_start`` and ``time_end`` bound when the fact holds (ISO 8601, as
    much as is known), ``time_as_said`` is how the text puts it; ``stated_at`` is when it was said
    (the day of the document). ``tense`` is ``past``, ``present``, ``future`` or ``""``;
    ``speech_act`` names what is not a plain assertion (``question``, ``order``, ``promise`` …).
    """

    id: str
    document_id: str
    unit_id: str
    start: int
    end: int
    kind: FactKind
    subject: str
    predicate: str
    object: str
    predicate_as_said: str = ""
    negated: bool = False
    confidence: float = 1.0
    time_start: str = ""
    time_end: str = ""
    time_as_said: str = ""
    condition: str = ""
    modality: str = ""
    quantifier: str = ""
    speech_act: str = ""
    tense: str = ""
    stated_at: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class IndexedDocument:
    """Everything that one document contributes: the unit of atomic commit.

    ``entities`` holds an entity for every ``entity_id`` used by the mentions and topics of this
    document. Vectors are float32, L2-normalised, one row per chunk and per unit in the order of
    the tuples; both are None when there is no embedder. ``reply_keys`` are the keys of the
    remembered model replies that these records were made from; a commit forgets the others.
    """

    document: Document
    chunks: tuple[Chunk, ...] = ()
    units: tuple[KnowledgeUnit, ...] = ()
    mentions: tuple[Mention, ...] = ()
    entities: tuple[Entity, ...] = ()
    topics: tuple[Topic, ...] = ()
    facts: tuple[Fact, ...] = ()
    merges: tuple[EntityMerge, ...] = ()
    reply_keys: tuple[str, ...] = ()
    chunk_vectors: NDArray[np.float32] | None = None
    unit_vectors: NDArray[np.float32] | None = None
