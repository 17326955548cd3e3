"""``POST /chunk`` and ``GET /strategies``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from clew.chunking.choosing import chooser, strategies
from clew.chunking.config import ChunkingConfig


class ChunkRequest(BaseModel):
    """A text and how it may be cut; without ``strategies`` the usual candidates compete."""

    model_config = ConfigDict(extra="forbid")

    text: str
    document_id: str = "document"
    strategies: list[str] | None = None
    include_candidates: bool = False
    chunk_size: int = Field(default=1000, ge=1)
    chunk_overlap: int = Field(default=0, ge=0)
    weights: Literal["lift", "paper", "reference"] = "lift"
    media_type: str = "text/markdown"

    @field_validator("text", "document_id")
    @classmethod
    def _is_unicode(cls, value: str) -> str:
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"character {error.start:,} is half a surrogate pair, which is no text: send both "
                "halves, or the character itself"
            ) from error
        return value


def add_chunking(app: Any) -> None:
    """Add the two routes. Chunking computes, so it runs in the server's threads."""

    @app.post("/chunk")  # type: ignore[untyped-decorator]
    def chunk(request: ChunkRequest) -> dict[str, Any]:
        config = ChunkingConfig(chunk_size=request.chunk_size, chunk_overlap=request.chunk_overlap)
        chunker = chooser(config, request.strategies or (), request.weights)
        result = chunker.chunk(
            request.text, document_id=request.document_id, media_type=request.media_type
        )
        return result.to_dict(include_candidates=request.include_candidates)

    @app.get("/strategies")  # type: ignore[untyped-decorator]
    def list_strategies() -> dict[str, Any]:
        return {"strategies": [found._asdict() for found in strategies()]}
