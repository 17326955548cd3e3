"""What an entailment model says of sentences that passed the checks of words, names and numbers.

Those checks take "Lind sold the works to Sund" for "Sund sold the works to Lind": every word is
there. A model of natural language inference reads both. A citation that contradicts its sentence is
taken out, and a sentence that what is left does not entail, taken together, is unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.answering.synthesis.checking import CheckedSentence
from clew.answering.synthesis.pieces import Piece
from clew.models.base import Entailment, EntailmentModel
from clew.results import Doubt

CONTRADICTED = 0.5


def hold_against(
    checked: Sequence[CheckedSentence],
    pieces: Sequence[Piece],
    model: EntailmentModel,
    *,
    threshold: float,
) -> list[CheckedSentence]:
    """The sentences with the citations that ``model`` leaves them, and its doubts.

    Calls the model at most twice, whatever the number of sentences. Raises
    :class:`clew.errors.ModelError`.
    """
    by_number = {piece.number: piece for piece in pieces}
    asked = [(at, number) for at, one in enumerate(checked) for number in one.cites]
    alone = dict(
        zip(
            asked,
            model.judge([(_told(by_number, [n]), checked[at].text) for at, n in asked]),
            strict=True,
        )
    )
    kept = [
        [number for number in one.cites if not _contradicts(alone[at, number])]
        for at, one in enumerate(checked)
    ]
    several = [at for at, numbers in enumerate(kept) if len(numbers) > 1]
    together = dict(
        zip(
            several,
            model.judge([(_told(by_number, kept[at]), checked[at].text) for at in several]),
            strict=True,
        )
    )
    held = []
    for at, (one, numbers) in enumerate(zip(checked, kept, strict=True)):
        doubts = [
            Doubt(sentence=one.text, citation=number, reason="the cited text contradicts it")
            for number in one.cites
            if number not in numbers
        ]
        shares = [alone[at, number].entailed for number in numbers]
        most = max([*shares, *([together[at].entailed] if at in together else [])], default=0.0)
        if numbers and most < threshold:
            reason = f"the cited text does not entail it ({most:.2f} of {threshold:g})"
            doubts.append(Doubt(sentence=one.text, citation=None, reason=reason))
        cites = tuple(numbers) if most >= threshold else ()
        held.append(replace(one, cites=cites, doubts=(*one.doubts, *doubts)))
    return held


def _told(pieces: Mapping[int, Piece], numbers: Sequence[int]) -> str:
    """What the cited pieces say, each after what stands over it."""
    told = [line for n in numbers for line in (pieces[n].context, pieces[n].sentence.text)]
    return "\n".join(dict.fromkeys(line for line in told if line))


def _contradicts(judged: Entailment) -> bool:
    return judged.contradicted > max(CONTRADICTED, judged.entailed)
