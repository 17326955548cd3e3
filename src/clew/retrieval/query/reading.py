"""A question as retrieval reads it: its vector, its words with their weights, the names in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clew.errors import ModelError, QuestionError
from clew.models.base import LLM, Embedder, Message, Usage
from clew.retrieval.config import RetrievalConfig
from clew.retrieval.query.linked_name import LinkedName, well_spelt
from clew.retrieval.query.linking import link_given_names, link_names, link_open_names
from clew.retrieval.query.words import QuestionWords, weigh_words
from clew.retrieval.ragged import union
from clew.stores.base import GraphReader, Numbers, Scores

_REPLY_TOKENS = 512


MODEL_FAILED = "the model failed, so the names in the question are those that rules find: {}"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class QueryLinks:
    """``vector`` is None where there is no embedder: then words and names do all the work.
    ``notes`` say what failed on the way.
    """

    question: str
    words: QuestionWords
    names: tuple[LinkedName, ...] = ()
    vector: Scores | None = None
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()

    @property
    def entities(self) -> Numbers:
        """The entities that any of the names may mean, ascending."""
        if not self.names:
            return np.empty(0, dtype=np.int64)
        return union(*(name.entities for name in self.names))


def link_query(
    reader: GraphReader,
    question: str,
    *,
    config: RetrievalConfig,
    embedder: Embedder | None = None,
    llm: LLM | None = None,
    counts: Mapping[str, int] | None = None,
) -> QueryLinks:
    """Analyse ``question`` against the store. Names that are misspelt in it are put right before
    its words are weighed and its vector is made.

    A model is asked for names only when ``config.query_entity_prompt`` is set. Raises
    :class:`QuestionError` when there is nothing to look for.
    """
    if not question.strip():
        raise QuestionError("the question is empty: say what to look for")
    sizes = reader.stats() if counts is None else counts
    words = _weighed(reader, question, sizes)
    threshold = config.entity_match_threshold
    names = link_names(reader, question, threshold=threshold, unknown=words.unknown)
    right = well_spelt(question, names)
    if right != question:
        words = _weighed(reader, right, sizes)
    vector = None if embedder is None else embedder.embed([right.strip()], kind="query")[0]
    if embedder is not None and vector is not None:
        names += link_open_names(
            reader,
            question,
            names,
            threshold=threshold,
            embedder=embedder,
            vector=vector,
        )
        names.sort(key=lambda name: name.start)
    usage, notes = Usage(), []
    if llm is not None and config.query_entity_prompt:
        try:
            given, usage = ask_for_names(llm, config.query_entity_prompt, question.strip())
        except ModelError as error:  # the rules have found what they can
            given = []
            notes.append(MODEL_FAILED.format(error))
        names += _new(names, link_given_names(reader, given, threshold=threshold))
    return QueryLinks(
        question=question.strip(),
        words=words,
        names=tuple(names),
        vector=vector,
        usage=usage,
        notes=tuple(notes),
    )


def _weighed(reader: GraphReader, question: str, sizes: Mapping[str, int]) -> QuestionWords:
    return weigh_words(
        reader, question, chunk_count=sizes["chunks"], unit_count=sizes["knowledge_units"]
    )


def ask_for_names(llm: LLM, prompt: str, question: str) -> tuple[list[str], Usage]:
    """Ask a model which names a question holds. ``{query}`` is replaced literally, so braces
    elsewhere in the prompt or in the question mean nothing.
    """
    message = Message(role="user", content=prompt.replace("{query}", question))
    completion = llm.complete([message], max_tokens=_REPLY_TOKENS)
    return names_in_reply(completion.text), completion.usage


def names_in_reply(reply: str) -> list[str]:
    """Read names from a reply: a JSON list, an object of lists, or one name a line."""
    start = min((at for at in (reply.find("["), reply.find("{")) if at >= 0), default=-1)
    if start >= 0:
        try:
            value, _ = json.JSONDecoder().raw_decode(reply[start:])
        except json.JSONDecodeError:
            return _lines(reply)
        return list(dict.fromkeys(_texts(value)))
    return _lines(reply)


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, Mapping):
        if isinstance(value.get("name"), str):
            return [value["name"].strip()]
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [
            text
            for part in value
            for text in ([part.strip()] if isinstance(part, str) else _texts(part))
            if text
        ]
    return []


def _lines(reply: str) -> list[str]:
    pieces = (piece.strip(" \t-*•\"'`[]{}") for piece in reply.replace(",", "\n").splitlines())
    return list(dict.fromkeys(piece for piece in pieces if piece))


def _new(known: list[LinkedName], given: list[LinkedName]) -> list[LinkedName]:
    """The given names that say something new."""
    seen = {int(number) for name in known for number in name.entities}
    return [name for name in given if not seen.issuperset(name.entities.tolist())]
