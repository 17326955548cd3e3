"""What a comparison compares: the options as the question writes them, fitted to the evidence, and
whether a text is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.answering.candidates import answer_key
from clew.answering.study import Study
from clew.answering.things import SAME_TITLE, fit_of, plain


def fitted_options(study: Study, options: Sequence[str]) -> list[str]:
    """The options as the question writes them, stretched or cut to what passages are about.

    "The Adventures of Priscilla, Queen of the Desert" holds a comma, "Truth or Dare" an "or": where
    a title in the question begins or ends with an option, the title is meant.
    """
    question = study.question.text
    anchors = [a for a in study.directory.anchors(study.question) if a.thing.about]
    found = []
    for option in options:
        start = question.find(option)
        end = start + len(option)
        best = option
        exact = any(fit_of(plain(option), p) >= SAME_TITLE - 0.15 for p in study.evidence.passages)
        if start >= 0 and not exact:
            overlapping = [a for a in anchors if a.start < end and start < a.end]
            if overlapping:
                anchor = max(overlapping, key=lambda a: (a.end - a.start, -a.start))
                left = question.rfind("The ", max(0, anchor.start - 4), anchor.start)
                best = question[left if left >= 0 else anchor.start : anchor.end]
                if question[anchor.end : anchor.end + 1] == ")":
                    best += ")"
        found.append(best)
    return found if len(set(found)) == len(found) else list(options)


def may_be_chosen(study: Study, text: str) -> bool:
    """Whether a text can answer the question: where it names things with "or" between them, only
    one of these, in short or in full.
    """
    comparison = study.question.comparison
    if comparison is None or len(comparison.options) < _PAIR:
        return True
    asked = study.question.text
    last = asked.rfind(comparison.options[-1])
    if not _OR.search(asked[:last]):
        return True
    words = set(answer_key(text).split())
    named = [set(answer_key(option).split()) for option in comparison.options]
    return any(words <= option or option <= words for option in named)


_PAIR = 2
_OR = re.compile(r"\bor\s+(?:the\s+)?$", re.IGNORECASE)
