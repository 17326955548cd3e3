"""Vectors from OCI Generative AI."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from clew.models.base import TextKind
from clew.models.providers.oci_access import make_client
from clew.models.providers.oci_genai import (
    CLIENT,
    compartment,
    inference_models,
    oci_errors,
    serving_mode,
)
from clew.models.providers.remote_embedder import RemoteEmbedder


class OCIGenAIEmbedding(RemoteEmbedder):
    """A :class:`clew.models.base.Embedder`: pass it as ``embedding=``.

    ``compartment_id`` (None: ``OCI_COMPARTMENT_ID``) is the compartment that pays; ``model_id`` a
    model served on demand, or, with ``endpoint_id``, a dedicated one. ``client`` is an
    ``oci.generative_ai_inference.GenerativeAiInferenceClient`` of your own; None makes one (see
    :func:`clew.models.providers.oci_access.make_client`), where ``endpoint`` names the region's
    service. Texts longer than the model reads are cut at their ends.
    """

    most_texts: ClassVar[int | None] = 96

    def __init__(
        self,
        compartment_id: str | None = None,
        model_id: str = "cohere.embed-multilingual-v3.0",
        *,
        endpoint_id: str | None = None,
        client: Any = None,
        auth: str = "config_file",
        profile: str | None = None,
        config_file: str | Path | None = None,
        endpoint: str | None = None,
        timeout_s: float = 120.0,
        attempts: int = 6,
    ) -> None:
        super().__init__(f"oci:{model_id}", dimensions=None, attempts=attempts)
        self.compartment_id = compartment(compartment_id, self._who)
        self.client = client or make_client(
            CLIENT,
            auth=auth,
            profile=profile,
            config_file=config_file,
            endpoint=endpoint,
            timeout_s=timeout_s,
        )
        self.model_id = model_id
        self._endpoint_id = endpoint_id

    @property
    def fingerprint(self) -> str:
        return f"oci/{self.model_id}"

    def _rows(self, texts: list[str], kind: TextKind) -> Sequence[Sequence[float]]:
        models = inference_models()
        asked = models.EmbedTextDetails(
            inputs=texts,
            serving_mode=serving_mode(self.model_id, self._endpoint_id),
            compartment_id=self.compartment_id,
            truncate=models.EmbedTextDetails.TRUNCATE_END,
            input_type="SEARCH_QUERY" if kind == "query" else "SEARCH_DOCUMENT",
        )
        with oci_errors(self._who):
            return list(self.client.embed_text(asked).data.embeddings)
