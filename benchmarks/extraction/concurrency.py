"""How much faster extraction is with ten calls at the same time, and whether the graph is the same.

python benchmarks/extraction/concurrency.py
python benchmarks/extraction/concurrency.py --latency 0.2 --chunks 100 --concurrency 10

A model in this process takes ``--latency`` seconds for each call. Three corpora of about the same
number of chunks, each asked about one chunk a call: one long document, ten of medium length, and
as many documents as chunks. Into a store on disk, without an embedder: what is measured is the
extraction with its cache and its books, which are written durably after each call.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from clew import ClewConfig, IndexPipeline
from clew.stores import open_store
from clew.stores.codec import indexed_to_dict
from clew.testing import TellingLLM

_CHUNK_CHARS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--latency", type=float, default=0.2, help="seconds a call")
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--concurrency", type=int, default=10)
    options = parser.parse_args()
    for documents in (1, 10, options.chunks):
        texts = _texts(documents, options.chunks // documents)
        alone, calls, graph = _run(texts, options.latency, 1)
        together, _, other = _run(texts, options.latency, options.concurrency)
        result = {
            "documents": documents,
            "calls": calls,
            "seconds_one_by_one": round(alone, 2),
            f"seconds_{options.concurrency}_at_once": round(together, 2),
            "times_faster": round(alone / together, 2),
            "same_graph": graph == other,
        }
        print(json.dumps(result))


def _texts(documents: int, chunks: int) -> list[str]:
    """Each chunk is a paragraph that fills it."""
    return [
        "\n\n".join(_paragraph(f"{document}-{chunk}") for chunk in range(chunks))
        for document in range(documents)
    ]


def _paragraph(name: str) -> str:
    sentence = f"Mill {name} at Norr was built by Ada Orm and rebuilt by Bo Lind of Ostby. "
    return (sentence * (_CHUNK_CHARS // len(sentence))).strip()


def _run(texts: list[str], latency_s: float, concurrency: int) -> tuple[float, int, Any]:
    llm = TellingLLM(latency_s=latency_s)
    config = ClewConfig(
        embedding_model="none",
        chunk_size=_CHUNK_CHARS,
        chunk_overlap=0,
        ku_batch_size=1,
        ku_concurrency=concurrency,
    )
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder, "s.clew"))
        began = time.perf_counter()
        IndexPipeline(llm=llm, config=config, store=store).run(texts)
        seconds = time.perf_counter() - began
        loaded = [store.load_document(document.id) for document in store.list_documents()]
        graph = [indexed_to_dict(document) for document in loaded if document is not None]
        store.close()
    return seconds, len(llm.prompts), graph


if __name__ == "__main__":
    main()
