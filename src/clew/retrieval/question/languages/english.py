"""English: the small words that steer a question, and the nouns that say what is asked for."""

from __future__ import annotations

from clew.retrieval.question.languages.base import Language, by_type, words
from clew.retrieval.question.records import AnswerType, Slot, TimeKind
from clew.text.verbs import irregular_pasts, verb_bases

_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}
_COUNT = r"(?P<n>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)"
_NOUNS = {
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
        "swimmer boxer wrestler driver racer individual"
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

ENGLISH = Language(
    code="en",
    wh={
        "who": Slot.WHO,
        "whom": Slot.WHOM,
        "whose": Slot.WHOSE,
        "what": Slot.WHAT,
        "which": Slot.WHICH,
        "when": Slot.WHEN,
        "where": Slot.WHERE,
        "why": Slot.WHY,
        "how": Slot.HOW,
    },
    how=words("how"),
    many=words("many"),
    much=words("much"),
    measures=words(
        "long old tall high far big large deep wide fast heavy often hot cold thick broad small "
        "short late early soon quickly strong"
    ),
    be=words("is are was were be been being am isn't aren't wasn't weren't"),
    plural_be=words("are were"),
    do=words("do does did don't doesn't didn't"),
    have=words("has have had hasn't haven't hadn't"),
    modals=words(
        "can could will would shall should may might must can't couldn't won't wouldn't shouldn't "
        "cannot mustn't"
    ),
    commands=words(
        "name list give tell find identify describe explain show state enumerate mention"
    ),
    listing_commands=words("list enumerate name"),
    lead_ins=words("me us out all"),
    openings=(
        r"please,?",
        r"(?:do|did|does) (?:you|anyone|anybody) (?:happen to )?know",
        r"(?:can|could|would|will) you (?:please )?(?:tell|say|explain to|show|remind)(?: me| us)?",
        r"(?:i|we) (?:would like|want|wish|need|'d like) to know",
        r"(?:i|we) wonder",
        r"any idea",
    ),
    prepositions=words(
        "in at on for from to by of under with during until since into through after before about "
        "against between among near over within towards toward besides per as than via around "
        "across behind beside beyond beneath underneath without out off up down above below inside "
        "outside onto upon along alongside"
    ),
    determiners=words(
        "a an the this that these those its his her their our your my some any each every no both "
        "all another other either neither"
    ),
    pronouns=words("he she it they him her them his hers its their theirs i we you me us one ones"),
    conjunctions=words("and or but nor if because although while that"),
    fillers=words("not also so then there here than too very just only even ever never 's"),
    negations=words(
        "not no never none nobody nothing neither nor without cannot isn't aren't wasn't weren't "
        "don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't "
        "mustn't"
    ),
    present_marks=words("now currently current today present nowadays presently still"),
    present_phrases=("at present", "at the moment", "these days", "right now"),
    present_auxiliaries=words("is are am do does has have isn't aren't don't doesn't"),
    present_verbs=words(
        "leads runs owns heads manages lives works makes sells chairs rules governs coaches plays "
        "supplies operates employs teaches holds directs publishes uses sponsors"
    ),
    past_verbs=irregular_pasts() | words("founded"),
    past_endings=("ed",),
    history_phrases=("over the years", "so far", "over time", "in the past", "throughout"),
    number_words={word: value for value, word in enumerate(_NUMBERS.split())}
    | _TENS
    | {"ninety": 90},
    empty_heads=words(
        "name kind type sort form part piece amount number term title example one pair group set "
        "list way"
    ),
    noun_types=by_type(_NOUNS),
    plurals={
        "people": "person",
        "men": "man",
        "women": "woman",
        "children": "child",
        "wives": "wife",
    },
    plural_endings=(
        ("ies", "y"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("sses", "ss"),
        ("xes", "x"),
        ("s", ""),
    ),
    not_plural_endings=("ss", "us", "is"),
    verbs=irregular_pasts()
    | words(
        "born hit played put read saw set flows begins holds makes owns leads sits lies stands "
        "runs connects borders contains"
    ),
    verb_endings=("ed",),
    plural_verbs=verb_bases()
    | words(
        "play live work use border belong serve open offer produce contain connect share involve "
        "require include support cover cross carry employ train visit receive"
    ),
    prices=words("cost costs"),
    superlative_least=words(
        "smallest shortest lowest youngest earliest least fewest lightest slowest cheapest nearest "
        "closest narrowest oldest first"
    ),
    superlative_most=words(
        "largest longest highest latest newest biggest tallest greatest heaviest fastest most "
        "deepest widest last hottest coldest strongest richest farthest furthest best worst busiest"
    ),
    comparative_least=words(
        "smaller shorter lower earlier sooner less fewer lighter slower cheaper nearer closer "
        "narrower older"
    ),
    comparative_most=words(
        "larger longer higher later newer bigger taller greater heavier faster more deeper wider "
        "hotter stronger younger recent recently richer farther further"
    ),
    age_order=words("older younger elder oldest youngest eldest"),
    amounts=words("more most fewer fewest less least"),
    recent=words("recent recently"),
    date_order=words(
        "first earlier earliest sooner later latest newer newest last recent recently older oldest "
        "younger youngest"
    ),
    same=words("same share shared shares"),
    both=words("common both"),
    longer=words("longer"),
    living=words("lived live living"),
    and_words=words("and"),
    or_words=words("or"),
    than_words=words("than"),
    option_ends=words("between both either of"),
    leads={
        "before": TimeKind.BEFORE,
        "prior to": TimeKind.BEFORE,
        "after": TimeKind.AFTER,
        "following": TimeKind.AFTER,
        "since": TimeKind.SINCE,
        "until": TimeKind.UNTIL,
        "till": TimeKind.UNTIL,
        "during": TimeKind.AT,
        "at the time of": TimeKind.AT,
    },
    loose_leads=words("from between by in on as at of"),
    no_events=words("following"),
    relatives=(
        (r"(?:last|the previous) (?P<unit>year|month|week|decade|century)", "", -1),
        (r"(?:next|the coming) (?P<unit>year|month|week|decade|century)", "", 1),
        (r"this (?P<unit>year|month|week|decade|century)", "", 0),
        (r"yesterday", "day", -1),
        (r"tomorrow", "day", 1),
        (_COUNT + r" (?P<unit>year|month|week|day|decade)s? ago", "", -1),
        (r"(?:a|an) (?P<unit>year|month|week|day|decade|century) ago", "", -1),
    ),
    ambiguous=words("was die an am so also man will hat war"),
)
