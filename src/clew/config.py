"""The whole configuration: one flat set of keys, composed of one frozen dataclass per stage."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self, TypeVar, get_type_hints

from clew.answering.config import AnsweringConfig
from clew.chunking.config import ChunkingConfig
from clew.errors import ConfigError, nearest
from clew.extraction.config import ExtractionConfig
from clew.models.config import EmbeddingConfig
from clew.models.llm_config import LLMConfig
from clew.models.providers.secrets import shown_address
from clew.records import DEFAULT_SCOPE
from clew.retrieval.config import RetrievalConfig
from clew.settings import check_settings, from_plain, is_callback, parse_text, setting

_PROMPT_VARIABLES = {
    "KU_PROMPT": "ku_extraction_prompt",
    "ENTITY_PROMPT": "entity_extraction_prompt",
}
_OTHER_VARIABLES = {
    "STORE",
    "DATA",
    "MODEL",
    "CACHE_DIR",
    "EMBEDDING_KEY",
    "LLM_KEY",
    "RERANKER_KEY",
    "TEST_LLM",
    "TEST_RAY",
    "TEST_POSTGRES",
    "TEST_SERVERS",
}

_Config = TypeVar("_Config", bound="ClewConfig")


@dataclass(frozen=True, kw_only=True)
class ClewConfig(
    ChunkingConfig,
    ExtractionConfig,
    EmbeddingConfig,
    LLMConfig,
    RetrievalConfig,
    AnsweringConfig,
):
    """Every setting of clew. Unknown keys and values out of range raise
    :class:`clew.errors.ConfigError`, which names the nearest valid one.

    A ``ClewConfig`` *is* each of the stage configurations, so it can be passed to any stage.
    """

    scope: str = setting(DEFAULT_SCOPE, "The tenant whose documents are read and written.")
    executor: str = setting(
        "auto",
        "Where documents are read into units: 'inline', on other 'threads', in other 'processes', "
        "or on a 'ray' cluster, whose workers embed too; 'auto' takes processes for the sentence "
        "method where there is a second core that no local embedder needs.",
        choices=("auto", "inline", "threads", "processes", "ray"),
    )
    workers: int | None = setting(
        None,
        "Threads or processes of the executor; None is one for each core but one, at most 3, and "
        "with 'ray' one for each core of the cluster.",
        minimum=1,
    )
    ray_address: str | None = setting(
        None,
        "The Ray cluster of the executor 'ray': HOST:PORT of its head, or 'auto' on one of its "
        "machines. None starts Ray on this machine, for the run; an address alone means 'ray' too.",
    )
    ray_gpus_per_worker: float = setting(
        0.0,
        "What a worker of the executor 'ray' takes of a GPU, for an embedder that computes on one; "
        "with 0.25, four share it.",
        minimum=0,
    )
    network_file_system: bool = setting(
        False,
        "Open a store on a network file system too. There a second process that opens it, on any "
        "host, can damage it.",
    )
    verbose: bool = setting(False, "Print progress to standard error.")
    on_chunk_processed: Callable[[int, int], None] | None = setting(
        None, "Called with (chunk, chunks) after each chunk."
    )
    on_batch_complete: Callable[[int, int], None] | None = setting(
        None, "Called with (batch, batches) after each batch."
    )
    on_progress: Callable[[int, int, str], None] | None = setting(
        None, "Called with (done, total, stage)."
    )

    def __post_init__(self) -> None:
        ChunkingConfig.__post_init__(self)
        check_settings(self)
        if not self.scope:
            raise ConfigError("scope must not be empty; leave it out for the default one")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(item.name for item in fields(cls))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        hints = get_type_hints(cls)
        _require_known(values, cls)
        return cls(**{key: from_plain(value, hints[key]) for key, value in values.items()})

    @classmethod
    def from_json(cls, source: str | Path) -> Self:
        """Read JSON text, or the file at a path (a ``Path``, or a text that holds no ``{``)."""
        return _named(cls, *_read(source, "{"), _parse_json)

    @classmethod
    def from_yaml(cls, source: str | Path) -> Self:
        """Read YAML text, or the file at a path (a ``Path``, or a text that holds no ``: ``)."""
        return _named(cls, *_read(source, ": "), _parse_yaml)

    @classmethod
    def from_env(cls, prefix: str = "CLEW_", environment: Mapping[str, str] | None = None) -> Self:
        """Read ``CLEW_CHUNK_SIZE=800`` and so on: see :func:`settings_from_environment`."""
        return cls.from_dict(settings_from_environment(prefix, environment))

    def to_dict(self) -> dict[str, Any]:
        """All settings that files can hold: callbacks are left out, tuples become lists."""
        hints = get_type_hints(type(self))
        values = {key: getattr(self, key) for key in self.names() if not is_callback(hints[key])}
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
        }

    def shown(self, *, changed: bool = False) -> dict[str, Any]:
        """All settings as reports show them: what is secret in the address of a model is hidden.
        With ``changed`` those alone that differ from the default.
        """
        default = type(self)().to_dict() if changed else {}
        return {
            key: shown_address(value) if isinstance(value, str) and "://" in value else value
            for key, value in self.to_dict().items()
            if not changed or value != default[key]
        }

    def to_json(self, path: str | Path | None = None) -> str:
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text

    def replace(self, **changes: Any) -> Self:
        """A copy with some settings changed, checked like new ones."""
        current = {key: getattr(self, key) for key in self.names()}
        return self.from_dict(current | changes)


def settings_from_file(path: str | Path) -> dict[str, Any]:
    """Return what a file sets, JSON by its suffix and YAML otherwise, and nothing else."""
    text, name = _read(Path(path), "")
    parse = _parse_json if Path(path).suffix.lower() == ".json" else _parse_yaml
    values = dict(parse(text, name))
    try:
        _require_known(values, ClewConfig)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from error
    return values


def settings_from_environment(
    prefix: str = "CLEW_", environment: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return what variables set; every setting but callbacks can be given.

    ``CLEW_KU_PROMPT``, ``CLEW_ENTITY_PROMPT`` and ``CLEW_QUERY_ENTITY_PROMPT`` are short names of
    the three prompts. Variables of other tools under the same prefix are left alone, but one that
    nearly spells a setting is an error.
    """
    variables = os.environ if environment is None else environment
    valid = [*ClewConfig.names(), *(name.lower() for name in _OTHER_VARIABLES)]
    values: dict[str, Any] = {}
    for variable, text in sorted(variables.items()):
        if not variable.startswith(prefix):
            continue
        short = variable.removeprefix(prefix)
        key = _PROMPT_VARIABLES.get(short, short.lower())
        if key in ClewConfig.names():
            values[key] = _parse(variable, key, text)
        elif short not in _OTHER_VARIABLES and (guess := nearest(key, valid)):
            raise ConfigError(f"unknown setting in the environment: {variable}{guess}")
    return values


def settings_from_texts(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return settings given as text by their keys, as on a command line."""
    _require_known(texts, ClewConfig)
    return {key: _parse(key, key, text) for key, text in texts.items()}


def _parse(shown: str, key: str, text: str) -> Any:
    hint = get_type_hints(ClewConfig)[key]
    if is_callback(hint):
        raise ConfigError(f"{shown}: {key} is a callback; set it in code")
    return parse_text(shown, text, hint)


def _require_known(values: Mapping[str, Any], kind: type[ClewConfig]) -> None:
    for key in values:
        if key not in kind.names():
            raise ConfigError(
                f"unknown setting {key!r}{nearest(str(key), kind.names())}; "
                "`clew config` lists them all"
            )


def _named(
    kind: type[_Config], text: str, name: str, parse: Callable[[str, str], Mapping[str, Any]]
) -> _Config:
    values = parse(text, name)
    try:
        return kind.from_dict(values)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from error


def _parse_json(text: str, name: str) -> Mapping[str, Any]:
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{name}: line {error.lineno}: not valid JSON: {error.msg}") from error
    return _mapping(values, name)


def _parse_yaml(text: str, name: str) -> Mapping[str, Any]:
    import yaml  # noqa: PLC0415 - most runs read no YAML

    from clew.strict_yaml import load_yaml  # noqa: PLC0415

    try:
        values = load_yaml(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{name}: not valid YAML: {error}") from error
    return _mapping({} if values is None else values, name)


def _read(source: str | Path, mark_of_content: str) -> tuple[str, str]:
    if isinstance(source, str) and (mark_of_content in source or "\n" in source):
        return source, "configuration"
    path = Path(source)
    try:
        return path.read_text(encoding="utf-8-sig"), str(path)
    except FileNotFoundError:
        raise ConfigError(f"no configuration file at {path}") from None
    except OSError as error:
        raise ConfigError(f"{path}: it cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: it is not text in UTF-8 ({error.reason})") from error


def _mapping(values: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(values, Mapping):
        raise ConfigError(f"{name}: expected settings by name, found {type(values).__name__}")
    return values
