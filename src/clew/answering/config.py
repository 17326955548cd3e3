"""Settings of the answering stage."""

from __future__ import annotations

from dataclasses import dataclass

from clew.settings import check_settings, setting

QUALITY_MODES = ("cheap", "balanced", "quality")
ANSWER_METHODS = ("auto", "extractive", "llm")


@dataclass(frozen=True, kw_only=True)
class AnsweringConfig:
    quality_mode: str = setting(
        "balanced",
        "How much is read and spent: for an answer, and by a language model in extraction (tokens "
        "of a reply, and how often an unclear one is asked for again). Documents that did not "
        "change are not read again because of it.",
        choices=QUALITY_MODES,
    )
    include_source_text: bool = setting(False, "Return the text of the sources with the answer.")
    max_source_chars: int = setting(1200, "Most characters of source text returned.", minimum=0)
    answer_method: str = setting(
        "auto",
        "Who writes answers: 'extractive' reads them from the text; 'llm' has a model write them; "
        "'auto' takes the model where there is one.",
        choices=ANSWER_METHODS,
    )
    unsupported_sentences: str = setting(
        "remove",
        "What becomes of a sentence of a model that its citations do not bear out: 'remove', or "
        "'flag' to keep it, without a citation, among the doubts.",
        choices=("remove", "flag"),
    )
    entailment_threshold: float = setting(
        0.5,
        "With an entailment_model: a sentence is unsupported when the model finds less than this "
        "that the cited text bears it out.",
        minimum=0.0,
        maximum=1.0,
    )
    abstention_threshold: float = setting(
        0.35, "Evidence below this strength gives no answer.", minimum=0.0, maximum=1.0
    )

    def __post_init__(self) -> None:
        check_settings(self)
