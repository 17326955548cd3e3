"""Things that are no names and answer a noun: *What language …?* "Latin"; *What position …?*
"central defender". The last word of a phrase decides, so that "bass guitar" is an instrument.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.retrieval.question.lexicon import NOUN_TYPES
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.wh import singular

_LANGUAGES = (
    "afrikaans albanian amharic arabic aramaic armenian basque belarusian bengali bosnian breton "
    "bulgarian burmese cantonese castilian catalan cebuano chinese cornish creole croatian czech "
    "danish dutch english esperanto estonian farsi filipino finnish flemish french frisian gaelic "
    "galician georgian german greek gujarati hausa hawaiian hebrew hindi hungarian icelandic igbo "
    "indonesian irish italian japanese javanese kannada kazakh khmer korean kurdish latin latvian "
    "lithuanian luxembourgish macedonian malagasy malay malayalam maltese mandarin maori marathi "
    "mongolian nepali norse norwegian occitan pashto persian polish portuguese punjabi quechua "
    "romanian romansh russian sami samoan sanskrit scots serbian shona sindhi sinhala slovak "
    "slovene slovenian somali spanish swahili swedish tagalog tamil telugu thai tibetan turkish "
    "ukrainian urdu uzbek vietnamese welsh xhosa yiddish yoruba zulu"
)
_POSITIONS = (
    "striker forward winger midfielder defender goalkeeper keeper goaltender back fullback "
    "halfback centre-back sweeper libero quarterback linebacker receiver cornerback safety tackle "
    "guard lineman end kicker punter pitcher catcher shortstop baseman outfielder infielder "
    "fielder batsman bowler wicket-keeper hooker prop lock flanker scrum-half fly-half centre "
    "center wing setter libero point"
)
_OFFICES = (
    "president minister premier chancellor secretary governor mayor senator ambassador chairman "
    "chairwoman chair ceo director chief commissioner commander general admiral colonel captain "
    "lieutenant sergeant judge justice bishop archbishop speaker treasurer dean professor manager "
    "coach head leader deputy representative congressman councillor member vice-president"
)
_INSTRUMENTS = (
    "guitar bass piano keyboard keyboards drum drums percussion violin viola cello trumpet "
    "trombone saxophone clarinet flute oboe bassoon harp organ harpsichord accordion banjo "
    "mandolin ukulele harmonica tuba horn sitar lute recorder synthesizer vocals voice"
)
_GENRES = (
    "rock pop jazz blues metal punk rap folk country soul funk reggae disco techno house "
    "electronica classical hip-hop hop r&b gospel opera ska grunge indie alternative fiction "
    "fantasy horror thriller romance comedy drama tragedy mystery western satire noir documentary "
    "novel novels biography poetry memoir adventure crime science"
)
_RELIGIONS = (
    "christianity islam judaism hinduism buddhism sikhism jainism taoism shinto zoroastrianism "
    "catholicism protestantism orthodoxy lutheranism calvinism anglicanism methodism mormonism "
    "christian muslim jewish hindu buddhist sikh jain catholic protestant orthodox lutheran "
    "anglican methodist baptist presbyterian quaker atheist atheism mormon sunni shia"
)
_SPORTS = (
    "football soccer basketball baseball softball volleyball handball hockey cricket rugby tennis "
    "badminton squash golf boxing wrestling judo karate fencing archery rowing sailing swimming "
    "diving cycling athletics gymnastics skiing snowboarding skating curling biathlon lacrosse "
    "polo netball racing motorsport surfing climbing triathlon weightlifting shooting chess darts "
    "snooker"
)
_CURRENCIES = (
    "dollar euro pound yen yuan renminbi franc mark markka krone krona koruna zloty rouble ruble "
    "rupee rial riyal dinar dirham lira lev leu peso real rand shilling won baht ringgit peseta "
    "escudo drachma guilder forint crown schilling"
)
_COLOURS = (
    "red orange yellow green blue indigo violet purple pink brown black white grey gray gold "
    "golden silver crimson scarlet maroon navy turquoise beige cyan magenta"
)
_HONOURS = "medal award prize star cross order honor honour trophy cup title knighthood"

_NO_TRADES = frozenset(
    "aunt boy brother child cousin daughter father friend girl grandfather grandmother grandparent "
    "husband individual man mother nephew niece parent people person sibling sister son spouse "
    "stepchild stepfather stepmother uncle wife woman".split()
)
_MORE_TRADES = frozenset(
    "baker banker barber barrister blacksmith bookseller brewer broker butcher butler carpenter "
    "chauffeur chef clerk cobbler cook cooper dentist diplomat farmer fisherman gardener glazier "
    "grocer innkeeper joiner labourer librarian mason mechanic merchant midwife miller miner nurse "
    "optician pastor plumber policeman porter postman potter preacher priest printer publisher "
    "sailor servant shepherd shoemaker solicitor surgeon surveyor tailor tanner trader tutor vet "
    "vicar waiter watchmaker weaver".split()
)
_TRADESPEOPLE = (
    _MORE_TRADES
    | frozenset(noun for noun, kinds in NOUN_TYPES.items() if kinds[0] == AnswerType.PERSON)
    - _NO_TRADES
)
_TRADE_ENDINGS = ("ist", "ian", "eer", "smith", "wright", "maker", "grapher", "ologist", "keeper")

_INSTANCES = {
    "language": _LANGUAGES,
    "tongue": _LANGUAGES,
    "position": f"{_POSITIONS} {_OFFICES}",
    "role": f"{_POSITIONS} {_OFFICES}",
    "office": _OFFICES,
    "post": _OFFICES,
    "title": _OFFICES,
    "instrument": _INSTRUMENTS,
    "genre": _GENRES,
    "religion": _RELIGIONS,
    "faith": _RELIGIONS,
    "sport": _SPORTS,
    "currency": _CURRENCIES,
    "color": _COLOURS,
    "colour": _COLOURS,
    "medal": _HONOURS,
    "award": _HONOURS,
    "prize": _HONOURS,
}
_TRADES = frozenset("profession occupation job career trade role position".split())


_CLOSED = frozenset("tongue instrument religion faith sport currency color colour".split())


def is_closed(noun: str) -> bool:
    """Whether the lists hold nearly all that may answer the noun: what they lack is no answer.

    >>> is_closed("colour"), is_closed("award")
    (True, False)
    """
    return singular(noun) in _CLOSED


@lru_cache(maxsize=256)
def instances_of(noun: str) -> frozenset[str]:
    """The last words of what may answer the noun; empty where the lists do not know.

    >>> "latin" in instances_of("language"), instances_of("waterfall")
    (True, frozenset())
    """
    one = singular(noun)
    found = frozenset(_INSTANCES.get(one, "").split())
    return found | _TRADESPEOPLE if one in _TRADES else found


def is_instance(noun: str, words: Sequence[str]) -> bool:
    """Whether a phrase, as folded words, is one of what the noun names.

    >>> is_instance("position", ["central", "defender"]), is_instance("profession", ["aviator"])
    (True, True)
    """
    if not words:
        return False
    known = instances_of(noun)
    last = words[-1]
    if last in known or singular(last) in known:
        return True
    is_trade = singular(noun) in _TRADES
    return is_trade and (last.endswith(_TRADE_ENDINGS) or last.endswith(("tor", "ator")))
