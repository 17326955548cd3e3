"""What every command shares: where the store is, how to print, which settings hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clew.config import ClewConfig
from clew.errors import ConfigError, StoreNotFoundError

if TYPE_CHECKING:
    from clew.knowledge_base import KnowledgeBase

DEFAULT_STORE = Path("clew.db")


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """The global options of one run."""

    store: Path = DEFAULT_STORE
    json: bool = False
    quiet: bool = False
    config_file: Path | None = None
    settings: tuple[str, ...] = ()

    def config(self) -> ClewConfig:
        """Defaults, then the file, then the environment, then ``--set``: the later wins.

        Raises :class:`clew.errors.ConfigError`.
        """
        values: dict[str, object] = {}
        if self.config_file is not None:
            values |= _changed(read_config(self.config_file))
        values |= _changed(ClewConfig.from_env())
        values |= _changed(ClewConfig.from_env("", _assignments(self.settings)))
        return ClewConfig.from_dict(values)

    def open(self, *, create: bool = False, read_only: bool = False) -> KnowledgeBase:
        """Open the store; a command that only reads wants one to be there."""
        from clew.knowledge_base import KnowledgeBase  # noqa: PLC0415 - not for `clew --help`

        if not create and not self.store.exists():
            raise StoreNotFoundError(
                f"no store at {self.store}: index something with "
                f"`clew ingest PATH --store {self.store}`, or name another with --store"
            )
        return KnowledgeBase.open(
            self.store, config=self.config(), create=create, read_only=read_only
        )


def read_config(path: Path) -> ClewConfig:
    """Read a configuration file: JSON by its suffix, YAML otherwise."""
    if path.suffix.lower() == ".json":
        return ClewConfig.from_json(path)
    return ClewConfig.from_yaml(path)


def store_from_environment() -> Path:
    return Path(os.environ.get("CLEW_STORE") or DEFAULT_STORE)


def _changed(config: ClewConfig) -> dict[str, object]:
    default = ClewConfig().to_dict()
    return {key: value for key, value in config.to_dict().items() if value != default[key]}


def _assignments(settings: Sequence[str]) -> dict[str, str]:
    values = {}
    for text in settings:
        key, sign, value = text.partition("=")
        if not sign:
            raise ConfigError(
                f"--set {text!r}: write --set KEY=VALUE, such as --set chunk_size=800"
            )
        if key not in ClewConfig.names():
            ClewConfig.from_dict({key: value})  # raises, naming the nearest key
        values[key.upper()] = value
    return values
