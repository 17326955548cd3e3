"""How many words of reference conversions are in the text that clew reads from a file.

For every ``NAME.ext`` with a reference ``NAME.ext.md`` beside it below ``$CLEW_DATA/documents``
(default ``../shared/data``): the share of the reference's words, counted as a multiset of
lower-case ``\\w+`` tokens without the syntax of Markdown, that our text has too. Then every file
below the folder is loaded once, and those that give no document are listed with their reason.

    python benchmarks/documents/word_coverage.py [--pdf]

``--pdf`` compares PDF files with the references named ``NAME.md`` as well.
"""

from __future__ import annotations

import html
import os
import re
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

from clew.documents import LoadFailure, load_file
from clew.errors import DocumentError

_WORD = re.compile(r"\w+")
_NOISE = (
    (re.compile(r"<!--.*?-->", re.DOTALL), " "),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), " "),
    (re.compile(r"\[([^\]]*)\]\([^)\s]*\)"), r"\1"),
    (re.compile(r"<(?:img|br)[^>]*>", re.IGNORECASE), " "),
    (re.compile(r"(?<!\\)[*_]{1,3}(?=\S)|(?<=[^\s\\])[*_]{1,3}"), ""),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!|>~-])"), r"\1"),
)
TARGET = 0.95


def main() -> None:
    folder = Path(os.environ.get("CLEW_DATA", "../shared/data")) / "documents"
    warnings.simplefilter("error")
    pairs = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.with_name(path.name + ".md").exists()
    )
    if "--pdf" in sys.argv:
        pairs += sorted(p for p in folder.rglob("*.pdf") if p.with_suffix(".md").exists())
    report_coverage(pairs)
    report_failures(sorted(path for path in folder.rglob("*") if path.is_file()))


def report_coverage(pairs: list[Path]) -> None:
    shares: list[tuple[float, Path, list[str]]] = []
    for path in pairs:
        reference = path.with_name(path.name + ".md")
        if not reference.exists():
            reference = path.with_suffix(".md")
        wanted = reference_words(reference.read_text(encoding="utf-8"))
        lost = wanted - words(read_text(path))
        share = 1 - lost.total() / max(1, wanted.total())
        shares.append((share, path, [word for word, _ in lost.most_common(12)]))
    for share, path, missing in sorted(shares):
        print(f"{share:7.1%}  {path.name}  missing: {' '.join(missing)}")
    average = sum(share for share, _, _ in shares) / max(1, len(shares))
    print(f"{average:7.1%}  average over {len(shares)} files (target {TARGET:.0%})\n")


def report_failures(paths: list[Path]) -> None:
    started, documents, failed = time.perf_counter(), 0, 0
    for path in paths:
        try:
            for item in load_file(path):
                documents += 1
                if isinstance(item, LoadFailure):
                    print(f"failed: {item.reason}")
                elif not item.text.strip():
                    print(f"empty:  {item.source}")
        except DocumentError as error:
            failed += 1
            print(f"failed: {error}")
    seconds = time.perf_counter() - started
    print(f"{len(paths)} files, {documents} documents, {failed} failed, {seconds:.1f} s")


def read_text(path: Path) -> str:
    return "\n".join(item.text for item in load_file(path) if not isinstance(item, LoadFailure))


def reference_words(markdown: str) -> Counter[str]:
    for pattern, replacement in _NOISE:
        markdown = pattern.sub(replacement, markdown)
    return words(html.unescape(markdown))


def words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


if __name__ == "__main__":
    main()
