"""How near a plan comes to what the run then uses.

python benchmarks/extraction/planning.py                  # CLEW_DATA, default ../shared/data
python benchmarks/extraction/planning.py --passages 300

The passages are those of the tuning set of MuSiQue. A model in this process tells each sentence
with its names and a fact, and counts tokens with the tokenizer of the packaged embedder. Once with
no experience, once with the books of a third of the passages.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from itertools import islice
from pathlib import Path

from clew import ClewConfig, KnowledgeBase
from clew.models.token_counting import token_counter
from clew.testing import TellingLLM


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=300)
    passages = parser.parse_args().passages
    source = Path(os.environ.get("CLEW_DATA", "../shared/data"), "tune/musique/corpus.jsonl")
    with tempfile.TemporaryDirectory() as folder, source.open(encoding="utf-8") as lines:
        corpus, part = Path(folder, "corpus.jsonl"), Path(folder, "part.jsonl")
        taken = list(islice(lines, passages))
        part.write_text("".join(taken[: passages // 3]), encoding="utf-8")
        corpus.write_text("".join(taken[passages // 3 :]), encoding="utf-8")
        for batch_size in (1, 10):
            for known in (False, True):
                print(json.dumps(_compared(corpus, part if known else None, batch_size)))


def _compared(corpus: Path, known: Path | None, batch_size: int) -> dict[str, object]:
    config = ClewConfig(embedding_model="none", ku_batch_size=batch_size)
    with KnowledgeBase.in_memory(llm=TellingLLM(count=token_counter()), config=config) as kb:
        if known is not None:
            kb.ingest(known)
        plan = kb.plan(corpus, methods=["llm"]).method("llm")
        beside = plan.beside(kb.ingest(corpus))
    result: dict[str, object] = {"chunks_a_call": batch_size, "experience": known is not None}
    for name, planned, used in beside:
        if name in {"calls", "tokens in", "tokens out"} and planned and used:
            result[name] = f"{planned:,} planned, {used:,} used, {planned / used - 1:+.1%}"
    return result


if __name__ == "__main__":
    main()
