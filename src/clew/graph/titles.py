"""What a document's title names, and the shorter forms that its text uses for it.

``Theodred II (Bishop of Elmham)`` is "Theodred II" in the text; the brackets tell it from others of
the name. ``Lambert, Margrave of Tuscany`` is "Lambert".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from clew.graph.acronyms import short_forms
from clew.graph.persons import HONORIFICS
from clew.records import Document
from clew.text.names import name_key

_BRACKETS = re.compile(r"\s*[(（]([^()（）]*)[)）]\s*$")
_ARTICLE = re.compile(r"(?:the|a|an)\s+(?=\S)", re.IGNORECASE)
_CUT = re.compile(r"\s*(?:,|:|;| [-–—] ).*", re.DOTALL)
_PERSON_MARKS = (
    "(born ",
    "( born ",
    "née ",
    ". He ",
    ". She ",
    ". His ",
    ". Her ",
    "\nHe ",
    "\nShe ",
)
_LIFE_DATES = re.compile(
    r"\(\s?[^()]{0,40}\d{1,2}[^()\d]{1,12}\d{4}[^()]{0,30}[–-][^()]{0,40}\d{4}\s?\)"
)
_PERSON_NOUN = re.compile(
    r"\b(?:is|was) (?:an?|the) (?:[\w'’-]+,? ){0,6}(?:actor|actress|artist|architect|astronomer"
    r"|athlete|author|banker|baronet|boxer|biologist|bishop|businessman|businesswoman|chemist"
    r"|choreographer|coach|comedian|composer|conductor|cricketer|cyclist|dancer|daughter|designer"
    r"|diplomat|director|economist|editor|engineer|entrepreneur|explorer|filmmaker|footballer"
    r"|general|golfer|guitarist|historian|illustrator|inventor|journalist|judge|lawyer|librettist"
    r"|mathematician|merchant|missionary|monk|musician|nobleman|novelist|nun|nurse|officer|painter"
    r"|philanthropist|philosopher|photographer|physician|physicist|pianist|pilot|player|playwright"
    r"|poet|politician|priest|producer|professor|psychologist|rapper|saint|scholar|scientist"
    r"|screenwriter|sculptor|singer|soldier|son|songwriter|statesman|swimmer|teacher|theologian"
    r"|violinist|wife|writer|wrestler)\b"
)
_EVIDENCE_CHARS = 600
_MAX_PERSON_WORDS = 5


@dataclass(frozen=True, slots=True)
class Title:
    """``forms`` are the names that stand for the title, the title itself first, and ``keys`` are
    their keys; ``forms[bare]`` is the one without brackets. ``told_apart`` says that brackets tell
    it from others of its name.
    """

    forms: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    bare: int = 0
    told_apart: bool = False
    person: bool = False

    @property
    def name(self) -> str:
        return self.forms[0] if self.forms else ""

    @property
    def key(self) -> str:
        return self.keys[0] if self.keys else ""

    @classmethod
    def of(cls, document: Document) -> Title:
        if not document.title:
            return _NO_TITLE
        return _read(document.title.strip(), document.text[:_EVIDENCE_CHARS])


_NO_TITLE = Title()


@lru_cache(maxsize=1 << 8)
def _read(title: str, text: str) -> Title:
    if not name_key(title):
        return _NO_TITLE
    brackets = _BRACKETS.search(title)
    bare = title[: brackets.start()].strip() if brackets else title
    if brackets and any(short_forms(title)):
        title, forms = bare, [bare, brackets[1].strip()]
    else:
        forms = [title, bare] if name_key(bare) else [title]
    forms += [without_article(bare), without_honorific(bare), _CUT.sub("", bare)]
    by_key: dict[str, str] = {}
    for form in forms:
        by_key.setdefault(name_key(form), form)
    keyed = [(key, form) for key, form in by_key.items() if key]
    return Title(
        forms=tuple(form for _, form in keyed),
        keys=tuple(key for key, _ in keyed),
        bare=next((at for at, (_, form) in enumerate(keyed) if form == bare), 0),
        told_apart=bool(brackets) and name_key(title) != name_key(bare),
        person=names_person(bare, text),
    )


def without_article(name: str) -> str:
    """``The Norr`` → ``Norr``; ``The norr`` stays."""
    article = _ARTICLE.match(name)
    if article and not name[article.end()].islower():
        return name[article.end() :]
    return name


def without_honorific(name: str) -> str:
    """``Sir John Orm`` → ``John Orm``; ``Mr Orm`` stays, since "Orm" alone says too little."""
    honorific, _, rest = name.partition(" ")
    if honorific.rstrip(".").lower() in HONORIFICS and len(rest.split()) > 1:
        return rest
    return name


def names_person(name: str, text: str) -> bool:
    """Whether the beginning of ``text`` speaks of the bearer of ``name`` as of a person."""
    words = name.split()
    if not 0 < len(words) <= _MAX_PERSON_WORDS or any(map(str.isdigit, name)):
        return False
    head = text[:_EVIDENCE_CHARS]
    if any(mark in head for mark in _PERSON_MARKS) or head.startswith(("He ", "She ")):
        return True
    return bool(("(" in head and _LIFE_DATES.search(head)) or _PERSON_NOUN.search(head))
