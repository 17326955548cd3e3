"""The constants of answering, with where each comes from.

``RANKER`` was fitted by ``benchmarks/answers/fit.py`` on the tuning sets alone: questions of
HotpotQA, MuSiQue and 2WikiMultiHopQA that no test set holds, and one-hop questions made of triples
of the MuSiQue tuning corpus; the script prints these lines. All other constants are set by hand on
invented texts (``tests/unit/answering``), for what no tuning set asks: times that a fact holds,
roles, units of measure, chains that explain a whole question.
"""

from __future__ import annotations

RANKER: dict[str, float] = {
    "kind": 2.751,
    "kind_unknown": 0.343,
    "kind_wrong": -1.982,
    "said": 0.550,
    "held": -0.692,
    "near": -8.083,
    "near_wh": 7.631,
    "near_rare": 6.136,
    "part_in_question": -1.421,
    "own_topic": -0.047,
    "other_topic": 0.775,
    "topic_asked": -0.074,
    "linked": 0.830,
    "linked_from_asked": 1.668,
    "shared_name": 0.403,
    "shared_span": -0.642,
    "focus_inside": 1.343,
    "unit_is_focus": 0.229,
    "role": 0.355,
    "role_other": -0.358,
    "after_in": 0.302,
    "length": 0.993,
    "is_date": -0.867,
    "is_year": 0.219,
    "is_quantity": 0.195,
    "is_pair": -0.904,
    "is_quoted": 0.848,
    "is_chunk": -2.355,
    "chunk_whole": 0.763,
    "year_asked": 0.889,
    "measure_unit": 0.405,
    "demonym_asked": -0.018,
    "rank": -0.046,
    "first_sentence": 0.592,
    "frequency": -0.135,
    "chain": 3.706,
    "chain_loose": 1.329,
    "bridge": 1.133,
    "region": 0.863,
    "defined": 1.425,
    "called": 1.114,
    "sort": 1.961,
    "sort_wrong": 0.217,
    "partial_name": 0.100,
    "modifier": -0.585,
    "value_unasked": -1.493,
    "single_near": 1.595,
    "single_best": 1.610,
    "single_gap": -1.441,
    "unit_rank": 0.992,
    "best_unit": 0.065,
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
CALLED_SO = 2.0
OTHER_SORT = 4.0
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
    "names": 3.2,
    "predicate": 0.3,
    "unsaid": -1.5,
    "broken": -2.0,
    "apart": -2.5,
    "kind": 0.0,
    "certain": 1.8,
    "rule": 0.2,
}
"""Between values set by hand and a logistic fit on the tuning sets, each question asked with its
evidence and without it (``benchmarks/answers/calibrate.py --fit``; ``abstention.py`` measures it).
The fit gives ``unsaid`` and ``broken`` little weight: they are rare there, and what tells a
question that a short text leaves open, where one verb that is said nowhere must be enough to
refuse.
"""
