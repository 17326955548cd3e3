"""German: question words, small words, nouns with their kinds, and the words of the relations.

Nouns are written with a capital and are no names for that; a list knows the common ones, behind
an article the others, and a compound is known by its last part.
"""

from __future__ import annotations

from clew.retrieval.question.languages.base import Language, by_type, plurals_of, words
from clew.retrieval.question.records import AnswerType, Slot, TimeKind
from clew.retrieval.question.tokens import fold

_NUMBERS = (
    "null zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn zwanzig"
)
_UNIT = r"(?P<unit>jahr|monat|woche|jahrzehnt|jahrhundert)"
_COUNT = r"(?P<n>\d{1,3}|einem|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)"
_PERSONS = (
    "person/personen mensch/menschen mann/männer frau/frauen leute kind/kinder/kindern "
    "schauspieler/schauspielern schauspielerin/schauspielerinnen sänger sängerin/sängerinnen "
    "musiker musikerin künstler künstlerin/künstlerinnen maler malerin autor/autoren "
    "autorin/autorinnen schriftsteller schriftstellerin dichter dichterin regisseur/regisseure "
    "regisseurin produzent/produzenten komponist/komponisten komponistin architekt/architekten "
    "architektin/architektinnen ingenieur/ingenieure erfinder erfinderin gründer gründerin "
    "leiter leiterin chef/chefs chefin direktor/direktoren direktorin präsident/präsidenten "
    "präsidentin kanzler kanzlerin minister ministerin könig/könige königin/königinnen kaiser "
    "kaiserin prinz/prinzen prinzessin herzog/herzöge fürst/fürsten graf/grafen papst/päpste "
    "bischof/bischöfe politiker politikerin bürgermeister bürgermeisterin/bürgermeisterinnen "
    "forscher forscherin wissenschaftler wissenschaftlerin physiker chemiker mathematiker "
    "philosoph/philosophen spieler spielerin trainer trainerin besitzer besitzerin eigentümer "
    "eigentümerin inhaber inhaberin arzt/ärzte ärztin lehrer lehrerin professor/professoren "
    "professorin schüler student/studenten vater/väter mutter/mütter sohn/söhne tochter/töchter "
    "bruder/brüder schwester/schwestern großvater/großväter großmutter/großmütter onkel tante/"
    "tanten ehemann/ehemänner ehefrau/ehefrauen gatte gattin witwe witwer freund/freunde "
    "mitglied/mitglieder/mitgliedern nachfolger nachfolgerin vorgänger vorgängerin sieger "
    "siegerin gewinner gewinnerin übersetzer übersetzerin fotograf/fotografen bildhauer "
    "bauherr kapitän/kapitäne offizier/offiziere pilot/piloten vorsitzende vorsitzender"
)
_PLACES = (
    "ort/orte/orten stadt/städte/städten dorf/dörfer/dörfern land/länder/ländern staat/staaten "
    "provinz/provinzen region/regionen gebiet/gebiete kontinent/kontinente insel/inseln fluss/"
    "flüsse/flüssen see/seen meer/meere ozean/ozeane berg/berge/bergen tal/täler wüste/wüsten "
    "hafen/häfen gemeinde/gemeinden hauptstadt/hauptstädte geburtsort sitz adresse/adressen "
    "straße/straßen platz/plätze park/parks stadion/stadien flughafen/flughäfen wald/wälder "
    "küste/küsten bahnhof/bahnhöfe zimmer gebäude brücke/brücken haus/häuser palast/paläste "
    "friedhof/friedhöfe hotel/hotels museum/museen kirche/kirchen dom turm/türme/türmen tunnel "
    "kanal/kanäle burg/burgen schloss/schlösser steinbruch/steinbrüche leuchtturm/leuchttürme "
    "viertel bezirk/bezirke bundesland/bundesländer heimat festung/festungen"
)
_ORGS = (
    "firma/firmen unternehmen gesellschaft/gesellschaften organisation/organisationen "
    "band/bands mannschaft/mannschaften verein/vereine klub/klubs universität/universitäten "
    "hochschule/hochschulen schule/schulen institut/institute behörde/behörden partei/parteien "
    "verlag/verlage sender zeitung/zeitungen konzern/konzerne gruppe/gruppen verband/verbände "
    "bank/banken arbeitgeber hersteller betrieb/betriebe armee/armeen ministerium/ministerien "
    "stiftung/stiftungen orchester krankenhaus/krankenhäuser lieferant/lieferanten werk/werke "
    "chor/chöre"
)
_DATES = (
    "jahr/jahre/jahren datum/daten tag/tage/tagen monat/monate/monaten jahrzehnt/jahrzehnte "
    "jahrhundert/jahrhunderte epoche geburtstag/geburtstage zeit/zeiten zeitraum woche/wochen "
    "stunde/stunden uhrzeit wochentag"
)
_AMOUNTS = (
    "zahl/zahlen anzahl einwohnerzahl bevölkerung prozentsatz anteil betrag/beträge höhe länge "
    "breite tiefe gewicht alter größe fläche entfernung geschwindigkeit preis/preise kosten "
    "temperatur/temperaturen summe/summen gehalt umsatz/umsätze dauer"
)
_WORKS = (
    "film/filme/filmen buch/bücher/büchern roman/romane/romanen lied/lieder/liedern album/alben "
    "serie/serien zeitschrift/zeitschriften gedicht/gedichte erzählung/erzählungen oper/opern "
    "spiel/spiele gemälde musical stück/stücke drama/dramen komödie/komödien sinfonie/sinfonien "
    "theaterstück/theaterstücke"
)
_OTHERS = (
    "name/namen sprache/sprachen farbe/farben schiff/schiffe/schiffen preis/preise grund/gründe "
    "mühle/mühlen fahrkarte/fahrkarten linse/linsen reise/reisen bad/bäder art/arten krieg/kriege "
    "brand/brände vertrag/verträge schlacht/schlachten feuer fusion/fusionen wahl/wahlen "
    "sprecher tier/tiere pflanze/pflanzen tor/tore medaille/medaillen auto/autos boot/boote "
    "fähre/fähren ticket/tickets eintritt maschine/maschinen glocke/glocken brief/briefe"
)

_CAN_YOU = (
    r"(?:kannst|können|könntest|könnten) (?:du|sie) (?:mir |uns )?(?:bitte )?(?:sagen|erklären),?"
)

GERMAN = Language(
    code="de",
    wh={
        fold(word): slot
        for slot, text in {
            Slot.WHO: "wer",
            Slot.WHOM: "wen wem",
            Slot.WHOSE: "wessen",
            Slot.WHAT: "was woran worin wofür wonach worüber wovon womit",
            Slot.WHICH: "welche welcher welches welchem welchen",
            Slot.WHEN: "wann",
            Slot.WHERE: "wo woher wohin",
            Slot.WHY: "warum wieso weshalb weswegen",
            Slot.HOW: "wie wodurch",
            Slot.HOW_MANY: "wieviele",
            Slot.HOW_MUCH: "wieviel",
        }.items()
        for word in text.split()
    },
    how=words("wie"),
    many=words("viele vielen"),
    much=words("viel"),
    measures=words(
        "lang lange alt hoch weit groß tief breit schnell schwer oft heiß kalt dick klein spät "
        "früh stark teuer"
    ),
    be=words("ist sind war waren bin bist seid sei wäre wären gewesen"),
    plural_be=words("sind waren"),
    have=words("hat haben hatte hatten habe hätte"),
    modals=words(
        "wird werden wurde wurden worden kann können konnte konnten darf dürfen durfte muss müssen "
        "musste mussten soll sollen sollte sollten will wollen wollte wollten mag möchte gibt gab"
    ),
    naming_verbs=words("heißt heißen hieß hießen lautet"),
    commands=words(
        "nenne nennen nenn liste zähle gib sag sage erkläre beschreibe zeige finde erläutere"
    ),
    listing_commands=words("nenne nennen nenn liste zähle"),
    lead_ins=words("mir uns auf alle bitte sämtliche"),
    openings=(
        r"bitte,?",
        r"(?:weißt|wissen|wisst) (?:du|sie|ihr),?",
        _CAN_YOU,
        r"(?:ich|wir) (?:möchte|möchten|will|wollen) (?:gerne? )?wissen,?",
    ),
    prepositions=words(
        "in im an am auf für zu zum zur von vom bei beim mit unter während seit bis durch nach vor "
        "über gegen zwischen um aus ohne neben hinter entlang ab gegenüber trotz wegen außer laut "
        "ins ans pro"
    ),
    determiners=words(
        "der die das den dem des ein eine einen einem einer eines dieser diese dieses diesem "
        "diesen jener jene sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere "
        "mein meine einige jede jeder jedes alle allen beide beiden kein keine keinen keinem keiner"
    ),
    pronouns=words("er sie es ihm ihn ihnen ich wir du man mich mir uns dich dir sich"),
    conjunctions=words("und oder aber denn weil obwohl dass wenn als"),
    fillers=words(
        "nicht auch so dann da hier sehr nur noch je jemals nie schon doch etwa etwas her hin"
    ),
    negations=words(
        "nicht nie niemals kein keine keinen keinem keiner keines niemand niemanden nichts weder "
        "ohne"
    ),
    present_marks=words("jetzt derzeit aktuell heute momentan gegenwärtig heutzutage zurzeit"),
    present_phrases=("zur zeit", "im moment", "im augenblick", "immer noch", "noch immer"),
    present_auxiliaries=words("ist sind hat haben wird werden kann gibt"),
    present_verbs=words(
        "leitet führt besitzt gehört lebt wohnt arbeitet macht verkauft regiert spielt liefert "
        "betreibt beschäftigt lehrt verwendet liegt steht kostet herrscht trainiert"
    ),
    past_verbs=words(
        "war waren wurde wurden hatte schrieb baute kaufte verkaufte gewann begann hielt verließ "
        "verlor traf sang nahm ging wuchs stand flog starb zog besaß gehörte"
    ),
    past_endings=("te", "ten"),
    history_phrases=("im laufe der jahre", "im laufe der zeit", "bisher", "bislang"),
    number_words={fold(word): at + (at > 0) for at, word in enumerate(_NUMBERS.split())},
    empty_heads=words("name art zahl anzahl titel beispiel gruppe paar liste form teil"),
    noun_types=by_type(
        {
            AnswerType.PERSON: _PERSONS,
            AnswerType.PLACE: _PLACES,
            AnswerType.ORG: _ORGS,
            AnswerType.DATE: _DATES,
            AnswerType.NUMBER: _AMOUNTS,
            AnswerType.WORK: _WORKS,
        }
    )
    | dict.fromkeys(words("nationalität staatsangehörigkeit"), (AnswerType.PLACE,)),
    plurals=plurals_of(_PERSONS, _PLACES, _ORGS, _DATES, _AMOUNTS, _WORKS, _OTHERS),
    common_nouns=frozenset(fold(entry.split("/")[0]) for entry in _OTHERS.split()),
    noun_endings=tuple(fold(e) for e in "ung heit keit schaft tion tät ismus ungen tionen".split()),
    appositions=words(
        "firma stadt fluss insel land film roman buch unternehmen gesellschaft verein band lied "
        "album dorf gemeinde ort serie konzern oper stück schiff gruppe partei"
    )
    | frozenset(fold(form) for entry in _PERSONS.split() for form in entry.split("/")),
    nouns_are_capital=True,
    verbs=words(
        "schrieb baute kaufte gründete leitete führte heiratete gewann starb zog sang malte besaß "
        "entwarf erfand komponierte leitet führt besitzt liegt steht fließt hält spielt gehört "
        "stellt macht tut passiert geschah heißt"
    ),
    prices=words("kostet kosten kostete"),
    superlative_least=words(
        " ".join(
            stem + ending
            for stem in "kleinst kürzest niedrigst jüngst frühest wenigst leichtest langsamst "
            "billigst nächst ältest".split()
            for ending in ("e", "er", "es", "en", "em")
        )
    ),
    superlative_most=words(
        " ".join(
            stem + ending
            for stem in "größt längst höchst spätest neuest neust schwerst schnellst meist tiefst "
            "breitest heißest kältest stärkst reichst best schlechtest teuerst bekanntest "
            "berühmtest".split()
            for ending in ("e", "er", "es", "en", "em")
        )
    ),
    comparative_least=words(
        "kleiner kürzer niedriger früher eher weniger leichter langsamer billiger näher schmaler "
        "älter erste erster erstes zuerst kleinere kürzere frühere ältere"
    ),
    comparative_most=words(
        "größer länger höher später neuer schwerer schneller mehr tiefer breiter heißer stärker "
        "jünger reicher weiter teurer zuletzt größere längere höhere spätere neuere jüngere"
    ),
    age_order=words("älter jünger ältere jüngere ältester jüngster"),
    amounts=words("mehr meisten weniger wenigsten"),
    recent=words("kürzlich"),
    date_order=words("erste erster zuerst früher später eher neuer zuletzt älter jünger"),
    same=words(
        "gleiche gleichen gleicher gleiches gleichem derselbe dieselbe dasselbe demselben "
        "derselben denselben selben"
    ),
    both=words("beide gemeinsam"),
    longer=words("länger"),
    living=words("lebte gelebt lebt lebten"),
    and_words=words("und"),
    or_words=words("oder"),
    than_words=words("als"),
    option_ends=words("zwischen beide entweder von"),
    leads={
        "vor": TimeKind.BEFORE,
        "nach": TimeKind.AFTER,
        "seit": TimeKind.SINCE,
        "ab": TimeKind.SINCE,
        "bis": TimeKind.UNTIL,
        "während": TimeKind.AT,
        "bevor": TimeKind.BEFORE,
        "nachdem": TimeKind.AFTER,
    },
    loose_leads=words("von zwischen in im am um zu den der dem jahr jahre jahren"),
    no_events=words("ab bis nach"),
    relatives=(
        (r"(?:letzte[sn]?|vergangene[sn]?|vorige[sn]?) " + _UNIT, "", -1),
        (r"(?:nächste[sn]?|kommende[sn]?) " + _UNIT, "", 1),
        (r"diese[sn]? " + _UNIT, "", 0),
        (r"gestern", "day", -1),
        (r"morgen", "day", 1),
        (r"vor " + _COUNT + r" (?P<unit>jahr|monat|woche|tag|jahrzehnt)(?:en|e|n)?", "", -1),
    ),
    date_patterns=(
        r"\b(?P<day>0?[1-9]|[12]\d|3[01])\.\s?@MONTH\s(?P<year>[12]\d{3})\b",
        r"\b@MONTH\s(?P<year>[12]\d{3})\b",
        r"\b(?P<day>0?[1-9]|[12]\d|3[01])\.\s?@MONTH\b",
        r"\b(?P<century>\d{1,2})\.\s?Jahrhundert\w*",
        r"\b(?P<decade>[12]\d{2}0)er(?:[ -]Jahren?|[ -]Jahre)?\b",
        r"(?<=im )@MONTH\b",
    ),
    months={
        fold(word): at + 1
        for at, word in enumerate(
            "Januar Februar März April Mai Juni Juli August September Oktober November "
            "Dezember".split()
        )
    }
    | {"janner": 1},
    relations={
        "father": "Vater Väter",
        "mother": "Mutter",
        "parent": "Eltern Elternteil",
        "spouse": "heiratete verheiratet heiraten Ehepartner Gatte Gattin Witwe Witwer Hochzeit",
        "wife": "Ehefrau Frau",
        "husband": "Ehemann Mann",
        "child": "Kind Kinder Kindern",
        "son": "Sohn Söhne",
        "daughter": "Tochter Töchter",
        "sibling": "Geschwister",
        "brother": "Bruder Brüder",
        "sister": "Schwester Schwestern",
        "grandfather": "Großvater",
        "grandmother": "Großmutter",
        "uncle": "Onkel",
        "aunt": "Tante",
        "birth": "geboren geborene Geburt Geburtsort Geburtstag Geburtsdatum Geburtsjahr",
        "death": "starb starben gestorben Tod Todes Todesort getötet ermordet hingerichtet",
        "burial": "begraben beigesetzt Grab",
        "residence": "wohnt wohnte wohnen lebt lebte leben lebten Wohnort Wohnsitz",
        "education": "studierte studiert Studium Ausbildung",
        "employment": "arbeitet arbeitete arbeiten gearbeitet Arbeitgeber beschäftigt lehrte lehrt",
        "nationality": "Nationalität Staatsangehörigkeit Staatsbürgerschaft",
        "member": "Mitglied Mitglieder Mitgliedern",
        "award": "gewann gewonnen erhielt erhalten Preis Auszeichnung Preisträger verliehen",
        "profession": "Beruf",
        "leader": "leitet leitete geleitet leiten leiteten Leiter Leiterin Leitung führt führte "
        "geführt führten Chef Chefin Direktor Direktorin Vorsitzende Vorsitzender Präsident "
        "Präsidentin Bürgermeister Bürgermeisterin",
        "ruler": "regierte regiert herrschte König Königin Kaiser Kaiserin",
        "successor": "Nachfolger Nachfolgerin folgte ersetzte",
        "predecessor": "Vorgänger Vorgängerin",
        "coach": "Trainer Trainerin trainiert trainierte",
        "election": "gewählt ernannt wählte Wahl",
        "founder": "gründete gründeten gegründet Gründer Gründerin Gründung Gründungsjahr gründen",
        "end": "aufgelöst geschlossen Auflösung schloss",
        "author": "schrieb schrieben geschrieben Autor Autorin verfasste verfasst Verfasser",
        "director": "Regisseur Regisseurin Regie",
        "producer": "produzierte produziert Produzent",
        "composer": "komponierte komponiert Komponist Komponistin",
        "performer": "sang gesungen singt Sänger Sängerin Interpret",
        "cast": "spielte spielt gespielt Schauspieler Schauspielerin Rolle",
        "publisher": "veröffentlichte veröffentlicht Verlag Verleger erschien",
        "designer": "entwarf entworfen Architekt Architektin gestaltete",
        "builder": "baute gebaut bauen erbaut errichtet Erbauer Bauherr",
        "inventor": "erfand erfunden Erfinder Erfinderin entdeckte entdeckt entwickelte",
        "maker": "herstellt hergestellt Hersteller produziert",
        "translator": "übersetzte übersetzt Übersetzer Übersetzerin",
        "opening": "eröffnet eröffnete öffnet öffnete Eröffnung",
        "owner": "gehört gehörte gehören besitzt besaß besitzen Besitzer Besitzerin Eigentümer "
        "Eigentümerin Inhaber Inhaberin",
        "buyer": "kaufte gekauft kaufen erwarb erworben übernahm übernommen Käufer Übernahme",
        "seller": "verkaufte verkauft Verkäufer",
        "supplier": "liefert lieferte geliefert Lieferant Lieferanten beliefert",
        "sponsor": "finanzierte finanziert Sponsor",
        "cost": "kostet kostete kosten Preis Kosten bezahlt",
        "use": "verwendet verwendete benutzt benutzte",
        "location": "liegt liegen lag gelegen steht stehen Sitz befindet befinden",
        "capital": "Hauptstadt",
        "population": "Einwohner Einwohnerzahl Bevölkerung",
        "border": "grenzt grenzen",
        "flow": "fließt fließen mündet Mündung",
        "language": "Sprache Sprachen spricht gesprochen",
        "naming": "genannt benannt",
        "height": "hoch Höhe",
        "length": "lang Länge",
        "width": "breit Breite",
        "depth": "tief Tiefe",
        "weight": "schwer wiegt Gewicht",
        "age": "alt Alter",
        "speed": "schnell Geschwindigkeit",
        "area": "groß Fläche Größe",
        "cause": "verursachte Ursache Grund",
        "destruction": "zerstört zerstörte abgebrannt abgerissen",
        "defeat": "besiegte besiegt",
        "movement": "zog umgezogen verlegt",
        "meaning": "bedeutet",
    },
    ambiguous=words(
        "was die an am so in war hat will man den des gab mag bin um ab sang lag alt lang"
    ),
)
