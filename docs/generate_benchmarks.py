"""Write the tables of ``docs/explanation/benchmarks.md`` from the results files.

Each table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``; what is around them is
written by hand. The files are those of ``benchmarks/multihop/results``.

python docs/generate_benchmarks.py            # writes the tables
python docs/generate_benchmarks.py --check    # exit status 1 if one is not what the files say
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from clew.evaluation.tables import (
    Report,
    Rows,
    difference,
    kind_rows,
    markdown,
    recall_rows,
    stage_rows,
    summary_rows,
)

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "explanation" / "benchmarks.md"
RESULTS = ROOT / "benchmarks" / "multihop" / "results"
SETS = ("eval/2wiki", "eval/musique", "eval/hotpotqa")
SYSTEMS = (
    *("bm25s", "bm25", "dense", "dense-units", "reciprocal-ranks", "hybrid"),
    *("qiter", "ppr", "linear-rag", "atomic-rag", "linked"),
)
"""The order of systems in tables; others come behind."""

_TABLE = re.compile(r"(<!-- table: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_WITHOUT = "linked − "


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    written, current = PAGE.read_text(encoding="utf-8"), page(PAGE.read_text(encoding="utf-8"))
    if check and written != current:
        sys.stderr.write(f"not what the results say: {PAGE.name}; run {Path(__file__).name}\n")
        return 1
    PAGE.write_text(current, encoding="utf-8")
    return 0


def page(text: str) -> str:
    """``text`` with every table as the results files say."""
    made = tables(reports(RESULTS), _indexing(RESULTS))
    return _TABLE.sub(lambda match: f"{match[1]}\n{made[match[2]]}\n{match[3]}", text)


def reports(folder: Path) -> list[Report]:
    """The reports on the test sets, in the order of :data:`SETS`, the plain form first."""
    files = sorted(folder.glob("eval-*.json"))
    found = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return sorted(
        (_in_order(report) for report in found),
        key=lambda report: (
            *(len(report["form"]), report["form"], report["embedder"] == "none"),
            *(_place(report["set"], SETS), _on_disk(report)),
        ),
    )


def tables(every: Sequence[Report], indexing: Report) -> dict[str, str]:
    """All tables by name."""
    with_vectors = [report for report in every if report["embedder"] != "none"]
    in_memory = [report for report in with_vectors if not _on_disk(report)]
    plain = [report for report in in_memory if not report["form"]]
    whole = [_without_parts(report) for report in plain]
    return {
        "recall": markdown(summary_rows(whole)),
        "differences": markdown(_difference_rows(whole)),
        "forms": markdown(_form_rows(every)),
        "parts": markdown(_part_rows(plain)),
        "types": "\n".join(
            f"{report['set']}:\n\n{markdown(kind_rows(report))}" for report in whole
        ),
        "latency": "\n".join(_latency(report) for report in with_vectors if not report["form"]),
        "indexing": markdown(_index_rows(plain)),
        "scaling": markdown(_scaling_rows(indexing)),
        "environment": markdown(_environment_rows(every)),
    }


def _difference_rows(chosen: Sequence[Report]) -> Rows:
    systems = dict.fromkeys(
        name for report in chosen for name in report["systems"] if name != "linked"
    )
    return [
        ("recall@5 less than linked", *(report["set"] for report in chosen)),
        *((name, *(difference(report, name) for report in chosen)) for name in systems),
    ]


def _form_rows(every: Sequence[Report]) -> Rows:
    """A form and a system a line; what was measured in the plain form with vectors is elsewhere."""
    rows: Rows = [("form", "method", *SETS)]
    forms: dict[tuple[str, ...], dict[str, Report]] = {}
    for report in every:
        words = ("words alone",) if report["embedder"] == "none" else ()
        form = (*report["form"], *words)
        if form and not _on_disk(report):
            forms.setdefault(form, {})[report["set"]] = _without_parts(report)
    for form, by_set in forms.items():
        chosen = [by_set.get(name, {"set": name, "systems": {}}) for name in SETS]
        rows += [(", ".join(form), *row) for row in summary_rows(chosen)[1:]]
    return rows


def _part_rows(plain: Sequence[Report]) -> Rows:
    parts = dict.fromkeys(
        name for report in plain for name in report["systems"] if name.startswith(_WITHOUT)
    )
    head = ("without", *(report["set"] for report in plain))
    rows = ((name.removeprefix(_WITHOUT), *_differences(plain, name)) for name in parts)
    return [head, *rows]


def _differences(plain: Sequence[Report], name: str) -> Iterator[str]:
    return (difference(report, name) for report in plain)


def _latency(report: Report) -> str:
    """Times, and where they go, of one report."""
    keep = {"method", "p50 ms", "p95 ms", "CPU ms"}
    head, *rows = recall_rows(_without_parts(report))
    chosen = [at for at, name in enumerate(head) if name in keep]
    times = [tuple(row[at] for at in chosen) for row in (head, *rows)]
    where = "SQLite" if _on_disk(report) else "in memory"
    stages = stage_rows(_without_parts(report))
    parts = [f"{report['set']}, {where}:", markdown(times)]
    if len(stages) > 1:
        parts.append(markdown(stages))
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _index_rows(plain: Sequence[Report]) -> Rows:
    stages = ("chunk", "extract", "embed", "store")
    keys = ("passages", "chunks", "knowledge_units", "entities", "peak_memory_mb")
    rows: Rows = [("set", *(key.replace("_", " ").replace("mb", "MB") for key in keys), *stages)]
    for report in plain:
        index = report["index"]
        cpu = index.get("cpu_seconds_by_stage", {})
        rows.append((report["set"], *_shown(index, keys), *_shown(cpu, stages)))
    return rows


def _scaling_rows(indexing: Report) -> Rows:
    keys = {
        "passages": "passages",
        "cpu_seconds": "CPU s",
        "seconds_in_processes": "s, in processes",
        "peak_memory_mb": "peak memory MB",
        "disk_mb": "disk MB",
    }
    return [tuple(keys.values()), *(tuple(_shown(row, keys)) for row in indexing["scaling"])]


def _environment_rows(every: Iterable[Report]) -> Rows:
    rows: Rows = [("set", "form", "commit", "processor", "python", "numpy")]
    for report in every:
        machine = report["environment"]
        form = [*report["form"], *(["words alone"] if report["embedder"] == "none" else [])]
        form += ["SQLite"] if _on_disk(report) else []
        rows.append(
            (
                report["set"],
                ", ".join(form) or "plain",
                machine["commit"],
                machine["processor"],
                machine["python"],
                machine["packages"]["numpy"],
            )
        )
    return rows


def _indexing(folder: Path) -> Report:
    found: Report = json.loads((folder / "index-sqlite.json").read_text(encoding="utf-8"))
    return found


def _shown(figures: Report, keys: Iterable[str]) -> Iterator[str]:
    for key in keys:
        value = figures.get(key, "–")
        yield f"{value:,}" if isinstance(value, int) else str(value)


def _in_order(report: dict[str, Any]) -> Report:
    systems = sorted(report["systems"], key=lambda name: _place(name, SYSTEMS))
    return {**report, "systems": {name: report["systems"][name] for name in systems}}


def _without_parts(report: Report) -> Report:
    systems = {
        name: figures
        for name, figures in report["systems"].items()
        if not name.startswith(_WITHOUT)
    }
    return {**report, "systems": systems}


def _on_disk(report: Report) -> bool:
    return bool(report["index"].get("disk_mb"))


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


if __name__ == "__main__":
    sys.exit(main())
