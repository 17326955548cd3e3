"""Closed classes of words: those that open sentences, name days, address people, end names."""

from __future__ import annotations

from clew.text.words import STOP_WORDS

OPENERS = STOP_WORDS | frozenset(
    """
    about above across after again against all almost along alongside already also although always
    am among amongst another any anyone anything around away because before behind below beneath
    beside besides best better between beyond both cannot certain cf concerning consequently
    currently depending despite due during each either else eight elsewhere especially even
    eventually ever every everyone everything except few fewer finally first five following for
    former formerly four furthermore generally given hence here hers herself himself hence however
    including indeed initially inside instead itself just last lastly later latter least less let
    like likewise look many may maybe meanwhile mine more moreover most mostly much namely near
    nearly neither never nevertheless next nine nobody none nonetheless nor nothing notably now
    nowadays off often once one ones only onto opposite originally other others otherwise out
    outside over overall own per perhaps please plus previously prior probably quite rather
    recently regarding respectively same second see seven several shall similarly since six some
    someone something sometimes somewhere soon still subsequently such suddenly surely ten
    themselves therefore thereafter third though three through throughout thus till today together
    tomorrow too toward towards two typically ultimately under underneath unless unlike until up
    upon upper usually various versus very via well whatever whenever whereas wherever whether
    whichever while whoever within without yes yesterday yet yourself don't doesn't didn't isn't
    aren't wasn't weren't can't couldn't won't wouldn't shouldn't it's that's there's here's
    what's who's let's i'm i've i'd i'll he's she's we're we've you're they're
    """.split()
)
"""Words that a capital at the beginning of a sentence does not make a name."""

IMPERATIVES = frozenset(
    """
    add ask avoid call check choose click contact copy create delete download email enter follow
    install join make meet open press read remove run select send set start stop try use visit
    """.split()
)
"""Verbs that open instructions: "Call Orm Works"."""

SOFT_OPENERS = frozenset(
    "best better first second third last next same little upper over under above one two three "
    "four five six seven eight nine ten".split()
)
"""Openers that also begin names: "First World War", "Three Mile Island"."""

FOREIGN_OPENERS = frozenset(
    """
    der die das ein eine einer einem einen und oder aber ist sind war wird im am zum zur mit auf
    bei nach vor seit es er sie wir ihr ich dies diese dieser als wenn dass auch nicht nur
    le la les un une des du et ou mais il elle ils elles nous vous je ce cette ces dans en au aux
    avec pour par sur sous l'
    el los las una unos unas y o pero se su sus este esta estos estas en con por para al lo
    il lo gli uno ed ma nel nella dei delle degli con
    он она оно они мы вы я это этот эта эти в на но и а из от до по при для как что
    """.split()
)
"""Openers of other languages, which begin names in an English text: "Los Angeles"."""

MONTHS_AND_DAYS = frozenset(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri
    januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag
    samstag sonntag janvier février mars avril juin juillet août septembre octobre novembre
    décembre lundi mardi mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo
    junio julio agosto septiembre octubre noviembre diciembre
    """.split()
)

NEVER_NAMES = MONTHS_AND_DAYS | frozenset(
    "am pm a.m p.m ad bc bce ce ok okay i ii iii iv v vi vii viii ix x xi xii tv mr mrs ms dr "
    "st jr sr inc ltd co corp no nos vol ca fig figs tbd tba faq etc id aka n/a na todo "
    "yes no oh hi hello dear thanks".split()
)
"""Single words that are no entities even where they are capitalised."""

COUNTED = frozenset(
    """
    section sections article articles chapter chapters figure figures fig table tables page pages
    part parts step steps annex appendix paragraph clause item items note rule line lines level
    phase volume vol issue no number question answer example equation exhibit schedule title
    season episode recital eur usd gbp chf jpy inr cad aud rs act scene
    day week round game group type class grade version option
    """.split()
)
"""Words that a number follows as a reference: "Section 4" names a place in a text."""

HONORIFICS = frozenset(
    """
    mr mister sir herr monsieur señor don mrs ms miss madam madame mme mlle dame frau señora doña
    dr doctor prof professor rev reverend hon messrs mx
    """.split()
)
"""Forms of address: they stand before the name of a person and are no part of it."""

RANKS = frozenset(
    """
    president senator governor chancellor minister secretary ambassador congressman congresswoman
    representative mayor judge justice captain capt general gen colonel col major maj lieutenant lt
    sergeant sgt corporal cpl admiral adm commander commodore marshal private inspector detective
    officer chief director chairman chairwoman ceo coach archbishop bishop cardinal father brother
    sister pastor rabbi imam lord lady baron baroness count countess sheikh sheikha
    sultan emir viscount marquess margrave sen rep gov pres actor
    actress author singer writer composer
    """.split()
)
"""Offices and ranks that stand before a name and are no part of it where a full name follows."""

HEADS = frozenset(
    """
    earl duke duchess baronet viscountess marchioness marquis archduke archduchess landgrave elector
    grand house provost canon order battle siege treaty act statue list university ministry
    department bank institute college academy kingdom republic gulf lake mount isle duchy county
    diocese archdiocese church church's school court society association chief member master
    people hall house festival award prize medal museum union army province university's city
    """.split()
)
"""Words that head a longer name with "of" and name nothing alone."""

HEADS_WITH_FOR = frozenset(
    """
    academy advocates agency alliance association authority award awards board bureau campaign
    center centre coalition college commission commissioner committee conference convention council
    court department directorate foundation fund group institute laboratory library medal minister
    ministry movement network office organisation organization party prize program programme
    project scholarship school secretary society trust union university
    """.split()
)
"""Words that head a name with "for": "Prize for Peace"."""

ROYAL = frozenset(
    "king queen prince princess emperor empress pope tsar sultan duke duchess".split()
)
"""Titles that often are part of a name: "Queen Victoria" is also looked for as "Victoria"."""

ORGANISATIONS = frozenset(
    """
    inc ltd llc llp plc gmbh ag corp corporation company co bros university college institute
    academy school association society foundation trust ministry department agency authority
    bureau office commission committee council board bank party union club group records studios
    studio pictures press publishing orchestra choir church hospital airlines airways army navy
    police league federation organization organisation network holdings industries works
    laboratories laboratory labs museum library congress parliament senate court brigade regiment
    battalion squadron fc cf sc team company's universität verein gesellschaft université
    universidad università società
    """.split()
)
PLACES = frozenset(
    """
    river lake mount mountain mountains hill hills island islands isle county city bay gulf valley
    street road avenue boulevard lane park bridge castle district province state ocean sea desert
    forest airport station village town township peninsula canal square palace harbour harbor
    tower fort cape creek glacier coast republic kingdom cathedral abbey
    """.split()
)
