"""What a model's answer says: the short answer, its sentences, and what each of them cites.

Models think aloud, fence their reply, put marks behind the full stop, write [1, 2], (3), 【4】 or
[^5], and leave the short line out. What can be understood is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.answering.synthesis.prompt import UNKNOWN
from clew.models.thoughts import without_thoughts
from clew.text.sentences import sentence_spans

_FENCES = re.compile(r"^```\w*\s*$", re.MULTILINE)
_NUMBERS = r"\^?((?:piece\s*)?\d{1,3}(?:\s*[,;]\s*(?:piece\s*)?\d{1,3})*)"
_MARK = re.compile(rf"[\[【]{_NUMBERS}[\]】]", re.IGNORECASE)
_ROUND_MARK = re.compile(rf"\({_NUMBERS}\)", re.IGNORECASE)
_LABEL = re.compile(r"^\W*(?:short\s+)?answer\W*:\s*|^\W*first line\W*:\s*", re.IGNORECASE)
_UNKNOWN = re.compile(rf"^\W*(?:{UNKNOWN}\b|i (?:do not|don't|don’t) know\b)", re.IGNORECASE)
_LONGEST_SHORT = 120
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True, slots=True)
class SaidSentence:
    """``text`` is without its marks; ``cites`` are the numbers in them, each once, in order."""

    text: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SaidAnswer:
    """``short`` may be empty; ``missing`` is what the model says is missing, where it does not
    know.
    """

    short: str = ""
    sentences: tuple[SaidSentence, ...] = ()
    is_unknown: bool = False
    missing: str = ""


def read_answer(reply: str) -> SaidAnswer:
    """Read a reply, whole or cut off."""
    text = _FENCES.sub("", without_thoughts(reply, anywhere=True)).strip()
    if not text:
        return SaidAnswer(is_unknown=True)
    first, _, rest = text.partition("\n")
    first = _LABEL.sub("", first).strip().strip("*")
    if _UNKNOWN.match(first):
        said = f"{_UNKNOWN.sub('', first).strip(' .:,;–-')}\n{rest}".strip()
        return SaidAnswer(is_unknown=True, missing=" ".join(_without_marks(said).split()))
    sentences = read_sentences(rest)
    short = _without_marks(first).strip().rstrip(".")
    if not sentences:
        sentences = read_sentences(first)
        return SaidAnswer(short=short if len(short) <= _LONGEST_SHORT else "", sentences=sentences)
    if len(short) > _LONGEST_SHORT:
        return SaidAnswer(sentences=(*read_sentences(first), *sentences))
    return SaidAnswer(short=short, sentences=sentences)


def read_sentences(text: str) -> tuple[SaidSentence, ...]:
    """The sentences of ``text`` with what they cite; a mark behind a full stop is of the sentence
    before it.
    """
    mark = _MARK if _MARK.search(text) else _ROUND_MARK  # "(3)" may be part of a sentence
    marks = [(match.start(), _numbers(match[1])) for match in mark.finditer(text)]
    blank = mark.sub(lambda match: " " * len(match[0]), text)
    spans = [
        (start, end)
        for start, end in sentence_spans(blank, 0, len(blank))
        if any(char.isalnum() for char in blank[start:end])
    ]
    cites: list[list[int]] = [[] for _ in spans]
    for at, numbers in marks:
        owner = max((n for n, (start, _) in enumerate(spans) if start <= at), default=None)
        if owner is not None:
            cites[owner] += numbers
    return tuple(
        SaidSentence(text=_tidy(blank[start:end]), cites=tuple(dict.fromkeys(own)))
        for (start, end), own in zip(spans, cites, strict=True)
    )


def _without_marks(text: str) -> str:
    return _MARK.sub("", text)


def _tidy(text: str) -> str:
    """One line, without blanks where marks were."""
    plain = " ".join(text.strip(" -*•\t\n").split())
    return re.sub(r"\s+([.,;:!?])", r"\1", plain)


def _numbers(inner: str) -> list[int]:
    return [int(number) for number in _DIGITS.findall(inner)]
