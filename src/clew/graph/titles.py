"""What a document's title names, and the shorter forms that its text uses for it.

``Theodred II (Bishop of Elmham)`` is "Theodred II" in the text; the brackets tell it from others of
the name. ``Lambert, Margrave of Tuscany`` is "Lambert".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.graph.acronyms import short_forms
from clew.records import Document
from clew.text.names import name_key

_BRACKETS = re.compile(r"\s*[(（]([^()（）]*)[)）]\s*$")
_ARTICLE = re.compile(r"(?:the|a|an)\s+(?=\S)", re.IGNORECASE)
_CUT = re.compile(r"\s*(?:,|:|;| [-–—] ).*", re.DOTALL)
_PERSON_TEXT = re.compile(
    r"(?:^|[.!?]\s+|\n)(?:In \w+, )?(?:He|She|His|Her)\b|\(\s?(?:born|b\.)\s|\bnée\b"
    r"|\d{1,2},? \d{4} ?[–-] ?\w+ \d{1,2},? \d{4}\)|\d{1,2} \w+ \d{4} ?[–-] ?\d{1,2} \w+ \d{4}"
)
_EVIDENCE_CHARS = 600
_MAX_PERSON_WORDS = 5


@dataclass(frozen=True, slots=True)
class Title:
    """``forms`` are the names that stand for the title, the title itself first; ``told_apart``
    says that brackets tell it from others of its name.
    """

    name: str = ""
    forms: tuple[str, ...] = ()
    told_apart: bool = False
    person: bool = False

    @property
    def key(self) -> str:
        return name_key(self.name)

    @classmethod
    def of(cls, document: Document) -> Title:
        title = document.title.strip()
        if not name_key(title):
            return cls()
        brackets = _BRACKETS.search(title)
        bare = title[: brackets.start()].strip() if brackets else title
        if brackets and any(short_forms(title)):
            title, forms = bare, [bare, brackets[1].strip()]
        else:
            forms = [title, bare] if name_key(bare) else [title]
        forms += [form for form in (without_article(bare), _CUT.sub("", bare)) if name_key(form)]
        return cls(
            name=title,
            forms=tuple(dict.fromkeys(forms)),
            told_apart=bool(brackets) and title != bare,
            person=_names_person(bare, document.text),
        )


def without_article(name: str) -> str:
    """``The Norr`` → ``Norr``; ``The norr`` stays."""
    article = _ARTICLE.match(name)
    if article and name[article.end()].isupper():
        return name[article.end() :]
    return name


def _names_person(bare: str, text: str) -> bool:
    words = bare.split()
    if not 0 < len(words) <= _MAX_PERSON_WORDS or any(map(str.isdigit, bare)):
        return False
    return _PERSON_TEXT.search(text, 0, _EVIDENCE_CHARS) is not None
