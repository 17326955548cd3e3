"""How a model is named in the configuration."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clew.config import ClewConfig
from clew.errors import ConfigError, MissingExtraError
from clew.models.default import default_embedder
from clew.models.references import ModelReference, embedder_reference, reranker_reference


@pytest.mark.parametrize(
    ("text", "kind", "name", "url"),
    [
        ("local", "local", "local", ""),
        ("none", "none", "none", ""),
        ("./models/mine", "folder", "models/mine", ""),
        ("/srv/bge", "folder", "/srv/bge", ""),
        ("mine.onnx", "folder", "mine.onnx", ""),
        ("BAAI/bge-small-en-v1.5", "hub", "BAAI/bge-small-en-v1.5", ""),
        ("sentence-transformers/LaBSE", "hub", "sentence-transformers/LaBSE", ""),
        ("openai:text-embedding-3-small", "openai", "text-embedding-3-small", ""),
        ("openai:bge-m3@http://host:8080/v1/", "openai", "bge-m3", "http://host:8080/v1"),
        ("openai:org/m:q4@https://h/v1", "openai", "org/m:q4", "https://h/v1"),
        ("openai:@cf/baai/bge@https://h/v1", "openai", "@cf/baai/bge", "https://h/v1"),
        ("gemini:gemini-embedding-001", "gemini", "gemini-embedding-001", ""),
        ("ollama:nomic-embed-text:v1.5", "ollama", "nomic-embed-text:v1.5", ""),
        ("ollama:bge-m3@http://host:11434/", "ollama", "bge-m3", "http://host:11434"),
        ("oci:cohere.embed-v4.0", "oci", "cohere.embed-v4.0", ""),
        (" local ", "local", "local", ""),
    ],
)
def test_every_form_is_read(text: str, kind: str, name: str, url: str) -> None:
    found = embedder_reference("embedding_model", text)
    assert (found.kind, found.name, found.url) == (kind, name, url)


def test_a_folder_that_is_there_is_no_name_on_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models" / "mine").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert embedder_reference("m", "models/mine").kind == "folder"
    assert embedder_reference("m", "models/other").kind == "hub"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert embedder_reference("m", "~/models").name == str(tmp_path / "models")


def test_a_folder_of_a_graph_is_told_from_one_of_weights(tmp_path: Path) -> None:
    assert not ModelReference(kind="folder", name=str(tmp_path)).is_onnx
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").touch()
    assert ModelReference(kind="folder", name=str(tmp_path)).is_onnx
    assert ModelReference(kind="folder", name="x/y.onnx").is_onnx
    assert not ModelReference(kind="hub", name="a/b").is_onnx


@pytest.mark.parametrize(
    ("stated", "mean"),
    [
        ('{"pooling_mode": "mean"}', True),
        ('{"pooling_mode": "cls"}', False),
        ('{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}', True),
        ('{"pooling_mode_mean_tokens": false, "pooling_mode_cls_token": true}', False),
        ('{"pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true}', False),
    ],
)
def test_a_graph_whose_vectors_are_no_means_is_left_to_its_own_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stated: str, mean: bool
) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").write_bytes(b"graph")
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert ModelReference(kind="folder", name=str(tmp_path)).takes_the_mean
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(stated, encoding="utf-8")
    assert ModelReference(kind="folder", name=str(tmp_path)).takes_the_mean == mean
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    config = ClewConfig(embedding_model=str(tmp_path))
    if mean:
        assert default_embedder(config) is not None
    else:
        with pytest.raises(MissingExtraError):
            default_embedder(config)


@pytest.mark.parametrize("text", ["", "locl", "bge-small", "a/b/c", "http://host/v1"])
def test_what_names_no_model_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(ConfigError, match=r"embedding_model=.* is not one of local, none, a fol"):
        ClewConfig(embedding_model=text)


def test_the_nearest_word_is_named() -> None:
    with pytest.raises(ConfigError, match="did you mean 'local'"):
        ClewConfig(embedding_model="locl")


@pytest.mark.parametrize(
    "text",
    ["openai:", "openai:m@host:80", "openai:m@http://", "openai:m@", "ollama:", "ollama:m@host"],
)
def test_a_server_that_is_none_is_named(text: str) -> None:
    kind = text.partition(":")[0]
    with pytest.raises(ConfigError, match=f"write {kind}:MODEL, or {kind}:MODEL@http://HOST:PORT"):
        embedder_reference("embedding_model", text)


@pytest.mark.parametrize("text", ["local", "openai:rank-1"])
def test_a_reranker_is_a_folder_or_a_name(text: str) -> None:
    with pytest.raises(ConfigError, match=r"reranker_model=.* is not one of none, a folder"):
        ClewConfig(reranker_model=text)
    assert reranker_reference("r", "cross-encoder/ms-marco-MiniLM-L6-v2").kind == "hub"
