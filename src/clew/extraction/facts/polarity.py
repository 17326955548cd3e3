"""Whether a statement denies the verb of a fact, where a model forgot to say so.

Small models write the fact of "The bridge does not carry trains" as they would without the "not".
Only the plain case is decided: the denied verb is the fact's own and stands but once.
"""

from __future__ import annotations

import re

from clew.graph.predicates import predicate_key

_BE = r"(?:is|are|was|were|am)"
_DENIED = re.compile(
    rf"\b(?:(?P<be>{_BE})|do|does|did|has|have|had|can|could|will|would|may|might|must|should)"
    r"(?:\s+not|n['’]t)\s+(?!only\b|just\b|merely\b|until\b|yet only\b)(?P<verb>\w+)"
    r"|\b(?:never|cannot|can['’]t|won['’]t)\s+(?P<other>\w+)",
    re.IGNORECASE,
)
_BE_FIRST = re.compile(rf"{_BE}\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def denies(statement: str, predicate: str) -> bool:
    """Whether ``statement`` denies ``predicate``.

    >>> denies("The bridge does not carry trains.", "carries"), denies("It was not sold.", "sold")
    (True, True)
    >>> denies("It is not only long.", "is"), denies("It does not sink, it sinks.", "sinks")
    (False, False)
    """
    found = list(_DENIED.finditer(statement))
    if len(found) != 1:
        return False
    (match,) = found
    verb = match["verb"] or match["other"]
    key = predicate_key(verb)
    own = predicate_key(predicate).split()
    if key in own:
        return sum(predicate_key(word) == key for word in _WORD.findall(statement)) == 1
    return bool(match["be"]) and _BE_FIRST.match(predicate) is not None and not _acts(statement)


def _acts(statement: str) -> bool:
    """Whether a form of "be" stands more than once: which of them is meant is open then."""
    return len(re.findall(rf"\b{_BE}\b", statement, re.IGNORECASE)) > 1
