"""Where and when somebody was born, died, was buried: what the clause itself says.

"Ola Roe died of fever in a hospital near Lund, Sweden, on 3 May 1901, while his son …" says that it
was near Lund, and on that day; the son has no part in it. The complements of the verb are read one
after the other up to the end of the clause; what stands behind that is another statement. "He moved
to Lund, where he died" and "(born Lund, 3 May 1901; died Oslo)" are read too.
"""

from __future__ import annotations

from dataclasses import dataclass

from clew.answering.evidence import Sentence
from clew.answering.frames import is_verb
from clew.answering.lexicon.places import demonyms, known_places
from clew.answering.parties import Party, back_over, runs_of, subject_before
from clew.graph.given_names import is_given_name
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.lexicon import AUXILIARIES, BE, DETERMINERS, PERSONAL_PRONOUNS
from clew.retrieval.question.tokens import Token

_WORDS = {
    "birth": frozenset({"born"}),
    "death": frozenset(
        "died dies dying killed murdered assassinated executed perished drowned hanged beheaded "
        "shot death passed".split()
    ),
    "burial": frozenset("buried interred entombed laid burial".split()),
}
OCCASIONS = frozenset(_WORDS)
_NEEDS = {"passed": ("away",), "laid": ("to", "rest")}
_PLACE_LEADS = frozenset("in at near on outside off around".split())
_THROUGH = frozenset("of from by during after with for into as while when to".split())
_ENDS = frozenset("while when who which that whose where but because before although".split())
_AGAIN = frozenset("known raised bred grew brought up educated buried died".split())
_CHILDREN = frozenset("son daughter child".split())
_REACH = 26
_WHERE_REACH = 9
_NEARER = frozenset(
    "nearby downtown central north south east west northern southern eastern western rural old "
    "modern present day upper lower inner outer greater neighbouring neighboring".split()
)
_REGION = ", region"


@dataclass(frozen=True, slots=True)
class Occasion:
    """``at`` is the word that says it; ``whose`` the one it happened to; ``places`` and ``dates``
    are ranges of tokens, in the order of the words.
    """

    kind: str
    at: int
    whose: Party
    places: tuple[tuple[int, int], ...] = ()
    dates: tuple[tuple[int, int], ...] = ()

    @property
    def is_told(self) -> bool:
        """Whether the clause says where or when."""
        return bool(self.places or self.dates)


def occasions_in(sentence: Sentence) -> tuple[Occasion, ...]:
    """Births, deaths and burials that the sentence states, in the order of its words."""
    found = []
    for at, token in enumerate(sentence.tokens):
        for kind, words in _WORDS.items():
            if token.lower in words and not (token.is_capital and at) and _is_meant(sentence, at):
                found.append(_read(sentence, kind, at))
    return tuple(found)


def _is_meant(sentence: Sentence, at: int) -> bool:
    tokens = sentence.tokens
    word = tokens[at].lower
    needed = _NEEDS.get(word, ())
    if needed and tuple(t.lower for t in tokens[at + 1 : at + 1 + len(needed)]) != needed:
        return False
    if word == "death":
        return _is_own_death(tokens, at)
    if word == "born" and at + 1 < len(tokens) and tokens[at + 1].lower in _CHILDREN:
        return False
    if word in {"killed", "shot", "executed", "murdered"} and not _is_passive(tokens, at):
        return False
    return not (at > 1 and tokens[at - 1].text == "-")


def _is_own_death(tokens: tuple[Token, ...], at: int) -> bool:
    """ "his death in Rome": the noun says when and where only directly behind it."""
    lead = back_over(tokens, at)
    return lead >= 0 and tokens[lead].lower in {"his", "her", "'s"}


def _is_passive(tokens: tuple[Token, ...], at: int) -> bool:
    return any(token.lower in BE for token in tokens[max(0, at - 3) : at])


def _read(sentence: Sentence, kind: str, at: int) -> Occasion:
    places, dates = _complements(sentence, at)
    if not places and (before := _where_before(sentence, at)):
        places = [before]
    return Occasion(kind, at, _whose(sentence, at), tuple(places), tuple(dates))


def _whose(sentence: Sentence, at: int) -> Party:
    tokens = sentence.tokens
    word = tokens[at].lower
    if word == "death":
        lead = back_over(tokens, at)
        if tokens[lead].lower == "'s":
            return next((run for run in runs_of(sentence) if run[1] == lead), None)
        return subject_before(sentence, lead)
    if at == 0:
        return _opened(sentence)
    place = at - 1
    while place > 0 and (
        tokens[place].lower in AUXILIARIES
        or tokens[place].lower.endswith("ly")
        or tokens[place].lower in {"later", "also", "then", "and", ",", "had", "first"}
    ):
        place -= 1
    noun = tokens[place]
    if _is_other(tokens, place) or noun.lower in {"they", "it"}:
        return (place, place + 1)
    return subject_before(sentence, at)


def _opened(sentence: Sentence) -> Party:
    """ "Born in Spokane, Washington, Ola Roe was …": the name that the sentence goes on with."""
    tokens = sentence.tokens
    for first, end in runs_of(sentence):
        behind = tokens[end].text if end < len(tokens) else ","
        if first > 1 and tokens[first - 1].text == "," and behind not in {",", "(", "."}:
            return first, end
    return None


def _is_other(tokens: tuple[Token, ...], at: int) -> bool:
    """ "his FATHER died": a noun with its own determiner is the subject."""
    if tokens[at].is_capital or not tokens[at].is_word or not tokens[at].stem:
        return False
    before = tokens[at - 1].lower if at else ""
    return before in DETERMINERS | {"'s", "elder", "older", "younger", "eldest", "first", "second"}


def _complements(
    sentence: Sentence, at: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The places and dates behind the word, up to the end of its clause."""
    tokens = sentence.tokens
    runs = dict(runs_of(sentence))
    dated = _date_ranges(sentence)
    places: list[tuple[int, int]] = []
    dates: list[tuple[int, int]] = []
    place = at + 1
    lead = "born" if tokens[at].lower == "born" else ""
    opened = _opened(sentence) if at == 0 else None
    end_at = opened[0] if opened else len(tokens)
    while place < min(end_at, at + _REACH):
        token = tokens[place]
        if place in dated:
            dates.append((place, dated[place]))
            place = dated[place]
            lead = ""
        elif place in runs:
            end = runs[place]
            if _is_place(tokens, place, end, lead) and not _owns(tokens, end):
                places.append((place, end))
            place = end
            lead = _REGION if places and places[-1][1] == end else ""
        elif _is_end(tokens, place, at, found=bool(places or dates)) or (
            is_verb(token) and token.lower not in _AGAIN and not token.lower.endswith("ed")
        ):
            break
        else:
            if token.lower in _PLACE_LEADS or token.lower in _THROUGH:
                lead = token.lower
            elif token.text == "," and lead != _REGION:
                lead = "," if place - 1 in {end - 1 for _, end in dates} else "born"
            elif token.text in ")–":
                break
            elif token.stem and token.lower not in _NEARER and lead in _PLACE_LEADS:
                lead = ""
            place += 1
    return places, dates


def _is_end(tokens: tuple[Token, ...], place: int, at: int, *, found: bool) -> bool:
    """Whether the clause of the word at ``at`` ends at ``place``."""
    word = tokens[place].lower
    following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    if word in {"he", "she", "they"}:
        return True
    if word == "that":
        return following not in {"year", "month", "day", "same"}
    if word == "," and tokens[at].lower == "death":
        return not found or following not in _PLACE_LEADS
    return word in _ENDS or word in {";", "."} or (word == "and" and not _goes_on(tokens, place))


def _goes_on(tokens: tuple[Token, ...], at: int) -> bool:
    """ "born and raised in", "died and was buried in", "on the 3rd and in Lund"."""
    following = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    return following in {"raised", "brought", "bred", "grew"}


def _is_place(tokens: tuple[Token, ...], first: int, end: int, lead: str) -> bool:
    """Whether a name behind ``lead`` is where it happened: not whose child one is, nor of what."""
    words = " ".join(token.lower for token in tokens[first:end])
    if words in demonyms():
        return False
    if lead in _PLACE_LEADS:
        return True
    if lead in {",", "", "born", _REGION}:
        known = words in known_places() or words.rpartition(", ")[2] in known_places()
        follows_place = lead in {",", _REGION} and not is_given_name(tokens[first].lower)
        return known or follows_place
    return lead == "of" and first > 2 and tokens[first - 2].lower in _PARTS


_PARTS = frozenset(
    "city town village district suburb parish county province region borough hamlet "
    "municipality island state neighborhood neighbourhood area".split()
)


def _owns(tokens: tuple[Token, ...], end: int) -> bool:
    return end < len(tokens) and tokens[end].lower == "'s"


def _date_ranges(sentence: Sentence) -> dict[int, int]:
    found = {}
    for span in find_dates(sentence.text):
        inside = [
            at
            for at, t in enumerate(sentence.tokens)
            if span.start <= t.start and t.end <= span.end
        ]
        if inside:
            found[inside[0]] = inside[-1] + 1
    return found


def _where_before(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """ "moved to Lund, where he died": the place before "where"."""
    tokens = sentence.tokens
    for place in range(at - 1, max(-1, at - _WHERE_REACH), -1):
        if tokens[place].lower != "where":
            continue
        before = [run for run in runs_of(sentence) if run[1] <= place]
        subject = tokens[place + 1].lower
        if before and (subject in PERSONAL_PRONOUNS or subject in AUXILIARIES or place == at - 1):
            return before[-1]
    return None
