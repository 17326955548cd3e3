"""Countries with the words for what comes from them, and regions whose name may follow a city.

Public facts of geography, folded (:func:`clew.retrieval.question.tokens.fold`); the part after the
colon lists demonyms.
"""

from __future__ import annotations

from functools import cache

from clew.retrieval.question.tokens import fold

_COUNTRIES = """
afghanistan:afghan
albania:albanian
algeria:algerian
andorra:andorran
angola:angolan
argentina:argentine,argentinian,argentinean
armenia:armenian
australia:australian
austria:austrian
azerbaijan:azerbaijani
bahamas:bahamian
bahrain:bahraini
bangladesh:bangladeshi
barbados:barbadian
belarus:belarusian
belgium:belgian
belize:belizean
benin:beninese
bhutan:bhutanese
bolivia:bolivian
bosnia and herzegovina:bosnian
botswana:motswana,botswanan
brazil:brazilian
brunei:bruneian
bulgaria:bulgarian
burkina faso:burkinabe
burma,myanmar:burmese
burundi:burundian
cambodia:cambodian
cameroon:cameroonian
canada:canadian
chad:chadian
chile:chilean
china,people's republic of china:chinese
colombia:colombian
congo,democratic republic of the congo,republic of the congo:congolese
costa rica:costa rican
croatia:croatian,croat
cuba:cuban
cyprus:cypriot
czech republic,czechia,czechoslovakia,bohemia:czech,czechoslovak,bohemian
denmark:danish,dane
djibouti:djiboutian
dominican republic:dominican
east timor:timorese
ecuador:ecuadorian
egypt:egyptian
el salvador:salvadoran
england:english
eritrea:eritrean
estonia:estonian
ethiopia:ethiopian
fiji:fijian
finland:finnish
france:french
gabon:gabonese
gambia:gambian
georgia:georgian
germany,east germany,west germany,german empire,prussia:german,prussian
ghana:ghanaian
greece:greek
grenada:grenadian
guatemala:guatemalan
guinea:guinean
guyana:guyanese
haiti:haitian
honduras:honduran
hong kong:hongkonger
hungary:hungarian
iceland:icelandic
india:indian
indonesia:indonesian
iran,persia:iranian,persian
iraq:iraqi
ireland,republic of ireland:irish
israel:israeli
italy:italian
ivory coast:ivorian
jamaica:jamaican
japan:japanese
jordan:jordanian
kazakhstan:kazakh,kazakhstani
kenya:kenyan
kosovo:kosovar
kuwait:kuwaiti
kyrgyzstan:kyrgyz
laos:laotian
latvia:latvian
lebanon:lebanese
liberia:liberian
libya:libyan
liechtenstein:liechtensteiner
lithuania:lithuanian
luxembourg:luxembourgish
macau:macanese
macedonia,north macedonia:macedonian
madagascar:malagasy
malawi:malawian
malaysia:malaysian
maldives:maldivian
mali:malian
malta:maltese
mauritania:mauritanian
mauritius:mauritian
mexico:mexican
moldova:moldovan
monaco:monegasque
mongolia:mongolian
montenegro:montenegrin
morocco:moroccan
mozambique:mozambican
namibia:namibian
nauru:nauruan
nepal:nepali,nepalese
netherlands,the netherlands,holland:dutch
new zealand:new zealander
nicaragua:nicaraguan
niger:nigerien
nigeria:nigerian
north korea:north korean
norway:norwegian
oman:omani
ottoman empire:ottoman
pakistan:pakistani
palestine:palestinian
panama:panamanian
papua new guinea:papua new guinean
paraguay:paraguayan
peru:peruvian
philippines:filipino,philippine
poland:polish,pole
portugal:portuguese
puerto rico:puerto rican
qatar:qatari
romania:romanian
russia,soviet union,ussr,russian empire:russian,soviet
rwanda:rwandan
samoa:samoan
saudi arabia:saudi,saudi arabian
scotland:scottish,scots
senegal:senegalese
serbia,yugoslavia:serbian,serb,yugoslav
seychelles:seychellois
sierra leone:sierra leonean
singapore:singaporean
slovakia:slovak,slovakian
slovenia:slovenian,slovene
somalia:somali
south africa:south african
south korea,korea:south korean,korean
spain:spanish,spaniard,catalan
sri lanka,ceylon:sri lankan
sudan:sudanese
suriname:surinamese
sweden:swedish,swede
switzerland:swiss
syria:syrian
taiwan,republic of china:taiwanese
tajikistan:tajik
tanzania:tanzanian
thailand:thai
togo:togolese
tonga:tongan
trinidad and tobago:trinidadian
tunisia:tunisian
turkey,turkiye:turkish,turk
turkmenistan:turkmen
uganda:ugandan
ukraine:ukrainian
united arab emirates:emirati
united kingdom,uk,great britain,britain,u.k.:british,briton
united states,united states of america,usa,us,u.s.,u.s.a.,america:american
uruguay:uruguayan
uzbekistan:uzbek
vatican city:vatican
venezuela:venezuelan
vietnam:vietnamese
wales:welsh
yemen:yemeni
zambia:zambian
zimbabwe,rhodesia:zimbabwean,rhodesian
"""

_STATES = (
    "alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,georgia,"
    "hawaii,idaho,illinois,indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,"
    "michigan,minnesota,mississippi,missouri,montana,nebraska,nevada,new hampshire,new jersey,"
    "new mexico,new york,north carolina,north dakota,ohio,oklahoma,oregon,pennsylvania,"
    "rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,virginia,washington,"
    "west virginia,wisconsin,wyoming,washington d.c.,d.c."
)
_PROVINCES = (
    "ontario,quebec,british columbia,alberta,manitoba,saskatchewan,nova scotia,new brunswick,"
    "newfoundland,newfoundland and labrador,prince edward island,yukon,nunavut"
)
_AUSTRALIAN = "new south wales,queensland,victoria,south australia,western australia,tasmania"
_ENGLISH = (
    "somerset,kent,essex,sussex,surrey,devon,cornwall,dorset,norfolk,suffolk,lancashire,yorkshire,"
    "cheshire,shropshire,hampshire,berkshire,wiltshire,oxfordshire,gloucestershire,lincolnshire,"
    "nottinghamshire,derbyshire,staffordshire,warwickshire,worcestershire,herefordshire,"
    "leicestershire,northamptonshire,cambridgeshire,bedfordshire,hertfordshire,buckinghamshire,"
    "cumbria,cumberland,northumberland,durham,middlesex"
)
_INDIAN = (
    "kerala,tamil nadu,karnataka,maharashtra,gujarat,punjab,bihar,west bengal,uttar pradesh,"
    "madhya pradesh,andhra pradesh,telangana,rajasthan,odisha,assam,haryana,goa,jharkhand"
)
_CONTINENTS = (
    "africa,asia,europe,north america,south america,antarctica,oceania,scandinavia,middle east"
)
_CITIES = """
amsterdam athens atlanta auckland baghdad baltimore bangalore bangkok barcelona beijing belgrade
bengaluru bergen berlin birmingham bogota bombay boston bremen brisbane bristol brooklyn brussels
bucharest budapest buenos-aires cairo calcutta cambridge chennai chicago cleveland cologne
copenhagen dallas damascus delhi denver detroit dhaka dresden dublin edinburgh florence frankfurt
geneva genoa glasgow hamburg hanoi havana helsinki hollywood houston hyderabad istanbul jakarta
jerusalem johannesburg karachi kiev kolkata krakow kyiv kyoto lagos lahore leeds leipzig lima
lisbon liverpool ljubljana london los-angeles lyon madras madrid manchester manhattan manila
marseille melbourne mexico-city miami milan minneapolis minsk montreal moscow mumbai munich nairobi
nanjing naples new-delhi new-orleans new-york-city nuremberg osaka oslo ottawa oxford paris
philadelphia phoenix pittsburgh porto prague reykjavik riga rio-de-janeiro rome rotterdam
saint-petersburg san-diego san-francisco santiago sao-paulo sarajevo seattle seoul shanghai sofia
stockholm stuttgart sydney taipei tallinn tehran tel-aviv tokyo toronto trieste turin vancouver
venice vienna vilnius warsaw wellington zagreb zurich trondheim stavanger gothenburg
"""


@cache
def country_of() -> dict[str, str]:
    """Maps countries, demonyms, states and provinces to one name of the country."""
    found: dict[str, str] = {}
    for line in _COUNTRIES.split("\n"):
        if line:
            names, _, demonyms = line.partition(":")
            country = names.split(",")[0]
            found |= dict.fromkeys([*names.split(","), *demonyms.split(",")], country)
    for regions, country in (
        (_STATES, "united states"),
        (_PROVINCES, "canada"),
        (_AUSTRALIAN, "australia"),
        (_ENGLISH, "england"),
        (_INDIAN, "india"),
    ):
        for region in regions.split(","):
            found.setdefault(region, country)
    found["united states"] = "united states"
    return found


@cache
def demonyms() -> frozenset[str]:
    """Words such as "norwegian"."""
    return frozenset(
        word
        for line in _COUNTRIES.split("\n")
        if line
        for word in line.partition(":")[2].split(",")
    )


@cache
def countries() -> frozenset[str]:
    return frozenset(
        name
        for line in _COUNTRIES.split("\n")
        if line
        for name in line.partition(":")[0].split(",")
    )


@cache
def regions() -> frozenset[str]:
    """States, provinces and counties that are written behind a city: "Canton, Massachusetts"."""
    return frozenset(",".join((_STATES, _PROVINCES, _AUSTRALIAN, _ENGLISH, _INDIAN)).split(","))


@cache
def known_places() -> frozenset[str]:
    cities = {city.replace("-", " ") for city in _CITIES.split()}
    return countries() | regions() | frozenset(_CONTINENTS.split(",")) | cities


def country_named(name: str) -> str:
    """The country that a name or demonym stands for; ``""`` when it is none we know.

    >>> country_named("Norwegian"), country_named("U.S."), country_named("Ohio")
    ('norway', 'united states', 'united states')
    """
    return country_of().get(fold(name).removeprefix("the "), "")
