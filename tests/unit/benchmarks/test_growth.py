"""Copies of a corpus that are other worlds, and the stopwatch of stages."""

from __future__ import annotations

import re

import numpy as np
from benchmarks.multihop.growth import (
    NoisyRows,
    Stopwatch,
    another_world,
    measure,
    names_of,
    table,
)

from clew.config import ClewConfig
from clew.evaluation.datasets import Passage
from clew.indexing.pipeline import IndexPipeline
from clew.models.local import LocalEmbedder
from clew.stores.memory import KnowledgeGraph

PASSAGES = [
    Passage(id="1", title="Orm Works", text="Orm Works makes looms. It was founded by Mira Vance."),
    Passage(id="2", title="Mira Vance", text="Mira Vance was born in Norway in 1870. It snowed."),
    *(
        Passage(id=str(n), title=f"Firm {n}", text="It makes rope in Norway for a firm.")
        for n in range(3, 120)
    ),
]


def test_names_are_words_with_a_capital_alone_and_no_hubs() -> None:
    assert names_of(PASSAGES) == {"orm", "works", "mira", "vance"}


def test_a_copy_is_another_world_of_the_same_shape() -> None:
    names = names_of(PASSAGES)
    first, second = (list(another_world(PASSAGES, names, copy)) for copy in (1, 2))
    for copy, world in ((1, first), (2, second)):
        assert [passage.id for passage in world] == [f"{copy}/{one.id}" for one in PASSAGES]
        for passage, one in zip(world, PASSAGES, strict=True):
            assert len(passage.text) == len(one.text)
            assert re.sub(r"[A-Za-z]", "x", passage.text) == re.sub(r"[A-Za-z]", "x", one.text)
    assert first[0].text.endswith("was founded by " + first[1].title + ".")
    assert first[1].text.endswith("was born in Norway in 1870. It snowed.")
    assert len({PASSAGES[0].title, first[0].title, second[0].title}) == 3
    assert first == list(another_world(PASSAGES, names, 1))


def test_a_stage_has_the_time_that_its_inner_stages_do_not() -> None:
    watch = Stopwatch()

    inner = watch.times("inner", lambda: sum(range(3_000_000)))
    watch.times("outer", inner)()
    assert watch.spent["inner"] > 10 * watch.spent["outer"] >= 0


def test_searches_are_timed_by_stage_and_left_as_they_were() -> None:
    embedder = NoisyRows(LocalEmbedder(threads=1))
    store = KnowledgeGraph()
    indexing = IndexPipeline(embedding=embedder, config=ClewConfig(), store=store)
    documents = [{"text": one.text, "title": one.title, "doc_id": one.id} for one in PASSAGES[:4]]
    indexing.run(documents)
    embedder.first = False
    indexing.run([{**one, "doc_id": f"1/{one['doc_id']}"} for one in documents])
    row = measure(store, ["Where was the founder of Orm Works born?"] * 2, ClewConfig())
    assert row["p50"] > 0
    assert row["rounds"] > 0
    assert row["embed"] > 0
    assert table([row]).splitlines()[1].count("---") == len(row)
    chunks, units = embedder.embed_spans(["text"], [[]])
    assert np.allclose(np.linalg.norm(chunks, axis=1), 1.0)
    assert len(units) == 0
