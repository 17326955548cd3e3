"""Answers of several members: the whole enumeration, the items of a list, or their count."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.answering import weights
from clew.answering.candidates import Candidate, Form
from clew.answering.evidence import Sentence, cached_tokens
from clew.answering.frames import is_verb
from clew.answering.ranking import Ranked, Ranker
from clew.answering.spans import support_of
from clew.answering.study import Study
from clew.answering.support import Finding, distinct
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.tokens import stem_of

_JOINTS = frozenset({",", "and", "&", "or", ";", "as", "well", "the", "a", "an"})
_LEAST_LEAD = 0.35


def enumerate_members(study: Study, ranker: Ranker) -> Finding | None:
    """All members, for a question that asks for several; None when only one is found."""
    if study.question.slot != Slot.LIST:
        return None
    found = members(study, ranker)
    if found is None or len(found[0]) < 2:
        return None
    texts, sentences, span = found
    return Finding(
        text=span or ", ".join(texts),
        method="list",
        sentences=sentences,
        certainty=0.8,
        is_span=bool(span),
        trace={"members": texts},
    )


def count_members(study: Study, ranker: Ranker) -> Finding | None:
    """How many are listed, where no sentence states the number."""
    if study.question.slot != Slot.HOW_MANY or _is_stated(study, ranker):
        return None
    found = members(study, ranker)
    if found is None or len(found[0]) < 2:
        return None
    texts, sentences, _ = found
    return Finding(
        text=str(len(texts)),
        method="count",
        sentences=sentences,
        certainty=0.7,
        is_span=False,
        trace={"members": texts},
    )


def several_doers(study: Study, ranker: Ranker) -> Finding | None:
    """ "Who wrote it?", where the text says "by A and B": both, though one was asked for."""
    question = study.question
    if question.slot not in {Slot.WHO, Slot.WHOM} or question.focus or not ranker.ranked:
        return None
    top = ranker.ranked[0]
    run = run_of(study, top.candidate)
    if len(run) < 2 or not _is_by(run[0]) or not all(_is_doer(c) for c in run):
        return None
    sentence = top.candidate.sentence
    return Finding(
        text=sentence.text[run[0].start : run[-1].end],
        method="list",
        sentences=support_of(study, top.candidate),
        certainty=top.share,
        candidate=top.candidate,
        trace={"members": [c.text for c in run]},
    )


def _is_by(candidate: Candidate) -> bool:
    """ "By Ola", "by the brothers Ola and Per"."""
    tokens = candidate.sentence.tokens
    at = candidate.first - 1
    while at > max(0, candidate.first - _LONGEST_TITLE) and not tokens[at].is_capital:
        if tokens[at].lower == "by" or is_verb(tokens[at]):
            break
        at -= 1
    return at >= 0 and tokens[at].lower == "by"


def _is_doer(candidate: Candidate) -> bool:
    return max(candidate.kinds.get(kind, 0.0) for kind in (AnswerType.PERSON, AnswerType.ORG)) > 0


def members(study: Study, ranker: Ranker) -> tuple[list[str], tuple[Sentence, ...], str] | None:
    """(texts, sentences, the span that holds all, if one does)."""
    items = _list_items(study)
    if items:
        return [_item_text(s) for s in items], tuple(items), ""
    counts = study.question.slot == Slot.HOW_MANY
    run = _counted_run(study) if counts else _best_run(study, ranker) or _counted_run(study)
    if run:
        sentence = run[0].sentence
        span = sentence.text[run[0].start : run[-1].end]
        return [c.text for c in run], (sentence,), span
    return _said_members(study) or _spread(study, ranker)


def _is_stated(study: Study, ranker: Ranker) -> bool:
    """Whether the counted noun stands behind a number, or the best answer is a clear number."""
    focus = stem_of(study.question.focus) if study.question.focus else ""
    for item in ranker.ranked[:20]:
        candidate = item.candidate
        if AnswerType.NUMBER not in candidate.kinds or candidate.form not in {
            Form.NUMBER,
            Form.QUANTITY,
        }:
            continue
        near = candidate.sentence.tokens[candidate.first : candidate.last + 3]
        if any(token.stem == focus for token in near):
            held = study.matching.share(study.matching.held(candidate.sentence))
            if held >= _LEAST_LEAD:
                return True
    return False


def _list_items(study: Study) -> list[Sentence]:
    """Items of one list whose lead-in, heading or title speaks of what is asked."""
    groups: dict[tuple[int, str], list[Sentence]] = {}
    for sentence in study.evidence.sentences:
        lead = sentence.context.strip()
        if lead and "|" not in lead and len(sentence.tokens) <= 25 and _is_item(study, sentence):
            groups.setdefault((sentence.passage, lead), []).append(sentence)
    best: tuple[float, list[Sentence]] = (0.0, [])
    for (_, lead), group in sorted(groups.items(), key=lambda item: item[1][0].number):
        if len(group) < 2:
            continue
        share = _lead_share(study, lead, group[0])
        if share > best[0]:
            best = (share, group)
    return best[1] if best[0] >= max(_LEAST_LEAD, _best_sentence(study) * 0.8) else []


def _is_item(study: Study, sentence: Sentence) -> bool:
    """An item of a list, not a sentence that leans on the one before it."""
    passage = study.evidence.passage_of(sentence)
    parts = [s for s in passage.sentences if s.unit_id and s.unit_id == sentence.unit_id]
    if parts and parts[0] is not sentence:
        return False
    before = passage.item.content[: sentence.start - passage.item.start].rstrip(" \t")
    return (
        before.endswith(("-", "*", "+", "•", "–", ".", ")"))
        and "\n" in ("\n" + before[-12:])
        and not sentence.leans
    )


def _lead_share(study: Study, lead: str, item: Sentence) -> float:
    words = {t.stem for t in cached_tokens(f"{lead} {item.topic}") if t.stem}
    return float(
        sum(
            weight
            for term, weight in zip(study.matching.terms, study.matching.weights, strict=True)
            if term.stem in words or term.alternatives & words
        )
    )


def _best_sentence(study: Study) -> float:
    shares = [study.matching.share(study.matching.said(s)) for s in study.evidence.sentences]
    return max(shares, default=0.0)


def _item_text(sentence: Sentence) -> str:
    """The name that an item begins with, else the whole item."""
    head = sentence.text.strip()
    for mark in (": ", " – ", " — ", " - ", " ("):
        if mark in head:
            head = head.partition(mark)[0]
    return head.rstrip(".,; ")


def _counted_run(study: Study) -> list[Candidate]:
    """The longest enumeration of names in the sentence that says most of the question."""
    matching = study.matching
    best: tuple[float, int, list[Candidate]] = (_LEAST_LEAD, 0, [])
    for sentence in study.evidence.sentences:
        held = matching.share(matching.held(sentence))
        if held < best[0] - 1e-9:
            continue
        for candidate in study.hopper.candidates(sentence):
            if candidate.form in {Form.NAME, Form.QUOTED}:
                run = run_of(study, candidate)
                if len(run) > 1 and (held, len(run)) > best[:2]:
                    best = (held, len(run), run)
    return best[2]


_LONGEST_TITLE = 4
_LISTED = re.compile(
    r"\b(?:are|is|were|was|includes?|included|including|namely|such as)\b:?\s+"
    r"(?P<rest>[^.;:]*(?:,|\band\b)[^.;:]*)|:\s+(?P<after>[^.;:]*(?:,|\band\b)[^.;:]*)"
)
_PARTS = re.compile(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
_LONGEST_PART = 9


def _said_members(study: Study) -> tuple[list[str], tuple[Sentence, ...], str] | None:
    """Phrases parted by commas behind "are", "include" or a colon, in the best sentence."""
    matching = study.matching
    ordered = sorted(
        study.evidence.sentences,
        key=lambda s: (-round(matching.share(matching.held(s)), 4), s.number),
    )
    for sentence in ordered[:1]:
        match = _LISTED.search(sentence.text)
        if match is None or matching.share(matching.held(sentence)) < _LEAST_LEAD:
            return None
        span = (match["rest"] or match["after"]).strip()
        parts = [part.strip() for part in _PARTS.split(span) if part.strip()]
        if len(parts) > 1 and all(len(part.split()) <= _LONGEST_PART for part in parts):
            return parts, (sentence,), span
    return None


def _best_run(study: Study, ranker: Ranker) -> list[Candidate]:
    """The enumeration that the best candidate belongs to."""
    for item in ranker.ranked[:3]:
        run = run_of(study, item.candidate)
        if len(run) > 1:
            return run
    return []


def run_of(study: Study, candidate: Candidate) -> list[Candidate]:
    """Candidates joined to this one by commas and "and", whole spans only, in order."""
    near = study.hopper.candidates(candidate.sentence)
    every = [c for c in near if _alike(c, candidate) and not _is_of(c)]
    whole = [
        c
        for c in every
        if not any(
            o is not c
            and o.first <= c.first
            and c.last <= o.last
            and o.last - o.first > c.last - c.first
            for o in every
        )
    ]
    around = [c for c in whole if c.first <= candidate.first and candidate.last <= c.last]
    if not around:
        return []
    ordered = sorted(whole, key=lambda c: c.first)
    at = ordered.index(around[0])
    run = [ordered[at]]
    for other in ordered[at + 1 :]:
        if not _joined(run[-1], other):
            break
        run.append(other)
    for other in reversed(ordered[:at]):
        if not _joined(other, run[0]):
            break
        run.insert(0, other)
    return run


def _is_of(candidate: Candidate) -> bool:
    """ "The lamp of Orm Lighthouse": longer than what commas join."""
    tokens = candidate.sentence.tokens[candidate.first : candidate.last]
    return candidate.form == Form.CHUNK and any(token.lower == "of" for token in tokens)


def _alike(candidate: Candidate, model: Candidate) -> bool:
    """Names go with names, chunks with chunks and names."""
    names = {Form.NAME, Form.QUOTED}
    if model.form in names:
        return candidate.form in names
    return candidate.form in {model.form, Form.CHUNK} and candidate.form not in {
        Form.DATE,
        Form.YEAR,
    }


def _joined(one: Candidate, other: Candidate) -> bool:
    gap = [token.lower for token in one.sentence.tokens[one.last : other.first]]
    return bool(gap) and set(gap) <= _JOINTS and bool({",", "and", "&", "or", ";"} & set(gap))


def _spread(study: Study, ranker: Ranker) -> tuple[list[str], tuple[Sentence, ...], str] | None:
    """Members that stand in sentences of their own, equally well supported."""
    ranked = ranker.ranked
    if not ranked:
        return None
    top = ranked[0]
    chosen: list[Ranked] = []
    for item in ranked:
        if item.score < top.score - weights.RIVAL_MARGIN:
            break
        if _is_member(study, item, top, chosen):
            chosen.append(item)
    if study.question.count:
        chosen = chosen[: study.question.count]
    ordered = sorted(chosen, key=lambda r: (r.candidate.sentence.number, r.candidate.start))
    sentences = distinct([r.candidate.sentence for r in ordered])
    return ([r.candidate.text for r in ordered], sentences, "") if len(ordered) > 1 else None


def _is_member(study: Study, item: Ranked, top: Ranked, chosen: Sequence[Ranked]) -> bool:
    """Another answer of the same form, from another sentence that says as much."""
    candidate = item.candidate
    if candidate.form != top.candidate.form:
        return False
    if any(
        candidate.key in c.candidate.key
        or c.candidate.key in candidate.key
        or c.candidate.sentence is candidate.sentence
        for c in chosen
    ):
        return False
    matching = study.matching
    held = matching.share(matching.held(candidate.sentence))
    return held >= matching.share(matching.held(top.candidate.sentence)) - 0.08
