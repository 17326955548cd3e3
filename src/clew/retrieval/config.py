"""Settings of the retrieval stage."""

from __future__ import annotations

from dataclasses import dataclass

from clew.settings import check_settings, setting

METHODS = ("linked", "qiter", "ppr", "hybrid", "dense", "bm25")
AGGREGATIONS = ("mean", "max", "sum")


@dataclass(frozen=True, kw_only=True)
class RetrievalConfig:
    retrieval_method: str = setting("linked", "How evidence is found.", choices=METHODS)
    retrieval_weights: str | None = setting(
        None,
        "File of constants that `clew bench fit` wrote, for the linked and hybrid methods; None is "
        "those that come with clew.",
    )
    query_entity_prompt: str | None = setting(
        None,
        "Prompt template that asks a model for the entities of a question.",
        placeholder="{query}",
    )
    anchor_top_k: int = setting(10, "Units that anchor a search by similarity.", minimum=1)
    entity_match_threshold: float = setting(
        0.8,
        "Least similarity, of letters or of meaning, at which a name that the question writes "
        "otherwise still matches; at 1 no such name does.",
        minimum=0.0,
        maximum=1.0,
    )
    traversal_depth: int = setting(2, "Hops through the graph.", minimum=0, maximum=10)
    beam_size: int = setting(10, "Paths kept at each hop.", minimum=1)
    query_update_weight: float = setting(
        1.0,
        "How much of what a step has answered is taken off the query (0 none, 1 all).",
        minimum=0.0,
        maximum=1.0,
    )
    max_kus_per_depth: int = setting(50, "Units collected at each hop, at most.", minimum=1)
    result_top_n: int = setting(6, "Results returned.", minimum=1)
    min_score_threshold: float = setting(
        0.0, "Results below this score are left out.", minimum=0.0, maximum=1.0
    )
    group_by_chunk: bool = setting(True, "Return whole chunks; False returns the units themselves.")
    score_aggregation: str = setting(
        "max", "How the scores of a chunk's units make its score.", choices=AGGREGATIONS
    )
    rerank_top_n: int = setting(
        50,
        "Results of the first stage that a reranker reads again; 0 leaves it out.",
        minimum=0,
    )
    rerank_weight: float = setting(
        0.5,
        "The reranker's part in the score of what it reads (0 none, 1 all).",
        minimum=0.0,
        maximum=1.0,
    )

    def __post_init__(self) -> None:
        check_settings(self)
