"""Where a name goes on behind its run of capitals: "Hank Williams, Jr.", "Emich, 7th Prince of
Leiningen", "Canton, Massachusetts", "Norr Film Award for Best Director".

Each function takes the token behind the run and returns the end of the longer name; 0 when the name
does not go on.
"""

from __future__ import annotations

from clew.answering.lexicon.people import RANKS, SUFFIXES
from clew.answering.lexicon.places import countries, regions
from clew.retrieval.question.tokens import Token


def end_with_suffix(tokens: tuple[Token, ...], last: int) -> int:
    """The end of "Hank Williams, Jr." and of "Eddie "The Eagle" Edwards"; 0 when there is none."""
    if last + 1 >= len(tokens):
        return 0
    if tokens[last].text == "," and tokens[last + 1].lower in SUFFIXES:
        return last + 2
    if tokens[last].text == ",":
        return _with_rank(tokens, last + 1)
    return _with_nickname(tokens, last) if tokens[last].text in '"“' else 0


def _with_nickname(tokens: tuple[Token, ...], opening: int) -> int:
    """The end of a name that goes on behind a nickname in quotation marks; 0 when it does not."""
    for at in range(opening + 1, min(opening + 6, len(tokens) - 1)):
        if tokens[at].text in '"”':
            return at + 2 if at > opening + 1 and tokens[at + 1].is_capital else 0
        if not tokens[at].is_word:
            return 0
    return 0


def end_with_category(tokens: tuple[Token, ...], first: int, last: int) -> int:
    """The end of "Norr Film Award for Best Director", "Orm Prize in Physics"; 0 for no award."""
    if last + 1 >= len(tokens) or tokens[last].lower not in {"for", "in"}:
        return 0
    if not {token.lower for token in tokens[first:last]} & _AWARDS:
        return 0
    end = last + 1
    while end < len(tokens) and (
        tokens[end].is_capital
        or (tokens[end].lower in {"of", "in", "or", "and", "a", "the", "-"} and end > last + 1)
    ):
        end += 1
    while end > last + 1 and not tokens[end - 1].is_capital:
        end -= 1
    return end if end > last + 1 else 0


_AWARDS = frozenset("award awards prize medal".split())
_RANKED = frozenset("crown grand hereditary dowager electoral".split())


def _with_rank(tokens: tuple[Token, ...], at: int) -> int:
    """The end of ", Duke of Bavaria", ", 2nd Baronet", ", 4th Earl of Kent"; 0 for another tail."""
    if (tokens[at].is_number or tokens[at].lower in _RANKED) and at + 1 < len(tokens):
        at += 1
    if tokens[at].lower not in RANKS or not tokens[at].is_capital:
        return 0
    end = at + 1
    while end < len(tokens) and (
        tokens[end].is_capital
        or (tokens[end].lower in {"of", "the"} and end + 1 < len(tokens))
        or (tokens[end].text == "-" and tokens[end].start == tokens[end - 1].end)
    ):
        end += 1
    while tokens[end - 1].lower in {"of", "the"}:
        end -= 1
    return end


def end_with_region(tokens: tuple[Token, ...], last: int) -> int:
    """The end of "City, Region"; 0 when no state or province (or unknown part) follows a comma."""
    if last + 1 >= len(tokens) or tokens[last].text != "," or not tokens[last + 1].is_capital:
        return 0
    for end in range(min(last + 4, len(tokens)), last + 1, -1):
        if " ".join(token.lower for token in tokens[last + 1 : end]) in regions():
            return end
    if tokens[last + 1].lower in countries():
        return last + 2
    return 0
