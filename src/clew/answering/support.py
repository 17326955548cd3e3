"""What an answer rests on."""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.answering.candidates import Candidate
from clew.answering.evidence import Sentence


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Finding:
    """An answer with the sentences that give it, in the order of the reasoning.

    ``certainty`` (0–1) is the method's own; ``rivals`` are sentences that say otherwise;
    ``is_span`` is False for an answer that stands nowhere as such (yes, no, a count);
    ``is_beside`` is True for what cannot be what is asked for, and is only the best there is;
    ``is_read_anew`` is True where a description in the question was first put into a name.
    """

    text: str
    method: str
    sentences: tuple[Sentence, ...]
    certainty: float
    candidate: Candidate | None = None
    rivals: tuple[Sentence, ...] = ()
    rival_texts: tuple[str, ...] = ()
    is_span: bool = True
    typed: bool = True
    is_beside: bool = False
    is_read_anew: bool = False
    trace: dict[str, object] = field(default_factory=dict)


def distinct(sentences: list[Sentence]) -> tuple[Sentence, ...]:
    """Each sentence once, in order."""
    return tuple({sentence.number: sentence for sentence in sentences}.values())
