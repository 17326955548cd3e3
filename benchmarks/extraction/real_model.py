"""What a real model, asked over HTTP, gives for passages: units and facts, and what is wrong.

::

    python -m benchmarks.extraction.real_model openai:MODEL@http://127.0.0.1:8089/v1
    python -m benchmarks.extraction.real_model openai:MODEL@http://127.0.0.1:8089/v1 --as-ollama
    python -m benchmarks.extraction.real_model ollama:llama3 --passages 30 --set ku_batch_size=4

The model is named as in the setting ``llm_model`` and asked through its provider's own SDK.
``--as-ollama`` puts a front before the server that speaks Ollama's protocol, and asks that.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.extraction.ollama_front import ollama_front

from clew.config import ClewConfig, settings_from_texts
from clew.documents import documents_from
from clew.evaluation.datasets import load_dataset
from clew.evaluation.indexed import documents_of
from clew.indexing.pipeline import IndexPipeline
from clew.reports import IngestReport
from clew.stores.memory import KnowledgeGraph


def main() -> None:
    options = _options()
    os.environ.setdefault("OPENAI_API_KEY", "none")
    with _served(options) as llm_model:
        settings = {"llm_timeout_s": "900", "ku_batch_size": "1", **dict(options.settings)}
        config = ClewConfig.from_dict(
            settings_from_texts(settings)
            | {"llm_model": llm_model, "ku_extraction_method": "llm", "embedding_model": "none"}
        )
        store = KnowledgeGraph()
        passages = load_dataset(options.data).passages[: options.passages]
        documents = documents_from(list(documents_of(passages)), scope=config.scope)
        began = time.perf_counter()
        report = IndexPipeline(config=config, store=store).index(documents, store)
        _print(llm_model, report, store, time.perf_counter() - began, options.show)


@contextlib.contextmanager
def _served(options: argparse.Namespace) -> Iterator[str]:
    """The name of the model to ask, with a front before it where one was asked for."""
    if not options.as_ollama:
        yield options.llm
        return
    name, _, url = options.llm.partition("@")
    model = name.partition(":")[2]
    with ollama_front(url, model) as front:
        yield f"ollama:{model}@{front.url}"


def _print(
    name: str, report: IngestReport, store: KnowledgeGraph, seconds: float, shown: int
) -> None:
    documents = report.documents
    passages = max(1, len(documents))
    counts = store.stats()
    chunks = sum(document.chunks for document in documents)
    degraded = sum(document.degraded_chunks for document in documents)
    ungrounded = sum(document.ungrounded_facts for document in documents)
    said = counts["knowledge_units"] + counts["facts"] + ungrounded
    usage = report.usage
    figures: dict[str, Any] = {
        "model": name,
        "passages": len(documents),
        "units_per_passage": round(counts["knowledge_units"] / passages, 2),
        "facts_per_passage": round(counts["facts"] / passages, 2),
        "entities_per_passage": round(counts["entities"] / passages, 2),
        "degraded_chunks": f"{degraded} of {chunks}",
        "ungrounded": f"{ungrounded} of {said} ({100 * ungrounded / max(1, said):.1f} %)",
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "seconds": round(seconds, 1),
    }
    print(json.dumps(figures, indent=1))
    reasons = sorted({document.reason for document in documents if document.reason})
    for line in (*report.notes, *reasons):
        print(f"  {line}")
    for document in store.list_documents()[:shown]:
        indexed = store.load_document(document.id)
        assert indexed is not None
        print(f"\n{document.title}: {indexed.document.text}")
        for unit in indexed.units:
            print(f"  {'~' if unit.degraded else '-'} {unit.text}")
        for fact in indexed.facts:
            denied = "not " if fact.negated else ""
            print(f"    [{fact.kind}] {fact.subject} | {denied}{fact.predicate} | {fact.object}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("llm", help="PROVIDER:MODEL, with @URL behind it for one's own server")
    parser.add_argument("--as-ollama", action="store_true", help="through Ollama's protocol")
    parser.add_argument("--data", default="tune/musique", help="a set of passages")
    parser.add_argument("--passages", type=int, default=30)
    parser.add_argument("--show", type=int, default=0, help="print so many passages, read")
    parser.add_argument(
        "--set",
        action="append",
        type=lambda text: tuple(text.split("=", 1)),
        dest="settings",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of clew, such as quality_mode=cheap",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
