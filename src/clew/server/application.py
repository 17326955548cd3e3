"""The application: what can be asked over HTTP, and how errors are told.

A request is refused with a 4xx that says what is wrong and what to do; a fault of ours is a 500
without its inside.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from clew.errors import ClewError
from clew.models.extras import import_extra
from clew.server.chunking import add_chunking

MOST_BYTES = 10_000_000
"""Of one request."""


def make_app(*, most_bytes: int = MOST_BYTES) -> Any:
    """Return the FastAPI application. Raises :class:`clew.errors.MissingExtraError`."""
    fastapi = import_extra("fastapi", extra="api", purpose="the server")
    app = fastapi.FastAPI(
        title="clew",
        version=version("clew"),
        description="Documents into chunks, by the strategy that suits each.",
    )
    _limit(app, most_bytes)
    _explain_errors(app)

    @app.get("/health")  # type: ignore[untyped-decorator]
    def health() -> dict[str, str]:
        return {"status": "ok", "version": version("clew")}

    add_chunking(app)
    return app


def _limit(app: Any, most_bytes: int) -> None:
    from clew.server.limit import LimitedBody  # noqa: PLC0415

    app.add_middleware(LimitedBody, most_bytes=most_bytes)


def _explain_errors(app: Any) -> None:
    responses = import_extra("fastapi.responses", extra="api", purpose="the server")

    def explain(_: Any, error: Exception) -> Any:
        return responses.JSONResponse({"detail": str(error)}, status_code=422)

    app.add_exception_handler(ClewError, explain)
