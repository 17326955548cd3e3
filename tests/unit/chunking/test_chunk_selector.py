"""Strategies compared on a text: the order, the gate, ties, failures, early ends."""

from __future__ import annotations

from itertools import pairwise

import pytest

from clew.chunking import (
    Chunker,
    ChunkingConfig,
    FixedWindowChunker,
    Outline,
    RecursiveChunker,
    SingleChunker,
    Span,
    register_chunker,
    unregister_chunker,
)
from clew.chunking.metrics import (
    IntrinsicMetricEvaluator,
    MetricConfig,
    MetricScore,
    MetricWeights,
)
from clew.chunking.result import Candidate
from clew.chunking.selector import CANDIDATES, AdaptiveSelector
from clew.errors import ClewError, ConfigError, MissingExtraError, ModelError
from clew.text.blocks import partition

SECTIONS = "\n\n".join(
    f"## Part {number}\n\n"
    + " ".join(f"Rope {number}{letter} is made of hemp. It holds well." for letter in "abcdef")
    for number in range(12)
)
SMALL = ChunkingConfig(chunk_size=300, chunk_overlap=0)


class Cuts:
    """A strategy that cuts where it is told to."""

    def __init__(self, name: str, *places: int) -> None:
        self.name = name
        self._places = places

    def cuts(self, outline: Outline) -> list[Span]:
        edges = [0, *self._places, len(outline.text)]
        return [Span(a, b) for a, b in pairwise(edges)]


class Fails:
    name = "fails"

    def cuts(self, outline: Outline) -> list[Span]:
        raise KeyError("rope")


def _good() -> Cuts:
    return Cuts("good", *(SECTIONS.index(f"## Part {number}\n") for number in (3, 6, 9)))


def _bad() -> Cuts:
    return Cuts("bad", *(SECTIONS.index(f"ope {number}c") for number in (2, 5, 8)))


def _names(selector: AdaptiveSelector, text: str = SECTIONS) -> list[str]:
    return [candidate.strategy_name for candidate in selector.select(text).candidates]


@pytest.mark.parametrize("weights", ["lift", "reference", None])
def test_structure_wins(weights: str | None) -> None:
    selector = AdaptiveSelector([_bad(), _good()], weights=weights)
    assert _names(selector) == ["good", "bad"]
    best, worst = selector.rank(SECTIONS)
    assert best.score > worst.score
    assert best.spans == tuple(_good().cuts(Outline(SECTIONS, ())))


def test_the_candidates_of_the_default_are_made_at_the_size_asked_for() -> None:
    selector = AdaptiveSelector(config=SMALL)
    assert tuple(chunker.name for chunker in selector.chunkers) == CANDIDATES
    for candidate in selector.rank(SECTIONS):
        assert not candidate.error
        assert all(span.end - span.start <= 300 for span in candidate.spans)


def test_strategies_by_name() -> None:
    selector = AdaptiveSelector(strategies=["sentence", "paragraph"], config=SMALL)
    assert sorted(_names(selector)) == ["paragraph", "sentence"]


def test_one_strategy_at_two_sizes_has_two_names() -> None:
    selector = AdaptiveSelector(
        [RecursiveChunker(chunk_size=300), RecursiveChunker(chunk_size=600)]
    )
    assert sorted(_names(selector)) == ["recursive", "recursive-2"]
    assert selector.chunker("recursive-2") == RecursiveChunker(chunk_size=600)


def test_ties_go_to_the_first_given() -> None:
    weights = MetricWeights.only(coverage=1)
    for names in (["one", "two"], ["two", "one"]):
        places = {"one": 100, "two": 200}
        selector = AdaptiveSelector([Cuts(name, places[name]) for name in names], weights=weights)
        assert _names(selector) == names


def test_what_cuts_the_same_is_said_to() -> None:
    selector = AdaptiveSelector([Cuts("one", 100), Cuts("two", 100), Cuts("three", 100)])
    candidates = selector.rank(SECTIONS)
    assert [item.passed_over for item in candidates] == ["", *["cuts as one does"] * 2]
    assert candidates[1].score == candidates[0].score


def test_what_cuts_the_same_stands_behind_it_and_before_what_is_worse() -> None:
    again = _good()
    again.name = "again"
    assert _names(AdaptiveSelector([_bad(), _good(), again])) == ["good", "again", "bad"]


def test_one_failing_strategy_is_reported() -> None:
    first, last = AdaptiveSelector([Fails(), _good()]).rank(SECTIONS)
    assert first.strategy_name == "good"
    assert (last.strategy_name, last.error) == ("fails", "KeyError: 'rope'")
    assert last.spans == ()


def test_an_embedder_that_fails_is_no_candidate_that_fails() -> None:
    """Without it another strategy might be chosen, and nobody would know why."""

    class Wants(Cuts):
        def __init__(self, error: ModelError) -> None:
            super().__init__("wants")
            self.error = error

        def cuts(self, outline: Outline) -> list[Span]:
            raise self.error

    with pytest.raises(ModelError, match="no connection"):
        AdaptiveSelector([_good(), Wants(ModelError("no connection"))]).rank(SECTIONS)
    missing = Wants(MissingExtraError("not installed"))
    assert AdaptiveSelector([_good(), missing]).rank(SECTIONS)[-1].error == "not installed"


def test_spans_outside_the_text_are_a_failure_of_their_strategy() -> None:
    class Beyond(Cuts):
        def cuts(self, outline: Outline) -> list[Span]:
            return [Span(0, len(outline.text) + 1)]

    last = AdaptiveSelector([Beyond("beyond"), _good()]).rank(SECTIONS)[-1]
    assert "chunk 0 spans" in last.error


def test_all_failing_is_an_error_that_says_why() -> None:
    with pytest.raises(ClewError, match=r"no strategy could cut the text: fails: KeyError: 'rope'"):
        AdaptiveSelector([Fails()]).select(SECTIONS)


def test_many_more_chunks_than_needed_are_passed_over() -> None:
    lines = "\n\n".join(f"Rope {number} is old." for number in range(200))

    class Tiny:
        name = "tiny"

        def cuts(self, outline: Outline) -> list[Span]:
            return [Span(*pair) for pair in zip(outline.starts, outline.ends, strict=True)]

    register_chunker("tiny", lambda config, count: Tiny())
    try:
        gated = AdaptiveSelector(strategies=["tiny", "recursive"], config=SMALL).rank(lines)
    finally:
        unregister_chunker("tiny")
    assert [item.strategy_name for item in gated] == ["recursive", "tiny"]
    assert gated[1].passed_over.startswith("200 chunks, where ")


def test_a_text_of_one_chunk_is_chosen_for_without_trying_the_others() -> None:
    text = "Hemp is old. It holds."
    outline = Outline(text, partition(text, "markdown"), media_type="text/markdown")
    early, whole = AdaptiveSelector(config=SMALL).choose(outline), AdaptiveSelector().select(text)
    assert [item.strategy_name for item in early.candidates] == [CANDIDATES[0]]
    assert [item.strategy_name for item in whole.candidates] == [*CANDIDATES]
    for selection in (early, whole):
        assert selection.chosen.strategy_name == CANDIDATES[0]
        assert selection.chosen.spans == (Span(0, 22),)
        assert selection.note == "the text fits into one chunk"


@pytest.mark.parametrize("text", ["", " \n\n\t"])
@pytest.mark.parametrize("weights", ["lift", "paper", "reference"])
def test_nothing_to_cut(text: str, weights: str) -> None:
    selection = AdaptiveSelector(weights=weights).select(text)
    assert selection.chosen.spans == ()


def test_says_when_the_first_two_are_within_noise() -> None:
    near = SECTIONS.index("## Part 3\n")
    far = SECTIONS.index("## Part 4\n")
    same = AdaptiveSelector([Cuts("one", near), Cuts("two", far)]).select(SECTIONS)
    assert "within noise" in same.note
    apart = AdaptiveSelector([_good(), _bad()]).select(SECTIONS)
    assert apart.note == "good leads bad by more than noise"
    assert apart.chosen.noise > 0
    alone = AdaptiveSelector([_good()]).select(SECTIONS)
    assert alone.note == "no other strategy could be chosen"


def test_own_weights_decide() -> None:
    chunkers: list[Chunker] = [SingleChunker(), RecursiveChunker(chunk_size=300)]
    whole = AdaptiveSelector(chunkers, weights=MetricWeights.only(block_integrity=1))
    assert whole.select(SECTIONS).chosen.strategy_name == "single"
    config = MetricConfig(weights=MetricWeights.only(size_compliance=1), target_min_tokens=20)
    sized = AdaptiveSelector(chunkers, IntrinsicMetricEvaluator(config))
    assert sized.select(SECTIONS).chosen.strategy_name == "recursive"
    drift = AdaptiveSelector(chunkers, weights=MetricWeights.only(semantic_drift=1))
    assert drift.select(SECTIONS).chosen.strategy_name == "recursive"


def test_the_plain_mean_rewards_size_and_lift_does_not() -> None:
    chunkers: list[Chunker] = [
        FixedWindowChunker(chunk_size=1500),
        RecursiveChunker(chunk_size=300),
    ]
    chosen = {
        weights: AdaptiveSelector(chunkers, weights=weights).select(SECTIONS).chosen.strategy_name
        for weights in ("paper", "lift")
    }
    assert chosen == {"paper": "fixed-window", "lift": "recursive"}


def test_selection_does_not_hang_on_the_order_of_strategies() -> None:
    names = ["recursive", "sentence", "split-then-merge", "paragraph"]
    there = AdaptiveSelector(strategies=names, config=SMALL).select(SECTIONS)
    back = AdaptiveSelector(strategies=names[::-1], config=SMALL).select(SECTIONS)
    assert there.chosen.spans == back.chosen.spans
    assert there.chosen.score == back.chosen.score


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="chunkers is empty"):
        AdaptiveSelector([])
    with pytest.raises(ConfigError, match="not both"):
        AdaptiveSelector(evaluator=IntrinsicMetricEvaluator(), weights="paper")
    with pytest.raises(ConfigError, match="lift, paper, reference"):
        AdaptiveSelector(weights="best")


def test_candidates_are_plain_data() -> None:
    metric = MetricScore(name="coverage", value=1.0, weight=1.0, explanation="all", error=0.0)
    candidate = Candidate(strategy_name="one", score=1.0, metrics=(metric,), spans=(Span(0, 3),))
    assert candidate.to_dict() == {
        "strategy_name": "one",
        "score": 1.0,
        "noise": 0.0,
        "metrics": [
            {
                "name": "coverage",
                "value": 1.0,
                "weight": 1.0,
                "explanation": "all",
                "baseline": None,
                "error": 0.0,
            }
        ],
        "spans": [[0, 3]],
        "chunks": [],
        "passed_over": "",
        "error": "",
    }
