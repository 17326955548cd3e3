"""Where a store is: a folder, or a database by its URL.

A URL may hold a password. What is shown, in messages and reports, never does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from clew.errors import StoreError

SCHEMES = ("postgresql", "postgres")
DEFAULT_SCHEMA = "clew"

_MOST_BYTES_OF_A_NAME = 63
_HIDDEN = "***"
_SECRET_OPTIONS = frozenset({"password", "sslpassword", "passfile"})
_URL = re.compile(r"(?:postgresql|postgres)://", re.IGNORECASE)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


@dataclass(frozen=True, kw_only=True, slots=True)
class DatabaseAddress:
    """A PostgreSQL database, and the schema in it that is the store.

    ``conninfo`` is for the driver and may hold a password; ``shown`` is for people and does not.
    """

    conninfo: str
    schema: str
    shown: str
    secrets: tuple[str, ...] = ()

    def without_secrets(self, text: str) -> str:
        """``text`` with every password of this address hidden."""
        for secret in self.secrets:
            text = text.replace(secret, _HIDDEN)
        return text


def is_url(store: str | Path) -> bool:
    """Whether ``store`` names a database and no folder."""
    return isinstance(store, str) and _URL.match(store) is not None


def require_known(store: str) -> None:
    """Raise :class:`StoreError` for a URL of a kind that no store has: a folder of that name is
    never meant.
    """
    scheme = _SCHEME.match(store)
    if scheme and not is_url(store):
        raise StoreError(
            f"{scheme[1]}://…: no store has such addresses. Give a folder, or a URL such as "
            "postgresql://user@host/database"
        )


def shown(store: str | Path) -> str:
    """The address of a store as people may see it."""
    return parse_address(store).shown if isinstance(store, str) and is_url(store) else str(store)


def parse_address(url: str) -> DatabaseAddress:
    """Read ``postgresql://user:password@host:port/database?schema=NAME``.

    Every other option is one of the driver's (``sslmode``, ``host`` …). Raises
    :class:`StoreError`.
    """
    try:
        parts = urlsplit(url)
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError as error:
        raise StoreError(
            f"the address of the database cannot be read ({error}): write "
            "postgresql://user:password@host:5432/database, and special characters of a password "
            "as %XX"
        ) from None
    schemas = [value for name, value in options if name == "schema"]
    schema = schemas[-1] if schemas else DEFAULT_SCHEMA
    _require_schema(schema)
    others = [(name, value) for name, value in options if name != "schema"]
    written = dict(piece.partition("=")[::2] for piece in parts.query.split("&"))
    secrets = [value for name, value in others if name in _SECRET_OPTIONS]
    secrets += [value for name, value in written.items() if name in _SECRET_OPTIONS]
    user, sign, password = _credentials(parts.netloc)
    secrets += [unquote(password), password]
    hidden = [(name, _HIDDEN if name in _SECRET_OPTIONS else value) for name, value in options]
    host = parts.netloc.rpartition("@")[2]
    shown_host = (
        f"{user}{sign}{_HIDDEN if password else ''}@{host}" if "@" in parts.netloc else host
    )
    return DatabaseAddress(
        conninfo=_url_of(parts.netloc, parts.path, others),
        schema=schema,
        shown=_url_of(shown_host, parts.path, hidden),
        secrets=tuple(sorted({secret for secret in secrets if secret}, key=len, reverse=True)),
    )


def _url_of(netloc: str, path: str, options: Sequence[tuple[str, str]]) -> str:
    query = urlencode(options, quote_via=quote, safe="/*")
    return f"postgresql://{netloc}{path}{'?' if query else ''}{query}"


def _credentials(netloc: str) -> tuple[str, str, str]:
    """(user, ":" if there is one, password) as they are written."""
    if "@" not in netloc:
        return "", "", ""
    return netloc.rpartition("@")[0].partition(":")


def _require_schema(schema: str) -> None:
    if not schema or "\0" in schema or len(schema.encode()) > _MOST_BYTES_OF_A_NAME:
        raise StoreError(
            f"schema={schema!r}: a schema has a name of 1 to {_MOST_BYTES_OF_A_NAME} bytes"
        )
    if schema.startswith("pg_") or schema == "information_schema":
        raise StoreError(
            f"schema={schema!r} belongs to PostgreSQL itself: choose another, such as "
            f"?schema={DEFAULT_SCHEMA}"
        )
