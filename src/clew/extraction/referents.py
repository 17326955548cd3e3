"""What a sentence speaks of without saying it, carried as its context.

"It opened in 1932" is found by its own words and answers nothing; with ``Norr Bridge`` as its
context it does both. Like every context this travels beside the text and never inside the span.
Sentences of running text get it; items and table rows keep the lead-in or header that they have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.records import BlockKind, Document, KnowledgeUnit

_RUNNING_TEXT = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTE})


def with_referents(
    document: Document, units: Sequence[KnowledgeUnit], referents: Sequence[str]
) -> tuple[KnowledgeUnit, ...]:
    """Return the units with ``referents[i]`` in the context of ``units[i]``, where it is running
    text that does not say the name itself, and the title of the document does not either.
    """
    if not any(referents):
        return tuple(units)
    title = document.title
    found = []
    blocks = document.blocks
    at, last = 0, len(blocks) - 1
    for unit, referent in zip(units, referents, strict=True):
        while at < last and blocks[at].end <= unit.start:
            at += 1
        if (
            referent
            and unit.verbatim
            and referent not in unit.text
            and referent not in title
            and (not blocks or blocks[at].kind in _RUNNING_TEXT)
        ):
            context = f"{referent}\n{unit.context}" if unit.context else referent
            found.append(replace(unit, context=context))
        else:
            found.append(unit)
    return tuple(found)
