"""A document's text as a contiguous partition into blocks, by offset, in one linear pass.

A scanner for a syntax yields only where blocks *begin*; each block ends where the next one begins.
So the partition has no gap and no overlap by construction, and a block owns its line ends and the
blank lines behind it. Everything downstream (chunks, units, metrics) is a cut list over these
offsets and never scans the text again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clew.records import Block, BlockKind
from clew.text.blocks.lines import Start, split_lines
from clew.text.blocks.markdown import markdown_starts
from clew.text.blocks.plain import plain_starts
from clew.text.blocks.rst import rst_starts

Scanner = Callable[[list[str]], Iterable[Start]]

_SCANNERS: dict[str, Scanner] = {
    "plain": plain_starts,
    "markdown": markdown_starts,
    "rst": rst_starts,
}
SYNTAXES = tuple(_SCANNERS)


def partition(text: str, syntax: str = "plain") -> tuple[Block, ...]:
    """Return the blocks of ``text``: contiguous, in order, from 0 to ``len(text)``.

    ``syntax`` is one of :data:`SYNTAXES`. Blank lines before the first block are a block of kind
    ``BLANK``; the empty text has no blocks.

    >>> [(str(block.kind), block.level, block.end) for block in partition("# A\\n\\nb", "markdown")]
    [('heading', 1, 5), ('paragraph', 0, 6)]
    """
    if syntax not in _SCANNERS:
        raise ValueError(f"syntax={syntax!r} is not known; choose one of {', '.join(SYNTAXES)}")
    if not text:
        return ()
    lines, offsets = split_lines(text)
    starts = list(_SCANNERS[syntax](lines))
    if not starts or starts[0][0] > 0:
        starts.insert(0, (0, BlockKind.BLANK, 0))
    ends = [offsets[line] for line, _, _ in starts[1:]]
    ends.append(len(text))
    return tuple(
        _block(kind, offsets[line], end, level)
        for (line, kind, level), end in zip(starts, ends, strict=True)
    )


_set_kind, _set_start, _set_end, _set_level = (
    vars(Block)[name].__set__ for name in ("kind", "start", "end", "level")
)


def _block(kind: BlockKind, start: int, end: int, level: int) -> Block:
    """Return a block; its slots are filled directly, since a text has thousands of blocks and the
    constructor of a frozen record takes three times as long.
    """
    block = object.__new__(Block)
    _set_kind(block, kind)
    _set_start(block, start)
    _set_end(block, end)
    _set_level(block, level)
    return block
