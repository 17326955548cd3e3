"""Which sections share chunks: decided locally, so that an edit in one leaves the others alone.

A heading that has body text begins a new chunk. Tiny sections would shatter a document, so a
section *joins* the one before it when that one

* has no text under its heading, so that a title leads its first section, or
* is smaller than 15 % of a chunk, and both fit into one;

and never when its own heading ranks higher: what ends a chapter stays out of the next.

Where tiny sections follow each other (a glossary), joining by position would move every later
chunk when one entry is added. As in content-defined chunking (Muthitacharoen et al., *A
Low-bandwidth Network File System*, SOSP 2001), the words of the heading decide: their hash parts it
from the section before with a probability that makes groups of about 60 % of a chunk. An edit
changes its own group and no other.
"""

from __future__ import annotations

from itertools import pairwise
from zlib import crc32

from clew.chunking.measures import Measure
from clew.chunking.outline import Outline, Section
from clew.records import BlockKind

_SMALL = 0.15
_GROUP = 0.60
_HASH_VALUES = 2**32


def regions(outline: Outline, measure: Measure, chunk_size: int) -> list[tuple[int, int]]:
    """Return the stretches of the text, by offset, over whose borders no chunk goes."""
    found: list[tuple[int, int]] = []
    sizes = [_size(outline, measure, section) for section in outline.sections]
    neighbours = zip(pairwise(outline.sections), pairwise(sizes), strict=True)
    begins = [True, *(not _joins(outline, *pair, chunk_size) for pair in neighbours)]
    for section, is_first in zip(outline.sections, begins, strict=True):
        start, end = outline.starts[section.first], outline.ends[section.stop - 1]
        if is_first:
            found.append((start, end))
        else:
            found[-1] = (found[-1][0], end)
    return found


def _size(outline: Outline, measure: Measure, section: Section) -> int:
    return measure.size_of(outline.starts[section.first], outline.ends[section.stop - 1])


def _joins(
    outline: Outline,
    neighbours: tuple[Section, Section],
    sizes: tuple[int, int],
    chunk_size: int,
) -> bool:
    before, section = neighbours
    if section.level < before.level:
        return False
    if before.stop == before.first + 1 and outline.kinds[before.first] is BlockKind.HEADING:
        return True
    small = _SMALL * chunk_size
    if sizes[0] >= small or sum(sizes) > chunk_size:
        return False
    return sizes[1] >= small or not _parts(outline, section, sizes[0] / (_GROUP * chunk_size))


def _parts(outline: Outline, section: Section, probability: float) -> bool:
    heading = outline.text[outline.starts[section.first] : outline.ends[section.first]]
    return crc32(heading.encode("utf-8", "surrogatepass")) < probability * _HASH_VALUES
