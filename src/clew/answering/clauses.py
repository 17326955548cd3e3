"""Answers that are no name and no number: a reason, a way, a definition.

*Why* is answered by what stands behind "because", "due to", "in order to"; *how* by what stands
behind "by …ing", "using", "through", else by the sentence that covers the question; *what is X* by
what stands behind the "is a" of the sentence that defines X. What gives no reason answers no *why*.
"""

from __future__ import annotations

import re

from clew.answering.evidence import Sentence, cached_tokens
from clew.answering.study import Study
from clew.answering.support import Finding
from clew.answering.things import Subject
from clew.retrieval.question.lexicon import BE, HAVE
from clew.retrieval.question.records import Question, Slot

LEAST_HELD = 0.4

_REASON = re.compile(
    r"\b(?:because of|because|due to|owing to|as a result of|thanks to|in order to|so that|"
    r"since(?! \d)|"
    r"so as to|for fear of|on account of|in response to|after)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_PURPOSE = re.compile(r"\b(?P<rest>to (?!be\b)[a-z]+(?:e|[^aeiou\W])?\b.+)", re.DOTALL)
_WAY = re.compile(
    r"\b(?P<rest>(?:by (?:means of |way of )?\w+ing\b|using|through|via|with the help of|"
    r"by means of)\s.+|by (?:telephone|phone|e-?mail|mail|post|letter|fax|hand|car|bus|train|tram|"
    r"boat|ship|ferry|plane|air|sea|land|road|rail|bicycle|bike|horse|cheque|card|transfer)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_END = re.compile(
    r"[.;](?:\s|$)|,\s(?:and|but|which|who|while|although|whereas)\s"
    r"|\sand\s(?:is|are|was|were|has|have|had|can|may|must|will)\s"
)
_IS_A = re.compile(r"\b(?:is|was|are|were)\s+(?:an?|the|one of)\s|\b(?:means|stands for)\s")
_DEFINED = re.compile(
    r"\b(?:is|was|are|were|means|stands for|refers to|denotes)\s+(?P<rest>.+)",
    re.DOTALL,
)


def explain(study: Study) -> Finding | None:
    """Answer why, how, or what something is; None for other questions."""
    question = study.question
    if question.slot == Slot.WHY:
        return _from_best(study, (_REASON, _PURPOSE))
    if question.slot == Slot.HOW:
        return _from_best(study, (_WAY,))
    if asks_definition(question):
        return _define(study)
    return None


def asks_definition(question: Question) -> bool:
    """ "What is X?", "Who is Jane Roe?": a form of be, then the name, and nothing else."""
    if question.slot not in {Slot.WHAT, Slot.WHO} or not question.wh or question.times:
        return False
    words = question.text[question.wh_start :].casefold().split()
    if len(words) < 3 or words[1] not in BE:
        return False
    outside = [term for term in question.terms if not term.in_name]
    if question.names:
        return not outside
    is_thing = question.slot == Slot.WHAT and words[1] in {"is", "are"}
    return is_thing and 0 < len(outside) <= 2 and not question.relations


def _from_best(study: Study, patterns: tuple[re.Pattern[str], ...]) -> Finding | None:
    """The clause in the sentence that holds most of the question, or the one behind it."""
    ordered = _by_coverage(study)
    if not ordered or ordered[0][0] < LEAST_HELD:
        return None
    top = ordered[0][0]
    for pattern in patterns:
        for held, sentence in ordered[:4]:
            if held < top - 0.15:
                break
            match = pattern.search(sentence.text)
            if match and not _only_dates(study, match):
                text = _cut(match["rest"])
                if len(text.split()) > 1 or not text.islower():
                    return _finding(text, sentence, held, typed=True)
    if study.question.slot == Slot.WHY:
        return None
    return _finding(sentence_text(ordered[0][1]), ordered[0][1], 0.5 * top, typed=False)


def _only_dates(study: Study, match: re.Match[str]) -> bool:
    """Whether what is asked about stands itself in what would be its reason: "after three hours it
    turned black" tells when.
    """
    if not match[0].casefold().startswith(("after", "since")):
        return False
    asked = {term.stem for term in study.question.terms}
    said = asked & {token.stem for token in cached_tokens(match["rest"])}
    return len(said) >= max(2, len(asked) - 1)


def _by_coverage(study: Study) -> list[tuple[float, Sentence]]:
    matching = study.matching
    found = [(matching.share(matching.held(s)), s) for s in study.evidence.sentences]
    return sorted(found, key=lambda pair: (-round(pair[0], 4), pair[1].number))


def _define(study: Study) -> Finding | None:
    """What stands behind the copula of the sentence whose subject is the thing."""
    known = [anchor for anchor in study.anchors if anchor.is_known]
    if not known and study.question.names:
        return None
    best: tuple[float, Sentence, str] | None = None
    for sentence in study.evidence.sentences:
        share = study.matching.share(study.matching.held(sentence))
        if known:
            share *= Subject(study.directory, known[0].thing).strength(sentence)
        share *= 1.0 if _IS_A.search(sentence.text) else 0.7
        if share <= LEAST_HELD or (best is not None and share <= best[0] + 1e-6):
            continue
        text = _definition(study, sentence)
        if text:
            best = (share, sentence, text)
    return _finding(best[2], best[1], best[0], typed=True) if best else None


def _definition(study: Study, sentence: Sentence) -> str:
    places = [at for at, _, _ in study.matching.places(sentence)]
    tokens = sentence.tokens
    if places and min(places) > 3:
        return ""
    for at in range(min(places, default=0), len(tokens)):
        if tokens[at].lower in BE:
            match = _DEFINED.match(sentence.text, tokens[at].start)
            return _cut(match["rest"]) if match else ""
        if tokens[at].lower in HAVE:
            return ""
    return ""


def _cut(text: str) -> str:
    """Up to the end of the clause, on one line."""
    match = _END.search(text)
    return (text[: match.start()] if match else text).strip().rstrip(".!;,: ")


def _finding(text: str, sentence: Sentence, held: float, *, typed: bool) -> Finding:
    return Finding(
        text=text,
        method="clause",
        sentences=(sentence,),
        certainty=min(1.0, held),
        typed=typed,
        is_span=text in sentence.text,
    )


def sentence_text(sentence: Sentence) -> str:
    """The sentence without the stop at its end."""
    return sentence.text.strip().rstrip(".")
