"""Where the batches of a run are read, and what of the work is done there.

Here, on threads or in processes of this machine, chunks are made and units extracted; vectors are
made when a batch is taken. Workers elsewhere make the vectors too, where the settings lead them to
the same embedder as here: it takes most of the time. A model that was given as an object, and
everything that writes, stays here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from clew.chunking.making import embedder_for
from clew.chunking.registry import own_factory
from clew.config import ClewConfig
from clew.documents import LoadFailure
from clew.executors.base import Caller, Executor, RemoteExecutor
from clew.executors.choice import executor_of, means_ray
from clew.extraction.base import Extractor
from clew.indexing.extracting import ChunkBatch, Chunked, ExtractBatch, Extracted
from clew.indexing.model_extraction import BATCH_CHARS, BATCH_DOCUMENTS, ModelExtraction
from clew.indexing.portable import portable
from clew.indexing.remote import Errand, RemoteBatch
from clew.indexing.run import IndexingRun, Plan
from clew.models.base import Embedder
from clew.records import Document


class BatchSize(NamedTuple):
    """What is read together: at most so many documents, and hardly more than so many characters."""

    documents: int
    chars: int


_OF_MODEL = BatchSize(BATCH_DOCUMENTS, BATCH_CHARS)
_OF_WORDS = BatchSize(256, 400_000)
_EMBEDDED = BatchSize(64, 400_000)
_REMOTE = BatchSize(2048, 1_200_000)
_REMOTE_EMBEDDED = BatchSize(192, 100_000)
"""A second or more of a worker's time, beside which the way to it and back is nothing."""


class Reading:
    """Of one run. ``embeds_here`` says that clew made ``embedder`` from the settings and it
    computes on this machine; ``while_waiting`` is called while a result is waited for, and may
    raise to give up.
    """

    def __init__(
        self,
        config: ClewConfig,
        extractor: Extractor,
        embedder: Embedder | None,
        *,
        embeds_here: bool,
        executor: Executor | None,
        while_waiting: Callable[[], None],
    ) -> None:
        self._config = config
        self._extractor = extractor
        self._asking = extractor if isinstance(extractor, ModelExtraction) else None
        self._embedder = embedder
        self._embeds_here = embeds_here
        self._while_waiting = while_waiting
        self._executor = executor or self._own_executor()
        self._is_remote = isinstance(self._executor, RemoteExecutor)
        self._fingerprint = ""
        if self._is_remote and embedder is not None and embeds_here:
            self._fingerprint = embedder.fingerprint

    @property
    def size(self) -> BatchSize:
        if self._extractor.method == "llm":
            return _OF_MODEL
        if self._is_remote:
            return _REMOTE_EMBEDDED if self._fingerprint else _REMOTE
        return _OF_WORDS if self._embedder is None else _EMBEDDED

    def extracted(
        self, run: IndexingRun, documents: Iterable[Document | LoadFailure]
    ) -> Generator[tuple[Plan, list[Extracted]], None, None]:
        """What every batch needs, and what its documents say, a few batches ahead."""
        plans: deque[Plan] = deque()
        batches = self._looked_at(self._planned(run, documents))

        def underway() -> Iterator[_Planned]:
            for planned in batches:
                plans.append(planned.plan)
                yield planned

        with closing(self._read(underway())) as results:
            for extracted in results:
                yield plans.popleft(), extracted

    def _planned(
        self, run: IndexingRun, documents: Iterable[Document | LoadFailure]
    ) -> Iterator[_Planned]:
        chunked = self._chunker()
        for batch in _batches(documents, self.size):
            plan = run.plan(batch)
            waiting = plan.documents
            yield _Planned(plan, waiting if chunked is None else chunked(waiting))

    def _chunker(self) -> ChunkBatch | None:
        """What chunks here, where others could not: by topics, with an embedder that stays here,
        and by a strategy of one's own, which is registered in this process.
        """
        model = None if self._fingerprint else embedder_for(self._config, self._embedder)
        if model is None and not (self._is_remote and not self._cuts_anywhere):
            return None
        return ChunkBatch(self._config, model)

    def _looked_at(self, batches: Iterable[_Planned]) -> Iterable[_Planned]:
        """All batches, when the extractor has seen every one, if what it makes of a document hangs
        on the others.
        """
        asking = self._asking
        if asking is None or not asking.looks_ahead:
            return batches
        looked = []
        for plan, batch in batches:
            chunked = batch if isinstance(batch, Chunked) else self._cut(batch)
            looked.append(_Planned(plan, chunked))
            asking.look_ahead(chunked.good)
            self._while_waiting()
        return looked

    def _cut(self, documents: Sequence[Document]) -> Chunked:
        return ChunkBatch(self._config, embedder_for(self._config, self._embedder))(documents)

    def _read(self, batches: Iterator[_Planned]) -> Generator[list[Extracted], None, None]:
        executor = self._executor
        if not isinstance(executor, RemoteExecutor):
            extract = ExtractBatch(portable(self._config), self._extractor)
            return executor.map(extract, (planned.batch for planned in batches))
        asking = self._asking
        if asking is None:
            caller = Caller(while_waiting=self._while_waiting)
            return self._sent(executor.attended(caller), self._extractor, batches)
        if asking.can_be_sent:
            caller = asking.caller(self._while_waiting)
            return self._asked(executor.attended(caller), asking, batches)
        caller = Caller(while_waiting=self._while_waiting)
        return self._sent(executor.attended(caller), None, batches)

    def _sent(
        self, executor: Executor, extractor: Extractor | None, batches: Iterator[_Planned]
    ) -> Generator[list[Extracted], None, None]:
        """Have workers read the batches; without an extractor to send, they only embed."""
        config = portable(self._config)
        threads = config.embedding_threads or 1
        config = config.replace(embedding_threads=threads)
        extract = None if extractor else ExtractBatch(config, self._extractor)
        errands = (
            Errand(
                documents=plan.documents,
                batch=batch,
                extracted=None if extract is None else extract(batch),
                known=plan.known_vectors if self._fingerprint else (),
            )
            for plan, batch in batches
        )
        return executor.map(RemoteBatch(config, extractor, self._fingerprint), errands)

    def _asked(
        self, executor: Executor, asking: ModelExtraction, batches: Iterator[_Planned]
    ) -> Generator[list[Extracted], None, None]:
        """The same for an extractor that asks a model, keeping count of what was asked about."""
        waiting: deque[list[Document]] = deque()

        def counted() -> Iterator[_Planned]:
            for planned in batches:
                waiting.append(planned.plan.documents)
                asking.progress.read(waiting[-1])
                yield planned

        with closing(self._sent(executor, asking.sent(), counted())) as results:
            for extracted in results:
                asking.progress.done(waiting.popleft(), asking.spent)
                yield extracted

    def _own_executor(self) -> Executor:
        config = self._config
        asking = self._asking
        if asking is not None and (
            not means_ray(config.executor, config.ray_address)
            or not (asking.can_be_sent or self._embeds_here)
        ):
            return asking.executor(self._while_waiting)
        return executor_of(
            config.executor,
            config.workers,
            separable=asking is None and not self._embeds_here and self._cuts_anywhere,
            address=config.ray_address,
            cpus=config.embedding_threads or 1,
            gpus=config.ray_gpus_per_worker,
        )

    @property
    def _cuts_anywhere(self) -> bool:
        """Whether other processes know the chunking strategy: one's own is registered in this."""
        return own_factory(self._config.chunk_strategy) is None


class _Planned(NamedTuple):
    plan: Plan
    batch: Sequence[Document] | Chunked


def _batches(
    documents: Iterable[Document | LoadFailure], most: BatchSize
) -> Iterator[list[Document | LoadFailure]]:
    """Cut the stream into batches bounded by documents and by characters."""
    batch: list[Document | LoadFailure] = []
    chars = 0
    for document in documents:
        batch.append(document)
        chars += len(document.text) if isinstance(document, Document) else 0
        if len(batch) >= most.documents or chars >= most.chars:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch
