"""The store on disk: SQLite for everything that must be whole, plain files for vectors."""

from clew.stores.sqlite.store import SQLiteStore

__all__ = ["SQLiteStore"]
