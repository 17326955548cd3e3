"""A hook for the HTTP clients inside of SDKs: any status but success is an exception that says
status, headers and body.

SDKs differ in how much of these their own errors keep, and some fail to read an error at all. It
also stops redirects, which would carry a key in a header to wherever they lead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class HTTPRefusal(Exception):  # noqa: N818 - caught where it is raised, it never gets out
    """``body`` is what came, read from JSON where it is that."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.headers = headers
        self.body = body


def refuse(response: Any, *_: Any, **__: Any) -> None:
    """Look at a response of httpx or of requests. Raises :class:`HTTPRefusal`."""
    if response.status_code < 300:
        return
    if hasattr(response, "read"):
        response.read()  # of httpx, where a stream is not read yet
    try:
        body = response.json()
    except ValueError:
        body = response.text.strip()
    raise HTTPRefusal(int(response.status_code), dict(response.headers), body)
