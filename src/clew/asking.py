"""A question to a store, all the way: search, answer, and remember what was answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

from clew.answering.cache import AnswerCache
from clew.answering.extractive import ExtractiveAnswerer
from clew.answering.time_events import current_day
from clew.config import ClewConfig
from clew.errors import MissingModelError
from clew.graph.ontology.schema import named_ontology
from clew.models.base import LLM, EntailmentModel, Usage
from clew.results import Answer, RetrievalResult
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.base import GraphReader, Store
from clew.stores.filters import canonical_where

Where = Mapping[str, Any]


class Answerer(Protocol):
    """What answers from the results of a search."""

    @property
    def reads(self) -> int:
        """How many results it reads."""
        ...

    def stream(
        self, question: str, result: RetrievalResult, reader: GraphReader
    ) -> Iterator[str | Answer]:
        """Yield what is written while it is, then the answer."""
        ...


class Asking:
    """Answers questions about one store. ``retrieval``, ``llm`` and ``entailment`` are asked for on
    use; ``llm`` gives the model in its wrappers, or None, ``entailment`` what a written answer is
    held against, or None.
    """

    def __init__(
        self,
        store: Store,
        retrieval: Callable[[], RetrievePipeline],
        llm: Callable[[], LLM | None],
        entailment: Callable[[], EntailmentModel | None] = lambda: None,
    ) -> None:
        self._store = store
        self._retrieval = retrieval
        self._given_llm = llm
        self._entailment = entailment
        self._cache = AnswerCache()

    @cached_property
    def _llm(self) -> LLM | None:
        return self._given_llm()

    def ask(self, question: str, config: ClewConfig, where: Where | None = None) -> Answer:
        *_, answer = self.stream(question, config, where)
        assert isinstance(answer, Answer), "a stream ends with the answer"
        return answer

    def stream(
        self, question: str, config: ClewConfig, where: Where | None = None
    ) -> Iterator[str | Answer]:
        """Yield what a model writes while it does, not checked yet, then the answer."""
        key = (
            question,
            canonical_where(where),
            config.to_json(),
            self._store.generation,
            current_day(),  # "last year" is another one tomorrow
        )
        known = self._cache.get(key)
        if known is not None:
            usage = Usage(cached_calls=known.usage.calls + known.usage.cached_calls)
            yield replace(known, usage=usage)
            return
        answerer = self._answerer(config)
        result = self._retrieval().search(question, top_n=answerer.reads, where=where)
        with self._store.reading() as reader:
            seen = reader.within(reader.select_documents(scope=config.scope, where=where))
            for item in answerer.stream(question, result, seen):
                if isinstance(item, Answer):
                    answer = replace(item, notes=(*item.notes, *result.notes))
                    self._cache.put(key, answer)
                    yield answer
                else:
                    yield item

    def _answerer(self, config: ClewConfig) -> Answerer:
        method = config.answer_method
        llm = None if method == "extractive" else self._llm
        if llm is None:
            if method == "llm":
                raise MissingModelError(
                    "answer_method='llm' needs a language model: pass llm=… (any object with "
                    "generate(prompt) -> str), set llm_model, or use answer_method='extractive'"
                )
            return ExtractiveAnswerer(config)
        from clew.answering.synthesis.answerer import SynthesisAnswerer  # noqa: PLC0415

        return SynthesisAnswerer(llm, config, named_ontology(config.ontology), self._entailment())
