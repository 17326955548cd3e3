"""AtomicRAG 0.1.0 from the Python Package Index, as it is, in an environment of its own.

It is installed with pip into a virtual environment in the cache folder and runs in a subprocess
(:mod:`benchmarks.multihop.peers.atomic_rag_child`), so that nothing of it enters clew's.

* **Vectors** come from the embedder that clew has, over a pipe, for its units and for questions.
* **Extraction** is its own method without a model, ``sentence``: units are its sentences, entities
  all phrases that occur twice. Passages are given as title, line end, text: it knows no titles.
* **Questions**: it asks a model for their entities; the capitalised spans stand for the reply.
* **Constants** are its defaults, but for ``score_aggregation``: ``max`` finds more on
  ``tune/hotpotqa``, the one set tried, than its default ``mean``. Depth, beam, anchors and query
  update change nothing there: what was collected is ranked by nearness to the question alone.
* **Left out** are vectors of entities, which it makes and never reads.

Latencies include the pipe (well under a millisecond); the processor's time of a search is spent in
the other process and is not seen by the harness.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.evaluation.indexed import IndexedCorpus, Piece
from clew.evaluation.systems import RESULTS, System
from clew.models.base import Embedder

PACKAGE = "atomicrag==0.1.0"
SETTINGS: Mapping[str, Any] = {
    "ku_extraction_method": "sentence",
    "result_top_n": RESULTS,
    "score_aggregation": "max",
}
_CHILD = Path(__file__).with_name("atomic_rag_child.py")


class PeerError(RuntimeError):
    """The peer cannot be installed, or its process ended."""


class AtomicRAG:
    """Indexes ``pieces`` when it is made; ``index`` says what that took."""

    name = "atomic-rag"

    def __init__(
        self,
        pieces: Sequence[Piece],
        embedder: Embedder,
        *,
        python: Path,
        settings: Mapping[str, Any] = SETTINGS,
    ) -> None:
        self._embedder = embedder
        self._process = subprocess.Popen(
            [str(python), str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        documents = [
            {"text": f"{piece.title}\n{piece.text}".strip(), "doc_id": piece.id} for piece in pieces
        ]
        reply = self._ask(documents=documents, settings=dict(settings))
        self.index: dict[str, Any] = reply["ready"]

    def search(self, question: str) -> list[str]:
        return list(dict.fromkeys(self._ask(question=question)["found"]))[:RESULTS]

    def close(self) -> None:
        """End the subprocess: it goes when nothing more can be asked."""
        self._process.communicate()

    def _ask(self, **message: object) -> Any:
        """Send a message; embed what the child wants embedded until it replies."""
        self._send(message)
        while "embed" in (reply := self._receive()):
            vectors = self._embedder.embed(reply["embed"], kind=reply["kind"])
            self._send({"vectors": base64.b64encode(vectors.astype("<f4").tobytes()).decode()})
        return reply

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise self._ended() from error

    def _receive(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise self._ended()
        return json.loads(line)

    def _ended(self) -> PeerError:
        self.close()
        status = self._process.returncode
        return PeerError(
            f"the process of {PACKAGE} ended with status {status}; see its output above"
        )


def system(indexed: IndexedCorpus) -> System:
    """As a benchmark asks for it; the peer makes its own index of the pieces. Needs vectors."""
    if indexed.asking is None:
        raise ValueError("atomic-rag needs vectors: index the corpus with an embedder")
    settings = {**SETTINGS, "chunk_size": indexed.config.chunk_size}
    python = installed(cache_folder())
    return AtomicRAG(indexed.pieces, indexed.asking, python=python, settings=settings)


def cache_folder() -> Path:
    """Where peers are installed: the folder that keeps vectors, or the user's cache folder."""
    place = os.environ.get("CLEW_BENCHMARK_CACHE", "")
    return Path.home() / ".cache/clew-benchmarks" if place in {"", "off"} else Path(place)


def installed(folder: Path, package: str = PACKAGE) -> Path:
    """The Python of a virtual environment in ``folder`` that has ``package``; made if absent.

    Raises :class:`PeerError` when it cannot be installed.
    """
    place = folder / package.replace("==", "-")
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = place / "installed"
    if not done.exists():
        _run([sys.executable, "-m", "venv", "--clear", str(place)], package)
        _run([str(python), "-m", "pip", "install", "--quiet", package], package)
        done.touch()
    return python


def _run(command: Sequence[str], package: str) -> None:
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        said = "\n".join((finished.stderr or finished.stdout).strip().splitlines()[-3:])
        raise PeerError(
            f"{package} cannot be installed for the comparison; leave the system out, or install "
            f"it where {command[0]} runs. `{' '.join(command)}` said:\n{said}"
        )
