"""The constants of answering, with where each comes from.

``RANKER`` was fitted by ``benchmarks/answers/fit.py`` on the tuning sets alone (HotpotQA, MuSiQue
and 2WikiMultiHopQA questions that no test set holds); the script prints these lines. The constants
of ``TIME`` and ``RIVAL`` are set by hand on invented texts (``tests/unit/answering``): no tuning
set holds such questions.
"""

from __future__ import annotations

RANKER: dict[str, float] = {
    "kind": 2.329,
    "kind_unknown": -0.261,
    "kind_wrong": -2.337,
    "said": 0.775,
    "held": -0.623,
    "near": -9.494,
    "near_wh": 6.868,
    "near_rare": 9.865,
    "in_question": -0.237,
    "part_in_question": -1.118,
    "own_topic": 0.134,
    "other_topic": 1.056,
    "topic_asked": -0.572,
    "linked": 0.958,
    "linked_from_asked": 1.241,
    "shared_name": 0.618,
    "shared_span": -0.085,
    "focus_inside": 2.364,
    "focus_near": -0.297,
    "unit_is_focus": 0.215,
    "role": -0.007,
    "role_other": -0.445,
    "after_by": 0.056,
    "after_in": 0.417,
    "cue_touches": 0.162,
    "length": 0.718,
    "is_date": -1.036,
    "is_year": -0.013,
    "is_quantity": -0.442,
    "is_pair": -1.187,
    "is_quoted": -0.297,
    "is_chunk": -2.122,
    "chunk_whole": 0.459,
    "year_asked": 1.067,
    "measure_unit": 0.402,
    "demonym_asked": 0.214,
    "rank": 1.079,
    "first_sentence": 0.369,
    "frequency": -0.225,
    "kind_x_said": -0.349,
    "kind_x_near_wh": -0.643,
    "kind_x_shared": -0.769,
    "kind_x_rank": 0.043,
    "chain": 4.003,
    "chain_loose": 1.621,
    "bridge": 0.308,
    "region": 1.012,
    "kind_x_bridge": 1.375,
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

STRENGTH_BIAS = -6.0
STRENGTH_COVERED = 5.0
STRENGTH_NAMES = 2.5
STRENGTH_KIND = 1.0
STRENGTH_CERTAIN = 1.0
