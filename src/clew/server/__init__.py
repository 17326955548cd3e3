"""clew over HTTP (the extra ``api``): ``clew serve``, or ``uvicorn clew.server:app``."""

from functools import cache
from typing import Any


def __getattr__(name: str) -> Any:
    """``app`` is made when it is asked for: importing this package needs no web framework. No
    module here may be called that, or Python would take it for the application.
    """
    if name != "app":
        raise AttributeError(f"module 'clew.server' has no attribute {name!r}")
    return _app()


@cache
def _app() -> Any:
    from clew.server.application import make_app  # noqa: PLC0415

    return make_app()
