"""``eval``: measure answers on questions of one's own, and compare two configurations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.app import EPILOG, EXIT_FAILED, app
from clew.cli.progress import progress
from clew.cli.render import console, escape, note, print_json, print_table
from clew.cli.session import Session
from clew.errors import ConfigError, nearest
from clew.results import to_plain

if TYPE_CHECKING:
    from clew.config import ClewConfig
    from clew.evaluation.answer_report import AnswerReport
    from clew.evaluation.answered import Cost
    from clew.evaluation.own_questions import OwnQuestion
    from clew.knowledge_base import KnowledgeBase

_EXIT_PARTLY = 3


@app.command(name="eval", epilog=EPILOG)
def evaluate(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="Questions: JSON Lines or CSV with question, answers, doc_ids.")
    ],
    against: Annotated[
        Path | None, typer.Option("--against", help="Settings of a second run, as --config.")
    ] = None,
    set_b: Annotated[
        list[str] | None,
        typer.Option("--set-b", help="One setting of the second run, KEY=VALUE; repeatable."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write every question to one HTML page.")
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option("--require", help="Fail below a figure, such as em=0.6; repeatable."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only so many questions.")] = None,
) -> None:
    """Measure answers on your own questions: are they right, cited, refused where they should be.

    With --against or --set-b the same questions are asked with other settings, and the difference
    is shown with its 95 % interval. A figure that --require asks for and that is not reached gives
    exit status 1; questions that failed give 3.

    Examples:

      clew eval questions.jsonl --html report.html

      clew eval questions.csv --set-b answer_method=extractive --require em=0.5
    """
    from clew.evaluation.own_questions import load_questions  # noqa: PLC0415

    session: Session = context.obj
    least = _required(require or ())
    questions = load_questions(file)[:limit]
    other = _other(session, against, set_b or ())
    with session.open_to_read() as kb:
        reports = [_run(session, kb, questions, "as given")]
        if other is not None:
            reports.append(_run(session, _asked_with(kb, other), questions, "second"))
    if html is not None:
        from clew.evaluation.answer_page import write_page  # noqa: PLC0415

        write_page(html, *reports)
    _show(session, reports)
    _exit(session, reports, least)


def _asked_with(kb: KnowledgeBase, config: ClewConfig) -> KnowledgeBase:
    """The same store with other settings; whoever opened it closes it."""
    return type(kb)(kb.store, config=config)


def _other(session: Session, against: Path | None, set_b: Sequence[str]) -> ClewConfig | None:
    if against is None and not set_b:
        return None
    other = replace(
        session,
        config_file=against or session.config_file,
        settings=(*session.settings, *set_b),
    ).config()
    if not session.quiet:
        _tell_of_indexing(session.config(), other)
    return other


def _tell_of_indexing(first: ClewConfig, second: ClewConfig) -> None:
    """Both runs ask one store: what is read when documents are indexed makes no difference."""
    from clew.chunking.config import ChunkingConfig  # noqa: PLC0415
    from clew.extraction.config import ExtractionConfig  # noqa: PLC0415

    names = {item.name for kind in (ChunkingConfig, ExtractionConfig) for item in fields(kind)}
    changed = [name for name in sorted(names) if getattr(first, name) != getattr(second, name)]
    if changed:
        note(
            f"{', '.join(changed)}: only indexing reads this, and both runs ask the same store; "
            "to compare, index into a second store and run `clew eval` on each"
        )


def _run(
    session: Session, kb: KnowledgeBase, questions: Sequence[OwnQuestion], name: str
) -> AnswerReport:
    from clew.evaluation.answer_report import evaluate_answers  # noqa: PLC0415

    cost, currency = _cost(kb)
    with progress(quiet=session.quiet, unit="questions") as tell:
        return evaluate_answers(
            kb,
            questions,
            name=name,
            settings=kb.config.shown(changed=True),
            cost=cost,
            currency=currency,
            tell=tell,
        )


def _cost(kb: KnowledgeBase) -> tuple[Cost, str]:
    """What the use of the model costs, where its price is known."""
    from clew.models.wrappers.prices import PriceTable  # noqa: PLC0415

    llm = None if kb.config.answer_method == "extractive" else kb.llm
    if llm is None:
        return (lambda _usage: 0.0), ""
    price = PriceTable(kb.config.llm_prices).price_of(llm.fingerprint)
    return ((lambda _usage: None), "") if price is None else (price.of, price.currency)


def _required(texts: Sequence[str]) -> dict[str, float]:
    from clew.evaluation.answer_report import LABELS  # noqa: PLC0415

    found = {}
    for text in texts:
        key, _, value = text.partition("=")
        try:
            found[key.strip()] = float(value)
        except ValueError:
            raise ConfigError(f"--require {text!r}: write FIGURE=SHARE, such as em=0.6") from None
        if key.strip() not in LABELS:
            raise ConfigError(
                f"--require {text!r}: no such figure{nearest(key.strip(), LABELS)}; "
                f"choose of {', '.join(LABELS)}"
            )
    return found


def _show(session: Session, reports: Sequence[AnswerReport]) -> None:
    from clew.evaluation.answer_report import compare  # noqa: PLC0415
    from clew.evaluation.answer_table import answer_rows  # noqa: PLC0415

    differences = compare(*reports) if len(reports) == 2 else {}
    if session.json:
        told: dict[str, Any] = {"runs": [report.to_dict() for report in reports]}
        if differences:
            told["differences"] = {key: to_plain(one) for key, one in differences.items()}
        print_json(told)
        return
    out = console()
    head, *rows = answer_rows(reports, differences)
    print_table(out, head, rows)
    if differences:
        out.print(escape("* an interval without zero: hardly by chance"))


def _exit(session: Session, reports: Sequence[AnswerReport], least: Mapping[str, float]) -> None:
    """Say what failed and what is too low; exit with the status of the graver of the two."""
    failed = [one.error for report in reports for one in report.failed]
    if not session.quiet:
        for error in failed:
            note(error)
    figures = reports[0].figures
    missed = [
        f"{key} is {figures[key]:.3f}, below {value:g}"
        if key in figures
        else f"{key} could not be measured on these questions"
        for key, value in least.items()
        if figures.get(key, -1.0) < value
    ]
    for text in missed:
        note(f"--require: {text}")
    if missed:
        raise typer.Exit(EXIT_FAILED)
    if failed:
        raise typer.Exit(_EXIT_PARTLY)
