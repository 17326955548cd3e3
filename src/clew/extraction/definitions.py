"""What a sentence defines, and the other names it gives it.

"Norr Bridge (built 1932), also known as the Span, is …" defines ``Norr Bridge`` and gives it the
name ``Span``. The subject is what stands before the first copula, without brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from clew.extraction.lexicon.closed import FOREIGN_OPENERS, OPENERS
from clew.extraction.spans import CANDIDATE, QUOTED
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
_NAMED_WORD = re.compile(
    r"(?:The |A |An )?(?:[Tt]erm|[Ww]ord|[Nn]ame|[Pp]hrase|[Ee]xpression|[Tt]itle)s?\b[\s\"“„'`]*"
)
_OPENS_ASIDE = re.compile(
    r"(?:an?|the|one|also|then|now|or|and|who|which|whose|where|when|born|known|called|in|on|at|of"
    r"|by|from|with|to|for|as|his|her|its|their|formerly|originally|\w+ed|\w+ing)\b|\d"
)
_PARTICIPLE = re.compile(
    r"(?:based|located|situated|born|set|made|written|known|\w{3,}(?:ing|ed))$"
)
_COMPLEMENT = re.compile(
    r"\s(?:(?:\w+ly|also|now|still|once|both|itself|generally)\s)?"
    r"(?:an?|the|one|any|some|all|those)\s(?!same\b)"
)
_CLAUSE_BETWEEN = re.compile(r"\b(?:when|where|while|because|it|they|he|she|but)\b")
_AND = re.compile(r"\s(?:and|or)\s")
_QUOTES = "\"“”„«»'‘’*_` \u00a0"
_ALIAS = re.compile(
    r"\b(?:known|referred to|billed|credited|published|released|marketed|styled|titled)"
    r"(?: \w+ly| simply| in \w+| outside \w+)?(?: as|(?<=known) by)"
    r"(?: (?:his|her|its|the) (?:stage|pen|ring|birth|screen|code) name)?"
    r"|\b(?:née|nee|aka|a\.k\.a\.|nicknamed|dubbed|alias"
    r"|(?:stage|pen|birth|full|real|screen|professional) name(?: was| is)?|doing business as|d/b/a"
    r"|trading as)"
    r"|\b(?:abbreviated|shortened|stylized|stylised)(?: as| to)?|\bor simply"
    r"|\bborn(?! in| on| at| c| \d| [A-Z][a-z]+ \d)"
    r"|\b(?:formerly|originally|previously|also|sometimes|often|commonly|now|officially)"
    r"(?: called| named| spelled| written| the)?(?= [\"“A-Z])|[,(] {0,2}or(?: the)?(?= [\"“A-Z])"
)
_ALIAS_WORDS = tuple(
    "known |née|nee |aka|a.k.a|nicknamed|dubbed|alias| name|called|abbreviated|shortened"
    "|styl|or simply|(or |( or |, or|born |formerly|originally|previously|officially|referred"
    "|billed|credited|published as|released as|marketed|titled|also|sometimes|commonly|often"
    "| now |doing business|d/b/a|trading as".split("|")
)
_TITLE_TO_COMMA = re.compile(r"[^\W\d_a-z][^,;.()\"“”:]{3,60}?(?=,| \(|;)")
_GLOSS_CHARS = 200
_GLOSS = re.compile(
    r"\(\s?(?:(?:English|lit|literally|transl|translated|translation|also known as|meaning)\b"
    r"[\w .]{0,20}?[:.]?\s?[\"“]?\s?(?P<told>[^\W\d_a-z][^()\"“”;]{3,60}?)"
    r"|[\"“]\s?(?P<quoted>[^\W\d_a-z][^()\"“”]{3,60}?))\s?[\"”]?\s?\)"
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
    head = sentence[:_HEAD_CHARS]
    if "(" in head or "[" in head or "（" in head:
        head = _BRACKETS.sub("", _BRACKETS.sub("", head))
    head = _SCENE.sub("", head)
    copula = _COPULA.search(head)
    if not copula:
        return []
    before = head[: copula.start()]
    whole = before.strip(_QUOTES + ",")
    named = _NAMED_WORD.match(whole)
    if named:
        whole = before = whole[named.end() :]
    plain = _CUT.sub("", whole).strip(_QUOTES)
    if _is_enumeration(whole, copula[0]) or _CLAUSE_BETWEEN.search(whole, len(plain)):
        return []
    subjects = [plain] if _is_subject(plain, whole, head[copula.end() :]) else []
    if whole != plain and _is_title(before, whole, alone=not subjects):
        subjects.append(whole)
    return subjects


def defines(sentence: str) -> bool:
    """Whether ``sentence`` says of something *what* it is: "… is a …", "… was the first …".

    >>> defines("Norr Bridge is a bridge."), defines("Norr Bridge was closed.")
    (True, False)
    """
    copula = _COPULA.search(sentence, 0, _HEAD_CHARS)
    return copula is not None and _COMPLEMENT.match(sentence, copula.end()) is not None


def _is_title(before: str, whole: str, *, alone: bool) -> bool:
    """Whether what stands before the copula is one name, its commas and all: "Rain, My Love is"
    as against "Jane Roe, a poet, is". Where it stands ``alone``, because what is before its first
    comma is no subject, all its words must be capitalised.
    """
    words = whole.split()
    if not words or len(words) > MAX_SUBJECT_WORDS or not name_key(whole) or _is_dated(words):
        return False
    if alone or is_title_case(words):
        return is_title_case(words) and not (alone and words[0].lower() in _INTRODUCE)
    rest = whole.partition(", ")[2]
    closed = before.rstrip(_QUOTES).endswith(",")
    return bool(rest) and not closed and not _OPENS_ASIDE.match(rest) and not _is_clause(words)


def _is_subject(subject: str, whole: str, behind: str) -> bool:
    words = subject.split()
    if not words or len(words) > MAX_SUBJECT_WORDS or not name_key(subject):
        return False
    first = words[0].lower()
    if first in _NO_SUBJECT or _PARTICIPLE.match(first):
        cut = first in _INTRODUCE and whole[len(subject) : len(subject) + 1] == ","
        return len(words) > 1 and is_title_case(words) and not cut and not _is_dated(words)
    if _is_clause(words):
        return False
    if first in _ARTICLES and len(words) > 1 and not any(word[0].isupper() for word in words[1:]):
        return _COMPLEMENT.match(behind) is not None
    return True


def _is_dated(words: list[str]) -> bool:
    """``On 6 April the Norr Bridge`` begins a sentence and is no name."""
    return words[0].lower() in _BEFORE_DATES and any(map(str.isdigit, words[1:4]))


def _is_clause(words: list[str]) -> bool:
    """Whether a verb or a pronoun stands among the words, so that they are no name."""
    return any(
        word in _OF_CLAUSES
        or (word.endswith("ed") and word[0].islower() and before.lower() not in _JOINTS)
        for before, word in pairwise(words)
    )


def _is_enumeration(whole: str, copula: str) -> bool:
    """``Rain, snow and hail are`` defines none of them."""
    return copula.strip() in {"are", "were"} and ", " in whole and _AND.search(whole) is not None


_SMALL_IN_TITLES = OPENERS | FOREIGN_OPENERS | {"von", "van", "de", "of"}
_OF_CLAUSES = frozenset(
    "that who which whose has have had will would can could shall should may might must did does "
    "do said says argued he she they his her their its him them it we i you been not".split()
)
_BEFORE_DATES = frozenset("in on by at from as since until after before during between".split())
_INTRODUCE = _BEFORE_DATES | frozenset(
    "for with under over upon among despite within to of although when while if because though "
    "unlike like according along about against around without through throughout".split()
)
_JOINTS = frozenset("the a an of and or".split())
_ARTICLES = frozenset("the a an le la les el los las der die das il lo".split())
_NO_SUBJECT = (OPENERS | FOREIGN_OPENERS) - _ARTICLES | {"there", "here"}


def is_title_case(words: list[str]) -> bool:
    """Whether all words but the small ones begin with a capital, as those of a title do."""
    return not words[-1][0].islower() and all(
        not word[0].islower() or word in _SMALL_IN_TITLES for word in words
    )


def aliases_of(sentence: str) -> Iterator[str]:
    """Yield the other names that a defining sentence gives: "also known as …", "née …".

    >>> list(aliases_of('Jane Roe (née Orm), known as "Bo", was a poet.'))
    ['Orm', 'Bo']
    """
    head = sentence[:_HEAD_CHARS]
    for word in _ALIAS_WORDS:
        if word in head:
            break
    else:
        return
    for cue in _ALIAS.finditer(head):
        gap = _BEFORE_NAME.match(head, cue.end())
        at = gap.end() if gap else cue.end()
        quoted = QUOTED.match(head, at - 1) if at > cue.end() and head[at - 1] in '"“„«' else None
        if quoted and quoted["straight"]:
            yield quoted["straight"].strip(_QUOTES + ",.")
            continue
        title = _TITLE_TO_COMMA.match(head, at)
        name = CANDIDATE.match(head, at)
        if title and is_title_case(title[0].split()) and (not name or name.end() < title.end()):
            yield title[0].strip(_QUOTES)
        elif name and name[0].lower() not in OPENERS:
            yield name[0].rstrip(".,")


def glosses_of(sentence: str) -> Iterator[str]:
    """Yield what stands as a translation or other name in brackets behind the subject.

    >>> list(glosses_of('Tarn Orm ("The Long Rain") is a film.'))
    ['The Long Rain']
    """
    if "(" not in sentence[:_GLOSS_CHARS]:
        return
    for gloss in _GLOSS.finditer(sentence[:_GLOSS_CHARS]):
        yield (gloss["quoted"] or gloss["told"]).strip(_QUOTES)
