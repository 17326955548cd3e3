"""A run of indexing with all but the model and the writing.

Documents are found, compared with the store, cut and asked about by the very code that indexes; in
place of the model stands one that counts what it is asked and replies what can be expected. So what
is unchanged is left out, and so is what was paid for already.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from threading import Lock
from typing import Any

from clew.config import ClewConfig
from clew.documents import LoadFailure
from clew.executors.inline import InlineExecutor
from clew.extraction.base import Extractor
from clew.extraction.expected_reply import expected_reply
from clew.indexing.pipeline import IndexPipeline
from clew.indexing.reading import Reading
from clew.indexing.run import IndexingRun
from clew.models.base import Completion, Embedder, Message, PaidReply, Usage, UsageEntry
from clew.models.purpose import current_purpose
from clew.models.token_counting import token_counter
from clew.models.wrappers.experience import Experience
from clew.records import Document
from clew.reports import DocumentReport, IngestReport
from clew.stores.base import Store


class CountingLLM:
    """Stands in for the model ``fingerprint``; ``usage`` is what it would have used."""

    def __init__(self, fingerprint: str, experience: Experience) -> None:
        self.fingerprint: str = fingerprint
        self.usage = Usage()
        self._experience = experience
        self._count = token_counter(fingerprint)
        self._lock = Lock()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002 - it follows the prompt
    ) -> Completion:
        counted = sum(self._count(message.content) for message in messages)
        reply = expected_reply(messages[-1].content)
        stage = current_purpose().stage
        read = self._experience.read_tokens(counted)
        written = self._experience.written_tokens(stage, read, self._count(reply))
        if max_tokens is not None:
            written = min(written, max_tokens)
        usage = Usage(calls=1, input_tokens=read, output_tokens=written)
        with self._lock:
            self.usage += usage
        return Completion(text=reply, usage=usage, model=self.fingerprint)


class UnwrittenStore:
    """A store that is read; what would be written to it stays in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._replies: dict[str, str] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        own = {key: self._replies[key] for key in keys if key in self._replies}
        return self._store.remembered(keys) | own

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:  # noqa: ARG002
        self._replies |= replies

    def keep_reply(
        self,
        key: str,
        reply: str,
        *,
        documents: Sequence[str] = (),  # noqa: ARG002 - none is deleted in a rehearsal
    ) -> None:
        self._replies[key] = reply

    def keep_replies(
        self,
        replies: Sequence[PaidReply],
        usage: Iterable[UsageEntry] = (),  # noqa: ARG002 - nothing was used
    ) -> None:
        self._replies |= {reply.key: reply.text for reply in replies}

    def record_usage(self, entries: Iterable[UsageEntry]) -> None: ...


class Rehearsal(IndexPipeline):
    """An :class:`IndexPipeline` whose :meth:`index` counts: ``documents`` to be read, ``chunks``,
    and ``seconds`` that it took itself.
    """

    def __init__(
        self, llm: CountingLLM | None, embedder: Embedder | None, config: ClewConfig
    ) -> None:
        super().__init__(llm, embedder, config)
        self.documents = self.chunks = 0
        self.seconds = 0.0

    def index(
        self,
        documents: Iterable[Document | LoadFailure],
        store: Store,
        *,
        total: int | None = None,
        should_stop: Callable[[], bool] = lambda: False,  # noqa: ARG002 - it is soon over
        extractor: Extractor | None = None,
    ) -> IngestReport:
        began = time.perf_counter()
        unwritten: Any = UnwrittenStore(store)
        used = extractor or self._extractor(unwritten)
        reports: list[DocumentReport] = []
        run = IndexingRun(self.config, used.method, self.embedder, unwritten)

        def tell() -> None:
            if self.config.on_progress:
                self.config.on_progress(self.documents, max(self.documents, total or 0), "plan")

        reading = Reading(
            self.config,
            used,
            self.embedder,
            embeds_here=self._embeds_here,
            executor=InlineExecutor() if self.config.executor == "ray" else self._executor,
            while_waiting=tell,
        )
        with closing(reading.extracted(run, documents)) as batches:
            for plan, extracted in batches:
                self.documents += len(plan.documents)
                reports += plan.reports
                self.chunks += sum(len(item.chunks) for item in extracted)
                tell()
        self.seconds += time.perf_counter() - began
        return IngestReport(documents=tuple(reports), method=used.method)
