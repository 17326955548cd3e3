"""Where the members of JSON values begin, by one scan; several values in a row are JSON Lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_TEXT = r'"(?:[^"\\]++|\\.)*+"'
_SCALAR = r'[^\s"\[\]{},:]++'
_TOKEN = re.compile(
    rf"(?P<text>{_TEXT})(?:\s*+(?P<colon>:)(?:\s*+(?:{_TEXT}|{_SCALAR}))?+)?+"
    rf'|[\[\]{{}},:"]|{_SCALAR}',
    re.DOTALL,
)
_PAIRS = {"]": "[", "}": "{"}


@dataclass(slots=True)
class JsonMembers:
    """Members in order of the text: where each begins, how deep, in which member, under what."""

    starts: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    labels: list[str | int] = field(default_factory=list)
    roots: int = 0

    def path(self, offset: int) -> str:
        """Return the path of the member in which ``offset`` lies, such as ``$.bridges[2].name``."""
        number = bisect_right(self.starts, offset) - 1
        labels: list[str] = []
        while number >= 0:
            if self.depths[number] or self.roots > 1:
                labels.append(_step(self.labels[number]))
            number = self.parents[number]
        return "".join(["$", *reversed(labels)])

    def by_depth(self, deepest: int) -> list[list[int]]:
        """Return where the members of each depth begin, up to the deepest one asked for."""
        found: list[list[int]] = [[] for _ in range(min(deepest, max(self.depths, default=0)) + 1)]
        for start, depth in zip(self.starts, self.depths, strict=True):
            if depth < len(found):
                found[depth].append(start)
        return found


def json_members(text: str) -> JsonMembers | None:
    """Return the members of all values in ``text``; None where it is no JSON (not all that is
    wrong is noticed: what matters is that brackets match and stand where a value may).
    """
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    scan = _Scan()
    return scan.members if scan.run(text) and not scan.open else None


class _Scan:
    def __init__(self) -> None:
        self.members = JsonMembers()
        self.open: list[tuple[str, int]] = []  # bracket, member that holds it
        self.counts = [0]  # members so far on each depth
        self.current = -1
        self.expects = True  # whether a member begins here

    def run(self, text: str) -> bool:
        """Read to the end; False where no JSON goes on like this."""
        for match in _TOKEN.finditer(text):
            sign = text[match.start()]
            if sign == ",":
                self.expects = True
                good = bool(self.open)
            elif sign == '"':
                good = self._text(match)
            elif sign in "[{":
                self._begin(match.start(), None)
                self.open.append((sign, self.current))
                self.counts.append(0)
                good = self.expects = True
            elif sign in "]}":
                good = self._close(sign)
            elif sign == ":":
                good = False  # one behind a key is read with it
            else:
                good = bool(self.open)
                self._begin(match.start(), None)
            if not good:
                return False
        self.members.roots = self.counts[0]
        return True

    def _text(self, match: re.Match[str]) -> bool:
        """A key with its scalar if it has one, or a text of a list."""
        if not self.open or match["text"] is None:
            return False
        if match["colon"] is None:
            self._begin(match.start(), None)
            return True
        is_key = self.expects and self.open[-1][0] == "{"
        self._begin(match.start(), match["text"][1:-1])
        return is_key

    def _begin(self, start: int, label: str | None) -> None:
        if not self.expects and self.open:
            return  # the value of a key
        members = self.members
        self.current = len(members.starts)
        members.starts.append(start)
        members.depths.append(len(self.open))
        members.parents.append(self.open[-1][1] if self.open else -1)
        members.labels.append(self.counts[-1] if label is None else label)
        self.counts[-1] += 1
        self.expects = False

    def _close(self, sign: str) -> bool:
        if not self.open or self.open[-1][0] != _PAIRS[sign]:
            return False
        _, self.current = self.open.pop()
        self.counts.pop()
        self.expects = False
        return True


def _step(label: str | int) -> str:
    if isinstance(label, str) and label.isidentifier():
        return f".{label}"
    return f"[{label}]" if isinstance(label, int) else f'["{label}"]'
