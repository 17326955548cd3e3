"""How much faster extraction is with ten calls at the same time, and whether the graph is the same.

::

    python -m benchmarks.extraction.concurrency
    python -m benchmarks.extraction.concurrency --latency 0.2 --chunks 100 --concurrency 10

A scripted server in a process of its own answers the SDK of OpenAI over HTTP, each call after
``--latency`` seconds. Three corpora of about the same number of chunks, each asked about one chunk
a call: one long document, ten of medium length, and as many documents as chunks. Into a store on
disk, without an embedder: what is measured is the extraction with its cache and its books, which
are written durably after each call.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew import ClewConfig, IndexPipeline
from clew.models.base import Message
from clew.stores import open_store
from clew.stores.codec import indexed_to_dict
from clew.testing import TellingLLM
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.openai import OpenAIWire

_CHUNK_CHARS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--latency", type=float, default=0.2, help="seconds a call")
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--concurrency", type=int, default=10)
    options = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "none")
    with _served(options.latency) as url:
        for documents in (1, 10, options.chunks):
            texts = _texts(documents, options.chunks // documents)
            alone, calls, graph = _run(texts, url, 1)
            together, _, other = _run(texts, url, options.concurrency)
            result = {
                "documents": documents,
                "calls": calls,
                "seconds_one_by_one": round(alone, 2),
                f"seconds_{options.concurrency}_at_once": round(together, 2),
                "times_faster": round(alone / together, 2),
                "same_graph": graph == other,
            }
            print(json.dumps(result), flush=True)


@contextmanager
def _served(latency_s: float) -> Iterator[str]:
    """The address of a server that tells what the passages say, ``latency_s`` after each call."""
    spawned = multiprocessing.get_context("spawn")
    told, url = spawned.Pipe()
    process = spawned.Process(target=_serve, args=(url, latency_s), daemon=True)
    process.start()
    yield told.recv()
    process.terminate()
    process.join()


def _serve(url: Any, latency_s: float) -> None:
    llm, wire = TellingLLM(), OpenAIWire()

    def answer(request: Request) -> Reply:
        messages = [
            Message(role=one["role"], content=one["content"]) for one in request.body["messages"]
        ]
        return replace(wire.reply(llm.complete(messages).text), delay_s=latency_s)

    with ScriptedServer() as server:
        server.script(answer)
        url.send(f"{server.url}/v1")
        server.left.wait()


def _texts(documents: int, chunks: int) -> list[str]:
    """Each chunk is a paragraph that fills it."""
    return [
        "\n\n".join(_paragraph(f"{document}-{chunk}") for chunk in range(chunks))
        for document in range(documents)
    ]


def _paragraph(name: str) -> str:
    sentence = f"Mill {name} at Norr was built by Ada Orm and rebuilt by Bo Lind of Ostby. "
    return (sentence * (_CHUNK_CHARS // len(sentence))).strip()


def _run(texts: list[str], url: str, concurrency: int) -> tuple[float, int, Any]:
    config = ClewConfig(
        llm_model=f"openai:telling@{url}",
        embedding_model="none",
        chunk_size=_CHUNK_CHARS,
        chunk_overlap=0,
        ku_batch_size=1,
        ku_concurrency=concurrency,
    )
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder, "s.clew"))
        began = time.perf_counter()
        IndexPipeline(config=config, store=store).run(texts)
        seconds = time.perf_counter() - began
        loaded = [store.load_document(document.id) for document in store.list_documents()]
        graph = [indexed_to_dict(document) for document in loaded if document is not None]
        calls = sum(entry.usage.calls for entry in store.usage())
        store.close()
    return seconds, calls, graph


if __name__ == "__main__":
    main()
