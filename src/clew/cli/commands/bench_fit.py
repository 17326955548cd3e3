"""``bench fit``: the constants of linked evidence for another embedder, or other questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.app import EPILOG
from clew.cli.commands.bench import bench
from clew.cli.progress import progress
from clew.cli.render import console, escape, print_json, print_table
from clew.cli.session import Session

if TYPE_CHECKING:
    from clew.evaluation.datasets import Dataset
    from clew.evaluation.indexed import IndexedCorpus

_WHOLE_PASSAGES = 100_000
_HEAD = ("set", "", "recall@5", "all@5", "recall@5 fitted", "all@5 fitted")


@bench.command(epilog=EPILOG)
def fit(
    context: typer.Context,
    sets: Annotated[
        list[str],
        typer.Argument(
            help="Tuning sets, such as tune/musique, or folders of your own with corpus.jsonl and "
            "questions.jsonl."
        ),
    ],
    hold_out: Annotated[
        list[str] | None,
        typer.Option("--hold-out", help="A set that is scored and not fitted on; repeatable."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The data folder [CLEW_DATA, else ../shared/data].")
    ] = None,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("weights.json"),
) -> None:
    """Fit the constants of linked evidence for another embedder, or to your own questions.

    Sets under eval/ are refused. What is written can be measured (`clew bench multihop --weights`)
    and searched with (`--set retrieval_weights=weights.json`).

    Examples:

      clew bench fit tune/hotpotqa tune/musique --hold-out tune/2wiki

      clew bench fit my-questions/ --set embedding_model=./models/mine --out mine.json
    """
    from clew.evaluation.environment import one_blas_thread  # noqa: PLC0415

    one_blas_thread()  # before anything else loads numpy

    from clew.evaluation.fitting.refit import refit  # noqa: PLC0415
    from clew.evaluation.fitting.sets import load_tuning_sets  # noqa: PLC0415
    from clew.retrieval.pool.weights_file import write_weights  # noqa: PLC0415

    session: Session = context.obj
    held_out = hold_out or []
    datasets = load_tuning_sets([*sets, *held_out], folder=data)
    indexed = _index(session, datasets)
    with progress(quiet=session.quiet or session.json, unit="stages") as tell:
        found = refit(indexed, datasets, fitted_on=sets, tell=tell)
    about: dict[str, Any] = {
        "embedder": indexed.asking.fingerprint if indexed.asking else "none",
        "fitted_on": sets,
        "held_out": held_out,
        "before": found.before,
        "after": found.after,
    }
    write_weights(out, found.weights, **about)
    if session.json:
        print_json({**about, "path": str(out)})
        return
    print_table(console(), _HEAD, [_row(name, about) for name in found.before])
    console().print(escape(f"\nwritten to {out}"))


def _index(session: Session, datasets: list[Dataset]) -> IndexedCorpus:
    """All passages in one index, each as one chunk."""
    from clew.evaluation.fitting.asked import together  # noqa: PLC0415
    from clew.evaluation.indexed import index_corpus  # noqa: PLC0415
    from clew.models.default import default_embedder  # noqa: PLC0415

    with progress(quiet=session.quiet or session.json) as tell:
        return index_corpus(
            together(datasets),
            config=session.config(on_progress=tell, verbose=False, chunk_size=_WHOLE_PASSAGES),
            embedder=default_embedder(session.config()),
            by_stage=False,
        )


def _row(name: str, about: dict[str, Any]) -> list[str]:
    figures = [
        about[when][name][key] for when in ("before", "after") for key in ("recall@5", "all@5")
    ]
    return [name, "held out" if name in about["held_out"] else "fitted on", *map(str, figures)]
