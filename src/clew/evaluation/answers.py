"""Is a short answer right: exact match and token F1, as SQuAD and the multi-hop sets score them.

Both compare after the usual normalisation: lower case, no punctuation, no articles, single blanks.
As in HotpotQA, a yes or a no is right or wrong as a whole.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_WHOLE = frozenset({"yes", "no", "noanswer"})
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(answer: str) -> str:
    """
    >>> normalise("The  Duke of York's, Theatre!")
    'duke of yorks theatre'
    """
    bare = answer.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(answer: str, gold: Sequence[str]) -> float:
    """1.0 when ``answer`` equals any of the accepted answers."""
    return _best(answer, gold, lambda one, other: float(normalise(one) == normalise(other)))


def token_f1(answer: str, gold: Sequence[str]) -> float:
    """The harmonic mean of precision and recall over words, for the best accepted answer."""
    return _best(answer, gold, _f1)


def _best(answer: str, gold: Sequence[str], score: Callable[[str, str], float]) -> float:
    if not gold:
        raise ValueError("no accepted answer to compare with")
    return max(score(answer, accepted) for accepted in gold)


def _f1(answer: str, accepted: str) -> float:
    said, right = normalise(answer).split(), normalise(accepted).split()
    if not said or not right or _WHOLE & {" ".join(said), " ".join(right)}:
        return float(said == right)
    shared = sum((Counter(said) & Counter(right)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(right)
    return 2 * precision * recall / (precision + recall)
