"""Rerankers behind a server: one ``POST /rerank`` a batch, no package needed.

Two forms are in use, and which one a server speaks is found out by its first refusal:

* Jina, Cohere, vLLM, Infinity: ``{model, query, documents}`` → ``{results: [{index,
  relevance_score}]}``;
* text-embeddings-inference: ``{query, texts}`` → ``[{index, score}]``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import exp
from typing import Any

from clew.errors import ModelError, ModelRefusedError
from clew.models.json_server import JSONServer

OWN_KEY = "CLEW_RERANKER_KEY"
_OTHER_FORM = {400, 422}
_MOST_LOGIT = 60.0


class ServerReranker:
    """A :class:`clew.models.base.Reranker` at ``base_url``. The key is ``api_key``, else that of
    ``CLEW_RERANKER_KEY``. ``logits`` says that the server's scores are bare logits, as those of
    llama.cpp are, and not yet shares in 0–1.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        logits: bool = False,
        timeout_s: float = 60.0,
        attempts: int = 6,
    ) -> None:
        self.model = model
        self.logits = logits
        self.fingerprint = f"rerank/{model}"
        key = api_key or os.environ.get(OWN_KEY)
        self.server = JSONServer(base_url, key=key, timeout_s=timeout_s, attempts=attempts)
        self._texts_form = False

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        scores = _scores_of(self._ask(_sendable(question), list(map(_sendable, texts))))
        if set(scores) != set(range(len(texts))):
            raise ModelError(
                f"{self.fingerprint} scored the texts numbered {sorted(scores)[:5]}… "
                f"({len(scores)} in all), not those from 0 to {len(texts) - 1}"
            )
        found = [scores[place] for place in range(len(texts))]
        return [_share(score) for score in found] if self.logits else found

    def _ask(self, question: str, texts: list[str]) -> Any:
        if not self._texts_form:
            try:
                return self._post({"query": question, "documents": texts, "model": self.model})
            except ModelRefusedError as error:
                if error.status not in _OTHER_FORM or "texts" not in str(error):
                    raise
            self._texts_form = True
        return self._post(
            {"query": question, "texts": texts, "raw_scores": self.logits, "truncate": True}
        )

    def _post(self, body: dict[str, Any]) -> Any:
        return self.server.post("rerank", body)


def _scores_of(reply: Any) -> dict[int, float]:
    """The scores by the number of their text."""
    entries = reply.get("results") if isinstance(reply, dict) else reply
    if not isinstance(entries, list):
        raise ModelError("the reranker's reply has no list of results")
    scores = {}
    for entry in entries:
        fields = entry if isinstance(entry, dict) else {}
        index, score = fields.get("index"), fields.get("relevance_score", fields.get("score"))
        if not isinstance(index, int) or not isinstance(score, int | float):
            raise ModelError(f"the reranker's reply has a result without index and score: {entry}")
        scores[index] = float(score)
    return scores


def _sendable(text: str) -> str:
    """A lone surrogate is no character."""
    return text.encode("utf-8", "replace").decode("utf-8") or " "


def _share(logit: float) -> float:
    return 1.0 / (1.0 + exp(-max(-_MOST_LOGIT, min(logit, _MOST_LOGIT))))
