"""What users write to name a model: ``local``, a folder, a name on the hub, a model of a server.

====================================  =============================================================
``none``                              no model
``local``                             the packaged one
``./models/mine``, ``/srv/bge``       a folder: of an ONNX graph, or of sentence-transformers
``BAAI/bge-small-en-v1.5``            a model that sentence-transformers knows by this name
``openai:text-embedding-3-small``     a model behind OpenAI's API
``openai:bge-m3@http://host:8080/v1`` the same API at another server
``gemini:gemini-embedding-001``       a model of Google
``ollama:nomic-embed-text``           a model that Ollama runs, on this machine or ``@http://host``
``oci:cohere.embed-v4.0``             a model of Oracle's cloud
``rerank:bge-m3@http://host/v1``      a reranker behind a server
====================================  =============================================================
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from clew.errors import ConfigError, nearest
from clew.models.providers.secrets import HIDDEN, shown_address

Kind = Literal["none", "local", "folder", "hub", "openai", "gemini", "ollama", "oci", "rerank"]
SERVERS: tuple[Kind, ...] = ("openai", "gemini", "ollama", "oci", "rerank")
"""Kinds that compute elsewhere; each is written before a colon."""

_HUB = re.compile(r"[\w.-]+/[\w.-]+")
_SERVER = re.compile(rf"(?:{'|'.join(SERVERS)}):(?P<name>.[^@]*)(?:@(?P<url>https?://.+))?")
_PATH_STARTS = (".", "~", "/", "\\")


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelReference:
    """``name`` is a path for a folder; ``url`` is that of a server, empty for its usual one."""

    kind: Kind
    name: str
    url: str = ""

    @property
    def is_onnx(self) -> bool:
        """Whether it is an ONNX graph, or a folder with one."""
        if self.kind != "folder":
            return False
        path = Path(self.name)
        return path.suffix == ".onnx" or any(
            next(path.glob(pattern), None) is not None for pattern in ("*.onnx", "onnx/model.onnx")
        )

    @property
    def takes_the_mean(self) -> bool:
        """Whether a folder of sentence-transformers says that vectors are means of token states; a
        folder that says nothing of it does.
        """
        path = Path(self.name, "1_Pooling", "config.json")
        if not path.is_file():
            return True
        stated = json.loads(path.read_text(encoding="utf-8"))
        if "pooling_mode" in stated:
            return bool(stated["pooling_mode"] == "mean")
        modes = {key for key, value in stated.items() if "_mode_" in key and value is True}
        return modes == {"pooling_mode_mean_tokens"}


EMBEDDER_KINDS: tuple[Kind, ...] = (
    *("local", "none", "folder", "hub"),
    *("openai", "gemini", "ollama", "oci"),
)
RERANKER_KINDS: tuple[Kind, ...] = ("none", "folder", "hub", "rerank")
ENTAILMENT_KINDS: tuple[Kind, ...] = ("none", "folder", "hub")


def embedder_reference(setting: str, text: str) -> ModelReference:
    """Read ``embedding_model``; raise :class:`ConfigError` for what names no embedder."""
    return _read_as(EMBEDDER_KINDS, text, setting)


def reranker_reference(setting: str, text: str) -> ModelReference:
    """Read ``reranker_model``; raise :class:`ConfigError` for what names no reranker."""
    return _read_as(RERANKER_KINDS, text, setting)


def entailment_reference(setting: str, text: str) -> ModelReference:
    """Read ``entailment_model``; raise :class:`ConfigError` for what names none."""
    return _read_as(ENTAILMENT_KINDS, text, setting)


def _read_as(kinds: tuple[Kind, ...], text: str, setting: str) -> ModelReference:
    reference = _read(text.strip(), setting)
    if reference is None or reference.kind not in kinds:
        words = tuple(kind for kind in kinds if kind in {"none", "local"})
        forms = [*words, *(_FORMS[kind] for kind in kinds if kind in _FORMS)]
        raise ConfigError(
            f"{setting}={shown_address(text)!r} is not one of {', '.join(forms)}"
            f"{nearest(text, words)}"
        )
    return reference


def _read(text: str, setting: str) -> ModelReference | None:
    """A folder must be there to be told from a name on the hub, unless it begins like a path."""
    if text in {"none", "local"}:
        return ModelReference(kind="none" if text == "none" else "local", name=text)
    for kind in SERVERS:
        if text.startswith(f"{kind}:"):
            return _server(kind, text, setting)
    path = Path(text).expanduser()
    is_path = text.startswith(_PATH_STARTS) or path.is_absolute() or text.endswith(".onnx")
    if text and (is_path or ("/" in text and path.is_dir())):
        return ModelReference(kind="folder", name=str(path))
    return ModelReference(kind="hub", name=text) if _HUB.fullmatch(text) else None


def _server(kind: Kind, text: str, setting: str) -> ModelReference:
    match = _SERVER.fullmatch(text)
    url = (match["url"] or "") if match else ""
    if match is None or (url and not urlsplit(url).hostname) or (kind == "rerank" and not url):
        place = f"{kind}:MODEL@http://HOST:PORT{_PATHS.get(kind, '')}"
        forms = place if kind == "rerank" else f"{kind}:MODEL, or {place}"
        raise ConfigError(f"{setting}={shown_address(text)!r}: write {forms}")
    if HIDDEN in url:
        raise ConfigError(
            f"{setting}={text!r}: {HIDDEN} stands where a secret was hidden; write it again"
        )
    return ModelReference(kind=kind, name=match["name"], url=url.rstrip("/"))


_PATHS: dict[Kind, str] = {"openai": "/v1", "rerank": "/v1"}

_FORMS: dict[Kind, str] = {
    "folder": "a folder (./models/mine)",
    "hub": "a sentence-transformers name (ORGANISATION/MODEL)",
    "openai": "a server's model (openai:MODEL[@URL])",
    "gemini": "gemini:MODEL",
    "ollama": "ollama:MODEL[@URL]",
    "oci": "oci:MODEL",
    "rerank": "a server's model (rerank:MODEL@URL)",
}
