"""clew over HTTP (the extra ``api``): ``clew serve``, or ``uvicorn clew.server:app``."""

from typing import Any


def __getattr__(name: str) -> Any:
    """``app`` is made when it is asked for: importing this package needs no web framework."""
    if name != "app":
        raise AttributeError(f"module 'clew.server' has no attribute {name!r}")
    from clew.server.app import make_app  # noqa: PLC0415

    return make_app()
