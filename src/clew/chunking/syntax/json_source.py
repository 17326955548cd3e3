"""Where the members of JSON values begin, by one scan; several values in a row are JSON Lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s"\[\]{},:]++|"', re.DOTALL)
_OPEN, _CLOSE = frozenset("[{"), frozenset("]}")
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

    def at_depth(self, depth: int) -> list[int]:
        return [start for start, at in zip(self.starts, self.depths, strict=True) if at == depth]


def json_members(text: str) -> JsonMembers | None:
    """Return the members of all values in ``text``; None where it is no JSON (not all that is
    wrong is noticed: what matters is that brackets match and stand where a value may).
    """
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    scan = _Scan()
    for match in _TOKEN.finditer(text):
        if not scan.read(match[0], match.start()):
            return None
    scan.members.roots = scan.counts[0]
    return scan.members if not scan.open else None


def _step(label: str | int) -> str:
    if isinstance(label, str) and label.isidentifier():
        return f".{label}"
    return f"[{label}]" if isinstance(label, int) else f'["{label}"]'


class _Scan:
    def __init__(self) -> None:
        self.members = JsonMembers()
        self.open: list[tuple[str, int]] = []  # bracket, member that holds it
        self.counts = [0]  # members so far on each depth
        self.current = -1
        self.expects = True  # whether a member begins here

    def read(self, sign: str, start: int) -> bool:
        """Read one token; False where no JSON goes on like this."""
        if sign in _CLOSE:
            return self._close(sign)
        if sign == ",":
            self.expects = True
            return bool(self.open)
        if sign == ":":
            return bool(self.open) and self.open[-1][0] == "{" and not self.expects
        if sign == '"' or not (self.open or sign in _OPEN):
            return False
        if self.expects or not self.open:
            self._begin(sign, start)
        if sign in _OPEN:
            self.open.append((sign, self.current))
            self.counts.append(0)
            self.expects = True
        return True

    def _begin(self, token: str, start: int) -> None:
        members = self.members
        self.current = len(members.starts)
        in_object = bool(self.open) and self.open[-1][0] == "{"
        members.starts.append(start)
        members.depths.append(len(self.open))
        members.parents.append(self.open[-1][1] if self.open else -1)
        members.labels.append(token.strip('"') if in_object else self.counts[-1])
        self.counts[-1] += 1
        self.expects = False

    def _close(self, token: str) -> bool:
        if not self.open or self.open[-1][0] != _PAIRS[token]:
            return False
        _, self.current = self.open.pop()
        self.counts.pop()
        self.expects = False
        return True
