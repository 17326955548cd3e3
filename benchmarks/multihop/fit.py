"""Fit the constants of linked evidence on the tuning questions, and write them into the library.

::

    python -m benchmarks.multihop.fit            # print what is found, and recall before and after
    python -m benchmarks.multihop.fit --write    # and write clew.retrieval.pool.measured

How is told in :mod:`clew.evaluation.fitting` (``clew bench fit`` does the same for another
embedder). The passages of all tuning sets are one corpus, so that each set is a distractor for the
others, and each passage is one chunk. The questions fitted on are those of HotpotQA and MuSiQue;
2WikiMultiHopQA is held out and only scored.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from benchmarks.multihop.environment import ROOT, environment, with_one_blas_thread
from benchmarks.multihop.vector_cache import cached

from clew.config import ClewConfig
from clew.evaluation.fitting.asked import together
from clew.evaluation.fitting.refit import Refit, refit
from clew.evaluation.fitting.sets import load_tuning_sets
from clew.evaluation.indexed import index_corpus
from clew.models.local import LocalEmbedder

FITTED_ON = ("tune/hotpotqa", "tune/musique")
HELD_OUT = ("tune/2wiki",)
MEASURED = ROOT / "src/clew/retrieval/pool/measured.py"
_MODULE = '''"""The constants of linked evidence, written by a command.

``python -m benchmarks.multihop.fit --write`` does it; :mod:`clew.retrieval.pool.weights` says
how they are found. Fitted at commit {commit}.

recall@5 / all-recall@5 on the tuning sets, whose passages were one corpus (2WikiMultiHopQA is held
out, the others were fitted on)::

{recalls}
"""

from __future__ import annotations

from clew.retrieval.pool.stages import (
    FusionWeights,
    LinkedWeights,
    RoundWeights,
    SelectionWeights,
)

{constants}
'''


def fit(*, embedded: bool) -> Refit:
    """Index the tuning sets together and fit on their questions."""
    datasets = load_tuning_sets([*FITTED_ON, *HELD_OUT])
    indexed = index_corpus(
        together(datasets),
        config=ClewConfig(chunk_size=100_000),
        embedder=cached(LocalEmbedder()) if embedded else None,
        by_stage=False,
    )
    return refit(indexed, datasets, fitted_on=FITTED_ON)


def module(found: Mapping[str, Refit]) -> str:
    """The module with the constants, and where they come from."""
    recalls = [
        f"    {constant} on {name}: {row['recall@5']} / {row['all@5']}"
        for constant, one in found.items()
        for name, row in one.after.items()
    ]
    constants = [f"{name} = {_code(one.weights, 0)}" for name, one in found.items()]
    return _MODULE.format(
        commit=environment()["commit"],
        recalls="\n".join(recalls),
        constants="\n".join(constants),
    )


def main() -> None:
    with_one_blas_thread("benchmarks.multihop.fit")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {MEASURED.name}")
    options = parser.parse_args()
    found = {}
    for name, embedded in (("WITH_VECTORS", True), ("WORDS_ALONE", False)):
        found[name] = fit(embedded=embedded)
        print(name, "as they are", found[name].before, "fitted anew", found[name].after, flush=True)
    code = module(found)
    print(code)
    if options.write:
        MEASURED.write_text(code, encoding="utf-8")


def _code(value: object, depth: int) -> str:
    """``value`` as Python: dataclasses by keyword, one field a line."""
    inner = "    " * (depth + 1)
    if is_dataclass(value):
        lines = [
            f"{inner}{item.name}={_code(getattr(value, item.name), depth + 1)},\n"
            for item in fields(value)
        ]
        return f"{type(value).__name__}(\n{''.join(lines)}{'    ' * depth})"
    if isinstance(value, tuple):
        lines = [f"{inner}{_code(one, depth + 1)},\n" for one in value]
        return f"(\n{''.join(lines)}{'    ' * depth})"
    return repr(value)


if __name__ == "__main__":
    main()
