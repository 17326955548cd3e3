"""Any model that sentence-transformers can load, on the processor or a GPU.

Where a model's sentence vector is the mean of its token states, units are pooled out of the reading
of their whole passage, as :mod:`clew.models.local` does. Of models that pool otherwise (a CLS or
last token, a layer behind the pooling), token states lie in another space than sentence vectors;
they get units as separate texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from clew.errors import MissingModelError
from clew.models.base import Span, TextKind, Vectors
from clew.models.extras import import_extra
from clew.models.prefixed import prefix_mark
from clew.models.providers.calling import EmbedsSimply
from clew.models.token_reading import TokenReader, pooling_modes, reads_tokens

EXTRA = "sentence-transformers"
_PROMPTS: dict[TextKind, tuple[str, ...]] = {
    "query": ("query",),
    "document": ("document", "passage", "corpus"),
}

SpanMethod = Callable[[Sequence[str], Sequence[Sequence[Span]]], tuple[Vectors, Vectors]]


class HuggingFaceEmbedding(EmbedsSimply):
    """An :class:`clew.models.base.Embedder`; a ``SpanEmbedder`` where the model allows it, else
    ``embed_spans`` is None.

    ``model_name`` is a name on the hub, a folder, or a loaded ``SentenceTransformer``. The prefixes
    go before questions and passages; None takes those of the model's own configuration.
    ``late_pooling=False`` embeds units as separate texts in any case.

    Raises :class:`clew.errors.MissingExtraError` without sentence-transformers,
    :class:`MissingModelError` when there is no such model.
    """

    embed_spans: SpanMethod | None = None

    def __init__(
        self,
        model_name: Any = "BAAI/bge-small-en-v1.5",
        *,
        query_prefix: str | None = None,
        document_prefix: str | None = None,
        batch_size: int = 32,
        device: str | None = None,
        late_pooling: bool = True,
    ) -> None:
        named = isinstance(model_name, str | Path)
        self.model: Any = _load(str(model_name), device) if named else model_name
        self.batch_size = batch_size
        self.prefixes: dict[TextKind, str] = {
            "query": _prefix(self.model, "query", query_prefix),
            "document": _prefix(self.model, "document", document_prefix),
        }
        self._lock = Lock()
        self._reader: TokenReader | None = None
        if late_pooling and reads_tokens(self.model):
            self._reader = TokenReader(self.model, batch_size=batch_size)
            self.embed_spans = self._embed_spans
        name = Path(str(model_name)).name if named else type(self.model).__name__
        self.fingerprint: str = self._fingerprint(name)
        self.dimensions: int = int(self._sentence_vectors(["dimensions"], "query").shape[1])

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        if self._reader is None:
            return self._sentence_vectors(texts, kind)
        vectors, _ = self._read(texts, [()] * len(texts), kind)
        return vectors

    def _embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        return self._read(texts, spans, "document")

    def _read(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], kind: TextKind
    ) -> tuple[Vectors, Vectors]:
        assert self._reader is not None
        prefix = self.prefixes[kind]
        shift = len(prefix)
        moved = [[(start + shift, end + shift) for start, end in own] for own in spans]
        with self._lock:  # the tokenizer must not be used by two threads at once
            return self._reader.read(
                [prefix + text for text in texts], moved, dimensions=self.dimensions
            )

    def _sentence_vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """As the model itself makes them; what is beyond its window is cut off."""
        encode = self.model.encode_query if kind == "query" else self.model.encode_document
        with self._lock:
            vectors = encode(
                list(texts),
                prompt=self.prefixes[kind],
                batch_size=self.batch_size,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, np.float32)

    def _fingerprint(self, name: str) -> str:
        way = "texts" if self._reader is None else "tokens"
        return f"{name}/{way}/{_digest(self.model)}{prefix_mark(self.prefixes)}"


def _load(name: str, device: str | None) -> Any:
    library = import_extra("sentence_transformers", extra=EXTRA, purpose=f"embedder {name!r}")
    try:
        return library.SentenceTransformer(name, device=device)
    except Exception as error:  # of transformers, the hub, torch: there is no common root
        raise MissingModelError(
            f"the embedder {name!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def _prefix(model: Any, kind: TextKind, given: str | None) -> str:
    if given is not None:
        return given
    prompts = getattr(model, "prompts", None) or {}
    return next((prompts[name] for name in _PROMPTS[kind] if prompts.get(name)), "")


def _digest(model: Any) -> str:
    """A hash of what makes the vectors: wherever it was loaded from, a model is the same one."""
    digest = blake2b(digest_size=6)
    digest.update(f"{pooling_modes(model)}:{getattr(model, 'max_seq_length', None)}".encode())
    for name, tensor in sorted(model.state_dict().items()):
        values = tensor.detach().cpu()
        digest.update(f"{name}:{values.dtype}:{tuple(values.shape)}".encode())
        digest.update(values.float().numpy().tobytes())
    return digest.hexdigest()
