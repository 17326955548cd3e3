"""Words inside and beside a name that tell what kind of thing it names."""

from __future__ import annotations

ORG_WORDS = frozenset(
    "inc inc. ltd ltd. llc corp corp. corporation company co. gmbh ag group holdings plc "
    "university college school institute academy association society foundation committee council "
    "commission club band orchestra party union bank works records pictures studios studio "
    "entertainment productions press publishing books network broadcasting airlines airways "
    "motors industries systems technologies laboratories labs agency department ministry bureau "
    "office league federation army navy force regiment hospital church museum library team fc "
    "united athletic brewery partners brothers bros. magazine times post news".split()
)
PLACE_WORDS = frozenset(
    "city county state island islands river lake sea ocean bay mountain mountains mount mt. hill "
    "hills valley park district province region village town township borough street avenue road "
    "square station airport port harbour harbor bridge castle palace beach cape coast desert "
    "forest peninsula canton prefecture territory municipality falls creek canyon plateau strait "
    "gulf north south east west cemetery stadium tower field kingdom republic".split()
)
WORK_WORDS = frozenset(
    "symphony sonata concerto opera song songs album trilogy saga chronicles tales story stories "
    "act treaty".split()
)
EVENT_WORDS = frozenset(
    "war battle olympics championship championships cup festival games award awards prize "
    "election revolution treaty conference siege campaign tournament".split()
)
PLACE_LEADS = frozenset("in at near from to into around across outside".split())
VERBS_OF_PEOPLE = frozenset(
    "said wrote born died married says told joined studied graduated worked lived sang".split()
)

UNITS = frozenset(
    "m km cm mm metre metres meter meters kilometre kilometres kilometer kilometers mile miles "
    "foot feet ft inch inches yard yards acre acres hectare hectares kg g gram grams kilogram "
    "kilograms tonne tonnes ton tons pound pounds lb lbs ounce ounces litre litres liter liters "
    "ml cl dl millilitre millilitres teaspoon teaspoons tablespoon tablespoons tbsp tsp mg cups "
    "gallon gallons percent % ° degrees celsius fahrenheit hour hours minute minutes second "
    "seconds day days week weeks month months year years century centuries decade decades km/h "
    "mph kmh knots watt watts kw mw gw volt volts hz ghz mhz gb mb tb kb euro euros dollar "
    "dollars crown crowns kroner kr usd eur gbp yen rupees cents times people inhabitants "
    "residents employees members seats rooms copies units floors storeys stories points goals "
    "passengers students states countries".split()
)
CURRENCY_MARKS = frozenset("$ € £ ¥ ₹".split())
SCHOOL_WORDS = frozenset(
    "university universities college school academy institute conservatory conservatoire "
    "polytechnic gymnasium lyceum seminary faculty eton harrow rugby winchester westminster oxford "
    "cambridge harvard yale princeton sorbonne mit universidad universite universitat "
    "universita ecole hochschule politecnico inn temple".split()
)
