"""The store in PostgreSQL beyond the contract: plans, indexes, layouts, addresses, the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import numpy as np
import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew import KnowledgeBase
from clew.cli import main
from clew.errors import (
    NotAStoreError,
    ReadOnlyStoreError,
    StoreError,
    StoreNotFoundError,
    StoreVersionError,
)
from clew.stores.addresses import parse_address
from clew.stores.filters import parse_where
from clew.stores.postgres import PostgresStore, layout
from clew.stores.postgres.connections import Session, connect
from clew.stores.postgres.statements import Statements, migrations
from clew.testing import FakeEmbedder
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.postgres_server import drop_schema, with_schema
from clew.testing.store_contract.fixtures import problems
from clew.testing.written_documents import text_vector, written_document

_PLACES: dict[str, str | int] = {
    "layer": "unit",
    "space": 1,
    "dimensions": 16,
    "width": 16,
    "table": "chunks",
    "record": "chunk",
    "owner": "documents",
    "column": "document",
}
_PARAMETERS: dict[str, Any] = {
    **dict.fromkeys(
        ("numbers", "documents", "population", "units", "entities"), np.array([1], np.int64)
    ),
    **{key: ["x"] for key in ("ids", "keys", "short", "short_keys", "terms", "forms", "types")},
    **{key: ["x"] for key in ("predicates", "short_predicates")},
    **dict.fromkeys(("id", "prefix", "last", "letters", "name", "document_id", "merge_id"), "x"),
    **dict.fromkeys(("k", "wide", "most", "first", "document", "number", "space"), 1),
    **dict.fromkeys(("generation", "next_entity", "chunks", "facts", "mentions", "topics"), 1),
    **dict.fromkeys(("edges", "chunk_terms", "unit_terms", "dimensions", "chunk", "unit"), 1),
    **dict.fromkeys(("mention", "topic", "fact"), 1),
    "fingerprint": "x",
    "query": "[" + ",".join(["0.25"] * 16) + "]",
}


@pytest.fixture
def session(postgres_url: str) -> Iterator[Session]:
    PostgresStore.open(postgres_url).close()
    with connect(parse_address(postgres_url), 5) as connection:
        yield Session(connection)


@pytest.mark.parametrize(
    "file", ["checks", "entities", "links", "naming", "records", "search", "state"]
)
def test_every_statement_is_sql(session: Session, file: str) -> None:
    names = _names_in(file)
    assert names
    for name in names:
        statement = Statements(file).named(name, **_PLACES)
        wanted = {key: value for key, value in _PARAMETERS.items() if f"%({key})s" in statement}
        if file == "records":
            wanted["last"] = 2
        if file == "state":
            wanted |= dict.fromkeys(("documents", "units", "entities"), 1)
        with session.connection.transaction(force_rollback=True):
            session.rows(f"EXPLAIN {statement}", wanted)


def _names_in(file: str) -> list[str]:
    text = Path(layout.__file__).with_name("sql").joinpath(f"{file}.sql").read_text("utf-8")
    return [line.removeprefix("-- name: ") for line in text.splitlines() if "-- name: " in line]


# --- plans ----------------------------------------------------------------------------------------


def test_a_hop_reads_an_index(new_postgres_url: str) -> None:
    """With and without a filter, however many entities it starts from."""
    documents = made_documents(200, seed=5, names=800)
    with PostgresStore.open(new_postgres_url) as store:
        store.commit(documents, embedding=SPACE)
        some = store.select_documents(where={"year": {"$gte": 2000}})
        entities = np.arange(0, 200, 40, dtype=np.int64)
    with connect(parse_address(new_postgres_url), 5) as connection:
        connection.execute("VACUUM (ANALYZE)")
        for filtered in (None, some):
            asked = {"numbers": entities, "documents": filtered, "most": 50}
            statement = f"EXPLAIN {Statements('links')['units_of_entities']}"
            plan = "\n".join(line for (line,) in Session(connection).rows(statement, asked))
            assert "mentions_by_entity" in plan, plan
            assert "Seq Scan on mentions" not in plan, plan
        asked = {"entities": entities, "documents": some, "most": 50}
        for name in ("spoken_of", "voters", "mention_votes"):
            statement = f"EXPLAIN {Statements('naming')[name]}"
            plan = "\n".join(line for (line,) in Session(connection).rows(statement, asked))
            assert "mentions_by_entity" in plan, plan
            assert "Seq Scan on mentions" not in plan, plan


def test_above_a_size_an_index_says_where_to_look(new_postgres_url: str) -> None:
    documents = made_documents(150, seed=6)
    query = text_vector("any question")
    with PostgresStore.open(new_postgres_url) as store:
        store.exact_up_to = 300
        store.commit(documents, embedding=SPACE)
        assert store.stats()["knowledge_units"] > 300
        found = store.search_vectors("unit", query, 20)
        exactly = store.score_vectors("unit", query, found.numbers)
        assert np.array_equal(found.scores, exactly), "scored by the vectors, not by their copies"
        assert np.all(np.diff(found.scores) <= 0)
        few = store.select_documents(where={"year": {"$gte": 2015}})
        narrow = store.search_vectors("unit", query, 20, documents=few)
        assert "unit_vectors_near_1" in _indexes(new_postgres_url)
        store.exact_up_to = 10**9
        exact = store.search_vectors("unit", query, 20)
        assert len(np.intersect1d(found.numbers, exact.numbers)) >= 19
        exact = store.search_vectors("unit", query, 20, documents=few)
        assert narrow.numbers.tolist() == exact.numbers.tolist(), "few are scored one by one"


def test_the_index_is_what_a_search_uses(new_postgres_url: str) -> None:
    with PostgresStore.open(new_postgres_url) as store:
        store.exact_up_to = 300
        store.commit(made_documents(150, seed=6), embedding=SPACE)
    statement = Statements("search").named("approximate", layer="unit", space=1, dimensions=16)
    with connect(parse_address(new_postgres_url), 5) as connection:
        connection.execute("ANALYZE")
        connection.execute("SET enable_sort = off")  # a small table is sorted whole otherwise
        asked = _PARAMETERS | {"documents": None, "k": 5, "wide": 20}
        plan = "\n".join(
            line for (line,) in Session(connection).rows(f"EXPLAIN {statement}", asked)
        )
        assert "Index Scan using unit_vectors_near_1" in plan, plan


def test_an_index_goes_with_its_vectors(new_postgres_url: str) -> None:
    documents = made_documents(60, seed=7)
    with PostgresStore.open(new_postgres_url) as store:
        store.exact_up_to = 50
        store.commit(documents, embedding=SPACE)
        assert set(_indexes(new_postgres_url)) == {"chunk_vectors_near_1", "unit_vectors_near_1"}
        store.replace_vectors(
            SPACE,
            [
                (item.document.id, -item.chunk_vectors, -item.unit_vectors)
                for item in documents
                if item.chunk_vectors is not None and item.unit_vectors is not None
            ],
        )
        assert set(_indexes(new_postgres_url)) == {"chunk_vectors_near_2", "unit_vectors_near_2"}
        assert problems(store) == []
        store.commit(delete=[item.document.id for item in documents])
        assert _indexes(new_postgres_url) == []


def _indexes(url: str) -> list[str]:
    with connect(parse_address(url), 5) as connection:
        return [name for name, _ in Session(connection).rows(Statements("indexes")["list"])]


# --- filters --------------------------------------------------------------------------------------

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, -2.0, 1e300]),
    st.sampled_from(["", "a", "ab", "B", "é", "\U0001f600", "2020-01-01", "'; --", "%s"]),
)
_KEYS = st.sampled_from(["x", "y", "x.y", "title", "doc_id", "deep.x", "deep", "'\"", "%(w0)s"])
_TESTS = st.one_of(
    st.tuples(
        st.sampled_from(["$eq", "$ne", "$contains"]), st.one_of(_SCALARS, st.lists(_SCALARS))
    ),
    st.tuples(
        st.sampled_from(["$gt", "$gte", "$lt", "$lte"]),
        st.one_of(
            st.integers(-3, 3), st.sampled_from([0.5, 1e300, "a", "ab", "é", "B", float("inf")])
        ),
    ),
    st.tuples(st.sampled_from(["$in", "$nin"]), st.lists(_SCALARS, max_size=3)),
    st.tuples(st.just("$exists"), st.booleans()),
)
_PARTS = st.tuples(_KEYS, st.one_of(_SCALARS, _TESTS.map(lambda test: {test[0]: test[1]})))
_PLAIN = st.lists(_PARTS, max_size=2).map(dict)


def _combined(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    lists = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(lambda sign, parts: {sign: parts}, st.sampled_from(["$and", "$or"]), lists),
        inner.map(lambda clause: {"$not": clause}),
    )


_CLAUSES = st.one_of(_PLAIN, _combined(_PLAIN), _combined(st.one_of(_PLAIN, _combined(_PLAIN))))
_MADE = Random(17)
_POOL: list[Any] = [
    *(None, True, False, 0, 1, -3, 2, 0.5, -2.0, 1e300, "", "a", "ab", "B", "é", "\U0001f600"),
    *("2020-01-01", "'; --", "%s", [], ["a", None], [1, True], [[1], "é"], {"deep": 1}),
    *({"x": 1, "y": {"x": "a"}}, {"y": None}, {"x": ["ab", 0.5]}),
]
_NAMES = ["x", "y", "x.y", "title", "doc_id", "deep", "'\"", "%(w0)s"]


def _metadata() -> dict[str, Any]:
    return {name: _MADE.choice(_POOL) for name in _MADE.sample(_NAMES, _MADE.randint(0, 5))}


_DESCRIBED = [
    written_document(f"d{at}", ["A mill."], metadata=_metadata(), title=f"a{at % 3}")
    for at in range(60)
]


@pytest.fixture(scope="module")
def described(postgres_server: str) -> Iterator[PostgresStore]:
    url = with_schema(postgres_server, f"clew_test_{uuid4().hex[:12]}")
    with PostgresStore.open(url) as store:
        store.commit(_DESCRIBED, embedding=SPACE)
        yield store
    drop_schema(url)


@settings(max_examples=60, deadline=None)
@given(clauses=st.lists(_CLAUSES, min_size=1, max_size=8))
def test_the_database_decides_as_the_filter_does(
    described: PostgresStore, clauses: list[dict[str, Any]]
) -> None:
    with described.reading() as reader:
        for clause in clauses:
            matches = parse_where(clause)
            expected = [item.document.id for item in _DESCRIBED if matches(item.document)]
            found = reader.select_documents(where=clause)
            assert found.tolist() == sorted(reader.numbers_of("document", expected)), clause


# --- layouts --------------------------------------------------------------------------------------


def test_every_version_is_migrated_to_the_newest(
    new_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PostgresStore.open(new_postgres_url) as store:
        store.commit(made_documents(5, seed=8), embedding=SPACE)
    later = (*migrations(), "CREATE TABLE later (x int)", "INSERT INTO later VALUES (1)")
    monkeypatch.setattr(layout, "migrations", lambda: later)
    with pytest.raises(ReadOnlyStoreError, match="older layout"):
        PostgresStore.open(new_postgres_url, read_only=True)
    for _ in range(2):
        with PostgresStore.open(new_postgres_url) as store:
            assert problems(store) == []
    with connect(parse_address(new_postgres_url), 5) as connection:
        assert connection.execute("SELECT x FROM later").fetchall() == [(1,)]
    monkeypatch.undo()
    with pytest.raises(StoreVersionError, match="Upgrade clew"):
        PostgresStore.open(new_postgres_url)


def test_a_migration_that_fails_changes_nothing(
    new_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PostgresStore.open(new_postgres_url) as store:
        store.commit(made_documents(5, seed=8), embedding=SPACE)
    broken = (*migrations(), "CREATE TABLE later (x int); INSERT INTO nowhere VALUES (1)")
    with monkeypatch.context() as patched:
        patched.setattr(layout, "migrations", lambda: broken)
        with pytest.raises(StoreError, match="nowhere"):
            PostgresStore.open(new_postgres_url)
    with PostgresStore.open(new_postgres_url) as store:
        assert problems(store) == []


# --- what is wrong with an address ----------------------------------------------------------------


def test_a_store_that_is_not_there_is_not_made_unasked(new_postgres_url: str) -> None:
    for arguments in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreNotFoundError, match=r"schema=|another schema"):
            PostgresStore.open(new_postgres_url, **arguments)


def test_tables_of_others_are_left_alone(new_postgres_url: str) -> None:
    address = parse_address(new_postgres_url)
    with psycopg.connect(address.conninfo, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{address.schema}"')
        for table in ("theirs (x int)", "state (application text)"):
            connection.execute(f'CREATE TABLE "{address.schema}".{table}')
            with pytest.raises(NotAStoreError, match="left untouched"):
                PostgresStore.open(new_postgres_url)
        tables = connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = %s", (address.schema,)
        ).fetchone()
        assert tables == (2,)


def test_a_database_that_is_not_there_is_named_without_the_password(postgres_server: str) -> None:
    address = parse_address(postgres_server)
    url = address.conninfo.replace("//postgres@/postgres", "//postgres:hush-hush@/no_such")
    with pytest.raises(StoreNotFoundError, match=r"no_such.*createdb") as caught:
        PostgresStore.open(url)
    assert "hush" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:1/.*can be reached") as caught:
        PostgresStore.open("postgresql://ann:hush-hush@127.0.0.1:1/notes", timeout_s=2)
    assert "hush" not in str(caught.value)


def test_an_extension_that_is_too_old_is_named(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "LEAST_PGVECTOR", (99, 0, 0))
    with pytest.raises(StoreError, match=r"pgvector .* too old: clew needs 99\.0\.0.*ALTER EXT"):
        PostgresStore.open(postgres_url)


def test_who_may_not_add_the_extension_is_told_who_may(postgres_server: str) -> None:
    if "host=" not in postgres_server:
        pytest.skip("needs a server on which everybody may log in")
    address = parse_address(postgres_server)
    with psycopg.connect(address.conninfo, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS bare")
        connection.execute("DROP ROLE IF EXISTS nobody_much")
        connection.execute("CREATE DATABASE bare TEMPLATE template0")
        connection.execute("CREATE ROLE nobody_much LOGIN")
        try:
            url = address.conninfo.replace("//postgres@/postgres", "//nobody_much@/bare")
            with pytest.raises(StoreError, match="administrator run there: CREATE EXTENSION"):
                PostgresStore.open(url)
        finally:
            connection.execute("DROP DATABASE bare")
            connection.execute("DROP ROLE nobody_much")


def test_a_text_with_a_nul_is_refused_whole(postgres_url: str) -> None:
    with PostgresStore.open(postgres_url) as store:
        good = written_document("good", ["A mill."])
        with pytest.raises(StoreError, match=r"U\+0000"):
            store.commit([good, written_document("bad", ["A \0 mill."])], embedding=SPACE)
        assert store.stats()["documents"] == 0
        assert store.numbers_of("unit", ["\0"]).tolist() == [-1]
        assert store.find_entities(["\0", "\ud83d"]).indptr.tolist() == [0, 0, 0]
        assert store.select_documents(scope="\0").tolist() == []
        assert problems(store) == []


def test_read_only_writes_nothing(postgres_url: str) -> None:
    with PostgresStore.open(postgres_url) as store:
        store.commit(made_documents(5, seed=8), embedding=SPACE)
    with PostgresStore.open(postgres_url, read_only=True) as store:
        assert store.stats()["documents"] == 5
        with pytest.raises(ReadOnlyStoreError, match="read_only"):
            store.commit(delete=["x"])
        with pytest.raises(ReadOnlyStoreError):
            store.remember("d", {"k": "v"})


def test_a_closed_store_says_so(postgres_url: str) -> None:
    store = PostgresStore.open(postgres_url)
    assert store.generation >= 0
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed; open it again"):
        store.stats()


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("DELETE FROM unit_terms WHERE ctid = (SELECT min(ctid) FROM unit_terms)", "full text"),
        ("UPDATE units SET text = 'other'", "span"),
        ("DELETE FROM mentions WHERE number = (SELECT min(number) FROM mentions)", "rows"),
        ("UPDATE mentions SET unit = (SELECT max(number) FROM units)", "links"),
        ("DELETE FROM unit_vectors WHERE number = (SELECT min(number) FROM units)", "vectors"),
        ("UPDATE state SET units = units + 1", "rows"),
        ("DELETE FROM entity_keys WHERE entity = (SELECT min(number) FROM entities)", "entity"),
        ("UPDATE entity_keys SET trigrams = '{}'", "entity"),
        ("UPDATE entities SET name = 'X'", "entity"),
        ("DELETE FROM bodies", "reference"),
        ("DELETE FROM chunks", "reference"),
        ("UPDATE chunk_terms SET document = 987654", "rows"),
    ],
)
def test_the_check_finds_what_is_broken(postgres_url: str, statement: str, kind: str) -> None:
    with PostgresStore.open(postgres_url) as store:
        store.commit(made_documents(4, seed=9), embedding=SPACE)
        assert problems(store) == []
        with connect(parse_address(postgres_url), 5) as connection:
            connection.execute(statement)
        assert kind in {problem.kind for problem in store.check()}


# --- the facade and the command line --------------------------------------------------------------


def test_a_knowledge_base_in_a_database_answers_as_one_in_memory(
    postgres_url: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Norr Works was founded by Ida Moss. It bought Tveit Yard.")
    (tmp_path / "b.txt").write_text("Tveit Yard built ships. Ida Moss was born in Hagen.")
    question = "Where was the founder of the company that bought Tveit Yard born?"
    results = []
    for kb in (
        KnowledgeBase.open(postgres_url, embedding=FakeEmbedder()),
        KnowledgeBase.in_memory(embedding=FakeEmbedder()),
    ):
        with kb:
            kb.ingest(tmp_path)
            found = kb.search(question)
            results.append([(item.content, round(item.score, 4)) for item in found.items])
            assert kb.check() == []
            assert kb.delete(str(tmp_path / "a.txt")).removed["documents"] == 1
    assert results[0] == results[1]
    assert results[0]


def test_the_command_line_takes_a_url(
    postgres_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.txt").write_text("Norr Works was founded by Ida Moss.")
    monkeypatch.chdir(tmp_path)
    url = postgres_url.replace("//postgres@", "//postgres:hush-hush@")

    def clew(*arguments: str) -> str:
        with suppress(SystemExit):
            main([*arguments, "--store", url, "--set", "embedding_model=none"])
        said = capsys.readouterr()
        assert "hush" not in said.out + said.err
        return said.out

    assert "***" in clew("ingest", "a.txt")
    stats = json.loads(clew("stats", "--json"))
    assert (stats["documents"], stats["chunks"]) == (1, 1)
    assert json.loads(clew("ask", "Who founded Norr Works?", "--json"))["answer"] == "Ida Moss"
    assert "all is well" in clew("check")
    monkeypatch.setenv("CLEW_STORE", url)
    with suppress(SystemExit):
        main(["stats", "--json"])
    assert json.loads(capsys.readouterr().out) == stats
    assert [item.name for item in tmp_path.iterdir()] == ["a.txt"]


def test_what_cannot_be_opened_fails_by_name(
    new_postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="1"):
        main(["stats", "--store", new_postgres_url])
    assert "no store in the schema" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="1"):
        main(["stats", "--store", "mysql://ann:hush-hush@h/d"])
    said = capsys.readouterr().err
    assert "no store has such addresses" in said
    assert "hush" not in said
