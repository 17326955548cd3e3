"""Settings of the embedding stage and of the models that clew makes itself."""

from __future__ import annotations

from dataclasses import dataclass

from clew.models.references import (
    embedder_reference,
    entailment_reference,
    reranker_reference,
)
from clew.settings import check_settings, setting


@dataclass(frozen=True, kw_only=True)
class EmbeddingConfig:
    embedding_model: str = setting(
        "local",
        "What embeds when no embedder is given: 'local'; 'none' for words alone; a folder "
        "(./models/mine); a sentence-transformers name (BAAI/bge-small-en-v1.5); or a model of a "
        "provider (openai:MODEL, gemini:MODEL, ollama:MODEL, oci:MODEL), with @URL behind it for a "
        "server of one's own (openai:MODEL@http://HOST:PORT/v1).",
        check=embedder_reference,
    )
    embedding_batch_size: int = setting(100, "Texts in one embedding call.", minimum=1)
    embedding_concurrency: int = setting(1, "Embedding calls at the same time.", minimum=1)
    embedding_dimensions: int | None = setting(
        None, "Expected dimensions; None takes the embedder's.", minimum=1
    )
    embedding_threads: int | None = setting(
        None, "Threads of the local embedder; None for all cores.", minimum=1
    )
    embedding_query_prefix: str | None = setting(
        None, "Put before each question by models that want it; None takes the model's own."
    )
    embedding_document_prefix: str | None = setting(
        None, "Put before each passage by models that want it; None takes the model's own."
    )
    reranker_model: str = setting(
        "none",
        "The cross-encoder that reads the best results again: 'none'; a folder of an ONNX graph "
        "or of sentence-transformers; a sentence-transformers name; or a model behind a server "
        "(rerank:MODEL@http://HOST:PORT/v1).",
        check=reranker_reference,
    )
    reranker_batch_size: int = setting(32, "Pairs that the reranker reads in one call.", minimum=1)
    entailment_model: str = setting(
        "none",
        "The model of natural language inference that holds each sentence of a written answer "
        "against the text it cites, after the checks of words, names and numbers: 'none'; a folder "
        "of an ONNX graph or of sentence-transformers; or a sentence-transformers name "
        "(cross-encoder/nli-deberta-v3-small).",
        check=entailment_reference,
    )

    def __post_init__(self) -> None:
        check_settings(self)
