"""How much may be spent on what a model reads: the three quality modes, for extraction.

A reply with statements, names and facts takes several times the tokens of its passage. The budget
of a call is the sum over its passages, and a reserve for models that think before they write; a
reply that was cut off by it is asked for once more with four times as much. A batch ends where its
reply could exceed 16,384 tokens, which is as much as many models write.

``retries`` are calls beyond the first for one chunk: one repairs a reply in which nothing could be
read, the others ask again, with what stands before, where a statement leaves open whom it speaks
of. No mode changes what a first question says, so a reply that was paid for in one counts in all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

_BYTES_A_TOKEN = 4
_WIDER = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Effort:
    """``expansions`` of the ``retries`` show ``sentences_before`` and ``known_names``."""

    reserve_tokens: int
    least_tokens: int
    tokens_per_token: int
    most_tokens: int
    expansions: int
    sentences_before: int
    known_names: int

    @property
    def retries(self) -> int:
        return 1 + self.expansions

    def within(self, most_reply_tokens: int | None) -> Effort:
        """The same where a reply may have no more tokens than that: smaller batches."""
        if most_reply_tokens is None:
            return self
        most = max(0, most_reply_tokens - self.reserve_tokens)
        return replace(self, most_tokens=min(self.most_tokens, most))

    def max_tokens(self, texts: Iterable[str]) -> int:
        """The longest reply to a question about ``texts``."""
        return self.reserve_tokens + sum(map(self._tokens, texts))

    def wider_tokens(self, texts: Iterable[str]) -> int:
        """The same, after a reply was cut off."""
        return _WIDER * self.max_tokens(texts)

    def fits(self, texts: Iterable[str]) -> bool:
        """Whether one reply can hold what there is to say of all ``texts``."""
        return sum(map(self._tokens, texts)) <= self.most_tokens

    def _tokens(self, text: str) -> int:
        tokens = len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN
        return max(self.least_tokens, self.tokens_per_token * tokens)


EFFORTS = {
    "cheap": Effort(
        reserve_tokens=512,
        least_tokens=256,
        tokens_per_token=4,
        most_tokens=10_240,
        expansions=0,
        sentences_before=0,
        known_names=0,
    ),
    "balanced": Effort(
        reserve_tokens=1024,
        least_tokens=384,
        tokens_per_token=6,
        most_tokens=15_360,
        expansions=1,
        sentences_before=5,
        known_names=20,
    ),
    "quality": Effort(
        reserve_tokens=4096,
        least_tokens=512,
        tokens_per_token=8,
        most_tokens=12_288,
        expansions=2,
        sentences_before=10,
        known_names=40,
    ),
}
