"""The same questions over harder corpora, and when a passage counts as found in each.

:func:`without_titles`
    Passages lose their titles: in the record, and where the text begins with its title as a line.
:func:`concatenated`
    Passages become parts of long documents, forty to each, in the order of the corpus; their titles
    are nothing but a line of text before them. What is found are chunks of these documents.

When passages are the documents, a passage is found at the place of its first chunk, chunks of one
passage counting once. In long documents every chunk counts, and a passage is found at the first
place where the chunks so far **together cover at least half of its characters** (its title line
left out), by offsets alone. Half is the most that can be asked without putting passages out of the
reach of a single chunk: where one is cut in two, one of the parts always holds half of it. A chunk
that touches a passage with its edge finds nothing, and one that holds two passages finds both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from clew.evaluation.datasets import Dataset, Passage, QuestionWithGold

PASSAGES_PER_DOCUMENT = 40
LEAST_COVERED = 0.5
_GAP = "\n\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class TextSpan:
    """Offsets into the text of a document, end exclusive."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Corpus:
    """What to index (the passages of ``dataset``, each a document) and where in it the passages
    lie that support the answers; without ``spans`` they are the documents themselves.
    """

    dataset: Dataset
    spans: Mapping[str, TextSpan] = field(default_factory=dict)

    def found_at(
        self, question: QuestionWithGold, hits: Sequence[TextSpan]
    ) -> tuple[int | None, ...]:
        """The place, from 1, at which ``hits`` find each of the supporting passages; None where
        they do not.
        """
        if not self.spans:
            order = list(dict.fromkeys(hit.doc_id for hit in hits))
            places = {doc_id: place for place, doc_id in enumerate(order, start=1)}
            return tuple(places.get(name) for name in question.supporting_ids)
        return tuple(_covered_at(self.spans[name], hits) for name in question.supporting_ids)


def without_titles(dataset: Dataset) -> Dataset:
    """The passages as texts alone."""
    passages = tuple(
        replace(passage, title="", text=_without_heading(passage)) for passage in dataset.passages
    )
    return replace(dataset, passages=passages)


def shuffled(dataset: Dataset) -> Dataset:
    """The passages by the hashes of their ids: an order that is always the same, and random."""
    by_hash = sorted(dataset.passages, key=lambda passage: sha256(passage.id.encode()).digest())
    return replace(dataset, passages=tuple(by_hash))


def concatenated(dataset: Dataset, *, per_document: int = PASSAGES_PER_DOCUMENT) -> Corpus:
    """Long documents of ``per_document`` passages each; none of them has a title."""
    documents, spans = [], {}
    for number, passages in enumerate(_groups(dataset.passages, per_document), start=1):
        doc_id = f"document-{number:05d}"
        text = ""
        for passage in passages:
            body = _storable(passage.text)
            text += f"{title}\n" if (title := _storable(passage.title)) else ""
            spans[passage.id] = TextSpan(doc_id=doc_id, start=len(text), end=len(text) + len(body))
            text += body + _GAP
        documents.append(Passage(id=doc_id, title="", text=text))
    return Corpus(dataset=replace(dataset, passages=tuple(documents)), spans=spans)


def _covered_at(passage: TextSpan, hits: Sequence[TextSpan]) -> int | None:
    """The place of the hit with which half of the passage is covered."""
    wanted = LEAST_COVERED * (passage.end - passage.start)
    held: list[tuple[int, int]] = []
    for place, hit in enumerate(hits, start=1):
        start, end = max(hit.start, passage.start), min(hit.end, passage.end)
        if hit.doc_id == passage.doc_id and start < end:
            held.append((start, end))
            if _length_of_union(held) >= wanted:
                return place
    return None


def _length_of_union(spans: Sequence[tuple[int, int]]) -> int:
    """How many characters lie in any of ``spans``: those that chunks share count once."""
    length = reached = 0
    for start, end in sorted(spans):
        length += max(0, end - max(start, reached))
        reached = max(reached, end)
    return length


def _without_heading(passage: Passage) -> str:
    """The text without a first line that only says the title, with or without heading marks."""
    head, _, rest = passage.text.lstrip().partition("\n")
    bare = head.strip().strip("#=").strip()
    return rest.lstrip() if passage.title and bare == passage.title.strip() else passage.text


def _storable(text: str) -> str:
    """Without what a document drops when it is made (marks of byte order, NULs), so that offsets
    stay true; and without blanks around, which no chunk begins or ends with.
    """
    return text.replace("\ufeff", "").replace("\x00", "").strip()


def _groups(passages: Sequence[Passage], size: int) -> Iterator[Sequence[Passage]]:
    for start in range(0, len(passages), size):
        yield passages[start : start + size]
