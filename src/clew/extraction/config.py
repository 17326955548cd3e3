"""Settings of the extraction stage: units, entities and how names are resolved."""

from __future__ import annotations

from dataclasses import dataclass

from clew.extraction.llm_budget import llm_budget
from clew.graph.ontology.schema import named_ontology
from clew.settings import check_settings, setting

METHODS = ("sentence", "vocabulary", "llm")
RECOGNISERS = ("auto", "rules", "spacy", "llm")


def _check_ontology(_: str, value: str) -> None:
    named_ontology(value)


@dataclass(frozen=True, kw_only=True)
class ExtractionConfig:
    ku_extraction_method: str | None = setting(
        None,
        "How knowledge units are made; None is 'llm' when a model is given, otherwise 'sentence'.",
        choices=METHODS,
    )
    ku_extraction_prompt: str | None = setting(
        None, "Prompt template of the 'llm' method.", placeholder="{text_chunk}"
    )
    ku_max_units_per_chunk: int = setting(50, "Most units taken from one chunk.", minimum=1)
    ku_batch_size: int = setting(10, "Chunks in one model call.", minimum=1)
    ku_concurrency: int = setting(1, "Model calls at the same time.", minimum=1)
    vocab_min_term_freq: int = setting(
        2, "How often a candidate term must occur in the corpus.", minimum=1
    )
    vocab_max_terms_per_llm_call: int = setting(
        500, "Candidate terms in one model call of the 'vocabulary' method.", minimum=1
    )
    entity_extraction_prompt: str | None = setting(
        None, "Prompt template of entity extraction by a model.", placeholder="{text}"
    )
    entity_extraction_method: str = setting(
        "auto",
        "Who finds names: 'rules' needs nothing, 'spacy' an installed model, 'llm' a model; "
        "'auto' takes 'rules', and inside the llm method what the model names too.",
        choices=RECOGNISERS,
    )
    entity_merge_similar: bool = setting(
        True, "Join the names of one thing within a document ('Dr Jane T. Roe', 'J. Roe')."
    )
    entity_types: tuple[str, ...] | None = setting(None, "Keep only entities of these types.")
    deduplicate_entities: bool = setting(
        True, "One entity for equal names across documents; False keeps them apart by document."
    )
    min_entity_occurrences: int = setting(
        1, "Drop entities that fewer units of a document mention.", minimum=1
    )
    llm_budget: str | None = setting(
        None,
        "How much of the text the 'llm' method asks the model about: a share (25%) or what an "
        "amount buys (5 USD) by the reckoning of a plan, the chunks that are worth most first; the "
        "rest are sentences. No run spends more than the amount. None is all.",
        check=llm_budget,
    )
    ontology: str = setting(
        "default",
        "What facts may say, and in which words: 'default' knows common relations; 'none'; or the "
        "path of a YAML file of entity types and predicates.",
        check=_check_ontology,
    )

    def __post_init__(self) -> None:
        check_settings(self)
