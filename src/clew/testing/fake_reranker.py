"""Rerankers for tests: one that always works, one that fails when told to."""

from __future__ import annotations

from collections.abc import Sequence

from clew.text.words import terms


class FakeReranker:
    """Scores a text by the share of the question's words in it. ``texts`` holds what it read,
    ``batches`` how many texts came in each call.
    """

    fingerprint = "fake-reranker"

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.batches: list[int] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.texts += texts
        self.batches.append(len(texts))
        asked = set(terms(question))
        return [len(asked & set(terms(text))) / max(len(asked), 1) for text in texts]


class FailingReranker(FakeReranker):
    """A :class:`FakeReranker` whose calls fail from the one numbered ``from_call`` (from 0) on."""

    def __init__(self, *, from_call: int = 0) -> None:
        super().__init__()
        self.from_call = from_call

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        scores = super().score(question, texts)
        if len(self.batches) > self.from_call:
            raise ConnectionError("the server closed the connection")
        return scores
