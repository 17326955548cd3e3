"""The store in PostgreSQL with pgvector: for several hosts, and many writers at once.

Needs the extra ``postgres``; :func:`clew.stores.open_store` opens it by its URL.
"""

from clew.stores.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
