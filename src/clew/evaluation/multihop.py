"""The multi-hop benchmark: a set in one of its forms, indexed once and searched by many systems.

::

    corpus = form.corpus(load_dataset("tune/2wiki"))
    indexed = index_corpus(corpus, config=ClewConfig(), embedder=embedder)
    runs = ask_all(indexed, choose(["linked", "dense"], ablate=["about_link"]))
    print(markdown(recall_rows(report("tune/2wiki", form, indexed, runs))))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clew.errors import ConfigError, nearest
from clew.evaluation.ablations import ablated
from clew.evaluation.corpora import Corpus, concatenated, shuffled, without_titles
from clew.evaluation.datasets import Dataset
from clew.evaluation.environment import environment
from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.measuring import (
    Run,
    differences,
    figures,
    places_from_text,
    places_to_text,
    run,
    silent,
)
from clew.evaluation.systems import MAKERS, NEED_VECTORS, ClewMethod, Maker, System
from clew.progress_lines import Tell
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.pool.weights import LinkedWeights

FITTED = "linked, fitted"
"""What linked evidence with the user's own weights is called."""

_NO_NAME = re.compile(r"[^\w.]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """In which form a set is measured."""

    distractors: bool = False
    titles: bool = True
    shuffled: bool = False
    concatenated: bool = False

    def corpus(self, dataset: Dataset) -> Corpus:
        shown = dataset if self.titles else without_titles(dataset)
        shown = shuffled(shown) if self.shuffled else shown
        return concatenated(shown) if self.concatenated else Corpus(dataset=shown)

    @property
    def words(self) -> tuple[str, ...]:
        """The form in words, for the names of files; none for the plain one."""
        told = {
            "distractors": self.distractors,
            "no-titles": not self.titles,
            "shuffled": self.shuffled,
            "concatenated": self.concatenated,
        }
        return tuple(word for word, holds in told.items() if holds)


def choose(
    names: Sequence[str] | None = None,
    *,
    ablate: Sequence[str] = (),
    fitted: LinkedWeights | None = None,
    makers: Mapping[str, Maker] = MAKERS,
    need_vectors: Collection[str] = NEED_VECTORS,
    with_vectors: bool = True,
) -> dict[str, Maker]:
    """The makers of the systems called ``names`` (``name:depth`` sets ``traversal_depth``; None:
    all that can be had), of linked evidence with ``fitted`` weights, and of linked evidence without
    each part of ``ablate``.

    Raises :class:`ConfigError` for a name that nothing has, or that needs vectors when there are
    none.
    """
    if names is None:
        names = [name for name in makers if with_vectors or name not in need_vectors]
    lacking = sorted({_base(name) for name in names} & set(need_vectors))
    if lacking and not with_vectors:
        raise ConfigError(
            f"no vectors for {', '.join(lacking)}: there is no embedder (embedding_model='none', "
            "or the local one is not installed: `pip install clew-minilm`)"
        )
    chosen = {name: _maker(name, makers) for name in names}
    if fitted is not None:
        method = LinkedEvidence(weights=fitted)
        chosen[FITTED] = lambda indexed: ClewMethod.over(indexed, method, name=FITTED)
    if (ablate or fitted) and "linked" not in chosen:
        chosen = {"linked": makers["linked"], **chosen}
    return chosen | dict(ablated(part) for part in ablate)


def ask_all(
    indexed: IndexedCorpus,
    makers: Mapping[str, Maker],
    *,
    teller: Callable[[], Tell] = lambda: silent,
) -> dict[str, Run]:
    """Make each system and ask it all questions; ``teller`` gives a callback for each of them."""
    return {name: run(make(indexed), indexed, tell=teller()) for name, make in makers.items()}


def report(
    name: str, form: Form, indexed: IndexedCorpus, runs: Mapping[str, Run]
) -> dict[str, Any]:
    """Everything that was found, for a JSON file. ``places`` says for each question, in the order
    of the set, where its passages were found.
    """
    questions = indexed.corpus.dataset.questions
    places = {system: result.places for system, result in runs.items()}
    return {
        "set": name,
        "form": list(form.words),
        "embedder": indexed.asking.fingerprint if indexed.asking else "none",
        "environment": environment(),
        "settings": indexed.config.shown(changed=True),
        "questions": len(questions),
        "index": {"pieces": len(indexed.pieces), **indexed.figures},
        "systems": {system: figures(questions, result) for system, result in runs.items()},
        "differences": differences(places),
        "places": {system: places_to_text(found) for system, found in places.items()},
    }


def together(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The systems of two reports on the same questions in one; where both have a system, that of
    ``now`` stays. What is said of machine and index is that of ``before``, and beside each system
    of ``now`` stands its commit.

    Raises :class:`ConfigError` when the reports are on different things.
    """
    if "places" not in before:
        raise ConfigError("nothing can be added to a report of an older version: measure anew")
    for key in ("set", "form", "embedder", "questions"):
        if before[key] != now[key]:
            raise ConfigError(
                f"the reports are on different things: {key} is {before[key]!r} in one and "
                f"{now[key]!r} in the other"
            )
    commit = now["environment"]["commit"]
    added = {name: {**found, "commit": commit} for name, found in now["systems"].items()}
    texts = {**before["places"], **now["places"]}
    places = {name: places_from_text(text) for name, text in texts.items()}
    return {
        **before,
        "systems": {**before["systems"], **added},
        "differences": differences(places),
        "places": texts,
    }


def report_name(report: Mapping[str, Any]) -> str:
    """A name for the file of a report: the set, its form, and what is not as usual."""
    return "-".join(
        [
            str(report["set"]).strip("/").replace("/", "-"),
            *report["form"],
            *_models(report),
            *(["sqlite"] if report["index"].get("disk_mb") else []),
        ]
    )


def _models(report: Mapping[str, Any]) -> Iterator[str]:
    """What is said of the models in the name of a file."""
    if report["embedder"] == "none":
        yield "words"
    elif "embedding_model" in report["settings"]:
        yield _NO_NAME.sub("-", report["settings"]["embedding_model"]).strip("-.")
    if "reranker_model" in report["settings"]:
        yield "reranked"


def _maker(name: str, makers: Mapping[str, Maker]) -> Maker:
    base, _, depth = name.partition(":")
    if base not in makers:
        raise ConfigError(
            f"no method {base!r} to measure: choose of {', '.join(makers)}{nearest(base, makers)}"
        )
    if not depth:
        return makers[base]
    if not depth.isdecimal():
        raise ConfigError(f"method {name!r}: behind the colon stands a depth, such as {base}:1")

    def at_depth(indexed: IndexedCorpus) -> System:
        config = indexed.config.replace(traversal_depth=int(depth))
        return makers[base](replace(indexed, config=config))

    return at_depth


def _base(name: str) -> str:
    return name.partition(":")[0]
