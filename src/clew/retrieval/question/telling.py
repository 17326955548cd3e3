"""What was read out of a question, told: as plain data, and as lines for people."""

from __future__ import annotations

from clew.retrieval.question.records import Day, Question, TimeEvent, TimeExpression, TimeKind


def analysis_of(question: Question) -> dict[str, object]:
    """The analysis as JSON can hold it.

    >>> from clew.retrieval.question import analyse_question
    >>> told = analysis_of(analyse_question("Who led Orm Works before 2012?"))
    >>> told["slot"], told["names"], told["times"]
    ('who', ['Orm Works'], [{'kind': 'before', 'text': 'before 2012', 'first': '2012'}])
    """
    told: dict[str, object] = {
        "language": question.language,
        "slot": question.slot.value,
        "types": [kind.value for kind in question.types],
        "focus": question.focus,
        "names": [name.text for name in question.names],
        "relations": [{"relation": c.relation, "text": c.text} for c in question.relations],
        "times": [_time(question, time) for time in _times(question)],
        "negated": question.negated,
        "present": question.present,
        "history": question.history,
    }
    if question.comparison is not None:
        told["comparison"] = {
            "options": list(question.comparison.options),
            "measure": question.comparison.measure,
            "order": question.comparison.order.value,
            "is_claim": question.comparison.is_claim,
        }
    if question.superlative:
        told["superlative"] = question.superlative
    return told


def analysis_lines(question: Question) -> list[tuple[str, str]]:
    """(label, text) for each thing that the question says; what it does not say is left out."""
    asks = question.slot.value.replace("_", " ") + (f", {question.focus}" if question.focus else "")
    comparison = question.comparison
    lines = [
        ("language", question.language),
        ("asks", asks),
        ("expects", ", ".join(kind.value for kind in question.types)),
        ("names", ", ".join(name.text for name in question.names)),
        ("relations", ", ".join(f"{c.relation} (“{c.text}”)" for c in question.relations)),
        ("times", "; ".join(_told(time) for time in _times(question))),
        ("compares", " / ".join(comparison.options) if comparison else ""),
        ("by", f"{comparison.measure}, {comparison.order.value}" if comparison else ""),
        ("negated", "yes" if question.negated else ""),
        ("holds", "now" if question.present else "ever" if question.history else ""),
    ]
    return [(label, text) for label, text in lines if text]


def _times(question: Question) -> list[TimeExpression | TimeEvent]:
    return [*question.times, *question.events]


def _time(question: Question, time: TimeExpression | TimeEvent) -> dict[str, str]:
    told = {"kind": time.kind.value, "text": question.text[time.start : time.end]}
    if isinstance(time, TimeEvent):
        return {**told, "event": time.text}
    if time.kind == TimeKind.NOW:
        return told
    told["first"] = _iso(time.first)
    return told if time.last == time.first else {**told, "last": _iso(time.last)}


def _told(time: TimeExpression | TimeEvent) -> str:
    if isinstance(time, TimeEvent):
        return f"{time.kind.value} {time.text}"
    if time.kind == TimeKind.NOW:
        return "now"
    span = _iso(time.first) if time.first == time.last else f"{_iso(time.first)}–{_iso(time.last)}"
    return f"{time.kind.value} {span}"


def _iso(day: Day) -> str:
    """As much of the date as is said: ``2012``, ``2012-05``, ``--05`` for a month of any year."""
    year, month, number = day
    text = f"{year:04d}" if year else "-"
    text += f"-{month:02d}" if month else ""
    return text + (f"-{number:02d}" if number else "")
