"""Receipts of commits, put together from what the parts of a store say."""

from __future__ import annotations

from dataclasses import replace

from clew.stores.base import CommitReceipt


def with_replies(receipt: CommitReceipt, forgotten: int) -> CommitReceipt:
    """The receipt, with how many replies of models went."""
    if not forgotten:
        return receipt
    return replace(receipt, removed={**receipt.removed, "replies": forgotten})
