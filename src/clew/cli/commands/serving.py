"""``serve``: clew over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from clew.cli.app import EPILOG, app
from clew.cli.render import note
from clew.cli.session import Session

_DEFAULT_MOST = 10_000_000


@app.command(epilog=EPILOG)
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0)] = 8000,
    max_bytes: Annotated[
        int, typer.Option(help="A larger request is refused.", min=1)
    ] = _DEFAULT_MOST,
) -> None:
    """Serve chunking over HTTP: POST /chunk, GET /strategies, and /docs for people.

    Only this machine can ask unless --host says otherwise: there are no accounts.

    Examples:

      clew serve

      clew serve --host 0.0.0.0 --port 9000 --max-bytes 50000000
    """
    from clew.models.extras import import_extra  # noqa: PLC0415
    from clew.server.application import make_app  # noqa: PLC0415

    session: Session = context.obj
    uvicorn = import_extra("uvicorn", extra="api", purpose="the server")
    made = make_app(most_bytes=max_bytes)
    if not session.quiet:
        note(f"http://{host}:{port}/docs shows what can be asked; Ctrl-C stops")
    uvicorn.run(made, host=host, port=port, log_level="warning" if session.quiet else "info")
