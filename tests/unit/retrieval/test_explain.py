"""Paths as a tree in a terminal."""

from __future__ import annotations

from dataclasses import replace

from clew.results import PathStep, RetrievalItem, RetrievalResult
from clew.retrieval.explain import explain, explain_item


def _step(text: str, relation: str, entity: str = "", covers: tuple[str, ...] = ()) -> PathStep:
    return PathStep(
        unit_id="u",
        doc_id=f"{text.split(maxsplit=1)[0]}.md",
        text=text,
        start=0,
        end=len(text),
        entity=entity,
        relation=relation,
        covers=covers,
    )


def _item(*path: PathStep, title: str = "") -> RetrievalItem:
    return RetrievalItem(
        content="x",
        score=0.9316,
        source_chunk_id="c",
        document_id="d",
        doc_id="Mira.md",
        start=10,
        end=60,
        title=title,
        path=path,
    )


def test_each_step_stands_inside_the_one_before() -> None:
    first = _step("Orm Works was founded by Mira.", "anchor", "Orm Works", ("Orm", "founded"))
    second = _step("Mira was born in Vik.", "about", "Mira", ("born",))
    item = replace(
        _item(first, replace(second, adds=("born",), coverage=0.25), title="Mira Vance"),
        scores={"alone": 0.4, "links": 0.5316, "coverage": 0.875, "dense": 0.5, "words": 0.25},
        covers=("born", "Vik"),
        uncovered=("mother",),
    )
    assert explain_item(item, number=2).splitlines() == [
        "2. 0.932 Mira.md Mira Vance [10:60]",
        "   ├─ score 0.932: alone 0.400, links +0.532; 0.88 of the question is covered",
        "   │     dense 0.500, words 0.250",
        "   ├─ the question names Orm Works",
        "   │  └─ Orm.md [0:30] “Orm Works was founded by Mira.”",
        "   │     │  has of the question: Orm, founded (0.00)",
        "   │     └─ Mira, which the next passage is about",
        "   │        └─ Mira.md [0:21] “Mira was born in Vik.”",
        "   │              has of the question: born (0.25)",
        "   │              the passage around it: Vik",
        "   └─ neither here nor on the path: mother",
    ]


def test_what_a_step_adds_is_told_where_it_is_not_all_it_has() -> None:
    first = _step("Orm makes looms.", "similar", "", ("Orm", "looms"))
    second = replace(
        _step("Looms of Orm stand in Vik.", "mentions", "Orm", ("Orm", "looms", "stand")),
        adds=("stand",),
    )
    text = explain_item(_item(first, second))
    assert "close to the question" in text
    assert "Orm, named in both" in text
    assert "has of the question: Orm, looms, stand (0.00)" in text
    assert text.count("new: ") == 1
    assert "new: stand" in text


def test_a_second_stage_is_told_with_the_first() -> None:
    item = replace(
        _item(_step("Orm.", "similar")),
        score=0.6,
        scores={"alone": 0.5, "links": 0.1, "coverage": 1.0, "first": 0.4, "rerank": 0.8},
    )
    line = explain_item(item).splitlines()[1]
    assert line == (
        "   ├─ score 0.600: first 0.400 (alone 0.500, links +0.100), reranker 0.800; "
        "1.00 of the question is covered"
    )
    unread = replace(item, scores={"coverage": 0.0, "first": 0.4})
    assert "score 0.600: first 0.400, not read again; 0.00 of" in explain_item(unread)


def test_a_step_without_a_word_of_the_question_says_so() -> None:
    assert "has no word of the question" in explain_item(_item(_step("Orm.", "similar")))


def test_long_texts_are_cut_to_the_width_unless_there_is_none() -> None:
    item = _item(_step("Word " * 100, "similar"))
    lines = explain_item(item, width=60).splitlines()
    assert max(map(len, lines[2:])) <= 60
    assert lines[-2].endswith(" …”")
    assert "Word " * 99 in explain_item(item, width=None)


def test_a_result_says_what_was_asked_and_noted() -> None:
    result = RetrievalResult(
        query="Who?",
        items=(_item(_step("A b.", "mentions", "C")), _item(_step("D e.", "similar"))),
        entities_extracted=("C", "F"),
        method="linked",
        notes=("no vectors",),
        reranker="rank-xs",
    )
    text = explain(result)
    assert text.startswith(
        "Who?  (linked, 2 results)\nnames: C, F\nread again by: rank-xs\nnote: no vectors\n1. "
    )
    assert "\n2. " in text
    assert "C, which passages close to the question mention" in text
    assert "close to the question" in text


def test_a_relation_of_another_method_is_shown_by_its_name() -> None:
    assert "guessed" in explain_item(_item(_step("A b.", "guessed")))


def test_words_of_the_title_and_the_context_are_told_apart() -> None:
    step = replace(
        _step("It was built by him.", "similar", "", ("Norr", "Bridge", "engineer", "built")),
        title="Norr Bridge",
        context="Orm was an engineer.",
    )
    lines = [line.strip() for line in explain_item(_item(step)).splitlines()]
    assert "has of the question: Norr, Bridge, engineer, built (0.00)" in lines
    assert "of these by its title, “Norr Bridge”: Norr, Bridge" in lines
    assert "of these by its context, “Orm was an engineer.”: engineer" in lines
    named = replace(step, title="", entity="Norr Bridge", relation="anchor")
    assert "of these by the name that leads here, “Norr Bridge”: Norr, Bridge" in explain_item(
        _item(named)
    )
    own = replace(step, covers=("built",))
    assert "of these" not in explain_item(_item(own))
