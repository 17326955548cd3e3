"""Index a folder in memory, ask one question, and print the answer with its citations.

python examples/ask_a_folder.py src/clew/demo/documents "Who built the Fram?"
"""

from __future__ import annotations

import sys

from clew import KnowledgeBase


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    folder, question = sys.argv[1:]
    with KnowledgeBase.in_memory() as kb:
        report = kb.ingest(folder)
        for document in report.trouble:
            print(f"{document.source}: {document.reason}", file=sys.stderr)
        answer = kb.ask(question)
    print(answer.answer)
    for citation in answer.citations:
        print(f"[{citation.number}] {citation.doc_id} {citation.start}-{citation.end}")
        print(f"    {' '.join(citation.text.split())}")
    return 1 if answer.abstained else 0


if __name__ == "__main__":
    sys.exit(main())
