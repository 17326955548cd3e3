"""Where a text writes something as a name: capitalised spans, and what scripts without case have.

One compiled pattern per kind, no rule about meaning: whether a span *is* a name is decided in
:mod:`clew.extraction.recognise`. A span never leaves the sentence that is searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.extraction.lexicon.closed import OPENERS
from clew.text.names import Name

MAX_QUOTED_WORDS = 10

_CASED = (range(0x2000), range(0x2C00, 0x2E00), range(0xA640, 0xA800), range(0xFF21, 0xFF3B))


def _upper_case() -> str:
    """Capital letters as ranges of a character class."""
    codes = [code for block in _CASED for code in block if _is_capital(chr(code))]
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(chr(a) if a == b else f"{chr(a)}-{chr(b)}" for a, b in ranges)


def _is_capital(char: str) -> bool:
    return char.isupper() or char.istitle()


UPPER = _upper_case()
_W = (
    r"[\d_A-Za-z\u00aa\u00b5\u00ba-\u052f\u0531-\u058f\u10a0-\u10ff\u1c80-\u1fff\u2c00-\u2dff"
    r"\ua640-\ua7ff\uff21-\uff5a]"
)
"""What words of cased scripts are made of: a Latin name may stand inside a run of Kana."""
_GAP = r"(?:[ \u00a0]|[ ]?\r?\n[ ]{0,8})"
_LOWER_TAIL = (
    r"(?!born|led|era|like|type|wide|run|made|only|shot|size|old|day|time|year|part|bit)"
    r"[^\W\d_]{1,4}(?![\w'’-])"
)
_WORD = (
    rf"[{UPPER}]{_W}*+(?:"
    rf"['’](?!s\b|S\b){_W}++"  # O'Brien, not Roe's
    rf"|(?<=[ns])['’](?=[ ][{UPPER}])"  # Orkin' Works
    rf"|[-‐‑](?:\d{_W}*+|[ \n]?[{UPPER}]{_W}*+|(?:\w{{1,5}}-){{1,2}}[{UPPER}]{_W}*+|{_LOWER_TAIL})"
    rf"|&[{UPPER}]{_W}*+"  # AT&T
    r"|\.(?:NET|js)(?!\w)"  # ASP.NET, Node.js
    r")*+(?:\+\+|\#(?!\w))?"
)
_ABBREVIATION = (
    r"(?:Dr|Mr|Mrs|Ms|St|Ste|Mt|Ft|Prof|Rev|Hon|Gen|Col|Capt|Cpl|Lt|Sgt|Maj|Adm|Sen|Rep|Gov|Pres|"
    r"Mme|Mlle|Fr|Br|Sr|Jr|Bros|Messrs)\."
)
_INITIALS = rf"(?:[{UPPER}]\.){{2,}}|[{UPPER}]\.(?=[ \u00a0]?[{UPPER}])"
_FIRST = (
    rf"{_ABBREVIATION}|{_INITIALS}|(?:[a-z]{{1,3}}(?=[{UPPER}]))?{_WORD}"
    r"|(?:(?<=[Tt]he )[12]\d{3}|\d{1,3}(?:st|nd|rd|th))(?=[ \u00a0][" + UPPER + r"])"
    rf"|\d{{1,2}}[{UPPER}]{_W}*+"
)
REGIONS = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii"
    "|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan"
    "|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York"
    "|South Wales|Zealand)|North (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island"
    "|South (?:Carolina|Dakota|Africa|Australia|Korea)|Tennessee|Texas|Utah|Vermont|Virginia"
    "|Washington|West Virginia|Wisconsin|Wyoming|D\\.?C\\.?|Ontario|Quebec|British Columbia|Alberta"
    "|Manitoba|Saskatchewan|Nova Scotia|New Brunswick|Queensland|Victoria|Tasmania|England|Scotland"
    "|Wales|Northern Ireland|Ireland|London|Germany|France|Italy|Spain|Portugal|Norway|Sweden"
    "|Denmark|Finland|Poland|Austria|Switzerland|Belgium|Netherlands|Greece|Turkey|Russia|Ukraine"
    "|Hungary|India|Pakistan|China|Japan|Brazil|Argentina|Mexico|Canada|Australia|Egypt|Israel|Iran"
)
"""Regions that stand behind the names of places in them: "Springfield, Illinois"."""
_CONNECTOR = (
    r"(?:of(?: the| de)?|de(?: la| las| los)?|von(?: der| dem)?|van(?: den| der| de)?|du|da|dos|das"
    r"|bint|di|del|della|delle|der|den|zu|af|av|bin|ibn|y|e|for(?: the)?|upon|&"
    r"|and(?=[ ](?:Sons?|Daughters?|Brothers|Sisters|Bros|Co|Company|Partners|Associates)\b)"
    r"|the(?=[ ](?:Elder|Younger|Great|Conqueror|Bald|Fat|Pious|Bold|Short|Good|Wise|Fair|Terrible"
    r"|Magnificent|Confessor|Unready|Lionheart|Baptist|Impaler|First|Second|Third|Fourth|Fifth"
    r"|Black|White|Red|Blind|Lame|Strong|Brave|Just|Simple|Cruel|Tall|Old|Young)\b))"
)
_NUMBER = r"\d{1,3}(?:[.-]\d{1,4}){0,2}[A-Za-z]{0,2}(?![\w%])(?!,\d)"
_SUFFIX = (
    r",? (?:(?:Jr|Sr|Inc|Ltd|Corp|Co)\b\.?|LLC|LLP|plc|GmbH|AG|S\.A\.)(?!\w)"
    r"|, (?:\d{1,2}(?:st|nd|rd|th) )?(?:Earl|Duke|Duchess|Baron|Baroness|Baronet|Viscount"
    r"|Viscountess|Marquess|Marquis|Count|Countess|Margrave|Landgrave|Elector|King|Queen|Prince"
    r"|Princess|Archduke|Archduchess|Lord|Lady)\b"
    rf"|, (?:{REGIONS})(?![\w-])"
)
_NICKNAME = rf"{_GAP}[\"“][{UPPER}][^\"”\n]{{0,20}}[\"”]{_GAP}(?=[{UPPER}])"
CANDIDATE = re.compile(
    rf"(?<![@\\])(?<!{_W})(?<!\w\.)(?:{_FIRST}|\.[{UPPER}]\w++)"
    rf"(?:{_SUFFIX}|(?:{_NICKNAME}|(?:['’]s)?{_GAP}(?:{_CONNECTOR}{_GAP})?|(?<=\.)(?=[{UPPER}]))"
    rf"(?:{_ABBREVIATION}|{_INITIALS}|{_WORD})|{_GAP}{_NUMBER})*+"
)
"""A capitalised span: ``Boso the Elder``, ``J. R. R. Tolkien``, ``iPhone 14``, ``.NET``, ``C++``,
``University of Oslo``, ``Robert "Bo" Roe``, ``Orm Works, Inc.``, ``29th Norr Festival``.
"""

QUOTED = re.compile(
    r"[\"“„«‹][ ]?(?P<straight>[^\"“”„«»‹›\n]{2,90}?)[ ]?[\"”“»›]"
    r"|[「『《〈](?P<cornered>[^「」『』《》〈〉。！？!?\n]{2,30})[」』》〉]"
)
HIRAGANA_END = re.compile(r"[ぁ-ゖ]{2}$")
_SMALL = frozenset("a an and as at but by for from in into of on or the to up with".split())
NEVER_QUOTED = OPENERS | {"yes", "ok", "okay", "hello"}
_QUOTE_MARKS = re.compile(r"[\"“„«‹「『《〈]")
KATAKANA = re.compile(r"[\u4e00-\u9fff]{0,4}[ァ-ヺ][ァ-ヺー・]{2,40}+")
_URL = re.compile(r"\b(?:https?|ftp|file)://[^\s<>\"]+|\bwww\.[^\s<>\"]+|[\w.+-]+@[\w-]+\.[\w.-]+")


def has_quotes(text: str) -> bool:
    return _QUOTE_MARKS.search(text) is not None


def quoted_names(text: str, start: int, end: int) -> Iterator[Name]:
    """Yield what stands between quotation marks and is written like a title."""
    for match in QUOTED.finditer(text, start, end):
        group = match.lastgroup or ""
        begin, stop = match.span(group)
        stop = begin + len(text[begin:stop].rstrip(" ,.;:"))
        surface = text[begin:stop]
        if _is_cornered_title(surface) if group == "cornered" else _is_title(surface):
            yield Name(begin, stop, surface, "WORK")


def _is_title(quoted: str) -> bool:
    """Whether most weighty words are capitalised: ``Gone with the Wind``, not ``Yes, we can``."""
    words = quoted.split()
    if not words or len(words) > MAX_QUOTED_WORDS or words[0][0].islower():
        return False
    if len(words) == 1:
        return len(quoted) > 2 and quoted[0].isalnum() and quoted.lower() not in NEVER_QUOTED
    weighty = [word for word in words[1:] if word not in _SMALL]
    capitalised = sum(not word[0].islower() for word in weighty)
    if quoted.endswith(("!", "?")):
        return capitalised == len(weighty) > 0
    return capitalised >= max(1, len(weighty) / 2)


def _is_cornered_title(quoted: str) -> bool:
    return not re.search(r"[、，,]", quoted) and not HIRAGANA_END.search(quoted)


def address_spans(text: str) -> list[tuple[int, int]]:
    """The URLs and mail addresses of ``text``, whose capitals name nothing."""
    if "://" not in text and "www." not in text and "@" not in text:
        return []
    return [match.span() for match in _URL.finditer(text)]
