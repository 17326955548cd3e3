"""A page that shows chunks in their text, beside what each strategy scored: one file, no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from clew.chunking.result import ChunkingResult
from clew.records import Chunk, Document

_HUES = (205, 40, 140, 330, 265)
_STYLE = """
body { font: 15px/1.55 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: #222; background: #fff }
h1 { font-size: 1.2rem; margin-top: 2.5rem }
table { border-collapse: collapse; font-size: .85rem; margin: 1rem 0; display: block;
  overflow-x: auto }
th, td { text-align: left; padding: .2rem .7rem; border-bottom: 1px solid #ddd }
tr.chosen { font-weight: 600 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.6 ui-monospace, monospace }
mark { color: inherit; border-radius: 3px }
mark.shared { outline: 1px dashed #555 }
.note { color: #555 }
"""


def chunk_page(done: Sequence[tuple[Document, ChunkingResult]]) -> str:
    """Return the page. What neighbouring chunks share is outlined; a chunk's span, headings and
    context appear when the pointer rests on it.
    """
    body = "\n".join(_section(document, result) for document, result in done)
    hues = "\n".join(
        f"mark.h{number} {{ background: hsl({hue} 85% 90%) }}" for number, hue in enumerate(_HUES)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Chunks</title>\n<style>{_STYLE}{hues}\n</style>\n</head>\n<body>\n{body}\n"
        "</body>\n</html>\n"
    )


def _section(document: Document, result: ChunkingResult) -> str:
    text = "".join(_marked(document.text, result.chunks))
    return (
        f"<h1>{escape(result.document_id)}: {len(result.chunks):,} chunks by "
        f"{escape(result.strategy_name)}</h1>\n"
        f'<p class="note">{escape(result.note)}</p>\n{_table(result)}\n<pre>{text}</pre>'
    )


def _table(result: ChunkingResult) -> str:
    head, *rows = result.table()
    cells = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in head)
    lines = [f"<tr>{cells}</tr>"]
    for row in rows:
        kind = ' class="chosen"' if row[0] == result.strategy_name else ""
        lines.append(f"<tr{kind}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>")
    return f"<table>{''.join(lines)}</table>"


def _marked(text: str, chunks: Sequence[Chunk]) -> Iterator[str]:
    """The text in pieces between the edges of chunks; one pass over chunks in their order."""
    edges = sorted({0, len(text), *(edge for one in chunks for edge in (one.start, one.end))})
    first = after = 0
    for start, end in pairwise(edges):
        while after < len(chunks) and chunks[after].start <= start:
            after += 1
        while first < after and chunks[first].end <= start:
            first += 1
        piece = escape(text[start:end])
        if first == after:
            yield piece
            continue
        chunk = chunks[first]
        shared = " shared" if after - first > 1 else ""
        yield (
            f'<mark class="h{chunk.index % len(_HUES)}{shared}" title="{_described(chunk)}">'
            f"{piece}</mark>"
        )


def _described(chunk: Chunk) -> str:
    parts = [f"chunk {chunk.index + 1}: {chunk.start}–{chunk.end}"]
    if chunk.heading_path:
        parts.append(" › ".join(chunk.heading_path))
    if chunk.context:
        parts.append(chunk.context)
    return escape("\n".join(parts), quote=True)
