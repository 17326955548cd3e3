from __future__ import annotations

from random import Random

from clew.stores.naming import (
    ALIAS,
    MENTION,
    NAME,
    TITLE,
    Ballot,
    ballots_of,
    elect,
    keys_of,
    total,
    trigrams,
)
from clew.testing.made_documents import made_documents
from clew.testing.written_documents import written_document


def _ballot(*votes: tuple[str, str, int, int]) -> Ballot:
    ballot = Ballot()
    for key, form, kind, count in votes:
        for _ in range(count):
            ballot.add((key, form), kind)
    return ballot


def _name(ballot: Ballot, key: str = "jane roe") -> str:
    return elect("e1", key, "default", ballot).name


def test_the_most_frequent_form_is_the_name() -> None:
    ballot = _ballot(("jane roe", "JANE ROE", MENTION, 2), ("jane roe", "Jane Roe", MENTION, 3))
    assert _name(ballot) == "Jane Roe"


def test_ties_go_to_the_shortest_then_to_the_first() -> None:
    ballot = _ballot(
        ("jane roe", "Jane  Roe", MENTION, 1),
        ("jane roe", "Jane roe", MENTION, 1),
        ("jane roe", "Jane Roe", MENTION, 1),
    )
    assert _name(ballot) == "Jane Roe"


def test_a_name_broken_by_a_line_is_written_on_one() -> None:
    ballot = _ballot(
        ("jane roe", "Jane\nRoe", MENTION, 2),
        ("jr roe", "J. R.\n  Roe", ALIAS, 1),
    )
    elected = elect("e1", "jane roe", "default", ballot)
    assert (elected.name, elected.aliases) == ("Jane Roe", ("J. R. Roe",))
    assert _name(_ballot(("jane roe", "Jane\nRoe", MENTION, 1))) == "Jane Roe"


def test_a_title_beats_mentions_and_a_full_name_beats_short_ones() -> None:
    assert _name(
        _ballot(("jane roe", "Jane Roe", TITLE, 1), ("jane roe", "jane roe", MENTION, 9))
    ) == ("Jane Roe")
    assert (
        _name(_ballot(("roe", "Roe", MENTION, 9), ("jane roe", "Jane Roe", NAME, 1))) == "Jane Roe"
    )
    assert _name(_ballot(("roe", "Roe", MENTION, 9), ("jane roe", "Jane Roe", ALIAS, 1))) == "Roe"


def test_every_other_key_has_one_alias() -> None:
    ballot = _ballot(
        ("jane roe", "Jane Roe", NAME, 1),
        ("jane roe", "JANE ROE", MENTION, 1),
        ("roe", "Roe", MENTION, 2),
        ("roe", "ROE", MENTION, 1),
        ("j roe", "J. Roe", ALIAS, 1),
    )
    entity = elect("e1", "jane roe", "default", ballot)
    assert entity.name == "JANE ROE"
    assert entity.aliases == ("J. Roe", "Roe")
    assert keys_of("jane roe", ballot) == {"jane roe", "roe", "j roe"}


def test_nothing_but_aliases_or_nothing_at_all_still_gives_a_name() -> None:
    assert _name(_ballot(("roe", "Roe", ALIAS, 1))) == "Roe"
    assert _name(Ballot()) == "jane roe"


def test_votes_that_are_taken_back_leave_no_trace() -> None:
    documents = made_documents(12, seed=3)
    some = total(map(ballots_of, documents[:7]))
    everything = total(map(ballots_of, documents))
    for indexed in documents[7:]:
        for entity_id, ballot in ballots_of(indexed).items():
            everything[entity_id].count(ballot, -1)
    assert {name: ballot for name, ballot in everything.items() if ballot} == some


def test_the_order_of_votes_changes_nothing() -> None:
    documents = made_documents(12, seed=4)
    expected = total(map(ballots_of, documents))
    Random(1).shuffle(documents)
    assert total(map(ballots_of, documents)) == expected


def test_an_entity_that_nothing_speaks_of_has_no_votes() -> None:
    written = written_document("a", ["Norr is old."], names=["Norr"], title="Vell")
    assert set(ballots_of(written)) == {entity.id for entity in written.entities}


def test_trigrams_of_short_keys() -> None:
    assert trigrams("a") == {" a "}
    assert trigrams("ab") == {" ab", "ab "}
    assert trigrams("") == set()
