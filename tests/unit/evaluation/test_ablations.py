"""Parts of linked evidence switched off."""

from __future__ import annotations

import pytest

from clew.errors import ConfigError
from clew.evaluation.ablations import GROUPS, ablated, parts, without
from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.systems import MAKERS
from clew.retrieval.pool.weights import WITH_VECTORS

QUESTION = "Where was the engineer born who set up Vik Mills?"


def test_a_weight_becomes_zero_wherever_it_stands_and_no_other_changes() -> None:
    changed = without(WITH_VECTORS, "about")
    assert changed.alone.about == 0.0
    assert all(this.about == 0.0 for this in changed.rounds)
    assert changed.alone.mentions == WITH_VECTORS.alone.mentions > 0.0
    assert [this.about_link for this in changed.rounds] == [
        this.about_link for this in WITH_VECTORS.rounds
    ]


@pytest.mark.parametrize("group", sorted(set(GROUPS) & set(parts())))
def test_a_group_goes_together(group: str) -> None:
    changed = without(WITH_VECTORS, group)
    for stage in (changed.alone, *changed.rounds):
        for name in GROUPS[group]:
            assert getattr(stage, name, 0.0) == 0.0
    assert changed != WITH_VECTORS


def test_parts_of_every_stage_are_found() -> None:
    assert {"links", "coverage", "second_round", "dense", "about_link", "words_gap"} <= set(parts())
    for part in set(parts()) - {"coverage"}:
        assert without(WITH_VECTORS, part) != WITH_VECTORS or _is_zero(part)


def _is_zero(part: str) -> bool:
    """A weight that was measured to be worth nothing."""
    stages = (WITH_VECTORS.alone, *WITH_VECTORS.rounds)
    return not any(getattr(stage, part, 0.0) for stage in stages)


def test_rounds_can_be_taken_away() -> None:
    assert without(WITH_VECTORS, "second_round").rounds == WITH_VECTORS.rounds[:1]
    assert without(WITH_VECTORS, "rounds").rounds == ()
    assert without(WITH_VECTORS, "rounds").alone == WITH_VECTORS.alone


@pytest.mark.parametrize("part", parts())
def test_every_part_makes_a_system(part: str, indexed: IndexedCorpus) -> None:
    name, make = ablated(part)
    system = make(indexed)
    assert name == system.name == f"linked − {part}"
    assert system.search(QUESTION)


def test_without_links_what_only_they_lead_to_is_found_later(indexed: IndexedCorpus) -> None:
    whole = MAKERS["linked"](indexed).search(QUESTION)
    _, make = ablated("links")
    assert whole.index("f2") == 1
    assert make(indexed).search(QUESTION).index("f2") > 1


def test_what_is_no_part_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'about_link'\?"):
        ablated("about_links")
    assert "bias" not in parts()
