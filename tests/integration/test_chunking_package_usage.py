"""Code that users of adaptive chunking write elsewhere runs here, with clew's names: chunking a
text, the strategies, the metrics and the scores.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.chunking import (
    AdaptiveChunker,
    Chunker,
    ChunkingResult,
    Outline,
    Span,
    chunkers,
    expand_section_instances,
)
from clew.chunking.chunkers import (
    DelimiterChunker,
    FixedWindowChunker,
    PageChunker,
    PageIndexChunker,
    RecursiveChunker,
    RegexSectionChunker,
    SectionAwareChunker,
    SemanticChunker,
    SingleChunker,
    SplitThenMergeChunker,
)
from clew.chunking.metrics import (
    IntrinsicMetricEvaluator,
    MetricConfig,
    MetricScore,
    MetricWeights,
    score_of,
)
from clew.chunking.selector import AdaptiveSelector
from clew.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]

NOTES = (
    "# Sund Ferry\n\nThe ferry crosses the sound each hour. It carries forty cars.\n\n"
    "## Fares\n\nA car pays nine crowns. Children travel free.\n\n"
    "## Winter\n\nIn winter the ferry waits for the ice breaker.\n"
)
MANUAL = "\n\n".join(
    f"## Pump {number}\n\n"
    + f"Pump {number} lifts water from basin {number}. It is oiled weekly. " * 9
    for number in range(1, 7)
)
PAGES = (
    "# Overview\n\nThe first report is about tides.\n\f"
    "# Overview\n\nThe second report is about locks.\n\n## Gates\n\nGates close at noon.\n"
)
PARTS = "Part one of the log.\n---\nPart two of the log.\n---\nPart three of the log."


# --- Python ---------------------------------------------------------------------------------------


def test_chunk_a_text_and_read_the_result() -> None:
    result = AdaptiveChunker().chunk(NOTES, document_id="ferry")
    assert isinstance(result, ChunkingResult)
    assert result.document_id == "ferry"
    assert result.strategy_name == result.candidates[0].strategy_name
    assert "".join(chunk.text for chunk in result.chunks).count("Sund Ferry") == 1
    for index, chunk in enumerate(result.chunks):
        assert chunk.index == index
        assert NOTES[chunk.start : chunk.end] == chunk.text


def test_chunk_a_file(tmp_path: Path) -> None:
    sample = tmp_path / "sample.md"
    sample.write_text(NOTES, encoding="utf-8")
    result = AdaptiveChunker().chunk_file(sample)
    assert [chunk.text for chunk in result.chunks] == [
        chunk.text for chunk in AdaptiveChunker().chunk(NOTES).chunks
    ]
    assert AdaptiveChunker().chunk_file(str(sample), "ferry").document_id == "ferry"


def test_a_result_can_be_kept(tmp_path: Path) -> None:
    result = AdaptiveChunker(_selector()).chunk(MANUAL, document_id="pumps")
    plain = result.to_dict(include_candidates=True)
    assert json.loads(result.to_json(include_candidates=True)) == plain
    assert {*result.to_dict()} == {*plain} - {"candidates"}
    for candidate in plain["candidates"]:
        for chunk in candidate["chunks"]:
            assert MANUAL[chunk["start"] : chunk["end"]] == chunk["text"]
    result.to_json(tmp_path / "pumps.json")
    assert json.loads((tmp_path / "pumps.json").read_text("utf-8")) == result.to_dict()
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert [list(item.chunks) for item in again.candidates] == [
        list(item.chunks) for item in result.candidates
    ]


# --- strategies -----------------------------------------------------------------------------------

DOCUMENTED: list[Chunker] = [
    SingleChunker(),
    FixedWindowChunker(chunk_size=300, overlap=30),
    RecursiveChunker(chunk_size=300),
    SplitThenMergeChunker(min_size=100, max_size=300),
    SectionAwareChunker(min_size=50, max_size=300),
    DelimiterChunker(delimiter="\n---\n", max_size=300),
    PageChunker(page_delimiter="\f", max_size=300),
    PageIndexChunker(page_delimiter="\f", max_size=300),
    SemanticChunker(min_size=50, max_size=300, similarity_threshold=0.08),
    RegexSectionChunker(max_size=300, heading_pattern=r"^## "),
]
DEFAULTS: dict[str, dict[str, Any]] = {
    "single": {},
    "fixed-window": {"chunk_size": 1200, "chunk_overlap": 120},
    "recursive": {"chunk_size": 1200},
    "split-then-merge": {"min_size": 600, "max_size": 1400},
    "section-aware": {"min_size": 500, "max_size": 1800},
    "delimiter": {"delimiter": "\n---\n", "max_size": 1800},
    "page": {"page_delimiter": "\f", "max_size": 2200},
    "page-index": {"page_delimiter": "\f", "max_size": 1800},
    "semantic": {"min_size": 350, "max_size": 1400},
    "regex-section": {"max_size": 1800},
    "token-window": {"chunk_tokens": 240, "overlap_tokens": 24},
    "sentence": {"min_size": 400, "max_size": 1400},
    "paragraph": {"min_size": 500, "max_size": 1600},
    "markdown": {"min_size": 500, "max_size": 1800},
    "html": {"min_size": 500, "max_size": 1800},
    "json": {"max_size": 1800},
    "code": {"max_size": 1800},
    "hybrid": {"min_size": 500, "max_size": 1800},
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_strategy_has_its_usual_sizes(name: str) -> None:
    kind = next(kind for key in chunkers.__all__ if (kind := getattr(chunkers, key)).name == name)
    made = kind()
    assert {option: getattr(made, option) for option in DEFAULTS[name]} == DEFAULTS[name]
    assert getattr(clew.chunking, kind.__name__) is kind


@pytest.mark.parametrize("chunker", DOCUMENTED, ids=lambda chunker: chunker.name)
@pytest.mark.parametrize(
    "text", [NOTES, MANUAL, PAGES, PARTS], ids=["notes", "manual", "pages", "parts"]
)
def test_a_strategy_alone_is_a_choice_of_one(chunker: Chunker, text: str) -> None:
    result = AdaptiveChunker(selector=AdaptiveSelector(chunkers=[chunker])).chunk(text)
    assert result.strategy_name == chunker.name
    assert {chunk.metadata["strategy"] for chunk in result.chunks} == {chunker.name}
    for chunk in result.chunks:
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunker.name == "single" or len(chunk.text) <= 300
    covered = {at for chunk in result.chunks for at in range(chunk.start, chunk.end)}
    assert not "".join(char for at, char in enumerate(text) if at not in covered).strip()


def _selector() -> AdaptiveSelector:
    return AdaptiveSelector(
        chunkers=[
            SectionAwareChunker(max_size=1800),
            DelimiterChunker(delimiter="\n---\n"),
            PageChunker(page_delimiter="\f"),
            PageIndexChunker(page_delimiter="\f"),
            SemanticChunker(max_size=1400, similarity_threshold=0.08),
        ]
    )


def test_ones_own_list_of_strategies_competes() -> None:
    result = AdaptiveChunker(selector=_selector()).chunk(MANUAL)
    assert {candidate.strategy_name for candidate in result.candidates} == {
        "section-aware", "delimiter", "page", "page-index", "semantic",
    }  # fmt: skip
    ranked = AdaptiveSelector(chunkers=DOCUMENTED).rank(MANUAL)
    assert {candidate.strategy_name for candidate in ranked} == {item.name for item in DOCUMENTED}
    assert [candidate.score for candidate in ranked] == sorted(
        (candidate.score for candidate in ranked), reverse=True
    )


def test_headings_of_one_name_are_told_apart_by_page_and_occurrence() -> None:
    chunker = AdaptiveChunker(AdaptiveSelector([PageIndexChunker(page_delimiter="\f")]))
    chunks = chunker.chunk(PAGES).chunks
    told = [
        (chunk.metadata["page_index"], chunk.heading_path, chunk.metadata["section_title"])
        for chunk in chunks
    ]
    assert told == [
        (0, ("Overview",), "Overview"),
        (1, ("Overview",), "Overview"),
        (1, ("Overview", "Gates"), "Gates"),
    ]
    assert len({chunk.metadata["section_instance_id"] for chunk in chunks}) == 3
    assert all(chunk.metadata["heading_path"] == list(chunk.heading_path) for chunk in chunks)


def test_what_was_found_is_widened_to_its_section_and_no_other_of_the_name() -> None:
    chunker = AdaptiveChunker(
        AdaptiveSelector([PageIndexChunker(page_delimiter="\f", max_size=60)])
    )
    chunks = chunker.chunk(f"{PAGES}\n\n{'Nobody passes at night. ' * 6}").chunks
    found = next(chunk for chunk in chunks if "close at noon" in chunk.text)
    widened = expand_section_instances(chunks, [found])
    assert len(widened) > 1
    assert {chunk.heading_path for chunk in widened} == {("Overview", "Gates")}
    (first,) = expand_section_instances(chunks, [chunks[0]])
    assert first == chunks[0]
    other = AdaptiveChunker(AdaptiveSelector([SectionAwareChunker()])).chunk(PAGES, "other").chunks
    both = expand_section_instances([*chunks, *other], [found, other[0]])
    assert {chunk.id for chunk in both} >= {chunk.id for chunk in [*widened, other[0]]}
    windows = AdaptiveChunker(AdaptiveSelector([FixedWindowChunker(chunk_size=40, overlap=0)]))
    parts = windows.chunk(PAGES).chunks
    assert expand_section_instances(parts, [parts[2], parts[1]]) == [parts[1], parts[2]]


def test_pages_and_parts_are_not_mixed() -> None:
    pages = AdaptiveChunker(AdaptiveSelector([PageChunker(page_delimiter="\f")])).chunk(PAGES)
    assert [chunk.text.count("report") for chunk in pages.chunks] == [1, 1]
    parts = AdaptiveChunker(AdaptiveSelector([DelimiterChunker(delimiter="\n---\n")])).chunk(PARTS)
    assert [chunk.text.count("log") for chunk in parts.chunks] == [1, 1, 1]


# --- metrics and scores ---------------------------------------------------------------------------

METRICS = {
    "references_completeness": 1.0,
    "intrachunk_cohesion": 1.2,
    "document_contextual_coherence": 1.0,
    "block_integrity": 0.8,
    "size_compliance": 1.0,
    "coverage": 1.0,
    "overlap_control": 0.7,
    "boundary_quality": 0.9,
    "semantic_drift": 0.9,
    "information_density": 0.6,
    "redundancy": 0.5,
}


def test_every_metric_is_there_with_its_usual_weight() -> None:
    result = AdaptiveChunker(AdaptiveSelector(weights="reference")).chunk(MANUAL)
    assert {metric.name: metric.weight for metric in result.metrics} == METRICS
    for metric in result.metrics:
        assert metric.explanation
        assert metric.value is None or 0 <= metric.value <= 1
    assert (MetricConfig().target_min_tokens, MetricConfig().target_max_tokens) == (120, 320)


def test_weights_can_be_tuned() -> None:
    weights = MetricWeights(block_integrity=1.4, coverage=1.5, redundancy=0.8)
    evaluator = IntrinsicMetricEvaluator(MetricConfig(weights=weights))
    result = AdaptiveChunker(AdaptiveSelector(evaluator=evaluator)).chunk(MANUAL)
    changed = {"block_integrity": 1.4, "coverage": 1.5, "redundancy": 0.8}
    assert {metric.name: metric.weight for metric in result.metrics} == METRICS | changed


def test_an_evaluator_measures_any_chunks() -> None:
    result = AdaptiveChunker().chunk(MANUAL)
    metrics = IntrinsicMetricEvaluator().evaluate(MANUAL, result.chunks)
    assert {metric.name for metric in metrics} == {*METRICS}


def test_the_score_is_the_weighted_mean() -> None:
    by_hand = [
        MetricScore(name=name, value=value, weight=weight, explanation="")
        for name, value, weight in [
            ("coverage", 1.0, 1.5),
            ("block_integrity", 0.9, 1.4),
            ("redundancy", 0.8, 0.8),
        ]
    ]
    assert score_of(by_hand) == pytest.approx(0.919, abs=5e-4)
    selector = AdaptiveSelector(chunkers=DOCUMENTED, weights="reference")
    for candidate in AdaptiveChunker(selector).chunk(MANUAL).candidates:
        known = [(item.value, item.weight) for item in candidate.metrics if item.value is not None]
        mean = sum(value * weight for value, weight in known) / sum(weight for _, weight in known)
        assert candidate.score == pytest.approx(mean)


def test_every_candidate_can_be_looked_at() -> None:
    result = AdaptiveChunker(AdaptiveSelector(chunkers=DOCUMENTED)).chunk(MANUAL, document_id="p")
    lines: list[tuple[Any, ...]] = []
    for candidate in result.candidates:
        lines.append((candidate.strategy_name, round(candidate.score, 3), len(candidate.chunks)))
        lines += [(metric.name, metric.value, metric.weight) for metric in candidate.metrics]
        for chunk, span in zip(candidate.chunks, candidate.spans, strict=True):
            assert (chunk.start, chunk.end) == span
            assert chunk.text == MANUAL[chunk.start : chunk.end]
            assert chunk.metadata["strategy"] == candidate.strategy_name
    assert len(lines) > 2 * len(DOCUMENTED)
    assert tuple(result.candidates[0].chunks) == result.chunks
    ids = {chunk.document_id for item in result.candidates for chunk in item.chunks}
    assert len(ids) == 1


class _Cuts:
    def __init__(self, name: str, cut: Callable[[int], list[tuple[int, int]]]) -> None:
        self.name = name
        self._cut = cut

    def cuts(self, outline: Outline) -> list[Span]:
        return [Span(*pair) for pair in self._cut(len(outline.text))]


LOSERS = {
    "coverage": _Cuts("forgets", lambda size: [(0, size // 3)]),
    "overlap_control": _Cuts(
        "repeats", lambda size: [(at, at + 900) for at in range(0, size - 900, 100)]
    ),
    "block_integrity": _Cuts(
        "tears", lambda size: [(at, min(size, at + 97)) for at in range(0, size, 97)]
    ),
    "size_compliance": _Cuts("swallows", lambda size: [(0, size)]),
}


@pytest.mark.parametrize("metric", LOSERS)
def test_a_strategy_that_loses_shows_where(metric: str) -> None:
    """Dropped text, overlap without end, torn structure, a size that does not fit."""
    bad = LOSERS[metric]
    weights = MetricWeights.only(**{metric: 1.0})
    good = SectionAwareChunker(max_size=1200)
    result = AdaptiveChunker(AdaptiveSelector([bad, good], weights=weights)).chunk(MANUAL)
    first, last = result.candidates
    assert (first.strategy_name, last.strategy_name) == ("section-aware", bad.name)
    assert last.metrics[0].value is not None
    assert last.metrics[0].value < 0.6
    assert last.metrics[0].explanation


# --- errors of one's own making -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: SectionAwareChunker(max_size=0), "max_size=0"),
        (lambda: FixedWindowChunker(chunk_size=100, overlap=100), "smaller than"),
        (lambda: DelimiterChunker(delimiter=""), "delimiter=''"),
        (lambda: PageChunker(page_delimiter=""), "page_delimiter=''"),
        (lambda: RegexSectionChunker(heading_pattern="("), "no regular expression"),
        (lambda: MetricWeights(coverage=-1.0), "coverage"),
        (lambda: MetricConfig(target_min_tokens=9, target_max_tokens=3), "target_min_tokens=9"),
        (lambda: AdaptiveSelector(chunkers=[]), "at least one"),
    ],
)
def test_what_means_nothing_is_refused_when_it_is_made(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("(", r"\(")):
        make()
