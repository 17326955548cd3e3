"""How much of what a multi-hop question needs is found, by each method, and in what time.

::

    python -m benchmarks.multihop.retrieve eval/2wiki
    python -m benchmarks.multihop.retrieve tune/musique --methods linked,hybrid --embedder none
    python -m benchmarks.multihop.retrieve eval/musique --distractors --backend sqlite
    python -m benchmarks.multihop.retrieve eval/2wiki --hide-titles --shuffle --concatenate
    python -m benchmarks.multihop.retrieve tune/2wiki --ablate about_link,shared_link,coverage
    python -m benchmarks.multihop.retrieve tune/2wiki --concatenate --set chunk_strategy=sentence

``clew bench multihop`` with the systems of :mod:`benchmarks.multihop.systems` beside clew's own,
and with vectors kept between runs. Figures are those of :mod:`clew.evaluation.measuring`; when a
passage of a long document counts as found, :mod:`clew.evaluation.corpora` says. Nothing is tuned
here.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.multihop.environment import with_one_blas_thread
from benchmarks.multihop.systems import NEED_VECTORS, SYSTEMS, USUAL
from benchmarks.multihop.vector_cache import cached

from clew.config import ClewConfig, settings_from_texts
from clew.evaluation.datasets import load_dataset
from clew.evaluation.environment import one_core
from clew.evaluation.indexed import index_corpus
from clew.evaluation.multihop import Form, ask_all, choose, report, report_name, together
from clew.evaluation.tables import markdown, recall_rows
from clew.models.local import LocalEmbedder
from clew.progress_lines import progress_lines

RESULTS = Path(__file__).parent / "results"


def measure(name: str, options: argparse.Namespace, folder: Path | None) -> dict[str, Any]:
    """The report on one set."""
    form = Form(
        distractors=options.distractors,
        titles=not options.hide_titles,
        shuffled=options.shuffle,
        concatenated=options.concatenate,
    )
    with_vectors = options.embedder == "local"
    makers = choose(
        options.methods,
        ablate=options.ablate,
        makers=SYSTEMS if options.methods else USUAL,
        need_vectors=NEED_VECTORS,
        with_vectors=with_vectors,
    )
    indexed = index_corpus(
        form.corpus(load_dataset(name, distractors=form.distractors)),
        config=ClewConfig.from_dict(settings_from_texts(dict(options.settings))),
        embedder=cached(LocalEmbedder(threads=options.threads)) if with_vectors else None,
        asking=LocalEmbedder(threads=1) if with_vectors else None,
        folder=folder,
    )
    with one_core():
        runs = ask_all(indexed, makers, teller=lambda: progress_lines("questions"))
    return report(name, form, indexed, runs)


def file_name(found: Mapping[str, Any], settings: Mapping[str, str]) -> str:
    """The name of a report, which says what was set: it does not replace the usual one."""
    return "-".join([report_name(found), *(f"{key}-{value}" for key, value in settings.items())])


def main() -> None:
    with_one_blas_thread("benchmarks.multihop.retrieve")
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.sets:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "store" if options.backend == "sqlite" else None
            found = measure(name, options, folder)
        file = options.out / f"{file_name(found, dict(options.settings))}.json"
        if options.add and file.exists():
            found = together(json.loads(file.read_text(encoding="utf-8")), found)
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        sys.stdout.write(f"{file}\n\n{markdown(recall_rows(found))}\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", metavar="SET", help="such as eval/2wiki")
    parser.add_argument(
        "--methods", type=_list, help=f"by commas, of {', '.join(SYSTEMS)}; also method:depth"
    )
    parser.add_argument("--ablate", type=_list, default=[], help="parts of linked to switch off")
    parser.add_argument("--embedder", choices=("local", "none"), default="local")
    parser.add_argument("--backend", choices=("memory", "sqlite"), default="memory")
    parser.add_argument("--hide-titles", action="store_true", help="give the texts alone")
    parser.add_argument("--shuffle", action="store_true", help="passages in another order")
    parser.add_argument("--concatenate", action="store_true", help="40 passages to a document")
    parser.add_argument("--distractors", action="store_true", help="add the extra passages")
    parser.add_argument(
        "--set",
        action="append",
        type=_assignment,
        dest="settings",
        default=[],
        metavar="KEY=VALUE",
        help="a setting to index and search by, such as chunk_strategy=sentence",
    )
    parser.add_argument("--threads", type=int, default=None, help="of the embedder, to index")
    parser.add_argument("--add", action="store_true", help="keep the systems of the file there is")
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args()


def _list(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _assignment(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


if __name__ == "__main__":
    main()
