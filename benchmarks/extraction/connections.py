"""Do the passages that answer a question together connect through names?

*whole*: the share of questions whose supporting passages hang together, where a step leads from a
passage that mentions a thing to one that is about it (or, *with shared*, between passages that
mention a thing that few others do). Questions that compare two unconnected things cannot have it.
*bridges*: of the supporting passages whose title the question does not name, and which therefore
must be found through another, the share to which another supporting passage leads.

``links`` is what it costs: the mean number of passages that a passage leads to. Compared are the
recogniser of clew and plain capitalised spans; both see the same titles. ``untitled`` hides them.

Run: ``python benchmarks/extraction/connections.py [folder of data]`` (default ``$CLEW_DATA``).
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.ids import document_id
from clew.records import Block, BlockKind, Chunk, Document
from clew.text.names import name_key

SETS = ("tune/2wiki", "tune/hotpotqa", "tune/musique")
MOST_ABOUT = 10
MOST_SHARED = 20
_CAPITALISED = re.compile(r"[A-Z][\w'’-]*(?: (?:(?:of|the|de|von|van|and) )?[A-Z][\w'’-]*)*")

Keys = tuple[set[str], set[str]]
"""What a passage mentions, and what it is about."""


def by_clew(title: str, text: str) -> Keys:
    document = Document(
        id=document_id("default", title + text),
        doc_id=title,
        text=text,
        title=title,
        blocks=(Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text)),),
    )
    chunk = Chunk(
        id="c" + document.id, document_id=document.id, index=0, start=0, end=len(text), text=text
    )
    (extraction,) = SentenceExtractor(ExtractionConfig()).extract([(document, [chunk])])
    mentions = {mention.entity_id for mention in extraction.mentions}
    return mentions, {topic.entity_id for topic in extraction.topics}


def by_clew_untitled(title: str, text: str) -> Keys:  # noqa: ARG001 - that is the point
    """What the text alone gives: topics are what first sentences define."""
    return by_clew("", text)


def by_capitals(title: str, text: str) -> Keys:
    mentions = {name_key(match[0]) for match in _CAPITALISED.finditer(text)}
    return mentions - {""}, {name_key(title), name_key(_bare(title))} - {""}


def _bare(title: str) -> str:
    return re.sub(r"\s*\([^()]*\)$", "", title)


def links_of(passages: list[Keys]) -> tuple[list[set[int]], list[set[int]]]:
    """For each passage the passages it leads to by *about*, and by *shared*."""
    about: dict[str, set[int]] = defaultdict(set)
    mention: dict[str, set[int]] = defaultdict(set)
    for number, (mentions, topics) in enumerate(passages):
        for key in topics:
            about[key].add(number)
        for key in mentions:
            mention[key].add(number)
    few = {key for key, numbers in about.items() if len(numbers) <= MOST_ABOUT}
    rare = {key for key, numbers in mention.items() if 2 <= len(numbers) <= MOST_SHARED}
    by_about, by_shared = [], []
    for number, (mentions, _) in enumerate(passages):
        by_about.append(_union(about[key] for key in mentions & few) - {number})
        by_shared.append(_union(mention[key] for key in mentions & rare) - {number})
    return by_about, by_shared


def _union(sets: Iterable[set[int]]) -> set[int]:
    return set().union(*sets)


def connected(numbers: list[int], links: list[set[int]]) -> bool:
    """Whether the passages ``numbers`` hang together, links taken in both directions."""
    reached, todo = {numbers[0]}, [numbers[0]]
    while todo:
        here = todo.pop()
        for other in numbers:
            if other not in reached and (other in links[here] or here in links[other]):
                reached.add(other)
                todo.append(other)
    return len(reached) == len(set(numbers))


def _percent(hits: Iterable[bool]) -> float:
    found = list(hits)
    return 100 * sum(found) / max(1, len(found))


def measure(folder: Path, method: Callable[[str, str], Keys]) -> str:
    records = [json.loads(line) for line in (folder / "corpus.jsonl").open(encoding="utf-8")]
    began = time.process_time()
    passages = [method(record["title"], record["text"]) for record in records]
    seconds = time.process_time() - began
    by_about, by_shared = links_of(passages)
    both = [about | shared for about, shared in zip(by_about, by_shared, strict=True)]
    place = {record["id"]: number for number, record in enumerate(records)}
    questions = [json.loads(line) for line in (folder / "questions.jsonl").open(encoding="utf-8")]
    wanted = [[place[item] for item in question["supporting_ids"]] for question in questions]
    shares = [
        _percent(connected(numbers, links) for numbers in wanted if len(numbers) > 1)
        for links in (by_about, both)
    ]
    titles = [_bare(record["title"]).casefold() for record in records]
    bridges = [
        any(number in links[other] for other in numbers)
        for links in (by_about, both)
        for question, numbers in zip(questions, wanted, strict=True)
        for number in numbers
        if titles[number] not in question["question"].casefold()
    ]
    half = len(bridges) // 2
    sizes = [sum(map(len, links)) / len(links) for links in (by_about, both)]
    mentions = sum(len(found) for found, _ in passages) / len(passages)
    topics = sum(len(found) for _, found in passages) / len(passages)
    return (
        f"whole {shares[0]:5.1f} %, with shared {shares[1]:5.1f} %  "
        f"bridges {_percent(bridges[:half]):5.1f} %, {_percent(bridges[half:]):5.1f} %  "
        f"links {sizes[0]:5.2f} / {sizes[1]:6.2f}  "
        f"mentions {mentions:5.1f}  topics {topics:4.1f}  "
        f"{1e3 * seconds / len(passages):.2f} ms a passage"
    )


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CLEW_DATA", "../shared/data"))
    for name in SETS:
        for method in (by_capitals, by_clew, by_clew_untitled):
            print(f"{name:14} {method.__name__:16} {measure(data / name, method)}")


if __name__ == "__main__":
    main()
