"""Tokens of a question or a sentence: words, numbers and marks with their offsets.

Full-text search keeps only what it looks up (:mod:`clew.text.words`). Reading needs the rest too:
the "by" behind "built", the comma inside "Canton, Massachusetts", the capital letter of a name. A
token's ``stem`` is the search term without its accents, so that *Dugu* finds *Dúgū*, and of an
irregular verb the stem of its base, so that *sink* finds *sank*; it is empty for stop words and
marks.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from clew.text.verbs import base_of
from clew.text.words import terms

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    r"\d+(?:[.,:]\d+)*(?i:st|nd|rd|th|s)?(?![^\W\d_])"
    r"|(?:[^\W\d_]\.){2,}"
    r"|(?:Jr|Sr|St|Ste|Dr|Mr|Mrs|Ms|Prof|Gen|Col|Capt|Lt|Sgt|Rev|Hon|Mt|Ft|Bros|Inc|Ltd|Co|Corp"
    r"|No|vs|approx|ca|c|b|d|fl|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\.(?=[\s,)–-])"
    r"|(?<![^\W_])[^\W\d_]\.(?=\s?[^\W\d_])"
    r"|['’][sS](?![^\W_])"
    rf"|[{_UNSPACED}]"
    rf"|(?:(?![{_UNSPACED}])[^\W_])+(?:_+(?:(?![{_UNSPACED}])[^\W_])+)*"
    r"(?:['’](?![sS](?![^\W_]))[^\W\d_]+)*(?:\+\+|\#)?"
    r"|[^\w\s]|_"
)


@dataclass(frozen=True, slots=True)
class Token:
    """``text[start:end]``; ``lower`` is folded (case, accents, width), ``stem`` for matching,
    ``term`` for looking up in an index.
    """

    start: int
    end: int
    text: str
    lower: str
    stem: str
    term: str
    is_word: bool
    is_capital: bool

    @property
    def is_number(self) -> bool:
        return self.text[0].isdigit()


def tokenise(text: str) -> list[Token]:
    """Return the tokens of ``text`` in order.

    >>> [token.text for token in tokenise("Norr's St. Olav bridge cost 1,200.5 kr.")]
    ['Norr', "'s", 'St.', 'Olav', 'bridge', 'cost', '1,200.5', 'kr', '.']
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        surface = match[0]
        lower, stem, term, is_word, is_capital = _read(surface)
        if _is_unspaced(surface) and end < len(text) and _is_unspaced(text[end]):
            stem = term = text[start : end + 1]
        tokens.append(Token(start, end, surface, lower, stem, term, is_word, is_capital))
    return tokens


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Case, width and accents taken off: for comparing names as people type them.

    >>> fold("Dúgū"), fold("STRASSE") == fold("Straße")
    ('dugu', True)
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).replace("’", "'")


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The stem of one word, of an irregular verb that of its base; ``""`` for a stop word.

    >>> stem_of("sank") == stem_of("sink"), stem_of("Founders")
    (True, 'founder')
    """
    found = terms(base_of(word))
    return fold("".join(found)) if found else ""


def _is_unspaced(character: str) -> bool:
    return len(character) == 1 and re.match(rf"[{_UNSPACED}]", character) is not None


@lru_cache(maxsize=65536)
def _read(surface: str) -> tuple[str, str, str, bool, bool]:
    bare = surface.rstrip(".") or surface
    lower = fold(surface)
    if surface[0] in "'’" and len(surface) == 2:
        return "'s", "", "", False, False
    is_word = bare[0].isalnum()
    found = terms(bare) if is_word else []
    term = "".join(found)
    is_capital = is_word and any(character.isupper() for character in bare)
    stem = fold(term) if is_capital or not term else stem_of(bare)
    return lower, stem, term, is_word, is_capital
