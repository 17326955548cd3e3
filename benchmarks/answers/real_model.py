"""Answers that a real model writes, asked over HTTP: EM, F1, and citations before and after checks.

::

    python -m benchmarks.answers.real_model openai:MODEL@http://127.0.0.1:8089/v1 [--sets SET …]

The first questions of each set (default: 50 of each set under ``eval/``, to report only) are asked
of what the pipeline finds among all passages. A citation is right when its piece is of a passage
that answers the question, or holds a right answer. *Before*: every number in the model's reply, a
number of no piece being wrong; *after*: what is left of them when the sentences were held against
what they cite. ``read`` are answers that were read from the text because the model did not know or
failed.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from benchmarks.answers.passages import EVAL_SETS, Asked, QuestionSet

from clew.answering.synthesis.answerer import SynthesisAnswerer
from clew.answering.synthesis.reading import read_answer
from clew.config import ClewConfig, settings_from_texts
from clew.evaluation.answers import exact_match, normalise, token_f1
from clew.models.base import LLM, Completion, Message
from clew.models.default import default_llm
from clew.results import Answer

_PIECE = re.compile(r'<piece number="(\d+)" document="([^"]*)"[^>]*>\n(.*?)\n</piece>', re.DOTALL)


class Recorded:
    """A model, and the last prompt and reply that went through it."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self.fingerprint = llm.fingerprint
        self.prompt = self.reply = ""

    def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        self.prompt, self.reply = messages[-1].content, ""
        completion = self._llm.complete(messages, **options)
        self.reply = completion.text
        return completion

    def cited(self) -> list[tuple[str, str] | None]:
        """Document and text of each citation in the reply; None for one of nothing."""
        pieces = {
            number: (document, text) for number, document, text in _PIECE.findall(self.prompt)
        }
        sentences = read_answer(self.reply).sentences
        return [pieces.get(str(number)) for one in sentences for number in one.cites]


@dataclass(frozen=True)
class Scored:
    answer: Answer
    em: float
    f1: float
    before: list[bool]
    after: list[bool]
    seconds: float
    tokens: int

    @property
    def is_read(self) -> bool:
        return self.answer.trace.get("method") != "llm"


def main() -> None:
    options = _options()
    os.environ.setdefault("OPENAI_API_KEY", "none")
    settings = {"llm_timeout_s": "900", **dict(options.settings)}
    config = ClewConfig.from_dict(settings_from_texts(settings) | {"llm_model": options.llm})
    llm = default_llm(config)
    assert llm is not None, "a model is needed"
    print(
        "| set | questions | EM | F1 | citations before | after | read | abstained | tokens | s |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in options.sets:
        print(_row(name, _asked(QuestionSet(name), llm, config, options.questions)), flush=True)


def _asked(question_set: QuestionSet, llm: LLM, config: ClewConfig, most: int) -> list[Scored]:
    recorded = Recorded(llm)
    answerer = SynthesisAnswerer(recorded, config)
    scored = []
    for asked in question_set.questions[:most]:
        result = question_set.retrieved(asked)
        start = time.perf_counter()
        answer = answerer.answer(asked.text, result, question_set.graph)
        seconds = time.perf_counter() - start
        is_read = answer.trace.get("method") != "llm"
        after = [] if is_read else [(one.doc_id, one.text) for one in answer.citations]
        scored.append(
            Scored(
                answer=answer,
                em=exact_match(answer.answer, asked.answers),
                f1=token_f1(answer.answer, asked.answers),
                before=[_is_right(one, asked) for one in recorded.cited()],
                after=[_is_right(one, asked) for one in after],
                seconds=seconds,
                tokens=answer.usage.input_tokens + answer.usage.output_tokens,
            )
        )
    return scored


def _is_right(cited: tuple[str, str] | None, asked: Asked) -> bool:
    if cited is None:
        return False
    document, text = cited
    said = f" {normalise(text)} "
    return document in asked.supporting or any(
        f" {right} " in said for answer in asked.answers if (right := normalise(answer))
    )


def _row(name: str, scored: Sequence[Scored]) -> str:
    before = [right for one in scored for right in one.before]
    after = [right for one in scored for right in one.after]
    cells = [
        name,
        len(scored),
        f"{100 * mean(one.em for one in scored):.1f}",
        f"{100 * mean(one.f1 for one in scored):.1f}",
        _share(before),
        _share(after),
        sum(one.is_read for one in scored),
        sum(one.answer.abstained for one in scored),
        round(mean(one.tokens for one in scored)),
        f"{median(one.seconds for one in scored):.0f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _share(right: Sequence[bool]) -> str:
    return f"{100 * mean(right):.1f} % of {len(right)}" if right else "none"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("llm", help="as in the setting llm_model")
    parser.add_argument("--sets", nargs="+", default=list(EVAL_SETS))
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument(
        "--set", dest="settings", nargs="*", default=[], type=lambda text: text.split("=", 1)
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
