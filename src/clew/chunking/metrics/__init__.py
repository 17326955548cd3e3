"""How good a way to cut a text is, by the text alone: eleven metrics and sentence integrity.

Each is 0–1, None where it does not apply, and linear in the text by prefix sums and binary search.
"""

from clew.chunking.metrics.analysis import Analysis
from clew.chunking.metrics.config import LIFT, PAPER, MetricConfig, MetricWeights
from clew.chunking.metrics.evaluator import (
    IntrinsicMetricEvaluator,
    MetricScore,
    error_of,
    score_of,
)
from clew.chunking.metrics.plan import Plan

__all__ = [
    "LIFT",
    "PAPER",
    "Analysis",
    "IntrinsicMetricEvaluator",
    "MetricConfig",
    "MetricScore",
    "MetricWeights",
    "Plan",
    "error_of",
    "score_of",
]
