"""The small words of English that steer a question, and the nouns that say what is asked for.

All tables hold folded whole words (:func:`clew.retrieval.question.tokens.fold`).
"""

from __future__ import annotations

from clew.retrieval.question.records import AnswerType, Slot

WH_SLOTS = {
    "who": Slot.WHO,
    "whom": Slot.WHOM,
    "whose": Slot.WHOSE,
    "what": Slot.WHAT,
    "which": Slot.WHICH,
    "when": Slot.WHEN,
    "where": Slot.WHERE,
    "why": Slot.WHY,
    "how": Slot.HOW,
}

BE = frozenset("is are was were be been being am isn't aren't wasn't weren't".split())
DO = frozenset("do does did don't doesn't didn't".split())
HAVE = frozenset("has have had hasn't haven't hadn't".split())
MODALS = frozenset(
    "can could will would shall should may might must can't couldn't won't wouldn't shouldn't "
    "cannot mustn't".split()
)
AUXILIARIES = BE | DO | HAVE | MODALS

COMMANDS = frozenset(
    "name list give tell find identify describe explain show state enumerate mention".split()
)
LISTING_COMMANDS = frozenset("list enumerate name".split())

PREPOSITIONS = frozenset(
    "in at on for from to by of under with during until since into through after before about "
    "against between among near over within towards toward besides per as than via around across "
    "behind beyond without out off up down above below inside outside onto upon along".split()
)
DETERMINERS = frozenset(
    "a an the this that these those its his her their our your my some any each every no both all "
    "another other either neither".split()
)
PRONOUNS = frozenset(
    "he she it they him her them his hers its their theirs i we you me us one ones".split()
)
PERSONAL_PRONOUNS = frozenset("he she him her his hers himself herself".split())
MALE_PRONOUNS = frozenset("he him his himself".split())
FEMALE_PRONOUNS = frozenset("she her hers herself".split())
THING_PRONOUNS = frozenset("it its itself".split())
PLURAL_PRONOUNS = frozenset("they them their theirs themselves".split())
CONJUNCTIONS = frozenset("and or but nor if because although while that".split())

FUNCTION_WORDS = (
    AUXILIARIES
    | PREPOSITIONS
    | DETERMINERS
    | PRONOUNS
    | CONJUNCTIONS
    | frozenset(WH_SLOTS)
    | frozenset("not also so then there here than too very just only even ever never 's".split())
)

NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot isn't aren't wasn't weren't don't "
    "doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't mustn't".split()
)

PRESENT_MARKS = frozenset("now currently current today present nowadays presently still".split())
PRESENT_AUXILIARIES = frozenset("is are am do does has have isn't aren't don't doesn't".split())

NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
SCALE_WORDS = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
TIMES_WORDS = {"once": 1, "twice": 2, "thrice": 3}

# "how" + one of these asks for a measure
MEASURES = frozenset(
    "long old tall high far big large deep wide fast heavy often hot cold thick broad small short "
    "late early soon quickly strong".split()
)

EMPTY_HEADS = frozenset(
    "name kind type sort form part piece amount number term title example one pair group set list "
    "way".split()
)

_TYPE_NOUNS = {
    AnswerType.PERSON: (
        "person people man woman men women actor actress singer musician artist painter author "
        "writer poet novelist director producer composer architect engineer designer inventor "
        "founder cofounder leader president minister king queen emperor empress prince princess "
        "duke duchess count countess earl baron monarch ruler sultan pope bishop saint politician "
        "mayor governor senator general explorer scientist physicist chemist mathematician "
        "philosopher player footballer coach manager captain owner ceo chairman chairwoman chief "
        "head employee doctor lawyer judge teacher professor student wife husband spouse father "
        "mother parent son daughter child brother sister sibling grandfather grandmother "
        "grandparent uncle aunt nephew niece cousin stepfather stepmother stepchild friend rapper "
        "member guitarist drummer bassist keyboardist vocalist performer host presenter journalist "
        "editor translator photographer sculptor dancer comedian screenwriter filmmaker boy girl "
        "candidate commander officer soldier astronaut pilot builder successor predecessor winner "
        "character celebrity biographer historian businessman entrepreneur cricketer golfer "
        "swimmer boxer wrestler driver racer"
    ),
    AnswerType.PLACE: (
        "place city town village country nation state province county district region area "
        "continent island river lake sea ocean mountain range peak valley desert bay port harbour "
        "harbor borough municipality capital location birthplace hometown headquarters address "
        "street square park site territory neighbourhood neighborhood suburb parish prefecture "
        "canton kingdom republic residence venue stadium waterfall airport homeland castle "
        "campus community hill forest coast peninsula station room building bridge house palace "
        "cemetery restaurant hotel museum church cathedral tower tunnel road canal farm"
    ),
    AnswerType.ORG: (
        "company organisation organization band team club university college school institution "
        "agency party label studio network channel station newspaper publisher firm corporation "
        "brand group association federation league union bank church institute employer airline "
        "manufacturer army regiment committee council department ministry foundation society "
        "orchestra franchise conference tribe dynasty house charity hospital laboratory supplier "
        "competitor startup business vendor"
    ),
    AnswerType.DATE: (
        "year date day month century decade era birthday birthdate season time period week hour "
        "weekday"
    ),
    AnswerType.NUMBER: (
        "number population percentage percent amount height length width depth weight age size "
        "area distance speed price cost temperature total rate ratio score quantity elevation "
        "capacity salary revenue turnover budget snowfall rainfall count average frequency volume "
        "altitude diameter rank ranking zip load sum fee"
    ),
    AnswerType.WORK: (
        "film movie book novel song album show series episode magazine play poem story opera "
        "game painting musical single track record journal soundtrack comic manga anime sitcom "
        "documentary drama thriller comedy sequel memoir autobiography symphony ballet piece "
        "sculpture newspaper programme program"
    ),
}
NOUN_TYPES: dict[str, tuple[AnswerType, ...]] = {}
for _type, _words in _TYPE_NOUNS.items():
    for _word in _words.split():
        NOUN_TYPES[_word] = (*NOUN_TYPES.get(_word, ()), _type)

NATIONALITY_NOUNS = frozenset("nationality citizenship ethnicity".split())
COUNTRY_NOUNS = frozenset("country nation nationality citizenship homeland".split())

SUPERLATIVE_LEAST = frozenset(
    "smallest shortest lowest youngest earliest least fewest lightest slowest cheapest nearest "
    "closest narrowest oldest first".split()
)
SUPERLATIVE_MOST = frozenset(
    "largest longest highest latest newest biggest tallest greatest heaviest fastest most deepest "
    "widest last hottest coldest strongest richest farthest furthest best worst busiest".split()
)
SUPERLATIVES = SUPERLATIVE_LEAST | SUPERLATIVE_MOST

COMPARATIVE_LEAST = frozenset(
    "smaller shorter lower earlier sooner less fewer lighter slower cheaper nearer closer narrower "
    "older".split()
)
COMPARATIVE_MOST = frozenset(
    "larger longer higher later newer bigger taller greater heavier faster more deeper wider "
    "hotter stronger younger recent recently richer farther further".split()
)
ORDER_WORDS = SUPERLATIVES | COMPARATIVE_LEAST | COMPARATIVE_MOST
AGE_WORDS = frozenset("older oldest younger youngest elder eldest".split())
DATE_ORDER_WORDS = frozenset(
    "first earlier earliest sooner later latest newer newest last recent recently older oldest "
    "younger youngest".split()
)
