"""The embedder that clew takes when the user gives none."""

from __future__ import annotations

from clew.models.base import SpanEmbedder
from clew.models.config import EmbeddingConfig
from clew.models.local import LocalEmbedder
from clew.models.location import find_model


def default_embedder(config: EmbeddingConfig) -> SpanEmbedder | None:
    """Return the local embedder; None when ``embedding_model`` is ``none`` or no model is there.

    None means searching by words alone, and whoever asks must say so: measured, words beat every
    embedding that needs no model, so there is no lesser embedder to fall back to.

    Raises :class:`clew.errors.ModelError` when the files are damaged, or named and not there.
    """
    if config.embedding_model == "none" or find_model() is None:
        return None
    return LocalEmbedder(threads=config.embedding_threads)
