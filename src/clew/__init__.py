"""clew: graph-based retrieval and grounded question answering over your own documents.

>>> from clew import KnowledgeBase
>>> kb = KnowledgeBase.in_memory()
>>> report = kb.ingest_text("Ariadne gave Theseus a ball of thread.", name="myth")
>>> kb.ask("Who gave Theseus a ball of thread?").answer
'Ariadne'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.chunking.adaptive import AdaptiveChunker
    from clew.chunking.result import ChunkingResult
    from clew.config import ClewConfig
    from clew.curation.names import NamingReceipt
    from clew.errors import (
        BrokenDocumentError,
        BudgetExceededError,
        ClewError,
        ConfigError,
        DatasetNotFoundError,
        DocumentError,
        EmbeddingError,
        EncryptedDocumentError,
        ExecutorError,
        FilterError,
        FingerprintMismatchError,
        MissingExtraError,
        MissingModelError,
        ModelError,
        ModelRefusedError,
        ModelTimeoutError,
        ModelUnavailableError,
        NotAStoreError,
        NotFoundError,
        QuestionError,
        RateLimitError,
        ReadOnlyStoreError,
        StoreCorruptError,
        StoreError,
        StoreFullError,
        StoreLockedError,
        StoreNotFoundError,
        StoreVersionError,
        UnsupportedFormatError,
    )
    from clew.graph.contradictions import Contradiction
    from clew.indexing.pipeline import IndexPipeline
    from clew.knowledge_base import KnowledgeBase
    from clew.models.base import (
        LLM,
        BaseEmbedding,
        BaseLLM,
        Completion,
        Embedder,
        Message,
        SpanEmbedder,
        StreamingLLM,
        Usage,
    )
    from clew.records import (
        Block,
        BlockKind,
        Chunk,
        Document,
        Entity,
        EntityDecision,
        EntityMerge,
        Fact,
        FactKind,
        IndexedDocument,
        KnowledgeUnit,
        Mention,
        Page,
        Topic,
    )
    from clew.reports import DeleteReceipt, DocumentReport, IngestReport, Status
    from clew.results import (
        Answer,
        Citation,
        NameLink,
        PathStep,
        RetrievalItem,
        RetrievalResult,
        Source,
    )
    from clew.retrieval.pipeline import RetrievePipeline
    from clew.stores import open_store
    from clew.stores.base import EmbeddingSpace, Store
    from clew.stores.json_store import JSONStore
    from clew.stores.memory import KnowledgeGraph
    from clew.stores.powers import BackupReceipt, Trace
    from clew.stores.sqlite import SQLiteStore
    from clew.upkeep.health.findings import Finding, HealthReport
    from clew.upkeep.watching import WatchEvent

__version__ = "0.1.0"

__all__ = [
    "LLM",
    "AdaptiveChunker",
    "Answer",
    "BackupReceipt",
    "BaseEmbedding",
    "BaseLLM",
    "Block",
    "BlockKind",
    "BrokenDocumentError",
    "BudgetExceededError",
    "Chunk",
    "ChunkingResult",
    "Citation",
    "ClewConfig",
    "ClewError",
    "Completion",
    "ConfigError",
    "Contradiction",
    "DatasetNotFoundError",
    "DeleteReceipt",
    "Document",
    "DocumentError",
    "DocumentReport",
    "Embedder",
    "EmbeddingError",
    "EmbeddingSpace",
    "EncryptedDocumentError",
    "Entity",
    "EntityDecision",
    "EntityMerge",
    "ExecutorError",
    "Fact",
    "FactKind",
    "FilterError",
    "Finding",
    "FingerprintMismatchError",
    "HealthReport",
    "IndexPipeline",
    "IndexedDocument",
    "IngestReport",
    "JSONStore",
    "KnowledgeBase",
    "KnowledgeGraph",
    "KnowledgeUnit",
    "Mention",
    "Message",
    "MissingExtraError",
    "MissingModelError",
    "ModelError",
    "ModelRefusedError",
    "ModelTimeoutError",
    "ModelUnavailableError",
    "NameLink",
    "NamingReceipt",
    "NotAStoreError",
    "NotFoundError",
    "Page",
    "PathStep",
    "QuestionError",
    "RateLimitError",
    "ReadOnlyStoreError",
    "RetrievalItem",
    "RetrievalResult",
    "RetrievePipeline",
    "SQLiteStore",
    "Source",
    "SpanEmbedder",
    "Status",
    "Store",
    "StoreCorruptError",
    "StoreError",
    "StoreFullError",
    "StoreLockedError",
    "StoreNotFoundError",
    "StoreVersionError",
    "StreamingLLM",
    "Topic",
    "Trace",
    "UnsupportedFormatError",
    "Usage",
    "WatchEvent",
    "__version__",
    "open_store",
]

# What is used is loaded, so that `clew --help` need not wait for numpy.
_HOMES = {
    "clew.chunking.adaptive": "AdaptiveChunker",
    "clew.chunking.result": "ChunkingResult",
    "clew.config": "ClewConfig",
    "clew.curation.names": "NamingReceipt",
    "clew.errors": (
        "BrokenDocumentError BudgetExceededError ClewError ConfigError DatasetNotFoundError "
        "DocumentError EmbeddingError EncryptedDocumentError ExecutorError FilterError "
        "FingerprintMismatchError MissingExtraError MissingModelError ModelError "
        "ModelRefusedError ModelTimeoutError ModelUnavailableError NotAStoreError NotFoundError "
        "QuestionError RateLimitError ReadOnlyStoreError StoreCorruptError StoreError "
        "StoreFullError StoreLockedError StoreNotFoundError StoreVersionError "
        "UnsupportedFormatError"
    ),
    "clew.graph.contradictions": "Contradiction",
    "clew.indexing.pipeline": "IndexPipeline",
    "clew.knowledge_base": "KnowledgeBase",
    "clew.models.base": (
        "LLM BaseEmbedding BaseLLM Completion Embedder Message SpanEmbedder StreamingLLM Usage"
    ),
    "clew.records": (
        "Block BlockKind Chunk Document Entity EntityDecision EntityMerge Fact FactKind "
        "IndexedDocument KnowledgeUnit Mention Page Topic"
    ),
    "clew.reports": "DeleteReceipt DocumentReport IngestReport Status",
    "clew.results": "Answer Citation NameLink PathStep RetrievalItem RetrievalResult Source",
    "clew.retrieval.pipeline": "RetrievePipeline",
    "clew.stores": "open_store",
    "clew.stores.base": "EmbeddingSpace Store",
    "clew.stores.json_store": "JSONStore",
    "clew.stores.memory": "KnowledgeGraph",
    "clew.stores.powers": "BackupReceipt Trace",
    "clew.stores.sqlite": "SQLiteStore",
    "clew.upkeep.health.findings": "Finding HealthReport",
    "clew.upkeep.watching": "WatchEvent",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'clew' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
