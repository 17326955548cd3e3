"""The flat configuration: every key validated, every loader, every error named."""

from __future__ import annotations

import json
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from clew.config import ClewConfig, settings_from_file, settings_from_texts
from clew.errors import ConfigError
from clew.settings import rule_of

REFERENCE_DEFAULTS = {
    "chunk_size": 1000,
    "chunk_overlap": 200,
    "chunk_strategy": "recursive",
    "chunk_separators": None,
    "ku_extraction_prompt": None,
    "ku_max_units_per_chunk": 50,
    "ku_batch_size": 10,
    "ku_concurrency": 1,
    "vocab_min_term_freq": 2,
    "vocab_max_terms_per_llm_call": 500,
    "entity_extraction_prompt": None,
    "entity_merge_similar": True,
    "entity_types": None,
    "deduplicate_entities": True,
    "min_entity_occurrences": 1,
    "embedding_batch_size": 100,
    "embedding_concurrency": 1,
    "embedding_dimensions": None,
    "query_entity_prompt": None,
    "anchor_top_k": 10,
    "entity_match_threshold": 0.8,
    "traversal_depth": 2,
    "beam_size": 10,
    "query_update_weight": 1.0,
    "max_kus_per_depth": 50,
    "result_top_n": 6,
    "min_score_threshold": 0.0,
    "group_by_chunk": True,
    "verbose": False,
}


@pytest.mark.parametrize(("key", "value"), REFERENCE_DEFAULTS.items())
def test_keys_that_users_know_keep_their_defaults(key: str, value: object) -> None:
    assert getattr(ClewConfig(), key) == value


def test_every_setting_says_what_it_means() -> None:
    for item in fields(ClewConfig):
        assert len(rule_of(item).help) > 10, item.name


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"chunk_sise": 800}, "did you mean 'chunk_size'"),
        ({"chunk_size": 0}, "the least is 1"),
        ({"chunk_size": "800"}, "must be a whole number"),
        ({"chunk_size": True}, "must be a whole number"),
        ({"chunk_size": None}, "must not be None"),
        ({"chunk_size": 100, "chunk_overlap": 100}, "must be smaller than chunk_size"),
        ({"chunk_overlap": -1}, "the least is 0"),
        ({"ku_extraction_method": "lm"}, "did you mean 'llm'"),
        ({"score_aggregation": "average"}, "is not one of mean, max, sum"),
        ({"entity_match_threshold": 1.5}, "the most is 1"),
        ({"query_update_weight": float("nan")}, "must be a number"),
        ({"ku_extraction_prompt": "Read this."}, "must contain {text_chunk}"),
        ({"entity_extraction_prompt": "Read this."}, "must contain {text}"),
        ({"query_entity_prompt": "Read this."}, "must contain {query}"),
        ({"chunk_separators": "\n\n"}, "must be a list of texts"),
        ({"on_progress": 3}, "must be a callable"),
        ({"verbose": "yes"}, "must be true or false"),
    ],
)
def test_bad_values_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match="(?s)" + _literal(message)) as caught:
        ClewConfig.from_dict(values)
    assert next(iter(values)) in str(caught.value)


def _literal(text: str) -> str:
    return "".join("\\" + sign if sign in "{}()." else sign for sign in text)


def test_config_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="chunk_size"):
        ClewConfig(chunk_size=-5)


def test_round_trip_through_json_and_yaml(tmp_path: Path) -> None:
    config = ClewConfig(
        chunk_size=777,
        chunk_separators=("\n\n", ". "),
        entity_types=("PERSON",),
        ku_extraction_prompt='Return {"units": []} for {text_chunk}',
        retrieval_method="dense",
    )
    path = tmp_path / "clew.json"
    config.to_json(path)
    assert ClewConfig.from_json(path) == config
    assert ClewConfig.from_json(config.to_json()) == config
    assert ClewConfig.from_dict(config.to_dict()) == config
    yaml = tmp_path / "clew.yaml"
    yaml.write_text("chunk_size: 777\nentity_types: [PERSON]\n", encoding="utf-8")
    assert ClewConfig.from_yaml(yaml) == ClewConfig(chunk_size=777, entity_types=("PERSON",))
    assert ClewConfig.from_yaml("chunk_size: 777\n") == ClewConfig(chunk_size=777)


def test_empty_yaml_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("", encoding="utf-8")
    assert ClewConfig.from_yaml(path) == ClewConfig()


@pytest.mark.parametrize(
    ("text", "message"), [("{", "not valid JSON"), ("[1]", "expected settings by name")]
)
def test_broken_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message) as caught:
        ClewConfig.from_json(path)
    assert "bad.json" in str(caught.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no configuration file at"):
        ClewConfig.from_yaml(tmp_path / "nothing.yaml")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bytes.yaml", b"\xff\xfe\x00", "not text in UTF-8"),
        ("twice.yaml", b"top_n: 1\ntop_n: 2\n", "'top_n' stands in line 1 and again in line 2"),
        ("folder.yaml", None, "cannot be read"),
        ("unknown.yaml", b"chunk_sise: 3", "did you mean 'chunk_size'"),
        ("wrong.yaml", b"chunk_size: many", "chunk_size='many' must be a whole number"),
        ("wrong.json", b'{"chunk_size": 1.5}', "chunk_size=1.5 must be a whole number"),
        ("cut.json", b'{"chunk_size": ', "line 1: not valid JSON"),
    ],
)
def test_whatever_is_wrong_with_a_file_is_told_with_its_name(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    read = ClewConfig.from_json if path.suffix == ".json" else ClewConfig.from_yaml
    with pytest.raises(ConfigError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)


def test_a_file_gives_what_it_sets_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("chunk_size: 1000\n", encoding="utf-8")
    assert settings_from_file(path) == {"chunk_size": 1000}
    other = tmp_path / "c.json"
    other.write_text('{"beam_size": 3}', encoding="utf-8")
    assert settings_from_file(other) == {"beam_size": 3}
    path.write_text("beam: 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"c\.yaml: unknown setting 'beam'"):
        settings_from_file(path)


def test_texts_are_read_by_the_type_of_their_setting() -> None:
    texts = {"chunk_size": "1000", "group_by_chunk": "no", "embedding_threads": "none"}
    assert settings_from_texts(texts) == {
        "chunk_size": 1000,
        "group_by_chunk": False,
        "embedding_threads": None,
    }


def test_an_empty_scope_is_none() -> None:
    with pytest.raises(ConfigError, match="scope must not be empty"):
        ClewConfig(scope="")


_OF_THEIR_OWN_FORM: dict[str, Any] = {
    "chunk_separators": ("|", ". "),
    "chunk_strategy": "sentence",
    "embedding_model": "none",
    "entailment_model": "org/model",
    "entity_extraction_prompt": "a {text}",
    "entity_types": ("PERSON", "ORG"),
    "ku_extraction_prompt": "a {text_chunk}",
    "llm_budget": "25%",
    "llm_model": "ollama:llama3",
    "ontology": "none",
    "query_entity_prompt": "a {query}",
    "reranker_model": "org/model",
}


def _another_value(item: Field[Any]) -> Any:
    """One that the setting may have and does not have by itself."""
    rule, default = rule_of(item), item.default
    if item.name in _OF_THEIR_OWN_FORM:
        return _OF_THEIR_OWN_FORM[item.name]
    if rule.choices:
        return next(choice for choice in reversed(rule.choices) if choice != default)
    if isinstance(default, bool):
        return not default
    if isinstance(default, int):
        return default + 1
    if isinstance(default, float):
        return default / 2 or 0.25
    kinds = get_args(get_type_hints(ClewConfig)[item.name])
    return 1 if int in kinds else 0.5 if float in kinds else "other"


@pytest.mark.parametrize(
    "item",
    [item for item in fields(ClewConfig) if item.name in ClewConfig().to_dict()],
    ids=lambda item: item.name,
)
def test_every_field_can_come_from_the_environment(item: Field[Any]) -> None:
    value = _another_value(item)
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    config = ClewConfig.from_env(environment={f"CLEW_{item.name.upper()}": text})
    assert config == ClewConfig(**{item.name: value})
    assert config != ClewConfig()


def test_environment_reads_lists_booleans_and_none() -> None:
    config = ClewConfig.from_env(
        environment={
            "CLEW_CHUNK_SEPARATORS": "\\n\\n,. ",
            "CLEW_GROUP_BY_CHUNK": "no",
            "CLEW_EMBEDDING_DIMENSIONS": "none",
            "OTHER_CHUNK_SIZE": "3",
        }
    )
    assert config.chunk_separators == ("\n\n", ". ")
    assert config.group_by_chunk is False
    assert config.embedding_dimensions is None
    assert config.chunk_size == 1000


def test_short_names_of_prompts() -> None:
    config = ClewConfig.from_env(
        environment={
            "CLEW_KU_PROMPT": "units of {text_chunk}",
            "CLEW_ENTITY_PROMPT": "names in {text}",
            "CLEW_QUERY_ENTITY_PROMPT": "names in {query}",
        }
    )
    assert config.ku_extraction_prompt == "units of {text_chunk}"
    assert config.entity_extraction_prompt == "names in {text}"
    assert config.query_entity_prompt == "names in {query}"


def test_a_misspelt_variable_is_an_error_and_a_foreign_one_is_not() -> None:
    with pytest.raises(ConfigError, match="did you mean 'chunk_size'"):
        ClewConfig.from_env(environment={"CLEW_CHUNK_SISE": "3"})
    with pytest.raises(ConfigError, match=r"CLEW_STOR; did you mean 'store'"):
        ClewConfig.from_env(environment={"CLEW_STOR": "x"})
    assert ClewConfig.from_env(environment={"CLEW_STORE": "x", "CLEW_ZZ": "1"}) == ClewConfig()


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("CLEW_CHUNK_SIZE", "many"),
        ("CLEW_VERBOSE", "perhaps"),
        ("CLEW_ENTITY_MATCH_THRESHOLD", "x"),
    ],
)
def test_unreadable_variables_are_named(variable: str, text: str) -> None:
    with pytest.raises(ConfigError, match=variable):
        ClewConfig.from_env(environment={variable: text})


def test_callbacks_are_kept_in_code_and_left_out_of_files() -> None:
    calls: list[tuple[int, int, str]] = []
    config = ClewConfig(on_progress=lambda *call: calls.append(call))
    assert config.on_progress is not None
    config.on_progress(1, 2, "index")
    assert calls == [(1, 2, "index")]
    assert "on_progress" not in json.loads(config.to_json())
    with pytest.raises(ConfigError, match="set it in code"):
        ClewConfig.from_env(environment={"CLEW_ON_PROGRESS": "print"})


def test_replace_checks_like_new() -> None:
    config = ClewConfig().replace(chunk_size=500)
    assert config.chunk_size == 500
    with pytest.raises(ConfigError, match="chunk_overlap"):
        config.replace(chunk_overlap=500)
