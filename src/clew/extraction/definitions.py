"""What a sentence defines, and the other names it gives it.

"Norr Bridge (built 1932), also known as the Span, is …" defines ``Norr Bridge`` and gives it the
name ``Span``. The subject is what stands before the first copula, without brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.extraction.lexicon.closed import FOREIGN_OPENERS, OPENERS
from clew.extraction.spans import CANDIDATE, QUOTED
from clew.text.names import name_key

MAX_SUBJECT_WORDS = 9
_HEAD_CHARS = 400

_BRACKETS = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]")
_COPULA = re.compile(
    r"\s(?:is|was|are|were|refers? to|became|has been|had been|means|denotes|describes)\b"
    r"|\s(?:ist|war|sind|est|était|es|era|è)\s(?=ein|un|der|die|das|le|la|el|il)|(?:は|とは)、"
)
_CUT = re.compile(
    r"\s*(?:[,;]|\s(?:also|or|formerly|originally|commonly|better|sometimes|often|previously"
    r"|officially|simply|then)\s|\s(?:known|born|called|nicknamed|née|abbreviated|stylised|stylized)\b"
    r"|\s[-–—]\s).*",
    re.DOTALL,
)
_QUOTES = "\"“”„«»'‘’*_` \u00a0"
_ALIAS = re.compile(
    r"\b(?:known|referred to|billed|credited|published|released|marketed|styled|titled)"
    r"(?: \w+ly| simply| in \w+| outside \w+)?(?: as| by)"
    r"(?: (?:his|her|the) (?:stage|pen|ring|birth) name)?"
    r"|\b(?:née|nee|aka|a\.k\.a\.|nicknamed|dubbed|alias"
    r"|(?:stage|pen|birth|full|real) name(?: was| is)?)"
    r"|\b(?:abbreviated|shortened|stylized|stylised)(?: as| to)?|\bor simply"
    r"|\bborn(?! in| on| at| c)"
    r"|\b(?:formerly|originally|previously|also|sometimes|often|commonly|now|officially)"
    r"(?: called| named| spelled| written| the)?(?= [\"“A-Z])|[,(] ?or(?: the)?(?= [\"“A-Z])"
)
_BEFORE_NAME = re.compile(r"[\s,:]{0,2}(?:the |an? |as )?[\"“„«'‘]?\s?")


def subject_of(sentence: str) -> str:
    """Return what ``sentence`` defines, or ``""`` when it does not look like a definition.

    >>> subject_of("The Norr Bridge (Tarn, 1932), also called the Span, is a bridge.")
    'The Norr Bridge'
    """
    head = _BRACKETS.sub("", sentence[:_HEAD_CHARS])
    copula = _COPULA.search(head)
    if not copula:
        return ""
    subject = _CUT.sub("", head[: copula.start()]).strip(_QUOTES)
    words = subject.split()
    if not words or len(words) > MAX_SUBJECT_WORDS or not name_key(subject):
        return ""
    if not subject[0].isalpha() or words[0].lower() in _NO_SUBJECT:
        return subject if len(words) > 1 and _is_title_case(words) else ""
    return subject


_ARTICLES = frozenset("the a an le la les el los las der die das il lo".split())
_NO_SUBJECT = (OPENERS | FOREIGN_OPENERS) - _ARTICLES | {"there", "here"}


def _is_title_case(words: list[str]) -> bool:
    return all(word[0].isupper() or word in OPENERS for word in words) and words[-1][0].isupper()


def aliases_of(sentence: str) -> Iterator[str]:
    """Yield the other names that a defining sentence gives: "also known as …", "née …".

    >>> list(aliases_of('Jane Roe (née Orm), known as "Bo", was a poet.'))
    ['Orm', 'Bo']
    """
    head = sentence[:_HEAD_CHARS]
    for cue in _ALIAS.finditer(head):
        gap = _BEFORE_NAME.match(head, cue.end())
        at = gap.end() if gap else cue.end()
        quoted = QUOTED.match(head, at - 1) if at > cue.end() and head[at - 1] in '"“„«' else None
        if quoted and quoted["straight"]:
            yield quoted["straight"].strip(_QUOTES + ",.")
        elif (name := CANDIDATE.match(head, at)) and name[0].lower() not in OPENERS:
            yield name[0].rstrip(".,")
