"""One question after another, each read with what was spoken of before it.

``referents`` are the things that the last turns spoke of, and what a pronoun may mean;
``following`` makes a whole question of one that leans on them ("and her husband?"); ``talk`` asks
it and remembers. No model is asked to rewrite anything.
"""

from __future__ import annotations

from clew.conversation.talk import Conversation, Turn

__all__ = ["Conversation", "Turn"]
