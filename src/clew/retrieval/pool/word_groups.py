"""Groups of English words of which a text has one where a question has another.

A question asks for the *performer* of a song, a text says "an album by" or "recorded"; it asks for
the *spouse*, a text says "married". The relations that clew reads and answers by
(:mod:`clew.retrieval.question.relations`) are narrow, since an answer depends on them. These are
wide: they only make a passage seem to speak of what a question asks, one sign beside many. They are
those of general English; none was written for a single question.
"""

from __future__ import annotations

from functools import cache

from clew.text.words import terms

_PEOPLE = """
spouse wife husband married marry marriage wed partner; divorce divorced separated split;
engaged engagement fiance fiancee betrothed; father son daughter child; mother son daughter child;
parent father mother son daughter child; child son daughter offspring kid;
sibling brother sister twin; grandparent grandfather grandmother grandson granddaughter;
relative cousin nephew niece uncle aunt kin kinsman;
ancestor descendant descended forefather lineage descent; family dynasty clan house household;
heir inherited inherit successor; widow widower late surviving; friend companion ally associate;
born birth birthplace birthday native; died death killed deceased dead;
killed murdered assassinated slain executed shot;
buried grave tomb cemetery burial interred mausoleum; funeral burial buried mourned;
illness disease cancer suffered ill; disease illness caused; medicine drug treatment;
accident crash collision disaster; residence resided lived home house dwelling;
live lived lives reside resided resident dwell; hometown native raised grew;
educated education studied attended graduated student alumnus alumna;
university college school institute alma campus; degree doctorate bachelor master graduate diploma
phd; teacher taught professor lecturer instructor tutor; student pupil studied disciple;
employer employed worked work joined staff; occupation profession career worked job;
citizenship citizen nationality country national; ethnic ethnicity descent origin ancestry;
religion faith church religious belief christian muslim jewish catholic;
alias pseudonym stage nickname known; named namesake eponym eponymous honor honour name;
moved relocated transferred migrated emigrated; emigrated immigrated moved migrated;
exile exiled fled banished; arrested imprisoned jailed prison convicted;
crime criminal convicted; professional career turned; retired retirement left;
scientist physicist chemist researcher; theory proposed formulated;
"""

_COMPANIES = """
founder founded founding established cofounded creator started;
created creator creation founded invented developed; formed formation founded established began;
began started commenced launched opened inception; started joined began;
ended finished concluded ceased dissolved closed; dissolved disbanded defunct abolished split;
organization company group association body agency;
company firm corporation business enterprise manufacturer;
headquarters headquartered based office offices; parent subsidiary owned division unit;
subsidiary division owned owner; owner owned owns ownership property;
acquired bought purchased acquisition takeover sold; merged merger combined joined;
operator operated operates run runs; sponsor sponsored funded supported;
invested investment investor stake; product produced makes model; brand product company;
manufacturer manufactured made produced maker built; developer developed development designed;
store retailer shop supermarket; bank banking financial; airline carrier airways;
member joined membership part belonged; leader led head headed leadership chief; headed led run;
chairperson chairman chair chairwoman president head; ceo chief executive president head;
revenue earnings income sales; money cost budget price; price cost;
"""

_STATES = """
president presidency head presidential elected; minister ministry secretary cabinet;
prime minister premier; governor governed governorship; mayor elected city;
king queen monarch ruler reign throne crowned; emperor empress imperial ruler;
reign reigned ruled king; crowned coronation throne; prince princess royal heir;
noble duke earl count baron lord; successor succeeded replaced followed;
predecessor preceded before succeeded; appointed named elected nominated chosen;
elected election vote won; candidate nominee ran candidacy; party political politician;
politician senator representative member; parliament assembly legislature congress senate;
legislature assembly parliament legislative; senator senate elected; judge justice court;
lawyer attorney counsel; law act legislation bill; signed ratified treaty agreement;
constitution adopted constitutional; independence independent freed sovereignty;
colony colonial colonized ruled; conquered captured conquest annexed; invaded invasion attacked;
war conflict fought battle; battle fought defeated victory; fought served battle war;
army military forces troops; military served army navy soldier;
commander commanded command general led; rank general officer commissioned; weapon gun rifle;
rebellion revolt uprising revolution; explorer expedition explored voyage;
settled settlers settlement colonists; arrived came landed reached; prison jail imprisoned;
flag emblem symbol; anthem song hymn national; currency money coin dollar;
language spoken speak speakers tongue dialect;
bishop diocese archbishop; saint patron canonized; god deity goddess;
religious church temple monastery; church parish cathedral chapel; founded mission missionary;
"""

_PLACES = """
country nation state kingdom republic national; nationality citizen national;
located situated lies location based found; capital seat city;
administrative county district state province municipality region;
territory county district province region state; county parish shire borough;
district ward borough neighborhood neighbourhood; region area province part territory;
city town municipality capital metropolis; village town hamlet settlement commune;
neighborhood neighbourhood suburb quarter district;
border borders bordered bordering adjacent neighbouring neighboring boundary shares;
north northern; south southern; east eastern; west western; coast coastal shore seaside;
island isle islands archipelago; river stream tributary creek; tributary flows joins river;
mouth flows empties estuary drains; source rises origin headwaters spring;
lake reservoir pond lagoon; sea ocean gulf bay; mountain mount peak summit range hill;
bridge crosses crossing spans; street road avenue highway route; dam reservoir river;
airport airfield aerodrome airline terminal; railway railroad rail train station line;
station stop terminal railway; ship vessel boat; harbor harbour port; port harbour seaport;
canal waterway; stadium venue arena ground field home; venue held hosted site arena;
building tower structure house; population inhabitants residents people census;
area size square kilometres miles; elevation height altitude tall high;
climate weather temperature rainfall; park national reserve; mall shopping centre center;
hotel resort casino; theater theatre; library collection; museum gallery collection exhibited;
destroyed demolished burned fire; flood flooded inundated; earthquake quake magnitude;
mine mining coal; oil petroleum; farm agriculture farming; zoo animals; plant tree flower;
species genus family animal; telephone phone area code; code postal zip; zone time;
"""

_WORKS = """
performer performed sung singer artist band recorded album single song;
singer vocalist vocals sang sung performer; musician guitarist drummer pianist singer composer;
band group trio quartet ensemble duo; album record studio released track lp;
song single track tune; song recorded written performed; record label records signed;
label records released company; signed contract joined label;
songwriter lyricist lyrics wrote written; lyrics written words lyricist;
composer composed music score scored soundtrack; producer produced production;
director directed filmmaker film; film movie picture feature;
screenwriter screenplay wrote written script story;
cast starred starring stars star actor actress featured; actor actress starred played appeared role;
played portrayed role actor voiced plays; voice voiced actor voices;
character role played protagonist fictional; protagonist hero main character;
series show sitcom drama program programme; episode season aired; season series episode;
network channel broadcast aired broadcaster television; broadcast aired network televised;
presenter host hosted anchor presented; premiere premiered debut debuted opened; debut debuted
first; release released issued published launched; distributor distributed distribution released;
genre style type music; author written wrote writer novelist book;
writer author wrote novelist playwright; book novel work written; poem poet poetry wrote;
play playwright drama theatre; published publisher publication press;
newspaper magazine journal daily periodical published; editor edited editorial;
illustrator illustrated drawings; translator translated rendered version;
based adapted adaptation inspired; sequel followed prequel next;
painter painted painting artist; sculptor sculpture statue sculpted;
designer designed design architect; architect designed architecture built;
built constructed construction erected builder completed; builder built constructed shipyard;
inventor invented invention patent; discovered discoverer discovery found;
computer software system; software developed program; platform console system;
game video developed; website online internet; car vehicle model automobile;
engine powered motor; aircraft plane airplane jet; food dish cuisine ingredient;
drink beverage beer wine;
"""

_CONTESTS_AND_ORDER = """
award awarded prize won received honor; winner won champion victory; won win winner defeated;
champion championship title won; nominated nomination nominee;
honored honoured award honour; medal gold silver bronze olympic; team club side squad;
club team football; league division competition; coach coached manager trainer;
player played plays footballer; position played plays forward midfielder defender;
drafted draft selected pick; captain captained skipper; score scored goals points;
tournament competition championship cup; race racing driver; athlete sport sports;
record highest most best; largest biggest greatest major; smallest least tiny;
oldest earliest first ancient; first earliest original; last final latest;
main primary principal chief major; opened inaugurated opening; closed closing shut;
date time year; century period era; month day date; speed fast;
"""


@cache
def same_group(term: str) -> frozenset[str]:
    """The search terms of every group that holds ``term``; none for a term of no group.

    >>> sorted(same_group("pond"))
    ['lagoon', 'lake', 'pond', 'reservoir']
    """
    return _by_term().get(term, frozenset())


def groups() -> list[list[str]]:
    """All groups, as the words are written."""
    text = _PEOPLE + _COMPANIES + _STATES + _PLACES + _WORKS + _CONTESTS_AND_ORDER
    return [group.split() for group in text.split(";") if group.strip()]


@cache
def _by_term() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in groups():
        stems = frozenset(terms(" ".join(group)))
        for stem in stems:
            found[stem] = found.get(stem, frozenset()) | stems
    return found
