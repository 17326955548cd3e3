"""The constants of answering, with where each comes from.

``RANKER`` was fitted by ``benchmarks/answers/fit.py`` on the tuning sets alone: questions of
HotpotQA, MuSiQue and 2WikiMultiHopQA that no test set holds, and one-hop questions made of triples
of the MuSiQue tuning corpus; the script prints these lines. All other constants are set by hand on
invented texts (``tests/unit/answering``), for what no tuning set asks: times that a fact holds,
roles, units of measure, chains that explain a whole question.
"""

from __future__ import annotations

RANKER: dict[str, float] = {
    "kind": 2.164,
    "kind_unknown": -0.182,
    "kind_wrong": -1.882,
    "said": -0.022,
    "held": -0.036,
    "near": -3.614,
    "near_wh": 4.230,
    "near_rare": 5.360,
    "part_in_question": 0.614,
    "own_topic": 0.029,
    "other_topic": 0.695,
    "topic_asked": 0.030,
    "linked": 0.805,
    "linked_from_asked": 1.648,
    "shared_name": 0.241,
    "shared_span": -0.506,
    "focus_inside": 0.830,
    "after_in": 0.179,
    "length": 0.669,
    "is_date": -0.072,
    "is_year": 0.262,
    "is_quantity": 0.207,
    "is_pair": -0.621,
    "is_quoted": 0.817,
    "is_chunk": -1.829,
    "chunk_whole": 0.171,
    "year_asked": 0.485,
    "measure_unit": -0.123,
    "demonym_asked": -0.144,
    "rank": 0.406,
    "first_sentence": 0.493,
    "frequency": -0.422,
    "chain": 1.195,
    "chain_loose": 1.709,
    "bridge": 0.196,
    "region": 0.391,
    "defined": 2.005,
    "sort": 2.194,
    "sort_wrong": 0.208,
    "partial_name": 0.251,
    "modifier": -0.453,
    "value_unasked": -1.382,
    "single_near": 0.427,
    "single_best": 1.154,
    "unit_rank": 0.600,
    "best_unit": 0.222,
    "on_path": 0.079,
    "instance": 7.040,
    "no_instance": -0.390,
    "reading": -0.272,
    "reading_doubt": -0.817,
    "reading_steps": -0.311,
    "reading_about": -0.464,
    "reading_apart": 2.417,
}

BY_HAND: dict[str, float] = {
    "role": 1.35,
    "role_other": -2.35,
    "unit_is_focus": 2.2,
    "single_gap": -2.0,
    "called": 3.1,
}
"""Features that the tuning sets say little about, and questions of other kinds much: who does what
to whom, what is counted, what is called so, and that a sentence says less than another does.
"""

TIME_HOLDS = 2.0
TIME_COINCIDES = 0.5
TIME_EXCLUDES = 6.0
FORMER = 2.0
LATEST = 1.5
OTHER_SORT = 4.0
OTHER_VERB = 4.0
OTHER_PART = 8.0
PLACE_FOR_PERSON = 1.0
CHAIN_TRUST = 5.0
ONLY_REPEATS = 4.0
NAMES_IN_FULL = 2.0
ONLY_DESCRIBED = 4.0
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

BESIDE = 0.3
"""What is left of the strength of what cannot be an answer: under the threshold, and still the more
the more of the question is there.
"""
