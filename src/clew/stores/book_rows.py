"""Rows of the books that every SQL store keeps: usage, and decisions about names."""

from __future__ import annotations

import json

from clew.models.base import Usage, UsageEntry
from clew.records import EntityDecision
from clew.stores.rows import Row, to_json


def usage_row(entry: UsageEntry) -> Row:
    """The key, then what is added up. Costs of unknown price have no currency."""
    usage = entry.usage
    return (
        *entry.key,
        usage.calls,
        usage.cached_calls,
        usage.input_tokens,
        usage.output_tokens,
        entry.estimated_tokens,
        entry.seconds,
        entry.cost or 0.0,
    )


def usage_of(row: Row) -> UsageEntry:
    scope, day, stage, document_id, question, model, currency = row[:7]
    calls, cached, read, written, estimated, seconds, cost = row[7:]
    return UsageEntry(
        scope=scope,
        day=day,
        stage=stage,
        document_id=document_id,
        question=question,
        model=model,
        usage=Usage(calls=calls, cached_calls=cached, input_tokens=read, output_tokens=written),
        estimated_tokens=estimated,
        seconds=seconds,
        cost=cost if currency else None,
        currency=currency,
    )


def decision_row(decision: EntityDecision) -> Row:
    return (
        decision.id,
        decision.key,
        decision.name,
        decision.into_key,
        decision.into_name,
        decision.type,
        to_json(decision.doc_ids),
        decision.scope,
    )


def decision_of(row: Row) -> EntityDecision:
    names = ("id", "key", "name", "into_key", "into_name", "type")
    return EntityDecision(
        **dict(zip(names, row[:6], strict=True)),
        doc_ids=tuple(json.loads(row[6])),
        scope=row[7],
    )
