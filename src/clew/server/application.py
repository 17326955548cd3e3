"""The application: what can be asked over HTTP, and how errors are told.

A request is refused with a 4xx that says what is wrong and what to do; a fault of ours is a 500
without its inside.
"""

from __future__ import annotations

import json
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
    exceptions = import_extra("fastapi.exceptions", extra="api", purpose="the server")

    def explain(_: Any, error: Exception) -> Any:
        return _refusal(str(error))

    def explain_request(_: Any, error: Any) -> Any:
        """Without the input: the asker has it, it may be large, and not all of it can be sent."""
        told = ({name: item[name] for name in ("loc", "msg", "type")} for item in error.errors())
        return _refusal(list(told))

    app.add_exception_handler(ClewError, explain)
    app.add_exception_handler(exceptions.RequestValidationError, explain_request)


def _refusal(detail: Any) -> Any:
    responses = import_extra("fastapi.responses", extra="api", purpose="the server")
    body = json.dumps({"detail": detail})  # in ASCII: names in it may hold half a surrogate pair
    return responses.Response(body, status_code=422, media_type="application/json")
