"""The constants of answering, with where each comes from.

``RANKER`` was fitted by ``benchmarks/answers/fit.py`` on the tuning sets alone: questions of
HotpotQA, MuSiQue and 2WikiMultiHopQA that no test set holds, and one-hop questions made of triples
of the MuSiQue tuning corpus; the script prints these lines. All other constants are set by hand on
invented texts (``tests/unit/answering``), for what no tuning set asks: times that a fact holds,
roles, units of measure, chains that explain a whole question.
"""

from __future__ import annotations

RANKER: dict[str, float] = {
    "kind": 1.749,
    "kind_unknown": -0.234,
    "kind_wrong": -1.736,
    "said": -0.339,
    "held": 0.190,
    "near": -2.588,
    "near_wh": 3.500,
    "near_rare": 5.170,
    "part_in_question": 1.059,
    "own_topic": 0.187,
    "other_topic": 0.731,
    "topic_asked": 0.120,
    "linked": 0.877,
    "linked_from_asked": 1.109,
    "shared_name": 0.190,
    "shared_span": -0.407,
    "focus_inside": 0.810,
    "after_in": 0.164,
    "length": 0.473,
    "is_date": 0.159,
    "is_year": 0.303,
    "is_quantity": 0.198,
    "is_pair": -0.452,
    "is_quoted": 0.624,
    "is_chunk": -1.325,
    "chunk_whole": 0.206,
    "year_asked": 0.441,
    "measure_unit": -0.146,
    "demonym_asked": -0.071,
    "rank": 0.386,
    "first_sentence": 0.399,
    "frequency": -0.473,
    "chain": 1.308,
    "chain_loose": 1.747,
    "bridge": -0.285,
    "region": 0.360,
    "defined": 1.653,
    "sort": 1.812,
    "sort_wrong": 0.031,
    "partial_name": 0.082,
    "modifier": -0.415,
    "value_unasked": -0.986,
    "single_near": -0.015,
    "single_best": 0.814,
    "unit_rank": 0.531,
    "best_unit": 0.171,
    "on_path": 0.066,
    "instance": 6.378,
    "no_instance": -0.768,
    "reading": -0.277,
    "reading_doubt": -0.977,
    "reading_steps": 0.426,
    "reading_about": -0.568,
    "reading_apart": 2.854,
}

BY_HAND: dict[str, float] = {
    "role": 1.0,
    "role_other": -2.0,
    "unit_is_focus": 2.0,
    "single_gap": -1.5,
    "called": 2.0,
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
