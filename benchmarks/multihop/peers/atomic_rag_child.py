"""Runs AtomicRAG in its own environment and answers over pipes; started by ``atomic_rag``.

One JSON object a line, both ways. The parent sends ``{"documents", "settings"}``, then questions;
the child sends ``{"ready"}``, then ``{"found"}`` for each. In between it may ask ``{"embed"}`` and
gets ``{"vectors"}``: float32 rows in base64, from the same embedder that clew has.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import time
from typing import IO, Any

_CAPITALISED = re.compile(r"\b[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*)*")


class Pipe:
    def __init__(self, incoming: IO[str], outgoing: IO[str]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def read(self) -> Any:
        """The next message; None when the parent has gone."""
        line = self._incoming.readline()
        return json.loads(line) if line else None

    def write(self, **message: object) -> None:
        self._outgoing.write(json.dumps(message) + "\n")
        self._outgoing.flush()


class ParentEmbedding:
    """The two calls that AtomicRAG makes of an embedder, and the seconds they took.

    ``progress`` takes its reports: once all units have their vectors, what follows are entities,
    whose vectors it stores and never reads. Those are left empty.
    """

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._units_done = False
        self.seconds = 0.0

    def progress(self, done: int, total: int, stage: str) -> None:
        self._units_done |= stage == "Embedding KUs" and done == total

    def embed_text(self, text: str) -> list[float]:
        return self._ask([text], "query")[0]

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        return [[] for _ in texts] if self._units_done else self._ask(texts, "document")

    def _ask(self, texts: list[str], kind: str) -> list[list[float]]:
        import numpy as np

        began = time.perf_counter()
        self._pipe.write(embed=texts, kind=kind)
        reply = self._pipe.read()
        raw = np.frombuffer(base64.b64decode(reply["vectors"]), dtype="<f4")
        self.seconds += time.perf_counter() - began
        rows: list[list[float]] = raw.reshape(len(texts), -1).tolist()
        return rows


class CapitalisedSpans:
    """Stands for the model that AtomicRAG asks for the entities of every question."""

    def __init__(self) -> None:
        self.question = ""

    def generate(self, prompt: str) -> str:  # noqa: ARG002 - the prompt only wraps the question
        words = [span.split() for span in _CAPITALISED.findall(self.question)]
        names = [" ".join(span) for span in words] + [" ".join(span[1:]) for span in words]
        return json.dumps({"entities": [name for name in names if name]})


def main() -> None:
    from atomicrag import (  # type: ignore[import-not-found]
        AtomicRAGConfig,
        IndexPipeline,
        RetrievePipeline,
    )

    pipe = Pipe(sys.stdin, sys.stdout)
    sys.stdout = sys.stderr
    job = pipe.read()
    config = AtomicRAGConfig.from_dict(job["settings"])
    embedding, names = ParentEmbedding(pipe), CapitalisedSpans()
    config.on_progress = embedding.progress
    began = time.perf_counter()
    graph = IndexPipeline(llm=names, embedding=embedding, config=config).run(job["documents"])
    seconds = time.perf_counter() - began
    pipe.write(ready={**graph.stats(), "seconds": seconds, "seconds_embedder": embedding.seconds})
    document_of = {chunk.id: chunk.doc_id for chunk in graph.chunks}
    searching = RetrievePipeline(graph=graph, llm=names, embedding=embedding, config=config)
    while (asked := pipe.read()) is not None:
        names.question = asked["question"]
        items = searching.search(asked["question"]).items
        pipe.write(found=[document_of[item.source_chunk_id] for item in items])


if __name__ == "__main__":
    main()
