"""Paths as a tree in a terminal."""

from __future__ import annotations

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


def test_each_step_stands_one_level_deeper() -> None:
    text = explain_item(
        _item(
            _step("Orm Works was founded by Mira.", "anchor", "Orm Works", ("founded",)),
            _step("Mira was born in Vik.", "about", "Mira", ("born",)),
            title="Mira Vance",
        ),
        number=2,
    )
    assert text.splitlines() == [
        "2. 0.932 Mira.md Mira Vance [10:60]",
        "   └─ Orm.md: the question names Orm Works  (founded)",
        '      "Orm Works was founded by Mira."',
        "      └─ Mira.md: is about Mira  (born)",
        '         "Mira was born in Vik."',
    ]


def test_long_texts_are_cut_to_the_width() -> None:
    lines = explain_item(_item(_step("Word " * 100, "similar")), width=60).splitlines()
    assert max(map(len, lines)) <= 62
    assert lines[-1].endswith('…"')


def test_a_result_says_what_was_asked_and_noted() -> None:
    result = RetrievalResult(
        query="Who?",
        items=(_item(_step("A b.", "mentions", "C")), _item(_step("D e.", "similar"))),
        entities_extracted=("C", "F"),
        method="linked",
        notes=("no vectors",),
    )
    text = explain(result)
    assert text.startswith("Who?  (linked, 2 results)\nnames: C, F\nnote: no vectors\n1. ")
    assert "\n2. " in text
    assert "mentions C" in text
    assert "close to the question" in text
