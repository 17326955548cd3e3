"""A question that leans on what was said before, made whole.

In the order in which it is tried::

    "Where?"                     the last question with another question word
    "And Norr Bridge?"           the last question about another thing
    "And in 1931?"               the last question at another time
    "and her husband?"           a question for what is named, of the one that is meant
    "When was it built?"         the pronoun by what it means
    "Who owns that company?"     the same for a noun that points back

There may be more than one reading, the likeliest first. A question that leans on nothing has one
reading, itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.conversation.referents import (
    FEMALE,
    MALE,
    MANY,
    THING,
    Referent,
    fitting,
    kind_of_name,
)
from clew.retrieval.question import Slot, analyse_question

MOST_READINGS = 3

_AND = r"(?:(?:and|but|so|then)\b,?\s*)?"
_BARE_WH = re.compile(rf"{_AND}(when|where|why|how|who)\s*\?*", re.IGNORECASE)
_ABOUT = re.compile(r"(?:(?:and|but)\s+)?(?:what|how) about\s+(.+?)\s*\?*|(?:and|or)\s+(.+?)\s*\?*",
                    re.IGNORECASE)  # fmt: skip
_TIME = re.compile(
    r"(?:in|on|before|after|since|until|by|during)\s+(?:\w+\s+)*\d{3,4}s?"
    r"|now|today|currently|nowadays|(?:last|this) (?:year|month|week)",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?:his|her|its|their)\s+(.+)", re.IGNORECASE)
_PRONOUN = re.compile(
    rf"\b({'|'.join(sorted(MALE | FEMALE | MANY | (THING - {'there'})))})\b|\b(there)(?=\s*[?,]|$)",
    re.IGNORECASE,
)
_POSSESSIVE = frozenset({"his", "its", "their", "hers", "theirs"})
_NO_NOUN = frozenset(
    "in at on to with when where for from by and or as if after before about over under during "
    "since until then again also".split()
)
_NO_REFERENT = re.compile(
    r"\b(?:is|was|does|did|will)\s+it\s+(?:true|known|possible|likely|rain|snow|take|mean)\b|"
    r"\b(?:(?:is|are|was|were)\s+there|there\s+(?:is|are|was|were))\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(the|this|that|these|those)\s+([a-z]+)\b")
_OF_CLAUSE = re.compile(r"\b(?:the|an?|which|what|any|every|some)\s+\w+\s+$", re.IGNORECASE)
"""What "that" stands behind where it begins a clause: "the company that …"."""

_VERBS = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE
)
_PAST = re.compile(r"\w+(?:ed|t|n|d|k|g)\b")
_FOR_PERSONS = re.compile(
    r"\b(?:husband|wife|spouse|father|mother|parents?|son|daughter|child|children|brother|sister|"
    r"uncle|aunt|founders?|owners?|builders?|author|writer|director|composer|architect|teacher|"
    r"successor|predecessor|partner|boss|leader|head|president|chair\w*|ceo|designer|inventor)\b",
    re.IGNORECASE,
)
_FOR_TIMES = re.compile(r"\b(?:birthday|date|birth|death|opening|founding)\b", re.IGNORECASE)
_FOR_PLACES = re.compile(r"\b(?:birthplace|headquarters?|seat|location|home)\b", re.IGNORECASE)


def readings(
    question: str, last_question: str, turns: Sequence[tuple[Referent, ...]]
) -> tuple[str, ...]:
    """What ``question`` may ask, the likeliest first; ``last_question`` is the last one, whole, and
    ``turns`` are the things of the last turns, the newest last.
    """
    text = " ".join(question.split())
    if not last_question:
        return (text,)
    found = _elliptic(text, last_question, turns) or list(_resolved(text, turns))
    return tuple(dict.fromkeys([*found, text]))[:MOST_READINGS]


def _elliptic(text: str, last: str, turns: Sequence[tuple[Referent, ...]]) -> list[str]:
    bare = _BARE_WH.fullmatch(text)
    if bare:
        return [_asked_by(last, bare[1].capitalize())]
    about = _ABOUT.fullmatch(text)
    rest = (about[1] or about[2]) if about else text.rstrip("?. ")
    owned = _OWNED.fullmatch(rest)
    if owned and not _VERBS.search(rest):
        return [
            f"{_wh_for(owned[1])} {one.name}'s {owned[1]}?"
            for one in fitting(turns, rest.split()[0].lower())
        ]
    if not about or _VERBS.search(rest) or analyse_question(rest).wh:
        return []
    if _TIME.fullmatch(rest):
        return [_at_time(last, rest)]
    return list(_about_another(last, rest, turns))


def _asked_by(last: str, wh: str) -> str:
    """The last question with another question word; "Who built X?" becomes "When was X built?"."""
    asked = analyse_question(last)
    body = last.rstrip("?. ")
    words = body.split()
    if asked.slot == Slot.WHO and len(words) > 2 and not _VERBS.fullmatch(words[1]):
        if _PAST.fullmatch(words[1]) and wh != "Who":
            return f"{wh} was {' '.join(words[2:])} {words[1]}?"
        return f"{wh} {' '.join(words[1:])}?"
    at = next((i for i, word in enumerate(words) if _VERBS.fullmatch(word)), -1)
    return f"{wh} {' '.join(words[at:])}?" if at >= 0 else f"{wh} {body}?"


def _wh_for(noun: str) -> str:
    if _FOR_PERSONS.search(noun):
        return "Who was"
    if _FOR_TIMES.search(noun):
        return "When was"
    return "Where is" if _FOR_PLACES.search(noun) else "What is"


def _at_time(last: str, time: str) -> str:
    times = analyse_question(last).times
    body = last.rstrip("?. ")
    for one in times:
        start = re.search(r"(?:\b(?:in|on|before|after|since|until|by|during)\s+)?$",
                          body[: one.start])  # fmt: skip
        at = start.start() if start else one.start
        return f"{body[:at]}{time}{body[one.end :]}?"
    return f"{body} {time}?"


def _about_another(last: str, thing: str, turns: Sequence[tuple[Referent, ...]]) -> Iterator[str]:
    """The last question with a name of it replaced, the last name first; one of the same kind is
    replaced before others.
    """
    thing = next((name for name in _pointed_at(thing, turns)), thing)
    kind, _ = kind_of_name(thing)
    names = [name for name in reversed(analyse_question(last).names)
             if not name.text[:1].isdigit()]  # fmt: skip
    names.sort(key=lambda name: bool(kind) and kind_of_name(name.text)[0] != kind)
    for name in names:
        yield last[: name.start] + thing + last[name.end :]


def _pointed_at(thing: str, turns: Sequence[tuple[Referent, ...]]) -> Iterator[str]:
    pointing = _POINTING.fullmatch(thing)
    if pointing:
        yield from _named_by(pointing[1], pointing[2], turns)


def _resolved(text: str, turns: Sequence[tuple[Referent, ...]]) -> Iterator[str]:
    """Each group of pronouns by what it may mean; only the first pronoun has several readings."""
    barred = [match.span() for match in _NO_REFERENT.finditer(text)]
    spans = [
        match
        for match in _PRONOUN.finditer(text)
        if not any(start <= match.start() < end for start, end in barred)
        and not _has_own(text, match)
    ]
    if spans:
        yield from _by_pronouns(text, spans, turns)
        return
    for match in _POINTING.finditer(text):
        if _OF_CLAUSE.search(text[: match.start()]):
            continue
        names = _named_by(match[1], match[2], turns)
        yield from (_put(text, [(match.start(), match.end(), name)]) for name in names)
        if names:
            return


def _by_pronouns(
    text: str, matches: Sequence[re.Match[str]], turns: Sequence[tuple[Referent, ...]]
) -> Iterator[str]:
    first = fitting(turns, matches[0][0].lower())
    for meant in first:
        chosen = {_group(matches[0][0]): meant.name}
        places = [(matches[0], meant.name)]
        for match in matches[1:]:
            group = _group(match[0])
            if group in chosen:  # "how old was she when she died": once said, it is plain
                continue
            others = [one.name for one in fitting(turns, match[0].lower())
                      if one.name not in chosen.values()]  # fmt: skip
            if others:
                chosen[group] = others[0]
                places.append((match, others[0]))
        yield _put(text, [(m.start(), m.end(), _form(text, m, name)) for m, name in places])


def _has_own(text: str, match: re.Match[str]) -> bool:
    """Whether a name before the pronoun, in the same question, is what it means."""
    pronoun = match[0].lower()
    for name in analyse_question(text).names:
        kind, gender = kind_of_name(name.text)
        if name.end <= match.start() and Referent(name=name.text, kind=kind, gender=gender).may_be(
            pronoun
        ):
            return True
    return False


def _group(pronoun: str) -> str:
    groups = {"m": MALE, "f": FEMALE, "it": THING, "they": MANY}
    return next(name for name, words in groups.items() if pronoun.lower() in words)


def _form(text: str, match: re.Match[str], name: str) -> str:
    """The name as the pronoun stands: "her" before a noun is a possessive."""
    pronoun = match[0].lower()
    following = re.match(r"\s+([^\W\d_]+)", text[match.end() :])
    owns = pronoun in _POSSESSIVE or (
        pronoun == "her" and following is not None and following[1].lower() not in _NO_NOUN
    )
    if pronoun == "there":
        return f"in {name}"
    return f"{name}'s" if owns else name


def _named_by(determiner: str, noun: str, turns: Sequence[tuple[Referent, ...]]) -> Sequence[str]:
    """What "the bridge" or "that company" points back to: a thing whose name has the word, or that
    was asked for by it; "that …" also anything that is no person.
    """
    every = [one for referents in reversed(turns) for one in referents]
    for one in every:
        words = [word.casefold() for word in one.name.split()]
        if (len(words) > 1 and noun in words) or (one.focus and one.focus.casefold() == noun):
            return [one.name]
    if determiner in {"this", "that"}:
        answers = [one.name for one in every if one.is_answer and one.kind != "person"]
        return answers[:1]
    return []


def _put(text: str, places: Sequence[tuple[int, int, str]]) -> str:
    for start, end, name in reversed(places):
        text = text[:start] + name + text[end:]
    return text
