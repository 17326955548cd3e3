"""One phase of AtomicRAG 0.1.0 in a process of its own; started by ``side_by_side``.

::

    python atomic_rag_child.py PHASE FOLDER METHOD

``index`` makes the graph of ``FOLDER/corpus.json`` and saves it; ``load`` reads it back and
searches. METHOD is its own ``sentence``, or ``llm`` with the replies in the corpus, which costs it
no extraction at all. Prints one JSON object. Nothing of clew is imported.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

from text_vectors import TextVectors  # type: ignore[import-not-found]


class Replies:
    """The model: it has the reply to every chunk, and the names of the question that is asked."""

    def __init__(self, replies: dict[str, str]) -> None:
        self._replies = replies
        self.names: list[str] = []

    def generate(self, prompt: str) -> str:
        for line in prompt.splitlines():
            if line in self._replies:
                return self._replies[line]
        return json.dumps({"entities": self.names})


def private_mb() -> float:
    text = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    found = re.search(r"^Anonymous:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    from atomicrag import (  # type: ignore[import-not-found]
        AtomicRAGConfig,
        IndexPipeline,
        RetrievePipeline,
    )
    from atomicrag.models.graph import KnowledgeGraph  # type: ignore[import-not-found]

    phase, folder, method = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    corpus = json.loads((folder / "corpus.json").read_text(encoding="utf-8"))
    vectors, replies = TextVectors(), Replies(corpus["replies"] if phase == "index" else {})
    config = AtomicRAGConfig.from_dict(
        {"ku_extraction_method": method, "chunk_size": 100_000, "ku_max_units_per_chunk": 100}
    )
    file = str(folder / f"graph-{method}.json")
    documents = [{"text": text, "doc_id": name} for name, text in corpus["texts"].items()]
    questions = corpus["questions"]
    del corpus
    report: dict[str, Any] = {}
    if phase == "index":
        began = time.process_time()
        graph = IndexPipeline(llm=replies, embedding=vectors, config=config).run(documents)
        report["index_s"] = time.process_time() - began - vectors.cpu_s
        report["counts"] = graph.stats()
        began = time.process_time()
        graph.to_json(file)
        report["save_s"] = time.process_time() - began
        report["disk_mb"] = Path(file).stat().st_size / 2**20
    else:
        del documents
        before = private_mb()
        began = time.process_time()
        graph = KnowledgeGraph.from_json(file)
        report["load_s"] = time.process_time() - began
        searching = RetrievePipeline(graph=graph, llm=replies, embedding=vectors, config=config)
        searching.search(questions[0]["text"])
        took = []
        for question in questions:
            replies.names = question["names"]
            began = time.process_time()
            searching.search(question["text"])
            took.append(time.process_time() - began)
        report["query_ms"] = 1000 * sorted(took)[len(took) // 2]
        report["memory_mb"] = private_mb() - before
    print(json.dumps(report))


if __name__ == "__main__":
    main()
