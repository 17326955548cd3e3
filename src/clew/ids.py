"""Content-hash identifiers: same content, same id, whatever the order or the concurrency.

==========  ==============================================================
record      hash of
==========  ==============================================================
document    scope, the user's ``doc_id``
chunk       document, text, occurrence
unit        document, text, occurrence
entity      scope, resolved key
mention     unit, start, surface
fact        unit, subject, predicate, object, polarity, time, condition
==========  ==============================================================

*Occurrence* counts equal texts inside one document (0 for the first). It stands in for the offset
on purpose: when a paragraph is edited, everything behind it moves, but its ids stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b

_SEPARATOR = "\x1f"
_DIGEST_BYTES = 12


def content_id(prefix: str, *parts: str) -> str:
    """Return ``prefix`` followed by 24 hexadecimal digits of the BLAKE2b hash of ``parts``."""
    payload = _SEPARATOR.join(parts).encode("utf-8", "surrogatepass")
    return prefix + blake2b(payload, digest_size=_DIGEST_BYTES).hexdigest()


def document_id(scope: str, doc_id: str) -> str:
    return content_id("d", scope, doc_id)


def entity_id(scope: str, key: str) -> str:
    return content_id("e", scope, key)


def occurrences(texts: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Pair each text with how often it was seen before: ``a b a`` → ``(a, 0) (b, 0) (a, 1)``."""
    seen: Counter[str] = Counter()
    for text in texts:
        yield text, seen[text]
        seen[text] += 1


def chunk_id(document: str, text: str, occurrence: int) -> str:
    return content_id("c", document, text, str(occurrence))


def unit_id(document: str, text: str, occurrence: int) -> str:
    return content_id("u", document, text, str(occurrence))


def mention_id(unit: str, start: int, surface: str) -> str:
    return content_id("m", unit, str(start), surface)


def fact_id(
    unit: str, subject: str, predicate: str, object_: str, *, negated: bool, limits: Iterable[str]
) -> str:
    """``limits`` are the time and the condition, none for a fact without either."""
    return content_id("f", unit, subject, predicate, object_, "-" if negated else "+", *limits)
