"""The models that clew makes itself, from what the configuration names."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from clew.errors import MissingModelError
from clew.models.adapters import as_embedder, as_llm
from clew.models.base import LLM, Embedder
from clew.models.config import EmbeddingConfig
from clew.models.entailment import CheckedEntailment, as_entailment
from clew.models.llm_config import LLMConfig
from clew.models.llm_references import llm_reference
from clew.models.local import LocalEmbedder
from clew.models.location import find_model
from clew.models.prefixed import with_prefixes
from clew.models.references import (
    SERVERS,
    ModelReference,
    embedder_reference,
    entailment_reference,
    reranker_reference,
)
from clew.models.reranking import CheckedReranker, as_reranker


def default_embedder(config: EmbeddingConfig) -> Embedder | None:
    """Return the embedder that ``embedding_model`` names; None when it is ``none``, or ``local``
    and the packaged model is not installed.

    None means searching by words alone, and whoever asks must say so: measured, words beat every
    embedding that needs no model, so there is no lesser embedder to fall back to.

    Raises :class:`clew.errors.ModelError` when the files are damaged, or named and not there.
    """
    reference = embedder_reference("embedding_model", config.embedding_model)
    if reference.kind == "none" or (reference.kind == "local" and find_model() is None):
        return None
    if reference.kind == "local":
        return _prefixed(LocalEmbedder(threads=config.embedding_threads), config)
    return as_embedder(
        _named_embedder(reference, config),
        batch_size=config.embedding_batch_size,
        concurrency=config.embedding_concurrency,
        dimensions=config.embedding_dimensions,
    )


def is_local(config: EmbeddingConfig) -> bool:
    """Whether the embedder that ``embedding_model`` names computes on this machine's cores."""
    return embedder_reference("embedding_model", config.embedding_model).kind not in SERVERS


def default_reranker(config: EmbeddingConfig) -> CheckedReranker | None:
    """Return the reranker that ``reranker_model`` names; None when it is ``none``.

    Raises :class:`clew.errors.ModelError` when it cannot be had.
    """
    reference = reranker_reference("reranker_model", config.reranker_model)
    if reference.kind == "none":
        return None
    _require_folder(reference, "reranker_model")
    if reference.kind == "rerank":
        from clew.models.server_reranker import ServerReranker  # noqa: PLC0415 - on use

        server = ServerReranker(reference.name, base_url=reference.url)
        return as_reranker(server, batch_size=config.reranker_batch_size)
    if reference.is_onnx:
        from clew.models.onnx_cross_encoder import ONNXCrossEncoder  # noqa: PLC0415 - on use

        return as_reranker(ONNXCrossEncoder(reference.name), batch_size=config.reranker_batch_size)
    from clew.models.cross_encoder import load_cross_encoder  # noqa: PLC0415 - an extra

    size = config.reranker_batch_size
    return as_reranker(load_cross_encoder(reference.name, batch_size=size), batch_size=size)


def default_entailment(config: EmbeddingConfig) -> CheckedEntailment | None:
    """Return the model that ``entailment_model`` names; None when it is ``none``.

    Raises :class:`clew.errors.ModelError` when it cannot be had.
    """
    reference = entailment_reference("entailment_model", config.entailment_model)
    if reference.kind == "none":
        return None
    _require_folder(reference, "entailment_model")
    if reference.is_onnx:
        from clew.models.onnx_entailment import ONNXEntailment  # noqa: PLC0415 - on use

        return as_entailment(ONNXEntailment(reference.name))
    from clew.models.cross_encoder import load_entailment  # noqa: PLC0415 - an extra

    return as_entailment(load_entailment(reference.name))


def resolve_llm(llm: object | None, config: LLMConfig) -> LLM | None:
    """The language model to use: the one given, else what ``llm_model`` names."""
    return default_llm(config) if llm is None else as_llm(llm)


def default_llm(config: LLMConfig) -> LLM | None:
    """Return the language model that ``llm_model`` names, bare of all wrappers; None when it is
    ``none``.

    Raises :class:`clew.errors.ModelError` when its package or its key is missing.
    """
    reference = llm_reference("llm_model", config.llm_model)
    if reference.provider == "none":
        return None
    module, name = _LLM_CLASSES[reference.provider]
    options: dict[str, Any] = {
        "model": reference.model,
        "temperature": config.llm_temperature,
        "timeout_s": config.llm_timeout_s,
    }
    if config.llm_seed is not None and reference.provider not in _SEEDLESS:
        options["seed"] = config.llm_seed
    if reference.url:
        options[_ADDRESS_OPTION.get(reference.provider, "base_url")] = reference.url
    llm: LLM = getattr(import_module(f"clew.models.providers.{module}"), name)(**options)
    return llm


_LLM_CLASSES = {
    "openai": ("openai", "OpenAILLM"),
    "groq": ("groq", "GroqLLM"),
    "anthropic": ("anthropic", "AnthropicLLM"),
    "gemini": ("gemini", "GeminiLLM"),
    "ollama": ("ollama", "OllamaLLM"),
    "oci": ("oci", "OCIGenAILLM"),
}
_SEEDLESS = {"anthropic"}
_ADDRESS_OPTION = {"ollama": "host"}


def _named_embedder(reference: ModelReference, config: EmbeddingConfig) -> object:
    _require_folder(reference, "embedding_model")
    if reference.kind in _SERVER_EMBEDDERS:
        return _SERVER_EMBEDDERS[reference.kind](reference, config)
    if reference.is_onnx and reference.takes_the_mean:
        return _prefixed(LocalEmbedder(reference.name, threads=config.embedding_threads), config)
    from clew.models.sentence_transformers import HuggingFaceEmbedding  # noqa: PLC0415 - an extra

    return HuggingFaceEmbedding(
        reference.name,
        query_prefix=config.embedding_query_prefix,
        document_prefix=config.embedding_document_prefix,
    )


def _of_openai(reference: ModelReference, config: EmbeddingConfig) -> Embedder:
    from clew.models.openai_embedding import OpenAIEmbedding  # noqa: PLC0415 - on use

    url, dimensions = reference.url or None, config.embedding_dimensions
    server = OpenAIEmbedding(model=reference.name, base_url=url, dimensions=dimensions)
    return _prefixed(server, config)


def _of_gemini(reference: ModelReference, config: EmbeddingConfig) -> Embedder:
    from clew.models.providers.gemini_embedding import GeminiEmbedding  # noqa: PLC0415 - an extra

    url, dimensions = reference.url or None, config.embedding_dimensions
    server = GeminiEmbedding(model=reference.name, base_url=url, dimensions=dimensions)
    return _prefixed(server, config)


def _of_ollama(reference: ModelReference, config: EmbeddingConfig) -> Embedder:
    from clew.models.providers.ollama_embedding import OllamaEmbedding  # noqa: PLC0415 - an extra

    return OllamaEmbedding(
        reference.url or None,
        reference.name,
        dimensions=config.embedding_dimensions,
        query_prefix=config.embedding_query_prefix,
        document_prefix=config.embedding_document_prefix,
    )


def _of_oci(reference: ModelReference, config: EmbeddingConfig) -> Embedder:
    from clew.models.providers.oci_embedding import OCIGenAIEmbedding  # noqa: PLC0415 - an extra

    server = OCIGenAIEmbedding(model_id=reference.name, endpoint=reference.url or None)
    return _prefixed(server, config)


_SERVER_EMBEDDERS: dict[str, Callable[[ModelReference, EmbeddingConfig], Embedder]] = {
    "openai": _of_openai,
    "gemini": _of_gemini,
    "ollama": _of_ollama,
    "oci": _of_oci,
}


def _prefixed(embedder: Embedder, config: EmbeddingConfig) -> Embedder:
    """Not so for sentence-transformers and Ollama, whose models know their own prefixes."""
    return with_prefixes(embedder, config.embedding_query_prefix, config.embedding_document_prefix)


def _require_folder(reference: ModelReference, setting: str) -> None:
    if reference.kind == "folder" and not Path(reference.name).exists():
        raise MissingModelError(f"{setting}={reference.name!r}: there is no such folder or file")
