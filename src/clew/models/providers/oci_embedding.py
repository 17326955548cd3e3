"""Vectors from OCI Generative AI."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from clew.errors import EmbeddingError, ModelError
from clew.integrations.oci.access import explain, failures, make_client
from clew.models.base import TextKind, Vectors
from clew.models.extras import import_extra

MOST_TEXTS = 96
"""The service takes no more in one call."""


class OCIGenAIEmbedding:
    """A :class:`clew.models.base.Embedder`: pass it as ``embedding=``.

    ``compartment_id`` is the compartment that pays; ``model_id`` a model served on demand, or, with
    ``endpoint_id``, a dedicated one. ``client`` is an
    ``oci.generative_ai_inference.GenerativeAiInferenceClient`` of your own; None makes one (see
    :func:`clew.integrations.oci.access.make_client`), where ``endpoint`` names the region's
    service. Texts longer than the model reads are cut at their ends.
    """

    def __init__(
        self,
        compartment_id: str,
        model_id: str = "cohere.embed-multilingual-v3.0",
        *,
        endpoint_id: str | None = None,
        client: Any = None,
        auth: str = "config_file",
        profile: str | None = None,
        config_file: str | Path | None = None,
        endpoint: str | None = None,
    ) -> None:
        self.client = client or make_client(
            "generative_ai_inference.GenerativeAiInferenceClient",
            auth=auth,
            profile=profile,
            config_file=config_file,
            endpoint=endpoint,
        )
        self.compartment_id = compartment_id
        self.model_id = model_id
        self._endpoint_id = endpoint_id
        self._dimensions: int | None = None
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        return f"oci/{self.model_id}"

    @property
    def dimensions(self) -> int:
        """What its first vector has, at the cost of a call."""
        with self._lock:
            if self._dimensions is None:
                self._dimensions = int(self._rows(["dimensions"], "document").shape[1])
            return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        """Return float32 vectors of length 1, ``[len(texts), dimensions]``. Questions and passages
        are embedded each in their way. Raises :class:`clew.errors.ModelError`.
        """
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        parts = [
            self._rows(list(texts[at : at + MOST_TEXTS]), kind)
            for at in range(0, len(texts), MOST_TEXTS)
        ]
        return np.concatenate(parts)

    def _rows(self, texts: list[str], kind: TextKind) -> Vectors:
        models = import_extra(
            "oci.generative_ai_inference.models", extra="oci", purpose="OCI Generative AI"
        )
        asked = models.EmbedTextDetails(
            inputs=texts,
            serving_mode=self._serving_mode(models),
            compartment_id=self.compartment_id,
            truncate=models.EmbedTextDetails.TRUNCATE_END,
            input_type="SEARCH_QUERY" if kind == "query" else "SEARCH_DOCUMENT",
        )
        try:
            rows = self.client.embed_text(asked).data.embeddings
        except failures() as error:
            raise ModelError(f"OCI Generative AI: {explain(error, self.model_id)}") from error
        if len(rows) != len(texts):
            raise EmbeddingError(
                f"OCI Generative AI, {self.model_id}: {len(rows)} vectors for {len(texts)} texts"
            )
        vectors = np.array(rows, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        scaled: Vectors = vectors / np.maximum(lengths, 1e-12)
        return scaled

    def _serving_mode(self, models: Any) -> Any:
        if self._endpoint_id:
            return models.DedicatedServingMode(endpoint_id=self._endpoint_id)
        return models.OnDemandServingMode(model_id=self.model_id)
