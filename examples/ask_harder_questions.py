"""Ask the demonstration's documents what ``clew demo`` does not ask, and count what is right.

    python examples/ask_harder_questions.py

``clew demo`` asks questions that are known to be answered. The ones in ``harder_questions.json``
were put to the same documents, and found hard when they were first asked: they show what to expect
of answers without a language model, and what to improve.
"""

from __future__ import annotations

import sys
from pathlib import Path

from clew import KnowledgeBase
from clew.demo.questions import documents_folder, faults, load_questions


def main() -> int:
    questions = load_questions(Path(__file__).parent / "harder_questions.json")
    right = 0
    with KnowledgeBase.in_memory() as kb:
        kb.ingest(documents_folder())
        for question in questions:
            answer = kb.ask(question.question)
            wrong = faults(question, answer, kb)
            right += not wrong
            print("right" if not wrong else "WRONG", question.id, answer.answer or "(abstains)")
            for fault in wrong:
                print("     ", fault)
    print(f"{right} of {len(questions)} right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
