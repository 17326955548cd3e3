"""Settings of the embedding stage and of model calls."""

from __future__ import annotations

from dataclasses import dataclass

from clew.settings import check_settings, setting


@dataclass(frozen=True, kw_only=True)
class EmbeddingConfig:
    embedding_model: str = setting(
        "local",
        "What embeds when no embedder is given: the local model, or 'none' for words alone.",
        choices=("local", "none"),
    )
    embedding_batch_size: int = setting(100, "Texts in one embedding call.", minimum=1)
    embedding_concurrency: int = setting(1, "Embedding calls at the same time.", minimum=1)
    embedding_dimensions: int | None = setting(
        None, "Expected dimensions; None takes the embedder's.", minimum=1
    )
    embedding_threads: int | None = setting(
        None, "Threads of the local embedder; None for all cores.", minimum=1
    )

    def __post_init__(self) -> None:
        check_settings(self)
