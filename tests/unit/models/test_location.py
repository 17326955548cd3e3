"""Where the local model is looked for. The files here are stand-ins: only their place counts."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import clew_minilm
from clew.config import ClewConfig
from clew.errors import MissingModelError, ModelError
from clew.models import default
from clew.models.default import default_embedder
from clew.models.location import SHIPPED_GRAPH, SHIPPED_HASHES, find_model


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment without a cached model, and an installation without the package."""
    monkeypatch.setitem(sys.modules, "clew_minilm", None)
    return {"CLEW_CACHE_DIR": str(tmp_path / "cache")}


def _put(folder: Path, graph: str = "model.onnx") -> Path:
    folder.mkdir(parents=True)
    (folder / graph).write_bytes(b"graph")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    return folder / graph


def test_nothing_named_and_nothing_there(nothing: dict[str, str]) -> None:
    assert find_model(environment=nothing) is None


def test_the_package_comes_last(tmp_path: Path) -> None:
    environment = {"CLEW_CACHE_DIR": str(tmp_path)}
    files = find_model(environment=environment)
    assert files is not None
    assert files.graph == clew_minilm.model_path()
    cached = _put(tmp_path / "models", SHIPPED_GRAPH)
    files = find_model(environment=environment)
    assert files is not None
    assert files.graph == cached
    named = _put(tmp_path / "named")
    files = find_model(environment=environment | {"CLEW_MODEL": str(named)})
    assert files is not None
    assert files.graph == named
    argument = _put(tmp_path / "argument")
    files = find_model(argument, environment | {"CLEW_MODEL": str(named)})
    assert files is not None
    assert files.graph == argument


def test_a_folder_stands_for_the_graph_in_it(tmp_path: Path) -> None:
    graph = _put(tmp_path / "model")
    files = find_model(graph.parent)
    assert files is not None
    assert (files.graph, files.name) == (graph, "model")


def test_a_named_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError, match=r"CLEW_MODEL='.*nowhere.onnx': .* found nothing"):
        find_model(environment={"CLEW_MODEL": str(tmp_path / "nowhere.onnx")})


def test_a_folder_of_two_graphs_is_an_error(tmp_path: Path) -> None:
    folder = _put(tmp_path / "model").parent
    (folder / "other.onnx").write_bytes(b"graph")
    with pytest.raises(MissingModelError, match="found 2"):
        find_model(folder)


def test_a_graph_without_its_tokenizer_is_an_error(tmp_path: Path) -> None:
    graph = _put(tmp_path / "model")
    (graph.parent / "tokenizer.json").unlink()
    with pytest.raises(MissingModelError, match=r"tokenizer\.json must lie beside it"):
        find_model(graph)


def test_a_damaged_file_is_named_with_both_hashes(tmp_path: Path) -> None:
    files = find_model(_put(tmp_path / "model", SHIPPED_GRAPH))
    assert files is not None
    with pytest.raises(ModelError) as caught:
        files.verify()
    message = str(caught.value)
    assert SHIPPED_GRAPH in message
    assert SHIPPED_HASHES[0] in message
    assert sha256(b"graph").hexdigest() in message


def test_another_model_has_the_hash_of_both_its_files(tmp_path: Path) -> None:
    files = find_model(_put(tmp_path / "model"))
    assert files is not None
    before = files.verify()
    assert files.verify() == before
    files.tokenizer.write_text('{"other": 1}', encoding="utf-8")
    assert files.verify() != before


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    files = find_model(_put(tmp_path / "model"))
    assert files is not None
    before = files.verify()
    files.graph.write_bytes(b"hparg")
    os.utime(files.graph, ns=(1, 1))
    assert files.verify() != before


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    files = find_model(_put(tmp_path / "model"))
    assert files is not None
    files.graph.unlink()
    with pytest.raises(MissingModelError, match=r"model\.onnx: cannot be read"):
        files.verify()


def test_the_hashes_are_those_of_the_package() -> None:
    assert (clew_minilm.MODEL_SHA256, clew_minilm.TOKENIZER_SHA256) == SHIPPED_HASHES
    clew_minilm.verify()


def test_without_a_model_there_is_no_lesser_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default, "find_model", lambda: None)
    assert default_embedder(ClewConfig()) is None


def test_words_alone_on_request() -> None:
    assert default_embedder(ClewConfig(embedding_model="none")) is None


def test_a_damaged_default_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_MODEL", str(_put(tmp_path / "model", SHIPPED_GRAPH)))
    with pytest.raises(ModelError, match="is damaged"):
        default_embedder(ClewConfig())


def test_importing_clew_loads_no_model_library() -> None:
    code = (
        "import sys, clew, clew.models.default, clew.models.local\n"
        "print([name for name in ('onnxruntime', 'tokenizers') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
