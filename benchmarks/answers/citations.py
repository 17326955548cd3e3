"""Are invented citations caught, and right ones left alone?

::

    python -m benchmarks.answers.citations [SET …]      (default the tuning sets)

A scripted model answers each question with four sentences, each said by one of the pieces that it
is shown, verbatim or told anew (a pronoun named, a clause left out), and cites: seven in ten times
the right piece; else another piece of the same evidence, or one that is not there. An invented
citation is caught when it is not among the citations of the answer and a doubt names it. Where two
pieces say the same (one holds all words of the other) either counts as right.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.answering.evidence import read_evidence
from clew.answering.study import Study
from clew.answering.synthesis.checking import Checker
from clew.answering.synthesis.pieces import Piece, choose_pieces
from clew.answering.synthesis.reading import SaidSentence
from clew.config import ClewConfig
from clew.evaluation.datasets import Dataset, load_dataset
from clew.indexing.pipeline import IndexPipeline
from clew.models.token_counting import token_counter
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.question import analyse_question
from clew.text.words import terms

_SETS = ("tune/2wiki", "tune/hotpotqa", "tune/musique")
_INVENTED = 0.3
_SENTENCES = 4
_QUESTIONS = 150
_TOKENS = 2500
_PRONOUN = re.compile(r"^(?:He|She|It|They)\b")
_CLAUSE = re.compile(r",\s[^,]{5,60}(?=[,.])")


@dataclass(slots=True)
class Tally:
    counts: Counter[str] = field(default_factory=Counter)

    def share(self, part: str, whole: str) -> float:
        return 100 * self.counts[part] / max(1, self.counts[whole])


def main(names: Sequence[str]) -> None:
    print("| set | invented | caught | right | right ones lost | sentences lost |")
    print("|---|---|---|---|---|---|")
    for name in names or _SETS:
        tally = _measured(load_dataset(name).first(_QUESTIONS))
        print(
            f"| {name} | {tally.counts['invented']} | {tally.share('caught', 'invented'):.1f} % "
            f"| {tally.counts['right']} | {tally.share('lost', 'right'):.1f} % "
            f"| {tally.share('unsupported', 'sentences'):.1f} % |"
        )


def _measured(dataset: Dataset) -> Tally:
    config = ClewConfig(embedding_model="none")
    documents = [
        {"text": passage.text, "doc_id": passage.id, "title": passage.title}
        for passage in dataset.passages
    ]
    store = IndexPipeline(config=config).run(documents)
    search = RetrievePipeline(store, config=config)
    count = token_counter()
    chance = random.Random(7)
    tally = Tally()
    for question in dataset.questions:
        result = search.search(question.question, top_n=8)
        with store.reading() as reader:
            evidence = read_evidence(result, reader, 8)
            study = Study(analyse_question(question.question), evidence, reader)
            pieces = choose_pieces(study, reader, most_tokens=_TOKENS, count=count)
        if len(pieces) > 1:
            _count(pieces, chance, tally)
    return tally


def _count(pieces: Sequence[Piece], chance: random.Random, tally: Tally) -> None:
    checker = Checker(pieces)
    for piece in chance.sample(list(pieces), min(_SENTENCES, len(pieces))):
        text = _told(piece, chance)
        invented = chance.random() < _INVENTED
        cited = _another(piece, pieces, chance) if invented else piece.number
        if cited is None:
            continue
        checked = checker.check(SaidSentence(text=text, cites=(cited,)))
        doubted = any(doubt.citation == cited for doubt in checked.doubts)
        tally.counts["sentences"] += 1
        tally.counts["unsupported"] += not checked.is_supported
        if invented:
            tally.counts["invented"] += 1
            tally.counts["caught"] += cited not in checked.cites and (doubted or not checked.cites)
        else:
            tally.counts["right"] += 1
            tally.counts["lost"] += cited not in checked.cites


def _told(piece: Piece, chance: random.Random) -> str:
    """What the piece says: verbatim, or with its pronoun named and a clause left out."""
    text = " ".join(piece.sentence.text.split())
    if chance.random() < 0.5:
        return text
    title = piece.item.title.partition(" (")[0]
    named = _PRONOUN.sub(title, text) if title else text
    return _CLAUSE.sub("", named, count=1)


def _another(piece: Piece, pieces: Sequence[Piece], chance: random.Random) -> int | None:
    """The number of a piece that does not say it; one in five is of none."""
    if chance.random() < 0.2:
        return len(pieces) + chance.randint(1, 9)
    said = set(terms(piece.sentence.text))
    others = [
        one.number
        for one in pieces
        if one is not piece and not said <= set(terms(f"{one.sentence.text} {one.context}"))
    ]
    return chance.choice(others) if others else None


if __name__ == "__main__":
    main(sys.argv[1:])
