"""A chunk as a model is asked about it, and what is shown beside it to be understood by."""

from __future__ import annotations

from dataclasses import dataclass

from clew.extraction.grounding import Grounds
from clew.records import Chunk, Document


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Passage:
    """A chunk to ask for. Equal keys, equal questions.

    ``before`` are sentences that precede the chunk, ``known`` the names of things that earlier
    chunks speak of, ``unclear`` the words of an earlier reply that left open what they stand for.
    """

    document: Document
    chunk: Chunk
    key: str
    before: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()

    @property
    def grounds(self) -> Grounds:
        """All that a statement about this passage may rest on."""
        chunk = self.chunk
        over = (self.document.title, *chunk.heading_path, chunk.context, *self.before, *self.known)
        return Grounds(*over, chunk.text)

    @property
    def about(self) -> dict[str, str]:
        """What stands over the text in the prompt, by name."""
        return {
            "title": self.document.title,
            "section": " › ".join(self.chunk.heading_path),
            "context": self.chunk.context,
            "before": " ".join(self.before),
            "known": "; ".join(self.known),
            "unclear": "; ".join(self.unclear),
        }
