"""``bench``: measure clew on questions whose supporting passages are known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.app import EPILOG, app
from clew.cli.progress import progress
from clew.cli.render import console, escape, note, print_json, print_table
from clew.cli.session import Session
from clew.progress_lines import progress_lines

if TYPE_CHECKING:
    from clew.evaluation.corpora import Corpus
    from clew.evaluation.indexed import IndexedCorpus
    from clew.evaluation.measuring import Run
    from clew.evaluation.multihop import Form
    from clew.evaluation.systems import Maker

bench = typer.Typer(
    help="Measure how much of what a question needs is found, and in what time.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    epilog=EPILOG,
)
app.add_typer(bench, name="bench")


class Backend(StrEnum):
    """Where a set is indexed."""

    MEMORY = "memory"
    SQLITE = "sqlite"


@bench.command(epilog=EPILOG)
def multihop(
    context: typer.Context,
    sets: Annotated[
        list[str],
        typer.Argument(
            help="Sets of the data folder, such as tune/2wiki, or folders of your own with "
            "corpus.jsonl and questions.jsonl."
        ),
    ],
    methods: Annotated[
        str | None,
        typer.Option(help="By commas; linked:1 sets the depth. Without it, all of them."),
    ] = None,
    ablate: Annotated[
        str, typer.Option(help="Parts of linked to switch off, one at a time; by commas.")
    ] = "",
    weights: Annotated[
        Path | None, typer.Option(help="Measure linked with what `clew bench fit` wrote, too.")
    ] = None,
    hide_titles: Annotated[bool, typer.Option("--hide-titles", help="Texts alone.")] = False,
    concatenate: Annotated[
        bool, typer.Option("--concatenate", help="Forty passages to a document, cut into chunks.")
    ] = False,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Passages in an order that says nothing.")
    ] = False,
    distractors: Annotated[
        bool, typer.Option("--distractors", help="Add the set's passages that answer nothing.")
    ] = False,
    backend: Annotated[
        Backend, typer.Option(help="The store that a set is indexed into.")
    ] = Backend.MEMORY,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only so many questions.")] = None,
    data: Annotated[
        Path | None, typer.Option(help="The data folder [CLEW_DATA, else ../shared/data].")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A folder to write the reports to, as JSON.")
    ] = None,
) -> None:
    """Ask multi-hop questions: recall, latency by stage and cost of indexing, by method.

    Every method searches the same index, one question after the other, on one core. Differences
    to linked evidence carry the 95 % interval of a paired bootstrap.

    Examples:

      clew bench multihop tune/2wiki

      clew bench multihop tune/musique --methods linked,hybrid --ablate about_link,coverage

      clew bench multihop my-questions/ --hide-titles --json
    """
    from clew.evaluation.environment import one_blas_thread  # noqa: PLC0415

    one_blas_thread()  # before anything else loads numpy

    from clew.evaluation.multihop import Form, report  # noqa: PLC0415

    session: Session = context.obj
    form = Form(
        titles=not hide_titles,
        shuffled=shuffle,
        concatenated=concatenate,
        distractors=distractors,
    )
    makers = _makers(session, methods, ablate, weights)
    corpora = {name: _corpus(name, form, data, limit) for name in sets}  # all, before hours pass
    reports = []
    for name, corpus in corpora.items():
        with _folder(backend) as folder:
            indexed = _index(session, corpus, folder)
            reports.append(report(name, form, indexed, _ask(session, indexed, makers)))
        _write(out, reports[-1])
        if not session.json:
            _print(reports[-1])
    if session.json:
        print_json({"reports": reports})


def _makers(
    session: Session, methods: str | None, ablate: str, weights: Path | None
) -> dict[str, Maker]:
    from clew.evaluation.multihop import choose  # noqa: PLC0415
    from clew.models.default import default_embedder  # noqa: PLC0415
    from clew.retrieval.pool.weights_file import read_weights  # noqa: PLC0415

    with_vectors = default_embedder(session.config()) is not None
    if not with_vectors:
        note("no embedder: words alone are measured")
    named = None if methods is None else _listed(methods)
    return choose(
        named,
        ablate=_listed(ablate),
        fitted=None if weights is None else read_weights(weights),
        with_vectors=with_vectors,
    )


def _corpus(name: str, form: Form, data: Path | None, limit: int | None) -> Corpus:
    from clew.evaluation.datasets import load_dataset  # noqa: PLC0415

    dataset = load_dataset(name, folder=data, distractors=form.distractors)
    return form.corpus(dataset.first(limit) if limit else dataset)


def _index(session: Session, corpus: Corpus, folder: Path | None) -> IndexedCorpus:
    from clew.evaluation.indexed import index_corpus  # noqa: PLC0415
    from clew.models.default import default_embedder  # noqa: PLC0415

    with progress(quiet=session.quiet or session.json) as tell:
        return index_corpus(
            corpus,
            config=session.config(on_progress=tell, verbose=False),
            embedder=default_embedder(session.config()),
            asking=default_embedder(session.config(embedding_threads=1)),
            folder=folder,
        )


def _ask(session: Session, indexed: IndexedCorpus, makers: Mapping[str, Maker]) -> dict[str, Run]:
    from clew.evaluation.environment import one_core  # noqa: PLC0415
    from clew.evaluation.measuring import silent  # noqa: PLC0415
    from clew.evaluation.multihop import ask_all  # noqa: PLC0415

    quiet = session.quiet or session.json
    with one_core():
        # Lines and no bar: drawing would take its time on the core that is measured.
        return ask_all(
            indexed, makers, teller=lambda: silent if quiet else progress_lines("questions")
        )


@contextmanager
def _folder(backend: Backend) -> Iterator[Path | None]:
    """A folder for a store that is thrown away; None for one in memory."""
    if backend is Backend.MEMORY:
        yield None
        return
    with TemporaryDirectory() as scratch:
        yield Path(scratch) / "bench.clew"


def _write(out: Path | None, found: Mapping[str, Any]) -> None:
    from clew.evaluation.multihop import report_name  # noqa: PLC0415

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        file = out / f"{report_name(found)}.json"
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _print(found: Mapping[str, Any]) -> None:
    from clew.evaluation.tables import heading, index_rows, kind_rows, recall_rows, stage_rows  # noqa: PLC0415

    out = console()
    out.print(f"[bold]{escape(heading(found))}[/bold]")
    for rows in (recall_rows, stage_rows, kind_rows, index_rows):
        head, *lines = rows(found)
        if lines:
            out.print()
            print_table(out, head, lines)


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
