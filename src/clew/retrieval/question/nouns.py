"""Names where all nouns are written with a capital: the runs of capitals without the nouns."""

from __future__ import annotations

from collections.abc import Sequence

from clew.retrieval.question.languages import Language
from clew.retrieval.question.names import CONNECTORS
from clew.retrieval.question.tokens import Token
from clew.retrieval.question.wh import noun_types, singular

_LEAST_NOUN = 6
_LEAST_COMPOUND = 8


def without_nouns(
    tokens: Sequence[Token], run: tuple[int, int], lang: Language
) -> list[tuple[int, int]]:
    """The parts of a run of capitals that are names.

    "Bürgermeister von Brack" holds the name Brack, "Hotel Möwe" is one, "Turm der Stadt" none. The
    run is cut at its small words, except inside "Ludwig van Beethoven".
    """
    return [part for part in _parts(tokens, run, lang) if not _is_common(tokens, part, lang)]


def _parts(tokens: Sequence[Token], run: tuple[int, int], lang: Language) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    first = run[0]
    for at in range(run[0], run[1]):
        word = tokens[at].lower
        is_small = word in CONNECTORS and not tokens[at].is_capital
        cuts = is_small and (word in lang.determiners or _is_noun(tokens[at - 1], lang))
        if cuts or (word in lang.appositions and at + 1 < run[1]):
            parts.append((first, at))
            first = at + 1
    parts.append((first, run[1]))
    return [(a, b) for a, b in parts if a < b and tokens[a].is_capital]


def _is_common(tokens: Sequence[Token], part: tuple[int, int], lang: Language) -> bool:
    first, end = part
    if end - first > 1:
        return all(_is_noun(token, lang) for token in tokens[first:end] if token.is_word)
    token = tokens[first]
    if _is_noun(token, lang):
        return True
    before = tokens[first - 1] if first else None
    return before is not None and (
        before.lower in lang.determiners | lang.many | lang.much | _JOINED_ARTICLES
        or before.lower in lang.number_words
        or before.is_number
        or _is_adjective(before, lang)
    )


_JOINED_ARTICLES = frozenset("zum zur vom beim ins ans".split())


def _is_adjective(token: Token, lang: Language) -> bool:
    """ "im frühen Mittelalter": an inflected small-letter word before a noun."""
    is_content = token.is_word and not token.is_capital and token.lower not in lang.function_words
    return (
        is_content
        and token.lower.endswith(("en", "er", "es", "em"))
        and (token.lower in lang.order_words)
    )


def _is_noun(token: Token, lang: Language) -> bool:
    word = token.lower
    if "-" in word or not token.is_capital:
        return False
    forms = {word, singular(word, lang), word.removesuffix("s"), word.removesuffix("es")}
    known = lang.common_nouns | lang.appositions
    if any(form in known or form in lang.noun_types for form in forms):
        return True
    if any(form in lang.relation_words for form in forms):
        return True
    has_ending = word.endswith(lang.noun_endings) and len(word) > _LEAST_NOUN
    return has_ending or bool(len(word) > _LEAST_COMPOUND and noun_types(word, lang))
