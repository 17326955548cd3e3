from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.indexing.reply_memory import ReplyMemory
from clew.models.base import PaidReply, UsageEntry
from clew.stores.memory import KnowledgeGraph
from clew.testing import FakeClock


class _Counting(KnowledgeGraph):
    writes = 0

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        self.writes += 1
        super().keep_replies(replies, usage)


def test_replies_are_written_together_twice_a_second() -> None:
    store, clock = _Counting(), FakeClock()
    memory = ReplyMemory(store, clock.now)
    for number in range(10):
        clock.sleep(0.125)
        memory.remember(f"d{number}", {f"k{number}": "said"})
    assert store.writes == 2
    memory.write()
    memory.write()
    assert store.writes == 3, "nothing is written where nothing waits"


def test_what_one_call_said_of_several_documents_is_written_at_once() -> None:
    store, clock = KnowledgeGraph(), FakeClock()
    memory = ReplyMemory(store, clock.now)
    clock.sleep(1.0)
    memory.remember("a", {"ka": "said"})
    memory.remember("b", {"kb": "said"})
    assert store.remembered(["ka", "kb"]) == {}
    clock.sleep(1.0)
    memory.remember("c", {"kc": "said"})
    assert set(store.remembered(["ka", "kb", "kc"])) == {"ka", "kb"}


def test_what_waits_is_remembered_too() -> None:
    store = _Counting()
    memory = ReplyMemory(store, lambda: 0.0)
    memory.remember("d", {"k": "said"})
    assert store.remembered(["k"]) == {}
    assert memory.remembered(["k"]) == {"k": "said"}
    store.commit(delete=["d"])
    assert memory.remembered(["k"]) == {}
