"""Optional packages, imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from clew.errors import MissingExtraError


def import_extra(module: str, *, extra: str, purpose: str) -> Any:
    """Import ``module``; raise :class:`MissingExtraError` with the install line when it, or what it
    needs, is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs the package {module}, which cannot be imported ({error}): "
            f"`pip install 'clew[{extra}]'`"
        ) from error
