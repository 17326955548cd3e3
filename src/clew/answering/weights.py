"""The constants of answering, with where each comes from.

``RANKER`` was fitted by ``benchmarks/answers/fit.py`` on the tuning sets alone (HotpotQA, MuSiQue
and 2WikiMultiHopQA questions that no test set holds); the script prints these lines. The constants
of ``TIME`` and ``RIVAL`` are set by hand on invented texts (``tests/unit/answering``): no tuning
set holds such questions.
"""

from __future__ import annotations

RANKER: dict[str, float] = {
    "kind": 2.705,
    "kind_unknown": 0.317,
    "kind_wrong": -2.015,
    "said": 0.546,
    "held": -0.690,
    "near": -8.121,
    "near_wh": 7.662,
    "near_rare": 6.141,
    "part_in_question": -1.422,
    "own_topic": -0.044,
    "other_topic": 0.777,
    "topic_asked": -0.075,
    "linked": 0.831,
    "linked_from_asked": 1.667,
    "shared_name": 0.403,
    "shared_span": -0.644,
    "focus_inside": 1.345,
    "unit_is_focus": 0.235,
    "role": 0.357,
    "role_other": -0.360,
    "after_in": 0.322,
    "length": 0.990,
    "is_date": -0.856,
    "is_year": 0.220,
    "is_quantity": 0.190,
    "is_pair": -0.904,
    "is_quoted": 0.846,
    "is_chunk": -2.362,
    "chunk_whole": 0.765,
    "year_asked": 0.887,
    "measure_unit": 0.405,
    "demonym_asked": -0.015,
    "rank": -0.044,
    "first_sentence": 0.595,
    "frequency": -0.131,
    "chain": 3.710,
    "chain_loose": 1.324,
    "bridge": 1.134,
    "region": 0.866,
    "defined": 1.427,
    "sort": 1.964,
    "sort_wrong": 0.223,
    "partial_name": 0.098,
    "modifier": -0.590,
    "value_unasked": -1.489,
    "single_near": 1.608,
    "single_best": 1.608,
    "single_gap": -1.445,
    "unit_rank": 0.986,
    "best_unit": 0.066,
    "on_path": -0.105,
}

TIME_HOLDS = 2.0
TIME_COINCIDES = 0.5
TIME_EXCLUDES = 6.0
FORMER = 2.0
LATEST = 1.5
ROLE_AGREES = 1.0
ROLE_DISAGREES = 2.0
COUNTED_NOUN = 2.0
SAID_ELSEWHERE = 1.5
CHAIN_TRUST = 3.0
ONLY_REPEATS = 4.0
SAME_PREPOSITION = 1.5
EDGE_REPEATS = 2.0
DIMENSION_FITS = 2.0
DIMENSION_DIFFERS = 5.0

RIVAL_MARGIN = 1.5
"""A rival must score within this of the answer to count as equally supported."""

STRENGTH = {
    "bias": -6.2,
    "covered": 4.0,
    "names": 2.5,
    "predicate": 0.8,
    "unsaid": -1.5,
    "broken": -2.0,
    "apart": -2.5,
    "kind": 0.6,
    "certain": 1.5,
    "rule": 0.2,
}
"""Set by hand beside a logistic fit on the tuning sets (``benchmarks/answers/calibrate.py --fit``),
which gives ``unsaid`` and ``broken`` little weight: they are rare there, and what tells a question
that a short text leaves open, where one verb that is said nowhere must be enough to refuse.
"""
