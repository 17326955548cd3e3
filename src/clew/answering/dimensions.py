"""Which units answer which measure: metres for a height, crowns for a price, years for an age."""

from __future__ import annotations

from functools import lru_cache

from clew.answering.candidates import Candidate, Form
from clew.answering.degrees import adjectives_in
from clew.answering.lexicon.things import CURRENCY_MARKS
from clew.answering.noun_phrases import is_noun_like
from clew.retrieval.question.lexicon import TIMES_WORDS
from clew.retrieval.question.records import Question, Slot
from clew.retrieval.question.tokens import tokenise

_LENGTH = frozenset(
    "m km cm mm metre metres meter meters kilometre kilometres kilometer kilometers mile "
    "miles foot feet ft inch inches yard yards".split()
)
_TIME = frozenset(
    "second seconds minute minutes hour hours day days week weeks month months year years "
    "decade decades century centuries".split()
)
_WEIGHT = frozenset(
    "kg g gram grams kilogram kilograms tonne tonnes ton tons pound pounds lb lbs ounce "
    "ounces".split()
)
_AREA = frozenset("acre acres hectare hectares".split())
_MONEY = frozenset(
    "euro euros dollar dollars crown crowns kroner kr usd eur gbp yen rupees cents pound "
    "pounds".split()
)
_HEAT = frozenset("degrees celsius fahrenheit °".split())
_OFTEN = frozenset(
    "daily weekly monthly yearly annually hourly nightly fortnightly every times a an per "
    "each".split()
) | frozenset(TIMES_WORDS)
_SPEED = frozenset("km/h mph kmh knots km kilometres miles metres".split())
_KNOWN = _LENGTH | _TIME | _WEIGHT | _AREA | _MONEY | _HEAT

_WANTED = {
    "long": _LENGTH | _TIME,
    "tall": _LENGTH,
    "high": _LENGTH,
    "far": _LENGTH | _TIME,
    "wide": _LENGTH,
    "broad": _LENGTH,
    "deep": _LENGTH,
    "thick": _LENGTH,
    "short": _LENGTH | _TIME,
    "old": _TIME,
    "heavy": _WEIGHT,
    "often": _OFTEN,
    "hot": _HEAT,
    "cold": _HEAT,
    "fast": _SPEED | _TIME,
    "large": _AREA | _LENGTH,
    "big": _AREA | _LENGTH,
}
_SAME = ({"tall", "high"}, {"wide", "broad", "thick"}, {"long", "far"}, {"large", "big"})
_MEASURING = frozenset("long tall high wide broad deep thick old".split())
PEOPLED = frozenset("population inhabitants".split())
_FEW_DIGITS = 2
_PRICED = frozenset("cost costs price pay paid worth spend spent charge".split())
_EARNED = frozenset(
    "charged raise raised earn earned donate donated collect collected owe owed".split()
)


def dimension_fit(candidate: Candidate, question: Question) -> float:
    """+1 for a unit of the measure asked for, −1 for another unit, 0 where nothing tells."""
    wanted = _wanted(question)
    if question.focus in PEOPLED:
        return -0.6 if is_few(candidate) else 0.0
    if not wanted:
        return 0.0
    words = {token.lower for token in tokenise(candidate.text)}
    words |= {mark for mark in CURRENCY_MARKS if mark in candidate.text}
    if words & wanted:
        return -1.0 if _measures_another(candidate, question) else 1.0
    if words & {"nothing", "free"}:
        return 0.7 if wanted is _PAID else -1.0
    counts = is_noun_like(candidate.sentence.tokens, candidate.last)
    if words & (_KNOWN - wanted) or counts or wanted in {_OFTEN, _PAID}:
        return -1.0
    return -0.2


def _measures_another(candidate: Candidate, question: Question) -> bool:
    """ "41 metres tall" for "how wide": the word behind says what is measured."""
    if question.slot != Slot.MEASURE:
        return False
    asked = tokenise(question.text[max(question.wh_start, 0) :])[1].lower
    behind = [token.lower for token in candidate.sentence.tokens[candidate.last :][:1]]
    same = next((group for group in _SAME if asked in group), {asked})
    return bool(behind) and behind[0] in _MEASURING and behind[0] not in same


def is_duration(candidate: Candidate) -> bool:
    """ "Ten years": a number with a unit of time."""
    return candidate.form == Form.QUANTITY and candidate.text.casefold().split()[-1] in _TIME


def is_few(candidate: Candidate) -> bool:
    """A number of two digits: beside others it is a rank or a share before it is a population."""
    text = candidate.text
    return candidate.form == Form.NUMBER and text.isdigit() and len(text) <= _FEW_DIGITS


def asks_price(question: Question) -> bool:
    """Whether the question wants what something costs."""
    return _wanted(question) is _PAID and not _EARNED & set(_words(question))


_PAID = _MONEY | CURRENCY_MARKS


def _words(question: Question) -> list[str]:
    return [token.lower for token in tokenise(question.text[max(question.wh_start, 0) :])]


@lru_cache(maxsize=64)
def _wanted(question: Question) -> frozenset[str]:
    words = _words(question)
    if question.slot not in {Slot.MEASURE, Slot.HOW_MUCH, Slot.WHAT, Slot.COMPARISON}:
        return frozenset()
    if question.slot == Slot.MEASURE:
        return _WANTED.get(words[1], frozenset()) if len(words) > 1 else frozenset()
    for adjective in adjectives_in(words) if question.slot == Slot.COMPARISON else ():
        if adjective in _WANTED:
            return _WANTED[adjective]
    asks = question.slot == Slot.HOW_MUCH and bool(set(words) & _EARNED)
    is_price = bool(set(words) & _PRICED or asks) and question.focus in {"", *_PRICED}
    return _PAID if is_price or "money" in words else frozenset()
