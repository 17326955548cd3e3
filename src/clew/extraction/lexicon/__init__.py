"""What the rules know of words: lists, and nothing that decides.

``common_words.txt`` holds English words that running text writes in lower case, so that a capital
at the beginning of a sentence says nothing about them.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from clew.graph.given_names import is_given_name


@cache
def common_words() -> frozenset[str]:
    text = files(__name__).joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def is_common(word: str) -> bool:
    """Whether ``word`` (any case), or its singular, is an everyday English word."""
    lower = word.lower()
    words = common_words()
    if lower in words:
        return True
    if not lower.endswith("s"):
        return False
    return lower[:-1] in words or lower[:-2] in words or f"{lower[:-3]}y" in words


_FORMED = re.compile(
    r".{3,}(?:ly|tions?|ness|ments?|ingly"
    r"|(?:at|is|iz|ent|ir|uc|op|ain|ect|ort|ish|est|ign|os|as|ar|ud|us|ag|ok|ess|il|iev|um)ed)$"
)


def is_everyday(lower: str) -> bool:
    """Whether a word that begins a sentence is likely to be no name: it is common, or formed like
    an adverb, a participle or an abstract noun.
    """
    if is_common(lower):
        return True
    return _FORMED.match(lower) is not None and not is_given_name(lower)


_ENGLISH = (" the ", " of ", " and ", " is ", " was ", " with ", " by ", " that ", " to ")
_OTHER = tuple(
    f" {word} "
    for word in (
        "der die und ist das von les des est une et los las una del y il che di och og het een os "
        "uma da jest nie ve bir"
    ).split()
)
_SAMPLE_CHARS = 4000


def is_english(text: str) -> bool:
    """Whether the small words at the beginning of ``text`` are English rather than another Latin
    language; a text without any counts as English.
    """
    sample = text[:_SAMPLE_CHARS]
    if sample.count(" the ") + sample.count(" of ") > len(sample) / 150:
        return True
    return sum(map(sample.count, _ENGLISH)) >= sum(map(sample.count, _OTHER))
