"""What a commit says of itself: how many records of each layer, and replies, came and went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.records import IndexedDocument
from clew.stores.base import CommitReceipt


def counts_of(documents: Sequence[IndexedDocument]) -> Counter[str]:
    """The records of some documents, entities apart: documents share those."""
    return Counter(
        documents=len(documents),
        chunks=sum(len(indexed.chunks) for indexed in documents),
        knowledge_units=sum(len(indexed.units) for indexed in documents),
        facts=sum(len(indexed.facts) for indexed in documents),
        mentions=sum(len(indexed.mentions) for indexed in documents),
        topics=sum(len(indexed.topics) for indexed in documents),
    )


def receipt_of(
    generation: int, added: Mapping[str, int], removed: Mapping[str, int]
) -> CommitReceipt:
    """The receipt, without the layers in which nothing changed."""
    return CommitReceipt(
        generation=generation,
        added={name: count for name, count in added.items() if count},
        removed={name: count for name, count in removed.items() if count},
    )


def with_replies(receipt: CommitReceipt, forgotten: int) -> CommitReceipt:
    """The receipt, with how many replies of models went."""
    if not forgotten:
        return receipt
    return replace(receipt, removed={**receipt.removed, "replies": forgotten})
