"""What tests of clew, and of code that uses clew, need: models that say what they are told to say.

:mod:`clew.testing.strategies` (needs hypothesis) and :mod:`clew.testing.store_contract` are
imported by their own names.
"""

from __future__ import annotations

from clew.testing.fake_clock import FakeClock
from clew.testing.fake_embedder import FakeEmbedder, FlakyEmbedder
from clew.testing.fake_reranker import FailingReranker, FakeReranker
from clew.testing.scripted_llm import Call, ScriptedLLM
from clew.testing.streaming_llm import StreamingScriptedLLM
from clew.testing.telling_llm import TellingLLM

__all__ = [
    "Call",
    "FailingReranker",
    "FakeClock",
    "FakeEmbedder",
    "FakeReranker",
    "FlakyEmbedder",
    "ScriptedLLM",
    "StreamingScriptedLLM",
    "TellingLLM",
]
