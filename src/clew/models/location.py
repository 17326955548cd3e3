"""Where the files of the local embedder are, and whether they are the right ones.

Looked for in this order: the path that the user names (an argument, else ``CLEW_MODEL``), the cache
folder of the user, the package ``clew-minilm``. A path that was named and is not there is an error,
never a reason to take the next one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path

from clew.errors import MissingModelError, ModelError

SHIPPED_NAME = "all-MiniLM-L6-v2/int8"
SHIPPED_GRAPH = "all-MiniLM-L6-v2-int8-tokens.onnx"
SHIPPED_HASHES = (
    "fa84f47a7f2480739cd9fc1f52f9f29e752a676f55790ce04d5338442da77c00",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelFiles:
    """A graph and its tokenizer. ``expected`` are their SHA-256 hashes where those are known."""

    name: str
    graph: Path
    tokenizer: Path
    expected: tuple[str, str] | None = None

    def verify(self) -> str:
        """Return one hash of both files; raise :class:`ModelError` for a file that is not what it
        should be.
        """
        found = (_sha256_of(self.graph), _sha256_of(self.tokenizer))
        for path, is_, should in zip(
            (self.graph, self.tokenizer), found, self.expected or found, strict=True
        ):
            if is_ != should:
                raise ModelError(
                    f"{path} is damaged: sha256 is {is_}, expected {should}; "
                    "`pip install --force-reinstall clew-minilm` brings it back"
                )
        return sha256("".join(found).encode()).hexdigest()


def find_model(
    path: str | Path | None = None, environment: Mapping[str, str] | None = None
) -> ModelFiles | None:
    """Return the files of the local embedder, or None when nothing was named and none are there."""
    variables = os.environ if environment is None else environment
    if path is not None:
        return _named(Path(path), "path")
    if variables.get("CLEW_MODEL"):
        return _named(Path(variables["CLEW_MODEL"]), "CLEW_MODEL")
    return _cached(variables) or _packaged()


def _named(path: Path, origin: str) -> ModelFiles:
    """A graph file with its tokenizer beside it, or the folder of the two, or a folder laid out as
    published models are: ``onnx/model.onnx``, and the tokenizer above it.
    """
    path = path.expanduser()
    graphs = sorted(path.glob("*.onnx")) if path.is_dir() else [path]
    if not graphs and (published := path / "onnx" / "model.onnx").is_file():
        graphs = [published]
    if len(graphs) != 1 or not graphs[0].is_file():
        raise MissingModelError(
            f"{origin}={str(path)!r}: expected an .onnx file, or a folder with one; "
            f"found {len(graphs) if path.is_dir() else 'nothing there'}"
        )
    graph = graphs[0]
    tokenizer = graph.with_name(TOKENIZER)
    if not tokenizer.is_file() and graph.parent.name == "onnx":
        tokenizer = graph.parent.with_name(TOKENIZER)
    if not tokenizer.is_file():
        raise MissingModelError(f"{graph}: its {TOKENIZER} must lie beside it")
    if graph.name == SHIPPED_GRAPH:
        return _shipped(graph)
    name = graph.stem if tokenizer.parent == graph.parent else tokenizer.parent.name
    return ModelFiles(name=name, graph=graph, tokenizer=tokenizer)


def _cached(variables: Mapping[str, str]) -> ModelFiles | None:
    import platformdirs  # noqa: PLC0415 - only this look-up needs it

    folder = variables.get("CLEW_CACHE_DIR") or platformdirs.user_cache_dir("clew", appauthor=False)
    graph = Path(folder, "models", SHIPPED_GRAPH)
    return _shipped(graph) if graph.is_file() else None


def _packaged() -> ModelFiles | None:
    try:
        import clew_minilm  # noqa: PLC0415 - data that may be left out of an installation
    except ModuleNotFoundError:
        return None
    return _shipped(clew_minilm.model_path())


def _shipped(graph: Path) -> ModelFiles:
    return ModelFiles(
        name=SHIPPED_NAME,
        graph=graph,
        tokenizer=graph.with_name(TOKENIZER),
        expected=SHIPPED_HASHES,
    )


def _sha256_of(path: Path) -> str:
    try:
        status = path.stat()
        return _digest(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise MissingModelError(f"{path}: cannot be read: {error.strerror}") from error


@cache
def _digest(path: Path, size: int, modified_ns: int) -> str:  # noqa: ARG001 - they are the key
    """Read a file once as long as it looks unchanged."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
