"""The exact in-memory store: the reference that every other store is held to."""

from clew.stores.memory.graph import KnowledgeGraph

__all__ = ["KnowledgeGraph"]
