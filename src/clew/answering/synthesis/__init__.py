"""Answers that a language model writes, and that are held against what they cite.

::

    evidence ─ pieces ─▶ prompt ─ model ─▶ reading ─▶ checking ─▶ Answer

``pieces`` chooses and numbers what the model is shown, within a budget of tokens; ``prompt`` fences
it as data; ``reading`` finds sentences and their citations in the reply, ``checking`` keeps those
that their citations bear out; ``answerer`` is all of it. One call of the model.
"""
