"""What a sentence defines, and the other names it gives it.

"Norr Bridge (built 1932), also known as the Span, is …" defines ``Norr Bridge`` and gives it the
name ``Span``. The subject is what stands before the first copula, without brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.extraction.lexicon.closed import FOREIGN_OPENERS, OPENERS
from clew.extraction.spans import CANDIDATE, QUOTED, REGIONS
from clew.text.names import name_key

MAX_SUBJECT_WORDS = 9
_HEAD_CHARS = 400

_BRACKETS = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]")
_COPULA = re.compile(
    r"\s(?:is|was|are|were|(?:may )?refers? to|became|has been|had been|means|denotes|describes)\b"
    r"|\s(?:ist|war|sind|est|était|es|era|è)\s(?=ein|un|der|die|das|le|la|el|il)|(?:は|とは)、"
)
_CUT = re.compile(
    r"\s*(?:[,;]|\s(?:also|or|formerly|originally|commonly|better|sometimes|often|previously"
    r"|officially|simply|then)\s|\s(?:known|born|called|nicknamed|née|abbreviated|stylised|stylized)\b"
    r"|\s[-–—]\s).*",
    re.DOTALL,
)
_SCENE = re.compile(r"^In (?:the )?[^,.;]{2,60}, (?=\S)")
_QUOTED_SUBJECT = re.compile(
    r"[\"“„«]\s?([^\"”»]{2,90})[\"”»](?:\s?\([^()]*\)|,[^,]{1,60},)*\s(?:is|was|are|were|refers)\b"
)
_PLACE_IN_REGION = re.compile(
    r"\b(?:city|town|village|hamlet|community|municipality|township|borough|suburb|settlement|place"
    rf"|parish|neighborhood|neighbourhood|ghost town)\b[^.;]{{0,80}}, ({REGIONS})(?![\w-])"
)
_QUOTES = "\"“”„«»'‘’*_` \u00a0"
_ALIAS = re.compile(
    r"\b(?:known|referred to|billed|credited|published|released|marketed|styled|titled)"
    r"(?: \w+ly| simply| in \w+| outside \w+)?(?: as|(?<=known) by)"
    r"(?: (?:his|her|the) (?:stage|pen|ring|birth) name)?"
    r"|\b(?:née|nee|aka|a\.k\.a\.|nicknamed|dubbed|alias"
    r"|(?:stage|pen|birth|full|real) name(?: was| is)?)"
    r"|\b(?:abbreviated|shortened|stylized|stylised)(?: as| to)?|\bor simply"
    r"|\bborn(?! in| on| at| c| \d| [A-Z][a-z]+ \d)"
    r"|\b(?:formerly|originally|previously|also|sometimes|often|commonly|now|officially)"
    r"(?: called| named| spelled| written| the)?(?= [\"“A-Z])|[,(] {0,2}or(?: the)?(?= [\"“A-Z])"
)
_ALIAS_WORDS = tuple(
    "known as|known by|née|nee |aka|a.k.a|nicknamed|dubbed|alias| name|called|abbreviated|shortened"
    "|styl|or simply|(or |( or |, or|born |formerly|originally|previously|officially|referred"
    "|billed|credited|published as|released as|marketed|titled|also|sometimes|commonly|often"
    "| now ".split("|")
)
_BEFORE_NAME = re.compile(r"[\s,:]{0,2}(?:the |an? |as )?[\"“„«'‘]?\s?")


def subjects_of(sentence: str) -> list[str]:
    """Return the names of what ``sentence`` defines, the plainest first; empty when it does not
    look like a definition.

    >>> subjects_of("The Norr Bridge (Tarn, 1932), also called the Span, is a bridge.")
    ['The Norr Bridge']
    >>> subjects_of("Hawise, Countess of Norr, was a ruler.")
    ['Hawise', 'Hawise, Countess of Norr']
    """
    quoted = _QUOTED_SUBJECT.match(sentence)
    if quoted:
        return [quoted[1].strip(_QUOTES)]
    head = _BRACKETS.sub("", _BRACKETS.sub("", sentence[:_HEAD_CHARS]))
    head = _SCENE.sub("", head)
    copula = _COPULA.search(head)
    if not copula:
        return []
    whole = head[: copula.start()].strip(_QUOTES + ",")
    plain = _CUT.sub("", whole).strip(_QUOTES)
    subjects = [plain] if _is_subject(plain) else []
    if whole != plain and _is_title_case(whole.split()) and _is_subject(whole):
        subjects.append(whole)
    return subjects


def _is_subject(subject: str) -> bool:
    words = subject.split()
    if not words or len(words) > MAX_SUBJECT_WORDS or not name_key(subject):
        return False
    if words[0].lower() in _NO_SUBJECT:
        return len(words) > 1 and _is_title_case(words)
    return True


def place_alias(subject: str, sentence: str) -> str:
    """``Norr, Ohio`` for "Norr is a village in Tarn County, Ohio"; ``""`` for other sentences."""
    found = _PLACE_IN_REGION.search(sentence, len(subject), _HEAD_CHARS)
    return f"{subject}, {found[1]}" if found else ""


_SMALL_IN_TITLES = OPENERS | FOREIGN_OPENERS | {"von", "van", "de", "of"}
_ARTICLES = frozenset("the a an le la les el los las der die das il lo".split())
_NO_SUBJECT = (OPENERS | FOREIGN_OPENERS) - _ARTICLES | {"there", "here"}


def _is_title_case(words: list[str]) -> bool:
    return not words[-1][0].islower() and all(
        not word[0].islower() or word in _SMALL_IN_TITLES for word in words
    )


def aliases_of(sentence: str) -> Iterator[str]:
    """Yield the other names that a defining sentence gives: "also known as …", "née …".

    >>> list(aliases_of('Jane Roe (née Orm), known as "Bo", was a poet.'))
    ['Orm', 'Bo']
    """
    head = sentence[:_HEAD_CHARS]
    if not any(word in head for word in _ALIAS_WORDS):
        return
    for cue in _ALIAS.finditer(head):
        gap = _BEFORE_NAME.match(head, cue.end())
        at = gap.end() if gap else cue.end()
        quoted = QUOTED.match(head, at - 1) if at > cue.end() and head[at - 1] in '"“„«' else None
        if quoted and quoted["straight"]:
            yield quoted["straight"].strip(_QUOTES + ",.")
        elif (name := CANDIDATE.match(head, at)) and name[0].lower() not in OPENERS:
            yield name[0].rstrip(".,")
