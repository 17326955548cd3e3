"""What every command shares: where the store is, how to print, which settings hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clew.errors import ConfigError, ReadOnlyStoreError, StoreNotFoundError
from clew.stores import open_store
from clew.stores.addresses import is_url, require_known, shown

if TYPE_CHECKING:
    from clew.config import ClewConfig
    from clew.knowledge_base import KnowledgeBase

DEFAULT_STORE = Path("clew.db")


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """The global options of one run. ``store`` is a folder, or the URL of a database."""

    store: str | Path = DEFAULT_STORE
    json: bool = False
    quiet: bool = False
    config_file: Path | None = None
    settings: tuple[str, ...] = ()

    def config(self, **changes: object) -> ClewConfig:
        """Defaults, then the file, then the environment, then ``--set``: the later wins.

        Raises :class:`clew.errors.ConfigError`.
        """
        from clew.config import (  # noqa: PLC0415 - not for `clew --help`
            ClewConfig,
            settings_from_environment,
            settings_from_file,
            settings_from_texts,
        )

        values: dict[str, object] = {}
        if self.config_file is not None:
            values |= settings_from_file(self.config_file)
        values |= settings_from_environment()
        values |= settings_from_texts(_assignments(self.settings))
        return ClewConfig.from_dict(values | changes)

    def open(self, *, create: bool = False) -> KnowledgeBase:
        """Open the store for writing; without ``create`` there must be one."""
        if not create:
            self.require_store()
        return self._open(create=create, read_only=False)

    def open_to_read(self, **changes: object) -> KnowledgeBase:
        """Open the store for a command that changes nothing: one that cannot be written will do.
        ``changes`` are settings from the command's own options.
        """
        self.require_store()
        try:
            return self._open(create=False, read_only=False, **changes)
        except ReadOnlyStoreError:
            return self._open(create=False, read_only=True, **changes)

    @property
    def shown_store(self) -> str:
        """Where the store is, without a password."""
        return shown(self.store)

    def holds_store(self) -> bool:
        """Whether there is something to open; a database that cannot be reached is an error."""
        if not is_url(self.store):
            return Path(self.store).exists()
        try:
            open_store(self.store, create=False, read_only=True).close()
        except StoreNotFoundError:
            return False
        except ReadOnlyStoreError:  # of an older layout
            return True
        return True

    def require_store(self) -> None:
        """Raise unless there is something to open; of a database, opening it will tell."""
        if not is_url(self.store) and not Path(self.store).exists():
            raise StoreNotFoundError(
                f"no store at {self.store}: index something with "
                f"`clew ingest PATH --store {self.store}`, or name another with --store"
            )

    def _open(self, *, create: bool, read_only: bool, **changes: object) -> KnowledgeBase:
        from clew.knowledge_base import KnowledgeBase  # noqa: PLC0415 - not for `clew --help`

        return KnowledgeBase.open(
            self.store, config=self.config(**changes), create=create, read_only=read_only
        )


def store_from_environment() -> str | Path:
    return store_at(os.environ.get("CLEW_STORE") or str(DEFAULT_STORE))


def store_at(address: str) -> str | Path:
    """A folder, with ``~`` for the home folder, or a URL as it is."""
    require_known(address)
    return address if is_url(address) else Path(address).expanduser()


def _assignments(settings: Sequence[str]) -> dict[str, str]:
    values = {}
    for text in settings:
        key, sign, value = text.partition("=")
        if not sign:
            raise ConfigError(
                f"--set {text!r}: write --set KEY=VALUE, such as --set chunk_size=800"
            )
        values[key.strip().lower().replace("-", "_")] = value
    return values
