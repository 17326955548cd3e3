"""A page a chunk, as far as sizes allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from clew.chunking.base import Span
from clew.chunking.outline import Outline
from clew.chunking.pages import FORM_FEED, page_index, page_spans
from clew.chunking.parts import Part, PartedChunker, parts_at
from clew.errors import ConfigError


class PagedChunker(PartedChunker):
    """What the strategies by pages share."""

    page_delimiter: str = FORM_FEED

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.page_delimiter:
            raise ConfigError("page_delimiter='' divides nothing: give what stands between pages")

    def page_parts(self, outline: Outline) -> list[Part]:
        pages = page_spans(outline, self.page_delimiter)
        return parts_at(outline, (page.start for page in pages), closed=True)


@dataclass(frozen=True, kw_only=True)
class PageChunker(PagedChunker):
    """No chunk goes over the end of a page: a page larger than a chunk gives several, a small one
    does not join the next.

    Pages are those of the document (PDF, slides); else ``page_delimiter`` stands between them.
    """

    page_delimiter: str = FORM_FEED
    max_size: int = 2200

    name: ClassVar[str] = "page"

    def parts(self, outline: Outline) -> list[Part]:
        return self.page_parts(outline)

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        return {"page_index": page_index(outline, self.page_delimiter, span.start)}
