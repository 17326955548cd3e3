"""The constants of answering, with where each comes from.

``RANKER`` was fitted by ``benchmarks/answers/fit.py`` on the tuning sets alone (HotpotQA, MuSiQue
and 2WikiMultiHopQA questions that no test set holds); the script prints these lines. The constants
of ``TIME`` and ``RIVAL`` are set by hand on invented texts (``tests/unit/answering``): no tuning
set holds such questions.
"""

from __future__ import annotations

RANKER: dict[str, float] = {
    "kind": 1.950,
    "kind_unknown": -0.034,
    "kind_wrong": -2.700,
    "said": -0.402,
    "held": -0.523,
    "near": -11.205,
    "near_wh": 10.330,
    "near_rare": 9.225,
    "in_question": -1.442,
    "part_in_question": -1.074,
    "own_topic": -0.289,
    "other_topic": 1.579,
    "topic_asked": -0.931,
    "linked": 0.866,
    "linked_from_asked": 1.401,
    "shared_name": 0.605,
    "shared_span": 0.008,
    "focus_inside": 2.155,
    "focus_near": -0.020,
    "unit_is_focus": 0.636,
    "role": 0.261,
    "role_other": -0.458,
    "after_by": 0.469,
    "after_in": 0.311,
    "cue_touches": -0.052,
    "length": 0.640,
    "is_date": -0.857,
    "is_year": 0.168,
    "is_quantity": -0.314,
    "is_pair": -1.116,
    "is_quoted": 0.765,
    "is_chunk": -2.204,
    "chunk_whole": 0.377,
    "year_asked": 0.985,
    "measure_unit": 1.098,
    "demonym_asked": -0.369,
    "rank": 1.112,
    "first_sentence": 0.463,
    "frequency": -0.343,
    "kind_x_said": 1.237,
    "kind_x_near_wh": -1.711,
    "kind_x_shared": -1.336,
    "kind_x_rank": 0.202,
    "chain": 3.950,
    "chain_loose": 1.683,
    "bridge": 0.390,
    "region": 0.932,
    "kind_x_bridge": 1.886,
    "defined": 1.597,
    "sort": 1.408,
    "sort_wrong": -0.282,
    "partial_name": -0.073,
    "modifier": -0.612,
    "value_unasked": -1.243,
}

TIME_HOLDS = 3.0
TIME_EXCLUDES = 6.0
FORMER = 2.0
LATEST = 1.5
ROLE_AGREES = 1.0
ROLE_DISAGREES = 2.0
COUNTED_NOUN = 2.0

RIVAL_MARGIN = 1.5
"""A rival must score within this of the answer to count as equally supported."""

STRENGTH = {
    "bias": -5.8,
    "covered": 4.0,
    "names": 2.5,
    "predicate": 0.8,
    "unsaid": -1.5,
    "broken": -2.0,
    "kind": 0.6,
    "certain": 1.5,
    "rule": 0.2,
}
"""Set by hand beside a logistic fit on the tuning sets (``benchmarks/answers/calibrate.py --fit``),
which gives ``unsaid`` and ``broken`` little weight: they are rare there, and what tells a question
that a short text leaves open, where one verb that is said nowhere must be enough to refuse.
"""
