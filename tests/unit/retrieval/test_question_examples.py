"""What is read out of a question, as data: slot, kinds, focus noun, names, times, options."""

from __future__ import annotations

import pytest

from clew.retrieval.question import analyse_question

# question, slot, kinds of answer (best first), focus noun, names
EXAMPLES = [
    ("Who founded Norr Works?", "who", "person org", "", ("Norr Works",)),
    ("Who is the owner of the Vik Tower?", "who", "person", "owner", ("Vik Tower",)),
    ("Whom did Kari Lund marry?", "whom", "person", "", ("Kari Lund",)),
    ("Whose company bought Orm Foundry?", "whose", "org", "company", ("Orm Foundry",)),
    ("What did Jane Roe found?", "what", "other", "", ("Jane Roe",)),
    ("What is the capital of Sweden?", "what", "place", "capital", ("Sweden",)),
    ("What does Orm Foundry produce?", "what", "other", "", ("Orm Foundry",)),
    ("Which company bought Orm Foundry?", "which", "org", "company", ("Orm Foundry",)),
    ("Which city is Norr Works based in?", "which", "place", "city", ("Norr Works",)),
    ("In which year was the Norr Bridge opened?", "which", "date", "year", ("Norr Bridge",)),
    ("When did the ferry stop running?", "when", "date", "", ()),
    ("When was Ola Berg born?", "when", "date", "", ("Ola Berg",)),
    ("Where was Ola Berg born?", "where", "place org", "", ("Ola Berg",)),
    ("Where does the river Vik start?", "where", "place org", "", ("Vik",)),
    ("Why was the harbour closed?", "why", "other", "", ()),
    ("How was the tunnel built?", "how", "other", "", ()),
    ("How many rooms does the hotel have?", "how_many", "number", "rooms", ()),
    ("How many people live in Bergen?", "how_many", "number", "people", ("Bergen",)),
    ("How much does the ticket cost?", "how_much", "number", "", ()),
    ("How much steel was delivered in 2019?", "how_much", "number", "steel", ()),
    ("How long is the Norr Bridge?", "measure", "number", "", ("Norr Bridge",)),
    ("How old is the church?", "measure", "number", "", ()),
    ("How tall is Mount Vik?", "measure", "number", "", ("Mount Vik",)),
    ("How far is Oslo from Bergen?", "measure", "number", "", ("Oslo", "Bergen")),
    ("How often does the ferry run?", "measure", "number", "", ()),
    ("Is the airport paid?", "yes_no", "other", "", ()),
    ("Is the museum open on Sundays?", "yes_no", "other", "", ("Sundays",)),
    ("Was the Norr Bridge built by Jane Roe?", "yes_no", "other", "", ("Norr Bridge", "Jane Roe")),
    ("Did Orm Works buy the foundry in 2004?", "yes_no", "other", "", ("Orm Works",)),
    ("Does the contract not cover damage?", "yes_no", "other", "", ()),
    ("Isn't the bridge closed?", "yes_no", "other", "", ()),
    ("Can visitors climb the tower?", "yes_no", "other", "", ()),
    ("Has the factory moved?", "yes_no", "other", "", ()),
    ("Are there any survivors?", "yes_no", "other", "", ()),
    ("Will Smith directed what?", "what", "other", "", ("Will Smith",)),
    ("Will Smith's wife is who?", "who", "person org", "", ("Will Smith",)),
    ("Will the bridge open in May?", "yes_no", "other", "", ()),
    ("Doctor Who first aired when?", "when", "date", "", ("Doctor Who",)),
    ("The Who formed in which city?", "which", "place", "city", ("The Who",)),
    ('Who wrote "Who Moved My Boat"?', "who", "person org", "", ("Who Moved My Boat",)),
    ("Norr Works was founded by whom?", "whom", "person", "", ("Norr Works",)),
    ("The bridge was opened when?", "when", "date", "", ()),
    ("Ola Berg lives where?", "where", "place org", "", ("Ola Berg",)),
    ("The foundry was sold to which company?", "which", "org", "company", ()),
    ("The tower is made of what?", "what", "other", "", ()),
    ("Jane Roe directed a film in which year?", "which", "date", "year", ("Jane Roe",)),
    (
        "Which is older, the Norr Bridge or the Orm Bridge?",
        "comparison",
        "other",
        "",
        ("Norr Bridge", "Orm Bridge"),
    ),
    ("Which river is longer, the Vik or the Orm?", "comparison", "place", "river", ("Vik", "Orm")),
    (
        "Who was born first, Ola Berg or Kari Lund?",
        "comparison",
        "person org",
        "",
        ("Ola Berg", "Kari Lund"),
    ),
    (
        "Who died later, Ola Berg or Kari Lund?",
        "comparison",
        "person org",
        "",
        ("Ola Berg", "Kari Lund"),
    ),
    (
        "Who lived longer, Ola Berg or Kari Lund?",
        "comparison",
        "person org",
        "",
        ("Ola Berg", "Kari Lund"),
    ),
    ("Was Ola Berg or Per Moe born first?", "comparison", "other", "", ("Ola Berg", "Per Moe")),
    (
        "Which opened earlier: Vik Station or Orm Station?",
        "comparison",
        "other",
        "",
        ("Vik Station", "Orm Station"),
    ),
    (
        "Which company has more employees, Norr Works or Orm Works?",
        "comparison",
        "org",
        "company",
        ("Norr Works", "Orm Works"),
    ),
    ("Are Norr and Vik in the same country?", "comparison", "other", "", ("Norr", "Vik")),
    (
        "Do Ola Berg and Kari Lund have the same nationality?",
        "comparison",
        "other",
        "",
        ("Ola Berg", "Kari Lund"),
    ),
    (
        "Are both Norr Works and Orm Works shipyards?",
        "comparison",
        "other",
        "",
        ("Norr Works", "Orm Works"),
    ),
    (
        "Between Oslo and Bergen, which city is larger?",
        "comparison",
        "place",
        "city",
        ("Oslo", "Bergen"),
    ),
    ("Is the ticket free or paid?", "comparison", "other", "", ()),
    ("Which came first, the ferry or the bridge?", "comparison", "other", "", ()),
    (
        "Which film was released earlier, Truth Or Dare or Norr?",
        "comparison",
        "work",
        "film",
        ("Truth Or Dare", "Norr"),
    ),
    (
        "Out of Norr Works and Orm Works, which was founded first?",
        "comparison",
        "other",
        "",
        ("Norr Works", "Orm Works"),
    ),
    ("Which bridge is the longest?", "superlative", "place", "bridge", ()),
    ("What is the largest city in Norway?", "superlative", "place", "city", ("Norway",)),
    ("Who scored the most goals?", "superlative", "person org", "", ()),
    ("Which of the towers is the tallest?", "superlative", "place", "towers", ()),
    ("Who are the founders of Norr Works?", "list", "person", "founders", ("Norr Works",)),
    ("Which three companies supply Norr Works?", "list", "org", "companies", ("Norr Works",)),
    ("List all suppliers of Norr Works.", "list", "org", "suppliers", ("Norr Works",)),
    ("Name the members of the board.", "list", "person", "members", ()),
    ("What are the names of the two bridges?", "list", "place", "bridges", ()),
    ("Which countries border Norway?", "list", "place", "countries", ("Norway",)),
    ("Name the founder of Norr Works.", "what", "person", "founder", ("Norr Works",)),
    ("Tell me who designed the tower.", "who", "person org", "", ()),
    ("Give the date of the opening.", "what", "date", "date", ()),
    ("Describe the harbour.", "what", "place", "harbour", ()),
    ("Who led Orm Works in 2012?", "who", "person org", "", ("Orm Works",)),
    ("Who led Orm Works from 2010 to 2015?", "who", "person org", "", ("Orm Works",)),
    ("Who led Orm Works before 2010?", "who", "person org", "", ("Orm Works",)),
    ("Who has led Orm Works since May 2015?", "who", "person org", "", ("Orm Works",)),
    ("Who leads Orm Works now?", "who", "person org", "", ("Orm Works",)),
    ("Who currently owns the foundry?", "who", "person org", "", ()),
    ("Who is the mayor of Vik?", "who", "person", "mayor", ("Vik",)),
    ("Who was the mayor of Vik until 1999?", "who", "person", "mayor", ("Vik",)),
    ("What happened after 3 May 1944?", "what", "other", "", ()),
    ("Between 1990 and 1995, who ran the ferry?", "who", "person org", "", ()),
    ("Who won the prize in the 19th century?", "who", "person org", "", ()),
    ("What was built in the 1990s?", "what", "other", "", ()),
    ("Who won the 1999 Norr Cup?", "who", "person org", "", ("Norr Cup",)),
    ("Who was not invited?", "who", "person org", "", ()),
    ("Which ship never returned?", "which", "other", "ship", ()),
    ("Which employees have no contract?", "list", "person", "employees", ()),
    ("What is Jane Roe's mother's birthplace?", "what", "place", "birthplace", ("Jane Roe",)),
    (
        "When did the founder of the company that bought Norr Works die?",
        "when",
        "date",
        "",
        ("Norr Works",),
    ),
    (
        "Where was the director of the film Silent Snow born?",
        "where",
        "place org",
        "",
        ("Silent Snow",),
    ),
    ("Who is the maternal grandmother of Ola Berg?", "who", "person", "grandmother", ("Ola Berg",)),
    ("What is the date of birth of Kari Lund's husband?", "what", "date", "date", ("Kari Lund",)),
    (
        "What is the place of death of the composer of Winter Song?",
        "what",
        "place",
        "place",
        ("Winter Song",),
    ),
    ("Which country is the author of Blue Ice from?", "which", "place", "country", ("Blue Ice",)),
    ("What nationality is Per Moe?", "what", "place", "nationality", ("Per Moe",)),
    ("What is the population of Vik?", "what", "number", "population", ("Vik",)),
    ("What percentage of the steel is exported?", "what", "number", "percentage", ()),
    ("What language is spoken in Vik?", "what", "other", "language", ("Vik",)),
    (
        "What is the name of the river in the town where Ola Berg was born?",
        "what",
        "place",
        "river",
        ("Ola Berg",),
    ),
    (
        "What is the difference between Norr Works and Orm Works?",
        "what",
        "other",
        "difference",
        ("Norr Works", "Orm Works"),
    ),
    ("What year did the war end?", "what", "date", "year", ()),
    ("What time does the shop open?", "what", "date", "time", ()),
    ("At what age did Ola Berg retire?", "what", "number", "age", ("Ola Berg",)),
    ("On which date was the treaty signed?", "which", "date", "date", ()),
    ("To whom was the letter addressed?", "whom", "person", "", ()),
    ("From what city does the train leave?", "what", "place", "city", ()),
    ("Under what name did she publish?", "what", "other", "name", ()),
    ("who founded norr works", "who", "person org", "", ()),
    ("WHO FOUNDED NORR WORKS?", "who", "person org", "", ()),
    ("how many people work at norr works", "how_many", "number", "people", ()),
    ("What's the height of the tower?", "what", "number", "height", ()),
    ("Who's the owner of the tower?", "who", "person", "owner", ()),
    ("what is c++", "what", "other", "c++", ()),
    (
        "Which Canadian actress starred in Silent Snow?",
        "which",
        "person",
        "actress",
        ("Canadian", "Silent Snow"),
    ),
    (
        "Which television and movie actor starred in Silent Snow?",
        "which",
        "person",
        "actor",
        ("Silent Snow",),
    ),
    ("What low budget comedy was shot in Vik?", "what", "work", "comedy", ("Vik",)),
    (
        'Was "Silent Snow" or "Blue Ice" released first?',
        "comparison",
        "other",
        "",
        ("Silent Snow", "Blue Ice"),
    ),
    ("How do you open the valve?", "how", "other", "", ()),
    ("Which award did Jane Roe receive?", "which", "other", "award", ("Jane Roe",)),
    ("What kind of engine does the ferry use?", "what", "other", "kind", ()),
    ("If the valve is stuck, what should I do?", "what", "other", "", ()),
    ("The harbour was dredged in 1987; who paid for it?", "who", "person org", "", ()),
    (
        "How to Sail, published in which year, is a book by Per Moe?",
        "which",
        "date",
        "year",
        ("Sail", "Per Moe"),
    ),
    ("Who owns the firm that Norr Works sold in 2004?", "who", "person org", "", ("Norr Works",)),
    (
        "How much did Norr Works pay for Orm Foundry?",
        "how_much",
        "number",
        "",
        ("Norr Works", "Orm Foundry"),
    ),
    ("How high above the sea is Vik?", "measure", "number", "", ("Vik",)),
]

# question, options, measure, order
COMPARISONS = [
    (
        "Which is older, the Norr Bridge or the Orm Bridge?",
        ("Norr Bridge", "the Orm Bridge"),
        "birth",
        "least",
    ),
    ("Which river is longer, the Vik or the Orm?", ("Vik", "the Orm"), "number", "most"),
    ("Who was born first, Ola Berg or Kari Lund?", ("Ola Berg", "Kari Lund"), "birth", "least"),
    ("Who died later, Ola Berg or Kari Lund?", ("Ola Berg", "Kari Lund"), "death", "most"),
    ("Who lived longer, Ola Berg or Kari Lund?", ("Ola Berg", "Kari Lund"), "span", "most"),
    ("Was Ola Berg or Per Moe born first?", ("Ola Berg", "Per Moe"), "birth", "least"),
    (
        "Which opened earlier: Vik Station or Orm Station?",
        ("Vik Station", "Orm Station"),
        "date",
        "least",
    ),
    (
        "Which company has more employees, Norr Works or Orm Works?",
        ("Norr Works", "Orm Works"),
        "number",
        "most",
    ),
    ("Are Norr and Vik in the same country?", ("Norr", "Vik"), "same", "none"),
    (
        "Do Ola Berg and Kari Lund have the same nationality?",
        ("Ola Berg", "Kari Lund"),
        "same",
        "none",
    ),
    ("Are both Norr Works and Orm Works shipyards?", ("Norr Works", "Orm Works"), "both", "none"),
    ("Between Oslo and Bergen, which city is larger?", ("Oslo", "Bergen"), "number", "most"),
    ("Is the ticket free or paid?", ("free", "paid"), "", "none"),
    ("Which came first, the ferry or the bridge?", ("the ferry", "the bridge"), "date", "least"),
    (
        "Which film was released earlier, Truth Or Dare or Norr?",
        ("Truth Or Dare", "Norr"),
        "date",
        "least",
    ),
    (
        "Out of Norr Works and Orm Works, which was founded first?",
        ("Norr Works", "Orm Works"),
        "date",
        "least",
    ),
    (
        'Was "Silent Snow" or "Blue Ice" released first?',
        ("Silent Snow", "Blue Ice"),
        "date",
        "least",
    ),
]

# question, kind, first, last
TIMES = [
    ("How much steel was delivered in 2019?", "at", (2019, 0, 0), (2019, 0, 0)),
    ("Did Orm Works buy the foundry in 2004?", "at", (2004, 0, 0), (2004, 0, 0)),
    ("Will the bridge open in May?", "at", (0, 5, 0), (0, 5, 0)),
    ("Who led Orm Works in 2012?", "at", (2012, 0, 0), (2012, 0, 0)),
    ("Who led Orm Works from 2010 to 2015?", "between", (2010, 0, 0), (2015, 0, 0)),
    ("Who led Orm Works before 2010?", "before", (2010, 0, 0), (2010, 0, 0)),
    ("Who has led Orm Works since May 2015?", "since", (2015, 5, 0), (2015, 5, 0)),
    ("Who leads Orm Works now?", "now", (0, 0, 0), (0, 0, 0)),
    ("Who currently owns the foundry?", "now", (0, 0, 0), (0, 0, 0)),
    ("Who was the mayor of Vik until 1999?", "until", (1999, 0, 0), (1999, 0, 0)),
    ("What happened after 3 May 1944?", "after", (1944, 5, 3), (1944, 5, 3)),
    ("Between 1990 and 1995, who ran the ferry?", "between", (1990, 0, 0), (1995, 0, 0)),
    ("Who won the prize in the 19th century?", "at", (1801, 0, 0), (1900, 0, 0)),
    ("What was built in the 1990s?", "at", (1990, 0, 0), (1999, 0, 0)),
    ("Who won the 1999 Norr Cup?", "at", (1999, 0, 0), (1999, 0, 0)),
    ("The harbour was dredged in 1987; who paid for it?", "at", (1987, 0, 0), (1987, 0, 0)),
    ("Who owns the firm that Norr Works sold in 2004?", "at", (2004, 0, 0), (2004, 0, 0)),
]

# question, asks about now, is negated
MOODS = [
    ("Who leads Orm Works?", True, False),
    ("Who leads Orm Works now?", True, False),
    ("Who currently owns the foundry?", True, False),
    ("Who is the mayor of Vik?", True, False),
    ("Who's the owner of the tower?", True, False),
    ("Who led Orm Works?", False, False),
    ("Who led Orm Works in 2012?", False, False),
    ("Who was the mayor?", False, False),
    ("Who was not invited?", False, True),
    ("Isn't the bridge closed?", True, True),
    ("Which ship never returned?", False, True),
    ("Does the contract not cover damage?", True, True),
    ("Was the bridge closed?", False, False),
]

# question, the relations that it names, in order
RELATIONS = [
    ("Who founded Norr Works?", ("founder",)),
    ("Will Smith directed what?", ("director",)),
    (
        "When did the founder of the company that bought Norr Works die?",
        ("founder", "buyer", "death"),
    ),
    ("What is Jane Roe's mother's birthplace?", ("mother", "birth")),
    ("Who is the owner of the Vik Tower?", ("owner",)),
    ("Where was the director of the film Silent Snow born?", ("director", "birth")),
    ("How tall is Mount Vik?", ("height",)),
    ("Is the airport paid?", ("cost",)),
]


@pytest.mark.parametrize(("text", "slot", "kinds", "focus", "names"), EXAMPLES)
def test_slot_kinds_focus_and_names(
    text: str, slot: str, kinds: str, focus: str, names: tuple[str, ...]
) -> None:
    question = analyse_question(text)

    assert question.slot.value == slot
    assert [kind.value for kind in question.types] == kinds.split()
    assert question.focus == focus
    assert tuple(name.text for name in question.names) == names


@pytest.mark.parametrize(("text", "options", "measure", "order"), COMPARISONS)
def test_what_is_compared(text: str, options: tuple[str, ...], measure: str, order: str) -> None:
    comparison = analyse_question(text).comparison

    assert comparison is not None
    assert comparison.options == options
    assert (comparison.measure, comparison.order.value) == (measure, order)


@pytest.mark.parametrize(("text", "kind", "first", "last"), TIMES)
def test_times(
    text: str, kind: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    time = analyse_question(text).times[0]

    assert (time.kind.value, time.first, time.last) == (kind, first, last)


@pytest.mark.parametrize(("text", "present", "negated"), MOODS)
def test_present_and_negation(text: str, present: bool, negated: bool) -> None:
    question = analyse_question(text)

    assert (question.present, question.negated) == (present, negated)


@pytest.mark.parametrize(("text", "relations"), RELATIONS)
def test_relations_by_whole_words(text: str, relations: tuple[str, ...]) -> None:
    assert tuple(cue.relation for cue in analyse_question(text).relations) == relations
